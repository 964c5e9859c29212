//! Bodies of leaf blocks: scalar ops, or vector ops if lanes differ.

use super::emitter::{Emitter, scf_if, vector_reduction};
use super::index::broadcast;
use super::vector::Mask;
use crate::dialect::loop_op::If;
use crate::ir::affine::Constraint;
use crate::ir::{Attribute, Block, Builder, Error, Op, Type, Value};

impl<'c> Emitter<'c> {
    /// Emits the ops of a body in order; returns the values of its yield.
    pub fn leaf(&mut self, ops: Vec<Op<'c>>, at: Builder<'c>) -> Result<Vec<Value<'c>>, Error<'c>> {
        for op in ops {
            let at = self.located(at, op);
            match op.name() {
                _ if self.atomics.holds(op) => {}
                "loop.yield" => {
                    return Ok(op.operands().iter().map(|v| self.value_of(*v, at)).collect());
                }
                "affine.apply" => {
                    let map = op.attribute("map").and_then(Attribute::as_map);
                    let map = map.ok_or_else(|| Error::on(op, "has no valid 'map'"))?;
                    let expr = self.bounds(&map.results, &op.operands(), map.dims).remove(0);
                    self.indices.insert(op.result(0), expr);
                }
                "memref.load" => self.load(op, at),
                "memref.store" => self.store(op, at),
                If::NAME => self.leaf_branch(&If::of(op)?, at)?,
                _ => self.compute(op, at),
            }
        }
        Ok(vec![])
    }

    /// Emits the start values of a reduction.
    pub fn init_body(&mut self, init: Op<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        let ops = init.body(0).map(Block::ops).unwrap_or_default();
        // Constants may precede it in the block.
        let before: Vec<_> = init
            .block()
            .map(Block::ops)
            .unwrap_or_default()
            .into_iter()
            .take_while(|op| *op != init)
            .collect();
        self.leaf(before, at)?;
        self.leaf(ops, at).map(|_| ())
    }

    /// The new value of an old value.
    pub fn value_of(&mut self, value: Value<'c>, at: Builder<'c>) -> Value<'c> {
        if let Some(known) = self.values.get(&value) {
            return *known;
        }
        if let Some(expr) = self.indices.get(&value).cloned() {
            return self.emit_index(&expr, at);
        }
        // Defined outside of the nest: it does not change.
        value
    }

    /// Maps an old value to its new value in this copy of the body, and drops its index expression, which was
    /// that of another copy.
    pub fn define(&mut self, old: Value<'c>, new: Value<'c>) {
        self.values.insert(old, new);
        self.indices.remove(&old);
    }

    /// Emits an op without effects, or a call.
    fn compute(&mut self, op: Op<'c>, at: Builder<'c>) {
        let mut operands: Vec<_> = op.operands().iter().map(|v| self.value_of(*v, at)).collect();
        if let Some(i) = must_not_be_zero(op.name()) {
            operands[i] = self.one_where_off(operands[i], at);
        }
        let lanes = operands.iter().find_map(|v| v.ty().lanes()).map(|(lanes, _)| lanes);
        let operands = self.joined(&operands, at);
        let shaped = |ty: Type<'c>| lanes.map_or(ty, |lanes| Type::vector(lanes, ty));
        let results: Vec<_> = op.results().iter().map(|v| shaped(v.ty())).collect();
        let mut spec = at.spec(op.name()).operands(&operands).results(&results);
        for (name, value) in op.attributes() {
            spec = spec.attribute(name, value);
        }
        let new = at.insert(spec);
        for (old, new) in op.results().into_iter().zip(new.results()) {
            self.define(old, new);
        }
    }

    /// Replaces a value by 1 in inactive lanes, which must not divide by 0.
    fn one_where_off(&self, value: Value<'c>, at: Builder<'c>) -> Value<'c> {
        let Some(mask) = self.mask else { return value };
        let constant = value.defining_op().and_then(|op| op.attribute("value"));
        if constant.and_then(Attribute::as_i64).is_some_and(|value| value != 0) {
            return value;
        }
        let (on, one) = match value.ty().lanes() {
            Some(_) => (mask.value, at.constant_vector(value.ty(), 1)),
            // A uniform value is used as it is, because at least one lane is active.
            None if !mask.may_be_empty => return value,
            None => {
                let bit = Type::integer(self.context(), 1);
                (vector_reduction(at, "or", mask.value, bit), at.number(value.ty(), 1))
            }
        };
        at.op("arith.select", &[on, value, one], value.ty())
    }

    /// `loop.if` in a body: a branch. If the condition differs between lanes: both branches under masks, and a
    /// select.
    fn leaf_branch(&mut self, view: &If<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        let conditions =
            self.constraints(&view.condition.constraints, &view.operands, view.condition.dims);
        let else_ops = view.else_body.map(Block::ops).unwrap_or_default();
        let then_ops = view.then_body.ops();
        let results = view.op.results();
        if conditions.is_empty() {
            let values = self.leaf(then_ops, at)?;
            results.into_iter().zip(values).for_each(|(old, new)| self.define(old, new));
            return Ok(());
        }
        if conditions.iter().any(|c| self.is_never(c)) {
            let values = self.leaf(else_ops, at)?;
            results.into_iter().zip(values).for_each(|(old, new)| self.define(old, new));
            return Ok(());
        }
        if conditions.iter().any(|c| self.differs(c.expr())) {
            return self.masked_branch(&conditions, [then_ops, else_ops], results, at);
        }
        let condition = self.emit_condition(&conditions, at).expect("there are conditions");
        let blocks = [Block::new(&[]), Block::new(&[])];
        let inner = blocks.map(|block| Builder::at_end(block, at.location()));
        let mut yields = [self.leaf(then_ops, inner[0])?, self.leaf(else_ops, inner[1])?];
        // A value is a vector if it is one in either branch.
        for i in 0..results.len() {
            let lanes = yields.iter().find_map(|values| values[i].ty().lanes());
            if let Some((lanes, _)) = lanes {
                for (values, inner) in yields.iter_mut().zip(inner) {
                    values[i] = broadcast(values[i], lanes, inner);
                }
            }
        }
        for (values, inner) in yields.iter().zip(inner) {
            inner.insert(inner.spec("scf.yield").operands(values));
        }
        let types: Vec<_> = yields[0].iter().map(|v| v.ty()).collect();
        let new = at.insert(scf_if(at, condition, &types, blocks));
        results.into_iter().zip(new.results()).for_each(|(old, new)| self.define(old, new));
        Ok(())
    }

    fn masked_branch(
        &mut self,
        conditions: &[Constraint],
        [then_ops, else_ops]: [Vec<Op<'c>>; 2],
        results: Vec<Value<'c>>,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let outer = self.mask;
        let bits = self.emit_condition(conditions, at).expect("there are conditions");
        let width = self.lane.as_ref().map_or(1, |lane| lane.width);
        let bits = broadcast(bits, width, at);
        let ones = at.constant_vector(bits.ty(), 1);
        let others = self.elementwise("arith.xori", &[bits, ones], at);
        let masked = |bits| Mask { value: bits, first: None, may_be_empty: true };
        self.narrow(vec![masked(bits)], at);
        let then_values = self.leaf(then_ops, at)?;
        self.mask = outer;
        self.narrow(vec![masked(others)], at);
        let else_values = self.leaf(else_ops, at)?;
        self.mask = outer;
        for ((old, yes), no) in results.into_iter().zip(then_values).zip(else_values) {
            let (yes, no) = (broadcast(yes, width, at), broadcast(no, width, at));
            let chosen = at.op("arith.select", &[bits, yes, no], yes.ty());
            self.define(old, chosen);
        }
        Ok(())
    }
}

/// The operand that makes an op trap if it is 0.
fn must_not_be_zero(name: &str) -> Option<usize> {
    match name {
        "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui" => Some(1),
        "arith.ceildivsi" | "arith.ceildivui" | "arith.floordivsi" => Some(1),
        // Traps if the power is negative.
        "math.ipowi" => Some(0),
        _ => None,
    }
}

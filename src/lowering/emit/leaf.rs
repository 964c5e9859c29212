//! Bodies of leaf blocks: scalar ops, or vector ops if lanes differ.

use super::access::{load, store};
use super::cursor::{ActiveLanes, Cursor};
use super::ops::{broadcast, scf_if, vector_reduction};
use super::plan::EmissionPlan;
use crate::dialect::loop_op::If;
use crate::ir::affine::Constraint;
use crate::ir::{Attribute, Block, Builder, Error, Op, Type, Value};

/// Emits the ops of a body in order; returns the values of its yield.
pub(crate) fn emit_leaf<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    ops: Vec<Op<'c>>,
    at: Builder<'c>,
) -> Result<Vec<Value<'c>>, Error<'c>> {
    for op in ops {
        let at = cursor.located(at, op);
        match op.name() {
            _ if plan.atomics.holds(op) => {}
            "loop.yield" => {
                return Ok(op.operands().iter().map(|v| cursor.value_of(*v, at)).collect());
            }
            "affine.apply" => {
                let map = op.attribute("map").and_then(Attribute::as_map);
                let map = map.ok_or_else(|| Error::on(op, "has no valid 'map'"))?;
                let expr = cursor.bounds(&map.results, &op.operands(), map.dims).remove(0);
                cursor.indices.insert(op.result(0), expr);
            }
            "memref.load" => load(cursor, op, at),
            "memref.store" => store(plan, cursor, op, at),
            If::NAME => leaf_branch(plan, cursor, &If::of(op)?, at)?,
            _ => compute(cursor, op, at),
        }
    }
    Ok(vec![])
}

/// Emits the start values of a reduction.
pub(crate) fn emit_init<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    init: Op<'c>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let ops = init.body(0).map(Block::ops).unwrap_or_default();
    // Constants may precede it in the block.
    let before: Vec<_> = init
        .block()
        .map(Block::ops)
        .unwrap_or_default()
        .into_iter()
        .take_while(|op| *op != init)
        .collect();
    emit_leaf(plan, cursor, before, at)?;
    emit_leaf(plan, cursor, ops, at).map(|_| ())
}

/// Emits an op without effects, or a call.
fn compute<'c>(cursor: &mut Cursor<'c>, op: Op<'c>, at: Builder<'c>) {
    let mut operands: Vec<_> = op.operands().iter().map(|v| cursor.value_of(*v, at)).collect();
    if let Some(i) = must_not_be_zero(op.name()) {
        operands[i] = one_where_off(cursor, operands[i], at);
    }
    let lanes = operands.iter().find_map(|v| v.ty().lanes()).map(|(lanes, _)| lanes);
    let operands = cursor.joined(&operands, at);
    let shaped = |ty: Type<'c>| lanes.map_or(ty, |lanes| Type::vector(lanes, ty));
    let results: Vec<_> = op.results().iter().map(|v| shaped(v.ty())).collect();
    let mut spec = at.spec(op.name()).operands(&operands).results(&results);
    for (name, value) in op.attributes() {
        spec = spec.attribute(name, value);
    }
    let new = at.insert(spec);
    for (old, new) in op.results().into_iter().zip(new.results()) {
        cursor.define(old, new);
    }
}

/// Replaces a value by 1 in inactive lanes, which must not divide by 0.
fn one_where_off<'c>(cursor: &Cursor<'c>, value: Value<'c>, at: Builder<'c>) -> Value<'c> {
    let Some(mask) = cursor.mask else { return value };
    let constant = value.defining_op().and_then(|op| op.attribute("value"));
    if constant.and_then(Attribute::as_i64).is_some_and(|value| value != 0) {
        return value;
    }
    let (on, one) = match value.ty().lanes() {
        Some(_) => (mask.value, at.constant_vector(value.ty(), 1)),
        // A uniform value is used as it is, because at least one lane is active.
        None if !mask.may_be_empty => return value,
        None => {
            let bit = Type::integer(at.context(), 1);
            (vector_reduction(at, "or", mask.value, bit), at.number(value.ty(), 1))
        }
    };
    at.op("arith.select", &[on, value, one], value.ty())
}

/// `loop.if` in a body: a branch. If the condition differs between lanes: both branches under masks, and a
/// select.
fn leaf_branch<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    view: &If<'c>,
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let conditions =
        cursor.constraints(&view.condition.constraints, &view.operands, view.condition.dims);
    let else_ops = view.else_body.map(Block::ops).unwrap_or_default();
    let then_ops = view.then_body.ops();
    let results = view.op.results();
    if conditions.is_empty() {
        let values = emit_leaf(plan, cursor, then_ops, at)?;
        results.into_iter().zip(values).for_each(|(old, new)| cursor.define(old, new));
        return Ok(());
    }
    if conditions.iter().any(|c| cursor.is_never(c)) {
        let values = emit_leaf(plan, cursor, else_ops, at)?;
        results.into_iter().zip(values).for_each(|(old, new)| cursor.define(old, new));
        return Ok(());
    }
    if conditions.iter().any(|c| cursor.differs(c.expr())) {
        return masked_branch(plan, cursor, view, &conditions, at);
    }
    let condition = cursor.emit_condition(&conditions, at).expect("there are conditions");
    let blocks = [Block::new(&[]), Block::new(&[])];
    let inner = blocks.map(|block| Builder::at_end(block, at.location()));
    let mut yields = [
        emit_leaf(plan, cursor, then_ops, inner[0])?,
        emit_leaf(plan, cursor, else_ops, inner[1])?,
    ];
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
    results.into_iter().zip(new.results()).for_each(|(old, new)| cursor.define(old, new));
    Ok(())
}

fn masked_branch<'c>(
    plan: &EmissionPlan<'c>,
    cursor: &mut Cursor<'c>,
    view: &If<'c>,
    conditions: &[Constraint],
    at: Builder<'c>,
) -> Result<(), Error<'c>> {
    let outer = cursor.mask;
    let bits = cursor.emit_condition(conditions, at).expect("there are conditions");
    let width = cursor.lane.as_ref().map_or(1, |lane| lane.width);
    let bits = broadcast(bits, width, at);
    let ones = at.constant_vector(bits.ty(), 1);
    let others = cursor.elementwise("arith.xori", &[bits, ones], at);
    let masked =
        |bits| ActiveLanes { value: bits, first: None, may_be_empty: true, may_access: false };
    cursor.narrow(vec![masked(bits)], at);
    let then_values = emit_leaf(plan, cursor, view.then_body.ops(), at)?;
    cursor.mask = outer;
    cursor.narrow(vec![masked(others)], at);
    let else_ops = view.else_body.map(Block::ops).unwrap_or_default();
    let else_values = emit_leaf(plan, cursor, else_ops, at)?;
    cursor.mask = outer;
    for ((old, yes), no) in view.op.results().into_iter().zip(then_values).zip(else_values) {
        let (yes, no) = (broadcast(yes, width, at), broadcast(no, width, at));
        let chosen = at.op("arith.select", &[bits, yes, no], yes.ty());
        cursor.define(old, chosen);
    }
    Ok(())
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

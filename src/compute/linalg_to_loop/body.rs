//! Scalars in the body of a block: computed on demand from the old function's scalar ops.

use super::body_control_flow::is_loop;
use super::nest::NestUnderConstruction;
use super::state::{ConvertedValue, FunctionConversion};
use crate::ir::predicate;
use crate::ir::{Attribute, Error, Location, Op, Value, walk};
use std::collections::HashMap;

/// The old scalars that the body has computed so far.
pub(super) type ComputedScalars<'c> = HashMap<Value<'c>, Value<'c>>;

impl<'c> FunctionConversion<'_, 'c> {
    /// Computes a scalar of the old function in the body of a nest.
    pub(super) fn scalar(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        value: Value<'c>,
    ) -> Result<Value<'c>, Error<'c>> {
        self.evaluate(nest, &mut ComputedScalars::new(), value)
    }

    /// Computes a scalar of the old function, or of the body of an old op whose arguments are in `known`.
    /// An affine index value becomes one `affine.apply`; other ops are cloned.
    pub(super) fn evaluate(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        known: &mut ComputedScalars<'c>,
        value: Value<'c>,
    ) -> Result<Value<'c>, Error<'c>> {
        if let Some(done) = known.get(&value) {
            return Ok(*done);
        }
        if value.ty().is_index()
            && let Some(expr) = self.sizes.size(value)
        {
            let index = nest.index(&expr);
            known.insert(value, index);
            return Ok(index);
        }
        if let Some(buffer) = self.scalars.get(&value) {
            let scalar = nest.load(*buffer, &[], value.ty());
            known.insert(value, scalar);
            return Ok(scalar);
        }
        let Some(op) = value.defining_op() else {
            return Err(Error::at(
                nest.build.location(),
                format!(
                    "uses {value:?}, which convert-linalg-to-loop does not support as a scalar"
                ),
            ));
        };
        let operands = op.operands();
        if matches!(op.name(), "tensor.extract" | "memref.load") {
            let (source, _) = self.tensor(op, operands[0])?;
            let mut indices = vec![];
            for index in &operands[1..] {
                indices.push(self.evaluate(nest, known, *index)?);
            }
            let scalar = self.read(nest, &source, operands[0], &indices)?;
            known.insert(value, scalar);
            return Ok(scalar);
        }
        if op.is("tensor.dim") {
            let size = self.size_at(nest, known, op)?;
            known.insert(value, size);
            return Ok(size);
        }
        if is_loop(op) || op.is("scf.if") && self.is_call(op) {
            self.call_control_flow(nest, known, op)?;
            return Ok(known[&value]);
        }
        if op.is("scf.if") {
            let chosen = self.chosen(nest, known, op, value.index())?;
            known.insert(value, chosen);
            return Ok(chosen);
        }
        if !op.regions().is_empty() || !op.has_no_effects() {
            return Err(Error::on(op, "is not a scalar op that convert-linalg-to-loop supports"));
        }
        let mut mapping = vec![];
        for operand in operands {
            mapping.push((operand, self.evaluate(nest, known, operand)?));
        }
        let clone = op.clone_mapped(&mapping);
        // Upstream gives the bodies of its named ops no location.
        if clone.location() == Location::unknown(clone.context()) {
            clone.set_location(nest.build.location());
        }
        nest.build.place(clone);
        for (old, new) in op.results().into_iter().zip(clone.results()) {
            known.insert(old, new);
        }
        Ok(known[&value])
    }

    /// Computes the size of a dimension whose number is data. A number that is out of range stands for the last dimension.
    fn size_at(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        known: &mut ComputedScalars<'c>,
        op: Op<'c>,
    ) -> Result<Value<'c>, Error<'c>> {
        let dims = self.sizes.dims(op, op.operand(0))?;
        let mut sizes = dims.iter().map(|size| nest.index(size)).enumerate().rev();
        let (_, mut chosen) = sizes
            .next()
            .ok_or_else(|| Error::on(op, "reads a size of a tensor that has no dimension"))?;
        let number = self.evaluate(nest, known, op.operand(1))?;
        let at = &nest.build;
        for (i, size) in sizes {
            let is_here = at.compare(predicate::EQ, number, at.index(i as i64));
            chosen = at.op("arith.select", &[is_here, size, chosen], size.ty());
        }
        Ok(chosen)
    }

    /// True for a branch on data of which only one region may run, because it reads, has a loop, or divides integers.
    fn is_call(&mut self, op: Op<'c>) -> bool {
        let is_unsafe = |inner: Op| match inner.name() {
            "tensor.extract" | "memref.load" => true,
            "arith.divf" | "arith.remf" => false,
            name => name.contains("div") || name.contains("rem") || is_loop(inner),
        };
        self.sizes.asserted(op.operand(0)).is_none() && walk(op).into_iter().any(is_unsafe)
    }

    /// Computes result `i` of an `scf.if`. If the condition is one on iters and sizes, only one branch is computed, else
    /// both are.
    fn chosen(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        known: &mut ComputedScalars<'c>,
        op: Op<'c>,
        i: usize,
    ) -> Result<Value<'c>, Error<'c>> {
        let yielded = |region: usize| {
            let end = op.body(region).and_then(|body| body.terminator());
            let value = end.and_then(|end| end.operands().get(i).copied());
            value.ok_or_else(|| Error::on(op, "has a branch that yields no value"))
        };
        let (then, otherwise) = (yielded(0)?, yielded(1)?);
        if let Some(conditions) = self.sizes.asserted(op.operand(0)) {
            // What a branch computes is known in that branch only.
            let before = known.clone();
            return self.choose(
                nest,
                conditions,
                |f, nest| f.evaluate(nest, &mut before.clone(), then),
                |f, nest| f.evaluate(nest, &mut before.clone(), otherwise),
            );
        }
        let condition = self.evaluate(nest, known, op.operand(0))?;
        let then = self.evaluate(nest, known, then)?;
        let otherwise = self.evaluate(nest, known, otherwise)?;
        Ok(nest.build.op("arith.select", &[condition, then, otherwise], then.ty()))
    }

    /// Reads an element of the old tensor `value`, which has become `source`.
    pub(super) fn read(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        source: &ConvertedValue<'c>,
        value: Value<'c>,
        indices: &[Value<'c>],
    ) -> Result<Value<'c>, Error<'c>> {
        match source {
            ConvertedValue::Buffer(buffer) => {
                let element = value.ty().shaped().map(|(_, element)| element);
                Ok(nest.load(*buffer, indices, element.unwrap_or(value.ty())))
            }
            ConvertedValue::Fill(scalar) => self.scalar(nest, *scalar),
            ConvertedValue::Splat(constant) => Ok(nest.build.constant(*constant)),
            ConvertedValue::Empty => Err(Error::at(
                nest.build.location(),
                "reads an element of 'tensor.empty', which has no value",
            )),
        }
    }
}

/// The value of an integer attribute of an op.
pub(super) fn number(op: Op, name: &str) -> Option<i64> {
    op.attribute(name).and_then(Attribute::as_i64)
}

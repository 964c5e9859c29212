//! Calls among converted functions: results are passed as destination buffers.

use super::state::FunctionConversion;
use crate::dialect::loop_op::stored_type;
use crate::dialect::requirement::SizeOrigin;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Builder, Error, Op, Type, Value, callee, constant_integer};

/// A call of a converted function, except for the buffers of its results.
pub(super) struct PreparedCall<'c> {
    op: Op<'c>,
    inputs: Vec<Value<'c>>,
    /// The result types of the old function.
    results: Vec<Type<'c>>,
    /// The dimensions of each result.
    pub shapes: Vec<Vec<Expr>>,
}

impl<'c> PreparedCall<'c> {
    /// Computes the inputs of a call at the end of the new function.
    pub(super) fn of(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<Self, Error<'c>> {
        let Some(signature) = callee(op).and_then(|name| f.module.done.get(name)) else {
            let message = "calls a function that is not converted: it has no body or no tensors";
            return Err(Error::on(op, message));
        };
        let results = signature.results.clone();
        let (shapes, origins) = (signature.shapes.clone(), signature.origins.clone());
        let inputs = signature.inputs.clone();
        let requirements = signature.requirements.clone();
        let mut sizes = vec![];
        for origin in origins {
            sizes.push(match origin {
                SizeOrigin::Index(i) => f.sizes.needed_size(op, op.operand(i))?,
                SizeOrigin::Dim(i, d) => f.sizes.dims(op, op.operand(i))?[d].clone(),
            });
        }
        let of_caller = |expr: &Expr| expr.substitute(&Expr::Dim, &|i| sizes[i].clone());
        for condition in requirements {
            f.sizes.require(op, condition.on(of_caller(condition.expr())))?;
        }
        let mut operands = vec![];
        for (value, ty) in op.operands().into_iter().zip(inputs) {
            operands.push(argument(f, op, value, ty)?);
        }
        let shape = |dims: &Vec<Expr>| dims.iter().map(|e| of_caller(e).simplified()).collect();
        let shapes = shapes.iter().map(shape).collect();
        Ok(Self { op, inputs: operands, results, shapes })
    }

    /// A buffer for result `i`: the destination of `value` if it has one.
    pub(super) fn buffer(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        i: usize,
        base: &str,
        value: Value<'c>,
    ) -> Result<Value<'c>, Error<'c>> {
        let ty = self.results[i];
        match ty.shaped() {
            Some(_) => f.target(self.op.location(), base, value, &self.shapes[i]),
            None => Ok(f.buffer(self.op.location(), base, stored_type(ty.context(), ty), &[])),
        }
    }

    /// The operands of the new call: the inputs, and the buffers of the results.
    pub(super) fn operands(
        &self,
        f: &FunctionConversion<'_, 'c>,
        buffers: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let results = buffers.iter().zip(&self.results);
        let results = results.map(|(buffer, ty)| fitting(f, self.op, *buffer, *ty));
        self.inputs.iter().copied().chain(results).collect()
    }

    /// Inserts the new call.
    pub(super) fn place(&self, at: &Builder<'c>, operands: &[Value<'c>]) {
        self.insert(at, operands);
    }

    /// Inserts the new call into the region of a loop or branch: it is not inlined there, because nests are not in such
    /// regions.
    pub(super) fn place_in_region(&self, at: &Builder<'c>, operands: &[Value<'c>]) {
        self.insert(at, operands).set_attribute("no_inline", Attribute::unit(at.context()));
    }

    fn insert(&self, at: &Builder<'c>, operands: &[Value<'c>]) -> Op<'c> {
        let name = Attribute::symbol(at.context(), callee(self.op).unwrap_or_default());
        let at = at.at(self.op.location());
        at.insert(at.spec("func.call").operands(operands).attribute("callee", name))
    }
}

/// Converts a call of a converted function.
pub(super) fn convert<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let call = PreparedCall::of(f, op)?;
    let mut buffers = vec![];
    for (i, result) in op.results().into_iter().enumerate() {
        let buffer = call.buffer(f, i, "call", result)?;
        f.hold(result, buffer, call.shapes[i].clone());
        buffers.push(buffer);
    }
    let operands = call.operands(f, &buffers);
    call.place(&Builder::before(f.end, op.location()), &operands);
    Ok(())
}

/// The new argument for an old one of type `ty`.
fn argument<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    value: Value<'c>,
    ty: Type<'c>,
) -> Result<Value<'c>, Error<'c>> {
    if ty.is_index() {
        // Nests that are inlined here use it as a size, which an expression is not.
        if let Some(entry) = entry_size(f, value) {
            return Ok(entry);
        }
        let size = f.sizes.needed_size(op, value)?;
        let at = Builder::before(f.end, op.location());
        return Ok(at.apply(&size, &[], &f.entries));
    }
    if ty.shaped().is_some() {
        let buffer = f.in_memory(op, value)?;
        return Ok(fitting(f, op, buffer, ty));
    }
    f.scalar_in_memory(op, value)
}

/// The entry size that a value is, although the conditions on sizes may express it by others.
fn entry_size<'c>(f: &FunctionConversion<'_, 'c>, value: Value<'c>) -> Option<Value<'c>> {
    let origin = match value.defining_op() {
        None => SizeOrigin::Index(value.index()),
        Some(op) if op.is("tensor.dim") && op.operand(0).defining_op().is_none() => {
            let dim = constant_integer(op.operand(1)).and_then(|dim| usize::try_from(dim).ok())?;
            SizeOrigin::Dim(op.operand(0).index(), dim)
        }
        Some(_) => return None,
    };
    let symbol = f.sizes.origins.iter().position(|it| *it == Some(origin))?;
    f.entries.get(symbol).copied()
}

/// The buffer as a memref of the callee's type for the old type `ty`: a cast if only one of the types
/// has a static size.
fn fitting<'c>(
    f: &FunctionConversion<'_, 'c>,
    op: Op<'c>,
    buffer: Value<'c>,
    ty: Type<'c>,
) -> Value<'c> {
    let Some((dims, element)) = ty.shaped() else { return buffer };
    let wanted = Type::memref(&dims, stored_type(op.context(), element));
    if wanted == buffer.ty() {
        return buffer;
    }
    Builder::before(f.end, op.location()).op("memref.cast", &[buffer], wanted)
}

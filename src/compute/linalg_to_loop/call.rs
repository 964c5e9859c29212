//! Calls among converted functions: results are passed as destination buffers.

use super::nest::NestSpec;
use super::sizes::Origin;
use super::state::{ConvertedValue, FunctionConversion};
use super::symbol;
use crate::dialect::loop_op::stored_type;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Builder, Error, Op, Type, Value, walk};

/// Sorts the functions so that callees precede their callers.
pub(super) fn callees_first<'c>(functions: &[Op<'c>]) -> Result<Vec<Op<'c>>, Error<'c>> {
    let mut order = vec![];
    for function in functions {
        visit(*function, functions, &mut vec![], &mut order)?;
    }
    Ok(order)
}

fn visit<'c>(
    function: Op<'c>,
    all: &[Op<'c>],
    open: &mut Vec<Op<'c>>,
    order: &mut Vec<Op<'c>>,
) -> Result<(), Error<'c>> {
    if order.contains(&function) {
        return Ok(());
    }
    if open.contains(&function) {
        return Err(Error::on(
            function,
            "calls itself, which convert-linalg-to-loop cannot convert",
        ));
    }
    open.push(function);
    for call in walk(function).into_iter().filter(|op| op.is("func.call")) {
        if let Some(callee) = all.iter().find(|f| symbol(**f) == callee(call)) {
            visit(*callee, all, open, order)?;
        }
    }
    open.pop();
    order.push(function);
    Ok(())
}

fn callee<'c>(call: Op<'c>) -> &'c str {
    call.attribute("callee").and_then(Attribute::as_symbol).unwrap_or_default()
}

/// Converts a call of a converted function.
pub(super) fn convert<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let Some(signature) = f.module.done.get(callee(op)) else {
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
            Origin::Argument(i) => f.needed_size(op, op.operand(i))?,
            Origin::Dim(i, d) => f.dims(op, op.operand(i))?[d].clone(),
        });
    }
    for condition in requirements {
        let of_caller = condition.expr().substitute(&Expr::Dim, &|i| sizes[i].clone());
        f.require(op, condition.on(of_caller))?;
    }
    let mut operands = vec![];
    for (value, ty) in op.operands().into_iter().zip(inputs) {
        operands.push(argument(f, op, value, ty)?);
    }
    for ((ty, shape), result) in results.iter().zip(shapes).zip(op.results()) {
        let dims: Vec<Expr> = shape
            .iter()
            .map(|e| e.substitute(&Expr::Dim, &|i| sizes[i].clone()).simplified())
            .collect();
        let buffer = match ty.shaped() {
            Some(_) => {
                let buffer = f.target(op.location(), "call", result, &dims)?;
                f.set(result, ConvertedValue::Buffer(buffer), dims);
                buffer
            }
            None => {
                let stored = stored_type(op.context(), *ty);
                let buffer = f.buffer(op.location(), "call", stored, &[]);
                f.scalars.insert(result, buffer);
                buffer
            }
        };
        operands.push(fitting(f, op, buffer, *ty));
    }
    let at = Builder::before(f.end, op.location());
    let name = Attribute::symbol(op.context(), callee(op));
    at.insert(at.spec("func.call").operands(&operands).attribute("callee", name));
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
        let size = f.needed_size(op, value)?;
        let at = Builder::before(f.end, op.location());
        return Ok(at.apply(&size, &[], &f.sizes.values()));
    }
    if ty.shaped().is_some() {
        let buffer = f.in_memory(op, value)?;
        return Ok(fitting(f, op, buffer, ty));
    }
    // A scalar is passed as a memref of rank 0.
    let buffer = f.buffer(op.location(), "scalar", stored_type(op.context(), ty), &[]);
    let name = f.block_name("scalar");
    let spec =
        NestSpec { location: op.location(), name, iters: vec![], uses: vec![], reducer: None };
    let nest = f.nest(spec);
    let scalar = f.scalar(&nest, value)?;
    nest.store(scalar, buffer, &[]);
    nest.finish()?;
    Ok(buffer)
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

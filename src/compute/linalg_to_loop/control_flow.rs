//! Loops and branches whose regions are calls, as `outline-control-flow` leaves them.
//!
//! Carried values and results are in buffers of the function. A call never writes a buffer that it reads: the body of an
//! `scf.for` writes to new buffers, which are copied back; the two regions of an `scf.while` read the buffers that the
//! other one writes.

use super::call::PreparedCall;
use super::state::{ConvertedValue, FunctionConversion, unranked};
use crate::dialect::loop_op::stored_type;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block, Builder, Error, Op, Region, Type, Value};

/// Converts an `scf.for`, `scf.if` or `scf.while`.
pub(super) fn convert<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    match op.name() {
        "scf.for" => count(f, op),
        "scf.while" => repeat(f, op),
        // A branch without results has no effect.
        _ if op.results().is_empty() => Ok(()),
        _ => branch(f, op),
    }
}

/// The call of a region, whose results the terminator passes on in their order.
///
/// # Errors
/// If the region has another form.
fn only_call<'c>(op: Op<'c>, region: usize, skipped: usize) -> Result<Op<'c>, Error<'c>> {
    let body = op.body(region).ok_or_else(|| Error::on(op, "lacks a region"))?;
    let ops = body.ops();
    let mut calls = ops.iter().copied().filter(|inner| inner.is("func.call"));
    let is_known =
        |inner: &Op| inner.is("func.call") || inner.is("arith.index_cast") || *inner == body.end();
    let found = calls.next().filter(|_| calls.next().is_none() && ops.iter().all(is_known));
    let passes_on = |call: &Op<'c>| {
        let passed = body.end().operands().into_iter().map(uncast);
        passed.eq(call.results()) && call.results().len() >= skipped
    };
    found.filter(passes_on).ok_or_else(|| {
        Error::on(
            op,
            "has a region that is not one call, expected one: run outline-control-flow first",
        )
    })
}

/// The value that an `arith.index_cast` converts, or the value itself.
fn uncast(value: Value) -> Value {
    value.defining_op().filter(|op| op.is("arith.index_cast")).map_or(value, |op| op.operand(0))
}

/// Records that a buffer holds an argument of a region, and the i64 that an index among them is passed as.
fn hold<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    argument: Value<'c>,
    buffer: Value<'c>,
    dims: Vec<Expr>,
) {
    if argument.ty().is_index() {
        let casts = argument.uses().into_iter().filter(|(user, _)| user.is("arith.index_cast"));
        f.scalars.extend(casts.map(|(user, _)| (user.result(0), buffer)));
    }
    f.hold(argument, buffer, dims);
}

/// A buffer with the value that a carried value has before the first iteration, and its dimensions. It is the buffer of
/// `result` if that is given.
fn start<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    value: Value<'c>,
    result: Option<Value<'c>>,
) -> Result<(Value<'c>, Vec<Expr>), Error<'c>> {
    if value.ty().shaped().is_none() {
        let ty = stored_type(op.context(), value.ty());
        let buffer = f.buffer(op.location(), "carried", ty, &[]);
        f.compute_scalar(op, value, buffer)?;
        return Ok((buffer, vec![]));
    }
    let (source, dims) = f.tensor(op, value)?;
    let (_, element) = value.ty().shaped().ok_or_else(|| unranked(op))?;
    let buffer = match result {
        Some(result) => f.target(op.location(), "carried", result, &dims)?,
        None => f.buffer(op.location(), "carried", stored_type(op.context(), element), &dims),
    };
    if !matches!(source, ConvertedValue::Empty) {
        f.copy(op, &source, &dims, value, buffer)?;
    }
    Ok((buffer, dims))
}

/// Requires that a carried value has the same dimensions in each iteration, or a result in both branches. Dimensions that
/// are equal only for some entry sizes are a requirement of the function.
///
/// # Errors
/// If they are never equal.
fn same_dims<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    i: usize,
    found: &[Expr],
    expected: &[Expr],
) -> Result<(), Error<'c>> {
    for (found, expected) in found.iter().zip(expected) {
        let difference = (expected.clone() - found.clone()).simplified();
        if difference.constant().is_some_and(|it| it != 0) {
            return Err(Error::on(
                op,
                format!(
                    "has value {i} whose size may change, expected the same size in all iterations and branches"
                ),
            ));
        }
        f.sizes.require(op, Constraint::Zero(difference))?;
    }
    Ok(())
}

fn count<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    const BOUNDS: usize = 3;
    if op.attribute("unsignedCmp").is_some() {
        return Err(Error::on(op, "compares unsigned, expected signed bounds"));
    }
    let call = only_call(op, 0, 0)?;
    let arguments = op.body(0).map(Block::arguments).unwrap_or_default();
    let location = op.location();
    let mut carried = vec![];
    for (i, init) in op.operands()[BOUNDS..].iter().enumerate() {
        let (buffer, dims) = start(f, op, *init, Some(op.result(i)))?;
        hold(f, arguments[1 + i], buffer, dims.clone());
        carried.push((buffer, dims));
    }
    let now = arguments[0];
    let counter_type = stored_type(op.context(), now.ty());
    let counter = (!now.is_unused()).then(|| f.buffer(location, "counter", counter_type, &[]));
    if let Some(counter) = counter {
        hold(f, now, counter, vec![]);
    }
    let body = PreparedCall::of(f, call)?;
    let mut next = vec![];
    for (i, (_, dims)) in carried.iter().enumerate() {
        same_dims(f, op, i, &body.shapes[i], dims)?;
        next.push(body.buffer(f, i, "next", call.result(i))?);
    }
    let operands = body.operands(f, &next);
    let mut bounds = vec![];
    for value in &op.operands()[..BOUNDS] {
        bounds.push(function_level(f, op, *value)?);
    }

    let at = Builder::before(f.end, location);
    let block = Block::new(&[(arguments[0].ty(), location)]);
    let inner = Builder::at_end(block, location);
    if let Some(counter) = counter {
        let now = block.argument(0);
        let now = match now.ty().is_index() {
            true => inner.op("arith.index_cast", &[now], counter_type),
            false => now,
        };
        inner.store(now, counter, &[]);
    }
    body.place_in_region(&inner, &operands);
    for ((buffer, _), next) in carried.iter().zip(&next) {
        inner.insert(inner.spec("memref.copy").operands(&[*next, *buffer]));
    }
    inner.insert(inner.spec("scf.yield"));
    at.insert(at.spec("scf.for").operands(&bounds).region(Region::of(block)));
    for (result, (buffer, dims)) in op.results().into_iter().zip(carried) {
        f.hold(result, buffer, dims);
    }
    Ok(())
}

fn repeat<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let (before, after) = (only_call(op, 0, 1)?, only_call(op, 1, 0)?);
    let arguments = |i: usize| op.body(i).map(Block::arguments).unwrap_or_default();
    let location = op.location();
    let mut carried = vec![];
    for (init, argument) in op.operands().into_iter().zip(arguments(0)) {
        let (buffer, dims) = start(f, op, init, None)?;
        hold(f, argument, buffer, dims.clone());
        carried.push((buffer, dims));
    }
    let condition = PreparedCall::of(f, before)?;
    let mut forwarded = vec![condition.buffer(f, 0, "condition", before.result(0))?];
    for (i, (result, argument)) in op.results().into_iter().zip(arguments(1)).enumerate() {
        let buffer = condition.buffer(f, 1 + i, "forwarded", result)?;
        let dims = condition.shapes[1 + i].clone();
        hold(f, argument, buffer, dims.clone());
        f.hold(result, buffer, dims);
        forwarded.push(buffer);
    }
    let body = PreparedCall::of(f, after)?;
    for (i, (_, dims)) in carried.iter().enumerate() {
        same_dims(f, op, i, &body.shapes[i], dims)?;
    }
    let carried: Vec<_> = carried.into_iter().map(|(buffer, _)| buffer).collect();
    let (of_condition, of_body) = (condition.operands(f, &forwarded), body.operands(f, &carried));

    let at = Builder::before(f.end, location);
    let (first, second) = (Block::new(&[]), Block::new(&[]));
    let inner = Builder::at_end(first, location);
    condition.place_in_region(&inner, &of_condition);
    let holds = boolean(&inner, forwarded[0]);
    inner.insert(inner.spec("scf.condition").operands(&[holds]));
    let inner = Builder::at_end(second, location);
    body.place_in_region(&inner, &of_body);
    inner.insert(inner.spec("scf.yield"));
    at.insert(at.spec("scf.while").region(Region::of(first)).region(Region::of(second)));
    Ok(())
}

fn branch<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let calls = [only_call(op, 0, 0)?, only_call(op, 1, 0)?];
    let flag = f.scalar_in_memory(op, op.operand(0))?;
    let [then, otherwise] = [PreparedCall::of(f, calls[0])?, PreparedCall::of(f, calls[1])?];
    let mut buffers = vec![];
    for (i, result) in op.results().into_iter().enumerate() {
        same_dims(f, op, i, &otherwise.shapes[i], &then.shapes[i])?;
        let buffer = then.buffer(f, i, "chosen", result)?;
        f.hold(result, buffer, then.shapes[i].clone());
        buffers.push(buffer);
    }
    let operands = [then.operands(f, &buffers), otherwise.operands(f, &buffers)];
    let at = Builder::before(f.end, op.location());
    let condition = boolean(&at, flag);
    let region = |call: &PreparedCall<'c>, operands: &[Value<'c>]| {
        let block = Block::new(&[]);
        let inner = Builder::at_end(block, op.location());
        call.place_in_region(&inner, operands);
        inner.insert(inner.spec("scf.yield"));
        Region::of(block)
    };
    let spec = at.spec("scf.if").operands(&[condition]);
    let spec = spec.region(region(&then, &operands[0])).region(region(&otherwise, &operands[1]));
    at.insert(spec);
    Ok(())
}

/// Loads a boolean at function level.
fn boolean<'c>(at: &Builder<'c>, flag: Value<'c>) -> Value<'c> {
    at.op("arith.trunci", &[at.load(flag, &[])], Type::integer(at.context(), 1))
}

/// The bound of a loop, at function level: an expression of sizes, or a number from memory.
fn function_level<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    value: Value<'c>,
) -> Result<Value<'c>, Error<'c>> {
    if value.ty().is_index()
        && let Some(size) = f.sizes.size(value)
    {
        return Ok(Builder::before(f.end, op.location()).apply(&size, &[], &f.entries));
    }
    let buffer = f.scalar_in_memory(op, uncast(value))?;
    let at = Builder::before(f.end, op.location());
    let number = at.load(buffer, &[]);
    Ok(match number.ty() == value.ty() {
        true => number,
        false => at.op("arith.index_cast", &[number], value.ty()),
    })
}

//! Verifier of the loop dialect's ops other than `loop.block`, and of whole functions.
//!
//! Between the function and a schedule block are only loops, `loop.if`, `loop.sync` and blocks.
//! Extents and conditions are maps of surrounding loops, enclosing block iters and sizes.

use super::contract::Contract;
use super::loop_enums::{AxisType, LoopKind, ThreadAxis};
use super::loop_op::{BufferView, For, If, ScheduleBlock, buffer_name, is_storable};
use crate::ir::{Block, Error, Op, TypeKind, Value, parents, scope_of, walk};
use std::collections::HashMap;

pub(super) fn verify(op: Op) -> Result<(), Error> {
    match op.name() {
        "loop.for" => {
            verify_place(op)?;
            verify_for(&For::of(op)?)
        }
        "loop.if" => verify_if(&If::of(op)?),
        "loop.sync" => verify_place(op),
        "loop.buffer" => verify_buffer(&BufferView::of(op)?),
        _ => Ok(()),
    }
}

/// Loops, blocks and barriers are in a function, a loop, a `loop.if` or the body of a block. The
/// first of them in a function verifies the function as a whole.
pub(super) fn verify_place(op: Op) -> Result<(), Error> {
    let Some(parent) = op.parent() else { return Ok(()) };
    match parent.name() {
        "loop.for" | "loop.block" | "loop.if" => Ok(()),
        "func.func" => verify_first(op, parent),
        other => Err(Error::on(
            op,
            format!("is in '{other}', expected a function, loop, 'loop.if' or schedule block"),
        )),
    }
}

/// Names of blocks and buffers are unique in a function, and its contract is valid.
fn verify_function(function: Op) -> Result<(), Error> {
    Contract::of(function)?;
    let mut blocks: HashMap<&str, Op> = HashMap::new();
    let mut buffers: HashMap<String, Op> = HashMap::new();
    for argument in function.body(0).map(|body| body.arguments()).unwrap_or_default() {
        if matches!(argument.ty().kind(), TypeKind::MemRef { .. }) {
            buffers.insert(buffer_name(argument), function);
        }
    }
    for op in walk(function) {
        let (kind, earlier, name) = match op.name() {
            "loop.block" => {
                let name = ScheduleBlock::of(op)?.name;
                ("schedule block", blocks.insert(name, op), name)
            }
            "loop.buffer" => {
                let name = BufferView::of(op)?.name;
                ("buffer", buffers.insert(name.to_owned(), op), name)
            }
            _ => continue,
        };
        if let Some(earlier) = earlier {
            let message = format!("is a second {kind} named \"{name}\" in this function");
            return Err(Error::on(op, message).note(earlier.location(), "the first is here"));
        }
    }
    Ok(())
}

fn verify_for<'c>(this: &For<'c>) -> Result<(), Error<'c>> {
    let op = this.op;
    let fail = |message: String| Err(Error::on(op, message));
    verify_name(op, "loop", this.name)?;
    let arguments = this.body.arguments();
    if arguments.len() != 1 || !arguments[0].ty().is_index() {
        return fail("needs a body with one argument of type index".into());
    }
    for inner in this.body.ops() {
        if !matches!(
            inner.name(),
            "loop.for" | "loop.block" | "loop.if" | "loop.sync" | "loop.yield"
        ) {
            let message = format!(
                "contains '{}', expected only loops, schedule blocks, 'loop.if' and 'loop.sync'",
                inner.name()
            );
            return Err(Error::on(op, message).note(inner.location(), "it is here"));
        }
    }
    if let Some(outer) = parents(op).find(|p| p.is(For::NAME) && name_of(*p) == Some(this.name)) {
        let message = format!("has the name \"{}\" of an enclosing loop", this.name);
        return Err(Error::on(op, message).note(outer.location(), "the outer loop is here"));
    }
    let (dims, symbols) = (this.extent.dims, this.extent.symbols);
    if this.extent.results.is_empty() || dims + symbols != this.operands.len() {
        return fail(format!(
            "extent map has {} results and takes {} operands, but there are {}",
            this.extent.results.len(),
            dims + symbols,
            this.operands.len()
        ));
    }
    if let Some(extent) = this.constant_extent().filter(|extent| *extent < 0) {
        return fail(format!("extent {extent} is negative"));
    }
    verify_operands(op, &this.operands[..dims], &this.operands[dims..])?;
    match (this.kind, this.thread) {
        (LoopKind::ThreadBind, None) => {
            return fail(
                "of kind thread_bind needs a thread axis: thread_bind[threadIdx.x]".into(),
            );
        }
        // Virtual threads may be nested: a thread runs all of them.
        (LoopKind::ThreadBind, Some(ThreadAxis::VThread)) => {}
        (LoopKind::ThreadBind, Some(axis)) => {
            let same = |p: &Op<'c>| {
                p.is(For::NAME) && For::of(*p).is_ok_and(|outer| outer.thread == this.thread)
            };
            if let Some(outer) = parents(op).find(same) {
                let message = format!("binds {axis}, which an enclosing loop already binds");
                return Err(Error::on(op, message).note(outer.location(), "the outer loop is here"));
            }
        }
        (kind, Some(axis)) => {
            return fail(format!("of kind {kind} cannot have the thread axis {axis}"));
        }
        _ => {}
    }
    verify_axis(this)
}

/// Provenance: a split half comes from one loop and names the other half, the tail of a split comes
/// from one loop, a merged loop from several.
fn verify_axis<'c>(this: &For<'c>) -> Result<(), Error<'c>> {
    let Some(axis) = &this.axis else {
        let stray = ["axis_from", "axis_pair"].iter().find(|n| this.op.attribute(n).is_some());
        return match stray {
            Some(name) => Err(Error::on(this.op, format!("has '{name}' but no axis type"))),
            None => Ok(()),
        };
    };
    let expected = match axis.ty {
        AxisType::Original => {
            (axis.from.is_empty() && axis.pair.is_none(), "no 'from' and no 'pair'")
        }
        AxisType::Merged => (
            axis.from.len() >= 2 && axis.pair.is_none(),
            "two or more loops in 'from' and no 'pair'",
        ),
        AxisType::Tail => {
            (axis.from.len() == 1 && axis.pair.is_none(), "one loop in 'from' and no 'pair'")
        }
        _ => (axis.from.len() == 1 && axis.pair.is_some(), "one loop in 'from' and a 'pair'"),
    };
    match expected {
        (true, _) => Ok(()),
        (false, what) => Err(Error::on(this.op, format!("axis of type {} needs {what}", axis.ty))),
    }
}

fn verify_if<'c>(this: &If<'c>) -> Result<(), Error<'c>> {
    let op = this.op;
    let (dims, symbols) = (this.condition.dims, this.condition.symbols);
    if dims + symbols != this.operands.len() {
        return Err(Error::on(
            op,
            format!("condition takes {} operands, found {}", dims + symbols, this.operands.len()),
        ));
    }
    // Upstream's interface verifies that the branches yield the results.
    if is_in_leaf(op) {
        return Ok(());
    }
    // Here the op is between loops and blocks.
    verify_place(op)?;
    verify_operands(op, &this.operands[..dims], &this.operands[dims..])?;
    if !op.results().is_empty() {
        return Err(Error::on(op, "has results, but is outside of a schedule block"));
    }
    for body in [Some(this.then_body), this.else_body].into_iter().flatten() {
        for inner in body.ops() {
            if !matches!(
                inner.name(),
                "loop.for" | "loop.block" | "loop.if" | "loop.sync" | "loop.yield"
            ) {
                let message = format!(
                    "contains '{}', expected only loops, schedule blocks, 'loop.if' and 'loop.sync' \
                     outside of schedule blocks",
                    inner.name()
                );
                return Err(Error::on(op, message).note(inner.location(), "it is here"));
            }
        }
    }
    Ok(())
}

/// True if the op is in the body of a leaf block, where it computes values.
fn is_in_leaf(op: Op) -> bool {
    parents(op)
        .find(|p| p.is(ScheduleBlock::NAME) || p.is(For::NAME) || p.is("loop.init"))
        .is_some_and(|p| {
            p.is("loop.init") || ScheduleBlock::of(p).is_ok_and(|block| !block.is_nest())
        })
}

fn verify_buffer<'c>(this: &BufferView<'c>) -> Result<(), Error<'c>> {
    let op = this.op;
    let fail = |message: String| Err(Error::on(op, message));
    verify_name(op, "buffer", this.name)?;
    match op.parent() {
        Some(parent) if parent.is("func.func") => verify_first(op, parent)?,
        _ => return fail("is inside of a nest, expected at function level".into()),
    }
    let TypeKind::MemRef { dims, element } = op.result(0).ty().kind() else {
        return fail("needs a row-major memref in the default memory space".into());
    };
    if !is_storable(element) {
        return fail(format!("has elements of type {element}, {STORABLE}"));
    }
    let dynamic = dims.iter().filter(|d| d.is_none()).count();
    if dynamic != this.dynamic_dims.len() {
        return fail(format!(
            "has {dynamic} dynamic dimensions and {} size expressions",
            this.dynamic_dims.len()
        ));
    }
    if let Some(alignment) = this.alignment
        && !u64::try_from(alignment).is_ok_and(u64::is_power_of_two)
    {
        return fail(format!("alignment {alignment} is not a power of two"));
    }
    if let Some(padding) = &this.padding
        && (padding.len() != dims.len() || padding.iter().any(|p| *p < 0))
    {
        return fail(format!(
            "padding {padding:?} is not one number >= 0 for each of {} dimensions",
            dims.len()
        ));
    }
    if let Some(rounding) = &this.rounding {
        let fits = |pair: &[i64]| pair[0] > 0 && (0..pair[0]).contains(&pair[1]);
        if rounding.len() != 2 * dims.len() || !rounding.chunks(2).all(fits) {
            return fail(format!(
                "rounding {rounding:?} is not a divisor > 0 and a remainder for each of {} dimensions",
                dims.len()
            ));
        }
    }
    verify_operands(op, &[], &this.sizes)
}

pub(super) const STORABLE: &str =
    "expected i8, i16, i32, i64, f16, bf16, f32 or f64 in memory (booleans as i8)";

fn verify_first<'c>(op: Op<'c>, function: Op<'c>) -> Result<(), Error<'c>> {
    // Does not list all ops, because this runs for each of them.
    let mut all = std::iter::successors(op.block().and_then(Block::first_op), |op| op.next());
    let first = all.find(|op| op.name().starts_with("loop."));
    if first == Some(op) { verify_function(function) } else { Ok(()) }
}

fn name_of<'c>(op: Op<'c>) -> Option<&'c str> {
    op.attribute("name").and_then(|name| name.as_str())
}

/// Checks that a name can be an SSA name: letters, digits, `_`, `$`, `-` and `.`, not starting with a digit.
pub(super) fn verify_name<'c>(op: Op<'c>, kind: &str, name: &str) -> Result<(), Error<'c>> {
    if is_name(name) {
        return Ok(());
    }
    Err(Error::on(
        op,
        format!(
            "has the {kind} name \"{name}\", expected letters, digits, '_', '$', '-' and '.', not \
             starting with a digit"
        ),
    ))
}

pub(crate) fn is_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || "_$-.".contains(c);
    name.starts_with(letter) && name.chars().all(|c| letter(c) || c.is_ascii_digit())
}

/// Checks operands of maps outside of leaf bodies: dims are surrounding loops and enclosing block iters (or
/// sizes), symbols are sizes and enclosing block iters.
pub(super) fn verify_operands<'c>(
    op: Op<'c>,
    dims: &[Value<'c>],
    symbols: &[Value<'c>],
) -> Result<(), Error<'c>> {
    if let Some(value) = dims.iter().find(|v| !is_bound(**v) && !is_size(**v)) {
        return Err(Error::on(
            op,
            format!("uses {value:?}, expected a surrounding loop, a block iter or a size"),
        ));
    }
    let is_iter =
        |v: Value| is_bound(v) && scope_of(v).is_some_and(|op| op.is(ScheduleBlock::NAME));
    match symbols.iter().find(|v| !is_size(**v) && !is_iter(**v)) {
        Some(value) => Err(Error::on(
            op,
            format!(
                "uses {value:?} as a size, expected an index argument of the function, a \
                 'memref.dim' or a constant"
            ),
        )),
        None => Ok(()),
    }
}

/// True for a loop's variable or a block's iter.
pub(super) fn is_bound(value: Value) -> bool {
    value.defining_op().is_none()
        && scope_of(value).is_some_and(|op| op.is(For::NAME) || op.is(ScheduleBlock::NAME))
}

/// True for an entry size: an index argument of the function, a dimension of a memref, or a constant.
pub(super) fn is_size(value: Value) -> bool {
    match value.defining_op() {
        None => value.ty().is_index() && scope_of(value).is_some_and(|op| op.is("func.func")),
        Some(op) => {
            op.is_constant()
                || op.is("memref.dim") && op.parent().is_some_and(|parent| parent.is("func.func"))
        }
    }
}

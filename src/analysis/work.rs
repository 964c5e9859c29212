//! Counts the operations and bytes of a function in loop form, and checks its accesses for bounds, for given arguments.
//!
//! Work is counted from schedule blocks, not from loops, so a schedule does not change it. Floating-point (or
//! integer) operations are those of the bodies, once per instance. An addition, multiplication, division, comparison,
//! function or conversion between values counts as one, a fused multiply-add as two; start values, index arithmetic
//! and constants do not count. Bytes are those of the arguments and constants that the call reads, once each, and of
//! those that it writes: the least that must be moved.

use super::op_cost::{bytes_of, operations};
use crate::dialect::loop_op::{For, ScheduleBlock, buffer_name};
use crate::dialect::region;
use crate::dialect::requirement::{Requirements, SizeOrigin};
use crate::ir::affine::Expr;
use crate::ir::{
    Error, ModuleRef, Op, Value, constant_integer, function_named, op_of, parents, scope_of, walk,
};
use std::collections::HashMap;

/// An argument of a call, as far as sizes depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkArgument {
    /// The sizes of a buffer, the slowest dimension first.
    Shape(Vec<i64>),
    /// The value of an index.
    Index(i64),
}

/// The work of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Operations on floats and integers.
    pub operations: u64,
    /// The bytes that must be moved.
    pub bytes: u64,
}

/// The work of a call of a function with these arguments; `None` if it depends on more than their sizes, or if there is
/// no such function.
pub fn count<'c>(
    module: impl ModuleRef<'c>,
    function: &str,
    arguments: &[WorkArgument],
) -> Option<Work> {
    let function = function_named(op_of(module), function)?;
    let sizes = CallSizes::of(function, arguments)?;
    let mut work = Work::default();
    // Buffers, and whether they are written.
    let mut accessed: Vec<(Value, bool)> = vec![];
    for op in blocks(function) {
        let view = ScheduleBlock::of(op).ok()?;
        for (regions, is_write) in [(&view.reads, false), (&view.writes, true)] {
            for region in regions {
                if !accessed.contains(&(region.buffer, is_write)) {
                    accessed.push((region.buffer, is_write));
                }
            }
        }
        if view.is_nest() {
            continue;
        }
        let mut instances = 1u64;
        for domain in sizes.domains(&view)? {
            instances = instances.checked_mul(u64::try_from(domain).ok()?)?;
        }
        let init = view.init();
        let in_init = |op: &Op| init.is_some_and(|init| crate::ir::is_inside(*op, init));
        let body = walk(op).into_iter().filter(|op| !in_init(op));
        let each: u64 = body.map(operations).sum();
        work.operations = work.operations.checked_add(instances.checked_mul(each)?)?;
    }
    for (buffer, _) in accessed {
        let (dims, element) = buffer.ty().shaped()?;
        let shape: Vec<i64> = match (buffer.defining_op(), sizes.argument(buffer)) {
            (_, Some(WorkArgument::Shape(shape))) => shape.clone(),
            (Some(op), _) if op.is("memref.get_global") => {
                dims.into_iter().collect::<Option<_>>()?
            }
            (Some(_), _) => continue,
            (None, _) => return None,
        };
        let elements =
            shape.iter().try_fold(1u64, |n, d| n.checked_mul(u64::try_from(*d).ok()?))?;
        work.bytes = work.bytes.checked_add(elements.checked_mul(bytes_of(element))?)?;
    }
    Some(work)
}

/// Checks the [requirements](Requirements) of the function, and that no access of a call with these arguments is out of
/// bounds. Not checked are accesses under a `loop.if`
/// or a predicate, accesses at indices that depend on data, and accesses of schedule blocks with an iter that is not
/// bound to a loop over its whole domain.
///
/// # Errors
/// An error at the function, with the condition and the sizes; or at the schedule block, with the buffer, the accessed
/// indices and the size.
pub fn check_bounds<'c>(
    module: impl ModuleRef<'c>,
    function: &str,
    arguments: &[WorkArgument],
) -> Result<(), Error<'c>> {
    let Some(function) = function_named(op_of(module), function) else { return Ok(()) };
    check_requirements(function, arguments)?;
    let Some(sizes) = CallSizes::of(function, arguments) else { return Ok(()) };
    for op in blocks(function) {
        let view = ScheduleBlock::of(op)?;
        let Some(domains) = sizes.domains(&view) else { continue };
        if view.is_nest() || domains.contains(&0) || !sizes.are_covered(&view, &domains) {
            continue;
        }
        for cell in region::cells(&view)? {
            let Some(WorkArgument::Shape(shape)) = sizes.argument(cell.buffer) else { continue };
            if cell.is_conditional {
                continue;
            }
            for (i, index) in cell.indices.iter().enumerate() {
                let Some(index) = index else { continue };
                let range = |leaf: &Expr| match leaf {
                    Expr::Dim(iter) => Some((0, domains[*iter] - 1)),
                    Expr::Symbol(size) => sizes.value(view.sizes[*size]).map(|v| (v, v)),
                    _ => None,
                };
                let Some((low, high)) = index.simplified_within(&range).interval(&range) else {
                    continue;
                };
                if low < 0 || high >= shape[i] {
                    let name = buffer_name(cell.buffer);
                    return Err(Error::on(
                        op,
                        format!(
                            "\"{}\" accesses {name} from {low} to {high} in dimension {i}, which has the \
                             size {}: the shapes of the arguments do not fit together",
                            view.name, shape[i]
                        ),
                    ));
                }
            }
        }
    }
    Ok(())
}

fn check_requirements<'c>(function: Op<'c>, arguments: &[WorkArgument]) -> Result<(), Error<'c>> {
    let requirements = Requirements::of(function)?;
    let size = |origin: &SizeOrigin| size_in_call(*origin, arguments);
    let sizes: Option<Vec<i64>> = requirements.sizes.iter().map(size).collect();
    match sizes.and_then(|sizes| requirements.unmet(&sizes)) {
        Some(text) => {
            Err(Error::on(function, format!("is called with sizes that do not fit: {text}")))
        }
        None => Ok(()),
    }
}

/// The value of a size in a call with these arguments; `None` if the argument is missing or of another kind.
pub fn size_in_call(origin: SizeOrigin, arguments: &[WorkArgument]) -> Option<i64> {
    match (origin, arguments.get(origin.argument())?) {
        (SizeOrigin::Index(_), WorkArgument::Index(value)) => Some(*value),
        (SizeOrigin::Dim(_, dim), WorkArgument::Shape(shape)) => shape.get(dim).copied(),
        _ => None,
    }
}

fn blocks(function: Op) -> impl Iterator<Item = Op> {
    walk(function).into_iter().filter(|op| op.is(ScheduleBlock::NAME))
}

/// The sizes of a function in one call.
struct CallSizes<'c, 'a> {
    values: HashMap<Value<'c>, i64>,
    arguments: &'a [WorkArgument],
}

impl<'c, 'a> CallSizes<'c, 'a> {
    fn of(function: Op<'c>, arguments: &'a [WorkArgument]) -> Option<Self> {
        let mut sizes = CallSizes { values: HashMap::new(), arguments };
        let body = function.body(0)?;
        for (value, argument) in body.arguments().into_iter().zip(arguments) {
            if let WorkArgument::Index(index) = argument {
                sizes.values.insert(value, *index);
            }
        }
        for op in body.ops() {
            if !op.is("memref.dim") {
                continue;
            }
            let operands = op.operands();
            let dim = sizes.value(operands[1]).and_then(|i| usize::try_from(i).ok());
            if let (Some(WorkArgument::Shape(shape)), Some(dim)) =
                (sizes.argument(operands[0]), dim)
                && let Some(size) = shape.get(dim)
            {
                sizes.values.insert(op.result(0), *size);
            }
        }
        Some(sizes)
    }

    /// The argument that is passed for a buffer, if the buffer is an argument.
    fn argument(&self, buffer: Value<'c>) -> Option<&'a WorkArgument> {
        if buffer.defining_op().is_some() {
            return None;
        }
        self.arguments.get(buffer.index())
    }

    fn value(&self, size: Value<'c>) -> Option<i64> {
        self.values.get(&size).copied().or_else(|| constant_integer(size))
    }

    /// The lengths of the domains of a schedule block.
    fn domains(&self, view: &ScheduleBlock<'c>) -> Option<Vec<i64>> {
        let sizes: Option<Vec<i64>> = view.sizes.iter().map(|v| self.value(*v)).collect();
        let sizes = sizes?;
        let length = |domain: &Vec<Expr>| {
            let bounds: Option<Vec<i64>> = domain.iter().map(|e| e.evaluate(&[], &sizes)).collect();
            bounds?.into_iter().min().map(|length| length.max(0))
        };
        view.iters.iter().map(|iter| length(&iter.domain)).collect()
    }

    /// True if a schedule block runs on all of its domains: each iter has a loop, and no condition encloses the block.
    fn are_covered(&self, view: &ScheduleBlock<'c>, domains: &[i64]) -> bool {
        let mut around = parents(view.op).take_while(|p| !p.is("func.func"));
        let is_covered = |i: usize| match &view.binding[i] {
            Expr::Constant(0) => domains[i] == 1,
            Expr::Dim(bind) => {
                let extent = scope_of(view.binds[*bind]).and_then(|op| self.extent(op));
                !view.binding[..i].contains(&view.binding[i]) && extent == Some(domains[i])
            }
            _ => false,
        };
        view.predicate.is_none()
            && around.all(|p| p.is(For::NAME))
            && (0..domains.len()).all(is_covered)
    }

    /// The number of iterations of a loop.
    fn extent(&self, op: Op<'c>) -> Option<i64> {
        let view = For::of(op).ok().filter(|view| view.extent.dims == 0)?;
        let sizes: Option<Vec<i64>> = view.operands.iter().map(|v| self.value(*v)).collect();
        let sizes = sizes?;
        let extents: Option<Vec<i64>> =
            view.extent.results.iter().map(|e| e.evaluate(&[], &sizes)).collect();
        extents?.into_iter().min().map(|extent| extent.max(0))
    }
}

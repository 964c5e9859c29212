//! The workspace: the `memref.alloc`s of a function are consecutive slices of one allocation. A function that is called
//! gets what is left of it; the functions that are called one after the other get the same memory.
//!
//! `f_workspace` computes its bytes from the sizes alone, so the code that computes the size of a buffer is
//! cloned into it. Its arithmetic saturates. The arithmetic of `f` need not, because `f` runs only with a
//! workspace that was allocated. A negative size counts as 0 in both.

use super::buffer::{
    ALIGNMENT, IndexBounds, SizedPointer, cast, element_bytes, element_pointer, i64_constant,
    static_bytes,
};
use super::entry::{SizeReader, function_of_pointers};
use super::plan::{ConversionPlan, KernelPlan};
use crate::ir::affine::{BinaryKind, Constraint, Expr};
use crate::ir::predicate::{EQ, SGE, SLT};
use crate::ir::saturating;
use crate::ir::{Builder, Error, Op, Type, TypeKind, Value, walk};
use crate::lowering::constant;
use std::collections::{HashMap, HashSet};

/// (C4)
pub(crate) fn check<'c>(plan: &ConversionPlan<'c>, function: Op<'c>) -> Result<(), Error<'c>> {
    for call in allocating_calls(plan, function) {
        check_call(plan, function, call, &mut vec![function])?;
    }
    for alloc in allocations(function) {
        if alloc.parent() != Some(function) {
            let message = "is in a loop or branch, expected at the top of the function: move it there, \
                           or use memref.alloca (C4)";
            return Err(Error::on(alloc, message));
        }
        for size in alloc.operands() {
            if let Err(from) = check_size(function, size) {
                let message = "has a size that depends on more than index arguments and dimensions by \
                               arithmetic that is defined for all of them, but the size of the workspace is \
                               computed before the function runs (C4)";
                let note = format!("it depends on {}", describe(from));
                return Err(Error::on(alloc, message).note(from.location(), note));
            }
        }
    }
    Ok(())
}

/// Verifies that the workspace of a called function can be computed before its caller, `function`, runs. `open` are
/// the functions whose calls are being checked.
fn check_call<'c>(
    plan: &ConversionPlan<'c>,
    function: Op<'c>,
    call: Op<'c>,
    open: &mut Vec<Op<'c>>,
) -> Result<(), Error<'c>> {
    let callee = plan.called(call).expect("an allocating call").op;
    if open.contains(&callee) {
        let message = "calls a function that calls itself and allocates buffers, expected no recursion: \
                       use a loop (C4)";
        return Err(Error::on(call, message));
    }
    for i in arguments_of_sizes(plan, callee) {
        let value = call.operand(i);
        let from = match value.ty().is_memref() {
            true => continue,
            false => check_size(function, value),
        };
        if let Err(from) = from {
            let message = "calls a function whose buffers have a size that depends on more than index \
                           arguments and dimensions of this one (C4)";
            let note = format!("it depends on {}", describe(from));
            return Err(Error::on(call, message).note(from.location(), note));
        }
    }
    open.push(callee);
    for inner in allocating_calls(plan, callee) {
        check_call(plan, callee, inner, open)?;
    }
    open.pop();
    Ok(())
}

/// The arguments from which a function computes sizes of buffers, for itself or for functions that it calls.
fn arguments_of_sizes<'c>(plan: &ConversionPlan<'c>, function: Op<'c>) -> Vec<usize> {
    let mut left: Vec<Value> = allocations(function).into_iter().flat_map(Op::operands).collect();
    for call in allocating_calls(plan, function) {
        left.extend(call.operands().into_iter().filter(|value| value.ty().is_index()));
    }
    let (mut found, mut seen) = (vec![], HashSet::new());
    while let Some(value) = left.pop() {
        if !seen.insert(value) {
            continue;
        }
        match value.defining_op() {
            Some(op) => left.extend(op.operands()),
            None => found.push(value.index()),
        }
    }
    found
}

/// The calls of a function to functions that need a workspace.
fn allocating_calls<'c>(plan: &ConversionPlan<'c>, function: Op<'c>) -> Vec<Op<'c>> {
    let mut calls = walk(function);
    calls
        .retain(|op| op.is("func.call") && plan.called(*op).is_some_and(|callee| callee.allocates));
    calls
}

fn allocations(function: Op) -> Vec<Op> {
    walk(function).into_iter().filter(|op| op.is("memref.alloc")).collect()
}

fn describe(op: Op) -> String {
    format!("'{}'", op.name())
}

/// Verifies that a value can be computed outside of the function; otherwise returns the op that prevents it.
fn check_size<'c>(function: Op<'c>, value: Value<'c>) -> Result<(), Op<'c>> {
    check_once(function, value, &mut HashSet::new())
}

/// As [`check_size`], except for the values that were checked before.
fn check_once<'c>(
    function: Op<'c>,
    value: Value<'c>,
    checked: &mut HashSet<Value<'c>>,
) -> Result<(), Op<'c>> {
    if !checked.insert(value) {
        return Ok(());
    }
    let Some(op) = value.defining_op() else {
        let is_argument = value.owner().and_then(|block| block.parent()) == Some(function);
        return if is_argument { Ok(()) } else { Err(scope(value, function)) };
    };
    if op.is("memref.dim") {
        let i = constant(op.operand(1)).and_then(|i| usize::try_from(i).ok());
        return match i.and_then(|i| size_operand(op.operand(0), i)) {
            Some(size) => check_once(function, size, checked),
            None => Ok(()),
        };
    }
    if !op.is_pure() || !op.regions().is_empty() {
        return Err(op);
    }
    op.operands().into_iter().try_for_each(|operand| check_once(function, operand, checked))
}

fn scope<'c>(value: Value<'c>, function: Op<'c>) -> Op<'c> {
    value.owner().and_then(|block| block.parent()).unwrap_or(function)
}

/// The memref that `memref.cast`s start from.
fn uncast(memref: Value) -> Value {
    match memref.defining_op() {
        Some(op) if op.is("memref.cast") => uncast(op.operand(0)),
        _ => memref,
    }
}

/// For a dynamic dimension of a `memref.alloc` or `memref.view`: the operand that is its size.
fn size_operand<'c>(memref: Value<'c>, i: usize) -> Option<Value<'c>> {
    let memref = uncast(memref);
    let op = memref.defining_op()?;
    let sizes = match op.name() {
        "memref.alloc" => op.operands(),
        "memref.view" => op.operands().split_off(2),
        _ => return None,
    };
    let (dims, _) = memref.ty().shaped()?;
    let before = dims.get(..i)?.iter().filter(|dim| dim.is_none()).count();
    dims.get(i)?.is_none().then(|| sizes.get(before).copied()).flatten()
}

/// Builds `f_workspace(sizes) -> bytes` before the function. For sizes that do not meet requirement i of the function, the
/// result is `-1 - i`, for the first such i.
pub(crate) fn build<'c>(plan: &ConversionPlan<'c>, kernel: &KernelPlan<'c>) {
    let (function, name) = (kernel.function.op, kernel.workspace_name());
    let outer = Builder::before(function, function.location());
    let i64 = Type::integer(outer.context(), 64);
    let entry = function_of_pointers(&outer, &name, 1, &[i64]);
    let at = Builder::at_end(entry, outer.location());
    let (arguments, all) = read_sizes(&at, function, entry.argument(0));
    let source = SizeSource::Entry(arguments);
    let mut sizes = WorkspaceSizes { at, source, done: HashMap::new() };
    let total = sizes.total(plan, function);
    // A saturated total has been rounded down to this limit.
    let limit = i64_constant(&at, i64::MAX & -ALIGNMENT);
    let mut result = saturating::or_maximum(&at, at.compare(SLT, total, limit), total);
    let holds = |condition: &Constraint| {
        let value = cast(&at, value_of(&at, condition.expr(), &all), i64);
        let predicate = match condition {
            Constraint::Zero(_) => EQ,
            Constraint::NonNegative(_) => SGE,
        };
        at.compare(predicate, value, i64_constant(&at, 0))
    };
    let boolean = Type::integer(at.context(), 1);
    for (i, requirement) in kernel.requirements.all.iter().enumerate().rev() {
        let truth = holds(&requirement.condition);
        let holds = requirement.given.iter().fold(truth, |truth, given| {
            let is_void = at.op("arith.xori", &[holds(given), at.number(boolean, 1)], boolean);
            at.op("arith.ori", &[truth, is_void], boolean)
        });
        let number = i64::try_from(i).expect("few requirements");
        let otherwise = i64_constant(&at, -1 - number);
        result = at.op("arith.select", &[holds, result, otherwise], i64);
    }
    at.insert(at.spec("func.return").operands(&[result]));
}

/// Computes an expression over sizes.
fn value_of<'c>(at: &Builder<'c>, expr: &Expr, sizes: &[Value<'c>]) -> Value<'c> {
    let index = Type::index(at.context());
    let (kind, left, right) = match expr {
        Expr::Constant(value) => return at.index(*value),
        Expr::Symbol(i) => return sizes[*i],
        Expr::Dim(_) => unreachable!("requirements have no dims"),
        Expr::Binary(kind, left, right) => {
            (kind, value_of(at, left, sizes), value_of(at, right, sizes))
        }
    };
    let name = match kind {
        BinaryKind::Add => "arith.addi",
        BinaryKind::Mul => "arith.muli",
        BinaryKind::CeilDiv => "arith.ceildivsi",
        BinaryKind::FloorDiv | BinaryKind::Mod => "arith.floordivsi",
    };
    let value = at.op(name, &[left, right], index);
    match kind {
        BinaryKind::Mod => {
            let whole = at.op("arith.muli", &[value, right], index);
            at.op("arith.subi", &[left, whole], index)
        }
        _ => value,
    }
}

/// Reads the sizes of the arguments from an array; LLVM deletes unused loads. Returns the values of each index argument
/// and of the dynamic dimensions of each memref, and all of them in order.
fn read_sizes<'c>(
    at: &Builder<'c>,
    function: Op<'c>,
    array: Value<'c>,
) -> (HashMap<Value<'c>, Vec<Value<'c>>>, Vec<Value<'c>>) {
    let mut reader = SizeReader::new(*at, array);
    let (mut arguments, mut all) = (HashMap::new(), vec![]);
    for argument in function.body(0).map(|body| body.arguments()).unwrap_or_default() {
        let count = match argument.ty().kind() {
            TypeKind::MemRef { dims, .. } => dims.iter().filter(|dim| dim.is_none()).count(),
            _ => 1,
        };
        let values: Vec<_> = (0..count).map(|_| reader.next()).collect();
        all.extend(&values);
        arguments.insert(argument, values);
    }
    (arguments, all)
}

/// Where the sizes of a function's arguments come from.
enum SizeSource<'o, 'c> {
    /// For each argument of the kernel: an index, or the dynamic dimensions of a memref in order.
    Entry(HashMap<Value<'c>, Vec<Value<'c>>>),
    /// A call in another function.
    Call(&'o mut dyn SizesOfCaller<'c>, Op<'c>),
}

/// What the sizes of a called function are computed from.
trait SizesOfCaller<'c> {
    /// The value in `f_workspace` that corresponds to `value` in the caller.
    fn value(&mut self, value: Value<'c>) -> Value<'c>;
    /// The value in `f_workspace` of a dimension of a memref of the caller.
    fn dim(&mut self, memref: Value<'c>, i: usize) -> Value<'c>;
}

/// The sizes of a function that `f_workspace` needs, computed on demand.
struct WorkspaceSizes<'o, 'c> {
    at: Builder<'c>,
    source: SizeSource<'o, 'c>,
    done: HashMap<Value<'c>, Value<'c>>,
}

impl<'c> WorkspaceSizes<'_, 'c> {
    /// The bytes that a function needs: those of its own buffers, and the most that a function that it calls needs.
    fn total(&mut self, plan: &ConversionPlan<'c>, function: Op<'c>) -> Value<'c> {
        let (at, i64) = (self.at, Type::integer(self.at.context(), 64));
        let mut total = i64_constant(&at, 0);
        for alloc in allocations(function) {
            let bytes = self.bytes(alloc);
            total = saturating::sum(&at, total, bytes);
            total = saturating::round_up(&at, total, ALIGNMENT);
        }
        let mut most = None;
        for call in allocating_calls(plan, function) {
            let callee = plan.called(call).expect("an allocating call").op;
            let source = SizeSource::Call(self, call);
            let bytes = WorkspaceSizes { at, source, done: HashMap::new() }.total(plan, callee);
            most = Some(most.map_or(bytes, |most| at.op("arith.maxsi", &[most, bytes], i64)));
        }
        most.map_or(total, |most| saturating::sum(&at, total, most))
    }

    /// The bytes of a buffer.
    fn bytes(&mut self, alloc: Op<'c>) -> Value<'c> {
        let (at, i64) = (self.at, Type::integer(self.at.context(), 64));
        let (dims, element) = alloc.result(0).ty().shaped().expect("memrefs were checked (C2)");
        let mut dynamic = alloc.operands().into_iter();
        let mut bytes = i64_constant(&at, element_bytes(element).expect("checked (C2)"));
        for dim in dims {
            let size = match dim {
                Some(size) => i64_constant(&at, size),
                None => {
                    let size = dynamic.next().expect("one operand a dynamic size");
                    let size = not_negative(&at, self.value(size));
                    cast(&at, size, i64)
                }
            };
            bytes = saturating::product(&at, bytes, size);
        }
        bytes
    }
}

impl<'c> SizesOfCaller<'c> for WorkspaceSizes<'_, 'c> {
    fn value(&mut self, value: Value<'c>) -> Value<'c> {
        if let Some(done) = self.done.get(&value) {
            return *done;
        }
        let result = match value.defining_op() {
            None => match &mut self.source {
                SizeSource::Entry(arguments) => arguments[&value][0],
                SizeSource::Call(caller, call) => caller.value(call.operand(value.index())),
            },
            Some(op) if op.is("memref.dim") => {
                let i = constant(op.operand(1)).expect("dimensions were checked (C11)");
                self.dim(op.operand(0), i as usize)
            }
            Some(op) => {
                let mapping: Vec<_> = op
                    .operands()
                    .into_iter()
                    .map(|operand| (operand, self.value(operand)))
                    .collect();
                let clone = op.clone_mapped(&mapping);
                self.at.place(clone);
                clone.result(value.index())
            }
        };
        self.done.insert(value, result);
        result
    }

    fn dim(&mut self, memref: Value<'c>, i: usize) -> Value<'c> {
        if let Some(size) = size_operand(memref, i) {
            return self.value(size);
        }
        let memref = uncast(memref);
        let (dims, _) = memref.ty().shaped().expect("memrefs were checked (C2)");
        match (dims[i], &mut self.source) {
            (Some(size), _) => self.at.index(size),
            (None, SizeSource::Entry(arguments)) => {
                arguments[&memref][dims[..i].iter().filter(|dim| dim.is_none()).count()]
            }
            (None, SizeSource::Call(caller, call)) => caller.dim(call.operand(memref.index()), i),
        }
    }
}

fn not_negative<'c>(at: &Builder<'c>, size: Value<'c>) -> Value<'c> {
    let zero = at.index(0);
    at.op("arith.maxsi", &[size, zero], size.ty())
}

/// The unallocated rest of the workspace.
pub(crate) struct FreeWorkspace<'c> {
    workspace: Value<'c>,
    /// The allocated bytes: a constant part, and a part that depends on sizes.
    constant: i64,
    dynamic: Option<Value<'c>>,
}

impl<'c> FreeWorkspace<'c> {
    pub fn new(workspace: Value<'c>) -> Self {
        Self { workspace, constant: 0, dynamic: None }
    }

    /// The address of the unallocated rest.
    pub fn rest(&self, at: &Builder<'c>) -> Value<'c> {
        let context = at.context();
        let mut offset = at.index(self.constant);
        if let Some(dynamic) = self.dynamic {
            offset = at.op("arith.addi", &[offset, dynamic], Type::index(context));
        }
        let offset = cast(at, offset, Type::integer(context, 64));
        let byte = Type::integer(context, 8);
        element_pointer(at, self.workspace, offset, byte, IndexBounds::Inside)
    }

    /// The next slice, for a `memref.alloc`.
    pub fn take(&mut self, alloc: Op<'c>) -> SizedPointer<'c> {
        let at = Builder::before(alloc, alloc.location());
        let index = Type::index(at.context());
        let pointer = self.rest(&at);

        let ty = alloc.result(0).ty();
        let (dims, element) = ty.shaped().expect("memrefs were checked (C2)");
        let sizes: Vec<_> =
            alloc.operands().into_iter().map(|size| not_negative(&at, size)).collect();
        let known: Vec<_> = dims.iter().copied().filter(Option::is_some).collect();
        let known = static_bytes(&known, element).expect("sizes were checked (C4)");
        if sizes.is_empty() {
            self.constant = self.constant.saturating_add(round_up(known));
        } else {
            let mut bytes = at.index(known);
            for size in &sizes {
                bytes = at.op("arith.muli", &[bytes, *size], index);
            }
            bytes = at.op("arith.addi", &[bytes, at.index(ALIGNMENT - 1)], index);
            bytes = at.op("arith.andi", &[bytes, at.index(-ALIGNMENT)], index);
            self.dynamic = Some(match self.dynamic {
                Some(sum) => at.op("arith.addi", &[sum, bytes], index),
                None => bytes,
            });
        }
        SizedPointer::new(ty, pointer, &alloc.operands())
    }
}

fn round_up(bytes: i64) -> i64 {
    bytes.saturating_add(ALIGNMENT - 1) & -ALIGNMENT
}

//! The workspace: the `memref.alloc`s of a function are consecutive slices of one allocation.
//!
//! `f_workspace` computes its bytes from the sizes alone, so the code that computes the size of a buffer is
//! cloned into it. Its arithmetic saturates. The arithmetic of `f` need not, because `f` runs only with a
//! workspace that was allocated. A negative size counts as 0 in both.

use super::buffer::{
    ALIGNMENT, IndexBounds, SizedPointer, cast, element_bytes, element_pointer, i64_constant,
    static_bytes,
};
use super::entry::{SizeReader, function_of_pointers};
use super::plan::KernelPlan;
use crate::ir::affine::{BinaryKind, Constraint, Expr};
use crate::ir::{Attribute, Builder, Error, Op, Type, TypeKind, Value, walk};
use crate::lowering::constant;
use std::collections::HashMap;

/// (C4)
pub(crate) fn check(function: Op) -> Result<(), Error> {
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

fn allocations(function: Op) -> Vec<Op> {
    walk(function).into_iter().filter(|op| op.is("memref.alloc")).collect()
}

fn describe(op: Op) -> String {
    format!("'{}'", op.name())
}

/// Verifies that a value can be computed outside of the function; otherwise returns the op that prevents it.
fn check_size<'c>(function: Op<'c>, value: Value<'c>) -> Result<(), Op<'c>> {
    let Some(op) = value.defining_op() else {
        let is_argument = value.owner().and_then(|block| block.parent()) == Some(function);
        return if is_argument { Ok(()) } else { Err(scope(value, function)) };
    };
    if op.is("memref.dim") {
        return match alloc_size(op) {
            Some(size) => check_size(function, size),
            None => Ok(()),
        };
    }
    if !op.is_pure() || !op.regions().is_empty() {
        return Err(op);
    }
    op.operands().into_iter().try_for_each(|operand| check_size(function, operand))
}

fn scope<'c>(value: Value<'c>, function: Op<'c>) -> Op<'c> {
    value.owner().and_then(|block| block.parent()).unwrap_or(function)
}

/// For `memref.dim` of a dynamic dimension of a `memref.alloc`: the size operand of the allocation.
fn alloc_size<'c>(dim: Op<'c>) -> Option<Value<'c>> {
    let memref = dim.operand(0);
    let alloc = memref.defining_op()?;
    let (dims, _) = memref.ty().shaped()?;
    let i = usize::try_from(constant(dim.operand(1))?).ok()?;
    let before = dims.get(..i)?.iter().filter(|dim| dim.is_none()).count();
    dims[i].is_none().then(|| alloc.operands().get(before).copied()).flatten()
}

/// Builds `f_workspace(sizes) -> bytes` before the function. For sizes that do not meet requirement i of the function, the
/// result is `-1 - i`, for the first such i.
pub(crate) fn build(kernel: &KernelPlan) {
    let (function, name) = (kernel.function.op, kernel.workspace_name());
    let outer = Builder::before(function, function.location());
    let i64 = Type::integer(outer.context(), 64);
    let entry = function_of_pointers(&outer, &name, 1, &[i64]);
    let at = Builder::at_end(entry, outer.location());
    let mut sizes =
        WorkspaceSizes { at, arguments: HashMap::new(), all: vec![], done: HashMap::new() };
    sizes.read(function, entry.argument(0));
    let mut total = i64_constant(&at, 0);
    for alloc in allocations(function) {
        let ty = alloc.result(0).ty();
        let (dims, element) = ty.shaped().expect("memrefs were checked (C2)");
        let mut dynamic = alloc.operands().into_iter();
        let mut bytes = i64_constant(&at, element_bytes(element).expect("checked (C2)"));
        for dim in dims {
            let size = match dim {
                Some(size) => i64_constant(&at, size),
                None => {
                    let size = dynamic.next().expect("one operand a dynamic size");
                    let size = not_negative(&at, sizes.value(size));
                    cast(&at, size, i64)
                }
            };
            bytes = saturating_product(&at, bytes, size);
        }
        total = saturating_sum(&at, total, bytes);
        total = saturating_sum(&at, total, i64_constant(&at, ALIGNMENT - 1));
        total = at.op("arith.andi", &[total, i64_constant(&at, -ALIGNMENT)], i64);
    }
    // A saturated total has been rounded down to this limit.
    let limit = i64_constant(&at, i64::MAX & -ALIGNMENT);
    let mut result = or_maximum(&at, compare(&at, SIGNED_LESS, total, limit), total);
    let holds = |condition: &Constraint| {
        let value = cast(&at, value_of(&at, condition.expr(), &sizes.all), i64);
        let predicate = match condition {
            Constraint::Zero(_) => EQUAL,
            Constraint::NonNegative(_) => SIGNED_AT_LEAST,
        };
        compare(&at, predicate, value, i64_constant(&at, 0))
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

/// The sizes that `f_workspace` needs, computed on demand.
struct WorkspaceSizes<'c> {
    at: Builder<'c>,
    /// Index arguments, and dynamic dimensions of memref arguments in order.
    arguments: HashMap<Value<'c>, Vec<Value<'c>>>,
    /// All sizes, in order.
    all: Vec<Value<'c>>,
    done: HashMap<Value<'c>, Value<'c>>,
}

impl<'c> WorkspaceSizes<'c> {
    /// Reads all sizes; LLVM deletes unused loads.
    fn read(&mut self, function: Op<'c>, array: Value<'c>) {
        let mut reader = SizeReader::new(self.at, array);
        for argument in function.body(0).map(|body| body.arguments()).unwrap_or_default() {
            let count = match argument.ty().kind() {
                TypeKind::MemRef { dims, .. } => dims.iter().filter(|dim| dim.is_none()).count(),
                _ => 1,
            };
            let values: Vec<_> = (0..count).map(|_| reader.next()).collect();
            self.all.extend(&values);
            self.arguments.insert(argument, values);
        }
    }

    /// The value in `f_workspace` that corresponds to `value` in the function.
    fn value(&mut self, value: Value<'c>) -> Value<'c> {
        if let Some(done) = self.done.get(&value) {
            return *done;
        }
        let result = match value.defining_op() {
            None => self.arguments[&value][0],
            Some(op) if op.is("memref.dim") => self.dim(op),
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

    fn dim(&mut self, op: Op<'c>) -> Value<'c> {
        if let Some(size) = alloc_size(op) {
            return self.value(size);
        }
        let memref = op.operand(0);
        let (dims, _) = memref.ty().shaped().expect("memrefs were checked (C2)");
        let i = constant(op.operand(1)).expect("dimensions were checked (C11)") as usize;
        match dims[i] {
            Some(size) => self.at.index(size),
            None => self.arguments[&memref][dims[..i].iter().filter(|dim| dim.is_none()).count()],
        }
    }
}

/// Predicates of `arith.cmpi`.
const EQUAL: i64 = 0;
const SIGNED_LESS: i64 = 2;
pub(crate) const SIGNED_AT_LEAST: i64 = 5;

pub(crate) fn compare<'c>(
    at: &Builder<'c>,
    predicate: i64,
    a: Value<'c>,
    b: Value<'c>,
) -> Value<'c> {
    let i64 = Type::integer(at.context(), 64);
    at.value(
        at.spec("arith.cmpi")
            .operands(&[a, b])
            .attribute("predicate", Attribute::integer(i64, predicate))
            .results(&[Type::integer(at.context(), 1)]),
    )
}

fn or_maximum<'c>(at: &Builder<'c>, fits: Value<'c>, value: Value<'c>) -> Value<'c> {
    let maximum = i64_constant(at, i64::MAX);
    at.op("arith.select", &[fits, value, maximum], value.ty())
}

/// The product of two nonnegative numbers.
fn saturating_product<'c>(at: &Builder<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
    let spec = at.spec("arith.mului_extended").operands(&[a, b]).results(&[a.ty(), a.ty()]);
    let [low, high] = at.insert(spec).results()[..] else {
        unreachable!("the op was made with two results")
    };
    let zero = i64_constant(at, 0);
    let fits = compare(at, EQUAL, high, zero);
    let is_positive = compare(at, SIGNED_AT_LEAST, low, zero);
    let fits = at.op("arith.andi", &[fits, is_positive], fits.ty());
    or_maximum(at, fits, low)
}

/// The sum of two nonnegative numbers.
fn saturating_sum<'c>(at: &Builder<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
    let sum = at.op("arith.addi", &[a, b], a.ty());
    let fits = compare(at, SIGNED_AT_LEAST, sum, i64_constant(at, 0));
    or_maximum(at, fits, sum)
}

fn not_negative<'c>(at: &Builder<'c>, size: Value<'c>) -> Value<'c> {
    let zero = at.index(0);
    at.op("arith.maxsi", &[size, zero], size.ty())
}

/// The unallocated rest of the workspace.
pub(crate) struct Slices<'c> {
    workspace: Value<'c>,
    /// The allocated bytes: a constant part, and a part that depends on sizes.
    constant: i64,
    dynamic: Option<Value<'c>>,
}

impl<'c> Slices<'c> {
    pub fn new(workspace: Value<'c>) -> Self {
        Self { workspace, constant: 0, dynamic: None }
    }

    /// The next slice, for a `memref.alloc`.
    pub fn take(&mut self, alloc: Op<'c>) -> SizedPointer<'c> {
        let at = Builder::before(alloc, alloc.location());
        let context = at.context();
        let (index, i64) = (Type::index(context), Type::integer(context, 64));
        let mut offset = at.index(self.constant);
        if let Some(dynamic) = self.dynamic {
            offset = at.op("arith.addi", &[offset, dynamic], index);
        }
        let offset = cast(&at, offset, i64);
        let byte = Type::integer(context, 8);
        let pointer = element_pointer(&at, self.workspace, offset, byte, IndexBounds::Inside);

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

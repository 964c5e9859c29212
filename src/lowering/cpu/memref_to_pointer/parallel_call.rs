//! `loop.parallel_call`: passes the captured values through memory, and calls through the runtime's table.

use super::buffer::{cast, field, i64_constant, load, passed_types};
use super::entry::llvm_function;
use super::plan::{ConversionPlan, Task};
use super::scope::Scope;
use crate::ir::{Attribute, Builder, Op, Type, Value, callee};
use crate::lowering::constant;

/// Builds the function with a C signature that unpacks the context and calls `task.callee`.
pub(crate) fn build_task(plan: &ConversionPlan, task: &Task) {
    let outer = Builder::before(task.callee, task.callee.location());
    let context = outer.context();
    let (index, i64) = (Type::index(context), Type::integer(context, 64));
    let entry = llvm_function(&outer, &task.name, &[Type::pointer(context), i64, i64], "internal");
    let at = Builder::at_end(entry, outer.location());
    let captures = entry.argument(0);
    let types: Vec<_> = task.callee.body(0).map(|body| body.arguments()).unwrap_or_default()[2..]
        .iter()
        .flat_map(|argument| passed_types(argument.ty()))
        .collect();
    let mut operands: Vec<_> =
        entry.arguments()[1..].iter().map(|bound| cast(&at, *bound, index)).collect();
    let fields: Vec<_> = types.iter().map(|ty| stored(*ty)).collect();
    for (i, ty) in types.iter().enumerate() {
        let value = load(&at, field(&at, captures, &fields, i), fields[i]);
        operands.push(cast(&at, value, *ty));
    }
    at.insert(
        at.spec("func.call")
            .attribute("callee", Attribute::symbol(context, plan.name_inside(task.callee_name)))
            .operands(&operands),
    );
    at.insert(at.spec("llvm.return"));
}

/// Replaces a call.
pub(crate) fn convert<'c>(plan: &ConversionPlan<'c>, scope: &Scope<'c>, op: Op<'c>) {
    let at = Builder::before(op, op.location());
    let context = at.context();
    let (pointer, i64) = (Type::pointer(context), Type::integer(context, 64));
    let operands = op.operands();
    let captured = scope.passed(&operands[1..]);
    let fields: Vec<_> = captured.iter().map(|value| stored(value.ty())).collect();

    let captures = scope.stack_slot(Type::llvm_struct(context, &fields), op.location());
    for (i, value) in captured.into_iter().enumerate() {
        let value = cast(&at, value, fields[i]);
        let to = field(&at, captures, &fields, i);
        at.insert(at.spec("llvm.store").operands(&[value, to]));
    }

    let table = scope.runtime.expect("the plan says that it calls in parallel");
    let table_fields = [pointer, pointer];
    let pool = load(&at, field(&at, table, &table_fields, 0), pointer);
    let parallel_for = load(&at, field(&at, table, &table_fields, 1), pointer);
    let task = plan.tasks.iter().find(|task| Some(task.callee_name) == callee(op));
    let task = &task.expect("each callee has a task").name;
    let body = at.value(
        at.spec("llvm.mlir.addressof")
            .attribute("global_name", Attribute::symbol(context, task))
            .results(&[pointer]),
    );
    let extent = cast(&at, not_negative(&at, operands[0]), i64);
    let grain = op.attribute("grain").and_then(Attribute::as_i64).expect("the verifier checks it");
    let grain = i64_constant(&at, grain);
    let call = [parallel_for, pool, body, captures, extent, grain];
    at.insert(
        at.spec("llvm.call")
            .operands(&call)
            .segments(&[call.len(), 0])
            .attribute("op_bundle_sizes", Attribute::dense_i32(context, &[])),
    );
    op.erase();
}

/// Clamps a negative extent to 0: the loop has no iterations in both cases, and the runtime never sees a
/// negative extent.
fn not_negative<'c>(at: &Builder<'c>, extent: Value<'c>) -> Value<'c> {
    if constant(extent).is_some_and(|extent| extent >= 0) {
        return extent;
    }
    let zero = at.index(0);
    at.op("arith.maxsi", &[extent, zero], extent.ty())
}

/// The type of a captured value in memory.
fn stored(ty: Type) -> Type {
    let i64 = Type::integer(ty.context(), 64);
    match ty.lanes() {
        Some((lanes, element)) if element.is_index() => Type::vector(lanes, i64),
        _ if ty.is_index() => i64,
        _ => ty,
    }
}

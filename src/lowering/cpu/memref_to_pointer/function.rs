//! Conversion of a function over memrefs to a function over pointers and sizes.

use super::buffer::{
    IndexBounds, SizedPointer, cast, element_bytes, element_pointer, passed_types,
};
use super::globals::{linkage, named};
use super::plan::{ConversionPlan, FunctionPlan, Role};
use super::scope::Scope;
use super::workspace::FreeWorkspace;
use super::{access, parallel_call, tile};
use crate::ir::{Attribute, Block, Builder, Context, Op, OpSpec, Region, Type, callee, walk};
use crate::lowering::{constant, symbol};
use std::collections::HashMap;

/// The number of pointers before the arguments: the runtime's table and the workspace.
pub(crate) fn leading(function: &FunctionPlan) -> usize {
    usize::from(function.calls_in_parallel) + usize::from(function.allocates)
}

/// Changes the signature of an external function to pointers and sizes.
pub(crate) fn convert_declaration(op: Op) {
    let ty = op.attribute("function_type").and_then(Attribute::as_type);
    let (inputs, results) = ty.and_then(Type::signature).unwrap_or_default();
    if inputs.iter().any(|ty| ty.is_memref()) {
        let inputs: Vec<Type> = inputs.into_iter().flat_map(passed_types).collect();
        let ty = Type::function(op.context(), &inputs, &results).to_attribute();
        op.set_attribute("function_type", ty);
        // They describe memrefs.
        op.remove_attribute("arg_attrs");
    }
}

/// Replaces a function.
pub(crate) fn convert<'c>(plan: &ConversionPlan<'c>, function: FunctionPlan<'c>) {
    let old = function.op;
    let body = old.body(0).expect("functions to convert have a body");
    let at = Builder::before(old, old.location());
    let context = at.context();

    let arguments = body.arguments();
    let mut types = vec![Type::pointer(context); leading(&function)];
    types.extend(arguments.iter().flat_map(|argument| passed_types(argument.ty())));
    let entry = Block::new(&types.iter().map(|ty| (*ty, old.location())).collect::<Vec<_>>());
    let new = at.insert(header(plan, function, &types).region(Region::of(entry)));

    for op in body.ops() {
        op.detach();
        entry.append(op);
    }
    let mut scope = Scope {
        buffers: HashMap::new(),
        runtime: None,
        workspace: None,
        entry,
        transforms: function.transforms,
    };
    let mut values = entry.arguments().into_iter();
    let mut next = || values.next().expect("the types were made from the arguments");
    scope.runtime = function.calls_in_parallel.then(&mut next);
    scope.workspace = function.allocates.then(|| FreeWorkspace::new(next()));
    for argument in arguments {
        let passed: Vec<_> = passed_types(argument.ty()).iter().map(|_| next()).collect();
        if argument.ty().is_memref() {
            let buffer = SizedPointer::new(argument.ty(), passed[0], &passed[1..]);
            scope.buffers.insert(argument, buffer);
        } else {
            argument.replace_all_uses_with(passed[0]);
        }
    }
    convert_body(plan, &mut scope, new);
    old.erase();
}

/// The new function without its region.
fn header<'c>(
    plan: &ConversionPlan<'c>,
    function: FunctionPlan<'c>,
    types: &[Type<'c>],
) -> OpSpec<'c> {
    let old = function.op;
    let at = Builder::before(old, old.location());
    let context = at.context();
    let name = plan.name_inside(symbol(old));
    let results = old.attribute("function_type").and_then(|ty| ty.as_type()?.signature());
    let results = results.map(|(_, results)| results).unwrap_or_default();
    let mut spec = at
        .spec("func.func")
        .attribute("sym_name", Attribute::string(context, name))
        .attribute("sym_visibility", Attribute::string(context, "private"))
        .attribute("function_type", Type::function(context, types, &results).to_attribute())
        .attribute("llvm.linkage", linkage(context, "internal"));
    let is_callee = function.role == Role::Callee;
    // convert-func-to-llvm drops no_inline. Inlining would turn noalias into metadata, which LLVM loses more easily.
    if !is_callee || old.attribute("no_inline").is_some() {
        spec = spec.attribute("passthrough", Attribute::strings(context, &["noinline"]));
    }
    if !is_callee {
        spec = spec.attribute("arg_attrs", noalias(context, function));
    }
    for (name, value) in old.discardable_attributes() {
        if !matches!(name, "llvm.linkage" | "passthrough") {
            spec = spec.attribute(name, value);
        }
    }
    spec
}

/// `llvm.noalias` for the pointers to buffers, except buffers that other threads may write concurrently.
fn noalias<'c>(context: Context<'c>, function: FunctionPlan<'c>) -> Attribute<'c> {
    let none = Attribute::dictionary(context, &[]);
    let alone = Attribute::dictionary(context, &[("llvm.noalias", Attribute::unit(context))]);
    let mut entries = vec![none; leading(&function)];
    for argument in function.op.body(0).map(Block::arguments).unwrap_or_default() {
        let first = entries.len();
        entries.resize(first + passed_types(argument.ty()).len(), none);
        let is_shared = || argument.uses().iter().any(|(user, _)| user.is("memref.atomic_rmw"));
        if argument.ty().is_memref() && !is_shared() {
            entries[first] = alone;
        }
    }
    Attribute::array(context, &entries)
}

fn convert_body<'c>(plan: &ConversionPlan<'c>, scope: &mut Scope<'c>, function: Op<'c>) {
    let mut dead = vec![];
    let ops: Vec<Op> = walk(function).into_iter().skip(1).collect();
    if ops.iter().any(|op| access::is_nontemporal(*op)) {
        let hands_over =
            |op: &&Op| matches!(op.name(), "func.call" | "func.return" | "loop.parallel_call");
        ops.iter().filter(hands_over).for_each(|op| fence_stores(*op));
    }
    for op in ops {
        match op.name() {
            "memref.alloca" => {
                let buffer = local(scope, op);
                scope.buffers.insert(op.result(0), buffer);
                dead.push(op);
            }
            "memref.alloc" => {
                let workspace = scope.workspace.as_mut().expect("the plan says that it allocates");
                let buffer = workspace.take(op);
                scope.buffers.insert(op.result(0), buffer);
                dead.push(op);
            }
            "memref.view" => {
                let buffer = view(scope, op);
                scope.buffers.insert(op.result(0), buffer);
                dead.push(op);
            }
            "memref.cast" => {
                let buffer = reshaped(scope, op);
                scope.buffers.insert(op.result(0), buffer);
                dead.push(op);
            }
            "memref.get_global" => {
                scope.buffers.insert(op.result(0), global(plan, op));
                dead.push(op);
            }
            "memref.dim" => {
                let i = constant(op.operand(1)).expect("dimensions were checked (C11)");
                let size = scope.buffer(op.operand(0)).sizes[i as usize];
                let size = size.value(&Builder::before(op, op.location()));
                op.result(0).replace_all_uses_with(size);
                op.erase();
            }
            "memref.copy" => copy(scope, op),
            "func.call" => call(plan, scope, op),
            "loop.parallel_call" => parallel_call::convert(plan, scope, op),
            _ if access::shape(op).is_some() => access::convert(scope, op),
            _ => {}
        }
    }
    dead.into_iter().rev().for_each(Op::erase);
    tile::convert_values(function);
}

/// Inserts a store fence. Non-temporal stores are weakly ordered, so they must complete before another thread
/// may read.
fn fence_stores(end: Op) {
    let at = Builder::before(end, end.location());
    let name = Attribute::string(at.context(), "llvm.x86.sse.sfence");
    let none = Attribute::dense_i32(at.context(), &[]);
    let spec = at.spec("llvm.call_intrinsic").attribute("intrin", name).segments(&[0, 0]);
    at.insert(spec.attribute("op_bundle_sizes", none));
}

fn local<'c>(scope: &Scope<'c>, op: Op<'c>) -> SizedPointer<'c> {
    let ty = op.result(0).ty();
    let (dims, element) = ty.shaped().expect("memrefs were checked (C2)");
    let length: i64 = dims.iter().flatten().product();
    // An array type instead of an element count, because SROA does not split the latter.
    let array = Type::llvm_array(element, length as u32);
    SizedPointer::new(ty, scope.stack_slot(array, op.location()), &[])
}

/// Copies all bytes of a buffer to another one of the same shape.
fn copy<'c>(scope: &Scope<'c>, op: Op<'c>) {
    let at = Builder::before(op, op.location());
    let (from, to) = (scope.buffer(op.operand(0)), scope.buffer(op.operand(1)));
    let index = Type::index(at.context());
    let mut bytes = at.index(element_bytes(from.element).expect("checked (C2)"));
    for size in &from.sizes {
        bytes = at.op("arith.muli", &[bytes, size.value(&at)], index);
    }
    let bytes = cast(&at, bytes, Type::integer(at.context(), 64));
    let no = Attribute::integer(Type::integer(at.context(), 1), 0);
    let spec = at.spec("llvm.intr.memcpy").operands(&[to.pointer, from.pointer, bytes]);
    at.insert(spec.attribute("isVolatile", no));
    op.erase();
}

/// The same buffer as a memref with other static sizes.
fn reshaped<'c>(scope: &Scope<'c>, op: Op<'c>) -> SizedPointer<'c> {
    let at = Builder::before(op, op.location());
    let source = scope.buffer(op.operand(0));
    let (dims, _) = op.result(0).ty().shaped().expect("memrefs were checked (C2)");
    let dynamic = dims.iter().zip(&source.sizes).filter(|(dim, _)| dim.is_none());
    let sizes: Vec<_> = dynamic.map(|(_, size)| size.value(&at)).collect();
    SizedPointer::new(op.result(0).ty(), source.pointer, &sizes)
}

/// A view of bytes of another buffer.
fn view<'c>(scope: &Scope<'c>, op: Op<'c>) -> SizedPointer<'c> {
    let at = Builder::before(op, op.location());
    let (base, context) = (scope.buffer(op.operand(0)).pointer, at.context());
    let offset = cast(&at, op.operand(1), Type::integer(context, 64));
    let pointer =
        element_pointer(&at, base, offset, Type::integer(context, 8), IndexBounds::Inside);
    SizedPointer::new(op.result(0).ty(), pointer, &op.operands()[2..])
}

fn global<'c>(plan: &ConversionPlan<'c>, op: Op<'c>) -> SizedPointer<'c> {
    let at = Builder::before(op, op.location());
    let unaligned = named(op).and_then(|name| plan.unaligned.get(name));
    let name = match unaligned {
        Some(symbol) => Attribute::symbol(at.context(), symbol),
        None => op.attribute("name").expect("the verifier demands the name of a global"),
    };
    let pointer = at
        .spec("llvm.mlir.addressof")
        .attribute("global_name", name)
        .results(&[Type::pointer(at.context())]);
    SizedPointer::new(op.result(0).ty(), at.value(pointer), &[])
}

fn call<'c>(plan: &ConversionPlan<'c>, scope: &Scope<'c>, op: Op<'c>) {
    let mut operands = vec![];
    if let Some(function) = plan.called(op) {
        operands.extend(scope.runtime.filter(|_| function.calls_in_parallel));
        let rest = |free: &FreeWorkspace<'c>| free.rest(&Builder::before(op, op.location()));
        operands.extend(scope.workspace.as_ref().filter(|_| function.allocates).map(rest));
    }
    operands.extend(scope.passed(&op.operands()));
    op.set_operands(&operands);
    let name = plan.name_inside(callee(op).unwrap_or_default());
    op.set_attribute("callee", Attribute::symbol(op.context(), name));
    // It kept the loops of a body out of the schedule block, which is gone. LLVM, which keeps to it, shall inline them.
    if !op.results().is_empty() {
        op.remove_attribute("no_inline");
    }
}

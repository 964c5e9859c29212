//! The conditions of `convert-memref-to-pointer`; the checks make the conversion plan.

use super::buffer::{element_bytes, static_bytes};
use super::plan::{ConversionPlan, FunctionPlan, KernelPlan, Role, Task};
use super::{access, globals, library, workspace};
use crate::dialect::requirement::Requirements;
use crate::dialect::weight::{TRANSFORMS, WEIGHT, unaligned_symbol};
use crate::ir::{Error, Op, Type, Value, callee, parents, walk};
use crate::lowering::{constant, symbol, take_name};
use std::collections::{HashMap, HashSet};

/// The largest local buffer in bytes: threads have stacks of a few MiB (C10).
const MAX_LOCAL: i64 = 1 << 20;

pub(crate) fn check<'c>(module: Op<'c>) -> Result<ConversionPlan<'c>, Error<'c>> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let mut names: HashSet<String> = ops.iter().map(|op| symbol(*op).to_owned()).collect();
    let chunks: HashSet<_> = walk(module)
        .into_iter()
        .filter(|op| op.is("loop.parallel_call"))
        .filter_map(callee)
        .collect();
    let mut plan = ConversionPlan {
        functions: vec![],
        kernels: vec![],
        tasks: vec![],
        globals: vec![],
        renamed: HashMap::new(),
        unaligned: HashMap::new(),
    };
    for op in ops {
        match op.name() {
            "memref.global" => {
                globals::check(op)?;
                plan.globals.push(op);
            }
            "func.func" => {
                let function = check_function(op, &chunks)?;
                let is_public = function.is_none_or(|function| function.role == Role::Kernel);
                if op.body(0).is_some() && is_public && library::has(symbol(op)) {
                    let message = format!(
                        "is public and has the name '{0}', which is that of a C library function and \
                         would hide it: rename it, or make it private (C12)",
                        symbol(op)
                    );
                    return Err(Error::on(op, message));
                }
                let Some(function) = function else { continue };
                plan.functions.push(function);
                if !is_public && library::has(symbol(op)) {
                    let name = take_name(&mut names, &format!("{}_function", symbol(op)));
                    plan.renamed.insert(symbol(op), name);
                }
                if function.role == Role::Chunk {
                    let name = take_name(&mut names, &format!("{}_task", symbol(op)));
                    plan.tasks.push(Task { callee: op, callee_name: symbol(op), name });
                }
                if function.role == Role::Kernel {
                    for suffix in ["workspace", "signature", "requirements"] {
                        let name = format!("{}_{suffix}", symbol(op));
                        if !names.insert(name.clone()) {
                            let message = format!(
                                "needs an entry point named '{name}', but the module already has that \
                                 name: rename one (C8)"
                            );
                            return Err(Error::on(op, message));
                        }
                    }
                    let implementation = take_name(&mut names, &format!("{}_kernel", symbol(op)));
                    plan.renamed.insert(symbol(op), implementation.clone());
                    let requirements = Requirements::of(op)?;
                    plan.kernels.push(KernelPlan { function, implementation, requirements });
                }
            }
            name if name.starts_with("llvm.") => {}
            _ => return Err(Error::on(op, "is not an op of vector form (C1)")),
        }
    }
    mark_transforms(&mut plan, &mut names);
    while follow_calls(&mut plan) {}
    check_calls(&plan)?;
    for function in plan.functions.iter().filter(|function| function.role != Role::Chunk) {
        workspace::check(&plan, function.op)?;
    }
    Ok(plan)
}

/// Marks the functions that the function of transforms reaches, and the weights that only they name.
fn mark_transforms(plan: &mut ConversionPlan, names: &mut HashSet<String>) {
    let is_start = |function: &&FunctionPlan| function.op.attribute(TRANSFORMS).is_some();
    let mut open: Vec<&str> = plan.functions.iter().filter(is_start).map(|it| it.name).collect();
    while let Some(name) = open.pop() {
        let found = plan.functions.iter_mut().find(|it| it.name == name && !it.transforms);
        if let Some(function) = found {
            function.transforms = true;
            open.extend(walk(function.op).into_iter().filter_map(callee));
        }
    }
    let named = |transforms: bool| -> HashSet<&str> {
        let functions = plan.functions.iter().filter(|function| function.transforms == transforms);
        let gets = functions.flat_map(|it| walk(it.op)).filter(|op| op.is("memref.get_global"));
        gets.filter_map(globals::named).collect()
    };
    let (by_transforms, by_others) = (named(true), named(false));
    for global in plan.globals.iter().filter(|it| it.attribute(WEIGHT).is_some()) {
        let name = symbol(*global);
        let unaligned = unaligned_symbol(name);
        if by_transforms.contains(name)
            && !by_others.contains(name)
            && names.insert(unaligned.clone())
        {
            plan.unaligned.insert(name, unaligned);
        }
    }
}

/// Marks functions that call functions which allocate or run loops in parallel; true if that changes the plan.
fn follow_calls(plan: &mut ConversionPlan) -> bool {
    let mut is_changed = false;
    for i in 0..plan.functions.len() {
        let function = plan.functions[i];
        let ops = walk(function.op);
        let called = ops.iter().filter(|op| op.is("func.call")).filter_map(|op| plan.called(*op));
        let (mut calls_in_parallel, mut allocates) =
            (function.calls_in_parallel, function.allocates);
        for callee in called {
            calls_in_parallel |= callee.calls_in_parallel;
            allocates |= callee.allocates;
        }
        is_changed |=
            (calls_in_parallel, allocates) != (function.calls_in_parallel, function.allocates);
        plan.functions[i] = FunctionPlan { calls_in_parallel, allocates, ..function };
    }
    for kernel in &mut plan.kernels {
        let now = plan.functions.iter().find(|function| function.name == kernel.function.name);
        kernel.function = *now.expect("each kernel is a function of the plan");
    }
    is_changed
}

/// `None` for functions that do not change: declarations, and public functions of scalars.
fn check_function<'c>(
    op: Op<'c>,
    chunks: &HashSet<&'c str>,
) -> Result<Option<FunctionPlan<'c>>, Error<'c>> {
    let (inputs, results) =
        op.attribute("function_type").and_then(|ty| ty.as_type()?.signature()).unwrap_or_default();
    let is_private = op.attribute("sym_visibility").and_then(|v| v.as_str()) == Some("private");
    let scalars = |types: &[Type]| types.iter().all(|ty| !ty.is_memref());
    if inputs.iter().chain(&results).any(|ty| ty.tile_shape().is_some()) {
        return Err(Error::on(
            op,
            "passes a tile, expected tiles in memory: registers are not kept in calls (C7)",
        ));
    }
    let Some(body) = op.body(0) else {
        if !scalars(&results) {
            return Err(Error::on(op, "returns a memref: write to an argument instead (C6)"));
        }
        for ty in inputs.into_iter().filter(|ty| ty.is_memref()) {
            check_memref(op, ty)?;
        }
        return Ok(None);
    };
    if op.regions()[0].blocks().len() != 1 {
        let found = op.regions()[0].blocks().len();
        return Err(Error::on(op, format!("has {found} blocks, expected one: use scf (C1)")));
    }
    if !scalars(&results) {
        return Err(Error::on(op, "returns a memref: write to an argument instead (C6)"));
    }
    let role = match (is_private, chunks.contains(symbol(op))) {
        (true, true) => Role::Chunk,
        (true, false) => Role::Callee,
        (false, true) => {
            return Err(Error::on(op, "is called in parallel and public, expected private (C5)"));
        }
        (false, false) => Role::Kernel,
    };
    for argument in body.arguments().into_iter().filter(|a| a.ty().is_memref()) {
        check_memref(op, argument.ty())?;
    }
    let name = symbol(op);
    let mut function = FunctionPlan {
        op,
        name,
        role,
        calls_in_parallel: false,
        allocates: false,
        transforms: false,
    };
    for inner in walk(op).into_iter().skip(1) {
        check_op(inner)?;
        function.calls_in_parallel |= inner.is("loop.parallel_call");
        function.allocates |= inner.is("memref.alloc");
        let only_in_kernels = match inner.name() {
            "loop.parallel_call" => "(C5)",
            "memref.alloc" => "(C4)",
            _ => continue,
        };
        let is_refused = match role {
            Role::Kernel => !results.is_empty(),
            Role::Chunk => true,
            Role::Callee => false,
        };
        if is_refused {
            let message = format!(
                "is in '{}', expected a function that is not called in parallel, and that returns \
                 nothing if it is public: inline that function {only_in_kernels}",
                symbol(op)
            );
            return Err(Error::on(inner, message));
        }
    }
    if role == Role::Kernel {
        if scalars(&inputs) && !results.is_empty() {
            return Ok(None);
        }
        check_kernel(op, &inputs, &results)?;
    }
    Ok(Some(function))
}

/// (C6)
fn check_kernel<'c>(op: Op<'c>, inputs: &[Type], results: &[Type]) -> Result<(), Error<'c>> {
    if let Some(result) = results.first() {
        let message = format!(
            "is public and returns {result}, expected no results: write to an argument, or make the \
             function private (C6)"
        );
        return Err(Error::on(op, message));
    }
    match inputs.iter().position(|ty| !ty.is_memref() && !ty.is_index()) {
        None => Ok(()),
        Some(i) => {
            let message = format!(
                "is public and has argument {i} of type {}, expected a memref or index: pass a \
                 memref of rank 0 (C6)",
                inputs[i]
            );
            Err(Error::on(op, message))
        }
    }
}

/// (C2)
fn check_memref<'c>(op: Op<'c>, ty: Type<'c>) -> Result<(), Error<'c>> {
    match ty.shaped() {
        None => {
            let message = format!(
                "has {ty}, expected a row-major layout in the default memory space: copy into one (C2)"
            );
            Err(Error::on(op, message))
        }
        Some((_, element)) if element_bytes(element).is_none() => {
            let message = format!(
                "has {ty}, expected elements of i8 i16 i32 i64 f16 bf16 f32 or f64: store booleans \
                 as i8, indices as i64 (C2)"
            );
            Err(Error::on(op, message))
        }
        Some(_) => Ok(()),
    }
}

/// (C1), (C2), (C3), (C7), (C10) and (C11) for one op.
fn check_op(op: Op) -> Result<(), Error> {
    let has_memref = |values: &[Value]| values.iter().any(|value| value.ty().is_memref());
    match op.name() {
        "memref.get_global" => check_memref(op, op.result(0).ty()),
        "memref.alloc" => {
            check_memref(op, op.result(0).ty())?;
            check_static_part(op)
        }
        "memref.alloca" => {
            check_memref(op, op.result(0).ty())?;
            check_local(op)
        }
        "memref.cast" => {
            check_memref(op, op.operand(0).ty())?;
            check_memref(op, op.result(0).ty())
        }
        "memref.view" => {
            check_memref(op, op.result(0).ty())?;
            check_view(op)
        }
        "memref.dim" => {
            check_memref(op, op.operand(0).ty())?;
            check_dim(op)
        }
        "func.call" | "loop.parallel_call" => Ok(()),
        "memref.copy" => {
            op.operands().into_iter().try_for_each(|value| check_memref(op, value.ty()))
        }
        _ if access::shape(op).is_some() => check_access(op),
        name if is_vector_form(name) => {
            if has_memref(&op.operands()) || has_memref(&op.results()) {
                let expected = "loads, stores, memref.dim and calls: copy data, not memrefs (C3)";
                return Err(Error::on(op, format!("uses a memref, expected only in {expected}")));
            }
            let arguments = op.regions().into_iter().flat_map(|region| region.blocks());
            if arguments.into_iter().any(|block| has_memref(&block.arguments())) {
                return Err(Error::on(op, "has a memref as block argument (C3)"));
            }
            Ok(())
        }
        _ => {
            let expected = "scf, arith, math, 1-D vectors and memref accesses";
            Err(Error::on(op, format!("is not an op of vector form, expected {expected} (C1)")))
        }
    }
}

fn is_vector_form(name: &str) -> bool {
    match name.split_once('.') {
        Some(("amx" | "arith" | "math" | "vector" | "ub" | "index" | "llvm" | "x86vector", _)) => {
            true
        }
        Some(("affine", op)) => matches!(op, "apply" | "min" | "max"),
        Some(("scf", op)) => {
            matches!(op, "for" | "if" | "while" | "condition" | "index_switch" | "yield")
        }
        Some(("func", op)) => op == "return",
        _ => false,
    }
}

/// (C2) and (C7)
fn check_access(op: Op) -> Result<(), Error> {
    let (at, _) = access::shape(op).expect("called for accesses");
    let Some(memref) = op.operands().get(at).copied().filter(|value| value.ty().is_memref()) else {
        return Err(Error::on(op, "does not access a memref (C3)"));
    };
    check_memref(op, memref.ty())?;
    let values = op.operands().into_iter().chain(op.results()).map(|value| value.ty());
    match values.into_iter().find(|ty| ty.is_vector() && ty.lanes().is_none()) {
        None => Ok(()),
        Some(ty) => {
            let message =
                format!("accesses {ty}, expected a vector of one dimension: unroll the op (C7)");
            Err(Error::on(op, message))
        }
    }
}

/// (C10)
fn check_local(op: Op) -> Result<(), Error> {
    let (dims, element) = op.result(0).ty().shaped().expect("checked (C2)");
    let found = match static_bytes(&dims, element) {
        _ if !op.operands().is_empty() => "a dynamic size".into(),
        Some(bytes) if bytes <= MAX_LOCAL => return Ok(()),
        Some(bytes) => format!("{bytes} bytes"),
        None => "more bytes than a 64-bit number can hold".into(),
    };
    let message = format!(
        "has {found}, expected a static shape of at most {MAX_LOCAL} bytes: use memref.alloc at the \
         top of the function (C10)"
    );
    Err(Error::on(op, message))
}

/// (C3)
fn check_view(op: Op) -> Result<(), Error> {
    let of_allocation = op.operand(0).defining_op().is_some_and(|base| base.is("memref.alloc"));
    match of_allocation {
        true => Ok(()),
        false => Err(Error::on(op, "is not a view of a memref.alloc, expected one (C3)")),
    }
}

/// Verifies that the size of the static dimensions alone does not overflow.
fn check_static_part(op: Op) -> Result<(), Error> {
    let (dims, element) = op.result(0).ty().shaped().expect("checked (C2)");
    let dims: Vec<_> = dims.into_iter().filter(Option::is_some).collect();
    match static_bytes(&dims, element) {
        Some(_) => Ok(()),
        None => Err(Error::on(op, "has more bytes than a 64-bit number can hold (C4)")),
    }
}

/// (C11)
fn check_dim(op: Op) -> Result<(), Error> {
    let rank = op.operand(0).ty().shaped().map_or(0, |(dims, _)| dims.len());
    match constant(op.operand(1)) {
        Some(i) if usize::try_from(i).is_ok_and(|i| i < rank) => Ok(()),
        Some(i) => {
            let message = format!("reads dimension {i} of a memref of rank {rank} (C11)");
            Err(Error::on(op, message))
        }
        None => Err(Error::on(op, "reads a dimension whose number is not a constant (C11)")),
    }
}

/// Verifies calls inside the module: what is called in parallel gets neither the runtime nor a workspace, so it calls no
/// function that needs them. Parallel calls have a callee with a body.
fn check_calls<'c>(plan: &ConversionPlan<'c>) -> Result<(), Error<'c>> {
    for call in plan.functions.iter().flat_map(|f| walk(f.op)) {
        let name = callee(call).unwrap_or_default();
        if call.is("loop.parallel_call") && plan.tasks.iter().all(|task| task.callee_name != name) {
            let message =
                format!("calls '{name}', which has no body, expected a function with one (C5)");
            return Err(Error::on(call, message));
        }
        if !call.is("func.call") {
            continue;
        }
        let Some(function) = plan.called(call) else { continue };
        let is_chunk = parents(call).any(|op| {
            plan.functions.iter().any(|function| function.op == op && function.role == Role::Chunk)
        });
        let what = match function {
            FunctionPlan { role: Role::Chunk, .. } => "is also called in parallel",
            _ if !is_chunk => continue,
            FunctionPlan { calls_in_parallel: true, .. } => "has parallel loops",
            FunctionPlan { allocates: true, .. } => "allocates buffers",
            _ => continue,
        };
        let message = format!("calls '{name}', which {what}: inline it first (C4, C5)");
        return Err(Error::on(call, message));
    }
    Ok(())
}

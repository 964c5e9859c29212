//! `outline-parallel-loops`: outline the body of each outermost `scf.parallel` into a function that runs a
//! chunk of its iterations.
//!
//! ```text
//! func.func @f(%A: memref<?xf32>, %n: index) {
//!   scf.parallel (%i) = (%c0) to (%n) step (%c1) { s(%A, %i) } {loop.grain = 16 : i64}
//!   ->
//! func.func @f(%A: memref<?xf32>, %n: index) {
//!   loop.parallel_call @f_parallel_0 in %n grain(16) (%A : memref<?xf32>)
//! func.func private @f_parallel_0(%begin: index, %end: index, %A: memref<?xf32>) {
//!   scf.for %i = %begin to %end step %c1 { s(%A, %i) }
//! ```
//! The conditions apply to every `scf.parallel`.
//!
//! Requires
//! - (C1) it has one dimension, starts at the constant 0, and has the constant step 1;
//! - (C2) it has no reductions;
//! - (C3) `loop.grain`, if present, is a positive integer; it is 1 otherwise;
//! - (C4) every `memref.alloca` in the body has a static shape.
//!
//! Values that are defined outside of the body and used in it become arguments of the new function. Values of ops
//! without operands (constants, globals) are cloned instead. Nested `scf.parallel` ops become `scf.for`. Every
//! `memref.alloca` in the body moves to the entry of the new function, so it is allocated once per chunk instead of
//! once per iteration.

use crate::ir::{
    Attribute, Block, Builder, Error, Op, Region, Type, Value, is_defined_outside, parents, walk,
};
use crate::lowering::{constant, is_free, symbol, take_name};
use std::collections::HashSet;

/// The facts that the check established about an outermost parallel loop.
struct ParallelLoop<'c> {
    function: Op<'c>,
    parallel: Op<'c>,
    /// The name of the new function.
    name: String,
    extent: Value<'c>,
    grain: i64,
    captured: Vec<Value<'c>>,
    /// The results of ops to clone into the new function.
    free: Vec<Value<'c>>,
}

/// Outlines the parallel loops of all functions of `module`.
pub fn outline<'c>(module: Op<'c>) -> Result<(), Error<'c>> {
    let Some(body) = module.body(0) else { return Ok(()) };
    let mut names: HashSet<String> =
        body.ops().into_iter().map(|op| symbol(op).to_owned()).collect();
    let mut plans = vec![];
    for function in body.ops().into_iter().filter(|op| op.is("func.func")) {
        let loops: Vec<_> = walk(function).into_iter().filter(|op| op.is("scf.parallel")).collect();
        for parallel in &loops {
            check_shape(*parallel)?;
        }
        let outermost = loops.into_iter().filter(|l| !parents(*l).any(|p| p.is("scf.parallel")));
        for (k, parallel) in outermost.enumerate() {
            let name = take_name(&mut names, &format!("{}_parallel_{k}", symbol(function)));
            plans.push(plan(function, parallel, name)?);
        }
    }
    // In reverse order, because each new function is inserted directly after its parent.
    plans.into_iter().rev().for_each(|plan| rewrite(&plan));
    Ok(())
}

/// (C1) and (C2).
fn check_shape<'c>(parallel: Op<'c>) -> Result<(), Error<'c>> {
    let operands = parallel.operands();
    if !parallel.results().is_empty() {
        let found = parallel.results().len();
        return Err(Error::on(
            parallel,
            format!("has {found} reductions, expected none: reduce in the body, or after it (C2)"),
        ));
    }
    let [lower, _, step] = operands[..] else {
        let found = operands.len() / 3;
        return Err(Error::on(
            parallel,
            format!(
                "has {found} dimensions, expected 1: fuse the loops or make one of them scf.for (C1)"
            ),
        ));
    };
    for (what, value, expected) in [("lower bound", lower, 0), ("step", step, 1)] {
        if constant(value) != Some(expected) {
            let found = constant(value).map_or("that is not a constant".into(), |n| n.to_string());
            return Err(Error::on(
                parallel,
                format!(
                    "has a {what} {found}, expected the constant {expected}: normalise the loop (C1)"
                ),
            ));
        }
    }
    Ok(())
}

fn plan<'c>(
    function: Op<'c>,
    parallel: Op<'c>,
    name: String,
) -> Result<ParallelLoop<'c>, Error<'c>> {
    let grain = match parallel.attribute("loop.grain") {
        None => 1,
        Some(attribute) => attribute.as_i64().filter(|grain| *grain > 0).ok_or_else(|| {
            let message = format!("has loop.grain = {attribute}, expected a positive integer (C3)");
            Error::on(parallel, message)
        })?,
    };
    let mut plan = ParallelLoop {
        function,
        parallel,
        name,
        extent: parallel.operand(1),
        grain,
        captured: vec![],
        free: vec![],
    };
    let mut buffers = walk(parallel).into_iter().filter(|op| op.is("memref.alloca"));
    if let Some(buffer) = buffers.find(|op| !op.operands().is_empty()) {
        return Err(Error::on(
            buffer,
            "has a dynamic size, expected a static shape: in a parallel loop it would move to the \
             entry of a function, before its size is known (C4)",
        ));
    }
    let inside = walk(parallel).into_iter().skip(1);
    for value in inside.flat_map(|op| op.operands()) {
        let is_outside = is_defined_outside(value, parallel);
        let list = match value.defining_op() {
            Some(op) if is_free(op) => &mut plan.free,
            _ => &mut plan.captured,
        };
        if is_outside && !list.contains(&value) {
            list.push(value);
        }
    }
    Ok(plan)
}

fn rewrite(plan: &ParallelLoop) {
    let location = plan.parallel.location();
    let context = location.context();
    let index = Type::index(context);

    let types: Vec<_> =
        [index, index].into_iter().chain(plan.captured.iter().map(|v| v.ty())).collect();
    let arguments: Vec<_> = types.iter().map(|ty| (*ty, location)).collect();
    let entry = Block::new(&arguments);
    let outer = Builder::before(plan.function, location);
    let function = outer
        .spec("func.func")
        .attribute("sym_name", Attribute::string(context, &plan.name))
        .attribute("sym_visibility", Attribute::string(context, "private"))
        .attribute("function_type", Type::function(context, &types, &[]).to_attribute())
        .region(Region::of(entry));
    let function = outer.insert(function);
    plan.function.move_before(function);

    let inner = Builder::at_end(entry, location);
    let arguments = entry.arguments();
    let mut mapping: Vec<_> =
        plan.captured.iter().copied().zip(arguments[2..].iter().copied()).collect();
    for value in &plan.free {
        let source = value.defining_op().expect("free values are results");
        let clone = source.clone_mapped(&[]);
        inner.place(clone);
        mapping.push((*value, clone.result(value.index())));
    }
    let copy = plan.parallel.clone_mapped(&mapping);
    inner.place(copy);
    inner.insert(inner.spec("func.return"));
    hoist_local_buffers(function);
    for nested in walk(copy).into_iter().skip(1).filter(|op| op.is("scf.parallel")) {
        to_serial(nested, nested.operands());
    }
    let step = Builder::before(copy, location).index(1);
    to_serial(copy, vec![arguments[0], arguments[1], step]);

    let caller = Builder::before(plan.parallel, location);
    let mut operands = vec![plan.extent];
    operands.extend(&plan.captured);
    let grain = Attribute::integer(Type::integer(context, 64), plan.grain);
    caller.insert(
        caller
            .spec("loop.parallel_call")
            .operands(&operands)
            .attribute("callee", Attribute::symbol(context, &plan.name))
            .attribute("grain", grain),
    );
    plan.parallel.erase();
}

/// Hoists every `memref.alloca` to the entry of `function`. Their sizes are static, so they need no operands.
fn hoist_local_buffers(function: Op) {
    let first = function.body(0).and_then(|entry| entry.first_op());
    let first = first.expect("the function has a body with a terminator");
    for op in walk(function).into_iter().filter(|op| op.is("memref.alloca")) {
        if op != first {
            op.move_before(first);
        }
    }
}

/// Replaces an `scf.parallel` by an `scf.for` with the same body; `bounds` are its lower bound, upper bound and
/// step.
fn to_serial<'c>(parallel: Op<'c>, bounds: Vec<Value<'c>>) {
    let location = parallel.location();
    let body = Region::new();
    body.take_body(parallel.regions()[0]);
    let block = body.first_block().expect("the verifier demands one block");
    let terminator = block.end();
    let end = Builder::before(terminator, terminator.location());
    end.insert(end.spec("scf.yield"));
    terminator.erase();
    let at = Builder::before(parallel, location);
    let mut spec = at.spec("scf.for").operands(&bounds).region(body);
    for (name, value) in parallel.discardable_attributes() {
        if name != "loop.grain" {
            spec = spec.attribute(name, value);
        }
    }
    at.insert(spec);
    parallel.erase();
}

//! `inline-fusion-groups`: replace calls of fusion groups by the scheduled nests of these groups.
//!
//! ```text
//! func.func private @f_exp(%x, %out) attributes {graph.group} { for %i { out[i] = exp(x[i]) } }
//! func.func @f(%a, ..) {                        func.func @f(%a, ..) {
//!   call @f_exp(%a, %b)                     ->    for %i { b[i] = exp(a[i]) }
//!   call @f_exp(%b, %c)                           for %i { c[i] = exp(b[i]) }
//! ```
//! Later passes see all buffers of a function at once: `lift-weight-transforms` lifts transforms of weights, and
//! `storage-rewrite` lets buffers that are not live together share memory. Schedule blocks and buffers get names that
//! are unique in their new function. Prefetch annotations, which name buffers, name them by their position among those that
//! the loop reads: `prefetch_read.0` for the first.
//!
//! A call is inlined if the called function is private, has the attribute `graph.group`, and has one block, no result,
//! and no call except in schedule blocks. With the option `all`, calls between nests of all other functions that have one block and
//! no result are inlined, too, except those with `no_inline`, and except all calls if functions call each other again. If a call
//! passes a buffer twice, the schedule blocks that access it have one region of it.

use crate::compute::names::Names;
use crate::dialect::graph_op::GROUP;
use crate::dialect::loop_op::{BufferView, For, ScheduleBlock};
use crate::ffi::pass::PassRun;
use crate::ir::{
    Attribute, Block, Builder, CalleesFirst, Op, Type, Value, callee, functions, is_kept_call,
    parents, walk,
};
use crate::nest::edit;
use crate::schedule::legality::prefetch;
use std::collections::HashMap;

/// The index of the statistic in the row.
const CALLS: usize = 0;

/// Inlines the fusion groups of a module, or `all` calls between nests.
pub fn run(module: Op, all: bool, run: &PassRun) {
    walk(module).into_iter().filter(|op| op.is(For::NAME)).for_each(prefetch::name_by_position);
    let CalleesFirst { order, recursive } = CalleesFirst::of(&functions(module));
    let is_inlined = |op: Op| is_group(op) || all && recursive.is_none() && is_body(op);
    let bodies: HashMap<&str, Op> = order
        .iter()
        .filter(|op| is_inlined(**op))
        .filter_map(|op| Some((op.symbol_name()?, *op)))
        .collect();
    if bodies.is_empty() {
        return;
    }
    for function in &order {
        let function = *function;
        let (mut blocks, mut buffers) = (Names::default(), Names::default());
        let mut calls = vec![];
        for op in walk(function) {
            if let Some((names, name)) = names_for(op, &mut blocks, &mut buffers) {
                names.insert(name);
            }
            let callee = callee(op).filter(|_| is_between_nests(op));
            let body = callee.and_then(|name| bodies.get(name));
            calls.extend(body.map(|body| (op, *body)));
        }
        run.count(CALLS, calls.len() as u64);
        for (call, group) in calls {
            inline(call, group, &mut blocks, &mut buffers);
        }
    }
    bodies.into_values().filter(|op| is_group(*op)).for_each(Op::erase);
}

/// True for a call at the top level of a function that is not marked to stay.
fn is_between_nests(op: Op) -> bool {
    let is_top = parents(op).next().is_some_and(|around| around.is("func.func"));
    op.is("func.call") && is_top && !is_kept_call(op)
}

/// True for a function with one block and no result.
fn is_body(function: Op) -> bool {
    let ty = function.attribute("function_type").and_then(Attribute::as_type);
    let returns = ty.and_then(Type::signature).is_none_or(|(_, results)| !results.is_empty());
    let blocks = function.regions().first().map(|it| it.blocks()).unwrap_or_default();
    blocks.len() == 1 && !returns
}

/// True for a function whose body can stand for a call of it.
fn is_group(function: Op) -> bool {
    let visibility = function.attribute("sym_visibility").and_then(Attribute::as_str);
    function.attribute(GROUP).is_some()
        && visibility == Some("private")
        && is_body(function)
        && !walk(function).into_iter().any(is_call_of_function)
}

/// True for a call that is not part of what a schedule block computes.
fn is_call_of_function(op: Op) -> bool {
    op.is("func.call") && !parents(op).any(|around| around.is(ScheduleBlock::NAME))
}

/// The names among which that of an op must be unique, and its name.
fn names_for<'n, 'c>(
    op: Op<'c>,
    blocks: &'n mut Names,
    buffers: &'n mut Names,
) -> Option<(&'n mut Names, &'c str)> {
    let names = match op.name() {
        ScheduleBlock::NAME => blocks,
        BufferView::NAME => buffers,
        _ => return None,
    };
    Some((names, op.attribute("name")?.as_str()?))
}

/// Replaces a call by the body of the function that it calls.
fn inline(call: Op, called: Op, blocks: &mut Names, buffers: &mut Names) {
    let operands = call.operands();
    let passes_twice = (1..operands.len()).any(|i| operands[..i].contains(&operands[i]));
    let body = called.body(0).expect("a function that is inlined has a body");
    let mut mapping: Vec<(Value, Value)> = body.arguments().into_iter().zip(operands).collect();
    let end = body.terminator();
    for op in Block::ops(body).into_iter().filter(|op| Some(*op) != end) {
        let copy = op.clone_mapped(&mapping);
        Builder::before(call, op.location()).place(copy);
        mapping.extend(op.results().into_iter().zip(copy.results()));
        for inner in walk(copy) {
            if let Some((names, name)) = names_for(inner, blocks, buffers) {
                let name = Attribute::string(inner.context(), &names.fresh(name));
                inner.set_attribute("name", name);
            }
            if passes_twice && inner.is(ScheduleBlock::NAME) {
                edit::derive_regions(inner);
            }
        }
    }
    call.erase();
}

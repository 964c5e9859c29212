//! Forms `graph.fusion` ops from groups, and brings the ops of a function into an order in which the ops of a group are
//! together.

use super::dataflow::{Dataflow, is_repeatable};
use super::groups::{Groups, followers};
use super::kind::PatternKind;
use crate::ir::{Block, Builder, Location, Op, Region, Type, Value, outside_values};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

/// Moves the ops of each group of a block into a `graph.fusion`. Nodes that are opaque or depend on weights alone stay.
pub fn run<'c>(block: Block<'c>, flow: &Dataflow<'c>, groups: &Groups) {
    let formed = groups.members.iter().filter(|members| is_formed(flow, members));
    let bodies: Vec<Vec<Op>> = formed.map(|members| body(flow, members)).collect();
    for op in block.ops().into_iter().rev().filter(|op| is_repeatable(*op)) {
        if op.results().into_iter().all(Value::is_unused) {
            op.erase();
        }
    }
    sort(block, flow, &bodies);
    bodies.iter().for_each(|ops| fuse(ops));
}

/// True for a group that becomes a `graph.fusion`.
pub fn is_formed(flow: &Dataflow, members: &[usize]) -> bool {
    let is_computed = |node: &usize| {
        let node = &flow.nodes[*node];
        node.facts.kind != PatternKind::Opaque && !node.is_of_weights
    };
    !members.is_empty() && members.iter().all(is_computed)
}

/// The ops of a group in the order in which they are computed, and before each its own copies of what is repeated for it. An
/// anchor and what follows it come last, so that nothing stands between them.
fn body<'c>(flow: &Dataflow<'c>, members: &[usize]) -> Vec<Op<'c>> {
    let is_anchor = |node: &&usize| flow.nodes[**node].facts.kind == PatternKind::Anchor;
    let all: BTreeSet<usize> = members.iter().copied().collect();
    let followers = members.iter().find(is_anchor).map(|it| followers(flow, *it, &all));
    let follows = |node: &usize| followers.as_ref().is_some_and(|all| all.contains(node));
    let mut order = members.to_vec();
    order.sort_by_key(|node| (follows(node), *node));
    let (mut ops, mut copies) = (vec![], HashMap::new());
    for node in order {
        let op = flow.nodes[node].op;
        repeat(op, op, &mut copies, &mut ops);
        ops.push(op);
    }
    ops
}

/// Gives `op` and its regions copies of the repeated ops that they use. New copies are put before `at`.
fn repeat<'c>(
    op: Op<'c>,
    at: Op<'c>,
    copies: &mut HashMap<Value<'c>, Value<'c>>,
    ops: &mut Vec<Op<'c>>,
) {
    let used = outside_values(op).into_iter().filter_map(|(value, _)| value.defining_op());
    for from in used.filter(|from| is_repeatable(*from)) {
        if !copies.contains_key(&from.result(0)) {
            let copy = from.clone_mapped(&[]);
            Builder::before(at, from.location()).place(copy);
            repeat(copy, copy, copies, ops);
            ops.push(copy);
            copies.extend(from.results().into_iter().zip(copy.results()));
        }
    }
    replace_uses(op, &|value| copies.get(&value).copied());
}

/// Replaces operands of an op and of all ops in it.
fn replace_uses<'c>(op: Op<'c>, new: &dyn Fn(Value<'c>) -> Option<Value<'c>>) {
    for op in crate::ir::walk(op) {
        for (place, value) in op.operands().into_iter().enumerate() {
            if let Some(new) = new(value) {
                op.set_operand(place, new);
            }
        }
    }
}

/// Brings the ops of a block into an order in which the ops of each body follow each other and values precede their uses. If
/// several can be next, it is the first of the old order.
fn sort<'c>(block: Block<'c>, flow: &Dataflow<'c>, bodies: &[Vec<Op<'c>>]) {
    let end = block.end();
    // An item is a body, or an op that is in none.
    let mut items: Vec<Vec<Op>> = vec![];
    let mut item_of: HashMap<Op, usize> = HashMap::new();
    let body_of: HashMap<Op, usize> =
        bodies.iter().enumerate().flat_map(|(i, ops)| ops.iter().map(move |op| (*op, i))).collect();
    for op in block.ops().into_iter().filter(|op| *op != end) {
        if !item_of.contains_key(&op) {
            let ops = body_of.get(&op).map_or_else(|| vec![op], |body| bodies[*body].clone());
            item_of.extend(ops.iter().map(|op| (*op, items.len())));
            items.push(ops);
        }
    }
    let mut readers: Vec<Vec<usize>> = vec![vec![]; items.len()];
    let mut missing = vec![0usize; items.len()];
    let mut depend = |item: usize, on: usize| {
        if on != item {
            readers[on].push(item);
            missing[item] += 1;
        }
    };
    for (item, ops) in items.iter().enumerate() {
        let used = ops.iter().flat_map(|op| outside_values(*op));
        for from in used.filter_map(|(value, _)| value.defining_op()) {
            item_of.get(&from).into_iter().for_each(|on| depend(item, *on));
        }
    }
    for edge in &flow.edges {
        let [from, to] = [edge.from, edge.to].map(|it| item_of[&flow.nodes[it].op]);
        depend(to, from);
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..items.len()).filter(|item| missing[*item] == 0).map(Reverse).collect();
    while let Some(Reverse(item)) = ready.pop() {
        for op in &items[item] {
            op.move_before(end);
        }
        for reader in &readers[item] {
            missing[*reader] -= 1;
            if missing[*reader] == 0 {
                ready.push(Reverse(*reader));
            }
        }
    }
}

/// Moves ops, which follow each other, into a `graph.fusion`.
fn fuse(ops: &[Op]) {
    let inside: HashSet<Op> = ops.iter().copied().collect();
    let block = ops[0].block();
    let is_outside = |user: Op| {
        let mut at = Some(user);
        while let Some(op) = at.filter(|op| op.block() != block) {
            at = op.parent();
        }
        at.is_none_or(|op| !inside.contains(&op))
    };
    let results = ops.iter().flat_map(|op| op.results());
    let stored: Vec<Value> =
        results.filter(|value| value.uses().iter().any(|(user, _)| is_outside(*user))).collect();
    let types: Vec<Type> = stored.iter().map(|value| value.ty()).collect();
    let body = Block::new(&[]);
    let computed = ops.iter().filter(|op| !is_repeatable(**op)).map(|op| op.location());
    let at = Builder::before(ops[0], Location::fused(ops[0].context(), computed));
    let fusion = at.insert(at.spec("graph.fusion").results(&types).region(Region::of(body)));
    for (value, result) in stored.iter().zip(fusion.results()) {
        for (user, place) in value.uses().into_iter().filter(|(user, _)| is_outside(*user)) {
            user.set_operand(place, result);
        }
    }
    for op in ops {
        op.detach();
        body.append(*op);
    }
    let at = Builder::at_end(body, ops[ops.len() - 1].location());
    let yielded: Vec<Value> =
        stored.iter().map(|value| at.op("graph.yield_store", &[*value], value.ty())).collect();
    at.insert(at.spec("graph.yield").operands(&yielded));
}

//! `proof "guard"`: loop versioning for a step that is legal only for some sizes.
//!
//! ```text
//! loop.for serial %i in %m { loop.block "B" .. }
//!   ->
//! loop.if (%n - %m >= 0) {
//!   loop.for serial %i in %m { loop.block "B" .. }             the step applies to this nest
//! } else {
//!   loop.for serial %i in %m { loop.block "B.fallback" .. }
//! }
//! ```
//! A refuted obligation has a witness, and that has the conditions on sizes that the conflict needs. The
//! search tries the step on copies of the function. It puts the nest into a `loop.if` whose condition is
//! the opposite of one of these conditions. If that is refused as well, it adds another condition. Only a
//! guard that succeeded on a copy is inserted. Conditions that no larger sizes fulfil are useless and are
//! not tried.

use crate::analysis::system::{Answer, System};
use crate::dialect::loop_op::{If, ScheduleBlock, yield_op};
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{Attribute, Block, Op, walk};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::schedule::error::ScheduleError;
use crate::schedule::instruction::{Argument, Primitive};

/// A condition on sizes, with their names, because the numbers of sizes differ between copies.
type NamedConstraint = (Constraint, Vec<String>);

/// The maximal number of copies that are tried.
const TRIALS: usize = 12;
/// The maximal number of conditions of a guard.
const CONDITIONS: usize = 3;
/// A guard must hold for some sizes that are all at least this.
const USEFUL: i64 = 4;

/// Inserts a guard around the nest of a step, if the step needs one. On an error the IR is unchanged.
pub fn insert(
    state: &mut State,
    primitive: &Primitive,
    arguments: &[Argument],
) -> Result<(), ScheduleError> {
    let mut left = TRIALS;
    let Err(refusal) = trial(state, primitive, arguments, None) else { return Ok(()) };
    if refusal.witness.is_none() && refusal.unknown.is_none() {
        return Err(refusal);
    }
    let nest = nest_of(state.summary(), refusal.at);
    let mut conditions = vec![];
    if !search(state, primitive, arguments, nest, &refusal, &mut conditions, &mut left) {
        return Err(ScheduleError { unguarded: true, ..refusal });
    }
    put(state, nest, &conditions);
    Ok(())
}

/// Adds conditions until the step is legal under them. Returns false if none are found.
fn search(
    state: &State,
    primitive: &Primitive,
    arguments: &[Argument],
    nest: NodeId,
    refusal: &ScheduleError,
    conditions: &mut Vec<NamedConstraint>,
    left: &mut usize,
) -> bool {
    let Some(witness) = &refusal.witness else { return false };
    if conditions.len() == CONDITIONS {
        return false;
    }
    let opposites = witness.when.iter().flat_map(Constraint::opposites);
    for condition in opposites.filter(|it| it.expr().constant().is_none()) {
        let condition = (condition, witness.size_names.clone());
        if !is_useful(conditions, &condition) || !is_known(state, nest, &condition) {
            continue;
        }
        if *left == 0 {
            return false;
        }
        *left -= 1;
        conditions.push(condition);
        match trial(state, primitive, arguments, Some((nest, conditions))) {
            Ok(()) => return true,
            Err(next) => {
                if search(state, primitive, arguments, nest, &next, conditions, left) {
                    return true;
                }
            }
        }
        conditions.pop();
    }
    false
}

/// True if all conditions hold for some large sizes.
fn is_useful(conditions: &[NamedConstraint], new: &NamedConstraint) -> bool {
    let all: Vec<&NamedConstraint> = conditions.iter().chain([new]).collect();
    let sizes = all.iter().map(|(_, names)| names.len()).max().unwrap_or(0);
    let mut system = System { dims: 0, sizes, conditions: vec![] };
    // The copies have the same sizes, so sizes are matched by name.
    let renumbered = |(condition, names): &NamedConstraint| {
        let number = |i: usize| {
            let place = new.1.iter().position(|name| *name == names[i]);
            Expr::Symbol(place.unwrap_or(i))
        };
        condition.on(condition.expr().substitute(&Expr::Dim, &number).simplified())
    };
    system.conditions.extend(all.into_iter().map(renumbered));
    for size in 0..sizes {
        let large = Expr::Symbol(size) - USEFUL.into();
        system.conditions.push(Constraint::NonNegative(large));
    }
    matches!(system.solve(), Answer::Point(_))
}

/// Tries the step on a copy of the function, with a guard around a nest.
fn trial(
    state: &State,
    primitive: &Primitive,
    arguments: &[Argument],
    guard: Option<(NodeId, &[NamedConstraint])>,
) -> Result<(), ScheduleError> {
    let copy = state.function.clone_mapped(&[]);
    let outcome = {
        let mut state = State::new(copy, Box::new(Direct)).expect("a copy of a valid function");
        if let Some((nest, conditions)) = guard {
            put(&mut state, nest, conditions);
        }
        (primitive.apply)(&mut state, arguments).map(|_| ())
    };
    copy.erase();
    outcome
}

/// The outermost ancestor of a node that is not a `loop.if`.
fn nest_of(summary: &Summary, node: NodeId) -> NodeId {
    let is_if = |n: &NodeId| matches!(summary.nodes[*n].kind, NodeKind::If(_));
    summary.ancestors(node).filter(|n| !is_if(n)).last().unwrap_or(node)
}

/// The numbers of a condition's sizes in the summary; `None` if a used size is not in the summary.
fn sizes_of(summary: &Summary, (condition, names): &NamedConstraint) -> Option<Vec<usize>> {
    let mut numbers = vec![];
    for (i, name) in names.iter().enumerate() {
        let mut is_used = false;
        condition.expr().visit_leaves(&mut |leaf| is_used |= *leaf == Expr::Symbol(i));
        let same: Vec<usize> =
            (0..summary.size_names.len()).filter(|n| summary.size_names[*n] == *name).collect();
        match same[..] {
            [] if is_used => return None,
            [] => numbers.push(0),
            [number, ..] => numbers.push(number),
        }
    }
    Some(numbers)
}

/// True if the sizes of a condition are defined before the nest.
fn is_known(state: &State, nest: NodeId, condition: &NamedConstraint) -> bool {
    let Some(numbers) = sizes_of(state.summary(), condition) else { return false };
    let numbered = |i: usize| Expr::Symbol(numbers[i]);
    let expr = condition.0.expr().substitute(&Expr::Dim, &numbered);
    are_known(state, nest, &[condition.0.on(expr)])
}

/// True if the sizes of conditions over the summary's numbers are defined before a node.
pub fn are_known(state: &State, node: NodeId, conditions: &[Constraint]) -> bool {
    let function = state.function.body(0).map(Block::ops).unwrap_or_default();
    let outermost = state.summary().ancestors(node).last().unwrap_or(node);
    let place = function.iter().position(|op| *op == state.op(outermost));
    let mut known = true;
    for condition in conditions {
        condition.expr().visit_leaves(&mut |leaf| {
            let Expr::Symbol(i) = leaf else { return };
            let op = state.sizes()[*i].defining_op();
            let defined = op.map(|op| function.iter().position(|other| *other == op));
            known &= defined.is_none_or(|at| at.is_some() && at < place);
        });
    }
    known
}

/// Moves a nest into the first branch of a `loop.if`, and a copy of it into the other.
fn put(state: &mut State, nest: NodeId, conditions: &[NamedConstraint]) {
    let taken: Vec<String> = state.summary().blocks().map(|(_, b)| b.name.clone()).collect();
    let condition = |condition: &NamedConstraint| {
        let numbers = sizes_of(state.summary(), condition).expect("they are known");
        let expr = condition.0.expr().substitute(&Expr::Dim, &|i| Expr::Symbol(numbers[i]));
        Constraint::NonNegative(expr.simplified())
    };
    let conditions: Vec<Constraint> = conditions.iter().map(condition).collect();
    let fallback = |block: NodeId| {
        let mut new = format!("{}.fallback", state.summary().name(block));
        while taken.contains(&new) {
            new += "_1";
        }
        new
    };
    let names: Vec<String> = state.summary().blocks_under(nest).into_iter().map(fallback).collect();
    branch(state, &[nest], &conditions, &names);
}

/// Moves adjacent statements into the first branch of a `loop.if` on sizes, and copies of them into the other. The
/// schedule blocks of the copies get these names.
pub fn branch(state: &mut State, nodes: &[NodeId], conditions: &[Constraint], names: &[String]) {
    let context = state.context();
    let ops: Vec<Op> = nodes.iter().map(|node| state.op(*node)).collect();
    let results = conditions.iter().map(|condition| condition.expr().clone()).collect();
    let map = Map { dims: 0, symbols: state.sizes().len(), results };
    let (map, operands) = map.compressed(&[], state.sizes());
    let constraints = conditions.iter().zip(map.results).map(|(c, expr)| c.on(expr)).collect();
    let set = IntegerSet { dims: 0, symbols: map.symbols, constraints };

    let copies: Vec<Op> = ops.iter().map(|op| op.clone_mapped(&[])).collect();
    let blocks = copies.iter().flat_map(|copy| walk(*copy));
    let blocks = blocks.filter(|op: &Op| op.is(ScheduleBlock::NAME));
    for (block, name) in blocks.zip(names) {
        block.set_attribute("name", Attribute::string(context, name));
    }
    let last = ops[ops.len() - 1];
    let (location, place) = (ops[0].location(), last.block().expect("a nest stands in a block"));
    let next = last.next().expect("a terminator comes after it");
    ops.iter().for_each(|op| op.detach());
    let branch = |inside: &[Op]| {
        let block = Block::new(&[]);
        inside.iter().for_each(|op| block.append(*op));
        block.append(yield_op(location, &[]));
        block
    };
    let guarded = If::create(location, &set, &operands, &[], branch(&ops), branch(&copies));
    place.insert_before(next, guarded);
    state.refresh().expect("a guarded nest is valid");
}

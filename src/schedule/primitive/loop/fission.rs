//! `fission`: distribute a loop: split its body into two loops at a statement.
//!
//! ```text
//! loop.for %i in 32 {
//!   loop.block "P" .. = (%i) { T[vi] = A[vi] + 1 }
//!   loop.block "C" .. = (%i) { C[vi] = T[vi] * 2 }
//! }
//!   ->  fission "C"
//! loop.for %i in 32 { loop.block "P" .. = (%i) { T[vi] = A[vi] + 1 } }
//! loop.for %i in 32 { loop.block "C" .. = (%i) { C[vi] = T[vi] * 2 } }
//! ```
//! The target, a schedule block or a loop, is the first statement of the second loop; the statements after it move with
//! it. `levels` is the number of enclosing loops that are distributed, from the innermost outwards.
//!
//! Requires
//! - (C1) the target is a loop or a schedule block
//! - (C2) `levels` is 1 or more, and that many loops enclose the target, each directly nested in the next, without
//!   annotations
//! - (C3) at least one statement precedes the target in its loop
//! - (C4) if both parts access one element, and one of the two accesses writes, the access of the first part is first
//!   before the step, too: see [`src/schedule/legality/exact.rs`](crate::schedule::legality::exact)
//! - (C5) the loops contain no barrier, and the two parts do not both access a buffer of which each iteration of a loop
//!   has its own instance
//!
//! The new loops have the names and kinds of the old ones; handles to the old loops stay valid. A nest that is bound to
//! thread blocks becomes two kernels.

use crate::dialect::loop_op::For;
use crate::ir::affine::Expr;
use crate::nest::builder::OpenLoops;
use crate::nest::edit;
use crate::nest::edit::BoundExpr;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::schedule::error::{Reason, ScheduleError};
use crate::schedule::legality::form::not_annotated;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::{exact, mergeable};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Distribute a loop: the second loop starts at the given statement"
    fission(
        target: Target,
        levels: OptionalInteger = "The number of enclosing loops that are distributed (default: 1)";
        proof
    ) -> ();
    |state| fission(state, target, levels, proof)
}

/// The result of the check.
pub struct Plan {
    /// The first statement of the second part.
    target: NodeId,
    /// The loops that are divided, outermost first.
    loops: Vec<NodeId>,
}

/// Divides the loops around `target` at `target`. On an error the IR is unchanged.
pub fn fission(
    state: &mut State,
    target: &str,
    levels: Option<i64>,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, levels, proofs)?;
    rewrite(state, &plan);
    Ok(())
}

pub fn check(
    summary: &Summary,
    target: &str,
    levels: Option<i64>,
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let target = name::target(summary, target)?;
    let wanted = levels.unwrap_or(1);
    let mut loops: Vec<NodeId> =
        summary.ancestors(target).take_while(|node| summary.as_loop(*node).is_some()).collect();
    match usize::try_from(wanted) {
        Ok(wanted) if (1..=loops.len()).contains(&wanted) => loops.truncate(wanted),
        _ => {
            let (name, found) = (summary.name(target), loops.len());
            return Err(Reason::NoSuchLevels { name, found, wanted }.at(target, 2));
        }
    }
    loops.reverse();
    for node in &loops {
        not_annotated(summary.as_loop(*node).expect("a loop"), *node, 2)?;
    }
    let plan = Plan { target, loops };
    let innermost = plan.loops[plan.loops.len() - 1];
    if summary.nodes[innermost].children[0] == target {
        let (first, name) = (summary.name(target), summary.name(innermost));
        return Err(Reason::NothingBefore { first, name }.at(target, 3));
    }
    plan.check_apart(summary)?;
    let parts = plan.parts(summary);
    proofs.require(&exact::check_divided(summary, plan.loops[0], &parts), || {
        let (name, second) = (summary.name(plan.loops[0]), summary.name(target));
        let error = Reason::OrderOfParts { name, second }.at(target, 4);
        error.note(plan.loops[0], "the loop is here")
    })?;
    Ok(plan)
}

impl Plan {
    /// For each loop, from the outermost inwards: the children that move directly to its copy.
    fn moved(&self, summary: &Summary) -> Vec<Vec<NodeId>> {
        let inside = self.loops[1..].iter().chain([&self.target]);
        let of = |(node, inner): (&NodeId, &NodeId)| {
            let from = if *inner == self.target { *inner } else { NodeId::new(inner.index() + 1) };
            let children = summary.nodes[*node].children.iter();
            children.copied().filter(|child| *child >= from).collect()
        };
        self.loops.iter().zip(inside).map(of).collect()
    }

    /// All nodes of the first part, and all nodes of the second.
    fn parts(&self, summary: &Summary) -> [Vec<NodeId>; 2] {
        let moved = self.moved(summary).concat();
        let second: Vec<NodeId> = moved.iter().flat_map(|node| summary.under(*node)).collect();
        let all = summary.under(self.loops[0]);
        [all.into_iter().filter(|node| !second.contains(node)).collect(), second]
    }

    /// (C5)
    fn check_apart(&self, summary: &Summary) -> Result<(), ScheduleError> {
        let refused = |why: String| {
            let (name, second) = (summary.name(self.loops[0]), summary.name(self.target));
            Reason::NotDivisible { name, second, why }.at(self.target, 5)
        };
        let is_barrier = |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::Sync);
        if let Some(barrier) = summary.under(self.loops[0]).into_iter().find(is_barrier) {
            let error = refused("it contains a barrier".into());
            return Err(error.note(barrier, "the barrier is here"));
        }
        let [first, second] = self.parts(summary);
        match mergeable::private(summary, (&first, &second), &self.loops) {
            None => Ok(()),
            Some(buffer) => {
                let name = &summary.buffers[buffer].name;
                Err(refused(format!("each iteration has its own \"{name}\"")))
            }
        }
    }
}

fn rewrite(state: &mut State, plan: &Plan) {
    let summary = state.summary();
    let old: Vec<For> = plan
        .loops
        .iter()
        .map(|node| For::of(state.op(*node)).expect("the node is a loop"))
        .collect();
    let mut nest =
        OpenLoops::before(state, old[0].op.next().expect("a terminator comes after a loop"));
    let copied =
        plan.loops.iter().zip(&old).map(|(node, old)| {
            nest.open(summary.as_loop(*node).expect("a loop"), old.op.location())
        });
    let new: Vec<For> = copied.collect();
    for (moved, copy) in plan.moved(summary).iter().zip(&new) {
        moved.iter().for_each(|node| state.op(*node).move_before(copy.body.end()));
    }
    for (old, copy) in old.iter().zip(&new) {
        let by = BoundExpr { expr: Expr::Dim(0), variables: vec![copy.variable()], sizes: vec![] };
        edit::replace_variable_in(new[0].op, old.variable(), &by);
    }
    edit::widen_regions(new[0].op);
}

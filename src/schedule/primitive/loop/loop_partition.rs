//! `loop_partition`: partition the iteration range of a loop into several consecutive loops.
//!
//! ```text
//! loop.for serial %i in 30 { loop.block "B" [..] = (%i) .. }
//!   ->  loop_partition "B:i" factors [2, -1, 4]
//! loop.for serial %i.0 in 2 { loop.block "B" [..] = (%i.0) .. }
//! loop.for serial %i.1 in 24 { loop.block "B.1" [..] = (%i.1 + 2) .. }
//! loop.for serial %i.2 in 4 { loop.block "B.2" [..] = (%i.2 + 26) .. }
//! ```
//! The factors are the extents of the parts; one may be -1, which takes the remaining iterations. If the extent is not
//! constant, each part before the -1 takes at most the iterations that are left: `min(2, %n)`, `min(3, %n - 2)`. All
//! parts but the first contain new schedule blocks. A reduction over the loop starts in the first part, and the other
//! parts continue it.
//!
//! Requires
//! - (C1) the target is a loop
//! - (C2) the loop is serial and has no annotations
//! - (C3) there are two or more factors; all are positive, except for at most one -1
//! - (C4) without -1, the extent is constant and is the sum of the factors; with -1 and a constant extent, the sum of
//!   the other factors is less than the extent. If parts follow the -1, the extent is one expression that is proved to
//!   be at least the sum of the factors
//! - (C5) each reduction in the loop still sets its start values once: see `src/schedule/primitive/loop/split/peel.rs`
//!
//! The order of the instances stays the same. Handles to the loop become handles to the first part.

use crate::ir::Attribute;
use crate::ir::affine::Expr;
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::facts::known_sizes::never_below;
use crate::nest::state::State;
use crate::nest::summary::{Loop, NodeId, Summary};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ScheduleError, SplitReason};
use crate::schedule::legality::form::{not_annotated, serial};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::split::peel;
use crate::schedule::primitive::r#loop::split::peel::{LoopCopy, Starts};
use crate::schedule::verdict::Verdict;

primitive! {
    "Partition the range of a loop into consecutive loops"
    /// Returns the names of the loops.
    loop_partition(
        r#loop: Loop,
        factors: Integers = "The extents of the parts, in their order; one may be -1, to be inferred";
        proof
    ) -> Vec<String>;
    |state| loop_partition(state, r#loop, factors, proof)
}

/// The result of the check.
pub struct Plan {
    node: NodeId,
    /// The extent of the first part.
    first: Vec<Expr>,
    /// The other parts, in order.
    others: Vec<LoopCopy>,
    /// How reductions that start in the loop are changed.
    starts: Starts,
    /// The number of iterations after the first part, by which some iter domains shrink to cover the first part only.
    behind: i64,
    names: Vec<String>,
}

/// Partitions `target`; returns the names of the parts. On an error the IR is unchanged.
pub fn loop_partition(
    state: &mut State,
    target: &str,
    factors: &[i64],
    proofs: &mut Proofs,
) -> Result<Vec<String>, ScheduleError> {
    let plan = check(state.summary(), target, factors, proofs)?;
    rewrite(state, &plan);
    Ok(plan.names)
}

pub fn check(
    summary: &Summary,
    target: &str,
    factors: &[i64],
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let node = name::loop_of(summary, target)?;
    let this = serial(summary, node, 2)?;
    not_annotated(this, node, 2)?;
    let rest = check_factors(node, factors)?;
    let total = check_sum(node, this, factors, rest)?;
    let part = |i| derived_name::new_loop(summary, &derived_name::part(&this.name, i), &[node]);
    let names: Vec<String> = (0..factors.len()).map(part).collect();

    let extent: Vec<Expr> = match this.constant_extent() {
        Some(extent) => vec![extent.into()],
        None => this.extent.clone(),
    };
    let has_behind = rest.is_some_and(|rest| rest + 1 < factors.len());
    if has_behind {
        let [one] = &extent[..] else {
            return Err(Reason::MinimumExtent(this.name.clone()).at(node, 4));
        };
        let verdict = match never_below(summary, node, one, total) {
            true => Verdict::Proved,
            false => Verdict::Unknown("the extent may be smaller".into()),
        };
        let name = this.name.clone();
        let reason = LoopsReason::MayBeFewer { name, parts: total };
        proofs.require(&verdict, || Reason::from(reason).at(node, 4))?;
    }
    let mut parts = vec![];
    let mut before: i64 = 0;
    for (i, factor) in factors.iter().enumerate() {
        let behind: i64 = factors[i + 1..].iter().filter(|factor| **factor != -1).sum();
        // Counted from the end, for parts after the -1.
        let start = match rest.is_some_and(|rest| i > rest) {
            true => (extent[0].clone() - (*factor + behind).into()).simplified(),
            false => before.into(),
        };
        let kept = if *factor == -1 { behind } else { 0 };
        let left = |e: &Expr| (e.clone() - start.clone() - kept.into()).simplified();
        let mut of_part: Vec<Expr> = extent.iter().map(left).collect();
        if *factor != -1 {
            before += factor;
            let is_less = |e: &Expr| !never_below(summary, node, e, *factor);
            of_part.retain(|e| is_less(e) && rest.is_none_or(|rest| i < rest));
            of_part.insert(0, (*factor).into());
        }
        parts.push((start, of_part));
    }
    let (_, first) = parts.remove(0);
    // True if the first part contains the first iteration whenever there is one.
    let surely = factors[0] != -1 || never_below(summary, node, &first[0], 1);
    let starts = peel::starts(summary, node, surely, 5, proofs)?;
    let mut taken: Vec<String> = vec![];
    let mut others = vec![];
    for (i, (start, extent)) in parts.into_iter().enumerate() {
        let blocks = summary.blocks_under(node).into_iter().map(|id| {
            let base = derived_name::part(&summary.as_block(id).expect("a block").name, i + 1);
            let new = derived_name::new_block(summary, &taken, base);
            taken.push(new.clone());
            new
        });
        let blocks = blocks.collect();
        others.push(LoopCopy { name: names[i + 1].clone(), axis: None, start, extent, blocks });
    }
    Ok(Plan { node, first, others, starts, behind: total, names })
}

/// (C3): the index of the part that takes the remaining iterations
fn check_factors(node: NodeId, factors: &[i64]) -> Result<Option<usize>, ScheduleError> {
    let inferred = factors.iter().filter(|factor| **factor == -1).count();
    if factors.len() < 2 {
        return Err(SplitReason::FewFactors(factors.len()).at(node, 3));
    }
    if inferred > 1 {
        return Err(SplitReason::ManyInferred(inferred).at(node, 3));
    }
    match factors.iter().find(|factor| **factor < 1 && **factor != -1) {
        Some(bad) => Err(SplitReason::BadFactor(*bad).at(node, 3)),
        None => Ok(factors.iter().position(|factor| *factor == -1)),
    }
}

/// Part of (C4): the sum of the given factors
fn check_sum(
    node: NodeId,
    this: &Loop,
    factors: &[i64],
    rest: Option<usize>,
) -> Result<i64, ScheduleError> {
    let known = factors.iter().filter(|factor| **factor != -1);
    let total = known.copied().try_fold(0i64, i64::checked_add);
    let total = total
        .ok_or_else(|| Reason::Overflow(format!("the sum of factors {factors:?}")).at(node, 4))?;
    let refused = |reason: LoopsReason| Err(Reason::from(reason).at(node, 4));
    match (this.constant_extent(), rest) {
        (None, None) => refused(LoopsReason::UnknownParts(total)),
        (Some(extent), None) if total != extent => refused(LoopsReason::OtherSum { total, extent }),
        (Some(extent), Some(_)) if total >= extent => {
            refused(LoopsReason::NothingLeft { total, extent })
        }
        _ => Ok(total),
    }
}

fn rewrite(state: &mut State, plan: &Plan) {
    let op = state.op(plan.node);
    // The last part first, because each copy is inserted directly after the loop.
    for copy in plan.others.iter().rev() {
        peel::copy(state, plan.node, copy, &plan.starts);
    }
    for (id, iter) in &plan.starts.narrowed {
        peel::set_domain(state.op(*id), *iter, |size| size - plan.behind.into());
    }
    op.set_attribute("name", Attribute::string(op.context(), &plan.names[0]));
    edit::set_loop_extent(op, &plan.first, (state.variables(), state.sizes()));
    edit::widen_regions(op);
}

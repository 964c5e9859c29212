//! `graph-fuse-ops`: form groups of ops that are computed together.
//!
//! ```text
//! %0 = linalg.matmul ins(%x, %w) ..          %2 = graph.fusion -> tensor<8x16xf32> {
//! %1 = linalg.exp ins(%0) ..                   %0 = linalg.matmul ..   %1 = linalg.exp ins(%0) ..
//! %2 = linalg.add ins(%1, %b) ..        ->     %2 = linalg.add ins(%1, %b) ..   yield %2
//! %3 = linalg.matmul ins(%2, %v) ..          }
//!                                            %3 = graph.fusion { linalg.matmul ins(%2, %v) .. }
//! ```
//! Two ops are in one group if the value that flows between them need not be stored whole:
//! - (R1, *recompute*) it is computed where it is read: it only moves elements, has few operations, or is read once;
//! - (R2, *prologue*) it only moves the elements of an anchor's factor, for this anchor alone. An *anchor* is a product, or a
//!   reduction of windows that overlap;
//! - (R3, *pointwise*) each result of the reader is computed from the value at the same place;
//! - (R4, *rows*) the value is a reduction or is costly, and both run over the same rows in their outer loops.
//!
//! A group is legal if
//! - (C1) one of the rules holds for each value that flows between two of its ops;
//! - (C2) it has at most one anchor. If it has one, it has no reduction, what is computed from the anchor follows it pointwise,
//!   what a factor of the anchor is computed from only moves elements, and all else is computed where it is read (R1);
//! - (C3) no value leaves it and comes back;
//! - (C4) no op of it is opaque. Ops on constants alone are in no group: they are computed once for all calls.
//!
//! Where several groups are legal, the value with the most bytes is fused first; of equal ones, that with the smaller hash of
//! what is computed before and after it. So the groups do not depend on the order of ops. `explain` reports for each value the rule
//! or what would have to change.

use super::dataflow::Dataflow;
use super::explain::{explain, why_not};
use super::groups::Groups;
use super::{entry_sizes, form, sink};
use crate::ir::{Error, Op, walk};

/// The settings of forming groups.
#[derive(Clone, Debug, Default)]
pub struct FusionOptions {
    /// True if ops on constants alone are computed once for all calls, so that they are in no group.
    pub separates_weights: bool,
    /// True if remarks say for each group what it reads and writes, and for each value why it is fused or not.
    pub explain: bool,
    /// Two ops, by line or by the name of their location: a remark says why they are in one group or not.
    pub why_not: Option<[String; 2]>,
}

/// The numbers of groups that were formed, and of the ops in them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Formed {
    pub groups: u64,
    pub ops: u64,
}

/// True if a function has one block, and all its ops compute tensors without effects, but for calls and assertions.
pub fn is_on_tensors(function: Op) -> bool {
    let blocks = function.regions().first().map(|it| it.blocks()).unwrap_or_default();
    let is_call = |op: &Op| matches!(op.name(), "func.call" | "cf.assert" | "func.return");
    let is_computed = |op: &Op| is_call(op) || op.has_no_effects();
    match blocks[..] {
        [block] => block.ops().iter().all(is_computed),
        _ => false,
    }
}

/// Forms the groups of a function. A function for which [`is_on_tensors`] does not hold, or that has groups, stays as it is.
///
/// # Errors
/// If an op of `why_not` is not found.
pub fn form_groups<'c>(function: Op<'c>, options: &FusionOptions) -> Result<Formed, Error<'c>> {
    let has_groups = || walk(function).iter().any(|op| op.is("graph.fusion"));
    let Some(block) = function.body(0).filter(|_| is_on_tensors(function) && !has_groups()) else {
        return Ok(Formed::default());
    };
    entry_sizes::resolve_computed(block);
    let mut flow = Dataflow::of(block, options.separates_weights);
    if sink::run(&flow) {
        flow = Dataflow::of(block, options.separates_weights);
    }
    let groups = Groups::of(&flow);
    if options.explain {
        explain(&flow, &groups);
    }
    if let Some(pair) = &options.why_not {
        why_not(function, &flow, &groups, pair)?;
    }
    form::run(block, &flow, &groups);
    let formed = groups.members.iter().filter(|members| form::is_formed(&flow, members));
    let sizes = formed.map(|members| members.len() as u64);
    Ok(sizes
        .fold(Formed::default(), |all, ops| Formed { groups: all.groups + 1, ops: all.ops + ops }))
}

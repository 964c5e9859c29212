//! `graph-fuse-ops`: form groups of ops that are computed together.
//!
//! ```text
//! %0 = linalg.matmul ins(%x, %w) ..          %2 = graph.fusion -> tensor<8x16xf32> {
//! %1 = linalg.exp ins(%0) ..                   %0 = linalg.matmul ..   %1 = linalg.exp ins(%0) ..
//! %2 = linalg.add ins(%1, %b) ..        ->     %2 = linalg.add ins(%1, %b) ..   yield %2
//! %3 = linalg.matmul ins(%2, %v) ..          }
//!                                            %3 = graph.fusion { linalg.matmul ins(%2, %v) .. }
//! ```
//! Two ops may be in one group if the value that one computes and the other, its *reader*, reads need not be stored
//! whole. The rules:
//! - (R1, *recompute*) the value is computed again where it is read: its op only moves elements, has few operations, or
//!   has one reader, which reads each element once;
//! - (R2, *prologue*) the op only moves the elements of an operand of an anchor, and the anchor is its only reader. An
//!   *anchor* is a sum of products that uses each element of its operands many times, such as a matmul or a
//!   convolution, or another reduction of windows that overlap, such as a pooling;
//! - (R3, *pointwise*) each element of the reader's result is computed from the element of the value at the same index;
//! - (R4, *rows*) the value is the result of a reduction, or costs too much to be computed again, and its op and the
//!   reader have outer loops over the same rows;
//! - (R5, *blocks*) both ops are on the way from a product to a factor of a second product. All ops on this way have outer
//!   loops over the same rows, at least one reduces rows, and nothing else reads their values. The second product reduces the
//!   rows of the factor. All sizes are known. Attention has this form: a product, a softmax of its rows, and a product of these. The length of the
//!   sums of the first product and the number of columns of the second are 256 or less together: all other factors are read
//!   again for each block of rows, and with longer ones this would cost more than the values on the way save.
//!
//! A group is legal if all of these hold:
//! - (C1) one of the rules holds for each value that an op of the group reads from another one;
//! - (C2) it has at most one anchor, or two by R5. If it has one, it has no other reduction but those of R5. Other ops that
//!   depend on the anchor are pointwise (R3), ops that an operand of the anchor depends on only move elements (R2), and all others are computed
//!   again (R1);
//! - (C3) no op outside of the group both depends on an op of the group and is needed by one;
//! - (C4) no op of it is opaque. *Opaque* ops are those without loops over their results, such as calls, sorts and
//!   control flow. With `separate-weights`, no op of it depends on constants alone;
//! - (C5) it has at most 128 ops.
//!
//! The values are tried in the order of the bytes that fusion saves, largest first. Equal ones are in the order of
//! hashes of the ops around them, so the groups do not depend on the order of ops. With `explain`, a remark gives the
//! rule for each fused value, and for each other value what would have to change.

use super::chain;
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
    let mut groups = Groups::of(&flow);
    chain::join(&mut groups, &flow);
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

//! Cross-thread reductions by warp shuffles: each lane combines its value with that of the lane that
//! differs in one bit of the lane number.
//!
//! The threads of a block are numbered with `threadIdx.x` fastest, and 32 consecutive threads are a warp.
//! The axes of the reduction must be the fastest of those with more than one thread. So the threads of a
//! point are consecutive. They are a *group*, which starts at a multiple of its size: either a power of two
//! within a warp, or several whole warps. Threads of a group that have no iteration of the reduction
//! contribute the identity.
//!
//! [`check`] requires
//! - loops bound to `threadIdx` axes; if the reduction also has serial loops, each thread must first reduce
//!   its own iterations
//! - a position that all threads of the block reach uniformly, outside of `vthread` loops, whose iterations
//!   run in one thread
//! - axes and a group as above
//! - thread blocks of whole warps, or of a part of one warp that is a power of two: a shuffle names the
//!   first lanes of the warp as participants, and all of them must reach it

use super::SplitReduction;
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::ir::affine::{Constraint, Expr};
use crate::nest::facts::scope;
use crate::nest::summary::{Loop, NodeId, NodeKind, Summary};

/// The number of threads in a warp.
pub const LANES: i64 = 32;

/// How the threads of a reduction are mapped to warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpMapping {
    /// The number of threads of the block in x, y and z.
    pub dims: [i64; 3],
    /// The number of threads that reduce together.
    pub size: i64,
}

impl WarpMapping {
    /// The number of threads of the block.
    pub fn threads(&self) -> i64 {
        self.dims.iter().product()
    }

    /// The number of lanes that take part in a shuffle.
    pub fn width(&self) -> i64 {
        self.threads().min(LANES)
    }

    /// The number of shared elements through which the warps of a thread block exchange partial results;
    /// `None` if one warp holds the whole group.
    pub fn cells(&self) -> Option<i64> {
        (self.size > LANES).then(|| self.threads() / LANES)
    }
}

/// The group of a reduction that has the form of [`across::check`](super::check).
///
/// # Errors
/// The reason why the reduction cannot use shuffles.
pub fn check(summary: &Summary, chain: &SplitReduction) -> Result<WarpMapping, String> {
    let Some(first) = chain.bound.iter().chain(&chain.serial).min().copied() else {
        return Err("no thread loop is a reduction loop".into());
    };
    let name = |node: NodeId| summary.name(node);
    let group = check_threads(summary, chain)?;
    let varies = |exprs: &[&Expr]| exprs.iter().any(|e| scope::varies_by_thread(summary, e));
    let of_conditions = |conditions: &[Constraint]| {
        varies(&conditions.iter().map(Constraint::expr).collect::<Vec<_>>())
    };
    for around in summary.ancestors(first) {
        let diverges = match &summary.nodes[around].kind {
            NodeKind::Loop(this) if this.thread == Some(ThreadAxis::VThread) => {
                return Err(format!("\"{}\" around it is a vthread loop", name(around)));
            }
            NodeKind::Loop(this) => {
                let is_in_thread = matches!(this.kind, LoopKind::Parallel | LoopKind::Vectorize);
                is_in_thread || varies(&this.extent.iter().collect::<Vec<_>>())
            }
            NodeKind::If(conditions) => of_conditions(conditions),
            NodeKind::Block(this) => of_conditions(&this.predicate),
            _ => false,
        };
        if diverges {
            return Err(format!("not all threads reach \"{}\" equally often", name(first)));
        }
    }
    Ok(group)
}

/// The requirements of [`check`] for the thread axes and the block size.
fn check_threads(summary: &Summary, chain: &SplitReduction) -> Result<WarpMapping, String> {
    let place = |this: &Loop| {
        let axis = this.thread.filter(|axis| this.kind == LoopKind::ThreadBind && axis.is_thread());
        axis.map(|axis| axis as usize - ThreadAxis::ThreadX as usize)
    };
    let mut of_reduction = [None; 3];
    for node in &chain.bound {
        let this = summary.as_loop(*node).ok_or("it is not a loop")?;
        let axis =
            place(this).ok_or_else(|| format!("\"{}\" is not bound to threads", this.name))?;
        let threads = bound(this);
        of_reduction[axis] = Some(
            threads
                .ok_or_else(|| format!("the extent of \"{}\" has no constant bound", this.name))?,
        );
    }
    let first = chain.bound.first().copied().ok_or("no thread loop is a reduction loop")?;
    let nest = summary.ancestors(first).last().unwrap_or(first);
    let mut dims = [1; 3];
    for this in summary.under(nest).into_iter().filter_map(|node| summary.as_loop(node)) {
        if let (Some(axis), Some(threads)) = (place(this), bound(this)) {
            dims[axis] = threads.max(dims[axis]);
        }
    }
    let threads = dims.iter().try_fold(1_i64, |all, axis| all.checked_mul(*axis));
    let threads = threads.ok_or("a thread block has more threads than a 64-bit number can hold")?;
    let is_part = threads < LANES && threads & (threads - 1) == 0;
    if !is_part && threads % LANES != 0 {
        return Err(format!("a thread block of {threads} threads does not consist of whole warps"));
    }
    // The reduction must have the fastest axes, without gap.
    let axes: Vec<usize> = (0..3).filter(|axis| dims[*axis] > 1).collect();
    let fastest = axes.iter().take_while(|axis| of_reduction[**axis].is_some()).count();
    if let Some(axis) = axes[fastest..].iter().find(|axis| of_reduction[**axis].is_some()) {
        let axis = ["x", "y", "z"][*axis];
        return Err(format!("threads that reduce along {axis} are not adjacent"));
    }
    let all: i64 = axes[..fastest].iter().map(|axis| dims[*axis]).product();
    // The slowest axis of the reduction may have more threads than the reduction uses.
    let used = match axes[..fastest].split_last() {
        Some((last, others)) => {
            let others: i64 = others.iter().map(|axis| dims[*axis]).product();
            others * of_reduction[*last].unwrap_or(1)
        }
        None => 1,
    };
    let is_group = |size: &i64| {
        all % size == 0 && (size % LANES == 0 || *size & (size - 1) == 0 && *size < LANES)
    };
    let least = match used <= LANES {
        true => (used as u64).next_power_of_two() as i64,
        false => (used + LANES - 1) / LANES * LANES,
    };
    match [least, all].into_iter().find(is_group) {
        Some(size) => Ok(WarpMapping { dims, size }),
        None => Err(format!(
            "{used} of {all} threads are neither an aligned part of a warp nor whole warps"
        )),
    }
}

/// The constant bound of a loop's extent.
fn bound(this: &Loop) -> Option<i64> {
    this.extent.iter().filter_map(Expr::constant).min().filter(|n| *n > 0)
}

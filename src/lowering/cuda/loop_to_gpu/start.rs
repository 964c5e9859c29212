//! Start values written in place, for reductions that may have no iterations: an additional kernel writes them
//! if a reduce iter has an empty domain.
//!
//! ```text
//! loop.for thread_bind[blockIdx.x] %i in 8 { loop.for serial %k in %n { loop.block "C" .. { loop.init { C[vi] = 0 } .. } } }
//!   ->  before it
//! loop.for thread_bind[blockIdx.x] %vi in 8 { loop.block "C_start" [%vi: spatial 8] = (%vi) where (-%n >= 0) { C[vi] = 0 } }
//! ```

use crate::dialect::loop_enums::{IterRole, LoopKind, ThreadAxis};
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Error, Op};
use crate::nest::builder::OpenLoops;
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::{NewBlock, NewIter};
use crate::nest::summary::{Iter, Loop, NodeId, Summary};
use crate::schedule::State;
use crate::schedule::legality::quick;
use crate::schedule::primitive::reduction::decompose_reduction::fill_all;

/// Inserts such nests before the nests that contain `blocks`; returns the blocks for which this is possible.
pub fn for_empty<'c>(state: &State<'c>, blocks: &[Op<'c>]) -> Result<Vec<Op<'c>>, Error<'c>> {
    let summary = state.summary();
    let (mut done, mut taken) = (vec![], vec![]);
    for (id, block) in summary.blocks().filter(|(id, _)| blocks.contains(&state.op(*id))) {
        let is_size = |iter: &Iter| !iter.domain.iter().any(Expr::has_dims);
        let is_plain = quick::check_instances_independent(summary, id, block, 0).is_ok();
        if !is_plain || !block.iters.iter().all(is_size) {
            continue;
        }
        let reduce = block.iters.iter().filter(|iter| iter.role == IterRole::Reduce);
        // The reduction has no iterations if any of these is 0.
        let domains = reduce.flat_map(|iter| &iter.domain);
        for domain in domains.filter(|domain| domain.constant().is_none_or(|d| d <= 0)) {
            let new = derived_name::new_block(summary, &taken, format!("{}_start", block.name));
            start(state, id, domain, &new)?;
            taken.push(new);
        }
        done.push(state.op(id));
    }
    Ok(done)
}

/// The nest for one size that may be 0.
fn start<'c>(state: &State<'c>, id: NodeId, domain: &Expr, name: &str) -> Result<(), Error<'c>> {
    let summary = state.summary();
    let block = summary.as_block(id).expect("a block");
    let old = ScheduleBlock::of(state.op(id))?;
    let Some(init) = old.init() else { return Ok(()) };
    let location = init.location();
    let mut nest = OpenLoops::before(state, state.op(outermost(summary, id)));
    let mut iters = vec![];
    for iter in block.iters.iter().filter(|iter| iter.role != IterRole::Reduce) {
        let (kind, thread) = match iters.is_empty() {
            true => (LoopKind::ThreadBind, Some(ThreadAxis::BlockX)),
            false => (LoopKind::Serial, None),
        };
        let this = Loop {
            name: iter.name.clone(),
            kind,
            thread,
            extent: iter.domain.clone(),
            // The loop variable replaces the iter.
            variable: iter.variable,
            axis: None,
            annotations: vec![],
        };
        nest.open(&this, location);
        iters.push(NewIter::of((iter, &iter.variable.expr())));
    }
    let is_empty = Constraint::NonNegative((Expr::Constant(0) - domain.clone()).simplified());
    let new = NewBlock { name: name.to_owned(), iters, predicate: vec![is_empty], reducer: None };
    let op = new.create(location, nest.values(), &old.sizes);
    nest.put(op);
    fill_all(op, &old, init);
    edit::derive_regions(op);
    Ok(())
}

/// The outermost op that encloses a block, or the block itself.
fn outermost(summary: &Summary, id: NodeId) -> NodeId {
    summary.ancestors(id).last().unwrap_or(id)
}

//! `schedule-block-dce`: erase dead schedule blocks, that is those whose results are never read.
//!
//! ```text
//! for %i { T[i] = A[i] * 2 }                  for %i { B[i] = A[i] }
//! for %i { U[i] = T[i] + 1 }         ->
//! for %i { B[i] = A[i] }
//! ```
//! A schedule block is live if it writes an argument of the function, or calls a function. It is also live if it writes
//! a buffer that a live block reads or passes to a function, or that an op outside of schedule blocks uses. All other
//! blocks are dead, so chains of any length are erased. Loops and branches that become empty are erased too, and so are
//! buffers without uses. A loop that contains a barrier (`loop.sync`) is not erased.

use crate::dialect::loop_op::{BufferView, For, If, ScheduleBlock};
use crate::ir::{Block, Error, Op, Value, walk};
use crate::nest::edit;
use crate::optimize::kind::{Counts, FunctionPass};
use std::collections::HashSet;

/// The indices of the statistics in the row.
const BLOCKS: usize = 0;
const BUFFERS: usize = 1;

/// The ops that contain schedule blocks.
const NESTS: [&str; 3] = [For::NAME, If::NAME, ScheduleBlock::NAME];

/// See the head of the file.
#[derive(Debug, Default)]
pub struct ScheduleBlockDce;

impl FunctionPass for ScheduleBlockDce {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let Some(body) = function.body(0) else { return Ok(()) };
        let live = live_leaves(function)?;
        sweep(body, &live, counts)?;
        for op in body.ops().into_iter().filter(|op| op.is(BufferView::NAME)) {
            if op.result(0).uses().is_empty() {
                op.erase();
                counts.add(BUFFERS, 1);
            }
        }
        Ok(())
    }
}

/// The live schedule blocks among those without nested schedule blocks.
fn live_leaves<'c>(function: Op<'c>) -> Result<HashSet<Op<'c>>, Error<'c>> {
    let mut waiting = vec![];
    let mut live = HashSet::new();
    let mut wanted: HashSet<Value> = HashSet::new();
    for op in leaves(function)? {
        let leaf = BlockEffects::of(op);
        match leaf.is_root() {
            true => {
                wanted.extend(&leaf.reads);
                live.insert(op);
            }
            false => waiting.push(leaf),
        }
    }
    // Calls, loads and copies outside of schedule blocks read their operands.
    let statements = function.body(0).map(Block::ops).unwrap_or_default();
    for op in statements.into_iter().filter(|op| !NESTS.contains(&op.name())) {
        wanted.extend(walk(op).into_iter().flat_map(Op::operands));
    }
    loop {
        let (useful, others): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|leaf| leaf.writes.iter().any(|b| wanted.contains(b)));
        if useful.is_empty() {
            return Ok(live);
        }
        for leaf in useful {
            wanted.extend(&leaf.reads);
            live.insert(leaf.op);
        }
        waiting = others;
    }
}

fn leaves<'c>(root: Op<'c>) -> Result<Vec<Op<'c>>, Error<'c>> {
    let mut found = vec![];
    for op in walk(root).into_iter().filter(|op| op.is(ScheduleBlock::NAME)) {
        if !ScheduleBlock::of(op)?.is_nest() {
            found.push(op);
        }
    }
    Ok(found)
}

/// The effects of a schedule block without nested schedule blocks on buffers.
struct BlockEffects<'c> {
    op: Op<'c>,
    reads: Vec<Value<'c>>,
    writes: Vec<Value<'c>>,
    calls: bool,
}

impl<'c> BlockEffects<'c> {
    fn of(op: Op<'c>) -> Self {
        let mut leaf = BlockEffects { op, reads: vec![], writes: vec![], calls: false };
        for inner in walk(op) {
            match inner.name() {
                "memref.load" => leaf.reads.push(inner.operand(0)),
                "memref.store" => leaf.writes.push(inner.operand(1)),
                // The function may read each buffer that is passed to it.
                "func.call" => {
                    leaf.calls = true;
                    leaf.reads
                        .extend(inner.operands().into_iter().filter(|it| it.ty().is_memref()));
                }
                _ => {}
            }
        }
        leaf
    }

    /// True if the block is live whatever other blocks read.
    fn is_root(&self) -> bool {
        let is_buffer = |v: &Value| v.defining_op().is_some_and(|op| op.is(BufferView::NAME));
        self.calls || self.writes.is_empty() || !self.writes.iter().all(is_buffer)
    }
}

/// Erases dead statements of a block, and of the blocks nested in it.
fn sweep<'c>(
    block: Block<'c>,
    live: &HashSet<Op<'c>>,
    counts: &mut Counts,
) -> Result<(), Error<'c>> {
    for op in block.ops() {
        if !NESTS.contains(&op.name()) {
            continue;
        }
        let inside = leaves(op)?;
        let is_dead = |leaf: &&Op<'c>| !live.contains(leaf);
        let dead = inside.iter().filter(is_dead).count();
        if dead == 0 {
            continue;
        }
        let meets = walk(op).iter().any(|inner| inner.is("loop.sync"));
        if dead == inside.len() && !meets {
            op.erase();
            counts.add(BLOCKS, dead as u64);
            continue;
        }
        for body in op.regions().into_iter().flat_map(|region| region.blocks()) {
            sweep(body, live, counts)?;
        }
        if op.is(ScheduleBlock::NAME) {
            edit::derive_regions(op);
        }
    }
    Ok(())
}

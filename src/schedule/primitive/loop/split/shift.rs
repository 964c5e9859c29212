//! `split` with `tail "shift_inwards"`: moves the last tile back so that it ends where the loop does.
//!
//! ```text
//! loop.for serial %i in 30 { .. = (%i) }
//!   ->  split "B:i" factors [-1, 8] tail "shift_inwards"
//! loop.for serial %i.0 in 4 {
//!   loop.for serial %i.1 in 8 { .. = (%i.0 * 8 + %i.1 - (%i.0 floordiv 3) * 2) }
//! }
//! ```
//! The tiles start at 0, 8, 16 and 22: iterations 22 and 23 run twice. There is no predicate, and all tiles are full.
//! For a dynamic size `n`, the last tile is the one for which `((%i.0 + 1) * 8) floordiv n` is 1; that holds for it
//! alone if `n` is at least 8.
//!
//! An iteration may run again if what it writes depends only on values that no iteration writes, or that the same
//! iteration has written before. Then the last tile rewrites each element with the same value. Two iterations of `i.0`
//! write the same elements, so it cannot become parallel.

use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::Expr;
use crate::nest::facts::known_sizes::never_below;
use crate::nest::facts::value_flow;
use crate::nest::summary::{Block, Body, Loop, NodeId, Summary};
use crate::schedule::error::{LocationReason, Reason, ScheduleError, SplitReason};
use crate::schedule::legality::proof::Proofs;
use crate::schedule::legality::quick;
use crate::schedule::primitive::r#loop::split::size_of;
use crate::schedule::verdict::Verdict;

/// The result of the check.
pub struct Plan {
    tiles: Expr,
    tile: i64,
    extent: Expr,
}

impl Plan {
    /// The number of iterations by which a tile starts earlier.
    pub fn by(&self, outer: Expr) -> Expr {
        match (self.tiles.constant(), self.extent.constant()) {
            (Some(tiles), Some(extent)) => {
                outer.floor_div((tiles - 1).into()) * (tiles * self.tile - extent).into()
            }
            _ => {
                let end = (outer + 1.into()) * self.tile.into();
                let missing = (self.extent.clone() * (-1).into()).modulo(self.tile.into());
                end.floor_div(self.extent.clone()) * missing
            }
        }
    }
}

/// Checks the tail; the parts are `tiles` tiles of `tile` iterations each.
pub fn check(
    summary: &Summary,
    node: NodeId,
    this: &Loop,
    (tiles, tile): (&[Expr], &Expr),
    proofs: &mut Proofs,
) -> Result<Plan, ScheduleError> {
    let name = || this.name.clone();
    let Some(extent) = size_of(this) else { return Err(SplitReason::NotASize(name()).at(node, 9)) };
    let Some(tile) = tile.constant() else {
        return Err(SplitReason::TilesNotWhole(name()).at(node, 9));
    };
    let tiles = tiles[0].clone();
    match (extent.constant(), tiles.constant()) {
        (Some(extent), _) if extent < tile => {
            return Err(SplitReason::NoTile { name: name(), extent, tile }.at(node, 9));
        }
        (Some(extent), Some(tiles)) if (tiles - 1).saturating_mul(tile) >= extent => {
            return Err(SplitReason::TilesNotWhole(name()).at(node, 9));
        }
        (Some(_), _) => {}
        (None, _) => {
            let verdict = match never_below(summary, node, &extent, tile) {
                true => Verdict::Proved,
                false => Verdict::Unknown("the extent may be smaller".into()),
            };
            proofs.require(&verdict, || {
                SplitReason::MaybeNoTile { name: name(), tile }.at(node, 9)
            })?;
        }
    }
    if let Err(refusal) = check_repeats(summary, node) {
        let why =
            Verdict::Unknown("an iteration that runs twice may have a different effect".into());
        proofs.require(&why, || refusal)?;
    }
    Ok(Plan { tiles, tile, extent })
}

/// (C10): requires that an iteration may run again after later iterations.
fn check_repeats(summary: &Summary, node: NodeId) -> Result<(), ScheduleError> {
    quick::check_no_barrier(summary, node, 10)?;
    let blocks = summary.blocks_under(node);
    for id in &blocks {
        check_block(*id, summary.as_block(*id).expect("a block"))?;
    }
    for reader in &blocks {
        let block = summary.as_block(*reader).expect("a block");
        for load in block.loads() {
            let writes = |id: &&NodeId| {
                summary.as_block(**id).expect("a block").stores().any(|s| s.buffer == load.buffer)
            };
            let writers: Vec<NodeId> = blocks.iter().filter(writes).copied().collect();
            let is_safe = match writers[..] {
                [] => true,
                [writer] => value_flow::writes_before(summary, node, writer, *reader, load),
                _ => false,
            };
            if !is_safe {
                let buffer = summary.buffers[load.buffer].name.clone();
                let error = SplitReason::ReadsRepeated { block: block.name.clone(), buffer }
                    .at(*reader, 10);
                let others = writers.iter().filter(|writer| *writer != reader);
                return Err(
                    others.fold(error, |error, writer| error.note(*writer, "it is written here"))
                );
            }
        }
    }
    Ok(())
}

fn check_block(id: NodeId, block: &Block) -> Result<(), ScheduleError> {
    match &block.body {
        Body::Nest => return Err(Reason::NestBody(block.name.clone()).at(id, 10)),
        Body::Leaf { calls: true, .. } => return Err(Reason::Calls(block.name.clone()).at(id, 10)),
        Body::Leaf { .. } => {}
    }
    if block.reducer.is_some() {
        return Err(LocationReason::IsReduction(block.name.clone()).at(id, 10));
    }
    match block.iters.iter().find(|iter| iter.role == IterRole::Opaque) {
        Some(iter) => {
            let (block, iter, role) = (block.name.clone(), iter.name.clone(), iter.role);
            Err(Reason::NotSpatial { block, iter, role }.at(id, 10))
        }
        None => Ok(()),
    }
}

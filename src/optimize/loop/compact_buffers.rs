//! `compact-buffers`: a buffer is as large as what is in it at a time.
//!
//! ```text
//! %T = loop.buffer "T" : memref<64x64xf32>             %T = loop.buffer "T" : memref<1x16xf32>
//! for %i in 64 { for %j in 4 {                         for %i in 64 { for %j in 4 {
//!   for %k in 16 { T[%i, %j * 16 + %k] = .. }    ->      for %k in 16 { T[0, %k] = .. }
//!   for %k in 16 { .. = T[%i, %j * 16 + %k] }            for %k in 16 { .. = T[0, %k] }
//! } }                                                  } }
//! ```
//! In one iteration of the loops around all accesses of a buffer, its *place*, the accesses are in a box. Where
//! iterations of the place have no values in common, the box of one can lie where that of the other lay: from
//! all indices the part that does not move in an iteration goes away, and so does what is then smallest. A
//! dimension with one index for all becomes 1. Schedule blocks do not know loops, but `v` of the binding
//! `%j * 16 + %k` is `%k` in the form `v mod 16`. Where tiles overlap, as in `%j * 4 + %k` with `%k` in 6, the block
//! gets an iter that is bound to `%k`.
//!
//! Requires
//! - (C1) a buffer of the function of which nothing but loads, stores and regions of schedule blocks makes use,
//!   with affine indices; no schedule block that stores to it stores to another, too, as
//!   that is at the same indices
//! - (C2) loops around the accesses that run in order, or whose iterations have their own buffers of the scope;
//!   a loop of threads may be around a `shared` one, whose variable then counts as moving; loops of threads in the
//!   place of a `local` one have one value in a thread, all those of an axis the same
//! - (C3) for each of those that run in order: iterations that read only what they have written before, or
//!   different cells in different iterations
//! - (C4) a barrier in the place, before or behind all accesses, where threads share the buffer; and no
//!   bound loop around the accesses of a `global` one
//! - (C5) in all accesses the same part that stands still
//! - (C6) a box that is told, and is smaller
//!
//! Room between rows goes by remainders of strides, and the smaller buffer has the next stride with the same remainder.
//! Each dimension is compacted as far inside as it can be; outside of all loops only (C1) and (C6) matter. What
//! is not known is left as it is.

mod place;

use crate::ir::{Error, Op};
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::Reindexed;
use crate::nest::facts::compaction;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{BufferId, Summary};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;

/// The places of the statistics in the row.
const BUFFERS: usize = 0;
const DIMENSIONS: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct CompactBuffers;

impl FunctionPass for CompactBuffers {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        // A buffer keeps its number: the new one stands where the old one stood.
        for buffer in 0..state.summary().buffers.len() {
            let Some((new, dimensions)) = compacted(state.summary(), buffer) else { continue };
            if buffer_remap::apply(&mut state, &new)? {
                counts.add(BUFFERS, 1);
                counts.add(DIMENSIONS, dimensions);
            }
        }
        Ok(())
    }
}

/// The smaller buffer, and how many dimensions of it are smaller.
pub fn compacted(summary: &Summary, buffer: BufferId) -> Option<(Reindexed, u64)> {
    let accesses = buffer_remap::accesses(summary, buffer)?;
    let places = place::all(summary, buffer, &accesses);
    compaction::all(summary, buffer, &accesses, &places)
}

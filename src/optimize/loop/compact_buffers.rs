//! `compact-buffers`: shrink a buffer to the bounding box of the elements that are live at a time.
//!
//! ```text
//! %T = loop.buffer "T" : memref<64x64xf32>             %T = loop.buffer "T" : memref<1x16xf32>
//! for %i in 64 { for %j in 4 {                         for %i in 64 { for %j in 4 {
//!   for %k in 16 { T[%i, %j * 16 + %k] = .. }    ->      for %k in 16 { T[0, %k] = .. }
//!   for %k in 16 { .. = T[%i, %j * 16 + %k] }            for %k in 16 { .. = T[0, %k] }
//! } }                                                  } }
//! ```
//! A loop around all accesses of a buffer is called a *place* of the buffer. The elements that one iteration of the
//! place accesses have a bounding box. If the iterations exchange no values through the buffer, one box is enough
//! memory for all of them. The pass then removes from each index the part that is constant in an iteration, and
//! subtracts the least value of the other part. A dimension in which all accesses have the same index gets size 1.
//! Indices in schedule blocks are over iters, not over loops, so the pass expresses loop variables by iters: if `v` is
//! bound to `%j * 16 + %k`, then `%k` is `v mod 16`. If tiles overlap, as in `%j * 4 + %k` with `%k` in 6, this is not
//! possible, and the schedule block gets a new iter that is bound to `%k`.
//!
//! Requires
//! - (C1) the buffer is no argument of the function, and is used only by loads, stores and access regions of schedule
//!   blocks, with affine indices. A schedule block that stores to it stores to no other buffer, because a block stores
//!   to all its buffers at the same indices
//! - (C2) from the place outwards, all loops are serial or unrolled, up to the first loop whose iterations have their
//!   own instances of the buffer (the place itself may be this loop). For a `shared` buffer, the loops around the place
//!   may also be loops over threads; the box covers all values of their variables. For a `local` buffer, the pass
//!   treats the variable of a loop over threads as a constant: inside one thread, the variables of all loops over the
//!   same axis have the same value
//! - (C3) in each of these serial or unrolled loops, an iteration reads only elements that it has written before, or
//!   different iterations access different elements
//! - (C4) if threads share the buffer, the place contains a barrier before or after all accesses. No bound loop
//!   encloses the accesses of a `global` buffer
//! - (C5) the constant part of the index is the same in all accesses
//! - (C6) the bounding box is known, and is smaller than the buffer
//!
//! If `storage_align` has padded the rows, the smaller buffer gets the next larger stride with the same remainder. Each
//! dimension is compacted for the innermost place that meets the conditions. For accesses outside of all loops, only
//! (C1) and (C6) apply, because there are no iterations that share the memory. If a condition cannot be proved, the
//! dimension is unchanged.

mod place;

use crate::ir::{Error, Op};
use crate::nest::buffer_remap;
use crate::nest::buffer_remap::BufferRemap;
use crate::nest::facts::compaction;
use crate::nest::rewriter::Direct;
use crate::nest::summary::{BufferId, Summary};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;

/// The indices of the statistics in the row.
const BUFFERS: usize = 0;
const DIMENSIONS: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct CompactBuffers;

impl FunctionPass for CompactBuffers {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        for (_, own) in state.own_buffers() {
            let Some(buffer) = state.focus_on(&own)? else { continue };
            let Some((new, dimensions)) = compacted(state.summary(), buffer) else { continue };
            if buffer_remap::apply_alone(&mut state, &new)?.is_some() {
                counts.add(BUFFERS, 1);
                counts.add(DIMENSIONS, dimensions);
            }
        }
        Ok(())
    }
}

/// The smaller buffer, and how many of its dimensions are smaller.
pub fn compacted(summary: &Summary, buffer: BufferId) -> Option<(BufferRemap, u64)> {
    let accesses = buffer_remap::accesses(summary, buffer)?;
    let places = place::all(summary, buffer, &accesses);
    compaction::all(summary, buffer, &accesses, &places)
}

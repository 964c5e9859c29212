//! Asynchronous copies from global to shared memory (`cp.async`).
//!
//! A copy may read and write at any time between its start and the wait for it. The emulator reads its source at both
//! ends: a write in between either races with one of the two reads, or is detected because the value changed. Its
//! target is pending the whole time, and is written at the wait.

use super::access::clear;
use super::execute::holds_in;
use super::request::{Operation, Place, Request, Strength, addresses};
use super::word::empty;
use super::{Block, INITIALISED, Outcome, PENDING, stop};
use crate::fault::{FaultKind, Use};
use crate::memory::{ByteMask, Words};
use crate::program::AsyncCopy;
use crate::registers::{LANES, Mask, lanes};
use crate::syntax::Space;
use crate::warp::{PendingCopy, Warp};

impl<'a> Block<'a> {
    pub(super) fn start_copies(
        &mut self,
        warp: &mut Warp,
        copy: &AsyncCopy,
        active: Mask,
        pc: u32,
    ) -> Outcome<()> {
        let targets = addresses(&warp.registers, copy.to, copy.to_offset);
        let sources = addresses(&warp.registers, copy.from, copy.from_offset);
        let (warp_index, bytes, strength) = (warp.index, copy.bytes, Strength::Weak);
        let operation = |how| Operation { warp: warp_index, pc, bytes, how, strength };
        let source = operation(Use::Read).at(Space::Global, &sources, active);
        let target = operation(Use::Write).at(Space::Shared, &targets, active);
        let wanted = wanted(warp, copy, active, pc)?;
        self.worker.counters.global_loads.note_parts(&sources, &wanted);
        self.count(&target);
        let mut place = Place::default();
        for lane in lanes(active) {
            let wanted = wanted[lane];
            let (data, undefined) = self.read_source(warp, &source, lane, wanted, &mut place)?;
            target.check_alignment(lane)?;
            let offset = self.shared_place(&target, lane)?;
            let range = offset..offset + bytes as usize;
            if self.worker.shared.state[range.clone()].iter().any(|it| it & PENDING != 0) {
                return self.pending(warp, &target, lane);
            }
            self.note_shared(&target, 1 << lane, offset, None)?;
            self.worker.shared.state[range].fill(PENDING);
            let (group, address) = (warp.copies.committed[lane], targets[lane]);
            let source = sources[lane];
            let copy =
                PendingCopy { lane, group, address, source, wanted, data, undefined, bytes, pc };
            warp.copies.pending.push(copy);
        }
        Ok(())
    }

    /// Reads the bytes that a lane copies, and which of them nothing has written; the rest is zero.
    fn read_source(
        &mut self,
        warp: &Warp,
        source: &Request,
        lane: usize,
        wanted: u32,
        place: &mut Place<'a>,
    ) -> Outcome<([u8; 16], ByteMask)> {
        let mut data = [0; 16];
        let undefined = if wanted == source.bytes {
            let mut words = Words::default();
            let undefined = self.read(warp, source, 1 << lane, place, &mut words)?;
            empty(&words, &mut data[..wanted as usize]);
            undefined
        } else {
            self.read_bytes(warp, source, lane, &mut data[..wanted as usize])?
        };
        Ok((data, undefined))
    }

    /// Reads a part of a request's bytes.
    fn read_bytes(
        &mut self,
        warp: &Warp,
        request: &Request,
        lane: usize,
        data: &mut [u8],
    ) -> Outcome<ByteMask> {
        request.check_alignment(lane)?;
        let granule = 1 << self.launch.program.granules.global_log2;
        // Copy the rest after the last whole cell byte by byte, since the allocation may end there.
        let (cells, rest) = data.split_at_mut(data.len() / granule * granule);
        let mut addresses = *request.addresses;
        let (mut undefined, mut at) = (0, 0);
        for part in cells.chunks_mut(granule).chain(rest.chunks_mut(1)) {
            let request = Request { addresses: &addresses, bytes: part.len() as u32, ..*request };
            let mut words = Words::default();
            let missing =
                self.read(warp, &request, 1 << lane, &mut Place::default(), &mut words)?;
            empty(&words, part);
            undefined |= missing << at;
            at += part.len();
            addresses[lane] += part.len() as u64;
        }
        Ok(undefined)
    }

    pub(super) fn finish_copies(
        &mut self,
        warp: &mut Warp,
        active: Mask,
        open: Option<u32>,
        pc: u32,
    ) -> Outcome<()> {
        if open.is_none() {
            warp.commit(active);
        }
        let mut place = Place::default();
        for copy in warp.take_copies(active, open.unwrap_or(0)) {
            self.check_source(warp, &copy, pc, &mut place)?;
            let mut addresses = [0; LANES];
            addresses[copy.lane] = copy.address;
            let (bytes, how, strength) = (copy.bytes, Use::Write, Strength::Weak);
            let operation = Operation { warp: warp.index, pc, bytes, how, strength };
            let request = operation.at(Space::Shared, &addresses, 1 << copy.lane);
            let offset = self.shared_place(&request, copy.lane)?;
            self.note_shared(&request, 1 << copy.lane, offset, None)?;
            let range = offset..offset + copy.bytes as usize;
            self.worker.shared.bytes[range.clone()]
                .copy_from_slice(&copy.data[..copy.bytes as usize]);
            let state = &mut self.worker.shared.state[range];
            state.fill(INITIALISED);
            clear(state, copy.undefined);
        }
        Ok(())
    }

    /// A copy may read its source as late as here, so it also counts as a read at this program point.
    fn check_source(
        &mut self,
        warp: &Warp,
        copy: &PendingCopy,
        pc: u32,
        place: &mut Place<'a>,
    ) -> Outcome<()> {
        let (bytes, how, strength) = (copy.bytes, Use::Read, Strength::Weak);
        let operation = Operation { warp: warp.index, pc, bytes, how, strength };
        let addresses = [copy.source; LANES];
        let source = operation.at(Space::Global, &addresses, 1 << copy.lane);
        let found = self.read_source(warp, &source, copy.lane, copy.wanted, place)?;
        if found == (copy.data, copy.undefined) {
            return Ok(());
        }
        let (range, copy_line) = (source.range(copy.lane), self.launch.line(copy.pc));
        source.stop(copy.lane, FaultKind::CopySource { range, copy_line })
    }
}

/// The number of bytes that each lane reads. The rest of what it copies becomes zero.
fn wanted(warp: &Warp, copy: &AsyncCopy, active: Mask, pc: u32) -> Outcome<[u32; LANES]> {
    let mut wanted = [0; LANES];
    for lane in lanes(active) {
        if copy.ignore_source.is_some_and(|it| holds_in(warp, it, lane)) {
            continue;
        }
        let said = copy.source_bytes.map(|it| warp.registers.narrow[it as usize][lane]);
        let (found, most) = (said.unwrap_or(copy.bytes), copy.bytes);
        if found > most {
            return stop(pc, warp.index * LANES + lane, FaultKind::CopySize { found, most });
        }
        wanted[lane] = found;
    }
    Ok(wanted)
}

//! Accesses to memory, with all their checks: alignment, bounds, races, initialisation.

use super::{Block, INITIALISED, Outcome, PAGE, PENDING, Pages, shared_offset, stop};
use crate::decode::SHARED_START;
use crate::fault::{FaultKind, Range, Use};
use crate::memory::window;
use crate::memory::{Allocation, Memory, Words};
use crate::program::{Access, Atomic, Register};
use crate::race::grid::{self, GridConflict};
use crate::race::{Accessor, Cell, Conflict};
use crate::registers::{LANES, Mask, Registers, lanes};
use crate::syntax::Space;
use crate::warp::{PendingCopy, Warp};

/// An instruction that accesses memory, in one space.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub warp: usize,
    pub pc: u32,
    pub space: Space,
    pub addresses: &'a [u64; LANES],
    pub mask: Mask,
    pub bytes: u32,
    pub how: Use,
    /// Atomic, or with an order.
    pub is_strong: bool,
}

impl Request<'_> {
    fn thread(&self, lane: usize) -> usize {
        self.warp * LANES + lane
    }

    fn range(&self, lane: usize) -> Range {
        Range { space: self.space, address: self.addresses[lane], bytes: self.bytes }
    }

    fn by(&self, lane: usize) -> Accessor {
        let thread = self.thread(lane) as u16;
        Accessor { thread, pc: self.pc, is_atomic: self.is_strong }
    }

    fn stop<T>(&self, lane: usize, kind: FaultKind) -> Outcome<T> {
        stop(self.pc, self.thread(lane), kind)
    }

    pub fn check_alignment(&self, lane: usize) -> Outcome<()> {
        // A power of two.
        match self.addresses[lane] & (u64::from(self.bytes) - 1) {
            0 => Ok(()),
            _ => {
                let kind = FaultKind::Misaligned { how: self.how, range: self.range(lane) };
                self.stop(lane, kind)
            }
        }
    }
}

pub(super) fn addresses(registers: &Registers, base: Register, offset: i64) -> [u64; LANES] {
    match base.is_wide() {
        true => registers.wide[base.index as usize].map(|it| it.wrapping_add_signed(offset)),
        // Addresses of 32 bits wrap around.
        false => registers.narrow[base.index as usize]
            .map(|it| u64::from(it.wrapping_add_signed(offset as i32))),
    }
}

/// The space of a generic address, and where it begins.
fn space_of(address: u64) -> (Space, u64) {
    let windows = [
        (Space::Shared, window::SHARED),
        (Space::Local, window::LOCAL),
        (Space::Param, window::PARAM),
    ];
    let is_in = |(_, start): &(Space, u64)| address.wrapping_sub(*start) < window::SIZE;
    windows.into_iter().find(is_in).unwrap_or((Space::Global, 0))
}

/// Runs a request for each space that its generic addresses lie in.
fn by_space(
    space: Space,
    all: &[u64; LANES],
    active: Mask,
    mut run: impl FnMut(Space, &[u64; LANES], Mask) -> Outcome<()>,
) -> Outcome<()> {
    if space != Space::Generic {
        return run(space, all, active);
    }
    let mut rest = active;
    while rest != 0 {
        let (space, start) = space_of(all[rest.trailing_zeros() as usize]);
        let same = lanes(rest).filter(|it| space_of(all[*it]).0 == space);
        let mask = same.fold(0, |mask, it| mask | 1 << it);
        run(space, &all.map(|it| it.wrapping_sub(start)), mask)?;
        rest &= !mask;
    }
    Ok(())
}

impl<'a> Block<'a> {
    pub(super) fn load(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        active: Mask,
        pc: u32,
    ) -> Outcome<()> {
        let all = addresses(&warp.registers, access.base, access.offset);
        let is_strong = !access.order.is_plain();
        let bytes = access.total_bytes();
        by_space(access.space, &all, active, |space, addresses, mask| {
            let request = Request {
                warp: warp.index,
                pc,
                space,
                addresses,
                mask,
                bytes,
                how: Use::Read,
                is_strong,
            };
            self.count(&request);
            let mut place = Place::default();
            let mut rest = mask;
            while rest != 0 {
                // Neighbours that read one address read it together; in local memory it is not one place.
                let lane = rest.trailing_zeros() as usize;
                let mut run = 1 << lane;
                rest &= !run;
                while rest != 0 && space != Space::Local {
                    let next = rest.trailing_zeros() as usize;
                    if addresses[next] != addresses[lane] {
                        break;
                    }
                    run |= 1 << next;
                    rest &= !(1 << next);
                }
                let mut words = Words::default();
                self.read(warp, &request, run, &mut place, &mut words)?;
                if is_strong && self.launch.program.has_fences {
                    self.acquire(&request, lane, access.order.acquires());
                }
                for lane in lanes(run) {
                    scatter(&mut warp.registers, access, lane, &words);
                }
            }
            Ok(())
        })
    }

    pub(super) fn store(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        active: Mask,
        pc: u32,
    ) -> Outcome<()> {
        let all = addresses(&warp.registers, access.base, access.offset);
        let is_strong = !access.order.is_plain();
        let bytes = access.total_bytes();
        by_space(access.space, &all, active, |space, addresses, mask| {
            let request = Request {
                warp: warp.index,
                pc,
                space,
                addresses,
                mask,
                bytes,
                how: Use::Write,
                is_strong,
            };
            self.count(&request);
            let mut place = Place::default();
            for lane in lanes(mask) {
                if is_strong && self.launch.program.has_fences {
                    self.release(&request, lane, access.order.releases());
                }
                let words = gather(&warp.registers, access, lane);
                self.write(warp, &request, lane, &mut place, &words)?;
            }
            Ok(())
        })
    }

    pub(super) fn atomic(
        &mut self,
        warp: &mut Warp,
        atomic: &Atomic,
        active: Mask,
        pc: u32,
    ) -> Outcome<()> {
        let all = addresses(&warp.registers, atomic.base, atomic.offset);
        let bytes = atomic.bytes;
        by_space(atomic.space, &all, active, |space, addresses, mask| {
            let how = Use::Write;
            let request = Request {
                warp: warp.index,
                pc,
                space,
                addresses,
                mask,
                bytes,
                how,
                is_strong: true,
            };
            self.count(&request);
            let mut place = Place::default();
            for lane in lanes(mask) {
                request.check_alignment(lane)?;
                if self.launch.program.has_fences {
                    self.release(&request, lane, atomic.order.releases());
                }
                let operand = |i: usize| {
                    atomic.operands.get(i).map_or(0, |it| register(&warp.registers, *it, lane))
                };
                let (a, b) = (operand(0), operand(1));
                let of = |old| (atomic.update)(old, a, b);
                let old = match space {
                    Space::Shared => self.update_shared(warp, &request, lane, of)?,
                    Space::Global => self.update_global(&request, lane, &mut place, of)?,
                    _ => return request.stop(lane, self.outside(&request, lane)),
                };
                if self.launch.program.has_fences {
                    self.acquire(&request, lane, atomic.order.acquires());
                }
                if let Some(to) = atomic.to {
                    set_register(&mut warp.registers, to, lane, old);
                }
            }
            Ok(())
        })
    }

    pub(super) fn count(&mut self, request: &Request) {
        let mut used = [0; LANES];
        let mut count = 0;
        for lane in lanes(request.mask) {
            used[count] = request.addresses[lane];
            count += 1;
        }
        let counters = &mut self.worker.counters;
        let used = &used[..count];
        match (request.space, request.how) {
            (Space::Global, Use::Read) => counters.global_loads.note(used, request.bytes),
            (Space::Global, Use::Write) => counters.global_stores.note(used, request.bytes),
            (Space::Shared, Use::Read) => counters.shared_loads.note(used, request.bytes),
            (Space::Shared, Use::Write) => counters.shared_stores.note(used, request.bytes),
            _ => {}
        }
    }

    /// Reads for lanes that have the same address.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        warp: &Warp,
        request: &Request,
        run: Mask,
        place: &mut Place<'a>,
        words: &mut Words,
    ) -> Outcome<()> {
        let lane = run.trailing_zeros() as usize;
        request.check_alignment(lane)?;
        let (address, bytes) = (request.addresses[lane], request.bytes);
        let is_initialised = match request.space {
            Space::Global | Space::Const => {
                let offset = self.place(request, lane, place)?;
                self.note_global(request, run, place, offset, false)?;
                let Some(allocation) = place.allocation else { return Ok(()) };
                let _guard = (request.is_strong && bytes == 8).then(|| allocation.lock());
                allocation.load(offset, bytes, words)
            }
            Space::Shared => {
                let offset = self.shared_place(request, lane)?;
                let range = offset..offset + bytes as usize;
                let state = self.worker.shared.state[range.clone()].iter();
                let (all, any) =
                    state.fold((INITIALISED, 0), |(all, any), it| (all & it, any | it));
                if any & PENDING != 0 {
                    return self.pending(warp, request, lane);
                }
                self.note_shared(request, run, offset, false)?;
                fill(words, &self.worker.shared.bytes[range]);
                all == INITIALISED
            }
            Space::Local => {
                let range = self.local_place(request, lane)?;
                fill(words, &warp.local[range.clone()]);
                warp.local_is_initialised[range].iter().all(|it| *it)
            }
            Space::Param => {
                let end = address.saturating_add(u64::from(bytes));
                if end > self.launch.parameters.len() as u64 {
                    return request.stop(lane, self.outside(request, lane));
                }
                fill(words, &self.launch.parameters[address as usize..end as usize]);
                true
            }
            Space::Generic => true,
        };
        match is_initialised {
            true => Ok(()),
            false => request.stop(lane, FaultKind::Uninitialised { range: request.range(lane) }),
        }
    }

    #[inline(always)]
    pub(super) fn write(
        &mut self,
        warp: &mut Warp,
        request: &Request,
        lane: usize,
        place: &mut Place<'a>,
        words: &Words,
    ) -> Outcome<()> {
        request.check_alignment(lane)?;
        let bytes = request.bytes;
        match request.space {
            Space::Global => {
                let offset = self.place(request, lane, place)?;
                let Some(allocation) = place.allocation else { return Ok(()) };
                if allocation.is_constant {
                    return request.stop(lane, FaultKind::ReadOnly { range: request.range(lane) });
                }
                let mut old = Words::default();
                let was_written = allocation.load(offset, bytes, &mut old);
                self.note_global(request, 1 << lane, place, offset, was_written && old == *words)?;
                let _guard = (request.is_strong && bytes == 8).then(|| allocation.lock());
                allocation.store(offset, bytes, words);
            }
            Space::Shared => {
                let offset = self.shared_place(request, lane)?;
                let range = offset..offset + bytes as usize;
                if self.worker.shared.state[range.clone()].iter().any(|it| it & PENDING != 0) {
                    return self.pending(warp, request, lane);
                }
                let mut old = Words::default();
                fill(&mut old, &self.worker.shared.bytes[range.clone()]);
                self.note_shared(request, 1 << lane, offset, old == *words)?;
                empty(words, &mut self.worker.shared.bytes[range.clone()]);
                self.worker.shared.state[range].fill(INITIALISED);
            }
            Space::Local => {
                let range = self.local_place(request, lane)?;
                empty(words, &mut warp.local[range.clone()]);
                warp.local_is_initialised[range].fill(true);
            }
            _ => return request.stop(lane, FaultKind::ReadOnly { range: request.range(lane) }),
        }
        Ok(())
    }

    /// Where an access to global memory lies; the allocation is mostly that of the lane before.
    #[inline(always)]
    fn place(&self, request: &Request, lane: usize, place: &mut Place<'a>) -> Outcome<usize> {
        let address = request.addresses[lane];
        if let Some(allocation) = place.allocation
            && let Some(offset) = allocation.offset(address, request.bytes)
        {
            return Ok(offset);
        }
        let memory: &'a Memory = self.launch.memory;
        let found = memory.find(address).and_then(|number| {
            let allocation = &memory.allocations()[number];
            Some((number, allocation, allocation.offset(address, request.bytes)?))
        });
        match found {
            Some((number, allocation, offset)) => {
                *place = Place { number, allocation: Some(allocation) };
                Ok(offset)
            }
            None => request.stop(lane, self.outside(request, lane)),
        }
    }

    pub(super) fn shared_place(&self, request: &Request, lane: usize) -> Outcome<usize> {
        let size = self.worker.shared.bytes.len();
        match shared_offset(request.addresses[lane], request.bytes, size) {
            Some(offset) => Ok(offset),
            None => request.stop(lane, self.outside(request, lane)),
        }
    }

    /// The range among the local memory of the warp.
    fn local_place(&self, request: &Request, lane: usize) -> Outcome<std::ops::Range<usize>> {
        let size = u64::from(self.launch.program.local_bytes);
        let address = request.addresses[lane];
        if address.saturating_add(u64::from(request.bytes)) > size {
            return request.stop(lane, self.outside(request, lane));
        }
        let start = lane * self.launch.program.local_stride as usize + address as usize;
        Ok(start..start + request.bytes as usize)
    }

    #[cold]
    fn outside(&self, request: &Request, lane: usize) -> FaultKind {
        let range = request.range(lane);
        let near = match request.space {
            Space::Global | Space::Const | Space::Generic => self.launch.memory.near(range.address),
            Space::Shared => {
                let size = self.worker.shared.bytes.len();
                format!("the block has {size} bytes at {SHARED_START:#x}")
            }
            Space::Local => format!("the thread has {} bytes", self.launch.program.local_bytes),
            Space::Param => format!("the parameters have {} bytes", self.launch.parameters.len()),
        };
        FaultKind::OutOfBounds { how: request.how, range, near }
    }

    /// Race checks of an access to global memory: in the block, and among blocks.
    #[inline(always)]
    fn note_global(
        &mut self,
        request: &Request,
        run: Mask,
        place: &Place<'a>,
        offset: usize,
        is_same: bool,
    ) -> Outcome<()> {
        let Some(allocation) = place.allocation else { return Ok(()) };
        if allocation.is_constant {
            return Ok(());
        }
        let shift = self.launch.program.granule_log2;
        let (first, count) = (offset >> shift, request.bytes as usize >> shift);
        let lane = run.trailing_zeros() as usize;
        let by = request.by(lane);
        let clocks = &mut self.worker.clocks;
        let cells =
            self.worker.global_cells.cells((place.number, allocation), shift, (first, count));
        let found = cells.iter_mut().try_for_each(|cell| match request.how {
            Use::Read => clocks.read_by_lanes(cell, by, run),
            Use::Write => clocks.write(cell, by, is_same),
        });
        if let Err(conflict) = found {
            return self.race(request, conflict);
        }
        let Some(shadow) = &self.launch.grid_shadow else { return Ok(()) };
        let how = match (request.how, request.is_strong) {
            (Use::Read, false) => grid::Use::Read,
            (Use::Read, true) => grid::Use::StrongRead,
            (Use::Write, false) => grid::Use::Write,
            (Use::Write, true) => grid::Use::Atomic,
        };
        let noted =
            shadow.note((place.number, allocation), (first, count), self.number, how, &self.known);
        if let Err(conflict) = noted {
            return self.race_of_blocks(request, lane, conflict);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn note_shared(
        &mut self,
        request: &Request,
        run: Mask,
        offset: usize,
        is_same: bool,
    ) -> Outcome<()> {
        let shift = self.launch.program.granule_log2;
        let (first, count) = (offset >> shift, request.bytes as usize >> shift);
        let lane = run.trailing_zeros() as usize;
        let by = request.by(lane);
        let clocks = &mut self.worker.clocks;
        let cells = &mut self.worker.shared.cells[first..first + count];
        let found = cells.iter_mut().try_for_each(|cell| match request.how {
            Use::Read => clocks.read_by_lanes(cell, by, run),
            Use::Write => clocks.write(cell, by, is_same),
        });
        match found {
            Ok(()) => Ok(()),
            Err(conflict) => self.race(request, conflict),
        }
    }

    #[cold]
    fn race(&self, request: &Request, conflict: Conflict) -> Outcome<()> {
        let Conflict { own, thread, pc, is_write } = conflict;
        let lane = usize::from(own) % LANES;
        let kind = FaultKind::Race {
            how: request.how,
            range: request.range(lane),
            other_how: if is_write { Use::Write } else { Use::Read },
            other: self.thread(thread.into()),
            other_line: self.launch.line(pc),
        };
        request.stop(lane, kind)
    }

    #[cold]
    fn race_of_blocks(
        &self,
        request: &Request,
        lane: usize,
        conflict: GridConflict,
    ) -> Outcome<()> {
        let GridConflict { block, is_write } = conflict;
        let kind = FaultKind::RaceOfBlocks {
            how: request.how,
            range: request.range(lane),
            other_how: if is_write { Use::Write } else { Use::Read },
            other: block.map(|it| self.launch.block(it)),
        };
        request.stop(lane, kind)
    }

    #[cold]
    pub(super) fn pending<T>(&self, warp: &Warp, request: &Request, lane: usize) -> Outcome<T> {
        let (start, end) =
            (request.addresses[lane], request.addresses[lane] + u64::from(request.bytes));
        let mut copies = self.warps.iter().chain([warp]).flat_map(|it| &it.copies.pending);
        let overlaps =
            |it: &&PendingCopy| it.address < end && start < it.address + u64::from(it.bytes);
        let copy_line = copies.find(overlaps).map_or(0, |it| self.launch.line(it.pc));
        let (how, range) = (request.how, request.range(lane));
        request.stop(lane, FaultKind::AsyncCopyPending { how, range, copy_line })
    }

    /// Where a synchronising access is known under: its address, with that of shared memory apart.
    fn key(request: &Request, lane: usize) -> u64 {
        let start = if request.space == Space::Shared { window::SHARED } else { 0 };
        request.addresses[lane] + start
    }

    fn release(&mut self, request: &Request, lane: usize, is_fenced: bool) {
        let key = Self::key(request, lane);
        self.worker.clocks.release(request.warp, key, is_fenced);
        if let (Some(shadow), Space::Global) = (&self.launch.grid_shadow, request.space) {
            shadow.release(key, self.number, &self.known, is_fenced);
        }
    }

    fn acquire(&mut self, request: &Request, lane: usize, is_fenced: bool) {
        let key = Self::key(request, lane);
        self.worker.clocks.acquire(request.warp, key, is_fenced);
        if let (Some(shadow), Space::Global) = (&self.launch.grid_shadow, request.space) {
            shadow.acquire(key, &mut self.known, is_fenced);
        }
    }

    fn update_shared(
        &mut self,
        warp: &Warp,
        request: &Request,
        lane: usize,
        of: impl Fn(u64) -> u64,
    ) -> Outcome<u64> {
        let offset = self.shared_place(request, lane)?;
        let range = offset..offset + request.bytes as usize;
        let state = &self.worker.shared.state[range.clone()];
        if state.iter().any(|it| it & PENDING != 0) {
            return self.pending(warp, request, lane);
        }
        let is_initialised = state.iter().all(|it| it & INITIALISED != 0);
        self.note_shared(request, 1 << lane, offset, false)?;
        if !is_initialised {
            let range = request.range(lane);
            return request.stop(lane, FaultKind::Uninitialised { range });
        }
        let mut words = Words::default();
        let bytes = &mut self.worker.shared.bytes[range];
        fill(&mut words, bytes);
        let old = u64::from(words[1]) << 32 | u64::from(words[0]);
        let new = of(old);
        (words[0], words[1]) = (new as u32, (new >> 32) as u32);
        empty(&words, bytes);
        Ok(old)
    }

    fn update_global(
        &mut self,
        request: &Request,
        lane: usize,
        place: &mut Place<'a>,
        of: impl Fn(u64) -> u64,
    ) -> Outcome<u64> {
        let offset = self.place(request, lane, place)?;
        let Some(allocation) = place.allocation else { return Ok(0) };
        if allocation.is_constant {
            return request.stop(lane, FaultKind::ReadOnly { range: request.range(lane) });
        }
        self.note_global(request, 1 << lane, place, offset, false)?;
        match allocation.update(offset, request.bytes, of) {
            (old, true) => Ok(old),
            _ => request.stop(lane, FaultKind::Uninitialised { range: request.range(lane) }),
        }
    }
}

/// The allocation that was accessed last.
#[derive(Default)]
pub(super) struct Place<'a> {
    number: usize,
    allocation: Option<&'a Allocation>,
}

impl Pages {
    #[inline(always)]
    fn cells(
        &mut self,
        (number, allocation): (usize, &Allocation),
        granule_log2: u32,
        (first, count): (usize, usize),
    ) -> &mut [Cell] {
        if self.pages.len() <= number {
            self.pages.resize_with(number + 1, Vec::new);
        }
        let pages = &mut self.pages[number];
        if pages.is_empty() {
            let cells = (allocation.bytes as usize >> granule_log2) + 1;
            pages.resize_with(cells.div_ceil(PAGE), || None);
        }
        let page = pages[first / PAGE].get_or_insert_with(|| {
            self.count += 1;
            vec![Cell::default(); PAGE].into_boxed_slice()
        });
        let at = first % PAGE;
        &mut page[at..at + count]
    }
}

fn register(registers: &Registers, register: Register, lane: usize) -> u64 {
    match register.is_wide() {
        true => registers.wide[register.index as usize][lane],
        false => u64::from(registers.narrow[register.index as usize][lane]),
    }
}

fn set_register(registers: &mut Registers, register: Register, lane: usize, value: u64) {
    match register.is_wide() {
        true => registers.wide[register.index as usize][lane] = value,
        false => {
            let ones = u32::MAX >> (32 - 8 * register.bytes);
            registers.narrow[register.index as usize][lane] = value as u32 & ones;
        }
    }
}

/// Loaded words to registers.
#[inline(always)]
fn scatter(registers: &mut Registers, access: &Access, lane: usize, words: &Words) {
    for (i, to) in access.elements.iter().enumerate() {
        let Some(to) = to else { continue };
        if access.bytes == 4 && to.bytes == 4 {
            registers.narrow[to.index as usize][lane] = words[i];
            continue;
        }
        let at = i * access.bytes as usize;
        let word = words[at / 4] >> (8 * (at as u32 % 4));
        let value = match (access.bytes, access.is_signed) {
            (1, false) => u64::from(word as u8),
            (1, true) => word as i8 as u64,
            (2, false) => u64::from(word as u16),
            (2, true) => word as i16 as u64,
            (4, false) => u64::from(word),
            (4, true) => word as i32 as u64,
            _ => u64::from(words[at / 4 + 1]) << 32 | u64::from(word),
        };
        set_register(registers, *to, lane, value);
    }
}

/// Words to store from registers.
#[inline(always)]
fn gather(registers: &Registers, access: &Access, lane: usize) -> Words {
    let mut words = Words::default();
    for (i, from) in access.elements.iter().enumerate() {
        let value = from.map_or(0, |it| register(registers, it, lane));
        let at = i * access.bytes as usize;
        let ones = u64::MAX >> (64 - 8 * access.bytes);
        words[at / 4] |= ((value & ones) << (8 * (at as u32 % 4))) as u32;
        if access.bytes == 8 {
            words[at / 4 + 1] = (value >> 32) as u32;
        }
    }
    words
}

pub(super) fn fill(words: &mut Words, bytes: &[u8]) {
    for (word, chunk) in words.iter_mut().zip(bytes.chunks(4)) {
        let mut whole = [0; 4];
        whole[..chunk.len()].copy_from_slice(chunk);
        *word = u32::from_le_bytes(whole);
    }
}

pub(super) fn empty(words: &Words, bytes: &mut [u8]) {
    for (word, chunk) in words.iter().zip(bytes.chunks_mut(4)) {
        chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
    }
}

//! Memory accesses with all their checks: alignment, bounds, races. Loads record which bytes are undefined.

use super::request::{Operation, Place, Request, Strength, addresses, by_space};
use super::undefined::Unwritten;
use super::word::{are_all, element, empty, fill, gather, register, scatter, set_register};
use super::{Block, INITIALISED, Outcome, PENDING, shared_offset};
use crate::fault::{FaultKind, Use};
use crate::memory::{ByteMask, Memory, UpdateState, WORDS, Words};
use crate::program::{Access, Atomic};
use crate::race::Writing;
use crate::registers::{LANES, Mask, lanes};
use crate::syntax::Space;
use crate::warp::Warp;

/// The most bytes of a load that may be out of bounds.
pub(super) const MOST_SLACK: usize = 3;

/// The last bytes of a load that may be out of bounds: all of the last element but its first byte. LLVM extends loads of
/// three elements to four, because an aligned access crosses no boundary between pieces of memory that hardware maps. Bytes
/// beyond the end of an allocation are undefined.
fn slack(access: &Access) -> u32 {
    let is_extended = access.elements.len() > 1 && access.bytes <= 4 && access.order.is_plain();
    if is_extended { (access.bytes - 1).min(MOST_SLACK as u32) } else { 0 }
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
        let strength = Strength::of(access);
        let _flags = self.lock_flags(access.space, strength, Use::Read);
        let bytes = access.total_bytes();
        let operation = Operation { warp: warp.index, pc, bytes, how: Use::Read, strength };
        let slack = slack(access);
        by_space(access.space, &all, active, |space, addresses, mask| {
            let request = Request { slack, ..operation.at(space, addresses, mask) };
            self.count(&request);
            if access.has_gaps() {
                return self.load_around_gaps(warp, &request, access);
            }
            if let Some(stretch) = self.stretch(&request) {
                return self.load_stretch(warp, &request, access, &stretch);
            }
            // Specialised code for the widths of most accesses.
            match bytes {
                4 => self.load_lanes(warp, &Request { bytes: 4, ..request }, access),
                8 => self.load_lanes(warp, &Request { bytes: 8, ..request }, access),
                16 => self.load_lanes(warp, &Request { bytes: 16, ..request }, access),
                _ => self.load_lanes(warp, &request, access),
            }
        })
    }

    #[inline(always)]
    fn load_lanes(&mut self, warp: &mut Warp, request: &Request, access: &Access) -> Outcome<()> {
        let Request { addresses, mask, bytes, .. } = *request;
        let mut place = Place::default();
        // Lanes that read the same address are handled together. If no lane shares the address of the first lane, most
        // lanes have distinct addresses. In local memory, equal addresses are different locations in each lane.
        let first = mask.trailing_zeros() as usize;
        let keys = if request.space == Space::Local { None } else { lower_halves(addresses) };
        let with_address = |lane: usize, mask: Mask| match &keys {
            Some(keys) => equal(keys, lane) & mask,
            None => 1 << lane,
        };
        let mut run = with_address(first, mask);
        let repeats = !run.is_power_of_two();
        // Word by word, so that each register is written in one pass.
        let mut loaded = [[0; LANES]; WORDS];
        let mut unwritten = Unwritten::default();
        let mut rest = mask;
        while rest != 0 {
            let mut words = Words::default();
            let missing = self.read(warp, request, run, &mut place, &mut words)?;
            if missing != 0 {
                unwritten.note(run, missing);
            }
            if request.strength.is_strong() && self.launch.program.has_fences {
                self.acquire(request, run, access.order);
            }
            for (loaded, word) in loaded[..bytes.div_ceil(4) as usize].iter_mut().zip(words) {
                lanes(run).for_each(|lane| loaded[lane] = word);
            }
            rest &= !run;
            let next = rest & rest.wrapping_neg();
            run = match repeats && rest != 0 {
                true => with_address(next.trailing_zeros() as usize, rest),
                false => next,
            };
        }
        scatter(&mut warp.registers, access, mask, &loaded);
        warp.note_loaded(request, access, &unwritten);
        Ok(())
    }

    /// A load with unread elements, which need not be in bounds if they are the last ones. Apart from that and from the
    /// alignment of the whole load, each element that is read is checked as if it were loaded alone.
    fn load_around_gaps(
        &mut self,
        warp: &mut Warp,
        request: &Request,
        access: &Access,
    ) -> Outcome<()> {
        let mut place = Place::default();
        let end = access.elements.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let bytes = access.bytes * end as u32;
        let up_to_end = Request { bytes, ..*request };
        for lane in lanes(request.mask) {
            request.check_alignment(lane)?;
            match request.space {
                Space::Global | Space::Const => {
                    self.place(&up_to_end, lane, &mut place)?;
                }
                Space::Shared => {
                    self.shared_place(&up_to_end, lane)?;
                }
                Space::Local => {
                    self.local_place(&up_to_end, lane)?;
                }
                _ => {}
            }
        }
        let mut unwritten = Unwritten::default();
        for (number, to) in access.elements.iter().enumerate() {
            let Some(to) = to else { continue };
            let start = number as u64 * u64::from(access.bytes);
            let addresses = request.addresses.map(|it| it.wrapping_add(start));
            let bytes = access.bytes;
            let part = Request { addresses: &addresses, bytes, ..*request };
            for lane in lanes(request.mask) {
                let mut words = Words::default();
                let missing = self.read(warp, &part, 1 << lane, &mut place, &mut words)?;
                if missing != 0 {
                    unwritten.note(1 << lane, missing << start);
                }
                let value = element(access, &words, 0);
                set_register(&mut warp.registers, *to, lane, value);
            }
        }
        warp.note_loaded(request, access, &unwritten);
        if request.strength.is_strong() && self.launch.program.has_fences {
            for lane in lanes(request.mask) {
                self.acquire(request, 1 << lane, access.order);
            }
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        warp: &mut Warp,
        access: &Access,
        active: Mask,
        pc: u32,
    ) -> Outcome<()> {
        let all = addresses(&warp.registers, access.base, access.offset);
        let strength = Strength::of(access);
        let _flags = self.lock_flags(access.space, strength, Use::Write);
        let bytes = access.total_bytes();
        let operation = Operation { warp: warp.index, pc, bytes, how: Use::Write, strength };
        by_space(access.space, &all, active, |space, addresses, mask| {
            let request = operation.at(space, addresses, mask);
            self.count(&request);
            if let Some(stretch) = self.stretch(&request) {
                return self.store_stretch(warp, &request, access, &stretch);
            }
            match bytes {
                4 => self.store_lanes(warp, &Request { bytes: 4, ..request }, access),
                8 => self.store_lanes(warp, &Request { bytes: 8, ..request }, access),
                16 => self.store_lanes(warp, &Request { bytes: 16, ..request }, access),
                _ => self.store_lanes(warp, &request, access),
            }
        })
    }

    #[inline(always)]
    fn store_lanes(&mut self, warp: &mut Warp, request: &Request, access: &Access) -> Outcome<()> {
        let mut place = Place::default();
        let undefined = warp.undefined_bytes(access, request.mask);
        let is_any = undefined.is_any();
        for lane in lanes(request.mask) {
            let words = gather(&warp.registers, access, lane);
            let undefined = if is_any { undefined.of(lane) } else { 0 };
            self.write(warp, request, lane, &mut place, (&words, undefined))?;
            if request.strength.is_strong() && self.launch.program.has_fences {
                self.release(request, lane, access.order, Writing::Replace);
            }
        }
        Ok(())
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
        let strength = match atomic.to {
            Some(_) => Strength::Update(atomic.scope),
            None => Strength::Strong(atomic.scope),
        };
        let _flags = self.lock_flags(atomic.space, strength, Use::Write);
        let operation = Operation { warp: warp.index, pc, bytes, how: Use::Write, strength };
        by_space(atomic.space, &all, active, |space, addresses, mask| {
            let request = operation.at(space, addresses, mask);
            self.count(&request);
            let is_global = space == Space::Global;
            let update = if is_global { atomic.global_update } else { atomic.update };
            let mut place = Place::default();
            for lane in lanes(mask) {
                request.check_alignment(lane)?;
                let operand = |i: usize| {
                    atomic.operands.get(i).map_or(0, |it| register(&warp.registers, *it, lane))
                };
                let (a, b) = (operand(0), operand(1));
                let of = |old| update(old, a, b);
                let is_undefined = warp.undefined.is_any() && warp.has_undefined(atomic, lane);
                let how = UpdateState { is_undefined, is_of_old: atomic.is_of_old };
                let (old, is_initialised) = match space {
                    Space::Shared => self.update_shared(warp, &request, lane, how, of)?,
                    Space::Global => self.update_global(&request, lane, &mut place, how, of)?,
                    _ => return request.stop(lane, self.outside(&request, lane)),
                };
                if self.launch.program.has_fences {
                    // `red` returns no value, so its thread cannot rely on one.
                    if atomic.to.is_some() {
                        self.acquire(&request, 1 << lane, atomic.order);
                    }
                    // A compare-and-swap whose comparison fails writes nothing.
                    if atomic.operands.len() == 1 || old == a {
                        self.release(&request, lane, atomic.order, Writing::Update);
                    }
                }
                if let Some(to) = atomic.to {
                    set_register(&mut warp.registers, to, lane, old);
                    if !is_initialised || warp.undefined.is_any() {
                        let bits = if is_initialised { 0 } else { u64::MAX };
                        warp.set_undefined(&request, to, lane, bits);
                    }
                }
            }
            Ok(())
        })
    }

    pub(super) fn count(&mut self, request: &Request) {
        let counters = &mut self.worker.counters;
        let Request { addresses, mask, bytes, .. } = request;
        match (request.space, request.how) {
            (Space::Global, Use::Read) => counters.global_loads.note(addresses, *mask, *bytes),
            (Space::Global, Use::Write) => counters.global_stores.note(addresses, *mask, *bytes),
            (Space::Shared, Use::Read) => counters.shared_loads.note(addresses, *mask, *bytes),
            (Space::Shared, Use::Write) => counters.shared_stores.note(addresses, *mask, *bytes),
            _ => {}
        }
    }

    /// Reads for lanes that have the same address. Returns the bytes that nothing has written.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        warp: &Warp,
        request: &Request,
        run: Mask,
        place: &mut Place<'a>,
        words: &mut Words,
    ) -> Outcome<ByteMask> {
        let lane = run.trailing_zeros() as usize;
        request.check_alignment(lane)?;
        let bytes = request.bytes;
        let missing = match request.space {
            Space::Global | Space::Const => {
                let offset = self.place(request, lane, place)?;
                let Some(allocation) = place.allocation else { return Ok(0) };
                match allocation.holds_all(offset, bytes) {
                    true => self.note_global(request, run, place, offset, None)?,
                    false => {
                        let bytes = allocation.rest(offset);
                        self.note_global(&Request { bytes, ..*request }, run, place, offset, None)?;
                    }
                }
                let _guard =
                    (request.strength.is_strong() && bytes == 8).then(|| allocation.lock());
                match allocation.load(offset, bytes, words) {
                    true => 0,
                    false => allocation.undefined(offset, bytes),
                }
            }
            Space::Shared => {
                let offset = self.shared_place(request, lane)?;
                let range = offset..offset + bytes as usize;
                let state = &self.worker.shared.state[range.clone()];
                let is_initialised = are_all(state, INITIALISED);
                if !is_initialised && state.iter().any(|it| it & PENDING != 0) {
                    return self.pending(warp, request, lane);
                }
                self.note_shared(request, run, offset, None)?;
                fill(words, &self.worker.shared.bytes[range]);
                match is_initialised {
                    true => 0,
                    false => self.undefined_shared((offset, bytes)),
                }
            }
            Space::Local | Space::Param | Space::Generic => {
                self.read_own(warp, request, lane, words)?
            }
        };
        Ok(missing)
    }

    /// Reads memory that is private to a thread or constant. Returns the bytes that nothing has written.
    #[inline(never)]
    fn read_own(
        &self,
        warp: &Warp,
        request: &Request,
        lane: usize,
        words: &mut Words,
    ) -> Outcome<ByteMask> {
        if request.space == Space::Local {
            let range = self.local_place(request, lane)?;
            fill(words, &warp.local[range.clone()]);
            let state = warp.local_is_initialised[range].iter().enumerate();
            return Ok(state.fold(0, |mask, (i, it)| mask | u32::from(!*it) << i));
        }
        let (start, bytes) = (request.addresses[lane], u64::from(request.bytes));
        let end = start.saturating_add(bytes);
        if end > self.launch.parameters.len() as u64 {
            return request.stop(lane, self.outside(request, lane));
        }
        fill(words, &self.launch.parameters[start as usize..end as usize]);
        Ok(0)
    }

    /// Writes a value of which some bytes may be undefined.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        warp: &mut Warp,
        request: &Request,
        lane: usize,
        place: &mut Place<'a>,
        stored: (&Words, ByteMask),
    ) -> Outcome<()> {
        let (words, undefined) = stored;
        request.check_alignment(lane)?;
        let bytes = request.bytes;
        match request.space {
            Space::Global => {
                let offset = self.place(request, lane, place)?;
                let Some(allocation) = place.allocation else { return Ok(()) };
                if allocation.is_constant {
                    return request.stop(lane, FaultKind::ReadOnly { range: request.range(lane) });
                }
                self.note_global(request, 1 << lane, place, offset, Some(stored))?;
                let _guard =
                    (request.strength.is_strong() && bytes == 8).then(|| allocation.lock());
                allocation.store(offset, bytes, words);
                if undefined != 0 {
                    allocation.set_undefined(offset, undefined);
                }
            }
            Space::Shared => {
                let offset = self.shared_place(request, lane)?;
                let range = offset..offset + bytes as usize;
                let state = &self.worker.shared.state[range.clone()];
                if !are_all(state, INITIALISED) && state.iter().any(|it| it & PENDING != 0) {
                    return self.pending(warp, request, lane);
                }
                self.note_shared(request, 1 << lane, offset, Some(stored))?;
                empty(words, &mut self.worker.shared.bytes[range.clone()]);
                let state = &mut self.worker.shared.state[range];
                state.fill(INITIALISED);
                if undefined != 0 {
                    clear(state, undefined);
                }
            }
            Space::Local => {
                let range = self.local_place(request, lane)?;
                empty(words, &mut warp.local[range.clone()]);
                let state = &mut warp.local_is_initialised[range];
                state.fill(true);
                bytes_of(undefined).for_each(|it| state[it] = false);
            }
            _ => return request.stop(lane, FaultKind::ReadOnly { range: request.range(lane) }),
        }
        Ok(())
    }

    /// The offset of an access in its allocation of global memory. `place` is mostly still right: the allocation is
    /// usually that of the previous lane.
    #[inline(always)]
    fn place(&self, request: &Request, lane: usize, place: &mut Place<'a>) -> Outcome<usize> {
        let address = request.addresses[lane];
        if let Some(allocation) = place.allocation
            && let Some(offset) = allocation.offset(address, request.bytes - request.slack)
        {
            return Ok(offset);
        }
        let memory: &'a Memory = self.launch.memory;
        let found = memory.find(address).and_then(|number| {
            let allocation = &memory.allocations()[number];
            let is_right = request.space != Space::Const || allocation.is_constant;
            let offset =
                allocation.offset(address, request.bytes - request.slack).filter(|_| is_right)?;
            Some((number, allocation, offset))
        });
        match found {
            Some((number, allocation, offset)) => {
                *place = Place { number, allocation: Some(allocation) };
                Ok(offset)
            }
            None => request.stop(lane, self.outside(request, lane)),
        }
    }

    #[inline(always)]
    pub(super) fn shared_place(&self, request: &Request, lane: usize) -> Outcome<usize> {
        let size = self.launch.shared_bytes as usize;
        match shared_offset(request.addresses[lane], request.bytes - request.slack, size) {
            Some(offset) => Ok(offset),
            None => request.stop(lane, self.outside(request, lane)),
        }
    }

    /// The range of an access in the local memory of the warp.
    fn local_place(&self, request: &Request, lane: usize) -> Outcome<std::ops::Range<usize>> {
        let size = u64::from(self.launch.program.local_bytes);
        let address = request.addresses[lane];
        if address.saturating_add(u64::from(request.bytes)) > size {
            return request.stop(lane, self.outside(request, lane));
        }
        let start = lane * self.launch.program.local_stride as usize + address as usize;
        Ok(start..start + request.bytes as usize)
    }

    /// Updates a value; returns the old value, and whether it was initialised.
    fn update_shared(
        &mut self,
        warp: &Warp,
        request: &Request,
        lane: usize,
        how: UpdateState,
        of: impl Fn(u64) -> u64,
    ) -> Outcome<(u64, bool)> {
        let offset = self.shared_place(request, lane)?;
        let range = offset..offset + request.bytes as usize;
        let state = &self.worker.shared.state[range.clone()];
        if state.iter().any(|it| it & PENDING != 0) {
            return self.pending(warp, request, lane);
        }
        let is_initialised = state.iter().all(|it| it & INITIALISED != 0);
        self.note_shared(request, 1 << lane, offset, None)?;
        let after = if how.is_defined(is_initialised) { INITIALISED } else { 0 };
        self.worker.shared.state[range.clone()].fill(after);
        let mut words = Words::default();
        let bytes = &mut self.worker.shared.bytes[range];
        fill(&mut words, bytes);
        let old = u64::from(words[1]) << 32 | u64::from(words[0]);
        let new = of(old);
        (words[0], words[1]) = (new as u32, (new >> 32) as u32);
        empty(&words, bytes);
        Ok((old, is_initialised))
    }

    /// Like [`Self::update_shared`].
    fn update_global(
        &mut self,
        request: &Request,
        lane: usize,
        place: &mut Place<'a>,
        how: UpdateState,
        of: impl Fn(u64) -> u64,
    ) -> Outcome<(u64, bool)> {
        let offset = self.place(request, lane, place)?;
        let Some(allocation) = place.allocation else { return Ok((0, true)) };
        if allocation.is_constant {
            return request.stop(lane, FaultKind::ReadOnly { range: request.range(lane) });
        }
        self.note_global(request, 1 << lane, place, offset, None)?;
        Ok(allocation.update(offset, request.bytes, how, of))
    }
}

/// Makes bytes of shared memory undefined.
#[cold]
pub(super) fn clear(state: &mut [u8], undefined: ByteMask) {
    bytes_of(undefined).for_each(|it| state[it] = 0);
}

/// The numbers of the bytes of a mask.
pub(super) fn bytes_of(mask: ByteMask) -> impl Iterator<Item = usize> {
    lanes(mask)
}

/// The lower halves of addresses if all have the same upper half; these are faster to compare.
#[inline(always)]
fn lower_halves(addresses: &[u64; LANES]) -> Option<[u32; LANES]> {
    let differences = addresses.iter().fold(0, |bits, it| bits | (it ^ addresses[0]));
    (differences >> 32 == 0).then(|| addresses.map(|it| it as u32))
}

/// The lanes whose value equals that of the given lane.
#[inline(always)]
fn equal(values: &[u32; LANES], lane: usize) -> Mask {
    let mut same = 0;
    for (other, value) in values.iter().enumerate() {
        same |= u32::from(*value == values[lane]) << other;
    }
    same
}

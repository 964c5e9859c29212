//! Fast path for accesses whose lanes reach consecutive addresses in global memory, as in most accesses: facts that
//! hold for all lanes are looked up once.

use super::request::{Request, Strength};
use super::undefined::Unwritten;
use super::word::{gather, scatter};
use super::{Block, Outcome, PAGE, Worker};
use crate::memory::{Allocation, WORDS, Words};
use crate::program::Access;
use crate::registers::{LANES, Mask};
use crate::syntax::Space;
use crate::warp::Warp;

/// The consecutive memory that the first lanes of a warp access.
pub struct Stretch<'a> {
    place: (usize, &'a Allocation),
    offset: usize,
    lanes: usize,
}

impl<'a> Block<'a> {
    /// `None` if the lanes must be handled one by one, for example because an access is faulty.
    #[inline(always)]
    pub(super) fn stretch(&self, request: &Request) -> Option<Stretch<'a>> {
        let is_weak = matches!(request.strength, Strength::Weak | Strength::Constant);
        if request.space == Space::Global && is_weak { self.weak_stretch(request) } else { None }
    }

    fn weak_stretch(&self, request: &Request) -> Option<Stretch<'a>> {
        let Request { addresses, mask, bytes, .. } = *request;
        let lanes = mask.trailing_ones();
        let start = addresses[0];
        let are_first = mask == Mask::MAX >> (LANES as u32 - lanes.max(1));
        let is_aligned = start & (u64::from(bytes) - 1) == 0;
        if !are_first || !is_aligned {
            return None;
        }
        let expected = |lane: usize| start.wrapping_add(lane as u64 * u64::from(bytes));
        let differs = |lane: usize| match lane < lanes as usize {
            true => addresses[lane] ^ expected(lane),
            false => 0,
        };
        if (0..LANES).fold(0, |all, lane| all | differs(lane)) != 0 {
            return None;
        }
        let memory = self.launch.memory;
        let number = memory.find(start)?;
        let allocation = &*memory.allocations()[number];
        let offset = allocation.offset(start, lanes * bytes)?;
        let shift = self.launch.program.granules.global_log2;
        let cells = (lanes * bytes) as usize >> shift;
        let is_in_page = (offset >> shift) % PAGE + cells <= PAGE;
        let is_noted = !allocation.is_constant && is_in_page;
        let place = (number, allocation);
        is_noted.then_some(Stretch { place, offset, lanes: lanes as usize })
    }

    pub(super) fn load_stretch(
        &mut self,
        warp: &mut Warp,
        request: &Request,
        access: &Access,
        stretch: &Stretch,
    ) -> Outcome<()> {
        self.note_stretch(request, stretch)?;
        let mut loaded = [[0; LANES]; WORDS];
        let unwritten = match request.bytes {
            4 => stretch.load(4, &mut loaded),
            16 => stretch.load(16, &mut loaded),
            bytes => stretch.load(bytes, &mut loaded),
        };
        scatter(&mut warp.registers, access, request.mask, &loaded);
        warp.note_loaded(request, access, &unwritten);
        Ok(())
    }

    pub(super) fn store_stretch(
        &mut self,
        warp: &Warp,
        request: &Request,
        access: &Access,
        stretch: &Stretch,
    ) -> Outcome<()> {
        self.note_stretch(request, stretch)?;
        let stored = |lane| gather(&warp.registers, access, lane);
        match request.bytes {
            4 => stretch.store(4, stored),
            16 => stretch.store(16, stored),
            bytes => stretch.store(bytes, stored),
        }
        let undefined = warp.undefined_bytes(access, request.mask);
        if undefined.is_any() {
            for lane in 0..stretch.lanes {
                let offset = stretch.offset + lane * request.bytes as usize;
                stretch.place.1.set_undefined(offset, undefined.of(lane));
            }
        }
        Ok(())
    }

    /// Race checks. No two lanes share a cell, so their values need no comparison.
    #[inline(always)]
    fn note_stretch(&mut self, request: &Request, stretch: &Stretch) -> Outcome<()> {
        let Stretch { place, offset, lanes } = *stretch;
        let bytes = request.bytes as usize;
        let shift = self.launch.program.granules.global_log2;
        let (first, count) = (offset >> shift, bytes >> shift);
        let Worker { clocks, global_cells, .. } = &mut *self.worker;
        let cells = global_cells.cells(place, shift, (first, count * lanes));
        for (lane, cells) in cells.chunks_exact_mut(count).enumerate() {
            if let Err(conflict) = clocks.note(cells, request.by(lane), 1 << lane, || false) {
                return self.race(request, conflict);
            }
        }
        let Some(shadow) = &self.launch.grid_shadow else { return Ok(()) };
        for lane in 0..lanes {
            let by = request.by_block(lane, self.number);
            let cells = (first + lane * count, count);
            if let Err(conflict) = shadow.note(place, cells, by, &self.known, &self.worker.clocks) {
                return self.race_of_blocks(request, lane, conflict);
            }
        }
        Ok(())
    }
}

impl Stretch<'_> {
    /// Loads word by word. Returns the bytes that nothing has written.
    #[inline(always)]
    fn load(&self, bytes: u32, loaded: &mut [[u32; LANES]; WORDS]) -> Unwritten {
        let mut unwritten = Unwritten::default();
        for lane in 0..self.lanes {
            let mut words = Words::default();
            let offset = self.offset + lane * bytes as usize;
            let is_initialised = self.place.1.load(offset, bytes, &mut words);
            for (loaded, word) in loaded[..bytes.div_ceil(4) as usize].iter_mut().zip(words) {
                loaded[lane] = word;
            }
            if !is_initialised {
                unwritten.note(1 << lane, self.place.1.undefined(offset, bytes));
            }
        }
        unwritten
    }

    #[inline(always)]
    fn store(&self, bytes: u32, stored: impl Fn(usize) -> Words) {
        for lane in 0..self.lanes {
            self.place.1.store(self.offset + lane * bytes as usize, bytes, &stored(lane));
        }
    }
}

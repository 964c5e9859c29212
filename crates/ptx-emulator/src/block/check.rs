//! Checks of accesses: races, copies that are pending, and what to say of addresses where nothing is.

use super::request::{Place, Request};
use super::{Block, Outcome, PAGE, PageUse, Pages};
use crate::decode::SHARED_START;
use crate::fault::{FaultKind, Use};
use crate::memory::{Allocation, window};
use crate::race::grid::{self, GridConflict};
use crate::race::{Cell, Conflict};
use crate::registers::{LANES, Mask};
use crate::syntax::Space;
use crate::warp::{PendingCopy, Warp};

impl<'a> Block<'a> {
    #[cold]
    pub(super) fn outside(&self, request: &Request, lane: usize) -> FaultKind {
        let range = request.range(lane);
        let memory = self.launch.memory;
        let near = match request.space {
            Space::Const
                if memory
                    .find(range.address)
                    .is_some_and(|it| !memory.allocations()[it].is_constant) =>
            {
                "in global memory".into()
            }
            Space::Global | Space::Const | Space::Generic => memory.near(range.address),
            Space::Shared => {
                let size = self.worker.shared.bytes.len();
                let lacks = self.launch.program.has_dynamic_shared
                    && self.launch.config.dynamic_shared == 0;
                let advice =
                    if lacks { "; the launch gives it no dynamic shared memory" } else { "" };
                format!("the block has {size} bytes at {SHARED_START:#x}{advice}")
            }
            Space::Local => format!("the thread has {} bytes", self.launch.program.local_bytes),
            Space::Param => format!("the parameters have {} bytes", self.launch.parameters.len()),
        };
        FaultKind::OutOfBounds { how: request.how, range, near }
    }

    /// Race checks of an access to global memory: in the block, and among blocks.
    #[inline(always)]
    pub(super) fn note_global(
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
        let shift = self.launch.program.granules.global_log2;
        // Single bytes that a copy reads are less than a cell, which all writes fill.
        let (first, count) = (offset >> shift, (request.bytes as usize >> shift).max(1));
        let lane = run.trailing_zeros() as usize;
        let by = request.by(lane);
        let clocks = &mut self.worker.clocks;
        let cells =
            self.worker.global_cells.cells((place.number, allocation), shift, (first, count));
        let found = clocks.note(cells, request.how, by, run, is_same);
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
        let shift = self.launch.program.granules.shared_log2;
        let (first, count) = (offset >> shift, request.bytes as usize >> shift);
        let lane = run.trailing_zeros() as usize;
        let by = request.by(lane);
        let clocks = &mut self.worker.clocks;
        let cells = &mut self.worker.shared.cells[first..first + count];
        let found = clocks.note(cells, request.how, by, run, is_same);
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
        request.addresses[lane].wrapping_add(start)
    }

    pub(super) fn release(&mut self, request: &Request, lane: usize, is_fenced: bool) {
        let key = Self::key(request, lane);
        self.worker.clocks.release(request.warp, key, is_fenced);
        if let (Some(shadow), Space::Global) = (&self.launch.grid_shadow, request.space) {
            shadow.release(key, self.number, &self.known, is_fenced);
        }
    }

    pub(super) fn acquire(&mut self, request: &Request, lane: usize, is_fenced: bool) {
        let key = Self::key(request, lane);
        self.worker.clocks.acquire(request.warp, key, is_fenced);
        if let (Some(shadow), Space::Global) = (&self.launch.grid_shadow, request.space) {
            shadow.acquire(key, &mut self.known, is_fenced);
        }
    }
}

impl Pages {
    /// Starts a block. What others have noted counts for nothing by its ticks.
    pub(super) fn start(&mut self) {
        (self.used, self.block) = (0, self.block + 1);
    }

    #[inline(always)]
    fn cells(
        &mut self,
        (number, allocation): (usize, &Allocation),
        granule_log2: u32,
        (first, count): (usize, usize),
    ) -> &mut [Cell] {
        let entry = self.tables.get(number).and_then(|it| it.get(first / PAGE));
        let page = match entry {
            Some(PageUse { block, page }) if *block == self.block => *page,
            _ => self.page((number, allocation), granule_log2, first),
        };
        let at = page as usize * PAGE + first % PAGE;
        &mut self.cells[at..at + count]
    }

    /// A page that the block has not used before.
    #[cold]
    fn page(
        &mut self,
        (number, allocation): (usize, &Allocation),
        granule_log2: u32,
        first: usize,
    ) -> u32 {
        if self.tables.len() <= number {
            self.tables.resize_with(number + 1, Vec::new);
        }
        let table = &mut self.tables[number];
        if table.is_empty() {
            let cells = (allocation.bytes as usize >> granule_log2) + 1;
            table.resize(cells.div_ceil(PAGE), PageUse::default());
        }
        let page = self.used;
        table[first / PAGE] = PageUse { block: self.block, page };
        self.used += 1;
        let cells = self.used as usize * PAGE;
        if self.cells.len() < cells {
            self.cells.resize(cells, Cell::default());
        }
        page
    }
}

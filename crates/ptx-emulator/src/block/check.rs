//! Checks of accesses: races, pending copies, and the message for an address outside every allocation.

use super::request::{Place, Request, Strength};
use super::undefined::undefined_bytes;
use super::word::fill;
use super::{Block, Outcome, PAGE, PageUse, Pages, Worker};
use crate::decode::SHARED_START;
use crate::fault::{FaultKind, Use};
use crate::launch::Launch;
use crate::memory::{Allocation, ByteMask, Words, window};
use crate::program::{Order, Scope};
use crate::race::grid::{FlagGuard, GridConflict};
use crate::race::{Cell, Conflict, Writing};
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
                let size = self.launch.shared_bytes;
                let lacks = self.launch.program.has_dynamic_shared
                    && self.launch.config.dynamic_shared == 0;
                let advice =
                    if lacks { "; the launch requests no dynamic shared memory" } else { "" };
                format!("the block has {size} bytes at {SHARED_START:#x}{advice}")
            }
            Space::Local => format!("the thread has {} bytes", self.launch.program.local_bytes),
            Space::Param => format!("the parameters have {} bytes", self.launch.parameters.len()),
        };
        FaultKind::OutOfBounds { how: request.how, range, near }
    }

    /// Race checks of an access to global memory, within the block and between blocks. `stored` is the value that a
    /// store writes, and its undefined bytes.
    #[inline(always)]
    pub(super) fn note_global(
        &mut self,
        request: &Request,
        run: Mask,
        place: &Place<'a>,
        offset: usize,
        stored: Option<(&Words, ByteMask)>,
    ) -> Outcome<()> {
        let Some(allocation) = place.allocation else { return Ok(()) };
        if allocation.is_constant {
            return Ok(());
        }
        let shift = self.launch.program.granules.global_log2;
        // A copy may read single bytes, which are less than a cell; all writes cover whole cells.
        let (first, count) = (offset >> shift, (request.bytes as usize >> shift).max(1));
        let lane = run.trailing_zeros() as usize;
        let by = request.by(lane);
        let clocks = &mut self.worker.clocks;
        let place = (place.number, allocation);
        let cells = self.worker.global_cells.cells(place, shift, (first, count));
        let is_same = || {
            stored.is_some_and(|(value, undefined)| {
                allocation.holds(offset, request.bytes, value, undefined)
            })
        };
        let found = clocks.note(cells, by, run, is_same);
        if let Err(conflict) = found {
            return self.race(request, conflict);
        }
        let Some(shadow) = &self.launch.grid_shadow else { return Ok(()) };
        let by = request.by_block(lane, self.number);
        let noted = shadow.note(place, (first, count), by, &self.known, &self.worker.clocks);
        match noted {
            Ok(()) => Ok(()),
            Err(conflict) => self.race_of_blocks(request, lane, conflict),
        }
    }

    /// Like [`Self::note_global`].
    #[inline(always)]
    pub(super) fn note_shared(
        &mut self,
        request: &Request,
        run: Mask,
        offset: usize,
        stored: Option<(&Words, ByteMask)>,
    ) -> Outcome<()> {
        let shift = self.launch.program.granules.shared_log2;
        let (first, count) = (offset >> shift, request.bytes as usize >> shift);
        let lane = run.trailing_zeros() as usize;
        let by = request.by(lane);
        let Worker { clocks, shared, .. } = &mut *self.worker;
        let cells = &mut shared.cells[first..first + count];
        let (bytes, state) = (&shared.bytes, &shared.state);
        let place = (offset, request.bytes);
        let is_same = || stored.is_some_and(|it| holds(bytes, state, place, it));
        let found = clocks.note(cells, by, run, is_same);
        match found {
            Ok(()) => Ok(()),
            Err(conflict) => self.race(request, conflict),
        }
    }

    #[cold]
    pub(super) fn race(&self, request: &Request, conflict: Conflict) -> Outcome<()> {
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
    pub(super) fn race_of_blocks(
        &self,
        request: &Request,
        lane: usize,
        conflict: GridConflict,
    ) -> Outcome<()> {
        let (how, range) = (request.how, request.range(lane));
        let kind = match conflict {
            GridConflict::Race { block, is_write } => FaultKind::RaceOfBlocks {
                how,
                range,
                other_how: if is_write { Use::Write } else { Use::Read },
                other: block.map(|it| self.launch.block(it)),
            },
            GridConflict::NotConstant => FaultKind::NotConstant { how, range },
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

    /// The key of a synchronising access: its address, with shared memory addresses made distinct.
    fn key(request: &Request, lane: usize) -> u64 {
        let start = if request.space == Space::Shared { window::SHARED } else { 0 };
        request.addresses[lane].wrapping_add(start)
    }

    /// Locks that are held while a strong access is made and recorded, so that no other block sees one without the
    /// other.
    pub(super) fn lock_flags(
        &self,
        space: Space,
        strength: Strength,
        how: Use,
    ) -> Option<FlagGuard<'a>> {
        let launch: &'a Launch = self.launch;
        let shadow = launch.grid_shadow.as_ref()?;
        let is_in_reach = matches!(space, Space::Global | Space::Generic);
        let is_flag = is_in_reach && strength.reaches_device() && launch.program.has_fences;
        is_flag.then(|| shadow.lock_flags(how))
    }

    /// Records what a strong write, which has been made, hands over to threads that read it.
    pub(super) fn release(
        &mut self,
        request: &Request,
        lane: usize,
        order: Order,
        writing: Writing,
    ) {
        let (key, thread) = (Self::key(request, lane), request.thread(lane) as u16);
        let clocks = &mut self.worker.clocks;
        match order.releases() {
            true => clocks.release(thread, key, writing),
            false => clocks.write_flag(thread, key, writing),
        }
        if let (Some(shadow), true) = (&self.launch.grid_shadow, request.is_of_device()) {
            let ready = match order.releases() {
                true => Some(clocks.known(thread)),
                false => clocks.ready(thread, Scope::Device),
            };
            shadow.write_flag(key, (self.number, thread), ready, &self.known, writing);
        }
    }

    /// Records what lanes acquire that have read one address strongly.
    pub(super) fn acquire(&mut self, request: &Request, run: Mask, order: Order) {
        let key = Self::key(request, run.trailing_zeros() as usize);
        let clocks = &mut self.worker.clocks;
        match order.acquires() {
            true => clocks.acquire(request.warp, run, key),
            false => clocks.read_flag(request.warp, run, key),
        }
        if let (Some(shadow), true) = (&self.launch.grid_shadow, request.is_of_device()) {
            let by = (request.warp as u16, run);
            if let Some(taken) = shadow.taken(key) {
                self.known.observe(by, key, taken, clocks);
            }
            if order.acquires() {
                self.known.acquire(by, Some(key), clocks);
            }
        }
    }

    pub(super) fn fence(&mut self, warp: usize, active: Mask, scope: Scope) {
        // What it acquires of other blocks is also ready to be handed over.
        if scope == Scope::Device {
            self.known.acquire((warp as u16, active), None, &self.worker.clocks);
        }
        self.worker.clocks.fence(warp, active, scope);
    }
}

/// True if shared memory holds a value of which some bytes are undefined.
#[cold]
fn holds(
    bytes: &[u8],
    state: &[u8],
    (offset, count): (usize, u32),
    (value, undefined): (&Words, ByteMask),
) -> bool {
    let range = offset..offset + count as usize;
    let mut found = Words::default();
    fill(&mut found, &bytes[range.clone()]);
    found == *value && undefined_bytes(&state[range]) == undefined
}

impl Pages {
    /// Starts a block. Records of other blocks are ignored, because their ticks are too old.
    pub(super) fn start(&mut self) {
        (self.used, self.block) = (0, self.block + 1);
    }

    #[inline(always)]
    pub(super) fn cells(
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

    /// Allocates a page that the block has not used before.
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

//! Races between the threads of a block: two accesses to a cell, at least one of them a write, that no
//! synchronisation orders.
//!
//! It is FastTrack (Flanagan and Freund, 2009) with warps in the place of threads. A *tick* counts the
//! synchronisations of a block. A cell keeps its last write and the reads since then, with their ticks. A warp
//! keeps, for each other warp, the tick before which that warp's accesses happened before its own next ones.
//! Lanes of one warp are ordered by what they run together: `bar.warp.sync`, shuffles, votes. (The manual promises
//! an order of memory only for the first; programs rely on all.)
//!
//! Nothing that is ordered is reported. Not seen are races between lanes of a warp that part of the warp has
//! synchronised since, if another lane reads the same cell.

pub mod grid;

use crate::fault::Use;
use crate::registers::{LANES, Mask};

/// A cell is as large as the narrowest access of the kernel to its space.
#[derive(Clone, Copy, Default)]
pub struct Cell {
    write_tick: u32,
    read_tick: u32,
    write_pc: u32,
    read_pc: u32,
    write_thread: u16,
    /// Whose lanes have read since then.
    read_warp: u16,
    /// Those lanes, or where the readers of several warps stand.
    readers: u32,
}

/// In `write_thread`: the write was atomic.
const ATOMIC: u16 = 1 << 15;

/// In `read_warp`: lanes of several warps.
const MANY: u16 = u16::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Whose access is in conflict with that of `thread`.
    pub own: u16,
    pub thread: u16,
    pub pc: u32,
    pub is_write: bool,
}

/// Who accesses a cell, and where.
#[derive(Clone, Copy)]
pub struct Accessor {
    /// Warp times 32 plus lane.
    pub thread: u16,
    pub pc: u32,
    /// It does not conflict with others of the kind.
    pub is_atomic: bool,
}

/// What is known of the order of the accesses of a block.
#[derive(Default)]
pub struct Clocks {
    tick: u32,
    /// All accesses before this tick happened before all later ones.
    base: u32,
    warps: Vec<WarpClock>,
    /// The reads of cells that several threads read: a tick and lanes for each warp.
    readers: Vec<(u32, Mask)>,
    /// For each address that atomics use: what a thread that reads it may rely on.
    released: std::collections::HashMap<u64, Vec<u32>>,
}

#[derive(Clone, Default)]
struct WarpClock {
    /// Accesses of other warps before these ticks happened before ours.
    seen: Vec<u32>,
    /// Accesses of this warp's lanes before this tick happened before those of all its lanes.
    together: u32,
    /// The same for pairs of lanes, where less than all have met.
    pairs: Option<Box<[[u32; LANES]; LANES]>>,
    /// The tick of the last fence, and what the atomics before it have read.
    fenced: u32,
    observed: Vec<u32>,
}

impl Clocks {
    /// Starts a block. Cells that other blocks have used are as good as new.
    pub fn start(&mut self, warps: usize) {
        self.everything_ordered();
        let fresh = WarpClock { seen: vec![0; warps], ..WarpClock::default() };
        self.warps.clear();
        self.warps.resize(warps, fresh);
        self.released.clear();
    }

    /// Whether cells must be cleared, since ticks will run out.
    pub fn is_worn(&self) -> bool {
        self.tick > 1 << 31
    }

    /// A barrier of the whole block.
    pub fn everything_ordered(&mut self) {
        self.tick += 1;
        self.base = self.tick;
        self.readers.clear();
    }

    /// Lanes of a warp have met; `live` are all that have not exited.
    pub fn lanes_met(&mut self, warp: usize, mask: Mask, live: Mask) {
        self.tick += 1;
        let clock = &mut self.warps[warp];
        if mask == live {
            clock.together = self.tick;
            return;
        }
        let pairs = clock.pairs.get_or_insert_with(|| Box::new([[0; LANES]; LANES]));
        let mut joined = [0; LANES];
        for lane in crate::registers::lanes(mask) {
            for (known, own) in joined.iter_mut().zip(&pairs[lane]) {
                *known = (*known).max(*own);
            }
        }
        crate::registers::lanes(mask).for_each(|lane| joined[lane] = self.tick);
        crate::registers::lanes(mask).for_each(|lane| pairs[lane] = joined);
    }

    /// A warp comes to a barrier, where others have left what they know.
    pub fn arrive(&mut self, warp: usize, known: &mut Vec<u32>) {
        self.tick += 1;
        let clock = &mut self.warps[warp];
        clock.together = self.tick;
        join(known, &clock.seen);
        known[warp] = known[warp].max(self.tick);
    }

    /// A warp leaves a barrier.
    pub fn leave(&mut self, warp: usize, known: &[u32]) {
        join(&mut self.warps[warp].seen, known);
    }

    pub fn fence(&mut self, warp: usize) {
        self.tick += 1;
        let clock = &mut self.warps[warp];
        clock.fenced = self.tick;
        let observed = std::mem::take(&mut clock.observed);
        clock.learn(warp, &observed);
    }

    /// An atomic or strong write: what stands before the last fence becomes visible to those who read it.
    pub fn release(&mut self, warp: usize, address: u64, is_fenced: bool) {
        if is_fenced {
            self.tick += 1;
            self.warps[warp].fenced = self.tick;
        }
        let clock = &self.warps[warp];
        if clock.fenced == 0 {
            return;
        }
        let known = self.released.entry(address).or_default();
        join(known, &clock.seen);
        known[warp] = known[warp].max(clock.fenced);
    }

    /// An atomic or strong read.
    pub fn acquire(&mut self, warp: usize, address: u64, is_fenced: bool) {
        let Some(known) = self.released.get(&address) else { return };
        let clock = &mut self.warps[warp];
        join(&mut clock.observed, known);
        if is_fenced {
            let observed = std::mem::take(&mut clock.observed);
            clock.learn(warp, &observed);
        }
    }

    #[inline(always)]
    fn is_before(&self, thread: u16, tick: u32, now: u16) -> bool {
        tick < self.base || thread == now || self.is_synchronised(thread, tick, now)
    }

    fn is_synchronised(&self, thread: u16, tick: u32, now: u16) -> bool {
        let [warp, own] = [thread, now].map(|it| usize::from(it) / LANES);
        let clock = &self.warps[own];
        if warp != own {
            return tick < clock.seen[warp];
        }
        let [lane, own_lane] = [thread, now].map(|it| usize::from(it) % LANES);
        tick < clock.together || clock.pairs.as_ref().is_some_and(|it| tick < it[own_lane][lane])
    }

    /// Notes a use of cells by the lanes of a mask, of which `by` is the first; those that write are alone.
    #[inline(always)]
    pub fn note(
        &mut self,
        cells: &mut [Cell],
        how: Use,
        by: Accessor,
        mask: Mask,
        is_same: bool,
    ) -> Result<(), Conflict> {
        for cell in cells {
            match how {
                Use::Read => self.read_by_lanes(cell, by, mask)?,
                Use::Write => self.write(cell, by, is_same)?,
            }
        }
        Ok(())
    }

    /// Notes a read.
    #[inline(always)]
    pub fn read(&mut self, cell: &mut Cell, by: Accessor) -> Result<(), Conflict> {
        let writer = cell.write_thread & !ATOMIC;
        if cell.write_tick >= self.base && !self.is_before(writer, cell.write_tick, by.thread) {
            let is_atomic = cell.write_thread & ATOMIC != 0 && by.is_atomic;
            if !is_atomic {
                return Err(Conflict {
                    own: by.thread,
                    thread: writer,
                    pc: cell.write_pc,
                    is_write: true,
                });
            }
        }
        if by.is_atomic {
            // Not noted: later atomics do not conflict with it.
            return Ok(());
        }
        self.note_readers(cell, by, 1 << (by.thread % LANES as u16));
        Ok(())
    }

    /// Notes a read of several lanes of a warp by one instruction; `by` is the first of them.
    #[inline(always)]
    pub fn read_by_lanes(
        &mut self,
        cell: &mut Cell,
        by: Accessor,
        mask: Mask,
    ) -> Result<(), Conflict> {
        if mask.is_power_of_two() || by.is_atomic || cell.write_tick >= self.base {
            let warp = by.thread / LANES as u16 * LANES as u16;
            let threads = crate::registers::lanes(mask).map(|lane| warp + lane as u16);
            for thread in threads {
                self.read(cell, Accessor { thread, ..by })?;
            }
            return Ok(());
        }
        self.note_readers(cell, by, mask);
        Ok(())
    }

    #[inline(always)]
    fn note_readers(&mut self, cell: &mut Cell, by: Accessor, mask: Mask) {
        let warp = by.thread / LANES as u16;
        cell.read_pc = by.pc;
        let is_first = cell.read_tick < self.base;
        if is_first || cell.read_warp == warp {
            let is_alone = is_first
                || cell.readers == mask
                || cell.read_tick < self.warps[usize::from(warp)].together
                || self.is_behind_readers(cell, by, mask);
            match is_alone {
                // The warp's earlier reads come before this one, so it stands for them.
                true => (cell.read_tick, cell.read_warp, cell.readers) = (self.tick, warp, mask),
                false => cell.readers |= mask,
            }
            return;
        }
        self.read_by_many(cell, by, mask);
    }

    /// Whether a lane comes behind all lanes of its warp that have read.
    fn is_behind_readers(&self, cell: &Cell, by: Accessor, mask: Mask) -> bool {
        let warp = by.thread / LANES as u16;
        let mut readers =
            crate::registers::lanes(cell.readers).map(|it| warp * LANES as u16 + it as u16);
        mask.is_power_of_two()
            && self.warps[usize::from(warp)].pairs.is_some()
            && readers.all(|reader| self.is_before(reader, cell.read_tick, by.thread))
    }

    fn read_by_many(&mut self, cell: &mut Cell, by: Accessor, mask: Mask) {
        let warp = usize::from(by.thread) / LANES;
        if cell.read_warp != MANY {
            let other = usize::from(cell.read_warp);
            if cell.read_tick < self.warps[warp].seen[other] {
                (cell.read_tick, cell.read_warp, cell.readers) = (self.tick, warp as u16, mask);
                return;
            }
            let lanes = cell.readers;
            cell.readers = self.readers.len() as u32;
            self.readers.resize(self.readers.len() + self.warps.len(), (0, 0));
            self.readers[cell.readers as usize + other] = (cell.read_tick, lanes);
            cell.read_warp = MANY;
        }
        let (tick, lanes) = &mut self.readers[cell.readers as usize + warp];
        if *tick < self.warps[warp].together.max(self.base) {
            // The warp's earlier reads come before this one, so it stands for them.
            (*tick, *lanes) = (self.tick, 0);
        }
        *lanes |= mask;
        cell.read_tick = self.tick;
    }

    /// Notes a write. `is_same` says that it stores what is there already, which lanes of one instruction may.
    #[inline(always)]
    pub fn write(&mut self, cell: &mut Cell, by: Accessor, is_same: bool) -> Result<(), Conflict> {
        let writer = cell.write_thread & !ATOMIC;
        if cell.write_tick >= self.base && !self.is_before(writer, cell.write_tick, by.thread) {
            let is_atomic = cell.write_thread & ATOMIC != 0 && by.is_atomic;
            let is_one_instruction = cell.write_pc == by.pc
                && cell.write_tick == self.tick
                && usize::from(writer) / LANES == usize::from(by.thread) / LANES;
            if !(is_atomic || is_one_instruction && is_same) {
                return Err(Conflict {
                    own: by.thread,
                    thread: writer,
                    pc: cell.write_pc,
                    is_write: true,
                });
            }
        }
        if cell.read_tick >= self.base
            && let Some(thread) = self.unordered_reader(cell, by.thread)
        {
            return Err(Conflict { own: by.thread, thread, pc: cell.read_pc, is_write: false });
        }
        let thread = by.thread | if by.is_atomic { ATOMIC } else { 0 };
        (cell.write_tick, cell.write_thread, cell.write_pc) = (self.tick, thread, by.pc);
        cell.read_tick = 0;
        Ok(())
    }

    fn unordered_reader(&self, cell: &Cell, now: u16) -> Option<u16> {
        let unordered = |warp: usize, tick: u32, lanes: Mask| {
            let mut threads = crate::registers::lanes(lanes).map(|it| (warp * LANES + it) as u16);
            threads.find(|thread| !self.is_before(*thread, tick, now))
        };
        if cell.read_warp != MANY {
            return unordered(cell.read_warp.into(), cell.read_tick, cell.readers);
        }
        let at = cell.readers as usize;
        let mut readers = self.readers[at..at + self.warps.len()].iter().enumerate();
        readers.find_map(|(warp, (tick, lanes))| unordered(warp, *tick, *lanes))
    }
}

impl WarpClock {
    fn learn(&mut self, own: usize, known: &[u32]) {
        join(&mut self.seen, known);
        if let Some(tick) = known.get(own) {
            self.together = self.together.max(*tick);
        }
    }
}

fn join(known: &mut Vec<u32>, other: &[u32]) {
    if known.len() < other.len() {
        known.resize(other.len(), 0);
    }
    for (known, other) in known.iter_mut().zip(other) {
        *known = (*known).max(*other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(thread: u16) -> Accessor {
        Accessor { thread, pc: 7, is_atomic: false }
    }

    fn clocks() -> Clocks {
        let mut clocks = Clocks::default();
        clocks.start(3);
        clocks
    }

    #[test]
    fn write_and_read_of_two_warps_race_without_a_barrier() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        clocks.write(&mut cell, by(0), false).expect("no race");
        let conflict = Conflict { own: 40, thread: 0, pc: 7, is_write: true };
        assert_eq!(clocks.read(&mut cell, by(40)), Err(conflict));
        clocks.everything_ordered();
        assert_eq!(clocks.read(&mut cell, by(40)), Ok(()));
    }

    #[test]
    fn all_readers_are_remembered() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        for thread in [3, 40, 70] {
            clocks.read(&mut cell, by(thread)).expect("no race");
        }
        // Warps 0 and 2 meet at a named barrier, so thread 3 knows of thread 70's read and not of 40's.
        let mut known = vec![];
        clocks.arrive(0, &mut known);
        clocks.arrive(2, &mut known);
        clocks.leave(0, &known);
        let conflict = Conflict { own: 3, thread: 40, pc: 7, is_write: false };
        assert_eq!(clocks.write(&mut cell, by(3), false), Err(conflict));
    }

    #[test]
    fn all_lanes_that_read_are_remembered() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        clocks.read_by_lanes(&mut cell, by(1), 0b1010).expect("no race");
        clocks.read(&mut cell, by(0)).expect("no race");
        clocks.lanes_met(0, 0b1011, u32::MAX);
        assert_eq!(clocks.write(&mut cell.clone(), by(3), false), Ok(()));
        let conflict = Conflict { own: 2, thread: 0, pc: 7, is_write: false };
        assert_eq!(clocks.write(&mut cell, by(2), false), Err(conflict));
        clocks.lanes_met(0, u32::MAX, u32::MAX);
        assert_eq!(clocks.write(&mut cell.clone(), by(2), false), Ok(()));
        let conflict = Conflict { own: 40, thread: 0, pc: 7, is_write: false };
        assert_eq!(clocks.write(&mut cell, by(40), false), Err(conflict));
    }

    #[test]
    fn lanes_meet() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        clocks.write(&mut cell, by(1), false).expect("no race");
        clocks.lanes_met(0, 0b11, u32::MAX);
        assert_eq!(clocks.read(&mut cell, by(0)), Ok(()));
        assert!(clocks.read(&mut cell, by(2)).is_err());
        clocks.lanes_met(0, u32::MAX, u32::MAX);
        assert_eq!(clocks.read(&mut cell, by(2)), Ok(()));
    }

    #[test]
    fn equal_values_of_one_instruction_do_not_race() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        clocks.write(&mut cell, by(1), false).expect("no race");
        assert_eq!(clocks.write(&mut cell, by(2), true), Ok(()));
        assert!(clocks.write(&mut cell, by(3), false).is_err());
        assert!(clocks.write(&mut cell, by(40), true).is_err());
    }

    #[test]
    fn atomics_release_and_acquire() {
        let (mut clocks, mut data) = (clocks(), Cell::default());
        clocks.write(&mut data, by(1), false).expect("no race");
        clocks.fence(0);
        clocks.release(0, 64, false);
        clocks.acquire(1, 64, false);
        assert!(clocks.read(&mut data, by(33)).is_err());
        clocks.fence(1);
        assert_eq!(clocks.read(&mut data, by(33)), Ok(()));
    }
}

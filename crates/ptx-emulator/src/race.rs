//! Data race detection between the threads of a block: two accesses to a cell race if at least one of them is a write,
//! at least one is weak, and no synchronisation orders them.
//!
//! The algorithm is FastTrack (Flanagan and Freund, 2009) with warps instead of threads. A *tick* counts the
//! synchronisations of a block. A cell records its last write and the reads since then, with their ticks. The
//! happens-before knowledge of the threads, and the operations that provide it, are in [`order`]. A cell with strong
//! accesses, or with reads by lanes of one warp at several ticks, has a [`history`] instead, which records threads
//! separately.
//!
//! Ordered accesses are never reported. If lanes store the same value to a cell by one instruction, only the last store
//! is recorded.

pub mod grid;
mod history;
mod order;
#[cfg(test)]
mod reference;
mod releases;

use crate::fault::Use;
use crate::registers::{LANES, Mask, lanes};
use history::Past;
use order::{Fences, WarpClock};
use releases::Releases;

pub use order::{Gathered, Ticks};
pub use releases::Writing;

/// The race check's record of a range of memory, as large as the narrowest access of the kernel to its space.
#[derive(Clone, Copy, Default)]
pub struct Cell {
    write_tick: u32,
    read_tick: u32,
    write_pc: u32,
    read_pc: u32,
    write_thread: u16,
    /// The warp of the lanes that have read since the last write.
    read_warp: u16,
    /// The mask of those lanes, or the index of the readers of several warps, or that of the history.
    readers: u32,
}

/// A value of `read_warp`: lanes of several warps.
const MANY: u16 = u16::MAX;

/// A value of `read_warp`: the cell has a history, and its other fields are unused.
const HISTORY: u16 = u16::MAX - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The thread whose access conflicts with that of `thread`.
    pub own: u16,
    pub thread: u16,
    pub pc: u32,
    pub is_write: bool,
}

/// The kind of an access, which determines the accesses that it conflicts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    /// Strong accesses do not conflict with each other.
    StrongRead,
    StrongWrite,
    /// A strong write whose thread also observes the old value.
    Update,
}

impl Kind {
    pub fn how(self) -> Use {
        match self {
            Kind::Read | Kind::StrongRead => Use::Read,
            Kind::Write | Kind::StrongWrite | Kind::Update => Use::Write,
        }
    }

    fn is_strong(self) -> bool {
        !matches!(self, Kind::Read | Kind::Write)
    }
}

/// The thread, the program point and the kind of an access to a cell.
#[derive(Clone, Copy)]
pub struct Accessor {
    /// Warp times 32 plus lane.
    pub thread: u16,
    pub pc: u32,
    pub kind: Kind,
}

impl Accessor {
    fn warp(self) -> u16 {
        self.thread / LANES as u16
    }
}

/// The threads of a warp's lanes.
fn threads(warp: u16, mask: Mask) -> impl Iterator<Item = u16> {
    lanes(mask).map(move |lane| warp * LANES as u16 + lane as u16)
}

/// The happens-before order of the accesses of a block.
#[derive(Default)]
pub struct Clocks {
    tick: u32,
    /// All accesses before this tick happened before all later ones.
    base: u32,
    warps: Vec<WarpClock>,
    /// True if, since the last barrier of the block, lanes of one warp may have different knowledge, or may know of
    /// other lanes.
    is_apart: bool,
    /// The fences before that barrier.
    fences: Fences,
    /// The reads of cells that several warps read: a tick and lanes for each warp.
    readers: Vec<(u32, Mask)>,
    histories: Vec<Vec<Past>>,
    /// The histories that no cell uses any more.
    spare_histories: Vec<usize>,
    /// Released knowledge, by address.
    releases: Releases<u16, Ticks>,
}

impl Clocks {
    /// Records an access to cells by the lanes of a mask; `by` is the first of them. A write is recorded for one lane
    /// at a time. `is_same` returns true if a write stores the value that is already there, which several lanes of one
    /// instruction may do.
    #[inline(always)]
    pub fn note(
        &mut self,
        cells: &mut [Cell],
        by: Accessor,
        mask: Mask,
        is_same: impl Fn() -> bool,
    ) -> Result<(), Conflict> {
        for cell in cells {
            match by.kind {
                Kind::Read => self.read_by_lanes(cell, by, mask)?,
                Kind::Write => self.write(cell, by, &is_same)?,
                _ => self.note_in_history(cell, by, mask)?,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn read(&mut self, cell: &mut Cell, by: Accessor) -> Result<(), Conflict> {
        if cell.write_tick >= self.base
            && !self.is_before(cell.write_thread, cell.write_tick, by.thread)
        {
            return Err(cell.conflict_with_write(by));
        }
        self.note_readers(cell, by, 1 << (by.thread % LANES as u16))
    }

    /// Records a read of several lanes of a warp by one instruction; `by` is the first of them.
    #[inline(always)]
    fn read_by_lanes(&mut self, cell: &mut Cell, by: Accessor, mask: Mask) -> Result<(), Conflict> {
        if mask.is_power_of_two() || cell.write_tick >= self.base {
            for thread in threads(by.warp(), mask) {
                self.read(cell, Accessor { thread, ..by })?;
            }
            return Ok(());
        }
        self.note_readers(cell, by, mask)
    }

    #[inline(always)]
    fn note_readers(&mut self, cell: &mut Cell, by: Accessor, mask: Mask) -> Result<(), Conflict> {
        let warp = by.warp();
        let is_first = cell.read_tick < self.base;
        let is_noted = if is_first || cell.read_warp == warp {
            let stands_for_all = is_first
                || cell.readers & !mask == 0
                || cell.read_tick < self.together(warp.into())
                || self.is_behind_readers(cell, by, mask);
            let may_join = stands_for_all || cell.read_tick == self.tick;
            if may_join {
                // If the warp's earlier reads happened before this one, this one replaces them.
                let others = if stands_for_all { 0 } else { cell.readers };
                cell.set_readers(by, self.tick, others | mask);
            }
            may_join
        } else {
            self.read_by_many(cell, by, mask)
        };
        if is_noted { Ok(()) } else { self.note_in_history(cell, by, mask) }
    }

    /// True if the access of a lane happens after all recorded reads of its warp.
    fn is_behind_readers(&self, cell: &Cell, by: Accessor, mask: Mask) -> bool {
        self.is_apart
            && mask.is_power_of_two()
            && threads(by.warp(), cell.readers)
                .all(|reader| self.is_before(reader, cell.read_tick, by.thread))
    }

    /// False if the cell needs a history for the access.
    fn read_by_many(&mut self, cell: &mut Cell, by: Accessor, mask: Mask) -> bool {
        let warp = usize::from(by.warp());
        if cell.read_warp != MANY {
            if cell.read_warp == HISTORY {
                return false;
            }
            let other = usize::from(cell.read_warp);
            if cell.read_tick < self.seen(warp, other) {
                cell.set_readers(by, self.tick, mask);
                return true;
            }
            let lanes = cell.readers;
            cell.readers = self.readers.len() as u32;
            self.readers.resize(self.readers.len() + self.warp_count(), (0, 0));
            self.readers[cell.readers as usize + other] = (cell.read_tick, lanes);
            cell.read_warp = MANY;
        }
        let at = cell.readers as usize + warp;
        let (tick, others) = self.readers[at];
        let stands_for_all = others & !mask == 0 || tick < self.together(warp);
        if !stands_for_all && tick != self.tick {
            return false;
        }
        let others = if stands_for_all { 0 } else { others };
        self.readers[at] = (self.tick, others | mask);
        (cell.read_tick, cell.read_pc) = (self.tick, by.pc);
        true
    }

    #[inline(always)]
    fn write(
        &mut self,
        cell: &mut Cell,
        by: Accessor,
        is_same: impl Fn() -> bool,
    ) -> Result<(), Conflict> {
        if cell.write_tick >= self.base
            && !self.is_before(cell.write_thread, cell.write_tick, by.thread)
        {
            let is_one_instruction = cell.write_pc == by.pc
                && cell.write_tick == self.tick
                && cell.write_thread / LANES as u16 == by.warp();
            if !(is_one_instruction && is_same()) {
                return Err(cell.conflict_with_write(by));
            }
        }
        if cell.read_tick >= self.base {
            if cell.read_warp == HISTORY {
                return self.note_in_history(cell, by, 1 << (by.thread % LANES as u16));
            }
            if let Some(thread) = self.unordered_reader(cell, by.thread) {
                let pc = cell.read_pc;
                return Err(Conflict { own: by.thread, thread, pc, is_write: false });
            }
        }
        cell.set_write(by, self.tick);
        Ok(())
    }

    fn unordered_reader(&self, cell: &Cell, now: u16) -> Option<u16> {
        let unordered = |warp: u16, tick: u32, mask: Mask| {
            threads(warp, mask).find(|thread| !self.is_before(*thread, tick, now))
        };
        if cell.read_warp != MANY {
            return unordered(cell.read_warp, cell.read_tick, cell.readers);
        }
        let mut readers = self.many_readers(cell);
        readers.find_map(|(warp, tick, mask)| unordered(warp, tick, mask))
    }

    /// The readers of a cell that lanes of several warps have read: warps, ticks and lanes.
    fn many_readers(&self, cell: &Cell) -> impl Iterator<Item = (u16, u32, Mask)> {
        let at = cell.readers as usize;
        let readers = (0..).zip(&self.readers[at..at + self.warp_count()]);
        readers.map(|(warp, (tick, mask))| (warp, *tick, *mask))
    }

    /// The recorded accesses of a cell without a history.
    fn past(&self, cell: &Cell) -> Vec<Past> {
        let mut past = vec![];
        if cell.write_tick >= self.base {
            let (warp, lane) = (cell.write_thread / LANES as u16, cell.write_thread % LANES as u16);
            let (tick, pc) = (cell.write_tick, cell.write_pc);
            past.push(Past { tick, pc, lanes: 1 << lane, warp, kind: Kind::Write });
        }
        let of =
            |(warp, tick, lanes)| Past { tick, pc: cell.read_pc, lanes, warp, kind: Kind::Read };
        match cell.read_warp {
            _ if cell.read_tick < self.base => {}
            MANY => past.extend(self.many_readers(cell).filter(|it| it.2 != 0).map(of)),
            warp => past.push(of((warp, cell.read_tick, cell.readers))),
        }
        past
    }
}

impl Cell {
    /// Records reads of a warp that replace all earlier reads.
    fn set_readers(&mut self, by: Accessor, tick: u32, readers: Mask) {
        (self.read_tick, self.read_warp, self.readers) = (tick, by.warp(), readers);
        self.read_pc = by.pc;
    }

    /// Records a write that happens after all earlier accesses.
    fn set_write(&mut self, by: Accessor, tick: u32) {
        (self.write_tick, self.write_thread, self.write_pc) = (tick, by.thread, by.pc);
        self.read_tick = 0;
    }

    fn conflict_with_write(&self, by: Accessor) -> Conflict {
        let (thread, pc) = (self.write_thread, self.write_pc);
        Conflict { own: by.thread, thread, pc, is_write: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Scope;

    fn by(thread: u16, kind: Kind) -> Accessor {
        Accessor { thread, pc: 7, kind }
    }

    fn clocks() -> Clocks {
        let mut clocks = Clocks::default();
        clocks.start(3);
        clocks
    }

    impl Clocks {
        /// Records an access of one thread.
        fn one(&mut self, cell: &mut Cell, kind: Kind, thread: u16) -> Result<(), Conflict> {
            let mask = 1 << (thread % 32);
            self.note(std::slice::from_mut(cell), by(thread, kind), mask, || false)
        }
    }

    fn conflict(own: u16, thread: u16, kind: Kind) -> Result<(), Conflict> {
        Err(Conflict { own, thread, pc: 7, is_write: kind.how() == Use::Write })
    }

    #[test]
    fn write_and_read_of_two_warps_race_without_a_barrier() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        clocks.one(&mut cell, Kind::Write, 0).expect("no race");
        assert_eq!(clocks.one(&mut cell, Kind::Read, 40), conflict(40, 0, Kind::Write));
        clocks.everything_ordered();
        assert_eq!(clocks.one(&mut cell, Kind::Read, 40), Ok(()));
    }

    #[test]
    fn all_readers_are_remembered() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        for thread in [3, 40, 70] {
            clocks.one(&mut cell, Kind::Read, thread).expect("no race");
        }
        // Warps 0 and 2 meet at a named barrier, so thread 3 knows of thread 70's read and not of 40's.
        let mut gathered = Gathered::default();
        clocks.arrive(0, Mask::MAX, Mask::MAX, &mut gathered);
        clocks.arrive(2, Mask::MAX, Mask::MAX, &mut gathered);
        clocks.leave(0, Mask::MAX, Mask::MAX, &gathered);
        assert_eq!(clocks.one(&mut cell, Kind::Write, 3), conflict(3, 40, Kind::Read));
    }

    #[test]
    fn all_lanes_that_read_are_remembered() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        clocks.read_by_lanes(&mut cell, by(1, Kind::Read), 0b1010).expect("no race");
        clocks.one(&mut cell, Kind::Read, 0).expect("no race");
        clocks.lanes_met(0, 0b1011, Mask::MAX);
        assert_eq!(clocks.one(&mut cell.clone(), Kind::Write, 3), Ok(()));
        assert_eq!(clocks.one(&mut cell, Kind::Write, 2), conflict(2, 0, Kind::Read));
        clocks.lanes_met(0, Mask::MAX, Mask::MAX);
        assert_eq!(clocks.one(&mut cell.clone(), Kind::Write, 2), Ok(()));
        assert_eq!(clocks.one(&mut cell, Kind::Write, 40), conflict(40, 0, Kind::Read));
    }

    #[test]
    fn lanes_that_meet_one_after_the_other_are_kept_apart() {
        // Thread 2 meets thread 0 and then thread 1, each after its read. So thread 2 may write, but thread 3, which
        // has met only one of them, may not.
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        for thread in [0, 1] {
            clocks.one(&mut cell, Kind::Read, thread).expect("no race");
            clocks.lanes_met(0, 0b100 | 1 << thread, Mask::MAX);
        }
        clocks.lanes_met(0, 0b1001, Mask::MAX);
        assert_eq!(clocks.one(&mut cell, Kind::Write, 3), conflict(3, 1, Kind::Read));
        assert_eq!(clocks.one(&mut cell, Kind::Write, 2), Ok(()));
    }

    #[test]
    fn lanes_meet() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        clocks.one(&mut cell, Kind::Write, 1).expect("no race");
        clocks.lanes_met(0, 0b11, Mask::MAX);
        assert_eq!(clocks.one(&mut cell, Kind::Read, 0), Ok(()));
        assert!(clocks.one(&mut cell, Kind::Read, 2).is_err());
        clocks.lanes_met(0, Mask::MAX, Mask::MAX);
        assert_eq!(clocks.one(&mut cell, Kind::Read, 2), Ok(()));
    }

    #[test]
    fn equal_values_of_one_instruction_do_not_race() {
        let (mut clocks, mut cell) = (clocks(), Cell::default());
        clocks.write(&mut cell, by(1, Kind::Write), || false).expect("no race");
        assert_eq!(clocks.write(&mut cell, by(2, Kind::Write), || true), Ok(()));
        assert!(clocks.write(&mut cell, by(3, Kind::Write), || false).is_err());
        assert!(clocks.write(&mut cell, by(40, Kind::Write), || true).is_err());
    }

    #[test]
    fn strong_accesses_race_with_weak_ones_in_either_order() {
        for (strong, weak) in [
            (Kind::StrongRead, Kind::Write),
            (Kind::StrongWrite, Kind::Read),
            (Kind::StrongWrite, Kind::Write),
            (Kind::Update, Kind::Read),
        ] {
            for [first, second] in [[strong, weak], [weak, strong]] {
                let (mut clocks, mut cell) = (clocks(), Cell::default());
                clocks.one(&mut cell, first, 0).expect("no race");
                let found = clocks.one(&mut cell, second, 40);
                assert_eq!(found, conflict(40, 0, first), "{first:?}, {second:?}");
            }
        }
    }

    #[test]
    fn who_has_seen_all_updates_may_use_the_value() {
        for (kind, is_fine) in [(Kind::Update, true), (Kind::StrongWrite, false)] {
            let (mut clocks, mut cell) = (clocks(), Cell::default());
            clocks.one(&mut cell, Kind::StrongWrite, 0).expect("no race");
            clocks.one(&mut cell, kind, 40).expect("no race");
            assert_eq!(clocks.one(&mut cell, Kind::Read, 40).is_ok(), is_fine);
            assert_eq!(clocks.one(&mut cell, Kind::Write, 40).is_ok(), is_fine);
        }
    }

    #[test]
    fn fences_release_and_acquire_for_their_threads() {
        let (mut clocks, mut data) = (clocks(), Cell::default());
        clocks.one(&mut data, Kind::Write, 1).expect("no race");
        clocks.fence(0, 0b10, Scope::Block);
        clocks.write_flag(1, 64, Writing::Replace);
        clocks.read_flag(1, 0b10, 64);
        assert!(clocks.one(&mut data, Kind::Read, 33).is_err());
        clocks.fence(1, 0b10, Scope::Block);
        assert_eq!(clocks.one(&mut data, Kind::Read, 33), Ok(()));
        assert!(clocks.one(&mut data, Kind::Read, 34).is_err());
        clocks.lanes_met(1, 0b110, Mask::MAX);
        assert_eq!(clocks.one(&mut data, Kind::Read, 34), Ok(()));
    }

    #[test]
    fn a_write_ends_what_others_have_released_and_goes_on_with_its_own() {
        for (writer, writing, is_fine) in [
            (1, Writing::Replace, true),
            (70, Writing::Replace, false),
            (70, Writing::Update, true),
        ] {
            let (mut clocks, mut data) = (clocks(), Cell::default());
            clocks.one(&mut data, Kind::Write, 1).expect("no race");
            clocks.release(1, 64, Writing::Replace);
            clocks.write_flag(writer, 64, writing);
            clocks.acquire(1, 0b10, 64);
            assert_eq!(clocks.one(&mut data, Kind::Read, 33).is_ok(), is_fine, "{writer}");
        }
    }
}

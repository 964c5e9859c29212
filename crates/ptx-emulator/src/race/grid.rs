//! Data race detection between the blocks of a launch, which run in any order, and detection of writes to memory that
//! the launch reads by `.nc`.
//!
//! A kernel without fences cannot pass data from block to block: if one block writes a cell of global memory and
//! another one reads or writes it, that is a race, unless both accesses are atomic. Such a kernel has 64-bit cells, in
//! [`Cells::Quick`]. For kernels with fences or strong loads, [`Cells::Ordered`] records the thread and the tick of the
//! last accesses, which are compared with what the block has acquired, see [`handover`]. Both kinds follow the rules of
//! [`cell`].

mod cell;
mod handover;

use super::Clocks;
use super::releases::Releases;
use crate::fault;
use crate::memory::Allocation;
use crate::program::{Instruction, Program, Scope, Step};
use crate::race::{Ticks, Writing};
use crate::syntax::Space;
use cell::{Cell, MANY, Who};
pub use cell::{GridConflict, Use};
pub use handover::Acquaintances;
use handover::HandOver;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
};

/// The number of cells in a page.
const PAGE: usize = 4096;

pub struct GridShadow {
    cells: Cells,
    granule_log2: u32,
    /// Held from a strong access until what it hands over or acquires is recorded. Readers share the lock, so that
    /// threads that spin in a loop cannot lock out the threads that they wait for.
    flags: RwLock<()>,
    /// By address, for threads of blocks.
    releases: Mutex<Releases<(u32, u16), HandOver>>,
}

/// Holds a lock until it is dropped.
#[expect(dead_code, reason = "what counts is that it lives")]
pub enum FlagGuard<'a> {
    Read(RwLockReadGuard<'a, ()>),
    Write(RwLockWriteGuard<'a, ()>),
}

enum Cells {
    Quick(Pages<Box<[AtomicU64]>>),
    Ordered(Pages<Mutex<Box<[Cell]>>>),
}

/// The pages of each allocation that blocks have used.
struct Pages<Page>(Vec<OnceLock<Box<[OnceLock<Page>]>>>);

/// A thread of a block that accesses memory.
#[derive(Clone, Copy)]
pub struct GridAccessor {
    pub block: u32,
    pub thread: u16,
    pub how: Use,
}

impl GridShadow {
    /// `None` if there is nothing to check: a single block, and no loads by `.nc`.
    pub fn new(
        allocations: &[Arc<Allocation>],
        program: &Program,
        blocks: u64,
    ) -> Option<GridShadow> {
        let has = |of: fn(&Instruction) -> bool| program.code.iter().any(of);
        if blocks == 1 && !has(reads_constants) {
            return None;
        }
        let count = allocations.len();
        let cells = match program.has_fences || has(reads_strongly) {
            true => Cells::Ordered(Pages::new(count)),
            false => Cells::Quick(Pages::new(count)),
        };
        let granule_log2 = program.granules.global_log2;
        let (flags, releases) = (RwLock::default(), Mutex::default());
        Some(GridShadow { cells, granule_log2, flags, releases })
    }

    /// Records an access to consecutive cells, all in one page.
    #[inline(always)]
    pub fn note(
        &self,
        (number, allocation): (usize, &Allocation),
        (first, count): (usize, usize),
        by: GridAccessor,
        known: &Acquaintances,
        clocks: &Clocks,
    ) -> Result<(), GridConflict> {
        let at = first % PAGE;
        let cells = (allocation.bytes as usize >> self.granule_log2) + 1;
        match &self.cells {
            Cells::Quick(pages) => {
                let new = || (0..PAGE).map(|_| AtomicU64::new(0)).collect();
                let page = pages.page(number, cells, first, new);
                for cell in &page[at..at + count] {
                    note_quickly(cell, by)?;
                }
                Ok(())
            }
            Cells::Ordered(pages) => {
                let new = || Mutex::new(vec![Cell::default(); PAGE].into());
                let page = lock(pages.page(number, cells, first, new));
                note_in_order(page, (at, count), by, known, clocks)
            }
        }
    }

    /// Locks out the strong accesses of other blocks that must not run at the same time as one of kind `how`.
    pub fn lock_flags(&self, how: fault::Use) -> FlagGuard<'_> {
        match how {
            fault::Use::Read => {
                FlagGuard::Read(self.flags.read().unwrap_or_else(PoisonError::into_inner))
            }
            fault::Use::Write => {
                FlagGuard::Write(self.flags.write().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    /// Records a strong write with device scope; `ready` is what its thread hands over of its own block.
    pub fn write_flag(
        &self,
        address: u64,
        (block, thread): (u32, u16),
        ready: Option<Ticks>,
        known: &Acquaintances,
        writing: Writing,
    ) {
        let ready = ready.map(|it| known.hand_over(block, it));
        lock(&self.releases).write(address, (block, thread), ready, writing);
    }

    /// What a strong read with device scope observes.
    pub fn taken(&self, address: u64) -> Option<Arc<HandOver>> {
        lock(&self.releases).at(address)
    }
}

impl<Page> Pages<Page> {
    fn new(allocations: usize) -> Pages<Page> {
        Pages((0..allocations).map(|_| OnceLock::new()).collect())
    }

    /// The page that contains a cell of an allocation; it is created if it does not exist.
    #[inline(always)]
    fn page(&self, number: usize, cells: usize, at: usize, new: impl FnOnce() -> Page) -> &Page {
        let pages = self.0[number]
            .get_or_init(|| (0..cells.div_ceil(PAGE)).map(|_| OnceLock::new()).collect());
        pages[at / PAGE].get_or_init(new)
    }
}

/// In the lower half of a quick cell, next to the reader: a thread has read it by `.nc`.
const CONSTANT: u32 = 1 << 30;

/// In the upper half, next to the writer: all writes so far were atomic.
const ATOMIC: u32 = 1 << 31;

#[inline(always)]
fn note_quickly(cell: &AtomicU64, by: GridAccessor) -> Result<(), GridConflict> {
    let own = by.block + 1;
    let mut state = cell.load(Relaxed);
    loop {
        let (writer, reader) = ((state >> 32) as u32, state as u32);
        let is_own = |number: u32| number == 0 || number == own;
        // The most frequent cases: reads of memory that no block writes, and writes of memory that only this block
        // uses.
        let new = if writer == 0 && matches!(by.how, Use::Read | Use::Constant) {
            let (who, mark) = (reader & !CONSTANT, reader & CONSTANT);
            let who = if is_own(who) { own } else { MANY };
            u64::from(who | if by.how == Use::Constant { CONSTANT } else { mark })
        } else if by.how == Use::Write && is_own(writer) && is_own(reader) {
            u64::from(own) << 32 | u64::from(reader)
        } else {
            after(state, by)?
        };
        if new == state {
            return Ok(());
        }
        match cell.compare_exchange_weak(state, new, Relaxed, Relaxed) {
            Ok(_) => return Ok(()),
            Err(found) => state = found,
        }
    }
}

#[cold]
fn after(state: u64, by: GridAccessor) -> Result<u64, GridConflict> {
    let mut cell = unpack(state);
    cell.note(by.how, Who::block(by.block), |_| false)?;
    Ok(pack(&cell))
}

fn unpack(state: u64) -> Cell {
    let (writer, reader) = ((state >> 32) as u32, state as u32);
    let is_atomic = writer & ATOMIC != 0;
    Cell {
        writer: Who::numbered(if is_atomic { 0 } else { writer }),
        updater: Who::numbered(if is_atomic { writer & !ATOMIC } else { 0 }),
        reader: Who::numbered(reader & !CONSTANT),
        is_constant: reader & CONSTANT != 0,
        ..Cell::default()
    }
}

/// No cell has both a weak writer and atomic writers of other blocks, which would be a race.
fn pack(cell: &Cell) -> u64 {
    let writer = match (cell.writer.number(), cell.updater.number()) {
        (0, 0) => 0,
        (0, updater) => updater | ATOMIC,
        (writer, _) => writer,
    };
    let reader = cell.reader.number() | if cell.is_constant { CONSTANT } else { 0 };
    u64::from(writer) << 32 | u64::from(reader)
}

#[cold]
fn note_in_order(
    mut page: MutexGuard<Box<[Cell]>>,
    (at, count): (usize, usize),
    by: GridAccessor,
    known: &Acquaintances,
    clocks: &Clocks,
) -> Result<(), GridConflict> {
    let own = Who::thread(by.block, by.thread, clocks.tick());
    for cell in &mut page[at..at + count] {
        cell.note(by.how, own, |who| known.is_behind(who, clocks, by.thread))?;
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn reads_constants(instruction: &Instruction) -> bool {
    matches!(&instruction.step, Step::Load(access) if access.is_constant)
}

fn reads_strongly(instruction: &Instruction) -> bool {
    let Step::Load(access) = &instruction.step else { return false };
    let is_in_reach = matches!(access.space, Space::Global | Space::Generic);
    is_in_reach && !access.order.is_plain() && access.scope == Scope::Device
}

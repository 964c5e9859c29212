//! Races between the blocks of a launch, which run in any order: a cell of global memory that one block writes
//! and another one reads or writes, unless both do so by atomics.
//!
//! Blocks may hand data to each other by fences and atomics (the last block of a reduction does). A block that has
//! read, by an atomic and a fence, what another one wrote by a fence and an atomic is taken to come behind it from
//! then on; races with what that other block does later are not seen.

use crate::memory::Allocation;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Cells of a page.
const PAGE: usize = 4096;

type Page = OnceLock<Box<[AtomicU64]>>;

/// The upper half of a cell is the writer, the lower half the reader: 0, a block's number plus 1, or [`MANY`].
pub struct GridShadow {
    allocations: Vec<OnceLock<Box<[Page]>>>,
    granule_log2: u32,
    released: Mutex<HashMap<u64, BTreeSet<u32>>>,
}

const MANY: u32 = 0x3fff_ffff;

/// In the writer: all writes so far were atomic.
const ATOMIC: u32 = 1 << 31;

/// What a block has learnt of others.
#[derive(Default)]
pub struct Acquaintances {
    behind: BTreeSet<u32>,
    observed: BTreeSet<u32>,
    is_fenced: bool,
}

impl Acquaintances {
    pub fn fence(&mut self) {
        self.is_fenced = true;
        self.behind.append(&mut self.observed);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Read,
    Write,
    /// Also strong reads, which do not mind atomics.
    Atomic,
    StrongRead,
}

/// The other block, None if it is one of several.
pub struct GridConflict {
    pub block: Option<u32>,
    pub is_write: bool,
}

impl GridShadow {
    /// None for a single block.
    pub fn new(
        allocations: &[Arc<Allocation>],
        granule_log2: u32,
        blocks: u64,
    ) -> Option<GridShadow> {
        (blocks > 1).then(|| GridShadow {
            allocations: allocations.iter().map(|_| OnceLock::new()).collect(),
            granule_log2,
            released: Mutex::default(),
        })
    }

    /// Notes the use of cells that follow each other, all in one page.
    #[inline(always)]
    pub fn note(
        &self,
        (number, allocation): (usize, &Allocation),
        (first, count): (usize, usize),
        block: u32,
        how: Use,
        known: &Acquaintances,
    ) -> Result<(), GridConflict> {
        let pages = self.allocations[number].get_or_init(|| {
            let cells = (allocation.bytes as usize >> self.granule_log2) + 1;
            (0..cells.div_ceil(PAGE)).map(|_| OnceLock::new()).collect()
        });
        let page =
            pages[first / PAGE].get_or_init(|| (0..PAGE).map(|_| AtomicU64::new(0)).collect());
        let at = first % PAGE;
        for cell in &page[at..at + count] {
            note_cell(cell, block + 1, how, known)?;
        }
        Ok(())
    }

    /// An atomic or strong write, behind a fence or one by itself.
    pub fn release(&self, address: u64, block: u32, known: &Acquaintances, is_fenced: bool) {
        if known.is_fenced || is_fenced {
            let mut released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
            let set = released.entry(address).or_default();
            set.insert(block);
            set.extend(&known.behind);
        }
    }

    /// An atomic or strong read, ahead of a fence or one by itself.
    pub fn acquire(&self, address: u64, known: &mut Acquaintances, is_fenced: bool) {
        let released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(set) = released.get(&address) {
            known.observed.extend(set);
            if is_fenced {
                known.behind.append(&mut known.observed);
            }
        }
    }
}

#[inline(always)]
fn note_cell(
    cell: &AtomicU64,
    own: u32,
    how: Use,
    known: &Acquaintances,
) -> Result<(), GridConflict> {
    let mut state = cell.load(Relaxed);
    loop {
        let (writer, reader) = ((state >> 32) as u32, state as u32);
        // By far the most: a read of what nobody writes and others have read, too.
        if how == Use::Read && writer == 0 && (reader == own || reader == MANY) {
            return Ok(());
        }
        let other_writer = writer != 0 && writer & !ATOMIC != own;
        let other_reader = reader != 0 && reader != own;
        let (is_after_write, is_after_read) = match how {
            Use::Read => (other_writer, false),
            Use::Write => (other_writer, other_reader),
            Use::Atomic => (other_writer && writer & ATOMIC == 0, other_reader),
            Use::StrongRead => (other_writer && writer & ATOMIC == 0, false),
        };
        for (conflicts, who, is_write) in
            [(is_after_write, writer & !ATOMIC, true), (is_after_read, reader, false)]
        {
            if conflicts && !is_behind(known, who) {
                return Err(GridConflict { block: (who != MANY).then(|| who - 1), is_write });
            }
        }
        let new_writer = match (how, writer) {
            (Use::Read | Use::StrongRead, _) => writer,
            (Use::Write, _) => own,
            (Use::Atomic, 0) => own | ATOMIC,
            (Use::Atomic, _) if writer & !ATOMIC == own => writer,
            (Use::Atomic, _) => MANY | ATOMIC,
        };
        let new_reader = match (how, reader) {
            (Use::Read, 0) => own,
            (Use::Read, _) if reader != own => MANY,
            _ => reader,
        };
        let new = u64::from(new_writer) << 32 | u64::from(new_reader);
        if new == state {
            return Ok(());
        }
        match cell.compare_exchange_weak(state, new, Relaxed, Relaxed) {
            Ok(_) => return Ok(()),
            Err(found) => state = found,
        }
    }
}

fn is_behind(known: &Acquaintances, who: u32) -> bool {
    match who {
        MANY => !known.behind.is_empty(),
        _ => known.behind.contains(&(who - 1)),
    }
}

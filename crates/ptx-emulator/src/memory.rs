//! Global memory: allocations at device addresses, separated by unmapped gaps.
//!
//! Its words are atomics, since the blocks of a launch run on several host threads; whether racing accesses are faults
//! is decided by the race check. A byte counts as initialised from its first write on, until an undefined value is stored.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Start addresses of the other spaces in the generic address space.
pub mod window {
    pub const SHARED: u64 = 1 << 56;
    pub const LOCAL: u64 = 2 << 56;
    pub const PARAM: u64 = 3 << 56;
    /// The size of each of them, in bytes.
    pub const SIZE: u64 = 1 << 32;
}

/// The value of memory that was never written.
pub const POISON: u8 = 0xcd;

/// The address of the first allocation: similar to addresses on devices, and not a small integer.
const FIRST: u64 = 0x7_0000_0000;

/// The minimum alignment of an allocation, as in the driver.
const ALIGN: u64 = 256;

/// The minimum gap behind an allocation, in bytes; large allocations have larger gaps.
const GAP: u64 = 1 << 20;

pub struct Allocation {
    pub base: u64,
    pub bytes: u64,
    /// Kernels must not write it.
    pub is_constant: bool,
    words: Box<[AtomicU32]>,
    /// One bit for each byte of a word.
    initialised: Box<[AtomicU8]>,
    /// Held while 64 bits are read or written that other blocks may update at the same time.
    atomics: Mutex<()>,
}

/// At most 32 bytes of memory.
pub type Words = [u32; WORDS];

pub const WORDS: usize = 8;

/// A bit for each byte of an access, the first byte in the lowest bit.
pub type ByteMask = u32;

/// Whether the result of an atomic is undefined.
#[derive(Clone, Copy)]
pub struct UpdateState {
    /// An operand is undefined.
    pub is_undefined: bool,
    /// The result depends on the old value.
    pub is_of_old: bool,
}

impl UpdateState {
    /// True if the result is defined, given whether the old value is.
    pub fn is_defined(self, is_initialised: bool) -> bool {
        !self.is_undefined && (is_initialised || !self.is_of_old)
    }
}

impl Allocation {
    fn new(base: u64, bytes: u64) -> Allocation {
        let count = bytes.div_ceil(4);
        let poison = u32::from_ne_bytes([POISON; 4]);
        Allocation {
            base,
            bytes,
            is_constant: false,
            words: (0..count).map(|_| AtomicU32::new(poison)).collect(),
            initialised: (0..count).map(|_| AtomicU8::new(0)).collect(),
            atomics: Mutex::new(()),
        }
    }

    /// The offset of an access, if all of it is inside this allocation.
    #[inline(always)]
    pub fn offset(&self, address: u64, bytes: u32) -> Option<usize> {
        let offset = address.wrapping_sub(self.base);
        let is_inside = offset < self.bytes && u64::from(bytes) <= self.bytes - offset;
        is_inside.then_some(offset as usize)
    }

    /// True if all of an access at an offset is in this allocation.
    #[inline(always)]
    pub fn holds_all(&self, offset: usize, bytes: u32) -> bool {
        u64::from(bytes) <= self.bytes - offset as u64
    }

    /// The number of bytes from an offset to the end, of an access that reaches beyond it.
    #[cold]
    pub fn rest(&self, offset: usize) -> u32 {
        (self.bytes - offset as u64) as u32
    }

    /// Reads an aligned access of 1, 2 or a multiple of 4 bytes, which may end in the last word beyond the end; narrow values are in the low bits. Returns true if all
    /// of it is initialised.
    #[inline(always)]
    pub fn load(&self, offset: usize, bytes: u32, words: &mut Words) -> bool {
        let at = offset / 4;
        if bytes < 4 {
            let shift = offset as u32 % 4;
            words[0] = self.words[at].load(Relaxed) >> (8 * shift) & (u32::MAX >> (32 - 8 * bytes));
            let wanted = byte_mask(offset, bytes);
            return self.initialised[at].load(Relaxed) & wanted == wanted;
        }
        let count = bytes as usize / 4;
        let mut state = 0xf;
        for (i, word) in words.iter_mut().enumerate().take(count) {
            *word = self.words[at + i].load(Relaxed);
            state &= self.initialised[at + i].load(Relaxed);
        }
        state == 0xf
    }

    /// True if the memory holds a value of which these bytes are undefined.
    #[cold]
    pub fn holds(&self, offset: usize, bytes: u32, value: &Words, undefined: ByteMask) -> bool {
        let mut found = Words::default();
        self.load(offset, bytes, &mut found);
        found == *value && self.undefined(offset, bytes) == undefined
    }

    /// The bytes of an access that are not initialised.
    #[cold]
    pub fn undefined(&self, offset: usize, bytes: u32) -> ByteMask {
        let is_undefined = |i: &u32| {
            let at = offset + *i as usize;
            self.initialised[at / 4].load(Relaxed) & byte_mask(at, 1) == 0
        };
        (0..bytes).filter(is_undefined).fold(0, |mask, i| mask | 1 << i)
    }

    /// Makes bytes of an access uninitialised again.
    #[cold]
    pub fn set_undefined(&self, offset: usize, undefined: ByteMask) {
        for at in (0..32).filter(|i| undefined >> i & 1 != 0).map(|i| offset + i) {
            self.initialised[at / 4].fetch_and(!byte_mask(at, 1), Relaxed);
        }
    }

    /// Writes the formats that [`Self::load`] reads.
    #[inline(always)]
    pub fn store(&self, offset: usize, bytes: u32, words: &Words) {
        let at = offset / 4;
        if bytes < 4 {
            let shift = 8 * (offset as u32 % 4);
            let ones = (u32::MAX >> (32 - 8 * bytes)) << shift;
            let merge = |old: u32| Some(old & !ones | words[0] << shift & ones);
            // The closure always returns `Some`, so this cannot fail.
            let _ = self.words[at].fetch_update(Relaxed, Relaxed, merge);
            self.initialised[at].fetch_or(byte_mask(offset, bytes), Relaxed);
            return;
        }
        for (i, word) in words.iter().enumerate().take(bytes as usize / 4) {
            self.words[at + i].store(*word, Relaxed);
            self.initialised[at + i].store(0xf, Relaxed);
        }
    }

    /// Replaces a value atomically; returns the old value and whether it was initialised. The result is initialised as
    /// `how` says.
    pub fn update(
        &self,
        offset: usize,
        bytes: u32,
        how: UpdateState,
        of: impl Fn(u64) -> u64,
    ) -> (u64, bool) {
        if bytes == 8 {
            let _guard = self.lock();
            let mut words = Words::default();
            let is_initialised = self.load(offset, 8, &mut words);
            let old = u64::from(words[1]) << 32 | u64::from(words[0]);
            let new = of(old);
            (words[0], words[1]) = (new as u32, (new >> 32) as u32);
            self.store(offset, 8, &words);
            if !how.is_defined(is_initialised) {
                self.set_undefined(offset, 0xff);
            }
            return (old, is_initialised);
        }
        let (at, shift) = (offset / 4, 8 * (offset as u32 % 4));
        let ones = u32::MAX >> (32 - 8 * bytes);
        let part = |word: u32| u64::from(word >> shift & ones);
        let merge = |old: u32| {
            let new = of(part(old)) as u32 & ones;
            Some(old & !(ones << shift) | new << shift)
        };
        let old = match self.words[at].fetch_update(Relaxed, Relaxed, merge) {
            Ok(old) | Err(old) => old,
        };
        let mask = byte_mask(offset, bytes);
        let state = self.initialised[at].load(Relaxed);
        let is_initialised = state & mask == mask;
        // Only an exchange makes bytes initialised, so that atomics of several blocks need no order here.
        match how.is_defined(is_initialised) {
            true if is_initialised => {}
            true => drop(self.initialised[at].fetch_or(mask, Relaxed)),
            false => drop(self.initialised[at].fetch_and(!mask, Relaxed)),
        }
        (part(old), is_initialised)
    }

    /// Locks 64-bit values that are read or written in two steps.
    pub fn lock(&self) -> MutexGuard<'_, ()> {
        self.atomics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies from the host.
    pub fn write(&self, offset: usize, data: &[u8]) {
        for (i, byte) in data.iter().enumerate().filter(|(i, _)| !self.is_whole(offset, data, *i)) {
            self.store(offset + i, 1, &[u32::from(*byte), 0, 0, 0, 0, 0, 0, 0]);
        }
        let head = (offset.next_multiple_of(4) - offset).min(data.len());
        for (i, word) in data[head..].chunks_exact(4).enumerate() {
            let at = (offset + head) / 4 + i;
            self.words[at].store(u32::from_le_bytes([word[0], word[1], word[2], word[3]]), Relaxed);
            self.initialised[at].store(0xf, Relaxed);
        }
    }

    /// True if a byte of data is part of a word that is written as a whole.
    fn is_whole(&self, offset: usize, data: &[u8], i: usize) -> bool {
        let head = (offset.next_multiple_of(4) - offset).min(data.len());
        i >= head && i < head + (data.len() - head) / 4 * 4
    }

    /// Copies to the host, whether initialised or not.
    pub fn read(&self, offset: usize, data: &mut [u8]) {
        for (i, byte) in data.iter_mut().enumerate() {
            let at = offset + i;
            *byte = self.words[at / 4].load(Relaxed).to_le_bytes()[at % 4];
        }
    }

    /// The first byte of a range that is not initialised, as an offset in the range, and the number of such bytes.
    pub fn first_undefined(&self, offset: usize, bytes: usize) -> Option<(usize, usize)> {
        let words = &self.initialised[offset / 4..(offset + bytes).div_ceil(4)];
        if words.iter().all(|it| it.load(Relaxed) == 0xf) {
            return None;
        }
        let state = self.state(offset, bytes);
        let first = state.iter().position(|it| !it)?;
        Some((first, state.iter().filter(|it| !**it).count()))
    }

    /// For each byte of a range, true if it is initialised.
    pub fn state(&self, offset: usize, bytes: usize) -> Vec<bool> {
        let is_set = |at: usize| self.initialised[at / 4].load(Relaxed) & byte_mask(at, 1) != 0;
        (offset..offset + bytes).map(is_set).collect()
    }

    /// Marks the bytes of a range as uninitialised where `state` is false.
    pub fn set_state(&self, offset: usize, state: &[bool]) {
        for (at, _) in (offset..).zip(state).filter(|(_, it)| !**it) {
            self.initialised[at / 4].fetch_and(!byte_mask(at, 1), Relaxed);
        }
    }
}

fn byte_mask(offset: usize, bytes: u32) -> u8 {
    ((1_u8 << bytes) - 1) << (offset % 4)
}

/// All allocations, ordered by address.
#[derive(Default)]
pub struct Memory {
    allocations: Vec<Arc<Allocation>>,
    /// Address and size of freed allocations.
    freed: Vec<(u64, u64)>,
    used: u64,
    next: u64,
}

impl Memory {
    /// Allocates memory and returns its address, or `None` if the total would exceed `limit` bytes.
    pub fn alloc(&mut self, bytes: u64, align: u64, limit: u64) -> Option<u64> {
        self.used.checked_add(bytes).filter(|used| *used <= limit)?;
        let base = self.next.max(FIRST).checked_next_multiple_of(align.max(ALIGN))?;
        self.next = base.checked_add(bytes)?.checked_add(GAP.max(bytes))?;
        if self.next >= window::SHARED {
            return None;
        }
        self.used += bytes;
        self.allocations.push(Arc::new(Allocation::new(base, bytes)));
        Some(base)
    }

    /// Frees an allocation; false if the address is not that of an allocation.
    pub fn free(&mut self, address: u64) -> bool {
        match self.allocations.binary_search_by_key(&address, |it| it.base) {
            Ok(at) => {
                let allocation = self.allocations.remove(at);
                self.used -= allocation.bytes;
                self.freed.push((allocation.base, allocation.bytes));
                true
            }
            Err(_) => false,
        }
    }

    /// Makes an allocation read-only for kernels. No other code may use it yet.
    pub fn make_constant(&mut self, address: u64) {
        if let Ok(at) = self.allocations.binary_search_by_key(&address, |it| it.base)
            && let Some(allocation) = Arc::get_mut(&mut self.allocations[at])
        {
            allocation.is_constant = true;
        }
    }

    pub fn used(&self) -> u64 {
        self.used
    }

    pub fn allocations(&self) -> &[Arc<Allocation>] {
        &self.allocations
    }

    /// The number of the allocation that contains the start of an access.
    pub fn find(&self, address: u64) -> Option<usize> {
        let behind = self.allocations.partition_point(|it| it.base <= address);
        let at = behind.checked_sub(1)?;
        (address - self.allocations[at].base < self.allocations[at].bytes).then_some(at)
    }

    /// A description of the allocations near an unmapped address.
    pub fn near(&self, address: u64) -> String {
        if let Some((base, bytes)) =
            self.freed.iter().find(|(base, bytes)| (*base..base + bytes).contains(&address))
        {
            return format!("in the {bytes} bytes at {base:#x}, which were freed");
        }
        let behind = self.allocations.partition_point(|it| it.base <= address);
        let before = behind.checked_sub(1).map(|at| &self.allocations[at]);
        let after = self.allocations.get(behind);
        let past = before.map(|it| (address - it.base).saturating_sub(it.bytes));
        let ahead = after.map(|it| it.base - address);
        match (before, after) {
            (Some(it), _) if past <= ahead.or(past) => {
                let (bytes, base) = (it.bytes, it.base);
                let past = past.unwrap_or_default();
                format!("{past} bytes after the end of the {bytes} bytes at {base:#x}")
            }
            (_, Some(it)) => {
                let (bytes, base) = (it.bytes, it.base);
                format!("{} bytes before the {bytes} bytes at {base:#x}", base - address)
            }
            _ => "where nothing is allocated".into(),
        }
    }
}

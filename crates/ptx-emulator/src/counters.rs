//! Counters of a launch: instructions, memory traffic, bank conflicts, floating-point operations.

use crate::registers::{ALL, LANES, Mask, lanes};
use std::ops::{Index, IndexMut};

/// Classes of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Integer arithmetic, operations on bits and predicates, selections.
    Integer,
    /// `setp` and `set`.
    Compare,
    /// `mov`.
    Move,
    /// `cvt`.
    Convert,
    /// Floating-point arithmetic, except the class `Special`.
    Float,
    /// Division, square roots, exponentials and similar functions.
    Special,
    /// `mma`.
    Matrix,
    /// Loads, and `ldmatrix`.
    Load,
    /// Stores, and `stmatrix`.
    Store,
    /// `atom` and `red`.
    Atomic,
    /// `cp.async`, and the waits for it.
    AsyncCopy,
    /// Exchanges between the lanes of a warp: shuffles, votes, reductions.
    Collective,
    /// `bar` and `barrier`.
    Barrier,
    /// `membar` and `fence`.
    Fence,
    /// Branches, calls, returns, exits and traps.
    Control,
    /// Prefetches and other hints, which have no effect here.
    Other,
}

impl Class {
    /// The classes in order of their numbers, with their names.
    pub const ALL: [(Class, &'static str); 16] = [
        (Class::Integer, "integer"),
        (Class::Compare, "compare"),
        (Class::Move, "move"),
        (Class::Convert, "convert"),
        (Class::Float, "float"),
        (Class::Special, "special"),
        (Class::Matrix, "matrix"),
        (Class::Load, "load"),
        (Class::Store, "store"),
        (Class::Atomic, "atomic"),
        (Class::AsyncCopy, "async copy"),
        (Class::Collective, "collective"),
        (Class::Barrier, "barrier"),
        (Class::Fence, "fence"),
        (Class::Control, "control"),
        (Class::Other, "other"),
    ];
}

/// Executed instructions by class. An instruction counts once per warp, whatever the number of active lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instructions([u64; Class::ALL.len()]);

impl Index<Class> for Instructions {
    type Output = u64;

    fn index(&self, class: Class) -> &u64 {
        &self.0[class as usize]
    }
}

impl IndexMut<Class> for Instructions {
    fn index_mut(&mut self, class: Class) -> &mut u64 {
        &mut self.0[class as usize]
    }
}

impl Instructions {
    /// The number of instructions of all classes.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

/// Accesses to global memory. A request is one instruction of a warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Instructions of a warp.
    pub requests: u64,
    /// The bytes that lanes requested; lanes with the same address count separately.
    pub bytes: u64,
    /// Distinct aligned 32-byte sectors of each request: the traffic between the caches.
    pub sectors: u64,
}

/// Accesses to shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedTraffic {
    /// Instructions of a warp.
    pub requests: u64,
    /// The bytes that lanes requested; lanes with the same address count separately.
    pub bytes: u64,
    /// Passes over the 32 banks of 4 bytes.
    pub wavefronts: u64,
    /// Passes that a conflict-free layout would save.
    pub conflicts: u64,
}

/// The counters of a launch. They do not depend on the number of host threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Executed instructions by class, counted per warp.
    pub instructions: Instructions,
    /// Executed instructions, counted per lane.
    pub lane_instructions: u64,
    /// Loads of global memory.
    pub global_loads: Traffic,
    /// Stores to global memory.
    pub global_stores: Traffic,
    /// Loads of shared memory.
    pub shared_loads: SharedTraffic,
    /// Stores to shared memory.
    pub shared_stores: SharedTraffic,
    /// Arrivals of warps at barriers.
    pub barriers: u64,
    /// Branches at which the lanes of a warp diverged.
    pub divergent_branches: u64,
    /// Floating-point operations of all lanes. A fused multiply-add counts as two, and an `mma` as all of its
    /// operations.
    pub flops: u64,
}

impl Counters {
    /// Adds the counters of another launch, or of other blocks.
    pub fn add(&mut self, other: &Counters) {
        let Counters {
            instructions, global_loads, global_stores, shared_loads, shared_stores, ..
        } = other;
        for (sum, count) in self.instructions.0.iter_mut().zip(instructions.0) {
            *sum += count;
        }
        for (sum, it) in
            [(&mut self.global_loads, global_loads), (&mut self.global_stores, global_stores)]
        {
            sum.requests += it.requests;
            sum.bytes += it.bytes;
            sum.sectors += it.sectors;
        }
        for (sum, it) in
            [(&mut self.shared_loads, shared_loads), (&mut self.shared_stores, shared_stores)]
        {
            sum.requests += it.requests;
            sum.bytes += it.bytes;
            sum.wavefronts += it.wavefronts;
            sum.conflicts += it.conflicts;
        }
        self.lane_instructions += other.lane_instructions;
        self.barriers += other.barriers;
        self.divergent_branches += other.divergent_branches;
        self.flops += other.flops;
    }

    /// Floating-point operations per byte that lanes load from or store to global memory; `None` if there are no such
    /// bytes.
    pub fn arithmetic_intensity(&self) -> Option<f64> {
        let bytes = self.global_loads.bytes + self.global_stores.bytes;
        (bytes > 0).then(|| self.flops as f64 / bytes as f64)
    }
}

impl Traffic {
    pub(crate) fn note(&mut self, addresses: &[u64; LANES], mask: Mask, bytes: u32) {
        self.requests += 1;
        self.bytes += u64::from(mask.count_ones()) * u64::from(bytes);
        self.note_sectors(addresses, mask);
    }

    /// Records accesses of `bytes[lane]` bytes by each lane. A lane with 0 bytes does not access memory, and each
    /// access is inside one sector.
    pub(crate) fn note_parts(&mut self, addresses: &[u64; LANES], bytes: &[u32; LANES]) {
        let mask = (0..LANES).fold(0, |mask, lane| mask | u32::from(bytes[lane] > 0) << lane);
        self.requests += u64::from(mask != 0);
        self.bytes += bytes.iter().map(|it| u64::from(*it)).sum::<u64>();
        self.note_sectors(addresses, mask);
    }

    fn note_sectors(&mut self, addresses: &[u64; LANES], mask: Mask) {
        self.sectors += match mask {
            ALL => different(addresses.iter().map(|it| it / 32)),
            _ => {
                let is_on = |lane: &usize| mask >> lane & 1 == 1;
                different((0..LANES).filter(is_on).map(|lane| addresses[lane] / 32))
            }
        };
    }
}

impl SharedTraffic {
    /// Hardware serves 32 lanes of up to 4 bytes at once, 16 lanes of 8, or 8 lanes of 16. These are adjacent lanes,
    /// some of which may be inactive.
    pub(crate) fn note(&mut self, addresses: &[u64; LANES], mask: Mask, bytes: u32) {
        self.requests += 1;
        self.bytes += u64::from(mask.count_ones()) * u64::from(bytes);
        let words = bytes.div_ceil(4);
        let at_once = LANES / words as usize;
        for first in (0..LANES).step_by(at_once) {
            let part = &addresses[first..first + at_once];
            let on = mask >> first & ALL >> (LANES - at_once);
            if on == 0 {
                continue;
            }
            let passes = match on.count_ones() as usize == at_once {
                true => passes(part, words),
                false => {
                    let (mut used, mut count) = ([0; LANES], 0);
                    for lane in lanes(on) {
                        used[count] = part[lane];
                        count += 1;
                    }
                    passes(&used[..count], words)
                }
            };
            self.wavefronts += passes;
            self.conflicts += passes - 1;
        }
    }
}

/// The largest number of distinct words in one bank.
fn passes(addresses: &[u64], words: u32) -> u64 {
    // Fast path: the words are in one row of all banks.
    let differences = addresses.iter().fold(0, |bits, it| bits | (it ^ addresses[0]));
    if differences < 128 {
        return 1;
    }
    let first = addresses[0] / 4;
    let is_consecutive = addresses.iter().zip((first..).step_by(words as usize));
    if is_consecutive.into_iter().all(|(address, word)| address / 4 == word) {
        return 1;
    }
    if has_one_word_a_bank(addresses, words) {
        return 1;
    }
    let all = addresses.iter().flat_map(|it| (0..u64::from(words)).map(move |i| it / 4 + i));
    // The distinct words so far, as a linked list for each bank.
    let (mut used, mut before) = ([0; MAX_WORDS], [NONE; MAX_WORDS]);
    let (mut last, mut sizes) = ([NONE; 32], [0_u64; 32]);
    let mut count = 0;
    for word in all {
        let bank = word as usize % 32;
        let mut at = last[bank];
        while at != NONE && used[usize::from(at)] != word {
            at = before[usize::from(at)];
        }
        if at == NONE {
            (used[count], before[count]) = (word, last[bank]);
            last[bank] = count as u16;
            sizes[bank] += 1;
            count += 1;
        }
    }
    sizes.into_iter().max().unwrap_or_default()
}

fn has_one_word_a_bank(addresses: &[u64], words: u32) -> bool {
    let mut used = [u64::MAX; 32];
    let mut is_alone = true;
    for address in addresses {
        for word in address / 4..address / 4 + u64::from(words) {
            let used = &mut used[word as usize % 32];
            is_alone &= *used == u64::MAX || *used == word;
            *used = word;
        }
    }
    is_alone
}

/// The maximum number of words in a pass: those of 32 lanes with 4 bytes, or of fewer lanes with more.
const MAX_WORDS: usize = 32;
const NONE: u16 = u16::MAX;

/// The number of distinct values. Values of adjacent lanes are mostly ascending.
fn different(values: impl Iterator<Item = u64> + Clone) -> u64 {
    let (mut count, mut last, mut ascends) = (0, None, true);
    for value in values.clone() {
        ascends &= last.is_none_or(|last| last <= value);
        count += u64::from(last != Some(value));
        last = Some(value);
    }
    if ascends {
        return count;
    }
    let mut all: Vec<u64> = values.collect();
    all.sort_unstable();
    all.dedup();
    all.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wavefronts(of: impl Fn(u64) -> u64, bytes: u32) -> (u64, u64) {
        of_lanes(of, bytes, ALL)
    }

    fn of_lanes(of: impl Fn(u64) -> u64, bytes: u32, mask: Mask) -> (u64, u64) {
        let mut traffic = SharedTraffic::default();
        traffic.note(&std::array::from_fn(|lane| of(lane as u64)), mask, bytes);
        assert_eq!(traffic.bytes, u64::from(mask.count_ones()) * u64::from(bytes));
        (traffic.wavefronts, traffic.conflicts)
    }

    #[test]
    fn banks() {
        assert_eq!(wavefronts(|lane| lane * 4, 4), (1, 0));
        assert_eq!(wavefronts(|_| 64, 4), (1, 0));
        assert_eq!(wavefronts(|lane| lane * 8, 4), (2, 1));
        assert_eq!(wavefronts(|lane| lane * 128, 4), (32, 31));
        assert_eq!(wavefronts(|lane| lane * 132, 4), (1, 0));
        assert_eq!(wavefronts(|lane| lane * 16, 16), (4, 0));
        assert_eq!(wavefronts(|lane| lane * 256, 16), (32, 28));
        assert_eq!(wavefronts(|lane| lane % 8 * 4 + lane / 8 * 128, 4), (4, 3));
        assert_eq!(wavefronts(|lane| lane % 8 * 4, 4), (1, 0));
    }

    #[test]
    fn lanes_that_are_off_leave_the_others_where_they_are() {
        // The lanes of each quarter request the first half of a row of banks.
        let rows = |lane: u64| lane * 16;
        assert_eq!(of_lanes(rows, 16, 0x0f0f_0f0f), (4, 0));
        assert_eq!(of_lanes(rows, 16, 0x0000_00ff), (1, 0));
        assert_eq!(of_lanes(|lane| lane * 128, 16, 0x0000_0f0f), (8, 6));
        assert_eq!(of_lanes(|lane| lane * 128, 4, 0x8000_0001), (2, 1));
    }

    #[test]
    fn sectors() {
        let sectors = |of: fn(u64) -> u64, bytes| {
            let mut traffic = Traffic::default();
            traffic.note(&std::array::from_fn(|lane| of(lane as u64)), ALL, bytes);
            traffic.sectors
        };
        assert_eq!(sectors(|lane| lane * 4, 4), 4);
        assert_eq!(sectors(|lane| lane * 16, 16), 16);
        assert_eq!(sectors(|lane| lane * 64, 4), 32);
        assert_eq!(sectors(|lane| (31 - lane) % 16 * 4, 4), 2);
    }
}

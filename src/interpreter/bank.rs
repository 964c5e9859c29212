//! Counts the wavefronts (bank conflicts) of shared memory accesses of warps.
//!
//! The threads of a warp run one after the other in the interpreter. Their n-th accesses at one op since a barrier are
//! taken as one request of the warp. There are 32 banks of 4 bytes. A request is served in groups of lanes that access
//! 128 bytes together. A group takes as many wavefronts as distinct words are requested from its most requested bank.

use super::value::Array;
use crate::ir::{Attribute, Op};
use std::collections::{BTreeMap, BTreeSet, HashMap};

const WARP: u32 = 32;
const BANKS: usize = 32;
/// The bytes that all banks deliver at once (`GROUP`), and the most bytes that a lane requests at once (`WIDEST`).
const GROUP: usize = 128;
const WIDEST: usize = 16;

/// The requests of threads since the last barrier, and the wavefronts of earlier ones.
#[derive(Default)]
pub struct Banks {
    thread: u32,
    /// The number of times that a thread has run an op since the last barrier.
    times: HashMap<(u32, usize), u32>,
    requests: HashMap<Request, BTreeMap<u32, usize>>,
    wavefronts: u64,
}

/// An access of a warp. Its lanes are recorded by their first byte in the buffer.
#[derive(PartialEq, Eq, Hash)]
struct Request {
    op: usize,
    time: u32,
    warp: u32,
    /// The index of the piece, for a vector that is accessed in several pieces.
    piece: usize,
    bytes: usize,
}

impl Banks {
    /// The following accesses are of this thread.
    pub fn start(&mut self, thread: u32) {
        self.thread = thread;
    }

    /// Records an access of the current thread to elements of `array`, if its memref is in shared memory.
    pub fn note(&mut self, op: Op, array: &Array, places: impl Iterator<Item = usize>) {
        let is_shared = |text: String| text.contains("address_space<workgroup>");
        let buffers = op.operands().into_iter().map(|value| value.ty()).filter(|ty| ty.is_memref());
        if !buffers.map(|ty| ty.to_string()).any(is_shared) {
            return;
        }
        let element = array.ty.bits().div_ceil(8) as usize;
        let stated = op.attribute("alignment").and_then(Attribute::as_i64);
        let stated = stated.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(element);
        let at_once = (stated.clamp(element, WIDEST.max(element)) / element).max(1);
        let places: Vec<usize> = places.collect();
        let at_once = (1..=at_once).rev().find(|n| places.len().is_multiple_of(*n)).unwrap_or(1);
        let id = op.to_raw().ptr as usize;
        let times = self.times.entry((self.thread, id)).or_default();
        *times += 1;
        for (piece, places) in places.chunks(at_once).enumerate() {
            let (time, warp) = (*times, self.thread / WARP);
            let request = Request { op: id, time, warp, piece, bytes: at_once * element };
            let lanes = self.requests.entry(request).or_default();
            lanes.insert(self.thread % WARP, places[0] * element);
        }
    }

    /// All threads have reached a barrier or the end: counts the wavefronts of the requests so far.
    pub fn settle(&mut self) {
        for (request, lanes) in self.requests.drain() {
            let in_group = (GROUP / request.bytes.max(GROUP / BANKS)).max(1) as u32;
            let mut groups: BTreeMap<u32, Vec<BTreeSet<usize>>> = BTreeMap::new();
            for (lane, first) in lanes {
                let group = groups.entry(lane / in_group);
                let words = group.or_insert_with(|| vec![BTreeSet::new(); BANKS]);
                for byte in first..first + request.bytes {
                    words[byte / 4 % BANKS].insert(byte / 4);
                }
            }
            let cost = |words: Vec<BTreeSet<usize>>| words.iter().map(BTreeSet::len).max();
            self.wavefronts += groups.into_values().filter_map(cost).sum::<usize>() as u64;
        }
        self.times.clear();
    }

    pub fn wavefronts(&self) -> u64 {
        self.wavefronts
    }
}

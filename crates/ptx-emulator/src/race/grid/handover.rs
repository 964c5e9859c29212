//! Happens-before knowledge that blocks pass to each other by fences and strong accesses.
//!
//! A thread that releases hands over what it knows of its own block, as ticks, and what it has acquired of other
//! blocks. Later accesses of a thread that acquires happen after all of that. The same holds for the threads of its
//! block that happen after the acquire, according to the clocks of the block.

use super::cell::Who;
use crate::race::order::Ticks;
use crate::race::releases::Join;
use crate::race::{Clocks, threads};
use crate::registers::{LANES, Mask};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Accesses of blocks, by their ticks.
#[derive(Clone, Default)]
pub struct HandOver(BTreeMap<u32, Arc<Ticks>>);

/// What the threads of a block know of other blocks.
#[derive(Default)]
pub struct Acquaintances {
    acquired: Vec<Lesson>,
    /// What strong reads have observed that is not acquired yet, because no fence has followed.
    observed: Vec<Lesson>,
}

/// What lanes of a warp have learnt at a tick.
struct Lesson {
    warp: u16,
    lanes: Mask,
    tick: u32,
    /// The address of the strong read.
    address: u64,
    taken: Arc<HandOver>,
}

impl Acquaintances {
    /// True if the access of a thread happens after the access `who` of another block.
    pub fn is_behind(&self, who: Who, clocks: &Clocks, now: u16) -> bool {
        let mut lessons = self.acquired.iter().filter(|it| it.is_before(clocks, now));
        match who.only_block() {
            None => lessons.next().is_some(),
            Some(block) => lessons.any(|it| {
                let ticks = it.taken.0.get(&block);
                ticks.is_some_and(|ticks| who.tick < ticks.of(who.thread))
            }),
        }
    }

    /// Records a strong read by lanes of a warp of what others have handed over.
    pub fn observe(
        &mut self,
        (warp, lanes): (u16, Mask),
        address: u64,
        taken: Arc<HandOver>,
        clocks: &Clocks,
    ) {
        let lesson = Lesson { warp, lanes, tick: clocks.tick(), address, taken };
        lesson.note(&mut self.observed, clocks);
    }

    /// Lanes of a warp acquire what they have observed: all of it by a fence, else only that of one address.
    pub fn acquire(&mut self, (warp, lanes): (u16, Mask), address: Option<u64>, clocks: &Clocks) {
        for lesson in &self.observed {
            if address.is_some_and(|it| it != lesson.address) {
                continue;
            }
            let behind = threads(warp, lanes).filter(|it| lesson.is_before(clocks, *it));
            let lanes = behind.fold(0, |lanes, it| lanes | 1 << (it % LANES as u16));
            if lanes != 0 {
                let (tick, address, taken) = (clocks.tick(), 0, lesson.taken.clone());
                Lesson { warp, lanes, tick, address, taken }.note(&mut self.acquired, clocks);
            }
        }
    }

    /// What a thread of a block hands over: the accesses of its own block that it has ready, and what those threads had
    /// acquired from other blocks by then.
    pub fn hand_over(&self, block: u32, ready: Ticks) -> HandOver {
        let mut all = HandOver::default();
        for lesson in &self.acquired {
            if threads(lesson.warp, lesson.lanes).any(|it| lesson.tick < ready.of(it)) {
                all.join(&lesson.taken);
            }
        }
        all.0.insert(block, Arc::new(ready));
        all
    }
}

impl Lesson {
    fn is_before(&self, clocks: &Clocks, now: u16) -> bool {
        threads(self.warp, self.lanes).any(|it| clocks.is_before(it, self.tick, now))
    }

    /// Adds it to a list. Threads that spin in a loop observe the same thing repeatedly, which is recorded once. All
    /// threads know what was learnt before the last barrier of the block, so this needs only one entry for each
    /// address.
    fn note(self, lessons: &mut Vec<Lesson>, clocks: &Clocks) {
        let is_contained = |it: &Lesson| {
            let place = |it: &Lesson| (it.warp, it.address);
            place(it) == place(&self)
                && self.lanes & !it.lanes == 0
                && Arc::ptr_eq(&it.taken, &self.taken)
        };
        if lessons.iter().any(is_contained) {
            return;
        }
        let is_old = |it: &Lesson| it.tick < clocks.base() && it.address == self.address;
        if lessons.iter().filter(|it| is_old(it)).count() > 1 {
            let mut all: Option<Lesson> = None;
            for old in lessons.extract_if(.., |it| is_old(it)) {
                match &mut all {
                    Some(all) => Arc::make_mut(&mut all.taken).join(&old.taken),
                    None => all = Some(old),
                }
            }
            lessons.extend(all);
        }
        lessons.push(self);
    }
}

impl Join for HandOver {
    fn join(&mut self, other: &HandOver) {
        for (block, ticks) in &other.0 {
            match self.0.get_mut(block) {
                Some(own) if Arc::ptr_eq(own, ticks) => {}
                Some(own) => Arc::make_mut(own).join(ticks),
                None => drop(self.0.insert(*block, ticks.clone())),
            }
        }
    }
}

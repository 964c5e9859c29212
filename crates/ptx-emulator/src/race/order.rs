//! The happens-before order of the threads of a block: for each thread, the accesses that happened before its next
//! ones.
//!
//! Most knowledge is shared by whole warps: for each other warp and its own, [`WarpClock::seen`] has the tick before
//! which all accesses of that warp's lanes happened before ours. Lanes that meet without the others of their warp, and
//! lanes that acquire what a thread has released, know more: a [`Group`] has the lanes of a warp with the same
//! knowledge.
//!
//! - Lanes meet at `bar.warp.sync`, shuffles and votes. (The manual guarantees memory order only for the first;
//!   programs rely on it for all.) `bar.arrive` does not wait, so it orders nothing for the threads that arrive.
//! - A strong read of the value of a strong write happens after what the writer has released, see [`super::releases`],
//!   if the reader acquires: by the read itself, by a later read of the same address, or by a fence.
//! - DIVERGENCE: by the manual a fence orders the accesses of the threads that have run it. Here it also counts for
//!   threads that happen after it: programs hand over the work of a block by `fence; bar.sync;` and then an atomic by
//!   one thread, and hardware supports this.

use super::releases::{Join, Writing};
use super::{Clocks, threads};
use crate::program::Scope;
use crate::registers::{LANES, Mask, lanes};
use std::collections::BTreeMap;

/// For each thread, the tick before which its accesses happened before something; 0 for threads beyond the end.
#[derive(Clone, Debug, Default)]
pub struct Ticks(Vec<u32>);

impl Ticks {
    pub fn of(&self, thread: u16) -> u32 {
        self.0.get(usize::from(thread)).copied().unwrap_or(0)
    }

    fn raise(&mut self, thread: u16, tick: u32) {
        let at = usize::from(thread);
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = self.0[at].max(tick);
    }
}

impl Join for Ticks {
    fn join(&mut self, other: &Ticks) {
        join(&mut self.0, &other.0);
    }
}

#[derive(Clone, Default)]
pub struct WarpClock {
    /// For each warp: accesses of its lanes before this tick happened before those of all our lanes.
    pub seen: Vec<u32>,
    groups: Vec<Group>,
    /// The tick of each lane's last fence of each scope.
    fenced: Option<Box<[[u32; LANES]; 2]>>,
    /// True if some lanes know more than others, or have a fence that others do not know of.
    has_parted: bool,
}

/// Lanes of a warp with the same knowledge beyond `seen`.
#[derive(Clone, Default)]
struct Group {
    lanes: Mask,
    known: Ticks,
    fences: Fences,
}

/// The effects of the fences so far.
#[derive(Clone, Default)]
pub struct Fences {
    /// The accesses before the last fence of each scope, which are ready to be handed over.
    ready: [Ticks; 2],
    /// By address: what strong reads have observed and no fence has followed yet.
    observed: BTreeMap<u64, Ticks>,
}

/// The joined knowledge of the threads that have arrived at a barrier.
#[derive(Default)]
pub struct Gathered {
    warps: Vec<u32>,
    others: Option<Box<(Ticks, Fences)>>,
}

impl Clocks {
    /// Starts a block. Cells that other blocks have used need not be cleared.
    pub fn start(&mut self, warps: usize) {
        self.everything_ordered();
        let fresh = WarpClock { seen: vec![0; warps], ..WarpClock::default() };
        self.warps.clear();
        self.warps.resize(warps, fresh);
        self.releases.clear();
        self.fences = Fences::default();
    }

    /// True if cells must be cleared, since ticks will run out.
    pub fn is_worn(&self) -> bool {
        self.tick > 1 << 31
    }

    pub fn tick(&self) -> u32 {
        self.tick
    }

    pub fn base(&self) -> u32 {
        self.base
    }

    pub(super) fn warp_count(&self) -> usize {
        self.warps.len()
    }

    #[inline(always)]
    pub(super) fn seen(&self, warp: usize, other: usize) -> u32 {
        self.warps[warp].seen[other]
    }

    /// Accesses of this warp's lanes before this tick happened before those of all its lanes.
    #[inline(always)]
    pub(super) fn together(&self, warp: usize) -> u32 {
        self.seen(warp, warp)
    }

    /// True if the access of a thread at a tick happened before what another thread does now.
    #[inline(always)]
    pub fn is_before(&self, thread: u16, tick: u32, now: u16) -> bool {
        tick < self.base || thread == now || self.is_synchronised(thread, tick, now)
    }

    fn is_synchronised(&self, thread: u16, tick: u32, now: u16) -> bool {
        let [warp, own] = [thread, now].map(|it| usize::from(it) / LANES);
        let clock = &self.warps[own];
        tick < clock.seen[warp] || self.is_apart && clock.is_known(thread, tick, now)
    }

    /// A barrier of the whole block.
    pub fn everything_ordered(&mut self) {
        self.tick += 1;
        self.base = self.tick;
        self.readers.clear();
        self.histories.clear();
        self.spare_histories.clear();
        if std::mem::take(&mut self.is_apart) {
            for (warp, clock) in (0..).zip(&mut self.warps) {
                for group in clock.groups.drain(..) {
                    self.fences.join(&group.fences);
                }
                clock.add_fences(warp, Mask::MAX, &mut self.fences);
                (clock.fenced, clock.has_parted) = (None, false);
            }
        }
    }

    /// Lanes of a warp have met; `live` are all that have not exited.
    pub fn lanes_met(&mut self, warp: usize, mask: Mask, live: Mask) {
        self.tick += 1;
        let clock = &mut self.warps[warp];
        if mask == live {
            clock.seen[warp] = self.tick;
            if std::mem::take(&mut clock.has_parted) {
                clock.meet(warp as u16, mask, &self.fences);
            }
            return;
        }
        self.is_apart = true;
        clock.has_parted = true;
        let group = clock.meet(warp as u16, mask, &self.fences);
        threads(warp as u16, mask).for_each(|thread| group.known.raise(thread, self.tick));
    }

    /// Lanes of a warp arrive at a barrier of some warps.
    pub fn arrive(&mut self, warp: usize, mask: Mask, live: Mask, gathered: &mut Gathered) {
        self.tick += 1;
        let clock = &mut self.warps[warp];
        join(&mut gathered.warps, &clock.seen);
        if mask == live {
            gathered.warps[warp] = gathered.warps[warp].max(self.tick);
        }
        if mask == live && !self.is_apart {
            return;
        }
        let (known, fences) = &mut **gathered.others.get_or_insert_default();
        if mask != live {
            threads(warp as u16, mask).for_each(|thread| known.raise(thread, self.tick));
        }
        for group in clock.groups.iter().filter(|it| it.lanes & mask != 0) {
            known.join(&group.known);
            fences.join(&group.fences);
        }
        clock.add_fences(warp as u16, mask, fences);
    }

    /// Lanes of a warp leave a barrier.
    pub fn leave(&mut self, warp: usize, mask: Mask, live: Mask, gathered: &Gathered) {
        let clock = &mut self.warps[warp];
        if mask == live {
            join(&mut clock.seen, &gathered.warps);
            if gathered.others.is_none() {
                return;
            }
        }
        self.is_apart = true;
        clock.has_parted = true;
        let by_warp = gathered.warps.iter().flat_map(|tick| [*tick; LANES]);
        let by_warp = Ticks(if mask == live { vec![] } else { by_warp.collect() });
        for group in clock.part(mask, &self.fences) {
            group.known.join(&by_warp);
            if let Some(others) = &gathered.others {
                group.known.join(&others.0);
                group.fences.join(&others.1);
            }
        }
    }

    /// Lanes of a warp run a fence.
    pub fn fence(&mut self, warp: usize, mask: Mask, scope: Scope) {
        self.tick += 1;
        self.is_apart = true;
        let clock = &mut self.warps[warp];
        let seen = clock.seen.clone();
        for group in clock.part(mask, &self.fences) {
            std::mem::take(&mut group.fences.observed).values().for_each(|it| group.known.join(it));
            let ready = group.known.with_seen(&seen, self.base);
            // One of the device is also one of the block.
            for ready_in_scope in &mut group.fences.ready[..=scope as usize] {
                *ready_in_scope = ready.clone();
            }
        }
        clock.has_parted = true;
        let fenced = clock.fenced.get_or_insert_default();
        for fenced_in_scope in &mut fenced[..=scope as usize] {
            lanes(mask).for_each(|lane| fenced_in_scope[lane] = self.tick);
        }
    }

    /// What happens before the next access of a thread.
    pub fn known(&self, thread: u16) -> Ticks {
        let clock = &self.warps[usize::from(thread) / LANES];
        let nothing = Ticks::default();
        let known = clock.group(thread).map_or(&nothing, |it| &it.known);
        let mut all = known.with_seen(&clock.seen, self.base);
        all.raise(thread, self.tick);
        all
    }

    /// What happens before a thread's last fence of a scope, if there is one.
    pub fn ready(&self, thread: u16, scope: Scope) -> Option<Ticks> {
        let clock = &self.warps[usize::from(thread) / LANES];
        let fences = clock.group(thread).map_or(&self.fences, |it| &it.fences);
        let mut ready = fences.ready[scope as usize].clone();
        if let Some(fenced) = &clock.fenced {
            ready.raise(thread, fenced[scope as usize][usize::from(thread) % LANES]);
        }
        ready.0.iter().any(|it| *it != 0).then_some(ready)
    }

    /// Records a strong write that does not release by itself.
    pub fn write_flag(&mut self, thread: u16, address: u64, writing: Writing) {
        let ready = self.ready(thread, Scope::Block);
        self.releases.write(address, thread, ready, writing);
    }

    /// Records a strong write that releases itself and all accesses that happen before it.
    pub fn release(&mut self, thread: u16, address: u64, writing: Writing) {
        self.tick += 1;
        let known = self.known(thread);
        self.releases.write(address, thread, Some(known), writing);
    }

    /// Records a strong read of an address by lanes of a warp.
    pub fn read_flag(&mut self, warp: usize, mask: Mask, address: u64) {
        let Some(taken) = self.releases.at(address) else { return };
        self.is_apart = true;
        let clock = &mut self.warps[warp];
        clock.has_parted = true;
        for group in clock.part(mask, &self.fences) {
            group.fences.observed.entry(address).or_default().join(&taken);
        }
    }

    /// Records strong reads that acquire.
    pub fn acquire(&mut self, warp: usize, mask: Mask, address: u64) {
        self.read_flag(warp, mask, address);
        let has_observed = |fences: &Fences| fences.observed.contains_key(&address);
        let clock = &mut self.warps[warp];
        if !has_observed(&self.fences) && !clock.groups.iter().any(|it| has_observed(&it.fences)) {
            return;
        }
        self.is_apart = true;
        clock.has_parted = true;
        for group in clock.part(mask, &self.fences) {
            if let Some(observed) = group.fences.observed.remove(&address) {
                group.known.join(&observed);
            }
        }
    }
}

impl WarpClock {
    /// True if a thread's access is known to thread `now` beyond what its warp knows.
    #[cold]
    fn is_known(&self, thread: u16, tick: u32, now: u16) -> bool {
        self.group(now).is_some_and(|it| tick < it.known.of(thread))
    }

    fn group(&self, thread: u16) -> Option<&Group> {
        let lane = usize::from(thread) % LANES;
        self.groups.iter().find(|it| it.lanes >> lane & 1 != 0)
    }

    /// Splits off the groups of exactly these lanes.
    fn part(&mut self, mask: Mask, fences: &Fences) -> impl Iterator<Item = &mut Group> {
        let mut missing = mask;
        for at in 0..self.groups.len() {
            let group = &mut self.groups[at];
            missing &= !group.lanes;
            let (inside, outside) = (group.lanes & mask, group.lanes & !mask);
            if inside != 0 && outside != 0 {
                group.lanes = inside;
                let rest = Group { lanes: outside, ..group.clone() };
                self.groups.push(rest);
            }
        }
        if missing != 0 {
            let fences = fences.clone();
            self.groups.push(Group { lanes: missing, fences, ..Group::default() });
        }
        self.groups.iter_mut().filter(move |it| it.lanes & mask != 0)
    }

    /// Merges these lanes into one group.
    fn meet(&mut self, warp: u16, mask: Mask, fences: &Fences) -> &mut Group {
        let mut joined: Option<Group> = None;
        self.part(mask, fences).for_each(|group| {
            let group = std::mem::take(group);
            match &mut joined {
                Some(joined) => {
                    joined.known.join(&group.known);
                    joined.fences.join(&group.fences);
                }
                None => joined = Some(group),
            }
        });
        let mut joined = Group { lanes: mask, ..joined.unwrap_or_default() };
        self.add_fences(warp, mask, &mut joined.fences);
        self.groups.retain(|it| it.lanes != 0);
        self.groups.push(joined);
        let last = self.groups.len() - 1;
        &mut self.groups[last]
    }

    /// Adds the lanes' own accesses before their last fences, which other lanes learn only when they meet.
    fn add_fences(&self, warp: u16, mask: Mask, fences: &mut Fences) {
        let Some(fenced) = &self.fenced else { return };
        for (ready, fenced) in fences.ready.iter_mut().zip(fenced.iter()) {
            for thread in threads(warp, mask) {
                match fenced[usize::from(thread) % LANES] {
                    0 => {}
                    tick => ready.raise(thread, tick),
                }
            }
        }
    }
}

impl Ticks {
    /// Joined with the knowledge of the warp, and of the whole block.
    fn with_seen(&self, seen: &[u32], base: u32) -> Ticks {
        let mut all = Ticks(seen.iter().flat_map(|tick| [base.max(*tick); LANES]).collect());
        all.join(self);
        all
    }
}

impl Join for Fences {
    fn join(&mut self, other: &Fences) {
        for (ready, other) in self.ready.iter_mut().zip(&other.ready) {
            ready.join(other);
        }
        for (address, observed) in &other.observed {
            self.observed.entry(*address).or_default().join(observed);
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

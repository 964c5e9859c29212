//! Tests the race check against a slow reference: random programs of a few threads, in which the reference stores for
//! each access all accesses that happen before it. It decides by reachability alone what [`super::Clocks`] decides by
//! ticks, and discards nothing.

use super::releases::Writing;
use super::{Accessor, Cell, Clocks, Gathered, Kind};
use crate::fault::Use;
use crate::program::Scope;
use crate::random::Random;
use crate::registers::Mask;
use std::collections::HashMap;

const WARPS: usize = 2;

/// The lanes that each warp has.
const LIVE: Mask = 0b111;

const CELLS: usize = 2;

const KINDS: [Kind; 5] =
    [Kind::Read, Kind::Write, Kind::StrongRead, Kind::StrongWrite, Kind::Update];

/// A bit for each access of a program.
type Accesses = u128;

/// The accesses that happen before a thread's next access.
#[derive(Clone, Default)]
struct Past {
    known: Accesses,
    /// Released by a fence.
    ready: Accesses,
    /// What it has observed, by flag.
    observed: [Accesses; 2],
}

#[derive(Default)]
struct Reference {
    accesses: Vec<(usize, Kind)>,
    threads: HashMap<u16, Past>,
    handed_over: [Accesses; 2],
    own: HashMap<(usize, u16), Accesses>,
}

impl Past {
    fn join(&mut self, other: &Past) {
        self.known |= other.known;
        self.ready |= other.ready;
        self.observed.iter_mut().zip(other.observed).for_each(|(own, it)| *own |= it);
    }
}

impl Reference {
    fn thread(&mut self, thread: u16) -> &mut Past {
        self.threads.entry(thread).or_default()
    }

    /// True if an access races with an earlier one.
    fn races(&mut self, cell: usize, kind: Kind, thread: u16) -> bool {
        let known = self.thread(thread).known;
        let is_write = |kind: Kind| kind.how() == Use::Write;
        let is_known = |at: usize| known >> at & 1 != 0;
        let others = || self.accesses.iter().enumerate().filter(|(_, it)| it.0 == cell);
        others().any(|(at, (_, other))| {
            let conflicts =
                (is_write(kind) || is_write(*other)) && !(kind.is_strong() && other.is_strong());
            let is_seen = other.is_strong()
                && is_write(*other)
                && others().any(|(later, (_, it))| {
                    later > at && is_known(later) && matches!(it, Kind::StrongRead | Kind::Update)
                });
            conflicts && !is_known(at) && !is_seen
        })
    }

    fn note(&mut self, cell: usize, kind: Kind, thread: u16) {
        self.thread(thread).known |= 1 << self.accesses.len();
        self.accesses.push((cell, kind));
    }

    /// Threads meet: those that arrive, and those of them that wait.
    fn meet(&mut self, come: &[u16], wait: &[u16]) {
        let mut all = Past::default();
        come.iter().for_each(|it| all.join(self.thread(*it)));
        wait.iter().for_each(|it| self.thread(*it).join(&all));
    }

    fn fence(&mut self, thread: u16) {
        let past = self.thread(thread);
        let observed = std::mem::take(&mut past.observed);
        past.known |= observed[0] | observed[1];
        past.ready = past.known;
    }

    fn write_flag(&mut self, flag: usize, thread: u16, releases: bool, writing: Writing) {
        let past = self.thread(thread);
        let ready = if releases { past.known } else { past.ready };
        let own = self.own.entry((flag, thread)).or_default();
        *own |= ready;
        match writing {
            Writing::Update => self.handed_over[flag] |= *own,
            Writing::Replace => self.handed_over[flag] = *own,
        }
    }

    fn read_flag(&mut self, flag: usize, thread: u16, acquires: bool) {
        let taken = self.handed_over[flag];
        let past = self.thread(thread);
        past.observed[flag] |= taken;
        if acquires {
            past.known |= std::mem::take(&mut past.observed[flag]);
        }
    }
}

fn threads(warp: usize, mask: Mask) -> Vec<u16> {
    super::threads(warp as u16, mask).collect()
}

/// Runs a random program until its first race. Returns whether the check and the reference found a race, and the steps
/// of the program.
fn run(seed: u64) -> (bool, bool, Vec<String>) {
    let mut random = Random::new(seed, 0);
    let (mut clocks, mut cells) = (Clocks::default(), [Cell::default(); CELLS]);
    let (mut reference, mut steps) = (Reference::default(), vec![]);
    clocks.start(WARPS);
    let uses_strong = random.below(3) != 0;
    while steps.len() < 100 {
        let mut below = |count: usize| random.below(count as u64) as usize;
        let (warp, lane, flag) = (below(WARPS), below(3) as u16, below(2));
        let (thread, some) = (warp as u16 * 32 + lane, below(7) as Mask + 1);
        let address = 64 * flag as u64;
        let is_first = below(2) == 0;
        let writing = if below(2) == 0 { Writing::Update } else { Writing::Replace };
        match below(12) {
            0..6 => {
                let cell = below(CELLS);
                let kind = KINDS[below(if uses_strong { 5 } else { 2 })];
                // Only weak reads are recorded for several lanes at once.
                let mask = if kind == Kind::Read { some } else { 1 << lane };
                let threads = threads(warp, mask);
                let expected = threads.iter().any(|it| reference.races(cell, kind, *it));
                if expected && below(8) != 0 {
                    // Otherwise most programs would end at once.
                    continue;
                }
                steps.push(format!("{kind:?} of {cell} by {threads:?}"));
                threads.iter().for_each(|it| reference.note(cell, kind, *it));
                let by = Accessor { thread: threads[0], pc: steps.len() as u32, kind };
                let cell = std::slice::from_mut(&mut cells[cell]);
                let found = clocks.note(cell, by, mask, || false).is_err();
                if expected || found {
                    return (expected, found, steps);
                }
            }
            6 => {
                let mask = if is_first { LIVE } else { some };
                let threads = threads(warp, mask);
                steps.push(format!("{threads:?} meet"));
                reference.meet(&threads, &threads);
                clocks.lanes_met(warp, mask, LIVE);
            }
            7 => {
                let mask = if is_first { LIVE } else { 1 << lane };
                let threads = threads(warp, mask);
                steps.push(format!("fence by {threads:?}"));
                threads.iter().for_each(|it| reference.fence(*it));
                clocks.fence(warp, mask, Scope::Block);
            }
            8 => {
                steps.push(format!("{writing:?} of flag {flag} by {thread}, releases: {is_first}"));
                reference.write_flag(flag, thread, is_first, writing);
                match is_first {
                    true => clocks.release(thread, address, writing),
                    false => clocks.write_flag(thread, address, writing),
                }
            }
            9 => {
                let threads = threads(warp, some);
                steps.push(format!("flag {flag} is read by {threads:?}, acquires: {is_first}"));
                threads.iter().for_each(|it| reference.read_flag(flag, *it, is_first));
                match is_first {
                    true => clocks.acquire(warp, some, address),
                    false => clocks.read_flag(warp, some, address),
                }
            }
            10 => {
                let masks = [if is_first { LIVE } else { some }, below(7) as Mask + 1];
                let come: Vec<u16> =
                    [0, 1].iter().flat_map(|it| threads(*it, masks[*it])).collect();
                let wait = threads(warp, masks[warp]);
                steps.push(format!("barrier of {come:?}, for which {wait:?} wait"));
                reference.meet(&come, &wait);
                let mut gathered = Gathered::default();
                [0, 1].iter().for_each(|it| clocks.arrive(*it, masks[*it], LIVE, &mut gathered));
                clocks.leave(warp, masks[warp], LIVE, &gathered);
            }
            _ => {
                let all: Vec<u16> = (0..WARPS).flat_map(|it| threads(it, LIVE)).collect();
                steps.push("barrier of all".into());
                reference.meet(&all, &all);
                clocks.everything_ordered();
            }
        }
    }
    (false, false, steps)
}

#[test]
fn ticks_say_what_reachability_says() {
    let mut races = 0;
    for seed in 0..20_000 {
        let (expected, found, steps) = run(seed);
        assert_eq!(found, expected, "seed {seed}: {steps:#?}");
        races += u32::from(expected);
    }
    // Sanity check: some programs race, and some do not.
    assert!((1_000..19_000).contains(&races), "{races}");
}

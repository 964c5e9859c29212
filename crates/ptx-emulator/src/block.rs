//! Execution of one thread block: its warps, which run in random order, its barriers and its shared memory.

mod access;
mod check;
mod copies;
mod execute;
mod matrices;
mod request;
mod stretch;
mod undefined;
mod word;

use crate::counters::Counters;
use crate::decode::SHARED_START;
use crate::fault::{FaultKind, Index};
use crate::launch::Launch;
use crate::memory::POISON;
use crate::program::{BarrierKind, Reduction, Special, Step, Value};
use crate::race::grid::Acquaintances;
use crate::race::{Cell, Clocks, Gathered};
use crate::random::Random;
use crate::registers::{LANES, Mask, lanes};
use crate::warp::{Group, State, Warp};
use std::sync::atomic::Ordering::Relaxed;

/// State of a host thread that is reused from block to block.
#[derive(Default)]
pub struct Worker {
    pub counters: Counters,
    clocks: Clocks,
    shared: Shared,
    global_cells: Pages,
    /// The warps of the last block, kept for their allocations.
    warps: Vec<Warp>,
}

/// Shared memory: its bytes, from [`SHARED_START`] on, a state for each byte, and the cells of the race check.
#[derive(Default)]
struct Shared {
    bytes: Vec<u8>,
    state: Vec<u8>,
    cells: Vec<Cell>,
}

/// A state of a byte of shared memory.
const INITIALISED: u8 = 1;
const PENDING: u8 = 2;

/// The race check's cells for the pages of global memory that a block uses. The next block reuses the same cells for
/// other addresses, so that they stay in the host's caches.
#[derive(Default)]
struct Pages {
    /// For each page of each allocation, the block that used it last.
    tables: Vec<Vec<PageUse>>,
    cells: Vec<Cell>,
    used: u32,
    block: u32,
}

#[derive(Clone, Copy, Default)]
struct PageUse {
    /// Counts from 1.
    block: u32,
    page: u32,
}

/// The number of cells in a page; no access crosses the end of a page.
const PAGE: usize = 256;

/// Why a block stops early.
pub struct Stop {
    pub pc: u32,
    /// Warp times 32 plus lane.
    pub thread: usize,
    pub kind: FaultKind,
}

type Outcome<T> = Result<T, Box<Stop>>;

fn stop<T>(pc: u32, thread: usize, kind: FaultKind) -> Outcome<T> {
    Err(Box::new(Stop { pc, thread, kind }))
}

struct Block<'a> {
    launch: &'a Launch<'a>,
    worker: &'a mut Worker,
    number: u32,
    warps: Vec<Warp>,
    barriers: Vec<Barrier>,
    /// The number of threads that have not exited.
    live: u32,
    /// A barrier may be complete, which determines what runs next.
    barrier_may_be_complete: bool,
    random: Random,
    known: Acquaintances,
}

/// The state of one of the 16 barriers.
#[derive(Default)]
struct Barrier {
    /// The number of arrived threads; a barrier with a thread count counts whole warps.
    arrived: u32,
    /// The number of arrived threads, without rounding to warps.
    threads: u32,
    /// The thread count that the barrier names; `None` if it waits for the whole block.
    count: Option<u32>,
    /// True if some threads do not wait at it.
    is_passed: bool,
    pc: u32,
    /// What the arrived threads know of the accesses of other threads.
    known: Gathered,
    /// For a reduction: the number of arrived lanes, and of those whose predicate holds.
    voters: u32,
    votes: u32,
}

/// How many turns the warps of a block may take after a later block has failed.
const PATIENCE: u32 = 1 << 12;

/// Runs a block to its end. If another block that this one may wait for has failed, the block runs until its result no
/// longer matters: a fault counts only if no earlier block has failed.
pub fn run(launch: &Launch, worker: &mut Worker, number: u32) -> Result<(), Box<Stop>> {
    let mut block = Block::new(launch, worker, number);
    let mut ready: Vec<usize> = vec![];
    let mut turns = 0;
    loop {
        let first_failed = launch.first_failed.load(Relaxed);
        turns += u32::from(first_failed != u64::MAX);
        if first_failed < number.into() || turns > PATIENCE {
            return Ok(());
        }
        ready.clear();
        ready.extend((0..block.warps.len()).filter(|it| block.warps[*it].is_ready()));
        if ready.is_empty() {
            return match block.live {
                0 => {
                    block.worker.warps = block.warps;
                    Ok(())
                }
                _ => block.stuck(),
            };
        }
        let picked = ready[block.random.below(ready.len() as u64) as usize];
        // From single instructions to long sequences, so that warps overtake each other in many ways.
        let mut quantum = 1 << block.random.below(10);
        let mut warp = std::mem::take(&mut block.warps[picked]);
        let outcome = block.run_warp(&mut warp, &mut quantum);
        block.warps[picked] = warp;
        outcome?;
        if std::mem::take(&mut block.barrier_may_be_complete) {
            block.complete_barriers();
        }
    }
}

impl<'a> Block<'a> {
    fn new(launch: &'a Launch<'a>, worker: &'a mut Worker, number: u32) -> Block<'a> {
        let program = launch.program;
        let threads = launch.threads();
        let count = threads.div_ceil(LANES as u32) as usize;
        let bytes = launch.shared_bytes as usize;
        if worker.clocks.is_worn() {
            *worker =
                Worker { counters: std::mem::take(&mut worker.counters), ..Worker::default() };
        }
        worker.clocks.start(count);
        // A load may extend beyond the end.
        let bytes = bytes + access::MOST_SLACK;
        refill(&mut worker.shared.bytes, bytes, POISON);
        refill(&mut worker.shared.state, bytes, 0);
        worker.shared.cells.resize((bytes >> program.granules.shared_log2) + 1, Cell::default());
        worker.global_cells.start();
        let mut block = Block {
            launch,
            worker,
            number,
            warps: vec![],
            barriers: (0..16).map(|_| Barrier::default()).collect(),
            live: threads,
            barrier_may_be_complete: false,
            random: Random::new(launch.config.seed, u64::from(number)),
            known: Acquaintances::default(),
        };
        let mut warps = std::mem::take(&mut block.worker.warps);
        warps.resize_with(count, Warp::default);
        warps.iter_mut().enumerate().for_each(|(index, warp)| block.start(warp, index));
        block.warps = warps;
        block
    }

    fn start(&self, warp: &mut Warp, index: usize) {
        let program = self.launch.program;
        let threads = self.launch.threads() as usize - index * LANES;
        let live = if threads >= LANES { Mask::MAX } else { (1 << threads) - 1 };
        let mut registers = std::mem::take(&mut warp.registers);
        refill(&mut registers.narrow, program.narrow as usize, [0; LANES]);
        refill(&mut registers.wide, program.wide as usize, [0; LANES]);
        refill(&mut registers.predicates, program.predicates as usize, 0);
        for constant in &program.constants {
            let at = constant.register as usize;
            let values = self.values(constant.value, index);
            match constant.is_wide {
                true => registers.wide[at] = values,
                false => registers.narrow[at] = values.map(|it| it as u32),
            }
        }
        let size = program.local_stride as usize * LANES;
        let mut local = std::mem::take(&mut warp.local);
        let mut local_is_initialised = std::mem::take(&mut warp.local_is_initialised);
        refill(&mut local, size, POISON);
        refill(&mut local_is_initialised, size, false);
        let mut groups = std::mem::take(&mut warp.groups);
        refill(&mut groups, 1, Group { pc: 0, mask: live, calls: vec![], state: State::Ready });
        *warp =
            Warp { index, registers, groups, live, local, local_is_initialised, ..Warp::default() };
    }

    /// A value in each lane of a warp.
    fn values(&self, value: Value, warp: usize) -> [u64; LANES] {
        match value {
            Value::Bits(bits) => [bits; LANES],
            Value::Module(number, offset) => {
                [self.launch.variables[number].wrapping_add_signed(offset); LANES]
            }
            Value::DynamicShared(offset) => {
                [u64::from(self.launch.dynamic_start).wrapping_add_signed(offset); LANES]
            }
            Value::Special(special) => self.special(special, warp),
        }
    }

    fn special(&self, special: Special, warp: usize) -> [u64; LANES] {
        let config = self.launch.config;
        let Index { x, y, z } = self.index();
        let by_lane = |of: fn(u32) -> u32| std::array::from_fn(|lane| of(1 << lane).into());
        let value = match special {
            Special::ThreadId(axis) => return self.thread_ids(axis, warp),
            Special::Lane => return by_lane(|bit| bit.trailing_zeros()),
            Special::LaneMaskEqual => return by_lane(|bit| bit),
            Special::LaneMaskLess => return by_lane(|bit| bit - 1),
            Special::LaneMaskLessEqual => return by_lane(|bit| bit | (bit - 1)),
            Special::LaneMaskGreater => return by_lane(|bit| !(bit | (bit - 1))),
            Special::LaneMaskGreaterEqual => return by_lane(|bit| !(bit - 1)),
            Special::BlockSize(axis) => config.block[axis as usize],
            Special::BlockId(axis) => [x, y, z][axis as usize],
            Special::GridSize(axis) => config.grid[axis as usize],
            Special::Warp => warp as u32,
            Special::WarpCount => self.launch.threads().div_ceil(LANES as u32),
            // All blocks run on one multiprocessor.
            Special::Multiprocessor | Special::Grid => 0,
            Special::MultiprocessorCount => 1,
            Special::DynamicSharedSize => config.dynamic_shared,
            Special::TotalSharedSize => self.launch.shared_bytes,
        };
        [value.into(); LANES]
    }

    fn thread_ids(&self, axis: u8, warp: usize) -> [u64; LANES] {
        let [width, height, _] = self.launch.config.block;
        let Index { mut x, mut y, mut z } = self.thread(warp * LANES);
        std::array::from_fn(|_| {
            let id = [x, y, z][axis as usize];
            x += 1;
            if x == width {
                (x, y) = (0, y + 1);
            }
            if y == height {
                (y, z) = (0, z + 1);
            }
            id.into()
        })
    }

    fn index(&self) -> Index {
        self.launch.block(self.number)
    }

    fn thread(&self, number: usize) -> Index {
        self.launch.thread(number)
    }

    /// Lanes arrive at a barrier. The group consists of exactly these lanes.
    fn arrive(
        &mut self,
        warp: &mut Warp,
        group: usize,
        number: u32,
        count: Option<u32>,
    ) -> Outcome<()> {
        let Group { pc, mask, .. } = warp.groups[group];
        let Step::Barrier(step) = &self.launch.program.code[pc as usize].step else {
            return Ok(());
        };
        let thread = warp.index * LANES + mask.trailing_zeros() as usize;
        let block_threads = self.launch.threads();
        let most = block_threads.next_multiple_of(LANES as u32);
        let is_valid = |it: u32| it > 0 && it.is_multiple_of(LANES as u32) && it <= most;
        if number >= 16 || count.is_some_and(|it| !is_valid(it)) {
            let threads = count.unwrap_or(block_threads);
            return stop(
                pc,
                thread,
                FaultKind::InvalidBarrier { barrier: number, threads, block_threads },
            );
        }
        let barrier = &mut self.barriers[number as usize];
        if barrier.arrived == 0 {
            (barrier.count, barrier.pc) = (count, pc);
        }
        let goes_on = matches!(step.kind, BarrierKind::Arrive);
        let is_same = match (barrier.count, count) {
            // Barriers of some warps are often reached from several program points, but a barrier of the whole block
            // must be reached from one.
            (None, None) => barrier.pc == pc,
            (Some(one), Some(other)) => one == other,
            // Barriers of the whole block, with and without a thread count, may be mixed. This excludes threads that do
            // not wait, since their later accesses would not be ordered like all others.
            (one, other) => one.or(other) == Some(most) && !goes_on && !barrier.is_passed,
        };
        if !is_same {
            let line = self.launch.line(barrier.pc);
            let elsewhere = format!("others wait for it at PTX line {line}");
            return stop(pc, thread, FaultKind::BarrierDivergence { barrier: number, elsewhere });
        }
        barrier.count = barrier.count.and(count);
        barrier.is_passed |= goes_on;
        barrier.threads += mask.count_ones();
        let is_counted_by_warp = step.is_aligned && count.is_some();
        barrier.arrived += if is_counted_by_warp { LANES as u32 } else { mask.count_ones() };
        if count.is_some() {
            self.worker.clocks.arrive(warp.index, mask, warp.live, &mut barrier.known);
        }
        if let BarrierKind::Reduce { source, .. } = step.kind {
            let holds = crate::decode::holds(&warp.registers, source) & mask;
            barrier.voters += mask.count_ones();
            barrier.votes += holds.count_ones();
        }
        match step.kind {
            BarrierKind::Arrive => warp.groups[group].pc += 1,
            _ => warp.groups[group].state = State::Waiting(number),
        }
        self.worker.counters.barriers += 1;
        self.barrier_may_be_complete = true;
        Ok(())
    }

    fn complete_barriers(&mut self) {
        for number in 0..self.barriers.len() {
            let barrier = &self.barriers[number];
            let is_complete = match barrier.count {
                Some(count) => barrier.arrived >= count,
                // Exited threads count as arrived, as on hardware.
                None => barrier.threads >= self.live,
            };
            if barrier.arrived == 0 || !is_complete {
                continue;
            }
            let barrier = std::mem::take(&mut self.barriers[number]);
            if barrier.count.is_none() {
                self.worker.clocks.everything_ordered();
            }
            for warp in &mut self.warps {
                self.launch.program.release(warp, number as u32, [barrier.votes, barrier.voters]);
                let released = std::mem::take(&mut warp.released);
                if barrier.count.is_some() && released != 0 {
                    self.worker.clocks.leave(warp.index, released, warp.live, &barrier.known);
                }
            }
        }
    }

    /// A deadlock: no warp can continue, and some have not ended.
    fn stuck(&self) -> Outcome<()> {
        let groups = || {
            self.warps.iter().flat_map(|warp| warp.groups.iter().map(move |group| (warp, group)))
        };
        let describe = |(warp, group): (&Warp, &Group)| {
            let line = self.launch.line(group.pc);
            let first = self.thread(warp.index * LANES + group.mask.trailing_zeros() as usize);
            let count = group.mask.count_ones();
            match group.state {
                State::Waiting(barrier) => {
                    format!(
                        "{count} threads from {first} on wait for barrier {barrier} at PTX line {line}"
                    )
                }
                _ => format!(
                    "{count} threads from {first} on wait for other lanes at PTX line {line}"
                ),
            }
        };
        let gathering = groups().find(|(_, it)| it.state == State::Gathering);
        let (warp, group) = match gathering.or_else(|| groups().next()) {
            Some(found) => found,
            None => return Ok(()),
        };
        let thread = warp.index * LANES + group.mask.trailing_zeros() as usize;
        let others: Vec<_> =
            groups().filter(|(_, it)| !std::ptr::eq(*it, group)).map(describe).collect();
        let elsewhere = others.join("; ");
        let step = &self.launch.program.code[group.pc as usize].step;
        let kind = match (group.state, step) {
            (State::Gathering, Step::Barrier(barrier)) => {
                let number = warp.registers.narrow[barrier.number as usize];
                let barrier = number[group.mask.trailing_zeros() as usize];
                FaultKind::BarrierDivergence { barrier, elsewhere }
            }
            (State::Gathering, _) => {
                FaultKind::LanesMissing { missing: warp.live & !group.mask, elsewhere }
            }
            _ => {
                FaultKind::Deadlock { waits: groups().map(describe).collect::<Vec<_>>().join("; ") }
            }
        };
        stop(group.pc, thread, kind)
    }
}

impl crate::program::Program {
    /// Releases the groups of a warp that wait at a barrier.
    fn release(&self, warp: &mut Warp, number: u32, [votes, voters]: [u32; 2]) {
        for group in &mut warp.groups {
            if group.state != State::Waiting(number) {
                continue;
            }
            if let Step::Barrier(barrier) = &self.code[group.pc as usize].step
                && let BarrierKind::Reduce { how, to, .. } = barrier.kind
            {
                let holds = match how {
                    Reduction::Count => false,
                    Reduction::And => votes == voters,
                    Reduction::Or => votes > 0,
                };
                if how == Reduction::Count {
                    lanes(group.mask).for_each(|it| warp.registers.narrow[to as usize][it] = votes);
                } else {
                    let value = if holds { Mask::MAX } else { 0 };
                    crate::registers::write_predicate(&mut warp.registers, to, value, group.mask);
                }
            }
            group.state = State::Ready;
            group.pc += 1;
            warp.released |= group.mask;
        }
    }
}

/// Refills a vector, reusing its allocation.
fn refill<T: Clone>(values: &mut Vec<T>, count: usize, value: T) {
    values.clear();
    values.resize(count, value);
}

/// The offset of an access in shared memory of a given size, if the access is inside it.
fn shared_offset(address: u64, bytes: u32, size: usize) -> Option<usize> {
    let offset = address.checked_sub(u64::from(SHARED_START))?;
    let end = offset.checked_add(u64::from(bytes))?;
    (end <= size as u64).then_some(offset as usize)
}

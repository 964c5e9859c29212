//! Execution of the instructions of a warp.

use super::{Block, Outcome, stop};
use crate::decode::holds;
use crate::fault::FaultKind;
use crate::program::{Barrier, Call, Collective, Guard, Members, Move, Step};
use crate::registers::{LANES, Mask, Registers, lanes, write};
use crate::warp::{Group, State, Warp};
use std::ops::Range;

/// The number of instructions that a group may run before another group of the warp may run.
const PATIENCE: u64 = 64;

impl Block<'_> {
    /// Runs a warp until it waits, ends, or has run `left` instructions.
    pub(super) fn run_warp(&mut self, warp: &mut Warp, left: &mut u64) -> Outcome<()> {
        let limit = self.launch.config.max_instructions;
        if warp.executed > limit {
            let Group { pc, mask, .. } = warp.groups[0];
            let thread = warp.index * LANES + mask.trailing_zeros() as usize;
            let (blocks, at_once) = (self.launch.blocks, self.launch.at_once as u64);
            return stop(pc, thread, FaultKind::InstructionLimit { limit, blocks, at_once });
        }
        let mut is_stuck = false;
        while *left > 0 {
            let has_parted = warp.groups.len() > 1;
            let at_random = has_parted && (is_stuck || self.random.below(16) == 0);
            let at_random = at_random.then(|| self.random.next());
            let Some((group, end)) = warp.pick(at_random) else { break };
            // A group that runs for long may be spinning until another group of its warp makes progress.
            let mut part = if has_parted { PATIENCE.min(*left) } else { *left };
            let others = *left - part;
            self.run_group(warp, group, end, &mut part)?;
            is_stuck = has_parted && part == 0;
            *left = match self.barrier_may_be_complete {
                true => 0,
                false => others + part,
            };
        }
        // Groups that wait for each other may be complete now.
        warp.merge();
        Ok(())
    }

    /// Runs a group until it diverges, waits, ends or reaches the program point `end`.
    fn run_group(
        &mut self,
        warp: &mut Warp,
        group: usize,
        end: u32,
        left: &mut u64,
    ) -> Outcome<()> {
        let code = self.launch.program.code.as_slice();
        let Group { mut pc, mask, .. } = warp.groups[group];
        while *left > 0 && pc < end {
            let instruction = &code[pc as usize];
            if warp.undefined.is_any() {
                self.check_undefined(warp, mask, pc)?;
            }
            let active = match instruction.guard {
                None => mask,
                Some(Guard { predicate, is_negated }) => {
                    let value = warp.registers.predicates[predicate as usize];
                    mask & if is_negated { !value } else { value }
                }
            };
            *left -= 1;
            warp.executed += 1;
            let counters = &mut self.worker.counters;
            counters.instructions[instruction.class] += 1;
            counters.lane_instructions += u64::from(active.count_ones());
            counters.flops += u64::from(active.count_ones() * instruction.flops);
            if active == 0 {
                pc += 1;
                continue;
            }
            match &instruction.step {
                Step::Lanewise(run) => {
                    let faults = run(&mut warp.registers, active);
                    if faults != 0 {
                        let thread = warp.index * LANES + faults.trailing_zeros() as usize;
                        return stop(pc, thread, FaultKind::DivisionByZero);
                    }
                }
                Step::Branch(target) if active == mask => {
                    pc = *target;
                    continue;
                }
                Step::Load(access) => self.load(warp, access, active, pc)?,
                Step::Store(access) => self.store(warp, access, active, pc)?,
                Step::Atomic(atomic) => self.atomic(warp, atomic, active, pc)?,
                Step::AsyncCopy(copy) => self.start_copies(warp, copy, active, pc)?,
                Step::AsyncCommit => warp.commit(active),
                Step::AsyncWait(open) => self.finish_copies(warp, active, *open, pc)?,
                Step::Fence(scope) => self.fence(warp.index, active, *scope),
                Step::Clock { to, is_wide, is_upper } => {
                    let value = warp.executed;
                    let value = if *is_upper { value >> 32 } else { value };
                    match is_wide {
                        true => write(&mut warp.registers, *to, [value; LANES], active),
                        false => write(&mut warp.registers, *to, [value as u32; LANES], active),
                    }
                }
                Step::ActiveMask { to } => {
                    write(&mut warp.registers, *to, [active; LANES], active);
                }
                Step::Trap => {
                    let thread = warp.index * LANES + active.trailing_zeros() as usize;
                    return stop(pc, thread, FaultKind::Trap);
                }
                Step::Nothing => {}
                Step::Collective(collective) => {
                    let waiting = self.collective(warp, collective, active, pc)?;
                    if waiting != 0 {
                        return self.gather(warp, group, waiting, pc);
                    }
                }
                Step::LoadMatrix(matrix) | Step::StoreMatrix(matrix) => {
                    if active != warp.live {
                        return self.gather(warp, group, active, pc);
                    }
                    let is_load = matches!(instruction.step, Step::LoadMatrix(_));
                    self.matrices(warp, matrix, is_load, pc)?;
                }
                _ => {
                    warp.groups[group].pc = pc;
                    return self.control(warp, group, active);
                }
            }
            pc += 1;
        }
        warp.groups[group].pc = pc;
        Ok(())
    }

    /// Steps after which a group may be at another program point, or another group may run.
    fn control(&mut self, warp: &mut Warp, group: usize, active: Mask) -> Outcome<()> {
        let launch = self.launch;
        let pc = warp.groups[group].pc;
        let mut has_parted = active != warp.groups[group].mask;
        let group = detach(warp, group, active);
        match &launch.program.code[pc as usize].step {
            Step::Branch(target) => warp.groups[group].pc = *target,
            Step::BranchTable { index, targets } => {
                has_parted |= self.branch_by_table(warp, group, *index, targets)?;
            }
            Step::Call(Call { target, frame, arguments, .. }) => {
                forget(warp, active, frame, launch.program.local_stride);
                pass(warp, active, arguments, launch.program.local_stride);
                let group = &mut warp.groups[group];
                group.calls.push(pc + 1);
                group.pc = *target;
            }
            Step::Return => match warp.groups[group].calls.pop() {
                Some(back) => {
                    if let Step::Call(call) = &launch.program.code[back as usize - 1].step {
                        pass(warp, active, &call.results, launch.program.local_stride);
                    }
                    warp.groups[group].pc = back;
                }
                None => self.exit(warp, group, active),
            },
            Step::Exit => self.exit(warp, group, active),
            Step::Barrier(barrier) => {
                self.barrier(warp, group, barrier)?;
            }
            _ => warp.groups[group].pc += 1,
        }
        self.worker.counters.divergent_branches += u64::from(has_parted);
        Ok(())
    }

    fn exit(&mut self, warp: &mut Warp, group: usize, active: Mask) {
        self.live -= active.count_ones();
        self.barrier_may_be_complete = true;
        warp.exit(group, active);
    }

    /// Branches by a table; true if the lanes diverge.
    fn branch_by_table(
        &mut self,
        warp: &mut Warp,
        group: usize,
        index: u32,
        targets: &[u32],
    ) -> Outcome<bool> {
        let Group { pc, mut mask, .. } = warp.groups[group];
        let mut has_parted = false;
        while mask != 0 {
            let index = warp.registers.narrow[index as usize];
            let first = mask.trailing_zeros() as usize;
            let Some(target) = targets.get(index[first] as usize) else {
                let kind = FaultKind::BranchIndex { index: index[first], count: targets.len() };
                return stop(pc, warp.index * LANES + first, kind);
            };
            let same = lanes(mask).filter(|it| targets.get(index[*it] as usize) == Some(target));
            let taken = same.fold(0, |taken, it| taken | 1 << it);
            mask &= !taken;
            let part = detach(warp, group, taken);
            warp.groups[part].pc = *target;
            if mask != 0 {
                // The other lanes have not advanced.
                warp.groups[group].pc = pc;
                has_parted = true;
            }
        }
        Ok(has_parted)
    }

    fn barrier(&mut self, warp: &mut Warp, group: usize, barrier: &Barrier) -> Outcome<()> {
        let Group { pc, mask, .. } = warp.groups[group];
        if barrier.is_aligned && mask != warp.live {
            warp.groups[group].state = State::Gathering;
            return Ok(());
        }
        let first = mask.trailing_zeros() as usize;
        let value = |register: u32| warp.registers.narrow[register as usize];
        let number = value(barrier.number)[first];
        let count = barrier.count.map(|it| value(it)[first]);
        if let Some(other) = lanes(mask).find(|it| value(barrier.number)[*it] != number) {
            let elsewhere = format!("lanes {first} and {other} name different barriers");
            let kind = FaultKind::BarrierDivergence { barrier: number, elsewhere };
            return stop(pc, warp.index * LANES + first, kind);
        }
        self.arrive(warp, group, number, count)
    }

    /// Runs a collective step. Lanes whose mask names other lanes wait for those, so some lanes may continue while
    /// others must wait; returns the lanes that must wait.
    fn collective(
        &mut self,
        warp: &mut Warp,
        collective: &Collective,
        active: Mask,
        pc: u32,
    ) -> Outcome<Mask> {
        let Members::Register(members) = collective.members else {
            if active != warp.live {
                return Ok(active);
            }
            // `mma` makes no guarantee about memory.
            self.run_collective(warp, collective, active, pc)?;
            return Ok(0);
        };
        let members = warp.registers.narrow[members as usize];
        let (mut rest, mut waiting) = (active, 0);
        while rest != 0 {
            let wanted = members[rest.trailing_zeros() as usize];
            let same = lanes(rest).filter(|it| members[*it] == wanted);
            let part = same.fold(0, |part, it| part | 1 << it);
            if part & !wanted != 0 {
                let thread = warp.index * LANES + (part & !wanted).trailing_zeros() as usize;
                return stop(pc, thread, FaultKind::NotAMember { members: wanted });
            }
            match wanted & warp.live & !part {
                0 => {
                    self.run_collective(warp, collective, part, pc)?;
                    self.worker.clocks.lanes_met(warp.index, part, warp.live);
                }
                _ => waiting |= part,
            }
            rest &= !part;
        }
        Ok(waiting)
    }

    /// Runs a collective operation on registers, for the lanes of a mask.
    fn run_collective(
        &self,
        warp: &mut Warp,
        collective: &Collective,
        mask: Mask,
        pc: u32,
    ) -> Outcome<()> {
        let Warp { registers, undefined, index, .. } = warp;
        if undefined.is_any() {
            let flow = &self.launch.program.flows[pc as usize];
            let run = |registers: &mut Registers| (collective.run)(registers, mask);
            undefined.propagate(registers, flow, mask, &run);
        }
        match (collective.run)(registers, mask) {
            0 => Ok(()),
            faults => {
                let thread = *index * LANES + faults.trailing_zeros() as usize;
                stop(pc, thread, FaultKind::InactiveLane)
            }
        }
    }

    /// Lanes of a group wait for others; the rest of the group continues.
    fn gather(&mut self, warp: &mut Warp, group: usize, waiting: Mask, pc: u32) -> Outcome<()> {
        warp.groups[group].pc = pc;
        let group = detach(warp, group, waiting);
        warp.groups[group].state = State::Gathering;
        Ok(())
    }
}

/// Splits these lanes off into their own group at the same program point; the other lanes of their group become a group
/// after it.
fn detach(warp: &mut Warp, group: usize, active: Mask) -> usize {
    if warp.groups[group].mask == active {
        return group;
    }
    let rest = &mut warp.groups[group];
    let part = Group { mask: active, ..rest.clone() };
    rest.mask &= !active;
    rest.pc += 1;
    warp.groups.push(part);
    warp.groups.len() - 1
}

/// Marks the callee's local memory as uninitialised, so that values of earlier calls are not seen.
fn forget(warp: &mut Warp, active: Mask, frame: &Range<u32>, stride: u32) {
    for lane in lanes(active) {
        let start = lane * stride as usize;
        let (first, end) = (start + frame.start as usize, start + frame.end as usize);
        warp.local_is_initialised[first..end].fill(false);
    }
}

/// Copies the arguments or results of a call.
fn pass(warp: &mut Warp, active: Mask, moves: &[Move], stride: u32) {
    for lane in lanes(active) {
        let start = lane * stride as usize;
        for Move { from, to, bytes } in moves {
            let (from, to) = (start + *from as usize, start + *to as usize);
            warp.local.copy_within(from..from + *bytes as usize, to);
            warp.local_is_initialised.copy_within(from..from + *bytes as usize, to);
        }
    }
}

/// True if a predicate holds in a lane.
pub(super) fn holds_in(warp: &Warp, guard: Guard, lane: usize) -> bool {
    holds(&warp.registers, guard) >> lane & 1 != 0
}

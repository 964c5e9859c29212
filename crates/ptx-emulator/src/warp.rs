//! A warp: its registers and the groups of lanes that are at the same program point.
//!
//! Lanes diverge at branches and reconverge when their program counters are equal. Among several groups, the one with
//! the most open calls runs, then the one that is first in the text: compilers lay out code so that lanes reconverge
//! soon this way. Occasionally a different group runs, so that lanes that spin in a loop cannot starve the lanes that
//! they wait for.

use crate::memory::ByteMask;
use crate::registers::{Mask, Registers, lanes};
use crate::undefined::Undefined;

#[derive(Default)]
pub struct Warp {
    pub index: usize,
    pub registers: Registers,
    /// The undefined bits of the registers.
    pub undefined: Undefined,
    pub groups: Vec<Group>,
    /// Lanes that have not exited.
    pub live: Mask,
    /// Local memory of all lanes, lane by lane, and whether each byte is initialised.
    pub local: Vec<u8>,
    pub local_is_initialised: Vec<bool>,
    /// The number of instructions executed so far, which is the clock of this warp.
    pub executed: u64,
    /// Lanes that a barrier has just released.
    pub released: Mask,
    pub copies: Copies,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub pc: u32,
    pub mask: Mask,
    /// Return addresses of the open calls, the outermost first.
    pub calls: Vec<u32>,
    pub state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Ready,
    /// At an instruction that waits for other lanes of the warp.
    Gathering,
    /// At a barrier.
    Waiting(u32),
}

/// Copies that `cp.async` has started: for each lane, the copies and the group they belong to.
#[derive(Default)]
pub struct Copies {
    pub pending: Vec<PendingCopy>,
    /// The number of committed groups of each lane.
    pub committed: [u32; 32],
}

pub struct PendingCopy {
    pub lane: usize,
    pub group: u32,
    /// The target address in shared memory.
    pub address: u64,
    /// The source address in global memory, and the number of bytes to read there.
    pub source: u64,
    pub wanted: u32,
    /// The source bytes when the copy started.
    pub data: [u8; 16],
    /// The source bytes that nothing had written.
    pub undefined: ByteMask,
    pub bytes: u32,
    pub pc: u32,
}

impl Warp {
    /// Merges groups that are at the same program point.
    pub fn merge(&mut self) {
        let mut i = 0;
        while i < self.groups.len() {
            let mut j = i + 1;
            while j < self.groups.len() {
                let (a, b) = (&self.groups[i], &self.groups[j]);
                let meet = a.pc == b.pc
                    && a.calls == b.calls
                    && !matches!(a.state, State::Waiting(_))
                    && !matches!(b.state, State::Waiting(_));
                if meet {
                    let other = self.groups.swap_remove(j);
                    self.groups[i].mask |= other.mask;
                    self.groups[i].state = State::Ready;
                } else {
                    j += 1;
                }
            }
            i += 1;
        }
    }

    /// The group to run next, and the program point of another group at which it should stop.
    pub fn pick(&mut self, at_random: Option<u64>) -> Option<(usize, u32)> {
        if let [only] = self.groups.as_slice() {
            return (only.state == State::Ready).then_some((0, u32::MAX));
        }
        self.merge();
        let ready = self.groups.iter().enumerate().filter(|(_, it)| it.state == State::Ready);
        if let Some(random) = at_random {
            let count = ready.clone().count() as u64;
            let picked = ready.clone().nth(random.checked_rem(count)? as usize)?;
            // Runs alone for a while, without stopping at other groups.
            return Some((picked.0, u32::MAX));
        }
        let (picked, group) =
            ready.clone().min_by_key(|(_, it)| (std::cmp::Reverse(it.calls.len()), it.pc))?;
        let others = self.groups.iter().enumerate().filter(|(i, it)| {
            *i != picked
                && it.calls.len() == group.calls.len()
                && !matches!(it.state, State::Waiting(_))
        });
        let stop = others.map(|(_, it)| it.pc).filter(|pc| *pc > group.pc).min();
        Some((picked, stop.unwrap_or(u32::MAX)))
    }

    /// Lanes exit.
    pub fn exit(&mut self, group: usize, mask: Mask) {
        self.live &= !mask;
        self.groups[group].mask &= !mask;
        // Groups that wait for these lanes may continue.
        self.wake();
    }

    /// Makes waiting groups check again whether all lanes that they wait for have arrived.
    pub fn wake(&mut self) {
        for group in &mut self.groups {
            if group.state == State::Gathering {
                group.state = State::Ready;
            }
        }
        self.groups.retain(|it| it.mask != 0);
    }

    pub fn is_ready(&self) -> bool {
        self.groups.iter().any(|it| it.state == State::Ready)
    }

    /// Removes and returns the copies that belong to a completed group: all but the last `open` groups of each lane.
    pub fn take_copies(&mut self, mask: Mask, open: u32) -> Vec<PendingCopy> {
        let committed = self.copies.committed;
        let is_done = |it: &PendingCopy| {
            mask >> it.lane & 1 != 0 && it.group.saturating_add(open) < committed[it.lane]
        };
        let all = std::mem::take(&mut self.copies.pending);
        let (done, pending) = all.into_iter().partition(|it| is_done(it));
        self.copies.pending = pending;
        done
    }

    pub fn commit(&mut self, mask: Mask) {
        lanes(mask).for_each(|lane| self.copies.committed[lane] += 1);
    }
}

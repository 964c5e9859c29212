//! Liveness of registers. It gives the number of 32-bit registers that a thread needs, which is the maximum number that
//! is live at one program point. This is an estimate, since the assembler reorders instructions, but the only one
//! available without an assembler. It also finds the elements of loads that no instruction reads.

use crate::program::{Instruction, Register, Step};
use std::collections::{HashMap, HashSet};

/// A register that an instruction reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mention {
    pub index: u32,
    pub is_wide: bool,
    pub is_written: bool,
}

/// Registers for addresses and the like that every thread has.
const FIXED: u32 = 2;

/// `mentions[pc]` belongs to `code[pc]`.
pub fn registers(code: &[Instruction], mentions: &[Vec<Mention>]) -> u32 {
    let mut numbers: HashMap<(u32, bool), usize> = HashMap::new();
    for mention in mentions.iter().flatten() {
        let next = numbers.len();
        numbers.entry((mention.index, mention.is_wide)).or_insert(next);
    }
    let mut sizes = vec![1; numbers.len()];
    for ((_, is_wide), number) in &numbers {
        sizes[*number] = if *is_wide { 2 } else { 1 };
    }
    let numbered = |mention: &Mention| numbers[&(mention.index, mention.is_wide)];
    let blocks = blocks(code);
    let block_of: HashMap<u32, usize> =
        blocks.iter().enumerate().map(|(i, range)| (range.0, i)).collect();
    let mut live_in = vec![vec![false; numbers.len()]; blocks.len()];
    let mut most = 0;
    let mut changes = true;
    while changes {
        changes = false;
        for (number, (start, end)) in blocks.iter().enumerate().rev() {
            let mut live = vec![false; numbers.len()];
            for next in successors(code, *end - 1) {
                if let Some(next) = block_of.get(&next) {
                    live.iter_mut().zip(&live_in[*next]).for_each(|(live, it)| *live |= it);
                }
            }
            let size = |live: &[bool]| -> u32 {
                live.iter().zip(&sizes).filter(|(live, _)| **live).map(|(_, size)| *size).sum()
            };
            let mut count = size(&live);
            most = most.max(count);
            for pc in (*start..*end).rev() {
                let mentions = &mentions[pc as usize];
                // A guarded write may keep the old value.
                let is_certain = code[pc as usize].guard.is_none();
                for it in mentions.iter().filter(|it| it.is_written && is_certain) {
                    let number = numbered(it);
                    count -= if std::mem::take(&mut live[number]) { sizes[number] } else { 0 };
                }
                for it in mentions.iter().filter(|it| !it.is_written) {
                    let number = numbered(it);
                    count +=
                        if std::mem::replace(&mut live[number], true) { 0 } else { sizes[number] };
                }
                most = most.max(count);
            }
            if live != live_in[number] {
                live_in[number] = live;
                changes = true;
            }
        }
    }
    most + FIXED
}

/// Removes unread registers from vector loads that have other, read registers: LLVM merges several narrow loads into
/// one vector load with gaps between them, and the elements in the gaps are irrelevant. Also removes them from atomics,
/// which thereby become `red`: the old value may be anything, and a thread that does not read it has observed nothing
/// of other threads.
pub fn drop_unread_targets(code: &mut [Instruction], mentions: &[Vec<Mention>]) {
    let all = mentions.iter().flatten().filter(|it| !it.is_written);
    let read: HashSet<(u32, bool)> = all.map(|it| (it.index, it.is_wide)).collect();
    let is_read = |it: &Register| read.contains(&(it.index, it.is_wide()));
    for instruction in code {
        match &mut instruction.step {
            Step::Load(access) if access.elements.iter().flatten().any(is_read) => {
                access.elements.iter_mut().for_each(|it| *it = it.filter(is_read));
            }
            Step::Atomic(atomic) => atomic.to = atomic.to.filter(is_read),
            _ => {}
        }
    }
}

/// Start and end of each basic block: it is entered only at its start and left only at its end.
fn blocks(code: &[Instruction]) -> Vec<(u32, u32)> {
    let count = code.len() as u32;
    let mut starts = vec![0];
    for pc in 0..count {
        if is_end(&code[pc as usize].step) {
            starts.push(pc + 1);
            starts.extend(successors(code, pc));
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|it| *it < count);
    let ends = starts.iter().skip(1).copied().chain([count]);
    starts.iter().copied().zip(ends).collect()
}

fn is_end(step: &Step) -> bool {
    matches!(
        step,
        Step::Branch(_) | Step::BranchTable { .. } | Step::Return | Step::Exit | Step::Trap
    )
}

fn successors(code: &[Instruction], pc: u32) -> Vec<u32> {
    let instruction = &code[pc as usize];
    let mut next = match &instruction.step {
        Step::Branch(target) => vec![*target],
        Step::BranchTable { targets, .. } => targets.clone(),
        Step::Return | Step::Exit | Step::Trap => vec![],
        _ => return vec![pc + 1],
    };
    if instruction.guard.is_some() {
        next.push(pc + 1);
    }
    next
}

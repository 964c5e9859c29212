//! The accesses to a cell since the last one that comes behind all of them, each thread's by itself.
//!
//! Cells that only weak accesses of whole warps use do without, see [`super::Cell`]. A new access must come behind all
//! that it conflicts with, and takes out those that it stands for: who comes behind it comes behind them, and what
//! conflicts with them conflicts with it.
//!
//! A thread that has seen the value of strong writes comes behind them at this cell, whatever the order of others
//! (causality order begins with an observation), so that it may use a counter weakly of which it was the last to add.

use super::{Accessor, Cell, Clocks, Conflict, HISTORY, Kind, threads};
use crate::fault::Use;
use crate::registers::{LANES, Mask};

/// Accesses of lanes of a warp by one instruction.
#[derive(Clone, Copy)]
pub struct Past {
    pub tick: u32,
    pub pc: u32,
    pub lanes: Mask,
    pub warp: u16,
    pub kind: Kind,
}

impl Kind {
    fn conflicts(self, other: Kind) -> bool {
        let is_written = self.how() == Use::Write || other.how() == Use::Write;
        is_written && !(self.is_strong() && other.is_strong())
    }

    /// Whether a later access stands for an earlier one that comes before it. Strong writes stand for no reads, since
    /// who has seen them need not come behind what their threads did before.
    fn stands_for(self, earlier: Kind) -> bool {
        match self {
            Kind::Write => true,
            Kind::Read | Kind::StrongRead => earlier == self,
            Kind::StrongWrite | Kind::Update => {
                matches!(earlier, Kind::StrongWrite | Kind::Update)
            }
        }
    }
}

impl Clocks {
    /// Notes an access of lanes to a cell that has a history, or needs one from now on.
    #[cold]
    pub(super) fn note_in_history(
        &mut self,
        cell: &mut Cell,
        by: Accessor,
        mask: Mask,
    ) -> Result<(), Conflict> {
        let at = self.history(cell);
        for thread in threads(by.warp(), mask) {
            self.check(&self.histories[at], Accessor { thread, ..by })?;
        }
        let mut history = std::mem::take(&mut self.histories[at]);
        if by.kind == Kind::Write {
            // It comes behind all, so the cell can do without.
            history.clear();
            self.spare_histories.push(at);
            cell.set_write(by, self.tick);
        } else {
            self.forget(&mut history, by, mask);
            let now =
                Past { tick: self.tick, pc: by.pc, lanes: mask, warp: by.warp(), kind: by.kind };
            match history.last_mut() {
                Some(last) if last.is_one_instruction_with(&now) => last.lanes |= mask,
                _ => history.push(now),
            }
            cell.read_tick = self.tick;
        }
        self.histories[at] = history;
        Ok(())
    }

    /// Where the history of a cell stands. Nothing else of the cell counts any more.
    fn history(&mut self, cell: &mut Cell) -> usize {
        if cell.read_tick >= self.base && cell.read_warp == HISTORY {
            return cell.readers as usize;
        }
        let past = self.past(cell);
        let at = self.spare_histories.pop().unwrap_or_else(|| {
            self.histories.push(vec![]);
            self.histories.len() - 1
        });
        self.histories[at] = past;
        (cell.read_warp, cell.readers, cell.write_tick) = (HISTORY, at as u32, 0);
        cell.read_tick = self.tick;
        at
    }

    fn check(&self, history: &[Past], by: Accessor) -> Result<(), Conflict> {
        let conflicting = history.iter().enumerate().filter(|(_, it)| by.kind.conflicts(it.kind));
        for (i, past) in conflicting {
            let is_ordered = |thread| self.is_before(thread, past.tick, by.thread);
            let Some(thread) = past.threads().find(|it| !is_ordered(*it)) else { continue };
            let is_observed = past.is_strong_write()
                && history[i + 1..].iter().any(|it| self.has_observed(it, by.thread));
            if !is_observed {
                let is_write = past.kind.how() == Use::Write;
                return Err(Conflict { own: by.thread, thread, pc: past.pc, is_write });
            }
        }
        Ok(())
    }

    /// Whether an access has seen what was written before it, and a thread comes behind it.
    fn has_observed(&self, past: &Past, now: u16) -> bool {
        matches!(past.kind, Kind::StrongRead | Kind::Update)
            && past.threads().any(|it| self.is_before(it, past.tick, now))
    }

    /// Takes out what a new access stands for.
    fn forget(&self, history: &mut Vec<Past>, by: Accessor, mask: Mask) {
        let first = by.warp() * LANES as u16 + mask.trailing_zeros() as u16;
        let mut observers = Observers::default();
        history.retain_mut(|past| {
            if by.kind == Kind::Update && past.is_strong_write() {
                return false;
            }
            let stay = observers.note(past);
            if by.kind.stands_for(past.kind) {
                let own = if past.warp == by.warp() { mask } else { 0 };
                let known = past.threads().filter(|it| self.is_before(*it, past.tick, first));
                let known = known.fold(own, |lanes, it| lanes | 1 << (it % LANES as u16));
                past.lanes &= stay | !known;
            }
            past.lanes != 0
        });
    }
}

/// Who has read the last strong write so far: warps and lanes. None before the first one.
#[derive(Default)]
struct Observers(Option<Vec<(u16, Mask)>>);

impl Observers {
    /// The lanes that are the first of their threads to read a strong write. Others come behind the write by them, even
    /// if they do not come behind later reads of the same threads.
    fn note(&mut self, past: &Past) -> Mask {
        if past.is_strong_write() {
            self.0 = Some(vec![]);
        }
        let (Some(warps), Kind::StrongRead) = (&mut self.0, past.kind) else { return 0 };
        let before = warps.iter().filter(|it| it.0 == past.warp).fold(0, |all, it| all | it.1);
        warps.push((past.warp, past.lanes));
        past.lanes & !before
    }
}

impl Past {
    fn threads(&self) -> impl Iterator<Item = u16> + use<> {
        threads(self.warp, self.lanes)
    }

    fn is_strong_write(&self) -> bool {
        matches!(self.kind, Kind::StrongWrite | Kind::Update)
    }

    fn is_one_instruction_with(&self, other: &Past) -> bool {
        let place = |it: &Past| (it.tick, it.pc, it.warp, it.kind);
        place(self) == place(other)
    }
}

//! The history of a cell: each thread's accesses since the last access that happens after all of them.
//!
//! Cells with only weak accesses of whole warps need no history, see [`super::Cell`]. A new access must happen after
//! all accesses that it conflicts with. It replaces the accesses that it subsumes: an access that happens after it also
//! happens after them, and an access that conflicts with them also conflicts with it.
//!
//! For this cell, a thread that has observed the value of strong writes happens after them, whatever their order
//! (causality order begins with an observation). So the last thread that adds to a counter may use it weakly.

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

    /// True if an access subsumes an earlier one that happens before it. Strong writes subsume no reads, since
    /// observing them does not imply happening after the earlier accesses of their threads.
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
    /// Records an access of lanes to a cell that has a history, or needs one from now on.
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
            // The write happens after all recorded accesses, so the cell no longer needs a history.
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

    /// The index of the history of a cell, which is created if necessary. The other fields of the cell are unused from
    /// then on.
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

    /// True if a recorded access has observed earlier strong writes, and a thread happens after that access.
    fn has_observed(&self, past: &Past, now: u16) -> bool {
        matches!(past.kind, Kind::StrongRead | Kind::Update)
            && past.threads().any(|it| self.is_before(it, past.tick, now))
    }

    /// Removes the accesses that a new access subsumes.
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

/// The threads that have read the last strong write so far, as warps and lanes. `None` before the first strong write.
#[derive(Default)]
struct Observers(Option<Vec<(u16, Mask)>>);

impl Observers {
    /// The lanes that read a strong write as the first of their threads. Other threads may happen after the write
    /// because of these reads, even if they do not happen after later reads of the same threads.
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

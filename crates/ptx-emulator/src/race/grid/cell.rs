//! The record of the accesses of blocks to a cell of global memory, and the rules for which accesses race.
//!
//! A cell records the last weak writer. It also records strong writers, weak readers and strong readers since then: one
//! thread of each kind, or the fact that there were several blocks. So only the last read of a block is compared, and a
//! write to a cell that several blocks have read needs to happen after an access of only one other block.

/// A thread of a block at a tick, no thread, or several blocks.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Who {
    /// 0 for none, a block's number plus 1, or [`MANY`].
    number: u32,
    pub thread: u16,
    pub tick: u32,
}

pub const MANY: u32 = 0x3fff_ffff;

#[derive(Clone, Copy, Default)]
pub struct Cell {
    pub writer: Who,
    /// The last strong writer, without its tick: a thread that has observed a counter happens after all threads that
    /// have added to it.
    pub updater: Who,
    pub reader: Who,
    pub strong_reader: Who,
    /// True if a thread has read it by `.nc`.
    pub is_constant: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Read,
    /// A read by `.nc`.
    Constant,
    StrongRead,
    Write,
    /// A strong write.
    Atomic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridConflict {
    /// `block` is the other block, or `None` if it is one of several.
    Race { block: Option<u32>, is_write: bool },
    /// The cell is written, and read by `.nc`.
    NotConstant,
}

impl Cell {
    /// Records an access; `is_behind` returns true if the access happens after a given access of another block.
    #[inline(always)]
    pub fn note(
        &mut self,
        how: Use,
        own: Who,
        is_behind: impl Fn(Who) -> bool,
    ) -> Result<(), GridConflict> {
        let is_write = matches!(how, Use::Write | Use::Atomic);
        let is_strong = matches!(how, Use::StrongRead | Use::Atomic);
        let is_written = self.writer.number | self.updater.number != 0;
        if is_write && self.is_constant || how == Use::Constant && is_written {
            return Err(GridConflict::NotConstant);
        }
        let is_fine = |who: Who| who.number == 0 || who.number == own.number || is_behind(who);
        for (who, conflicts, is_write) in [
            (self.writer, true, true),
            (self.updater, !is_strong, true),
            (self.reader, is_write, false),
            (self.strong_reader, how == Use::Write, false),
        ] {
            if conflicts && !is_fine(who) {
                let block = (who.number != MANY).then(|| who.number - 1);
                return Err(GridConflict::Race { block, is_write });
            }
        }
        let with = |who: Who| if is_fine(who) { own } else { Who { number: MANY, ..own } };
        match how {
            Use::Read => self.reader = with(self.reader),
            Use::Constant => (self.reader, self.is_constant) = (with(self.reader), true),
            Use::StrongRead => self.strong_reader = with(self.strong_reader),
            Use::Atomic => self.updater = Who { tick: 0, ..with(self.updater) },
            Use::Write => {
                // The write happens after all other accesses, and replaces them.
                let own_only =
                    |who: Who| if who.number == own.number { who } else { Who::default() };
                (self.writer, self.updater) = (own, Who::default());
                self.reader = own_only(self.reader);
                self.strong_reader = own_only(self.strong_reader);
            }
        }
        Ok(())
    }
}

impl Who {
    pub fn thread(block: u32, thread: u16, tick: u32) -> Who {
        Who { number: block + 1, thread, tick }
    }

    /// An unknown thread of a block.
    pub fn block(block: u32) -> Who {
        Who::numbered(block + 1)
    }

    pub fn numbered(number: u32) -> Who {
        Who { number, ..Who::default() }
    }

    pub fn number(self) -> u32 {
        self.number
    }

    /// The block; `None` for several.
    pub fn only_block(self) -> Option<u32> {
        (self.number != MANY).then(|| self.number - 1)
    }
}

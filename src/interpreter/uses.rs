//! Who used a cell, where nothing orders the users: two of them conflict if one of the two writes it.

/// The users of a cell, by number: the last that wrote it, the first that read it, and one that read it
/// and is not the first.
#[derive(Clone, Copy)]
pub struct Uses {
    writer: u32,
    readers: [u32; 2],
}

/// A use that conflicts with one before.
#[derive(Debug, PartialEq)]
pub struct Conflict {
    /// How the cell is used now, and how it was before.
    pub how: [&'static str; 2],
    /// Who used it before.
    pub other: u32,
}

const NOBODY: u32 = u32::MAX;

impl Uses {
    /// Nobody has used the cell.
    pub const NONE: Uses = Uses { writer: NOBODY, readers: [NOBODY; 2] };

    pub fn read(&mut self, me: u32) -> Result<(), Conflict> {
        if self.writer != NOBODY && self.writer != me {
            return Err(Conflict { how: ["read", "written"], other: self.writer });
        }
        let place = usize::from(self.readers[0] != NOBODY);
        if self.readers[0] != me {
            self.readers[place] = me;
        }
        Ok(())
    }

    pub fn write(&mut self, me: u32) -> Result<(), Conflict> {
        let is_other = |user: &u32| *user != NOBODY && *user != me;
        if is_other(&self.writer) {
            return Err(Conflict { how: ["written"; 2], other: self.writer });
        }
        if let Some(other) = self.readers.iter().copied().find(is_other) {
            return Err(Conflict { how: ["written", "read"], other });
        }
        self.writer = me;
        Ok(())
    }
}

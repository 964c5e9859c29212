//! Who used a cell, where nothing orders the users: two of them conflict if one of the two writes it, unless both do so
//! by atomic updates.

/// The users of a cell, by number: the last that wrote it, the first that read it and one that read it and is not the
/// first, and two such that updated it.
#[derive(Clone, Copy)]
pub struct Uses {
    writer: u32,
    readers: [u32; 2],
    updaters: [u32; 2],
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
    pub const NONE: Uses = Uses { writer: NOBODY, readers: [NOBODY; 2], updaters: [NOBODY; 2] };

    pub fn read(&mut self, me: u32) -> Result<(), Conflict> {
        if self.writer != NOBODY && self.writer != me {
            return Err(Conflict { how: ["read", "written"], other: self.writer });
        }
        if let Some(other) = another(self.updaters, me) {
            return Err(Conflict { how: ["read", "updated"], other });
        }
        note(&mut self.readers, me);
        Ok(())
    }

    /// Reads and writes it in one step.
    pub fn update(&mut self, me: u32) -> Result<(), Conflict> {
        if self.writer != NOBODY && self.writer != me {
            return Err(Conflict { how: ["updated", "written"], other: self.writer });
        }
        if let Some(other) = another(self.readers, me) {
            return Err(Conflict { how: ["updated", "read"], other });
        }
        note(&mut self.updaters, me);
        Ok(())
    }

    pub fn write(&mut self, me: u32) -> Result<(), Conflict> {
        if self.writer != NOBODY && self.writer != me {
            return Err(Conflict { how: ["written"; 2], other: self.writer });
        }
        if let Some(other) = another(self.readers, me) {
            return Err(Conflict { how: ["written", "read"], other });
        }
        if let Some(other) = another(self.updaters, me) {
            return Err(Conflict { how: ["written", "updated"], other });
        }
        self.writer = me;
        Ok(())
    }
}

/// A user that is not `me`.
fn another(users: [u32; 2], me: u32) -> Option<u32> {
    users.into_iter().find(|user| *user != NOBODY && *user != me)
}

fn note(users: &mut [u32; 2], me: u32) {
    let place = usize::from(users[0] != NOBODY);
    if users[0] != me {
        users[place] = me;
    }
}

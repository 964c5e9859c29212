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
        check(me, "read", &[self.written(), ("updated", self.updaters)])?;
        note(&mut self.readers, me);
        Ok(())
    }

    /// Reads and writes it in one step.
    pub fn update(&mut self, me: u32) -> Result<(), Conflict> {
        check(me, "updated", &[self.written(), ("read", self.readers)])?;
        note(&mut self.updaters, me);
        Ok(())
    }

    pub fn write(&mut self, me: u32) -> Result<(), Conflict> {
        let before = [self.written(), ("read", self.readers), ("updated", self.updaters)];
        check(me, "written", &before)?;
        self.writer = me;
        Ok(())
    }

    fn written(&self) -> (&'static str, [u32; 2]) {
        ("written", [self.writer, NOBODY])
    }
}

/// Is none of those who have used it before another than `me`?
fn check(me: u32, how: &'static str, before: &[(&'static str, [u32; 2])]) -> Result<(), Conflict> {
    for (how_before, users) in before {
        if let Some(other) = users.iter().copied().find(|user| *user != NOBODY && *user != me) {
            return Err(Conflict { how: [how, how_before], other });
        }
    }
    Ok(())
}

fn note(users: &mut [u32; 2], me: u32) {
    let place = usize::from(users[0] != NOBODY);
    if users[0] != me {
        users[place] = me;
    }
}

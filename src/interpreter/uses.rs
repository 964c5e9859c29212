//! The users of an element that nothing orders: two of them conflict if one writes it, unless both use
//! atomic updates.

/// The users of an element, by number: the last writer, the first reader and one other reader, and two
/// such updaters.
#[derive(Clone, Copy)]
pub struct Uses {
    writer: u32,
    readers: [u32; 2],
    updaters: [u32; 2],
}

/// A use that conflicts with an earlier one.
#[derive(Debug, PartialEq)]
pub struct Conflict {
    /// The kind of this use, and that of the earlier one.
    pub how: [&'static str; 2],
    /// The earlier user.
    pub other: u32,
}

const NOBODY: u32 = u32::MAX;

impl Uses {
    /// No uses.
    pub const NONE: Uses = Uses { writer: NOBODY, readers: [NOBODY; 2], updaters: [NOBODY; 2] };

    pub fn read(&mut self, me: u32) -> Result<(), Conflict> {
        check(me, "read", &[self.written(), ("updated", self.updaters)])?;
        note(&mut self.readers, me);
        Ok(())
    }

    /// Records a read and a write in one step.
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

/// An error if a user other than `me` is among the earlier users.
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

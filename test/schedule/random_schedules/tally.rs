//! Counts of steps.

/// The outcomes of the steps of one primitive.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub drawn: u64,
    pub accepted: u64,
    /// Accepted, and the text of the IR has changed.
    pub changed: u64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.drawn += other.drawn;
        self.accepted += other.accepted;
        self.changed += other.changed;
    }
}

//! Default schedules: for each group of nests of a function, the schedule that a table gives it.
//!
//! ```text
//! function ─ inline ─► nests ─ group ─► groups ─ choose, by priority ─► each group's schedule, step by step
//! ```
//! - [`inline`](mod@inline) computes what is cheap where it is used;
//! - [`group`] puts nests together that run over the same rows, or that use up a product;
//! - a [`Strategy`] is a row of a [`Table`]: a name, the conditions on a group and on the machine, a priority, and the
//!   steps. Of those that apply the one of the highest priority is taken; two of the same are an error that
//!   names both.
//!
//! Steps are those of any schedule, so what comes out is an ordinary trace. Where one is refused, those of its row are
//! taken back, and the next row that applies is taken; the report says what was refused.
//!
//! Must not know: how steps are done, how loops become code.

mod choose;
pub mod cuda;
pub mod group;
mod inline;
pub mod nest;
mod trial;
pub mod x86;

pub use choose::{Candidate, Choice, Report, apply, apply_to_all};

use crate::schedule::{Schedule, ScheduleError};
use group::Group;

/// The default schedules for machines of a kind.
pub struct Table<M: 'static> {
    pub rows: &'static [&'static Strategy<M>],
    /// What is done last, with nests that are in no group, or that no row has scheduled.
    pub rest: fn(&mut Schedule, &M),
}

/// How a kind of group is scheduled.
#[derive(Debug)]
pub struct Strategy<M> {
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Of those that apply the highest is taken.
    pub priority: u32,
    /// Whether it applies to a group; otherwise why not.
    pub applies: fn(&Group, &M) -> Result<(), String>,
    pub schedule: fn(&mut Schedule, &Group, &M) -> Result<(), ScheduleError>,
}

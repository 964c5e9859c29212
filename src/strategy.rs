//! Default schedules: a table of strategies selects a schedule for each group of loop nests of a function.
//!
//! ```text
//! function ─ inline ─► nests ─ group ─► groups ─ choose, by priority ─► each group's schedule, step by step
//! ```
//! - [`inline`](mod@inline) inlines values that are cheap to compute into their consumers, and padding into a pooling or a depthwise
//!   convolution, where it becomes a condition of the loads;
//! - [`group`] groups nests that run over the same rows, or that read the result of a matrix product;
//! - a [`Strategy`] is a row of a [`StrategyTable`]: a name, the conditions on a group and on the machine, a priority,
//!   and the steps. The applicable strategy of the highest priority is chosen; if two of that priority apply, an error
//!   names both.
//!
//! The steps are ordinary schedule steps, so the result is an ordinary trace. If a step is refused, the steps of its
//! strategy are undone, and the next applicable strategy is tried. The report (`lw-run --dump-strategy`) states which
//! step was refused. If no strategy applies to a group of several nests, each of them is a group of its own.
//!
//! Must not depend on: how steps are done, how loops become code.

mod choose;
pub mod cuda;
pub mod group;
mod inline;
pub mod nest;
mod trial;
pub mod x86;

pub use choose::{Candidate, Report, StrategyChoice, apply, apply_to_all};

use crate::schedule::{Schedule, ScheduleError};
use group::NestGroup;

/// The default schedules for one kind of machine.
pub struct StrategyTable<M: 'static> {
    pub rows: &'static [&'static Strategy<M>],
    /// Runs last, on nests that are in no group or that no strategy has scheduled.
    pub rest: fn(&mut Schedule, &M),
}

/// The schedule for one kind of group.
#[derive(Debug)]
pub struct Strategy<M> {
    pub name: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// The applicable strategy of the highest priority is chosen.
    pub priority: u32,
    /// `Ok` if it applies to a group; otherwise the reason why it does not.
    pub applies: fn(&NestGroup, &M) -> Result<(), String>,
    pub schedule: fn(&mut Schedule, &NestGroup, &M) -> Result<(), ScheduleError>,
}

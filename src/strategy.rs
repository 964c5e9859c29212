//! Default schedules. For each group of loop nests of a function, a schedule is selected from a table of strategies.
//!
//! ```text
//! function ─ inline ─► nests ─ group ─► groups ─ choose ─► each group's schedule, step by step
//! ```
//! - [`inline`](mod@inline) inlines values that are cheap to compute into their consumers, and padding into a pooling or a depthwise
//!   convolution, where it becomes a condition of the loads;
//! - [`group`] groups nests that run over the same rows, or that read the result of a matrix product;
//! - a [`Strategy`] has a name, the conditions on a group, on the machine and on sizes under which it applies, a priority,
//!   and the schedule. The applicable strategy of the highest priority is chosen, or, for processors, another one whose predicted
//!   time is clearly shorter. If two of the highest priority apply to the same sizes, an error names both. Strategies of the package
//!   have the priorities 1 to 59. One of a higher priority is chosen without regard to predicted times.
//!
//! If it is known only at run time whether the sizes meet the conditions of a strategy, the step `specialize` makes a copy
//! of the group for these sizes, and the other strategies compete for the remaining sizes. The compiled code tests the
//! conditions in order of priority. If no strategy is left for some sizes, an error has an example of them. A strategy
//! whose sizes are all taken by those of higher priorities is reported.
//!
//! The steps are ordinary schedule steps, so the result is an ordinary trace. If a step is refused, the steps of its
//! strategy are undone, and the next applicable strategy is tried. The report (`lw-run --dump-strategy`) states which
//! step was refused. If no strategy applies to a group of several nests, each of them is a group of its own, and of
//! two products each part.
//!
//! The Rust type [`Strategies`] has a table for each target, with the strategies of the package. Programs
//! [add](StrategyTable::add) their own, as `examples/custom_strategy` does, and [transform scripts](script) declare others.
//!
//! Must not depend on: how steps are done, how loops become code.

mod alternatives;
mod choose;
pub mod cuda;
pub mod group;
mod inline;
pub mod nest;
pub(crate) mod script;
pub mod sharing;
mod sizes;
pub mod space;
mod trial;
pub mod x86;

pub use choose::{
    Alternative, Candidate, CandidateStatus, ChooseBy, Predict, Prediction, Report, StrategyChoice,
    apply, apply_to_all,
};

use crate::machine::cuda::Gpu;
use crate::machine::x86::Processor;
use crate::schedule::{Schedule, ScheduleError};
use group::NestGroup;
use space::{ChosenNumbers, Space};

/// The highest priority of the strategies of the package.
pub const MAX_PACKAGE_PRIORITY: u32 = 59;

/// A schedule for one kind of group on a machine of type `M`, and when it applies.
pub trait Strategy<M>: Send + Sync {
    /// The name in reports, such as `x86.rows`. It is unique in a table.
    fn name(&self) -> &str;

    /// One line that says what the schedule does.
    fn summary(&self) -> &str;

    /// The applicable strategy of the highest priority is chosen, or, if times are predicted, another one that is clearly faster.
    /// Those of the package have 1 to [`MAX_PACKAGE_PRIORITY`]; one of a higher priority is chosen without a comparison.
    fn priority(&self) -> u32;

    /// Whether the strategy applies to a group.
    ///
    /// # Errors
    /// The reason why it does not.
    fn applies(&self, group: &NestGroup, machine: &M) -> Result<(), String>;

    /// True if it schedules groups of two products, which have [parts](NestGroup::parts). The others are not asked about these.
    fn takes_two_products(&self) -> bool {
        false
    }

    /// The sizes for which it is to be used if it applies; `None` means all. The condition is one of `specialize` on the
    /// extents of the loops of the group's first nest, by their names: `i <= 4 and k mod 16 == 0`.
    fn sizes(&self, _group: &NestGroup, _machine: &M) -> Option<String> {
        None
    }

    /// The numbers that the schedule chooses for a group to which it applies, with the best ones that the strategy knows.
    fn space(&self, _group: &NestGroup, _machine: &M) -> Space {
        Space::default()
    }

    /// What code depends on besides the name, for the key of cached code: a strategy that is not part of the program, such
    /// as that of a script, returns all of it.
    fn identity(&self) -> String {
        String::new()
    }

    /// Schedules a group to which it applies, with the numbers of a member of its [space](Self::space).
    ///
    /// # Errors
    /// That of the first refused step. All steps are then undone, and the next strategy is tried.
    fn schedule(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        machine: &M,
        space: &Space,
    ) -> Result<(), ScheduleError>;
}

/// A strategy of the package.
#[derive(Debug)]
pub struct StrategyRow<M> {
    /// The name, unique for the target.
    pub name: &'static str,
    /// What it is for, in one line.
    pub summary: &'static str,
    /// Among strategies that apply, the one of the highest priority is chosen.
    pub priority: u32,
    /// Decides whether it applies to a group; the error is the reason why not.
    pub applies: fn(&NestGroup, &M) -> Result<(), String>,
    /// The condition on sizes under which it is to be used, as text; `None` for all sizes.
    pub sizes: fn(&NestGroup, &M) -> Option<String>,
    /// The numbers that the schedule chooses.
    pub space: fn(&NestGroup, &M) -> Space,
    /// Schedules the group with the numbers of a member of the space, which are recorded as decisions.
    pub schedule: fn(&mut Schedule, &NestGroup, &M, &ChosenNumbers) -> Result<(), ScheduleError>,
}

/// The [sizes](StrategyRow::sizes) of a strategy that is for all.
pub(crate) fn all_sizes<M>(_: &NestGroup, _: &M) -> Option<String> {
    None
}

impl<M> Strategy<M> for &'static StrategyRow<M> {
    fn name(&self) -> &str {
        self.name
    }

    fn summary(&self) -> &str {
        self.summary
    }

    fn priority(&self) -> u32 {
        self.priority
    }

    fn applies(&self, group: &NestGroup, machine: &M) -> Result<(), String> {
        (self.applies)(group, machine)
    }

    fn sizes(&self, group: &NestGroup, machine: &M) -> Option<String> {
        (self.sizes)(group, machine)
    }

    fn space(&self, group: &NestGroup, machine: &M) -> Space {
        (self.space)(group, machine)
    }

    fn schedule(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        machine: &M,
        space: &Space,
    ) -> Result<(), ScheduleError> {
        let numbers = space.decide(schedule)?;
        (self.schedule)(schedule, group, machine, &numbers)
    }
}

/// The strategies for one kind of machine.
pub struct StrategyTable<M> {
    strategies: Vec<Box<dyn Strategy<M>>>,
    /// Runs last, on nests that are in no group or that no strategy has scheduled.
    rest: fn(&mut Schedule, &M),
}

/// A strategy that a table does not take.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is already a strategy named {name}, expected another name")]
pub struct DuplicateStrategy {
    /// The name.
    pub name: String,
}

impl<M: 'static> StrategyTable<M> {
    fn of(rows: &[&'static StrategyRow<M>], rest: fn(&mut Schedule, &M)) -> Self {
        let boxed = |row: &&'static StrategyRow<M>| Box::new(*row) as Box<dyn Strategy<M>>;
        Self { strategies: rows.iter().map(boxed).collect(), rest }
    }

    /// Adds a strategy.
    ///
    /// # Errors
    /// If another one has its name.
    pub fn add(&mut self, strategy: impl Strategy<M> + 'static) -> Result<(), DuplicateStrategy> {
        let name = strategy.name();
        if self.strategies().any(|other| other.name() == name) {
            return Err(DuplicateStrategy { name: name.to_owned() });
        }
        self.strategies.push(Box::new(strategy));
        Ok(())
    }

    fn len(&self) -> usize {
        self.strategies.len()
    }

    /// Removes all but the first strategies.
    fn truncate(&mut self, len: usize) {
        self.strategies.truncate(len);
    }

    /// The names, priorities and identities of all strategies.
    pub(crate) fn identity(&self) -> String {
        let text =
            |it: &dyn Strategy<M>| format!("{} {} {}", it.name(), it.priority(), it.identity());
        self.strategies().map(text).collect::<Vec<_>>().join("\n")
    }

    /// All strategies, in the order in which they were added.
    pub fn strategies(&self) -> impl Iterator<Item = &dyn Strategy<M>> {
        self.strategies.iter().map(|strategy| &**strategy)
    }
}

/// The strategies for all machines: those of the package, and those that were added.
pub struct Strategies {
    /// Those for x86 processors.
    pub x86: StrategyTable<Processor>,
    /// Those for NVIDIA GPUs.
    pub nvptx: StrategyTable<Gpu>,
}

impl Default for Strategies {
    fn default() -> Self {
        Self { x86: x86::table(), nvptx: cuda::table() }
    }
}

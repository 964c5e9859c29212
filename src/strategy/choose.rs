//! Chooses a strategy for each group of a function, and applies it.

use super::alternatives::{self, MAX_GROUPS};
use super::group::{self, NestGroup};
use super::sharing::{Program, Sharing};
use super::sizes::{RemainingSizes, SizeCondition};
use super::space::Space;
use super::trial::Trial;
use super::{Strategy, StrategyTable, inline};
use crate::dialect::loop_enums::LoopKind;
use crate::ffi::kernel;
use crate::interpreter::random::Random;
use crate::ir::{Error, Op, parents, warning};
use crate::machine::table::duration;
use crate::nest::summary::{Body, Node, NodeId, NodeKind, Summary};
use crate::schedule::trace::observer::Observer;
use crate::schedule::{Instruction, Schedule, ScheduleError, Trace};
use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;
use tracing::{debug, info, info_span};

/// The result for a function.
#[derive(Debug)]
pub struct Report {
    /// The name of the function.
    pub function: String,
    /// True if the function was scheduled before; it is then left unchanged.
    pub is_scheduled: bool,
    /// What was chosen for each group.
    pub choices: Vec<StrategyChoice>,
    /// All schedule steps.
    pub trace: Trace,
}

/// The result for a group.
#[derive(Debug)]
pub struct StrategyChoice {
    /// The names of its schedule blocks.
    pub blocks: Vec<String>,
    /// All strategies, highest priority first.
    pub candidates: Vec<Candidate>,
    /// The schedule of the nests one by one, if that is compared, and whether it is chosen. The nests are the next groups
    /// then.
    pub apart: Option<(Alternative, bool)>,
    /// The steps of the trace that schedule the group.
    pub steps: Range<usize>,
}

/// A strategy, and what was decided about it.
#[derive(Debug)]
pub struct Candidate {
    /// The name of the strategy.
    pub name: String,
    /// Its priority.
    pub priority: u32,
    /// The sizes for which it is to be used; `None` means all.
    pub sizes: Option<String>,
    /// What was decided.
    pub status: CandidateStatus,
    /// What it does and how long that takes, if times are compared.
    pub alternative: Option<Alternative>,
}

/// One schedule of a group.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// The predicted time of the group.
    pub predicted: Prediction,
    /// The steps that schedule the group.
    pub steps: Vec<Instruction>,
    /// The numbers that the steps choose, with those that they have chosen.
    pub space: Space,
    /// True if the numbers are not those of the strategy itself.
    pub is_changed: bool,
}

/// How one of several applicable strategies is chosen.
#[derive(Clone, Copy)]
pub enum ChooseBy<'p> {
    /// The one of the highest priority.
    Priority,
    /// The one that is predicted to be the fastest, see [`Predict`].
    Time(Predict<'p>),
    /// The one of the highest priority, with any numbers of its space, by this seed.
    Seed(u64),
}

/// Predicts the time of nests, children of the function, that are executed one after the other.
pub type Predict<'p> = &'p dyn Fn(&Summary, &[NodeId]) -> Prediction;

/// A predicted time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prediction {
    /// The time of all nests, in ns.
    pub ns: f64,
    /// What no other tiles shorten: the time of the operations in whole vectors, of moving the arguments and
    /// results once, and of waking threads, in ns.
    pub fixed_ns: f64,
    /// The time of the slowest nest, in ns.
    pub slowest_ns: f64,
    /// The unit of the machine that limits the slowest nest.
    pub limit: &'static str,
}

impl Prediction {
    /// The time of both nests, one after the other.
    pub fn and(self, next: Prediction) -> Prediction {
        let slowest = if next.slowest_ns > self.slowest_ns { next } else { self };
        let (ns, fixed_ns) = (self.ns + next.ns, self.fixed_ns + next.fixed_ns);
        Prediction { ns, fixed_ns, ..slowest }
    }
}

/// What was decided about a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CandidateStatus {
    /// It applies, but strategies of higher priorities are chosen for all sizes.
    LowerPriority,
    /// It applies, but another one is predicted to be faster.
    Slower,
    /// It applies, but strategies of higher priorities are chosen for all sizes for which it is to be used.
    Unreachable,
    /// The reason why it does not apply.
    DoesNotApply(String),
    /// It was tried and undone: the refused step and the reason.
    Undone(String),
    /// Chosen, for sizes that fulfil the condition if there is one, and that no strategy of a higher priority has.
    Chosen {
        /// The condition on sizes, as text; `None` for all sizes.
        sizes: Option<String>,
    },
}

impl StrategyChoice {
    /// The strategies that were applied: one, or one for each branch on sizes.
    pub fn chosen(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(|it| matches!(it.status, CandidateStatus::Chosen { .. }))
    }

    fn log(&self) {
        let blocks = || self.blocks.join(", ");
        for Candidate { name, priority, status, .. } in &self.candidates {
            match status {
                CandidateStatus::LowerPriority
                | CandidateStatus::Slower
                | CandidateStatus::Unreachable => {}
                CandidateStatus::DoesNotApply(why) => {
                    debug!(target: "loopwright::strategy", %name, blocks = %blocks(), %why, "does not apply");
                }
                CandidateStatus::Undone(why) => {
                    debug!(target: "loopwright::strategy", %name, blocks = %blocks(), %why, "undone");
                }
                CandidateStatus::Chosen { sizes } => {
                    let sizes = sizes.as_deref().unwrap_or("all others");
                    info!(target: "loopwright::strategy", %name, priority, blocks = %blocks(), %sizes, "chosen");
                }
            }
        }
        if self.chosen().next().is_none() {
            info!(target: "loopwright::strategy", blocks = %blocks(), "no strategy chosen");
        }
    }
}

/// Schedules each function of a module with [`apply`].
///
/// # Errors
/// The error of the first function that has one.
pub fn apply_to_all<'c, M: 'static>(
    module: Op<'c>,
    table: &StrategyTable<M>,
    machine: &M,
    by: ChooseBy,
    observer: &Observer,
) -> Result<Vec<Report>, Error<'c>> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let functions = ops.into_iter().filter(|op| op.is("func.func") && op.body(0).is_some());
    let functions: Vec<Op> = functions.collect();
    // Before the first is scheduled: a schedule may replace the ops of its function, and so the calls.
    let sharing = Program::of(module).sharing(&functions);
    let functions = functions.into_iter().zip(sharing);
    functions.map(|(f, sharing)| apply_to(f, sharing, (table, machine), by, observer)).collect()
}

/// Schedules a function of the loop dialect with the strategies of a table.
///
/// # Errors
/// If the function is not valid, two strategies of one priority apply to a group and to the same sizes, or none is left
/// for some sizes of a group although others are for some.
pub fn apply<'c, M: 'static>(
    function: Op<'c>,
    table: &StrategyTable<M>,
    machine: &M,
    by: ChooseBy,
    observer: &Observer,
) -> Result<Report, Error<'c>> {
    let program = Program::of(parents(function).last().unwrap_or(function));
    let sharing = program.sharing(&[function])[0];
    apply_to(function, sharing, (table, machine), by, observer)
}

/// As [`apply`], if it is known whether threads share the loops of the function.
fn apply_to<'c, M: 'static>(
    function: Op<'c>,
    sharing: Sharing,
    (table, machine): (&StrategyTable<M>, &M),
    by: ChooseBy,
    observer: &Observer,
) -> Result<Report, Error<'c>> {
    let mut trial = Trial::of(function, observer)?;
    let name = &trial.schedule.trace().function;
    let _function = info_span!(target: "loopwright::strategy", "function", name = %name).entered();
    let mut choices = vec![];
    if is_scheduled(trial.schedule.summary()) {
        let trace = trial.schedule.trace().clone();
        return Ok(Report { function: trace.function.clone(), is_scheduled: true, choices, trace });
    }
    inline::run(&mut trial.schedule);
    trial.schedule.widen();
    let mut left = VecDeque::from(group::groups(trial.schedule.summary(), sharing));
    // The transforms of weights are not part of a call.
    let is_for_weights = trial.schedule.trace().function == kernel::TRANSFORM;
    let by = match by {
        ChooseBy::Time(_) if is_for_weights || left.len() > MAX_GROUPS => ChooseBy::Priority,
        by => by,
    };
    while let Some(group) = left.pop_front() {
        let by = match by {
            ChooseBy::Seed(seed) => ChooseBy::Seed(seed.wrapping_add(choices.len() as u64)),
            by => by,
        };
        let (choice, rest) = schedule_group(&mut trial, function, group, (table, machine), by)?;
        choice.log();
        // Nests that no strategy schedules together are scheduled one by one.
        rest.into_iter().rev().for_each(|alone| left.push_front(alone));
        choices.push(choice);
    }
    trial.schedule.widen();
    (table.rest)(&mut trial.schedule, machine);
    let trace = trial.schedule.trace().clone();
    Ok(Report { function: trace.function.clone(), is_scheduled: false, choices, trace })
}

/// True if the function has already been scheduled.
fn is_scheduled(summary: &Summary) -> bool {
    let is_changed = |node: &Node| match &node.kind {
        NodeKind::Loop(this) => this.kind != LoopKind::Serial || this.axis.is_some(),
        NodeKind::Block(block) => !block.annotations.is_empty() || block.body == Body::Nest,
        _ => false,
    };
    summary.nodes.values().any(is_changed)
}

/// Schedules a group by the strategies that apply to it, one for each branch on sizes. Returns the groups to schedule
/// instead, if none is left for some sizes.
fn schedule_group<'c, M: 'static>(
    trial: &mut Trial<'c>,
    function: Op<'c>,
    group: NestGroup,
    (table, machine): (&StrategyTable<M>, &M),
    by: ChooseBy,
) -> Result<(StrategyChoice, Vec<NestGroup>), Error<'c>> {
    let blocks: Vec<String> = group.blocks().into_iter().map(str::to_owned).collect();
    trial.schedule.focus(&group.blocks());
    let summary = trial.schedule.summary();
    // Sizes are numbered by what is in focus.
    let group = group.renamed(summary, &blocks).unwrap_or(group);
    let mut applicable = applicable(&group, summary, table, machine);
    ensure_definite(&applicable, &group, summary).map_err(|text| Error::on(function, text))?;
    let apart = match by {
        ChooseBy::Priority | ChooseBy::Seed(_) => None,
        ChooseBy::Time(predict) => {
            alternatives::rank(function, &group, &mut applicable, (table, machine), predict)?
        }
    };
    let summary = trial.schedule.summary();
    let mut remaining = RemainingSizes::of(&group, summary);
    let first_step = trial.schedule.trace().instructions.len();
    let mut left = Some(group);
    for Row { strategy, candidate, sizes } in &mut applicable {
        let Some(current) = &left else { break };
        if candidate.status != CandidateStatus::LowerPriority {
            continue;
        }
        if let Some(sizes) = &*sizes
            && remaining.have_none(&[sizes])
        {
            candidate.status = CandidateStatus::Unreachable;
            warn_of(candidate, function, &blocks);
            continue;
        }
        let is_for_all = |sizes: &&SizeCondition| remaining.without(sizes).are_none();
        let sizes = sizes.as_ref().filter(|sizes| !is_for_all(sizes));
        let names = || current.blocks().join(", ");
        let _strategy =
            info_span!(target: "loopwright::strategy", "strategy", name = %candidate.name, blocks = %names())
                .entered();
        let changed = candidate.alternative.as_ref().filter(|it| it.is_changed);
        let done = trial.attempt(|schedule| {
            let (here, elsewhere) = match sizes {
                None => (current.clone(), None),
                Some(sizes) => {
                    let (here, elsewhere) = branch(schedule, current, sizes)?;
                    (here, Some(elsewhere))
                }
            };
            let space = match changed {
                Some(changed) => changed.space.clone(),
                None => strategy.space(&here, machine),
            };
            let space = match by {
                ChooseBy::Seed(seed) => space.member(&mut Random::new(seed)).unwrap_or(space),
                ChooseBy::Priority | ChooseBy::Time(_) => space,
            };
            strategy.schedule(schedule, &here, machine, &space)?;
            Ok(elsewhere)
        })?;
        match done {
            Err(refused) => candidate.status = CandidateStatus::Undone(refused),
            Ok(elsewhere) => {
                candidate.status =
                    CandidateStatus::Chosen { sizes: sizes.map(|sizes| sizes.text.clone()) };
                if let (Some(sizes), Some(elsewhere)) = (sizes, &elsewhere) {
                    remaining = remaining.without(sizes);
                    trial.schedule.focus(&elsewhere.blocks());
                }
                left = elsewhere;
            }
        }
    }
    let candidates = applicable.into_iter().map(|row| row.candidate).collect();
    let steps = first_step..trial.schedule.trace().instructions.len();
    let choice = StrategyChoice { blocks, candidates, apart, steps };
    let Some(left) = left else { return Ok((choice, vec![])) };
    let alone = left.split();
    if alone.is_empty() && choice.chosen().next().is_some() {
        return Err(Error::on(function, no_strategy_left(&choice.blocks, &remaining)));
    }
    Ok((choice, alone))
}

/// Warns that a strategy is never chosen for a group.
fn warn_of(Candidate { name, sizes, .. }: &Candidate, function: Op, blocks: &[String]) {
    let (blocks, sizes) = (blocks.join(", "), sizes.as_deref().unwrap_or_default());
    warning(
        function.location(),
        &format!(
            "strategy {name} is never chosen for schedule blocks {blocks}: strategies of higher \
             priorities have all its sizes, {sizes}"
        ),
    );
}

/// The error for sizes without a strategy.
fn no_strategy_left(blocks: &[String], remaining: &RemainingSizes) -> String {
    let example = remaining.example();
    let example = example.map_or_else(String::new, |sizes| format!(", such as {sizes}"));
    let blocks = blocks.join(", ");
    format!(
        "has no strategy for some sizes of schedule block {blocks}{example}; expected one for all \
         sizes that remain"
    )
}

/// A strategy, what is known about it, and its sizes if it is not for all.
pub(super) struct Row<'s, M> {
    pub strategy: &'s dyn Strategy<M>,
    pub candidate: Candidate,
    pub sizes: Option<SizeCondition>,
}

/// All strategies, highest priority first; those that may be chosen have the status [`CandidateStatus::LowerPriority`].
fn applicable<'s, M: 'static>(
    group: &NestGroup,
    summary: &Summary,
    table: &'s StrategyTable<M>,
    machine: &M,
) -> Vec<Row<'s, M>> {
    let all = RemainingSizes::of(group, summary);
    let row = |strategy: &'s dyn Strategy<M>| {
        let sizes = why_not(strategy, group, machine).and_then(|()| {
            let Some(text) = strategy.sizes(group, machine) else { return Ok(None) };
            let sizes = SizeCondition::of(&text, group, summary)?;
            match all.have_none(&[&sizes]) {
                true => Err(format!("it is for sizes with {text}")),
                false => Ok(Some(sizes)),
            }
        });
        let (sizes, status) = match sizes {
            Ok(sizes) => (sizes, CandidateStatus::LowerPriority),
            Err(why) => (None, CandidateStatus::DoesNotApply(why)),
        };
        let candidate = Candidate {
            name: strategy.name().to_owned(),
            priority: strategy.priority(),
            sizes: sizes.as_ref().map(|sizes| sizes.text.clone()),
            status,
            alternative: None,
        };
        Row { strategy, candidate, sizes }
    };
    let mut rows: Vec<Row<M>> = table.strategies().map(row).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.candidate.priority));
    rows
}

/// Ensures that for all sizes at most one strategy of the highest priority applies.
fn ensure_definite<M>(rows: &[Row<M>], group: &NestGroup, summary: &Summary) -> Result<(), String> {
    let mut remaining = RemainingSizes::of(group, summary);
    let mut rows =
        rows.iter().filter(|row| row.candidate.status == CandidateStatus::LowerPriority).peekable();
    while let Some(one) = rows.next() {
        let same = rows.clone().take_while(|it| it.candidate.priority == one.candidate.priority);
        for other in same {
            let both: Vec<&SizeCondition> = one.sizes.iter().chain(&other.sizes).collect();
            if !remaining.have_none(&both) {
                return Err(format!(
                    "has two applicable strategies of priority {} for schedule blocks {}: {} and {}; \
                     expected one of the highest priority",
                    one.candidate.priority,
                    group.blocks().join(", "),
                    one.candidate.name,
                    other.candidate.name
                ));
            }
        }
        match &one.sizes {
            Some(sizes) => remaining = remaining.without(sizes),
            None => break,
        }
    }
    Ok(())
}

/// Copies a group for the sizes that fulfil a condition. Returns the group for those, and that for the others.
fn branch(
    schedule: &mut Schedule,
    group: &NestGroup,
    sizes: &SizeCondition,
) -> Result<(NestGroup, NestGroup), ScheduleError> {
    let before = schedule.blocks();
    let name = |nest: &super::nest::Nest| match nest.loops.is_empty() {
        true => nest.block.clone(),
        false => nest.at(0),
    };
    let through = group.nests[1..].last().map(name);
    schedule.specialize(&name(&group.nests[0]), &sizes.text, through.as_deref())?;
    let copies: Vec<String> =
        schedule.blocks().into_iter().filter(|block| !before.contains(block)).collect();
    let blocks: Vec<String> = group.blocks().into_iter().map(str::to_owned).collect();
    let now = |blocks: &[String]| group.renamed(schedule.summary(), blocks);
    Ok((
        now(&blocks).expect("simplified loops have the form of a nest"),
        now(&copies).expect("a copy has the form of the nest"),
    ))
}

/// The reason why a strategy does not apply to a group, as the error.
pub(super) fn why_not<M>(
    strategy: &dyn Strategy<M>,
    group: &NestGroup,
    machine: &M,
) -> Result<(), String> {
    // No strategy may change the order of instances that depend on each other, so none applies.
    match group.nests.iter().find(|nest| nest.is_recurrent) {
        Some(nest) => Err(format!("{} reads elements that it has written", nest.block)),
        None if !group.parts.is_empty() && !strategy.takes_two_products() => {
            Err("the group has two products".into())
        }
        None => strategy.applies(group, machine),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.is_scheduled {
            true => writeln!(f, "function {}: already scheduled", self.function)?,
            false => {
                writeln!(f, "function {}: {} steps", self.function, self.trace.instructions.len())?;
            }
        }
        for choice in &self.choices {
            writeln!(f, "  group {}", choice.blocks.join(", "))?;
            let is_dispatched = choice.chosen().count() > 1;
            for candidate in &choice.candidates {
                let Candidate { name, priority, status, alternative, .. } = candidate;
                let status = match status {
                    CandidateStatus::Chosen { sizes: None } if is_dispatched => {
                        "chosen for all other sizes".to_owned()
                    }
                    status => status.text(candidate.sizes.as_deref()),
                };
                write!(f, "    {priority:>3} {name}: {status}")?;
                match alternative {
                    Some(alternative) => writeln!(f, ", {}", alternative.predicted)?,
                    None => writeln!(f)?,
                }
            }
            if let Some((apart, is_chosen)) = &choice.apart {
                let status = if *is_chosen { "chosen" } else { "slower" };
                writeln!(f, "        one by one: {status}, {}", apart.predicted)?;
            }
        }
        Ok(())
    }
}

impl CandidateStatus {
    /// What it says about a strategy for some sizes.
    fn text(&self, sizes: Option<&str>) -> String {
        match self {
            CandidateStatus::DoesNotApply(why) => why.clone(),
            CandidateStatus::Undone(refused) => format!("undone {refused}"),
            CandidateStatus::Chosen { sizes: Some(sizes) } => format!("chosen if {sizes}"),
            CandidateStatus::Chosen { sizes: None } => "chosen".into(),
            CandidateStatus::LowerPriority => "applies, but has a lower priority".into(),
            CandidateStatus::Slower => "slower".into(),
            CandidateStatus::Unreachable => format!(
                "never chosen: its sizes, {}, all have strategies of higher priorities",
                sizes.unwrap_or("all")
            ),
        }
    }
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "predicted {}, limited by {}", duration(self.ns), self.limit)
    }
}

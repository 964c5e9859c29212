//! Chooses a strategy for each group of a function, and applies it.

use super::group::{self, NestGroup};
use super::trial::Trial;
use super::{Strategy, StrategyTable, inline};
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ir::{Attribute, Error, Op, Type, parents, walk};
use crate::nest::summary::{Body, Node, NodeKind, Summary};
use crate::schedule::Trace;
use crate::schedule::trace::observer::Observer;
use std::collections::VecDeque;
use std::fmt;
use tracing::{debug, info, info_span};

/// The result for a function.
#[derive(Debug)]
pub struct Report {
    pub function: String,
    /// True if the function was scheduled before; it is then left unchanged.
    pub is_scheduled: bool,
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
}

/// The verdict on a strategy.
#[derive(Debug)]
pub struct Candidate {
    pub name: &'static str,
    pub priority: u32,
    /// The reason why it does not apply.
    pub why_not: Option<String>,
    /// The refused step and the reason, if the strategy was tried and undone.
    pub refused: Option<String>,
}

impl StrategyChoice {
    /// The strategy that was applied.
    pub fn taken(&self) -> Option<&Candidate> {
        let is_done = |it: &&Candidate| it.why_not.is_none() && it.refused.is_none();
        self.candidates.iter().find(is_done)
    }

    fn log(&self) {
        let blocks = || self.blocks.join(", ");
        for candidate in &self.candidates {
            let Candidate { name, why_not, refused, .. } = candidate;
            if let Some(why) = why_not {
                debug!(target: "loopwright::strategy", %name, blocks = %blocks(), %why, "does not apply");
            }
            if let Some(why) = refused {
                debug!(target: "loopwright::strategy", %name, blocks = %blocks(), %why, "undone");
            }
        }
        match self.taken() {
            Some(Candidate { name, priority, .. }) => {
                info!(target: "loopwright::strategy", %name, priority, blocks = %blocks(), "chosen");
            }
            None => info!(target: "loopwright::strategy", blocks = %blocks(), "no strategy chosen"),
        }
    }
}

/// Schedules each function of a module with [`apply`].
///
/// # Errors
/// The error of the first function that has one.
pub fn apply_to_all<'c, M>(
    module: Op<'c>,
    table: &StrategyTable<M>,
    machine: &M,
    observer: &Observer,
) -> Result<Vec<Report>, Error<'c>> {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let functions = ops.into_iter().filter(|op| op.is("func.func") && op.body(0).is_some());
    let calls = calls_in(module);
    functions.map(|function| apply_among(function, &calls, table, machine, observer)).collect()
}

fn calls_in(module: Op) -> Vec<Op> {
    walk(module).into_iter().filter(|op| op.is("func.call")).collect()
}

/// Schedules a function of the loop dialect with the strategies of a table.
///
/// # Errors
/// If the function is not valid, or two strategies of one priority apply to a group.
pub fn apply<'c, M>(
    function: Op<'c>,
    table: &StrategyTable<M>,
    machine: &M,
    observer: &Observer,
) -> Result<Report, Error<'c>> {
    let calls = parents(function).last().map(calls_in).unwrap_or_default();
    apply_among(function, &calls, table, machine, observer)
}

/// As [`apply`], for a function of a module with the given calls.
fn apply_among<'c, M>(
    function: Op<'c>,
    calls: &[Op<'c>],
    table: &StrategyTable<M>,
    machine: &M,
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
    let mut left =
        VecDeque::from(group::groups(trial.schedule.summary(), is_entry(function, calls)));
    while let Some(group) = left.pop_front() {
        let (mut choice, strategies) =
            choose(&group, table.rows, machine).map_err(|message| Error::on(function, message))?;
        trial.schedule.focus(&group.blocks());
        let mut candidates = choice.candidates.iter_mut().filter(|it| it.why_not.is_none());
        for strategy in strategies {
            let name = strategy.name;
            let blocks = || group.blocks().join(", ");
            let _strategy =
                info_span!(target: "loopwright::strategy", "strategy", name = %name, blocks = %blocks())
                    .entered();
            let refused =
                trial.attempt(|schedule| (strategy.schedule)(schedule, &group, machine))?;
            let candidate = candidates.next().expect("a candidate for each that applies");
            candidate.refused = refused;
            if candidate.refused.is_none() {
                break;
            }
        }
        choice.log();
        // Nests that no strategy schedules together are scheduled one by one.
        if choice.taken().is_none() {
            group.split().into_iter().rev().for_each(|alone| left.push_front(alone));
        }
        choices.push(choice);
    }
    trial.schedule.widen();
    (table.rest)(&mut trial.schedule, machine);
    let trace = trial.schedule.trace().clone();
    Ok(Report { function: trace.function.clone(), is_scheduled: false, choices, trace })
}

/// True if threads may share the loops of a function: it returns nothing, and no thread of a loop calls it. The calls of
/// other functions, if there are any, are outside of nests, and in functions of which that is true, too. `calls` are those
/// in the module.
fn is_entry<'c>(function: Op<'c>, calls: &[Op<'c>]) -> bool {
    let (mut left, mut seen) = (vec![function], vec![]);
    while let Some(function) = left.pop() {
        if seen.contains(&function) {
            continue;
        }
        seen.push(function);
        let ty = function.attribute("function_type").and_then(Attribute::as_type);
        let returns = ty.and_then(Type::signature).is_none_or(|(_, results)| !results.is_empty());
        let name = function.symbol_name();
        let is_call = |call: &&Op| {
            call.attribute("callee")
                .and_then(Attribute::as_symbol)
                .is_some_and(|to| Some(to) == name)
        };
        let called: Vec<&Op> = calls.iter().filter(is_call).collect();
        let visibility = function.attribute("sym_visibility").and_then(Attribute::as_str);
        if returns || visibility == Some("private") && called.is_empty() {
            return false;
        }
        for call in called {
            let is_nest = |op: &Op| op.is(For::NAME) || op.is(ScheduleBlock::NAME);
            match parents(*call).find(|op| is_nest(op) || op.is("func.func")) {
                Some(caller) if caller.is("func.func") => left.push(caller),
                _ => return false,
            }
        }
    }
    true
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

/// The verdict on each strategy, and the strategies that apply, highest priority first.
fn choose<'s, M>(
    group: &NestGroup,
    rows: &[&'s Strategy<M>],
    machine: &M,
) -> Result<(StrategyChoice, Vec<&'s Strategy<M>>), String> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(|row| std::cmp::Reverse(row.priority));
    let candidates: Vec<Candidate> = rows
        .iter()
        .map(|row| Candidate {
            name: row.name,
            priority: row.priority,
            why_not: why_not(row, group, machine),
            refused: None,
        })
        .collect();
    let mut apply = candidates.iter().zip(&rows).filter(|(said, _)| said.why_not.is_none());
    let first = apply.next();
    if let Some((one, other)) = first.zip(apply.next())
        && one.0.priority == other.0.priority
    {
        return Err(format!(
            "has two applicable strategies of priority {} for schedule blocks {}: {} and {}; expected \
             one of the highest priority",
            one.0.priority,
            group.blocks().join(", "),
            one.0.name,
            other.0.name
        ));
    }
    let is_for_it = |(said, _): &(&Candidate, &&Strategy<M>)| said.why_not.is_none();
    let strategies = candidates.iter().zip(&rows).filter(is_for_it).map(|(_, row)| *row).collect();
    let blocks = group.blocks().into_iter().map(str::to_owned).collect();
    Ok((StrategyChoice { blocks, candidates }, strategies))
}

/// The reason why a strategy does not apply to a group.
fn why_not<M>(row: &Strategy<M>, group: &NestGroup, machine: &M) -> Option<String> {
    // No strategy may change the order of instances that depend on each other, so none applies.
    match group.nests.iter().find(|nest| nest.is_recurrent) {
        Some(nest) => Some(format!("{} reads elements that it has written", nest.block)),
        None => (row.applies)(group, machine).err(),
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
            let taken = choice.taken().map(|taken| taken.name);
            for candidate in &choice.candidates {
                let verdict = match (&candidate.why_not, &candidate.refused) {
                    (Some(why), _) => why.clone(),
                    (None, Some(refused)) => format!("undone {refused}"),
                    (None, None) if taken == Some(candidate.name) => "chosen".into(),
                    (None, None) => "applies, but has a lower priority".into(),
                };
                writeln!(f, "    {:>3} {}: {verdict}", candidate.priority, candidate.name)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::x86::{CpuTarget, Processor};
    use crate::strategy::nest::{AccessStride, Nest, NestAccess, NestLoop};

    fn row(name: &'static str, priority: u32, applies: bool) -> Strategy<Processor> {
        Strategy {
            name,
            summary: "",
            priority,
            applies: match applies {
                true => |_, _| Ok(()),
                false => |_, _| Err("it is Monday".into()),
            },
            schedule: |_, _, _| Ok(()),
        }
    }

    fn group() -> NestGroup {
        let access = |name: &str| NestAccess {
            buffer: name.into(),
            bytes: None,
            element_bytes: 4,
            is_argument: true,
            has_lifted_transforms: false,
            steps: vec![AccessStride::Unit],
            columns: vec![],
            dimensions: vec![Some(0)],
            rank: 1,
        };
        let axis = NestLoop { name: "i".into(), extent: None, bounds: vec![], is_reduction: false };
        let nest = Nest {
            block: "B".into(),
            loops: vec![axis],
            loads: vec![access("A")],
            stores: vec![access("B")],
            reducer: None,
            operations: 1,
            functions: 0,
            widenings: 0,
            is_conditional: false,
            padded: vec![],
            is_recurrent: false,
        };
        NestGroup { nests: vec![nest], rows: 1, may_share: true }
    }

    fn chosen(rows: &[&Strategy<Processor>]) -> Result<Option<&'static str>, String> {
        let processor = CpuTarget::named("haswell").processor().expect("LLVM knows it");
        choose(&group(), rows, &processor).map(|(_, rows)| rows.first().map(|row| row.name))
    }

    #[test]
    fn the_highest_priority_that_applies_is_taken() {
        let rows = [row("low", 1, true), row("high", 3, false), row("middle", 2, true)];
        assert_eq!(chosen(&rows.each_ref()), Ok(Some("middle")));
        assert_eq!(chosen(&[&row("none", 1, false)]), Ok(None));
    }

    #[test]
    fn two_of_one_priority_are_an_error() {
        let rows = [row("one", 2, true), row("other", 2, true), row("low", 1, true)];
        let message = chosen(&rows.each_ref()).expect_err("both apply");
        let found =
            "has two applicable strategies of priority 2 for schedule blocks B: one and other";
        assert!(message.starts_with(found), "{message}");
        // Equal priorities below the highest do not matter.
        let rows = [row("one", 2, true), row("other", 2, true), row("high", 3, true)];
        assert_eq!(chosen(&rows.each_ref()), Ok(Some("high")));
    }
}

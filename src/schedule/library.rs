//! Schedule libraries: named sequences with parameters, preconditions and postconditions that other
//! schedules call.
//!
//! ```text
//! transform.named_sequence @tile(%f: !transform.any_op {transform.readonly}) attributes {
//!     loop.parameters = {block, rows = 4 : i64},
//!     loop.requires = ["$block is in loops i, j"], loop.ensures = ["$block:i.1 is serial"]} {
//!   transform.sched.split "$block:i" in %f factors "-1, $rows"
//!   transform.yield
//! }
//! transform.sched.call @tile in %f with {block = "C"}
//! ```
//! A parameter without a default must be given. `$rows` is replaced by its value in every text of the
//! steps. The steps are first tried on a copy of the function. A [condition] that does
//! not hold, or a step that is refused, is an error at the call, and the function is unchanged. The trace
//! records the steps, so it needs no library.
//!
//! A name is looked up near the call first, and then in `schedules/`, which is part of the package.

pub(crate) mod condition;

use super::error::{LibraryReason, ScheduleError};
use super::instruction::{Argument, Instruction, Literal, ParameterKind, Primitive};
use super::trace::argument;
use crate::ir::{Attribute, Context, CopiedOp, Error, Location, Op, parents, parse_text_in, top};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::Summary;
use crate::schedule::library::condition::LibraryCondition;
use crate::schedule::primitive::sampling::decision;
use tracing::debug_span;

/// The schedules of the package: each file and its text.
pub const FILES: &[(&str, &str)] = &[
    ("schedules/layernorm.mlir", include_str!("../../schedules/layernorm.mlir")),
    ("schedules/matmul.mlir", include_str!("../../schedules/matmul.mlir")),
    ("schedules/rows.mlir", include_str!("../../schedules/rows.mlir")),
    ("schedules/softmax.mlir", include_str!("../../schedules/softmax.mlir")),
    ("schedules/transpose.mlir", include_str!("../../schedules/transpose.mlir")),
];

/// The maximal depth of nested calls.
const DEPTH: usize = 16;

/// The attributes of a sequence that can be called.
pub(crate) const PARAMETERS: &str = "loop.parameters";
const REQUIRES: &str = "loop.requires";
const ENSURES: &str = "loop.ensures";

/// Values of parameters, by name.
pub type ParameterValues = Vec<(String, Literal)>;

/// The expansion of a call is a list of these, in order.
#[derive(Clone, Debug)]
pub enum Event<'c> {
    /// A condition that must hold here.
    Check { check: Check, at: Location<'c> },
    /// A step of the called schedule.
    Step { step: Instruction, at: Location<'c> },
}

/// A condition that a schedule requires or ensures.
#[derive(Clone, Debug)]
pub struct Check {
    schedule: String,
    when: &'static str,
    text: String,
    condition: LibraryCondition,
}

impl Check {
    /// # Errors
    /// If the condition does not hold, or is about something that does not exist.
    pub fn holds(&self, summary: &Summary) -> Result<(), ScheduleError> {
        let Err((node, found)) = self.condition.check(summary)? else { return Ok(()) };
        let (schedule, condition) = (self.schedule.clone(), self.text.clone());
        Err(LibraryReason::NotMet { schedule, when: self.when, condition, found }.at(node, 0))
    }
}

/// Why a call cannot be expanded, and where in the called schedule.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct CallRefusal<'c> {
    pub reason: LibraryReason,
    pub at: Option<Location<'c>>,
}

impl<'c> CallRefusal<'c> {
    /// The diagnostic, at the op of the call or at the function.
    pub fn located(self, op: Op<'c>) -> Error<'c> {
        let error = Error::on(op, self.reason.to_string());
        match self.at {
            Some(at) => error.note(at, "the schedule is here"),
            None => error,
        }
    }
}

/// The steps of an expanded call.
pub fn steps<'e>(events: &'e [Event<'_>]) -> impl Iterator<Item = &'e Instruction> {
    events.iter().filter_map(|event| match event {
        Event::Step { step, .. } => Some(step),
        Event::Check { .. } => None,
    })
}

/// Expands a call of schedule `name`, which is looked up in `near` and its enclosing ops first.
///
/// # Errors
/// If there is no such schedule, its parameters differ from `values`, or an op in it is not a step.
pub fn expand<'c>(
    near: Option<Op<'_>>,
    context: Context<'c>,
    name: &str,
    values: &ParameterValues,
) -> Result<Vec<Event<'c>>, CallRefusal<'c>> {
    let mut events = vec![];
    expand_into(&mut events, near, context, (name, values), DEPTH)?;
    Ok(events)
}

fn expand_into<'c>(
    events: &mut Vec<Event<'c>>,
    near: Option<Op<'_>>,
    context: Context<'c>,
    (name, given): (&str, &ParameterValues),
    depth: usize,
) -> Result<(), CallRefusal<'c>> {
    if depth == 0 {
        let reason = LibraryReason::DeepCalls { name: name.to_owned(), limit: DEPTH };
        return Err(CallRefusal { reason, at: None });
    }
    if let Some(callee) = near.and_then(|near| sequence_beside(near, name)) {
        return of_callee(events, callee, context, given, depth);
    }
    for (file, text) in FILES {
        // A context without the transform dialect cannot parse them, so it has no schedules.
        let Some(module) = parse_text_in(context, text, file) else { break };
        if let Some(callee) = sequence_in(top(&module), name) {
            return of_callee(events, callee, context, given, depth);
        }
    }
    let mut present: Vec<String> = near.map(names_beside).unwrap_or_default();
    present.extend(built_in());
    let (name, present) = (name.to_owned(), present.join(", "));
    Err(CallRefusal { reason: LibraryReason::NoSchedule { name, present }, at: None })
}

fn of_callee<'c>(
    events: &mut Vec<Event<'c>>,
    callee: Op<'_>,
    context: Context<'c>,
    given: &ParameterValues,
    depth: usize,
) -> Result<(), CallRefusal<'c>> {
    let name = symbol(callee);
    let at = place(callee, context);
    let refusal = |reason| CallRefusal { reason, at: Some(at) };
    let values = bind(callee, given).map_err(refusal)?;
    let conditions = |attribute: &'static str, when: &'static str| {
        let of = |text: &str| {
            let text = filled(text, &values);
            let condition = LibraryCondition::parse(&text)
                .ok_or_else(|| LibraryReason::NoCondition(text.clone()))?;
            Ok(Event::Check { check: Check { schedule: name.clone(), when, text, condition }, at })
        };
        let texts = declared(callee, attribute, "a list of texts", as_texts)?;
        texts.into_iter().map(of).collect::<Result<Vec<_>, LibraryReason>>()
    };
    events.extend(conditions(REQUIRES, "requires").map_err(refusal)?);
    let body = callee.body(0).map(|body| (body.arguments(), body.ops()));
    let (arguments, ops) = body.unwrap_or_default();
    for op in ops.into_iter().filter(|op| !op.is("transform.yield")) {
        let at = place(op, context);
        let no_step = || {
            let (schedule, op) = (name.clone(), op.name().to_owned());
            CallRefusal { reason: LibraryReason::NoStep { schedule, op }, at: Some(at) }
        };
        if arguments.len() != 1 || op.operands() != arguments {
            return Err(no_step());
        }
        if op.is("transform.sched.call") {
            let refusal = |reason| CallRefusal { reason, at: Some(at) };
            let inner = call_of(op, &values).map_err(refusal)?;
            expand_into(events, Some(op), context, (&inner.0, &inner.1), depth - 1)?;
            continue;
        }
        let primitive = op.name().strip_prefix("transform.sched.").and_then(Primitive::of);
        let primitive = primitive.ok_or_else(no_step)?;
        let mut arguments = vec![];
        for (i, parameter) in primitive.parameters.iter().enumerate() {
            let value = op.attribute(parameter.name);
            if i == 0 && value.is_none() && parameter.kind.default().is_none() {
                return Err(no_step());
            }
            let given = argument::of_attribute(parameter.kind, value);
            arguments.push(with_values(parameter.kind, given, &values));
        }
        events.push(Event::Step { step: Instruction { primitive, arguments }, at });
    }
    events.extend(conditions(ENSURES, "ensures").map_err(refusal)?);
    Ok(())
}

/// The callee and the values of a call op; `values` are those of the schedule that contains the op.
///
/// # Errors
/// If a value is neither a number nor a boolean nor a text.
pub fn call_of(
    op: Op,
    values: &ParameterValues,
) -> Result<(String, ParameterValues), LibraryReason> {
    let name = op.attribute("callee").and_then(Attribute::as_symbol).unwrap_or_default();
    let given = op.attribute("values").and_then(Attribute::as_dictionary).unwrap_or_default();
    let value = |(key, value): &(&str, Attribute)| {
        let literal = match literal(name, key, *value)? {
            Literal::Text(text) => Literal::parse(&filled(&text, values)),
            other => other,
        };
        Ok(((*key).to_owned(), literal))
    };
    Ok((name.to_owned(), given.iter().map(value).collect::<Result<_, LibraryReason>>()?))
}

/// The value of a declaring attribute of a sequence; the default if it has none.
fn declared<'c, T: Default>(
    callee: Op<'c>,
    attribute: &'static str,
    expected: &'static str,
    read: impl FnOnce(Attribute<'c>) -> Option<T>,
) -> Result<T, LibraryReason> {
    let Some(found) = callee.attribute(attribute) else { return Ok(T::default()) };
    read(found).ok_or_else(|| LibraryReason::BadDeclaration {
        schedule: symbol(callee),
        attribute,
        expected,
    })
}

fn as_texts<'c>(value: Attribute<'c>) -> Option<Vec<&'c str>> {
    value.as_array()?.into_iter().map(Attribute::as_str).collect()
}

/// Reads a number, a boolean or a text.
fn literal(schedule: &str, name: &str, value: Attribute) -> Result<Literal, LibraryReason> {
    argument::literal(value).ok_or_else(|| {
        let (schedule, name) = (schedule.to_owned(), name.to_owned());
        LibraryReason::BadValue { schedule, name }
    })
}

/// The values of all parameters, given or default.
fn bind(callee: Op, given: &ParameterValues) -> Result<ParameterValues, LibraryReason> {
    let schedule = symbol(callee);
    let declared =
        declared(callee, PARAMETERS, "a dictionary of values", Attribute::as_dictionary)?;
    if let Some((name, _)) =
        given.iter().find(|(name, _)| declared.iter().all(|(other, _)| other != name))
    {
        let present: Vec<&str> = declared.iter().map(|(name, _)| *name).collect();
        return Err(LibraryReason::NoParameter {
            schedule,
            name: name.clone(),
            present: present.join(", "),
        });
    }
    let value = |(name, initial): &(&str, Attribute)| {
        let given = given.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
        let value = match (given, initial.is_unit()) {
            (Some(value), _) => value,
            (None, false) => literal(&schedule, name, *initial)?,
            (None, true) => {
                return Err(LibraryReason::NotGiven {
                    schedule: schedule.clone(),
                    name: (*name).to_owned(),
                });
            }
        };
        Ok(((*name).to_owned(), value))
    };
    declared.iter().map(value).collect()
}

/// Replaces `$name` by values; other names stay, because they may be decisions.
pub fn filled(text: &str, values: &ParameterValues) -> String {
    let mut parts = text.split('$');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        match values.iter().find(|(other, _)| other == name) {
            Some((_, Literal::Integer(number))) => filled += &number.to_string(),
            Some((_, Literal::Bool(value))) => filled += &value.to_string(),
            Some((_, Literal::Text(text))) => filled += text,
            None => filled = filled + "$" + name,
        }
        filled += rest;
    }
    filled
}

fn with_values(kind: ParameterKind, argument: Argument, values: &ParameterValues) -> Argument {
    match argument {
        Argument::Text(text) => Argument::Text(filled(&text, values)),
        Argument::Texts(texts) => {
            Argument::Texts(texts.iter().map(|text| filled(text, values)).collect())
        }
        Argument::OptionalText(text) => {
            Argument::OptionalText(text.map(|text| filled(&text, values)))
        }
        Argument::Decided(list) => {
            let list = filled(&list, values);
            let numbers: Result<Vec<i64>, _> =
                list.split(',').map(|number| number.trim().parse()).collect();
            match (kind, numbers.as_deref()) {
                (ParameterKind::OptionalInteger, Ok([number])) => {
                    Argument::OptionalInteger(Some(*number))
                }
                (ParameterKind::Integers | ParameterKind::OptionalIntegers, Ok(numbers)) => {
                    Argument::Integers(numbers.to_vec())
                }
                // A part of the list is a decision, which is not made yet.
                _ => Argument::Decided(list),
            }
        }
        Argument::Literal(Literal::Text(text)) => {
            Argument::Literal(Literal::parse(&filled(&text, values)))
        }
        other => other,
    }
}

/// The names of the package's schedules.
pub fn built_in() -> Vec<String> {
    let names = |text: &'static str| {
        let after = text.split("transform.named_sequence @").skip(1);
        after.filter_map(|rest| rest.split('(').next()).map(|name| format!("@{name}"))
    };
    FILES.iter().flat_map(|(_, text)| names(text)).collect()
}

fn sequence_beside<'c>(near: Op<'c>, name: &str) -> Option<Op<'c>> {
    std::iter::once(near).chain(parents(near)).find_map(|around| sequence_in(around, name))
}

fn sequence_in<'c>(module: Op<'c>, name: &str) -> Option<Op<'c>> {
    let is_it = |op: &Op| op.is("transform.named_sequence") && symbol(*op) == name;
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    ops.into_iter().find(|op| is_it(op) && op.body(0).is_some())
}

fn names_beside(near: Op) -> Vec<String> {
    let around = std::iter::once(near).chain(parents(near));
    let ops = around.filter_map(|around| around.body(0)).flat_map(|body| body.ops());
    let sequences = ops.filter(|op| op.is("transform.named_sequence"));
    let names = sequences.map(|op| format!("@{}", symbol(op)));
    names.filter(|name| name != "@__transform_main").collect()
}

fn symbol(op: Op) -> String {
    op.symbol_name().unwrap_or_default().to_owned()
}

/// The location of an op, which outlives the op.
fn place<'c>(op: Op<'_>, context: Context<'c>) -> Location<'c> {
    op.location().of(context)
}

/// Applies all events to a copy of the function. Returns the error of the first one that fails.
pub fn tried<'c>(function: Op<'c>, events: &[Event<'c>], explain: bool) -> Result<(), Error<'c>> {
    let _span = debug_span!(target: "loopwright::schedule", "trial").entered();
    let copy = CopiedOp::of(function);
    // The error must outlive the copy.
    taken(copy.op(), events, explain)
}

fn taken<'c>(function: Op<'c>, events: &[Event<'c>], explain: bool) -> Result<(), Error<'c>> {
    let mut state = State::new(function, Box::new(Direct))?;
    for event in events {
        match event {
            Event::Check { check, at } => {
                check.holds(state.summary()).map_err(|error| {
                    Error::on(state.op(error.at), error.reason.to_string())
                        .note(*at, "the schedule is here")
                })?;
            }
            Event::Step { step, at } => {
                let refused = |error: ScheduleError, state: &State<'c>| {
                    let error = error.located(state, step.primitive.name, explain);
                    error.note(*at, "in this step of the schedule")
                };
                let _span = step.span(function).entered();
                let step = decision::resolved(function, step).map_err(|e| refused(e, &state))?;
                let done = step.primitive.run(&mut state, &step.arguments);
                done.map_err(|error| refused(error, &state))?;
                state.refresh()?;
            }
        }
    }
    Ok(())
}

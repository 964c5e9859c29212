//! Sampling decisions: a sampled value is named, so that later steps can refer to it.
//!
//! ```text
//! transform.sched.sample_perfect_tile "C:j" in %f as "tile" parts 2
//! transform.sched.split "C:j" in %f factors "$tile"
//! ```
//! A sampling step stores its decision in an attribute of the function, `loop.decisions = {tile = [4,
//! 16]}`, and the trace records it in that step: `decision [4, 16]`. A replay uses the decisions in the
//! trace; other decisions give another schedule. A step without a decision samples one by splitmix64 from
//! the seed of the step and its name.
//!
//! `$tile` may be used wherever a step takes a name or a word, and as text in a list of numbers or for one
//! number: `"$tile"`, `"-1, $width"`. A decision of several numbers expands to all of them. In an index map a number may be
//! anywhere: `"(i, j) -> (j floordiv $width, i, j mod $width)"`.
//!
//! [`space`](crate::schedule::trace::space) lists the choices that the decisions of a trace are sampled from, and
//! samples others. A decision corresponds to `transform.tune.knob` of the transform dialect, which has a
//! name, a selected value and the other options; that op leaves sampling and checking to the driver of the
//! script.

use crate::interpreter::random::Random;
use crate::ir::{Attribute, Op, Type};
use crate::nest::summary::NodeId;
use crate::schedule::error::{SamplingReason, ScheduleError};
use crate::schedule::instruction::{Argument, Instruction, Literal, Parameter, ParameterKind};

/// The function attribute that holds the decisions.
pub const ATTRIBUTE: &str = "loop.decisions";

/// The value of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A list of numbers, such as the factors of a tiling.
    Numbers(Vec<i64>),
    /// A number.
    Number(i64),
    /// A name, such as that of a loop.
    Text(String),
}

impl std::fmt::Display for Decision {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Decision::Numbers(numbers) => write!(f, "{numbers:?}"),
            Decision::Number(number) => write!(f, "{number}"),
            Decision::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// The name of the parameter that names a decision, and its summary.
pub(crate) const AS: &str = "as";
pub(crate) const NAME: &str = "The name of the decision, which later steps use as $name";

/// The name of the parameter for the seed of a draw, and its summary.
pub(crate) const SEED: &str = "seed";
pub(crate) const SEED_TEXT: &str = "The seed of the draw (default: 0)";

/// The name of the parameter for the decision itself.
pub(crate) const DECISION: &str = "decision";

/// The name of the parameter for an index map.
const MAP: &str = "index_map";

/// All decisions of a function, by name.
pub fn all(function: Op) -> Vec<(String, Decision)> {
    let entries = function.attribute(ATTRIBUTE).and_then(Attribute::as_dictionary);
    let of = |(name, value): &(&str, Attribute)| Some(((*name).to_owned(), read(*value)?));
    entries.unwrap_or_default().iter().filter_map(of).collect()
}

/// The decision of a function with a name.
pub fn named(function: Op, name: &str) -> Option<Decision> {
    function.attribute(ATTRIBUTE)?.entry(name).and_then(read)
}

/// The names of all decisions of a function.
fn names(function: Op) -> Vec<String> {
    all(function).into_iter().map(|(name, _)| name).collect()
}

/// A name, if a decision of the function has it.
pub fn taken(function: Op, name: &str) -> Vec<String> {
    named(function, name).map(|_| name.to_owned()).into_iter().collect()
}

/// Stores a decision in a function.
pub fn keep(function: Op, name: &str, decision: &Decision) {
    let context = function.context();
    let mut entries = all(function);
    entries.retain(|(other, _)| other != name);
    entries.push((name.to_owned(), decision.clone()));
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    let write = |decision: &Decision| match decision {
        Decision::Numbers(numbers) => Attribute::dense_i64(context, numbers),
        Decision::Number(number) => Attribute::integer(Type::integer(context, 64), *number),
        Decision::Text(text) => Attribute::string(context, text),
    };
    let entries: Vec<_> = entries.iter().map(|(name, value)| (&**name, write(value))).collect();
    function.set_attribute(ATTRIBUTE, Attribute::dictionary(context, &entries));
}

/// Gives a function the decisions of another one, and no others.
pub fn restore(function: Op, original: Op) {
    match original.attribute(ATTRIBUTE) {
        Some(decisions) => function.set_attribute(ATTRIBUTE, decisions),
        None => function.remove_attribute(ATTRIBUTE),
    }
}

fn read(value: Attribute) -> Option<Decision> {
    let numbers = || value.as_integers().map(Decision::Numbers);
    let text = value.as_str().map(|text| Decision::Text(text.to_owned()));
    text.or_else(|| value.as_i64().map(Decision::Number)).or_else(numbers)
}

/// True for the characters of names of decisions.
pub fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// Checks that a decision's name is valid and not taken: (C`condition`).
pub(crate) fn check_name(name: &str, taken: &[String], condition: u8) -> Result<(), ScheduleError> {
    if name.is_empty() || !name.chars().all(is_letter) {
        return Err(SamplingReason::NoDecisionName(name.to_owned()).at(NodeId::FUNCTION, condition));
    }
    match taken.iter().any(|other| other == name) {
        true => Err(SamplingReason::DecisionTaken(name.to_owned()).at(NodeId::FUNCTION, condition)),
        false => Ok(()),
    }
}

/// The random generator of a sampling step.
pub(crate) fn random(name: &str, seed: Option<i64>) -> Random {
    // FNV-1a: the offset basis and the prime.
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let of_name = name.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    Random::new(of_name ^ seed.unwrap_or(0).cast_unsigned())
}

/// Replaces the names of decisions in a step by their values.
///
/// # Errors
/// If there is no such decision, or the parameter does not take its value.
pub fn resolved(function: Op, step: &Instruction) -> Result<Instruction, ScheduleError> {
    let arguments = step.primitive.parameters.iter().zip(&step.arguments);
    let arguments = arguments.map(|(parameter, argument)| resolve(function, parameter, argument));
    let arguments = arguments.collect::<Result<_, _>>()?;
    Ok(Instruction { primitive: step.primitive, arguments })
}

fn resolve(
    function: Op,
    parameter: &Parameter,
    argument: &Argument,
) -> Result<Argument, ScheduleError> {
    let is_new = parameter.name == AS;
    let text = |text: &String| match text.strip_prefix('$').filter(|_| !is_new) {
        None => Ok(text.clone()),
        Some(name) => match find(function, name)? {
            Decision::Text(text) => Ok(text),
            _ => Err(invalid_decision(parameter, text, "a name")),
        },
    };
    let is_map = parameter.name == MAP;
    Ok(match argument {
        Argument::Text(map) | Argument::OptionalText(Some(map)) if is_map => {
            let map = with_numbers(function, parameter, map)?;
            match argument {
                Argument::Text(_) => Argument::Text(map),
                _ => Argument::OptionalText(Some(map)),
            }
        }
        Argument::Text(name) => Argument::Text(text(name)?),
        Argument::OptionalText(Some(name)) => Argument::OptionalText(Some(text(name)?)),
        Argument::Texts(names) => {
            Argument::Texts(names.iter().map(text).collect::<Result<_, _>>()?)
        }
        Argument::Literal(Literal::Text(name)) if name.starts_with('$') => {
            match find(function, &name[1..])? {
                Decision::Text(text) => Argument::Literal(Literal::Text(text)),
                Decision::Number(number) => Argument::Literal(Literal::Integer(number)),
                Decision::Numbers(_) => {
                    return Err(invalid_decision(parameter, name, "one number or a name"));
                }
            }
        }
        Argument::Decided(list) => {
            let numbers = numbers(function, parameter, list)?;
            match (parameter.kind, &numbers[..]) {
                (ParameterKind::OptionalInteger, [number]) => {
                    Argument::OptionalInteger(Some(*number))
                }
                (ParameterKind::OptionalInteger, _) => {
                    return Err(invalid_decision(parameter, list, "one number"));
                }
                _ => Argument::Integers(numbers),
            }
        }
        Argument::Integers(_)
        | Argument::OptionalInteger(_)
        | Argument::OptionalText(None)
        | Argument::Literal(_) => argument.clone(),
    })
}

/// Replaces the names of decisions in an index map by their numbers.
fn with_numbers(function: Op, parameter: &Parameter, map: &str) -> Result<String, ScheduleError> {
    let mut parts = map.split('$');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_at(part.find(|c| !is_letter(c)).unwrap_or(part.len()));
        match find(function, name)? {
            Decision::Number(number) => filled += &number.to_string(),
            _ => return Err(invalid_decision(parameter, &format!("${name}"), "one number")),
        }
        filled += rest;
    }
    Ok(filled)
}

/// Expands a list of numbers and decision names to numbers.
fn numbers(function: Op, parameter: &Parameter, list: &str) -> Result<Vec<i64>, ScheduleError> {
    let mut found = vec![];
    for item in list.split(',').map(str::trim) {
        match (item.strip_prefix('$'), item.parse()) {
            (Some(name), _) => match find(function, name)? {
                Decision::Numbers(numbers) => found.extend(numbers),
                Decision::Number(number) => found.push(number),
                Decision::Text(_) => return Err(invalid_decision(parameter, item, "numbers")),
            },
            (None, Ok(number)) => found.push(number),
            (None, Err(_)) => {
                return Err(invalid_decision(parameter, item, "numbers and names of decisions"));
            }
        }
    }
    Ok(found)
}

fn find(function: Op, name: &str) -> Result<Decision, ScheduleError> {
    named(function, name).ok_or_else(|| {
        let present = names(function).join(", ");
        let present = if present.is_empty() { "there is none".into() } else { present };
        SamplingReason::NoDecision { name: name.to_owned(), present }.at(NodeId::FUNCTION, 0)
    })
}

fn invalid_decision(parameter: &Parameter, found: &str, expected: &'static str) -> ScheduleError {
    let (parameter, found) = (parameter.name, found.to_owned());
    SamplingReason::UnfitDecision { parameter, found, expected }.at(NodeId::FUNCTION, 0)
}

/// A step as the trace records it: with its decision, if it made one, and without a seed.
pub fn recorded(function: Op, mut step: Instruction) -> Instruction {
    let place = |name: &str| step.primitive.parameters.iter().position(|p| p.name == name);
    let (Some(name), Some(decision)) = (place(AS), place(DECISION)) else { return step };
    let seed = place(SEED);
    let made = find(function, step.arguments[name].text());
    if let Ok(made) = made {
        step.arguments[decision] = match made {
            Decision::Numbers(numbers) => Argument::Integers(numbers),
            Decision::Number(number) => Argument::OptionalInteger(Some(number)),
            Decision::Text(text) => Argument::OptionalText(Some(text)),
        };
        if let Some(seed) = seed {
            step.arguments[seed] = Argument::OptionalInteger(None);
        }
    }
    step
}

/// The same step without its decision, to be sampled again from a seed; `None` if the step makes no
/// decision.
pub fn redrawn(step: &Instruction, seed: i64) -> Option<Instruction> {
    let place = |name: &str| step.primitive.parameters.iter().position(|p| p.name == name);
    let (decision, at) = (place(DECISION)?, place(SEED)?);
    let mut step = step.clone();
    step.arguments[decision] = step.primitive.parameters[decision].kind.default()?;
    step.arguments[at] = Argument::OptionalInteger(Some(seed));
    Some(step)
}

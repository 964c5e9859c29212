//! `resolve-knobs`: choose the values of upstream's `transform.tune.knob` and `transform.tune.alternatives` that a script
//! leaves open, so that all `transform.smt.constrain_params` hold.
//!
//! ```text
//! %rows = transform.tune.knob<"rows"> options = [4, 8, 16] -> !transform.param<i64>
//! transform.smt.constrain_params(%rows) : (!transform.param<i64>) -> () {
//! ^bb0(%r: !smt.int):
//!   %limit = smt.int.constant 8
//!   %fits = smt.int.cmp le %r, %limit
//!   smt.assert %fits {what = "rows"}
//! }
//! transform.sched.decide "rows" in %f = %rows : !transform.param<i64>
//! transform.sched.split "C:i" in %f factors "-1, $rows"
//! ```
//! Upstream's interpreter of transform scripts runs a knob only if its value is selected, and never
//! `smt.constrain_params`. This pass selects the first values, in the order of the options, that meet all constraints, or with a
//! seed any of them. Values that the script selects are kept. Constraints, which then hold, are removed, and
//! what they yield becomes a constant. `lw-run --schedule` resolves scripts in this way. Knobs and constraints in regions that
//! `tune.alternatives` does not select do not matter. The attribute `what` of a constraint is for messages.
//!
//! `print` prints the solutions instead, up to a number, or the choices and constraints as SMT-LIB.
//!
//! Conditions
//! - (C1) options are a list, and those of a knob that constraints refer to are integers of 64 bits
//! - (C2) constraints refer to knobs, constants and results of other constraints, not to what the script computes when it runs
//! - (C3) constraints use booleans and the integers of SMT, without quantifiers, bit vectors, arrays and declared functions
//! - (C4) some values meet all constraints

mod constraints;
#[cfg(test)]
mod tests;

use crate::analysis::finite_domain::{
    Choice, Choices, Comparison, Condition, NamedCondition, NoSolution, Term,
};
use crate::ffi::pass::{DialectName, Form, OptionKind, PassOption, PassRow};
use crate::interpreter::random::Random;
use crate::ir::{Attribute, Builder, CopiedOp, Error, Op, Type, Value, walk};
use crate::schedule::instruction::{Argument, Primitive};
use loopwright_runtime::stdout;

pub(super) const KNOB: &str = "transform.tune.knob";
pub(super) const ALTERNATIVES: &str = "transform.tune.alternatives";
const CONSTRAINTS: &str = "transform.smt.constrain_params";
const PARAMETER: &str = "transform.param.constant";
/// On `smt.assert`: what the constraint limits, for messages.
const NAME: &str = "what";

pub(crate) const PASS: PassRow = PassRow {
    argument: "resolve-knobs",
    summary: "Choose the open values of transform.tune ops so that transform.smt.constrain_params hold",
    on: "builtin.module",
    needs: Form::ALL,
    leaves: None,
    options: &[
        PassOption {
            name: "seed",
            summary: "Choose any solution, by this number; 0 is the first solution in the order of the options",
            kind: OptionKind::Int,
            initial: "0",
        },
        PassOption {
            name: "print",
            summary: "Change nothing; print at most so many solutions to stdout",
            kind: OptionKind::Int,
            initial: "0",
        },
        PassOption {
            name: "smt-lib",
            summary: "Change nothing; print the choices and constraints as SMT-LIB to stdout",
            kind: OptionKind::Bool,
            initial: "false",
        },
    ],
    statistics: &[],
    dialects: &[DialectName::Transform],
    run: |module, run| {
        let outcome = match (run.int(0), run.int(1), run.bool(2)) {
            (_, _, true) => print(module, |space| space.choices.smt_lib()),
            (seed, 0, false) => resolve(module, seed.cast_unsigned()),
            (_, most, false) if most < 0 => {
                Err(Error::on(module, format!("is given print {most}, expected 0 or more")))
            }
            (_, most, false) => print(module, |space| space.solutions(most.cast_unsigned())),
        };
        outcome.map_err(|error| error.emit())
    },
};

/// A script without open knobs; the script itself if it has neither knobs nor constraints.
pub enum Resolved<'c> {
    Same(Op<'c>),
    Copy(CopiedOp<'c>),
}

impl<'c> Resolved<'c> {
    pub fn op(&self) -> Op<'c> {
        match self {
            Resolved::Same(script) => *script,
            Resolved::Copy(copy) => copy.op(),
        }
    }
}

/// Resolves a copy of a script.
///
/// # Errors
/// As [`resolve`].
pub fn resolved(script: Op) -> Result<Resolved, Error> {
    let is_open = |op: &Op| [KNOB, ALTERNATIVES, CONSTRAINTS].contains(&op.name());
    if !walk(script).iter().any(is_open) {
        return Ok(Resolved::Same(script));
    }
    let copy = CopiedOp::of(script);
    resolve(copy.op(), 0)?;
    Ok(Resolved::Copy(copy))
}

/// Chooses the open values of a module, and removes its constraints.
///
/// # Errors
/// (C1) to (C4), at the op that does not meet them.
pub fn resolve(module: Op, seed: u64) -> Result<(), Error> {
    let mut space = ScriptSpace::of(module)?;
    if seed != 0 {
        let mut random = Random::new(seed);
        space.choices.choices.iter_mut().for_each(|it| random.shuffle(&mut it.domain));
    }
    let values = space.choices.first().map_err(|why| space.unsolved(module, &why))?;
    let yielded = space.yielded(&values)?;
    space.select(&values, &yielded);
    Ok(())
}

fn print<'c>(module: Op<'c>, text: impl Fn(&ScriptSpace) -> String) -> Result<(), Error<'c>> {
    let text = text(&ScriptSpace::of(module)?);
    stdout::print(&text)
        .map_err(|error| Error::on(module, format!("has solutions that are not printed: {error}")))
}

/// What a script leaves open.
struct ScriptSpace<'c> {
    choices: Choices,
    /// The op of each choice: a knob, or alternatives.
    ops: Vec<Op<'c>>,
    /// The op of each constraint.
    places: Vec<Op<'c>>,
    /// The terms that each op with constraints yields.
    yielded: Vec<(Op<'c>, Vec<Term>)>,
}

impl<'c> ScriptSpace<'c> {
    fn of(module: Op<'c>) -> Result<ScriptSpace<'c>, Error<'c>> {
        let (choices, ops, places, yielded) = (Choices::default(), vec![], vec![], vec![]);
        let mut space = ScriptSpace { choices, ops, places, yielded };
        space.collect(module, &[])?;
        Ok(space)
    }

    /// Adds what an op and the ops in it leave open. Constraints must hold unless a condition of `unless` does.
    fn collect(&mut self, op: Op<'c>, unless: &[Condition]) -> Result<(), Error<'c>> {
        match op.name() {
            KNOB => return self.knob(op),
            CONSTRAINTS => return self.constraints(op, unless),
            ALTERNATIVES => return self.alternatives(op, unless),
            _ => {}
        }
        let blocks = op.regions().into_iter().flat_map(|region| region.blocks());
        blocks.flat_map(|block| block.ops()).try_for_each(|op| self.collect(op, unless))
    }

    /// A knob is a number among its options or, if these are not integers, the index of one of them.
    fn knob(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        let options = options(op)?;
        let selected = op.attribute("selected");
        let numbers = numbers(&options);
        let domain = match (selected, numbers) {
            (None, Some(numbers)) => numbers,
            (None, None) => (0..).zip(&options).map(|(i, _)| i).collect(),
            (Some(selected), Some(_)) => vec![selected.as_i64().unwrap_or_default()],
            (Some(selected), None) => {
                let place = (0..).zip(&options).find(|(_, option)| **option == selected);
                vec![place.map_or(0, |(i, _)| i)]
            }
        };
        let name = op.attribute("name").and_then(Attribute::as_str).unwrap_or_default();
        self.choices.choices.push(Choice { name: name.to_owned(), domain });
        self.ops.push(op);
        Ok(())
    }

    /// Alternatives are the index of a region. What is in regions that are not selected does not matter.
    fn alternatives(&mut self, op: Op<'c>, unless: &[Condition]) -> Result<(), Error<'c>> {
        let selected = op.attribute("selected_region_attr").and_then(Attribute::as_i64);
        let regions = (0i64..).zip(op.regions());
        let index = match op.operands()[..] {
            [parameter] => Some(self.term(op, parameter)?),
            _ if selected.is_some() => None,
            _ => {
                let name = op.attribute("name").and_then(Attribute::as_str).unwrap_or_default();
                let domain = regions.clone().map(|(i, _)| i).collect();
                self.choices.choices.push(Choice { name: name.to_owned(), domain });
                self.ops.push(op);
                Some(Term::Variable(self.ops.len() - 1))
            }
        };
        for (i, region) in regions.filter(|(i, _)| selected.is_none_or(|selected| selected == *i)) {
            let mut unless = unless.to_vec();
            unless.extend(index.clone().map(|index| {
                let i = Term::Constant(i128::from(i));
                Condition::Not(Box::new(Condition::Compare(Comparison::Equal, index, i)))
            }));
            let ops = region.blocks().into_iter().flat_map(|block| block.ops());
            ops.into_iter().try_for_each(|op| self.collect(op, &unless))?;
        }
        Ok(())
    }

    fn constraints(&mut self, op: Op<'c>, unless: &[Condition]) -> Result<(), Error<'c>> {
        let parameters = op.operands().into_iter().map(|value| self.term(op, value));
        let parameters = parameters.collect::<Result<Vec<_>, _>>()?;
        let found = constraints::of(op, parameters)?;
        for (condition, place) in found.asserted {
            let name = place.attribute(NAME).and_then(Attribute::as_str);
            let name = name
                .map_or_else(|| format!("constraint {}", self.places.len() + 1), ToOwned::to_owned);
            let condition = match unless {
                [] => condition,
                _ => Condition::Any(unless.iter().cloned().chain([condition]).collect()),
            };
            self.choices.constraints.push(NamedCondition { name, condition });
            self.places.push(place);
        }
        self.yielded.push((op, found.yielded));
        Ok(())
    }

    /// What a parameter of a constraint is.
    fn term(&self, user: Op<'c>, value: Value<'c>) -> Result<Term, Error<'c>> {
        let op = value.defining_op();
        if let Some(place) = self.ops.iter().position(|it| it.is(KNOB) && Some(*it) == op) {
            let options = options(self.ops[place])?;
            if numbers(&options).is_none() {
                let message = "refers to a knob whose options are not integers (C1)";
                let at = self.ops[place].location();
                return Err(Error::on(user, message).note(at, "the knob is here"));
            }
            return Ok(Term::Variable(place));
        }
        if let Some((_, terms)) = self.yielded.iter().find(|(it, _)| Some(*it) == op) {
            return Ok(terms[value.index()].clone());
        }
        let constant = op.filter(|op| op.is(PARAMETER)).and_then(|op| op.attribute("value"));
        if let Some(constant) = constant.and_then(integer) {
            return Ok(Term::Constant(i128::from(constant)));
        }
        let message = "refers to a parameter that is not known before the script runs, expected a knob, a \
                       constant, or a result of other constraints (C2)";
        let error = Error::on(user, message);
        Err(match op {
            Some(op) => error.note(op.location(), "the parameter is here"),
            None => error,
        })
    }

    /// (C4), at the first constraint of a conflict.
    fn unsolved(&self, module: Op<'c>, why: &NoSolution) -> Error<'c> {
        let NoSolution::Conflict(conflict) = why else {
            return Error::on(module, format!("has open knobs: {why} (C4)"));
        };
        let Some((first, others)) = conflict.split_first() else {
            let empty = self.choices.choices.iter().position(|choice| choice.domain.is_empty());
            let at = empty.map_or(module, |place| self.ops[place]);
            return Error::on(at, "has no options, expected one or more (C4)");
        };
        let mut involved = vec![];
        for constraint in conflict {
            self.choices.constraints[*constraint].condition.variables(&mut involved);
        }
        let mut domains: Vec<String> =
            involved.iter().map(|place| self.choices.choices[*place].to_string()).collect();
        domains.dedup();
        let domains = domains.join(", ");
        let more = if others.is_empty() { "" } else { ", with the others below" };
        let what = self.places[*first].attribute(NAME).and_then(Attribute::as_str);
        let what = what.map(|what| format!("on {what} ")).unwrap_or_default();
        let missing = match others {
            [] => self.choices.missing(*first),
            _ => None,
        };
        let missing =
            missing.map(|(least, most)| format!(": at least {least}, expected at most {most}"));
        let missing = missing.unwrap_or_default();
        let values = if domains.is_empty() { "" } else { " of " };
        let message = format!("{what}holds for no values{values}{domains}{missing}{more} (C4)");
        others.iter().fold(Error::on(self.places[*first], message), |error, other| {
            error.note(self.places[*other].location(), "which must hold with this one")
        })
    }

    /// The solutions as text: one line each.
    fn solutions(&self, most: u64) -> String {
        let mut left = most;
        let mut text = String::new();
        self.choices.search(&mut |values| {
            let all = self.choices.choices.iter().zip(values);
            let all: Vec<String> =
                all.map(|(choice, value)| format!("{} = {value}", choice.name)).collect();
            text += &all.join(", ");
            text.push('\n');
            left -= 1;
            left > 0
        });
        text
    }

    /// The results of each op with constraints.
    fn yielded(&self, values: &[i64]) -> Result<Vec<Vec<i64>>, Error<'c>> {
        let of = |(op, terms): &(Op<'c>, Vec<Term>)| {
            let numbers: Option<Vec<i64>> = terms.iter().map(|term| term.value(values)).collect();
            let message =
                "yields a number that exceeds 64 bits, or a quotient by 0, expected neither (C3)";
            numbers.ok_or_else(|| Error::on(*op, message))
        };
        self.yielded.iter().map(of).collect()
    }

    /// Selects these values, and replaces the results of constraints.
    fn select(&self, values: &[i64], yielded: &[Vec<i64>]) {
        for (op, value) in self.ops.iter().zip(values) {
            if op.is(ALTERNATIVES) {
                let ty = Type::integer(op.context(), 64);
                op.set_attribute("selected_region_attr", Attribute::integer(ty, *value));
            } else if op.attribute("selected").is_none() {
                let options = options(*op).unwrap_or_default();
                let is_it = |option: &&Attribute| option.as_i64() == Some(*value);
                let chosen = match numbers(&options) {
                    Some(_) => options.iter().find(is_it),
                    None => usize::try_from(*value).ok().and_then(|place| options.get(place)),
                };
                if let Some(chosen) = chosen {
                    op.set_attribute("selected", *chosen);
                }
            }
        }
        for ((op, _), numbers) in self.yielded.iter().zip(yielded) {
            for (result, number) in op.results().into_iter().zip(numbers) {
                let builder = Builder::before(*op, op.location());
                let number = Attribute::integer(Type::integer(op.context(), 64), *number);
                let constant = builder.spec(PARAMETER).attribute("value", number);
                let constant = builder.value(constant.results(&[result.ty()]));
                result.replace_all_uses_with(constant);
            }
        }
        // Results of an op are used only by later ops.
        self.yielded.iter().rev().for_each(|(op, _)| op.erase());
    }
}

/// The step of a `transform.sched.decide` with these values of the parameter: a sampling step with this decision.
///
/// # Errors
/// If there is not exactly one value, or it is no integer.
pub(super) fn decision<'c>(
    op: Op<'c>,
    values: &[Attribute],
) -> Result<(&'static Primitive, Vec<Argument>), Error<'c>> {
    let found = || values.iter().map(|it| it.to_string()).collect::<Vec<_>>().join(", ");
    let [Some(number)] = values.iter().map(|value| integer(*value)).collect::<Vec<_>>()[..] else {
        return Err(Error::on(op, format!("is given {}, expected one integer", found())));
    };
    let knob = op.operand(1).defining_op().filter(|it| it.is(KNOB));
    let options = knob.and_then(|knob| numbers(&options(knob).ok()?));
    let candidates = options.unwrap_or_else(|| vec![number]);
    let name = op.attribute("as").and_then(Attribute::as_str).unwrap_or_default();
    let primitive = Primitive::of("sample_categorical").expect("it is a primitive");
    let arguments = vec![
        Argument::Text(name.to_owned()),
        Argument::Integers(candidates),
        Argument::Integers(vec![]),
        Argument::OptionalInteger(Some(number)),
        Argument::OptionalInteger(None),
    ];
    Ok((primitive, arguments))
}

/// The options of a knob. (C1)
fn options(op: Op) -> Result<Vec<Attribute>, Error> {
    let options = op.attribute("options").and_then(Attribute::as_array);
    options.ok_or_else(|| Error::on(op, "has options that are not a list (C1)"))
}

/// The options as numbers, if all are integers.
pub(super) fn numbers(options: &[Attribute]) -> Option<Vec<i64>> {
    options.iter().map(|option| integer(*option)).collect()
}

/// An integer of at most 64 bits, sign-extended: so upstream stores constants of SMT, although their types are unsigned.
fn integer(value: Attribute) -> Option<i64> {
    let number = value.as_i64()?;
    value.ty().integer_bits().is_some_and(|bits| bits <= 64).then_some(number)
}

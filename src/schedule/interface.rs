//! The two MLIR interfaces of a primitive: the pass `--sched-<name>` and the transform op.

pub(crate) mod apply;
pub(crate) mod expect_refusal;

use super::instruction::{Argument, Instruction, Literal, Parameter, ParameterKind, Primitive};
use super::knobs;
use super::library;
use super::primitive::PRIMITIVES;
use super::query;
use super::trace::{self, argument, check_version, remark_other_hash};
use super::wrong_result;
use crate::dialect::block_axes;
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ffi::pass::{DialectName, Form, OptionKind, PassOption, PassRow, PassRun};
use crate::ffi::transform::{self, TransformCall};
use crate::ir::{Attribute, Error, ModuleMut, ModuleRef, Op, op_of, parents, walk};
use crate::nest::rewriter::{Direct, Rewriter};
use crate::nest::state::State;
use crate::schedule::primitive::sampling::decision;
use crate::schedule::step::history::{History, names};
use crate::schedule::trace::observer::Observer;
use crate::verify::Verifier;
use std::collections::HashMap;

/// The pass rows of all primitives, and of the passes on traces.
pub fn passes() -> Vec<PassRow> {
    let primitives = PRIMITIVES.iter().map(|primitive| pass(primitive));
    primitives.chain([apply::PASS, expect_refusal::PASS, knobs::PASS]).collect()
}

fn pass(primitive: &'static Primitive) -> PassRow {
    let option = |parameter: &'static Parameter| PassOption {
        name: parameter.name,
        summary: parameter.summary,
        kind: match parameter.kind {
            ParameterKind::Loop
            | ParameterKind::Block
            | ParameterKind::Target
            | ParameterKind::Buffer
            | ParameterKind::Pattern
            | ParameterKind::Word
            | ParameterKind::OptionalWord
            | ParameterKind::Literal => OptionKind::String,
            // Numbers may be names of decisions; an optional number is a list of at most one.
            ParameterKind::Loops
            | ParameterKind::Blocks
            | ParameterKind::Integers
            | ParameterKind::OptionalIntegers
            | ParameterKind::OptionalInteger => OptionKind::StringList,
        },
        initial: "",
    };
    let mut options: Vec<PassOption> = primitive.parameters.iter().map(option).collect();
    options.push(PassOption {
        name: "function",
        summary: "The function (default: the one that has the schedule block)",
        kind: OptionKind::String,
        initial: "",
    });
    options.push(PassOption {
        name: "explain",
        summary: "Show the nest in errors, with the location underlined",
        kind: OptionKind::Bool,
        initial: "false",
    });
    PassRow {
        argument: primitive.pass,
        summary: primitive.summary,
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: options.leak(),
        statistics: &[],
        dialects: &[DialectName::Affine, DialectName::Arith, DialectName::Loopwright],
        run: |op, run| run_pass(op, run).map_err(|error| error.emit()),
    }
}

fn run_pass<'c>(module: Op<'c>, run: &PassRun) -> Result<(), Error<'c>> {
    let primitive = PRIMITIVES
        .iter()
        .find(|primitive| primitive.pass == run.argument())
        .expect("the pass was made from the table");
    let argument = |(i, parameter): (usize, &Parameter)| match parameter.kind {
        ParameterKind::Loop
        | ParameterKind::Block
        | ParameterKind::Target
        | ParameterKind::Buffer
        | ParameterKind::Word => Ok(Argument::Text(run.string(i))),
        ParameterKind::Pattern => {
            let pattern = Some(run.string(i)).filter(|pattern| !pattern.is_empty());
            let all = || parameter.kind.default().expect("a pattern has one");
            Ok(pattern.map_or_else(all, Argument::Text))
        }
        ParameterKind::OptionalWord => {
            Ok(Argument::OptionalText(Some(run.string(i)).filter(|word| !word.is_empty())))
        }
        ParameterKind::Loops | ParameterKind::Blocks => Ok(Argument::Texts(run.strings(i))),
        ParameterKind::Literal => Ok(Argument::Literal(Literal::parse(&run.string(i)))),
        ParameterKind::Integers | ParameterKind::OptionalIntegers => {
            let items = run.strings(i);
            let numbers = items.iter().map(|item| item.parse()).collect::<Result<_, _>>();
            Ok(numbers.map_or_else(|_| Argument::Decided(items.join(", ")), Argument::Integers))
        }
        ParameterKind::OptionalInteger => match &run.strings(i)[..] {
            [] => Ok(Argument::OptionalInteger(None)),
            [value] => Ok(match value.parse() {
                Ok(number) => Argument::OptionalInteger(Some(number)),
                Err(_) => Argument::Decided(value.clone()),
            }),
            values => {
                let (n, name) = (values.len(), parameter.name);
                Err(Error::on(module, format!("is given {n} values for '{name}', expected one")))
            }
        },
    };
    let arguments = primitive.parameters.iter().enumerate().map(argument);
    let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
    let n = arguments.len();
    let function = find_function(module, &run.string(n), &arguments[0])?;
    let instruction = Instruction { primitive, arguments };
    step(function, &instruction, Box::new(Direct), &mut History::default(), run.bool(n + 1))
}

/// Applies one step to a function, after those of the history.
fn step<'c>(
    function: Op<'c>,
    instruction: &Instruction,
    rewriter: Box<dyn Rewriter<'c> + 'c>,
    history: &mut History,
    explain: bool,
) -> Result<(), Error<'c>> {
    let _span = instruction.span(function).entered();
    block_axes::forget(function);
    let mut state = State::new(function, rewriter)?;
    let primitive = instruction.primitive;
    let resolved = decision::resolved(function, instruction)
        .map_err(|error| error.located(&state, primitive.name, explain))?;
    let observer = Observer::of(function.context());
    let verifier =
        observer.verifies().then(|| Verifier::new(function, &resolved.factors())).transpose()?;
    let (hash, before) = (observer.before(function), names(state.summary()));
    primitive
        .run(&mut state, &resolved.arguments)
        .map_err(|error| history.explained(error).located(&state, primitive.name, explain))?;
    let instruction = &decision::recorded(function, instruction.clone());
    observer.done(function, hash, instruction);
    if let Some(Err(mismatch)) = verifier.map(|verifier| verifier.check(function)) {
        let error = wrong_result(history.next(), instruction, *mismatch);
        return Err(error.located(&state, primitive.name, false));
    }
    history.done(instruction.clone(), before);
    Ok(())
}

/// The state while a script runs: the history of each function, by its symbol path.
type Histories = HashMap<String, History>;

fn path(function: Op) -> String {
    let around: Vec<_> = std::iter::once(function).chain(parents(function)).collect();
    let names = around.iter().map(|op| op.symbol_name());
    names.map(Option::unwrap_or_default).collect::<Vec<_>>().join("@")
}

/// The function with a name or, without a name, the function that contains the schedule block of the step, or one that
/// the pattern matches.
fn find_function<'c>(root: Op<'c>, name: &str, target: &Argument) -> Result<Op<'c>, Error<'c>> {
    if !name.is_empty() {
        return trace::function(root, name);
    }
    let functions: Vec<_> = walk(root).into_iter().filter(|op| op.is("func.func")).collect();
    let first = match target {
        Argument::Text(name) => name.as_str(),
        Argument::Texts(names) => names.first().map_or("", String::as_str),
        _ => "",
    };
    let block = first.split_once(':').map_or(first, |(block, _)| block);
    let has_block = |f: &Op<'c>| {
        walk(*f).into_iter().any(|op| {
            (op.is(ScheduleBlock::NAME) || op.is("loop.buffer"))
                && op
                    .attribute("name")
                    .and_then(Attribute::as_str)
                    .is_some_and(|name| query::matches(block, name))
        })
    };
    let found: Vec<_> = functions.iter().copied().filter(has_block).collect();
    match found[..] {
        [function] => Ok(function),
        // Applying the step reports the available names.
        [] if functions.len() == 1 => Ok(functions[0]),
        [] => Err(Error::on(root, format!("has no function with a schedule block \"{block}\""))),
        [first, second, ..] => Err(Error::on(
            first,
            format!(
                "has a schedule block \"{block}\", and so has another function: name the function"
            ),
        )
        .note(second.location(), "the other function is here")),
    }
}

/// Applies the script `@__transform_main` of a module to `payload`. What knobs of the script leave open is chosen so that its
/// constraints hold, as the pass `resolve-knobs` does. On `Err` the reason was reported.
#[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
pub fn apply_script<'c, 's>(
    payload: impl ModuleMut<'c>,
    script: impl ModuleRef<'s>,
) -> Result<(), ()> {
    let script = knobs::resolved(op_of(script)).map_err(|error| error.emit())?;
    transform::apply_script(payload, script.op())
}

/// Applies a `transform.sched.*` op.
pub fn apply_in_script<'c>(op: Op<'c>, call: &TransformCall<'c>) -> Result<(), Error<'c>> {
    let mut roots: Vec<Op<'c>> = vec![];
    for root in call.payload(0) {
        // Fused loops are one op, which a handle to them may contain several times.
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    if op.is("transform.sched.function") {
        return enter_function(op, &roots, call);
    }
    if op.is("transform.sched.call") {
        return call_schedule(op, &roots, call);
    }
    let (primitive, arguments) = match op.is("transform.sched.decide") {
        true => knobs::decision(op, &call.parameters(1))?,
        false => step_of(op, &roots)?,
    };
    let function_of = |root: Op<'c>| match root.name() {
        "func.func" => Ok(root),
        For::NAME | ScheduleBlock::NAME => parents(root)
            .find(|parent| parent.is("func.func"))
            .ok_or_else(|| Error::on(root, "is not in a function")),
        _ => find_function(root, "", &arguments[0]),
    };
    let [first, others @ ..] = &roots[..] else {
        return Err(Error::on(op, "is given a handle to no op"));
    };
    let function = function_of(*first)?;
    for other in others {
        if function_of(*other)? != function {
            let message = "is given a handle to ops of several functions, expected one";
            return Err(Error::on(op, message).note(other.location(), "one of them is here"));
        }
    }
    let explain = op.attribute("explain").is_some();
    let instruction = Instruction { primitive, arguments };
    call.with_memory(|histories: &mut Histories| {
        let history = histories.entry(path(function)).or_default();
        let number = history.next();
        let rewriter = Box::new(call.clone());
        step(function, &instruction, rewriter, history, explain).map_err(|error| {
            error.note(op.location(), format!("in this step of the script: step {number}"))
        })
    })
}

/// The primitive that an op applies, and its arguments.
fn step_of<'c>(
    op: Op<'c>,
    roots: &[Op<'c>],
) -> Result<(&'static Primitive, Vec<Argument>), Error<'c>> {
    let name = op.name().strip_prefix("transform.sched.").unwrap_or_default();
    let primitive = Primitive::of(name)
        .ok_or_else(|| Error::on(op, "is not a primitive of this version of the package"))?;
    let mut arguments = vec![];
    for (i, parameter) in primitive.parameters.iter().enumerate() {
        let value = op.attribute(parameter.name);
        arguments.push(match value {
            None if i == 0 => match parameter.kind.default() {
                Some(argument) => argument,
                None => named_by_handle(op, parameter, roots)?,
            },
            value => argument::of_attribute(parameter.kind, value),
        });
    }
    Ok((primitive, arguments))
}

/// `transform.sched.call @schedule in %f with {block = "C"}`: all steps, or none.
fn call_schedule<'c>(
    op: Op<'c>,
    roots: &[Op<'c>],
    call: &TransformCall<'c>,
) -> Result<(), Error<'c>> {
    let [root] = roots[..] else {
        let message = format!("is given a handle to {} ops, expected one", roots.len());
        return Err(Error::on(op, message));
    };
    let function = match root.is("func.func") {
        true => root,
        false => find_function(root, "", &Argument::Text(String::new()))?,
    };
    let explain = op.attribute("explain").is_some();
    let (name, values) =
        library::call_of(op, &vec![]).map_err(|reason| Error::on(op, reason.to_string()))?;
    let events = library::expand(Some(op), op.context(), &name, &values)
        .map_err(|refusal| refusal.located(op))?;
    let here = |error: Error<'c>| error.note(op.location(), "in this call of the script");
    library::tried(function, &events, explain).map_err(here)?;
    call.with_memory(|histories: &mut Histories| {
        let history = histories.entry(path(function)).or_default();
        for instruction in library::steps(&events) {
            let rewriter = Box::new(call.clone());
            step(function, instruction, rewriter, history, explain).map_err(here)?;
        }
        Ok(())
    })
}

/// `transform.sched.function @name in %module version 1 hash "..."`.
fn enter_function<'c>(
    op: Op<'c>,
    roots: &[Op<'c>],
    call: &TransformCall<'c>,
) -> Result<(), Error<'c>> {
    let name = op.attribute("function").and_then(Attribute::as_symbol).unwrap_or_default();
    check_version(op)?;
    let [root] = roots[..] else {
        return Err(Error::on(
            op,
            format!("is given a handle to {} ops, expected one", roots.len()),
        ));
    };
    let function = find_function(root, name, &Argument::Text(String::new()))?;
    remark_other_hash(function, "script", op.attribute("hash").and_then(Attribute::as_str));
    call.set_result(0, &[function]);
    Ok(())
}

/// The target if the op has no name: the handle is to loops, or to a schedule block.
fn named_by_handle<'c>(
    op: Op<'c>,
    parameter: &Parameter,
    roots: &[Op<'c>],
) -> Result<Argument, Error<'c>> {
    let mut names = vec![];
    for root in roots {
        let (wanted, or) = match parameter.kind {
            ParameterKind::Block => (ScheduleBlock::NAME, ScheduleBlock::NAME),
            ParameterKind::Target => (For::NAME, ScheduleBlock::NAME),
            ParameterKind::Buffer => ("loop.buffer", "loop.buffer"),
            _ => (For::NAME, For::NAME),
        };
        if !root.is(wanted) && !root.is(or) {
            let message =
                format!("has no {}, so its handle must refer to '{wanted}'", parameter.name);
            return Err(Error::on(op, message).note(root.location(), "it refers to this op"));
        }
        let text =
            |op: Op<'c>| op.attribute("name").and_then(Attribute::as_str).unwrap_or_default();
        names.push(match root.is(For::NAME) {
            false => text(*root).to_owned(),
            true => {
                let block = walk(*root).into_iter().find(|op| op.is(ScheduleBlock::NAME));
                let block = block.ok_or_else(|| Error::on(*root, "contains no schedule block"))?;
                format!("{}:{}", text(block), text(*root))
            }
        });
    }
    match (parameter.kind, names.len()) {
        (ParameterKind::Loops, _) => Ok(Argument::Texts(names)),
        (_, 1) => Ok(Argument::Text(names.remove(0))),
        (_, n) => Err(Error::on(op, format!("is given a handle to {n} ops, expected one"))),
    }
}

impl<'c> Rewriter<'c> for TransformCall<'c> {
    fn replaced(&mut self, from: Op<'c>, to: Op<'c>) {
        TransformCall::replaced(self, from, to);
    }

    fn erase(&mut self, op: Op<'c>) {
        TransformCall::erase(self, op);
    }
}

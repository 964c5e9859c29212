//! The two faces of a primitive that MLIR sees: the pass `--sched-<name>` and the transform op.

use super::error::ScheduleError;
use super::rewriter::{Direct, Rewriter};
use super::state::State;
use super::table::{Argument, Instruction, PRIMITIVES, Parameter, ParameterKind, Primitive};
use super::trace::{VERSION, structural_hash};
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::ffi::pass::{DialectName, OptionKind, PassOption, PassRow, PassRun};
use crate::ffi::transform::TransformCall;
use crate::ir::{Attribute, Error, Op, parents, remark, walk};

/// The rows of the passes of all primitives.
pub fn passes() -> Vec<PassRow> {
    PRIMITIVES.iter().map(|primitive| pass(primitive)).collect()
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
            | ParameterKind::Word
            | ParameterKind::OptionalWord => OptionKind::String,
            ParameterKind::Loops | ParameterKind::Blocks => OptionKind::StringList,
            // A number that may be left out is a list of none or one.
            ParameterKind::Integers | ParameterKind::OptionalInteger => OptionKind::IntList,
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
        summary: "Show the nest, with what an error is about underlined",
        kind: OptionKind::Bool,
        initial: "false",
    });
    PassRow {
        argument: primitive.pass,
        summary: primitive.summary,
        on: "builtin.module",
        options: options.leak(),
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
        ParameterKind::OptionalWord => {
            Ok(Argument::OptionalText(Some(run.string(i)).filter(|word| !word.is_empty())))
        }
        ParameterKind::Loops | ParameterKind::Blocks => Ok(Argument::Texts(run.strings(i))),
        ParameterKind::Integers => Ok(Argument::Integers(run.ints(i))),
        ParameterKind::OptionalInteger => match run.ints(i)[..] {
            [] => Ok(Argument::OptionalInteger(None)),
            [value] => Ok(Argument::OptionalInteger(Some(value))),
            [..] => {
                let (n, name) = (run.ints(i).len(), parameter.name);
                Err(Error::on(module, format!("is given {n} values for '{name}', expected one")))
            }
        },
    };
    let arguments = primitive.parameters.iter().enumerate().map(argument);
    let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
    let n = arguments.len();
    let function = find_function(module, &run.string(n), &arguments[0])?;
    let instruction = Instruction { primitive, arguments };
    step(function, &instruction, Box::new(Direct), run.bool(n + 1))
}

/// Does one step in a function.
fn step<'c>(
    function: Op<'c>,
    instruction: &Instruction,
    rewriter: Box<dyn Rewriter<'c> + 'c>,
    explain: bool,
) -> Result<(), Error<'c>> {
    let mut state = State::new(function, rewriter)?;
    let Instruction { primitive, arguments } = instruction;
    let outcome = primitive.run(&mut state, arguments);
    outcome.map(|_| ()).map_err(|error: ScheduleError| error.located(&state, primitive, explain))
}

/// The function of that name, or, without a name, the one that holds the schedule block the step is
/// about.
fn find_function<'c>(root: Op<'c>, name: &str, target: &Argument) -> Result<Op<'c>, Error<'c>> {
    let functions: Vec<_> = walk(root).into_iter().filter(|op| op.is("func.func")).collect();
    let symbol = |op: Op<'c>| op.attribute("sym_name").and_then(Attribute::as_str);
    if !name.is_empty() {
        let found = functions.iter().copied().find(|f| symbol(*f) == Some(name));
        return found.ok_or_else(|| Error::on(root, format!("has no function @{name}")));
    }
    let first = match target {
        Argument::Text(name) => name.as_str(),
        Argument::Texts(names) => names.first().map_or("", String::as_str),
        _ => "",
    };
    let block = first.split_once(':').map_or(first, |(block, _)| block);
    let has_block = |f: &Op<'c>| {
        walk(*f).into_iter().any(|op| {
            (op.is(ScheduleBlock::NAME) || op.is("loop.buffer"))
                && op.attribute("name").and_then(Attribute::as_str) == Some(block)
        })
    };
    let found: Vec<_> = functions.iter().copied().filter(has_block).collect();
    match found[..] {
        [function] => Ok(function),
        // The step itself says what names there are.
        [] if functions.len() == 1 => Ok(functions[0]),
        [] => Err(Error::on(root, format!("has no function with a schedule block \"{block}\""))),
        [first, second, ..] => Err(Error::on(
            first,
            format!("has a schedule block \"{block}\", and so has another function: name one"),
        )
        .note(second.location(), "the other function is here")),
    }
}

/// Applies an op `transform.sched.*`.
pub fn apply_in_script<'c>(op: Op<'c>, call: &TransformCall<'c>) -> Result<(), Error<'c>> {
    let mut roots: Vec<Op<'c>> = vec![];
    for root in call.payload(0) {
        // Loops that were fused are one op, which a handle to them may hold several times.
        if !roots.contains(&root) {
            roots.push(root);
        }
    }
    if op.is("transform.sched.function") {
        return enter_function(op, &roots, call);
    }
    let name = op.name().strip_prefix("transform.sched.").unwrap_or_default();
    let primitive = Primitive::of(name)
        .ok_or_else(|| Error::on(op, "is no primitive of this version of the package"))?;
    let mut arguments = vec![];
    for (i, parameter) in primitive.parameters.iter().enumerate() {
        let value = op.attribute(parameter.name);
        arguments.push(match (parameter.kind, value) {
            (_, None) if i == 0 => named_by_handle(op, parameter, &roots)?,
            (ParameterKind::OptionalInteger, value) => {
                Argument::OptionalInteger(value.and_then(Attribute::as_i64))
            }
            (ParameterKind::Integers, value) => {
                Argument::Integers(value.and_then(Attribute::as_integers).unwrap_or_default())
            }
            (ParameterKind::OptionalWord, value) => {
                Argument::OptionalText(value.and_then(Attribute::as_str).map(str::to_owned))
            }
            (ParameterKind::Loops | ParameterKind::Blocks, value) => {
                let items = value.and_then(Attribute::as_array).unwrap_or_default();
                let text = |item: &Attribute| item.as_str().unwrap_or_default().to_owned();
                Argument::Texts(items.iter().map(text).collect())
            }
            (_, value) => {
                Argument::Text(value.and_then(Attribute::as_str).unwrap_or_default().to_owned())
            }
        });
    }
    let function_of = |root: Op<'c>| match root.name() {
        "func.func" => Ok(root),
        For::NAME | ScheduleBlock::NAME => parents(root)
            .find(|parent| parent.is("func.func"))
            .ok_or_else(|| Error::on(root, "stands in no function")),
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
    step(function, &instruction, Box::new(call.clone()), explain)
        .map_err(|error| error.note(op.location(), "in this step of the script"))
}

/// `transform.sched.function @name in %module version 1 hash "..."`.
fn enter_function<'c>(
    op: Op<'c>,
    roots: &[Op<'c>],
    call: &TransformCall<'c>,
) -> Result<(), Error<'c>> {
    let name = op.attribute("function").and_then(Attribute::as_symbol).unwrap_or_default();
    let version = op.attribute("version").and_then(Attribute::as_i64).unwrap_or(VERSION);
    if version != VERSION {
        return Err(Error::on(
            op,
            format!("is of version {version}, this package reads version {VERSION}"),
        ));
    }
    let [root] = roots[..] else {
        return Err(Error::on(
            op,
            format!("is given a handle to {} ops, expected one", roots.len()),
        ));
    };
    let function = find_function(root, name, &Argument::Text(String::new()))?;
    let found = structural_hash(function);
    if let Some(hash) = op.attribute("hash").and_then(Attribute::as_str)
        && hash != found
    {
        remark(
            function.location(),
            &format!(
                "the script was made for another function: its hash is {hash}, here it is {found}"
            ),
        );
    }
    call.set_result(0, &[function]);
    Ok(())
}

/// Without a name the handle says it: to loops, or to a schedule block.
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
                format!("names no {}, so its handle must be to '{wanted}'", parameter.name);
            return Err(Error::on(op, message).note(root.location(), "it is to this op"));
        }
        let text =
            |op: Op<'c>| op.attribute("name").and_then(Attribute::as_str).unwrap_or_default();
        names.push(match root.is(For::NAME) {
            false => text(*root).to_owned(),
            true => {
                let block = walk(*root).into_iter().find(|op| op.is(ScheduleBlock::NAME));
                let block = block.ok_or_else(|| Error::on(*root, "has no schedule block in it"))?;
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

//! Runs functions: keeps the values of a call and dispatches each op to the part of the interpreter that implements it.

mod affine;
mod launch;
mod library;
mod parallel;
mod shuffle;
mod step;

use super::bank::Banks;
use super::env::Env;
use super::race::Races;
use super::random::Random;
use super::scalar::Scalar;
use super::structured::{assertion, unknown};
use super::tally::{OpCounts, Tally};
use super::value::{Array, Datum, array_type};
use super::{RunOptions, graph, meter, nest, structured, tensor, tm_tensor};
use crate::dialect::requirement::{Requirements, SizeOrigin};
use crate::dialect::weight::TRANSFORMS;
use crate::ir::{Block, Error, Op, Value};
use launch::ThreadPosition;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use step::{DecodedBlock, DecodedOp, OpAction};

/// Implements [`super::run`].
pub(super) fn run<'c>(
    module: Op<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: RunOptions,
) -> Result<Vec<Datum>, Error<'c>> {
    RunningModule::new(module, options).run(module, entry, arguments)
}

/// Implements [`super::run_counted`].
pub(super) fn run_counted<'c>(
    module: Op<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: RunOptions,
) -> Result<(Vec<Datum>, Vec<OpCounts>), Error<'c>> {
    let mut program = RunningModule::new(module, options);
    program.tally = Some(Tally::default());
    let results = program.run(module, entry, arguments)?;
    Ok((results, program.tally.take().map(Tally::finish).unwrap_or_default()))
}

/// Implements [`super::run_banks`].
pub(super) fn run_banks<'c>(
    module: Op<'c>,
    entry: &str,
    arguments: Vec<Datum>,
    options: RunOptions,
) -> Result<(Vec<Datum>, u64), Error<'c>> {
    let mut program = RunningModule::new(module, options);
    program.races.borrow_mut().banks = Some(Banks::default());
    let results = program.run(module, entry, arguments)?;
    let banks = program.races.borrow_mut().banks.take();
    Ok((results, banks.map_or(0, |banks| banks.wavefronts())))
}

/// The state of a module while one of its functions runs.
struct RunningModule<'c> {
    options: RunOptions,
    functions: Vec<Op<'c>>,
    global_ops: Vec<Op<'c>>,
    kernel_modules: Vec<Op<'c>>,
    /// The running thread of a kernel.
    place: Option<ThreadPosition>,
    /// The memrefs of `memref.global` ops, created at first use.
    globals: HashMap<&'c str, Datum>,
    /// The decoded blocks, each decoded when it first runs.
    blocks: HashMap<Block<'c>, Rc<DecodedBlock<'c>>>,
    random: Random,
    races: Rc<RefCell<Races>>,
    /// Counts the work of loop nests, if requested.
    tally: Option<Tally>,
    /// The nesting depth of calls and regions.
    depth: usize,
}

/// Deeper nesting is refused, because the stack would overflow.
const MAX_DEPTH: usize = 100;

impl<'c> RunningModule<'c> {
    fn new(module: Op<'c>, options: RunOptions) -> Self {
        let ops = module.body(0).map(|block| block.ops()).unwrap_or_default();
        let all = |name| ops.iter().copied().filter(|op| op.is(name)).collect();
        RunningModule {
            options,
            functions: all("func.func"),
            global_ops: [all("memref.global"), all("ml_program.global")].concat(),
            kernel_modules: all("gpu.module"),
            place: None,
            globals: HashMap::new(),
            blocks: HashMap::new(),
            random: Random::new(options.seed),
            races: Rc::default(),
            tally: None,
            depth: 0,
        }
    }

    fn run(
        &mut self,
        module: Op<'c>,
        entry: &str,
        arguments: Vec<Datum>,
    ) -> Result<Vec<Datum>, Error<'c>> {
        let function = self.function(module, entry)?;
        check_arguments(function, &arguments)?;
        self.transform_weights(function)?;
        let results = self.call(function, arguments)?;
        for (i, result) in results.iter().enumerate() {
            let hole = match result {
                Datum::Scalar(Scalar::Undefined) => Some(vec![]),
                Datum::Tensor(array) => array.first_undefined(),
                _ => None,
            };
            if let Some(indices) = hole {
                let message = format!("result {i} is undefined at index {indices:?}");
                return Err(Error::on(function, message));
            }
        }
        Ok(results)
    }

    /// Runs the function that computes transformed weights, if there is one and it is not `entry`.
    fn transform_weights(&mut self, entry: Op<'c>) -> Result<(), Error<'c>> {
        let mut functions = self.functions.iter().copied();
        let found = functions.find(|op| op.attribute(TRANSFORMS).is_some() && *op != entry);
        let Some(transforms) = found else { return Ok(()) };
        // It is not part of a call.
        let tally = self.tally.take();
        self.call(transforms, vec![])?;
        self.tally = tally;
        Ok(())
    }

    /// The function with that name; errors are reported at `user`.
    fn function(&self, user: Op<'c>, name: &str) -> Result<Op<'c>, Error<'c>> {
        let found = self.functions.iter().find(|op| op.symbol_name() == Some(name));
        found.copied().ok_or_else(|| {
            let names = self.functions.iter().filter_map(|op| op.symbol_name());
            let names: Vec<_> = names.map(|name| format!("@{name}")).collect();
            let there_are = match names.is_empty() {
                true => "the module has none".into(),
                false => format!("there are {}", names.join(", ")),
            };
            Error::on(user, format!("has no function @{name}; {there_are}"))
        })
    }

    fn call(&mut self, function: Op<'c>, arguments: Vec<Datum>) -> Result<Vec<Datum>, Error<'c>> {
        let blocks = function.regions().first().map(|body| body.blocks()).unwrap_or_default();
        let [body] = blocks[..] else {
            return Err(Error::beyond(
                function,
                match blocks.len() {
                    0 => "is only declared: it has no body to run".into(),
                    n => format!(
                        "has {n} blocks, expected one: the interpreter does not support control \
                         flow between blocks"
                    ),
                },
            ));
        };
        check_requirements(function, &arguments)?;
        let mut env = Env::new(self.races.clone());
        for (value, datum) in body.arguments().into_iter().zip(arguments) {
            env.set(value, datum);
        }
        self.block(function, body, &mut env)
    }

    /// Runs a block of `parent` and returns the operands of its terminator.
    fn block(
        &mut self,
        parent: Op<'c>,
        block: Block<'c>,
        env: &mut Env<'c>,
    ) -> Result<Vec<Datum>, Error<'c>> {
        let steps = self.steps(parent, block)?;
        self.run_steps(parent, &steps, env)
    }

    /// The steps of a block of `parent`, decoded when it first runs.
    fn steps(
        &mut self,
        parent: Op<'c>,
        block: Block<'c>,
    ) -> Result<Rc<DecodedBlock<'c>>, Error<'c>> {
        if let Some(known) = self.blocks.get(&block) {
            return Ok(known.clone());
        }
        let steps = Rc::new(DecodedBlock::of(parent, block)?);
        self.blocks.insert(block, steps.clone());
        Ok(steps)
    }

    /// Runs the steps of a block of `parent` and returns the operands of its terminator.
    fn run_steps(
        &mut self,
        parent: Op<'c>,
        steps: &DecodedBlock<'c>,
        env: &mut Env<'c>,
    ) -> Result<Vec<Datum>, Error<'c>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("nests calls and regions deeper than {MAX_DEPTH}");
            return Err(Error::beyond(parent, message));
        }
        meter::spend(parent, steps.list.len() as u64 + 1)?;
        self.run_list(&steps.list, env)?;
        self.depth -= 1;
        steps.yielded(env)
    }

    fn run_list(&mut self, steps: &[DecodedOp<'c>], env: &mut Env<'c>) -> Result<(), Error<'c>> {
        for step in steps {
            match step.action()? {
                OpAction::Other => step.set(self.op(step.op, env)?, env),
                action => action.run(step, env)?,
            }
        }
        Ok(())
    }

    /// Runs an op that is not decoded and returns its results.
    fn op(&mut self, op: Op<'c>, env: &mut Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
        let (dialect, _) = op.name().split_once('.').unwrap_or_default();
        let results = match (dialect, op.name()) {
            (_, "func.call") => {
                let name = op.attribute("callee").and_then(|callee| callee.as_symbol());
                let function = self.function(op, name.unwrap_or_default())?;
                let arguments = op.operands().into_iter().map(|value| env.get(op, value).cloned());
                let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
                if let Some(result) = library::call(function, &arguments) {
                    return Ok(vec![result]);
                }
                let results = self.call(function, arguments);
                return results.map_err(|error| error.note(op.location(), "called from here"));
            }
            (_, "graph.fusion") => return self.region(op, 0, env),
            (_, "scf.if") => {
                let condition = op.operands().first().copied();
                let condition = condition.ok_or_else(|| Error::on(op, "has no condition"))?;
                return self.region(op, (env.index(op, condition)? == 0).into(), env);
            }
            (_, "scf.for") => return self.count(op, env),
            (_, "scf.while") => return self.repeat(op, env),
            (_, "scf.parallel") => {
                self.parallel(op, env)?;
                return Ok(vec![]);
            }
            (_, "loop.parallel_call") => {
                self.parallel_call(op, env)?;
                return Ok(vec![]);
            }
            (_, "cf.assert") => {
                let condition = op.operands().first().map(|value| env.scalar(op, *value));
                let condition = condition.unwrap_or(Ok(Scalar::Undefined))?;
                let message = op.attribute("msg").and_then(|message| message.as_str());
                assertion(condition, message.unwrap_or_default())
                    .map_err(|message| Error::on(op, message))?;
                Some(vec![])
            }
            (_, "memref.get_global") => Some(vec![self.global(op)?]),
            (_, "ml_program.global_load" | "ml_program.global_load_const") => {
                Some(vec![self.program_global(op)?])
            }
            (_, "loop.buffer") => {
                nest::buffer(op, env)?;
                return Ok(vec![]);
            }
            (_, "gpu.launch_func") => {
                self.launch(op, env)?;
                return Ok(vec![]);
            }
            ("gpu", _) => self.place_of(op)?.map(|at| vec![Datum::Scalar(Scalar::Int(at))]),
            ("loop", _) => {
                nest::run(op, env, self.options, self.tally.as_mut())?;
                return Ok(vec![]);
            }
            ("graph", _) => graph::run(op, env)?,
            ("linalg", _) => structured::run(op, env, self.options)?,
            ("tensor", _) => tensor::run(op, env)?,
            ("tm_tensor", _) => tm_tensor::run(op, env)?,
            ("affine", _) => self.affine(op, env)?,
            _ => None,
        };
        let results = results.ok_or_else(|| unknown(op))?;
        for result in &results {
            if let Datum::Tensor(array) = result {
                meter::spend(op, array.cells.len() as u64)?;
            }
        }
        Ok(results)
    }

    /// Runs region `i` of an op, if the region has a block, and returns what it yields.
    fn region(&mut self, op: Op<'c>, i: usize, env: &mut Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
        match op.body(i) {
            Some(block) => self.block(op, block, env),
            None => Ok(vec![]),
        }
    }

    /// `scf.for`.
    fn count(&mut self, op: Op<'c>, env: &mut Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
        let operands = op.operands();
        let (Some(body), [from, to, step, carried @ ..]) = (op.body(0), &operands[..]) else {
            return Err(Error::on(op, "does not have a body and three bounds"));
        };
        if op.attribute("unsignedCmp").is_some() {
            return Err(Error::beyond(
                op,
                "compares unsigned, which the interpreter does not support",
            ));
        }
        let [from, to, step] = span(op, env, [*from, *to, *step])?;
        let carried = carried.iter().map(|value| env.get(op, *value).cloned());
        let carried = carried.collect::<Result<Vec<_>, _>>()?;
        self.iterate(op, body, [from, to, step], carried, env)
    }

    /// Runs the body of a loop from `from` to below `to` by a positive step; returns the final loop-carried values.
    fn iterate(
        &mut self,
        op: Op<'c>,
        body: Block<'c>,
        [from, to, step]: [i64; 3],
        mut carried: Vec<Datum>,
        env: &mut Env<'c>,
    ) -> Result<Vec<Datum>, Error<'c>> {
        let steps = self.steps(op, body)?;
        let mut counter = from;
        let mut left = self.options.max_iterations;
        while counter < to {
            left = left
                .checked_sub(1)
                .ok_or_else(|| Error::on(op, "runs more iterations than the limit allows"))?;
            let now = [Datum::Scalar(Scalar::Int(counter))].into_iter().chain(carried);
            for (value, datum) in steps.arguments.iter().zip(now) {
                env.set(*value, datum);
            }
            carried = self.run_steps(op, &steps, env)?;
            counter = counter.saturating_add(step);
        }
        Ok(carried)
    }

    /// `scf.while`: the first region decides whether the second one runs, and what it and the results receive.
    fn repeat(&mut self, op: Op<'c>, env: &mut Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
        let (Some(before), Some(after)) = (op.body(0), op.body(1)) else {
            return Err(Error::on(op, "does not have two regions"));
        };
        let (before, after) = (self.steps(op, before)?, self.steps(op, after)?);
        let carried = op.operands().into_iter().map(|value| env.get(op, value).cloned());
        let mut carried = carried.collect::<Result<Vec<_>, _>>()?;
        for _ in 0..self.options.max_iterations {
            for (value, datum) in before.arguments.iter().zip(carried) {
                env.set(*value, datum);
            }
            let mut forwarded = self.run_steps(op, &before, env)?.into_iter();
            match forwarded.next() {
                Some(Datum::Scalar(Scalar::Int(0))) => return Ok(forwarded.collect()),
                Some(Datum::Scalar(Scalar::Int(_))) => {}
                _ => return Err(Error::on(op, "has a condition that is undefined")),
            }
            for (value, datum) in after.arguments.iter().zip(forwarded) {
                env.set(*value, datum);
            }
            carried = self.run_steps(op, &after, env)?;
        }
        Err(Error::on(op, "runs more iterations than the limit allows"))
    }

    /// The memref of a `memref.get_global`.
    fn global(&mut self, op: Op<'c>) -> Result<Datum, Error<'c>> {
        let name = op.attribute("name").and_then(|name| name.as_symbol()).unwrap_or_default();
        if let Some(known) = self.globals.get(name) {
            return Ok(known.clone());
        }
        let found = self.global_ops.iter().copied().find(|op| op.symbol_name() == Some(name));
        let found = found.ok_or_else(|| Error::on(op, format!("has no global @{name}")))?;
        let ty = op.result(0).ty();
        let array = match found.attribute("initial_value") {
            None => return Err(Error::on(found, "is only declared: it has no value")),
            Some(value) if value.is_unit() => {
                let (dims, _) = array_type(op, ty)?;
                let sizes = dims.into_iter().map(|dim| dim.unwrap_or(0) as usize);
                Array::for_type(op, ty, sizes.collect())?
            }
            Some(value) => tensor::elements(found, value, ty)?,
        };
        let datum = Datum::buffer(array);
        self.globals.insert(name, datum.clone());
        Ok(datum)
    }
}

impl<'c> RunningModule<'c> {
    /// The tensor of an `ml_program.global`; no op of a program that runs here changes it.
    fn program_global(&self, op: Op<'c>) -> Result<Datum, Error<'c>> {
        let name = op.attribute("global").and_then(|name| name.as_symbol()).unwrap_or_default();
        let found = self.global_ops.iter().copied().find(|op| op.symbol_name() == Some(name));
        let found = found.ok_or_else(|| Error::on(op, format!("has no global @{name}")))?;
        let value = found.attribute("value");
        let value = value.ok_or_else(|| Error::on(found, "is only declared: it has no value"))?;
        tensor::elements(found, value, op.result(0).ty()).map(Datum::tensor)
    }
}

/// The bounds and the step of a loop.
fn span<'c>(op: Op<'c>, env: &Env<'c>, values: [Value<'c>; 3]) -> Result<[i64; 3], Error<'c>> {
    let [from, to, step] = values;
    let (from, to, step) = (env.index(op, from)?, env.index(op, to)?, env.index(op, step)?);
    match step > 0 {
        true => Ok([from, to, step]),
        false => Err(Error::on(op, format!("has step {step}, expected a positive step"))),
    }
}

fn check_arguments<'c>(function: Op<'c>, arguments: &[Datum]) -> Result<(), Error<'c>> {
    let ty = function.attribute("function_type").and_then(|ty| ty.as_type());
    let signature = ty.and_then(|ty| ty.signature());
    let (inputs, _) = signature.ok_or_else(|| Error::on(function, "has no function type"))?;
    if inputs.len() != arguments.len() {
        let message = format!("takes {} arguments, found {}", inputs.len(), arguments.len());
        return Err(Error::on(function, message));
    }
    for (i, (datum, ty)) in arguments.iter().zip(inputs).enumerate() {
        let checked = datum.check(ty);
        checked.map_err(|message| Error::on(function, format!("argument {i} {message}")))?;
    }
    Ok(())
}

/// Checks the conditions of a function on the sizes of its arguments.
fn check_requirements<'c>(function: Op<'c>, arguments: &[Datum]) -> Result<(), Error<'c>> {
    let requirements = Requirements::of(function)?;
    if requirements.all.is_empty() {
        return Ok(());
    }
    let size = |origin: &SizeOrigin| match (*origin, arguments.get(origin.argument())?) {
        (SizeOrigin::Index(_), Datum::Scalar(Scalar::Int(value))) => Some(*value),
        (SizeOrigin::Dim(_, dim), Datum::Buffer(array)) => {
            i64::try_from(*array.borrow().shape.get(dim)?).ok()
        }
        _ => None,
    };
    // Arguments of other types do not occur: the conversion to loops makes all of them memrefs and indices.
    let Some(sizes) = requirements.sizes.iter().map(size).collect::<Option<Vec<i64>>>() else {
        return Ok(());
    };
    match requirements.unmet(&sizes) {
        Some(text) => {
            Err(Error::on(function, format!("is called with sizes that do not fit: {text}")))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "../../test/interpreter/program.rs"]
pub(super) mod program;

#[cfg(test)]
#[path = "../../test/interpreter/function.rs"]
mod tests;

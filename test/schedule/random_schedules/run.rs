//! Schedules functions, runs them on all executors, and compares results.

use crate::function::Function;
use crate::step;
use crate::tally::Tally;
use loopwright::codegen::Jit;
use loopwright::codegen::cuda;
use loopwright::codegen::cuda::GpuTarget;
use loopwright::interpreter::value::Array;
use loopwright::interpreter::{self, Datum};
use loopwright::ir::{Op, Reported, receive_errors};
use loopwright::nest::facts::cross_thread_reduction;
use loopwright::nest::summary::{NodeId, Summary};
use loopwright::pipeline::{self, Phase, Settings};
use loopwright::schedule::apply_script;
use loopwright::schedule::legality::atomic;
use loopwright::schedule::trace::observer::Observer;
use loopwright::schedule::{Instruction, Schedule};
use loopwright::strategy::{self, ChooseBy, Prediction, Report, StrategyTable};
use loopwright_runtime::gpu::{Device, Emulator, Executable, GpuError, Program};
use loopwright_runtime::kernel::Argument;
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::rc::Rc;

/// A context for some cases.
pub struct Session {
    context: Context,
    errors: Rc<RefCell<Vec<String>>>,
    /// Thread pools of one, two and three threads.
    pools: Vec<Pool>,
    /// The number of cases not run on the machine, because lowering could not prove what a step had proved.
    pub unproved: Cell<usize>,
    /// The number of cases that ran as kernels, and of cases with bound loops that have no kernels.
    pub kernels: Cell<usize>,
    pub without_kernels: Cell<usize>,
}

/// True if the default schedules of a seed have any numbers of their spaces.
pub fn has_any_numbers(seed: u64) -> bool {
    seed % 3 == 2
}

impl Session {
    pub fn new() -> Session {
        let context = pipeline::context();
        let errors = Rc::new(RefCell::new(vec![]));
        let collected = errors.clone();
        receive_errors(&context, move |Reported { place, message, .. }| {
            collected.borrow_mut().push(format!("{place}: {message}"));
        });
        let pool = |n| Pool::new(NonZeroUsize::new(n).expect("not 0")).expect("threads start");
        Session {
            context,
            errors,
            pools: (1..=3).map(pool).collect(),
            unproved: Cell::default(),
            kernels: Cell::default(),
            without_kernels: Cell::default(),
        }
    }

    /// Draws a schedule; returns the accepted steps.
    pub fn draw(
        &self,
        function: &Function,
        rng: &mut StdRng,
        tallies: &mut BTreeMap<&'static str, Tally>,
    ) -> Vec<Instruction> {
        let module = self.loop_form(function).expect("a function of linalg ops lowers");
        let main = main_of(top(&module));
        let mut schedule = Schedule::new(main).expect("it is valid");
        let mut accepted = vec![];
        let length = rng.random_range(3..13);
        for _ in 0..24 {
            if accepted.len() >= length {
                break;
            }
            for step in step::random(schedule.summary(), rng) {
                let before = main.to_string();
                let tally = tallies.entry(step.primitive.name).or_default();
                tally.drawn += 1;
                if schedule.apply(&step).is_ok() {
                    tally.accepted += 1;
                    tally.changed += u64::from(main.to_string() != before);
                    accepted.push(step);
                } else {
                    assert_eq!(main.to_string(), before, "a refusal changed the IR: {step:?}");
                }
            }
        }
        accepted
    }

    /// The report of the default schedules for a machine. Strategies show a schedule only the nests of a group at a time;
    /// the steps must do the same on the whole function. An odd seed chooses among all alternatives at random.
    pub fn by_strategies<M: 'static>(
        &self,
        function: &Function,
        (table, machine): (&StrategyTable<M>, &M),
        seed: u64,
    ) -> Result<Report, String> {
        let module = self.loop_form(function)?;
        let main = main_of(top(&module));
        let rng = RefCell::new(StdRng::seed_from_u64(seed));
        let random = |_: &Summary, _: &[NodeId]| {
            let ns = rng.borrow_mut().random_range(1.0..100.0);
            Prediction { ns, fixed_ns: 0.0, slowest_ns: ns, limit: "chance" }
        };
        let by = match seed % 3 {
            _ if has_any_numbers(seed) => ChooseBy::Seed(seed),
            0 => ChooseBy::Priority,
            _ => ChooseBy::Time(&random),
        };
        let report = strategy::apply(main, table, machine, by, &Observer::default())
            .map_err(|error| error.message)?;
        let whole = self.loop_form(function)?;
        let mut schedule = Schedule::new(main_of(top(&whole))).map_err(|error| error.message)?;
        for step in &report.trace.instructions {
            let done = schedule.apply(step);
            done.map_err(|error| format!("{step:?} on the whole function: {}", error.reason))?;
        }
        let (part, whole) = (top(&module).to_string(), top(&whole).to_string());
        match part == whole {
            true => Ok(report),
            false => Err(format!("scheduled in parts:\n{part}\nas a whole:\n{whole}")),
        }
    }

    /// Runs the function scheduled and unscheduled. Refused steps are left out, because a case may have
    /// been shrunk.
    pub fn check(
        &self,
        function: &Function,
        steps: &[Instruction],
        seed: u64,
    ) -> Result<(), String> {
        self.errors.borrow_mut().clear();
        let mut module = self.loop_form(function)?;
        let expected = self.interpret(top(&module), function, 0)?;
        let unscheduled = top(&module).to_string();
        let mut schedule = Schedule::new(main_of(top(&module))).map_err(|e| e.message)?;
        for step in steps {
            let _ = schedule.apply(step);
        }
        let script = schedule.trace().script();
        let summary = schedule.summary();
        let together = |id| {
            !cross_thread_reduction::loops(summary, id).is_empty() || atomic::meets(summary, id)
        };
        let across = summary.blocks().any(|(id, _)| together(id));
        drop(schedule);
        if !top(&module).verify() {
            return Err(self.explained("the scheduled function is not valid"));
        }
        let text = top(&module).to_string();
        self.check_text(&text)?;
        self.check_replay(&unscheduled, &script, &text)?;

        let scheduled = self.interpret(top(&module), function, seed)?;
        let up_to = match function.is_exact {
            true => Equality::Value,
            false => Equality::UpTo(tolerance(function.element)),
        };
        let is_strict = function.is_strict;
        let same_order = if is_strict { Equality::Bits } else { up_to };
        compare("the scheduled function", &scheduled, &expected, same_order)?;
        // The interpreter combines cross-thread reductions in a different order each time.
        let as_scheduled = if across { up_to } else { Equality::Bits };
        if text.contains("thread_bind[blockIdx") || text.contains("thread_bind[threadIdx") {
            self.check_kernels(function, &text, seed, &scheduled, (as_scheduled, up_to))?;
        }
        let settings = Settings::default();
        if text.contains("loop.sync") {
            return Ok(()); // a CPU does not have it
        }
        match self.lower(&mut module, Phase::Schedule, Phase::Vector, &settings) {
            // Buffers of dynamic size that each iteration of a parallel loop would need.
            Err(message) if message.contains("needs its own (C4)") => return Ok(()),
            // Lanes that a step has proved independent, in a form in which this cannot be proved any more.
            Err(message)
                if message.contains("is vectorized (C3)")
                    || message.contains("a nest as its body (C3)") =>
            {
                self.unproved.set(self.unproved.get() + 1);
                return Ok(());
            }
            outcome => outcome?,
        }
        let vector = self.interpret(top(&module), function, seed)?;
        // How many partial sums it combines at once depends on the width of the processor's vectors.
        let reorders = !is_strict && top(&module).to_string().contains("fastmath<reassoc>");
        let as_scheduled = if reorders { up_to } else { as_scheduled };
        compare("its vector form", &vector, &scheduled, as_scheduled)?;
        self.lower(&mut module, Phase::Vector, Phase::Llvm, &settings)?;
        let code =
            loopwright_testing::load(&module, &settings).map_err(|error| error.to_string())?;
        let native = self.run(&code, function, 2)?;
        compare("its machine code", &native, &expected, up_to)?;
        match is_strict {
            true => self.check_strict(function, &code, &unscheduled),
            false => Ok(()),
        }
    }

    /// Runs the scheduled function as kernels: in the gpu dialect, in the form before PTX, and as PTX on the
    /// emulator, which finds races and accesses out of bounds, and on a GPU if there is one. Some functions have no kernels, for a reported reason.
    fn check_kernels(
        &self,
        function: &Function,
        text: &str,
        seed: u64,
        expected: &[Tensor],
        (up_to, on_machine): (Equality, Equality),
    ) -> Result<(), String> {
        let parsed = || {
            Module::parse(&self.context, text)
                .ok_or_else(|| self.explained("the scheduled function does not parse"))
        };
        let mut plain = parsed()?;
        let plain_kernels = "func.func(replace-cross-thread-reduction),convert-loop-to-gpu";
        let is_plain = match pipeline::run(&self.context, &mut plain, plain_kernels) {
            Ok(()) => {
                let found = self.interpret(top(&plain), function, seed)?;
                compare("its kernels", &found, expected, up_to)?;
                true
            }
            Err(_) => {
                let why = self.explained("kernels");
                self.errors.borrow_mut().clear();
                if !is_told(&why) {
                    return Err(why);
                }
                false
            }
        };
        let mut kernels = parsed()?;
        let lowered = self.lower(&mut kernels, Phase::Schedule, Phase::Gpu, &Settings::default());
        // A function that lowers directly must lower after all passes too.
        if let Err(why) = lowered {
            self.without_kernels.set(self.without_kernels.get() + 1);
            self.errors.borrow_mut().clear();
            return if !is_plain && is_told(&why) { Ok(()) } else { Err(why) };
        }
        let found = self.interpret(top(&kernels), function, seed)?;
        compare("its optimized kernels", &found, expected, up_to)?;
        let chip = ["sm_80", "sm_90a"][seed as usize % 2];
        let device = GpuTarget::new(chip, 64).expect("a chip of the list");
        let settings = Settings { device: device.clone(), ..Settings::default() };
        self.lower(&mut kernels, Phase::Gpu, Phase::Ptx, &settings)?;
        let program = match cuda::program(&kernels, &device) {
            // All loops that are bound to threads were found to have no iterations.
            Err(error) if error.message.contains("has no kernels") => {
                self.without_kernels.set(self.without_kernels.get() + 1);
                return Ok(());
            }
            program => program.map_err(|error| error.message)?,
        };
        self.kernels.set(self.kernels.get() + 1);
        let emulated = call(&program, function, &Emulator::new(seed));
        let emulated = emulated.map_err(|error| error.to_string())?;
        compare("its PTX", &emulated, expected, on_machine)?;
        match loopwright_testing::on_gpu(|gpu| call(&program, function, gpu)) {
            Some(found) => {
                let found = found.map_err(|error| error.to_string())?;
                compare("its PTX on the GPU", &found, expected, on_machine)
            }
            None => Ok(()),
        }
    }

    /// A strict function gives the same bits on the machine, for every schedule and number of threads.
    fn check_strict(
        &self,
        function: &Function,
        code: &Jit,
        unscheduled: &str,
    ) -> Result<(), String> {
        let settings = Settings::default();
        let mut plain = Module::parse(&self.context, unscheduled)
            .ok_or_else(|| self.explained("the unscheduled function does not parse"))?;
        self.lower(&mut plain, Phase::Schedule, Phase::Llvm, &settings)?;
        let plain =
            loopwright_testing::load(&plain, &settings).map_err(|error| error.to_string())?;
        let expected = self.run(&plain, function, 1)?;
        for threads in 1..=3 {
            let found = self.run(code, function, threads)?;
            let what = format!("its machine code on {threads} threads");
            compare(&what, &found, &expected, Equality::Bits)?;
        }
        Ok(())
    }

    fn loop_form(&self, function: &Function) -> Result<Module<'_>, String> {
        let mut module = Module::parse(&self.context, &function.text)
            .ok_or_else(|| self.explained(&function.text))?;
        self.lower(&mut module, Phase::Input, Phase::Loop, &Settings::default())?;
        Ok(module)
    }

    fn lower(
        &self,
        module: &mut Module,
        from: Phase,
        to: Phase,
        settings: &Settings,
    ) -> Result<(), String> {
        pipeline::lower(&self.context, module, from, to, settings)
            .map_err(|error| self.explained(&format!("{from:?} to {to:?}: {error}")))
    }

    fn explained(&self, what: &str) -> String {
        format!("{what}: {}", self.errors.borrow().join("; "))
    }

    /// print(parse(print(x))) is print(x).
    fn check_text(&self, text: &str) -> Result<(), String> {
        let again = Module::parse(&self.context, text)
            .ok_or_else(|| self.explained("what is printed does not parse"))?;
        match top(&again).to_string() == text {
            true => Ok(()),
            false => Err(format!("printing is no fixed point:\n{text}\n{}", top(&again))),
        }
    }

    fn check_replay(&self, unscheduled: &str, script: &str, text: &str) -> Result<(), String> {
        let module = Module::parse(&self.context, unscheduled)
            .ok_or_else(|| self.explained("the unscheduled function does not parse"))?;
        let script = Module::parse(&self.context, script)
            .ok_or_else(|| self.explained("the trace does not parse"))?;
        if apply_script(top(&module), top(&script)).is_err() {
            return Err(self.explained("the trace does not replay"));
        }
        match top(&module).to_string() == text {
            true => Ok(()),
            false => Err(format!("the trace replays to something else:\n{}", top(&module))),
        }
    }

    fn interpret(&self, module: Op, function: &Function, seed: u64) -> Result<Vec<Tensor>, String> {
        let mut data: Vec<Datum> =
            function.inputs.iter().map(|t| Datum::buffer(Array::from_tensor(t))).collect();
        let empty = Tensor::zeros(function.element, &[0]).expect("it is empty");
        let ty = Array::from_tensor(&empty).ty;
        let outputs: Vec<Datum> = function
            .outputs
            .iter()
            .map(|shape| Array::undefined(ty, shape.clone()).expect("it is small"))
            .map(Datum::buffer)
            .collect();
        data.extend(outputs.iter().cloned());
        let options = interpreter::RunOptions { seed, max_iterations: 10_000_000 };
        interpreter::run(module, "main", data, options)
            .map_err(|error| format!("{}: {}\n{module}", error.location, error.message))?;
        let tensor = |datum: &Datum| match datum {
            Datum::Buffer(array) => array.borrow().to_tensor(),
            _ => Err("is no buffer".into()),
        };
        outputs.iter().map(tensor).collect()
    }

    fn run(&self, code: &Jit, function: &Function, threads: usize) -> Result<Vec<Tensor>, String> {
        let error = |e: &dyn std::fmt::Display| e.to_string();
        let kernel = code.kernel("main").map_err(|e| error(&e))?;
        let mut outputs = function.zeros();
        let mut arguments: Vec<Argument> = function.inputs.iter().map(Argument::Input).collect();
        arguments.extend(outputs.iter_mut().map(Argument::Output));
        kernel.call(&self.pools[threads - 1], &mut arguments).map_err(|e| error(&e))?;
        drop(arguments);
        Ok(outputs)
    }
}

/// The results of PTX on a device.
fn call(
    program: &Program,
    function: &Function,
    device: &dyn Device,
) -> Result<Vec<Tensor>, GpuError> {
    let executable = Executable::load(program, device)?;
    let mut outputs = function.zeros();
    let mut arguments: Vec<Argument> = function.inputs.iter().map(Argument::Input).collect();
    arguments.extend(outputs.iter_mut().map(Argument::Output));
    let call = executable.prepare("main", &mut arguments)?;
    call.run()?;
    call.results(&mut arguments)?;
    drop(arguments);
    Ok(outputs)
}

fn main_of(module: Op) -> Op {
    let functions = module.body(0).map(|body| body.ops()).unwrap_or_default();
    let is_main = |op: &Op| op.symbol_name() == Some("main");
    functions.into_iter().find(is_main).expect("the function is still there")
}

/// The error of a sum of at most 17 positive values in two orders, each an exponential that may be off by one
/// ulp, and of the quotient by the sum.
fn tolerance(element: ElementType) -> f64 {
    let unit = match element {
        ElementType::F16 => 2f64.powi(-11),
        ElementType::BF16 => 2f64.powi(-8),
        ElementType::F32 => 2f64.powi(-24),
        _ => 2f64.powi(-53),
    };
    40.0 * unit
}

/// The equality of two results. All NaNs are equal.
#[derive(Clone, Copy)]
enum Equality {
    Bits,
    /// Zeros of either sign are equal.
    Value,
    /// Equal up to this relative error.
    UpTo(f64),
}

fn compare(
    what: &str,
    found: &[Tensor],
    expected: &[Tensor],
    equality: Equality,
) -> Result<(), String> {
    for (found, expected) in found.iter().zip(expected) {
        for i in 0..expected.len() {
            let (a, b) = match expected.element_type().is_float() {
                true => (found.get_f64(i), expected.get_f64(i)),
                false => (found.get_i64(i) as f64, expected.get_i64(i) as f64),
            };
            let is_equal = match equality {
                Equality::Bits => a.to_bits() == b.to_bits(),
                Equality::Value => a == b,
                Equality::UpTo(error) => a == b || (a - b).abs() <= error * b.abs(),
            };
            if !(is_equal || a.is_nan() && b.is_nan()) {
                let place = expected.indices(i);
                return Err(format!("{what} gives {a} at {place:?}, expected {b}"));
            }
        }
    }
    Ok(())
}

/// True if an error names the violated condition.
fn is_told(why: &str) -> bool {
    (1..=9).any(|condition| why.contains(&format!("(C{condition})")))
}

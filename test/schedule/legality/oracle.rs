//! Decides by brute force whether a step preserves the meaning of a function.
//!
//! The step is applied with all its obligations skipped. The interpreter runs the function before and
//! after it for all sizes, on inputs without equal values. The interpreter runs unordered work in random
//! orders and refuses conflicting accesses that nothing orders.

use crate::LIMIT;
use crate::nest::SPAN;
use loopwright::interpreter::scalar::{Scalar, ScalarType};
use loopwright::interpreter::{Array, Datum, RunOptions, run};
use loopwright::ir::{Attribute, Op, TypeKind, receive_errors, walk};
use loopwright::pipeline;
use loopwright::schedule::{Instruction, Schedule, ScheduleError};
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// The largest size; sizes start at 0.
pub const LARGEST: i64 = 6;

/// The verdict on a step of a function.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The refusal of the step in its normal form.
    pub refusal: Option<Refusal>,
    /// The sizes and element at which the result differs; `None` if it never does.
    pub difference: Option<String>,
    /// The time that the step took.
    pub time: Duration,
}

/// The reason why a step was refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub condition: u8,
    /// The name and the text of the reason.
    pub kind: String,
    pub message: String,
}

/// The contents of each buffer after a run, or the reason why the run failed.
type Outcome = Result<Vec<Vec<u64>>, String>;

/// A context for some cases: it never frees interned data.
pub struct Session {
    context: Context,
    errors: Rc<RefCell<Vec<String>>>,
}

/// A function, and its results for each choice of sizes.
pub struct Original<'c> {
    module: Module<'c>,
    pub text: String,
    /// All choices of its sizes, large ones first, because they show most.
    sizes: Vec<Vec<i64>>,
    /// The result for each choice, once it has been requested.
    outcomes: RefCell<Vec<Option<Outcome>>>,
}

impl<'c> Original<'c> {
    pub fn of(module: Module<'c>) -> Self {
        let mut sizes = all_sizes(top(&module));
        sizes.reverse();
        let (text, outcomes) = (top(&module).to_string(), RefCell::new(vec![None; sizes.len()]));
        Original { module, text, sizes, outcomes }
    }

    fn outcome(&self, i: usize) -> Outcome {
        let run = || {
            let outcome = outcome(top(&self.module), &self.sizes[i], 0);
            outcome.map_err(|message| format!("{message}\n{}", self.text))
        };
        self.outcomes.borrow_mut()[i].get_or_insert_with(run).clone()
    }
}

impl Session {
    pub fn new() -> Session {
        let context = pipeline::context();
        let errors = Rc::new(RefCell::new(vec![]));
        let received = errors.clone();
        receive_errors(&context, move |error| received.borrow_mut().push(error.message));
        Session { context, errors }
    }

    pub fn parse(&self, text: &str) -> Result<Module<'_>, String> {
        self.errors.borrow_mut().clear();
        Module::parse(&self.context, text)
            .ok_or_else(|| format!("{}\n{text}", self.errors.borrow().join("; ")))
    }

    /// A function after some steps. An error if it is invalid or a step is refused.
    pub fn original(&self, text: &str, steps: &[Instruction]) -> Result<Original<'_>, String> {
        let module = self.parse(text)?;
        let mut schedule = Schedule::new(main_of(top(&module))).map_err(|e| e.message)?;
        for step in steps {
            schedule.apply(step).map_err(|e| e.reason.to_string())?;
        }
        drop(schedule);
        Ok(Original::of(module))
    }

    /// The verdict on a step; `None` if it cannot be applied even with its obligations skipped. An error if the
    /// function itself fails.
    pub fn judge(
        &self,
        original: &Original,
        step: &Instruction,
    ) -> Result<Option<Judgement>, String> {
        let module = self.parse(&original.text).expect("it was printed");
        let forced = self.parse(&original.text).expect("it was printed");
        let (outcome, mut time) = apply(&module, step, false);
        // Even the thread's own time increases if other threads share the caches.
        for _ in 0..2 {
            if time > LIMIT / 4 {
                let again = self.parse(&original.text).expect("it was printed");
                time = time.min(apply(&again, step, false).1);
            }
        }
        let is_applied = apply(&forced, step, true).0.is_ok();
        let refusal = outcome.err().map(|error| Refusal {
            condition: error.condition,
            kind: kind(&error),
            message: error.message(step.primitive.name),
        });
        let (text, before) = (top(&module).to_string(), &original.text);
        match (&refusal, is_applied) {
            (None, true) => assert_eq!(
                text,
                top(&forced).to_string(),
                "{step:?} by force is another step:\n{before}"
            ),
            (None, false) => panic!("{step:?} is accepted, but not by force:\n{before}"),
            (Some(_), _) => assert_eq!(text, *before, "{step:?} was refused"),
        }
        if !is_applied {
            return Ok(None);
        }
        if !top(&forced).verify() {
            assert!(refusal.is_some(), "{step:?} leaves invalid IR:\n{}", top(&forced));
            return Ok(None);
        }
        let difference = self.difference(original, top(&forced))?;
        Ok(Some(Judgement { refusal, difference, time }))
    }

    /// The sizes for which a function computes another result; `None` if it never does.
    fn difference(&self, original: &Original, after: Op) -> Result<Option<String>, String> {
        let is_unordered = walk(after).iter().any(|op| {
            op.is("loop.for")
                && op.attribute("kind").and_then(Attribute::as_i64).is_some_and(|kind| kind != 0)
        });
        let seeds = if is_unordered { 1..4 } else { 1..2 };
        let is_same = after.to_string() == original.text;
        for (i, sizes) in original.sizes.iter().enumerate() {
            let expected = original.outcome(i)?;
            // An unchanged function needs only one run.
            for seed in seeds.clone().filter(|_| !is_same) {
                let found = match outcome(after, sizes, seed) {
                    Ok(found) => found,
                    Err(message) => return Ok(Some(format!("sizes {sizes:?}: {message}"))),
                };
                if let Some(buffer) = (0..found.len()).find(|i| found[*i] != expected[*i]) {
                    return Ok(Some(format!("sizes {sizes:?}: argument {buffer} differs")));
                }
            }
        }
        Ok(None)
    }
}

/// Does a step; returns its time.
fn apply(
    module: &Module,
    step: &Instruction,
    by_force: bool,
) -> (Result<(), ScheduleError>, Duration) {
    let mut schedule = Schedule::new(main_of(top(module))).expect("it was scheduled before");
    if by_force {
        schedule.force();
    }
    let start = busy();
    let outcome = schedule.apply(step).map(|_| ());
    (outcome, busy().saturating_sub(start))
}

/// The time that this thread has run; other processes do not count.
fn busy() -> Duration {
    // Makes the kernel update its counter, which it otherwise does only at ticks.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|text| text.parse().ok());
    Duration::from_nanos(nanoseconds.expect("Linux says how long a thread has run"))
}

/// The name of a reason: `OrderMatters`, also if it belongs to a topic, as in `Location(Partial { .. })`.
fn kind(error: &ScheduleError) -> String {
    let text = format!("{:?}", error.reason);
    let topic = text.split_once('(').filter(|(_, rest)| rest.starts_with(char::is_uppercase));
    let name = topic.map_or(&*text, |(_, rest)| rest);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    name[..end].to_owned()
}

/// Function `@main` of a module.
pub fn main_of(module: Op) -> Op {
    let name = |op: &Op| op.symbol_name() == Some("main");
    walk(module).into_iter().find(name).expect("there is a function @main")
}

/// The arguments of `@main`.
fn arguments_of(module: Op) -> Vec<TypeKind> {
    let function = main_of(module);
    let body = function.regions().into_iter().flat_map(|r| r.blocks()).next();
    let arguments = body.map(|body| body.arguments()).unwrap_or_default();
    arguments.iter().map(|argument| argument.ty().kind()).collect()
}

/// All choices of the sizes of `@main`, small ones first.
fn all_sizes(module: Op) -> Vec<Vec<i64>> {
    let n = arguments_of(module).iter().filter(|kind| matches!(kind, TypeKind::Index)).count();
    let mut all = vec![vec![]];
    for _ in 0..n {
        all = (0..=LARGEST)
            .flat_map(|size| {
                all.iter().map(move |rest: &Vec<i64>| {
                    let mut sizes = rest.clone();
                    sizes.push(size);
                    sizes
                })
            })
            .collect();
    }
    all
}

/// Runs `@main` for these sizes.
pub fn outcome(module: Op, sizes: &[i64], seed: u64) -> Outcome {
    let mut sizes = sizes.iter();
    let mut random = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let mut arguments = vec![];
    for kind in arguments_of(module) {
        arguments.push(match kind {
            TypeKind::Index => {
                let size = sizes.next().copied().unwrap_or_default();
                Datum::index(usize::try_from(size).expect("sizes are not negative"))
            }
            TypeKind::MemRef { dims, element } => {
                let ty = ScalarType::of(element).ok_or("an argument of an odd type")?;
                let span = SPAN[dims.len()];
                let shape = dims.iter().map(|dim| match dim {
                    Some(dim) => usize::try_from(*dim).expect("not negative"),
                    None => span,
                });
                let mut array = Array::undefined(ty, shape.collect()).ok_or("too large")?;
                array.cells.iter_mut().for_each(|cell| *cell = value(ty, next()));
                Datum::buffer(array)
            }
            other => return Err(format!("an argument of type {other:?}")),
        });
    }
    let options = RunOptions { seed, max_iterations: 100_000 };
    run(module, "main", arguments.clone(), options).map_err(|error| error.message)?;
    let cells = |argument: &Datum| match argument {
        Datum::Buffer(array) => array.borrow().cells.iter().map(|cell| bits(*cell)).collect(),
        _ => vec![],
    };
    Ok(arguments.iter().map(cells).collect())
}

/// Integers use all bits, so that products wrap around; floats use all digits, so that sums round.
fn value(ty: ScalarType, random: u64) -> Scalar {
    match ty {
        ScalarType::Float(kind) => {
            let unit = (random >> 11) as f64 / (1u64 << 53) as f64;
            Scalar::Float(loopwright::interpreter::scalar::round(kind, 0.5 + 2.0 * unit))
        }
        // Data used as an index stays within the buffers.
        ScalarType::Int(64) => Scalar::Int((random >> 40) as i64 % 8),
        ScalarType::Int(_) => Scalar::Int(ty.wrap(random as i64)),
        ScalarType::Index => Scalar::Int((random >> 40) as i64 % 8),
    }
}

fn bits(cell: Scalar) -> u64 {
    match cell {
        Scalar::Int(value) => value as u64,
        Scalar::Float(value) => value.to_bits(),
        Scalar::Undefined => 0xDEAD_BEEF_DEAD_BEEF,
    }
}

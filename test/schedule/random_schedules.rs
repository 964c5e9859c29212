//! Random schedules preserve the meaning of functions, on all executors.
//!
//! A case is a seed: a function of linalg ops with sizes and an element type, and random steps of all
//! primitives on its loop form, some of which are refused. Then
//! - the interpreter runs the scheduled nest, with its unordered work in random order. The result equals that
//!   of the unscheduled function, because all inputs are small integers, whose sums are exact in any order
//!   (except for softmax, whose sums are not of integers);
//! - half of the functions are strict: their inputs are any floats, including NaNs, and the result has the same
//!   bits, also on the machine, with one, two and three threads;
//! - the interpreter runs the lowered vector form: the result is bitwise equal, unless it adds partial sums in another
//!   order, which a function may permit;
//! - if loops are bound to threads, the interpreter runs the lowered kernels, and the emulator runs their PTX, with
//!   warps in some order: the result is equal, without races and accesses out of bounds;
//! - the compiled code gives the same result, in softmax up to the error of libm's exponential;
//! - the text of the IR is a fixed point of printing and parsing, and the trace replays to the same text.
//!
//! A case that fails is shrunk: steps are removed as long as it fails. `LOOPWRIGHT_SCHEDULES` is the number
//! of cases (2,000), `LOOPWRIGHT_SEED` the first seed (1). A single case is printed before it runs.

#[path = "random_schedules/composite.rs"]
mod composite;
#[path = "random_schedules/function.rs"]
mod function;
#[path = "random_schedules/run.rs"]
mod run;
#[path = "random_schedules/step.rs"]
mod step;
#[path = "random_schedules/tally.rs"]
mod tally;

use function::Function;
use loopwright::machine::cuda::Gpu;
use loopwright::machine::intrinsic::INTRINSICS;
use loopwright::machine::x86::{Caches, Processor, VectorUnit};
use loopwright::schedule::Instruction;
use loopwright::strategy::{Candidate, CandidateStatus, Strategies};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use run::{Session, has_any_numbers};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use tally::Tally;

/// A thread stops after so many failures.
const MOST_FAILURES: usize = 8;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn random_schedules_keep_the_meaning() {
    let cases = number("LOOPWRIGHT_SCHEDULES").unwrap_or(2000);
    let first = number("LOOPWRIGHT_SEED").unwrap_or(1);
    println!("{cases} cases from LOOPWRIGHT_SEED={first}");
    let next = AtomicU64::new(first);
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|_| scope.spawn(|| work(&next, first + cases, cases == 1))).collect();
        workers.into_iter().map(|worker| worker.join().expect("panics are caught")).collect()
    });
    let mut all = Outcome::default();
    outcomes.into_iter().for_each(|outcome| all.join(outcome));
    report(&all.tallies, &mut all.lengths);
    println!("{} not run on the machine: lowering cannot prove what a step has", all.unproved);
    let failures = &all.failures;
    assert!(failures.is_empty(), "{} cases fail:\n{}", failures.len(), failures.join("\n\n"));
    assert_it_tests(&all.tallies, &all.lengths);
    println!("{} ran as kernels, {} had none", all.kernels, all.without_kernels);
    assert!(all.kernels >= all.lengths.len() / 25, "too few are bound to threads");
    assert!(all.unproved <= 1 + all.lengths.len() / 200, "too many are not run on the machine");
}

/// The default schedules of such random functions, for processors of all vector widths, and with caches so small that
/// everything for large data applies to these sizes too.
#[test]
fn default_schedules_keep_the_meaning() {
    let mut session = Session::new();
    let strategies = Strategies::default();
    let (mut steps, mut failures, mut refused) = (BTreeMap::<&str, usize>::new(), vec![], 0);
    for seed in 1..=number("LOOPWRIGHT_DEFAULT_SCHEDULES").unwrap_or(400) {
        if seed % 50 == 0 {
            session = Session::new();
        }
        let mut rng = StdRng::seed_from_u64(seed);
        let function = Function::random(&mut rng);
        let processor = Processor {
            vectors: VectorUnit {
                bits: [64, 128, 256, 512][rng.random_range(0..4)],
                registers: [8, 16, 32][rng.random_range(0..3)],
                has_fma: true,
            },
            intrinsics: INTRINSICS.iter().map(|intrinsic| intrinsic.name).collect(),
            caches: Caches { l1: 64, l2: 128, l3: 64 },
            streaming_from: 48,
            cores: 2,
        };
        let report = session.by_strategies(&function, (&strategies.x86, &processor), seed);
        let outcome = report.and_then(|report| {
            let candidates = report.choices.iter().flat_map(|choice| &choice.candidates);
            let is_undone = |it: &&Candidate| matches!(it.status, CandidateStatus::Undone(_));
            let undone = candidates.filter(is_undone).count();
            // Steps may be refused for numbers that a strategy does not take by itself.
            match has_any_numbers(seed) {
                true => refused += undone,
                false if undone > 0 => return Err(report.to_string()),
                false => {}
            }
            let trace = report.trace.instructions;
            trace.iter().for_each(|step| *steps.entry(step.primitive.name).or_default() += 1);
            session.check(&function, &trace, seed)
        });
        failures.extend(outcome.err().map(|why| format!("seed {seed}: {why}\n{}", function.text)));
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n\n"));
    println!("{steps:?}, {refused} strategies refused");
    for name in ["vectorize", "unroll", "rfactor", "merge", "compute_inline", "annotate"] {
        assert!(steps.get(name).is_some_and(|count| *count >= 10), "too few of {name}: {steps:?}");
    }
}

/// The default schedules for GPUs, with so few threads in a block that these sizes need several blocks. Each function
/// must become kernels.
#[test]
fn default_schedules_for_gpus_keep_the_meaning() {
    let mut session = Session::new();
    let strategies = Strategies::default();
    let (mut taken, mut failures) = (BTreeMap::<String, usize>::new(), vec![]);
    for seed in 1..=number("LOOPWRIGHT_GPU_SCHEDULES").unwrap_or(200) {
        if seed % 50 == 0 {
            session = Session::new();
        }
        let mut rng = StdRng::seed_from_u64(seed);
        let function = Function::random(&mut rng);
        let mut gpu = Gpu::named("sm_80").expect("a chip of the list");
        gpu.threads = [32, 64][rng.random_range(0..2)];
        gpu.multiprocessors = [1, 4][rng.random_range(0..2)];
        let report = session.by_strategies(&function, (&strategies.nvptx, &gpu), seed);
        let outcome = report.and_then(|report| {
            let chosen = report.choices.iter().flat_map(|choice| choice.chosen());
            chosen.for_each(|it| *taken.entry(it.name.clone()).or_default() += 1);
            let done = session.check(&function, &report.trace.instructions, seed);
            // There is no f64 exponential on a GPU.
            let has_none = function.text.contains("math.exp") && function.text.contains("f64");
            match session.without_kernels.take() {
                0 => done,
                _ if has_none => done,
                _ => Err("it has no kernels".into()),
            }
            .map_err(|why| format!("{why}\n{report}"))
        });
        failures.extend(outcome.err().map(|why| format!("seed {seed}: {why}\n{}", function.text)));
    }
    println!("{taken:?}");
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n\n"));
    for name in ["nvptx.elementwise", "nvptx.product", "nvptx.rows", "nvptx.serial"] {
        assert!(taken.contains_key(name), "no function for {name}: {taken:?}");
    }
}

/// The outcome of some cases.
#[derive(Default)]
struct Outcome {
    tallies: BTreeMap<&'static str, Tally>,
    lengths: Vec<usize>,
    failures: Vec<String>,
    unproved: usize,
    kernels: usize,
    without_kernels: usize,
}

impl Outcome {
    fn join(&mut self, other: Outcome) {
        for (name, tally) in other.tallies {
            *self.tallies.entry(name).or_default() += tally;
        }
        self.lengths.extend(other.lengths);
        self.failures.extend(other.failures);
        self.unproved += other.unproved;
        self.kernels += other.kernels;
        self.without_kernels += other.without_kernels;
    }
}

/// Runs cases until there are none left, or too many have failed.
fn work(next: &AtomicU64, end: u64, is_single: bool) -> Outcome {
    let mut outcome = Outcome::default();
    let mut session = Session::new();
    let mut drawn = 0;
    while outcome.failures.len() < MOST_FAILURES {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            break;
        }
        if (end - seed).is_multiple_of(1000) {
            println!("{} cases to go", end - seed);
        }
        // A context never frees interned data.
        drawn += 1;
        if drawn % 50 == 0 {
            outcome.unproved += session.unproved.take();
            outcome.kernels += session.kernels.take();
            outcome.without_kernels += session.without_kernels.take();
            session = Session::new();
        }
        let mut rng = StdRng::seed_from_u64(seed);
        let function = Function::random(&mut rng);
        let draw = AssertUnwindSafe(|| session.draw(&function, &mut rng, &mut outcome.tallies));
        let Ok(steps) = catch_unwind(draw) else {
            let text = &function.text;
            outcome.failures.push(format!("LOOPWRIGHT_SEED={seed}: a step panics on\n{text}"));
            continue;
        };
        outcome.lengths.push(steps.len());
        if is_single {
            // Printed before anything runs, because a run may crash the process.
            println!("{}\n{}", function.text, script(&steps));
        }
        let fails = |steps: &[_]| {
            let check = AssertUnwindSafe(|| session.check(&function, steps, seed));
            match catch_unwind(check) {
                Ok(outcome) => outcome.err(),
                Err(_) => Some("it panicked".to_owned()),
            }
        };
        if let Some(message) = fails(&steps) {
            let (steps, message) = shrunk(steps, message, &fails);
            let (text, steps) = (&function.text, script(&steps));
            let failure = format!(
                "LOOPWRIGHT_SEED={seed} LOOPWRIGHT_SCHEDULES=1: {message}\n{text}\n{steps}"
            );
            println!("{failure}");
            outcome.failures.push(failure);
        }
    }
    outcome.unproved += session.unproved.take();
    outcome.kernels += session.kernels.take();
    outcome.without_kernels += session.without_kernels.take();
    outcome
}

fn script(steps: &[Instruction]) -> String {
    steps.iter().map(|step| step.script()).collect::<Vec<_>>().join("\n")
}

/// Removes steps as long as the case still fails.
fn shrunk<S: Clone>(
    mut steps: Vec<S>,
    mut message: String,
    fails: &dyn Fn(&[S]) -> Option<String>,
) -> (Vec<S>, String) {
    let mut i = 0;
    while i < steps.len() {
        let mut fewer = steps.clone();
        fewer.remove(i);
        match fails(&fewer) {
            Some(other) => (steps, message) = (fewer, other),
            None => i += 1,
        }
    }
    (steps, message)
}

/// Prints statistics of the random steps.
fn report(tallies: &BTreeMap<&'static str, Tally>, lengths: &mut [usize]) {
    println!("{:<24}{:>8}{:>10}{:>9}", "primitive", "drawn", "accepted", "changed");
    for (name, tally) in tallies {
        println!("{name:<24}{:>8}{:>10}{:>9}", tally.drawn, tally.accepted, tally.changed);
    }
    lengths.sort_unstable();
    let (drawn, share) = accepted(tallies);
    println!("accepted {share} % of {drawn} steps, median length {}", median(lengths));
}

/// The number of steps, and the accepted share in percent.
fn accepted(tallies: &BTreeMap<&'static str, Tally>) -> (u64, u64) {
    let drawn: u64 = tallies.values().map(|tally| tally.drawn).sum();
    let accepted: u64 = tallies.values().map(|tally| tally.accepted).sum();
    (drawn, 100 * accepted / drawn.max(1))
}

fn median(sorted: &[usize]) -> usize {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Fails if the test has too little effect: too few steps are accepted, or none of a primitive.
fn assert_it_tests(tallies: &BTreeMap<&'static str, Tally>, lengths: &[usize]) {
    if lengths.len() < 100 {
        return;
    }
    // A query changes nothing.
    let is_drawn = |name: &str| name != "query";
    let all = loopwright::schedule::primitive::PRIMITIVES.iter().filter(|p| is_drawn(p.name));
    assert_eq!(tallies.len(), all.count(), "all are drawn");
    for (name, tally) in tallies {
        // For some primitives, few steps are legal; default arguments may make none.
        let is_rare = lengths.len() < 500 || !step::is_listed(name);
        assert!(tally.changed > 0 || is_rare, "{name} never changed anything");
    }
    assert!(accepted(tallies).1 >= 40, "too few steps are accepted to test much");
    assert!(median(lengths) >= 4, "schedules are too short to test much");
}

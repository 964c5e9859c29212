//! Random pass pipelines over scheduled nests: no pass changes what a function computes.
//!
//! A nest of a family of the legality test is scheduled by some random steps. Its results on the interpreter,
//! on small inputs of several sizes with values such as NaN among them, must be the same after each pass of
//! a random pipeline. Each pass works on the form of IR that the preceding one left, as their rows state. A pass
//! may refuse by a condition of its head, which ends the pipeline. `LOOPWRIGHT_PIPELINES` is the number of pipelines,
//! `LOOPWRIGHT_SEED` the first seed.

#[path = "../schedule/drawn.rs"]
mod drawn;
#[path = "../schedule/legality/family.rs"]
#[expect(dead_code, reason = "all families are taken, whatever they have")]
mod family;
#[path = "../schedule/legality/nest.rs"]
mod nest;

use drawn::{below, drawn};
use family::FAMILIES;
use loopwright::ir::{Op, Reported, receive_errors};
use loopwright::pass;
use loopwright::pass::{Form, PassRow};
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use loopwright::schedule::instruction::{Argument, Instruction};
use loopwright::verify::Verifier;
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most passes of a pipeline, if none refuses.
const MOST_PASSES: usize = 5;
/// The number of steps tried on a nest.
const TRIED: usize = 12;

#[test]
fn no_pass_changes_what_is_computed() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let pipelines = number("LOOPWRIGHT_PIPELINES").unwrap_or(500);
    let first = number("LOOPWRIGHT_SEED").unwrap_or(1);
    let next = AtomicU64::new(first);
    let work = || {
        let context = pipeline::context();
        let errors = Rc::new(RefCell::new(vec![]));
        let collected = errors.clone();
        receive_errors(&context, move |Reported { message, .. }| {
            collected.borrow_mut().push(message);
        });
        let mut outcomes = vec![];
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first + pipelines {
                return outcomes;
            }
            outcomes.extend(one(&context, &errors, seed));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let outcomes: Vec<Outcome> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let of = |worker: std::thread::ScopedJoinHandle<_>| match worker.join() {
            Ok(outcomes) => outcomes,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        workers.into_iter().flat_map(of).collect()
    });
    let run = outcomes.len();
    let changed: usize = outcomes.iter().map(|outcome| outcome.changed).sum();
    let lowered = outcomes.iter().filter(|outcome| outcome.is_lowered).count();
    let refused = outcomes.iter().filter(|outcome| outcome.is_refused).count();
    println!(
        "{run} pipelines: {changed} passes changed something, {lowered} lowered, {refused} refused"
    );
    assert!(run * 10 >= pipelines as usize * 9, "of {pipelines} only {run} could be run");
    assert!(changed * 4 >= run, "{changed} passes of {run} pipelines changed something");
    assert!(lowered * 4 >= run, "{lowered} of {run} pipelines left the loop dialect");
    assert!(refused * 4 <= run, "{refused} of {run} pipelines ended in a refusal");
}

/// MLIR passes that preserve results, and the forms that they work on.
const UPSTREAM: &[(&str, &[Form])] = &[
    ("canonicalize", EXECUTED),
    ("cse", EXECUTED),
    ("func.func(loop-invariant-code-motion)", &[Form::Vectors]),
    ("gpu.module(gpu.func(loop-invariant-code-motion))", &[Form::Kernels]),
];

/// The forms that the interpreter runs.
const EXECUTED: &[Form] = &[Form::Loops, Form::Vectors, Form::Kernels];

/// A pass that works on a form, as a pipeline on a module, and the form that it leaves. Every fourth pass goes to
/// another form, if one can.
fn next(form: Form, state: &mut u64) -> (String, Form) {
    let is_executed = |row: &&PassRow| row.leaves.is_none_or(|form| EXECUTED.contains(&form));
    let rows = pass::rows().filter(is_executed);
    let rows = rows.filter(|row| row.needs.contains(&form) && row.argument != "loop-cost");
    let (leaving, staying): (Vec<&PassRow>, Vec<_>) = rows.partition(|row| row.leaves.is_some());
    let upstream = UPSTREAM.iter().filter(|(_, forms)| forms.contains(&form));
    let mut passes: Vec<_> = upstream.map(|(pass, _)| ((*pass).to_owned(), form)).collect();
    let taken = match !leaving.is_empty() && below(4, state) == 0 {
        true => {
            passes.clear();
            leaving
        }
        false => staying,
    };
    passes.extend(taken.into_iter().map(|row| {
        let pass = match row.on {
            "gpu.func" => format!("gpu.module(gpu.func({}))", row.argument),
            "" | "builtin.module" => row.argument.to_owned(),
            on => format!("{on}({})", row.argument),
        };
        (pass, row.leaves.unwrap_or(form))
    }));
    passes.swap_remove(below(passes.len(), state))
}

/// The outcome of a random pipeline.
#[derive(Default)]
struct Outcome {
    /// The number of passes that changed something.
    changed: usize,
    /// True if it reached a later form.
    is_lowered: bool,
    /// True if a pass refused the function by a condition.
    is_refused: bool,
}

/// Runs a random pipeline; `None` if the interpreter does not run the nest.
fn one(context: &Context, errors: &RefCell<Vec<String>>, seed: u64) -> Option<Outcome> {
    let family = &FAMILIES[seed as usize % FAMILIES.len()];
    let text = (family.make)(&mut StdRng::seed_from_u64(seed)).text(None);
    let mut module = Module::parse(context, &text).expect("nests are valid");
    let mut state = seed;
    let mut schedule = Schedule::new(function(&module)).expect("nests are valid");
    let assume = Argument::OptionalText(Some("assume".into()));
    for _ in 0..TRIED {
        // Assumptions may be false for the sizes that are run.
        let assumes = |step: &Instruction| step.arguments.contains(&assume);
        if let Some(step) = drawn(schedule.summary(), &mut state).filter(|step| !assumes(step)) {
            // A refusal changes nothing.
            let _ = schedule.apply(&step);
        }
    }
    drop(schedule);
    let scheduled = top(&module).to_string();
    let copy = Module::parse(context, &scheduled)
        .unwrap_or_else(|| panic!("seed {seed}: {:?}\n{scheduled}", errors.borrow()));
    let verifier = Verifier::new(function(&copy), &[2, 3, 4]).ok()?;
    let mut outcome = Outcome::default();
    let (mut form, mut names) = (Form::Loops, vec![]);
    for _ in 0..MOST_PASSES {
        let (pass, leaves) = next(form, &mut state);
        names.push(pass.clone());
        let before = top(&module).to_string();
        let manager = PassManager::new(context);
        let pipeline = format!("builtin.module({pass})");
        parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).expect("a pipeline");
        let what = || format!("seed {seed}, {}\n{scheduled}", names.join(", "));
        errors.borrow_mut().clear();
        if manager.run(&mut module).is_err() {
            let errors = errors.borrow();
            let is_told = errors.first().is_some_and(|error| error.contains("(C"));
            assert!(is_told, "{}\n{}", errors.join("; "), what());
            outcome.is_refused = true;
            break;
        }
        outcome.changed += usize::from(top(&module).to_string() != before);
        outcome.is_lowered |= leaves != form;
        form = leaves;
        if let Err(mismatch) = verifier.check(function(&module)) {
            panic!("{mismatch}\n{}\n{}", what(), top(&module));
        }
    }
    Some(outcome)
}

fn function<'c>(module: &'c Module) -> Op<'c> {
    let ops = top(module).body(0).expect("a module has a body").ops();
    ops.into_iter().find(|op| op.is("func.func")).expect("a function")
}

//! Passes on the loop dialect in random orders, over scheduled nests: none changes what a function computes.
//!
//! A nest of a family of the legality test is scheduled by some random steps. What the interpreter makes of it
//! on small inputs, of several sizes and with values like NaN among them, must be the same after each pass of
//! a random pipeline. `LOOPWRIGHT_PIPELINES` is the number of pipelines, `LOOPWRIGHT_SEED` the first seed.

#[path = "../schedule/drawn.rs"]
mod drawn;
#[path = "../legality/family.rs"]
#[expect(dead_code, reason = "all families are taken, whatever they have")]
mod family;
#[path = "../legality/nest.rs"]
mod nest;

use drawn::{below, drawn};
use family::FAMILIES;
use loopwright::ir::{Op, receive_errors, top};
use loopwright::optimize::table::LOOP_PASSES;
use loopwright::pipeline;
use loopwright::schedule::Schedule;
use loopwright::schedule::verify::Verifier;
use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use rand::SeedableRng;
use rand::rngs::StdRng;

/// Passes of a pipeline.
const PASSES: usize = 4;
/// Steps that are tried on a nest.
const TRIED: usize = 12;

#[test]
fn no_pass_changes_what_is_computed() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let pipelines = number("LOOPWRIGHT_PIPELINES").unwrap_or(200);
    let first = number("LOOPWRIGHT_SEED").unwrap_or(1);
    let context = pipeline::context();
    receive_errors(&context, |_| {});
    let (mut run, mut changed) = (0, 0);
    for seed in first..first + pipelines {
        let done = one(&context, seed);
        run += usize::from(done.is_some());
        changed += done.unwrap_or(0);
    }
    println!("{run} pipelines, {changed} passes with an effect");
    assert!(run * 10 >= pipelines as usize * 9, "of {pipelines} only {run} could be run");
    assert!(changed * 6 >= run, "{changed} passes of {run} pipelines changed something");
}

/// Runs a random pipeline; says how many passes changed something, or nothing where the interpreter does not
/// run the nest.
fn one(context: &Context, seed: u64) -> Option<usize> {
    let family = &FAMILIES[seed as usize % FAMILIES.len()];
    let text = (family.make)(&mut StdRng::seed_from_u64(seed)).text(None);
    let mut module = Module::parse(context, &text).expect("nests are valid");
    let mut state = seed;
    let mut schedule = Schedule::new(function(&module)).expect("nests are valid");
    for _ in 0..TRIED {
        if let Some(step) = drawn(schedule.summary(), &mut state) {
            // A refusal leaves it as it is.
            let _ = schedule.apply(&step);
        }
    }
    drop(schedule);
    let scheduled = top(&module).to_string();
    let copy = Module::parse(context, &scheduled).expect("it can be read");
    let verifier = Verifier::new(function(&copy), &[2, 3, 4]).ok()?;
    let mut changed = 0;
    let mut names = vec![];
    for _ in 0..PASSES {
        let pass = match below(LOOP_PASSES.len() + 2, &mut state).checked_sub(2) {
            Some(i) => LOOP_PASSES[i].argument,
            None => ["canonicalize", "cse"][below(2, &mut state)],
        };
        names.push(pass);
        let before = top(&module).to_string();
        let manager = PassManager::new(context);
        let pipeline = format!("builtin.module(func.func({pass}))");
        parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).expect("a pipeline");
        let what = || format!("seed {seed}, {}\n{scheduled}", names.join(", "));
        assert!(manager.run(&mut module).is_ok(), "{}", what());
        changed += usize::from(top(&module).to_string() != before);
        if let Err(mismatch) = verifier.check(function(&module)) {
            panic!("{mismatch}\n{}\n{}", what(), top(&module));
        }
    }
    Some(changed)
}

fn function<'c>(module: &'c Module) -> Op<'c> {
    let ops = top(module).body(0).expect("a module has a body").ops();
    ops.into_iter().find(|op| op.is("func.func")).expect("a function")
}

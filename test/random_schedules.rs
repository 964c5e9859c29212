//! Random schedules keep the meaning of functions, on all executors.
//!
//! A case is a seed: a function of linalg ops with sizes and an element type, and random steps of all
//! primitives on its loop form, some of which are refused. Then
//! - the interpreter runs the scheduled nest, with its unordered work in random order: the result equals that
//!   of the unscheduled function, as all inputs are small whole numbers, whose sums are exact in any order
//!   (but for softmax, whose sums are not of whole numbers);
//! - half of the functions are strict: there the inputs are any floats, NaNs too, and the result has the same
//!   bits, also on the machine, with one, two and three threads;
//! - it runs what lowering makes of it in vector form: the same to the last bit;
//! - the compiled code gives the same, in softmax up to the error of libm's exponential;
//! - the text of the IR is a fixed point of printing and parsing, and the trace replays to the same text.
//!
//! A case that fails is shrunk: steps are left out as long as it fails. `LOOPWRIGHT_SCHEDULES` is the number
//! of cases (500), `LOOPWRIGHT_SEED` the first seed (random; it is printed).

#[path = "random_schedules/composite.rs"]
mod composite;
#[path = "random_schedules/function.rs"]
mod function;
#[path = "random_schedules/run.rs"]
mod run;
#[path = "random_schedules/step.rs"]
mod step;

use function::Function;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use run::Session;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use step::Tally;

#[test]
fn random_schedules_keep_the_meaning() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let cases = number("LOOPWRIGHT_SCHEDULES").unwrap_or(500);
    let first = number("LOOPWRIGHT_SEED").unwrap_or_else(|| rand::rng().random_range(0..1 << 40));
    println!("{cases} cases from LOOPWRIGHT_SEED={first}");
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    let mut lengths = vec![];
    let mut session = Session::new();
    for i in 0..cases {
        let seed = first + i;
        // Uniqued data of a context is never freed.
        if i % 50 == 49 {
            session = Session::new();
        }
        let mut rng = StdRng::seed_from_u64(seed);
        let function = Function::random(&mut rng);
        let mut drawn = |rng: &mut StdRng| session.draw(&function, rng, &mut tallies);
        let steps = drawn(&mut rng);
        lengths.push(steps.len());
        let fails = |session: &Session, steps: &[_]| {
            let outcome = catch_unwind(AssertUnwindSafe(|| session.check(&function, steps, seed)));
            match outcome {
                Ok(Ok(())) => None,
                Ok(Err(message)) => Some(message),
                Err(_) => Some("it panicked".to_owned()),
            }
        };
        if let Some(message) = fails(&session, &steps) {
            let (steps, message) = shrunk(steps, message, &|steps| fails(&session, steps));
            let script: Vec<_> = steps.iter().map(|step| step.script()).collect();
            panic!(
                "LOOPWRIGHT_SEED={seed} LOOPWRIGHT_SCHEDULES=1: {message}\n{}\n{}",
                function.text,
                script.join("\n")
            );
        }
    }
    report(&tallies, lengths);
}

/// Leaves out steps as long as it still fails.
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

/// Prints what was drawn, and refuses a test that does not test: too few steps are accepted, or none.
fn report(tallies: &BTreeMap<&'static str, Tally>, mut lengths: Vec<usize>) {
    println!("{:<16}{:>8}{:>10}{:>9}", "primitive", "drawn", "accepted", "changed");
    let (mut drawn, mut accepted) = (0, 0);
    for (name, tally) in tallies {
        println!("{name:<16}{:>8}{:>10}{:>9}", tally.drawn, tally.accepted, tally.changed);
        drawn += tally.drawn;
        accepted += tally.accepted;
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    let share = 100 * accepted / drawn.max(1);
    println!("accepted {share} % of {drawn} steps, median length {median}");
    if lengths.len() >= 100 {
        // A query changes nothing.
        let all = loopwright::schedule::table::PRIMITIVES.iter().filter(|p| p.name != "query");
        assert_eq!(tallies.len(), all.count(), "all are drawn");
        for (name, tally) in tallies {
            assert!(tally.changed > 0, "{name} never changed anything");
        }
        assert!(share >= 40, "too few steps are accepted to test much");
        assert!(median >= 4, "schedules are too short to test much");
    }
}

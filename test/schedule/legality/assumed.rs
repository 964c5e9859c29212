//! `proof "assume"`: if what is assumed holds for the sizes of a run, the result is right.
//!
//! A step is applied to a nest twice: with numbers as sizes, where its check proves all obligations, and with arguments
//! as sizes, where it has to assume some. Run for these numbers, the assumption holds, so the result must be that of
//! the nest before the step. Some steps come first, so that nests have tails, partial results and conditions.

use crate::drawn::drawn;
use crate::family::FAMILIES;
use crate::oracle::{Session, main_of, outcome};
use loopwright::ir::{Attribute, Op, walk};
use loopwright::schedule::Schedule;
use loopwright::schedule::instruction::{Argument, Instruction};
use loopwright_testing::top;
use melior::ir::Module;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// Primitives that assume something else without numbers: they derive a box of elements or instances, which is smaller if
/// numbers are known, and assume facts about that box. `compute_at` and these have tests by hand.
const OTHER_BOXES: &[&str] = &["cache_write", "cache_inplace", "reindex", "reverse_compute_at"];
/// The number of nests of a family; `LOOPWRIGHT_ASSUMED` overrides it.
const NESTS: u64 = 8;
/// The number of steps that are tried on a nest, and the most that come first.
const TRIED: usize = 60;
const BEFORE: usize = 3;
/// The number of draws of a step of a wanted kind.
const DRAWN: usize = 50;

/// A nest with numbers and the same nest with arguments as sizes, after the same steps.
struct Twins<'c> {
    known: Module<'c>,
    dynamic: Module<'c>,
    sizes: Vec<i64>,
}

#[test]
fn assumptions_that_hold_give_the_right_result() {
    let nests = std::env::var("LOOPWRIGHT_ASSUMED").ok().and_then(|text| text.parse().ok());
    let mut assumed: BTreeMap<&str, usize> = BTreeMap::new();
    for family in FAMILIES {
        for seed in 0..nests.unwrap_or(NESTS) {
            let session = Session::new();
            let mut random = StdRng::seed_from_u64(seed);
            let nest = (family.make)(&mut random);
            if nest.sizes == 0 {
                continue;
            }
            let sizes: Vec<i64> = (0..nest.sizes).map(|_| random.random_range(1..=6)).collect();
            let parse = |text: &str| session.parse(text).unwrap_or_else(|error| panic!("{error}"));
            let twins = Twins {
                known: parse(&nest.text(Some(&sizes))),
                dynamic: parse(&nest.text(None)),
                sizes,
            };
            // The names that buffers have without arguments for sizes.
            let main = main_of(top(&twins.dynamic));
            for i in 0..main.body(0).map_or(0, |body| body.arguments().len()) - nest.sizes {
                let name = Attribute::string(main.context(), &format!("arg{i}"));
                main.set_argument_attribute(nest.sizes + i, "loop.name", name);
            }
            let mut state = seed;
            let mut before = random.random_range(0..=BEFORE);
            for _ in 0..TRIED {
                let needs_proof = before == 0;
                let step = next_step(top(&twins.dynamic), &mut state, needs_proof);
                let Some(step) = step else { continue };
                if before > 0 {
                    before -= usize::from(both_do(&session, &twins, &step));
                } else if is_assumed(&session, &twins, &step, family.name) {
                    *assumed.entry(step.primitive.name).or_default() += 1;
                }
            }
        }
    }
    let total: usize = assumed.values().sum();
    println!("{total} steps with assumptions: {assumed:?}");
    assert!(total > 30, "found only {total}: {assumed:?}");
}

/// A random step, without a policy for proofs; if it is asked for, of a primitive that has such a policy.
fn next_step(module: Op, state: &mut u64, needs_proof: bool) -> Option<Instruction> {
    let schedule = Schedule::new(main_of(module)).ok()?;
    (0..DRAWN).find_map(|_| {
        let mut step = drawn(schedule.summary(), state)?;
        (set_proof(&mut step, None) || !needs_proof).then_some(step)
    })
}

/// Sets the argument `proof`; false if the primitive has none.
fn set_proof(step: &mut Instruction, policy: Option<&str>) -> bool {
    let place = step.primitive.parameters.iter().position(|it| it.name == "proof");
    if let Some(place) = place {
        step.arguments[place] = Argument::OptionalText(policy.map(str::to_owned));
    }
    place.is_some()
}

/// Applies a step to both nests if both accept it and stay valid; otherwise leaves both as they are.
fn both_do(session: &Session, twins: &Twins, step: &Instruction) -> bool {
    let accepts = |module: &Module| {
        let copy = session.parse(&top(module).to_string()).expect("it was printed");
        Schedule::new(main_of(top(&copy))).is_ok_and(|mut it| it.apply(step).is_ok())
    };
    if !accepts(&twins.known) || !accepts(&twins.dynamic) {
        return false;
    }
    for module in [&twins.known, &twins.dynamic] {
        let mut schedule = Schedule::new(main_of(top(module))).expect("it was scheduled before");
        schedule.apply(step).expect("the copy accepted it");
    }
    true
}

/// True if the nest with arguments needs an assumption for a step, which the nest with numbers does not. The result
/// must then be right.
fn is_assumed(session: &Session, twins: &Twins, step: &Instruction, family: &str) -> bool {
    let copy = |module: &Module| session.parse(&top(module).to_string()).expect("it was printed");
    let apply = |module: &Module, step: &Instruction| {
        Schedule::new(main_of(top(module))).expect("a nest").apply(step).map(|_| ())
    };
    let known = copy(&twins.known);
    if apply(&known, step).is_err() {
        return false;
    }
    let Err(refusal) = apply(&copy(&twins.dynamic), step) else { return false };
    let mut with_assumption = step.clone();
    let is_other = OTHER_BOXES.contains(&step.primitive.name);
    if is_other || refusal.unknown.is_none() || !set_proof(&mut with_assumption, Some("assume")) {
        return false;
    }
    let after = copy(&twins.dynamic);
    if apply(&after, &with_assumption).is_err() {
        return false;
    }
    // With an assumption about the order of instances, a reducer that keeps the first of equal values compares indices
    // instead. The nest with numbers did not need that, so nothing says that the assumption holds.
    let added = |after: &Module, before: &Module| comparisons(after) - comparisons(before);
    let is_bind = step.primitive.name == "bind";
    if is_bind && added(&after, &twins.dynamic) != added(&known, &twins.known) {
        return false;
    }
    let run = |module: &Module, seed| outcome(top(module), &twins.sizes, seed);
    let expected = run(&twins.dynamic, 0);
    for seed in 0..2 {
        assert_eq!(
            run(&after, seed),
            expected,
            "{family}, sizes {:?}: {with_assumption:?}\n{}\n{}\n->\n{}",
            twins.sizes,
            top(&twins.known),
            top(&twins.dynamic),
            top(&after)
        );
    }
    true
}

fn comparisons(module: &Module) -> usize {
    let is_comparison = |op: &Op| op.is("arith.cmpi") || op.is("arith.cmpf");
    walk(top(module)).into_iter().filter(is_comparison).count()
}

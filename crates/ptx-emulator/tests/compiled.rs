//! Kernels that Loopwright has compiled: what they compute, with all checks on, in any order of warps.

#[path = "harness/compiled.rs"]
mod compiled;
#[path = "harness/runner.rs"]
mod runner;

use compiled::cases;
use ptx_emulator::{LaunchConfig, LaunchError};
use runner::is_race;
use std::num::NonZeroUsize;

#[test]
fn results_are_right_in_any_order() {
    for case in cases() {
        // The large one takes its time.
        let seeds = if case.grid == [8, 8, 1] { 0..1 } else { 0..5 };
        for seed in seeds {
            let config = LaunchConfig { seed, ..LaunchConfig::default() };
            if let Err(error) = case.run(case.text, config) {
                panic!("{}: {error}", case.kernel);
            }
        }
    }
}

#[test]
fn counters_do_not_depend_on_the_threads_of_the_host() {
    for case in cases().into_iter().filter(|it| it.grid != [8, 8, 1]) {
        let run = |threads| {
            let host_threads = NonZeroUsize::new(threads);
            let config = LaunchConfig { host_threads, ..LaunchConfig::default() };
            case.run(case.text, config).expect("no fault").counters
        };
        assert_eq!(run(1), run(3), "{}", case.kernel);
    }
}

/// Barriers that order nothing: nobody accesses the memory in question afterwards, or the same thread does.
const REDUNDANT: &[(&str, u32)] = &[
    ("matmul_0", 359),
    ("hand_on_0", 594),
    ("hand_around_0", 637),
    ("hand_around_shared_0", 677),
    ("row_sum_across_0", 333),
    ("row_max_across_0", 427),
];

#[test]
fn every_missing_barrier_is_found() {
    let (mut removed, mut missed) = (0, vec![]);
    for case in cases() {
        let start = case.text.find(&format!(".entry {}(", case.kernel)).expect("the kernel");
        let end = start + case.text[start..].find("\n}").expect("its end");
        for (at, _) in case.text[start..end].match_indices("bar.sync") {
            let (before, after) = case.text.split_at(start + at);
            let (_, after) = after.split_once(';').expect("a statement");
            let text = format!("{before}{after}");
            removed += 1;
            let found = (0..3).any(|seed| {
                let config = LaunchConfig { seed, ..LaunchConfig::default() };
                let outcome = std::panic::catch_unwind(|| case.run(&text, config));
                matches!(outcome, Ok(Err(LaunchError::Fault(fault))) if is_race(&fault.kind))
            });
            if !found {
                missed.push((case.kernel, before.lines().count() as u32));
            }
        }
    }
    assert_eq!(removed, 87);
    assert_eq!(missed, REDUNDANT);
}

//! Runs kernels that Loopwright has compiled, and checks their results, with all checks on, in any order of warps.

#[path = "harness/compiled.rs"]
mod compiled;
#[path = "harness/runner.rs"]
mod runner;

use compiled::cases;
use ptx_emulator::counters::{Class, Traffic};
use ptx_emulator::{LaunchConfig, LaunchError};
use runner::is_race;
use std::num::NonZeroUsize;

#[test]
fn results_are_right_in_any_order() {
    for case in cases() {
        // The large case is slow, so it runs with one seed.
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

#[test]
fn counters_are_those_of_the_kernel() {
    let profile = |name: &str| {
        let case = cases().into_iter().find(|it| it.kernel == name).expect("a case");
        case.run(case.text, LaunchConfig::default()).expect("no fault")
    };
    // 1000 elements of 4 bytes, in 31 whole warps and a part of one.
    let scale = profile("scale_0").counters;
    let expected = Traffic { requests: 32, bytes: 4000, sectors: 125 };
    assert_eq!((scale.global_loads, scale.global_stores), (expected, expected));
    assert_eq!((scale.flops, scale.arithmetic_intensity()), (1000, Some(0.125)));
    assert_eq!(scale.instructions[Class::Load], 32 + 2 * 32, "with those of parameters");
    // In each of 64 blocks, 8 threads store 16 bytes each.
    let vectors = profile("vectors_0");
    assert_eq!(vectors.counters.global_stores.sectors, 64 * 4);
    let matmul = profile("main_0");
    assert_eq!(matmul.counters.flops, 2 * 512_u64.pow(3));
    assert_eq!(matmul.counters.barriers, 0);
    assert!((30..60).contains(&matmul.registers_per_thread), "{}", matmul.registers_per_thread);
    let transpose = profile("transpose_0");
    assert_eq!(transpose.counters.barriers, 6 * 8, "one of each of 8 warps in 6 blocks");
}

/// Barriers that order no conflicting accesses: afterwards the memory is not accessed, or only by the same thread.
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

//! Runs kernel bodies that must cause a fault, or must not.

use super::kernel::kernel;
use super::runner::{Runner, line_of, shape};
use ptx_emulator::{Fault, LaunchConfig, LaunchError};

/// Runs a kernel on a buffer of `bytes` that hold 1, 2, 3 ... as u32.
pub fn run(text: &str, config: &LaunchConfig, bytes: usize) -> Result<Vec<u32>, LaunchError> {
    let runner = Runner::new(text);
    let data = runner.words(&(1..=bytes as u32 / 4).collect::<Vec<_>>());
    runner.launch("k", config, &[data.into()])?;
    Ok(runner.read_words(data, bytes / 4))
}

pub fn faulty(body: &str, blocks: u32, threads: u32) -> (Fault, String) {
    let text = kernel(body);
    let found = run(&text, &shape(blocks, threads, 1), 4096);
    let fault = match found {
        Err(LaunchError::Fault(fault)) => *fault,
        other => panic!("expected a fault, found {other:?}"),
    };
    (fault, text)
}

/// Checks that the fault is at the line with the comment `// here`.
#[track_caller]
pub fn at_mark((fault, text): (Fault, String)) -> Fault {
    assert_eq!(fault.line, line_of(&text, "// here"), "{fault}");
    fault
}

/// Runs correct code, which is accepted in every order of warps.
#[track_caller]
pub fn accepted(body: &str, blocks: u32, threads: u32) -> Vec<u32> {
    let text = kernel(body);
    let mut results = vec![];
    for seed in 0..10 {
        match run(&text, &shape(blocks, threads, seed), 4096) {
            Ok(result) => results.push(result),
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(results.iter().all(|it| *it == results[0]), "results differ");
    results.swap_remove(0)
}

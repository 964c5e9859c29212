//! Runs a program that uses the unmodified cudarc with this library in place of the driver.

use std::env;
use std::os::unix::fs::symlink;
use std::process::{Command, Output};

/// In a separate folder the library has the name that programs look for. It does not have that name beside the tests,
/// so that no test finds a GPU by accident.
fn run(part: &str) -> Output {
    let test = env::current_exe().expect("a test is a file");
    let built = test.parent().expect("in target/debug/deps");
    let library = built.join("libptx_emulator_cuda.so");
    let program = built.with_file_name("examples").join("cudarc_program");
    for file in [&library, &program] {
        assert!(file.is_file(), "{} is missing: cargo test makes it", file.display());
    }
    let folder = tempfile::tempdir().expect("a folder");
    symlink(library, folder.path().join("libcuda.so.1")).expect("a link");
    let mut command = Command::new(program);
    command.arg(part).env("LD_LIBRARY_PATH", folder.path()).output().expect("the program runs")
}

#[track_caller]
fn passes(part: &str) -> (String, String) {
    let output = run(part);
    let [out, errors] =
        [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
    assert!(output.status.success(), "{out}{errors}");
    (out, errors)
}

#[test]
fn kernels_run_one_after_the_other() {
    passes("add");
}

#[test]
fn graphs_are_recorded_and_replayed() {
    passes("graph");
}

#[test]
fn faults_are_told_at_synchronisation_and_in_words() {
    let (out, errors) = passes("faults");
    assert_eq!(out.trim(), "an illegal memory access was encountered");
    let line =
        include_str!("kernels.ptx").lines().position(|it| it.contains("ld.global.f32 %f, [%rd]"));
    let line = line.expect("the load") + 1;
    let expected = format!(
        "ptx-emulator: kernel double, PTX line {line}, block (2, 0, 0), thread (0, 0, 0): ld.global.f32: read of 4 bytes"
    );
    assert!(errors.contains(&expected), "{errors}");
}

#[test]
fn refusals_have_codes_and_a_log() {
    let (out, _) = passes("refusals");
    let line = include_str!("kernels.ptx").lines().position(|it| it.contains("add.f32"));
    let line = line.expect("the addition") + 1;
    assert_eq!(out.trim(), format!("line {line}: unknown instruction frobnicate.f32"));
}

#[test]
fn undefined_bytes_do_not_reach_the_host() {
    let (_, errors) = passes("undefined");
    let expected = "ptx-emulator: a copy to the host: 16 of the 16 bytes at 0x7";
    assert!(errors.contains(expected), "{errors}");
}

#[test]
fn an_unknown_part_fails() {
    assert!(!run("nothing").status.success());
}

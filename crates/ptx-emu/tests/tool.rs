//! Runs `ptx-emu` as a user does.

use loopwright_runtime::npy;
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx-emu"));
    command.args(arguments).output().expect("the tool runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn file(name: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../ptx-emulator/tests/kernels").join(name);
    path.to_string_lossy().into_owned()
}

#[test]
fn the_version_has_the_commit() {
    let output = run(&["--version"]);
    let version = text(&output.stdout);
    let commit = version
        .strip_prefix(concat!("ptx-emu ", env!("CARGO_PKG_VERSION"), " (git "))
        .and_then(|rest| rest.strip_suffix(")\n"))
        .unwrap_or_else(|| panic!("found {version}"));
    let is_hash = commit.len() == 12 && commit.chars().all(|c| c.is_ascii_hexdigit());
    assert!(is_hash || commit == "unknown", "found {version}");
}

#[test]
fn lists_kernels() {
    let output = run(&[&file("matmul.ptx")]);
    assert_eq!(output.status.code(), Some(0));
    let listed = text(&output.stdout);
    assert!(listed.starts_with("main_0, blocks of at most 256 threads, about "), "{listed}");
    assert!(listed.contains("  .u64 main_0_param_2, 8 bytes\n"), "{listed}");
}

#[test]
fn runs_a_kernel_on_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (x, y) = (path("x.npy"), path("y.npy"));
    let values: Vec<f64> = (0..1200).map(f64::from).collect();
    let tensor = Tensor::from_f64s(ElementType::F32, &[40, 30], &values).expect("a tensor");
    npy::write(&x, &tensor).expect("a file");
    let reduction = file("reduction.ptx");
    let output = format!("out:f32[40]={y}");
    let common = [&reduction, "--kernel", "row_sum_0", "--grid", "5", "--block", "8", "--arg", &x];
    let found = run(&[&common[..], &["--arg", &output, "--profile", "--runs", "3"]].concat());
    assert_eq!(found.status.code(), Some(0), "{}", text(&found.stderr));
    let result = npy::read(&y).expect("the result");
    assert_eq!(result.shape(), [40]);
    for row in 0..40 {
        let expected: f64 = values[row * 30..(row + 1) * 30].iter().sum();
        assert_eq!(result.get_f64(row), expected);
    }
    let profile = text(&found.stdout);
    assert!(profile.contains("global loads            4800 bytes"), "{profile}");
    assert!(profile.contains("has been compared with hardware"), "{profile}");

    // Seeds wrap around from the largest to the smallest.
    let last = ["--arg", &output, "--runs", "2", "--seed", "18446744073709551615"];
    assert_eq!(run(&[&common[..], &last].concat()).status.code(), Some(0));

    // An output that is too small is a fault of the kernel.
    let short = format!("out:f32[39]={y}");
    let found = run(&[&common[..], &["--arg", &short]].concat());
    assert_eq!(found.status.code(), Some(1));
    assert!(text(&found.stderr).contains("out of bounds"), "{}", text(&found.stderr));

    // Elements that the kernel does not write are no result.
    let long = format!("out:f32[41]={y}");
    let found = run(&[&common[..], &["--arg", &long]].concat());
    assert_eq!(found.status.code(), Some(1));
    let expected = "4 bytes of the result are undefined, first in element 40: the kernel has written no defined";
    assert!(text(&found.stderr).contains(expected), "{}", text(&found.stderr));

    // A missing argument is a user error.
    let found = run(&common);
    assert_eq!(found.status.code(), Some(2));
    assert!(text(&found.stderr).contains("takes 2 arguments, found 1"), "{}", text(&found.stderr));
}

#[test]
fn an_unknown_instruction_is_named_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hand.ptx").to_string_lossy().into_owned();
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n\
                .reg .b32 %r<3>;\nmov.u32 %r1, 1;\nfrobnicate.u32 %r2, %r1;\nret;\n}\n";
    std::fs::write(&path, text).expect("a file");
    for arguments in [&[&path[..]][..], &[&path, "--kernel", "k", "--grid", "1", "--block", "1"]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = self::text(&output.stderr);
        assert!(message.contains("line 7: unknown instruction frobnicate.u32"), "{message}");
    }
}

#[test]
fn a_block_of_one_thread_is_told_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hand.ptx").to_string_lossy().into_owned();
    let text = ".version 8.0\n.target sm_80\n.visible .entry k() { bar.sync 1, 64; ret; }\n";
    std::fs::write(&path, text).expect("a file");
    let note = "ptx-emu: note: without --block a block has one thread";
    for (block, is_told) in [(&[][..], true), (&["--block", "1"][..], false)] {
        let output = run(&[&[&path, "--kernel", "k"][..], block].concat());
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(self::text(&output.stderr).contains(note), is_told);
    }
}

#[test]
fn mistakes_are_told() {
    let matmul = file("matmul.ptx");
    for (arguments, expected) in [
        (&[&matmul, "--kernel", "nobody"][..], "has no kernel nobody; it has main_0"),
        (&["missing.ptx"], "missing.ptx: "),
        (&[&matmul, "--kernel", "main_0", "--arg", "i32:x"], "\"x\" is not a value of type i32"),
        (&[&matmul, "--kernel", "main_0", "--arg", "out:f32=a.npy"], "such as f32[4,8]"),
        (&[&matmul, "--grid", "1,2,3,4"], "more than three numbers"),
        (&[&matmul, "--kernel", "main_0", "--arg", "absent.npy"], "absent.npy: cannot be read"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let message = text(&output.stderr);
        assert!(message.contains(expected), "{message}");
    }
}

//! Runs every case of `test/integration/conversion` in five ways: linalg interpreted, its loop form
//! interpreted, compiled for x86, compiled for GPUs and run by the emulator, and the values that NumPy computed.
//!
//! A case is a folder with `main.mlir` and one folder a variant, which has `in<i>.npy` and
//! `out<i>.npy`. The linalg result must be near NumPy's. The loop result must be bitwise equal to the linalg result,
//! for each seed of the interpreter's random orders. So must the results of machine code, except those of math
//! functions.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

/// The references are correctly rounded op by op, so nothing may differ.
const RTOL: &str = "0";
const SEEDS: [&str; 2] = ["1", "2"];

/// Cases with math functions, which are not correctly rounded, and their tolerance.
const MATH: [&str; 8] = [
    "elementwise_unary",
    "gelu_dynamic",
    "layernorm_dynamic",
    "named_float_unary",
    "power_f32",
    "softmax_dynamic",
    "softmax_static",
    "transcendental_f32",
];
const MATH_RTOL: &str = "4e-7";

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/integration/conversion");
    let variants = match variants(&root) {
        Ok(variants) if !variants.is_empty() => variants,
        outcome => {
            eprintln!("no cases below {}: {outcome:?}", root.display());
            return ExitCode::FAILURE;
        }
    };
    let trial = |variant: PathBuf| {
        let name = variant.strip_prefix(&root).expect("found below the root").display().to_string();
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("integration").join(&name);
        Trial::test(name, move || run(&variant, &scratch))
    };
    let trials = variants.into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// All folders of variants.
fn variants(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    for case in fs::read_dir(root)? {
        for variant in fs::read_dir(case?.path())? {
            let path = variant?.path();
            if path.is_dir() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn run(variant: &Path, scratch: &Path) -> Result<(), Failed> {
    fs::create_dir_all(scratch)?;
    let model = variant.parent().expect("a variant is in its case").join("main.mlir");
    let (inputs, references) = (files(variant, "in"), files(variant, "out"));
    if references.is_empty() {
        return Err("has no out0.npy".into());
    }
    let outputs: Vec<_> =
        (0..references.len()).map(|i| scratch.join(format!("out{i}.npy"))).collect();

    let mut direct = command(&model, &inputs);
    direct.args(["--execute", "input", "--rtol", RTOL, "--atol", "0"]);
    add(&mut direct, "--check", &references);
    add(&mut direct, "--output", &outputs);
    succeed(&mut direct)?;

    for seed in SEEDS {
        let mut converted = command(&model, &inputs);
        converted.args(["--execute", "loop", "--rtol", "0", "--atol", "0", "--seed", seed]);
        add(&mut converted, "--check", &outputs);
        succeed(&mut converted)?;
    }

    let case = model.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let rtol = if case.is_some_and(|case| MATH.contains(&case)) { MATH_RTOL } else { "0" };
    for target in
        [["--target", "x86", "--threads", "2"], ["--target", "sm_80", "--device", "emulator"]]
    {
        let mut compiled = command(&model, &inputs);
        compiled.args(target).args(["--rtol", rtol, "--atol", "0"]);
        add(&mut compiled, "--check", &outputs);
        succeed(&mut compiled)?;
    }
    Ok(())
}

/// The files `in0.npy`, `in1.npy`, ... that exist.
fn files(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let path = |i| folder.join(format!("{stem}{i}.npy"));
    (0..).map(path).take_while(|path| path.exists()).collect()
}

fn command(model: &Path, inputs: &[PathBuf]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lw-run"));
    command.arg(model);
    add(&mut command, "--input", inputs);
    command
}

fn add(command: &mut Command, flag: &str, paths: &[PathBuf]) {
    for path in paths {
        command.arg(flag).arg(path);
    }
}

fn succeed(command: &mut Command) -> Result<(), Failed> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    Err(format!("{command:?}\n{}", String::from_utf8_lossy(&text)).into())
}

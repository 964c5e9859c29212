//! How the compile time of each pass grows with the size of a function.
//!
//! `cargo bench --bench scale` compiles a chain of elementwise ops and matrix products (one in four), pass by pass, and a chain of
//! twice as many ops, for x86 and for a GPU. Callgrind counts the instructions of each pass, which are the same in each run. If a
//! pass takes n^e instructions for n ops, it takes 2^e times as many for the longer chain: the bench prints e, and fails if one
//! exceeds [`LIMIT`]. `LOOPWRIGHT_OPS` sets the number of ops of the shorter chain.
//!
//! MLIR's verification between passes is not counted, nor are LLVM's passes.

use loopwright::codegen::cuda::GpuTarget;
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, ModuleSchedule, Parameters, Phase, STEPS, Settings};
use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs, thread};

/// The largest exponent that is accepted.
const LIMIT: f64 = 1.3;
/// In a function of 16 nests or more, each nest becomes a function; both chains have so many.
const OPS: usize = 80;
/// The pass that runs LLVM's passes.
const LLVM: &str = "gpu-module-to-binary";
/// Set in the process that callgrind runs: the number of ops to compile, and for what.
const COUNTED: &str = "LOOPWRIGHT_COUNTED_OPS";
const COUNTED_MACHINE: &str = "LOOPWRIGHT_COUNTED_MACHINE";

/// What a chain is compiled for.
#[derive(Clone, Copy)]
enum Machine {
    X86,
    Gpu,
}

impl Machine {
    const ALL: [Machine; 2] = [Machine::X86, Machine::Gpu];

    /// The name of the target. Not the machine at hand, which differs.
    fn name(self) -> &'static str {
        match self {
            Machine::X86 => "haswell",
            Machine::Gpu => "sm_80",
        }
    }

    /// The number of rows and columns. Kernels of GPUs have more loops than nests of x86, so smaller ones do.
    fn size(self) -> usize {
        match self {
            Machine::X86 => 64,
            Machine::Gpu => 16,
        }
    }

    fn phases(self) -> &'static [Phase] {
        match self {
            Machine::X86 => {
                &[Phase::Linalg, Phase::Loop, Phase::Schedule, Phase::Vector, Phase::Llvm]
            }
            Machine::Gpu => &[Phase::Linalg, Phase::Loop, Phase::Schedule, Phase::Gpu, Phase::Ptx],
        }
    }
}

fn main() -> ExitCode {
    let outcome = || match number(COUNTED)? {
        Some(ops) => {
            let name = env::var(COUNTED_MACHINE)?;
            let machine = Machine::ALL.into_iter().find(|machine| machine.name() == name);
            compile(ops, machine.ok_or("unknown machine")?).map(|()| true)
        }
        None => {
            let ops = number("LOOPWRIGHT_OPS")?.unwrap_or(OPS);
            let kept = Machine::ALL.map(|machine| compare(ops, machine));
            kept.into_iter().try_fold(true, |all, kept| Ok(all & kept?))
        }
    };
    match outcome() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("scale: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The number of ops in an environment variable, if it is set.
fn number(name: &str) -> Result<Option<usize>, Box<dyn Error>> {
    let Some(text) = env::var_os(name) else { return Ok(None) };
    match text.to_str().and_then(|text| text.parse().ok()) {
        Some(ops) if ops > 0 => Ok(Some(ops)),
        _ => Err(format!("{name} is {text:?}, expected a whole number that is 1 or more").into()),
    }
}

/// Prints the exponents; true if all are within the limit.
fn compare(ops: usize, machine: Machine) -> Result<bool, Box<dyn Error>> {
    let count = |ops: usize| count(ops, machine).map_err(|error| error.to_string());
    let (short, long) = thread::scope(|scope| {
        let short = scope.spawn(|| count(ops));
        let long = count(2 * ops);
        (short.join().expect("counting does not panic"), long)
    });
    let (short, long) = (short?, long?);
    let title = format!("{}: instructions in millions, for ops", machine.name());
    println!("{title:44} {ops:>9} {:>9}  exponent", 2 * ops);
    let mut is_kept = true;
    let sum = |all: &[(String, u64)]| ("together".to_owned(), all.iter().map(|row| row.1).sum());
    let rows = short.iter().zip(&long).map(|(short, long)| (short.clone(), long.clone()));
    for ((name, few), (_, many)) in rows.chain([(sum(&short), sum(&long))]) {
        let exponent = (many as f64 / few.max(1) as f64).log2();
        let is_over = exponent > LIMIT;
        is_kept &= !is_over;
        let verdict = if is_over { format!(" above {LIMIT}") } else { String::new() };
        let [few, many] = [few, many].map(|count| count as f64 / 1e6);
        println!("{name:44} {few:9.1} {many:9.1}  {exponent:8.2}{verdict}");
    }
    Ok(is_kept)
}

/// The instructions of each pass.
fn count(ops: usize, machine: Machine) -> Result<Vec<(String, u64)>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut out = std::ffi::OsString::from("--callgrind-out-file=");
    out.push(folder.path().join("counts"));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-before=scale::begin"])
        .arg(out)
        .arg(env::current_exe()?)
        .env(COUNTED, ops.to_string())
        .env(COUNTED_MACHINE, machine.name())
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| format!("valgrind, which counts instructions, does not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let names = String::from_utf8(output.stdout)?;
    // The first file has what comes before the first pass.
    let counts = names.lines().enumerate().map(|(i, name)| {
        let path = folder.path().join(format!("counts.{}", i + 2));
        Ok((name.to_owned(), instructions(&path)?))
    });
    counts.collect()
}

/// The number of instructions in a file of callgrind.
fn instructions(path: &Path) -> Result<u64, Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let count = text.lines().find_map(|line| line.strip_prefix("summary: "));
    let count = count.ok_or_else(|| format!("{}: no summary", path.display()))?;
    Ok(count.trim().parse()?)
}

/// Marks the begin of a pass, and the end of the last one. Callgrind writes and clears its counts when it is called.
#[inline(never)]
fn begin(name: &str) {
    std::hint::black_box(name);
}

/// Compiles a chain, and prints the names of the passes.
fn compile(ops: usize, machine: Machine) -> Result<(), Box<dyn Error>> {
    let context = pipeline::context();
    let text = chain(ops, machine.size());
    let mut module = Module::parse(&context, &text).ok_or("the chain is not valid")?;
    let settings = Settings {
        schedule: Some(match machine {
            Machine::X86 => ModuleSchedule::Strategies,
            Machine::Gpu => ModuleSchedule::DeviceStrategies,
        }),
        target: CpuTarget::named(Machine::X86.name()),
        device: GpuTarget::new(Machine::Gpu.name(), 64)?,
        ..Settings::default()
    };
    let mut names = vec![];
    for phase in machine.phases() {
        let phase = *phase;
        if phase == Phase::Schedule {
            begin("strategies");
            names.push("strategies");
            pipeline::lower(&context, &mut module, Phase::Loop, phase, &settings)?;
            continue;
        }
        let is_left_out = |name: &str| [pipeline::ON_REQUEST, LLVM].contains(&name);
        let steps = STEPS.iter().filter(|step| step.phases.contains(&phase));
        for step in steps.filter(|step| !is_left_out(step.name())) {
            begin(step.name());
            names.push(step.name());
            run(&context, &mut module, &Parameters::default().one(step))?;
        }
    }
    begin("");
    names.iter().for_each(|name| println!("{name}"));
    Ok(())
}

fn run(context: &Context, module: &mut Module, pass: &str) -> Result<(), Box<dyn Error>> {
    let manager = PassManager::new(context);
    manager.enable_verifier(false);
    let pipeline = format!("builtin.module({pass})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline)?;
    Ok(manager.run(module)?)
}

/// Elementwise ops and products of square matrices, each of the result of the one before. One op in four has a constant of its
/// own, so that no two groups are equal.
fn chain(ops: usize, size: usize) -> String {
    let ty = format!("tensor<{size}x{size}xf32>");
    let mut text = format!("func.func @main(%v: {ty}, %w: {ty}) -> {ty} {{\n");
    text += "  %zero = arith.constant 0.0 : f32\n";
    let mut last = "%v".to_owned();
    for i in 0..ops {
        let (new, empty) = (format!("%v{i}"), format!("%e{i}"));
        let _ = writeln!(text, "  {empty} = tensor.empty() : {ty}");
        let operand = if i % 4 == 2 { format!("%c{i}") } else { "%w".to_owned() };
        let _ = writeln!(text, "  %c{i} = arith.constant dense<{i}.5> : {ty}");
        let ins = format!("ins({last}, {operand} : {ty}, {ty})");
        let _ = match ["add", "mul", "max", "matmul"][i % 4] {
            "matmul" => writeln!(
                text,
                "  %f{i} = linalg.fill ins(%zero : f32) outs({empty} : {ty}) -> {ty}\n  \
                 {new} = linalg.matmul {ins} outs(%f{i} : {ty}) -> {ty}"
            ),
            op => writeln!(text, "  {new} = linalg.{op} {ins} outs({empty} : {ty}) -> {ty}"),
        };
        last = new;
    }
    text + &format!("  return {last} : {ty}\n}}\n")
}

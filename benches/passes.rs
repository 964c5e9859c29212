//! Compile time of the passes on a model.
//!
//! `cargo bench --bench passes` lowers the encoder layer of `test/models` to loop form, and pass by pass to the vector
//! form from which code is generated. Then it binds the nests to threads and runs the passes on nests that precede
//! kernels; it stops there, because `math.exp` cannot be compiled in kernels. It prints the median time of each pass
//! over several rounds, each on its own module, and fails if the total of one path exceeds the bar. MLIR's verification
//! between passes is not counted. `LOOPWRIGHT_ROUNDS` sets the number of rounds.

use loopwright::pipeline::{self, Parameters, Phase, PipelineStep, STEPS, Settings};
use loopwright::schedule::Schedule;
use loopwright_testing::top;
use melior::Context;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use std::error::Error;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const BAR: Duration = Duration::from_millis(100);
const ROUNDS: usize = 9;
const MODEL: &str = "test/models/encoder_layer.linalg.mlir";

fn main() -> ExitCode {
    match measure() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// True if the bar is met.
fn measure() -> Result<bool, Box<dyn Error>> {
    let model = format!("{}/{MODEL}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&model).map_err(|error| format!("{model}: {error}"))?;
    let context = pipeline::context();
    let mut module = Module::parse(&context, &text).ok_or("the model is not valid")?;
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &Settings::default())?;
    let loops = module.as_operation().to_string();
    bind(&module)?;
    let bound = module.as_operation().to_string();
    let on_cpu = way(&context, &loops, Phase::Vector)?;
    let on_gpu = way(&context, &bound, Phase::Gpu)?;
    Ok(on_cpu && on_gpu)
}

/// Binds the loops of each nest to thread blocks and threads, from the outermost inwards, as far as the schedule
/// permits.
fn bind(module: &Module) -> Result<(), Box<dyn Error>> {
    let ops = top(module).body(0).map(|body| body.ops()).unwrap_or_default();
    let function = ops.into_iter().find(|op| op.is("func.func")).ok_or("there is no function")?;
    let mut schedule = Schedule::new(function).map_err(|_| "the function has no loop form")?;
    for block in schedule.blocks() {
        let mut loops =
            schedule.loops(&block).map_err(|error| error.reason.to_string())?.into_iter();
        for axis in ["blockIdx.x", "threadIdx.x"] {
            // A refused step leaves the schedule unchanged.
            loops.by_ref().find(|target| schedule.bind(target, axis).is_ok());
        }
    }
    Ok(())
}

/// Times the passes on the path to a phase.
fn way(context: &Context, text: &str, phase: Phase) -> Result<bool, Box<dyn Error>> {
    let rounds = std::env::var("LOOPWRIGHT_ROUNDS").ok().and_then(|text| text.parse().ok());
    let steps = STEPS.iter().filter(|step| step.phases.contains(&phase));
    let steps: Vec<&PipelineStep> =
        steps.take_while(|step| !step.pass.starts_with("convert-loop-to-gpu")).collect();
    let mut times: Vec<Vec<Duration>> = vec![vec![]; steps.len()];
    for _ in 0..rounds.unwrap_or(ROUNDS).max(1) {
        let mut module = Module::parse(context, text).ok_or("loop form can be read")?;
        for (step, times) in steps.iter().zip(&mut times) {
            let pass = format!("builtin.module({})", Parameters::default().one(step));
            let manager = PassManager::new(context);
            manager.enable_verifier(false);
            parse_pass_pipeline(manager.as_operation_pass_manager(), &pass)?;
            let start = Instant::now();
            manager.run(&mut module)?;
            times.push(start.elapsed());
        }
    }
    println!("to phase {}", phase.word());
    let mut all = Duration::ZERO;
    for (step, times) in steps.iter().zip(&mut times) {
        times.sort_unstable();
        let median = times[times.len() / 2];
        all += median;
        println!("  {:38} {:8.2} ms", step.name(), median.as_secs_f64() * 1e3);
    }
    let is_kept = all <= BAR;
    let verdict = if is_kept { "kept" } else { "MISSED" };
    println!("  {:38} {:8.2} ms, bar {BAR:?}: {verdict}", "together", all.as_secs_f64() * 1e3);
    Ok(is_kept)
}

//! What the passes of the compiler cost on a model.
//!
//! `cargo bench --bench passes` takes the encoder layer of `test/models` to loop form, and on to the vector form that
//! code is made of, pass by pass. It prints the median time of each pass of several rounds, each on a module of its own,
//! and fails if together they take longer than the bar. What MLIR verifies between passes is not counted.
//! `LOOPWRIGHT_ROUNDS` is another number of rounds.

use loopwright::pipeline::{self, Parameters, Phase, STEPS, Settings, Step};
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

/// Is the bar kept?
fn measure() -> Result<bool, Box<dyn Error>> {
    let rounds = std::env::var("LOOPWRIGHT_ROUNDS").ok().and_then(|text| text.parse().ok());
    let model = format!("{}/{MODEL}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&model).map_err(|error| format!("{model}: {error}"))?;
    let context = pipeline::context();
    let mut module = Module::parse(&context, &text).ok_or("the model is not valid")?;
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &Settings::default())?;
    let loops = module.as_operation().to_string();

    let steps: Vec<&Step> =
        STEPS.iter().filter(|step| step.phases.contains(&Phase::Vector)).collect();
    let mut times: Vec<Vec<Duration>> = vec![vec![]; steps.len()];
    for _ in 0..rounds.unwrap_or(ROUNDS).max(1) {
        let mut module = Module::parse(&context, &loops).ok_or("loop form can be read")?;
        for (step, times) in steps.iter().zip(&mut times) {
            let pass = format!("builtin.module({})", Parameters::default().one(step));
            let manager = PassManager::new(&context);
            manager.enable_verifier(false);
            parse_pass_pipeline(manager.as_operation_pass_manager(), &pass)?;
            let start = Instant::now();
            manager.run(&mut module)?;
            times.push(start.elapsed());
        }
    }
    let mut all = Duration::ZERO;
    for (step, times) in steps.iter().zip(&mut times) {
        times.sort_unstable();
        let median = times[times.len() / 2];
        all += median;
        println!("{:28} {:8.2} ms", step.name(), median.as_secs_f64() * 1e3);
    }
    let is_kept = all <= BAR;
    let verdict = if is_kept { "kept" } else { "MISSED" };
    println!("{:28} {:8.2} ms, bar {BAR:?}: {verdict}", "together", all.as_secs_f64() * 1e3);
    Ok(is_kept)
}

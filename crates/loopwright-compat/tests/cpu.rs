//! The scheduling APIs of other compilers, on programs that their users know; compiled for the CPU and run.

#[path = "../../../test/codegen/x86/harness.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod harness;

#[path = "cpu/cinn.rs"]
mod cinn;
#[path = "cpu/halide.rs"]
mod halide;
#[path = "cpu/te.rs"]
mod te;

use harness::{Value, compile, run};
use loopwright::ir::{Op, walk};
use loopwright::pipeline::{self, Phase, Settings};
use loopwright_testing::top;
use melior::ir::Module;
use melior::ir::operation::OperationLike;

/// The sizes to which a dynamic dimension is set in turn.
const SIZES: [i64; 6] = [0, 1, 63, 64, 65, 1000];

/// Schedules the function of a module; returns its nest as text and the compiled code.
fn scheduled(
    text: &str,
    schedule: impl FnOnce(Op) -> String,
) -> (String, loopwright::codegen::Jit) {
    let context = pipeline::context();
    let mut module = Module::parse(&context, text).expect("the program is valid");
    let function =
        walk(top(&module)).into_iter().find(|op| op.is("func.func")).expect("a function");
    let shown = schedule(function);
    assert!(module.as_operation().verify(), "the schedule leaves a valid module");
    let settings = Settings::default();
    pipeline::lower(&context, &mut module, Phase::Schedule, Phase::Vector, &settings)
        .expect("it is lowered");
    (shown, compile(&module.as_operation().to_string()))
}

/// Numbers that differ between indices.
fn ramp(n: i64, step: f32) -> Vec<f32> {
    (0..n).map(|i| (i % 97) as f32 * step).collect()
}

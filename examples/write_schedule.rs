//! Schedules a matrix product from Rust, prints its loop nest before and after, and compares the compiled result with a plain
//! loop:
//!
//! ```text
//! cargo run --example write_schedule
//! ```
//! Each step is checked when it is applied. A step that could change the result is refused, and leaves the nest as it was.

use loopwright::codegen::Jit;
use loopwright::pipeline::{self, Phase, Settings};
use loopwright::schedule::{Schedule, ScheduleError};
use loopwright_runtime::kernel::Argument::{Input, Output};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::ir::Module;
use std::error::Error;
use std::num::NonZeroUsize;

const ROWS: usize = 64;
const DEPTH: usize = 48;
const COLUMNS: usize = 128;

const MODEL: &str = "
func.func @main(%x: tensor<64x48xf32>, %w: tensor<48x128xf32>) -> tensor<64x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x128xf32>) -> tensor<64x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x48xf32>, tensor<48x128xf32>)
                     outs(%start : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}";

/// Tiles of 4 x 32 results, which stay in registers while `k` runs. The rows of tiles run in parallel.
fn tile(schedule: &mut Schedule) -> Result<(), ScheduleError> {
    schedule.split("matmul:i", &[-1, 4], None)?;
    schedule.split("matmul:j", &[-1, 32], None)?;
    schedule.reorder(&["matmul:i.0", "matmul:j.0", "matmul:k", "matmul:i.1", "matmul:j.1"])?;
    schedule.vectorize("matmul:j.1", None)?;
    schedule.unroll("matmul:i.1", None)?;
    schedule.parallel("matmul:i.0")?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let context = pipeline::context();
    let mut module = Module::parse(&context, MODEL).ok_or("the model is not valid")?;
    let settings = Settings::default();
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Loop, &settings)?;

    println!("before:\n{}", module.as_operation());

    // The schedule borrows the module: nothing else can change the nest meanwhile.
    let mut schedule = Schedule::of(&mut module, "main").map_err(|error| error.to_string())?;
    // Two iterations of `k` write one element.
    let refusal = schedule.parallel("matmul:k").expect_err("it is not legal");
    println!("refused: {refusal}\n");
    tile(&mut schedule)?;
    println!("the steps as a script:\n{}", schedule.trace().script());
    drop(schedule);
    println!("after:\n{}", module.as_operation());

    pipeline::lower(&context, &mut module, Phase::Schedule, Phase::Llvm, &settings)?;
    let object = pipeline::object(&module, &settings)?;
    // SAFETY: the compiler has made the code, for this machine, from linalg ops, and all steps were proved.
    let kernel = unsafe { Jit::load(&object) }?.kernel("main")?;

    // Small integers, so that sums are exact in any order.
    let values = |n: usize, factor: usize| (0..n).map(move |i| (i * factor % 9) as f64 - 4.0);
    let inputs: Vec<f64> = values(ROWS * DEPTH, 7).collect();
    let weights: Vec<f64> = values(DEPTH * COLUMNS, 5).collect();
    let x = Tensor::from_f64s(ElementType::F32, &[ROWS, DEPTH], &inputs)?;
    let w = Tensor::from_f64s(ElementType::F32, &[DEPTH, COLUMNS], &weights)?;
    let mut y = Tensor::zeros(ElementType::F32, &[ROWS, COLUMNS])?;
    let pool = Pool::new(NonZeroUsize::new(2).expect("not 0"))?;
    kernel.call(&pool, &mut [Input(&x), Input(&w), Output(&mut y)])?;
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            let product = |k| inputs[row * DEPTH + k] * weights[k * COLUMNS + column];
            let expected: f64 = (0..DEPTH).map(product).sum();
            let found = y.get_f64(row * COLUMNS + column);
            if found != expected {
                return Err(format!("[{row}, {column}]: found {found}, expected {expected}").into());
            }
        }
    }
    println!("all {} elements equal those of the plain loop", ROWS * COLUMNS);
    Ok(())
}

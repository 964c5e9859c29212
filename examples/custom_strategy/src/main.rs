//! A program with its own strategies: matrix products with two to four rows.
//!
//! The number of rows of a product is often the size of a batch, which is known at run time only. The strategies of the
//! package compute a single row, or tiles of several rows, of which the last one may be partial. Here, three strategies are
//! added: for exactly two, three and four rows. Each computes the rows together in registers, and tests nothing else.
//! They compete with those of the package by priority, and the compiler makes one kernel that chooses by the number of
//! rows at run time.
//!
//! ```text
//! if (2 == m) { two rows in registers } else if (3 == m) { three } else if (4 == m) { four }
//! else if (m >= 2) { x86.product.tiled } else { x86.product.vector_matrix }
//! ```

use loopwright::codegen::Jit;
use loopwright::machine::x86::Processor;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright::schedule::{Schedule, ScheduleError};
use loopwright::strategy::group::{NestGroup, alone, is_product};
use loopwright::strategy::nest::Nest;
use loopwright::strategy::space::Space;
use loopwright::strategy::{Strategies, Strategy};
use loopwright_runtime::kernel::Argument;
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::ir::Module;
use std::error::Error;
use std::num::NonZeroUsize;
use std::sync::Arc;

const DEPTH: usize = 96;
const COLUMNS: usize = 256;

const MODEL: &str = "
func.func @product(%x: tensor<?x96xf32>, %w: tensor<96x256xf32>) -> tensor<?x256xf32> {
  %first = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %first : tensor<?x96xf32>
  %empty = tensor.empty(%rows) : tensor<?x256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x256xf32>) -> tensor<?x256xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x96xf32>, tensor<96x256xf32>)
                     outs(%start : tensor<?x256xf32>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}";

/// Computes a product of exactly so many rows in registers.
struct FewRows {
    name: String,
    rows: i64,
}

impl FewRows {
    fn of(rows: i64) -> FewRows {
        FewRows { name: format!("example.{rows}_rows"), rows }
    }
}

/// The loops over rows, columns and products, if the nest is a plain matrix product with whole tiles of columns.
fn loops(nest: &Nest, processor: &Processor) -> Result<[String; 3], String> {
    let wide = wide(processor);
    match &nest.loops[..] {
        [rows, columns, products]
            if is_product(nest) && !rows.is_reduction && products.is_reduction =>
        {
            match columns.extent {
                Some(extent) if extent % wide == 0 => Ok([0, 1, 2].map(|axis| nest.at(axis))),
                _ => Err(format!("its columns are not known to be a multiple of {wide}")),
            }
        }
        _ => Err("it is not the product of two matrices".into()),
    }
}

/// The columns of a tile: two vectors of f32.
fn wide(processor: &Processor) -> i64 {
    i64::from(processor.vectors.bits) / 32 * 2
}

impl Strategy<Processor> for FewRows {
    fn name(&self) -> &str {
        &self.name
    }

    fn summary(&self) -> &str {
        "Computes all rows together in registers"
    }

    fn priority(&self) -> u32 {
        60
    }

    fn applies(&self, group: &NestGroup, processor: &Processor) -> Result<(), String> {
        loops(alone(group)?, processor).map(drop)
    }

    fn sizes(&self, group: &NestGroup, _: &Processor) -> Option<String> {
        Some(format!("{} == {}", group.nests[0].loops[0].name, self.rows))
    }

    fn schedule(
        &self,
        schedule: &mut Schedule,
        group: &NestGroup,
        processor: &Processor,
        _: &Space,
    ) -> Result<(), ScheduleError> {
        let nest = &group.nests[0];
        let [rows, columns, products] = loops(nest, processor).expect("it applies");
        schedule.split(&columns, &[-1, wide(processor)], None)?;
        let (tiles, tile) = (format!("{columns}.0"), format!("{columns}.1"));
        schedule.reorder(&[&tiles, &products, &rows, &tile])?;
        schedule.vectorize(&tile, None)?;
        schedule.unroll(&rows, None)?;
        Ok(())
    }
}

/// Compiles the model with the strategies, and prints the choice of strategies for it.
fn compiled(strategies: Strategies) -> Result<Jit, Box<dyn Error>> {
    let context = pipeline::context();
    let mut module = Module::parse(&context, MODEL).ok_or("the model is not valid")?;
    let settings = Settings {
        schedule: Some(ModuleSchedule::Strategies),
        strategies: Arc::new(strategies),
        ..Settings::default()
    };
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Llvm, &settings)?;
    for report in settings.session.reports.borrow().iter() {
        println!("{report}");
    }
    let object = pipeline::object(&module, &settings)?;
    // SAFETY: the compiler made the code, for this machine, from linalg ops, and all schedule steps were proved.
    Ok(unsafe { Jit::load(&object) }?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut strategies = Strategies::default();
    for rows in 2..=4 {
        strategies.x86.add(FewRows::of(rows))?;
    }
    let code = compiled(strategies)?;
    let kernel = code.kernel("product")?;
    let pool = Pool::new(NonZeroUsize::MIN)?;
    // Small integers, so that sums are exact.
    let values = |n: usize, step: usize| (0..n).map(move |i| (i * step % 9) as f64 - 4.0);
    let weights: Vec<f64> = values(DEPTH * COLUMNS, 5).collect();
    let w = Tensor::from_f64s(ElementType::F32, &[DEPTH, COLUMNS], &weights)?;
    for rows in 0..=8 {
        let inputs: Vec<f64> = values(rows * DEPTH, 7).collect();
        let x = Tensor::from_f64s(ElementType::F32, &[rows, DEPTH], &inputs)?;
        let mut y = Tensor::zeros(ElementType::F32, &[rows, COLUMNS])?;
        kernel.call(
            &pool,
            &mut [Argument::Input(&x), Argument::Input(&w), Argument::Output(&mut y)],
        )?;
        for i in 0..rows * COLUMNS {
            let (row, column) = (i / COLUMNS, i % COLUMNS);
            let product = |k: usize| inputs[row * DEPTH + k] * weights[k * COLUMNS + column];
            let expected: f64 = (0..DEPTH).map(product).sum();
            if y.get_f64(i) != expected {
                let found = y.get_f64(i);
                return Err(format!(
                    "{rows} rows, [{row}, {column}]: found {found}, expected {expected}"
                )
                .into());
            }
        }
        println!("{rows} rows: right");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_program_ends_without_an_error() {
        super::main().expect("all products are right");
    }
}

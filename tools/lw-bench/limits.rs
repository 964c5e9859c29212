//! Measures the machine's limits: multiply-adds and memory bandwidth, with vector kernels of the same code generator.
//!
//! ```text
//! fma          independent chains of multiply-adds in registers
//! copy, triad  c = a, c = a + 3 b      arrays of 64 MiB, written past the caches
//! read, read4  the sum of a            in one stream, and in four that lie a quarter of the array apart
//! ```
//! Bytes are those that the algorithm names. Each kernel is a parallel loop over parts of the arrays, so the same
//! text works for any number of threads.

use crate::compile::Compiler;
use crate::data::Loaded;
use crate::report::LimitRow;
use crate::rounds::Rounds;
use crate::workloads::{Bound, Shapes, Values};
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::Phase;
use loopwright_runtime::pool::Pool;
use std::time::Duration;

/// Elements of an array.
const LENGTH: usize = 1 << 24;
/// Parts of an array, each an iteration of the parallel loop: several for each thread.
const PARTS: usize = 256;
/// Vectors in an iteration of the innermost loop, and sums of `read`: more than the latency of an addition.
const VECTORS: usize = 8;
/// Chains of multiply-adds: more than the latency of the units times their number, and no more than the
/// number of AVX2 registers.
const CHAINS: usize = 12;
/// Steps of each chain in a part.
const STEPS: usize = 1000;

/// A limit of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Fma,
    Copy,
    Triad,
    Read,
    Read4,
}

impl Limit {
    pub const ALL: [Limit; 5] = [Limit::Fma, Limit::Copy, Limit::Triad, Limit::Read, Limit::Read4];

    pub fn name(self) -> &'static str {
        match self {
            Limit::Fma => "fma",
            Limit::Copy => "copy",
            Limit::Triad => "triad",
            Limit::Read => "read",
            Limit::Read4 => "read4",
        }
    }

    fn unit(self) -> &'static str {
        match self.bound() {
            Bound::Flops => "GFLOP/s",
            _ => "GB/s",
        }
    }

    /// The workloads that it limits; if two limits have the same bound, the higher rate counts.
    pub fn bound(self) -> Bound {
        match self {
            Limit::Fma => Bound::Flops,
            Limit::Copy | Limit::Triad => Bound::Memory,
            Limit::Read | Limit::Read4 => Bound::Read,
        }
    }

    /// Operations or bytes of a call, for vectors of `lanes` lanes.
    fn work(self, lanes: usize) -> usize {
        match self {
            Limit::Fma => 2 * PARTS * STEPS * CHAINS * lanes,
            Limit::Copy => 2 * 4 * LENGTH,
            Limit::Triad => 3 * 4 * LENGTH,
            Limit::Read | Limit::Read4 => 4 * LENGTH,
        }
    }

    fn shapes(self, lanes: usize) -> Shapes {
        let (inputs, result) = match self {
            Limit::Fma => (0, PARTS * lanes),
            Limit::Copy => (1, LENGTH),
            Limit::Triad => (2, LENGTH),
            Limit::Read | Limit::Read4 => (1, PARTS * lanes),
        };
        Shapes { inputs: vec![vec![LENGTH]; inputs], weights: vec![], result: vec![result] }
    }

    fn module(self, lanes: usize) -> String {
        let body = match self {
            Limit::Fma => chains(lanes),
            Limit::Copy => streams(lanes, 1),
            Limit::Triad => streams(lanes, 2),
            Limit::Read => sums(lanes, 1),
            Limit::Read4 => sums(lanes, 4),
        };
        let shapes = self.shapes(lanes);
        let names = ["a", "b"].iter().zip(&shapes.inputs);
        let inputs = names.map(|(name, shape)| format!("%{name}: memref<{}xf32>, ", shape[0]));
        format!(
            "func.func @main({}%out: memref<{}xf32> {{loop.result}}) {{\n  \
             %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  \
             %parts = arith.constant {PARTS} : index\n  %lanes = arith.constant {lanes} : index\n  \
             scf.parallel (%part) = (%zero) to (%parts) step (%one) {{\n{body}  \
             scf.reduce\n  }}\n  return\n}}\n",
            inputs.collect::<String>(),
            shapes.result[0],
        )
    }
}

/// A limit that is being measured.
pub struct Measured {
    pub limit: Limit,
    kernel: Loaded,
    /// The rate of each round, in GFLOP/s or GB/s.
    rates: Rounds,
    lanes: usize,
}

impl Measured {
    /// Compiles the kernel for this machine.
    ///
    /// # Errors
    /// If it cannot be compiled, or memory cannot be allocated.
    pub fn new(limit: Limit, compiler: &Compiler) -> Result<Measured, String> {
        let lanes = vector_lanes()?;
        let (kernel, _) = compiler.compile(&limit.module(lanes), Phase::Vector)?;
        let mut kernel = Loaded::new(kernel, &limit.shapes(lanes))?;
        // Pages that were never written are all one page of zeros, which stays in the caches.
        kernel.draw(Values::Normal, 0);
        Ok(Measured { limit, kernel, rates: Rounds::default(), lanes })
    }

    /// Measures one round.
    ///
    /// # Errors
    /// If the kernel cannot be called.
    pub fn measure(&mut self, pool: &Pool, budget: Duration) -> Result<(), String> {
        let work = self.limit.work(self.lanes) as f64;
        let kernel = &mut self.kernel;
        self.rates.add(|| Ok(work / kernel.median(pool, budget)? / 1e9))
    }

    /// The median of all rounds, if there were any.
    pub fn row(&self) -> Option<LimitRow> {
        let (name, unit) = (self.limit.name(), self.limit.unit());
        Some(LimitRow {
            name,
            rate: self.rates.median()?,
            unit,
            is_disturbed: self.rates.is_loud(),
        })
    }
}

/// The number of f32 elements in a vector register of this machine.
fn vector_lanes() -> Result<usize, String> {
    Ok(CpuTarget::host().vectors()?.bits as usize / 32)
}

/// The measured limit of workloads with this bound.
pub fn of(bound: Bound, limits: &[Measured]) -> Option<f64> {
    let rates = limits.iter().filter(|it| it.limit.bound() == bound);
    rates.filter_map(|it| it.rates.median()).reduce(f64::max)
}

/// The code for one part of `fma`.
fn chains(lanes: usize) -> String {
    let ty = format!("vector<{lanes}xf32>");
    let step = |i| format!("      %n{i} = math.fma %x, %y, %s{i} : {ty}\n");
    format!(
        "    %steps = arith.constant {STEPS} : index\n    \
         %x = arith.constant dense<1.5> : {ty}\n    %y = arith.constant dense<2.5> : {ty}\n{}",
        sum_loop(["%zero", "%steps", "%one"], CHAINS, lanes, step)
    )
}

/// The code for one part of `copy`, which reads one array, or of `triad`, which reads two.
fn streams(lanes: usize, arrays: usize) -> String {
    let (ty, memref) = (format!("vector<{lanes}xf32>"), format!("memref<{LENGTH}xf32>"));
    let load =
        |name, i| format!("      %{name}{i} = vector.load %{name}[%p{i}] : {memref}, {ty}\n");
    let vector = |i| {
        let (more, stored) = match arrays {
            2 => {
                let sum = format!("      %t{i} = math.fma %three, %b{i}, %a{i} : {ty}\n");
                (load("b", i) + &sum, "t")
            }
            _ => (String::new(), "a"),
        };
        let store = format!(
            "      vector.store %{stored}{i}, %out[%p{i}] {{nontemporal = true, \
             alignment = {} : i64}} : {memref}, {ty}\n",
            4 * lanes
        );
        place(i, i * lanes) + &load("a", i) + &more + &store
    };
    format!(
        "    %three = arith.constant dense<3.0> : {ty}\n{}    \
         scf.for %i = %start to %end step %step {{\n{}    }}\n",
        range(LENGTH / PARTS, VECTORS * lanes),
        (0..VECTORS).map(vector).collect::<String>()
    )
}

/// The code for one part of `read`, or of `read4`, which has four streams.
fn sums(lanes: usize, streams: usize) -> String {
    let (ty, memref) = (format!("vector<{lanes}xf32>"), format!("memref<{LENGTH}xf32>"));
    let each = VECTORS / streams;
    let vector = |i| {
        place(i, i / each * (LENGTH / streams) + i % each * lanes)
            + &format!("      %v{i} = vector.load %a[%p{i}] : {memref}, {ty}\n")
            + &format!("      %n{i} = arith.addf %s{i}, %v{i} : {ty}\n")
    };
    range(LENGTH / streams / PARTS, each * lanes)
        + &sum_loop(["%start", "%end", "%step"], VECTORS, lanes, vector)
}

/// The index range of a part with `length` elements, in steps.
fn range(length: usize, step: usize) -> String {
    format!(
        "    %length = arith.constant {length} : index\n    %step = arith.constant {step} : index\n    \
         %start = arith.muli %part, %length : index\n    %end = arith.addi %start, %length : index\n"
    )
}

/// `%pI`: the index at an offset from the loop counter.
fn place(i: usize, offset: usize) -> String {
    format!(
        "      %o{i} = arith.constant {offset} : index\n      %p{i} = arith.addi %i, %o{i} : index\n"
    )
}

/// A loop that computes `%n0, ..` from `%s0, ..`, and a store of the total of the remaining sums.
fn sum_loop(
    [start, end, step]: [&str; 3],
    sums: usize,
    lanes: usize,
    body: impl Fn(usize) -> String,
) -> String {
    let ty = format!("vector<{lanes}xf32>");
    let list = |item: &dyn Fn(usize) -> String| (0..sums).map(item).collect::<Vec<_>>().join(", ");
    let types = list(&|_| ty.clone());
    let starts = list(&|i| format!("%s{i} = %nothing"));
    let ends = list(&|i| format!("%n{i}"));
    let body: String = (0..sums).map(body).collect();
    let sum = |i: usize| {
        let before = if i == 1 { "%r#0".to_owned() } else { format!("%sum{}", i - 1) };
        format!("    %sum{i} = arith.addf {before}, %r#{i} : {ty}\n")
    };
    let last = sums - 1;
    format!(
        "    %nothing = arith.constant dense<0.0> : {ty}\n    \
         %r:{sums} = scf.for %i = {start} to {end} step {step} iter_args({starts}) -> ({types}) {{\n\
         {body}      scf.yield {ends} : {types}\n    }}\n{}    \
         %at = arith.muli %part, %lanes : index\n    \
         vector.store %sum{last}, %out[%at] : memref<{}xf32>, {ty}\n",
        (1..sums).map(sum).collect::<String>(),
        PARTS * lanes,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright::codegen::x86;
    use loopwright::pipeline::{self, Settings};
    use melior::ir::Module;
    use std::num::NonZeroUsize;

    #[test]
    fn kernels_compute_what_their_names_say() {
        let compiler = Compiler::new("fast");
        let pool = Pool::new(NonZeroUsize::MIN.saturating_add(1)).expect("two threads");
        for limit in Limit::ALL {
            let mut measured = Measured::new(limit, &compiler).expect("all compile");
            let (lanes, kernel) = (measured.lanes, &mut measured.kernel);
            for (i, input) in kernel.inputs.iter_mut().enumerate() {
                let value = (i + 1) as f32;
                input
                    .bytes_mut()
                    .chunks_exact_mut(4)
                    .for_each(|it| it.copy_from_slice(&value.to_le_bytes()));
                input.set_f64(LENGTH - 1, 5.0);
            }
            kernel.run(&pool).expect("the tensors fit");
            let result = &kernel.result;
            let ends = [result.get_f64(0), result.get_f64(result.len() - 1)];
            match limit {
                Limit::Fma => assert_eq!(ends, [(STEPS * CHAINS) as f64 * 3.75; 2]),
                Limit::Copy => assert_eq!(ends, [1.0, 5.0]),
                Limit::Triad => assert_eq!(ends, [7.0, 20.0]),
                Limit::Read | Limit::Read4 => {
                    let sum: f64 = (0..result.len()).map(|i| result.get_f64(i)).sum();
                    assert_eq!(sum, (LENGTH + 4) as f64);
                    let each = (LENGTH / PARTS / lanes) as f64;
                    assert_eq!(ends, [each, each + 4.0]);
                }
            }
        }
    }

    #[test]
    fn copies_are_written_past_the_caches() {
        let context = pipeline::context();
        let settings = Settings::default();
        let lanes = vector_lanes().expect("this machine has vectors");
        for limit in [Limit::Copy, Limit::Triad] {
            let mut module = Module::parse(&context, &limit.module(lanes)).expect("it is MLIR");
            pipeline::lower(&context, &mut module, Phase::Vector, Phase::Llvm, &settings)
                .expect("it is in vector form");
            let code = x86::optimize(&module, &x86::CodegenOptions::default()).expect("it is code");
            let assembly = code.assembly().expect("it is code");
            let stores = assembly.matches("movntps").count();
            assert!(stores > 0 && stores.is_multiple_of(VECTORS), "{assembly}");
        }
    }
}

//! Shared code of benches that time kernels from several compilers in turn.

use loopwright::pipeline::{self, Phase, Settings};
use loopwright_runtime::kernel::{Argument, CallError, Kernel, Workspace};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::timing::measure;
use melior::Context;
use melior::ir::Module;
use std::error::Error;
use std::time::Duration;

/// The number of multiply-add chains: more than the latency of the units times their number.
pub const CHAINS: usize = 16;
/// The number of multiply-adds in each chain.
pub const PEAK_STEPS: i64 = 100_000;

/// A kernel and its times, one per round.
pub struct Contender {
    pub name: &'static str,
    pub kernel: Kernel,
    seconds: Vec<f64>,
}

impl Contender {
    pub fn new(name: &'static str, kernel: Kernel) -> Contender {
        Contender { name, kernel, seconds: vec![] }
    }

    /// Runs it for a round.
    pub fn time(&mut self, pool: &Pool, arguments: &mut [Argument]) -> Result<(), CallError> {
        let mut workspace = Workspace::default();
        let mut call = self.kernel.prepare(pool, arguments, &mut workspace)?;
        let timing = measure(Duration::from_millis(100), || call.run());
        self.seconds.push(timing.median.as_secs_f64());
        Ok(())
    }

    /// The median of all rounds, in seconds.
    pub fn median(&self) -> f64 {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }
}

/// The kernel of the function `main`.
pub fn compile(
    context: &Context,
    text: &str,
    from: Phase,
    settings: &Settings,
) -> Result<Kernel, Box<dyn Error>> {
    let mut module = Module::parse(context, text).ok_or("the module does not parse")?;
    pipeline::lower(context, &mut module, from, Phase::Llvm, settings)?;
    Ok(loopwright_testing::load(&module, settings)?.kernel("main")?)
}

/// Independent chains of fused multiply-adds, kept in registers: a function `main` that does [`PEAK_STEPS`] of them.
pub fn peak_kernel(lanes: i64) -> String {
    let ty = format!("vector<{lanes}xf32>");
    let list =
        |item: &dyn Fn(usize) -> String| (0..CHAINS).map(item).collect::<Vec<_>>().join(", ");
    let steps: String =
        (0..CHAINS).map(|i| format!("      %n{i} = math.fma %x, %y, %a{i} : {ty}\n")).collect();
    let stores: String = (0..CHAINS)
        .map(|i| {
            format!(
                "  %o{i} = arith.constant {} : index\n  vector.store %r#{i}, %out[%o{i}] : memref<{}xf32>, {ty}\n",
                i as i64 * lanes,
                CHAINS as i64 * lanes
            )
        })
        .collect();
    format!(
        "func.func @main(%out: memref<{}xf32> {{loop.result}}) {{\n  \
         %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  \
         %n = arith.constant {PEAK_STEPS} : index\n  \
         %x = arith.constant dense<1.5> : {ty}\n  %y = arith.constant dense<2.5> : {ty}\n  \
         %start = arith.constant dense<0.0> : {ty}\n  \
         %r:{CHAINS} = scf.for %i = %zero to %n step %one iter_args({}) -> ({}) {{\n{steps}      \
         scf.yield {} : {}\n  }}\n{stores}  return\n}}\n",
        CHAINS as i64 * lanes,
        list(&|i| format!("%a{i} = %start")),
        list(&|_| ty.clone()),
        list(&|i| format!("%n{i}")),
        list(&|_| ty.clone()),
    )
}

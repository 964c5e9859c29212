//! Matmul of 512 x 512 x 512 f32 on one thread, compared with this machine's peak and with clang.
//!
//! `cargo bench --bench matmul` prints medians from one interleaved run:
//! - the FMA peak: independent fused multiply-adds on registers, in our own vector form;
//! - `examples/matmul.mlir` under `examples/matmul.schedule.mlir`, and its fraction of the peak;
//! - the unscheduled loops, with strict floating point, and the same loops in C compiled by clang -O3 -fno-vectorize.
//!
//! It fails if a scheduled matmul reaches less than half of the peak, or if the unscheduled loops are slower than
//! clang's by more than the noise.

#[path = "shared/contender.rs"]
mod contender;

use contender::{CHAINS, Contender, PEAK_STEPS, compile, peak_kernel};
use loopwright::codegen::x86::Object;
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright_runtime::kernel::{Argument, Kernel};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::ir::Module;
use std::error::Error;
use std::num::NonZeroUsize;
use std::process::{Command, ExitCode};

const N: usize = 512;
const ROUNDS: usize = 9;

const C_LOOPS: &str = "\
void lw_c_matmul(const void *rt, float *const *buffers, const long *sizes, void *workspace) {
  const float *restrict A = buffers[0], *restrict B = buffers[1];
  float *restrict C = buffers[2];
  for (long i = 0; i < 512; i++)
    for (long j = 0; j < 512; j++) {
      C[i * 512 + j] = 0;
      for (long k = 0; k < 512; k++)
        C[i * 512 + j] += A[i * 512 + k] * B[k * 512 + j];
    }
}
long lw_c_matmul_workspace(const long *sizes) { return 0; }
const char lw_c_matmul_signature[] = \"f32[512x512], f32[512x512], f32[512x512] result\";
";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let context = pipeline::context();
    let schedule = std::fs::read_to_string("examples/matmul.schedule.mlir")?;
    let matmul = std::fs::read_to_string("examples/matmul.mlir")?;
    let schedule = Module::parse(&context, &schedule).ok_or("the schedule does not parse")?;
    let scheduled =
        Settings { schedule: Some(ModuleSchedule::Script(&schedule)), ..Settings::default() };
    let plain = Settings::default();
    let lanes = i64::from(CpuTarget::host().vectors()?.bits / 32);
    let peak_text = peak_kernel(lanes);

    let pool = Pool::new(NonZeroUsize::MIN)?;
    let square = || Tensor::zeros(ElementType::F32, &[N, N]);
    let mut kernels = [
        Contender::new("FMA peak", compile(&context, &peak_text, Phase::Vector, &plain)?),
        Contender::new("scheduled", compile(&context, &matmul, Phase::Input, &scheduled)?),
        Contender::new(
            "plain loops",
            compile(&context, &matmul.replace("\"fast\"", "\"strict\""), Phase::Input, &plain)?,
        ),
        Contender::new("clang -O3 -fno-vectorize", by_clang()?),
    ];
    let (a, b, mut c) = (square()?, square()?, square()?);
    let mut sink = Tensor::zeros(ElementType::F32, &[CHAINS * lanes as usize])?;
    for _ in 0..ROUNDS {
        for (i, contender) in kernels.iter_mut().enumerate() {
            let mut arguments = match i {
                0 => vec![Argument::Output(&mut sink)],
                _ => vec![Argument::Input(&a), Argument::Input(&b), Argument::Output(&mut c)],
            };
            contender.time(&pool, &mut arguments)?;
        }
    }
    let work = [2 * PEAK_STEPS * CHAINS as i64 * lanes, 2 * (N * N * N) as i64];
    let rate = |i: usize| work[i.min(1)] as f64 / kernels[i].median() / 1e9;
    let peak = rate(0);
    for (i, contender) in kernels.iter().enumerate() {
        println!(
            "{:<26}{:>9.2} GFLOP/s{:>8.3} of the peak",
            contender.name,
            rate(i),
            rate(i) / peak
        );
    }
    let against_clang = kernels[3].median() / kernels[2].median();
    println!("plain loops are {against_clang:.3} times as fast as clang's");
    let holds = rate(1) >= 0.5 * peak && against_clang >= 0.97;
    println!("{}", if holds { "the bars hold" } else { "a bar is MISSED" });
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The same loops in C, under the kernels' ABI.
fn by_clang() -> Result<Kernel, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let (source, object) = (folder.path().join("matmul.c"), folder.path().join("matmul.o"));
    std::fs::write(&source, C_LOOPS)?;
    let prefix = std::env::var("MLIR_SYS_220_PREFIX").unwrap_or("/usr/lib/llvm-22".into());
    let status = Command::new(format!("{prefix}/bin/clang"))
        .args(["-O3", "-fno-vectorize", "-march=native", "-ffp-contract=off", "-fPIC", "-c", "-o"])
        .args([&object, &source])
        .status()?;
    if !status.success() {
        return Err("clang failed".into());
    }
    let code = loopwright_testing::link(Object::from_bytes(std::fs::read(object)?))?;
    Ok(code.kernel("lw_c_matmul")?)
}

//! The value of `--target`.

use loopwright::codegen::cuda::GpuTarget;
use loopwright::machine::cuda::chips;

/// The target of compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A processor: this machine's, or that of `--cpu`.
    X86,
    Gpu(GpuTarget),
}

/// Parses a target: `x86`, or the architecture of a GPU.
pub fn target(word: &str) -> Result<Target, String> {
    match word {
        "x86" => Ok(Target::X86),
        chip => GpuTarget::new(chip, 64)
            .map(Target::Gpu)
            .map_err(|_| format!("expected x86, or one of {}", chips())),
    }
}

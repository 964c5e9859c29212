//! The targets of compilation, by name: `x86`, or the architecture of a GPU, such as `sm_80`.

use super::cuda::GpuTarget;
use crate::machine::cuda::chips;
use std::str::FromStr;

/// The target of compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A processor: this machine's, or one that is named or described apart.
    X86,
    /// A GPU of one architecture.
    Gpu(GpuTarget),
}

impl FromStr for Target {
    type Err = String;

    /// Parses a name. The error states what was expected.
    fn from_str(word: &str) -> Result<Target, String> {
        match word {
            "x86" => Ok(Target::X86),
            chip => GpuTarget::new(chip, 64)
                .map(Target::Gpu)
                .map_err(|_| format!("expected x86, or one of {}", chips())),
        }
    }
}

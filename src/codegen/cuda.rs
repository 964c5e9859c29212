//! NVPTX target: from loop nests bound to threads to PTX, the text that NVIDIA's driver compiles.
//!
//! No NVIDIA software is needed: LLVM emits PTX, in this process. `sm_80` code runs on all devices from compute
//! capability 8.0 on, `sm_90a` code only on Hopper. A kernel for `sm_80` may use 163 KiB of shared memory per
//! thread block. Devices of compute capability 8.6 and 8.9 have 99 KiB and refuse to launch kernels that
//! request more. Default schedules request only what all these devices have.

mod program;

pub use crate::machine::cuda::DEFAULT_CHIP;
pub use program::program;

use crate::ir::{Attribute, ModuleRef, op_of};
use crate::machine::cuda::Chip;

/// A device architecture to compile for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuTarget {
    chip: String,
    index_bits: i64,
}

impl Default for GpuTarget {
    /// [`DEFAULT_CHIP`], with 64-bit index arithmetic.
    fn default() -> Self {
        Self { chip: DEFAULT_CHIP.to_owned(), index_bits: 64 }
    }
}

impl GpuTarget {
    /// An architecture, with index arithmetic of 32 or 64 bits.
    ///
    /// # Errors
    /// What was found and what was expected, as a predicate to follow the name of an op.
    pub fn new(chip: &str, index_bits: i64) -> Result<Self, String> {
        Chip::named(chip)?;
        if ![32, 64].contains(&index_bits) {
            return Err(format!("is given index-bits {index_bits}, expected 32 or 64"));
        }
        Ok(Self { chip: chip.to_owned(), index_bits })
    }

    /// The name of the architecture in LLVM, such as `sm_90a`.
    pub fn chip(&self) -> &str {
        &self.chip
    }

    /// The width of index arithmetic in bits.
    pub fn index_bits(&self) -> i64 {
        self.index_bits
    }
}

/// The PTX of a module that was lowered to it; `None` if it has no kernels.
pub fn ptx<'c>(module: impl ModuleRef<'c>) -> Option<&'c str> {
    let ops = op_of(module).body(0)?.ops();
    let binary = ops.into_iter().find(|op| op.is("gpu.binary"))?;
    let objects = binary.attribute("objects")?.as_array()?;
    objects.into_iter().find_map(Attribute::as_gpu_object)
}

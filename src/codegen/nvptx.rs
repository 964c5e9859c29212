//! NVPTX: from loop nests that are bound to threads to PTX, the text that NVIDIA's driver compiles.
//!
//! Nothing of NVIDIA's is needed: LLVM writes PTX, in this process. `sm_80` is for all devices from there on,
//! `sm_90a` for Hopper alone.

use super::x86::Step;
use crate::ir::{Attribute, Op};

/// The architecture without a wish: PTX for it runs on all later devices.
pub const DEFAULT_CHIP: &str = "sm_80";

/// From loop form to kernels of the gpu dialect, which the interpreter runs.
pub const KERNELS: &[Step] = &[
    Step {
        pipeline: "func.func(schedule-block-dce)",
        reason: "what schedules have inlined everywhere is read no more",
    },
    Step {
        pipeline: "func.func(ir-simplify,if-fold,if-fusion)",
        reason: "tails and indices as short as they can be, before they are code in each thread",
    },
    Step {
        pipeline: "func.func(eliminate-invariant-loop)",
        reason: "on what is left: conditions that went away were users of loop variables",
    },
    Step {
        pipeline: "convert-loop-to-gpu{require-vector=@require}",
        reason: "out of the dialect, with explicit threads and vectors",
    },
    Step {
        pipeline: "canonicalize,cse,gpu.module(gpu.func(loop-invariant-code-motion))",
        reason: "equal indices become one value, outside of the loops that do not change them",
    },
    Step {
        pipeline: "gpu.module(gpu.func(promote-buffers))",
        reason: "accumulators in registers; needs indices that are seen to be invariant",
    },
    Step {
        pipeline: "gpu.module(gpu.func(form-fma))",
        reason: "after reductions were recognised by their sum",
    },
    Step { pipeline: "canonicalize,cse", reason: "less to translate" },
];

/// From kernels to a `gpu.binary` that holds PTX.
pub const LOWERING: &[Step] = &[
    Step {
        pipeline: "gpu.module(expand-math)",
        reason: "what NVPTX lacks, and arith has; functions that have no kernels may still have loops",
    },
    Step {
        pipeline: "gpu.module(expand-small-floats)",
        reason: "bf16 and conversions are rounded once, by the rules of all targets",
    },
    Step {
        pipeline: "gpu.module(convert-math-to-nvptx)",
        reason: "before convert-gpu-to-nvvm, which calls a library for all of math",
    },
    Step {
        pipeline: "bare-kernel-arguments",
        reason: "pointers and sizes instead of descriptors of 3 + 2 * rank numbers",
    },
    Step {
        pipeline: "canonicalize,cse",
        reason: "constant addresses fold, accesses of one row compute it once",
    },
    Step {
        pipeline: "nvvm-attach-target{chip=@chip features=+ptx80 O=3}",
        reason: "for whom; PTX 8.0 is the oldest with all of sm_90a, and drivers from 525.60 on take it",
    },
    Step {
        pipeline: "gpu.module(convert-scf-to-cf)",
        reason: "NVVM has branches; the functions of the host stay as they are",
    },
    Step {
        pipeline: "gpu.module(convert-gpu-to-nvvm{index-bitwidth=@bits use-bare-ptr-memref-call-conv=true})",
        reason: "all that is left, in one conversion: arith, vector and memref by the width of index",
    },
    Step {
        pipeline: "gpu.module(convert-nvvm-to-llvm,reconcile-unrealized-casts,canonicalize,cse)",
        reason: "ops that are inline assembly; nothing but LLVM is left",
    },
    Step { pipeline: "gpu-module-to-binary{format=isa}", reason: "LLVM's optimizer, and PTX" },
];

/// A device to compile for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    chip: String,
    index_bits: i64,
}

impl Default for Target {
    /// [`DEFAULT_CHIP`], with 64 bits.
    fn default() -> Self {
        Self { chip: DEFAULT_CHIP.to_owned(), index_bits: 64 }
    }
}

/// PTX 8.0 and `ptxas` know these.
const CHIPS: &[&str] = &["sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a"];

impl Target {
    /// An architecture, with index arithmetic of 32 or 64 bits.
    ///
    /// # Errors
    /// What was found and what was expected, as it follows the name of an op.
    pub fn new(chip: &str, index_bits: i64) -> Result<Self, String> {
        if !CHIPS.contains(&chip) {
            return Err(format!("is given chip {chip}, expected one of {}", CHIPS.join(", ")));
        }
        if ![32, 64].contains(&index_bits) {
            return Err(format!("is given index-bits {index_bits}, expected 32 or 64"));
        }
        Ok(Self { chip: chip.to_owned(), index_bits })
    }

    /// [`KERNELS`], as the passes on a module. With `require_vector`, what has no vector form is an error.
    pub fn kernels(require_vector: bool) -> String {
        joined(KERNELS).replace("@require", &require_vector.to_string())
    }

    /// [`LOWERING`], as the passes on a module.
    pub fn lowering(&self) -> String {
        let bits = self.index_bits.to_string();
        joined(LOWERING).replace("@chip", &self.chip).replace("@bits", &bits)
    }

    /// From loop form to PTX.
    pub fn pipeline(&self, require_vector: bool) -> String {
        format!("{},{}", Self::kernels(require_vector), self.lowering())
    }
}

fn joined(steps: &[Step]) -> String {
    steps.iter().map(|step| step.pipeline).collect::<Vec<_>>().join(",")
}

/// The PTX of a module that went through [`Target::pipeline`]; none if it has no kernels.
pub fn ptx<'c>(module: Op<'c>) -> Option<&'c str> {
    let ops = module.body(0)?.ops();
    let binary = ops.into_iter().find(|op| op.is("gpu.binary"))?;
    let objects = binary.attribute("objects")?.as_array()?;
    objects.into_iter().find_map(Attribute::as_gpu_object)
}

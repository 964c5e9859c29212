//! The passes that create kernels from nests, and the passes on kernels: one row each.

use super::report::{MEMORY, report};
use crate::ffi::pass::{DialectName, Form, OptionKind, PassOption, PassRow, PassStatistic};
use crate::ir::{Error, Op};
use crate::lowering::cpu::{expand_atomics, line_info, longlong2int};
use crate::lowering::cuda::verify_gpu_code::Limits;
use crate::lowering::cuda::{
    bare_kernel_arguments, dynamic_shared_memory, inject_async_copy, loop_to_gpu, verify_gpu_code,
    verify_kernel_calls,
};
use crate::lowering::math::{approximate_math, math_to_nvptx};
use crate::machine::cuda::{Chip, DEFAULT_CHIP, ThreadLimits};
use crate::optimize::cuda::merge_shared_memory::MergeSharedMemory;
use crate::optimize::cuda::swizzle_shared_buffers::SwizzleSharedBuffers;
use crate::optimize::kind::run_function;

const CHIP: PassOption = PassOption {
    name: "chip",
    summary: "The GPU architecture, which determines the limits of threads and memory",
    kind: OptionKind::String,
    initial: DEFAULT_CHIP,
};

/// The chip that the option names.
fn chip<'c>(op: Op<'c>, name: &str) -> Result<Chip, Error<'c>> {
    Chip::named(name).map_err(|message| Error::on(op, message))
}

/// All passes on kernels, by name.
pub(super) const KERNEL_PASSES: &[PassRow] = &[
    PassRow {
        argument: "convert-loop-to-gpu",
        summary: "Lower nests that are bound to threads to kernels, and launch them",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: Some(Form::Kernels),
        options: &[
            PassOption {
                name: "require-vector",
                summary: "Report an error if a vectorized loop has no vector form",
                kind: OptionKind::Bool,
                initial: "false",
            },
            CHIP,
        ],
        statistics: &[],
        dialects: &[
            DialectName::Arith,
            DialectName::Gpu,
            DialectName::MemRef,
            DialectName::Scf,
            DialectName::Vector,
        ],
        run: |op, run| {
            let chip = report(chip(op, &run.string(1)))?;
            let options = loop_to_gpu::GpuOptions { require_vector: run.bool(0), chip };
            report(loop_to_gpu::convert(op, options))
        },
    },
    PassRow {
        argument: "approximate-math",
        summary: "Use approximate NVPTX instructions for math ops whose flags permit approximation",
        on: "",
        needs: Form::KERNELS,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic {
            name: "functions",
            summary: "Math ops replaced by approximate instructions",
        }],
        dialects: &[DialectName::Arith, DialectName::Llvm, DialectName::Vector],
        run: |op, run| {
            run.count(0, approximate_math::convert(op));
            Ok(())
        },
    },
    PassRow {
        argument: "convert-math-to-nvptx",
        summary: "Use NVPTX instructions for math functions for which upstream MLIR calls a library",
        on: "",
        needs: &[Form::Kernels, Form::Machine],
        leaves: Some(Form::Machine),
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::Llvm],
        run: |op, _| {
            math_to_nvptx::convert(op);
            Ok(())
        },
    },
    PassRow {
        argument: "expand-atomics",
        summary: "Lower atomic updates to NVPTX instructions, or to compare-and-exchange loops where NVPTX has none",
        on: "gpu.module",
        needs: Form::MACHINE,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic {
            name: "loops",
            summary: "Updates lowered to compare-and-exchange loops",
        }],
        dialects: &[DialectName::Arith, DialectName::Llvm, DialectName::Scf],
        run: |op, run| {
            run.count(0, report(expand_atomics::expand(op))?);
            Ok(())
        },
    },
    PassRow {
        argument: "inject-async-copy",
        summary: "Make annotated copies to shared memory asynchronous, and wait for them before barriers",
        on: "",
        needs: &[Form::Kernels, Form::Machine],
        leaves: Some(Form::Machine),
        options: &[PassOption {
            name: "index-bits",
            summary: "The width of index arithmetic in later passes, in bits",
            kind: OptionKind::Int,
            initial: "64",
        }],
        statistics: &[
            PassStatistic { name: "copies", summary: "Copies that became asynchronous" },
            PassStatistic {
                name: "waits",
                summary: "Barriers before which threads wait for copies",
            },
        ],
        dialects: &[DialectName::NvGpu],
        run: |op, run| {
            let counts = report(inject_async_copy::convert(op, run.int(0)))?;
            counts.iter().enumerate().for_each(|(i, count)| run.count(i, *count));
            Ok(())
        },
    },
    PassRow {
        argument: "line-info",
        summary: "Annotate PTX instructions with the loops and the schedule block that they come from",
        on: "gpu.module",
        needs: Form::MACHINE,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Llvm],
        run: |op, _| report(line_info::attach(op)),
    },
    PassRow {
        argument: "bare-kernel-arguments",
        summary: "Pass buffers of dynamic size to kernels as a pointer and sizes",
        on: "builtin.module",
        needs: Form::MACHINE,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::MemRef],
        run: |op, _| report(bare_kernel_arguments::rewrite(op)),
    },
    PassRow {
        argument: "longlong2int",
        summary: "Compute the indices of a kernel with 32 bits if all of them provably fit",
        on: "builtin.module",
        needs: Form::KERNELS,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic { name: "kernels", summary: "Kernels with 32-bit indices" },
            PassStatistic {
                name: "guarded",
                summary: "Kernels with two versions, from which the launch selects one by the sizes",
            },
            PassStatistic { name: "left", summary: "Kernels that keep 64-bit indices" },
        ],
        dialects: &[DialectName::Arith, DialectName::Gpu, DialectName::MemRef, DialectName::Scf],
        run: |op, run| {
            longlong2int::run(op, run);
            Ok(())
        },
    },
    PassRow {
        argument: "dynamic-shared-memory",
        summary: "Use dynamic shared memory in kernels that exceed the limit of static shared memory",
        on: "builtin.module",
        needs: Form::MACHINE,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic { name: "kernels", summary: "Kernels that use dynamic shared memory" },
            PassStatistic { name: "bytes", summary: "Bytes of dynamic shared memory" },
        ],
        dialects: &[DialectName::Arith, DialectName::Llvm],
        run: |op, run| {
            let counts = report(dynamic_shared_memory::rewrite(op))?;
            counts.iter().enumerate().for_each(|(i, count)| run.count(i, *count));
            Ok(())
        },
    },
    PassRow {
        argument: "merge-shared-memory",
        summary: "Merge the shared-memory buffers of a kernel into one, in which buffers that are not live together overlap",
        on: "gpu.func",
        needs: Form::KERNELS,
        leaves: None,
        options: &[],
        statistics: MEMORY,
        dialects: &[DialectName::Arith, DialectName::MemRef],
        run: run_function::<MergeSharedMemory>,
    },
    PassRow {
        argument: "swizzle-shared-buffers",
        summary: "Swizzle or pad shared-memory buffers to reduce bank conflicts",
        on: "gpu.func",
        needs: Form::KERNELS,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic { name: "swizzled", summary: "Buffers with a swizzled index" },
            PassStatistic { name: "padded", summary: "Buffers with padded rows" },
            PassStatistic { name: "bytes", summary: "Bytes added" },
            PassStatistic {
                name: "before",
                summary: "Wavefronts of a thread block's accesses to these buffers, in the old layout",
            },
            PassStatistic {
                name: "after",
                summary: "Wavefronts of the same accesses in the new layout",
            },
        ],
        dialects: &[DialectName::Arith, DialectName::Gpu],
        run: run_function::<SwizzleSharedBuffers>,
    },
    PassRow {
        argument: "verify-gpu-code",
        summary: "Verify that functions respect the limits of a GPU on threads and memory",
        on: "",
        needs: Form::LOOPS,
        leaves: None,
        options: &[
            PassOption {
                name: "max-threads",
                summary: "The limit of threads in a thread block; 0: the limit of the device",
                kind: OptionKind::Int,
                initial: "0",
            },
            PassOption {
                name: "max-shared-bytes",
                summary: "The limit of shared memory of a thread block, in bytes; 0: the limit of the device",
                kind: OptionKind::Int,
                initial: "0",
            },
            PassOption {
                name: "max-local-bytes",
                summary: "The limit of local memory of a thread in one buffer, in bytes; 0: the limit of the device",
                kind: OptionKind::Int,
                initial: "0",
            },
            PassOption {
                name: "vector-bits",
                summary: "The limit of the width of a vector access, in bits; 0: lowering splits wider accesses",
                kind: OptionKind::Int,
                initial: "0",
            },
            CHIP,
        ],
        statistics: &[],
        dialects: &[],
        run: |op, run| {
            let given = |i: usize, or: i64| if run.int(i) > 0 { run.int(i) } else { or };
            let limits = Limits::of(report(chip(op, &run.string(4)))?);
            let has = limits.machine;
            let machine = ThreadLimits {
                threads: given(0, has.threads),
                shared: given(1, has.shared),
                local: given(2, has.local),
                ..has
            };
            let vector_bits = Some(run.int(3)).filter(|bits| *bits > 0);
            let chip = limits.chip.filter(|_| run.int(1) <= 0);
            report(verify_gpu_code::verify(op, &Limits { machine, chip, vector_bits }))
        },
    },
    PassRow {
        argument: "verify-kernel-calls",
        summary: "Verify that calls in functions that contain or reach kernels can be inlined",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |op, _| report(verify_kernel_calls::verify(op)),
    },
];

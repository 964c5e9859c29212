//! The passes that create kernels from nests, and the passes on kernels: one row each.

use super::{MEMORY, report};
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
    summary: "The architecture whose limits of memory and threads hold",
    kind: OptionKind::String,
    initial: DEFAULT_CHIP,
};

/// The chip that the option names.
fn chip<'c>(op: Op<'c>, name: &str) -> Result<Chip, Error<'c>> {
    Chip::named(name).map_err(|message| Error::on(op, message))
}

/// All passes on kernels, by name.
pub(super) static KERNEL_PASSES: &[PassRow] = &[
    PassRow {
        argument: "convert-loop-to-gpu",
        summary: "Make nests that are bound to threads kernels, and launch them",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: Some(Form::Kernels),
        options: &[
            PassOption {
                name: "require-vector",
                summary: "A vectorized loop that has no vector form is an error",
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
            let options = loop_to_gpu::Options { require_vector: run.bool(0), chip };
            report(loop_to_gpu::convert(op, options))
        },
    },
    PassRow {
        argument: "approximate-math",
        summary: "Use the approximate instructions of NVPTX for functions that may be approximate",
        on: "",
        needs: Form::KERNELS,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic {
            name: "functions",
            summary: "Functions that became approximate instructions",
        }],
        dialects: &[DialectName::Arith, DialectName::Llvm, DialectName::Vector],
        run: |op, run| {
            run.count(0, approximate_math::convert(op));
            Ok(())
        },
    },
    PassRow {
        argument: "convert-math-to-nvptx",
        summary: "Use the instructions of NVPTX where upstream calls a library",
        on: "",
        needs: Form::KERNELS,
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
        summary: "Let updates of cells by several threads be instructions of NVPTX, or loops where it has none",
        on: "gpu.module",
        needs: Form::MACHINE,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic {
            name: "loops",
            summary: "Updates that became loops of compare and exchange",
        }],
        dialects: &[DialectName::Arith, DialectName::Llvm, DialectName::Scf],
        run: |op, run| {
            run.count(0, report(expand_atomics::expand(op))?);
            Ok(())
        },
    },
    PassRow {
        argument: "inject-async-copy",
        summary: "Let copies to shared memory be asynchronous where an annotation says so, and wait for them",
        on: "",
        needs: Form::KERNELS,
        leaves: Some(Form::Machine),
        options: &[PassOption {
            name: "index-bits",
            summary: "Bits of the index arithmetic of later passes",
            kind: OptionKind::Int,
            initial: "64",
        }],
        statistics: &[
            PassStatistic { name: "copies", summary: "Copies that are asynchronous" },
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
        summary: "Say in PTX of which loops and which block each instruction is",
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
        summary: "Compute the indices of kernels with 32 bits where all are proved to fit",
        on: "builtin.module",
        needs: Form::KERNELS,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic { name: "kernels", summary: "Kernels with indices of 32 bits" },
            PassStatistic { name: "guarded", summary: "Kernels of two versions, by their sizes" },
            PassStatistic { name: "left", summary: "Kernels that stay as they are" },
        ],
        dialects: &[DialectName::Arith, DialectName::Gpu, DialectName::MemRef, DialectName::Scf],
        run: |op, run| {
            longlong2int::run(op, run);
            Ok(())
        },
    },
    PassRow {
        argument: "dynamic-shared-memory",
        summary: "Let launches ask for the memory of thread blocks that is too much to be declared",
        on: "builtin.module",
        needs: Form::MACHINE,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic { name: "kernels", summary: "Kernels whose launches ask for memory" },
            PassStatistic { name: "bytes", summary: "Bytes that they ask for" },
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
        summary: "Make the buffers of a thread block one, in which those not in use together share memory",
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
        summary: "Lay the buffers of a thread block out so that warps meet fewer conflicts of banks",
        on: "gpu.func",
        needs: Form::KERNELS,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic {
                name: "swizzled",
                summary: "Buffers of which an index is combined with bits",
            },
            PassStatistic { name: "padded", summary: "Buffers with longer rows" },
            PassStatistic { name: "bytes", summary: "Bytes more" },
            PassStatistic {
                name: "before",
                summary: "Wavefronts of a thread block's accesses of these",
            },
            PassStatistic { name: "after", summary: "Wavefronts in the new layout" },
        ],
        dialects: &[DialectName::Arith, DialectName::Gpu],
        run: run_function::<SwizzleSharedBuffers>,
    },
    PassRow {
        argument: "verify-gpu-code",
        summary: "Verify that what functions ask of a GPU fits into it",
        on: "",
        needs: Form::LOOPS,
        leaves: None,
        options: &[
            PassOption {
                name: "max-threads",
                summary: "Threads in a thread block; 0: what the device has",
                kind: OptionKind::Int,
                initial: "0",
            },
            PassOption {
                name: "max-shared-bytes",
                summary: "Bytes of memory of a thread block; 0: what the device has",
                kind: OptionKind::Int,
                initial: "0",
            },
            PassOption {
                name: "max-local-bytes",
                summary: "Bytes of memory of a thread, in a buffer; 0: what the device has",
                kind: OptionKind::Int,
                initial: "0",
            },
            PassOption {
                name: "vector-bits",
                summary: "Bits that lanes access at once; 0: lowering cuts them",
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
        summary: "Verify that calls on the way to kernels can be inlined",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |op, _| report(verify_kernel_calls::verify(op)),
    },
];

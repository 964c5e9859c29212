//! The pass registry of this package: one row a pass. `lw-opt --help` is printed from this table.
//!
//! A pass reports errors once, through diagnostics, and returns whether it succeeded. Registry, command line
//! and documentation read only its row.

pub(crate) mod cuda;
mod report;
mod schedule;
mod tensor;

pub use crate::ffi::pass::{
    DialectName, Form, OptionKind, PassOption, PassRow, PassRun, PassStatistic, register,
};

use crate::analysis::{loop_cost, require_bounds};
use crate::dialect;
use crate::ffi::pass::register_own;
use crate::ffi::transform::set_transform_apply;
use crate::ir::{Error, Op, walk};
use crate::lowering::cpu::{
    forbid_unrolling, instrument_bounds, loop_to_scf, memref_to_pointer, outline_parallel_loops,
};
use crate::lowering::emit::plan::LoweringOptions;
use crate::lowering::math::expand_math::Products;
use crate::lowering::math::{bf16_as_bits, expand_math, expand_small_floats};
use crate::optimize::kind::run_function;
use crate::optimize::r#loop::extern_call_process;
use crate::optimize::r#loop::inline_fusion_groups;
use crate::optimize::r#loop::outline_nests;
use crate::optimize::r#loop::storage_rewrite::StorageRewrite;
use crate::optimize::r#loop::{collapse_dimensions, lift_weight_transforms};
use crate::optimize::table::LOOP_PASSES;
use crate::optimize::vector::{
    form_fma, multiply_by_reciprocal, promote_buffers, rearrange_load_instruction, reduce_by_lanes,
    simplify_maxnum, transpose_in_registers, unswitch_loops,
};
use crate::pass::cuda::KERNEL_PASSES;
use crate::pass::report::{MEMORY, report};
use crate::pass::schedule::SCHEDULE_PASSES;
use crate::pass::tensor::TENSOR_PASSES;
use melior::dialect::DialectRegistry;
use mlir_sys::MlirDialectRegistry;

/// The first option of passes that create vectors.
const VECTOR_BITS: PassOption = PassOption {
    name: "vector-bits",
    summary: "The width of a vector register, in bits",
    kind: OptionKind::Int,
    initial: "512",
};

/// The value of [`VECTOR_BITS`]: a register holds at least one f64.
fn vector_bits(op: Op, run: &PassRun) -> Result<u32, ()> {
    let found = run.int(0);
    let bits = u32::try_from(found).ok().filter(|bits| bits.is_power_of_two());
    bits.filter(|bits| (64..=65536).contains(bits)).ok_or_else(|| {
        let expected = "expected a power of two from 64 to 65536";
        Error::on(op, format!("is given vector-bits {found}, {expected}")).emit();
    })
}

/// The passes that work neither on the loop dialect alone nor on kernels, by name.
const PASSES: &[PassRow] = &[
    PassRow {
        argument: "convert-loop-to-scf",
        summary: "Lower loop nests to scf, memref, vector and arith ops for a CPU",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: Some(Form::Vectors),
        options: &[
            VECTOR_BITS,
            PassOption {
                name: "require-vector",
                summary: "Report an error if a vectorized loop has no vector form",
                kind: OptionKind::Bool,
                initial: "false",
            },
        ],
        statistics: &[],
        dialects: &[
            DialectName::Amx,
            DialectName::Arith,
            DialectName::Llvm,
            DialectName::Math,
            DialectName::MemRef,
            DialectName::Scf,
            DialectName::Vector,
        ],
        run: |op, run| {
            let vector_bits = vector_bits(op, run)?;
            let options = LoweringOptions { vector_bits, require_vector: run.bool(1) };
            report(loop_to_scf::convert(op, options))
        },
    },
    PassRow {
        argument: "loop-cost",
        summary: "Print the cost of each schedule block to stderr: operations, bytes, footprints",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |module, _| report(loop_cost::print(module)),
    },
    PassRow {
        argument: "require-bounds",
        summary: "Add requirements on the sizes of a function's arguments, under which its accesses are in bounds",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[],
        run: |function, _| report(require_bounds::require_bounds(function)),
    },
    PassRow {
        argument: "instrument-bounds",
        summary: "Check the bounds of each access at run time; on an access out of bounds, report its location and end the run",
        on: "builtin.module",
        needs: Form::VECTORS,
        leaves: Some(Form::Machine),
        options: &[],
        statistics: &[],
        dialects: &[
            DialectName::Arith,
            DialectName::Llvm,
            DialectName::MemRef,
            DialectName::Scf,
            DialectName::Vector,
        ],
        run: |op, _| report(instrument_bounds::instrument(op)),
    },
    PassRow {
        argument: "promote-buffers",
        summary: "Keep accumulators of loops in SSA values, and erase private buffers that need no memory",
        on: "",
        needs: Form::CODE,
        leaves: None,
        options: &[PassOption {
            name: "remark",
            summary: "Emit a remark on each private buffer that stays in memory, with the reason",
            kind: OptionKind::Bool,
            initial: "false",
        }],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::MemRef, DialectName::Scf, DialectName::Vector],
        run: |op, run| {
            functions(op).into_iter().for_each(|it| promote_buffers::run(it, run.bool(0)));
            Ok(())
        },
    },
    PassRow {
        argument: "reduce-by-lanes",
        summary: "Vectorize a reduction of contiguous elements, with one reduction across lanes at the end",
        on: "func.func",
        needs: Form::VECTORS,
        leaves: None,
        options: &[VECTOR_BITS],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::MemRef, DialectName::Vector],
        run: |op, run| report(reduce_by_lanes::run(op, vector_bits(op, run)?.into())),
    },
    PassRow {
        argument: "transpose-in-registers",
        summary: "Replace gathers of columns by vector loads of rows and a transpose in registers",
        on: "func.func",
        needs: Form::VECTORS,
        leaves: None,
        options: &[VECTOR_BITS],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::MemRef, DialectName::Vector],
        run: |op, run| {
            transpose_in_registers::run(op, vector_bits(op, run)?.into());
            Ok(())
        },
    },
    PassRow {
        argument: "storage-rewrite",
        summary: "Let buffers that are not live together share memory",
        on: "func.func",
        needs: Form::VECTORS,
        leaves: None,
        options: &[],
        statistics: MEMORY,
        dialects: &[DialectName::Arith, DialectName::MemRef],
        run: run_function::<StorageRewrite>,
    },
    PassRow {
        argument: "inline-fusion-groups",
        summary: "Replace calls of fusion groups by the scheduled nests of these groups",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[PassOption {
            name: "all",
            summary: "Inline all calls between nests, not only those of fusion groups",
            kind: OptionKind::Bool,
            initial: "false",
        }],
        statistics: &[PassStatistic { name: "calls", summary: "Calls that were inlined" }],
        dialects: &[DialectName::Loopwright],
        run: |op, run| {
            inline_fusion_groups::run(op, run.bool(0), run);
            Ok(())
        },
    },
    PassRow {
        argument: "outline-nests",
        summary: "Outline nests as functions: equal ones, and all nests of functions that have many",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[PassOption {
            name: "all-from",
            summary: "All nests of a function are outlined if it has this number of nests or more",
            kind: OptionKind::Int,
            initial: "16",
        }],
        statistics: &[
            PassStatistic { name: "functions", summary: "Functions that were made" },
            PassStatistic { name: "calls", summary: "Nests that became calls of these functions" },
        ],
        dialects: &[DialectName::Loopwright],
        run: |op, run| {
            outline_nests::run(op, usize::try_from(run.int(0)).unwrap_or(0), run);
            Ok(())
        },
    },
    PassRow {
        argument: "collapse-dimensions",
        summary: "Make two adjacent dimensions one, if a reduction traverses them together",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[VECTOR_BITS],
        statistics: &[
            PassStatistic {
                name: "dimensions",
                summary: "Pairs of dimensions that were collapsed",
            },
            PassStatistic { name: "nests", summary: "Nests of which two loops were collapsed" },
        ],
        dialects: &[DialectName::Affine, DialectName::Arith, DialectName::Loopwright],
        run: |op, run| {
            let vector_bits = vector_bits(op, run)?.into();
            report(collapse_dimensions::run(op, run, vector_bits))
        },
    },
    PassRow {
        argument: "lift-weight-transforms",
        summary: "Compute values that depend on weights alone once, when the code is loaded",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic { name: "nests", summary: "Nests that were lifted" },
            PassStatistic { name: "globals", summary: "Globals for the results of these nests" },
        ],
        dialects: &[DialectName::Arith, DialectName::Loopwright, DialectName::MemRef],
        run: |op, run| report(lift_weight_transforms::run(op, run)),
    },
    PassRow {
        argument: "extern-call-process",
        summary: "Return the results of functions with several results through memory",
        on: "builtin.module",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic { name: "functions", summary: "Functions whose type changed" },
            PassStatistic { name: "dropped", summary: "Results that no call reads" },
        ],
        dialects: &[DialectName::Arith, DialectName::Loopwright, DialectName::MemRef],
        run: |op, run| {
            extern_call_process::run(op, run);
            Ok(())
        },
    },
    PassRow {
        argument: "rearrange-load-instruction",
        summary: "Hoist loads from global memory to the start of straight-line code",
        on: "",
        needs: Form::CODE,
        leaves: None,
        options: &[PassOption {
            name: "most-loads",
            summary: "The largest number of loads that are moved in a block",
            kind: OptionKind::Int,
            initial: "8",
        }],
        statistics: &[
            PassStatistic { name: "moved", summary: "Loads that were hoisted" },
            PassStatistic {
                name: "joined",
                summary: "Loads replaced by an earlier load of the same element",
            },
        ],
        dialects: &[],
        run: |op, run| {
            let Ok(most_loads) = usize::try_from(run.int(0)) else {
                let message = format!("is given most-loads {}, expected 0 or more", run.int(0));
                return report(Err(Error::on(op, message)));
            };
            for function in functions(op) {
                let (moved, joined) = rearrange_load_instruction::run(function, most_loads);
                run.count(0, moved);
                run.count(1, joined);
            }
            Ok(())
        },
    },
    PassRow {
        argument: "form-fma",
        summary: "Form fused multiply-adds where the function's floating-point contract allows them",
        on: "",
        needs: Form::CODE,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::Math],
        run: |op, _| report(functions(op).into_iter().try_for_each(form_fma::run)),
    },
    PassRow {
        argument: "multiply-by-reciprocal",
        summary: "Replace divisions by one number by products with its reciprocal where the function's floating-point contract allows it",
        on: "",
        needs: Form::CODE,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::Math, DialectName::Vector],
        run: |op, _| report(functions(op).into_iter().try_for_each(multiply_by_reciprocal::run)),
    },
    PassRow {
        argument: "unswitch-loops",
        summary: "Copy a loop for each number of its conditions that hold",
        on: "",
        needs: Form::CODE,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic { name: "loops", summary: "Number of loops that were copied" }],
        dialects: &[DialectName::Scf],
        run: |op, run| {
            let copied = functions(op).into_iter().map(unswitch_loops::run).sum::<usize>();
            run.count(0, copied as u64);
            Ok(())
        },
    },
    PassRow {
        argument: "simplify-maxnum",
        summary: "Replace maxnumf and minnumf of a number that is never NaN by a comparison and a selection",
        on: "",
        needs: Form::CODE,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith],
        run: |op, _| {
            functions(op).into_iter().for_each(simplify_maxnum::run);
            Ok(())
        },
    },
    PassRow {
        argument: "outline-parallel-loops",
        summary: "Outline the body of each outermost scf.parallel as a function that runs a chunk of its iterations",
        on: "builtin.module",
        needs: Form::VECTORS,
        leaves: Some(Form::Machine),
        options: &[],
        statistics: &[],
        dialects: &[
            DialectName::Arith,
            DialectName::Func,
            DialectName::Loopwright,
            DialectName::Scf,
        ],
        run: |op, _| report(outline_parallel_loops::outline(op)),
    },
    PassRow {
        argument: "convert-memref-to-pointer",
        summary: "Lower memrefs to pointers and sizes, and add C entry points for public functions",
        on: "builtin.module",
        needs: Form::MACHINE,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[
            DialectName::Amx,
            DialectName::Arith,
            DialectName::Func,
            DialectName::Llvm,
            DialectName::Scf,
        ],
        run: |op, _| report(memref_to_pointer::convert(op)),
    },
    PassRow {
        argument: "forbid-unrolling",
        summary: "Mark loops that LLVM would unroll, although the registers are full",
        on: "",
        needs: Form::MACHINE,
        leaves: None,
        options: &[
            PassOption {
                name: "vector-bits",
                summary: "The width of a vector register, in bits",
                kind: OptionKind::Int,
                initial: "512",
            },
            PassOption {
                name: "registers",
                summary: "The number of vector registers",
                kind: OptionKind::Int,
                initial: "32",
            },
        ],
        statistics: &[],
        dialects: &[DialectName::Llvm],
        run: |op, run| {
            forbid_unrolling::run(op, run.int(0).max(1), run.int(1));
            Ok(())
        },
    },
    PassRow {
        argument: "expand-small-floats",
        summary: "Expand f16 and bf16 ops so that each is rounded correctly on any processor",
        on: "",
        needs: Form::LOWERED,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::Math, DialectName::Vector],
        run: |op, _| {
            expand_small_floats::expand(op);
            Ok(())
        },
    },
    PassRow {
        argument: "bf16-as-bits",
        summary: "Represent bf16 values as 16-bit integers",
        on: "",
        needs: Form::MACHINE,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith],
        run: |op, _| {
            bf16_as_bits::convert(op);
            Ok(())
        },
    },
    PassRow {
        argument: "expand-math",
        summary: "Expand math functions to arithmetic, and ops that MLIR lowers inaccurately or not at all",
        on: "",
        needs: Form::LOWERED,
        leaves: None,
        options: &[PassOption {
            name: "fma",
            summary: "The processor has fused multiply-adds",
            kind: OptionKind::Bool,
            initial: "true",
        }],
        statistics: &[],
        dialects: &[
            DialectName::Arith,
            DialectName::Func,
            DialectName::Math,
            DialectName::Scf,
            DialectName::Vector,
        ],
        run: |op, run| {
            let products = if run.bool(0) { Products::Fused } else { Products::Rounded };
            expand_math::expand(op, products);
            Ok(())
        },
    },
];

/// The tables of passes.
const TABLES: [&[PassRow]; 5] =
    [TENSOR_PASSES, PASSES, SCHEDULE_PASSES, KERNEL_PASSES, LOOP_PASSES];

/// A pass under the name that it has in CINN.
struct PassAlias {
    name: &'static str,
    /// The pass that runs.
    of: &'static str,
    /// How that pass differs from CINN's.
    summary: &'static str,
}

/// The passes of CINN's backend whose work is done by a pass of another name here.
const ALIASES: [PassAlias; 3] = [
    PassAlias {
        name: "remove-schedule-block",
        of: "convert-loop-to-scf",
        summary: "As convert-loop-to-scf, which removes schedule blocks, and also lowers the loops around them",
    },
    PassAlias {
        name: "transform-gpu-forloop",
        of: "convert-loop-to-gpu",
        summary: "As convert-loop-to-gpu, which replaces bound loops by indices, and also outlines kernels",
    },
    PassAlias {
        name: "update-buffer-axis",
        of: "compact-buffers",
        summary: "As compact-buffers, which removes axes along which accesses are equal, and also shortens others",
    },
];

/// The rows of [`ALIASES`].
fn aliases() -> Vec<PassRow> {
    let row = |alias: &PassAlias| {
        let row = rows().find(|row| row.argument == alias.of).expect("the pass is in a table");
        PassRow { argument: alias.name, summary: alias.summary, ..*row }
    };
    ALIASES.iter().map(row).collect()
}

/// The rows of all passes except those that are schedule steps.
pub fn rows() -> impl Iterator<Item = &'static PassRow> {
    TABLES.into_iter().flatten()
}

/// Adds the dialects of this package, its transform ops, and `tm_tensor` of torch-mlir, to a registry.
pub fn register_dialects(registry: &DialectRegistry) {
    register_dialects_in(registry.to_raw());
    dialect::register_foreign_dialects_in(registry.to_raw());
}

/// Adds the dialects of this package, and its transform ops, to a registry of the C API. A program that loads the plugin
/// may have its own `tm_tensor`.
pub(crate) fn register_dialects_in(registry: MlirDialectRegistry) {
    set_transform_apply(crate::schedule::apply_in_script);
    dialect::register_dialects_in(registry);
}

/// Adds the passes to MLIR's global registry. Call it once per process.
pub(crate) fn register_passes() {
    // A tool that loads only the passes of the plugin has the dialects from a pass, which registers the C++ classes alone.
    dialect::set_verifiers();
    set_transform_apply(crate::schedule::apply_in_script);
    TABLES.into_iter().for_each(register_own);
    register_own(aliases().leak());
    register_own(crate::schedule::passes().leak());
}

/// The functions and kernels nested in an op, or the op itself if it is one.
fn functions(op: Op) -> Vec<Op> {
    let is_function = |op: &Op| op.is("func.func") || op.is("gpu.func");
    walk(op).into_iter().filter(is_function).collect()
}

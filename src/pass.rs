//! The passes of this package: one row each. `lw-opt --help` is printed from this table.
//!
//! A pass reports through diagnostics, once, and answers whether it succeeded. Its row is all that the
//! registry, the command line and the documentation know of it.

use crate::compute::{graph_to_linalg, linalg_to_loop};
use crate::ffi::pass::{DialectName, OptionKind, PassOption, PassRow, register};
use crate::ir::Error;
use crate::lowering::{
    expand_math, expand_small_floats, memref_to_pointer, outline_parallel_loops,
};
use std::sync::Once;

/// All passes, by name.
pub static PASSES: &[PassRow] = &[
    PassRow {
        argument: "convert-graph-to-linalg",
        summary: "Replace graph ops by their linalg definitions; fusion groups stay",
        on: "func.func",
        options: &[],
        dialects: &[
            DialectName::Arith,
            DialectName::Linalg,
            DialectName::Math,
            DialectName::Tensor,
        ],
        run: |op, _| report(graph_to_linalg::convert(op)),
    },
    PassRow {
        argument: "convert-linalg-to-loop",
        summary: "Turn functions on tensors into loop nests of schedule blocks over memrefs",
        on: "builtin.module",
        options: &[PassOption {
            name: "only",
            summary: "The functions to convert (default: all)",
            kind: OptionKind::StringList,
            initial: "",
        }],
        dialects: &[
            DialectName::Affine,
            DialectName::Arith,
            DialectName::Func,
            DialectName::Loopwright,
            DialectName::Math,
            DialectName::MemRef,
        ],
        run: |op, run| report(linalg_to_loop::convert(op, &run.strings(0))),
    },
    PassRow {
        argument: "outline-parallel-loops",
        summary: "Make the body of each outermost scf.parallel a function for a chunk of it",
        on: "builtin.module",
        options: &[],
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
        summary: "Make memrefs pointers and sizes, and give public functions C entry points",
        on: "builtin.module",
        options: &[],
        dialects: &[DialectName::Arith, DialectName::Func, DialectName::Llvm],
        run: |op, _| report(memref_to_pointer::convert(op)),
    },
    PassRow {
        argument: "expand-small-floats",
        summary: "Compute with f16 and bf16 so that every op is rounded correctly on any processor",
        on: "",
        options: &[],
        dialects: &[DialectName::Arith, DialectName::Math, DialectName::Vector],
        run: |op, _| {
            expand_small_floats::expand(op);
            Ok(())
        },
    },
    PassRow {
        argument: "expand-math",
        summary: "Expand math ops that MLIR lowers to LLVM inaccurately or not at all",
        on: "builtin.module",
        options: &[],
        dialects: &[DialectName::Arith, DialectName::Func, DialectName::Math, DialectName::Vector],
        run: |op, _| {
            expand_math::expand(op);
            Ok(())
        },
    },
];

/// Adds the passes to MLIR's global registry, once a process.
pub fn register_passes() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| register(PASSES));
}

fn report<'c>(outcome: Result<(), Error<'c>>) -> Result<(), ()> {
    outcome.map_err(|error: Error<'c>| error.emit())
}

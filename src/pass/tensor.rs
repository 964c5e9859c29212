//! The passes on functions on tensors: one row each.

use super::report::report;
use super::{VECTOR_BITS, vector_bits};
use crate::compute::{
    decompose_composite_ops, emulate_narrow_types, graph_to_linalg, inline_data_sized_tensors,
    inline_read_only_globals, linalg_to_loop, outline_control_flow, resolve_declared_sizes,
    split_complex,
};
use crate::ffi::pass::{
    DialectName, Form, OptionKind, PassOption, PassRow, PassRun, PassStatistic,
};
use crate::fusion::graph_fuse_ops::{self, FusionOptions};
use crate::fusion::{fold_unit_loops, outline_fusion_groups};
use crate::graph::winograd_conv2d::WinogradMachine;
use crate::graph::{
    channels_last, compensate_signed_bytes, extracts_to_operands, fold_batch_norm,
    relax_softmax_maximum, reshapes_to_groups, transpose_weights, winograd_conv2d,
};
use crate::ir::{Error, Op};

/// All passes on tensors, by the order in which the pipeline runs them.
pub(super) const TENSOR_PASSES: &[PassRow] = &[
    PassRow {
        argument: "inline-read-only-globals",
        summary: "Replace loads of an ml_program.global by its value",
        on: "builtin.module",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith],
        run: |op, _| report(inline_read_only_globals::inline(op)),
    },
    PassRow {
        argument: "split-complex",
        summary: "Replace tensors of complex numbers by tensors of their real and of their imaginary parts",
        on: "builtin.module",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[
            DialectName::Arith,
            DialectName::Linalg,
            DialectName::Math,
            DialectName::Tensor,
        ],
        run: |op, _| report(split_complex::convert(op)),
    },
    PassRow {
        argument: "outline-control-flow",
        summary: "Move the bodies of loops and branches on tensors to functions",
        on: "builtin.module",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::Func],
        run: |op, _| {
            outline_control_flow::convert(op);
            Ok(())
        },
    },
    PassRow {
        argument: "decompose-composite-ops",
        summary: "Replace each op that combines several linalg ops by these linalg ops",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[
            DialectName::Affine,
            DialectName::Arith,
            DialectName::ControlFlow,
            DialectName::Linalg,
            DialectName::Math,
            DialectName::Tensor,
        ],
        run: |op, _| report(decompose_composite_ops::convert(op)),
    },
    PassRow {
        argument: "emulate-narrow-types",
        summary: "Replace integers and floats of widths that memory does not have by wider integers",
        on: "builtin.module",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[
            DialectName::Arith,
            DialectName::Linalg,
            DialectName::Math,
            DialectName::Tensor,
        ],
        run: |op, _| report(emulate_narrow_types::convert(op)),
    },
    PassRow {
        argument: "resolve-declared-sizes",
        summary: "Replace sizes that depend on data by those that later ops declare",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::Tensor],
        run: |op, _| {
            resolve_declared_sizes::convert(op);
            Ok(())
        },
    },
    PassRow {
        argument: "reshapes-to-groups",
        summary: "Replace reshapes by ops that state which dimensions are joined and which are split",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic { name: "reshapes", summary: "Number of replaced reshapes" }],
        dialects: &[DialectName::Arith, DialectName::Tensor],
        run: |op, run| {
            run.count(0, reshapes_to_groups::convert(op) as u64);
            Ok(())
        },
    },
    PassRow {
        argument: "extracts-to-operands",
        summary: "Make tensors whose elements a linalg op extracts by the indices of its loops its operands",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic { name: "operands", summary: "Number of new operands" }],
        dialects: &[DialectName::Linalg],
        run: |op, run| {
            run.count(0, extracts_to_operands::convert(op) as u64);
            Ok(())
        },
    },
    PassRow {
        argument: "inline-data-sized-tensors",
        summary: "Compute the elements of tensors whose sizes depend on data where they are read",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::Linalg, DialectName::Scf, DialectName::Tensor],
        run: |op, _| {
            inline_data_sized_tensors::convert(op);
            Ok(())
        },
    },
    PassRow {
        argument: "convert-graph-to-linalg",
        summary: "Replace graph ops by their linalg definitions, and keep fusion groups",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[
            DialectName::Affine,
            DialectName::Arith,
            DialectName::ControlFlow,
            DialectName::Linalg,
            DialectName::Math,
            DialectName::Tensor,
        ],
        run: |op, _| report(graph_to_linalg::convert(op)),
    },
    PassRow {
        argument: "relax-softmax-maximum",
        summary: "Let the maximum of a softmax ignore NaN, which the sum of the exponentials shows anyway",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith],
        run: |op, _| report(relax_softmax_maximum::convert(op)),
    },
    PassRow {
        argument: "fold-batch-norm",
        summary: "Multiply the weights of convolutions and matrix products by the factors of batch norms that follow",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic {
            name: "folded",
            summary: "Number of products whose weights are multiplied",
        }],
        dialects: &[
            DialectName::Arith,
            DialectName::Linalg,
            DialectName::Math,
            DialectName::Tensor,
        ],
        run: |op, run| {
            run.count(0, report(fold_batch_norm::convert(op))? as u64);
            Ok(())
        },
    },
    PassRow {
        argument: "channels-last",
        summary: "Store images with their channels in the last dimension",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[PassStatistic {
            name: "products",
            summary: "Number of products whose results have their channels last now",
        }],
        dialects: &[DialectName::Linalg, DialectName::Tensor],
        run: |op, run| {
            run.count(0, channels_last::convert(op) as u64);
            Ok(())
        },
    },
    PassRow {
        argument: "transpose-weights",
        summary: "Store the weights of products in the order in which vectors of results read them",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[VECTOR_BITS],
        statistics: &[PassStatistic {
            name: "products",
            summary: "Number of products that read transposed weights",
        }],
        dialects: &[DialectName::Linalg, DialectName::Tensor],
        run: |op, run| {
            let vector_bits = vector_bits(op, run)?;
            run.count(0, transpose_weights::convert(op, vector_bits) as u64);
            Ok(())
        },
    },
    PassRow {
        argument: "winograd-conv2d",
        summary: "Compute 3 x 3 convolutions by Winograd's algorithm where it pays",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[
            VECTOR_BITS,
            PassOption {
                name: "l2-bytes",
                summary: "The capacity of the second-level cache",
                kind: OptionKind::Int,
                initial: "1048576",
            },
            PassOption {
                name: "l3-bytes",
                summary: "What a core may use of the last-level cache",
                kind: OptionKind::Int,
                initial: "33554432",
            },
        ],
        statistics: &[PassStatistic {
            name: "convolutions",
            summary: "Number of convolutions that are computed by the algorithm",
        }],
        dialects: &[DialectName::Arith, DialectName::Linalg, DialectName::Tensor],
        run: |op, run| {
            let vector_bits = vector_bits(op, run)?.into();
            let bytes = |i, name| {
                let bytes = run.int(i);
                let message = || format!("is given {name} {bytes}, expected 0 or more");
                let checked = (bytes >= 0).then_some(bytes).ok_or_else(|| Error::on(op, message()));
                report(checked)
            };
            let [l2_bytes, l3_bytes] = [bytes(1, "l2-bytes")?, bytes(2, "l3-bytes")?];
            let machine = WinogradMachine { vector_bits, l2_bytes, l3_bytes };
            run.count(0, report(winograd_conv2d::convert(op, &machine))? as u64);
            Ok(())
        },
    },
    PassRow {
        argument: "compensate-signed-bytes",
        summary: "Make the left factor of products of signed bytes unsigned, and subtract what that adds",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[DialectName::Arith, DialectName::Linalg, DialectName::Tensor],
        run: |op, _| {
            compensate_signed_bytes::convert(op);
            Ok(())
        },
    },
    PassRow {
        argument: "graph-fuse-ops",
        summary: "Form groups of ops that are computed together",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[
            PassOption {
                name: "separate-weights",
                summary: "Put no op that depends on constants alone into a group: such ops are computed once for all calls",
                kind: OptionKind::Bool,
                initial: "false",
            },
            PassOption {
                name: "explain",
                summary: "Report each group, and for each value why its reader is in the same group or not",
                kind: OptionKind::Bool,
                initial: "false",
            },
            PassOption {
                name: "why-not",
                summary: "Two ops, by line or by the name of their location: report why they are in one group or not",
                kind: OptionKind::StringList,
                initial: "",
            },
        ],
        statistics: &[
            PassStatistic { name: "groups", summary: "Groups that were formed" },
            PassStatistic { name: "ops", summary: "Ops in these groups" },
        ],
        dialects: &[
            DialectName::Affine,
            DialectName::Arith,
            DialectName::Tensor,
            DialectName::Loopwright,
        ],
        run: |op, run| report(fuse_ops(op, run)),
    },
    PassRow {
        argument: "outline-fusion-groups",
        summary: "Outline each fusion group as a private function; equal groups share one function",
        on: "builtin.module",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[
            PassStatistic { name: "functions", summary: "Functions that were made" },
            PassStatistic { name: "calls", summary: "Groups that became calls of these functions" },
        ],
        dialects: &[
            DialectName::Affine,
            DialectName::Arith,
            DialectName::ControlFlow,
            DialectName::Func,
            DialectName::Tensor,
            DialectName::Loopwright,
        ],
        run: |op, run| {
            let outlined = outline_fusion_groups::run(op);
            run.count(0, outlined.functions);
            run.count(1, outlined.calls);
            Ok(())
        },
    },
    PassRow {
        argument: "fold-unit-loops",
        summary: "Remove unit loops (loops of one iteration) from linalg ops",
        on: "func.func",
        needs: Form::TENSORS,
        leaves: None,
        options: &[],
        statistics: &[],
        dialects: &[
            DialectName::Affine,
            DialectName::Arith,
            DialectName::Linalg,
            DialectName::MemRef,
            DialectName::Tensor,
        ],
        run: |op, run| {
            fold_unit_loops::without_unit_reductions(op);
            fold_unit_loops::without_unit_dimensions(op);
            match fold_unit_loops::applies(op) {
                true => run.nested(fold_unit_loops::PIPELINE, op),
                false => Ok(()),
            }
        },
    },
    PassRow {
        argument: "convert-linalg-to-loop",
        summary: "Lower functions on tensors to loop nests of schedule blocks over memrefs",
        on: "builtin.module",
        needs: Form::TENSORS,
        leaves: Some(Form::Loops),
        options: &[
            PassOption {
                name: "only",
                summary: "The functions to convert (default: all)",
                kind: OptionKind::StringList,
                initial: "",
            },
            PassOption {
                name: "keep-assertions",
                summary: "Check assertions on values other than sizes",
                kind: OptionKind::Bool,
                initial: "false",
            },
        ],
        statistics: &[],
        dialects: &[
            DialectName::Affine,
            DialectName::Arith,
            DialectName::Func,
            DialectName::Loopwright,
            DialectName::Math,
            DialectName::MemRef,
        ],
        run: |op, run| report(linalg_to_loop::convert(op, &run.strings(0), run.bool(1))),
    },
];

/// Forms the fusion groups of a function, as the options of the pass state.
fn fuse_ops<'c>(function: Op<'c>, run: &PassRun) -> Result<(), Error<'c>> {
    let why_not = match <[String; 2]>::try_from(run.strings(2)) {
        Ok(pair) => Some(pair),
        Err(names) if names.is_empty() => None,
        Err(names) => {
            let message = format!("is given why-not={}, expected two ops", names.join(","));
            return Err(Error::on(function, message));
        }
    };
    let options = FusionOptions { separates_weights: run.bool(0), explain: run.bool(1), why_not };
    if !graph_fuse_ops::is_on_tensors(function) {
        return Ok(());
    }
    // What is computed twice is computed once.
    run.nested("cse", function).map_err(|()| Error::on(function, "cannot be simplified"))?;
    let formed = graph_fuse_ops::form_groups(function, &options)?;
    run.count(0, formed.groups);
    run.count(1, formed.ops);
    Ok(())
}

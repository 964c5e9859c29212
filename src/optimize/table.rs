//! The table of passes on the loop dialect: one row per pass, with its kind.

use super::kind::{run_blocks, run_function, run_statements, run_with};
use crate::ffi::pass::{DialectName, Form, OptionKind, PassOption, PassRow, PassStatistic};
use crate::optimize::cuda::lower_vthread::LowerVthread;
use crate::optimize::cuda::replace_cross_block_reduction::ReplaceCrossBlockReduction;
use crate::optimize::cuda::replace_cross_thread_reduction::ReplaceCrossThreadReduction;
use crate::optimize::cuda::skip_carried_barriers;
use crate::optimize::cuda::thread_sync;
use crate::optimize::r#loop::bound_dynamic_buffers::BoundDynamicBuffers;
use crate::optimize::r#loop::compact_buffers::CompactBuffers;
use crate::optimize::r#loop::double_buffer::DoubleBuffer;
use crate::optimize::r#loop::eliminate_common_factor_of_local_index::EliminateCommonFactorOfLocalIndex;
use crate::optimize::r#loop::eliminate_common_global_memory_read::EliminateCommonGlobalMemoryRead;
use crate::optimize::r#loop::eliminate_invariant_loop::EliminateInvariantLoop;
use crate::optimize::r#loop::entail_loop_condition::EntailLoopCondition;
use crate::optimize::r#loop::if_fold::IfFold;
use crate::optimize::r#loop::if_fusion::IfFusion;
use crate::optimize::r#loop::ir_simplify::IrSimplify;
use crate::optimize::r#loop::loop_partition;
use crate::optimize::r#loop::plan_allocation_location::PlanAllocationLocation;
use crate::optimize::r#loop::rewrite_unsafe_select::RewriteUnsafeSelect;
use crate::optimize::r#loop::schedule_block_dce::ScheduleBlockDce;
use crate::optimize::r#loop::software_pipeline::SoftwarePipeline;

const fn counts(name: &'static str, summary: &'static str) -> PassStatistic {
    PassStatistic { name, summary }
}

/// The dialects of which passes on the loop dialect create ops.
const DIALECTS: &[DialectName] =
    &[DialectName::Affine, DialectName::Arith, DialectName::Loopwright];

const PIPELINED: [PassStatistic; 2] = [
    counts("loops", "Loops that became pipelines"),
    counts("buffers", "Buffers that got several copies"),
];

/// All passes on the loop dialect, by name.
pub const LOOP_PASSES: &[PassRow] = &[
    PassRow {
        argument: "bound-dynamic-buffers",
        summary: "Give local and shared buffers of dynamic size a static upper bound as size",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("buffers", "Buffers of dynamic size that got a static size")],
        dialects: DIALECTS,
        run: run_function::<BoundDynamicBuffers>,
    },
    PassRow {
        argument: "compact-buffers",
        summary: "Shrink buffers to the bounding box of the elements that are live at a time",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("buffers", "Buffers that became smaller"),
            counts("dimensions", "Dimensions that became smaller"),
        ],
        dialects: DIALECTS,
        run: run_function::<CompactBuffers>,
    },
    PassRow {
        argument: "eliminate-common-factor-of-local-index",
        summary: "Divide the indices of local and shared buffers by their common factor",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("factors", "Dimensions whose indices were divided by a common factor"),
            counts("offsets", "Dimensions whose indices had an offset that was removed"),
        ],
        dialects: DIALECTS,
        run: run_function::<EliminateCommonFactorOfLocalIndex>,
    },
    PassRow {
        argument: "eliminate-common-global-memory-read",
        summary: "Load elements that several schedule blocks of a thread read from global memory only once, into a local buffer",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[PassOption {
            name: "most-cells",
            summary: "The maximal number of elements in a copy",
            kind: OptionKind::Int,
            initial: "8",
        }],
        statistics: &[
            counts("buffers", "Copies that were added"),
            counts("loads", "Loads that read a copy"),
        ],
        dialects: DIALECTS,
        run: |op, run| {
            run_with(EliminateCommonGlobalMemoryRead { most_cells: run.int(0) }, op, run)
        },
    },
    PassRow {
        argument: "double-buffer",
        summary: "Fill annotated buffers for the next iteration while the current one reads them",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &PIPELINED,
        dialects: DIALECTS,
        run: run_function::<DoubleBuffer>,
    },
    PassRow {
        argument: "eliminate-invariant-loop",
        summary: "Run the body of a loop once if the loop variable is not used",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("loops", "Loops that were removed")],
        dialects: DIALECTS,
        run: run_function::<EliminateInvariantLoop>,
    },
    PassRow {
        argument: "entail-loop-condition",
        summary: "Fold a condition on the whole body of a loop into the loop's extent, or move the condition out of the loop",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("bounds", "Conditions that became extents"),
            counts("strides", "Conditions that became strides"),
            counts("invariants", "Conditions that were hoisted out of their loop"),
        ],
        dialects: DIALECTS,
        run: run_statements::<EntailLoopCondition>,
    },
    PassRow {
        argument: "if-fold",
        summary: "Merge nested conditions, and conditions on the quotient and the remainder of one number",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("branches", "Branches merged with a nested branch"),
            counts("conditions", "Conditions merged with another one"),
        ],
        dialects: DIALECTS,
        run: run_statements::<IfFold>,
    },
    PassRow {
        argument: "if-fusion",
        summary: "Merge consecutive branches on the same condition",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("branches", "Branches merged with the next branch")],
        dialects: DIALECTS,
        run: run_blocks::<IfFusion>,
    },
    PassRow {
        argument: "ir-simplify",
        summary: "Simplify expressions, conditions, loops and branches",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("expressions", "Expressions that were simplified"),
            counts("conditions", "Conditions and extents that were removed"),
            counts("loops", "Loops of at most one iteration that were removed"),
            counts("branches", "Branches that were decided"),
        ],
        dialects: DIALECTS,
        run: run_function::<IrSimplify>,
    },
    PassRow {
        argument: "plan-allocation-location",
        summary: "Narrow the scope of a buffer to the thread or thread block that uses it",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("local", "Buffers that became local"),
            counts("shared", "Buffers that became shared"),
        ],
        dialects: DIALECTS,
        run: run_function::<PlanAllocationLocation>,
    },
    PassRow {
        argument: "rewrite-unsafe-select",
        summary: "Replace a select by a branch if the value that is not chosen may trap",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("selects", "Selects that became branches")],
        dialects: DIALECTS,
        run: run_statements::<RewriteUnsafeSelect>,
    },
    PassRow {
        argument: "loop-partition",
        summary: "Split a loop into iterations in which a guard provably holds, and iterations that must evaluate it",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[PassOption {
            name: "most-copies",
            summary: "The maximal number of copies of a schedule block, over all parts",
            kind: OptionKind::Int,
            initial: "4",
        }],
        statistics: &[
            counts("loops", "Loops that were split into two parts"),
            counts("branches", "Parallel and bound loops that got a branch"),
            counts("guards", "Guards that were removed"),
        ],
        dialects: DIALECTS,
        run: loop_partition::run,
    },
    PassRow {
        argument: "lower-vthread",
        summary: "Replace loops over virtual threads by interleaved copies of their schedule blocks",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("loops", "Loops over virtual threads that were replaced"),
            counts("copies", "Schedule blocks that were added"),
        ],
        dialects: DIALECTS,
        run: run_function::<LowerVthread>,
    },
    PassRow {
        argument: "replace-cross-block-reduction",
        summary: "Combine the partial results of cross-block reductions in a second kernel",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("reductions", "Cross-block reductions that were replaced")],
        dialects: DIALECTS,
        run: run_function::<ReplaceCrossBlockReduction>,
    },
    PassRow {
        argument: "replace-cross-thread-reduction",
        summary: "Combine the partial results of cross-thread reductions by warp shuffles, or by a tree in shared memory",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("reductions", "Cross-thread reductions that were replaced"),
            counts("buffers", "Buffers of partial results that were added"),
        ],
        dialects: DIALECTS,
        run: run_function::<ReplaceCrossThreadReduction>,
    },
    PassRow {
        argument: "schedule-block-dce",
        summary: "Erase schedule blocks whose results are not read",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("blocks", "Schedule blocks that were erased"),
            counts("buffers", "Buffers that were erased"),
        ],
        dialects: DIALECTS,
        run: run_function::<ScheduleBlockDce>,
    },
    PassRow {
        argument: "skip-carried-barriers",
        summary: "Skip barriers in the first or last iteration of their loop, if they only separate iterations",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("skipped", "Barriers that are skipped in one iteration")],
        dialects: DIALECTS,
        run: skip_carried_barriers::run,
    },
    PassRow {
        argument: "software-pipeline",
        summary: "Overlap iterations of a loop, in the stages and the order that its annotations give",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &PIPELINED,
        dialects: DIALECTS,
        run: run_function::<SoftwarePipeline>,
    },
    PassRow {
        argument: "thread-sync",
        summary: "Insert the barriers that threads need, and remove redundant ones",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[
            PassOption {
                name: "insert",
                summary: "Insert missing barriers",
                kind: OptionKind::Bool,
                initial: "true",
            },
            PassOption {
                name: "remark",
                summary: "Emit remarks on removed barriers and, if none are inserted, on races",
                kind: OptionKind::Bool,
                initial: "false",
            },
        ],
        statistics: &[
            counts("removed", "Barriers that were removed"),
            counts("inserted", "Barriers that were inserted"),
        ],
        dialects: DIALECTS,
        run: thread_sync::run,
    },
];

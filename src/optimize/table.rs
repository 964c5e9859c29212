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

const PIPELINED: [PassStatistic; 2] =
    [counts("loops", "Loops that became pipelines"), counts("buffers", "Buffers with copies")];

/// All passes on the loop dialect, by name.
pub static LOOP_PASSES: &[PassRow] = &[
    PassRow {
        argument: "bound-dynamic-buffers",
        summary: "Give buffers of threads and thread blocks a static size that is enough",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("buffers", "Buffers of dynamic size that became static")],
        dialects: DIALECTS,
        run: run_function::<BoundDynamicBuffers>,
    },
    PassRow {
        argument: "compact-buffers",
        summary: "Make buffers as large as what is in them at a time",
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
        summary: "Divide the indices of local and shared buffers by what they have in common",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("factors", "Dimensions whose indices had a common factor"),
            counts("offsets", "Dimensions whose first cells were not met"),
        ],
        dialects: DIALECTS,
        run: run_function::<EliminateCommonFactorOfLocalIndex>,
    },
    PassRow {
        argument: "eliminate-common-global-memory-read",
        summary: "Read once, to memory of the thread, what several schedule blocks read",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[PassOption {
            name: "most-cells",
            summary: "The most cells of a copy",
            kind: OptionKind::Int,
            initial: "8",
        }],
        statistics: &[
            counts("buffers", "Copies that were made"),
            counts("loads", "Loads that read a copy"),
        ],
        dialects: DIALECTS,
        run: |op, run| {
            run_with(EliminateCommonGlobalMemoryRead { most_cells: run.int(0) }, op, run)
        },
    },
    PassRow {
        argument: "double-buffer",
        summary: "Fill buffers for the next iteration while this one reads them, as annotations say",
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
        summary: "Run the body of a loop whose variable is not used once",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("loops", "Loops that went away")],
        dialects: DIALECTS,
        run: run_function::<EliminateInvariantLoop>,
    },
    PassRow {
        argument: "entail-loop-condition",
        summary: "Make a condition on all that a loop does its extent, or ask it before the loop",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("bounds", "Conditions that became extents"),
            counts("strides", "Conditions that became strides"),
            counts("invariants", "Conditions that are asked before their loop"),
        ],
        dialects: DIALECTS,
        run: run_statements::<EntailLoopCondition>,
    },
    PassRow {
        argument: "if-fold",
        summary: "Join conditions of branches in each other, and of the digits of one number",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("branches", "Branches joined with the one in them"),
            counts("conditions", "Conditions joined with another"),
        ],
        dialects: DIALECTS,
        run: run_statements::<IfFold>,
    },
    PassRow {
        argument: "if-fusion",
        summary: "Join branches on the same condition that follow each other",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("branches", "Branches joined with the one behind them")],
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
            counts("expressions", "Expressions in a shorter form"),
            counts("conditions", "Conditions and extents that went away"),
            counts("loops", "Loops of one iteration or none that went away"),
            counts("branches", "Branches that were decided"),
        ],
        dialects: DIALECTS,
        run: run_function::<IrSimplify>,
    },
    PassRow {
        argument: "plan-allocation-location",
        summary: "Give threads and thread blocks buffers of their own, where they need no common one",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("local", "Buffers that became those of a thread"),
            counts("shared", "Buffers that became those of a thread block"),
        ],
        dialects: DIALECTS,
        run: run_function::<PlanAllocationLocation>,
    },
    PassRow {
        argument: "rewrite-unsafe-select",
        summary: "Make a select a branch where the value that is not chosen may trap",
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
        summary: "Part the iterations in which guards hold from those in which they must be asked",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[PassOption {
            name: "most-copies",
            summary: "How often a schedule block may be there in all, for its parts",
            kind: OptionKind::Int,
            initial: "4",
        }],
        statistics: &[
            counts("loops", "Loops in two parts"),
            counts("branches", "Parallel and bound loops with a branch"),
            counts("guards", "Guards that went away"),
        ],
        dialects: DIALECTS,
        run: loop_partition::run,
    },
    PassRow {
        argument: "lower-vthread",
        summary: "Make the iterations of loops over virtual threads copies next to each other",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("loops", "Loops over virtual threads that went away"),
            counts("copies", "Schedule blocks that were added"),
        ],
        dialects: DIALECTS,
        run: run_function::<LowerVthread>,
    },
    PassRow {
        argument: "replace-cross-block-reduction",
        summary: "Join what thread blocks reduce together in a second kernel",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("reductions", "Reductions across thread blocks that were replaced")],
        dialects: DIALECTS,
        run: run_function::<ReplaceCrossBlockReduction>,
    },
    PassRow {
        argument: "replace-cross-thread-reduction",
        summary: "Join what threads reduce together: as lanes of warps, or by a tree in shared memory",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[
            counts("reductions", "Reductions across threads that were replaced"),
            counts("buffers", "Buffers of partial results that were added"),
        ],
        dialects: DIALECTS,
        run: run_function::<ReplaceCrossThreadReduction>,
    },
    PassRow {
        argument: "schedule-block-dce",
        summary: "Erase schedule blocks whose results nobody reads",
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
        summary: "Skip barriers that keep apart iterations of a loop where no iteration is left to keep apart",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[],
        statistics: &[counts("skipped", "Barriers that are for an iteration less")],
        dialects: DIALECTS,
        run: skip_carried_barriers::run,
    },
    PassRow {
        argument: "software-pipeline",
        summary: "Let statements of a loop work on different iterations at once, as annotations say",
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
        summary: "Put barriers where threads need them, and remove those that order nothing",
        on: "func.func",
        needs: Form::LOOPS,
        leaves: None,
        options: &[
            PassOption {
                name: "insert",
                summary: "Put barriers, too",
                kind: OptionKind::Bool,
                initial: "true",
            },
            PassOption {
                name: "remark",
                summary: "Say where barriers are removed, and what races without one",
                kind: OptionKind::Bool,
                initial: "false",
            },
        ],
        statistics: &[
            counts("removed", "Barriers that ordered nothing"),
            counts("inserted", "Barriers that were put"),
        ],
        dialects: DIALECTS,
        run: thread_sync::run,
    },
];

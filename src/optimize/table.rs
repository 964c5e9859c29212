//! The passes on the loop dialect: one row each, with the kind that it is of.

use super::eliminate_common_global_memory_read::EliminateCommonGlobalMemoryRead;
use super::eliminate_invariant_loop::EliminateInvariantLoop;
use super::entail_loop_condition::EntailLoopCondition;
use super::if_fold::IfFold;
use super::if_fusion::IfFusion;
use super::ir_simplify::IrSimplify;
use super::kind::{run_blocks, run_function, run_statements, run_with};
use super::rewrite_unsafe_select::RewriteUnsafeSelect;
use super::schedule_block_dce::ScheduleBlockDce;
use crate::ffi::pass::{DialectName, OptionKind, PassOption, PassRow, PassStatistic};

const fn counts(name: &'static str, summary: &'static str) -> PassStatistic {
    PassStatistic { name, summary }
}

/// What passes on the loop dialect create.
const DIALECTS: &[DialectName] =
    &[DialectName::Affine, DialectName::Arith, DialectName::Loopwright];

/// All passes on the loop dialect, by name.
pub static LOOP_PASSES: &[PassRow] = &[
    PassRow {
        argument: "eliminate-common-global-memory-read",
        summary: "Read once, to memory of the thread, what several schedule blocks read",
        on: "func.func",
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
        argument: "eliminate-invariant-loop",
        summary: "Run the body of a loop whose variable is not used once",
        on: "func.func",
        options: &[],
        statistics: &[counts("loops", "Loops that went away")],
        dialects: DIALECTS,
        run: run_function::<EliminateInvariantLoop>,
    },
    PassRow {
        argument: "entail-loop-condition",
        summary: "Make a condition on all that a loop does its extent",
        on: "func.func",
        options: &[],
        statistics: &[
            counts("bounds", "Conditions that became extents"),
            counts("strides", "Conditions that became strides"),
        ],
        dialects: DIALECTS,
        run: run_statements::<EntailLoopCondition>,
    },
    PassRow {
        argument: "if-fold",
        summary: "Join conditions of branches in each other, and of the digits of one number",
        on: "func.func",
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
        options: &[],
        statistics: &[counts("branches", "Branches joined with the one behind them")],
        dialects: DIALECTS,
        run: run_blocks::<IfFusion>,
    },
    PassRow {
        argument: "ir-simplify",
        summary: "Simplify expressions, conditions, loops and branches",
        on: "func.func",
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
        argument: "rewrite-unsafe-select",
        summary: "Make a select a branch where the value that is not chosen may trap",
        on: "func.func",
        options: &[],
        statistics: &[counts("selects", "Selects that became branches")],
        dialects: DIALECTS,
        run: run_statements::<RewriteUnsafeSelect>,
    },
    PassRow {
        argument: "schedule-block-dce",
        summary: "Erase schedule blocks whose results nobody reads",
        on: "func.func",
        options: &[],
        statistics: &[
            counts("blocks", "Schedule blocks that were erased"),
            counts("buffers", "Buffers that were erased"),
        ],
        dialects: DIALECTS,
        run: run_function::<ScheduleBlockDce>,
    },
];

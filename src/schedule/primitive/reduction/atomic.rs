//! `atomic`: let iterations that run at once update one cell.
//!
//! ```text
//! loop.for serial %k in 4096 { loop.block "H" { H[A[vk]] += 1 } }
//!   ->  atomic "H"
//! loop.for serial %k in 4096 { loop.block "H" attributes {loop.annotations = {atomic = true}} { H[A[vk]] += 1 } }
//! ```
//! Each update becomes one read-modify-write of memory that no other one can come between, in whatever order they
//! come. So `parallel` and `bind` accept loops over which the block reduces, and cells that are found by data, as those
//! of a histogram. Where loops run one after the other, or at once with cells of their own, updates stay plain loads and
//! stores, so nothing is lost by saying it. What else reads or writes the cells in these loops is refused as ever. See
//! [`atomic`](crate::schedule::legality::atomic) for what it costs on which processor. Where many iterations meet in few cells,
//! `rfactor` is faster: each of its iterations has a cell of its own.
//!
//! Requires
//! - (C1) a schedule block that is a leaf
//! - (C2) a reducer whose updates the contract of the function lets come in any order, so sums of floats not where it is
//!   `strict`; not `ordered`, `argmax` and `argmin`
//! - (C3) no start values in the block: [`decompose_reduction`](super::decompose_reduction) takes them out
//! - (C4) updates of single cells: one load, one op on what was loaded and one store each, under no condition in the
//!   block, which uses the buffers for nothing else; so no `welford`
//! - (C5) updates that are not atomic yet
//! - (C6) no bound loop over which the block reduces already, as threads then join what they have: `bind` comes later
//!
//! Names and handles stay. While updates meet, only steps follow in their nest that change loops and ask again, such as
//! `split`, `reorder` and `vectorize`; `unannotate` with key `atomic` takes it back before that.

use crate::dialect::annotation;
use crate::dialect::loop_op::ScheduleBlock;
use crate::dialect::reducer::update::{ATOMIC, Update};
use crate::ir::{Attribute, Type};
use crate::nest::state::State;
use crate::nest::summary::NodeId;
use crate::schedule::error::{AtomicReason, ScheduleError};
use crate::schedule::legality::{cross_thread_reduction, fp, quick};
use crate::schedule::name;
use crate::schedule::table::{BLOCK, Primitive};

pub const PRIMITIVE: Primitive = Primitive {
    name: "atomic",
    pass: "sched-atomic",
    summary: "Let iterations that run at once update one cell",
    parameters: &[BLOCK],
    apply: |state, arguments| atomic(state, arguments[0].text()).map(|()| vec![]),
};

/// Makes the updates of schedule block `target` atomic. On an error the IR is unchanged.
pub fn atomic(state: &mut State, target: &str) -> Result<(), ScheduleError> {
    let node = check(state, target)?;
    let yes = Attribute::integer(Type::integer(state.context(), 1), 1);
    annotation::set(state.op(node), ATOMIC, Some(yes));
    Ok(())
}

pub fn check(state: &State, target: &str) -> Result<NodeId, ScheduleError> {
    let summary = state.summary();
    let node = name::block(summary, target)?;
    let block = summary.as_block(node).expect("a block");
    quick::check_leaf(node, block, 1)?;
    fp::may_reorder_updates(summary, node).map_err(|reason| reason.at(node, 2))?;
    if block.has_init {
        return Err(AtomicReason::Starts(block.name.clone()).at(node, 3));
    }
    let view = ScheduleBlock::of(state.op(node)).expect("the node is a schedule block");
    Update::all(&view)
        .map_err(|why| AtomicReason::NotSingle { block: block.name.clone(), why }.at(node, 4))?;
    if block.annotations.iter().any(|key| key == ATOMIC) {
        return Err(AtomicReason::Already(block.name.clone()).at(node, 5));
    }
    match cross_thread_reduction::loops(summary, node).first() {
        Some(bound) => {
            let name = summary.as_loop(*bound).expect("a loop").name.clone();
            let reason = AtomicReason::Together { block: block.name.clone(), name };
            Err(reason.at(node, 6).note(*bound, "the loop is here"))
        }
        None => Ok(node),
    }
}

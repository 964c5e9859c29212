//! `atomic`: make the updates of a reduction atomic, so that concurrent iterations may update the same element.
//!
//! ```text
//! loop.for serial %k in 4096 { loop.block "H" { H[A[vk]] += 1 } }
//!   ->  atomic "H"
//! loop.for serial %k in 4096 { loop.block "H" attributes {loop.annotations = {atomic = true}} { H[A[vk]] += 1 } }
//! ```
//! Each update becomes one atomic read-modify-write; the updates may happen in any order. So `parallel` and `bind`
//! accept loops over which the block reduces. They also accept updates at indices that depend on data, such as the bins
//! of a histogram. If the loops are serial, or concurrent iterations update distinct elements, updates become plain
//! loads and stores, so the annotation costs nothing. Other conflicting reads and writes of these elements in the loops
//! are refused as without the annotation. [`src/schedule/legality/atomic.rs`](crate::schedule::legality::atomic) lists
//! the instructions for x86 and GPUs. If many iterations update few elements, `rfactor` is faster, because it gives
//! each iteration an element of its own.
//!
//! Requires
//! - (C1) the target is a schedule block that is a leaf
//! - (C2) the floating-point contract of the function allows the updates of the reducer in any order. This excludes
//!   sums of floats under the contract `strict`, and the reducers `ordered`, `argmax` and `argmin`
//! - (C3) the block has no start values: [`decompose_reduction`](super::decompose_reduction) moves them to a block of
//!   their own
//! - (C4) each update is of a single element: one load, one op on the loaded value and one store, under no condition in
//!   the block. The block does not access the buffers otherwise. This excludes the reducer `welford`
//! - (C5) the updates are not already atomic
//! - (C6) the block does not reduce over a bound loop, because then the threads already combine partial results: call
//!   `atomic` before `bind`
//!
//! Names and handles stay valid. If concurrent iterations may update the same element, only some later steps are
//! accepted in the nest: those that change loops and check legality again, such as `split`, `reorder` and `vectorize`.
//! If it is proved that no two concurrent iterations update the same element, `unannotate` with key `atomic` undoes
//! this step.

use crate::dialect::annotation;
use crate::dialect::loop_op::ScheduleBlock;
use crate::dialect::reducer::update::{ATOMIC, Update};
use crate::ir::{Attribute, Type};
use crate::nest::facts::cross_thread_reduction;
use crate::nest::state::State;
use crate::nest::summary::NodeId;
use crate::schedule::error::{AtomicReason, ScheduleError};
use crate::schedule::legality::{fp, quick};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Make updates atomic, so that concurrent iterations may update the same element"
    atomic(block: Block) -> ();
    |state| atomic(state, block)
}

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

//! Whether the updates of a reduction may be reordered, or split into partial results.

use crate::analysis::digits;
use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::{Combiner, IterRole};
use crate::ir::affine::Expr;
use crate::nest::facts::tolerance::rounding;
use crate::nest::summary::{BufferId, NodeId, Summary};

/// The order of the updates of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateOrder {
    /// Any order gives a result that the contract of the function allows.
    Free,
    /// Only the contract of the function forbids another order, because of this combiner.
    Strict(Combiner),
    /// Another order is never allowed; the text says why.
    Fixed(&'static str),
}

/// The order of the updates that a block makes to one element. It does not say whether they may run
/// concurrently.
pub fn update_order(summary: &Summary, node: NodeId) -> UpdateOrder {
    let block = summary.as_block(node).expect("a block");
    let Some(combiners) = &block.reducer else {
        return UpdateOrder::Fixed("it is bound to a reduce iter, and there is no reducer");
    };
    if combiners.contains(&Combiner::Ordered) {
        return UpdateOrder::Fixed("its reducer is ordered");
    }
    let is_arg_reduction = |c: &&Combiner| matches!(c, Combiner::ArgMax | Combiner::ArgMin);
    if let Some(combiner) = combiners.iter().find(is_arg_reduction).copied() {
        if !block.arg_reduction.as_ref().is_some_and(|update| update.breaks_ties) {
            return UpdateOrder::Fixed("its reducer keeps the first of equal values");
        }
        let is_strict = summary.contract == Contract::Strict;
        return match is_strict && !determines_instances(summary, node) {
            true => UpdateOrder::Strict(combiner),
            false => UpdateOrder::Free,
        };
    }
    match rounding(summary, block).filter(|_| summary.contract == Contract::Strict) {
        Some(combiner) => UpdateOrder::Strict(combiner),
        None => UpdateOrder::Free,
    }
}

/// For a block that breaks ties: true if two instances of a point with equal values and equal index have
/// the same bits. The question arises for floats, because 0 and -0 are equal. An index that determines the
/// reduce iters belongs to one instance only. An index that is loaded does too if a reduction of this kind
/// stored it to a local buffer of the function.
fn determines_instances(summary: &Summary, id: NodeId) -> bool {
    let block = summary.as_block(id).expect("a block");
    let Some(update) = &block.arg_reduction else { return false };
    if !update.of_floats {
        return true;
    }
    match (&update.index, update.index_from) {
        (Some(index), _) => block.iters.iter().all(|iter| {
            let one = iter.domain.iter().filter_map(Expr::constant).min();
            iter.role != IterRole::Reduce
                || one.is_some_and(|domain| domain <= 1)
                || digits::determines(
                    std::slice::from_ref(index),
                    iter.variable.index(),
                    summary,
                    &[],
                )
        }),
        (None, Some(buffer)) => is_found(summary, buffer, &mut vec![]),
        (None, None) => false,
    }
}

/// True if a buffer holds only indices that such reductions stored, or copies of them.
fn is_found(summary: &Summary, buffer: BufferId, seen: &mut Vec<BufferId>) -> bool {
    if summary.buffers[buffer].scope.is_none() || summary.buffers[buffer].escapes {
        return false;
    }
    if seen.contains(&buffer) {
        return true;
    }
    seen.push(buffer);
    let writers = summary.blocks().filter(|(_, block)| block.written().contains(&buffer));
    writers.into_iter().all(|(_, block)| {
        block.arg_reduction.is_some()
            || block.loads().all(|load| is_found(summary, load.buffer, seen))
    })
}

//! The floating-point contract: which reorderings of reductions it allows. How far results may then differ is
//! computed by [`tolerance`](crate::nest::facts::tolerance).
//!
//! A primitive that reorders the updates of an element, or splits them into partial results, asks
//! [`may_reorder_updates`]. Combiners that give the same bits in any order are free in every contract:
//!
//! | combiner | integers | floats |
//! |---|---|---|
//! | add, mul | exact, modulo 2^n | rounded: not in `strict` |
//! | max, min | exact | exact: +0 is above -0, and NaN wins |
//! | maxnum, minnum | - | processors keep either of +0 and -0: not in `strict` |
//! | and, or, xor, maxu, minu | exact | - |
//! | welford | - | rounded: not in `strict` |
//! | argmax, argmin | exact if ties are broken by the index; the first of equal values: in no contract | the same |
//! | ordered | in no contract | the same |
//!
//! No contract covers the payload of a NaN.

use crate::nest::facts::update_order::{UpdateOrder, update_order};
use crate::nest::summary::{NodeId, Summary};
use crate::schedule::error::Reason;

/// Checks that the updates of one element may be reordered, or split into partial results. It does not
/// check whether they may run concurrently.
///
/// # Errors
/// [`Reason::Strict`] if only the function's contract forbids it, otherwise [`Reason::UpdateOrder`].
pub fn may_reorder_updates(summary: &Summary, node: NodeId) -> Result<(), Reason> {
    let block = || summary.as_block(node).expect("a block").name.clone();
    match update_order(summary, node) {
        UpdateOrder::Free => Ok(()),
        UpdateOrder::Strict(combiner) => Err(Reason::Strict { block: block(), combiner }),
        UpdateOrder::Fixed(why) => Err(Reason::UpdateOrder { block: block(), why }),
    }
}

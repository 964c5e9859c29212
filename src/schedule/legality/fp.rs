//! What the floating-point contract of a function allows a schedule, and how far results may then differ.
//!
//! A primitive that changes the order in which instances update one cell, or joins them in parts, asks
//! [`may_reorder_updates`]. Free in every contract are the combiners that give the same bits in any order:
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
//! The payload of a NaN is nobody's promise.
//!
//! **How far.** Let a sum be over n terms x, in any order and any parts, in floats of unit roundoff u. Each
//! term passes through at most n - 1 roundings (n with a start value), each of which is a factor 1 + d with
//! |d| <= u. So a computed sum is off the exact one by at most g(n) * sum|x| where g(n) = n u / (1 - n u),
//! and two computed ones are at most 2 g(n) * sum|x| apart. A product of n factors is the exact one times
//! (1 + d)^n, so two computed ones are at most 2 g(n) * |product| apart, unless something on the way
//! underflows or overflows. With several reductions in a row the factors multiply: n is the sum of their
//! lengths. [`tolerance`] gives n.
//!
//! **Means.** Let X be the largest of n values |x|. One more value moves the mean by d / n with |d| <= 2X, which is three
//! roundings, and an error that it had becomes smaller; joining parts is six such. So a computed mean is off by at most
//! 8 n u X. The term d (x - mean) of the squares, at most 4X^2, is off by 8 n u X in both its factors and by three
//! roundings, and n such terms are added: 64 n^2 u X^2 bounds that. This is what 8 n terms of a sum are said to be off by,
//! where no term exceeds X^2. The count is exact up to 1 / u.
//! Infinite values and NaNs make squares NaN, and the mean NaN or, if they come last, infinite.

use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::{Combiner, IterRole};
use crate::ir::affine::Expr;
use crate::nest::summary::{Block, NodeId, Summary};
use crate::schedule::error::Reason;
use crate::schedule::legality::arg_reduction;

/// How far the results of a function may differ between two schedules of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// Not at all, but for the payload of NaNs.
    Bitwise,
    /// By what reassociated sums of that many terms may: see [`bound`](Tolerance::bound). At the maximum of
    /// the type the number is not known.
    Reassociated { terms: u64 },
    /// The same, of a function that reduces to means: of infinite values it leaves what is infinite or NaN, as the
    /// order decides.
    Means { terms: u64 },
}

impl Tolerance {
    /// The bound as a factor of the sum of the absolute values of the terms, for floats of a unit roundoff
    /// (2^-24 for f32). Infinite where the terms are too many, or not known.
    pub fn bound(self, unit_roundoff: f64) -> f64 {
        match self {
            Tolerance::Bitwise => 0.0,
            Tolerance::Reassociated { terms } | Tolerance::Means { terms } => {
                let n = terms as f64 * unit_roundoff;
                if n < 1.0 { 2.0 * n / (1.0 - n) } else { f64::INFINITY }
            }
        }
    }
}

/// May the instances of a reduction that update one cell do so in another order, or in parts that are
/// joined later? Asks nothing else: whether they may run at once, say.
///
/// # Errors
/// [`Reason::Strict`] if only the function's contract is against it, otherwise [`Reason::UpdateOrder`].
pub fn may_reorder_updates(summary: &Summary, node: NodeId) -> Result<(), Reason> {
    let block = summary.as_block(node).expect("a block");
    let never = |why| Err(Reason::UpdateOrder { block: block.name.clone(), why });
    let Some(combiners) = &block.reducer else {
        return never("it is bound to a reduce iter, and there is no reducer");
    };
    if combiners.contains(&Combiner::Ordered) {
        return never("its reducer is ordered");
    }
    let is_extreme = |c: &&Combiner| matches!(c, Combiner::ArgMax | Combiner::ArgMin);
    if let Some(combiner) = combiners.iter().find(is_extreme).copied() {
        if !block.extreme.as_ref().is_some_and(|extreme| extreme.breaks_ties) {
            return never("its reducer keeps the first of equal values");
        }
        if summary.contract == Contract::Strict && !arg_reduction::tells_instances(summary, node) {
            return Err(Reason::Strict { block: block.name.clone(), combiner });
        }
        return Ok(());
    }
    if summary.contract != Contract::Strict {
        return Ok(());
    }
    match rounding(summary, block) {
        Some(combiner) => Err(Reason::Strict { block: block.name.clone(), combiner }),
        None => Ok(()),
    }
}

/// How far the results may differ, where the sizes that the summary does not know are not known.
pub fn tolerance(summary: &Summary) -> Tolerance {
    tolerance_for(summary, &|_| None)
}

/// How far the results may differ for the given sizes, by their numbers in the summary.
pub fn tolerance_for(summary: &Summary, size: &dyn Fn(usize) -> Option<i64>) -> Tolerance {
    if summary.contract == Contract::Strict {
        return Tolerance::Bitwise;
    }
    let (mut terms, mut means) = (0_u64, false);
    for (_, block) in summary.blocks() {
        if block.reducer.is_some() && rounding(summary, block).is_some() {
            // The start value is a term, too.
            let length = length(summary, block, size).map_or(u64::MAX, |n| n.saturating_add(1));
            let length = if has_welford(block) { length.saturating_mul(8) } else { length };
            means |= has_welford(block);
            terms = terms.saturating_add(length);
        }
    }
    match terms {
        0 => Tolerance::Bitwise,
        terms if means => Tolerance::Means { terms },
        terms => Tolerance::Reassociated { terms },
    }
}

fn has_welford(block: &Block) -> bool {
    block.reducer.iter().flatten().any(|c| *c == Combiner::Welford)
}

/// The first combiner of a reduction whose result depends on the order.
fn rounding(summary: &Summary, block: &Block) -> Option<Combiner> {
    let is_float = block.stores().any(|store| summary.buffers[store.buffer].is_float);
    let rounds = |c: &Combiner| {
        let of_values = matches!(c, Combiner::Add | Combiner::Mul | Combiner::Welford);
        of_values || matches!(c, Combiner::MaxNum | Combiner::MinNum)
    };
    block.reducer.iter().flatten().copied().find(|c| is_float && rounds(c))
}

/// How many instances update one cell.
fn length(summary: &Summary, block: &Block, size: &dyn Fn(usize) -> Option<i64>) -> Option<u64> {
    let symbol = |i: usize| {
        let known = summary.sizes[i].or_else(|| size(i));
        known.map_or(Expr::Symbol(i), Expr::Constant)
    };
    let domain = |bounds: &[Expr]| {
        let known = |e: &Expr| e.substitute(&Expr::Dim, &symbol).simplified().constant();
        bounds.iter().filter_map(known).min()
    };
    let reduce = block.iters.iter().filter(|iter| iter.role == IterRole::Reduce);
    reduce
        .map(|iter| domain(&iter.domain))
        .try_fold(1u64, |product, d| Some(product.saturating_mul(u64::try_from(d?.max(0)).ok()?)))
}

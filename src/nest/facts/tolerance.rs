//! How far the results of two schedules of a function may differ under its floating-point contract.
//!
//! **Error of sums.** Take a sum of n terms x, in any order and any parts, in floats of unit roundoff u.
//! Each term passes through at most n - 1 roundings (n with a start value), each of which is a factor 1 + d
//! with |d| <= u. So a computed sum differs from the exact one by at most g(n) * sum|x|, where g(n) = n u /
//! (1 - n u), and two computed sums differ by at most 2 g(n) * sum|x|. A product of n factors is the exact
//! one times (1 + d)^n, so two computed products differ by at most 2 g(n) * |product|, unless an
//! intermediate result underflows or overflows. For several consecutive reductions the factors multiply: n
//! is the sum of their lengths. [`tolerance`] returns n.
//!
//! **Error of means.** Let X be the largest of n values |x|. One more value moves the mean by d / n with
//! |d| <= 2X. This takes three roundings, and an earlier error becomes smaller; merging partial results
//! takes six roundings. So a computed mean differs from the exact one by at most 8 n u X. The term d (x -
//! mean) of the squares is at most 4X^2. It has an error of 8 n u X in both factors and three roundings,
//! and n such terms are added: 64 n^2 u X^2 bounds the total. This equals the error of a sum of 8 n terms,
//! none of which exceeds X^2. The count is exact up to 1 / u. Infinite values and NaNs make the squares
//! NaN. They make the mean NaN or, if they come last, infinite.

use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::{Combiner, IterRole};
use crate::ir::affine::Expr;
use crate::nest::summary::{Block, Summary};

/// How far the results of two schedules of a function may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// Not at all, except in the payload of NaNs.
    Bitwise,
    /// As far as reassociated sums of this many terms may: see [`bound`](Tolerance::bound). The maximum of
    /// the type means that the number is not known.
    Reassociated {
        /// The number of terms of a result.
        terms: u64,
    },
    /// As `Reassociated`, for a function that reduces to means: with infinite values, a result may be
    /// infinite or NaN, depending on the order.
    Means {
        /// The number of terms of a result.
        terms: u64,
    },
}

impl Tolerance {
    /// The bound as a factor of the sum of the terms' absolute values, for floats with a given unit
    /// roundoff (2^-24 for f32). Infinite if there are too many terms, or if their number is not known.
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

/// How far results may differ, with the sizes that are constants in the summary.
pub fn tolerance(summary: &Summary) -> Tolerance {
    tolerance_for(summary, &|_| None)
}

/// How far results may differ for the given sizes, which are numbered as in the summary.
pub fn tolerance_for(summary: &Summary, size: &dyn Fn(usize) -> Option<i64>) -> Tolerance {
    if summary.contract == Contract::Strict {
        return Tolerance::Bitwise;
    }
    let (mut terms, mut means) = (0_u64, false);
    for (_, block) in summary.blocks() {
        if block.reducer.is_some() && rounding(summary, block).is_some() {
            // The start value counts as a term.
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
pub(crate) fn rounding(summary: &Summary, block: &Block) -> Option<Combiner> {
    let is_float = block.stores().any(|store| summary.buffers[store.buffer].is_float);
    let rounds = |c: &Combiner| {
        let of_values = matches!(c, Combiner::Add | Combiner::Mul | Combiner::Welford);
        of_values || matches!(c, Combiner::MaxNum | Combiner::MinNum)
    };
    block.reducer.iter().flatten().copied().find(|c| is_float && rounds(c))
}

/// The number of instances that update one element.
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

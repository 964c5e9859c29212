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
//! | argmax, argmin | keep the first of equal values: in no contract | the same |
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

use super::error::Reason;
use super::summary::{Block, NodeId, Summary};
use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::{Combiner, IterRole};
use crate::ir::affine::Expr;

/// How far the results of a function may differ between two schedules of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// Not at all, but for the payload of NaNs.
    Bitwise,
    /// By what reassociated sums of that many terms may: see [`bound`](Tolerance::bound). At the maximum of
    /// the type the number is not known.
    Reassociated { terms: u64 },
}

impl Tolerance {
    /// The bound as a factor of the sum of the absolute values of the terms, for floats of a unit roundoff
    /// (2^-24 for f32). Infinite where the terms are too many, or not known.
    pub fn bound(self, unit_roundoff: f64) -> f64 {
        match self {
            Tolerance::Bitwise => 0.0,
            Tolerance::Reassociated { terms } => {
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
    if combiners.iter().any(|c| matches!(c, Combiner::ArgMax | Combiner::ArgMin)) {
        return never("its reducer keeps the first of equal values");
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
    let mut terms: u64 = 0;
    for (_, block) in summary.blocks() {
        if block.reducer.is_some() && rounding(summary, block).is_some() {
            // The start value is a term, too.
            let length = length(summary, block, size).map_or(u64::MAX, |n| n.saturating_add(1));
            terms = terms.saturating_add(length);
        }
    }
    if terms == 0 { Tolerance::Bitwise } else { Tolerance::Reassociated { terms } }
}

/// The first combiner of a reduction whose result depends on the order.
fn rounding(summary: &Summary, block: &Block) -> Option<Combiner> {
    let is_float = block.stores().any(|store| summary.buffers[store.buffer].is_float);
    let rounds = |c: &Combiner| {
        matches!(c, Combiner::Add | Combiner::Mul | Combiner::MaxNum | Combiner::MinNum)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Op, top};
    use crate::schedule::State;
    use crate::schedule::rewriter::Direct;
    use melior::ir::Module;

    /// The summary of a sum over 6 x n values by `op`, in a function of that contract.
    fn with_summary(
        contract: &str,
        ty: &str,
        (word, op, identity): (&str, &str, &str),
        check: &dyn Fn(&Summary),
    ) {
        let text = format!(
            "func.func @main(%A: memref<6x?x{ty}>, %B: memref<1x{ty}>) attributes {{loop.fp = \"{contract}\"}} {{
               %c1 = arith.constant 1 : index
               %n = memref.dim %A, %c1 : memref<6x?x{ty}>
               loop.for serial %i in 6 {{ loop.for serial %j in %n {{
                 loop.block \"B\" [%vi: reduce 6, %vj: reduce %n] = (%i, %j)
                     reads(%A[%vi : 1, %vj : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer({word}, {identity}) {{
                   %c0 = arith.constant 0 : index
                   %a = memref.load %A[%vi, %vj] : memref<6x?x{ty}>
                   %b = memref.load %B[%c0] : memref<1x{ty}>
                   %s = {op} %b, %a : {ty}
                   memref.store %s, %B[%c0] : memref<1x{ty}>
                 }}
               }} }}
               return
             }}"
        );
        let context = crate::pipeline::context();
        let module = Module::parse(&context, &text).expect("it parses");
        let functions: Vec<Op> = top(&module).body(0).expect("a module").ops();
        let state = State::new(functions[0], Box::new(Direct)).map_err(|e| e.message);
        check(state.expect("it is valid").summary());
    }

    const SUM: (&str, &str, &str) = ("add", "arith.addf", "0.0");
    const MAXIMUM: (&str, &str, &str) = ("max", "arith.maximumf", "0xFF800000");
    const MAXNUM: (&str, &str, &str) = ("maxnum", "arith.maxnumf", "0xFF800000");

    fn is_free(contract: &str, ty: &str, by: (&str, &str, &str)) -> bool {
        let free = std::cell::Cell::new(false);
        with_summary(contract, ty, by, &|summary| {
            let (node, _) = summary.blocks().next().expect("a block");
            free.set(may_reorder_updates(summary, node).is_ok());
        });
        free.get()
    }

    #[test]
    fn order_is_free_by_contract_and_combiner() {
        assert!(!is_free("strict", "f32", SUM));
        assert!(is_free("reassoc", "f32", SUM));
        assert!(is_free("fast", "f32", SUM));
        assert!(is_free("strict", "f32", MAXIMUM));
        assert!(!is_free("strict", "f32", MAXNUM));
        assert!(is_free("reassoc", "f32", MAXNUM));
        assert!(is_free("strict", "i32", ("add", "arith.addi", "0")));
    }

    #[test]
    fn the_tolerance_is_the_length_of_the_sums() {
        let terms = |terms| Tolerance::Reassociated { terms };
        with_summary("strict", "f32", SUM, &|s| assert_eq!(tolerance(s), Tolerance::Bitwise));
        with_summary("fast", "f32", MAXIMUM, &|s| assert_eq!(tolerance(s), Tolerance::Bitwise));
        with_summary("reassoc", "f32", SUM, &|s| {
            assert_eq!(tolerance(s), terms(u64::MAX), "n is not known");
            assert_eq!(tolerance_for(s, &|_| Some(5)), terms(31));
            assert_eq!(tolerance_for(s, &|_| Some(0)), terms(1));
        });
    }

    #[test]
    fn the_bound_grows_with_the_terms() {
        let unit = 2f64.powi(-24);
        assert_eq!(Tolerance::Bitwise.bound(unit), 0.0);
        let bound = Tolerance::Reassociated { terms: 1000 }.bound(unit);
        assert!(bound > 2000.0 * unit && bound < 2001.0 * unit, "{bound}");
        assert_eq!(Tolerance::Reassociated { terms: u64::MAX }.bound(unit), f64::INFINITY);
    }
}

//! Division by sizes, which may be 0: proves that quotients and remainders are defined.
//!
//! A loop of `n * m` iterations, fused from two loops, is bound to `f floordiv m`. If `m` is 0, the loop
//! does not run, so nothing is divided. The same must hold wherever such an expression is moved to.

use crate::analysis::span;
use crate::ir::affine::{BinaryKind, Expr, Linear};
use crate::nest::summary::{NodeId, Summary};

/// True if an expression never divides by 0 when it is evaluated in an iteration of loop `at` or, if `at`
/// is not a loop, whenever the node runs.
pub fn is_defined(summary: &Summary, at: NodeId, expr: &Expr) -> bool {
    let Expr::Binary(kind, left, right) = expr else { return true };
    let divides = matches!(kind, BinaryKind::FloorDiv | BinaryKind::CeilDiv | BinaryKind::Mod);
    is_defined(summary, at, left)
        && is_defined(summary, at, right)
        && (!divides || right.factors().iter().all(|factor| is_positive(summary, at, factor)))
}

/// A size less a number, such as that of the results of a window: the size and the number, if the number is small.
fn size_less(expr: &Expr) -> Option<(usize, i64)> {
    const MOST: i64 = 64;
    let Linear { terms, constant } = Linear::of(expr);
    let mut terms = terms.iter();
    match (terms.next(), terms.next(), -constant) {
        (Some((Expr::Symbol(size), 1)), None, less @ 0..=MOST) => Some((*size, less)),
        _ => None,
    }
}

fn is_positive(summary: &Summary, at: NodeId, factor: &Expr) -> bool {
    let is_above_0 = |(low, _): (i64, i64)| low.is_positive();
    let less = factor.clone() - 1.into();
    if factor.interval(&|leaf| summary.interval(leaf)).is_some_and(is_above_0)
        || span::never_negative(&less, &|_| vec![])
    {
        return true;
    }
    // A loop whose extent is 0 where the factor is not positive does not run there, so the factor is positive inside.
    let is_empty_without = |extent: &Expr| match size_less(factor) {
        Some((size, less)) => (0..=less).all(|value| {
            let at = |i: usize| if i == size { value.into() } else { Expr::Symbol(i) };
            let extent = extent.substitute(&Expr::Dim, &at).simplified();
            span::never_negative(&(Expr::from(0) - extent), &|_| vec![])
        }),
        None => span::never_negative(factor, &|_| vec![]) && extent.factors().contains(factor),
    };
    let mut around = std::iter::once(at).chain(summary.loops_around(at));
    around.any(|node| summary.as_loop(node).is_some_and(|l| l.extent.iter().any(is_empty_without)))
}

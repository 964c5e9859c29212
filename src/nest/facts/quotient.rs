//! Division by sizes, which may be 0: proves that quotients and remainders are defined.
//!
//! A loop of `n * m` iterations, fused from two loops, is bound to `f floordiv m`. If `m` is 0, the loop
//! does not run, so nothing is divided. The same must hold wherever such an expression is moved to.

use crate::analysis::span;
use crate::ir::affine::{BinaryKind, Expr};
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

fn is_positive(summary: &Summary, at: NodeId, factor: &Expr) -> bool {
    let is_above_0 = |(low, _): (i64, i64)| low.is_positive();
    if factor.interval(&|leaf| summary.interval(leaf)).is_some_and(is_above_0) {
        return true;
    }
    // A loop whose extent is 0 for factor 0 does not run, so the factor is positive inside.
    let is_empty_without = |extent: &Expr| match factor {
        Expr::Symbol(size) => {
            let without = |i: usize| if i == *size { 0.into() } else { Expr::Symbol(i) };
            let extent = extent.substitute(&Expr::Dim, &without).simplified();
            extent.constant().is_some_and(|extent| !extent.is_positive())
        }
        _ => span::never_negative(factor, &|_| vec![]) && extent.factors().contains(factor),
    };
    let mut around = std::iter::once(at).chain(summary.loops_around(at));
    around.any(|node| summary.as_loop(node).is_some_and(|l| l.extent.iter().any(is_empty_without)))
}

//! Ranges of index expressions while some variables run and the others are fixed, and the bounding boxes of
//! accesses that follow from them.
//!
//! ```text
//! v * 2 + o, v in [0, n), o is fixed:  [o, o + 2 * n - 2]
//! v floordiv 4, v in [0, 4 * n):       [0, n - 1]
//! ```
//! A box contains all accessed elements; it may contain more.

use crate::ir::affine::{BinaryKind, Expr, Linear};
use crate::nest::summary::{NodeId, Summary, Variable, VariableId};

/// The values from `low` to `high`, both included; empty if `high` is less than `low`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: Expr,
    pub high: Expr,
}

/// How a variable varies.
pub enum Motion {
    Still,
    /// From 0 on, with this extent.
    Runs(Expr),
    Unknown,
}

impl Range {
    /// The number of values.
    pub fn extent(&self) -> Expr {
        (self.high.clone() - self.low.clone() + 1.into()).simplified()
    }

    /// The smallest range that contains both; `None` if their ends cannot be compared.
    pub fn union(&self, other: &Range) -> Option<Range> {
        let first =
            |a: &Expr, b: &Expr| difference(a, b).map(|d| if d <= 0 { a } else { b }.clone());
        let last =
            |a: &Expr, b: &Expr| difference(a, b).map(|d| if d >= 0 { a } else { b }.clone());
        Some(Range { low: first(&self.low, &other.low)?, high: last(&self.high, &other.high)? })
    }
}

/// `a - b`, if it is a constant.
pub fn difference(a: &Expr, b: &Expr) -> Option<i64> {
    (a.clone() - b.clone()).constant()
}

/// True if `a >= b` is proved for all values of sizes and variables.
pub fn at_least(summary: &Summary, a: &Expr, b: &Expr) -> bool {
    let lowest = |expr: &Expr| {
        let interval = expr.interval(&|leaf| summary.interval(leaf));
        interval.is_some_and(|(low, _)| low >= 0)
    };
    let rest = (a.clone() - b.clone()).simplified();
    // f * (x ceildiv f) is at least x.
    let mut linear = Linear::of(&rest);
    for (atom, coefficient) in linear.terms.clone() {
        if let Expr::Binary(BinaryKind::CeilDiv, x, divisor) = &atom
            && divisor.constant() == Some(coefficient)
        {
            linear.terms.remove(&atom);
            linear = Linear::of(&(linear.to_expr() + (**x).clone()));
        }
    }
    lowest(&rest) || lowest(&linear.to_expr())
}

/// The range of an expression; its ends contain only fixed variables. Where [`span::hull`](crate::analysis::span::hull)
/// states a low end and a width, which must not be negative, this states both ends of expressions of any sign.
pub fn range(expr: &Expr, motion: &dyn Fn(VariableId) -> Motion) -> Option<Range> {
    let linear = Linear::of(&expr.simplified());
    let mut low = Expr::Constant(linear.constant);
    let mut high = low.clone();
    for (atom, coefficient) in &linear.terms {
        let part = range_of_atom(atom, motion)?;
        let (first, last) =
            if coefficient.is_negative() { (part.high, part.low) } else { (part.low, part.high) };
        low = low + first * (*coefficient).into();
        high = high + last * (*coefficient).into();
    }
    let range = Range { low: low.simplified(), high: high.simplified() };
    (!moves(&range.low, motion) && !moves(&range.high, motion)).then_some(range)
}

fn moves(expr: &Expr, motion: &dyn Fn(VariableId) -> Motion) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Dim(variable) = leaf {
            found |= !matches!(motion(VariableId::of_dim(*variable)), Motion::Still);
        }
    });
    found
}

fn range_of_atom(atom: &Expr, motion: &dyn Fn(VariableId) -> Motion) -> Option<Range> {
    if !moves(atom, motion) {
        return Some(Range { low: atom.clone(), high: atom.clone() });
    }
    match atom {
        Expr::Dim(variable) => match motion(VariableId::of_dim(*variable)) {
            Motion::Runs(extent) => {
                Some(Range { low: 0.into(), high: (extent - 1.into()).simplified() })
            }
            _ => None,
        },
        Expr::Binary(kind, x, divisor) if !moves(divisor, motion) => match kind {
            BinaryKind::Mod => {
                let all = Range { low: 0.into(), high: (**divisor).clone() - 1.into() };
                let ends = range(x, motion).and_then(|x| x.low.constant().zip(x.high.constant()));
                Some(match (ends, divisor.constant()) {
                    (Some((low, high)), Some(n))
                        if n.is_positive() && low.div_euclid(n) == high.div_euclid(n) =>
                    {
                        Range { low: low.rem_euclid(n).into(), high: high.rem_euclid(n).into() }
                    }
                    _ => all,
                })
            }
            BinaryKind::FloorDiv => {
                let x = range(x, motion)?;
                let low = x.low.floor_div((**divisor).clone()).simplified();
                let high = match (x.high.clone() + 1.into()).exact_quotient(divisor) {
                    Some(quotient) => quotient - 1.into(),
                    None => x.high.floor_div((**divisor).clone()),
                };
                Some(Range { low, high: high.simplified() })
            }
            _ => None,
        },
        _ => None,
    }
}

/// The range of a leaf's index over the whole function: the leaf's iters, and those of enclosing schedule
/// blocks, run through their domains.
pub fn over_domains(summary: &Summary, index: &Expr) -> Option<Range> {
    range(index, &|variable| match summary.variables[variable] {
        Variable::Loop(_) => Motion::Unknown,
        Variable::Iter(node, i) => bound(&summary.as_block(node).expect("a block").iters[i].domain),
    })
}

/// The range of a leaf's index in one iteration of `parent` and of the loops around it: only loops inside
/// `parent` run.
pub fn inside(summary: &Summary, parent: NodeId, index: &Expr) -> Option<Range> {
    let index = summary.over_loops_under(parent, index);
    range(&index, &|variable| motion_inside(summary, parent, variable))
}

/// As [`inside`], once for each of the bounds that the extent of a loop has. All of these ranges hold.
pub fn inside_each(summary: &Summary, parent: NodeId, index: &Expr) -> Vec<Range> {
    let index = summary.over_loops_under(parent, index);
    let bounds = |variable: VariableId| match summary.variables[variable] {
        Variable::Loop(node) if summary.is_under(node, parent) => {
            &summary.as_loop(node).expect("a loop").extent[..]
        }
        _ => &[],
    };
    let mut count = 1;
    index.visit_leaves(&mut |leaf| {
        if let Expr::Dim(variable) = leaf {
            count = count.max(bounds(VariableId::of_dim(*variable)).len());
        }
    });
    let nth = |n: usize| {
        range(&index, &|variable| match bounds(variable) {
            [] => motion_inside(summary, parent, variable),
            bounds => Motion::Runs(bounds[n.min(bounds.len() - 1)].clone()),
        })
    };
    (0..count).filter_map(nth).collect()
}

/// How a variable varies in one iteration of `parent`.
pub fn motion_inside(summary: &Summary, parent: NodeId, variable: VariableId) -> Motion {
    match summary.variables[variable] {
        Variable::Loop(node) if summary.is_under(node, parent) => {
            bound(&summary.as_loop(node).expect("a loop").extent)
        }
        Variable::Iter(node, _) if summary.is_under(node, parent) => Motion::Unknown,
        _ => Motion::Still,
    }
}

/// The motion of a loop with several bounds: each of them holds; a constant is preferred.
pub fn bound(bounds: &[Expr]) -> Motion {
    let constant = bounds.iter().filter_map(Expr::constant).min();
    Motion::Runs(constant.map_or_else(|| bounds[0].clone(), Expr::Constant))
}

#[cfg(test)]
mod precision;

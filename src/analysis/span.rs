//! Spans: intervals of the values that an index takes while some variables run.
//!
//! [`hull`] gives a span that contains all values of an expression, and possibly others. [`taken`] gives spans whose
//! points are all taken. For that, bindings are read as mixed-radix numbers, as in [`digits`](super::digits). They
//! have no gaps if each weight is at most one more than the highest value of the digits below it. Bounds may be
//! sizes, so comparisons are proofs: [`never_negative`] returns false if it finds none.

use super::mixed_radix::{Digit, chain, weighted, without_gap};
use crate::ir::affine::{BinaryKind, Expr, Linear};

/// The integers from `low` to `low + width`; none if `width` is negative, which only a width over sizes can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerSpan {
    pub low: Expr,
    /// Over sizes.
    pub width: Expr,
}

/// The exclusive upper bounds of a variable. A variable is not negative.
pub type VariableExtents<'a> = &'a dyn Fn(usize) -> Vec<Expr>;

/// True for the variables that run.
pub type Inside<'a> = &'a dyn Fn(usize) -> bool;

impl IntegerSpan {
    fn point(low: Expr) -> IntegerSpan {
        IntegerSpan { low, width: 0.into() }
    }

    /// The span with all its points shifted.
    pub fn shifted(&self, by: &Expr) -> IntegerSpan {
        IntegerSpan { low: (self.low.clone() + by.clone()).simplified(), width: self.width.clone() }
    }

    /// The highest of its points.
    pub fn high(&self) -> Expr {
        (self.low.clone() + self.width.clone()).simplified()
    }

    fn times(&self, factor: &Expr) -> IntegerSpan {
        let times = |expr: &Expr| (expr.clone() * factor.clone()).simplified();
        IntegerSpan { low: times(&self.low), width: times(&self.width) }
    }

    fn negated(&self) -> IntegerSpan {
        let low = (Expr::Constant(0) - self.high()).simplified();
        IntegerSpan { low, width: self.width.clone() }
    }

    fn plus(&self, other: &IntegerSpan) -> IntegerSpan {
        let width = (self.width.clone() + other.width.clone()).simplified();
        IntegerSpan { low: self.shifted(&other.low).low, width }
    }
}

/// A span that contains all values of `expr` while the variables `inside` run; `None` if none is found.
pub fn hull(expr: &Expr, inside: Inside, extents: VariableExtents) -> Option<IntegerSpan> {
    let linear = Linear::of(expr);
    let mut sum = IntegerSpan::point(linear.constant.into());
    for (atom, coefficient) in &linear.terms {
        let span = hull_of_atom(atom, inside, extents)?;
        let size = i64::try_from(coefficient.unsigned_abs()).ok()?;
        let term = span.times(&size.into());
        sum = sum.plus(&if coefficient.is_negative() { term.negated() } else { term });
    }
    Some(sum)
}

fn hull_of_atom(atom: &Expr, inside: Inside, extents: VariableExtents) -> Option<IntegerSpan> {
    let runs = |expr: &Expr| {
        let mut found = false;
        expr.visit_leaves(&mut |leaf| found |= matches!(leaf, Expr::Dim(v) if inside(*v)));
        found
    };
    if !runs(atom) {
        return Some(IntegerSpan::point(atom.clone()));
    }
    match atom {
        Expr::Dim(v) => Some(IntegerSpan { low: 0.into(), width: last_value(*v, extents)? }),
        Expr::Binary(BinaryKind::Mul, ..) => {
            let (mut run, rest): (Vec<Expr>, Vec<Expr>) =
                atom.factors().into_iter().partition(|factor| runs(factor));
            let factor = rest.into_iter().reduce(|product, next| product * next)?;
            // Sizes are not negative.
            match (run.pop(), run.is_empty() && !factor.has_dims()) {
                (Some(one), true) => Some(hull(&one, inside, extents)?.times(&factor)),
                _ => None,
            }
        }
        Expr::Binary(BinaryKind::Mod, x, n) => {
            let of = hull(x, inside, extents)?;
            let rest = of.low.clone().modulo((**n).clone()).simplified();
            let (first, width) = (rest.constant(), of.width.constant());
            if let (Some(first), Some(width), Some(n)) = (first, width, n.constant())
                && first.checked_add(width)? < n
            {
                return Some(IntegerSpan { low: rest, width: of.width });
            }
            let last = ((**n).clone() - 1.into()).simplified();
            (!n.has_dims()).then_some(IntegerSpan { low: 0.into(), width: last })
        }
        Expr::Binary(BinaryKind::FloorDiv, x, n) if !n.has_dims() => {
            let of = hull(x, inside, extents)?;
            let low = of.low.clone().floor_div((**n).clone()).simplified();
            let rest = of.low.modulo((**n).clone()).simplified();
            let reach = match rest.constant() {
                Some(rest) => of.width + rest.into(),
                None => of.width + (**n).clone() - 1.into(),
            };
            Some(IntegerSpan { low, width: reach.floor_div((**n).clone()).simplified() })
        }
        Expr::Binary(BinaryKind::CeilDiv, x, n) => {
            let raised = (**x).clone() + (**n).clone() - 1.into();
            hull(&raised.floor_div((**n).clone()), inside, extents)
        }
        _ => None,
    }
}

/// The highest value of a variable, as far as sizes determine it.
fn last_value(v: usize, extents: VariableExtents) -> Option<Expr> {
    let extents = extents(v);
    if let Some(least) = extents.iter().filter_map(Expr::constant).min() {
        return Some((least.max(1) - 1).into());
    }
    let over_sizes = extents.into_iter().find(|extent| !extent.has_dims())?;
    Some((over_sizes - 1.into()).simplified())
}

/// A span that contains the points of both; `None` if their ends cannot be compared.
pub fn join(
    left: &IntegerSpan,
    right: &IntegerSpan,
    extents: VariableExtents,
) -> Option<IntegerSpan> {
    if left == right {
        return Some(left.clone());
    }
    let at_least = |a: &Expr, b: &Expr| never_negative(&(a.clone() - b.clone()), extents);
    let low = match (at_least(&right.low, &left.low), at_least(&left.low, &right.low)) {
        (true, _) => left.low.clone(),
        (_, true) => right.low.clone(),
        _ => return None,
    };
    let (one, other) = (left.high(), right.high());
    let high = match (at_least(&one, &other), at_least(&other, &one)) {
        (true, _) => one,
        (_, true) => other,
        _ => return None,
    };
    let width = (high - low.clone()).simplified();
    (!width.has_dims()).then_some(IntegerSpan { low, width })
}

/// A digit of a variable, with a weight: a term of a binding.
struct WeightedDigit {
    expr: usize,
    weight: Expr,
    /// True if the weight is subtracted.
    is_negative: bool,
    digit: Digit,
}

/// The spans of which `exprs` take all points together, while the variables `inside` run through all their values;
/// `None` for an expression without a proof.
pub fn taken(exprs: &[Expr], inside: Inside, extents: VariableExtents) -> Vec<Option<IntegerSpan>> {
    let mut terms: Vec<WeightedDigit> = vec![];
    let mut lows: Vec<Option<Expr>> = vec![];
    for (i, expr) in exprs.iter().enumerate() {
        lows.push(terms_of(expr, i, inside, &mut terms));
    }
    let counts: Vec<Option<Expr>> = (0..terms.len()).map(|t| count(&terms, t, extents)).collect();
    let span = |(i, low): (usize, Option<Expr>)| {
        let mut low = low?;
        let mut own = vec![];
        for (term, count) in terms.iter().zip(&counts).filter(|(term, _)| term.expr == i) {
            let count = count.clone()?;
            if term.is_negative {
                low = (low - term.weight.clone() * (count.clone() - 1.into())).simplified();
            }
            own.push((term.weight.clone(), count));
        }
        let at_most = |(weight, _): &(Expr, Expr), below: &Expr| {
            never_negative(&(below.clone() - weight.clone()), extents)
        };
        let filled = without_gap(own, at_most)?;
        Some(IntegerSpan { low, width: (filled - 1.into()).simplified() })
    };
    lows.into_iter().enumerate().map(span).collect()
}

/// Splits a binding into terms of the variables that run, and a rest; `None` if a term is not a digit.
fn terms_of(expr: &Expr, i: usize, inside: Inside, terms: &mut Vec<WeightedDigit>) -> Option<Expr> {
    let linear = Linear::of(expr);
    let mut low = Expr::Constant(linear.constant);
    let mut is_sum = true;
    for (atom, coefficient) in &linear.terms {
        let mut runs = false;
        atom.visit_leaves(&mut |leaf| runs |= matches!(leaf, Expr::Dim(v) if inside(*v)));
        if !runs {
            low = low + atom.clone() * (*coefficient).into();
            continue;
        }
        let size = i64::try_from(coefficient.unsigned_abs()).unwrap_or(i64::MAX);
        let (digits, weight) = weighted(atom, size, Expr::has_dims);
        match &digits[..] {
            [digit] => match Digit::of(digit) {
                Some(digit) if matches!(digit.base, Expr::Dim(v) if inside(v)) => {
                    let is_negative = coefficient.is_negative();
                    terms.push(WeightedDigit { expr: i, weight, is_negative, digit });
                }
                _ => is_sum = false,
            },
            _ => is_sum = false,
        }
        if !is_sum {
            // Other terms of these variables are not independent of it.
            atom.visit_leaves(&mut |leaf| {
                if let Expr::Dim(_) = leaf {
                    let digit = Digit { base: leaf.clone(), divisor: 0.into(), modulus: None };
                    let weight = 0.into();
                    terms.push(WeightedDigit { expr: i, weight, is_negative: false, digit });
                }
            });
        }
    }
    is_sum.then(|| low.simplified())
}

/// The number of values of a term's digit, if it takes all of them whatever the other digits are.
fn count(terms: &[WeightedDigit], t: usize, extents: VariableExtents) -> Option<Expr> {
    let Digit { base, divisor, modulus } = &terms[t].digit;
    let Expr::Dim(variable) = base else { return None };
    // A variable with several bounds may end before any one of them.
    let [extent] = &extents(*variable)[..] else { return None };
    if extent.has_dims() {
        return None;
    }
    let digits = terms.iter().map(|term| &term.digit);
    let of_variable: Vec<&Digit> = digits.filter(|digit| digit.base == *base).collect();
    if of_variable.len() == 1 && modulus.is_none() {
        return Some(
            Expr::binary(BinaryKind::CeilDiv, extent.clone(), divisor.clone()).simplified(),
        );
    }
    let parts: Vec<(usize, Option<Expr>)> = chain(&of_variable).collect();
    let (top, end) = parts.last()?;
    let rows = extent.exact_quotient(end.as_ref().unwrap_or(&of_variable[*top].divisor))?;
    let is_all = parts.len() == of_variable.len();
    is_all.then(|| modulus.clone().unwrap_or(rows))
}

/// True if an expression is proved never to be below 0 where each variable is within its extents. Sizes are not
/// negative.
pub fn never_negative(expr: &Expr, extents: VariableExtents) -> bool {
    is_never_negative(&Linear::of(expr), extents, 6)
}

fn is_never_negative(linear: &Linear, extents: VariableExtents, depth: usize) -> bool {
    let holds = linear.constant >= 0
        && linear.terms.iter().all(|(atom, coefficient)| {
            coefficient.is_positive() && is_atom_never_negative(atom, extents, depth)
        });
    if holds || depth == 0 {
        return holds;
    }
    // Replace each term in turn by a lower bound.
    linear.terms.iter().any(|(atom, coefficient)| {
        let least = match coefficient.is_negative() {
            true => uppers(atom, extents).into_iter().map(|e| e * (*coefficient).into()).collect(),
            false => lowers(atom, *coefficient),
        };
        let mut rest = linear.clone();
        rest.terms.remove(atom);
        least.into_iter().any(|least| {
            let sum = Linear::of(&(rest.to_expr() + least));
            is_never_negative(&sum, extents, depth - 1)
        })
    })
}

fn is_atom_never_negative(atom: &Expr, extents: VariableExtents, depth: usize) -> bool {
    match atom {
        Expr::Dim(_) | Expr::Symbol(_) | Expr::Binary(BinaryKind::Mod, ..) => true,
        Expr::Binary(BinaryKind::Mul, ..) => {
            atom.factors().iter().all(|factor| is_atom_never_negative(factor, extents, depth))
        }
        Expr::Binary(BinaryKind::FloorDiv | BinaryKind::CeilDiv, x, _) => {
            depth > 0 && is_never_negative(&Linear::of(x), extents, depth - 1)
        }
        Expr::Constant(_) | Expr::Binary(BinaryKind::Add, ..) => false,
    }
}

/// Lower bounds of a term, other than 0: a quotient that is rounded up, times its divisor, is at least the dividend.
fn lowers(atom: &Expr, coefficient: i64) -> Vec<Expr> {
    match atom {
        Expr::Binary(BinaryKind::CeilDiv, x, n) => match n.constant() {
            Some(n) if n.is_positive() && coefficient % n == 0 => {
                vec![(**x).clone() * (coefficient / n).into()]
            }
            _ => vec![],
        },
        _ => vec![],
    }
}

/// Upper bounds of an atom.
fn uppers(atom: &Expr, extents: VariableExtents) -> Vec<Expr> {
    let last = |extent: Expr| (extent - 1.into()).simplified();
    match atom {
        Expr::Dim(v) => extents(*v).into_iter().map(last).collect(),
        Expr::Binary(BinaryKind::Mod, _, n) => vec![last((**n).clone())],
        Expr::Binary(BinaryKind::FloorDiv, x, n) => {
            let mut bounds = vec![];
            if let Expr::Dim(v) = &**x {
                bounds.extend(extents(*v).iter().filter_map(|e| e.exact_quotient(n)).map(last));
            }
            if n.constant().is_some_and(i64::is_positive) {
                let over = |bound: Expr| bound.floor_div((**n).clone()).simplified();
                bounds.extend(uppers(x, extents).into_iter().map(over));
            }
            bounds
        }
        Expr::Binary(BinaryKind::Mul, ..) => {
            let (dims, sizes): (Vec<Expr>, Vec<Expr>) =
                atom.factors().into_iter().partition(Expr::has_dims);
            let [one] = &dims[..] else { return vec![] };
            // Sizes are not negative, but within a quotient a number may also be a factor.
            if sizes.iter().any(|size| size.constant().is_some_and(i64::is_negative)) {
                return vec![];
            }
            let times = |bound: Expr| {
                sizes.iter().fold(bound, |product, size| product * size.clone()).simplified()
            };
            uppers(one, extents).into_iter().map(times).collect()
        }
        _ => vec![],
    }
}

#[cfg(test)]
mod precision;
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn d(i: usize) -> Expr {
        Expr::Dim(i)
    }

    fn n() -> Expr {
        Expr::Symbol(0)
    }

    fn span(low: impl Into<Expr>, width: impl Into<Expr>) -> Option<IntegerSpan> {
        Some(IntegerSpan { low: low.into(), width: width.into() })
    }

    /// Variable 0 is fixed; 1 and 2 run.
    fn inside(v: usize) -> bool {
        v > 0
    }

    #[test]
    fn a_stencil_over_a_tile_reaches_beyond_it() {
        let extents = |_: usize| vec![Expr::Constant(8)];
        let at = |shift: i64| d(0) * 8.into() + d(1) + shift.into();
        let (left, right) = (hull(&at(-1), &inside, &extents), hull(&at(1), &inside, &extents));
        let both = join(&left.expect("a span"), &right.expect("a span"), &extents);
        assert_eq!(both, span((d(0) * 8.into() - 1.into()).simplified(), 9));
    }

    #[test]
    fn sizes_bound_spans() {
        let extents = |_: usize| vec![n()];
        let last = (n() - 1.into()).simplified();
        assert_eq!(hull(&d(1), &inside, &extents), span(0, last.clone()));
        let turned = hull(&(n() - 1.into() - d(1)), &inside, &extents);
        assert_eq!(turned, span(0, last.clone()));
        assert_eq!(hull(&(d(1) * d(2)), &inside, &extents), None);
        assert_eq!(taken(&[d(1)], &inside, &extents), [span(0, last)]);
    }

    #[test]
    fn parts_of_a_fused_loop_are_taken() {
        let extents = |_: usize| vec![(n() * Expr::Symbol(1)).simplified()];
        let both = [d(1).floor_div(n()), d(1).modulo(n())];
        let last = |size: Expr| (size - 1.into()).simplified();
        let spans = [span(0, last(Expr::Symbol(1))), span(0, last(n()))];
        assert_eq!(taken(&both, &inside, &extents), spans);
        assert_eq!(taken(&[both[1].clone(), both[1].clone()], &inside, &extents), [None, None]);
    }

    #[test]
    fn tiles_of_a_size_are_taken_up_to_it() {
        let tiles = Expr::binary(BinaryKind::CeilDiv, n(), 8.into());
        let extents = |v: usize| vec![if v == 1 { tiles.clone() } else { 8.into() }];
        let spans = taken(&[d(1) * 8.into() + d(2)], &inside, &extents);
        let high = spans[0].as_ref().expect("no gaps").high();
        assert!(never_negative(&(high - n() + 1.into()), &extents));
        let gaps = taken(&[d(1) * 9.into() + d(2)], &inside, &extents);
        assert_eq!(gaps, [None]);
    }

    #[test]
    fn bounds_prove_what_is_in_a_domain() {
        let extents = |_: usize| vec![n()];
        assert!(never_negative(&(n() - 1.into() - d(0)), &extents));
        assert!(!never_negative(&(n() - 2.into() - d(0)), &extents));
        assert!(never_negative(&(d(0) * n()), &extents));
        // The quotient is 0 at 0, although it is lower elsewhere.
        let quotient = (d(0) * (-1).into()).floor_div(3.into());
        assert!(!never_negative(&(Expr::Constant(-1) - quotient), &|_| vec![3.into()]));
        let product = |_: usize| vec![(n() * Expr::Symbol(1)).simplified()];
        assert!(never_negative(&(Expr::Symbol(1) - 1.into() - d(0).floor_div(n())), &product));
        assert!(never_negative(&(n() - 1.into() - d(0).modulo(n())), &product));
    }

    /// Sums of parts of variables.
    fn sums() -> impl Strategy<Value = Vec<Expr>> {
        let term = (0..3usize, -3..9i64, 0..4usize, 1..7i64).prop_map(|(v, weight, form, n)| {
            let atom = match form {
                0 => d(v),
                1 => d(v).modulo(n.into()),
                2 => d(v).floor_div(n.into()),
                _ => (d(v) + d(1)).modulo(n.into()),
            };
            atom * weight.into()
        });
        let sum = prop::collection::vec(term, 1..3).prop_map(|terms| {
            terms.into_iter().reduce(|a, b| a + b).expect("not empty").simplified()
        });
        prop::collection::vec(sum, 1..3)
    }

    const EXTENTS: [i64; 3] = [5, 6, 4];

    fn constant_extents(v: usize) -> Vec<Expr> {
        vec![EXTENTS[v].into()]
    }

    proptest! {
        #[test]
        fn a_hull_holds_all_values(sums in sums(), at in 0..5i64) {
            for sum in &sums {
                let Some(span) = hull(sum, &inside, &constant_extents) else { continue };
                let low = span.low.evaluate(&[at, 0, 0], &[]).expect("small");
                let width = span.width.constant().expect("no sizes");
                for (a, b) in (0..EXTENTS[1]).flat_map(|a| (0..EXTENTS[2]).map(move |b| (a, b))) {
                    let value = sum.evaluate(&[at, a, b], &[]).expect("small");
                    prop_assert!((low..=low + width).contains(&value), "{sum:?} {span:?}");
                }
            }
        }

        #[test]
        fn all_points_are_taken(sums in sums(), at in 0..5i64) {
            let spans = taken(&sums, &inside, &constant_extents);
            let mut values = HashSet::new();
            for (a, b) in (0..EXTENTS[1]).flat_map(|a| (0..EXTENTS[2]).map(move |b| (a, b))) {
                let point: Vec<i64> =
                    sums.iter().map(|e| e.evaluate(&[at, a, b], &[]).expect("small")).collect();
                values.insert(point);
            }
            // The expressions that have a span take its points together, whatever values the others have.
            let known: Vec<usize> = (0..sums.len()).filter(|i| spans[*i].is_some()).collect();
            let values: HashSet<Vec<i64>> =
                values.into_iter().map(|p| known.iter().map(|i| p[*i]).collect()).collect();
            let mut points: Vec<Vec<i64>> = vec![vec![]];
            for i in &known {
                let span = spans[*i].as_ref().expect("known");
                let low = span.low.evaluate(&[at, 0, 0], &[]).expect("small");
                let width = span.width.constant().expect("no sizes");
                points = points
                    .into_iter()
                    .flat_map(|p| (low..=low + width).map(move |v| [&p[..], &[v]].concat()))
                    .collect();
            }
            for point in points {
                prop_assert!(values.contains(&point), "{sums:?} {spans:?} {point:?}");
            }
        }

        #[test]
        fn never_negative_is_so(sums in sums(), constant in -9..30i64) {
            let expr = (sums[0].clone() + constant.into()).simplified();
            if never_negative(&expr, &constant_extents) {
                for a in 0..EXTENTS[0] {
                    for b in 0..EXTENTS[1] {
                        for c in 0..EXTENTS[2] {
                            prop_assert!(expr.evaluate(&[a, b, c], &[]).expect("small") >= 0);
                        }
                    }
                }
            }
        }
    }
}

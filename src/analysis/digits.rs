//! Mixed-radix analysis of bindings: proves that the values of block iters determine the values of loops (injectivity).
//!
//! An expression such as `(f floordiv 64) * 16 + g` is a sum of *digits*, each with a weight. A digit is a part of
//! one loop variable: `(v floordiv a) mod b`. In ascending order of weights, let each weight be at least the previous
//! weight times the number of values of its digit. Then the sum determines every digit. A variable is determined if
//! its known digits cover it, as `v mod 16` and `v floordiv 16` do. So is a sum, which may in turn determine its
//! terms: a fused loop that was split again has `(3 * f + g) floordiv 4` and `(3 * f + g) mod 4`.

use super::mixed_radix::{Digit, chain, weighted};
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear, greatest_divisor};

/// Known facts about variables.
pub trait Variables {
    /// The interval of its values, inclusive at both ends; it starts at 0.
    fn interval(&self, variable: &Expr) -> Option<(i64, i64)>;

    /// An upper bound of its number of values, over sizes.
    fn extent(&self, variable: usize) -> Option<Expr>;
}

/// True if the values of `exprs` together determine the value of variable `v` (an [`Expr::Dim`]), at points where the
/// `conditions` hold. False also if there is no proof.
pub fn determines(
    exprs: &[Expr],
    v: usize,
    variables: &dyn Variables,
    conditions: &[Constraint],
) -> bool {
    let v = Expr::Dim(v);
    // Variables of one value, 0, are determined, and add nothing.
    let is_zero = |leaf: &Expr| variables.interval(leaf).is_some_and(|(_, high)| high <= 0);
    if is_zero(&v) {
        return true;
    }
    let zero = |dim: usize| match Expr::Dim(dim) {
        dim if is_zero(&dim) => 0.into(),
        dim => dim,
    };
    let reduced = |expr: &Expr| expr.substitute(&zero, &Expr::Symbol).simplified();
    let mut injective: Vec<Expr> = exprs.iter().map(reduced).collect();
    let conditions: Vec<Constraint> =
        conditions.iter().map(|it| it.on(reduced(it.expr()))).collect();
    let mut known: Vec<Digit> = vec![];
    let mut next = 0;
    while !is_covered(&v, &known, variables) {
        let Some(expr) = injective.get(next) else { return false };
        next += 1;
        known.extend(injective_digits(expr, variables, &conditions).into_iter().flatten());
        for digit in &known {
            let is_new = !matches!(digit.base, Expr::Dim(_)) && !injective.contains(&digit.base);
            if is_new && is_covered(&digit.base, &known, variables) {
                injective.push(digit.base.clone());
            }
        }
    }
    true
}

/// True if the known digits of `base` determine its value.
fn is_covered(base: &Expr, known: &[Digit], variables: &dyn Variables) -> bool {
    let values = values(base, variables).and_then(|values| values.constant());
    let is_all = |end: Expr| end.constant().zip(values).is_some_and(|(end, values)| end >= values);
    let mut of_base: Vec<&Digit> = known.iter().filter(|digit| digit.base == *base).collect();
    // Of two digits that start at the same divisor, the quotient reaches further.
    of_base.sort_by_key(|digit| digit.modulus.is_some());
    is_all(1.into()) || chain(&of_base).any(|(_, end)| end.is_none_or(is_all))
}

/// A term of a sum: an atom that depends on variables, and its weight, which is a multiple of `factor`.
struct WeightedAtom {
    weight: Expr,
    factor: i64,
    atom: Expr,
}

/// The digits of a sum, if its value determines each of its atoms. Atoms that are not digits are determined as well,
/// but add no digits.
fn injective_digits(
    expr: &Expr,
    variables: &dyn Variables,
    conditions: &[Constraint],
) -> Option<Vec<Digit>> {
    let linear = Linear::of(expr);
    let mut terms: Vec<WeightedAtom> =
        linear.terms.iter().filter_map(|(e, c)| term(e, *c)).collect::<Option<_>>()?;
    // Weights that are numbers first, in ascending order.
    terms.sort_by_key(|term| term.weight.constant().unwrap_or(i64::MAX));
    let is_rising = linear.terms.values().all(|coefficient| coefficient.is_positive());
    let conditions = if is_rising { conditions } else { &[] };
    let mut below = Below::default();
    let mut filled = Some(Expr::Constant(1));
    while !terms.is_empty() {
        // The sum of the lower terms must not reach the weight.
        let is_next =
            |term: &WeightedAtom| match (term.weight.constant(), below.highest(conditions)) {
                (Some(weight), Some(highest)) => weight > highest,
                _ => filled.as_ref() == Some(&term.weight),
            };
        let Some(next) = terms.iter().position(is_next) else { break };
        let term = terms.remove(next);
        let values = values(&term.atom, variables);
        filled = values.clone().map(|values| (term.weight.clone() * values).simplified());
        below.terms.push((term, values.as_ref().and_then(Expr::constant)));
    }
    // Where digits overlap, the lower ones are determined as long as all others are multiples of a step that these do
    // not reach.
    let mut step = terms.iter().fold(0, |step, term| greatest_divisor(step, term.factor));
    while !terms.is_empty() && below.highest(conditions).is_none_or(|highest| highest >= step) {
        let (term, _) = below.terms.pop()?;
        step = greatest_divisor(step, term.factor);
    }
    Some(below.terms.iter().filter_map(|(term, _)| Digit::of(&term.atom)).collect())
}

/// The terms with smaller weights, each with its number of values, if that is known.
#[derive(Default)]
struct Below {
    terms: Vec<(WeightedAtom, Option<i64>)>,
}

impl Below {
    /// The highest value of their sum, if it is known. A condition such as `2 - 2 * a - b >= 0` bounds the terms
    /// `64 * a + 32 * b` by 64, even if `a` and `b` alone may exceed that.
    fn highest(&self, conditions: &[Constraint]) -> Option<i64> {
        let mut sum = 0i64;
        for (term, values) in &self.terms {
            sum = sum.checked_add(term.weight.constant()?.checked_mul((*values)? - 1)?)?;
        }
        let bound = |condition: &Constraint| self.saved_by(condition);
        Some(sum - conditions.iter().filter_map(bound).max().unwrap_or(0).max(0))
    }

    /// How much a condition lowers the highest value.
    fn saved_by(&self, condition: &Constraint) -> Option<i64> {
        let Constraint::NonNegative(expr) = condition else { return None };
        let linear = Linear::of(expr);
        let mut scale = None;
        let mut without = 0i64;
        for (atom, coefficient) in &linear.terms {
            let (term, values) = self.terms.iter().find(|(term, _)| term.atom == *atom)?;
            let (weight, values) = (term.weight.constant()?, (*values)?);
            if !coefficient.is_negative() || weight % coefficient != 0 {
                return None;
            }
            let factor = weight / -coefficient;
            if scale.is_some_and(|scale| scale != factor) {
                return None;
            }
            scale = Some(factor);
            without = without.checked_add(weight.checked_mul(values - 1)?)?;
        }
        without.checked_sub(scale?.checked_mul(linear.constant)?)
    }
}

/// A product as an atom with a weight: `None` if no factor depends on variables, `Some(None)` if several factors do.
fn term(product: &Expr, coefficient: i64) -> Option<Option<WeightedAtom>> {
    let factor = i64::try_from(coefficient.unsigned_abs()).unwrap_or(i64::MAX);
    let (atoms, weight) = weighted(product, factor, Expr::has_dims);
    match &atoms[..] {
        [] => None,
        [atom] => Some(Some(WeightedAtom { weight, factor, atom: atom.clone() })),
        _ => Some(None),
    }
}

/// An upper bound of the number of values of an atom.
fn values(atom: &Expr, variables: &dyn Variables) -> Option<Expr> {
    if let Some((low, high)) = atom.interval(&|leaf| variables.interval(leaf)) {
        return i64::try_from(high.abs_diff(low)).ok()?.checked_add(1).map(Expr::Constant);
    }
    match atom {
        Expr::Dim(v) => variables.extent(*v),
        Expr::Binary(BinaryKind::Mod, _, modulus) => Some(modulus.simplified()),
        _ => None,
    }
}

#[cfg(test)]
mod precision;
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn d(i: usize) -> Expr {
        Expr::Dim(i)
    }

    /// Extents; 0 is an unknown one.
    struct KnownExtents(&'static [i64]);

    impl Variables for KnownExtents {
        fn interval(&self, variable: &Expr) -> Option<(i64, i64)> {
            let Expr::Dim(i) = variable else { return None };
            self.0.get(*i).filter(|e| **e > 0).map(|e| (0, e - 1))
        }

        /// The extent of a variable whose extent is unknown, as the size of the same number.
        fn extent(&self, variable: usize) -> Option<Expr> {
            Some(Expr::Symbol(variable))
        }
    }

    fn within(extents: &'static [i64]) -> KnownExtents {
        KnownExtents(extents)
    }

    #[test]
    fn split_parts_tell_both_loops() {
        let expr = d(0) * 16.into() + d(1);
        assert!(determines(std::slice::from_ref(&expr), 0, &within(&[0, 16]), &[]));
        assert!(determines(std::slice::from_ref(&expr), 1, &within(&[0, 16]), &[]));
        assert!(!determines(&[expr], 0, &within(&[4, 17]), &[]), "17 values overlap the next step");
    }

    #[test]
    fn a_fused_loop_is_told_by_quotient_and_remainder() {
        let both = [d(0).floor_div(64.into()), d(0).modulo(64.into())];
        assert!(determines(&both, 0, &within(&[0]), &[]));
        assert!(!determines(&both[..1], 0, &within(&[128]), &[]));
        assert!(determines(&both[1..], 0, &within(&[64]), &[]), "one period only");
        let n = Expr::Symbol(0);
        let by_size = [d(0).floor_div(n.clone()), d(0).modulo(n)];
        assert!(determines(&by_size, 0, &within(&[0]), &[]));
    }

    #[test]
    fn a_sum_that_is_told_tells_its_terms() {
        let sum = || d(0) * 3.into() + d(1);
        let both = [sum().floor_div(4.into()), sum().modulo(4.into())];
        assert!(determines(&both, 0, &within(&[6, 3]), &[]));
        assert!(determines(&both, 1, &within(&[6, 3]), &[]));
        assert!(!determines(&both, 1, &within(&[6, 4]), &[]), "4 values overlap the next step");
        assert!(!determines(&both[..1], 0, &within(&[6, 3]), &[]), "8 and 9 are the same");
        assert!(determines(&both[1..], 1, &within(&[1, 3]), &[]), "one period only");
        let twice = [(sum().floor_div(2.into()) * 2.into() + d(2)).floor_div(6.into())];
        assert!(!determines(&twice, 0, &within(&[6, 3, 2]), &[]));
    }

    #[test]
    fn sizes_may_be_weights() {
        let expr = d(0) * Expr::Symbol(1) + d(1);
        assert!(determines(std::slice::from_ref(&expr), 0, &within(&[4, 0]), &[]));
        assert!(determines(std::slice::from_ref(&expr), 1, &within(&[4, 0]), &[]));
        let other = d(0) * Expr::Symbol(2) + d(1);
        assert!(!determines(&[other], 1, &within(&[4, 0]), &[]));
    }

    #[test]
    fn a_condition_keeps_lower_digits_below_the_next() {
        // 3 tiles, split into 2 times 2, one of which does not run.
        let expr = d(0) * 96.into() + d(1) * 64.into() + d(2) * 32.into() + d(3);
        let extents = within(&[0, 2, 2, 32]);
        let inside = Expr::Constant(2) - d(1) * 2.into() - d(2);
        let condition = [Constraint::NonNegative(inside.simplified())];
        assert!(determines(std::slice::from_ref(&expr), 2, &extents, &condition));
        assert!(!determines(&[expr], 2, &extents, &[]));
    }

    #[test]
    fn digits_that_overlap_leave_those_below_told() {
        let high = d(2) * Expr::Symbol(0) * 10.into() + d(3) * Expr::Symbol(0) * 40.into();
        let expr = (d(0) + d(1) * 2.into() + high).simplified();
        let extents = within(&[2, 5, 5, 4]);
        assert!(determines(std::slice::from_ref(&expr), 1, &extents, &[]));
        assert!(!determines(&[expr], 2, &extents, &[]), "5 values of 10 n overlap 40 n");
    }

    #[test]
    fn an_atom_that_is_no_digit_may_stand_above() {
        let opaque = (d(0) * 5.into() + d(2)).modulo(7.into());
        assert!(determines(&[opaque * 16.into() + d(1)], 1, &within(&[4, 16, 5]), &[]));
    }

    #[test]
    fn quotient_and_remainder_by_what_varies_tell_nothing() {
        let by = || d(1) + 1.into();
        let both = [d(0).floor_div(by()), d(0).modulo(by())];
        assert!(!determines(&both, 0, &within(&[0, 4]), &[]), "5 by 1 is 10 by 2");
    }

    #[test]
    fn a_variable_that_is_not_there_is_not_told() {
        assert!(!determines(&[d(1)], 0, &within(&[4, 4]), &[]));
        assert!(determines(&[d(1)], 0, &within(&[1, 4]), &[]), "it has one value");
    }

    proptest! {
        /// If `determines` returns true, no two points with equal values differ in the variable.
        #[test]
        fn told_means_injective(
            terms in prop::collection::vec((0..2usize, 1..7i64, 0..7usize, 1..7i64), 1..5),
            step in 1..7i64,
            v in 0..2usize,
        ) {
            const EXTENTS: [i64; 2] = [6, 5];
            let exprs: Vec<Expr> = terms.chunks(2).map(|pair| {
                pair.iter().map(|(var, weight, form, n)| {
                    let atom = match form {
                        0 => d(*var),
                        1 => d(*var).modulo((*n).into()),
                        2 => d(*var).floor_div((*n).into()),
                        3 => (d(0) * step.into() + d(1)).modulo((*n).into()),
                        4 => (d(0) * step.into() + d(1)).floor_div((*n).into()),
                        5 => (d(0) * step.into() + d(1)).floor_div((*n).into()).modulo(3.into()),
                        _ => d(*var).floor_div((*n).into()).modulo(3.into()),
                    };
                    atom * (*weight).into()
                }).reduce(|a, b| a + b).expect("not empty").simplified()
            }).collect();
            if determines(&exprs, v, &within(&EXTENTS), &[]) {
                let mut seen = std::collections::HashMap::new();
                for a in 0..EXTENTS[0] {
                    for b in 0..EXTENTS[1] {
                        let point = [a, b];
                        let values: Vec<_> = exprs.iter().map(|e| e.evaluate(&point, &[])).collect();
                        let first = seen.entry(values).or_insert(point[v]);
                        prop_assert_eq!(*first, point[v]);
                    }
                }
            }
        }
    }
}

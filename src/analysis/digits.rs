//! Bindings as numbers of mixed radix: does the value of a block iter tell the values of the loops?
//!
//! An expression such as `(f floordiv 64) * 16 + g` is a sum of *digits*, each a part of one loop
//! variable, with a weight: a digit is `(v floordiv a) mod b`. If, from the smallest weight up, each
//! weight is at least the previous weight times the number of values of its digit, then the sum tells
//! every digit. And a variable is told if its known digits cover it: `v mod 16` and `v floordiv 16`, say.

use crate::ir::affine::{BinaryKind, Expr, Linear};

/// `(v floordiv divisor) mod modulus` of variable v.
#[derive(Clone, Debug, PartialEq)]
struct Digit {
    variable: usize,
    divisor: Expr,
    /// `None`: the quotient as it is.
    modulus: Option<Expr>,
}

/// What is known of a variable.
pub trait Variables {
    /// The values it can take, both ends included, starting from 0.
    fn interval(&self, variable: &Expr) -> Option<(i64, i64)>;

    /// A number of values that it does not exceed, over sizes.
    fn extent(&self, variable: usize) -> Option<Expr>;
}

/// Do the values of `exprs` together tell the value of variable `v` (an [`Expr::Dim`])? Says no where it
/// cannot tell.
pub fn tell(exprs: &[Expr], v: usize, variables: &dyn Variables) -> bool {
    let known: Vec<Digit> = exprs
        .iter()
        .filter_map(|expr| told_digits(expr, variables))
        .flatten()
        .filter(|digit| digit.variable == v)
        .collect();
    // From the lowest digit up: what is covered so far is `v mod need`.
    let mut need = Expr::Constant(1);
    for _ in 0..=known.len() {
        if let (Some(need), Some((_, high))) = (need.constant(), variables.interval(&Expr::Dim(v)))
            && need > high
        {
            return true;
        }
        let Some(digit) = known.iter().find(|digit| digit.divisor == need) else { return false };
        match &digit.modulus {
            None => return true,
            Some(modulus) => need = (need * modulus.clone()).simplified(),
        }
    }
    false
}

/// A term of a sum: an atom that depends on variables, and its weight.
struct Term {
    weight: Expr,
    atom: Expr,
}

/// The digits of a sum, if its value tells each of its atoms. Atoms that are no digits count as well: they
/// are told, only that is of no use.
fn told_digits(expr: &Expr, variables: &dyn Variables) -> Option<Vec<Digit>> {
    let mut terms: Vec<Term> =
        Linear::of(expr).terms.iter().filter_map(|(e, c)| term(e, *c)).collect::<Option<_>>()?;
    // Numbers first, from the smallest up.
    terms.sort_by_key(|term| term.weight.constant().unwrap_or(i64::MAX));
    let mut filled = Some(Expr::Constant(1));
    let mut digits = vec![];
    while !terms.is_empty() {
        let enough = |term: &Term| {
            let filled = filled.as_ref()?;
            match (term.weight.constant(), filled.constant()) {
                (Some(weight), Some(filled)) => (weight >= filled).then_some(()),
                _ => (term.weight == *filled).then_some(()),
            }
        };
        let next = terms.iter().position(|term| enough(term).is_some())?;
        // A smaller weight that is not enough now never will be.
        let Term { weight, atom } = terms.remove(next);
        filled = values(&atom, variables).map(|values| (weight * values).simplified());
        digits.extend(digit(&atom));
    }
    Some(digits)
}

/// A product of an atom and a weight; no term if it does not depend on variables, and nothing at all if
/// several factors do.
fn term(product: &Expr, coefficient: i64) -> Option<Option<Term>> {
    let depends = |expr: &Expr| {
        let mut depends = false;
        expr.visit_leaves(&mut |leaf| depends |= matches!(leaf, Expr::Dim(_)));
        depends
    };
    let (atoms, others): (Vec<Expr>, Vec<Expr>) = product.factors().into_iter().partition(depends);
    let weight = Expr::Constant(i64::try_from(coefficient.unsigned_abs()).unwrap_or(i64::MAX));
    let weight = others.into_iter().fold(weight, |weight, factor| weight * factor).simplified();
    match &atoms[..] {
        [] => None,
        [atom] => Some(Some(Term { weight, atom: atom.clone() })),
        _ => Some(None),
    }
}

/// A number of values that an atom does not exceed.
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

/// An atom as a digit.
fn digit(atom: &Expr) -> Option<Digit> {
    match atom {
        Expr::Dim(v) => Some(Digit { variable: *v, divisor: 1.into(), modulus: None }),
        Expr::Binary(BinaryKind::Mod, x, modulus) => {
            let inner = digit(x).filter(|inner| inner.modulus.is_none())?;
            Some(Digit { modulus: Some(modulus.simplified()), ..inner })
        }
        Expr::Binary(BinaryKind::FloorDiv, x, divisor) => {
            let inner = digit(x)?;
            let divided = (inner.divisor * (**divisor).clone()).simplified();
            let modulus = match inner.modulus {
                None => None,
                // ((v floordiv a) mod (b * c)) floordiv b is (v floordiv (a * b)) mod c.
                Some(modulus) => match (modulus.constant(), divisor.constant()) {
                    (Some(m), Some(d)) if d > 0 && m % d == 0 => Some((m / d).into()),
                    _ => return None,
                },
            };
            Some(Digit { variable: inner.variable, divisor: divided, modulus })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn d(i: usize) -> Expr {
        Expr::Dim(i)
    }

    /// Extents; 0 is one that is not known.
    struct Extents(&'static [i64]);

    impl Variables for Extents {
        fn interval(&self, variable: &Expr) -> Option<(i64, i64)> {
            let Expr::Dim(i) = variable else { return None };
            self.0.get(*i).filter(|e| **e > 0).map(|e| (0, e - 1))
        }

        /// Of a variable whose extent is not known, as a size of the same number.
        fn extent(&self, variable: usize) -> Option<Expr> {
            Some(Expr::Symbol(variable))
        }
    }

    fn within(extents: &'static [i64]) -> Extents {
        Extents(extents)
    }

    #[test]
    fn split_parts_tell_both_loops() {
        let expr = d(0) * 16.into() + d(1);
        assert!(tell(std::slice::from_ref(&expr), 0, &within(&[0, 16])));
        assert!(tell(std::slice::from_ref(&expr), 1, &within(&[0, 16])));
        assert!(!tell(&[expr], 0, &within(&[4, 17])), "17 values overlap the next step");
    }

    #[test]
    fn a_fused_loop_is_told_by_quotient_and_remainder() {
        let both = [d(0).floor_div(64.into()), d(0).modulo(64.into())];
        assert!(tell(&both, 0, &within(&[0])));
        assert!(!tell(&both[..1], 0, &within(&[128])));
        assert!(tell(&both[1..], 0, &within(&[64])), "one period only");
        let n = Expr::Symbol(0);
        let by_size = [d(0).floor_div(n.clone()), d(0).modulo(n)];
        assert!(tell(&by_size, 0, &within(&[0])));
    }

    #[test]
    fn sizes_may_be_weights() {
        let expr = d(0) * Expr::Symbol(1) + d(1);
        assert!(tell(std::slice::from_ref(&expr), 0, &within(&[4, 0])));
        assert!(tell(std::slice::from_ref(&expr), 1, &within(&[4, 0])));
        let other = d(0) * Expr::Symbol(2) + d(1);
        assert!(!tell(&[other], 1, &within(&[4, 0])));
    }

    #[test]
    fn an_atom_that_is_no_digit_may_stand_above() {
        let opaque = (d(0) * 5.into() + d(2)).modulo(7.into());
        assert!(tell(&[opaque * 16.into() + d(1)], 1, &within(&[4, 16, 5])));
    }

    #[test]
    fn a_variable_that_is_not_there_is_not_told() {
        assert!(!tell(&[d(1)], 0, &within(&[4, 4])));
        assert!(tell(&[d(1)], 0, &within(&[1, 4])), "it has one value");
    }

    proptest! {
        /// What is said to be told is told: no two points with equal values differ in the variable.
        #[test]
        fn told_means_injective(
            terms in prop::collection::vec((0..2usize, 1..7i64, 0..4usize, 1..7i64), 1..4),
            v in 0..2usize,
        ) {
            const EXTENTS: [i64; 2] = [6, 5];
            let exprs: Vec<Expr> = terms.chunks(2).map(|pair| {
                pair.iter().map(|(var, weight, form, n)| {
                    let atom = match form {
                        0 => d(*var),
                        1 => d(*var).modulo((*n).into()),
                        2 => d(*var).floor_div((*n).into()),
                        _ => d(*var).floor_div((*n).into()).modulo(3.into()),
                    };
                    atom * (*weight).into()
                }).reduce(|a, b| a + b).expect("not empty").simplified()
            }).collect();
            if tell(&exprs, v, &within(&EXTENTS)) {
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

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

/// Do the values of `exprs` together tell the value of variable `v` (an [`Expr::Dim`])? `interval` gives
/// the values a variable can take, both ends included, starting from 0. Says no where it cannot tell.
pub fn tell(exprs: &[Expr], v: usize, interval: &dyn Fn(&Expr) -> Option<(i64, i64)>) -> bool {
    let known: Vec<Digit> = exprs
        .iter()
        .filter_map(|expr| told_digits(expr, interval))
        .flatten()
        .filter(|digit| digit.variable == v)
        .collect();
    // From the lowest digit up: what is covered so far is `v mod need`.
    let mut need = Expr::Constant(1);
    for _ in 0..=known.len() {
        if let (Some(need), Some((_, high))) = (need.constant(), interval(&Expr::Dim(v)))
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

/// The digits of a sum, if its value tells each of them.
fn told_digits(expr: &Expr, interval: &dyn Fn(&Expr) -> Option<(i64, i64)>) -> Option<Vec<Digit>> {
    let linear = Linear::of(expr);
    let mut terms = vec![];
    for (atom, weight) in &linear.terms {
        if atom.has_dims() {
            terms.push((weight.unsigned_abs(), atom.clone()));
        }
    }
    terms.sort();
    let mut filled: Option<u64> = Some(1);
    let mut digits = vec![];
    for (weight, atom) in terms {
        if filled.is_none_or(|filled| weight < filled) {
            return None;
        }
        let values =
            atom.interval(&|leaf| interval(leaf)).and_then(|(l, h)| h.abs_diff(l).checked_add(1));
        filled = values.and_then(|values| weight.checked_mul(values));
        digits.push(digit(&atom)?);
    }
    Some(digits)
}

/// An atom as a digit. Its divisor and modulus must not vary.
fn digit(atom: &Expr) -> Option<Digit> {
    match atom {
        Expr::Binary(BinaryKind::Mod | BinaryKind::FloorDiv, _, by) if by.has_dims() => None,
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

    fn within(extents: &'static [i64]) -> impl Fn(&Expr) -> Option<(i64, i64)> {
        move |leaf| match leaf {
            Expr::Dim(i) => extents.get(*i).filter(|e| **e > 0).map(|e| (0, e - 1)),
            _ => None,
        }
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
    fn quotient_and_remainder_by_what_varies_tell_nothing() {
        let by = || d(1) + 1.into();
        let both = [d(0).floor_div(by()), d(0).modulo(by())];
        assert!(!tell(&both, 0, &within(&[0, 4])), "5 by 1 is 10 by 2");
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

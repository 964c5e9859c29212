//! Mixed-radix numbers: sums of digits, each with a weight.
//!
//! ```text
//! f floordiv 12, (f floordiv 3) mod 4, f mod 3      digits of f; f mod 3 is the lowest
//! (f mod 3) * 8 + g                                 g in [0, 8): takes all values of [0, 24)
//! ```
//! The digits of a base form a [`chain`] if the divisor of each is the product of the moduli of the lower ones. They then
//! determine the base, and take all combinations of values if the base takes all values up to a multiple of the highest
//! divisor.
//!
//! Four modules prove facts about such numbers. Their conditions differ, because their questions do:
//!
//! | question | module | overlaps and gaps of digits |
//! |---|---|---|
//! | do the values of expressions determine a variable? | [`digits`](super::digits) | gaps are allowed; digits below an overlap are still determined |
//! | which interval of values is taken without a gap while some variables run? | [`span::taken`](super::span::taken) | overlaps are allowed; weights may be negative |
//! | which box of instances of a block do the loops around it run? | [`cover`](crate::nest::facts::cover) | as `taken`, but a digit may be of a sum of loops, and predicates may cut it |
//! | what is the inverse of a map of iters? | `bijection` in `nest::facts` | neither is allowed |

use crate::ir::affine::{BinaryKind, Expr};

/// `(base floordiv divisor) mod modulus`.
#[derive(Clone, Debug, PartialEq)]
pub struct Digit {
    /// A variable, or another expression that is neither a quotient nor a remainder.
    pub base: Expr,
    pub divisor: Expr,
    /// `None`: the quotient itself.
    pub modulus: Option<Expr>,
}

impl Digit {
    /// An expression in normal form as a digit. `None` if a divisor depends on variables, or if a remainder is divided by
    /// a number that does not divide its modulus.
    pub fn of(expr: &Expr) -> Option<Digit> {
        Digit::within(expr, &|_| None)
    }

    /// As [`Digit::of`], without the remainders that change nothing because the base, which starts at 0, has only so
    /// many `values`.
    pub fn within(expr: &Expr, values: &dyn Fn(&Expr) -> Option<i64>) -> Option<Digit> {
        let Expr::Binary(kind @ (BinaryKind::Mod | BinaryKind::FloorDiv), of, by) = expr else {
            return Some(Digit { base: expr.clone(), divisor: 1.into(), modulus: None });
        };
        if by.has_dims() {
            return None;
        }
        let Digit { base, mut divisor, modulus } = Digit::within(of, values)?;
        let modulus = match (kind, modulus) {
            (BinaryKind::Mod, Some(_)) => return None,
            (BinaryKind::Mod, None) => Some(by.simplified()),
            (_, modulus) => {
                divisor = (divisor * (**by).clone()).simplified();
                modulus.map(|modulus| modulus.exact_quotient(by).ok_or(())).transpose().ok()?
            }
        };
        let is_all = |modulus: &Expr| {
            let end = divisor.constant().zip(modulus.constant());
            end.zip(values(&base)).is_some_and(|((d, m), values)| values <= d.saturating_mul(m))
        };
        let modulus = modulus.filter(|modulus| !is_all(modulus));
        Some(Digit { base, divisor, modulus })
    }

    /// True if the digit is the base itself.
    pub fn is_base(&self) -> bool {
        self.divisor == 1.into() && self.modulus.is_none()
    }
}

/// A product as the factors for which `runs` is true, and their weight: the coefficient times the other factors.
pub fn weighted(
    product: &Expr,
    coefficient: i64,
    runs: impl Fn(&Expr) -> bool,
) -> (Vec<Expr>, Expr) {
    let (running, fixed): (Vec<Expr>, Vec<Expr>) =
        product.factors().into_iter().partition(|factor| runs(factor));
    let weight = fixed.into_iter().fold(Expr::Constant(coefficient), |weight, next| weight * next);
    (running, weight.simplified())
}

/// The places of digits of one base from the lowest up, each of which starts where the one below ends, and the end of
/// each: the digits up to it are `base mod end`, or the base if there is no end.
pub fn chain(digits: &[&Digit]) -> impl Iterator<Item = (usize, Option<Expr>)> {
    let mut left: Vec<usize> = (0..digits.len()).collect();
    let mut start = Some(Expr::Constant(1));
    std::iter::from_fn(move || {
        let from = start.take()?;
        let next = left.iter().position(|i| digits[*i].divisor == from)?;
        let place = left.remove(next);
        start = digits[place].modulus.clone().map(|modulus| (from * modulus).simplified());
        Some((place, start.clone()))
    })
}

/// The number of values, from 0 on, of a sum of terms, each with a weight and a number of values; `None` if the sum may
/// have a gap. A weight that is less than the number of values of the lower terms must satisfy `fits`, given that
/// number.
pub fn without_gap(
    mut terms: Vec<(Expr, Expr)>,
    fits: impl Fn(&(Expr, Expr), &Expr) -> bool,
) -> Option<Expr> {
    let mut below = Expr::Constant(1);
    while !terms.is_empty() {
        // A term with an equal weight goes first, because the next weight may then be equal too.
        let next = terms.iter().position(|(weight, _)| *weight == below);
        let next = next.or_else(|| terms.iter().position(|term| fits(term, &below)))?;
        let (weight, values) = terms.swap_remove(next);
        below = match weight == below {
            true => (weight * values).simplified(),
            false => (weight * (values - 1.into()) + below).simplified(),
        };
    }
    Some(below)
}

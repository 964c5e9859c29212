//! Bijective iter maps: mixed-radix index maps, whose inverse is of the same form.
//!
//! ```text
//! (i, j) -> (i * 64 + j floordiv 8, j mod 8)     i in [0, n), j in [0, 512)
//!   digits: i, j floordiv 8 in [0, 64), j mod 8 in [0, 8)
//!   (a, b): i = a floordiv 64, j = (a mod 64) * 8 + b      a in [0, n * 64), b in [0, 8)
//! ```
//! Each iter is divided into digits, and each result is a mixed-radix number of some of them: the weight of
//! a digit is the product of the extents of the lower digits. If each digit occurs in one result, and the
//! digits of each iter cover it, the map is a bijection from the box of the iters to the box of the
//! results.

use crate::analysis::mixed_radix::{Digit, chain, weighted};
use crate::ir::affine::{Expr, Linear};

/// A map that is invertible on the box of its iters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bijection {
    /// The extent of each result, which starts at 0.
    pub shape: Vec<Expr>,
    /// Each iter over the results; [`Expr::Dim`] is the index of a result.
    pub inverse: Vec<Expr>,
    /// The iters that each result has digits of.
    pub from: Vec<Vec<usize>>,
    /// The iter that a result equals, if it equals one.
    pub same: Vec<Option<usize>>,
}

/// A digit of an iter, and its value over the results.
struct DigitOfIter {
    iter: usize,
    digit: Digit,
    value: Expr,
}

/// Why a map is not proved to be a bijection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBijection {
    /// Result `place` of the map is not a mixed-radix number of digits of the iters.
    NoDigits {
        /// The position of the result, from 0.
        place: usize,
    },
    /// The digits in the map do not cover iter `iter`, each of them once.
    NotMadeUp {
        /// The position of the iter, from 0.
        iter: usize,
    },
}

/// The inverse of a map whose iters have the domains `[0, domain)`.
pub fn of(map: &[Expr], domains: &[Expr]) -> Result<Bijection, NoBijection> {
    let mut all: Vec<DigitOfIter> = vec![];
    let (mut shape, mut from, mut same) = (vec![], vec![], vec![]);
    for (place, expr) in map.iter().enumerate() {
        let no_digits = || NoBijection::NoDigits { place };
        let linear = Linear::of(&expr.simplified());
        let mut digits: Vec<(Expr, DigitOfIter)> = vec![];
        for (atom, coefficient) in &linear.terms {
            let (moving, weight) = weighted(atom, *coefficient, Expr::has_dims);
            let digit = match &moving[..] {
                [one] => digit(one, domains).ok_or_else(no_digits)?,
                _ => return Err(no_digits()),
            };
            digits.push((weight, digit));
        }
        if linear.constant != 0 {
            return Err(no_digits());
        }
        from.push(digits.iter().map(|(_, digit)| digit.iter).collect());
        same.push(match &digits[..] {
            [(weight, digit)] if *weight == 1.into() && digit.digit.is_base() => Some(digit.iter),
            _ => None,
        });
        let (extent, known) = in_radix(place, digits, domains)?;
        shape.push(extent);
        all.extend(known);
    }
    let whole = |(iter, domain): (usize, &Expr)| {
        let digits = all.iter().filter(|digit| digit.iter == iter).collect();
        made_up(digits, domain).ok_or(NoBijection::NotMadeUp { iter })
    };
    let inverse = domains.iter().enumerate().map(whole).collect::<Result<_, _>>()?;
    Ok(Bijection { shape, inverse, from, same })
}

/// An expression as a digit of an iter, whose divisor and modulus must be numbers.
fn digit(expr: &Expr, domains: &[Expr]) -> Option<DigitOfIter> {
    let values = |base: &Expr| match base {
        Expr::Dim(iter) => domains[*iter].constant(),
        _ => None,
    };
    let digit = Digit::within(expr, &values)?;
    let Expr::Dim(iter) = digit.base else { return None };
    let is_number = |by: &Expr| by.constant().is_some_and(i64::is_positive);
    let are_numbers = [&digit.divisor].into_iter().chain(&digit.modulus).all(is_number);
    are_numbers.then_some(DigitOfIter { iter, digit, value: 0.into() })
}

/// The extent of a digit, if its divisor divides the iter's domain exactly.
fn extent(DigitOfIter { iter, digit, .. }: &DigitOfIter, domains: &[Expr]) -> Option<Expr> {
    digit.modulus.clone().or_else(|| domains[*iter].exact_quotient(&digit.divisor))
}

/// Reads a result as a mixed-radix number: computes its extent and its digits over it.
fn in_radix(
    place: usize,
    digits: Vec<(Expr, DigitOfIter)>,
    domains: &[Expr],
) -> Result<(Expr, Vec<DigitOfIter>), NoBijection> {
    let (mut known, mut left) = (vec![], vec![]);
    for (weight, digit) in digits {
        let Some(extent) = extent(&digit, domains) else {
            return Err(NoBijection::NotMadeUp { iter: digit.iter });
        };
        match extent.constant() {
            // A digit with one value is 0, whatever its weight.
            Some(1) => known.push(digit),
            _ => left.push((weight, extent, digit)),
        }
    }
    let mut below = Expr::Constant(1);
    while !left.is_empty() {
        let next = left.iter().position(|(weight, ..)| *weight == below);
        let next = next.ok_or(NoBijection::NoDigits { place })?;
        let (_, extent, mut digit) = left.remove(next);
        digit.value = match &below {
            Expr::Constant(1) => Expr::Dim(place),
            below => Expr::Dim(place).floor_div(below.clone()),
        };
        if !left.is_empty() {
            digit.value = digit.value.modulo(extent.clone());
        }
        below = (below * extent).simplified();
        known.push(digit);
    }
    Ok((below, known))
}

/// An iter as the sum of its digits, if they cover it.
fn made_up(digits: Vec<&DigitOfIter>, domain: &Expr) -> Option<Expr> {
    let of_iter: Vec<&Digit> = digits.iter().map(|digit| &digit.digit).collect();
    let (mut sum, mut last, mut count) = (Expr::Constant(0), Some(1.into()), 0);
    for (place, end) in chain(&of_iter) {
        sum = sum + digits[place].value.clone() * of_iter[place].divisor.clone();
        (last, count) = (end, count + 1);
    }
    let is_whole = count == digits.len() && last.is_none_or(|end| end == *domain);
    is_whole.then(|| sum.simplified())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::affine::Map;

    /// Checks the inverse at all points of the box.
    fn is_inverse(map: &[Expr], domains: &[i64], found: &Bijection) -> bool {
        let shape: Vec<i64> =
            found.shape.iter().map(|extent| extent.constant().expect("a number")).collect();
        let mut point = vec![0; domains.len()];
        let mut seen = std::collections::HashSet::new();
        loop {
            let at = |expr: &Expr, point: &[i64]| {
                let put = expr.substitute(&|i| point[i].into(), &Expr::Symbol);
                put.simplified().constant().expect("a number")
            };
            let image: Vec<i64> = map.iter().map(|expr| at(expr, &point)).collect();
            let back: Vec<i64> = found.inverse.iter().map(|expr| at(expr, &image)).collect();
            let fits = image.iter().zip(&shape).all(|(i, extent)| (0..*extent).contains(i));
            if back != point || !fits || !seen.insert(image) {
                return false;
            }
            let Some(next) = (0..domains.len()).rev().find(|i| point[*i] + 1 < domains[*i]) else {
                return seen.len() as i64 == shape.iter().product::<i64>();
            };
            point[next] += 1;
            point[next + 1..].fill(0);
        }
    }

    fn found(text: &str, domains: &[i64]) -> Result<Bijection, NoBijection> {
        let map = Map::parse(text).expect("a map").results;
        let exprs: Vec<Expr> = domains.iter().map(|n| (*n).into()).collect();
        let found = of(&map, &exprs)?;
        assert!(is_inverse(&map, domains, &found), "{text} {domains:?}: {found:?}");
        Ok(found)
    }

    #[test]
    fn inverses_are_inverse() {
        for (text, domains) in [
            ("(i, j) -> (j, i)", &[3, 4][..]),
            ("(i, j) -> (i * 4 + j)", &[3, 4]),
            ("(i, j) -> (j * 3 + i)", &[3, 4]),
            ("(i) -> (i floordiv 4, i mod 4)", &[12]),
            ("(i) -> (i mod 4, i floordiv 4)", &[12]),
            ("(i) -> ((i mod 4) * 3 + i floordiv 4)", &[12]),
            ("(i, j) -> (i * 2 + j floordiv 8, j mod 8)", &[5, 16]),
            ("(i, j) -> (i floordiv 2, j * 2 + i mod 2)", &[6, 5]),
            ("(i) -> (i floordiv 12, (i floordiv 3) mod 4, i mod 3)", &[24]),
            ("(i) -> (i floordiv 12, (i mod 12) floordiv 3, i mod 3)", &[24]),
            ("(i, j) -> (j)", &[1, 4]),
            ("(i, j) -> (i * 9 + j)", &[1, 4]),
            ("(i) -> (0, i)", &[4]),
            ("(i) -> (i mod 8)", &[4]),
        ] {
            assert!(found(text, domains).is_ok(), "{text} {domains:?}");
        }
    }

    #[test]
    fn what_is_not_one_to_one_is_none() {
        for (text, domains) in [
            ("(i, j) -> (i)", &[3, 4][..]),
            ("(i, j) -> (i + j)", &[3, 4]),
            ("(i, j) -> (i * 5 + j)", &[3, 4]),
            ("(i, j) -> (i * 3 + j)", &[3, 4]),
            ("(i) -> (i floordiv 4, i mod 4)", &[13]),
            ("(i) -> (i floordiv 4, i mod 3)", &[12]),
            ("(i) -> (i floordiv 4, i mod 2)", &[12]),
            ("(i) -> (i, i)", &[4]),
            ("(i) -> (i mod 4)", &[12]),
            ("(i) -> (i + 1)", &[4]),
            ("(i) -> (-i + 3)", &[4]),
            ("(i) -> (i * 2)", &[4]),
        ] {
            assert!(found(text, domains).is_err(), "{text} {domains:?}");
        }
    }

    #[test]
    fn sizes_are_weights() {
        let map = Map::parse("(i, j)[n, m] -> (i * m + j)").expect("a map").results;
        let domains = [Expr::Symbol(0), Expr::Symbol(1)];
        let found = of(&map, &domains).expect("a number of mixed radix");
        assert_eq!(found.shape, [(Expr::Symbol(0) * Expr::Symbol(1)).simplified()]);
        let (quotient, rest) = (Expr::Dim(0).floor_div(Expr::Symbol(1)), Expr::Dim(0));
        assert_eq!(found.inverse, [quotient, rest.modulo(Expr::Symbol(1))]);
        let map = Map::parse("(i)[n] -> (i floordiv 4, i mod 4)").expect("a map").results;
        assert!(of(&map, &[Expr::Symbol(0)]).is_err());
        assert!(of(&map, &[Expr::Symbol(0) * 4.into()]).is_ok());
    }
}

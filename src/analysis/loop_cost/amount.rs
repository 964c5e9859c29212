//! Amounts: counts as polynomials over sizes.
//!
//! `2*n*m + 3`, `(n*n + n)/2`, `min(4, n)`, `max(0, n - 1)`. Sizes are 1 or more, so `n - 1` is never below 0 and
//! `max(0, n - 1)` is `n - 1`. Numbers that do not fit saturate.

use crate::analysis::span::never_negative;
use crate::ir::affine::{BinaryKind, Expr, greatest_divisor};
use std::collections::BTreeMap;

/// A sum of products of atoms with integer coefficients, over a divisor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount {
    /// Atoms are sorted; no coefficient is 0.
    terms: BTreeMap<Vec<AmountAtom>, i128>,
    divisor: i128,
}

/// A factor that is neither a sum nor a product.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum AmountAtom {
    Size(usize),
    /// A rounded quotient of sizes.
    Rounded(Expr),
    /// The minimum of some amounts.
    Least(Vec<Amount>),
    /// The amount, or 0 if it is negative.
    Positive(Amount),
}

impl Amount {
    fn of_terms(mut terms: BTreeMap<Vec<AmountAtom>, i128>, divisor: i128) -> Amount {
        terms.retain(|_, coefficient| *coefficient != 0);
        if divisor == 1 {
            return Amount { terms, divisor };
        }
        let common = terms.values().fold(divisor, |common, c| greatest_common(common, *c));
        terms.values_mut().for_each(|coefficient| *coefficient /= common);
        Amount { terms, divisor: divisor / common }
    }

    fn atom(atom: AmountAtom) -> Amount {
        Amount { terms: BTreeMap::from([(vec![atom], 1)]), divisor: 1 }
    }

    /// The value of an expression over sizes; `None` if it mentions variables.
    pub fn of(expr: &Expr) -> Option<Amount> {
        Some(match expr {
            Expr::Dim(_) => return None,
            Expr::Symbol(size) => Amount::atom(AmountAtom::Size(*size)),
            Expr::Constant(value) => Amount::from(i128::from(*value)),
            Expr::Binary(BinaryKind::Add, left, right) => {
                Amount::of(left)?.plus(&Amount::of(right)?)
            }
            Expr::Binary(BinaryKind::Mul, left, right) => {
                Amount::of(left)?.times(&Amount::of(right)?)
            }
            _ if expr.has_dims() => return None,
            _ => match expr.simplified() {
                // A remainder is expressed by a quotient, so that a loop and its tail add up to the whole.
                Expr::Binary(BinaryKind::Mod, left, right) => {
                    let quotient = (*left).clone().floor_div((*right).clone());
                    let whole = Amount::of(&quotient)?.times(&Amount::of(&right)?);
                    Amount::of(&left)?.minus(&whole)
                }
                rounded @ Expr::Binary(BinaryKind::FloorDiv | BinaryKind::CeilDiv, ..) => {
                    Amount::atom(AmountAtom::Rounded(rounded))
                }
                other => Amount::of(&other)?,
            },
        })
    }

    /// The value, if it depends on no size and is an integer.
    pub fn constant(&self) -> Option<i128> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (None, _) => Some(0),
            (Some((atoms, value)), None) if atoms.is_empty() && self.divisor == 1 => Some(*value),
            _ => None,
        }
    }

    /// The sum; coefficients saturate.
    pub fn plus(&self, other: &Amount) -> Amount {
        let mut terms = BTreeMap::new();
        for (amount, factor) in [(self, other.divisor), (other, self.divisor)] {
            for (atoms, coefficient) in &amount.terms {
                let sum: &mut i128 = terms.entry(atoms.clone()).or_default();
                *sum = sum.saturating_add(coefficient.saturating_mul(factor));
            }
        }
        Amount::of_terms(terms, self.divisor.saturating_mul(other.divisor))
    }

    /// The difference; coefficients saturate.
    pub fn minus(&self, other: &Amount) -> Amount {
        self.plus(&other.scaled(-1))
    }

    /// The amount times a constant.
    pub fn scaled(&self, factor: i128) -> Amount {
        self.times(&Amount::from(factor))
    }

    /// The product; coefficients saturate.
    pub fn times(&self, other: &Amount) -> Amount {
        let mut terms = BTreeMap::new();
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut atoms = [&left[..], &right[..]].concat();
                atoms.sort();
                let sum: &mut i128 = terms.entry(atoms).or_default();
                *sum = sum.saturating_add(a.saturating_mul(*b));
            }
        }
        Amount::of_terms(terms, self.divisor.saturating_mul(other.divisor))
    }

    /// Half of the amount, which must be known to be an integer: the product of a number and the next one, for example.
    pub fn halved(&self) -> Amount {
        Amount::of_terms(self.terms.clone(), self.divisor.saturating_mul(2))
    }

    /// The quotient by a product, if the product divides each term.
    pub fn divided_by(&self, by: &Amount) -> Option<Amount> {
        let mut factors = by.terms.iter();
        let (Some((factor, number)), None) = (factors.next(), factors.next()) else { return None };
        if (by.divisor, self.divisor) != (1, 1) {
            return None;
        }
        let quotient = |(atoms, coefficient): (&Vec<AmountAtom>, &i128)| {
            let mut left = atoms.clone();
            for atom in factor {
                left.remove(left.iter().position(|other| other == atom)?);
            }
            (coefficient % number == 0).then_some((left, coefficient / number))
        };
        Some(Amount::of_terms(self.terms.iter().map(quotient).collect::<Option<_>>()?, 1))
    }

    /// Two amounts without the factors that all terms of both have in common.
    pub fn reduced(&self, other: &Amount) -> (Amount, Amount) {
        // Brought to one divisor, which then cancels.
        let left = self.scaled(self.divisor).scaled(other.divisor);
        let right = other.scaled(other.divisor).scaled(self.divisor);
        let mut terms = left.terms.iter().chain(&right.terms);
        let Some((first, number)) = terms.next() else { return (left, right) };
        let (mut factors, mut number) = (first.clone(), *number);
        for (atoms, coefficient) in terms {
            let mut left = atoms.clone();
            factors.retain(|factor| match left.iter().position(|atom| atom == factor) {
                Some(place) => {
                    left.remove(place);
                    true
                }
                None => false,
            });
            number = greatest_common(number, *coefficient);
        }
        let common = Amount::of_terms(BTreeMap::from([(factors, number.saturating_abs())]), 1);
        let (Some(left), Some(right)) = (left.divided_by(&common), right.divided_by(&common))
        else {
            return (left, right);
        };
        // One may be a multiple of the other.
        let first = |amount: &Amount| amount.terms.values().next().copied().unwrap_or(0);
        let (a, b) = (first(&left), first(&right));
        match left.scaled(b) == right.scaled(a) {
            true => (a.into(), b.into()),
            false => (left, right),
        }
    }

    /// The minimum of some amounts, of which there is at least one.
    pub fn least(all: impl IntoIterator<Item = Amount>) -> Amount {
        let mut kept: Vec<Amount> = vec![];
        for amount in all {
            if kept.iter().any(|other| amount.minus(other).is_never_negative()) {
                continue;
            }
            kept.retain(|other| !other.minus(&amount).is_never_negative());
            kept.push(amount);
        }
        kept.sort();
        match kept.len() {
            1 => kept.remove(0),
            _ => Amount::atom(AmountAtom::Least(kept)),
        }
    }

    /// The amount, or 0 if it is negative.
    pub fn positive(&self) -> Amount {
        if self.is_never_negative() {
            return self.clone();
        }
        match self.scaled(-1).is_never_negative() {
            true => Amount::from(0),
            false => Amount::atom(AmountAtom::Positive(self.clone())),
        }
    }

    /// 1 if the amount is 0 or more, otherwise 0.
    pub fn is_counted(&self) -> Amount {
        Amount::least([Amount::from(1), self.plus(&Amount::from(1)).positive()])
    }

    /// True if the amount is proved to be 0 or more for all sizes of 1 or more.
    pub fn is_never_negative(&self) -> bool {
        if let Some(value) = self.constant() {
            return value >= 0;
        }
        let is_positive = |atom: &AmountAtom| match atom {
            AmountAtom::Size(_) | AmountAtom::Positive(_) => true,
            AmountAtom::Rounded(expr) => is_never_negative(expr),
            AmountAtom::Least(all) => all.iter().all(Amount::is_never_negative),
        };
        let is_sum_of_positive =
            self.terms.iter().all(|(atoms, c)| *c >= 0 && atoms.iter().all(is_positive));
        is_sum_of_positive
            || self.to_expr().is_some_and(|expr| is_never_negative(&expr))
            || self.without_quotients().is_some_and(|amount| amount.is_never_negative())
            || self.is_never_negative_in_cases()
    }

    /// A lower bound of the amount, in which each quotient by a number is replaced by a bound without rounding;
    /// `None` if there is no quotient.
    fn without_quotients(&self) -> Option<Amount> {
        let (mut sum, mut found) = (Amount::from(0), false);
        for (atoms, coefficient) in &self.terms {
            let mut product = Amount::from(*coefficient);
            for atom in atoms {
                let quotient = match atom {
                    AmountAtom::Rounded(Expr::Binary(kind, x, by)) if !found => {
                        Some((*kind, Amount::of(x)?, i128::from(by.constant()?)))
                    }
                    _ => None,
                };
                let Some((kind, x, by)) = quotient else {
                    product = product.times(&Amount::atom(atom.clone()));
                    continue;
                };
                found = true;
                let shift = match (kind, *coefficient > 0) {
                    (BinaryKind::FloorDiv, true) => 1 - by,
                    (BinaryKind::CeilDiv, false) => by - 1,
                    _ => 0,
                };
                let x = x.plus(&shift.into());
                product = product.times(&Amount::of_terms(x.terms, x.divisor.saturating_mul(by)));
            }
            sum = sum.plus(&product);
        }
        // The other factors of a product must be sizes, which are positive. Another quotient may be negative.
        let is_alone = |atoms: &Vec<AmountAtom>| {
            let rounded =
                atoms.iter().filter(|atom| matches!(atom, AmountAtom::Rounded(_))).count();
            rounded <= 1
                && atoms.iter().all(|a| matches!(a, AmountAtom::Size(_) | AmountAtom::Rounded(_)))
        };
        (found && self.terms.keys().all(is_alone)).then_some(sum)
    }

    /// Distinguishes the cases of a minimum. If the minimum is added, the amount must not be negative for each of its
    /// elements; if it is subtracted, for any of them.
    fn is_never_negative_in_cases(&self) -> bool {
        let least = self.terms.iter().find_map(|(atoms, coefficient)| match &atoms[..] {
            [AmountAtom::Least(all)] => Some((atoms, *coefficient, all)),
            _ => None,
        });
        let Some((atoms, coefficient, all)) = least else { return false };
        let mut rest = self.clone();
        rest.terms.remove(atoms);
        let mut cases = all.iter().map(|amount| {
            let amount =
                Amount::of_terms(amount.terms.clone(), amount.divisor.saturating_mul(self.divisor));
            rest.plus(&amount.scaled(coefficient))
        });
        match coefficient > 0 {
            true => cases.all(|case| case.is_never_negative()),
            false => cases.any(|case| case.is_never_negative()),
        }
    }

    /// As an expression over sizes, without the divisor.
    fn to_expr(&self) -> Option<Expr> {
        let mut sum = Expr::Constant(0);
        for (atoms, coefficient) in &self.terms {
            let mut term = Expr::Constant(i64::try_from(*coefficient).ok()?);
            for atom in atoms {
                term = term
                    * match atom {
                        AmountAtom::Size(size) => Expr::Symbol(*size),
                        AmountAtom::Rounded(expr) => expr.clone(),
                        _ => return None,
                    };
            }
            sum = sum + term;
        }
        Some(sum.simplified())
    }

    /// As an expression over sizes, if the amount is one.
    pub fn as_expr(&self) -> Option<Expr> {
        self.to_expr().filter(|_| self.divisor == 1)
    }

    /// The number for these sizes; `None` if it does not fit or a divisor is 0.
    pub fn evaluate(&self, sizes: &[i64]) -> Option<i128> {
        let mut sum = 0i128;
        for (atoms, coefficient) in &self.terms {
            let mut term = *coefficient;
            for atom in atoms {
                let value = match atom {
                    AmountAtom::Size(size) => i128::from(*sizes.get(*size)?),
                    AmountAtom::Rounded(expr) => i128::from(expr.evaluate(&[], sizes)?),
                    AmountAtom::Least(all) => {
                        let values: Option<Vec<i128>> =
                            all.iter().map(|amount| amount.evaluate(sizes)).collect();
                        values?.into_iter().min()?
                    }
                    AmountAtom::Positive(amount) => amount.evaluate(sizes)?.max(0),
                };
                term = term.checked_mul(value)?;
            }
            sum = sum.checked_add(term)?;
        }
        (sum % self.divisor == 0).then_some(sum / self.divisor)
    }

    /// The text, with names for the sizes. Terms with more factors come first.
    pub fn text(&self, names: &[String]) -> String {
        let mut terms: Vec<_> = self.terms.iter().collect();
        terms.sort_by_key(|(atoms, _)| (std::cmp::Reverse(atoms.len()), *atoms));
        let mut text = String::new();
        for (atoms, coefficient) in terms {
            let mut factors: Vec<String> =
                atoms.iter().map(|atom| atom_text(atom, names)).collect();
            let number = coefficient.unsigned_abs();
            if number != 1 || factors.is_empty() {
                factors.insert(0, number.to_string());
            }
            text += match (text.is_empty(), *coefficient < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += &factors.join("*");
        }
        match (text.is_empty(), self.divisor) {
            (true, _) => "0".into(),
            (false, 1) => text,
            (false, divisor) => format!("({text})/{divisor}"),
        }
    }

    /// True if the amount is a single product, which needs no brackets as a factor.
    pub fn is_product(&self) -> bool {
        self.terms.len() < 2 && self.divisor == 1
    }

    /// True if the amount is a single number or size.
    pub fn is_atom(&self) -> bool {
        let mut terms = self.terms.iter();
        let first = terms.next();
        self.constant().is_some_and(|value| value >= 0)
            || terms.next().is_none()
                && self.divisor == 1
                && first.is_some_and(|(atoms, c)| atoms.len() == 1 && *c == 1)
    }
}

impl From<i128> for Amount {
    fn from(value: i128) -> Amount {
        Amount::of_terms(BTreeMap::from([(vec![], value)]), 1)
    }
}

/// True if an expression over sizes is proved to be 0 or more where all sizes are 1 or more.
pub fn is_never_negative(expr: &Expr) -> bool {
    is_never_negative_below(expr, &|_| None)
}

/// The same for an expression that also mentions variables, which are below their caps.
pub fn is_never_negative_below(expr: &Expr, caps: &dyn Fn(usize) -> Option<Expr>) -> bool {
    // Some proofs need quotients that round up, others need quotients that round down.
    [raised, |expr: &Expr| raised(&rounded_down(expr))]
        .iter()
        .any(|form| never_negative(&form(expr), &|v| caps(v).iter().map(form).collect()))
}

/// The expression with each size increased by 1, so that sizes of 1 or more become sizes of 0 or more.
fn raised(expr: &Expr) -> Expr {
    expr.substitute(&Expr::Dim, &|size| Expr::Symbol(size) + 1.into()).simplified()
}

/// The expression with `x ceildiv n` replaced by `(x + n - 1) floordiv n`.
fn rounded_down(expr: &Expr) -> Expr {
    let Expr::Binary(kind, left, right) = expr else { return expr.clone() };
    let (left, right) = (rounded_down(left), rounded_down(right));
    match kind {
        BinaryKind::CeilDiv => (left + right.clone() - 1.into()).floor_div(right),
        _ => Expr::binary(*kind, left, right),
    }
}

fn greatest_common(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.saturating_abs().max(1)
}

fn atom_text(atom: &AmountAtom, names: &[String]) -> String {
    match atom {
        AmountAtom::Size(size) => {
            names.get(*size).cloned().unwrap_or_else(|| format!("size{size}"))
        }
        AmountAtom::Rounded(expr) => rounded_text(expr, names),
        AmountAtom::Least(all) => {
            let all: Vec<_> = all.iter().map(|amount| amount.text(names)).collect();
            format!("min({})", all.join(", "))
        }
        AmountAtom::Positive(amount) => format!("max(0, {})", amount.text(names)),
    }
}

fn rounded_text(expr: &Expr, names: &[String]) -> String {
    let Expr::Binary(kind, left, right) = expr else { return "?".into() };
    let part = |side: &Expr| Amount::of(side).map_or("?".into(), |amount| amount.text(names));
    let word = if *kind == BinaryKind::CeilDiv { "ceildiv" } else { "floordiv" };
    format!("{word}({}, {})", part(left), part(right))
}

/// The greatest number that divides all numbers; 0 if there are none.
pub fn common_divisor(numbers: impl IntoIterator<Item = i64>) -> i64 {
    numbers.into_iter().fold(0, greatest_divisor)
}

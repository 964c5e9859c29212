//! The normal form of affine expressions: sums of atoms with coefficients.

use super::{BinaryKind, Expr, Terms};

/// A sum of terms with coefficients: an atom is a dim, a symbol, a product of them, or a division or
/// remainder in normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linear {
    /// The atoms and their coefficients.
    pub terms: Terms,
    /// The constant term.
    pub constant: i64,
}

impl Linear {
    /// The normal form of an expression.
    pub fn of(expr: &Expr) -> Linear {
        match expr {
            Expr::Constant(value) => Linear { constant: *value, ..Linear::default() },
            Expr::Dim(_) | Expr::Symbol(_) => Linear::atom(expr.clone()),
            Expr::Binary(kind, left, right) => {
                let (mut left, right) = (Linear::of(left), Linear::of(right));
                if !matches!(kind, BinaryKind::Add | BinaryKind::Mul) {
                    left = left.with_remainders_joined();
                }
                if *kind == BinaryKind::Add && left.can_take(&right) {
                    return left.with(right);
                }
                left.combine(*kind, &right).unwrap_or_else(|| {
                    Linear::atom(Expr::binary(*kind, left.to_expr(), right.to_expr()))
                })
            }
        }
    }

    /// The value, if there are no terms.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// True if the form shows that the value is never negative, given that no dim and no symbol is negative.
    pub fn is_never_negative(&self) -> bool {
        let is_factor_never_negative = |factor: &Expr| match factor {
            Expr::Binary(BinaryKind::FloorDiv | BinaryKind::CeilDiv, of, _) => {
                Linear::of(of).is_never_negative()
            }
            Expr::Binary(kind, ..) => *kind == BinaryKind::Mod,
            _ => true,
        };
        self.constant >= 0
            && self.terms.iter().all(|(atom, coefficient)| {
                coefficient.is_positive() && atom.factors().iter().all(is_factor_never_negative)
            })
    }

    /// Terms over symbols alone come last, which is MLIR's order: its printed form parses to the same expression.
    pub fn to_expr(&self) -> Expr {
        let (symbolic, others): (Vec<_>, Vec<_>) =
            self.terms.iter().partition(|(atom, _)| !atom.has_dims());
        let terms =
            others.into_iter().chain(symbolic).map(|(atom, coefficient)| match coefficient {
                1 => atom.clone(),
                _ => atom.clone() * Expr::Constant(*coefficient),
            });
        let sum = terms.reduce(|sum, term| sum + term);
        match (sum, self.constant) {
            (None, constant) => Expr::Constant(constant),
            (Some(sum), 0) => sum,
            (Some(sum), constant) => sum + Expr::Constant(constant),
        }
    }

    /// Folds `c * n * (x floordiv n) + c * (x mod n)` to `c * x`.
    pub(super) fn with_remainders_joined(mut self) -> Linear {
        while self.terms.len() > 1 {
            let joined = self.terms.iter().find_map(|(atom, by)| self.joined(atom, *by));
            match joined {
                Some(joined) => self = joined,
                None => break,
            }
        }
        self
    }

    /// Folds an atom that is a remainder with its quotient, if the sum has both.
    fn joined(&self, remainder: &Expr, coefficient: i64) -> Option<Linear> {
        let Expr::Binary(BinaryKind::Mod, x, n) = remainder else { return None };
        let quotient = Expr::binary(BinaryKind::FloorDiv, (**x).clone(), (**n).clone());
        let quotient = Linear::of(&quotient).to_expr();
        // If the divisor is a size, the product of quotient and size is one atom.
        let (atom, step) = match n.constant() {
            Some(n) => (quotient, n.checked_mul(coefficient)?),
            None => (Linear::of(&(quotient * (**n).clone())).to_expr(), coefficient),
        };
        if self.terms.get(&atom) != Some(&step) {
            return None;
        }
        let mut rest = self.clone();
        rest.terms.remove(&atom);
        rest.terms.remove(remainder);
        rest.plus(&Linear::of(x).times(coefficient)?)
    }

    fn atom(expr: Expr) -> Linear {
        Linear { terms: Terms::one(expr), constant: 0 }
    }

    /// True if no coefficient of the sum can overflow; that is known only for small coefficients.
    fn can_take(&self, other: &Linear) -> bool {
        let is_small = |n: i64| n.unsigned_abs() < 1 << 62;
        let are_small =
            |this: &Linear| is_small(this.constant) && this.terms.values().all(|n| is_small(*n));
        are_small(self) && are_small(other)
    }

    /// The sum, if it is known not to overflow.
    fn with(mut self, other: Linear) -> Linear {
        self.constant += other.constant;
        for (atom, coefficient) in other.terms {
            self.terms.add(atom, coefficient).expect("both are small");
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self
    }

    fn combine(&self, kind: BinaryKind, right: &Linear) -> Option<Linear> {
        match (kind, right.as_constant()) {
            (BinaryKind::Add, _) => self.plus(right),
            (BinaryKind::Mul, Some(factor)) => self.times(factor),
            (BinaryKind::Mul, None) => match self.as_constant() {
                Some(factor) => right.times(factor),
                None => self.product(right),
            },
            (_, Some(divisor)) if divisor > 0 => self.divided(kind, divisor),
            // Division of 0 by a size: a size of 0 has no quotient, and then nothing that uses it runs.
            (_, None) if self.as_constant() == Some(0) => Some(Linear::default()),
            _ => None,
        }
    }

    fn plus(&self, other: &Linear) -> Option<Linear> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant)?;
        for (atom, coefficient) in &other.terms {
            sum.terms.add(atom.clone(), *coefficient)?;
        }
        sum.terms.retain(|_, coefficient| *coefficient != 0);
        Some(sum)
    }

    fn times(&self, factor: i64) -> Option<Linear> {
        let mut product = Linear { constant: self.constant.checked_mul(factor)?, ..self.clone() };
        for coefficient in product.terms.values_mut() {
            *coefficient = coefficient.checked_mul(factor)?;
        }
        product.terms.retain(|_, coefficient| *coefficient != 0);
        Some(product)
    }

    /// The product of two sums, multiplied out; atoms of products are sorted.
    fn product(&self, other: &Linear) -> Option<Linear> {
        let mut sum = self.times(other.constant)?.plus(&other.times(self.constant)?)?;
        sum.constant = self.constant.checked_mul(other.constant)?;
        for (left, a) in &self.terms {
            for (right, b) in &other.terms {
                let mut factors = left.factors();
                factors.extend(right.factors());
                factors.sort();
                let atom = factors.into_iter().reduce(|product, factor| product * factor)?;
                sum = sum.plus(&Linear::atom(atom).times(a.checked_mul(*b)?)?)?;
            }
        }
        Some(sum)
    }

    /// Division or remainder by a positive constant. Whole multiples of the divisor are moved out:
    /// `(16 * o + i) floordiv 16` is `o + i floordiv 16`.
    fn divided(&self, kind: BinaryKind, divisor: i64) -> Option<Linear> {
        let whole = |value: &i64| value % divisor == 0;
        let mut outside = Linear::default();
        let mut inside = self.clone();
        inside.terms.retain(|atom, coefficient| {
            if whole(coefficient) {
                outside.terms.insert(atom.clone(), *coefficient / divisor);
            }
            !whole(coefficient)
        });
        inside.constant = self.constant.rem_euclid(divisor);
        outside.constant = self.constant.div_euclid(divisor);
        let rest = match inside.as_constant() {
            Some(value) => Linear { constant: kind.apply(value, divisor)?, ..Linear::default() },
            None => inside.divided_again(kind, divisor).unwrap_or_else(|| {
                Linear::atom(Expr::binary(kind, inside.to_expr(), divisor.into()))
            }),
        };
        match kind {
            BinaryKind::Mod => Some(rest),
            _ => outside.plus(&rest),
        }
    }

    /// Division or remainder of a quotient or remainder: `(x floordiv 4) floordiv 3` is `x floordiv 12`, and
    /// `(x mod 12) mod 3` is `x mod 3`.
    fn divided_again(&self, kind: BinaryKind, divisor: i64) -> Option<Linear> {
        let mut terms = self.terms.iter();
        let (Some((Expr::Binary(inner, x, by), 1)), None) = (terms.next(), terms.next()) else {
            return None;
        };
        let by = by.constant().filter(|by| *inner == kind && *by > 0)?;
        match kind {
            BinaryKind::Mod if by % divisor == 0 => {
                let shift = Linear { constant: self.constant, ..Linear::default() };
                Linear::of(x).plus(&shift)?.divided(kind, divisor)
            }
            BinaryKind::FloorDiv | BinaryKind::CeilDiv => {
                let shift =
                    Linear { constant: self.constant.checked_mul(by)?, ..Linear::default() };
                Linear::of(x).plus(&shift)?.divided(kind, by.checked_mul(divisor)?)
            }
            _ => None,
        }
    }
}

impl Expr {
    /// True if the expression is a sum in normal form whose atoms are dims, symbols, and at most one quotient or remainder
    /// of one of them. Other normal forms are not recognized.
    pub(super) fn is_plainly_normal(&self) -> bool {
        let mut rest = match self {
            Expr::Constant(_) => return true,
            Expr::Binary(BinaryKind::Add, sum, last) => match **last {
                Expr::Constant(0) => return false,
                Expr::Constant(_) => &**sum,
                _ => self,
            },
            other => other,
        };
        let mut divides = false;
        let mut next: Option<&Expr> = None;
        loop {
            let (before, term) = match rest {
                Expr::Binary(BinaryKind::Add, before, term) => (Some(&**before), &**term),
                term => (None, term),
            };
            let atom = match term {
                Expr::Binary(BinaryKind::Mul, atom, factor) => match **factor {
                    Expr::Constant(0 | 1) => return false,
                    Expr::Constant(_) => &**atom,
                    _ => return false,
                },
                atom => atom,
            };
            match atom {
                Expr::Dim(_) | Expr::Symbol(_) => {}
                Expr::Constant(_) | Expr::Binary(BinaryKind::Add | BinaryKind::Mul, ..) => {
                    return false;
                }
                Expr::Binary(_, of, by) => {
                    let is_simple = matches!(**of, Expr::Dim(_) | Expr::Symbol(_))
                        && matches!(**by, Expr::Constant(2..));
                    if divides || !is_simple {
                        return false;
                    }
                    divides = true;
                }
            }
            // As `to_expr` orders them.
            let place = |atom: &Expr| !atom.has_dims();
            if next.is_some_and(|next| (place(atom), atom) >= (place(next), next)) {
                return false;
            }
            next = Some(atom);
            match before {
                Some(before) => rest = before,
                None => return true,
            }
        }
    }

    /// The factors of a product; for anything else, the expression itself.
    pub fn factors(&self) -> Vec<Expr> {
        match self {
            Expr::Binary(BinaryKind::Mul, left, right) => {
                let mut factors = left.factors();
                factors.extend(right.factors());
                factors
            }
            other => vec![other.clone()],
        }
    }

    /// `self / divisor`, if each term is a multiple of `divisor`.
    pub fn exact_quotient(&self, divisor: &Expr) -> Option<Expr> {
        let linear = Linear::of(&self.simplified());
        if let Some(n) = divisor.constant() {
            let is_whole = n.is_positive()
                && linear.terms.values().chain([&linear.constant]).all(|c| c % n == 0);
            return is_whole.then(|| {
                let terms = linear.terms.iter().map(|(atom, c)| (atom.clone(), c / n)).collect();
                Linear { terms, constant: linear.constant / n }.to_expr()
            });
        }
        if linear.constant != 0 {
            return None;
        }
        let wanted = divisor.simplified().factors();
        let mut sum = Expr::Constant(0);
        for (atom, coefficient) in &linear.terms {
            let mut factors = atom.factors();
            for factor in &wanted {
                factors.remove(factors.iter().position(|f| f == factor)?);
            }
            let rest = factors.into_iter().fold(Expr::Constant(*coefficient), |p, f| p * f);
            sum = sum + rest;
        }
        Some(sum.simplified())
    }
}

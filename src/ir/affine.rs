//! Algebra of affine expressions: evaluation, substitution, intervals, and a [normal form](Linear).

mod linear;
mod parse;
mod terms;

pub use crate::ffi::affine::{BinaryKind, Constraint, Expr, IntegerSet, Map};
pub use linear::Linear;
use std::ops::{Add, Mul, Sub};
pub use terms::Terms;

impl Expr {
    /// The operator applied to two expressions, without simplification.
    pub fn binary(kind: BinaryKind, left: Expr, right: Expr) -> Expr {
        Expr::Binary(kind, Box::new(left), Box::new(right))
    }

    /// The quotient, rounded down.
    pub fn floor_div(self, right: Expr) -> Expr {
        Expr::binary(BinaryKind::FloorDiv, self, right)
    }

    /// The remainder of the division that rounds down.
    pub fn modulo(self, right: Expr) -> Expr {
        Expr::binary(BinaryKind::Mod, self, right)
    }

    /// The value, if the normal form of the expression is a constant.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Expr::Constant(value) => Some(*value),
            Expr::Dim(_) | Expr::Symbol(_) => None,
            Expr::Binary(..) => Linear::of(self).as_constant(),
        }
    }

    /// An extent without a negative constant: a constant below 0 becomes 0, another expression does not change.
    pub fn or_empty(&self) -> Expr {
        self.constant().map_or_else(|| self.clone(), |extent| extent.max(0).into())
    }

    /// The value for given dims and symbols; `None` on overflow or division by 0 or less.
    pub fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<i64> {
        match self {
            Expr::Dim(i) => dims.get(*i).copied(),
            Expr::Symbol(i) => symbols.get(*i).copied(),
            Expr::Constant(value) => Some(*value),
            Expr::Binary(kind, left, right) => {
                kind.apply(left.evaluate(dims, symbols)?, right.evaluate(dims, symbols)?)
            }
        }
    }

    /// Replaces each dim and symbol by the result of the functions.
    pub fn substitute(
        &self,
        dim: &impl Fn(usize) -> Expr,
        symbol: &impl Fn(usize) -> Expr,
    ) -> Expr {
        match self {
            Expr::Dim(i) => dim(*i),
            Expr::Symbol(i) => symbol(*i),
            Expr::Constant(value) => Expr::Constant(*value),
            Expr::Binary(kind, left, right) => {
                Expr::binary(*kind, left.substitute(dim, symbol), right.substitute(dim, symbol))
            }
        }
    }

    /// Calls `visit` with every dim and symbol in the expression.
    pub fn visit_leaves(&self, visit: &mut impl FnMut(&Expr)) {
        match self {
            Expr::Binary(_, left, right) => {
                left.visit_leaves(visit);
                right.visit_leaves(visit);
            }
            Expr::Constant(_) => {}
            leaf => visit(leaf),
        }
    }

    /// The number of dims and symbols, each counted as often as it occurs.
    pub fn leaves(&self) -> usize {
        let mut count = 0;
        self.visit_leaves(&mut |_| count += 1);
        count
    }

    /// True if the expression mentions a dim.
    pub fn has_dims(&self) -> bool {
        let mut found = false;
        self.visit_leaves(&mut |leaf| found |= matches!(leaf, Expr::Dim(_)));
        found
    }

    /// True if the expression has a quotient or a remainder.
    fn divides(&self) -> bool {
        let Expr::Binary(kind, left, right) = self else { return false };
        !matches!(kind, BinaryKind::Add | BinaryKind::Mul) || left.divides() || right.divides()
    }

    /// True if MLIR can express it: its text has no products of dims and no quotients by dims.
    pub fn is_semi_affine(&self) -> bool {
        let Expr::Binary(kind, left, right) = self else { return true };
        let fits = match kind {
            BinaryKind::Add => true,
            BinaryKind::Mul => !left.has_dims() || !right.has_dims(),
            _ => !right.has_dims(),
        };
        fits && left.is_semi_affine() && right.is_semi_affine()
    }

    /// The normal form: equal sums of products have equal normal forms. A rewrite that could overflow
    /// is not applied.
    pub fn simplified(&self) -> Expr {
        let computed = || Linear::of(self).with_remainders_joined().to_expr();
        match self.is_plainly_normal() {
            // Most expressions are, and computing the form takes ten times as long.
            true => {
                debug_assert_eq!(computed(), *self);
                self.clone()
            }
            false => computed(),
        }
    }

    /// The normal form if each dim and symbol stays in its interval (both ends included): a remainder
    /// or quotient of a value within one period is folded.
    pub fn simplified_within(&self, leaf: &impl Fn(&Expr) -> Option<(i64, i64)>) -> Expr {
        let simplified = self.simplified();
        if !simplified.divides() {
            return simplified;
        }
        let Expr::Binary(kind, left, right) = simplified else { return simplified };
        let (left, right) = (left.simplified_within(leaf), right.simplified_within(leaf));
        let divisor = right.constant().filter(|size| *size > 0);
        let whole = Expr::binary(kind, left.clone(), right.clone());
        let (Some(size), BinaryKind::FloorDiv | BinaryKind::Mod) = (divisor, kind) else {
            return whole.simplified();
        };
        let period = left.interval(leaf).and_then(|(low, high)| {
            (low.div_euclid(size) == high.div_euclid(size)).then(|| low.div_euclid(size))
        });
        if let Some(period) = period {
            let rest = || (left.clone() - (period * size).into()).simplified();
            return if kind == BinaryKind::FloorDiv { period.into() } else { rest() };
        }
        match split_by_step(&left, size, leaf) {
            Some((steps, step, _)) if kind == BinaryKind::FloorDiv => {
                steps.floor_div((size / step).into()).simplified_within(leaf)
            }
            Some((steps, step, rest)) => {
                let steps = steps.modulo((size / step).into()).simplified_within(leaf);
                (steps * step.into() + rest).simplified()
            }
            None => match whole.simplified() {
                // Multiples of the divisor left the quotient, which may be within one period now.
                sum @ Expr::Binary(BinaryKind::Add, ..) => sum.simplified_within(leaf),
                other => other,
            },
        }
    }

    /// The interval of the expression's values if each dim and symbol stays in its interval (both
    /// ends included); `None` if it is unknown.
    pub fn interval(&self, leaf: &impl Fn(&Expr) -> Option<(i64, i64)>) -> Option<(i64, i64)> {
        let Expr::Binary(kind, left, right) = self else {
            return match self {
                Expr::Constant(value) => Some((*value, *value)),
                other => leaf(other),
            };
        };
        let right = right.interval(leaf)?;
        if !matches!(kind, BinaryKind::Add | BinaryKind::Mul) && right.0 <= 0 {
            return None;
        }
        let Some(left) = left.interval(leaf) else {
            // Only for a divisor: other operands may be the smallest integer.
            return (*kind == BinaryKind::Mod).then(|| (0, right.1 - 1));
        };
        if *kind == BinaryKind::Mod {
            let one_period = left.0.div_euclid(right.0) == left.1.div_euclid(right.0);
            return Some(if right.0 == right.1 && one_period {
                (left.0.rem_euclid(right.0), left.1.rem_euclid(right.0))
            } else {
                (0, right.1 - 1)
            });
        }
        let corners = [
            kind.apply(left.0, right.0)?,
            kind.apply(left.0, right.1)?,
            kind.apply(left.1, right.0)?,
            kind.apply(left.1, right.1)?,
        ];
        Some((*corners.iter().min()?, *corners.iter().max()?))
    }
}

/// Splits `expr` into `steps * step + rest` with `0 <= rest < step`, where `1 < step < size` and `step` divides `size`.
fn split_by_step(
    expr: &Expr,
    size: i64,
    leaf: &impl Fn(&Expr) -> Option<(i64, i64)>,
) -> Option<(Expr, i64, Expr)> {
    let linear = Linear::of(expr);
    let mut candidates: Vec<i64> =
        linear.terms.values().map(|coefficient| greatest_divisor(*coefficient, size)).collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.retain(|step| *step > 1 && *step < size);
    candidates.into_iter().rev().find_map(|step| {
        let mut steps = Linear { constant: linear.constant.div_euclid(step), ..Linear::default() };
        let mut rest = Linear { constant: linear.constant.rem_euclid(step), ..Linear::default() };
        for (atom, coefficient) in &linear.terms {
            match coefficient % step {
                0 => steps.terms.insert(atom.clone(), coefficient / step),
                _ => rest.terms.insert(atom.clone(), *coefficient),
            };
        }
        let (low, high) = rest.to_expr().interval(leaf)?;
        (low >= 0 && high < step).then(|| (steps.to_expr(), step, rest.to_expr()))
    })
}

/// The greatest common divisor; of 0 and a number, the number.
pub fn greatest_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

impl BinaryKind {
    /// The result for two numbers; `None` on overflow, or if a divisor is not positive.
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            BinaryKind::Add => left.checked_add(right),
            BinaryKind::Mul => left.checked_mul(right),
            _ if right <= 0 => None,
            BinaryKind::FloorDiv => left.checked_div_euclid(right),
            BinaryKind::CeilDiv => {
                left.checked_div_euclid(right)?.checked_add((left.rem_euclid(right) != 0).into())
            }
            BinaryKind::Mod => Some(left.rem_euclid(right)),
        }
    }
}

impl Add for Expr {
    type Output = Expr;
    fn add(self, right: Expr) -> Expr {
        Expr::binary(BinaryKind::Add, self, right)
    }
}

impl Mul for Expr {
    type Output = Expr;
    fn mul(self, right: Expr) -> Expr {
        Expr::binary(BinaryKind::Mul, self, right)
    }
}

impl Sub for Expr {
    type Output = Expr;
    fn sub(self, right: Expr) -> Expr {
        self + right * Expr::Constant(-1)
    }
}

impl From<i64> for Expr {
    fn from(value: i64) -> Expr {
        Expr::Constant(value)
    }
}

impl Map {
    /// The identity map of this many dimensions.
    pub fn identity(dims: usize) -> Map {
        Map { dims, symbols: 0, results: (0..dims).map(Expr::Dim).collect() }
    }

    /// The dimension that each result is; `None` if one is anything else.
    pub fn plain_dims(&self) -> Option<Vec<usize>> {
        let dim = |expr: &Expr| match expr {
            Expr::Dim(d) => Some(*d),
            _ => None,
        };
        self.results.iter().map(dim).collect()
    }

    /// The results for values of the dimensions and symbols; `None` if one cannot be computed.
    pub fn evaluate(&self, dims: &[i64], symbols: &[i64]) -> Option<Vec<i64>> {
        self.results.iter().map(|e| e.evaluate(dims, symbols)).collect()
    }

    /// The map without unused dims and symbols and without repeated operands, and the
    /// remaining operands: dims, then symbols.
    pub fn compressed<V: Copy + PartialEq>(&self, dims: &[V], symbols: &[V]) -> (Map, Vec<V>) {
        let (mut used_dims, mut used_symbols) = (vec![], vec![]);
        for result in &self.results {
            result.visit_leaves(&mut |leaf| {
                let (list, value) = match leaf {
                    Expr::Dim(i) => (&mut used_dims, dims[*i]),
                    Expr::Symbol(i) => (&mut used_symbols, symbols[*i]),
                    _ => return,
                };
                if !list.contains(&value) {
                    list.push(value);
                }
            });
        }
        let place =
            |list: &[V], value: V| list.iter().position(|v| *v == value).expect("collected above");
        let dim = |i: usize| Expr::Dim(place(&used_dims, dims[i]));
        let symbol = |i: usize| Expr::Symbol(place(&used_symbols, symbols[i]));
        let map = Map {
            dims: used_dims.len(),
            symbols: used_symbols.len(),
            results: self.results.iter().map(|e| e.substitute(&dim, &symbol)).collect(),
        };
        used_dims.extend(used_symbols);
        (map, used_dims)
    }
}

impl Constraint {
    /// The conditions of which one holds where this one does not.
    pub fn opposites(&self) -> Vec<Constraint> {
        let (negative, positive) = match self {
            Constraint::NonNegative(e) => (e, None),
            Constraint::Zero(e) => (e, Some(e.clone() - 1.into())),
        };
        let negative = Expr::Constant(-1) - negative.clone();
        let both = std::iter::once(negative).chain(positive);
        both.map(|e| Constraint::NonNegative(e.simplified())).collect()
    }

    /// An equivalent condition without terms that are too small to matter, if there are such: `4 * x + 3 - v >= 0`
    /// with `v` in 4 is `x >= 0`. Each dim and symbol stays in its interval (both ends included).
    pub fn coarse(&self, leaf: &impl Fn(&Expr) -> Option<(i64, i64)>) -> Option<Constraint> {
        let Constraint::NonNegative(expr) = self else { return None };
        let linear = Linear::of(expr);
        let mut units: Vec<i64> = linear.terms.values().map(|factor| factor.abs()).collect();
        units.sort_unstable();
        units.dedup();
        units.into_iter().filter(|unit| *unit > 1).find_map(|unit| {
            let (mut small, mut large) = (Linear::default(), Linear::default());
            for (term, factor) in &linear.terms {
                match factor % unit {
                    0 => large.terms.insert(term.clone(), factor / unit),
                    _ => small.terms.insert(term.clone(), *factor),
                };
            }
            small.constant = linear.constant.rem_euclid(unit);
            large.constant = linear.constant.div_euclid(unit);
            let (low, high) = small.to_expr().interval(leaf)?;
            let is_small = !small.terms.is_empty() && low >= 0 && high < unit;
            is_small.then(|| Constraint::NonNegative(large.to_expr().simplified()))
        })
    }
}

impl IntegerSet {
    /// True if all constraints hold; `None` if a constraint cannot be evaluated.
    pub fn contains(&self, dims: &[i64], symbols: &[i64]) -> Option<bool> {
        for constraint in &self.constraints {
            let value = constraint.expr().evaluate(dims, symbols)?;
            let holds = match constraint {
                Constraint::Zero(_) => value == 0,
                Constraint::NonNegative(_) => value >= 0,
            };
            if !holds {
                return Some(false);
            }
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn expression() -> impl Strategy<Value = Expr> {
        let leaf = prop_oneof![
            (0..3usize).prop_map(Expr::Dim),
            (0..2usize).prop_map(Expr::Symbol),
            (-20..20i64).prop_map(Expr::Constant),
        ];
        leaf.prop_recursive(4, 24, 2, |inner| {
            (0..5, inner.clone(), inner, 1..9i64).prop_map(|(kind, a, b, c)| match kind {
                0 => a + b,
                1 => a * b,
                2 => a.floor_div(c.into()),
                3 => Expr::binary(BinaryKind::CeilDiv, a, c.into()),
                _ => a.modulo(c.into()),
            })
        })
    }

    proptest! {
        #[test]
        fn normal_form_keeps_the_value(
            expr in expression(),
            dims in prop::array::uniform3(-9..9i64),
            symbols in prop::array::uniform2(-9..9i64),
        ) {
            if let Some(value) = expr.evaluate(&dims, &symbols) {
                prop_assert_eq!(expr.simplified().evaluate(&dims, &symbols), Some(value));
            }
        }

        #[test]
        fn normal_form_is_a_fixed_point(expr in expression()) {
            let once = expr.simplified();
            prop_assert_eq!(once.simplified(), once);
        }

        #[test]
        fn normal_form_within_bounds_keeps_the_value(
            expr in expression(),
            dims in prop::array::uniform3(0..7i64),
            symbols in prop::array::uniform2(0..7i64),
        ) {
            if let Some(value) = expr.evaluate(&dims, &symbols) {
                let simple = expr.simplified_within(&|_| Some((0, 6)));
                prop_assert_eq!(simple.evaluate(&dims, &symbols), Some(value));
            }
        }

        #[test]
        fn interval_holds_the_value(
            expr in expression(),
            dims in prop::array::uniform3(-9..9i64),
            symbols in prop::array::uniform2(-9..9i64),
        ) {
            let value = expr.evaluate(&dims, &symbols);
            let interval = expr.interval(&|_| Some((-9, 8)));
            if let (Some(value), Some((low, high))) = (value, interval) {
                prop_assert!(low <= value && value <= high, "{low} <= {value} <= {high}");
            }
        }
    }

    #[test]
    fn a_remainder_of_what_is_not_known_is_below_its_divisor() {
        let of_nothing = |_: &Expr| None;
        let rest = Expr::Dim(0).modulo(2.into());
        assert_eq!(rest.interval(&of_nothing), Some((0, 1)));
        assert_eq!(rest.floor_div(3.into()).simplified_within(&of_nothing), 0.into());
        assert_eq!(Expr::Dim(0).floor_div(2.into()).interval(&of_nothing), None);
    }

    #[test]
    fn intervals_of_the_largest_numbers_do_not_overflow() {
        use BinaryKind::{Add, CeilDiv, FloorDiv, Mod, Mul};
        let of_nothing = |_: &Expr| None;
        for value in [i64::MIN, i64::MIN + 1, i64::MAX - 1, i64::MAX] {
            for kind in [Add, Mul, FloorDiv, CeilDiv, Mod] {
                let unknown = Expr::Binary(kind, Expr::Dim(0).into(), Expr::Constant(value).into());
                let known =
                    Expr::Binary(kind, Expr::Constant(value).into(), Expr::Constant(value).into());
                for expr in [unknown, known] {
                    let _ = expr.interval(&of_nothing);
                    let _ = expr.simplified_within(&of_nothing);
                    let _ = expr.simplified_within(&|_| Some((i64::MIN, i64::MAX)));
                }
            }
        }
    }

    #[test]
    fn multiples_of_the_divisor_leave_a_division() {
        let fused = Expr::Dim(0) * 16.into() + Expr::Dim(1);
        assert_eq!(
            fused.clone().floor_div(16.into()).simplified(),
            Expr::Dim(0) + Expr::Dim(1).floor_div(16.into())
        );
        assert_eq!(fused.modulo(16.into()).simplified(), Expr::Dim(1).modulo(16.into()));
    }

    #[test]
    fn the_rest_of_a_quotient_is_folded_too() {
        let within = |leaf: &Expr| match leaf {
            Expr::Dim(1) => Some((0, 15)),
            Expr::Dim(2) => Some((0, 1)),
            _ => None,
        };
        let fused = Expr::Dim(0) * 32.into() + Expr::Dim(1) * 2.into() + Expr::Dim(2);
        let quotient = fused.modulo(32.into()).floor_div(2.into());
        assert_eq!(quotient.simplified_within(&within), Expr::Dim(1));
    }

    #[test]
    fn what_lies_within_a_step_leaves_quotient_and_remainder() {
        let within = |leaf: &Expr| match leaf {
            Expr::Dim(1) => Some((0, 15)),
            _ => None,
        };
        let fused = || Expr::Dim(0) * 16.into() + Expr::Dim(1);
        let (quotient, remainder) = (fused().floor_div(64.into()), fused().modulo(64.into()));
        assert_eq!(quotient.simplified_within(&within), Expr::Dim(0).floor_div(4.into()));
        assert_eq!(
            remainder.simplified_within(&within),
            Expr::Dim(1) + Expr::Dim(0).modulo(4.into()) * 16.into()
        );
        let address =
            Expr::Dim(2).floor_div(64.into()) * 64.into() + Expr::Dim(2).modulo(64.into());
        assert_eq!(address.simplified_within(&within), Expr::Dim(2));
        let by_size = |x: Expr| {
            x.clone().floor_div(Expr::Symbol(0)) * Expr::Symbol(0) + x.modulo(Expr::Symbol(0))
        };
        assert_eq!(by_size(Expr::Dim(2)).simplified_within(&within), Expr::Dim(2));
    }

    #[test]
    fn digits_of_a_number_make_it_up() {
        let number = || Expr::Dim(0) + Expr::Dim(1) * 5.into();
        let digit = |by: i64, size: i64| number().floor_div(by.into()).modulo(size.into());
        let digits = number().floor_div(12.into()) * 12.into()
            + digit(3, 4) * 3.into()
            + number().modulo(3.into());
        assert_eq!(digits.clone().simplified(), number().simplified());
        assert_eq!(
            (digits * 8.into()).floor_div(2.into()).simplified(),
            (number() * 4.into()).simplified()
        );
        let others = digit(3, 5) * 3.into() + number().modulo(3.into());
        assert_ne!(others.simplified(), number().simplified());
    }

    #[test]
    fn compression_drops_unused_and_repeated_operands() {
        let map = Map { dims: 3, symbols: 1, results: vec![Expr::Dim(2) + Expr::Dim(0)] };
        let (map, operands) = map.compressed(&["i", "j", "i"], &["n"]);
        assert_eq!(operands, ["i"]);
        assert_eq!(map.results[0], Expr::Dim(0) + Expr::Dim(0));
    }
}

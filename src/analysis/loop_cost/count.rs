//! Counts the iterations of a space.
//!
//! The counts of variables without conditions are multiplied. A set of variables that conditions connect is counted
//! - as a mixed-radix number: `4 * i + j < n` with `j < 4` has `n` iterations, one for each number;
//! - as a sum: `j <= i` with `i < n` has `(n*n + n)/2`;
//! - by enumeration, if all is numbers and the space is not too large.
//!
//! If none of these applies, the count of its variables without the conditions is an upper bound.

use super::amount::{Amount, common_divisor};
use super::figure::Figure;
use super::space::{Component, IterationSpace, Normal, mentions};
use crate::analysis::span::hull;
use crate::ir::affine::{Constraint, Expr, Linear};
use std::collections::BTreeMap;

/// Larger spaces are not enumerated.
const MAX_POINTS: usize = 1 << 18;

/// The iterations of a space.
pub fn count(space: &IterationSpace) -> Figure {
    // An `else` has all iterations except those of its `then`.
    if let Some((last, others)) = space.excluded.split_last() {
        let all = IterationSpace { excluded: others.to_vec(), ..space.clone() };
        let mut taken = all.clone();
        taken.conditions.extend(last.iter().cloned());
        return match (count(&all), count(&taken)) {
            (all @ Figure::Exact(_), taken @ Figure::Exact(_)) => all.minus(&taken),
            (all, _) => match Normal::of(space, vec![]) {
                normal if normal.order.iter().all(|v| normal.cap(*v).is_some()) => {
                    enumerated(&normal).unwrap_or(all.bound())
                }
                _ => all.bound(),
            },
        };
    }
    iterations(&Normal::of(space, vec![]))
}

/// Enumerates all variables at once.
fn enumerated(normal: &Normal) -> Option<Figure> {
    let all = Component {
        variables: normal.order.clone(),
        conditions: normal.conditions.clone(),
        excluded: normal.excluded.clone(),
    };
    let mut count = 0;
    points(normal, &all, &mut |_| count += 1).then(|| Figure::number(count))
}

fn iterations(normal: &Normal) -> Figure {
    if normal.is_empty {
        return Figure::number(0);
    }
    let mut product = Figure::number(1);
    for condition in normal.of_sizes().0 {
        product = product.times(&Figure::Exact(indicator(condition)));
    }
    for component in normal.components() {
        product = product.times(&of_component(normal, &component));
    }
    product
}

/// 1 if a condition over sizes holds, otherwise 0.
pub fn indicator(condition: &Constraint) -> Amount {
    let of = |expr: &Expr| Amount::of(expr).unwrap_or_else(|| 0.into()).is_counted();
    match condition {
        Constraint::NonNegative(expr) => of(expr),
        Constraint::Zero(expr) => of(expr).times(&of(&(expr.clone() * (-1).into()))),
    }
}

/// The iterations of variables that conditions connect.
pub fn of_component(normal: &Normal, component: &Component) -> Figure {
    let cap = |v: &usize| Some(Amount::of(normal.caps[*v].as_ref()?)?.positive());
    if let ([v], true) = (&component.variables[..], component.is_free()) {
        return cap(v).map_or(Figure::Unknown, Figure::Exact);
    }
    if component.excluded.is_empty() {
        if let Some(digits) = DenseSum::of(normal, component) {
            return Figure::Exact(digits.count());
        }
        if let Some(sum) = triangle(normal, component) {
            return Figure::Exact(sum);
        }
    }
    let mut count = 0;
    if points(normal, component, &mut |_| count += 1) {
        return Figure::number(count);
    }
    let most = |v: &usize| most(&normal.extents, *v).map_or(Figure::Unknown, Figure::AtMost);
    component.variables.iter().fold(Figure::number(1), |product, v| product.times(&most(v))).bound()
}

/// An upper bound of the iterations of a variable, for all values of the others.
pub fn most(extents: &[Vec<Expr>], v: usize) -> Option<Amount> {
    let caps = |v: usize| -> Vec<Expr> {
        extents[v].iter().filter(|extent| !extent.has_dims()).cloned().collect()
    };
    let reach = |extent: &Expr| Amount::of(&hull(extent, &|_| true, &caps)?.high());
    let all: Vec<Amount> = extents[v].iter().filter_map(reach).collect();
    (!all.is_empty()).then(|| Amount::least(all).positive())
}

/// A sum over variables that takes each value from `low` on, below `end`, exactly once.
pub struct DenseSum {
    /// Its coefficients by variable.
    pub form: AmountByVariable,
    pub low: Amount,
    pub end: Amount,
}

/// Coefficients by variable.
pub type AmountByVariable = BTreeMap<usize, Amount>;

impl DenseSum {
    /// The sum of a component whose conditions are all on one sum that is a mixed-radix number.
    pub fn of(normal: &Normal, component: &Component) -> Option<DenseSum> {
        let (first, others) = component.conditions.split_first()?;
        let mut bounds = SumBounds::of(first)?;
        for other in others {
            bounds.join(SumBounds::of(other)?)?;
        }
        // Variables with negative coefficients are counted from their ends.
        let (mut least, mut left) = (Amount::from(0), vec![]);
        for v in &component.variables {
            let (coefficient, cap) = (bounds.form.get(v)?, Amount::of(normal.caps[*v].as_ref()?)?);
            let last = cap.minus(&1.into());
            if !last.is_never_negative() {
                return None;
            }
            match coefficient.is_never_negative() {
                true => left.push((coefficient.clone(), cap)),
                false => {
                    least = least.plus(&coefficient.times(&last));
                    left.push((coefficient.scaled(-1), cap));
                }
            }
        }
        let mut values = Amount::from(1);
        while !left.is_empty() {
            let next = left.iter().position(|(weight, _)| *weight == values)?;
            values = values.times(&left.remove(next).1);
        }
        bounds.ends.push(least.plus(&values));
        bounds.lows.push(least);
        // Prefer `n` to `-n`.
        if bounds.form.values().all(|c| c.scaled(-1).is_never_negative()) {
            bounds = bounds.negated();
        }
        let low = Amount::least(bounds.lows.iter().map(|low| low.scaled(-1))).scaled(-1);
        Some(DenseSum { form: bounds.form, low, end: Amount::least(bounds.ends) })
    }

    pub fn count(&self) -> Amount {
        self.end.minus(&self.low).positive()
    }
}

/// The bounds that conditions give for a sum: it is at least each of `lows`, and below each of `ends`.
struct SumBounds {
    form: AmountByVariable,
    lows: Vec<Amount>,
    ends: Vec<Amount>,
}

impl SumBounds {
    /// `g * form + rest >= 0`, where `g` divides all coefficients, is `form >= -(rest floordiv g)`.
    fn of(condition: &Constraint) -> Option<SumBounds> {
        let (form, rest) = linear_form(condition.expr())?;
        let numbers: Option<Vec<i64>> =
            form.values().map(|c| i64::try_from(c.constant()?).ok()).collect();
        let divisor = numbers.map_or(1, |numbers| common_divisor(numbers).max(1));
        let by = Amount::from(i128::from(divisor));
        let divided = |(v, c): (&usize, &Amount)| Some((*v, c.divided_by(&by)?));
        let form: AmountByVariable = form.iter().map(divided).collect::<Option<_>>()?;
        Some(match condition {
            Constraint::NonNegative(_) => {
                let rest = rest.as_expr()?.floor_div(divisor.into()).simplified();
                SumBounds { form, lows: vec![Amount::of(&rest)?.scaled(-1)], ends: vec![] }
            }
            Constraint::Zero(_) => {
                let value = rest.divided_by(&by)?.scaled(-1);
                SumBounds { form, ends: vec![value.plus(&1.into())], lows: vec![value] }
            }
        })
    }

    /// The same for the negated sum.
    fn negated(self) -> SumBounds {
        let opposite = |amount: Amount| Amount::from(1).minus(&amount);
        SumBounds {
            form: self.form.into_iter().map(|(v, c)| (v, c.scaled(-1))).collect(),
            lows: self.ends.into_iter().map(opposite).collect(),
            ends: self.lows.into_iter().map(opposite).collect(),
        }
    }

    /// Adds the bounds of the same sum, or of its negation.
    fn join(&mut self, other: SumBounds) -> Option<()> {
        let other = if other.form == self.form { other } else { other.negated() };
        self.lows.extend(other.lows);
        self.ends.extend(other.ends);
        (other.form == self.form).then_some(())
    }
}

/// The coefficients of variables, and the rest, of a sum of products with sizes.
pub fn linear_form(expr: &Expr) -> Option<(AmountByVariable, Amount)> {
    let linear = Linear::of(expr);
    let mut form = AmountByVariable::new();
    let mut rest = Amount::from(i128::from(linear.constant));
    for (atom, coefficient) in &linear.terms {
        let (dims, sizes): (Vec<Expr>, Vec<Expr>) =
            atom.factors().into_iter().partition(Expr::has_dims);
        let mut product = Amount::from(i128::from(*coefficient));
        for size in &sizes {
            product = product.times(&Amount::of(size)?);
        }
        match &dims[..] {
            [] => rest = rest.plus(&product),
            [Expr::Dim(v)] => {
                let sum = form.entry(*v).or_insert_with(|| 0.into());
                *sum = sum.plus(&product);
            }
            _ => return None,
        }
    }
    form.retain(|_, c| c.constant() != Some(0));
    Some((form, rest))
}

/// Counts a component in which one variable runs between two sums of the others, and these run without conditions.
fn triangle(normal: &Normal, component: &Component) -> Option<Amount> {
    component.variables.iter().find_map(|inner| {
        let (mut lows, mut ends) = (vec![Expr::Constant(0)], vec![]);
        ends.extend(normal.caps[*inner].clone());
        for condition in &component.conditions {
            let Constraint::NonNegative(expr) = condition else { return None };
            let linear = Linear::of(expr);
            let coefficient = *linear.terms.get(&Expr::Dim(*inner))?;
            let rest = (expr.clone() - Expr::Dim(*inner) * coefficient.into()).simplified();
            match coefficient {
                _ if mentions(&rest, *inner) => return None,
                1 => lows.push((rest * (-1).into()).simplified()),
                -1 => ends.push((rest + 1.into()).simplified()),
                _ => return None,
            }
        }
        let is_least = |a: &Expr, all: &[Expr]| {
            all.iter().all(|b| normal.never_negative(&(b.clone() - a.clone()).simplified()))
        };
        let turned = |all: &[Expr]| -> Vec<Expr> {
            all.iter().map(|e| (e.clone() * (-1).into()).simplified()).collect()
        };
        let end = ends.iter().find(|end| is_least(end, &ends))?;
        let negative = turned(&lows);
        let low = negative.iter().find(|low| is_least(low, &negative))?;
        let length = (end.clone() + low.clone()).simplified();
        if !normal.never_negative(&length) {
            return None;
        }
        let (form, rest) = linear_form(&length)?;
        let mut others = BTreeMap::new();
        for v in component.variables.iter().filter(|v| *v != inner) {
            let cap = Amount::of(normal.caps[*v].as_ref()?)?;
            if !cap.is_never_negative() {
                return None;
            }
            others.insert(*v, cap);
        }
        let all = others.values().fold(Amount::from(1), |all, cap| all.times(cap));
        let mut sum = rest.times(&all);
        for (v, coefficient) in &form {
            let mut product = coefficient.clone();
            for (other, cap) in &others {
                product = product.times(&match other == v {
                    true => cap.times(&cap.minus(&1.into())).halved(),
                    false => cap.clone(),
                });
            }
            sum = sum.plus(&product);
        }
        Some(sum)
    })
}

/// Enumerates the points of a component; `visit` gets the values of all variables. Returns false if it is not
/// possible: all must be numbers, and not too many.
pub fn points(normal: &Normal, component: &Component, visit: &mut dyn FnMut(&[i64])) -> bool {
    let mut is_numbers = true;
    let conditions = || component.conditions.iter().chain(component.excluded.iter().flatten());
    let extents = || component.variables.iter().flat_map(|v| &normal.extents[*v]);
    for expr in conditions().map(Constraint::expr).chain(extents()) {
        expr.visit_leaves(&mut |leaf| is_numbers &= matches!(leaf, Expr::Dim(_)));
    }
    // Extents may mention variables that no condition connects to these: each of those has a single value left.
    let mut walk =
        Walk { normal, component, values: vec![0; normal.extents.len()], left: MAX_POINTS };
    // A first run without `visit` checks that the enumeration ends: points of one that does not must not count.
    is_numbers && walk.from(0, &mut |_| {}).is_some() && {
        walk.left = MAX_POINTS;
        walk.from(0, visit).is_some()
    }
}

struct Walk<'a> {
    normal: &'a Normal,
    component: &'a Component,
    values: Vec<i64>,
    left: usize,
}

impl Walk<'_> {
    /// `None` if there are too many points.
    fn from(&mut self, depth: usize, visit: &mut dyn FnMut(&[i64])) -> Option<()> {
        let (normal, component) = (self.normal, self.component);
        let Some(v) = component.variables.get(depth) else {
            let values = &self.values;
            if all_hold(&component.conditions, values)?
                && !component
                    .excluded
                    .iter()
                    .map(|set| all_hold(set, values))
                    .collect::<Option<Vec<_>>>()?
                    .contains(&true)
            {
                visit(values);
            }
            return Some(());
        };
        let extents = normal.extents[*v].iter().map(|extent| extent.evaluate(&self.values, &[]));
        let extent = extents.collect::<Option<Vec<i64>>>()?.into_iter().min()?;
        for value in 0..extent {
            self.left = self.left.checked_sub(1)?;
            self.values[*v] = value;
            self.from(depth + 1, visit)?;
        }
        self.values[*v] = 0;
        Some(())
    }
}

fn all_hold(conditions: &[Constraint], values: &[i64]) -> Option<bool> {
    for condition in conditions {
        let value = condition.expr().evaluate(values, &[])?;
        let holds = match condition {
            Constraint::Zero(_) => value == 0,
            Constraint::NonNegative(_) => value >= 0,
        };
        if !holds {
            return Some(false);
        }
    }
    Some(true)
}

//! Iteration spaces: loops and conditions, and a normal form in which iterations can be counted.
//!
//! Variables are [`Expr::Dim`]s, sizes are [`Expr::Symbol`]s. In the normal form
//! - each variable has a cap, which is an extent over sizes alone, and all other extents are conditions;
//! - no variable has one value only (`i in 1`, or `i == 0`);
//! - a fused loop that is divided by one divisor is two loops: `f in n * m` with `f floordiv m` and `f mod m` becomes
//!   `q in n` and `r in m`; `i in n` with `i mod 2` becomes `2 * q + r < n`;
//! - the digits of a number are [one variable](super::regroup);
//! - no condition always holds.

use super::amount::{Amount, is_never_negative, is_never_negative_below};
use super::regroup::regroup;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use std::collections::BTreeSet;

/// Loops, and the conditions that hold in an iteration.
#[derive(Clone, Debug, Default)]
pub struct IterationSpace {
    /// The extents of each variable, outermost first. A variable runs from 0 on, below the least of them; they are
    /// over sizes and earlier variables.
    pub extents: Vec<Vec<Expr>>,
    pub conditions: Vec<Constraint>,
    /// In each of these sets at least one condition does not hold.
    pub excluded: Vec<Vec<Constraint>>,
}

/// The normal form of a space, and expressions over it.
#[derive(Clone, Debug)]
pub struct Normal {
    /// The remaining variables, in an order in which extents mention earlier ones only.
    pub order: Vec<usize>,
    /// By variable.
    pub extents: Vec<Vec<Expr>>,
    /// By variable: an extent over sizes.
    pub caps: Vec<Option<Expr>>,
    pub conditions: Vec<Constraint>,
    pub excluded: Vec<Vec<Constraint>>,
    /// Other expressions over the variables; `None` for what is not such an expression.
    pub outputs: Vec<Option<Expr>>,
    /// True if there is no iteration.
    pub is_empty: bool,
}

/// The most rewrites that are tried.
const MAX_REWRITES: usize = 64;

impl Normal {
    pub fn of(space: &IterationSpace, outputs: Vec<Option<Expr>>) -> Normal {
        let mut normal = Normal {
            order: (0..space.extents.len()).collect(),
            extents: space.extents.clone(),
            caps: vec![None; space.extents.len()],
            conditions: space.conditions.clone(),
            excluded: space.excluded.clone(),
            outputs,
            is_empty: false,
        };
        for v in 0..normal.extents.len() {
            let extents = normal.extents[v].clone();
            normal.take_extents(v, &extents);
        }
        for _ in 0..MAX_REWRITES {
            normal.simplify();
            if normal.is_empty || !(normal.pin() || normal.take_apart() || regroup(&mut normal)) {
                break;
            }
        }
        normal
    }

    /// Chooses the cap of a variable; its other extents become conditions.
    fn take_extents(&mut self, v: usize, extents: &[Expr]) {
        for extent in extents {
            let other = match &self.caps[v] {
                _ if extent.has_dims() => Some(extent.clone()),
                None => self.caps[v].replace(extent.simplified()),
                Some(cap) if is_never_negative(&(extent.clone() - cap.clone())) => None,
                Some(cap) if is_never_negative(&(cap.clone() - extent.clone())) => {
                    self.caps[v] = Some(extent.simplified());
                    None
                }
                Some(_) => Some(extent.clone()),
            };
            if let Some(other) = other {
                let last = other - 1.into() - Expr::Dim(v);
                self.conditions.push(Constraint::NonNegative(last.simplified()));
            }
        }
    }

    /// The interval of a variable, if its cap is a number.
    pub fn interval(&self, leaf: &Expr) -> Option<(i64, i64)> {
        match leaf {
            Expr::Dim(v) => {
                let cap = self.caps.get(*v)?.as_ref()?.constant()?;
                (cap > 0).then_some((0, cap - 1))
            }
            _ => None,
        }
    }

    /// True if an expression is proved to be 0 or more wherever the variables are below their caps.
    pub fn never_negative(&self, expr: &Expr) -> bool {
        let low = expr.interval(&|leaf| self.interval(leaf)).map(|(low, _)| low);
        let cap = |v: usize| self.caps.get(v).cloned().flatten();
        low.is_some_and(|low| low >= 0) || is_never_negative_below(expr, &cap)
    }

    fn simplify(&mut self) {
        let ones: Vec<usize> =
            self.order.iter().copied().filter(|v| self.cap(*v) == Some(1)).collect();
        for v in ones {
            self.replace(v, &Expr::Constant(0), &[]);
        }
        self.is_empty |= self.order.iter().any(|v| self.cap(*v).is_some_and(|cap| cap < 1));
        let all = std::mem::take(&mut self.conditions);
        let (kept, fails) = self.simplified(&all);
        self.is_empty |= fails;
        self.conditions = kept;
        let mut excluded = vec![];
        for set in std::mem::take(&mut self.excluded) {
            match self.simplified(&set) {
                (_, true) => {}
                (left, false) => {
                    self.is_empty |= left.is_empty();
                    excluded.push(left);
                }
            }
        }
        self.excluded = excluded;
        let outputs = self.outputs.iter().map(|output| Some(self.simple(output.as_ref()?)));
        self.outputs = outputs.collect();
    }

    fn simple(&self, expr: &Expr) -> Expr {
        expr.simplified_within(&|leaf| self.interval(leaf))
    }

    /// The conditions without those that always hold, and true if one never holds.
    fn simplified(&self, conditions: &[Constraint]) -> (Vec<Constraint>, bool) {
        let (mut kept, mut fails) = (vec![], false);
        for condition in conditions {
            let expr = self.simple(condition.expr());
            let below = (expr.clone() * (-1).into() - 1.into()).simplified();
            let (holds, never) = match condition {
                Constraint::NonNegative(_) => {
                    (self.never_negative(&expr), self.never_negative(&below))
                }
                Constraint::Zero(_) => (
                    expr.constant() == Some(0),
                    self.never_negative(&below)
                        || self.never_negative(&(expr.clone() - 1.into()).simplified()),
                ),
            };
            fails |= never;
            let condition = condition.on(expr);
            if !holds && !kept.contains(&condition) {
                kept.push(condition);
            }
        }
        (kept, fails)
    }

    /// The cap of a variable, if it is a number.
    pub fn cap(&self, v: usize) -> Option<i64> {
        self.caps[v].as_ref().and_then(Expr::constant)
    }

    /// Replaces a variable by an expression, and its position in the order by new variables.
    fn replace(&mut self, v: usize, by: &Expr, new: &[usize]) {
        let place = self.order.iter().position(|other| *other == v).expect("it is left");
        self.order.splice(place..=place, new.iter().copied());
        self.caps[v] = None;
        self.substitute(&|expr| {
            let dim = |i| if i == v { by.clone() } else { Expr::Dim(i) };
            expr.substitute(&dim, &Expr::Symbol)
        });
    }

    pub fn substitute(&mut self, with: &dyn Fn(&Expr) -> Expr) {
        let change = |expr: &mut Expr| *expr = with(expr);
        self.extents.iter_mut().flatten().for_each(change);
        self.outputs.iter_mut().flatten().for_each(change);
        for condition in self.conditions.iter_mut().chain(self.excluded.iter_mut().flatten()) {
            *condition = condition.on(with(condition.expr()));
        }
    }

    /// Uses an equation to remove variables: `4 * i + j == 0` makes both 0, `i == n - 1` is a value.
    fn pin(&mut self) -> bool {
        for (place, condition) in self.conditions.iter().enumerate() {
            let Constraint::Zero(expr) = condition else { continue };
            let linear = Linear::of(expr);
            let variables: Vec<(usize, i64)> = linear
                .terms
                .iter()
                .filter_map(|(atom, c)| match atom {
                    Expr::Dim(v) => Some((*v, *c)),
                    _ => None,
                })
                .collect();
            let is_sum = variables.len() == linear.terms.len() && linear.constant == 0;
            let has_one_sign = |all: &[(usize, i64)]| {
                all.iter().all(|(_, c)| *c > 0) || all.iter().all(|(_, c)| *c < 0)
            };
            if is_sum && !variables.is_empty() && has_one_sign(&variables) {
                self.conditions.remove(place);
                variables.iter().for_each(|(v, _)| self.fix(*v, &Expr::Constant(0)));
                return true;
            }
            let Some((v, c)) =
                variables.iter().find(|(v, c)| c.abs() == 1 && !self.is_used_twice(expr, *v))
            else {
                continue;
            };
            // The value must not mention variables: an extent may mention earlier variables only.
            let rest = (expr.clone() - Expr::Dim(*v) * (*c).into()).simplified();
            if rest.has_dims() {
                continue;
            }
            let (v, value) = (*v, (rest * (-c).into()).simplified());
            self.conditions.remove(place);
            self.fix(v, &value);
            return true;
        }
        false
    }

    /// True if a variable occurs in more than one term.
    fn is_used_twice(&self, expr: &Expr, v: usize) -> bool {
        Linear::of(expr).terms.keys().filter(|atom| mentions(atom, v)).count() > 1
    }

    /// Fixes a variable to a value, under the conditions that the variable can have it.
    fn fix(&mut self, v: usize, value: &Expr) {
        for extent in self.extents[v].clone() {
            self.conditions
                .push(Constraint::NonNegative((extent - 1.into() - value.clone()).simplified()));
        }
        if *value != Expr::Constant(0) {
            self.conditions.push(Constraint::NonNegative(value.clone()));
        }
        self.replace(v, value, &[]);
    }

    /// Splits a fused variable into quotient and remainder.
    fn take_apart(&mut self) -> bool {
        let candidates: Vec<(usize, Expr)> =
            self.order.iter().filter_map(|v| self.divisor(*v)).collect();
        for (v, divisor) in candidates {
            let (Some(cap), Some(by)) =
                (self.caps[v].as_ref().and_then(Amount::of), Amount::of(&divisor))
            else {
                continue;
            };
            // The other extents of the variable are conditions already.
            let whole = cap.divided_by(&by).and_then(|outer| outer.as_expr());
            let rounded = || {
                let size = self.caps[v].clone()?;
                divisor.constant().map(|_| Expr::binary(BinaryKind::CeilDiv, size, divisor.clone()))
            };
            let is_whole = whole.is_some();
            let Some(outer) = whole.or_else(rounded) else { continue };
            let outer = outer.simplified();
            let (q, r) = (self.extents.len(), self.extents.len() + 1);
            self.extents.extend([vec![outer.clone()], vec![divisor.clone()]]);
            self.caps.extend([Some(outer), Some(divisor.clone())]);
            self.substitute(&|expr| divided(expr, v, &divisor, (q, r)));
            let sum = Expr::Dim(q) * divisor + Expr::Dim(r);
            if !is_whole {
                let last = self.caps[v].clone().map(|cap| cap - 1.into() - sum.clone());
                self.conditions.extend(last.map(Constraint::NonNegative));
            }
            self.replace(v, &sum, &[q, r]);
            return true;
        }
        false
    }

    /// The number or size by which a variable is divided: the least number, otherwise a size.
    fn divisor(&self, v: usize) -> Option<(usize, Expr)> {
        let mut found = BTreeSet::new();
        for expr in self.expressions() {
            divisors(expr, v, &mut found);
        }
        let number = found.iter().filter(|by| by.constant().is_some_and(|by| by > 1));
        let least = number.min_by_key(|by| by.constant());
        let size = found.iter().find(|by| by.constant().is_none() && !by.has_dims());
        least.or(size).map(|by| (v, by.clone()))
    }

    /// All expressions over variables, except extents.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let conditions = self.conditions.iter().chain(self.excluded.iter().flatten());
        conditions.map(Constraint::expr).chain(self.outputs.iter().flatten())
    }

    /// The sets of variables that conditions connect, each with its conditions. A variable without conditions is a
    /// set of its own. Conditions over sizes alone are in no set.
    pub fn components(&self) -> Vec<Component> {
        let mentioned = |exprs: &[&Expr]| -> BTreeSet<usize> {
            let is_in = |v: &usize| exprs.iter().any(|expr| mentions(expr, *v));
            self.order.iter().copied().filter(is_in).collect()
        };
        let of_set = |set: &[Constraint]| -> BTreeSet<usize> {
            mentioned(&set.iter().map(Constraint::expr).collect::<Vec<_>>())
        };
        let mut groups: Vec<BTreeSet<usize>> =
            self.order.iter().map(|v| BTreeSet::from([*v])).collect();
        let conditions = self.conditions.iter().map(|c| of_set(std::slice::from_ref(c)));
        for together in conditions.chain(self.excluded.iter().map(|set| of_set(set))) {
            let is_apart = |group: &BTreeSet<usize>| group.is_disjoint(&together);
            let (mut apart, joined): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_apart);
            if !joined.is_empty() {
                apart.push(joined.into_iter().flatten().collect());
            }
            groups = apart;
        }
        let component = |group: BTreeSet<usize>| {
            let is_on = |set: &[Constraint]| !of_set(set).is_disjoint(&group);
            let on = |c: &&Constraint| is_on(std::slice::from_ref(*c));
            Component {
                variables: self.order.iter().copied().filter(|v| group.contains(v)).collect(),
                conditions: self.conditions.iter().filter(on).cloned().collect(),
                excluded: self.excluded.iter().filter(|set| is_on(set)).cloned().collect(),
            }
        };
        groups.into_iter().map(component).collect()
    }

    /// The conditions over sizes alone.
    pub fn of_sizes(&self) -> (Vec<&Constraint>, Vec<&Vec<Constraint>>) {
        let is_of_sizes = |c: &&Constraint| !c.expr().has_dims();
        let set_is = |set: &&Vec<Constraint>| set.iter().all(|c| !c.expr().has_dims());
        (
            self.conditions.iter().filter(is_of_sizes).collect(),
            self.excluded.iter().filter(set_is).collect(),
        )
    }
}

/// Variables that conditions connect.
#[derive(Clone, Debug, Default)]
pub struct Component {
    /// In the order of the normal form.
    pub variables: Vec<usize>,
    pub conditions: Vec<Constraint>,
    pub excluded: Vec<Vec<Constraint>>,
}

impl Component {
    /// True if each variable runs to its cap without conditions.
    pub fn is_free(&self) -> bool {
        self.conditions.is_empty() && self.excluded.is_empty()
    }
}

pub fn mentions(expr: &Expr, v: usize) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| found |= *leaf == Expr::Dim(v));
    found
}

/// The divisors by which `v` itself is divided.
fn divisors(expr: &Expr, v: usize, found: &mut BTreeSet<Expr>) {
    let Expr::Binary(kind, left, right) = expr else { return };
    if matches!(kind, BinaryKind::FloorDiv | BinaryKind::Mod) && **left == Expr::Dim(v) {
        found.insert((**right).clone());
    }
    divisors(left, v, found);
    divisors(right, v, found);
}

/// The expression in which `q` and `r` replace `v floordiv by` and `v mod by`.
fn divided(expr: &Expr, v: usize, by: &Expr, (q, r): (usize, usize)) -> Expr {
    let Expr::Binary(kind, left, right) = expr else { return expr.clone() };
    if **left == Expr::Dim(v) && **right == *by {
        match kind {
            BinaryKind::FloorDiv => return Expr::Dim(q),
            BinaryKind::Mod => return Expr::Dim(r),
            _ => {}
        }
    }
    Expr::binary(*kind, divided(left, v, by, (q, r)), divided(right, v, by, (q, r)))
}

//! Footprints: the elements of a buffer that an iteration space accesses.
//!
//! The dimensions of an access are divided into groups that have no variable in common. A group is
//! - a range, if it has one index, whose values are a mixed-radix number without gaps: `4 * i + j`, `i + k`, or the
//!   part of such a number that a condition leaves;
//! - a set of points, if all is numbers and the set is not too large;
//! - as many elements as iterations, if the indices determine all variables;
//! - otherwise ranges that contain all elements: then the footprint is an upper bound.
//!
//! Several accesses of a buffer are [joined](super::union).

use super::amount::{Amount, common_divisor, is_never_negative};
use super::count::{AmountByVariable, DenseSum, indicator, linear_form, of_component, points};
use super::figure::Figure;
use super::space::{Component, IterationSpace, Normal, mentions};
use crate::analysis::digits::{Variables, determines};
use crate::analysis::span::hull;
use crate::ir::affine::{Constraint, Expr};
use std::collections::BTreeSet;

/// The elements that an access reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    groups: Vec<DimGroup>,
    /// 1, or 0 if there are no iterations although the groups are not empty.
    pub guard: Amount,
    /// True if each of the elements is accessed; false if they may be a superset.
    pub is_exact: bool,
    pub dims: usize,
}

/// The indices in some dimensions; groups are independent of each other.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DimGroup {
    dims: Vec<usize>,
    piece: Piece,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// In one dimension: `count` indices from `low` on, `step` apart.
    Range {
        low: Amount,
        count: Amount,
        step: i64,
    },
    Points(BTreeSet<Vec<i64>>),
    /// Each iteration of some variables has an element of its own.
    Injective {
        indices: Vec<Expr>,
        conditions: Vec<Constraint>,
        /// The variables with their exclusive upper bounds. Together with the conditions, they identify the iterations.
        caps: Vec<(usize, Option<Expr>)>,
        count: Amount,
    },
}

impl Image {
    /// The elements at `indices` (`None` for one that depends on data) in all iterations of a space, of a buffer with
    /// these sizes.
    pub fn of(
        space: &IterationSpace,
        indices: Vec<Option<Expr>>,
        shape: &[Option<Amount>],
    ) -> Option<Image> {
        let dims = indices.len();
        let normal = Normal::of(space, indices);
        if normal.is_empty {
            let piece = Piece::Points(BTreeSet::new());
            let groups = vec![DimGroup { dims: (0..dims).collect(), piece }];
            return Some(Image { groups, guard: 1.into(), is_exact: true, dims });
        }
        let mut image = Image { groups: vec![], guard: 1.into(), is_exact: true, dims };
        let components = normal.components();
        let groups = independent(&normal, &components);
        // A component that does not occur in the indices may make the whole space empty.
        let shows = |i: &usize| groups.iter().any(|(_, used)| used.contains(i));
        let (conditions, excluded) = normal.of_sizes();
        image.is_exact = excluded.is_empty();
        for condition in conditions {
            image.guard = image.guard.times(&indicator(condition));
        }
        for hidden in (0..components.len()).filter(|i| !shows(i)) {
            match of_component(&normal, &components[hidden]) {
                Figure::Exact(count) => {
                    image.guard = image.guard.times(&count.minus(&1.into()).is_counted());
                }
                _ => image.is_exact &= has_points(&normal, &components[hidden]),
            }
        }
        for (dims, used) in groups {
            let used: Vec<&Component> = used.iter().map(|i| &components[*i]).collect();
            image.add(&normal, dims, &used, shape)?;
        }
        Some(image)
    }

    fn add(
        &mut self,
        normal: &Normal,
        dims: Vec<usize>,
        used: &[&Component],
        shape: &[Option<Amount>],
    ) -> Option<()> {
        let outputs: Option<Vec<&Expr>> =
            dims.iter().map(|dim| normal.outputs[*dim].as_ref()).collect();
        if let (Some(&[index]), true) = (outputs.as_deref(), dims.len() == 1)
            && let Some(piece) = range(normal, index, used)
        {
            self.groups.push(DimGroup { dims, piece });
            return Some(());
        }
        if let Some(points) = outputs.as_ref().and_then(|outputs| listed(normal, outputs, used)) {
            self.groups.push(DimGroup { dims, piece: Piece::Points(points) });
            return Some(());
        }
        if let Some(piece) = outputs.and_then(|outputs| injective_image(normal, &outputs, used)) {
            self.groups.push(DimGroup { dims, piece });
            return Some(());
        }
        self.is_exact = false;
        for dim in dims {
            let size = shape.get(dim).cloned().flatten();
            let caps = |v: usize| normal.caps[v].clone().into_iter().collect();
            let around = normal.outputs[dim].as_ref().and_then(|index| {
                let span = hull(index, &|_| true, &caps)?;
                let count = Amount::of(&span.width)?.plus(&1.into());
                Some((Amount::of(&span.low)?, count))
            });
            let whole = size.map(|size| (Amount::from(0), size));
            let is_less = |(_, a): &(Amount, Amount), b: &Option<(Amount, Amount)>| {
                b.as_ref().is_none_or(|(_, b)| b.minus(a).is_never_negative())
            };
            let (low, count) = match around {
                Some(around) if is_less(&around, &whole) => around,
                around => whole.or(around)?,
            };
            self.groups
                .push(DimGroup { dims: vec![dim], piece: Piece::Range { low, count, step: 1 } });
        }
        Some(())
    }

    /// The number of elements.
    pub fn count(&self) -> Amount {
        self.guard.times(&self.cells_in_groups())
    }

    /// The number of elements if there are iterations.
    pub fn cells_in_groups(&self) -> Amount {
        self.groups.iter().fold(1.into(), |product, group| {
            product.times(&match &group.piece {
                Piece::Range { count, .. } => count.positive(),
                Piece::Points(points) => (points.len() as i128).into(),
                Piece::Injective { count, .. } => count.clone(),
            })
        })
    }

    /// The ranges by dimension, if the image is a box. Their ends are exclusive.
    pub fn ranges(&self) -> Option<Vec<(Amount, Amount)>> {
        let mut ranges = vec![None; self.dims];
        for group in &self.groups {
            let [dim] = group.dims[..] else { return None };
            let range = match &group.piece {
                Piece::Range { low, count, step: 1 } => (low.clone(), low.plus(count)),
                Piece::Range { low, count, .. } if count.constant() == Some(1) => {
                    (low.clone(), low.plus(&1.into()))
                }
                _ => return None,
            };
            ranges[dim] = Some(range);
        }
        ranges.into_iter().collect()
    }

    /// Calls `visit` with each element, if all indices are numbers. The number of elements is not limited.
    pub fn cells(&self, visit: &mut dyn FnMut(&[i64])) -> Option<()> {
        let mut lists: Vec<(&[usize], Vec<Vec<i64>>)> = vec![];
        for group in &self.groups {
            let list = match &group.piece {
                Piece::Points(points) => points.iter().cloned().collect(),
                Piece::Injective { .. } => return None,
                Piece::Range { low, count, step } => {
                    let low = i64::try_from(low.constant()?).ok()?;
                    let count = i64::try_from(count.constant()?).ok()?;
                    (0..count)
                        .map(|i| Some(vec![low.checked_add(i.checked_mul(*step)?)?]))
                        .collect::<Option<_>>()?
                }
            };
            lists.push((&group.dims, list));
        }
        let mut at = vec![0; self.dims];
        product(&lists, &mut at, visit);
        Some(())
    }
}

fn product(lists: &[(&[usize], Vec<Vec<i64>>)], at: &mut [i64], visit: &mut dyn FnMut(&[i64])) {
    let Some(((dims, list), rest)) = lists.split_first() else { return visit(at) };
    for point in list {
        for (dim, value) in dims.iter().zip(point) {
            at[*dim] = *value;
        }
        product(rest, at, visit);
    }
}

/// Groups of dimensions whose indices have variables in common, directly or through conditions. Each with the indices
/// of the components of these variables.
fn independent(normal: &Normal, components: &[Component]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut groups: Vec<(Vec<usize>, Vec<usize>)> = vec![];
    for (dim, index) in normal.outputs.iter().enumerate() {
        let is_used = |component: &Component| {
            let is_in = |v: &usize| index.as_ref().is_some_and(|index| mentions(index, *v));
            component.variables.iter().any(is_in)
        };
        let used: Vec<usize> = (0..components.len()).filter(|i| is_used(&components[*i])).collect();
        let (mut apart, joined): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(_, others)| others.iter().all(|i| !used.contains(i)));
        let mut one = (vec![dim], used);
        for (dims, used) in joined {
            one.0.extend(dims);
            one.1.extend(used);
        }
        one.0.sort_unstable();
        one.1.sort_unstable();
        one.1.dedup();
        apart.push(one);
        groups = apart;
    }
    groups.sort();
    groups
}

/// True if the point where all variables are 0 is proved to be in a component.
fn has_points(normal: &Normal, component: &Component) -> bool {
    let at_zero = |expr: &Expr| expr.substitute(&|_| 0.into(), &Expr::Symbol).simplified();
    let holds = |condition: &Constraint| match condition {
        Constraint::NonNegative(expr) => is_never_negative(&at_zero(expr)),
        Constraint::Zero(expr) => at_zero(expr).constant() == Some(0),
    };
    let has_zero = |v: &usize| {
        normal.extents[*v].iter().all(|e| is_never_negative(&(at_zero(e) - 1.into()).simplified()))
    };
    component.excluded.is_empty()
        && component.conditions.iter().all(holds)
        && component.variables.iter().all(has_zero)
}

/// An index as a range without gaps.
fn range(normal: &Normal, index: &Expr, used: &[&Component]) -> Option<Piece> {
    let (form, rest) = linear_form(index)?;
    if let [component] = used
        && !component.is_free()
    {
        return of_digits(normal, component, &form, &rest);
    }
    if !used.iter().all(|component| component.is_free()) {
        return None;
    }
    let numbers: Option<Vec<i64>> =
        form.values().map(|c| i64::try_from(c.constant()?).ok()).collect();
    let step = numbers.map_or(1, |numbers| common_divisor(numbers).max(1));
    let by = Amount::from(i128::from(step));
    let mut low = rest;
    let mut left = vec![];
    let mut is_never_empty = true;
    for (v, coefficient) in &form {
        let cap = Amount::of(normal.caps[*v].as_ref()?)?;
        is_never_empty &= cap.minus(&1.into()).is_never_negative();
        let size = match coefficient.is_never_negative() {
            true => coefficient.clone(),
            false => {
                low = low.plus(&coefficient.times(&cap.minus(&1.into())));
                coefficient.scaled(-1)
            }
        };
        left.push((size.divided_by(&by)?, cap));
    }
    // The number of values that are taken so far, without gaps; `is_mixed` if each is taken exactly once.
    let (mut count, mut is_mixed) = (Amount::from(1), true);
    while !left.is_empty() {
        let exact = left.iter().position(|(size, _)| *size == count);
        let next = match exact {
            Some(next) => next,
            None => {
                is_mixed = false;
                left.iter().position(|(size, _)| count.minus(size).is_never_negative())?
            }
        };
        let (size, cap) = left.remove(next);
        count = count.plus(&size.times(&cap.minus(&1.into())));
    }
    (is_never_empty || is_mixed).then_some(Piece::Range { low, count, step })
}

/// The range of an index over variables that conditions connect: the sum that the conditions are on, or its negation.
fn of_digits(
    normal: &Normal,
    component: &Component,
    form: &AmountByVariable,
    rest: &Amount,
) -> Option<Piece> {
    if !component.excluded.is_empty() {
        return None;
    }
    let digits = DenseSum::of(normal, component)?;
    let turned: AmountByVariable = digits.form.iter().map(|(v, c)| (*v, c.scaled(-1))).collect();
    let low = match () {
        () if *form == digits.form => rest.plus(&digits.low),
        () if *form == turned => rest.minus(&digits.end).plus(&1.into()),
        () => return None,
    };
    Some(Piece::Range { low, count: digits.count(), step: 1 })
}

/// Indices that together determine all variables of the components: there are as many elements as iterations.
fn injective_image(normal: &Normal, indices: &[&Expr], used: &[&Component]) -> Option<Piece> {
    if used.iter().any(|component| !component.excluded.is_empty()) {
        return None;
    }
    let exprs: Vec<Expr> = indices.iter().map(|index| (*index).clone()).collect();
    let conditions: Vec<Constraint> =
        used.iter().flat_map(|component| component.conditions.clone()).collect();
    let variables = || used.iter().flat_map(|component| component.variables.iter().copied());
    if !variables().all(|v| determines(&exprs, v, normal, &conditions)) {
        return None;
    }
    let caps = variables().map(|v| (v, normal.caps[v].clone())).collect();
    let counts = used.iter().map(|component| of_component(normal, component));
    let count = counts.fold(Figure::number(1), |product, count| product.times(&count));
    match count {
        Figure::Exact(count) => Some(Piece::Injective { indices: exprs, conditions, caps, count }),
        _ => None,
    }
}

impl Variables for Normal {
    fn interval(&self, variable: &Expr) -> Option<(i64, i64)> {
        Normal::interval(self, variable)
    }

    fn extent(&self, variable: usize) -> Option<Expr> {
        self.caps.get(variable).cloned().flatten()
    }
}

/// Enumerates the values of indices.
fn listed(normal: &Normal, indices: &[&Expr], used: &[&Component]) -> Option<BTreeSet<Vec<i64>>> {
    let is_used = |v: &&usize| used.iter().any(|component| component.variables.contains(v));
    let conditions = |component: &&Component| component.conditions.clone();
    let all = Component {
        variables: normal.order.iter().filter(is_used).copied().collect(),
        conditions: used.iter().flat_map(conditions).collect::<Vec<Constraint>>(),
        excluded: used.iter().flat_map(|component| component.excluded.clone()).collect(),
    };
    let (mut found, mut fits) = (BTreeSet::new(), true);
    let is_done = points(normal, &all, &mut |values| {
        let cell: Option<Vec<i64>> =
            indices.iter().map(|index| index.evaluate(values, &[])).collect();
        match cell {
            Some(cell) => drop(found.insert(cell)),
            None => fits = false,
        }
    });
    (is_done && fits).then_some(found)
}

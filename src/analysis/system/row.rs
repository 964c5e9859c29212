//! Rows of linear conditions, and what can be decided about them without the Presburger library.

use crate::ir::affine::greatest_divisor;
use std::collections::{BTreeMap, BTreeSet};

/// A sum of columns with coefficients that are not 0, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemRow {
    pub terms: BTreeMap<usize, i64>,
    pub constant: i64,
}

/// Equalities, which are sums that are 0, and inequalities, which are sums that are 0 or more.
#[derive(Clone, Debug, Default)]
pub struct SystemRows {
    equalities: Vec<SystemRow>,
    inequalities: Vec<SystemRow>,
}

/// A column, and the sum that replaces it.
pub type Solution = (usize, SystemRow);

const TOO_LARGE: &str = "a number is too large";

impl SystemRow {
    fn divisor(&self) -> i64 {
        self.terms.values().fold(0, |divisor, c| greatest_divisor(divisor, *c))
    }

    /// The row with `by` substituted for a column.
    fn replaced(&self, column: usize, by: &SystemRow) -> Option<SystemRow> {
        let Some(factor) = self.terms.get(&column) else { return Some(self.clone()) };
        let mut sum = self.clone();
        sum.terms.remove(&column);
        sum.constant = sum.constant.checked_add(by.constant.checked_mul(*factor)?)?;
        for (other, coefficient) in &by.terms {
            let entry = sum.terms.entry(*other).or_insert(0);
            *entry = entry.checked_add(coefficient.checked_mul(*factor)?)?;
        }
        sum.terms.retain(|_, coefficient| *coefficient != 0);
        Some(sum)
    }

    /// The value of the row; columns without a value are 0.
    pub fn value(&self, values: &BTreeMap<usize, i64>) -> Option<i64> {
        self.terms.iter().try_fold(self.constant, |sum, (column, coefficient)| {
            let value = values.get(column).copied().unwrap_or(0);
            sum.checked_add(value.checked_mul(*coefficient)?)
        })
    }

    fn negated(&self) -> Option<BTreeMap<usize, i64>> {
        self.terms.iter().map(|(column, c)| Some((*column, c.checked_neg()?))).collect()
    }
}

impl SystemRows {
    pub fn new(
        equalities: Vec<SystemRow>,
        inequalities: Vec<SystemRow>,
    ) -> Result<SystemRows, String> {
        Ok(SystemRows { equalities, inequalities })
    }

    /// Solves equalities for columns that `may` allows and that have the coefficient 1 or -1, and substitutes each
    /// solution everywhere. `None` if an equality cannot hold.
    pub fn eliminate(
        &mut self,
        may: &dyn Fn(usize) -> bool,
    ) -> Result<Option<Vec<Solution>>, String> {
        let mut solved = vec![];
        loop {
            let mut kept = vec![];
            for mut row in std::mem::take(&mut self.equalities) {
                let divisor = row.divisor();
                match divisor {
                    0 if row.constant != 0 => return Ok(None),
                    0 => continue,
                    _ if row.constant % divisor != 0 => return Ok(None),
                    _ => {}
                }
                row.constant /= divisor;
                row.terms.values_mut().for_each(|c| *c /= divisor);
                kept.push(row);
            }
            self.equalities = kept;
            let is_unit = |(column, c): &(&usize, &i64)| c.abs() == 1 && may(**column);
            // The last columns first, so that terms are eliminated before sizes.
            let found = self.equalities.iter().enumerate().find_map(|(i, row)| {
                row.terms.iter().rev().find(is_unit).map(|(column, c)| (i, *column, *c))
            });
            let Some((i, column, coefficient)) = found else { return Ok(Some(solved)) };
            let mut row = self.equalities.swap_remove(i);
            row.terms.remove(&column);
            if coefficient == 1 {
                row.terms = row.negated().ok_or(TOO_LARGE)?;
                row.constant = row.constant.checked_neg().ok_or(TOO_LARGE)?;
            }
            for other in self.equalities.iter_mut().chain(&mut self.inequalities) {
                *other = other.replaced(column, &row).ok_or(TOO_LARGE)?;
            }
            solved.push((column, row));
        }
    }

    /// Keeps the tightest of the inequalities on each sum. Returns false if two of them, or the intervals of the
    /// columns, leave no point.
    pub fn tighten(&mut self) -> Result<bool, String> {
        let mut tightest: BTreeMap<BTreeMap<usize, i64>, i64> = BTreeMap::new();
        for mut row in std::mem::take(&mut self.inequalities) {
            let divisor = row.divisor();
            if divisor == 0 {
                match row.constant < 0 {
                    true => return Ok(false),
                    false => continue,
                }
            }
            row.terms.values_mut().for_each(|c| *c /= divisor);
            let constant = row.constant.div_euclid(divisor);
            tightest.entry(row.terms).and_modify(|c| *c = (*c).min(constant)).or_insert(constant);
        }
        self.inequalities =
            tightest.iter().map(|(t, c)| SystemRow { terms: t.clone(), constant: *c }).collect();
        for row in &self.inequalities {
            let opposite = tightest.get(&row.negated().ok_or(TOO_LARGE)?);
            if opposite.is_some_and(|other| other.saturating_add(row.constant) < 0) {
                return Ok(false);
            }
        }
        Ok(self.fits_intervals())
    }

    /// True if each row can hold within the intervals that rows of one column state.
    fn fits_intervals(&self) -> bool {
        let mut low: BTreeMap<usize, i128> = BTreeMap::new();
        let mut high: BTreeMap<usize, i128> = BTreeMap::new();
        for row in self.inequalities.iter().filter(|row| row.terms.len() == 1) {
            let (column, coefficient) = row.terms.iter().next().expect("one term");
            // The coefficient is 1 or -1, because rows are divided by their common divisor.
            let constant = i128::from(row.constant);
            match coefficient.is_positive() {
                true => low.insert(*column, -constant),
                false => high.insert(*column, constant),
            };
        }
        let most = |row: &SystemRow, sign: i128| {
            row.terms.iter().try_fold(sign * i128::from(row.constant), |sum, (column, c)| {
                let c = sign * i128::from(*c);
                let bound = if c.is_positive() { high.get(column) } else { low.get(column) };
                bound.and_then(|bound| bound.checked_mul(c)).and_then(|most| sum.checked_add(most))
            })
        };
        self.inequalities.iter().all(|row| most(row, 1).is_none_or(|most| most >= 0))
            && self.equalities.iter().all(|row| {
                most(row, 1).is_none_or(|most| most >= 0)
                    && most(row, -1).is_none_or(|most| most >= 0)
            })
    }

    pub fn columns(&self) -> Vec<usize> {
        let rows = self.equalities.iter().chain(&self.inequalities);
        let columns: BTreeSet<usize> = rows.flat_map(|row| row.terms.keys().copied()).collect();
        columns.into_iter().collect()
    }

    /// Splits the rows into parts that have no column in common.
    pub fn parts(&self) -> Vec<SystemRows> {
        let mut parts: Vec<(BTreeSet<usize>, SystemRows)> = vec![];
        let rows = self.equalities.iter().map(|row| (row, true));
        for (row, is_equality) in rows.chain(self.inequalities.iter().map(|row| (row, false))) {
            let columns: BTreeSet<usize> = row.terms.keys().copied().collect();
            let (touched, others): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|(of, _)| !of.is_disjoint(&columns));
            let mut joined = (columns, SystemRows::default());
            for (of, rows) in touched {
                joined.0.extend(of);
                joined.1.equalities.extend(rows.equalities);
                joined.1.inequalities.extend(rows.inequalities);
            }
            let to = &mut joined.1;
            if is_equality { &mut to.equalities } else { &mut to.inequalities }.push(row.clone());
            parts = others;
            parts.push(joined);
        }
        parts.into_iter().map(|(_, rows)| rows).collect()
    }

    /// The point of a part that has one column and only inequalities, which [`Rows::tighten`] has compared.
    pub fn point_of_one(&self) -> Option<BTreeMap<usize, i64>> {
        let [column] = self.columns()[..] else { return None };
        if !self.equalities.is_empty() {
            return None;
        }
        let is_low = |row: &&SystemRow| row.terms[&column].is_positive();
        let low = self.inequalities.iter().find(is_low).map(|row| -row.constant);
        let high = self.inequalities.iter().find(|row| !is_low(row)).map(|row| row.constant);
        Some(BTreeMap::from([(column, low.or(high.map(|high| high.min(0)))?)]))
    }

    /// The rows as dense vectors: a coefficient for each of `columns`, and the constant.
    pub fn dense(&self, columns: &[usize]) -> (Vec<Vec<i64>>, Vec<Vec<i64>>) {
        let dense = |row: &SystemRow| {
            let coefficient = |column| row.terms.get(column).copied().unwrap_or(0);
            columns.iter().map(coefficient).chain([row.constant]).collect()
        };
        (self.equalities.iter().map(dense).collect(), self.inequalities.iter().map(dense).collect())
    }
}

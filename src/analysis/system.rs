//! Systems of conditions on integers: decides whether there is a point where all conditions hold.
//!
//! Conditions are over variables ([`Expr::Dim`]) and sizes ([`Expr::Symbol`], 0 or more). They are converted to rows
//! of linear forms: a quotient by a number becomes a variable of its own, and a remainder is expressed by that
//! quotient. A product, or a quotient by a size, becomes a *term*: a variable of which only some facts are known. A
//! quotient is within the bounds that define it. A condition on an expression that is multiplied by a size also holds
//! for the products, because a size is not negative. With terms, a system has more points than the conditions allow.
//! If it has none, that is still a proof. A point is checked against the conditions; if it does not fulfil them,
//! values for sizes are tried out.
//!
//! Equations are solved here, and so is what intervals and divisors decide. The rest is passed to MLIR's Presburger
//! library, within limits of size, and separately for parts that have no variable in common.

#[cfg(test)]
mod precision;
mod row;

use crate::ffi::presburger::{PointSearch, PresburgerSet};
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use row::{SystemRow, SystemRows};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tracing::trace;

/// Conditions on `dims` variables and `sizes` sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    pub dims: usize,
    pub sizes: usize,
    pub conditions: Vec<Constraint>,
}

/// Values for which all conditions hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    pub dims: Vec<i64>,
    pub sizes: Vec<i64>,
}

/// The answer to whether there is a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Empty,
    Point(Point),
    /// Why it could not be decided.
    Unknown(String),
}

impl Answer {
    /// The word in a log.
    fn word(&self) -> &'static str {
        match self {
            Answer::Empty => "empty",
            Answer::Point(_) => "point",
            Answer::Unknown(_) => "unknown",
        }
    }
}

/// Values up to this are preferred in a witness.
const SMALL: i64 = 6;
/// Values that are tried out for sizes in terms that are not linear.
const TRIED: [i64; 5] = [2, 3, 1, 4, 5];
/// Systems with more conditions than this are not decided.
const MAX_CONDITIONS: usize = 256;
/// Systems with more terms that are not linear than this are not decided.
const MAX_TERMS: usize = 24;

/// The work of converting a condition to rows.
const CONDITION: usize = 64;
/// The work per number of a set, for the library's test for rational points and for its search for an integer point.
const EMPTINESS: usize = 4;
const SAMPLE: usize = 50;
/// Larger sets give no conditions on sizes: columns and rows.
const MAX_PROJECTED: (usize, usize) = (14, 48);

/// The work that may still be done for one question. It is counted, not measured, so that an answer depends on the
/// question alone.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
}

/// A unit takes about 10 ns in an optimized build, so this is about 40 ms.
const TOTAL: u64 = 1 << 22;

impl Default for Budget {
    /// [`TOTAL`].
    fn default() -> Self {
        Budget { left: TOTAL }
    }
}

impl Budget {
    /// The work that was done within the default budget.
    pub fn spent(&self) -> u64 {
        TOTAL.saturating_sub(self.left)
    }

    /// Spends some work; fails if not enough is left.
    fn spend(&mut self, work: usize) -> Result<(), String> {
        match self.left.checked_sub(work as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err("the proof exceeds its budget".into())
            }
        }
    }
}

impl System {
    /// Decides whether there is a point where all conditions hold. A returned point has been checked against the
    /// conditions.
    pub fn solve(&self) -> Answer {
        let mut budget = Budget::default();
        let answer = self.solve_within(&mut budget);
        trace!(
            target: "loopwright::analysis",
            conditions = self.conditions.len(),
            answer = %answer.word(),
            work = budget.spent(),
            "solved a system"
        );
        answer
    }

    /// The same, within what is left of a budget.
    pub fn solve_within(&self, budget: &mut Budget) -> Answer {
        if self.conditions.len() > MAX_CONDITIONS {
            return Answer::Unknown(format!("{} conditions are too many", self.conditions.len()));
        }
        if let Err(why) = budget.spend(self.conditions.len() * CONDITION) {
            return Answer::Unknown(why);
        }
        let Some(linear) = Linearization::of(self) else {
            return Answer::Unknown("a number is too large".into());
        };
        if linear.terms.len() > MAX_TERMS {
            return Answer::Unknown(format!("{} terms are too many", linear.terms.len()));
        }
        let found = linear.rows().and_then(|rows| rows.solved(budget));
        match found {
            Err(reason) => Answer::Unknown(reason),
            Ok(None) => Answer::Empty,
            Ok(Some(values)) => {
                let point = Point {
                    sizes: (0..self.sizes).map(|i| values.get(&i).copied().unwrap_or(0)).collect(),
                    dims: (self.sizes..self.sizes + self.dims)
                        .map(|i| values.get(&i).copied().unwrap_or(0))
                        .collect(),
                };
                match self.holds(&point) {
                    true => Answer::Point(point),
                    false => self.tried_out(&linear, budget),
                }
            }
        }
    }

    /// True if all conditions hold at a point.
    pub fn holds(&self, point: &Point) -> bool {
        point.sizes.iter().all(|size| *size >= 0)
            && self.conditions.iter().all(|condition| {
                let value = condition.expr().evaluate(&point.dims, &point.sizes);
                match condition {
                    Constraint::Zero(_) => value == Some(0),
                    Constraint::NonNegative(_) => value.is_some_and(|value| value >= 0),
                }
            })
    }

    /// Tries out values for the sizes in terms that are not linear. A point that is found so is an answer; if none is
    /// found, that proves nothing.
    fn tried_out(&self, linear: &Linearization, budget: &mut Budget) -> Answer {
        let unknown = || {
            let terms: BTreeSet<_> = linear.terms.iter().map(|term| describe(term)).collect();
            let verb = if terms.len() == 1 { "is" } else { "are" };
            let terms: Vec<_> = terms.into_iter().collect();
            Answer::Unknown(format!("{} {verb} not linear", terms.join(" and ")))
        };
        let mut sizes: BTreeSet<usize> = BTreeSet::new();
        for term in &linear.terms {
            term.visit_leaves(&mut |leaf| {
                if let Expr::Symbol(size) = leaf {
                    sizes.insert(*size);
                }
            });
        }
        if sizes.is_empty() {
            return unknown();
        }
        // First one value for all sizes, then one size that differs from the others.
        let sizes: Vec<usize> = sizes.into_iter().collect();
        let same = TRIED.iter().map(|value| vec![*value; sizes.len()]);
        let one_apart = (0..sizes.len().min(3)).flat_map(|i| {
            let with = move |base: i64, other: i64, n: usize| {
                (0..n).map(|j| if i == j { other } else { base }).collect::<Vec<_>>()
            };
            let n = sizes.len();
            [with(2, 3, n), with(3, 2, n), with(2, 5, n), with(1, 4, n)]
        });
        let others: Vec<Vec<i64>> = if sizes.len() > 1 { one_apart.collect() } else { vec![] };
        for values in same.chain(others) {
            let symbol = |i: usize| match sizes.iter().position(|size| *size == i) {
                Some(place) => Expr::Constant(values[place]),
                None => Expr::Symbol(i),
            };
            let put = |c: &Constraint| c.on(c.expr().substitute(&Expr::Dim, &symbol).simplified());
            let conditions = self.conditions.iter().map(put).collect();
            let fixed = System { conditions, ..*self };
            if fixed.conditions.iter().any(|c| !is_linear(c.expr())) {
                return unknown();
            }
            if let Answer::Point(mut point) = fixed.solve_within(budget) {
                for (place, size) in sizes.iter().enumerate() {
                    point.sizes[*size] = values[place];
                }
                if self.holds(&point) {
                    return Answer::Point(point);
                }
            }
        }
        unknown()
    }

    /// Conditions on the sizes that hold wherever the system has a point.
    pub fn on_sizes(&self) -> Vec<Constraint> {
        let rows = Linearization::of(self).and_then(|linear| linear.rows().ok());
        rows.and_then(|rows| rows.projected(self.sizes)).unwrap_or_default()
    }
}

/// Describes a term in a message.
fn describe(term: &Expr) -> &'static str {
    match term {
        Expr::Binary(BinaryKind::Mul, ..)
            if term.factors().iter().filter(|f| f.has_dims()).count() > 1 =>
        {
            "a product of variables"
        }
        Expr::Binary(BinaryKind::Mul, ..) => "a product with a size",
        _ => "a quotient by a size",
    }
}

/// True if all terms are variables, sizes or quotients by numbers.
fn is_linear(expr: &Expr) -> bool {
    Linear::of(expr).terms.keys().all(|atom| match atom {
        Expr::Binary(BinaryKind::Mul, ..) => false,
        Expr::Binary(_, x, by) => by.constant().is_some_and(i64::is_positive) && is_linear(x),
        _ => true,
    })
}

/// Replaces remainders, and quotients that round up, by quotients that round down.
fn with_quotients(expr: &Expr) -> Expr {
    let Expr::Binary(kind, left, right) = expr else { return expr.clone() };
    let (left, right) = (with_quotients(left), with_quotients(right));
    match kind {
        BinaryKind::Mod => {
            let (left, right) = (left.simplified(), right.simplified());
            left.clone() - right.clone() * left.floor_div(right)
        }
        BinaryKind::CeilDiv => (left + right.clone() - 1.into()).simplified().floor_div(right),
        _ => Expr::binary(*kind, left, right),
    }
}

/// The conditions as linear forms. Columns are sizes, then variables, then quotients and other terms.
struct Linearization {
    columns: HashMap<Expr, usize>,
    equalities: Vec<Linear>,
    inequalities: Vec<Linear>,
    /// The terms that are not linear.
    terms: Vec<Expr>,
}

impl Linearization {
    fn of(system: &System) -> Option<Linearization> {
        let mut this = Linearization {
            columns: HashMap::new(),
            equalities: vec![],
            inequalities: vec![],
            terms: vec![],
        };
        for size in 0..system.sizes {
            this.columns.insert(Expr::Symbol(size), size);
            this.inequalities.push(Linear::of(&Expr::Symbol(size)));
        }
        for dim in 0..system.dims {
            this.columns.insert(Expr::Dim(dim), system.sizes + dim);
        }
        for condition in &system.conditions {
            let expr = with_quotients(condition.expr());
            this.add(&expr, matches!(condition, Constraint::Zero(_)))?;
        }
        this.add_products()?;
        Some(this)
    }

    fn add(&mut self, expr: &Expr, is_equality: bool) -> Option<()> {
        let linear = Linear::of(expr);
        self.add_columns(&linear)?;
        if is_equality { &mut self.equalities } else { &mut self.inequalities }.push(linear);
        Some(())
    }

    /// Adds columns for all terms of a sum, and the known facts about new ones.
    fn add_columns(&mut self, linear: &Linear) -> Option<()> {
        for atom in linear.terms.keys() {
            self.add_column(atom)?;
        }
        Some(())
    }

    fn add_column(&mut self, atom: &Expr) -> Option<()> {
        if self.columns.contains_key(atom) {
            return Some(());
        }
        self.columns.insert(atom.clone(), self.columns.len());
        match atom {
            Expr::Binary(BinaryKind::FloorDiv, x, by) => {
                // by * q <= x < by * (q + 1). If the divisor is not positive, there is no value.
                if by.constant().is_some_and(|by| !by.is_positive()) {
                    return None;
                }
                if by.constant().is_none() {
                    self.terms.push(atom.clone());
                }
                let rest = (**x).clone() - (**by).clone() * atom.clone();
                self.add(&rest, false)?;
                self.add(&((**by).clone() - 1.into() - rest), false)
            }
            Expr::Binary(BinaryKind::Mul, ..) => {
                for factor in atom.factors() {
                    self.add_column(&factor)?;
                }
                self.terms.push(atom.clone());
                Some(())
            }
            _ => None,
        }
    }

    /// Adds facts about products with sizes: each condition on a factor also holds times that size.
    fn add_products(&mut self) -> Option<()> {
        let mut multiplied: BTreeMap<Vec<Expr>, BTreeSet<Expr>> = BTreeMap::new();
        for term in &self.terms {
            let Expr::Binary(BinaryKind::Mul, ..) = term else { continue };
            let (sizes, others): (Vec<_>, Vec<_>) =
                term.factors().into_iter().partition(|f| matches!(f, Expr::Symbol(_)));
            if let [other] = &others[..] {
                multiplied.entry(sizes).or_default().insert(other.clone());
            } else if others.is_empty() {
                for i in 0..sizes.len() {
                    let mut by = sizes.clone();
                    let of = by.remove(i);
                    multiplied.entry(by).or_default().insert(of);
                }
            }
        }
        let (equalities, inequalities) = (self.equalities.clone(), self.inequalities.clone());
        for (sizes, of) in &multiplied {
            let by = sizes.iter().cloned().reduce(|a, b| a * b)?;
            let concerns = |row: &&Linear| row.terms.keys().any(|atom| of.contains(atom));
            for row in equalities.iter().filter(concerns) {
                self.add(&(row.to_expr() * by.clone()), true)?;
            }
            for row in inequalities.iter().filter(concerns) {
                self.add(&(row.to_expr() * by.clone()), false)?;
            }
            if sizes.len() > 1 {
                self.add(&by, false)?;
            }
        }
        Some(())
    }

    fn rows(&self) -> Result<SystemRows, String> {
        let row = |linear: &Linear| {
            let terms = linear.terms.iter().map(|(atom, c)| (self.columns[atom], *c)).collect();
            SystemRow { terms, constant: linear.constant }
        };
        SystemRows::new(
            self.equalities.iter().map(row).collect(),
            self.inequalities.iter().map(row).collect(),
        )
    }
}

/// The library's answer for a set. A cached answer costs the same, so that a result does not depend on earlier
/// questions.
fn sampled(set: &PresburgerSet, size: usize, budget: &mut Budget) -> Result<PointSearch, String> {
    const MOST: usize = 1 << 12;
    thread_local! {
        static KNOWN: RefCell<HashMap<PresburgerSet, (bool, PointSearch)>> = RefCell::new(HashMap::new());
    }
    budget.spend(size * EMPTINESS)?;
    let known = KNOWN.with_borrow(|known| known.get(set).cloned());
    let is_empty = match &known {
        Some((is_empty, _)) => *is_empty,
        None => set.is_rationally_empty(),
    };
    if !is_empty {
        budget.spend(size * SAMPLE)?;
    }
    if let Some((_, sample)) = known {
        return Ok(sample);
    }
    let sample = if is_empty { PointSearch::Empty } else { set.sample() };
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(set.clone(), (is_empty, sample.clone()));
    });
    Ok(sample)
}

impl SystemRows {
    /// A value for each column that is not free, if there is a point.
    fn solved(mut self, budget: &mut Budget) -> Result<Option<BTreeMap<usize, i64>>, String> {
        let Some(solved) = self.eliminate(&|_| true)? else { return Ok(None) };
        if !self.tighten()? {
            return Ok(None);
        }
        let mut values = BTreeMap::new();
        for part in self.parts() {
            match part.point(budget)? {
                Some(point) => values.extend(point),
                None => return Ok(None),
            }
        }
        // In reverse order: the last solution mentions remaining columns only.
        for (column, row) in solved.into_iter().rev() {
            let value = row.value(&values).ok_or("a number is too large")?;
            values.insert(column, value);
        }
        Ok(Some(values))
    }

    /// A point of rows that are connected by common columns.
    fn point(&self, budget: &mut Budget) -> Result<Option<BTreeMap<usize, i64>>, String> {
        if let Some(point) = self.point_of_one() {
            return Ok(Some(point));
        }
        let columns = self.columns();
        let (equalities, inequalities) = self.dense(&columns);
        let set = PresburgerSet::new(columns.len(), &equalities, &inequalities)?;
        let rows = equalities.len() + inequalities.len();
        // About the numbers that a simplex step accesses, for as many steps as there are columns.
        let size = (rows + columns.len()) * columns.len().pow(2);
        // A small point is easier to read than a large one, and is found faster.
        let mut bounded = inequalities;
        for i in 0..columns.len() {
            let mut row = vec![0; columns.len() + 1];
            row[i] = -1;
            row[columns.len()] = SMALL;
            bounded.push(row);
        }
        if let Ok(small) = PresburgerSet::new(columns.len(), &equalities, &bounded)
            && let PointSearch::Point(point) = sampled(&small, size, budget)?
        {
            return Ok(Some(columns.into_iter().zip(point).collect()));
        }
        match sampled(&set, size, budget)? {
            PointSearch::Empty => Ok(None),
            PointSearch::Point(point) => Ok(Some(columns.into_iter().zip(point).collect())),
            PointSearch::TooLarge => Err("a number is too large".into()),
        }
    }

    /// The conditions on the first columns, the sizes, that the rows imply.
    fn projected(mut self, sizes: usize) -> Option<Vec<Constraint>> {
        self.eliminate(&|column| column >= sizes).ok()??;
        if !self.tighten().ok()? {
            return None;
        }
        let mut conditions = vec![];
        for part in self.parts() {
            let columns = part.columns();
            let kept = columns.iter().filter(|column| **column < sizes).count();
            let (equalities, inequalities) = part.dense(&columns);
            let rows = equalities.len() + inequalities.len();
            if columns.len() > MAX_PROJECTED.0 || rows > MAX_PROJECTED.1 {
                continue;
            }
            let set = PresburgerSet::new(columns.len(), &equalities, &inequalities).ok()?;
            let (equalities, inequalities) = set.project(kept)?;
            let expr = |row: &Vec<i64>| {
                let terms = columns.iter().zip(row).take(kept);
                let start = Expr::Constant(row[kept]);
                terms.fold(start, |sum, (c, n)| sum + Expr::Symbol(*c) * (*n).into()).simplified()
            };
            conditions.extend(equalities.iter().map(|row| Constraint::Zero(expr(row))));
            conditions.extend(inequalities.iter().map(|row| Constraint::NonNegative(expr(row))));
        }
        Some(conditions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exceeds_the_budget_is_unknown() {
        // 0 <= 2 x + 3 y <= 1, which the library decides.
        let sum = Expr::Dim(0) * 2.into() + Expr::Dim(1) * 3.into();
        let conditions = vec![
            Constraint::NonNegative(sum.clone()),
            Constraint::NonNegative(Expr::Constant(1) - sum),
        ];
        let system = System { dims: 2, sizes: 0, conditions };
        assert!(matches!(system.solve(), Answer::Point(_)));
        let mut small = Budget { left: 200 };
        let unknown = Answer::Unknown("the proof exceeds its budget".into());
        assert_eq!(system.solve_within(&mut small), unknown);
        // Nothing is left for any other question then.
        let easy = System { conditions: vec![Constraint::NonNegative(Expr::Dim(0))], ..system };
        let point = Answer::Point(Point { dims: vec![0, 0], sizes: vec![] });
        assert_eq!(easy.solve_within(&mut Budget { left: CONDITION as u64 }), point);
        assert_eq!(easy.solve_within(&mut small), unknown);
    }
    /// Each variable is in many conditions with others: eliminating them would take minutes.
    #[test]
    fn what_is_dense_says_nothing_of_sizes() {
        let mut conditions = vec![];
        for i in 0..11usize {
            for j in [(i + 1) % 11, (i + 4) % 11] {
                let (a, b) = ((2 + i + j) as i64, (3 + 2 * i + j) as i64);
                let difference = Expr::Dim(i) * a.into() - Expr::Dim(j) * b.into();
                let above = difference.clone() + Expr::Symbol(0) * 7.into() + 50.into();
                conditions.push(Constraint::NonNegative(above));
                let below = Expr::Symbol(1) * 5.into() + 90.into() - difference;
                conditions.push(Constraint::NonNegative(below));
            }
        }
        let system = System { dims: 11, sizes: 2, conditions };
        assert_eq!(system.on_sizes(), []);
        let few = System { dims: 11, sizes: 2, conditions: system.conditions[..2].to_vec() };
        assert!(few.on_sizes().len() > 1);
    }
}

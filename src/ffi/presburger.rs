//! MLIR's Presburger library: integer sets described by linear constraints.
//!
//! Its functions have no time limit, so sets beyond the limits here are refused.

use std::ffi::c_void;

/// The coefficients of several constraints; each ends with its constant.
pub type Coefficients = Vec<Vec<i64>>;

/// The integer points that satisfy all rows. A row has a coefficient for each variable, then a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PresburgerSet {
    variables: usize,
    equalities: usize,
    /// The rows of the equalities (sum is 0), then the rows of the inequalities (sum is 0 or more).
    rows: Vec<i64>,
}

/// The result of a search for an integer point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointSearch {
    Empty,
    Point(Vec<i64>),
    /// There is a point, but its coordinates do not fit.
    TooLarge,
}

/// Limits: sets with more variables, more rows or larger coefficients are refused.
pub const MAX_VARIABLES: usize = 20;
pub const MAX_ROWS: usize = 96;
pub const MAX_COEFFICIENT: i64 = 1 << 32;

impl PresburgerSet {
    /// The set of these rows.
    ///
    /// # Errors
    /// If the set is beyond the limits; the error states its size.
    ///
    /// # Panics
    /// If the length of a row is not `variables + 1`.
    pub fn new(
        variables: usize,
        equalities: &[Vec<i64>],
        inequalities: &[Vec<i64>],
    ) -> Result<PresburgerSet, String> {
        let count = equalities.len() + inequalities.len();
        if variables > MAX_VARIABLES || count > MAX_ROWS {
            return Err(format!("{variables} variables and {count} conditions are too many"));
        }
        let mut rows = Vec::with_capacity(count * (variables + 1));
        for row in equalities.iter().chain(inequalities) {
            assert_eq!(row.len(), variables + 1, "a coefficient a variable, and a constant");
            if let Some(large) = row.iter().find(|n| n.unsigned_abs() > MAX_COEFFICIENT as u64) {
                return Err(format!("the coefficient {large} is too large"));
            }
            rows.extend(row);
        }
        Ok(PresburgerSet { variables, equalities: equalities.len(), rows })
    }

    fn inequalities(&self) -> usize {
        self.rows.len() / (self.variables + 1) - self.equalities
    }

    /// True if the set has no point, not even a rational one.
    pub fn is_rationally_empty(&self) -> bool {
        // SAFETY: `rows` has as many numbers as the counts say.
        unsafe {
            lwPresburgerIsRationallyEmpty(
                self.rows.as_ptr(),
                self.equalities,
                self.inequalities(),
                self.variables,
            )
        }
    }

    /// An integer point of the set, if there is one.
    pub fn sample(&self) -> PointSearch {
        let mut point = vec![0; self.variables];
        // SAFETY: `rows` has as many numbers as the counts state, and `point` has one number for each
        // variable.
        let found = unsafe {
            lwPresburgerSample(
                self.rows.as_ptr(),
                self.equalities,
                self.inequalities(),
                self.variables,
                point.as_mut_ptr(),
            )
        };
        match found {
            0 => PointSearch::Empty,
            1 => PointSearch::Point(point),
            _ => PointSearch::TooLarge,
        }
    }

    /// A superset of the values that the first `kept` variables take: equalities and inequalities. `None`
    /// if a number does not fit, or if the elimination makes too many rows.
    pub fn project(&self, kept: usize) -> Option<(Coefficients, Coefficients)> {
        struct RawRows {
            width: usize,
            equalities: Vec<Vec<i64>>,
            inequalities: Vec<Vec<i64>>,
        }
        unsafe extern "C" fn each(to: *mut c_void, is_equality: bool, row: *const i64) {
            // SAFETY: `to` is the structure below, and a row has `width` numbers.
            let (to, row) = unsafe {
                let to = &mut *to.cast::<RawRows>();
                let row = std::slice::from_raw_parts(row, to.width).to_vec();
                (to, row)
            };
            if is_equality { to.equalities.push(row) } else { to.inequalities.push(row) }
        }
        assert!(kept <= self.variables, "only variables of the set can be kept");
        let mut rows = RawRows { width: kept + 1, equalities: vec![], inequalities: vec![] };
        // SAFETY: as above; the callback runs during the call, on `rows`.
        let fits = unsafe {
            lwPresburgerProject(
                self.rows.as_ptr(),
                self.equalities,
                self.inequalities(),
                self.variables,
                kept,
                each,
                (&raw mut rows).cast(),
            )
        };
        fits.then_some((rows.equalities, rows.inequalities))
    }
}

unsafe extern "C" {
    fn lwPresburgerIsRationallyEmpty(
        rows: *const i64,
        equalities: usize,
        inequalities: usize,
        variables: usize,
    ) -> bool;
    fn lwPresburgerSample(
        rows: *const i64,
        equalities: usize,
        inequalities: usize,
        variables: usize,
        point: *mut i64,
    ) -> i32;
    fn lwPresburgerProject(
        rows: *const i64,
        equalities: usize,
        inequalities: usize,
        variables: usize,
        kept: usize,
        each: unsafe extern "C" fn(*mut c_void, bool, *const i64),
        user: *mut c_void,
    ) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(variables: usize, equalities: &[&[i64]], inequalities: &[&[i64]]) -> PresburgerSet {
        let rows = |rows: &[&[i64]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
        PresburgerSet::new(variables, &rows(equalities), &rows(inequalities)).expect("it is small")
    }

    #[test]
    fn even_is_never_odd() {
        // 2 x = 2 y + 1.
        let odd = set(2, &[&[2, -2, -1]], &[]);
        assert!(odd.sample() == PointSearch::Empty && odd.is_rationally_empty());
    }

    #[test]
    fn a_gap_between_whole_numbers_is_found() {
        // 3 <= 2 x + 4 y, 2 x + 4 y <= 3, which has rational points; 1 <= 3 x <= 2.
        let gap = set(1, &[], &[&[3, -1], &[-3, 2]]);
        assert!(!gap.is_rationally_empty() && gap.sample() == PointSearch::Empty);
    }

    #[test]
    fn a_sample_is_in_the_set() {
        let some = set(2, &[&[1, -3, 0]], &[&[1, 0, -4], &[-1, 0, 7]]);
        assert_eq!(some.sample(), PointSearch::Point(vec![6, 2]));
    }

    #[test]
    fn an_unbounded_set_has_a_sample() {
        let PointSearch::Point(point) = set(2, &[], &[&[1, -2, -5]]).sample() else {
            panic!("not empty")
        };
        assert!(point[0] - 2 * point[1] >= 5);
    }

    #[test]
    fn a_projection_keeps_what_follows() {
        // n, i, j: 0 <= i < j < n leaves n >= 2.
        let pair = set(3, &[], &[&[0, 1, 0, 0], &[0, -1, 1, -1], &[1, 0, -1, -1]]);
        assert_eq!(pair.project(1), Some((vec![], vec![vec![1, -2]])));
    }

    #[test]
    fn what_is_too_large_is_not_asked() {
        assert!(PresburgerSet::new(MAX_VARIABLES + 1, &[], &[]).is_err());
        assert!(PresburgerSet::new(0, &[], &vec![vec![0]; MAX_ROWS + 1]).is_err());
        let large = PresburgerSet::new(1, &[], &[vec![MAX_COEFFICIENT + 1, 0]]);
        assert_eq!(large, Err("the coefficient 4294967297 is too large".into()));
    }
}

//! The allocation of a buffer: its dimensions, padded between rows.

use super::loop_op::BufferView;
use crate::ir::Type;
use crate::ir::affine::{BinaryKind, Expr};

/// The attribute of a workgroup buffer of a kernel whose strides a schedule has set, by `storage_align`.
pub const KEEPS_STRIDES: &str = "loop.storage_align";

/// The padding between the rows of a buffer, independent of its dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// The elements added to each dimension; empty if there are none.
    padding: Vec<i64>,
    /// For each dimension, a divisor and a remainder of the stride of the preceding dimension; empty if there are none.
    rounding: Vec<i64>,
}

impl Room {
    /// True if there is no padding.
    pub fn is_none(&self) -> bool {
        self.padding.iter().all(|elements| *elements == 0)
            && self.rounding.chunks(2).all(|pair| pair[0] == 1)
    }

    /// The divisor and the remainder of the number of elements of dimension `i` and all following ones together.
    pub fn rounding_of(&self, i: usize) -> (i64, i64) {
        let number = |at: usize| self.rounding.get(at).copied();
        (number(2 * i).unwrap_or(1), number(2 * i + 1).unwrap_or(0))
    }

    /// The same padding with another divisor and remainder for dimension `i` of `rank`.
    pub fn rounded(&self, i: usize, rank: usize, (factor, rest): (i64, i64)) -> Room {
        let mut rounding: Vec<i64> =
            (0..rank).flat_map(|i| <[i64; 2]>::from(self.rounding_of(i))).collect();
        (rounding[2 * i], rounding[2 * i + 1]) = (factor, rest);
        Room { padding: self.padding.clone(), rounding }
    }

    /// Divisors and remainders, in the form of the buffer's attribute.
    pub fn rounding(&self) -> &[i64] {
        &self.rounding
    }

    /// The dimensions of the allocation for the dimensions of a type. A remainder that no number of rows has is
    /// ignored, as before a dimension that is a multiple of the divisor or of unknown size.
    pub fn allocated(&self, dims: &[Expr]) -> Vec<Expr> {
        let mut allocated = dims.to_vec();
        let mut inner = Expr::Constant(1);
        for (i, dim) in allocated.iter_mut().enumerate().rev() {
            let padding = self.padding.get(i).copied().unwrap_or(0);
            let (factor, rest) = multiple(inner.constant(), self.rounding_of(i)).unwrap_or((1, 0));
            let wanted = dim.clone() + (padding - rest).into();
            let count = Expr::binary(BinaryKind::CeilDiv, wanted, factor.into());
            *dim = (count * factor.into() + rest.into()).simplified();
            inner = (inner * dim.clone()).simplified();
        }
        allocated
    }
}

/// The numbers whose multiples `number * step` have the remainder `rest` modulo `factor`, as (divisor, remainder). An
/// unknown step may have any value.
pub fn multiple(step: Option<i64>, (factor, rest): (i64, i64)) -> Option<(i64, i64)> {
    let Some(step) = step else { return (rest == 0).then_some((factor, 0)) };
    // Euclid's algorithm, modulo the factor: `by * step` is `divisor`, and `next_by * step` is `next`.
    let (mut divisor, mut next) = (i128::from(factor), i128::from(step.rem_euclid(factor)));
    let (mut by, mut next_by) = (0, 1);
    while next != 0 {
        let quotient = divisor / next;
        (divisor, next) = (next, divisor - quotient * next);
        (by, next_by) = (next_by, by - quotient * next_by);
    }
    let period = i128::from(factor) / divisor;
    let rest = i128::from(rest);
    if rest % divisor != 0 {
        return None;
    }
    let least = (rest / divisor).rem_euclid(period) * by.rem_euclid(period) % period;
    let numbers = (i64::try_from(period), i64::try_from(least));
    numbers.0.ok().zip(numbers.1.ok())
}

impl<'c> BufferView<'c> {
    /// True if there is padding between its rows.
    pub fn is_padded(&self) -> bool {
        !self.room().is_none()
    }

    /// The padding between its rows.
    pub fn room(&self) -> Room {
        let numbers = |of: &Option<Vec<i64>>| of.clone().unwrap_or_default();
        Room { padding: numbers(&self.padding), rounding: numbers(&self.rounding) }
    }

    /// The type of the allocation, and its dynamic dimensions over the buffer's sizes.
    pub fn allocated(&self) -> (Type<'c>, Vec<Expr>) {
        let ty = self.op.result(0).ty();
        if !self.is_padded() {
            return (ty, self.dynamic_dims.clone());
        }
        let (dims, element) = ty.shaped().expect("a verified buffer");
        let mut dynamic = self.dynamic_dims.iter().cloned();
        let dim = |dim: &Option<i64>| {
            let known = dim.map(Expr::Constant).or_else(|| dynamic.next());
            known.expect("a size for each dynamic dimension")
        };
        let dims: Vec<Expr> = dims.iter().map(dim).collect();
        let dims = self.room().allocated(&dims);
        let numbers: Vec<Option<i64>> = dims.iter().map(Expr::constant).collect();
        let dynamic = dims.into_iter().filter(|dim| dim.constant().is_none()).collect();
        (Type::memref(&numbers, element), dynamic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with trying all numbers.
    #[test]
    fn multiples_are_those_that_leave_the_remainder() {
        for factor in 1..20 {
            for (step, rest) in (0..25).flat_map(|step| (0..factor).map(move |rest| (step, rest))) {
                let leaves = |n: &i64| (n * step) % factor == rest;
                let least = (0..factor).find(leaves);
                let found = multiple(Some(step), (factor, rest));
                assert_eq!(found.map(|(_, least)| least), least, "{step} {factor} {rest}");
                if let Some((period, least)) = found {
                    let next = (least + 1..).find(leaves);
                    assert_eq!(next, Some(least + period), "{step} {factor} {rest}");
                }
            }
        }
    }

    /// In a smaller box the stride has the same remainder, though its rows have another length.
    #[test]
    fn a_smaller_box_has_the_same_remainder() {
        let room = Room::default().rounded(1, 3, (32, 4));
        let dims = |dims: [i64; 3]| dims.map(Expr::Constant);
        assert_eq!(room.allocated(&dims([8, 64, 12])), dims([8, 67, 12]));
        assert_eq!(room.allocated(&dims([8, 16, 4])), dims([8, 17, 4]));
        assert_eq!(room.allocated(&dims([8, 16, 1])), dims([8, 36, 1]));
        // The length of rows that are multiples of 8 cannot have remainder 4.
        assert_eq!(room.allocated(&dims([8, 16, 8])), dims([8, 16, 8]));
    }
}

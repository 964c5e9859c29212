//! What a buffer takes in memory: its dimensions, and the room between its rows.

use super::loop_op::Buffer;
use crate::ir::Type;
use crate::ir::affine::{BinaryKind, Expr};

impl<'c> Buffer<'c> {
    /// Is there room between its rows?
    pub fn is_padded(&self) -> bool {
        let is_padded = self.padding.iter().flatten().any(|elements| *elements != 0);
        is_padded
            || self.rounding.iter().flatten().collect::<Vec<_>>().chunks(2).any(|r| *r[0] != 1)
    }

    /// To what dimension `i` is rounded: the least number that is not less and leaves the second number as the
    /// remainder by the first one.
    pub fn rounding_of(&self, i: usize) -> (i64, i64) {
        let number = |at: usize| self.rounding.as_ref().and_then(|all| all.get(at)).copied();
        (number(2 * i).unwrap_or(1), number(2 * i + 1).unwrap_or(0))
    }

    /// A dimension of the allocation, for that of the type.
    pub fn allocated_dim(&self, i: usize, dim: Expr) -> Expr {
        let padding = self.padding.as_ref().and_then(|all| all.get(i)).copied().unwrap_or(0);
        let (factor, rest) = self.rounding_of(i);
        let wanted = dim + (padding - rest).into();
        let count = Expr::binary(BinaryKind::CeilDiv, wanted, factor.into());
        (count * factor.into() + rest.into()).simplified()
    }

    /// The type of the allocation, and its dynamic dimensions, over the buffer's sizes.
    pub fn allocated(&self) -> (Type<'c>, Vec<Expr>) {
        let ty = self.op.result(0).ty();
        if !self.is_padded() {
            return (ty, self.dynamic_dims.clone());
        }
        let (dims, element) = ty.shaped().expect("a verified buffer");
        let mut dynamic = self.dynamic_dims.iter().cloned();
        let dim = |(i, dim): (usize, &Option<i64>)| {
            let known = dim.map(Expr::Constant).or_else(|| dynamic.next());
            self.allocated_dim(i, known.expect("a size for each dynamic dimension"))
        };
        let dims: Vec<Expr> = dims.iter().enumerate().map(dim).collect();
        let numbers: Vec<Option<i64>> = dims.iter().map(Expr::constant).collect();
        let dynamic = dims.into_iter().filter(|dim| dim.constant().is_none()).collect();
        (Type::memref(&numbers, element), dynamic)
    }
}

//! The values of axes over the axes of the order.

use super::{AxisGraph, AxisId};
use crate::ir::affine::{Constraint, Expr};
use crate::schedule::primitive::r#loop::split::Tail;

impl AxisGraph {
    /// The value of an axis, where [`Expr::Dim`] i is the axis at position i of the order. `None` for what a split with
    /// the tail `peel` leaves over, and for axes made from it: these are not in the order.
    pub fn value(&self, axis: AxisId) -> Option<Expr> {
        if let Some(place) = self.order().iter().position(|other| *other == axis) {
            return Some(Expr::Dim(place));
        }
        if let Some((outer, inner, _)) = self.split_of(axis) {
            let size = self.axis(inner).size.clone();
            return Some((self.value(outer)? * size + self.value(inner)?).simplified());
        }
        let merged = self.merged_into(axis)?;
        let from = &self.axis(merged).from;
        let place = from.iter().position(|other| *other == axis)?;
        let inner = from[place + 1..].iter().map(|axis| self.axis(*axis).size.clone());
        let divisor = inner.fold(Expr::Constant(1), |all, size| all * size).simplified();
        let quotient = self.value(merged)?.floor_div(divisor);
        let value = match place {
            0 => quotient,
            _ => quotient.modulo(self.axis(axis).size.clone()),
        };
        Some(value.simplified())
    }

    /// The conditions, over the axes of the order, under which an iteration runs: those of splits with the tail `guard`.
    pub fn conditions(&self) -> Vec<Constraint> {
        let split = self.axes().filter(|(axis, _)| {
            self.split_of(*axis).is_some_and(|(_, _, tail)| tail == Some(Tail::Guard))
        });
        let within = |(axis, this): (AxisId, &super::Axis)| {
            let last = this.size.clone() - 1.into();
            Some(Constraint::NonNegative((last - self.value(axis)?).simplified()))
        };
        split.filter_map(within).collect()
    }
}

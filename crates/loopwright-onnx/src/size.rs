//! Sizes of dimensions: numbers where the model fixes them, else values of the module.

use crate::builder::{Builder, Value};
use crate::element::Element;
use crate::scalar::Scalar;
use melior::ir::Type;

/// A size, or another integer that is computed from sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size<'c> {
    Known(i64),
    /// An index.
    Dynamic(Value<'c>),
}

impl<'c> Size<'c> {
    pub fn known(self) -> Option<i64> {
        match self {
            Size::Known(value) => Some(value),
            Size::Dynamic(_) => None,
        }
    }

    /// The dimension of a type: None if it is dynamic.
    pub fn dim(self) -> Option<u64> {
        self.known().map(|value| value.max(0) as u64)
    }
}

/// The number of elements with these sizes, if it is known.
pub fn known_product(sizes: &[Size]) -> Option<i64> {
    sizes.iter().try_fold(1, |product: i64, size| product.checked_mul(size.known()?))
}

impl<'c> Builder<'c> {
    /// The size as an index.
    pub fn size(&self, size: Size<'c>) -> Value<'c> {
        match size {
            Size::Known(value) => self.index(value),
            Size::Dynamic(value) => value,
        }
    }

    /// The size as a scalar.
    pub fn size_scalar(&self, size: Size<'c>) -> Scalar<'c> {
        Scalar { value: self.size(size), element: Element::Index }
    }

    fn size_op(
        &self,
        name: &str,
        x: Size<'c>,
        y: Size<'c>,
        known: impl Fn(i64, i64) -> Option<i64>,
    ) -> Size<'c> {
        if let (Size::Known(x), Size::Known(y)) = (x, y)
            && let Some(value) = known(x, y)
        {
            return Size::Known(value);
        }
        let operands = [self.size(x), self.size(y)];
        Size::Dynamic(self.op(name, &operands, Type::index(self.context())))
    }

    pub fn size_add(&self, x: Size<'c>, y: Size<'c>) -> Size<'c> {
        match (x, y) {
            (Size::Known(0), other) | (other, Size::Known(0)) => other,
            _ => self.size_op("arith.addi", x, y, i64::checked_add),
        }
    }

    pub fn size_sub(&self, x: Size<'c>, y: Size<'c>) -> Size<'c> {
        match (x, y) {
            (other, Size::Known(0)) => other,
            (x, y) if x == y => Size::Known(0),
            _ => self.size_op("arith.subi", x, y, i64::checked_sub),
        }
    }

    pub fn size_mul(&self, x: Size<'c>, y: Size<'c>) -> Size<'c> {
        match (x, y) {
            (Size::Known(1), other) | (other, Size::Known(1)) => other,
            _ => self.size_op("arith.muli", x, y, i64::checked_mul),
        }
    }

    /// The quotient, rounded to the floor, by a positive divisor.
    pub fn size_div(&self, x: Size<'c>, y: Size<'c>) -> Size<'c> {
        match (x, y) {
            (other, Size::Known(1)) => other,
            _ => self.size_op("arith.floordivsi", x, y, i64::checked_div_euclid),
        }
    }

    pub fn size_min(&self, x: Size<'c>, y: Size<'c>) -> Size<'c> {
        self.size_op("arith.minsi", x, y, |x, y| Some(x.min(y)))
    }

    pub fn size_max(&self, x: Size<'c>, y: Size<'c>) -> Size<'c> {
        self.size_op("arith.maxsi", x, y, |x, y| Some(x.max(y)))
    }

    /// The product of sizes.
    pub fn size_product(&self, sizes: &[Size<'c>]) -> Size<'c> {
        sizes.iter().fold(Size::Known(1), |product, size| self.size_mul(product, *size))
    }
}

//! Arithmetic on scalars, in the bodies of ops: each method appends the ops of one operation.

use crate::builder::{Builder, Value};
use crate::element::Element;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::r#type::IntegerType;

/// A scalar, and how its bits are read.
#[derive(Clone, Copy)]
pub struct Scalar<'c> {
    pub value: Value<'c>,
    pub element: Element,
}

/// A comparison. Of floats, `Different` is true if one is NaN; the others are false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl<'c> Builder<'c> {
    /// A constant of the element type of `like`.
    pub fn like(&self, like: Scalar<'c>, value: f64) -> Scalar<'c> {
        self.scalar(like.element, value)
    }

    /// A constant.
    pub fn scalar(&self, element: Element, value: f64) -> Scalar<'c> {
        Scalar { value: self.number(element, value), element }
    }

    /// A constant index.
    pub fn index_scalar(&self, value: i64) -> Scalar<'c> {
        Scalar { value: self.index(value), element: Element::Index }
    }

    fn binary(&self, name: &str, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        let ty = x.element.ty(self.context());
        Scalar { value: self.op(name, &[x.value, y.value], ty), ..x }
    }

    /// The op of floats, of signed integers, or of unsigned integers.
    fn by_kind(&self, names: [&str; 3], x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        let name = match x.element {
            element if element.is_float() => names[0],
            element if element.is_signed() => names[1],
            _ => names[2],
        };
        self.binary(name, x, y)
    }

    pub fn add(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.by_kind(["arith.addf", "arith.addi", "arith.addi"], x, y)
    }

    pub fn sub(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.by_kind(["arith.subf", "arith.subi", "arith.subi"], x, y)
    }

    pub fn mul(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.by_kind(["arith.mulf", "arith.muli", "arith.muli"], x, y)
    }

    /// The quotient; of integers, rounded towards zero.
    pub fn div(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.by_kind(["arith.divf", "arith.divsi", "arith.divui"], x, y)
    }

    /// The remainder, with the sign of the dividend.
    pub fn rem(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.by_kind(["arith.remf", "arith.remsi", "arith.remui"], x, y)
    }

    /// The remainder, with the sign of the divisor.
    pub fn floor_rem(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        let rem = self.rem(x, y);
        let zero = self.like(x, 0.0);
        if !x.element.is_float() && !x.element.is_signed() {
            return rem;
        }
        let is_nonzero = self.compare(Compare::Different, rem, zero);
        let negative = |of| self.compare(Compare::Less, of, zero);
        let differs = self.binary("arith.xori", negative(rem), negative(y));
        let corrects = self.binary("arith.andi", is_nonzero, differs);
        self.select(corrects, self.add(rem, y), rem)
    }

    /// The quotient of integers, rounded to the floor.
    pub fn floor_div(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.by_kind(["arith.divf", "arith.floordivsi", "arith.divui"], x, y)
    }

    /// The lesser; NaN if one is NaN.
    pub fn min(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.by_kind(["arith.minimumf", "arith.minsi", "arith.minui"], x, y)
    }

    /// The greater; NaN if one is NaN.
    pub fn max(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.by_kind(["arith.maximumf", "arith.maxsi", "arith.maxui"], x, y)
    }

    /// `x` within two bounds.
    pub fn clamp(&self, x: Scalar<'c>, least: f64, greatest: f64) -> Scalar<'c> {
        self.min(self.max(x, self.like(x, least)), self.like(x, greatest))
    }

    /// `arith.andi`, `arith.ori`, `arith.xori`, ..: an op of integers with two operands.
    pub fn bits(&self, name: &str, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.binary(name, x, y)
    }

    pub fn and(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.binary("arith.andi", x, y)
    }

    pub fn or(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.binary("arith.ori", x, y)
    }

    /// All bits inverted; of a bool, its negation.
    pub fn not(&self, x: Scalar<'c>) -> Scalar<'c> {
        let ones = Scalar { value: self.integer(x.element, -1), ..x };
        self.binary("arith.xori", x, ones)
    }

    pub fn neg(&self, x: Scalar<'c>) -> Scalar<'c> {
        match x.element.is_float() {
            true => self.math("arith.negf", x),
            false => self.sub(self.like(x, 0.0), x),
        }
    }

    pub fn abs(&self, x: Scalar<'c>) -> Scalar<'c> {
        match x.element {
            element if element.is_float() => self.math("math.absf", x),
            element if element.is_signed() => self.max(x, self.neg(x)),
            _ => x,
        }
    }

    /// An op of floats with one operand.
    pub fn math(&self, name: &str, x: Scalar<'c>) -> Scalar<'c> {
        let ty = x.element.ty(self.context());
        Scalar { value: self.op(name, &[x.value], ty), ..x }
    }

    pub fn exp(&self, x: Scalar<'c>) -> Scalar<'c> {
        self.math("math.exp", x)
    }

    pub fn sqrt(&self, x: Scalar<'c>) -> Scalar<'c> {
        self.math("math.sqrt", x)
    }

    /// `1 / (1 + exp(-x))`.
    pub fn sigmoid(&self, x: Scalar<'c>) -> Scalar<'c> {
        let one = self.like(x, 1.0);
        self.div(one, self.add(one, self.exp(self.neg(x))))
    }

    /// `x` to the power of `y`, of floats.
    pub fn powf(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        self.binary("math.powf", x, y)
    }

    pub fn compare(&self, how: Compare, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        // The numbers of arith.cmpf: oeq, une, olt, ole, ogt, oge; of arith.cmpi: eq, ne, slt, sle, sgt, sge, ult, ..
        let number = match (x.element.is_float(), how) {
            (true, Compare::Equal) => 1,
            (true, Compare::Greater) => 2,
            (true, Compare::GreaterOrEqual) => 3,
            (true, Compare::Less) => 4,
            (true, Compare::LessOrEqual) => 5,
            (true, Compare::Different) => 13,
            (false, Compare::Equal) => 0,
            (false, Compare::Different) => 1,
            (false, ordered) => {
                let signed = match ordered {
                    Compare::Less => 2,
                    Compare::LessOrEqual => 3,
                    Compare::Greater => 4,
                    _ => 5,
                };
                signed + if x.element.is_signed() { 0 } else { 4 }
            }
        };
        let name = if x.element.is_float() { "arith.cmpf" } else { "arith.cmpi" };
        let ty = IntegerType::new(self.context(), 64).into();
        let predicate = [("predicate", IntegerAttribute::new(ty, number).into())];
        let bool_type = Element::Bool.ty(self.context());
        let value = self.op_with(name, &[x.value, y.value], bool_type, &predicate);
        Scalar { value, element: Element::Bool }
    }

    pub fn is_nan(&self, x: Scalar<'c>) -> Scalar<'c> {
        self.compare(Compare::Different, x, x)
    }

    /// `yes` where the condition holds, else `no`.
    pub fn select(&self, condition: Scalar<'c>, yes: Scalar<'c>, no: Scalar<'c>) -> Scalar<'c> {
        let ty = yes.element.ty(self.context());
        let value = self.op("arith.select", &[condition.value, yes.value, no.value], ty);
        Scalar { value, ..yes }
    }

    /// Converts to another element type: floats to integers towards zero, numbers to bools by comparing with zero.
    pub fn cast(&self, x: Scalar<'c>, to: Element) -> Scalar<'c> {
        let from = x.element;
        if from == to {
            return x;
        }
        let ty = to.ty(self.context());
        let unary =
            |name: &str, of: Value<'c>| Scalar { value: self.op(name, &[of], ty), element: to };
        if to == Element::Bool {
            return self.compare(Compare::Different, x, self.like(x, 0.0));
        }
        match (from.is_float(), to.is_float()) {
            (true, true) if from.bits() < to.bits() => unary("arith.extf", x.value),
            (true, true) if from.bits() > to.bits() => unary("arith.truncf", x.value),
            // f16 and bf16.
            (true, true) => self.cast(self.cast(x, Element::F32), to),
            (true, false) if to == Element::Index => self.cast(self.cast(x, Element::I64), to),
            // The low bits of what a few bits cannot hold.
            (true, false) if to.bits() < 8 => self.cast(self.cast(x, Element::I32), to),
            (true, false) => {
                let name = if to.is_signed() { "arith.fptosi" } else { "arith.fptoui" };
                unary(name, x.value)
            }
            (false, true) if from == Element::Index => self.cast(self.cast(x, Element::I64), to),
            (false, true) => {
                let name = if from.is_signed() { "arith.sitofp" } else { "arith.uitofp" };
                unary(name, x.value)
            }
            (false, false) if from == Element::Index || to == Element::Index => {
                let signed = if from == Element::Index { to.is_signed() } else { from.is_signed() };
                unary(if signed { "arith.index_cast" } else { "arith.index_castui" }, x.value)
            }
            (false, false) if from.bits() < to.bits() => {
                unary(if from.is_signed() { "arith.extsi" } else { "arith.extui" }, x.value)
            }
            (false, false) if from.bits() > to.bits() => unary("arith.trunci", x.value),
            // Only the sign is read in another way.
            (false, false) => Scalar { element: to, ..x },
        }
    }
}

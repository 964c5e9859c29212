//! Arithmetic on scalars, in the body of a structured op.

use crate::dialect::graph_op::Comparison;
use crate::ir::predicate::{self as int, float};
use crate::ir::{Attribute, Builder, FloatKind, Type, TypeKind, Value};

/// Creates scalar ops. Integers are signed, unless a method says otherwise.
pub(super) struct Scalars<'b, 'c>(pub &'b Builder<'c>);

pub(super) fn is_float(ty: Type) -> bool {
    matches!(ty.kind(), TypeKind::Float(_))
}

/// The type in which formulas of elements of type `ty` are computed.
pub(super) fn wide_type(ty: Type) -> Type {
    match ty.kind() {
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => {
            Type::float(ty.context(), FloatKind::F32)
        }
        _ => ty,
    }
}

impl<'c> Scalars<'_, 'c> {
    /// The float or the integer op, according to the type of the operands.
    pub fn either(&self, float: &str, int: &str, x: &[Value<'c>]) -> Value<'c> {
        self.op(if is_float(x[0].ty()) { float } else { int }, x)
    }

    /// An op whose result has the type of its first operand.
    pub fn op(&self, name: &str, x: &[Value<'c>]) -> Value<'c> {
        self.0.op(name, x, x[0].ty())
    }

    pub fn add(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.either("arith.addf", "arith.addi", &[x, y])
    }

    pub fn sub(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.either("arith.subf", "arith.subi", &[x, y])
    }

    pub fn mul(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.either("arith.mulf", "arith.muli", &[x, y])
    }

    /// The quotient of floats.
    pub fn div(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.op("arith.divf", &[x, y])
    }

    pub fn max(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.either("arith.maximumf", "arith.maxsi", &[x, y])
    }

    pub fn min(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.either("arith.minimumf", "arith.minsi", &[x, y])
    }

    pub fn neg(&self, x: Value<'c>) -> Value<'c> {
        match is_float(x.ty()) {
            true => self.op("arith.negf", &[x]),
            false => self.op("arith.subi", &[self.like(x, 0), x]),
        }
    }

    /// An integer in the type of `x`.
    pub fn like(&self, x: Value<'c>, value: i64) -> Value<'c> {
        self.0.number(x.ty(), value)
    }

    /// A number in the float type of `x`.
    pub fn float(&self, x: Value<'c>, value: f64) -> Value<'c> {
        self.0.constant(Attribute::float(x.ty(), value))
    }

    pub fn select(&self, condition: Value<'c>, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.0.op("arith.select", &[condition, x, y], x.ty())
    }

    pub fn and(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.op("arith.andi", &[x, y])
    }

    /// A comparison. NaN is not equal to anything, and otherwise a comparison with it is false.
    pub fn compare(
        &self,
        by: Comparison,
        x: Value<'c>,
        y: Value<'c>,
        is_unsigned: bool,
    ) -> Value<'c> {
        let float_and_int = match by {
            Comparison::Eq => (float::OEQ, int::EQ, int::EQ),
            Comparison::Ne => (float::UNE, int::NE, int::NE),
            Comparison::Lt => (float::OLT, int::SLT, int::ULT),
            Comparison::Le => (float::OLE, int::SLE, int::ULE),
            Comparison::Gt => (float::OGT, int::SGT, int::UGT),
            Comparison::Ge => (float::OGE, int::SGE, int::UGE),
        };
        let predicate = match (is_float(x.ty()), is_unsigned) {
            (true, _) => float_and_int.0,
            (false, false) => float_and_int.1,
            (false, true) => float_and_int.2,
        };
        self.0.compare(predicate, x, y)
    }

    pub fn is_nan(&self, x: Value<'c>) -> Value<'c> {
        self.0.compare(float::UNO, x, x)
    }

    /// Computes in f32 if the elements are of a shorter type.
    pub fn in_wide(
        &self,
        x: &[Value<'c>],
        formula: impl FnOnce(&[Value<'c>]) -> Value<'c>,
    ) -> Value<'c> {
        let wide: Vec<_> = x.iter().map(|x| self.widened(*x)).collect();
        self.cast(formula(&wide), x[0].ty(), false)
    }

    pub fn widened(&self, x: Value<'c>) -> Value<'c> {
        self.cast(x, wide_type(x.ty()), false)
    }

    /// The conversion of `graph.cast`.
    pub fn cast(&self, x: Value<'c>, to: Type<'c>, is_unsigned: bool) -> Value<'c> {
        let from = x.ty();
        if from == to {
            return x;
        }
        let extends_zeros = is_unsigned || from.kind() == TypeKind::Integer(1);
        let one = |name: &str, x: Value<'c>| self.0.op(name, &[x], to);
        let i64_type = || Type::integer(to.context(), 64);
        match (from.kind(), to.kind()) {
            (_, TypeKind::Integer(1)) => {
                self.compare(Comparison::Ne, x, self.like(x, 0), is_unsigned)
            }
            (TypeKind::Float(_), TypeKind::Float(_)) => {
                match from.element_bytes().cmp(&to.element_bytes()) {
                    std::cmp::Ordering::Less => one("arith.extf", x),
                    std::cmp::Ordering::Greater => one("arith.truncf", x),
                    std::cmp::Ordering::Equal => one("arith.truncf", self.widened(x)),
                }
            }
            (TypeKind::Float(_), TypeKind::Index) => {
                let integer = self.float_to_int(x, i64_type(), is_unsigned);
                one("arith.index_cast", integer)
            }
            (TypeKind::Float(_), _) => self.float_to_int(x, to, is_unsigned),
            (TypeKind::Index, TypeKind::Float(_)) => {
                let integer = self.0.op("arith.index_cast", &[x], i64_type());
                one(if is_unsigned { "arith.uitofp" } else { "arith.sitofp" }, integer)
            }
            (_, TypeKind::Float(_)) => {
                one(if extends_zeros { "arith.uitofp" } else { "arith.sitofp" }, x)
            }
            (TypeKind::Index, _) | (_, TypeKind::Index) => {
                one(if extends_zeros { "arith.index_castui" } else { "arith.index_cast" }, x)
            }
            (TypeKind::Integer(bits), TypeKind::Integer(other)) if bits > other => {
                one("arith.trunci", x)
            }
            _ => one(if extends_zeros { "arith.extui" } else { "arith.extsi" }, x),
        }
    }

    /// The number rounded towards zero, within the range of the type; 0 for NaN.
    fn float_to_int(&self, x: Value<'c>, to: Type<'c>, is_unsigned: bool) -> Value<'c> {
        let bits = to.integer_bits().unwrap_or(64) as i32;
        let (low, high) = match is_unsigned {
            true => (0.0, 2f64.powi(bits)),
            false => (-2f64.powi(bits - 1), 2f64.powi(bits - 1)),
        };
        let least = if is_unsigned { 0 } else { i64::MIN >> (64 - bits) };
        let most = if is_unsigned { -1 } else { i64::MAX >> (64 - bits) };
        // A conversion of a number beyond the range is not defined: it converts 0 instead.
        let is_low = self.0.compare(float::OLE, x, self.float(x, low));
        let is_high = self.0.compare(float::OGE, x, self.float(x, high));
        let is_outside = self.op("arith.ori", &[is_low, is_high]);
        let is_outside = self.op("arith.ori", &[is_outside, self.is_nan(x)]);
        let inside = self.select(is_outside, self.float(x, 0.0), x);
        let convert = if is_unsigned { "arith.fptoui" } else { "arith.fptosi" };
        let number = self.0.op(convert, &[inside], to);
        let number = self.select(is_high, self.0.number(to, most), number);
        self.select(is_low, self.0.number(to, least), number)
    }
}

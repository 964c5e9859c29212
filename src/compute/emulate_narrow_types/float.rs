//! Conversions of floats of at most 8 bits, by arithmetic on the bits of wider floats.

use crate::ir::predicate;
use crate::ir::{
    Attribute, Builder, FloatKind, NarrowFloat, NarrowFormat, NonFinite, Type, TypeKind, Value,
};

/// Arithmetic on integers of one type.
struct Integers<'b, 'c> {
    b: &'b Builder<'c>,
    ty: Type<'c>,
}

impl<'c> Integers<'_, 'c> {
    fn constant(&self, value: i64) -> Value<'c> {
        self.b.constant(Attribute::integer(self.ty, value))
    }

    fn op(&self, name: &str, x: Value<'c>, y: i64) -> Value<'c> {
        let y = self.constant(y);
        self.b.op(name, &[x, y], self.ty)
    }

    fn and(&self, x: Value<'c>, mask: i64) -> Value<'c> {
        self.op("arith.andi", x, mask)
    }

    fn or(&self, x: Value<'c>, y: Value<'c>) -> Value<'c> {
        self.b.op("arith.ori", &[x, y], self.ty)
    }

    fn plus(&self, x: Value<'c>, y: i64) -> Value<'c> {
        self.op("arith.addi", x, y)
    }

    fn left(&self, x: Value<'c>, by: i64) -> Value<'c> {
        self.op("arith.shli", x, by)
    }

    fn right(&self, x: Value<'c>, by: i64) -> Value<'c> {
        self.op("arith.shrui", x, by)
    }

    /// `yes` if `x` compares with `y` as the predicate says, else `no`.
    fn choose(
        &self,
        x: Value<'c>,
        predicate: i64,
        y: i64,
        yes: Value<'c>,
        no: Value<'c>,
    ) -> Value<'c> {
        let condition = self.b.compare(predicate, x, self.constant(y));
        self.b.op("arith.select", &[condition, yes, no], self.ty)
    }

    /// The bits of a float of the same width after an op on floats with a constant, given by its bits.
    fn float_op(&self, name: &str, bits: Value<'c>, constant: i64, kind: FloatKind) -> Value<'c> {
        let float = Type::float(self.b.context(), kind);
        let x = self.b.op("arith.bitcast", &[bits], float);
        let y = self.b.op("arith.bitcast", &[self.constant(constant)], float);
        let result = self.b.op(name, &[x, y], float);
        self.b.op("arith.bitcast", &[result], self.ty)
    }
}

/// The mantissa bits and the bias of a wide float.
fn wide_format(kind: FloatKind) -> (i64, i64) {
    if kind == FloatKind::F64 { (52, 1023) } else { (23, 127) }
}

/// The f32 of a bit pattern.
pub fn decode<'c>(b: &Builder<'c>, code: Value<'c>, narrow: NarrowFloat) -> Value<'c> {
    const NAN: i64 = 0x7fc0_0000;
    const INFINITY: i64 = 0x7f80_0000;
    let (context, kind) = (b.context(), FloatKind::F32);
    let ints = Integers { b, ty: Type::integer(context, 32) };
    let NarrowFormat { exponent_bits, mantissa_bits, bias, non_finite } = narrow.format();
    let (m, bias) = (i64::from(mantissa_bits), i64::from(bias));
    let width = m + i64::from(exponent_bits);
    let code = b.op("arith.extui", &[code], ints.ty);
    let bits = if narrow.has_sign() {
        let magnitude = ints.and(code, (1 << width) - 1);
        let shifted = ints.left(magnitude, 23 - m);
        let normal = ints.plus(shifted, (127 - bias) << 23);
        // With the exponent of the smallest normal number, the leading 1 is too much.
        let smallest = (128 - bias) << 23;
        let raised = ints.plus(shifted, smallest);
        let subnormal = ints.float_op("arith.subf", raised, smallest, kind);
        let value = ints.choose(magnitude, predicate::ULT, 1 << m, subnormal, normal);
        let value = match non_finite {
            NonFinite::LargestExponent => {
                let special = ints.or(shifted, ints.constant(INFINITY));
                let largest_exponent = ((1 << exponent_bits) - 1) << m;
                ints.choose(magnitude, predicate::UGE, largest_exponent, special, value)
            }
            NonFinite::AllOnes => {
                let all_ones = (1 << width) - 1;
                ints.choose(magnitude, predicate::EQ, all_ones, ints.constant(NAN), value)
            }
            NonFinite::NegativeZero => {
                ints.choose(code, predicate::EQ, 1 << width, ints.constant(NAN), value)
            }
            NonFinite::None => value,
        };
        let sign = ints.left(ints.right(code, width), 31);
        ints.or(value, sign)
    } else {
        // The smallest power of 2 is a subnormal f32.
        let shifted = ints.left(code, 23);
        let value = ints.choose(code, predicate::EQ, 0, ints.constant(1 << 22), shifted);
        ints.choose(code, predicate::EQ, 255, ints.constant(NAN), value)
    };
    b.op("arith.bitcast", &[bits], Type::float(context, kind))
}

/// The bit pattern, an `i8`, of the nearest value of a float, ties to even. What has no value is as [`NonFinite`] says.
pub fn encode<'c>(b: &Builder<'c>, value: Value<'c>, narrow: NarrowFloat) -> Value<'c> {
    let context = b.context();
    let kind = match value.ty().kind() {
        // Wider than needed, so that one formula is enough: the smallest power of 2 is a normal f64.
        _ if !narrow.has_sign() => FloatKind::F64,
        TypeKind::Float(FloatKind::F64) => FloatKind::F64,
        _ => FloatKind::F32,
    };
    let value = converted(b, value, Type::float(context, kind));
    let (wide_m, wide_bias) = wide_format(kind);
    let ints = Integers { b, ty: Type::integer(context, if wide_m == 52 { 64 } else { 32 }) };
    let bits = b.op("arith.bitcast", &[value], ints.ty);
    let code = if narrow.has_sign() {
        encode_signed(&ints, bits, narrow.format(), kind)
    } else {
        let rounded = ints.right(ints.plus(bits, 1 << (wide_m - 1)), wide_m);
        let biased = ints.plus(rounded, 127 - wide_bias);
        let biased = ints.op("arith.maxsi", biased, 0);
        let biased = ints.op("arith.minsi", biased, 255);
        // 0, and negative numbers.
        ints.choose(bits, predicate::SLE, 0, ints.constant(255), biased)
    };
    b.op("arith.trunci", &[code], Type::integer(context, 8))
}

fn encode_signed<'c>(
    ints: &Integers<'_, 'c>,
    bits: Value<'c>,
    format: NarrowFormat,
    kind: FloatKind,
) -> Value<'c> {
    let NarrowFormat { exponent_bits, mantissa_bits, bias, non_finite } = format;
    let (wide_m, wide_bias) = wide_format(kind);
    let wide_width = if wide_m == 52 { 64 } else { 32 };
    let (m, bias) = (i64::from(mantissa_bits), i64::from(bias));
    let width = m + i64::from(exponent_bits);
    let infinity = ((1 << (wide_width - 1 - wide_m)) - 1) << wide_m;
    let magnitude = ints.and(bits, i64::MAX >> (64 - wide_width));

    let dropped = wide_m - m;
    let last = ints.and(ints.right(magnitude, dropped), 1);
    let half = ints.plus(magnitude, (1 << (dropped - 1)) - 1);
    let sum = ints.b.op("arith.addi", &[half, last], ints.ty);
    let normal = ints.plus(ints.right(sum, dropped), (bias - wide_bias) << m);
    // The sum with a number whose last bit is the smallest subnormal number is rounded to that bit.
    let aligned = (wide_bias + wide_m + 1 - bias - m) << wide_m;
    let subnormal = ints.float_op("arith.addf", magnitude, aligned, kind);
    let subnormal = ints.plus(subnormal, -aligned);
    let smallest_normal = (wide_bias + 1 - bias) << wide_m;
    let code = ints.choose(magnitude, predicate::ULT, smallest_normal, subnormal, normal);

    let all_ones = (1 << width) - 1;
    let signed = |code| {
        let sign = ints.left(ints.right(bits, wide_width - 1), width);
        ints.or(code, sign)
    };
    let negative_zero = ints.constant(1 << width);
    let or_largest = |code, largest: i64, above: i64| {
        ints.choose(code, predicate::SGT, largest, ints.constant(above), code)
    };
    match non_finite {
        NonFinite::LargestExponent => {
            let infinite = ((1 << exponent_bits) - 1) << m;
            let code = or_largest(code, infinite - 1, infinite);
            let nan = ints.constant(infinite | 1 << (m - 1));
            signed(ints.choose(magnitude, predicate::UGT, infinity, nan, code))
        }
        NonFinite::AllOnes => signed(or_largest(code, all_ones - 1, all_ones)),
        NonFinite::NegativeZero => {
            let zero = ints.constant(0);
            let finite = ints.choose(code, predicate::EQ, 0, zero, signed(code));
            ints.choose(code, predicate::SGT, all_ones, negative_zero, finite)
        }
        NonFinite::None => {
            let finite = signed(or_largest(code, all_ones, all_ones));
            ints.choose(magnitude, predicate::UGT, infinity, negative_zero, finite)
        }
    }
}

/// The bit pattern of a value of the type.
pub fn code_of(narrow: NarrowFloat, value: f64) -> u8 {
    let NarrowFormat { exponent_bits, mantissa_bits, bias, non_finite } = narrow.format();
    let (width, m) = (exponent_bits + mantissa_bits, mantissa_bits as i32);
    let all_ones = (1u32 << width) - 1;
    let largest_exponent = all_ones ^ ((1 << m) - 1);
    let sign = u32::from(value.is_sign_negative() && narrow.has_sign()) << width;
    let code = if value.is_nan() {
        match non_finite {
            NonFinite::LargestExponent => largest_exponent | 1 << (m - 1),
            NonFinite::AllOnes => all_ones,
            NonFinite::NegativeZero | NonFinite::None => 1 << width,
        }
    } else if value.is_infinite() {
        largest_exponent | sign
    } else {
        let magnitude = value.abs();
        let smallest_normal = if narrow.has_sign() { 1 - bias } else { -bias };
        // A finite number of the type is a normal f64, or 0.
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(smallest_normal);
        // In units of the last bit of the mantissa; a normal number has its leading 1 in it, which raises the exponent by 1.
        let significand = (magnitude * 2f64.powi(m - exponent)) as u32;
        let raised = (exponent - smallest_normal) as u32;
        if narrow.has_sign() { ((raised << m) + significand) | sign } else { raised }
    };
    code as u8
}

/// The nearest power of 2 of a float, as an f32.
pub fn power_of_two<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    decode(b, encode(b, value, NarrowFloat::F8E8M0FNU), NarrowFloat::F8E8M0FNU)
}

/// A float as one of another type that is not narrow.
pub fn converted<'c>(b: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
    let bits = |ty: Type| ty.element_bytes().unwrap_or(0);
    let from = value.ty();
    if from == ty || !matches!(ty.kind(), TypeKind::Float(_)) {
        return value;
    }
    if bits(from) == bits(ty) {
        let wide = b.op("arith.extf", &[value], Type::float(b.context(), FloatKind::F32));
        return b.op("arith.truncf", &[wide], ty);
    }
    b.op(if bits(from) < bits(ty) { "arith.extf" } else { "arith.truncf" }, &[value], ty)
}

/// The bits of a number, of a type or of the integer that stores it, as another.
pub fn reinterpreted<'c>(b: &Builder<'c>, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
    let width = |ty: Type| match ty.kind() {
        TypeKind::Integer(bits) => bits,
        _ => 0,
    };
    match width(value.ty()).cmp(&width(ty)) {
        std::cmp::Ordering::Less => b.op("arith.extui", &[value], ty),
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Greater => b.op("arith.trunci", &[value], ty),
    }
}

//! The scalar bodies of the element-wise graph ops.

use super::super::linalg_builder::{element_of, empty, generic, rank, sizes_of};
use super::scalar::{Scalars, is_float};
use crate::dialect::graph_op::Comparison;
use crate::ir::affine::Map;
use crate::ir::{Attribute, Builder, Error, IteratorKind, Op, Type, Value};
use std::ops::Deref;

/// Creates the ops that compute one element.
struct ElementBody<'b, 'c> {
    scalars: Scalars<'b, 'c>,
    graph_op: Op<'c>,
    /// The type of the result's elements.
    to: Type<'c>,
}

type BodyRow = (&'static str, for<'b, 'c> fn(&ElementBody<'b, 'c>, &[Value<'c>]) -> Value<'c>);

/// The ops that one op of the math dialect computes.
const MATH: &[(&str, &str)] = &[
    ("graph.acos", "math.acos"),
    ("graph.acosh", "math.acosh"),
    ("graph.asin", "math.asin"),
    ("graph.asinh", "math.asinh"),
    ("graph.atan", "math.atan"),
    ("graph.atan2", "math.atan2"),
    ("graph.atanh", "math.atanh"),
    ("graph.ceil", "math.ceil"),
    ("graph.cos", "math.cos"),
    ("graph.cosh", "math.cosh"),
    ("graph.erf", "math.erf"),
    ("graph.exp", "math.exp"),
    ("graph.exp2", "math.exp2"),
    ("graph.expm1", "math.expm1"),
    ("graph.floor", "math.floor"),
    ("graph.log", "math.log"),
    ("graph.log1p", "math.log1p"),
    ("graph.log2", "math.log2"),
    ("graph.pow", "math.powf"),
    ("graph.round", "math.roundeven"),
    ("graph.rsqrt", "math.rsqrt"),
    ("graph.sin", "math.sin"),
    ("graph.sinh", "math.sinh"),
    ("graph.sqrt", "math.sqrt"),
    ("graph.tan", "math.tan"),
    ("graph.tanh", "math.tanh"),
    ("graph.trunc", "math.trunc"),
];

/// All other element-wise ops.
const BODIES: &[BodyRow] = &[
    ("graph.abs", |s, x| s.either("math.absf", "math.absi", x)),
    ("graph.add", |s, x| s.add(x[0], x[1])),
    ("graph.and", |s, x| s.and(x[0], x[1])),
    ("graph.cast", |s, x| s.cast(x[0], s.to, s.is_unsigned())),
    ("graph.compare", |s, x| s.compare(s.comparison(), x[0], x[1], s.is_unsigned())),
    ("graph.div", |s, x| s.one_of(["arith.divf", "arith.divsi", "arith.divui"], x)),
    ("graph.elu", |s, x| s.in_wide(x, |x| s.unless_positive(x[0], s.op("math.expm1", &[x[0]])))),
    ("graph.floor_div", floor_div),
    ("graph.floor_mod", floor_mod),
    ("graph.gelu", |s, x| s.in_wide(x, |x| gelu(s, x[0]))),
    ("graph.gelu_tanh", |s, x| s.in_wide(x, |x| gelu_tanh(s, x[0]))),
    ("graph.hard_swish", |s, x| s.in_wide(x, |x| hard_swish(s, x[0]))),
    ("graph.isfinite", |s, x| {
        let size = s.op("math.absf", x);
        s.compare(Comparison::Lt, size, s.float(x[0], f64::INFINITY), false)
    }),
    ("graph.isinf", |s, x| {
        let size = s.op("math.absf", x);
        s.compare(Comparison::Eq, size, s.float(x[0], f64::INFINITY), false)
    }),
    ("graph.isnan", |s, x| s.is_nan(x[0])),
    ("graph.leaky_relu", |s, x| s.in_wide(x, |x| s.unless_positive(x[0], x[0]))),
    ("graph.max", |s, x| s.one_of(["arith.maximumf", "arith.maxsi", "arith.maxui"], x)),
    ("graph.min", |s, x| s.one_of(["arith.minimumf", "arith.minsi", "arith.minui"], x)),
    ("graph.mod", |s, x| s.one_of(["arith.remf", "arith.remsi", "arith.remui"], x)),
    ("graph.mul", |s, x| s.mul(x[0], x[1])),
    ("graph.neg", |s, x| s.neg(x[0])),
    ("graph.not", |s, x| s.op("arith.xori", &[x[0], s.like(x[0], -1)])),
    ("graph.or", |s, x| s.op("arith.ori", x)),
    ("graph.reciprocal", |s, x| s.div(s.float(x[0], 1.0), x[0])),
    ("graph.relu", |s, x| s.max(x[0], s.like(x[0], 0))),
    ("graph.select", |s, x| s.select(x[0], x[1], x[2])),
    ("graph.selu", |s, x| s.in_wide(x, |x| selu(s, x[0]))),
    ("graph.shl", |s, x| s.unless_all(x, s.op("arith.shli", &[x[0], s.fewer_bits(x)]))),
    ("graph.shr", |s, x| match s.is_unsigned() {
        true => s.unless_all(x, s.op("arith.shrui", &[x[0], s.fewer_bits(x)])),
        false => s.op("arith.shrsi", &[x[0], s.fewer_bits(x)]),
    }),
    ("graph.sigmoid", |s, x| s.in_wide(x, |x| s.div(s.float(x[0], 1.0), one_plus_exp(s, x[0])))),
    ("graph.sign", |s, x| {
        let zero = s.like(x[0], 0);
        let positive = s.compare(Comparison::Gt, x[0], zero, false);
        let negative = s.compare(Comparison::Lt, x[0], zero, false);
        let others = s.select(negative, s.like(x[0], -1), x[0]);
        s.select(positive, s.like(x[0], 1), others)
    }),
    ("graph.silu", |s, x| s.in_wide(x, |x| s.div(x[0], one_plus_exp(s, x[0])))),
    ("graph.softplus", |s, x| s.in_wide(x, |x| softplus(s, x[0]))),
    ("graph.square", |s, x| s.mul(x[0], x[0])),
    ("graph.sub", |s, x| s.sub(x[0], x[1])),
    ("graph.xor", |s, x| s.op("arith.xori", x)),
];

/// The constants of `graph.selu`.
const SELU_SCALE: f64 = 1.0507009873554805;
const SELU_ALPHA: f64 = 1.6732632423543772;

impl<'b, 'c> Deref for ElementBody<'b, 'c> {
    type Target = Scalars<'b, 'c>;

    fn deref(&self) -> &Scalars<'b, 'c> {
        &self.scalars
    }
}

impl<'c> ElementBody<'_, 'c> {
    fn is_unsigned(&self) -> bool {
        self.graph_op.attribute("is_unsigned").is_some()
    }

    fn comparison(&self) -> Comparison {
        let number = self.graph_op.attribute("comparison").and_then(Attribute::as_i64);
        number.and_then(Comparison::from_value).expect("ODS demands a comparison")
    }

    /// The op of floats, of signed or of unsigned integers.
    fn one_of(&self, [float, signed, unsigned]: [&str; 3], x: &[Value<'c>]) -> Value<'c> {
        self.either(float, if self.is_unsigned() { unsigned } else { signed }, x)
    }

    /// `x` if it is positive, or else alpha times another value.
    fn unless_positive(&self, x: Value<'c>, other: Value<'c>) -> Value<'c> {
        let alpha =
            self.graph_op.attribute("alpha").and_then(Attribute::as_f64).unwrap_or_default();
        let scaled = self.mul(self.float(x, alpha), other);
        let positive = self.compare(Comparison::Gt, x, self.like(x, 0), false);
        self.select(positive, x, scaled)
    }

    /// The number of the highest bit of an integer.
    fn last_bit(&self, x: &[Value<'c>]) -> Value<'c> {
        self.like(x[0], i64::from(x[0].ty().integer_bits().unwrap_or(64)) - 1)
    }

    /// By how many bits to shift, at most by all but one: a shift by more is not defined.
    fn fewer_bits(&self, x: &[Value<'c>]) -> Value<'c> {
        self.op("arith.minui", &[x[1], self.last_bit(x)])
    }

    /// Zero if all bits are shifted out.
    fn unless_all(&self, x: &[Value<'c>], shifted: Value<'c>) -> Value<'c> {
        let all = self.compare(Comparison::Gt, x[1], self.last_bit(x), true);
        self.select(all, self.like(x[0], 0), shifted)
    }
}

fn one_plus_exp<'c>(s: &ElementBody<'_, 'c>, x: Value<'c>) -> Value<'c> {
    s.add(s.float(x, 1.0), s.op("math.exp", &[s.neg(x)]))
}

fn selu<'c>(s: &ElementBody<'_, 'c>, x: Value<'c>) -> Value<'c> {
    let positive = s.mul(s.float(x, SELU_SCALE), x);
    let others = s.mul(s.float(x, SELU_SCALE * SELU_ALPHA), s.op("math.expm1", &[x]));
    s.select(s.compare(Comparison::Gt, x, s.like(x, 0), false), positive, others)
}

fn softplus<'c>(s: &ElementBody<'_, 'c>, x: Value<'c>) -> Value<'c> {
    let size = s.op("math.absf", &[x]);
    let rest = s.op("math.log1p", &[s.op("math.exp", &[s.neg(size)])]);
    s.add(s.max(x, s.like(x, 0)), rest)
}

/// 0.5 * x * (1 + y)
fn half_of<'c>(s: &ElementBody<'_, 'c>, x: Value<'c>, y: Value<'c>) -> Value<'c> {
    let half = s.mul(s.float(x, 0.5), x);
    s.mul(half, s.add(s.float(x, 1.0), y))
}

fn gelu<'c>(s: &ElementBody<'_, 'c>, x: Value<'c>) -> Value<'c> {
    let scaled = s.mul(x, s.float(x, std::f64::consts::FRAC_1_SQRT_2));
    half_of(s, x, s.op("math.erf", &[scaled]))
}

fn gelu_tanh<'c>(s: &ElementBody<'_, 'c>, x: Value<'c>) -> Value<'c> {
    let cube = s.mul(s.mul(s.mul(s.float(x, 0.044715), x), x), x);
    let factor = s.float(x, (2.0 / std::f64::consts::PI).sqrt());
    half_of(s, x, s.op("math.tanh", &[s.mul(factor, s.add(x, cube))]))
}

fn hard_swish<'c>(s: &ElementBody<'_, 'c>, x: Value<'c>) -> Value<'c> {
    let line = s.add(s.div(x, s.float(x, 6.0)), s.float(x, 0.5));
    s.mul(x, s.min(s.max(line, s.float(x, 0.0)), s.float(x, 1.0)))
}

fn floor_div<'c>(s: &ElementBody<'_, 'c>, x: &[Value<'c>]) -> Value<'c> {
    match is_float(x[0].ty()) {
        true => s.in_wide(x, |x| s.op("math.floor", &[s.div(x[0], x[1])])),
        false => s.op("arith.floordivsi", x),
    }
}

fn floor_mod<'c>(s: &ElementBody<'_, 'c>, x: &[Value<'c>]) -> Value<'c> {
    s.in_wide(x, |x| {
        let rest = s.either("arith.remf", "arith.remsi", x);
        let zero = s.like(rest, 0);
        let is_negative = |value| s.compare(Comparison::Lt, value, zero, false);
        let differs = s.op("arith.xori", &[is_negative(rest), is_negative(x[1])]);
        let is_rest = s.compare(Comparison::Ne, rest, zero, false);
        s.select(s.and(is_rest, differs), s.add(rest, x[1]), rest)
    })
}

/// The linalg definition of an element-wise op.
///
/// # Errors
/// If there is none.
pub(super) fn elementwise<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Value<'c>, Error<'c>> {
    let math = MATH.iter().find(|row| row.0 == op.name()).map(|row| row.1);
    let body = BODIES.iter().find(|row| row.0 == op.name()).map(|row| row.1);
    if math.is_none() && body.is_none() {
        return Err(Error::on(op, "has no linalg definition in convert-graph-to-linalg"));
    }
    let operands = op.operands();
    let outs = empty(b, op.result(0).ty(), &sizes_of(operands[0]));
    let maps = vec![Map::identity(rank(operands[0])); operands.len() + 1];
    let iterators = vec![IteratorKind::Parallel; rank(operands[0])];
    let to = element_of(op.result(0));
    Ok(generic(b, &operands, outs, &maps, &iterators, |b, x| {
        let s = ElementBody { scalars: Scalars(b), graph_op: op, to };
        let x = &x[..operands.len()];
        match (math, body) {
            (Some(math), _) => s.op(math, x),
            (None, Some(body)) => body(&s, x),
            (None, None) => unreachable!("refused above"),
        }
    }))
}

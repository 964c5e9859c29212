//! `expand-math`: expand math functions, and ops that MLIR lowers to LLVM inaccurately or not at all, to
//! arithmetic that is the same on all targets.
//!
//! ```text
//! %y = math.exp2 %x : vector<16xf32>
//!   ->
//! %n = ..round(%x)..       %r = arith.subf %x, %n
//! %p = math.fma ..%r..     %y = arith.mulf %p, ..2^%n..
//! ```
//! - `acos`, `acosh`, `asin`, `asinh`, `atan`, `atan2`, `atanh`, `cbrt`, `cos`, `cosh`, `erf`, `erfc`, `exp`, `exp2`,
//!   `expm1`, `fpowi`, `log`, `log10`, `log1p`, `log2`, `powf`, `rsqrt`, `sin`, `sincos`, `sinh`, `tan`, `tanh` and
//!   `arith.remf`: arith ops on scalars or vectors, without calls or tables. `docs/numerics.md` lists their errors. The
//!   polynomials of f32 and f64 differ. Some functions also have another algorithm for f64. f16 and bf16 are computed
//!   in f32 and rounded by `arith.truncf`, which `expand-small-floats` expands further. The expansions of f64 are used
//!   on x86 too, instead of libm: results are the same on all targets, and most functions are 1.3 to 5 times as fast in
//!   vectors of 8 lanes. `powf`, `erf` and `erfc` of f64 take longer than in libm.
//! - `powf` and `fpowi` with a constant exponent of 1, 2, 3, 4, -1, -2, 1/2 or -1/2: products, a quotient, or a square root.
//! - `ipowi` of all integer types: arith ops.
//! - With `fma=false`, for processors without fused multiply-add, a product is rounded before it is added.
//! - `clampf` becomes `minimumf(maximumf(x, low), high)`. `isnormal` and `isinf` become comparisons with the
//!   smallest normal number and infinity. Upstream has no lowering for them.
//!
//! Other math ops, and math ops on tensors, do not change.

mod double;
mod emit;
mod error_function;
mod exponential;
mod integer_power;
mod inverse_hyperbolic;
mod inverse_trigonometric;
mod logarithm;
mod pair;
mod power;
mod remainder;
mod trigonometric;

pub use self::emit::Products;

use self::emit::{Float, OpEmitter};
use crate::ir::{Attribute, Builder, FloatKind, Op, Type, TypeKind, Value, constant_number, walk};

/// A function of one number.
type ScalarFunction = for<'c> fn(Float<'c>) -> Float<'c>;

/// The functions of one number that are expanded to arithmetic: those of f32, and those of f64.
const FUNCTIONS: &[(&str, ScalarFunction, ScalarFunction)] = &[
    ("math.acos", inverse_trigonometric::acos, inverse_trigonometric::acos),
    ("math.acosh", inverse_hyperbolic::acosh, double::inverse_hyperbolic::acosh),
    ("math.asin", inverse_trigonometric::asin, inverse_trigonometric::asin),
    ("math.asinh", inverse_hyperbolic::asinh, double::inverse_hyperbolic::asinh),
    ("math.atan", inverse_trigonometric::atan, inverse_trigonometric::atan),
    ("math.atanh", inverse_hyperbolic::atanh, double::inverse_hyperbolic::atanh),
    ("math.cbrt", power::cbrt, power::cbrt),
    ("math.cos", |x| trigonometric::sincos(x)[1], |x| double::trigonometric::sincos(x)[1]),
    ("math.cosh", exponential::cosh, exponential::cosh),
    ("math.erf", error_function::erf, double::error_function::erf),
    ("math.erfc", error_function::erfc, double::error_function::erfc),
    ("math.exp", exponential::exp, exponential::exp),
    ("math.exp2", exponential::exp2, exponential::exp2),
    ("math.expm1", exponential::expm1, exponential::expm1),
    ("math.log", logarithm::log, double::logarithm::log),
    ("math.log10", logarithm::log10, double::logarithm::log10),
    ("math.log1p", logarithm::log1p, double::logarithm::log1p),
    ("math.log2", logarithm::log2, double::logarithm::log2),
    ("math.rsqrt", power::rsqrt, power::rsqrt),
    ("math.sin", |x| trigonometric::sincos(x)[0], |x| double::trigonometric::sincos(x)[0]),
    ("math.sinh", exponential::sinh, exponential::sinh),
    ("math.tan", trigonometric::tan, double::trigonometric::tan),
    ("math.tanh", exponential::tanh, exponential::tanh),
];

/// Expands the ops in `module`.
pub fn expand(module: Op, products: Products) {
    for op in walk(module).into_iter().skip(1) {
        let at = Builder::before(op, op.location());
        let results = match op.name() {
            name if is_arithmetic(op) => arithmetic(name, at, op, products),
            "math.ipowi" => Some(vec![integer_power(&at, op, products)]),
            "math.clampf" => Some(vec![clamp(&at, op)]),
            "math.isnormal" | "math.isinf" => classify(&at, op).map(|result| vec![result]),
            _ => None,
        };
        let Some(results) = results else { continue };
        for (old, new) in op.results().into_iter().zip(results) {
            old.replace_all_uses_with(new);
        }
        op.erase();
    }
}

/// True if [`expand`] replaces the op by arithmetic only, without a call.
pub fn knows(op: Op) -> bool {
    let others = ["math.clampf", "math.ipowi", "math.isnormal", "math.isinf"];
    is_arithmetic(op) || others.contains(&op.name())
}

/// The number type of a scalar or vector.
fn element(ty: Type) -> Type {
    ty.lanes().map_or(ty, |(_, element)| element)
}

fn is_arithmetic(op: Op) -> bool {
    let is_function = FUNCTIONS.iter().any(|(name, ..)| op.is(name));
    let others = ["arith.remf", "math.atan2", "math.fpowi", "math.powf", "math.sincos"];
    if !is_function && !others.contains(&op.name()) {
        return false;
    }
    let kinds = [FloatKind::F16, FloatKind::BF16, FloatKind::F32, FloatKind::F64];
    kinds.map(TypeKind::Float).contains(&element(op.operand(0).ty()).kind())
}

/// The results of the op, computed in f32 or wider.
fn arithmetic<'c>(
    name: &str,
    at: Builder<'c>,
    op: Op<'c>,
    products: Products,
) -> Option<Vec<Value<'c>>> {
    let operands = op.operands();
    let ty = operands[0].ty();
    let emit = OpEmitter { at, shape: ty, products };
    let is_small = !matches!(element(ty).kind(), TypeKind::Float(FloatKind::F32 | FloatKind::F64));
    let wide = |value: Value<'c>| {
        let to = emit.float_type(FloatKind::F32);
        emit.float(if is_small { at.op("arith.extf", &[value], to) } else { value })
    };
    let x = wide(operands[0]);
    let is_double = x.is_double();
    let results = match name {
        "arith.remf" => vec![remainder::remf(x, wide(operands[1]))],
        "math.atan2" => vec![inverse_trigonometric::atan2(x, wide(operands[1]))],
        "math.fpowi" | "math.powf"
            if let Some(power) =
                constant_number(operands[1]).and_then(|y| power::of_constant(x, y)) =>
        {
            vec![power]
        }
        "math.powf" if is_double => vec![double::power::powf(x, wide(operands[1]))],
        "math.powf" => vec![power::powf(x, wide(operands[1]))],
        "math.fpowi" if is_double => vec![double::power::fpowi(x, emit.bits(operands[1]))],
        "math.fpowi" => vec![power::fpowi(x, emit.bits(operands[1]))],
        "math.sincos" if is_double => double::trigonometric::sincos(x).to_vec(),
        "math.sincos" => trigonometric::sincos(x).to_vec(),
        _ => {
            let (_, single, double) = FUNCTIONS.iter().find(|(known, ..)| *known == name)?;
            vec![if is_double { double(x) } else { single(x) }]
        }
    };
    let narrow = |result: Float<'c>| match is_small {
        true => at.op("arith.truncf", &[result.value], ty),
        false => result.value,
    };
    Some(results.into_iter().map(narrow).collect())
}

/// Computes with i64 if the type is index.
fn integer_power<'c>(at: &Builder<'c>, op: Op<'c>, products: Products) -> Value<'c> {
    let operands = op.operands();
    let ty = operands[0].ty();
    let is_index = element(ty).kind() == TypeKind::Index;
    let emit = OpEmitter { at: *at, shape: ty, products };
    let bits = |value: Value<'c>| {
        let to = emit.integer_type(64);
        emit.bits(if is_index { at.op("arith.index_cast", &[value], to) } else { value })
    };
    let power = integer_power::ipowi(bits(operands[0]), bits(operands[1])).value;
    if is_index { at.op("arith.index_cast", &[power], ty) } else { power }
}

/// Lane `i` of a vector.
pub(crate) fn extract<'c>(
    at: &Builder<'c>,
    vector: Value<'c>,
    i: usize,
    element: Type<'c>,
) -> Value<'c> {
    at.value(
        at.spec("vector.extract")
            .operands(&[vector])
            .attribute("static_position", Attribute::dense_i64(at.context(), &[i as i64]))
            .results(&[element]),
    )
}

fn clamp<'c>(at: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let operands = op.operands();
    let low = at.op("arith.maximumf", &operands[..2], operands[0].ty());
    at.op("arith.minimumf", &[low, operands[2]], low.ty())
}

fn classify<'c>(at: &Builder<'c>, op: Op<'c>) -> Option<Value<'c>> {
    const ORDERED_EQUAL: i64 = 1;
    const ORDERED_AT_LEAST: i64 = 3;
    const ORDERED_LESS: i64 = 4;
    let operand = op.operand(0);
    let element = element(operand.ty());
    let least: i32 = match element.kind() {
        TypeKind::Float(FloatKind::F16) => -14,
        TypeKind::Float(FloatKind::BF16 | FloatKind::F32) => -126,
        TypeKind::Float(FloatKind::F64) => -1022,
        _ => return None,
    };
    let magnitude = at.op("math.absf", &[operand], operand.ty());
    let result = op.result(0).ty();
    let compare = |predicate, bound: f64| {
        let scalar = at.constant(Attribute::float(element, bound));
        let bound = match operand.ty().lanes() {
            None => scalar,
            Some(_) => at.op("vector.broadcast", &[scalar], operand.ty()),
        };
        let predicate = Attribute::integer(Type::integer(at.context(), 64), predicate);
        at.value(
            at.spec("arith.cmpf")
                .operands(&[magnitude, bound])
                .attribute("predicate", predicate)
                .results(&[result]),
        )
    };
    if op.is("math.isinf") {
        return Some(compare(ORDERED_EQUAL, f64::INFINITY));
    }
    let is_large = compare(ORDERED_AT_LEAST, f64::from(least).exp2());
    let is_finite = compare(ORDERED_LESS, f64::INFINITY);
    Some(at.op("arith.andi", &[is_large, is_finite], result))
}

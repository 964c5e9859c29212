//! `expand-math`: ops of math that MLIR lowers to LLVM inaccurately or not at all become others.
//!
//! ```text
//! %y = math.expm1 %x : vector<2xf32>
//!   ->
//! %x0 = vector.extract %x[0]    %y0 = func.call @expm1f(%x0)
//! %x1 = vector.extract %x[1]    %y1 = func.call @expm1f(%x1)
//! %y = vector.from_elements %y0, %y1 : vector<2xf32>
//! ```
//! - `expm1` calls libm, lane by lane: upstream makes `exp(x) - 1` of it, which is 0 for small x.
//! - `fpowi` is `powf` in f64: upstream's intrinsic takes no vectors, and no exponents but i32.
//! - `clampf` is `minimumf(maximumf(x, low), high)`, `isnormal` and `isinf` compare with the smallest
//!   normal number and infinity: upstream has no lowering.
//!
//! Results in 16 bits are computed in more and rounded by `arith.truncf`, which `expand-small-floats`
//! expands further.

use super::symbol;
use crate::ir::{Attribute, Builder, FloatKind, Op, Region, Type, TypeKind, Value, walk};

/// Expands the ops in `module`.
pub fn expand(module: Op) {
    for op in walk(module).into_iter().skip(1) {
        let at = Builder::before(op, op.location());
        let result = match op.name() {
            "math.expm1" => call(module, &at, op, "expm1"),
            "math.fpowi" => Some(power(&at, op)),
            "math.clampf" => Some(clamp(&at, op)),
            "math.isnormal" | "math.isinf" => classify(&at, op),
            _ => None,
        };
        if let Some(result) = result {
            op.result(0).replace_all_uses_with(result);
            op.erase();
        }
    }
}

/// A scalar type, or a vector of it, as `shape` is.
fn shaped<'c>(shape: Type<'c>, element: Type<'c>) -> Type<'c> {
    shape.lanes().map_or(element, |(lanes, _)| Type::vector(lanes, element))
}

/// `libm(x)` for each lane; `libm` is the function for f64.
fn call<'c>(module: Op<'c>, at: &Builder<'c>, op: Op<'c>, libm: &str) -> Option<Value<'c>> {
    let ty = op.result(0).ty();
    let TypeKind::Float(kind) = ty.lanes().map_or(ty, |(_, element)| element).kind() else {
        return None;
    };
    let (name, element) = match kind {
        FloatKind::F64 => (libm.to_owned(), Type::float(at.context(), kind)),
        _ => (format!("{libm}f"), Type::float(at.context(), FloatKind::F32)),
    };
    declare(module, &name, element);
    let call = |operand: Value<'c>| {
        at.value(
            at.spec("func.call")
                .attribute("callee", Attribute::symbol(at.context(), &name))
                .operands(&[operand])
                .results(&[element]),
        )
    };
    let wide = shaped(ty, element);
    let mut operand = op.operands()[0];
    if ty != wide {
        operand = at.op("arith.extf", &[operand], wide);
    }
    let result = match ty.lanes() {
        None => call(operand),
        Some((lanes, _)) => {
            let results: Vec<_> =
                (0..lanes).map(|i| call(extract(at, operand, i, element))).collect();
            at.op("vector.from_elements", &results, wide)
        }
    };
    Some(if ty == wide { result } else { at.op("arith.truncf", &[result], ty) })
}

/// Lane `i` of a vector.
pub(super) fn extract<'c>(
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

/// Declares a function from a number to a number, unless the module has it.
fn declare<'c>(module: Op<'c>, name: &str, ty: Type<'c>) {
    let ops = module.body(0).map(|body| body.ops()).unwrap_or_default();
    if ops.iter().any(|op| symbol(*op) == name) {
        return;
    }
    let first = ops.first().expect("there is a function with the op");
    let at = Builder::before(*first, module.location());
    let function = Type::function(at.context(), &[ty], &[ty]);
    at.insert(
        at.spec("func.func")
            .attribute("sym_name", Attribute::string(at.context(), name))
            .attribute("sym_visibility", Attribute::string(at.context(), "private"))
            .attribute("function_type", function.to_attribute())
            .region(Region::new()),
    );
}

/// f64 holds all exponents of up to 53 bits, so that even and odd ones are told apart.
fn power<'c>(at: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (base, exponent) = (op.operands()[0], op.operands()[1]);
    let (ty, wide) = (base.ty(), shaped(base.ty(), Type::float(at.context(), FloatKind::F64)));
    let exponent = at.op("arith.sitofp", &[exponent], wide);
    if ty == wide {
        return at.op("math.powf", &[base, exponent], wide);
    }
    let base = at.op("arith.extf", &[base], wide);
    let result = at.op("math.powf", &[base, exponent], wide);
    at.op("arith.truncf", &[result], ty)
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
    let operand = op.operands()[0];
    let element = operand.ty().lanes().map_or(operand.ty(), |(_, element)| element);
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

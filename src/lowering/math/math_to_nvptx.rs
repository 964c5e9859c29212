//! `convert-math-to-nvptx`: lower math and arith ops to NVPTX instructions where upstream MLIR would call a library
//! that GPUs do not have.
//!
//! ```text
//! %y = math.sqrt %x : f32
//!   ->
//! %y = llvm.call_intrinsic "llvm.sqrt.f32"(%x)      // sqrt.rn.f32
//! ```
//! - `absf`, `ceil`, `copysign`, `floor`, `fma`, `round`, `roundeven`, `sqrt`, `trunc`, and `maxnumf` and
//!   `minnumf` of arith: LLVM's intrinsic, for which NVPTX has an instruction that rounds once
//! - `absi`: max(x, 0 - x)
//! - `ctlz`, `ctpop`, `cttz`: LLVM's intrinsic; indices are computed as i64
//! - `isnan`, `isfinite`: comparisons
//!
//! Ops on f16 are computed in f32 and rounded to f16. Because f32 has more than twice the significand digits, the
//! results are those of a single rounding. Vectors are converted as a whole. All other math ops are unchanged.
//! `convert-loop-to-gpu` refuses those that `expand-math` does not expand either, because LLVM would emit an unresolved
//! call for them or abort the process.

use crate::ir::predicate::float;
use crate::ir::{Attribute, Builder, FloatKind, Op, Type, TypeKind, Value, walk};

/// Ops and their intrinsics.
const INTRINSICS: &[(&str, &str)] = &[
    ("arith.maxnumf", "maxnum"),
    ("arith.minnumf", "minnum"),
    ("math.absf", "fabs"),
    ("math.ceil", "ceil"),
    ("math.copysign", "copysign"),
    ("math.floor", "floor"),
    ("math.fma", "fma"),
    ("math.round", "round"),
    ("math.roundeven", "roundeven"),
    ("math.sqrt", "sqrt"),
    ("math.trunc", "trunc"),
];

/// Integer ops, and the ops of the LLVM dialect that implement them.
const COUNTS: &[(&str, &str)] = &[
    ("math.ctlz", "llvm.intr.ctlz"),
    ("math.ctpop", "llvm.intr.ctpop"),
    ("math.cttz", "llvm.intr.cttz"),
];

/// Ops that have a conversion of their own.
const OTHERS: &[&str] = &["math.absi", "math.isfinite", "math.isnan"];

/// True if this pass converts the math op of that name.
pub fn knows(name: &str) -> bool {
    INTRINSICS.iter().chain(COUNTS).any(|(op, _)| *op == name) || OTHERS.contains(&name)
}

/// Converts the ops nested in `root`.
pub fn convert(root: Op) {
    for op in walk(root).into_iter().skip(1) {
        let at = Builder::before(op, op.location());
        let new = match op.name() {
            "math.absi" => {
                let operand = op.operand(0);
                let zero = constant(&at, operand.ty(), 0.0);
                let negated = at.op("arith.subi", &[zero, operand], operand.ty());
                Some(at.op("arith.maxsi", &[operand, negated], operand.ty()))
            }
            "math.isnan" => Some(compare(&at, op, float::UNO, op.operand(0))),
            "math.isfinite" => {
                let magnitude = wide(&at, op, &|at, operands| intrinsic(at, "fabs", operands));
                magnitude.map(|magnitude| {
                    let infinity = constant(&at, magnitude.ty(), f64::INFINITY);
                    compare_with(&at, op, float::OLT, [magnitude, infinity])
                })
            }
            "math.ctlz" | "math.ctpop" | "math.cttz" => Some(count(&at, op)),
            name => {
                let known = INTRINSICS.iter().find(|(op, _)| *op == name);
                known.and_then(|(_, name)| {
                    wide(&at, op, &|at, operands| intrinsic(at, name, operands))
                })
            }
        };
        if let Some(new) = new {
            op.result(0).replace_all_uses_with(new);
            op.erase();
        }
    }
}

fn element(ty: Type) -> Type {
    ty.lanes().map_or(ty, |(_, element)| element)
}

/// `element`, or a vector of it if `shape` is a vector.
fn shaped<'c>(shape: Type<'c>, element: Type<'c>) -> Type<'c> {
    shape.lanes().map_or(element, |(lanes, _)| Type::vector(lanes, element))
}

/// The result of `compute` on the operands. f16 and bf16 operands are computed in f32, and a result of their
/// type is rounded.
fn wide<'c>(
    at: &Builder<'c>,
    op: Op<'c>,
    compute: &dyn Fn(&Builder<'c>, &[Value<'c>]) -> Value<'c>,
) -> Option<Value<'c>> {
    let operands = op.operands();
    let ty = operands.first()?.ty();
    match element(ty).kind() {
        TypeKind::Float(FloatKind::F32 | FloatKind::F64) => Some(compute(at, &operands)),
        TypeKind::Float(FloatKind::F16 | FloatKind::BF16) => {
            let to = shaped(ty, Type::float(at.context(), FloatKind::F32));
            let operands: Vec<_> =
                operands.iter().map(|value| at.op("arith.extf", &[*value], to)).collect();
            let result = compute(at, &operands);
            let rounds = op.result(0).ty() == ty;
            Some(if rounds { at.op("arith.truncf", &[result], ty) } else { result })
        }
        _ => None,
    }
}

/// `llvm.<name>.<type>`
fn intrinsic<'c>(at: &Builder<'c>, name: &str, operands: &[Value<'c>]) -> Value<'c> {
    let ty = operands[0].ty();
    let bits = match element(ty).kind() {
        TypeKind::Float(FloatKind::F64) => "f64",
        _ => "f32",
    };
    let suffix = match ty.lanes() {
        Some((lanes, _)) => format!("v{lanes}{bits}"),
        None => bits.to_owned(),
    };
    let name = Attribute::string(at.context(), &format!("llvm.{name}.{suffix}"));
    let spec = at.spec("llvm.call_intrinsic").operands(operands).results(&[ty]);
    let spec = spec.attribute("intrin", name).segments(&[operands.len(), 0]);
    at.value(spec.attribute("op_bundle_sizes", Attribute::dense_i32(at.context(), &[])))
}

/// The number of set bits, leading zeros or trailing zeros.
fn count<'c>(at: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (_, name) = COUNTS.iter().find(|(name, _)| op.is(name)).expect("it is one of them");
    let operand = op.operand(0);
    let ty = operand.ty();
    let is_index = element(ty).kind() == TypeKind::Index;
    let wide = shaped(ty, Type::integer(at.context(), 64));
    let operand = if is_index { at.op("arith.index_cast", &[operand], wide) } else { operand };
    let mut spec = at.spec(name).operands(&[operand]).results(&[operand.ty()]);
    if !op.is("math.ctpop") {
        let of_zero = Attribute::integer(Type::integer(at.context(), 1), 0);
        spec = spec.attribute("is_zero_poison", of_zero);
    }
    let result = at.value(spec);
    if is_index { at.op("arith.index_cast", &[result], ty) } else { result }
}

/// A constant, in all lanes of a vector.
fn constant<'c>(at: &Builder<'c>, ty: Type<'c>, value: f64) -> Value<'c> {
    let element = element(ty);
    let number = match element.kind() {
        TypeKind::Float(_) => Attribute::float(element, value),
        _ => Attribute::integer(element, value as i64),
    };
    match ty.lanes() {
        Some(_) => at.constant(Attribute::splat(ty, number)),
        None => at.constant(number),
    }
}

fn compare<'c>(at: &Builder<'c>, op: Op<'c>, predicate: i64, operand: Value<'c>) -> Value<'c> {
    compare_with(at, op, predicate, [operand, operand])
}

fn compare_with<'c>(
    at: &Builder<'c>,
    op: Op<'c>,
    predicate: i64,
    operands: [Value<'c>; 2],
) -> Value<'c> {
    let predicate = Attribute::integer(Type::integer(at.context(), 64), predicate);
    let spec = at.spec("arith.cmpf").operands(&operands).attribute("predicate", predicate);
    at.value(spec.results(&[op.result(0).ty()]))
}

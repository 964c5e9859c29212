//! `convert-math-to-nvptx`: ops of math, and those of arith, for which upstream calls a library that a GPU
//! does not have, become instructions of NVPTX.
//!
//! ```text
//! %y = math.sqrt %x : f32
//!   ->
//! %y = llvm.call_intrinsic "llvm.sqrt.f32"(%x)      // sqrt.rn.f32
//! ```
//! - `absf`, `ceil`, `copysign`, `floor`, `fma`, `roundeven`, `sqrt`, `trunc`, and arith's `maxnumf` and
//!   `minnumf`: LLVM's intrinsic, of which NVPTX makes an instruction that rounds once
//! - `absi`: max(x, 0 - x)
//! - `isnan`, `isfinite`: comparisons
//!
//! On f16 these compute in f32 and round once: it has more than twice the digits, so no result differs.
//! Vectors are taken as a whole. All other ops of math stay: those that `expand-math` does not know either are
//! refused by `convert-loop-to-gpu`, as what LLVM makes of them ends in a call that nothing resolves, or ends the
//! process.

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
    ("math.roundeven", "roundeven"),
    ("math.sqrt", "sqrt"),
    ("math.trunc", "trunc"),
];

/// Ops with a rule of their own.
const OTHERS: &[&str] = &["math.absi", "math.isfinite", "math.isnan"];

/// Has an op of math code for NVPTX?
pub fn knows(name: &str) -> bool {
    INTRINSICS.iter().any(|(op, _)| *op == name) || OTHERS.contains(&name)
}

/// Converts the ops under `root`.
pub fn convert(root: Op) {
    for op in walk(root).into_iter().skip(1) {
        let at = Builder::before(op, op.location());
        let new = match op.name() {
            "math.absi" => {
                let operand = op.operands()[0];
                let zero = constant(&at, operand.ty(), 0.0);
                let negated = at.op("arith.subi", &[zero, operand], operand.ty());
                Some(at.op("arith.maxsi", &[operand, negated], operand.ty()))
            }
            "math.isnan" => Some(compare(&at, op, UNORDERED, op.operands()[0])),
            "math.isfinite" => {
                let magnitude = wide(&at, op, &|at, operands| intrinsic(at, "fabs", operands));
                magnitude.map(|magnitude| {
                    let infinity = constant(&at, magnitude.ty(), f64::INFINITY);
                    compare_with(&at, op, ORDERED_LESS, [magnitude, infinity])
                })
            }
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

// Numbers of arith's predicates.
const ORDERED_LESS: i64 = 4;
const UNORDERED: i64 = 14;

fn element(ty: Type) -> Type {
    ty.lanes().map_or(ty, |(_, element)| element)
}

/// A scalar type, or a vector of it, as `shape` is.
fn shaped<'c>(shape: Type<'c>, element: Type<'c>) -> Type<'c> {
    shape.lanes().map_or(element, |(lanes, _)| Type::vector(lanes, element))
}

/// What `compute` makes of the operands: of f16 and bf16 as f32, rounded where the result is of their type.
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

/// A number in all lanes.
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

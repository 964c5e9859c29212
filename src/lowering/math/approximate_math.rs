//! `approximate-math`: lower math ops with the `afn` flag to the approximate instructions of NVPTX.
//!
//! ```text
//! %y = math.exp %x fastmath<afn> : f32
//!   ->
//! %t = arith.mulf %x, %log2e : f32
//! %y = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"(%t)
//! ```
//! Converts ops with the flag `fastmath<afn>` or `fastmath<fast>`, and divisions with `arcp`. The floating-point
//! contract of a function (`loop.fp`) does not permit approximation.
//!
//! | op | becomes | error bound in f32 |
//! |---|---|---|
//! | `exp2` | `ex2.approx` | 2^-22 relative |
//! | `exp` | `ex2.approx` of x * log2(e) | (2 + 1.2 abs(x)) * 2^-23 relative |
//! | `log2` | `lg2.approx` | 2^-22 absolute for x in 0.5 to 2; elsewhere 2^-22 relative |
//! | `log`, `log10` | `lg2.approx` times a constant | as `log2`, plus one rounding |
//! | `sin`, `cos` | `sin.approx`, `cos.approx` | 2^-20.5 absolute for x in -pi to pi |
//! | `tanh` | `tanh.approx` | 2^-11 relative |
//! | `rsqrt` | `rsqrt.approx` | 2^-22 relative |
//! | `sqrt` | `sqrt.approx` | 2^-22 relative |
//! | `divf` | `div.full` | 2 ulp |
//!
//! The bounds are those that the PTX ISA states for the instructions; outside of a stated range of x there is no bound.
//! Vectors are converted lane by lane. Ops on f16 and bf16 are computed in f32 and rounded once. Ops on f64, and ops
//! without the flag, are left for `expand-math`. The form stays *kernels* only if no op is converted: the interpreter does
//! not run the approximate instructions.

use super::expand_math::extract;
use crate::ir::{Attribute, Builder, FloatKind, Op, Type, TypeKind, Value, walk};
use std::f64::consts::{LN_2, LOG2_E, LOG10_2};

/// LLVM's generic intrinsic. It is as accurate as the other math functions unless the call has the flag `afn`.
const TANH: &str = "llvm.tanh.f32";

/// An instruction, and the factors by which its operand and its result are multiplied.
struct ApproximateInstruction {
    op: &'static str,
    intrinsic: &'static str,
    before: f64,
    after: f64,
}

const fn instruction(op: &'static str, intrinsic: &'static str) -> ApproximateInstruction {
    ApproximateInstruction { op, intrinsic, before: 1.0, after: 1.0 }
}

const INSTRUCTIONS: &[ApproximateInstruction] = &[
    instruction("arith.divf", "llvm.nvvm.div.full"),
    instruction("math.cos", "llvm.nvvm.cos.approx.f"),
    ApproximateInstruction {
        before: LOG2_E,
        ..instruction("math.exp", "llvm.nvvm.ex2.approx.f32")
    },
    instruction("math.exp2", "llvm.nvvm.ex2.approx.f32"),
    ApproximateInstruction { after: LN_2, ..instruction("math.log", "llvm.nvvm.lg2.approx.f") },
    ApproximateInstruction {
        after: LOG10_2,
        ..instruction("math.log10", "llvm.nvvm.lg2.approx.f")
    },
    instruction("math.log2", "llvm.nvvm.lg2.approx.f"),
    instruction("math.rsqrt", "llvm.nvvm.rsqrt.approx.f"),
    instruction("math.sin", "llvm.nvvm.sin.approx.f"),
    instruction("math.sqrt", "llvm.nvvm.sqrt.approx.f"),
    instruction("math.tanh", TANH),
];

/// Converts the ops nested in `root`; returns their number.
pub fn convert(root: Op) -> u64 {
    let mut converted = 0;
    for op in walk(root).into_iter().skip(1) {
        let known = INSTRUCTIONS.iter().find(|it| op.is(it.op));
        let Some(instruction) = known.filter(|_| may_be_approximate(op)) else { continue };
        let ty = op.result(0).ty();
        let element = ty.lanes().map_or(ty, |(_, element)| element);
        let TypeKind::Float(FloatKind::F32 | FloatKind::F16 | FloatKind::BF16) = element.kind()
        else {
            continue;
        };
        let at = Builder::before(op, op.location());
        let operands = op.operands();
        let new = match ty.lanes() {
            None => instruction.scalar(&at, &operands, ty),
            Some((lanes, element)) => {
                let lane = |i: usize| {
                    let lane = operands.iter().map(|value| extract(&at, *value, i, element));
                    instruction.scalar(&at, &lane.collect::<Vec<_>>(), element)
                };
                let results: Vec<Value> = (0..lanes).map(lane).collect();
                at.op("vector.from_elements", &results, ty)
            }
        };
        op.result(0).replace_all_uses_with(new);
        op.erase();
        converted += 1;
    }
    converted
}

/// True if the `fastmath` flags of the op permit an approximation.
fn may_be_approximate(op: Op) -> bool {
    let flags = op.attribute("fastmath").map(|flags| flags.to_string()).unwrap_or_default();
    let (_, flags) = flags.split_once('<').unwrap_or_default();
    let mut flags = flags.trim_end_matches('>').split(',');
    flags.any(|flag| matches!(flag, "fast" | "afn") || (flag == "arcp" && op.is("arith.divf")))
}

impl ApproximateInstruction {
    fn scalar<'c>(&self, at: &Builder<'c>, operands: &[Value<'c>], ty: Type<'c>) -> Value<'c> {
        let single = Type::float(at.context(), FloatKind::F32);
        let is_short = ty != single;
        let times = |value: Value<'c>, factor: f64| match factor == 1.0 {
            true => value,
            false => {
                let factor = at.constant(Attribute::float(single, factor));
                at.op("arith.mulf", &[value, factor], single)
            }
        };
        let operand = |value: &Value<'c>| {
            let value = if is_short { at.op("arith.extf", &[*value], single) } else { *value };
            times(value, self.before)
        };
        let operands: Vec<Value> = operands.iter().map(operand).collect();
        let name = Attribute::string(at.context(), self.intrinsic);
        let spec = at.spec("llvm.call_intrinsic").operands(&operands).results(&[single]);
        let spec = spec.attribute("intrin", name).segments(&[operands.len(), 0]);
        let none = Attribute::dense_i32(at.context(), &[]);
        let flag = Attribute::parse(at.context(), "#llvm.fastmath<afn>").expect("LLVM's flags");
        let spec =
            if self.intrinsic == TANH { spec.attribute("fastmathFlags", flag) } else { spec };
        let result = times(at.value(spec.attribute("op_bundle_sizes", none)), self.after);
        if is_short { at.op("arith.truncf", &[result], ty) } else { result }
    }
}

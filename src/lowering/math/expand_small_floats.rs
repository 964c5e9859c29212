//! `expand-small-floats`: expand f16 and bf16 ops so that each rounds once, to nearest even.
//!
//! ```text
//! %z = arith.addf %x, %y : bf16
//!   ->
//! %0 = bitcast(%x << 16) : f32        %1 = bitcast(%y << 16) : f32       // bf16 to f32
//! %2 = arith.addf %0, %1 : f32
//! %3 = arith.bitcast %2 : f32 to i32                         // f32 to bf16:
//! %z = bitcast(trunc((%3 + 0x7fff + (%3 >> 16 & 1)) >> 16))  // nearest, ties to even
//! ```
//! The rules and their reasons, for scalars and vectors alike:
//! 1. arith and math ops on bf16 are computed in f32. LLVM would convert the result with `vcvtneps2bf16`, which
//!    flushes subnormal numbers to zero in every mode. f32 has more than twice the significand digits of bf16,
//!    so +, -, *, / and sqrt give the same result as a single rounding.
//! 2. The conversion from f32 to bf16 is integer arithmetic, for the same reason. The conversion from bf16 to
//!    f32 is integer arithmetic too, so that LLVM does not narrow an f32 op to bf16, whose result it would
//!    convert with `vcvtneps2bf16`.
//! 3. The conversion from f64 to 16 bits goes through f32, rounded to odd: the last bit of the f32 records whether any
//!    bits were cut off, so the second rounding is correct. (Boldo and Melquiond, "Emulation of FMA and correctly
//!    rounded sums: proved algorithms using rounding to odd", 2008.) LLVM would call a libgcc function.
//! 4. Conversions from integers to bf16 go through f64; 64-bit integers are first rounded to odd. LLVM goes
//!    through f32 and rounds twice.
//! 5. Fused multiply-add: the product is exact in f64, and the sum is rounded to odd in f64. LLVM uses f32 and
//!    rounds twice.
//! 6. Reductions of a vector are chains of scalar ops, so that rules 1 and 5 hold for each op.

use super::expand_math::extract;
use crate::ir::predicate::float;
use crate::ir::{Attribute, Builder, FloatKind, Op, Type, TypeKind, Value, walk};

/// Expands the ops nested in `root`.
pub fn expand(root: Op) {
    for op in walk(root) {
        if op.is("vector.reduction") && is_small(element(op.result(0).ty())) {
            expand_reduction(op);
        }
    }
    for op in walk(root) {
        let Some(result) = op.results().first().copied() else { continue };
        let at = FloatExpansion { at: Builder::before(op, op.location()), shape: result.ty() };
        let new = match op.name() {
            "math.fma" | "vector.fma" if is_small(element(result.ty())) => at.fma(op),
            "arith.truncf" if rounds_to_nearest(op) => at.truncate(op),
            "arith.extf" if is_bf16(op.operand(0)) => {
                let wide = at.bf16_to_f32(op.operand(0));
                Some(if wide.ty() == result.ty() {
                    wide
                } else {
                    at.at.op("arith.extf", &[wide], result.ty())
                })
            }
            "arith.sitofp" | "arith.uitofp" if is_bf16(result) => Some(at.integer_to_bf16(op)),
            name if is_on_numbers(name) => at.widen(op),
            _ => None,
        };
        if let Some(new) = new {
            result.replace_all_uses_with(new);
            op.erase();
        }
    }
}

/// The number type of a scalar or vector.
fn element(ty: Type) -> Type {
    ty.lanes().map_or(ty, |(_, element)| element)
}

fn is_small(ty: Type) -> bool {
    matches!(ty.kind(), TypeKind::Float(FloatKind::F16 | FloatKind::BF16))
}

fn is_bf16(value: Value) -> bool {
    element(value.ty()).kind() == TypeKind::Float(FloatKind::BF16)
}

fn rounds_to_nearest(op: Op) -> bool {
    op.attribute("roundingmode").and_then(Attribute::as_i64).is_none_or(|mode| mode == 0)
}

/// Ops with one result that operate on numbers, not on bits.
fn is_on_numbers(name: &str) -> bool {
    let moves_bits = matches!(
        name,
        "arith.constant" | "arith.select" | "arith.bitcast" | "arith.extf" | "arith.truncf"
    );
    !moves_bits && (name.starts_with("arith.") || name.starts_with("math."))
}

/// Rule 6: `acc op x0 op x1 ..`, in the order of the lanes.
fn expand_reduction(op: Op) {
    let at = Builder::before(op, op.location());
    let operands = op.operands();
    let kind = op.attribute("kind").map(|kind| kind.to_string()).unwrap_or_default();
    let kind = kind.trim_start_matches("#vector.kind<").trim_end_matches('>').to_owned();
    let name = match kind.as_str() {
        "add" => "arith.addf",
        "mul" => "arith.mulf",
        "minimumf" => "arith.minimumf",
        "maximumf" => "arith.maximumf",
        "minnumf" => "arith.minnumf",
        "maxnumf" => "arith.maxnumf",
        _ => return,
    };
    let Some((lanes, element)) = operands[0].ty().lanes() else { return };
    let values = (0..lanes).map(|i| extract(&at, operands[0], i, element));
    let result = operands
        .get(1)
        .copied()
        .into_iter()
        .chain(values)
        .reduce(|sum, value| at.op(name, &[sum, value], element));
    let Some(result) = result else { return };
    op.result(0).replace_all_uses_with(result);
    op.erase();
}

/// Builds ops on scalars or on vectors, depending on `shape`.
struct FloatExpansion<'c> {
    at: Builder<'c>,
    shape: Type<'c>,
}

impl<'c> FloatExpansion<'c> {
    /// The type `element`, or a vector of it.
    fn of(&self, element: Type<'c>) -> Type<'c> {
        self.shape.lanes().map_or(element, |(lanes, _)| Type::vector(lanes, element))
    }

    fn float(&self, kind: FloatKind) -> Type<'c> {
        self.of(Type::float(self.at.context(), kind))
    }

    fn integer(&self, bits: u32) -> Type<'c> {
        self.of(Type::integer(self.at.context(), bits))
    }

    fn constant(&self, bits: u32, value: i64) -> Value<'c> {
        let scalar = self.at.number(Type::integer(self.at.context(), bits), value);
        match self.shape.lanes() {
            None => scalar,
            Some(_) => self.at.op("vector.broadcast", &[scalar], self.integer(bits)),
        }
    }

    /// An op whose operands and result have one type.
    fn op(&self, name: &str, operands: &[Value<'c>]) -> Value<'c> {
        self.at.op(name, operands, operands[0].ty())
    }

    fn bitcast(&self, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        self.at.op("arith.bitcast", &[value], ty)
    }

    fn select(&self, condition: Value<'c>, yes: Value<'c>, no: Value<'c>) -> Value<'c> {
        self.at.op("arith.select", &[condition, yes, no], yes.ty())
    }

    fn compare(&self, name: &str, predicate: i64, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let ty = Type::integer(self.at.context(), 64);
        self.at.value(
            self.at
                .spec(name)
                .operands(&[a, b])
                .attribute("predicate", Attribute::integer(ty, predicate))
                .results(&[self.integer(1)]),
        )
    }

    fn extend(&self, value: Value<'c>, kind: FloatKind) -> Value<'c> {
        let to = self.float(kind);
        let value = if is_bf16(value) { self.bf16_to_f32(value) } else { value };
        if value.ty() == to { value } else { self.at.op("arith.extf", &[value], to) }
    }

    /// Rule 2.
    fn bf16_to_f32(&self, value: Value<'c>) -> Value<'c> {
        let bits = self.bitcast(value, self.integer(16));
        let wide = self.at.op("arith.extui", &[bits], self.integer(32));
        let bits = self.op("arith.shli", &[wide, self.constant(32, 16)]);
        self.bitcast(bits, self.float(FloatKind::F32))
    }

    /// Rule 1.
    fn widen(&self, op: Op<'c>) -> Option<Value<'c>> {
        let is_wide = !op.operands().into_iter().chain(op.results()).any(is_bf16);
        if is_wide || op.results().len() != 1 {
            return None;
        }
        let wide = |value: Value<'c>| match is_bf16(value) {
            true => self.extend(value, FloatKind::F32),
            false => value,
        };
        let operands: Vec<_> = op.operands().into_iter().map(wide).collect();
        let narrow = is_bf16(op.result(0));
        let ty = if narrow { self.float(FloatKind::F32) } else { op.result(0).ty() };
        let mut spec = self.at.spec(op.name()).operands(&operands).results(&[ty]);
        for (name, value) in op.attributes() {
            spec = spec.attribute(name, value);
        }
        let result = self.at.value(spec);
        Some(if narrow { self.f32_to_bf16(result) } else { result })
    }

    /// Rules 2 and 3.
    fn truncate(&self, op: Op<'c>) -> Option<Value<'c>> {
        let (from, to) = (op.operand(0), op.result(0));
        match (element(from.ty()).kind(), is_bf16(to)) {
            (TypeKind::Float(FloatKind::F32), true) => Some(self.f32_to_bf16(from)),
            (TypeKind::Float(FloatKind::F64), _) if is_small(element(to.ty())) => {
                Some(self.f64_to_small(from, to.ty()))
            }
            _ => None,
        }
    }

    /// Rule 2. A carry out of the significand increments the exponent, which is correct, up to infinity.
    fn f32_to_bf16(&self, value: Value<'c>) -> Value<'c> {
        let bits = self.bitcast(value, self.integer(32));
        let half = self.constant(32, 16);
        let top = self.op("arith.shrui", &[bits, half]);
        let last = self.op("arith.andi", &[top, self.constant(32, 1)]);
        let bias = self.op("arith.addi", &[last, self.constant(32, 0x7fff)]);
        let sum = self.op("arith.addi", &[bits, bias]);
        let rounded = self.op("arith.shrui", &[sum, half]);
        // A NaN stays a NaN, whichever digits are cut off.
        let quiet = self.op("arith.ori", &[top, self.constant(32, 0x40)]);
        let is_nan = self.compare("arith.cmpf", float::UNO, value, value);
        let chosen = self.select(is_nan, quiet, rounded);
        let short = self.at.op("arith.trunci", &[chosen], self.integer(16));
        self.bitcast(short, self.float(FloatKind::BF16))
    }

    /// Rule 3.
    fn f64_to_small(&self, value: Value<'c>, to: Type<'c>) -> Value<'c> {
        let nearest = self.at.op("arith.truncf", &[value], self.float(FloatKind::F32));
        let back = self.extend(nearest, FloatKind::F64);
        let odd = self.to_odd(value, back, self.bitcast(nearest, self.integer(32)), 32);
        let odd = self.bitcast(odd, self.float(FloatKind::F32));
        match element(to).kind() {
            TypeKind::Float(FloatKind::BF16) => self.f32_to_bf16(odd),
            _ => self.at.op("arith.truncf", &[odd], to),
        }
    }

    /// Rounds to odd: of the two numbers adjacent to `exact`, the one whose last digit is odd. `nearest` holds
    /// the bits of one of them, and `back` its value. Returns `nearest` if it is exact, or NaN.
    fn to_odd(
        &self,
        exact: Value<'c>,
        back: Value<'c>,
        nearest: Value<'c>,
        bits: u32,
    ) -> Value<'c> {
        const ORDERED_NOT_EQUAL: i64 = 6;
        const ORDERED_GREATER: i64 = 2;
        const EQUAL: i64 = 0;
        let (zero, one) = (self.constant(bits, 0), self.constant(bits, 1));
        let is_inexact = self.compare("arith.cmpf", ORDERED_NOT_EQUAL, exact, back);
        let last = self.op("arith.andi", &[nearest, one]);
        let is_even = self.compare("arith.cmpi", EQUAL, last, zero);
        let moves = self.op("arith.andi", &[is_inexact, is_even]);
        let (far, near) = (self.op("math.absf", &[back]), self.op("math.absf", &[exact]));
        let is_beyond = self.compare("arith.cmpf", ORDERED_GREATER, far, near);
        let down = self.op("arith.subi", &[nearest, one]);
        let up = self.op("arith.addi", &[nearest, one]);
        let other = self.select(is_beyond, down, up);
        self.select(moves, other, nearest)
    }

    /// Rule 4.
    fn integer_to_bf16(&self, op: Op<'c>) -> Value<'c> {
        let mut value = op.operand(0);
        if element(value.ty()).kind() == TypeKind::Integer(64) {
            value = self.digits_of_f64(value, op.is("arith.sitofp"));
        }
        let wide = self.at.op(op.name(), &[value], self.float(FloatKind::F64));
        self.f64_to_small(wide, op.result(0).ty())
    }

    /// An integer that f64 represents exactly and that rounds to the same bf16. If the integer has more than 53
    /// digits, its last 11 digits are replaced by a single one, which is set if any of them was.
    fn digits_of_f64(&self, value: Value<'c>, signed: bool) -> Value<'c> {
        const NOT_EQUAL: i64 = 1;
        const UNSIGNED_LESS: i64 = 6;
        let constant = |value| self.constant(64, value);
        let cut = self.op("arith.andi", &[value, constant(0x7ff)]);
        let was_any = self.compare("arith.cmpi", NOT_EQUAL, cut, constant(0));
        let kept = self.op("arith.andi", &[value, constant(!0x7ff)]);
        let marked = self.op("arith.ori", &[kept, constant(0x800)]);
        let rounded = self.select(was_any, marked, kept);
        let fits = match signed {
            true => {
                let shifted = self.op("arith.addi", &[value, constant(1 << 53)]);
                self.compare("arith.cmpi", UNSIGNED_LESS, shifted, constant(1 << 54))
            }
            false => self.compare("arith.cmpi", UNSIGNED_LESS, value, constant(1 << 53)),
        };
        self.select(fits, value, rounded)
    }

    /// Rule 5. The error of the sum is computed by Knuth's TwoSum.
    fn fma(&self, op: Op<'c>) -> Option<Value<'c>> {
        let wide: Vec<_> =
            op.operands().into_iter().map(|value| self.extend(value, FloatKind::F64)).collect();
        let [x, y, z] = wide[..] else { return None };
        let product = self.op("arith.mulf", &[x, y]);
        let sum = self.op("arith.addf", &[product, z]);
        let z_part = self.op("arith.subf", &[sum, product]);
        let product_part = self.op("arith.subf", &[sum, z_part]);
        let z_error = self.op("arith.subf", &[z, z_part]);
        let product_error = self.op("arith.subf", &[product, product_part]);
        let error = self.op("arith.addf", &[product_error, z_error]);
        let odd = self.sum_to_odd(sum, error);
        Some(self.f64_to_small(odd, op.result(0).ty()))
    }

    /// `sum + error`, rounded to odd. For infinities and NaN the error is NaN, so they do not change.
    fn sum_to_odd(&self, sum: Value<'c>, error: Value<'c>) -> Value<'c> {
        const ORDERED_NOT_EQUAL: i64 = 6;
        const EQUAL: i64 = 0;
        const SIGNED_LESS: i64 = 2;
        let bits = self.bitcast(sum, self.integer(64));
        let error_bits = self.bitcast(error, self.integer(64));
        let (zero, one) = (self.constant(64, 0), self.constant(64, 1));
        let none = self.bitcast(zero, sum.ty());
        let is_inexact = self.compare("arith.cmpf", ORDERED_NOT_EQUAL, error, none);
        let last = self.op("arith.andi", &[bits, one]);
        let is_even = self.compare("arith.cmpi", EQUAL, last, zero);
        let moves = self.op("arith.andi", &[is_inexact, is_even]);
        // If the signs differ, the exact value is nearer to zero than the sum.
        let signs = self.op("arith.xori", &[bits, error_bits]);
        let is_beyond = self.compare("arith.cmpi", SIGNED_LESS, signs, zero);
        let down = self.op("arith.subi", &[bits, one]);
        let up = self.op("arith.addi", &[bits, one]);
        let other = self.select(is_beyond, down, up);
        self.bitcast(self.select(moves, other, bits), sum.ty())
    }
}

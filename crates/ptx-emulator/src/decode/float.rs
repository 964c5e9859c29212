//! Floating-point arithmetic and functions. Approximations are computed in f64 and rounded once, which is within the
//! error bounds of the PTX manual; the last bits may differ from hardware. Results for special operands are those of
//! the PTX manual.

use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::numeric::{
    Float, Rounding, add_to_odd, add_toward, canonical, div_to_odd, double, fma_to_odd, max, min,
    saturate, sqrt_to_odd,
};
use crate::registers::{
    Lanewise, Scalar, Slot, binary, ternary, unary, unary_slow, write, write_predicate,
};
use crate::syntax::Type;
use half::{bf16, f16};

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    let head = mnemonic.head;
    let (class, lanewise) = match head {
        "add" | "sub" | "mul" | "fma" | "mad" | "div" | "sqrt" | "rcp" => {
            let class = match head {
                "add" | "sub" | "mul" | "fma" | "mad" => Class::Float,
                _ => Class::Special,
            };
            (class, arithmetic(mnemonic, operands)?)
        }
        "min" | "max" | "neg" | "abs" | "copysign" => (Class::Float, choice(mnemonic, operands)?),
        "ex2" | "lg2" | "sin" | "cos" | "tanh" | "rsqrt" => {
            (Class::Special, function(mnemonic, operands)?)
        }
        "testp" => (Class::Float, test(mnemonic, operands)?),
        _ => return Ok(None),
    };
    Ok(Some((class, Step::Lanewise(lanewise))))
}

/// The modifiers of an operation.
#[derive(Clone, Copy)]
struct Modifiers {
    rounding: Rounding,
    flushes: bool,
    saturates: bool,
    /// `.relu`: negative results become 0; NaN stays.
    clamps: bool,
}

impl Modifiers {
    fn is_plain(self) -> bool {
        self.rounding == Rounding::Nearest && !self.flushes && !self.saturates && !self.clamps
    }

    #[inline(always)]
    fn input<T: Float>(self, value: T) -> T {
        if self.flushes { value.flush() } else { value }
    }

    #[inline(always)]
    fn output<T: Float>(self, value: T) -> T {
        let value = if self.flushes { value.flush() } else { value };
        let value = if self.saturates { saturate(value) } else { value };
        let below = value.to_f64();
        if self.clamps && below <= 0.0 { T::from_exact(0.0) } else { value }
    }
}

pub fn rounding(mnemonic: &mut Mnemonic) -> Option<Rounding> {
    mnemonic.take_one_of(&[
        ("rn", Rounding::Nearest),
        ("rz", Rounding::Zero),
        ("rm", Rounding::Down),
        ("rp", Rounding::Up),
    ])
}

fn arithmetic(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let rounding = rounding(mnemonic);
    // Approximate quotients and roots are computed exactly if the manual states an error bound.
    let is_approximate = mnemonic.take("approx");
    let is_full = mnemonic.head == "div" && mnemonic.take("full");
    let modifiers = Modifiers {
        rounding: rounding.unwrap_or(Rounding::Nearest),
        flushes: mnemonic.take("ftz"),
        saturates: mnemonic.take("sat"),
        clamps: mnemonic.take("relu"),
    };
    let ty = mnemonic.ty()?;
    let is_function = matches!(mnemonic.head, "div" | "sqrt" | "rcp");
    let is_rounded = match mnemonic.head {
        "div" | "sqrt" | "rcp" => {
            [rounding.is_some(), is_approximate, is_full].iter().filter(|it| **it).count() == 1
        }
        "fma" | "mad" => rounding.is_some() && !is_approximate,
        _ => !is_approximate,
    };
    let is_of_halves = modifiers.rounding == Rounding::Nearest
        && !is_function
        && (!modifiers.clamps || mnemonic.head == "fma");
    let is_known = match ty {
        Type::F32 => !(modifiers.clamps || modifiers.saturates && is_function),
        Type::F64 if is_approximate || is_full => mnemonic.head == "rcp" && modifiers.flushes,
        Type::F64 => !(modifiers.flushes || modifiers.saturates || modifiers.clamps),
        Type::BF16 | Type::BF16x2 => is_of_halves && !modifiers.flushes && !modifiers.saturates,
        _ => is_of_halves && !(modifiers.saturates && modifiers.clamps),
    };
    if !is_rounded || !is_known {
        return Err(mnemonic.unknown());
    }
    match ty {
        Type::F32 if is_approximate && mnemonic.head == "div" => {
            Ok(approximate_quotient(operands.all(ty)?, modifiers))
        }
        Type::F32 => single(mnemonic, operands, modifiers),
        Type::F64 if is_approximate => {
            Ok(unary(operands.all(ty)?, |a: f64| of_upper_half(a, |a| 1.0 / a)))
        }
        Type::F64 => double(mnemonic, operands, modifiers.rounding),
        Type::F16 => half::<f16>(mnemonic, operands, ty, modifiers),
        Type::BF16 => half::<bf16>(mnemonic, operands, ty, modifiers),
        Type::F16x2 => halves::<f16>(mnemonic, operands, ty, modifiers),
        Type::BF16x2 => halves::<bf16>(mnemonic, operands, ty, modifiers),
        _ => Err(mnemonic.unknown()),
    }
}

fn single(mnemonic: &Mnemonic, operands: &mut Operands, with: Modifiers) -> Result<Lanewise> {
    let ty = Type::F32;
    macro_rules! two {
        ($plain:expr, $odd:expr) => {{
            let ops = operands.all(ty)?;
            match with.is_plain() {
                true => binary(ops, |a: f32, b: f32| canonical($plain(a, b))),
                false => binary(ops, move |a: f32, b: f32| {
                    let (a, b) = (with.input(a), with.input(b));
                    with.output(match with.rounding {
                        Rounding::Nearest => canonical($plain(a, b)),
                        other => <f32 as Float>::round($odd(a.into(), b.into()), other),
                    })
                }),
            }
        }};
    }
    Ok(match mnemonic.head {
        "add" => two!(|a: f32, b: f32| a + b, |a: f64, b: f64| add_toward(a, b, with.rounding)),
        "sub" => two!(|a: f32, b: f32| a - b, |a: f64, b: f64| add_toward(a, -b, with.rounding)),
        "mul" => two!(|a: f32, b: f32| a * b, |a: f64, b: f64| a * b),
        "div" => two!(|a: f32, b: f32| a / b, div_to_odd),
        "fma" | "mad" if with.is_plain() => {
            let [to, a, b, c] = operands.all(ty)?;
            Box::new(move |registers, mask| {
                let [a, b, c] = [a, b, c].map(|it| u32::lanes(registers, it));
                let result = crate::ffi::fused_multiply_add(a, b, c);
                write(registers, to, result, mask);
                0
            })
        }
        "fma" | "mad" => ternary(operands.all(ty)?, move |a: f32, b: f32, c: f32| {
            let [a, b, c] = [a, b, c].map(|it| f64::from(with.input(it)));
            // The product of two f32 is exact in f64.
            with.output(<f32 as Float>::round(add_toward(a * b, c, with.rounding), with.rounding))
        }),
        "sqrt" => unary(operands.all(ty)?, move |a: f32| {
            let root = sqrt_to_odd(with.input(a).into());
            with.output(<f32 as Float>::round(root, with.rounding))
        }),
        _ => unary(operands.all(ty)?, move |a: f32| {
            let inverse = div_to_odd(1.0, with.input(a).into());
            with.output(<f32 as Float>::round(inverse, with.rounding))
        }),
    })
}

/// `div.approx` is `a * (1 / b)`: the reciprocal of a value beyond 2^126 is zero.
fn approximate_quotient(ops: [u32; 3], with: Modifiers) -> Lanewise {
    const LARGEST: f32 = f32::from_bits(0x7e80_0000);
    binary(ops, move |a: f32, b: f32| {
        let (a, b) = (with.input(a), with.input(b));
        let is_beyond = b.is_finite() && b.abs() > LARGEST;
        with.output(canonical(if is_beyond { a * 0_f32.copysign(b) } else { a / b }))
    })
}

/// `.approx.ftz.f64`: hardware computes the upper half of the result from the upper half of the operand, without
/// subnormals.
fn of_upper_half(value: f64, of: fn(f64) -> f64) -> f64 {
    const UPPER: u64 = 0xffff_ffff_0000_0000;
    let result = of(f64::from_bits(value.to_bits() & UPPER).flush());
    match value.is_nan() || result.is_nan() {
        true => f64::from_bits(0x7fff_ffff_0000_0000),
        false => f64::from_bits(result.flush().to_bits() & UPPER),
    }
}

fn double(mnemonic: &Mnemonic, operands: &mut Operands, rounding: Rounding) -> Result<Lanewise> {
    let ty = Type::F64;
    if rounding != Rounding::Nearest {
        return directed_double(mnemonic, operands, rounding);
    }
    Ok(match mnemonic.head {
        "add" => binary(operands.all(ty)?, |a: f64, b: f64| a + b),
        "sub" => binary(operands.all(ty)?, |a: f64, b: f64| a - b),
        "mul" => binary(operands.all(ty)?, |a: f64, b: f64| a * b),
        "div" => binary(operands.all(ty)?, |a: f64, b: f64| a / b),
        "fma" | "mad" => ternary(operands.all(ty)?, f64::mul_add),
        "sqrt" => unary(operands.all(ty)?, f64::sqrt),
        _ => unary(operands.all(ty)?, |a: f64| 1.0 / a),
    })
}

fn directed_double(
    mnemonic: &Mnemonic,
    operands: &mut Operands,
    rounding: Rounding,
) -> Result<Lanewise> {
    let ty = Type::F64;
    let of: fn(f64, f64, Rounding) -> f64 = match mnemonic.head {
        "add" => double::add,
        "sub" => |a, b, rounding| double::add(a, -b, rounding),
        "mul" => double::mul,
        "div" => double::div,
        "fma" | "mad" => {
            let of = move |a: f64, b: f64, c: f64| double::fma(a, b, c, rounding);
            return Ok(ternary(operands.all(ty)?, of));
        }
        "sqrt" => {
            return Ok(unary_slow(operands.all(ty)?, move |a: f64| double::sqrt(a, rounding)));
        }
        _ => {
            return Ok(unary_slow(operands.all(ty)?, move |a: f64| double::div(1.0, a, rounding)));
        }
    };
    Ok(binary(operands.all(ty)?, move |a: f64, b: f64| of(a, b, rounding)))
}

/// An operation on 16-bit floats. Sums and products of two are exact in f64 or rounded to odd, so the final rounding is
/// the only one.
fn half_operation<T: Float>(head: &str) -> Option<fn(T, T, T) -> T> {
    fn rounded<T: Float>(odd: f64) -> T {
        T::round(odd, Rounding::Nearest)
    }
    Some(match head {
        "add" => |a, b, _| rounded(add_to_odd(a.to_f64(), b.to_f64())),
        "sub" => |a, b, _| rounded(add_to_odd(a.to_f64(), -b.to_f64())),
        "mul" => |a, b, _| rounded(a.to_f64() * b.to_f64()),
        "fma" => |a, b, c| rounded(fma_to_odd(a.to_f64(), b.to_f64(), c.to_f64())),
        _ => return None,
    })
}

fn half<T: Float<Slot = u32>>(
    mnemonic: &Mnemonic,
    operands: &mut Operands,
    ty: Type,
    with: Modifiers,
) -> Result<Lanewise> {
    let of = half_operation::<T>(mnemonic.head).ok_or_else(|| mnemonic.unknown())?;
    if mnemonic.head == "fma" {
        return Ok(ternary(operands.all(ty)?, move |a: T, b: T, c: T| {
            with.output(of(with.input(a), with.input(b), with.input(c)))
        }));
    }
    Ok(binary(operands.all(ty)?, move |a: T, b: T| {
        with.output(of(with.input(a), with.input(b), b))
    }))
}

fn halves<T: Float<Slot = u32>>(
    mnemonic: &Mnemonic,
    operands: &mut Operands,
    ty: Type,
    with: Modifiers,
) -> Result<Lanewise> {
    let of = half_operation::<T>(mnemonic.head).ok_or_else(|| mnemonic.unknown())?;
    if mnemonic.head == "fma" {
        return Ok(ternary(operands.all(ty)?, move |a: u32, b: u32, c: u32| {
            each_half(|shift| {
                let [a, b, c] = [a, b, c].map(|it| with.input(part::<T>(it, shift)));
                with.output(of(a, b, c))
            })
        }));
    }
    Ok(binary(operands.all(ty)?, move |a: u32, b: u32| {
        each_half(|shift| {
            let [a, b] = [a, b].map(|it| with.input(part::<T>(it, shift)));
            with.output(of(a, b, b))
        })
    }))
}

fn part<T: Scalar<Slot = u32>>(pair: u32, shift: u32) -> T {
    T::from_slot(pair >> shift & 0xffff)
}

fn each_half<T: Scalar<Slot = u32>>(of: impl Fn(u32) -> T) -> u32 {
    of(16).to_slot() << 16 | of(0).to_slot()
}

/// Operations that do not round.
fn choice(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let with = Choice {
        flushes: mnemonic.take("ftz"),
        keeps_nan: mnemonic.take("NaN"),
        by_magnitude: mnemonic.take("xorsign"),
    };
    if with.by_magnitude && !mnemonic.take("abs") {
        return Err(mnemonic.unknown());
    }
    let ty = mnemonic.ty()?;
    let is_min_or_max = matches!(mnemonic.head, "min" | "max");
    let has_option = with.keeps_nan || with.by_magnitude;
    let flushes_nothing = matches!(ty, Type::F64 | Type::BF16 | Type::BF16x2);
    if has_option && (!is_min_or_max || ty == Type::F64) || with.flushes && flushes_nothing {
        return Err(mnemonic.unknown());
    }
    if mnemonic.head == "copysign" && (with.flushes || !matches!(ty, Type::F32 | Type::F64)) {
        return Err(mnemonic.unknown());
    }
    match ty {
        Type::F32 => one_choice::<f32>(mnemonic, operands, ty, with),
        Type::F64 => one_choice::<f64>(mnemonic, operands, ty, with),
        Type::F16 => one_choice::<f16>(mnemonic, operands, ty, with),
        Type::BF16 => one_choice::<bf16>(mnemonic, operands, ty, with),
        Type::F16x2 => pair_choice::<f16>(mnemonic, operands, ty, with),
        Type::BF16x2 => pair_choice::<bf16>(mnemonic, operands, ty, with),
        _ => Err(mnemonic.unknown()),
    }
}

#[derive(Clone, Copy)]
struct Choice {
    flushes: bool,
    keeps_nan: bool,
    by_magnitude: bool,
}

impl Choice {
    fn input<T: Float>(self, value: T) -> T {
        if self.flushes { value.flush() } else { value }
    }

    /// The smaller or larger of two.
    fn of<T: Float>(self, of: fn(T, T) -> T, a: T, b: T) -> T {
        let (a, b) = (self.input(a), self.input(b));
        if self.keeps_nan && (a.to_f64().is_nan() || b.to_f64().is_nan()) {
            return T::CANONICAL_NAN;
        }
        if !self.by_magnitude {
            return of(a, b);
        }
        let sign = sign_bit::<T>();
        let bits = |value: T| value.to_slot().to_u64();
        let from_bits = |bits: u64| T::from_slot(T::Slot::from_u64(bits));
        let magnitude = of(from_bits(bits(a) & !sign), from_bits(bits(b) & !sign));
        from_bits(bits(magnitude) | (bits(a) ^ bits(b)) & sign)
    }
}

fn sign_bit<T: Float>() -> u64 {
    1 << (8 * size_of::<T>() - 1)
}

fn one_choice<T: Float>(
    mnemonic: &Mnemonic,
    operands: &mut Operands,
    ty: Type,
    with: Choice,
) -> Result<Lanewise> {
    let bits = |value: T| value.to_slot().to_u64();
    let from_bits = |bits: u64| T::from_slot(T::Slot::from_u64(bits));
    let sign = sign_bit::<T>();
    Ok(match mnemonic.head {
        "neg" => unary(operands.all(ty)?, move |a: T| from_bits(bits(with.input(a)) ^ sign)),
        "abs" => unary(operands.all(ty)?, move |a: T| from_bits(bits(with.input(a)) & !sign)),
        // The second operand with the sign of the first.
        "copysign" => {
            binary(operands.all(ty)?, move |a: T, b: T| from_bits(bits(a) & sign | bits(b) & !sign))
        }
        head => {
            let of: fn(T, T) -> T = if head == "min" { min } else { max };
            let chosen = move |a: T, b: T| with.of(of, a, b);
            match operands.len() {
                4 if ty == Type::F32 => {
                    operands.expect_target(100, "with three sources")?;
                    let of_three = move |a: T, b: T, c: T| chosen(chosen(a, b), c);
                    ternary(operands.all(ty)?, of_three)
                }
                _ => binary(operands.all(ty)?, chosen),
            }
        }
    })
}

fn pair_choice<T: Float<Slot = u32>>(
    mnemonic: &Mnemonic,
    operands: &mut Operands,
    ty: Type,
    with: Choice,
) -> Result<Lanewise> {
    let of: fn(T, T) -> T = match mnemonic.head {
        "neg" => {
            let negated = move |a: u32| each_half(|at| with.input(part::<T>(a, at))) ^ 0x8000_8000;
            return Ok(unary(operands.all(ty)?, negated));
        }
        "abs" => {
            let positive = move |a: u32| each_half(|at| with.input(part::<T>(a, at))) & 0x7fff_7fff;
            return Ok(unary(operands.all(ty)?, positive));
        }
        "min" => min,
        "max" => max,
        _ => return Err(mnemonic.unknown()),
    };
    Ok(binary(operands.all(ty)?, move |a: u32, b: u32| {
        each_half(|at| with.of(of, part::<T>(a, at), part::<T>(b, at)))
    }))
}

fn function(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    if !mnemonic.take("approx") {
        return Err(mnemonic.unknown());
    }
    let flushes = mnemonic.take("ftz");
    let ty = mnemonic.ty()?;
    let of: fn(f64) -> f64 = match mnemonic.head {
        "ex2" => f64::exp2,
        "lg2" => f64::log2,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tanh" => f64::tanh,
        _ => |a| 1.0 / a.sqrt(),
    };
    fn rounded<T: Float>(value: T, flushes: bool, of: fn(f64) -> f64) -> T {
        let input = if flushes { value.flush() } else { value };
        let result = T::round(of(input.to_f64()), Rounding::Nearest);
        if flushes { result.flush() } else { result }
    }
    let in_halves = matches!(mnemonic.head, "ex2" | "tanh");
    let is_known = match (mnemonic.head, ty) {
        ("tanh", _) | (_, Type::F16 | Type::F16x2) => !flushes,
        (_, Type::BF16 | Type::BF16x2) => flushes,
        _ => true,
    };
    if !is_known {
        return Err(mnemonic.unknown());
    }
    Ok(match ty {
        Type::F32 => unary_slow(operands.all(ty)?, move |a: f32| rounded(a, flushes, of)),
        Type::F64 if mnemonic.head == "rsqrt" => {
            unary_slow(operands.all(ty)?, move |a: f64| match flushes {
                true => of_upper_half(a, of),
                false => rounded(a, flushes, of),
            })
        }
        Type::F16 if in_halves => {
            unary_slow(operands.all(ty)?, move |a: f16| rounded(a, flushes, of))
        }
        Type::BF16 if in_halves => {
            unary_slow(operands.all(ty)?, move |a: bf16| rounded(a, flushes, of))
        }
        Type::F16x2 if in_halves => unary_slow(operands.all(ty)?, move |a: u32| {
            each_half(|at| rounded(part::<f16>(a, at), flushes, of))
        }),
        Type::BF16x2 if in_halves => unary_slow(operands.all(ty)?, move |a: u32| {
            each_half(|at| rounded(part::<bf16>(a, at), flushes, of))
        }),
        _ => return Err(mnemonic.unknown()),
    })
}

fn test(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    use std::num::FpCategory;
    use std::num::FpCategory::{Infinite, Nan, Normal, Subnormal, Zero};
    type Test = fn(FpCategory) -> bool;
    let tests: &[(&str, Test)] = &[
        ("finite", |it| !matches!(it, Nan | Infinite)),
        ("infinite", |it| it == Infinite),
        ("number", |it| it != Nan),
        ("notanumber", |it| it == Nan),
        // Zeros count as normal numbers.
        ("normal", |it| matches!(it, Normal | Zero)),
        ("subnormal", |it| it == Subnormal),
    ];
    let holds = mnemonic.take_one_of(tests).ok_or_else(|| mnemonic.unknown())?;
    let ty = mnemonic.ty()?;
    let (to, from) = (operands.target_predicate(0)?, operands.source(1, ty)?);
    fn tested<T: Float + Category>(to: u32, from: u32, holds: Test) -> Lanewise {
        Box::new(move |registers, mask| {
            let of = |a: T, _: T| holds(a.category());
            let value = crate::registers::compare(registers, [from, from], of);
            write_predicate(registers, to, value, mask);
            0
        })
    }
    match ty {
        Type::F32 => Ok(tested::<f32>(to, from, holds)),
        Type::F64 => Ok(tested::<f64>(to, from, holds)),
        _ => Err(mnemonic.unknown()),
    }
}

trait Category {
    fn category(self) -> std::num::FpCategory;
}

impl Category for f32 {
    fn category(self) -> std::num::FpCategory {
        self.classify()
    }
}

impl Category for f64 {
    fn category(self) -> std::num::FpCategory {
        self.classify()
    }
}

//! `cvt`: conversions between all types, in all rounding modes.

use super::float::rounding;
use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::numeric::{Float, Rounding, Tf32Rounding, integral, saturate, to_odd, to_tf32};
use crate::registers::{Lanewise, binary, unary};
use crate::syntax::Type;
use half::{bf16, f16};

#[derive(Clone, Copy)]
struct How {
    /// For a conversion from float to float.
    rounding: Rounding,
    /// For a conversion to an integer, or to an integral value of the same float type.
    integral: Option<Rounding>,
    flushes: bool,
    saturates: bool,
    clamps: bool,
}

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    if mnemonic.head != "cvt" {
        return Ok(None);
    }
    let integral = mnemonic.take_one_of(&[
        ("rni", Rounding::Nearest),
        ("rzi", Rounding::Zero),
        ("rmi", Rounding::Down),
        ("rpi", Rounding::Up),
    ]);
    let ties_away = mnemonic.take("rna");
    let stated = rounding(mnemonic);
    let how = How {
        rounding: stated.unwrap_or(Rounding::Nearest),
        integral,
        flushes: mnemonic.take("ftz"),
        saturates: mnemonic.take("sat"),
        clamps: mnemonic.take("relu"),
    };
    let (to, from) = (mnemonic.ty()?, mnemonic.ty()?);
    if !exists(stated.is_some() || ties_away, ties_away, how, to, from) {
        return Err(mnemonic.unknown());
    }
    let step = match (to, from) {
        (Type::F16x2, Type::F32) => pair::<f16>(operands, how, to)?,
        (Type::BF16x2, Type::F32) => pair::<bf16>(operands, how, to)?,
        (Type::TF32, Type::F32) => {
            let ops = [operands.target(0, Type::B32)?, operands.source(1, from)?];
            let rounding = match how.rounding {
                _ if ties_away => Tf32Rounding::TiesAway,
                Rounding::Zero => Tf32Rounding::Zero,
                _ => Tf32Rounding::TiesToEven,
            };
            unary(ops, move |a: f32| clamp(to_tf32(a, rounding), how))
        }
        _ => convert(mnemonic, operands, how, to, from)?,
    };
    Ok(Some((Class::Convert, Step::Lanewise(step))))
}

/// True if a conversion with these modifiers exists. `is_rounded` means that a rounding mode for floats is stated.
fn exists(is_rounded: bool, ties_away: bool, how: How, to: Type, from: Type) -> bool {
    let is_pair = matches!(to, Type::F16x2 | Type::BF16x2);
    let of_bf16 = matches!(to, Type::BF16) || matches!(from, Type::BF16);
    let is_integral = how.integral.is_some();
    let rounds = match (to.is_float() || is_pair, from.is_float()) {
        (false, false) => !is_rounded && !is_integral,
        (false, true) => is_integral && !is_rounded,
        (true, true) if to == from => !is_rounded,
        // Conversions between f16 and bf16, and from bf16 to wider floats, accept any rounding mode.
        (true, true) if of_bf16 && from.bytes() == 2 => !is_integral,
        (true, true) if to.bytes() > from.bytes() => !is_rounded && !is_integral,
        (true, _) => is_rounded && !is_integral,
    };
    let is_exact = matches!(how.rounding, Rounding::Nearest | Rounding::Zero);
    let may_flush = (to == Type::F32 || from == Type::F32) && !is_pair && to != Type::TF32;
    let may_saturate = match to.is_float() || from.is_float() {
        true => !of_bf16 && !is_pair && to != Type::TF32,
        false => !holds_all(to, from),
    };
    let has_relu = matches!(to, Type::F16 | Type::BF16 | Type::TF32) || is_pair;
    let may_clamp =
        has_relu && from == Type::F32 && is_exact && !(how.flushes || how.saturates || ties_away);
    rounds
        && (is_exact || to != Type::TF32 && !is_pair)
        && (!ties_away || to == Type::TF32)
        && (!how.flushes || may_flush)
        && (!how.saturates || may_saturate)
        && (!how.clamps || may_clamp)
        && !(of_bf16 && (to.bytes() == 1 || from.bytes() == 1))
}

/// True if every value of integer type `from` is a value of `to`.
fn holds_all(to: Type, from: Type) -> bool {
    match (to.is_signed(), from.is_signed()) {
        (true, false) => to.bytes() > from.bytes(),
        (false, true) => false,
        _ => to.bytes() >= from.bytes(),
    }
}

/// Converts two f32 to one register; the first operand becomes the upper half.
fn pair<T: Float<Slot = u32>>(operands: &mut Operands, how: How, ty: Type) -> Result<Lanewise> {
    let ops =
        [operands.target(0, ty)?, operands.source(1, Type::F32)?, operands.source(2, Type::F32)?];
    let half = move |value: f32| float_to_float::<f32, T>(value, how).to_slot();
    Ok(binary(ops, move |a: f32, b: f32| half(a) << 16 | half(b)))
}

/// `.ftz` affects only f32 sources and results.
fn flush<T: Float>(value: T, how: How) -> T {
    if how.flushes && size_of::<T>() == 4 { value.flush() } else { value }
}

/// `.relu`: negative results become 0; NaN stays.
fn clamp<T: Float>(value: T, how: How) -> T {
    if how.clamps && value.to_f64() <= 0.0 { T::from_exact(0.0) } else { value }
}

fn float_to_float<A: Float, R: Float>(value: A, how: How) -> R {
    let mut wide = flush(value, how).to_f64();
    if let Some(direction) = how.integral {
        wide = integral(wide, direction);
    }
    let result = flush(R::round(wide, how.rounding), how);
    clamp(if how.saturates { saturate(result) } else { result }, how)
}

/// The converted integer, as a float. Rust's casts then saturate at the range of a type, as the manual requires.
fn float_to_integer<A: Float>(value: A, how: How) -> f64 {
    integral(flush(value, how).to_f64(), how.integral.unwrap_or(Rounding::Zero))
}

fn integer_to_float<R: Float>(value: i128, how: How) -> R {
    let nearest = value as f64;
    // A 64-bit integer rounds to a value that fits in i128.
    let missing = value - nearest as i128;
    R::round(to_odd(nearest, missing as f64), how.rounding)
}

/// f64 is too narrow for rounding to odd with f64 as the final type.
fn integer_to_double(value: i128, how: How) -> f64 {
    let nearest = value as f64;
    let missing = value - nearest as i128;
    match how.rounding {
        Rounding::Down if missing < 0 => nearest.next_down(),
        Rounding::Up if missing > 0 => nearest.next_up(),
        Rounding::Zero if missing != 0 && (missing > 0) != (value > 0) => {
            f64::from_bits(nearest.to_bits() - 1)
        }
        _ => nearest,
    }
}

macro_rules! for_float {
    ($mnemonic:expr, $ty:expr, $T:ident => $body:expr) => {
        match $ty {
            Type::F16 => {
                type $T = f16;
                $body
            }
            Type::BF16 => {
                type $T = bf16;
                $body
            }
            Type::F32 => {
                type $T = f32;
                $body
            }
            Type::F64 => {
                type $T = f64;
                $body
            }
            _ => return Err($mnemonic.unknown()),
        }
    };
}

macro_rules! for_integer {
    ($mnemonic:expr, $ty:expr, $T:ident => $body:expr) => {
        match $ty {
            Type::U8 => {
                type $T = u8;
                $body
            }
            Type::S8 => {
                type $T = i8;
                $body
            }
            Type::U16 => {
                type $T = u16;
                $body
            }
            Type::S16 => {
                type $T = i16;
                $body
            }
            Type::U32 => {
                type $T = u32;
                $body
            }
            Type::S32 => {
                type $T = i32;
                $body
            }
            Type::U64 => {
                type $T = u64;
                $body
            }
            Type::S64 => {
                type $T = i64;
                $body
            }
            _ => return Err($mnemonic.unknown()),
        }
    };
}

fn convert(
    mnemonic: &Mnemonic,
    operands: &mut Operands,
    how: How,
    to: Type,
    from: Type,
) -> Result<Lanewise> {
    let target = operands.get(0)?;
    let target = operands.loose(target, to, true)?;
    let source = operands.get(1)?;
    let source = operands.loose(source, from, false)?;
    let ops = [target.index, source.index];
    let (is_wide, from_wide) = (target.is_wide(), source.is_wide());
    // A narrow result is sign-extended or zero-extended to a wider register.
    let ones = u32::MAX >> (32 - 8 * target.bytes.min(4));
    Ok(match (to.is_float(), from.is_float()) {
        (true, true) => {
            expect_width(operands, is_wide, to)?;
            expect_width(operands, from_wide, from)?;
            for_float!(mnemonic, from, A => for_float!(mnemonic, to, R => {
                unary(ops, move |a: A| float_to_float::<A, R>(a, how))
            }))
        }
        (false, true) => {
            expect_width(operands, from_wide, from)?;
            let is_of_nan = from == Type::F64 || to.bytes() == 8;
            for_float!(mnemonic, from, A => for_integer!(mnemonic, to, R => {
                // NaN becomes zero in conversions between narrower types, else an integer with only the highest bit
                // set.
                let of_nan = if is_of_nan { (1 as R) << (R::BITS - 1) } else { 0 };
                let of = move |a: A| match float_to_integer(a, how) {
                    value if value.is_nan() => of_nan,
                    value => value as R,
                };
                match is_wide {
                    true => unary(ops, move |a: A| extend64(of(a))),
                    false => unary(ops, move |a: A| extend32(of(a)) & ones),
                }
            }))
        }
        (true, false) => {
            expect_width(operands, is_wide, to)?;
            for_integer!(mnemonic, from, A => match to {
                Type::F64 if from_wide => {
                    unary(ops, move |a: u64| integer_to_double(i128::from(a as A), how))
                }
                Type::F64 => unary(ops, move |a: u32| integer_to_double(i128::from(a as A), how)),
                _ if how.rounding == Rounding::Nearest && to == Type::F32 => match from_wide {
                    true => unary(ops, move |a: u64| a as A as f32),
                    false => unary(ops, move |a: u32| a as A as f32),
                },
                _ => for_float!(mnemonic, to, R => match from_wide {
                    true => unary(ops, move |a: u64| integer_to_float::<R>(i128::from(a as A), how)),
                    false => unary(ops, move |a: u32| integer_to_float::<R>(i128::from(a as A), how)),
                }),
            })
        }
        (false, false) => {
            let saturates = how.saturates;
            for_integer!(mnemonic, from, A => for_integer!(mnemonic, to, R => {
                let of = move |a: A| match saturates {
                    true => i128::from(a).clamp(R::MIN.into(), R::MAX.into()) as R,
                    false => a as R,
                };
                match (is_wide, from_wide) {
                    (true, true) => unary(ops, move |a: u64| extend64(of(a as A))),
                    (true, false) => unary(ops, move |a: u32| extend64(of(a as A))),
                    (false, true) => unary(ops, move |a: u64| extend32(of(a as A)) & ones),
                    (false, false) => unary(ops, move |a: u32| extend32(of(a as A)) & ones),
                }
            }))
        }
    })
}

fn expect_width(operands: &Operands, is_wide: bool, ty: Type) -> Result<()> {
    match is_wide == (ty.bytes() == 8) {
        true => Ok(()),
        false => Err(operands.wrong(format!("a register does not have the width of {ty}"))),
    }
}

fn extend32<T: Into<i128>>(value: T) -> u32 {
    value.into() as u32
}

fn extend64<T: Into<i128>>(value: T) -> u64 {
    value.into() as u64
}

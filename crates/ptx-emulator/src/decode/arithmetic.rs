//! Integer arithmetic.

use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::fault::Role;
use crate::registers::{Lanewise, binary, checked_binary, ternary, unary};
use crate::syntax::Type;

/// Runs an expression with `$T` as the Rust type of an integer type of PTX.
macro_rules! for_integer {
    ($mnemonic:expr, $ty:expr, $T:ident => $body:expr) => {
        match $ty {
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

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    let lanewise = match mnemonic.head {
        "add" | "sub" | "min" | "max" | "neg" | "abs" | "div" | "mul" | "mad" => {
            // Floats have arithmetic of the same names, which another family decodes.
            let has_float = ["f16", "f16x2", "bf16", "bf16x2", "f32", "f64"];
            if has_float.iter().any(|it| mnemonic.has(it)) {
                return Ok(None);
            }
            match mnemonic.head {
                "mul" | "mad" => product(mnemonic, operands)?,
                _ => simple(mnemonic, operands)?,
            }
        }
        "rem" | "sad" => simple(mnemonic, operands)?,
        "mul24" | "mad24" => product_of_24_bits(mnemonic, operands)?,
        "dp4a" => dot_product_of_bytes(mnemonic, operands)?,
        _ => return Ok(None),
    };
    Ok(Some((Class::Integer, Step::Lanewise(lanewise))))
}

fn simple(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let saturates = mnemonic.take("sat");
    // Negative results become 0.
    let clamps = matches!(mnemonic.head, "min" | "max") && mnemonic.take("relu");
    let ty = mnemonic.ty()?;
    if clamps && ty != Type::S16x2 {
        return match (mnemonic.head, ty) {
            ("min", Type::S32) => Ok(binary(operands.all(ty)?, |a: i32, b: i32| a.min(b).max(0))),
            ("max", Type::S32) => Ok(binary(operands.all(ty)?, |a: i32, b: i32| a.max(b).max(0))),
            _ => Err(mnemonic.unknown()),
        };
    }
    if saturates {
        let [to, a, b] = operands.all(ty)?;
        return match (mnemonic.head, ty) {
            ("add", Type::S32) => Ok(binary([to, a, b], i32::saturating_add)),
            ("sub", Type::S32) => Ok(binary([to, a, b], i32::saturating_sub)),
            _ => Err(mnemonic.unknown()),
        };
    }
    if matches!(ty, Type::U16x2 | Type::S16x2) {
        return pairs(mnemonic, operands, ty, if clamps { 0 } else { i16::MIN });
    }
    Ok(match mnemonic.head {
        "neg" => {
            let ops = operands.all(ty)?;
            match ty {
                Type::S16 => unary(ops, i16::wrapping_neg),
                Type::S32 => unary(ops, i32::wrapping_neg),
                Type::S64 => unary(ops, i64::wrapping_neg),
                _ => return Err(mnemonic.unknown()),
            }
        }
        "abs" => {
            let ops = operands.all(ty)?;
            match ty {
                Type::S16 => unary(ops, i16::wrapping_abs),
                Type::S32 => unary(ops, i32::wrapping_abs),
                Type::S64 => unary(ops, i64::wrapping_abs),
                _ => return Err(mnemonic.unknown()),
            }
        }
        "sad" => {
            let ops = operands.all(ty)?;
            for_integer!(mnemonic, ty, T => {
                ternary(ops, |a: T, b: T, c: T| c.wrapping_add(a.max(b).wrapping_sub(a.min(b))))
            })
        }
        head => {
            let ops = operands.all(ty)?;
            if matches!(head, "div" | "rem") {
                operands.require(2, Role::Divisor);
            }
            for_integer!(mnemonic, ty, T => match head {
                "add" => binary(ops, |a: T, b: T| a.wrapping_add(b)),
                "sub" => binary(ops, |a: T, b: T| a.wrapping_sub(b)),
                "min" => binary(ops, |a: T, b: T| a.min(b)),
                "max" => binary(ops, |a: T, b: T| a.max(b)),
                // The result of an integer division by zero is unspecified in PTX, so it is a fault here.
                "div" => checked_binary(ops, |a: T, b: T| (b != 0).then(|| a.wrapping_div(b))),
                "rem" => checked_binary(ops, |a: T, b: T| (b != 0).then(|| a.wrapping_rem(b))),
                _ => return Err(mnemonic.unknown()),
            })
        }
    })
}

/// Two 16-bit integers in a register; `least` is the smallest result of signed ones.
fn pairs(mnemonic: &Mnemonic, operands: &mut Operands, ty: Type, least: i16) -> Result<Lanewise> {
    let ops = operands.all(ty)?;
    let of: fn(u16, u16) -> u16 = match (mnemonic.head, ty) {
        ("add", _) => u16::wrapping_add,
        ("min", Type::U16x2) => u16::min,
        ("max", Type::U16x2) => u16::max,
        ("min", _) => |a, b| (a as i16).min(b as i16) as u16,
        ("max", _) => |a, b| (a as i16).max(b as i16) as u16,
        _ => return Err(mnemonic.unknown()),
    };
    let is_signed = ty == Type::S16x2;
    let half = move |a: u32, b: u32| match of(a as u16, b as u16) {
        result if is_signed => u32::from((result as i16).max(least) as u16),
        result => u32::from(result),
    };
    Ok(binary(ops, move |a: u32, b: u32| half(a >> 16, b >> 16) << 16 | half(a, b)))
}

/// The upper half of a product. For unsigned values the low 128 bits are right although i128 overflows.
macro_rules! high {
    ($T:ident, $a:expr, $b:expr) => {
        (i128::from($a).wrapping_mul(i128::from($b)) >> $T::BITS) as $T
    };
}

#[derive(Clone, Copy)]
enum Part {
    Low,
    High,
    Wide,
}

fn product(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let parts = [("lo", Part::Low), ("hi", Part::High), ("wide", Part::Wide)];
    let part = mnemonic.take_one_of(&parts).ok_or_else(|| mnemonic.unknown())?;
    let saturates = mnemonic.take("sat");
    let ty = mnemonic.ty()?;
    if saturates {
        let (Part::High, Type::S32, "mad") = (part, ty, mnemonic.head) else {
            return Err(mnemonic.unknown());
        };
        let high = |a: i32, b: i32| ((i64::from(a) * i64::from(b)) >> 32) as i32;
        let of = move |a: i32, b: i32, c: i32| high(a, b).saturating_add(c);
        return Ok(ternary(operands.all(ty)?, of));
    }
    let adds = mnemonic.head == "mad";
    if let Part::Wide = part {
        return wide_product(mnemonic, operands, ty, adds);
    }
    if adds {
        let ops = operands.all(ty)?;
        return Ok(for_integer!(mnemonic, ty, T => match part {
            Part::Low => ternary(ops, |a: T, b: T, c: T| a.wrapping_mul(b).wrapping_add(c)),
            _ => ternary(ops, |a: T, b: T, c: T| high!(T, a, b).wrapping_add(c)),
        }));
    }
    let ops = operands.all(ty)?;
    Ok(for_integer!(mnemonic, ty, T => match part {
        Part::Low => binary(ops, |a: T, b: T| a.wrapping_mul(b)),
        _ => binary(ops, |a: T, b: T| high!(T, a, b)),
    }))
}

fn wide_product(
    mnemonic: &Mnemonic,
    operands: &mut Operands,
    ty: Type,
    adds: bool,
) -> Result<Lanewise> {
    let wide = match ty {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        Type::S32 => Type::S64,
        _ => return Err(mnemonic.unknown()),
    };
    let to = operands.target(0, wide)?;
    let (a, b) = (operands.source(1, ty)?, operands.source(2, ty)?);
    if adds {
        let ops = [to, a, b, operands.source(3, wide)?];
        return Ok(match ty {
            Type::U16 => {
                ternary(ops, |a: u16, b: u16, c: u32| (u32::from(a) * u32::from(b)).wrapping_add(c))
            }
            Type::S16 => {
                ternary(ops, |a: i16, b: i16, c: i32| (i32::from(a) * i32::from(b)).wrapping_add(c))
            }
            Type::U32 => {
                ternary(ops, |a: u32, b: u32, c: u64| (u64::from(a) * u64::from(b)).wrapping_add(c))
            }
            _ => {
                ternary(ops, |a: i32, b: i32, c: i64| (i64::from(a) * i64::from(b)).wrapping_add(c))
            }
        });
    }
    let ops = [to, a, b];
    Ok(match ty {
        Type::U16 => binary(ops, |a: u16, b: u16| u32::from(a) * u32::from(b)),
        Type::S16 => binary(ops, |a: i16, b: i16| i32::from(a) * i32::from(b)),
        Type::U32 => binary(ops, |a: u32, b: u32| u64::from(a) * u64::from(b)),
        _ => binary(ops, |a: i32, b: i32| i64::from(a) * i64::from(b)),
    })
}

/// Products of the low 24 bits; `.hi` is bits 16 to 47 of them.
fn product_of_24_bits(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let parts = [("lo", 0), ("hi", 16)];
    let shift = mnemonic.take_one_of(&parts).ok_or_else(|| mnemonic.unknown())?;
    let widen: fn(u32) -> i64 = match mnemonic.ty()? {
        Type::U32 => |a| i64::from(a & 0xff_ffff),
        Type::S32 => |a| i64::from((a << 8) as i32 >> 8),
        _ => return Err(mnemonic.unknown()),
    };
    let product = move |a, b| (widen(a).wrapping_mul(widen(b)) >> shift) as u32;
    Ok(match mnemonic.head {
        "mul24" => binary(operands.all(Type::U32)?, product),
        _ => ternary(operands.all(Type::U32)?, move |a, b, c: u32| product(a, b).wrapping_add(c)),
    })
}

fn dot_product_of_bytes(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let mut byte = || -> Result<fn(u8) -> i32> {
        match mnemonic.ty()? {
            Type::U32 => Ok(i32::from),
            Type::S32 => Ok(|byte| i32::from(byte as i8)),
            _ => Err(mnemonic.unknown()),
        }
    };
    let (of_a, of_b) = (byte()?, byte()?);
    Ok(ternary(operands.all(Type::U32)?, move |a: u32, b: u32, c: u32| {
        let pairs = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        let sum: i32 = pairs.map(|(a, b)| of_a(a) * of_b(b)).sum();
        c.wrapping_add(sum as u32)
    }))
}

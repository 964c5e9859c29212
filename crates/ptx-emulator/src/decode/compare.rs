//! Comparisons: `setp` to predicates, `set` to registers.

use super::bits::holds;
use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::numeric::Float;
use crate::program::Guard;
use crate::registers::{LANES, Mask, Registers, Scalar, compare, write, write_predicate};
use crate::syntax::{Operand, Type};
use half::{bf16, f16};
use std::cmp::Ordering;

/// Compares two registers.
type Comparison = Box<dyn Fn(&Registers) -> Mask + Send + Sync>;

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    match mnemonic.head {
        "setp" => set_predicate(mnemonic, operands),
        "set" => set(mnemonic, operands),
        _ => return Ok(None),
    }
    .map(|step| Some((Class::Compare, step)))
}

/// A relation as a function of the order of two values, which is `None` if one is NaN.
fn relation(name: &str) -> Option<fn(Option<Ordering>) -> bool> {
    use Ordering::{Equal, Greater, Less};
    Some(match name {
        "eq" => |it| it == Some(Equal),
        "ne" => |it| it.is_some_and(|it| it != Equal),
        "lt" | "lo" => |it| it == Some(Less),
        "le" | "ls" => |it| it.is_some_and(|it| it != Greater),
        "gt" | "hi" => |it| it == Some(Greater),
        "ge" | "hs" => |it| it.is_some_and(|it| it != Less),
        "equ" => |it| it.is_none_or(|it| it == Equal),
        "neu" => |it| it != Some(Equal),
        "ltu" => |it| it.is_none_or(|it| it == Less),
        "leu" => |it| it != Some(Greater),
        "gtu" => |it| it.is_none_or(|it| it == Greater),
        "geu" => |it| it != Some(Less),
        "num" => |it| it.is_some(),
        "nan" => |it| it.is_none(),
        _ => return None,
    })
}

/// The operation that combines the result with a predicate, if there is one.
fn combination(mnemonic: &mut Mnemonic) -> Option<fn(Mask, Mask) -> Mask> {
    mnemonic.take_by(|name| -> Option<fn(Mask, Mask) -> Mask> {
        match name {
            "and" => Some(|a, b| a & b),
            "or" => Some(|a, b| a | b),
            "xor" => Some(|a, b| a ^ b),
            _ => None,
        }
    })
}

fn ordered<T: Scalar + PartialOrd>(
    ops: [u32; 2],
    name: &str,
    of: fn(Option<Ordering>) -> bool,
) -> Comparison {
    // Frequent relations are written as loops that the host compiler can vectorise.
    match name {
        "eq" => Box::new(move |it| compare(it, ops, |a: T, b: T| a == b)),
        "lt" | "lo" => Box::new(move |it| compare(it, ops, |a: T, b: T| a < b)),
        "le" | "ls" => Box::new(move |it| compare(it, ops, |a: T, b: T| a <= b)),
        "gt" | "hi" => Box::new(move |it| compare(it, ops, |a: T, b: T| a > b)),
        "ge" | "hs" => Box::new(move |it| compare(it, ops, |a: T, b: T| a >= b)),
        _ => Box::new(move |it| compare(it, ops, move |a: T, b: T| of(a.partial_cmp(&b)))),
    }
}

fn flushed<T: Float>(ops: [u32; 2], of: fn(Option<Ordering>) -> bool) -> Comparison {
    let flat = |value: T| value.flush().to_f64();
    let of = move |a: T, b: T| of(flat(a).partial_cmp(&flat(b)));
    Box::new(move |registers| compare(registers, ops, of))
}

fn comparison(
    mnemonic: &mut Mnemonic,
    operands: &mut Operands,
    name: &str,
    flushes: bool,
    ty: Type,
) -> Result<Comparison> {
    let of = relation(name).ok_or_else(|| mnemonic.unknown())?;
    let ops = [operands.source(1, ty)?, operands.source(2, ty)?];
    let is_equality = matches!(name, "eq" | "ne");
    let exists = match name {
        "equ" | "neu" | "ltu" | "leu" | "gtu" | "geu" | "num" | "nan" => ty.is_float(),
        "lo" | "ls" | "hi" | "hs" => !ty.is_float() && !ty.is_signed(),
        _ => true,
    };
    if !exists || flushes && !matches!(ty, Type::F32 | Type::F16) {
        return Err(mnemonic.unknown());
    }
    Ok(match ty {
        Type::F32 if flushes => flushed::<f32>(ops, of),
        Type::F16 if flushes => flushed::<f16>(ops, of),
        Type::B16 | Type::B32 | Type::B64 if !is_equality => return Err(mnemonic.unknown()),
        Type::U16 | Type::B16 => ordered::<u16>(ops, name, of),
        Type::S16 => ordered::<i16>(ops, name, of),
        Type::U32 | Type::B32 => ordered::<u32>(ops, name, of),
        Type::S32 => ordered::<i32>(ops, name, of),
        Type::U64 | Type::B64 => ordered::<u64>(ops, name, of),
        Type::S64 => ordered::<i64>(ops, name, of),
        Type::F16 => ordered::<f16>(ops, name, of),
        Type::BF16 => ordered::<bf16>(ops, name, of),
        Type::F32 => ordered::<f32>(ops, name, of),
        Type::F64 => ordered::<f64>(ops, name, of),
        _ => return Err(mnemonic.unknown()),
    })
}

fn set_predicate(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Step> {
    let name = mnemonic.first()?;
    let combine = combination(mnemonic);
    let flushes = mnemonic.take("ftz");
    let ty = mnemonic.ty()?;
    if matches!(ty, Type::F16x2 | Type::BF16x2) {
        return set_predicates_of_halves(
            mnemonic,
            operands,
            name,
            combine.is_some() || flushes,
            ty,
        );
    }
    let (to, opposite) = match operands.get(0)? {
        Operand::Pair(first, second) => {
            let opposite = operands.target_predicate_of(second)?;
            (operands.target_predicate_of(first)?, Some(opposite))
        }
        first => (operands.target_predicate_of(first)?, None),
    };
    let comparison = comparison(mnemonic, operands, name, flushes, ty)?;
    let Some(combine) = combine else {
        return Ok(Step::Lanewise(Box::new(move |registers, mask| {
            let value = comparison(registers);
            write_predicate(registers, to, value, mask);
            if let Some(opposite) = opposite {
                write_predicate(registers, opposite, !value, mask);
            }
            0
        })));
    };
    let with = operands.guard(3)?;
    Ok(Step::Lanewise(Box::new(move |registers, mask| {
        let (value, with) = (comparison(registers), holds(registers, with));
        write_predicate(registers, to, combine(value, with), mask);
        if let Some(opposite) = opposite {
            write_predicate(registers, opposite, combine(!value, with), mask);
        }
        0
    })))
}

/// `p|q`: the results of the lower and of the upper halves.
fn set_predicates_of_halves(
    mnemonic: &Mnemonic,
    operands: &mut Operands,
    name: &str,
    is_modified: bool,
    ty: Type,
) -> Result<Step> {
    let of = relation(name).ok_or_else(|| mnemonic.unknown())?;
    let Operand::Pair(first, second) = operands.get(0)? else {
        return Err(operands.wrong("the targets are not a pair"));
    };
    if is_modified {
        return Err(mnemonic.unknown());
    }
    let to = [operands.target_predicate_of(first)?, operands.target_predicate_of(second)?];
    let ops = [operands.source(1, ty)?, operands.source(2, ty)?];
    let order = move |a: u32, b: u32, shift: u32| match ty {
        Type::F16x2 => {
            let half = |pair: u32| f16::from_bits((pair >> shift) as u16);
            half(a).partial_cmp(&half(b))
        }
        _ => {
            let half = |pair: u32| bf16::from_bits((pair >> shift) as u16);
            half(a).partial_cmp(&half(b))
        }
    };
    Ok(Step::Lanewise(Box::new(move |registers, mask| {
        let values =
            [0, 16].map(|shift| compare(registers, ops, |a: u32, b: u32| of(order(a, b, shift))));
        write_predicate(registers, to[0], values[0], mask);
        write_predicate(registers, to[1], values[1], mask);
        0
    })))
}

/// Sets all ones or 1.0 if the relation holds, else 0.
fn set(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Step> {
    let name = mnemonic.first()?;
    let combine = combination(mnemonic);
    let flushes = mnemonic.take("ftz");
    let (result, ty) = (mnemonic.ty()?, mnemonic.ty()?);
    let is = match result {
        Type::U32 | Type::S32 => u32::MAX,
        Type::F32 => 1_f32.to_bits(),
        _ => return Err(mnemonic.unknown()),
    };
    let to = operands.target(0, result)?;
    let comparison = comparison(mnemonic, operands, name, flushes, ty)?;
    let with = match combine {
        Some(combine) => Some((combine, operands.guard(3)?)),
        None => None,
    };
    Ok(Step::Lanewise(Box::new(move |registers, mask| {
        let mut value = comparison(registers);
        if let Some((combine, guard)) = with {
            let guard: Guard = guard;
            value = combine(value, holds(registers, guard));
        }
        let mut lanes = [0; LANES];
        for (lane, out) in lanes.iter_mut().enumerate() {
            *out = if value >> lane & 1 != 0 { is } else { 0 };
        }
        write(registers, to, lanes, mask);
        0
    })))
}

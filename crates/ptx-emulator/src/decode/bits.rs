//! Logic, shifts, bit fields, moves and selection.

use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::numeric::Float;
use crate::program::Guard;
use crate::registers::{
    LANES, Lanewise, Mask, Registers, Slot, binary, ternary, unary, write, write_predicate,
};
use crate::syntax::{Operand, Type};

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    let lanewise = match mnemonic.head {
        "and" | "or" | "xor" | "not" | "cnot" => logic(mnemonic, operands)?,
        "shl" | "shr" => shift(mnemonic, operands)?,
        "shf" => funnel_shift(mnemonic, operands)?,
        "popc" | "clz" | "brev" | "bfind" => count(mnemonic, operands)?,
        "bfe" | "bfi" => field(mnemonic, operands)?,
        "prmt" => permute(mnemonic, operands)?,
        "lop3" => lookup(mnemonic, operands)?,
        "selp" | "slct" => select(mnemonic, operands)?,
        "mov" => return Ok(Some((Class::Move, mov(mnemonic, operands)?))),
        "cvta" => return Ok(Some((Class::Integer, cvta(mnemonic, operands)?))),
        "isspacep" => is_space(mnemonic, operands)?,
        _ => return Ok(None),
    };
    Ok(Some((Class::Integer, Step::Lanewise(lanewise))))
}

/// The value of a predicate as a lane mask.
pub fn holds(registers: &Registers, guard: Guard) -> Mask {
    let value = registers.predicates[guard.predicate as usize];
    if guard.is_negated { !value } else { value }
}

fn logic(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let ty = mnemonic.ty()?;
    if ty == Type::Pred {
        return predicate_logic(mnemonic, operands);
    }
    let is_wide = match ty {
        Type::B16 | Type::B32 => false,
        Type::B64 => true,
        _ => return Err(mnemonic.unknown()),
    };
    if matches!(mnemonic.head, "not" | "cnot") {
        let ops = operands.all(ty)?;
        return Ok(match (mnemonic.head, ty) {
            ("not", Type::B16) => unary(ops, |a: u16| !a),
            ("not", Type::B32) => unary(ops, |a: u32| !a),
            ("not", _) => unary(ops, |a: u64| !a),
            (_, Type::B64) => unary(ops, |a: u64| u64::from(a == 0)),
            _ => unary(ops, |a: u32| u32::from(a == 0)),
        });
    }
    let ops = operands.all(ty)?;
    Ok(match (mnemonic.head, is_wide) {
        ("and", false) => binary(ops, |a: u32, b: u32| a & b),
        ("or", false) => binary(ops, |a: u32, b: u32| a | b),
        ("xor", false) => binary(ops, |a: u32, b: u32| a ^ b),
        ("and", true) => binary(ops, |a: u64, b: u64| a & b),
        ("or", true) => binary(ops, |a: u64, b: u64| a | b),
        _ => binary(ops, |a: u64, b: u64| a ^ b),
    })
}

fn predicate_logic(mnemonic: &Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let to = operands.target_predicate(0)?;
    let a = operands.guard(1)?;
    let b = match mnemonic.head {
        "not" => a,
        _ => operands.guard(2)?,
    };
    let of: fn(Mask, Mask) -> Mask = match mnemonic.head {
        "and" => |a, b| a & b,
        "or" => |a, b| a | b,
        "xor" => |a, b| a ^ b,
        "not" => |a, _| !a,
        _ => return Err(mnemonic.unknown()),
    };
    Ok(Box::new(move |registers, mask| {
        let value = of(holds(registers, a), holds(registers, b));
        write_predicate(registers, to, value, mask);
        0
    }))
}

/// Shift amounts are u32 for all types; amounts beyond the width shift all bits out.
fn shift(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let ty = mnemonic.ty()?;
    let ops = [operands.target(0, ty)?, operands.source(1, ty)?, operands.source(2, Type::U32)?];
    macro_rules! logical {
        ($T:ty) => {
            match mnemonic.head {
                "shl" => binary(ops, |a: $T, n: u32| a.checked_shl(n).unwrap_or(0)),
                _ => binary(ops, |a: $T, n: u32| a.checked_shr(n).unwrap_or(0)),
            }
        };
    }
    macro_rules! signed {
        ($T:ty) => {
            binary(ops, |a: $T, n: u32| a >> n.min(<$T>::BITS - 1))
        };
    }
    Ok(match (ty, mnemonic.head) {
        (Type::B16, _) | (Type::U16, "shr") => logical!(u16),
        (Type::B32, _) | (Type::U32, "shr") => logical!(u32),
        (Type::B64, _) | (Type::U64, "shr") => logical!(u64),
        (Type::S16, "shr") => signed!(i16),
        (Type::S32, "shr") => signed!(i32),
        (Type::S64, "shr") => signed!(i64),
        _ => return Err(mnemonic.unknown()),
    })
}

/// A shift of the 64 bits of `b:a`; the result is 32 of them.
fn funnel_shift(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let is_left = mnemonic.take("l");
    if !is_left && !mnemonic.take("r") {
        return Err(mnemonic.unknown());
    }
    let clamps = mnemonic.take("clamp");
    if !clamps && !mnemonic.take("wrap") {
        return Err(mnemonic.unknown());
    }
    mnemonic.take("b32");
    let ops = operands.all(Type::B32)?;
    let amount = move |n: u32| if clamps { n.min(32) } else { n & 31 };
    let joined = |a: u32, b: u32| u64::from(b) << 32 | u64::from(a);
    Ok(match is_left {
        true => ternary(ops, move |a, b, n| ((joined(a, b) << amount(n)) >> 32) as u32),
        false => ternary(ops, move |a, b, n| (joined(a, b) >> amount(n)) as u32),
    })
}

fn count(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let is_shift = mnemonic.head == "bfind" && mnemonic.take("shiftamt");
    let ty = mnemonic.ty()?;
    let result = if mnemonic.head == "brev" { ty } else { Type::U32 };
    let ops = [operands.target(0, result)?, operands.source(1, ty)?];
    // The highest bit that differs from the sign; all ones if there is none.
    let found = move |leading: u32, width: u32| match (leading == width, is_shift) {
        (true, _) => u32::MAX,
        (_, true) => leading,
        (_, false) => width - 1 - leading,
    };
    Ok(match (mnemonic.head, ty) {
        ("popc", Type::B32) => unary(ops, u32::count_ones),
        ("popc", Type::B64) => unary(ops, u64::count_ones),
        ("clz", Type::B32) => unary(ops, u32::leading_zeros),
        ("clz", Type::B64) => unary(ops, u64::leading_zeros),
        ("brev", Type::B32) => unary(ops, u32::reverse_bits),
        ("brev", Type::B64) => unary(ops, u64::reverse_bits),
        ("bfind", Type::U32) => unary(ops, move |a: u32| found(a.leading_zeros(), 32)),
        ("bfind", Type::U64) => unary(ops, move |a: u64| found(a.leading_zeros(), 64)),
        ("bfind", Type::S32) => {
            unary(ops, move |a: i32| found((a ^ (a >> 31)).leading_zeros(), 32))
        }
        ("bfind", Type::S64) => {
            unary(ops, move |a: i64| found((a ^ (a >> 63)).leading_zeros(), 64))
        }
        _ => return Err(mnemonic.unknown()),
    })
}

/// Position and length are the low 8 bits of their operands.
fn field(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let ty = mnemonic.ty()?;
    let width = ty.bytes() * 8;
    if mnemonic.head == "bfi" {
        if !matches!(ty, Type::B32 | Type::B64) {
            return Err(mnemonic.unknown());
        }
        let to = operands.target(0, ty)?;
        let (a, b) = (operands.source(1, ty)?, operands.source(2, ty)?);
        let (at, length) = (operands.source(3, Type::U32)?, operands.source(4, Type::U32)?);
        return Ok(match width {
            32 => insertion::<u32>([to, a, b, at, length], width),
            _ => insertion::<u64>([to, a, b, at, length], width),
        });
    }
    let to = operands.target(0, ty)?;
    let ops = [
        to,
        operands.source(1, ty)?,
        operands.source(2, Type::U32)?,
        operands.source(3, Type::U32)?,
    ];
    let is_signed = ty.is_signed();
    let extract = move |a: u64, at: u32, length: u32| {
        let (at, length) = (at & 0xff, length & 0xff);
        // Bits past the end are filled with the sign of the field: its top bit, or the value's top bit if the field
        // extends past it.
        let sign_at = (at + length).saturating_sub(1).min(width - 1);
        let sign = if is_signed && length > 0 && a >> sign_at & 1 == 1 { u64::MAX } else { 0 };
        let taken = length.min(width.saturating_sub(at));
        let ones = 1_u64.checked_shl(taken).map_or(u64::MAX, |it| it - 1);
        a.checked_shr(at).unwrap_or(0) & ones | sign & !ones
    };
    Ok(match ty {
        Type::U32 | Type::S32 => {
            ternary(ops, move |a: u32, at: u32, length: u32| extract(a.into(), at, length) as u32)
        }
        Type::U64 | Type::S64 => ternary(ops, extract),
        _ => return Err(mnemonic.unknown()),
    })
}

fn insertion<S: Slot>([to, a, b, at, length]: [u32; 5], width: u32) -> Lanewise {
    Box::new(move |registers, mask| {
        let mut result = [S::default(); LANES];
        for (lane, result) in result.iter_mut().enumerate() {
            let (a, b) =
                (S::lanes(registers, a)[lane].to_u64(), S::lanes(registers, b)[lane].to_u64());
            let at = u32::lanes(registers, at)[lane] & 0xff;
            let length = (u32::lanes(registers, length)[lane] & 0xff).min(width.saturating_sub(at));
            let ones = 1_u64.checked_shl(length).map_or(u64::MAX, |it| it - 1);
            let place = ones.checked_shl(at).unwrap_or(0);
            *result = S::from_u64(b & !place | a.checked_shl(at).unwrap_or(0) & place);
        }
        write(registers, to, result, mask);
        0
    })
}

/// Selects bytes of `b:a`; the top bit of a selector replicates the byte's sign instead.
fn permute(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    if !mnemonic.take("b32") {
        return Err(mnemonic.unknown());
    }
    // Maps a selector's low two bits to four selectors.
    let modes: &[(&str, [[u8; 4]; 4])] = &[
        ("f4e", [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]]),
        ("b4e", [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]]),
        ("rc8", [[0; 4], [1; 4], [2; 4], [3; 4]]),
        ("ecl", [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]]),
        ("ecr", [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]]),
        ("rc16", [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]]),
    ];
    let mode = mnemonic.take_one_of(modes);
    let byte = |a: u32, b: u32, selector: u32| {
        let byte = ((u64::from(b) << 32 | u64::from(a)) >> (8 * (selector & 7))) as u8;
        match selector & 8 {
            0 => byte,
            _ => ((byte as i8) >> 7) as u8,
        }
    };
    Ok(ternary(operands.all(Type::B32)?, move |a, b, selector: u32| {
        let of = |i: usize| match &mode {
            Some(table) => u32::from(table[selector as usize & 3][i]),
            None => selector >> (4 * i),
        };
        u32::from_le_bytes([0, 1, 2, 3].map(|i| byte(a, b, of(i))))
    }))
}

/// Any function of three bits, given by its truth table.
fn lookup(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    if !mnemonic.take("b32") {
        return Err(mnemonic.unknown());
    }
    let table = operands.integer(4)? as u32;
    Ok(ternary(operands.all(Type::B32)?, move |a: u32, b: u32, c: u32| {
        let mut result = 0;
        for row in (0..8).filter(|row| table >> row & 1 == 1) {
            let of = |value: u32, bit: u32| if row & bit == 0 { !value } else { value };
            result |= of(a, 4) & of(b, 2) & of(c, 1);
        }
        result
    }))
}

fn select(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    let flushes = mnemonic.head == "slct" && mnemonic.take("ftz");
    let ty = mnemonic.ty()?;
    if mnemonic.head == "selp" {
        let [to, a, b] = operands.all(ty)?;
        let guard = operands.guard(3)?;
        return Ok(match ty.bytes() {
            8 => choice::<u64>([to, a, b], guard),
            _ => choice::<u32>([to, a, b], guard),
        });
    }
    let by = mnemonic.ty()?;
    let [to, a, b] = operands.all(ty)?;
    let c = operands.source(3, by)?;
    let ops = [to, a, b, c];
    if flushes && by != Type::F32 {
        return Err(mnemonic.unknown());
    }
    // A negative subnormal that is flushed is -0, which is not less than 0.
    let is_first = move |c: f32| if flushes { c.flush() >= 0.0 } else { c >= 0.0 };
    Ok(match (ty.bytes(), by) {
        (8, Type::S32) => ternary(ops, |a: u64, b: u64, c: i32| if c >= 0 { a } else { b }),
        (8, Type::F32) => ternary(ops, move |a: u64, b: u64, c| if is_first(c) { a } else { b }),
        (_, Type::S32) => ternary(ops, |a: u32, b: u32, c: i32| if c >= 0 { a } else { b }),
        (_, Type::F32) => ternary(ops, move |a: u32, b: u32, c| if is_first(c) { a } else { b }),
        _ => return Err(mnemonic.unknown()),
    })
}

fn choice<S: Slot>([to, a, b]: [u32; 3], guard: Guard) -> Lanewise {
    Box::new(move |registers, mask| {
        let chosen = holds(registers, guard);
        let (a, b) = (S::lanes(registers, a), S::lanes(registers, b));
        let mut result = *b;
        for lane in 0..LANES {
            if chosen >> lane & 1 != 0 {
                result[lane] = a[lane];
            }
        }
        write(registers, to, result, mask);
        0
    })
}

fn mov(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Step> {
    let ty = mnemonic.ty()?;
    if ty == Type::Pred {
        let (to, from) = (operands.target_predicate(0)?, operands.guard(1)?);
        return Ok(Step::Lanewise(Box::new(move |registers, mask| {
            let value = holds(registers, from);
            write_predicate(registers, to, value, mask);
            0
        })));
    }
    let is_wide = ty.bytes() == 8;
    match (operands.get(0)?, operands.get(1)?) {
        (Operand::Vector(parts), source) => unpack(operands, ty, parts, source),
        (target, Operand::Vector(parts)) => pack(operands, ty, target, parts),
        (_, Operand::Name(name)) if name.starts_with("%clock") => {
            let is_upper = name == "%clock_hi";
            Ok(Step::Clock { to: operands.target(0, ty)?, is_wide, is_upper })
        }
        (_, Operand::Name(name)) if name.starts_with("%globaltimer") => {
            let is_upper = name == "%globaltimer_hi";
            Ok(Step::Clock { to: operands.target(0, ty)?, is_wide, is_upper })
        }
        _ => {
            let ops = operands.all(ty)?;
            Ok(Step::Lanewise(match is_wide {
                true => unary(ops, |a: u64| a),
                false => unary(ops, |a: u32| a),
            }))
        }
    }
}

/// The type of the parts of a vector in a move.
fn part_type(operands: &Operands, ty: Type, count: usize) -> Result<Type> {
    let bytes = (ty.bytes() as usize).checked_div(count).unwrap_or(0);
    match bytes {
        1 => Ok(Type::B8),
        2 => Ok(Type::B16),
        4 => Ok(Type::B32),
        _ => Err(operands.wrong("a vector has the wrong number of elements")),
    }
}

fn pack(operands: &mut Operands, ty: Type, target: &Operand, parts: &[Operand]) -> Result<Step> {
    let part = part_type(operands, ty, parts.len())?;
    let to = operands.loose(target, ty, true)?;
    let from: Vec<u32> =
        parts.iter().map(|it| operands.source_of(it, part)).collect::<Result<_>>()?;
    let bits = part.bytes() * 8;
    Ok(Step::Lanewise(Box::new(move |registers, mask| {
        let mut result = [0_u64; LANES];
        for (i, index) in from.iter().enumerate() {
            let part = u32::lanes(registers, *index);
            for lane in 0..LANES {
                result[lane] |= u64::from(part[lane]) << (bits * i as u32);
            }
        }
        match to.is_wide() {
            true => write(registers, to.index, result, mask),
            false => write(registers, to.index, result.map(|it| it as u32), mask),
        }
        0
    })))
}

fn unpack(operands: &mut Operands, ty: Type, parts: &[Operand], source: &Operand) -> Result<Step> {
    let part = part_type(operands, ty, parts.len())?;
    let from = operands.source_of(source, ty)?;
    let is_wide = ty.bytes() == 8;
    let to: Vec<u32> =
        parts.iter().map(|it| operands.target_of(it, part)).collect::<Result<_>>()?;
    let bits = part.bytes() * 8;
    Ok(Step::Lanewise(Box::new(move |registers, mask| {
        // A copy: the target may be the source.
        let value = match is_wide {
            true => *u64::lanes(registers, from),
            false => u32::lanes(registers, from).map(u64::from),
        };
        for (i, index) in to.iter().enumerate() {
            let ones = u64::MAX >> (64 - bits);
            let part = value.map(|it| (it >> (bits * i as u32) & ones) as u32);
            write(registers, *index, part, mask);
        }
        0
    })))
}

/// Conversion between addresses of a space and generic addresses. For global and constant memory the two are the same.
fn cvta(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Step> {
    let to_space = mnemonic.take("to");
    let window = window(mnemonic)?;
    let ty = mnemonic.ty()?;
    if ty != Type::U64 {
        return Err(mnemonic.unknown());
    }
    let ops = operands.all(ty)?;
    Ok(Step::Lanewise(match to_space {
        true => unary(ops, move |a: u64| a.wrapping_sub(window)),
        false => unary(ops, move |a: u64| a.wrapping_add(window)),
    }))
}

/// The start of a space in the generic address space.
fn window(mnemonic: &mut Mnemonic) -> Result<u64> {
    use crate::memory::window::{LOCAL, PARAM, SHARED};
    let table = [
        ("global", 0),
        ("const", 0),
        ("shared", SHARED),
        ("shared::cta", SHARED),
        ("local", LOCAL),
        ("param", PARAM),
        ("param::entry", PARAM),
    ];
    mnemonic.take_one_of(&table).ok_or_else(|| mnemonic.unknown())
}

fn is_space(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Lanewise> {
    use crate::memory::window::{LOCAL, PARAM, SHARED, SIZE};
    let start = window(mnemonic)?;
    let (to, from) = (operands.target_predicate(0)?, operands.source(1, Type::U64)?);
    let is_in = |address: u64, start: u64| (start..start + SIZE).contains(&address);
    Ok(Box::new(move |registers, mask| {
        let mut value = 0;
        for (lane, address) in u64::lanes(registers, from).iter().enumerate() {
            let inside = match start {
                0 => ![SHARED, LOCAL, PARAM].iter().any(|it| is_in(*address, *it)),
                _ => is_in(*address, start),
            };
            value |= u32::from(inside) << lane;
        }
        write_predicate(registers, to, value, mask);
        0
    }))
}

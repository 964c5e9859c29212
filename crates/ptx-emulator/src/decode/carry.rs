//! Multi-word integer arithmetic: sums and differences with a carry in (`addc`, `subc`, `madc`) or out (`.cc`). The
//! carry flag of a lane is a predicate. It need not survive calls, so a kernel has only one.

use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::registers::{LANES, Lanewise, Registers, Slot, lanes, write, write_predicate};
use crate::syntax::Type;

/// The operands of a sum, given by their registers.
#[derive(Clone, Copy)]
enum Sum {
    Plain([u32; 2]),
    Difference([u32; 2]),
    /// A half of a product, plus an addend.
    Product([u32; 3], Half),
}

#[derive(Clone, Copy)]
enum Half {
    Low,
    High,
}

#[derive(Clone, Copy)]
struct Carry {
    predicate: u32,
    is_taken: bool,
    is_given: bool,
}

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    let (head, is_taken) = match mnemonic.head {
        "add" | "sub" | "mad" if mnemonic.has("cc") => (mnemonic.head, false),
        "addc" => ("add", true),
        "subc" => ("sub", true),
        "madc" => ("mad", true),
        _ => return Ok(None),
    };
    let is_given = mnemonic.take("cc");
    let half = match head {
        "mad" => mnemonic.take_one_of(&[("lo", Half::Low), ("hi", Half::High)]),
        _ => None,
    };
    let ty = mnemonic.ty()?;
    let to = operands.target(0, ty)?;
    let (a, b) = (operands.source(1, ty)?, operands.source(2, ty)?);
    let sum = match (head, half) {
        ("add", _) => Sum::Plain([a, b]),
        ("sub", _) => Sum::Difference([a, b]),
        (_, Some(half)) => Sum::Product([a, b, operands.source(3, ty)?], half),
        _ => return Err(mnemonic.unknown()),
    };
    let carry = Carry { predicate: operands.carry(is_taken, is_given), is_taken, is_given };
    let is_signed = ty.is_signed();
    let lanewise = match ty {
        Type::U32 | Type::S32 => lanewise::<u32>(to, sum, carry, is_signed),
        Type::U64 | Type::S64 => lanewise::<u64>(to, sum, carry, is_signed),
        _ => return Err(mnemonic.unknown()),
    };
    Ok(Some((Class::Integer, Step::Lanewise(lanewise))))
}

fn lanewise<S: Slot>(to: u32, sum: Sum, carry: Carry, is_signed: bool) -> Lanewise {
    let width = 8 * size_of::<S>();
    let ones = u64::MAX >> (64 - width);
    let value = |registers: &Registers, register: u32, lane: usize| {
        S::lanes(registers, register)[lane].to_u64()
    };
    let widen = move |value: u64| match is_signed {
        true => i128::from((value << (64 - width)) as i64 >> (64 - width)),
        false => i128::from(value),
    };
    // `a - b` is `a + !b + 1`; it has a borrow exactly if that sum has no carry.
    let inverts = matches!(sum, Sum::Difference(_));
    Box::new(move |registers, mask| {
        let before = registers.predicates[carry.predicate as usize];
        let taken = if carry.is_taken { before } else { 0 };
        let (mut result, mut given) = ([S::default(); LANES], 0);
        for lane in lanes(mask) {
            let of = |register: u32| value(registers, register, lane);
            let (a, b) = match sum {
                Sum::Plain([a, b]) => (of(a), of(b)),
                Sum::Difference([a, b]) => (of(a), !of(b) & ones),
                Sum::Product([a, b, c], half) => {
                    let product = widen(of(a)).wrapping_mul(widen(of(b)));
                    let shift = if matches!(half, Half::High) { width } else { 0 };
                    ((product >> shift) as u64 & ones, of(c))
                }
            };
            let carry_in = (taken >> lane & 1 != 0) != inverts;
            let total = u128::from(a) + u128::from(b) + u128::from(carry_in);
            result[lane] = S::from_u64(total as u64);
            given |= u32::from((total >> width != 0) != inverts) << lane;
        }
        write(registers, to, result, mask);
        if carry.is_given {
            write_predicate(registers, carry.predicate, given, mask);
        }
        0
    })
}

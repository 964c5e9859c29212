//! Collective instructions of the lanes of a warp: shuffles, votes, matches, reductions.

use super::bits::holds;
use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::fault::Role;
use crate::program::{Collective, CollectiveFn, Members};
use crate::registers::{LANES, Mask, Slot, lanes, write, write_predicate};
use crate::syntax::{Operand, Type};

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    let (members, run) = match mnemonic.head {
        "shfl" => shuffle(mnemonic, operands)?,
        "vote" => vote(mnemonic, operands)?,
        "match" => find_equal(mnemonic, operands)?,
        "redux" => reduce(mnemonic, operands)?,
        "elect" => elect(mnemonic, operands)?,
        "bar" | "barrier" => {
            if !mnemonic.take("warp") || !mnemonic.take("sync") {
                return Err(mnemonic.unknown());
            }
            mnemonic.take("aligned");
            let nothing: CollectiveFn = Box::new(|_, _| 0);
            let members = operands.source(0, Type::B32)?;
            operands.require(0, Role::Members);
            (members, nothing)
        }
        "activemask" => {
            mnemonic.take("b32");
            let to = operands.target(0, Type::B32)?;
            return Ok(Some((Class::Collective, Step::ActiveMask { to })));
        }
        _ => return Ok(None),
    };
    let members = Members::Register(members);
    Ok(Some((Class::Collective, Step::Collective(Collective { members, run }))))
}

#[derive(Clone, Copy, PartialEq)]
enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// `shfl.sync.mode.b32 d[|p], a, b, c, membermask`; c is a clamp and, in bits 8 to 12, a segment mask.
fn shuffle(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<(u32, CollectiveFn)> {
    if !mnemonic.take("sync") {
        return Err(mnemonic.unknown());
    }
    let modes = [
        ("up", Shuffle::Up),
        ("down", Shuffle::Down),
        ("bfly", Shuffle::Butterfly),
        ("idx", Shuffle::Index),
    ];
    let mode = mnemonic.take_one_of(&modes).ok_or_else(|| mnemonic.unknown())?;
    if !mnemonic.take("b32") {
        return Err(mnemonic.unknown());
    }
    let (to, valid) = match operands.get(0)? {
        Operand::Pair(first, second) => {
            let valid = operands.target_predicate_of(second)?;
            (operands.target_of(first, Type::B32)?, Some(valid))
        }
        first => (operands.target_of(first, Type::B32)?, None),
    };
    let (a, b) = (operands.source(1, Type::B32)?, operands.source(2, Type::B32)?);
    let (c, members) = (operands.source(3, Type::B32)?, operands.source(4, Type::B32)?);
    (2..4).for_each(|i| operands.require(i, Role::Lane));
    operands.require(4, Role::Members);
    let run: CollectiveFn = Box::new(move |registers, mask| {
        let value = *u32::lanes(registers, a);
        let (b, c) = (u32::lanes(registers, b), u32::lanes(registers, c));
        let (mut result, mut in_range, mut faults) = (value, 0, 0);
        for lane in lanes(mask) {
            let (from, is_valid) = source_lane(mode, lane as u32, b[lane] & 31, c[lane]);
            in_range |= u32::from(is_valid) << lane;
            let from = if is_valid { from } else { lane as u32 };
            result[lane] = value[from as usize & 31];
            faults |= u32::from(mask >> from & 1 == 0) << lane;
        }
        write(registers, to, result, mask);
        if let Some(valid) = valid {
            write_predicate(registers, valid, in_range, mask);
        }
        faults
    });
    Ok((members, run))
}

/// Follows the pseudo code of the PTX manual.
fn source_lane(mode: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (clamp, segment) = (c & 31, c >> 8 & 31);
    let max = lane & segment | clamp & !segment;
    let min = lane & segment;
    match mode {
        Shuffle::Up => (lane.wrapping_sub(b), lane as i32 - b as i32 >= max as i32),
        Shuffle::Down => (lane + b, lane + b <= max),
        Shuffle::Butterfly => (lane ^ b, lane ^ b <= max),
        Shuffle::Index => {
            let from = min | b & !segment;
            (from, from <= max)
        }
    }
}

fn vote(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<(u32, CollectiveFn)> {
    if !mnemonic.take("sync") {
        return Err(mnemonic.unknown());
    }
    let (source, members) = (operands.guard(1)?, operands.source(2, Type::B32)?);
    operands.require(2, Role::Members);
    if mnemonic.take("ballot") {
        if !mnemonic.take("b32") {
            return Err(mnemonic.unknown());
        }
        let to = operands.target(0, Type::B32)?;
        let run: CollectiveFn = Box::new(move |registers, mask| {
            let votes = holds(registers, source) & mask;
            write(registers, to, [votes; LANES], mask);
            0
        });
        return Ok((members, run));
    }
    type Outcome = fn(Mask, Mask) -> bool;
    let outcomes: &[(&str, Outcome)] = &[
        ("all", |votes, mask| votes == mask),
        ("any", |votes, _| votes != 0),
        ("uni", |votes, mask| votes == 0 || votes == mask),
    ];
    let outcome = mnemonic.take_one_of(outcomes).ok_or_else(|| mnemonic.unknown())?;
    if !mnemonic.take("pred") {
        return Err(mnemonic.unknown());
    }
    let to = operands.target_predicate(0)?;
    let run: CollectiveFn = Box::new(move |registers, mask| {
        let votes = holds(registers, source) & mask;
        let value = if outcome(votes, mask) { mask } else { 0 };
        write_predicate(registers, to, value, mask);
        0
    });
    Ok((members, run))
}

/// `match.any` and `match.all`: the lanes that hold the same value.
fn find_equal(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<(u32, CollectiveFn)> {
    let is_any = mnemonic.take("any");
    if !is_any && !mnemonic.take("all") || !mnemonic.take("sync") {
        return Err(mnemonic.unknown());
    }
    let ty = mnemonic.ty()?;
    let (to, all_equal) = match operands.get(0)? {
        Operand::Pair(first, second) if !is_any => {
            let predicate = operands.target_predicate_of(second)?;
            (operands.target_of(first, Type::B32)?, Some(predicate))
        }
        first => (operands.target_of(first, Type::B32)?, None),
    };
    let (a, members) = (operands.source(1, ty)?, operands.source(2, Type::B32)?);
    operands.require(2, Role::Members);
    let is_wide = ty.bytes() == 8;
    let run: CollectiveFn = Box::new(move |registers, mask| {
        let values = match is_wide {
            true => *u64::lanes(registers, a),
            false => u32::lanes(registers, a).map(u64::from),
        };
        let equal_to = |value: u64| {
            lanes(mask).filter(|it| values[*it] == value).fold(0, |found, it| found | 1 << it)
        };
        let mut result = [0; LANES];
        lanes(mask).for_each(|lane| result[lane] = equal_to(values[lane]));
        if !is_any {
            result = result.map(|it| if it == mask { mask } else { 0 });
        }
        if let Some(predicate) = all_equal {
            let value = if lanes(mask).all(|it| result[it] == mask) { mask } else { 0 };
            write_predicate(registers, predicate, value, mask);
        }
        write(registers, to, result, mask);
        0
    });
    Ok((members, run))
}

fn reduce(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<(u32, CollectiveFn)> {
    if !mnemonic.take("sync") {
        return Err(mnemonic.unknown());
    }
    let name = mnemonic.first()?;
    let ty = mnemonic.ty()?;
    let of: fn(u32, u32) -> u32 = match (name, ty) {
        ("add", Type::U32 | Type::S32) => u32::wrapping_add,
        ("min", Type::U32) => u32::min,
        ("max", Type::U32) => u32::max,
        ("min", Type::S32) => |a, b| (a as i32).min(b as i32) as u32,
        ("max", Type::S32) => |a, b| (a as i32).max(b as i32) as u32,
        ("and", Type::B32) => |a, b| a & b,
        ("or", Type::B32) => |a, b| a | b,
        ("xor", Type::B32) => |a, b| a ^ b,
        _ => return Err(mnemonic.unknown()),
    };
    let [to, a] = operands.all(Type::B32)?;
    let members = operands.source(2, Type::B32)?;
    operands.require(2, Role::Members);
    let run: CollectiveFn = Box::new(move |registers, mask| {
        let values = u32::lanes(registers, a);
        let total = lanes(mask).map(|it| values[it]).reduce(of).unwrap_or_default();
        write(registers, to, [total; LANES], mask);
        0
    });
    Ok((members, run))
}

/// The lowest lane is the leader.
fn elect(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<(u32, CollectiveFn)> {
    if !mnemonic.take("sync") {
        return Err(mnemonic.unknown());
    }
    let Operand::Pair(first, second) = operands.get(0)? else {
        return Err(operands.wrong("the targets are not a pair"));
    };
    let to = operands.target_of(first, Type::B32)?;
    let is_leader = operands.target_predicate_of(second)?;
    let members = operands.source(1, Type::B32)?;
    operands.require(1, Role::Members);
    let run: CollectiveFn = Box::new(move |registers, mask| {
        let leader = mask.trailing_zeros();
        write(registers, to, [leader; LANES], mask);
        write_predicate(registers, is_leader, 1_u32.checked_shl(leader).unwrap_or(0), mask);
        0
    });
    Ok((members, run))
}

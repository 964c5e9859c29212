//! Loads, stores, atomics, asynchronous copies and fences.

use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::fault::Role;
use crate::numeric::{self, Float, Rounding, add_to_odd};
use crate::program::{Access, AsyncCopy, Atomic, LoadMatrix, Order, Register, Scope};
use crate::registers::Scalar;
use crate::syntax::{Operand, Space, Type};
use half::{bf16, f16};

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    Ok(Some(match mnemonic.head {
        "ld" | "ldu" => (Class::Load, Step::Load(access(mnemonic, operands, true)?)),
        "st" => (Class::Store, Step::Store(access(mnemonic, operands, false)?)),
        "atom" | "red" => (Class::Atomic, Step::Atomic(atomic(mnemonic, operands)?)),
        "cp" => (Class::AsyncCopy, copy(mnemonic, operands)?),
        "ldmatrix" => (Class::Load, Step::LoadMatrix(matrix(mnemonic, operands)?)),
        "stmatrix" => (Class::Store, Step::StoreMatrix(matrix(mnemonic, operands)?)),
        "membar" | "fence" => (Class::Fence, fence(mnemonic, operands)?),
        "prefetch" | "prefetchu" | "applypriority" | "discard" => prefetch(mnemonic, operands)?,
        _ => return Ok(None),
    }))
}

fn space(mnemonic: &mut Mnemonic) -> Space {
    let table = [
        ("global", Space::Global),
        ("shared", Space::Shared),
        ("shared::cta", Space::Shared),
        ("local", Space::Local),
        ("const", Space::Const),
        ("param", Space::Param),
        ("param::entry", Space::Param),
        ("param::func", Space::Param),
    ];
    mnemonic.take_one_of(&table).unwrap_or(Space::Generic)
}

fn order(mnemonic: &mut Mnemonic) -> Option<Order> {
    let table = [
        ("weak", Order::Plain),
        ("relaxed", Order::Relaxed),
        ("volatile", Order::Relaxed),
        ("mmio", Order::Relaxed),
        ("acquire", Order::Acquire),
        ("release", Order::Release),
        ("acq_rel", Order::AcquireRelease),
    ];
    mnemonic.take_one_of(&table)
}

/// Cluster scope is treated as block scope: clusters of several blocks are not supported.
fn scope(mnemonic: &Mnemonic) -> Scope {
    match mnemonic.has("cta") || mnemonic.has("cluster") {
        true => Scope::Block,
        false => Scope::Device,
    }
}

/// Ignores suffixes for the visibility scope and for cache behaviour.
fn ignore_hints(mnemonic: &mut Mnemonic) {
    mnemonic.ignore(&[
        "cta", "cluster", "gpu", "sys", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "coop",
    ]);
    for prefix in ["L1::", "L2::"] {
        mnemonic.ignore_prefixed(prefix);
    }
}

fn access(mnemonic: &mut Mnemonic, operands: &mut Operands, is_load: bool) -> Result<Access> {
    let has_policy = mnemonic.has("L2::cache_hint");
    let (order, scope) = (order(mnemonic).unwrap_or(Order::Plain), scope(mnemonic));
    let is_constant = mnemonic.has("nc");
    ignore_hints(mnemonic);
    let mut space = space(mnemonic);
    let count = mnemonic.take_one_of(&[("v2", 2), ("v4", 4), ("v8", 8)]).unwrap_or(1);
    let ty = mnemonic.ty()?;
    let has_none = match ty {
        Type::Pred | Type::B128 | Type::F16x2 | Type::BF16x2 | Type::TF32 => true,
        _ => ty.is_float() && ty.bytes() == 2,
    };
    if ty.bytes() * count > 32 || has_none {
        return Err(mnemonic.unknown());
    }
    let (at, data) = if is_load { (1, 0) } else { (0, 1) };
    // The arguments of calls are in our local memory.
    if space == Space::Param && operands.is_passed(at)? {
        space = Space::Local;
    }
    if has_policy {
        operands.get(2)?;
    }
    let (base, offset) = operands.memory(at)?;
    let elements = operands.vector(data)?;
    if elements.len() as u32 != count {
        return Err(operands.wrong(format!("{} elements, expected {count}", elements.len())));
    }
    let element = |operand: &Operand, operands: &mut Operands| match operand {
        Operand::Sink if is_load => Ok(None),
        _ => operands.loose(operand, ty, is_load).map(Some),
    };
    let elements = elements.iter().map(|it| element(it, operands)).collect::<Result<_>>()?;
    if order.acquires() || order.releases() {
        operands.note_fence();
    }
    let (bytes, is_signed) = (ty.bytes(), ty.is_signed());
    Ok(Access { space, base, offset, elements, bytes, is_signed, order, scope, is_constant })
}

fn atomic(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Atomic> {
    let has_policy = mnemonic.has("L2::cache_hint");
    let (order, scope) = (order(mnemonic).unwrap_or(Order::Relaxed), scope(mnemonic));
    ignore_hints(mnemonic);
    let keeps_subnormals = mnemonic.take("noftz");
    let space = space(mnemonic);
    if !matches!(space, Space::Global | Space::Shared | Space::Generic) {
        return Err(mnemonic.unknown());
    }
    let is_vector = ["v2", "v4", "v8"].iter().any(|it| mnemonic.has(it));
    let name = mnemonic.first()?;
    let ty = mnemonic.ty()?;
    let is_of_halves = matches!(ty, Type::F16 | Type::BF16 | Type::F16x2 | Type::BF16x2);
    let update = match is_vector || keeps_subnormals != is_of_halves {
        true => None,
        false => update(name, ty),
    };
    let update = update.ok_or_else(|| mnemonic.unknown())?;
    let global_update = match (name, ty) {
        ("add", Type::F32) => flushed_sum,
        _ => update,
    };
    let has_result = mnemonic.head == "atom";
    let at = usize::from(has_result);
    let to = match has_result {
        true => match operands.get(0)? {
            Operand::Sink => None,
            operand => Some(operands.loose(operand, ty, true)?),
        },
        false => None,
    };
    let (base, offset) = operands.memory(at)?;
    let count = if name == "cas" { 2 } else { 1 };
    let mut sources = vec![];
    for i in 0..count {
        let operand = operands.get(at + 1 + i)?;
        sources.push(operands.loose(operand, ty, false)?);
    }
    if has_policy {
        operands.get(at + 1 + count)?;
    }
    if order.acquires() || order.releases() {
        operands.note_fence();
    }
    Ok(Atomic {
        space,
        base,
        offset,
        to,
        is_of_old: name != "exch",
        operands: sources,
        bytes: ty.bytes(),
        update,
        global_update,
        order,
        scope,
    })
}

/// A function from the old value, the operand and a second operand (for `cas`) to the new value.
fn update(name: &str, ty: Type) -> Option<fn(u64, u64, u64) -> u64> {
    Some(match (name, ty) {
        ("exch", Type::B32 | Type::B64) => |_, new, _| new,
        ("cas", Type::B16 | Type::B32 | Type::B64) => {
            |old, expected, new| if old == expected { new } else { old }
        }
        ("and", Type::B32 | Type::B64) => |old, with, _| old & with,
        ("or", Type::B32 | Type::B64) => |old, with, _| old | with,
        ("xor", Type::B32 | Type::B64) => |old, with, _| old ^ with,
        ("add", Type::U32 | Type::S32) => {
            |old, with, _| u64::from((old as u32).wrapping_add(with as u32))
        }
        ("add", Type::U64) => |old, with, _| old.wrapping_add(with),
        ("inc", Type::U32) => |old, limit, _| if old >= limit { 0 } else { old + 1 },
        ("dec", Type::U32) => |old, limit, _| if old == 0 || old > limit { limit } else { old - 1 },
        ("min", Type::U32 | Type::U64) => |old, with, _| old.min(with),
        ("max", Type::U32 | Type::U64) => |old, with, _| old.max(with),
        ("min", Type::S32) => |old, with, _| u64::from((old as i32).min(with as i32) as u32),
        ("max", Type::S32) => |old, with, _| u64::from((old as i32).max(with as i32) as u32),
        ("min", Type::S64) => |old, with, _| (old as i64).min(with as i64) as u64,
        ("max", Type::S64) => |old, with, _| (old as i64).max(with as i64) as u64,
        ("add", Type::F32) => |old, with, _| {
            let sum = f32::from_bits(old as u32) + f32::from_bits(with as u32);
            u64::from(numeric::canonical(sum).to_bits())
        },
        ("add", Type::F64) => |old, with, _| (f64::from_bits(old) + f64::from_bits(with)).to_bits(),
        ("add", Type::F16) => |old, with, _| half_sums::<f16>(old, with, 1),
        ("add", Type::BF16) => |old, with, _| half_sums::<bf16>(old, with, 1),
        ("add", Type::F16x2) => |old, with, _| half_sums::<f16>(old, with, 2),
        ("add", Type::BF16x2) => |old, with, _| half_sums::<bf16>(old, with, 2),
        _ => return None,
    })
}

/// Atomic f32 additions flush subnormals in global memory, but not in shared memory.
fn flushed_sum(old: u64, with: u64, _: u64) -> u64 {
    let part = |bits: u64| f32::from_bits(bits as u32).flush();
    u64::from(numeric::canonical(part(old) + part(with)).flush().to_bits())
}

fn half_sums<T: Float + Scalar<Slot = u32>>(a: u64, b: u64, count: u32) -> u64 {
    let part = |value: u64, i: u32| T::from_slot((value >> (16 * i)) as u32 & 0xffff).to_f64();
    let sum = |i: u32| T::round(add_to_odd(part(a, i), part(b, i)), Rounding::Nearest);
    (0..count).map(|i| u64::from(sum(i).to_slot()) << (16 * i)).sum()
}

fn copy(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Step> {
    if !mnemonic.take("async") || mnemonic.has("bulk") || mnemonic.has("mbarrier") {
        return Err(mnemonic.unknown());
    }
    if mnemonic.take("commit_group") {
        return Ok(Step::AsyncCommit);
    }
    if mnemonic.take("wait_group") {
        return Ok(Step::AsyncWait(Some(operands.integer(0)? as u32)));
    }
    if mnemonic.take("wait_all") {
        return Ok(Step::AsyncWait(None));
    }
    let has_policy = mnemonic.has("L2::cache_hint");
    // Through L1 or bypassing it.
    let (is_ca, is_cg) = (mnemonic.take("ca"), mnemonic.take("cg"));
    if is_ca == is_cg {
        return Err(mnemonic.unknown());
    }
    ignore_hints(mnemonic);
    let is_to_shared = mnemonic.take("shared") || mnemonic.take("shared::cta");
    if !is_to_shared || !mnemonic.take("global") {
        return Err(mnemonic.unknown());
    }
    let (to, to_offset) = operands.memory(0)?;
    let (from, from_offset) = operands.memory(1)?;
    let bytes = operands.integer(2)? as u32;
    if !matches!(bytes, 4 | 8 | 16) {
        return Err(operands.wrong(format!("{bytes} bytes, expected 4, 8 or 16")));
    }
    if is_cg && bytes != 16 {
        return Err(operands.wrong(format!("{bytes} bytes, expected 16 with .cg")));
    }
    let (mut source_bytes, mut ignore_source) = (None, None);
    let count = operands.len() - usize::from(has_policy);
    if count > 3 {
        match operands.get(3)? {
            operand @ (Operand::Not(_) | Operand::Name(_)) if is_guard(operands, operand) => {
                ignore_source = Some(operands.guard(3)?);
            }
            _ => source_bytes = Some(operands.source(3, Type::U32)?),
        }
        operands.require(3, Role::SourceSize);
    }
    if has_policy {
        operands.get(count)?;
    }
    Ok(Step::AsyncCopy(AsyncCopy {
        to,
        to_offset,
        from,
        from_offset,
        bytes,
        source_bytes,
        ignore_source,
    }))
}

fn is_guard(operands: &Operands, operand: &Operand) -> bool {
    matches!(operand, Operand::Not(_)) || operands.is_predicate(operand)
}

fn matrix(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<LoadMatrix> {
    if !mnemonic.take("sync") || !mnemonic.take("aligned") || !mnemonic.take("m8n8") {
        return Err(mnemonic.unknown());
    }
    let counts = [("x1", 1), ("x2", 2), ("x4", 4)];
    let count = mnemonic.take_one_of(&counts).ok_or_else(|| mnemonic.unknown())?;
    let is_transposed = mnemonic.take("trans");
    let space = space(mnemonic);
    if !mnemonic.take("b16") || !matches!(space, Space::Shared | Space::Generic) {
        return Err(mnemonic.unknown());
    }
    let is_load = mnemonic.head == "ldmatrix";
    let (at, data) = if is_load { (1, 0) } else { (0, 1) };
    let elements = operands.vector(data)?;
    if elements.len() != count {
        return Err(operands.wrong(format!("{} elements, expected {count}", elements.len())));
    }
    let mut element = |operand| match is_load {
        true => operands.target_of(operand, Type::B32),
        false => operands.source_of(operand, Type::B32),
    };
    let elements = elements.iter().map(&mut element).collect::<Result<_>>()?;
    let (base, offset) = operands.memory(at)?;
    Ok(LoadMatrix { space, base, offset, elements, is_transposed })
}

fn fence(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Step> {
    let is_proxy = mnemonic.has("proxy");
    if is_proxy {
        return Err(mnemonic.unknown());
    }
    let scope = scope(mnemonic);
    mnemonic.ignore(&["sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu", "sys", "gl"]);
    operands.note_fence();
    Ok(Step::Fence(scope))
}

fn prefetch(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<(Class, Step)> {
    mnemonic.ignore(&["global", "local", "L1", "L2"]);
    for prefix in ["L1::", "L2::"] {
        mnemonic.ignore_prefixed(prefix);
    }
    let _: (Register, i64) = operands.memory(0)?;
    if operands.len() > 1 {
        operands.get(1)?;
    }
    Ok((Class::Other, Step::Nothing))
}

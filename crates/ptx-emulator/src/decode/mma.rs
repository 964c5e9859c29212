//! `mma.sync`: the product of two small matrices in the registers of a warp, plus a third matrix.
//!
//! Products are exact; their sum is accumulated in f64 and rounded once to the type of the result. The intermediate
//! rounding of hardware is not documented.

use super::mnemonic::Mnemonic;
use super::operands::Operands;
use super::{Class, Result, Step};
use crate::numeric::{Float, Rounding};
use crate::program::{Collective, CollectiveFn, Members};
use crate::registers::{LANES, Mask, Registers, Slot, write};
use crate::syntax::{Operand, Type};
use half::{bf16, f16};

/// The extents of `d[m][n] = a[m][k] * b[k][n] + c[m][n]`.
#[derive(Clone, Copy)]
struct Shape {
    m: usize,
    n: usize,
    k: usize,
}

/// A matrix operand: its type and registers.
struct Fragment {
    ty: Type,
    registers: Vec<u32>,
}

pub fn decode(mnemonic: &mut Mnemonic, operands: &mut Operands) -> Result<Option<(Class, Step)>> {
    if mnemonic.head != "mma" {
        return Ok(None);
    }
    if !mnemonic.take("sync") || !mnemonic.take("aligned") {
        return Err(mnemonic.unknown());
    }
    let shapes = [("m16n8k4", 4), ("m16n8k8", 8), ("m16n8k16", 16), ("m16n8k32", 32)];
    let k = mnemonic.take_one_of(&shapes).ok_or_else(|| mnemonic.unknown())?;
    let shape = Shape { m: 16, n: 8, k };
    if !mnemonic.take("row") || !mnemonic.take("col") {
        return Err(mnemonic.unknown());
    }
    let saturates = mnemonic.take("satfinite");
    let [d, a, b, c] = [mnemonic.ty()?, mnemonic.ty()?, mnemonic.ty()?, mnemonic.ty()?];
    let is_known = match (d, a, b) {
        (Type::F32 | Type::F16, Type::F16, Type::F16) => matches!(k, 8 | 16),
        (Type::F32, Type::BF16, Type::BF16) => matches!(k, 8 | 16),
        (Type::F32, Type::TF32, Type::TF32) => matches!(k, 4 | 8),
        (Type::S32, Type::S8 | Type::U8, Type::S8 | Type::U8) => matches!(k, 16 | 32),
        _ => false,
    };
    if !is_known || c != d || saturates && d != Type::S32 {
        return Err(mnemonic.unknown());
    }
    let mut fragment = |i: usize, ty: Type, rows: usize, columns: usize| -> Result<Fragment> {
        let elements = operands.vector(i)?;
        let expected = rows * columns * bytes(ty) / (4 * LANES);
        if elements.len() != expected {
            let found = elements.len();
            let reason = format!("operand {} has {found} registers, expected {expected}", i + 1);
            return Err(operands.wrong(reason));
        }
        let mut register = |operand: &Operand| match i {
            0 => operands.target_of(operand, Type::B32),
            _ => operands.source_of(operand, Type::B32),
        };
        Ok(Fragment { ty, registers: elements.iter().map(&mut register).collect::<Result<_>>()? })
    };
    let Shape { m, n, k } = shape;
    let d = fragment(0, d, m, n)?;
    let (a, b) = (fragment(1, a, m, k)?, fragment(2, b, k, n)?);
    let c = fragment(3, c, m, n)?;
    let run: CollectiveFn = match d.ty {
        Type::S32 => Box::new(move |registers, mask| {
            integer_product(registers, mask, [&d, &a, &b, &c], shape, saturates)
        }),
        _ => {
            Box::new(move |registers, mask| float_product(registers, mask, [&d, &a, &b, &c], shape))
        }
    };
    Ok(Some((Class::Matrix, Step::Collective(Collective { members: Members::All, run }))))
}

fn bytes(ty: Type) -> usize {
    ty.bytes() as usize
}

/// The lane, the register and the position in that register of an element of `a`. Each lane holds enough consecutive
/// elements to fill a register, in rows lane / 4 and lane / 4 + 8, and again in a second group of columns.
fn place_of_a(row: usize, column: usize, width: usize) -> (usize, usize, usize) {
    let per_register = 4 / width;
    let group = column / (4 * per_register);
    let lane = row % 8 * 4 + column % (4 * per_register) / per_register;
    (lane, row / 8 + 2 * group, column % per_register)
}

fn place_of_b(row: usize, column: usize, width: usize) -> (usize, usize, usize) {
    let per_register = 4 / width;
    let lane = column * 4 + row % (4 * per_register) / per_register;
    (lane, row / (4 * per_register), row % per_register)
}

/// The same for `c` and `d`, in 32-bit registers: two columns each, in rows lane / 4 and lane / 4 + 8.
fn place_of_c(row: usize, column: usize, width: usize) -> (usize, usize, usize) {
    let lane = row % 8 * 4 + column / 2;
    match width {
        4 => (lane, row / 8 * 2 + column % 2, 0),
        _ => (lane, row / 8, column % 2),
    }
}

type Place = fn(usize, usize, usize) -> (usize, usize, usize);

fn element(
    registers: &Registers,
    from: &Fragment,
    (lane, register, part): (usize, usize, usize),
) -> u32 {
    let bits = 8 * bytes(from.ty) as u32;
    let value = u32::lanes(registers, from.registers[register])[lane];
    value >> (bits * part as u32) & (u32::MAX >> (32 - bits))
}

fn float(bits: u32, ty: Type) -> f64 {
    match ty {
        Type::F16 => f16::from_bits(bits as u16).to_f64(),
        Type::BF16 => bf16::from_bits(bits as u16).to_f64(),
        // Hardware ignores the low bits that tf32 does not have.
        Type::TF32 => f64::from(f32::from_bits(bits & !0x1fff)),
        _ => f64::from(f32::from_bits(bits)),
    }
}

/// Collects a matrix in row-major order.
fn gather<T>(
    registers: &Registers,
    from: &Fragment,
    [rows, columns]: [usize; 2],
    place: Place,
    of: impl Fn(u32) -> T,
) -> Vec<T> {
    let width = bytes(from.ty);
    let at = |i: usize| element(registers, from, place(i / columns, i % columns, width));
    (0..rows * columns).map(|i| of(at(i))).collect()
}

fn scatter(
    registers: &mut Registers,
    to: &Fragment,
    [rows, columns]: [usize; 2],
    mask: Mask,
    of: impl Fn(usize, usize) -> u32,
) {
    let mut result = vec![[0_u32; LANES]; to.registers.len()];
    let width = bytes(to.ty);
    for (row, column) in (0..rows * columns).map(|i| (i / columns, i % columns)) {
        let (lane, register, part) = place_of_c(row, column, width);
        result[register][lane] |= of(row, column) << (8 * width * part);
    }
    for (index, lanes) in to.registers.iter().zip(result) {
        write(registers, *index, lanes, mask);
    }
}

fn float_product(
    registers: &mut Registers,
    mask: Mask,
    [d, a, b, c]: [&Fragment; 4],
    Shape { m, n, k }: Shape,
) -> Mask {
    let left = gather(registers, a, [m, k], place_of_a, |bits| float(bits, a.ty));
    let right = gather(registers, b, [k, n], place_of_b, |bits| float(bits, b.ty));
    let initial = gather(registers, c, [m, n], place_of_c, |bits| float(bits, c.ty));
    let cell = |row: usize, column: usize| {
        let products = (0..k).map(|i| left[row * k + i] * right[i * n + column]);
        let sum = products.sum::<f64>() + initial[row * n + column];
        match d.ty {
            Type::F16 => u32::from(f16::round(sum, Rounding::Nearest).to_bits()),
            _ => <f32 as Float>::round(sum, Rounding::Nearest).to_bits(),
        }
    };
    scatter(registers, d, [m, n], mask, cell);
    0
}

fn integer_product(
    registers: &mut Registers,
    mask: Mask,
    [d, a, b, c]: [&Fragment; 4],
    Shape { m, n, k }: Shape,
    saturates: bool,
) -> Mask {
    let value = |ty: Type| {
        move |bits: u32| match ty {
            Type::S8 => i64::from(bits as i8),
            Type::U8 => i64::from(bits),
            _ => i64::from(bits as i32),
        }
    };
    let left = gather(registers, a, [m, k], place_of_a, value(a.ty));
    let right = gather(registers, b, [k, n], place_of_b, value(b.ty));
    let initial = gather(registers, c, [m, n], place_of_c, value(c.ty));
    let cell = |row: usize, column: usize| {
        let products = (0..k).map(|i| left[row * k + i] * right[i * n + column]);
        let sum = products.sum::<i64>() + initial[row * n + column];
        match saturates {
            true => sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32,
            false => sum as u32,
        }
    };
    scatter(registers, d, [m, n], mask, cell);
    0
}

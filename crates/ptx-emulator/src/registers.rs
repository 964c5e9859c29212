//! The registers of a warp, with the 32 lanes of each register stored contiguously, and the loops over lanes that
//! implement instructions.
//!
//! Constants and most special registers are registers too: they are initialised before a warp starts. So an operand is
//! always an index, and a loop over lanes has no branches.

use half::{bf16, f16};

pub const LANES: usize = 32;

/// A bit for each lane.
pub type Mask = u32;

pub const ALL: Mask = u32::MAX;

/// The lanes of a mask, lowest first.
pub fn lanes(mask: Mask) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros();
        (rest != 0).then(|| {
            rest &= rest - 1;
            lane as usize
        })
    })
}

/// Registers of 8 to 32 bits are in `narrow`, zero-extended.
#[derive(Clone, Default)]
pub struct Registers {
    pub narrow: Vec<[u32; LANES]>,
    pub wide: Vec<[u64; LANES]>,
    pub predicates: Vec<Mask>,
}

/// The storage type of a register: `u32` or `u64`.
pub trait Slot: Copy + Default + Send + Sync + 'static {
    fn lanes(registers: &Registers, index: u32) -> &[Self; LANES];
    fn lanes_mut(registers: &mut Registers, index: u32) -> &mut [Self; LANES];
    fn to_u64(self) -> u64;
    fn from_u64(value: u64) -> Self;
}

impl Slot for u32 {
    fn lanes(registers: &Registers, index: u32) -> &[u32; LANES] {
        &registers.narrow[index as usize]
    }

    fn lanes_mut(registers: &mut Registers, index: u32) -> &mut [u32; LANES] {
        &mut registers.narrow[index as usize]
    }

    fn to_u64(self) -> u64 {
        u64::from(self)
    }

    fn from_u64(value: u64) -> u32 {
        value as u32
    }
}

impl Slot for u64 {
    fn lanes(registers: &Registers, index: u32) -> &[u64; LANES] {
        &registers.wide[index as usize]
    }

    fn lanes_mut(registers: &mut Registers, index: u32) -> &mut [u64; LANES] {
        &mut registers.wide[index as usize]
    }

    fn to_u64(self) -> u64 {
        self
    }

    fn from_u64(value: u64) -> u64 {
        value
    }
}

/// A type of register values.
pub trait Scalar: Copy + Send + Sync + 'static {
    type Slot: Slot;
    fn from_slot(slot: Self::Slot) -> Self;
    fn to_slot(self) -> Self::Slot;
}

macro_rules! scalars {
    ($($ty:ty: $slot:ty, $from:expr, $to:expr;)*) => {
        $(impl Scalar for $ty {
            type Slot = $slot;
            #[inline(always)]
            fn from_slot(slot: $slot) -> $ty {
                let from: fn($slot) -> $ty = $from;
                from(slot)
            }
            #[inline(always)]
            fn to_slot(self) -> $slot {
                let to: fn($ty) -> $slot = $to;
                to(self)
            }
        })*
    };
}

scalars! {
    u8: u32, |slot| slot as u8, u32::from;
    i8: u32, |slot| slot as i8, |value| u32::from(value as u8);
    u16: u32, |slot| slot as u16, u32::from;
    i16: u32, |slot| slot as i16, |value| u32::from(value as u16);
    u32: u32, |slot| slot, |value| value;
    i32: u32, |slot| slot as i32, |value| value as u32;
    u64: u64, |slot| slot, |value| value;
    i64: u64, |slot| slot as i64, |value| value as u64;
    f32: u32, f32::from_bits, f32::to_bits;
    f64: u64, f64::from_bits, f64::to_bits;
    f16: u32, |slot| f16::from_bits(slot as u16), |value| u32::from(value.to_bits());
    bf16: u32, |slot| bf16::from_bits(slot as u16), |value| u32::from(value.to_bits());
}

/// An instruction on registers alone: it runs the lanes of a mask and returns the faulty lanes.
pub type Lanewise = Box<dyn Fn(&mut Registers, Mask) -> Mask + Send + Sync>;

/// Writes the lanes of a mask.
#[inline(always)]
pub fn write<S: Slot>(registers: &mut Registers, index: u32, values: [S; LANES], mask: Mask) {
    let target = S::lanes_mut(registers, index);
    if mask == ALL {
        *target = values;
        return;
    }
    for lane in 0..LANES {
        if mask >> lane & 1 != 0 {
            target[lane] = values[lane];
        }
    }
}

pub fn unary<A: Scalar, R: Scalar>(
    [to, a]: [u32; 2],
    of: impl Fn(A) -> R + Send + Sync + 'static,
) -> Lanewise {
    Box::new(move |registers, mask| {
        let a = A::Slot::lanes(registers, a);
        let mut result = [R::Slot::default(); LANES];
        for lane in 0..LANES {
            result[lane] = of(A::from_slot(a[lane])).to_slot();
        }
        write(registers, to, result, mask);
        0
    })
}

/// Like [`unary`], for functions that are too slow to run for inactive lanes.
pub fn unary_slow<A: Scalar, R: Scalar>(
    [to, a]: [u32; 2],
    of: impl Fn(A) -> R + Send + Sync + 'static,
) -> Lanewise {
    Box::new(move |registers, mask| {
        for lane in lanes(mask) {
            let value = of(A::from_slot(A::Slot::lanes(registers, a)[lane]));
            R::Slot::lanes_mut(registers, to)[lane] = value.to_slot();
        }
        0
    })
}

pub fn binary<A: Scalar, B: Scalar, R: Scalar>(
    [to, a, b]: [u32; 3],
    of: impl Fn(A, B) -> R + Send + Sync + 'static,
) -> Lanewise {
    Box::new(move |registers, mask| {
        let (a, b) = (A::Slot::lanes(registers, a), B::Slot::lanes(registers, b));
        let mut result = [R::Slot::default(); LANES];
        for lane in 0..LANES {
            result[lane] = of(A::from_slot(a[lane]), B::from_slot(b[lane])).to_slot();
        }
        write(registers, to, result, mask);
        0
    })
}

/// A lane for which the function returns `None` is faulty.
pub fn checked_binary<A: Scalar, B: Scalar, R: Scalar>(
    [to, a, b]: [u32; 3],
    of: impl Fn(A, B) -> Option<R> + Send + Sync + 'static,
) -> Lanewise {
    Box::new(move |registers, mask| {
        let mut faults = 0;
        for lane in lanes(mask) {
            let a = A::from_slot(A::Slot::lanes(registers, a)[lane]);
            let b = B::from_slot(B::Slot::lanes(registers, b)[lane]);
            match of(a, b) {
                Some(value) => R::Slot::lanes_mut(registers, to)[lane] = value.to_slot(),
                None => faults |= 1 << lane,
            }
        }
        faults
    })
}

pub fn ternary<A: Scalar, B: Scalar, C: Scalar, R: Scalar>(
    [to, a, b, c]: [u32; 4],
    of: impl Fn(A, B, C) -> R + Send + Sync + 'static,
) -> Lanewise {
    Box::new(move |registers, mask| {
        let (a, b) = (A::Slot::lanes(registers, a), B::Slot::lanes(registers, b));
        let c = C::Slot::lanes(registers, c);
        let mut result = [R::Slot::default(); LANES];
        for lane in 0..LANES {
            let (a, b) = (A::from_slot(a[lane]), B::from_slot(b[lane]));
            result[lane] = of(a, b, C::from_slot(c[lane])).to_slot();
        }
        write(registers, to, result, mask);
        0
    })
}

/// A comparison: returns the mask of the lanes for which it holds.
pub fn compare<T: Scalar>(
    registers: &Registers,
    [a, b]: [u32; 2],
    of: impl Fn(T, T) -> bool,
) -> Mask {
    let (a, b) = (T::Slot::lanes(registers, a), T::Slot::lanes(registers, b));
    let mut result = 0;
    for lane in 0..LANES {
        result |= u32::from(of(T::from_slot(a[lane]), T::from_slot(b[lane]))) << lane;
    }
    result
}

pub fn write_predicate(registers: &mut Registers, index: u32, value: Mask, mask: Mask) {
    let target = &mut registers.predicates[index as usize];
    *target = *target & !mask | value & mask;
}

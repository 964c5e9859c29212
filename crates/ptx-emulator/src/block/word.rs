//! Conversion between registers, words and bytes of memory.

use crate::memory::{WORDS, Words};
use crate::program::{Access, Register};
use crate::registers::{LANES, Mask, Registers, lanes, write};

pub fn register(registers: &Registers, register: Register, lane: usize) -> u64 {
    match register.is_wide() {
        true => registers.wide[register.index as usize][lane],
        false => u64::from(registers.narrow[register.index as usize][lane]),
    }
}

pub fn set_register(registers: &mut Registers, register: Register, lane: usize, value: u64) {
    match register.is_wide() {
        true => registers.wide[register.index as usize][lane] = value,
        false => {
            let ones = u32::MAX >> (32 - 8 * register.bytes);
            registers.narrow[register.index as usize][lane] = value as u32 & ones;
        }
    }
}

/// Writes the loaded words of the lanes of a mask to registers.
#[inline(always)]
pub fn scatter(
    registers: &mut Registers,
    access: &Access,
    mask: Mask,
    loaded: &[[u32; LANES]; WORDS],
) {
    for (i, to) in access.elements.iter().enumerate() {
        let Some(to) = to else { continue };
        match (access.bytes, to.bytes) {
            (4, 4) => {
                write(registers, to.index, loaded[i], mask);
                continue;
            }
            (8, 8) => {
                let (low, high) = (&loaded[2 * i], &loaded[2 * i + 1]);
                let of = |lane: usize| u64::from(high[lane]) << 32 | u64::from(low[lane]);
                write(registers, to.index, std::array::from_fn(of), mask);
                continue;
            }
            _ => {}
        }
        for lane in lanes(mask) {
            let words = std::array::from_fn(|at| loaded[at][lane]);
            set_register(registers, *to, lane, element(access, &words, i));
        }
    }
}

/// An element of loaded words, extended as its register requires.
#[inline(always)]
pub fn element(access: &Access, words: &Words, number: usize) -> u64 {
    let at = number * access.bytes as usize;
    let word = words[at / 4] >> (8 * (at as u32 % 4));
    match (access.bytes, access.is_signed) {
        (1, false) => u64::from(word as u8),
        (1, true) => word as i8 as u64,
        (2, false) => u64::from(word as u16),
        (2, true) => word as i16 as u64,
        (4, false) => u64::from(word),
        (4, true) => word as i32 as u64,
        _ => u64::from(words[at / 4 + 1]) << 32 | u64::from(word),
    }
}

/// Reads the words to store from registers.
#[inline(always)]
pub fn gather(registers: &Registers, access: &Access, lane: usize) -> Words {
    let mut words = Words::default();
    for (i, from) in access.elements.iter().enumerate() {
        if let Some(from) = from
            && (access.bytes, from.bytes) == (4, 4)
        {
            words[i] = registers.narrow[from.index as usize][lane];
            continue;
        }
        let value = from.map_or(0, |it| register(registers, it, lane));
        let at = i * access.bytes as usize;
        let ones = u64::MAX >> (64 - 8 * access.bytes);
        words[at / 4] |= ((value & ones) << (8 * (at as u32 % 4))) as u32;
        if access.bytes == 8 {
            words[at / 4 + 1] = (value >> 32) as u32;
        }
    }
    words
}

/// True if all bytes have the value; there are 1, 2, 4, 8, 16 or 32 of them.
#[inline(always)]
pub fn are_all(bytes: &[u8], value: u8) -> bool {
    match bytes.as_chunks() {
        ([], rest) => rest.iter().all(|it| *it == value),
        (parts, _) => parts.iter().all(|it| *it == [value; 4]),
    }
}

/// Converts bytes to words; fewer than four bytes are in the low bits.
#[inline(always)]
pub fn fill(words: &mut Words, bytes: &[u8]) {
    let whole = bytes.chunks_exact(4);
    for (i, byte) in whole.remainder().iter().enumerate() {
        words[bytes.len() / 4] |= u32::from(*byte) << (8 * i);
    }
    for (word, bytes) in words.iter_mut().zip(whole) {
        *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
}

/// Converts words to bytes.
#[inline(always)]
pub fn empty(words: &Words, bytes: &mut [u8]) {
    let last = words[bytes.len() / 4 % words.len()];
    let mut whole = bytes.chunks_exact_mut(4);
    for (word, bytes) in words.iter().zip(&mut whole) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    for (byte, value) in whole.into_remainder().iter_mut().zip(last.to_le_bytes()) {
        *byte = value;
    }
}

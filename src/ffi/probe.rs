//! Kernels that measure a processor.
//!
//! They are in assembly, so that they are the same in builds with and without optimization, and no compiler replaces a
//! copy by `memcpy`, which chooses between cached and streaming stores itself.

use std::arch::asm;

/// How a copy writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    /// Through the caches.
    Cached,
    /// Past the caches (non-temporal).
    Streaming,
}

/// The bytes of a cache line.
pub const LINE: usize = 64;

/// The bytes that an iteration of [`read`] reads.
pub const STEP: usize = 512;

/// The golden ratio less one: its multiples are as far from each other, modulo one, as those of any number.
const FAR: f64 = 0.618_033_988_749_894_9;

/// Chains of multiply-adds: more than the latency of the units times their number, and as many as SSE has registers for.
const CHAINS: usize = 12;

/// Copies bytes, in the widest vectors: stores of whole cache lines may cost less than stores of their parts, because a
/// processor need not read a line first.
///
/// # Panics
/// If the arrays differ in length, are empty or no whole cache lines, or do not start at one.
pub fn copy(from: &[u8], to: &mut [u8], store: Store) {
    assert_eq!(from.len(), to.len());
    assert!(is_whole(from, LINE) && is_whole(to, LINE), "the arrays are whole cache lines");
    macro_rules! copy {
        ($load:literal, $store:literal, $vector:literal, $offsets:literal) => {
            // SAFETY: the arrays are valid for their length, which is a multiple of what an iteration copies and not 0,
            // and are aligned. The processor has the vectors.
            unsafe {
                asm!(
                    "2:",
                    concat!(".irp offset, ", $offsets),
                    concat!($load, " ", $vector, ", [{from} + \\offset]"),
                    concat!($store, " [{to} + \\offset], ", $vector),
                    ".endr",
                    "add {from}, 64",
                    "add {to}, 64",
                    "sub {rest}, 64",
                    "jnz 2b",
                    "sfence",
                    from = inout(reg) from.as_ptr() => _,
                    to = inout(reg) to.as_mut_ptr() => _,
                    rest = inout(reg) from.len() => _,
                    out("xmm0") _,
                    options(nostack),
                );
            }
        };
    }
    match (Width::widest(), store) {
        (Width::Bits128, Store::Cached) => copy!("movaps", "movaps", "xmm0", "0,16,32,48"),
        (Width::Bits128, Store::Streaming) => copy!("movaps", "movntps", "xmm0", "0,16,32,48"),
        (Width::Bits256, Store::Cached) => copy!("vmovaps", "vmovaps", "ymm0", "0,32"),
        (Width::Bits256, Store::Streaming) => copy!("vmovaps", "vmovntps", "ymm0", "0,32"),
        (Width::Bits512, Store::Cached) => copy!("vmovaps", "vmovaps", "zmm0", "0"),
        (Width::Bits512, Store::Streaming) => copy!("vmovaps", "vmovntps", "zmm0", "0"),
    }
}

/// True if an array starts at a multiple of a cache line and is a multiple of `bytes`, but not empty.
fn is_whole(array: &[u8], bytes: usize) -> bool {
    !array.is_empty()
        && array.len().is_multiple_of(bytes)
        && array.as_ptr().addr().is_multiple_of(LINE)
}

/// The widest vectors that the processor has multiply-adds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Bits128,
    Bits256,
    Bits512,
}

impl Width {
    fn widest() -> Self {
        match () {
            () if is_x86_feature_detected!("avx512f") => Self::Bits512,
            () if is_x86_feature_detected!("avx") && is_x86_feature_detected!("fma") => {
                Self::Bits256
            }
            () => Self::Bits128,
        }
    }

    /// The lanes of f32.
    fn lanes(self) -> usize {
        match self {
            Self::Bits128 => 4,
            Self::Bits256 => 8,
            Self::Bits512 => 16,
        }
    }
}

/// Reads an array, in the widest vectors.
///
/// # Panics
/// If the array is empty or no multiple of [`STEP`], or does not start at a cache line.
pub fn read(array: &[u8]) {
    assert!(is_whole(array, STEP), "the array is whole steps");
    macro_rules! read {
        ($load:literal, $offsets:literal) => {
            // SAFETY: the array is valid for its length, which is a multiple of an iteration's 512 bytes and not 0, and is
            // aligned. The processor has the vectors.
            unsafe {
                asm!(
                    "2:",
                    concat!(".irp offset, ", $offsets),
                    concat!($load, ", [{from} + \\offset]"),
                    concat!($load, ", [{from} + 256 + \\offset]"),
                    ".endr",
                    "add {from}, 512",
                    "sub {rest}, 512",
                    "jnz 2b",
                    from = inout(reg) array.as_ptr() => _,
                    rest = inout(reg) array.len() => _,
                    out("xmm0") _,
                    options(nostack, readonly),
                );
            }
        };
    }
    match Width::widest() {
        Width::Bits128 => {
            read!("movaps xmm0", "0,16,32,48,64,80,96,112,128,144,160,176,192,208,224,240");
        }
        Width::Bits256 => read!("vmovaps ymm0", "0,32,64,96,128,160,192,224"),
        Width::Bits512 => read!("vmovaps zmm0", "0,64,128,192"),
    }
}

/// Reads `count` lines of an array, two at a time, in an order of which no lines that follow each other are near each other: they are
/// half an array apart, and the next two [`FAR`] parts of the array behind them, beginning again at the front.
///
/// # Panics
/// If the array does not start at a cache line, or is not a power of two of lines, at least two.
pub fn read_scattered(array: &[u8], count: usize) {
    assert!(
        is_whole(array, 2 * LINE) && array.len().is_power_of_two(),
        "the lines are a power of two"
    );
    // An odd number of lines comes to each line before it comes to one again.
    let step = (((array.len() as f64 * FAR) as usize / LINE) | 1) * LINE;
    // SAFETY: the offsets are multiples of a line below the length of the array, which is a power of two.
    unsafe {
        asm!(
            "2:",
            "mov {read}, [{from} + {offset}]",
            "mov {other}, {offset}",
            "xor {other}, {half}",
            "mov {read}, [{from} + {other}]",
            "add {offset}, {step}",
            "and {offset}, {mask}",
            "sub {rest}, 1",
            "jnz 2b",
            from = in(reg) array.as_ptr(),
            step = in(reg) step,
            half = in(reg) array.len() / 2,
            mask = in(reg) array.len() - 1,
            other = out(reg) _,
            offset = inout(reg) 0usize => _,
            read = out(reg) _,
            rest = inout(reg) count.div_ceil(2).max(1) => _,
            options(nostack, readonly),
        );
    }
}

/// Runs steps of independent chains of multiply-adds of f32 in registers, in the widest vectors; returns the number of
/// operations.
pub fn multiply_add(steps: usize) -> usize {
    let steps = steps.max(1);
    macro_rules! chains {
        ($zero:literal, $($step:literal),+) => {
            // SAFETY: the code uses registers only, and the processor has them.
            unsafe {
                asm!(
                    ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11,12,13",
                    $zero,
                    ".endr",
                    "2:",
                    ".irp i, 0,1,2,3,4,5,6,7,8,9,10,11",
                    $($step,)+
                    ".endr",
                    "sub {rest}, 1",
                    "jnz 2b",
                    rest = inout(reg) steps => _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _,
                    out("xmm5") _, out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _,
                    out("xmm10") _, out("xmm11") _, out("xmm12") _, out("xmm13") _,
                    options(nostack, nomem),
                );
            }
        };
    }
    let width = Width::widest();
    match width {
        Width::Bits128 => {
            chains!("xorps xmm\\i, xmm\\i", "mulps xmm\\i, xmm12", "addps xmm\\i, xmm13")
        }
        Width::Bits256 => {
            chains!("vxorps xmm\\i, xmm\\i, xmm\\i", "vfmadd231ps ymm\\i, ymm12, ymm13");
        }
        Width::Bits512 => {
            chains!("vxorps xmm\\i, xmm\\i, xmm\\i", "vfmadd231ps zmm\\i, zmm12, zmm13");
        }
    }
    2 * steps * CHAINS * width.lanes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole cache lines.
    #[repr(align(64))]
    struct Lines([u8; 32 * LINE]);

    fn numbers() -> Lines {
        Lines(std::array::from_fn(|i| i as u8))
    }

    #[test]
    fn both_stores_copy() {
        let from = numbers();
        for store in [Store::Cached, Store::Streaming] {
            let mut to = Lines([0; 32 * LINE]);
            copy(&from.0[..31 * LINE], &mut to.0[..31 * LINE], store);
            assert_eq!(from.0[..31 * LINE], to.0[..31 * LINE], "{store:?}");
            assert_eq!(to.0[31 * LINE..], [0; LINE], "{store:?}");
        }
    }

    #[test]
    fn parts_of_lines_and_steps_are_refused() {
        let from = numbers();
        let copied = || copy(&from.0[1..=LINE], &mut numbers().0[..LINE], Store::Streaming);
        assert!(std::panic::catch_unwind(copied).is_err());
        assert!(std::panic::catch_unwind(|| read(&from.0[..LINE])).is_err());
        assert!(std::panic::catch_unwind(|| read_scattered(&from.0[..3 * LINE], 1)).is_err());
        assert!(std::panic::catch_unwind(|| read_scattered(&from.0[..LINE], 1)).is_err());
    }

    #[test]
    fn operations_are_counted() {
        read(&numbers().0);
        read_scattered(&numbers().0[..4 * LINE], 100);
        assert_eq!(multiply_add(3), 2 * 3 * 12 * Width::widest().lanes());
    }
}

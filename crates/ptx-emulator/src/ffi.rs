//! Vector instructions of the host that need `unsafe`.

use crate::registers::LANES;

/// `a * b + c` of each lane, rounded once.
pub fn fused_multiply_add(a: &[u32; LANES], b: &[u32; LANES], c: &[u32; LANES]) -> [u32; LANES] {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the feature detection has found both instruction sets.
        return unsafe { with_instruction(a, b, c) };
    }
    each_lane(a, b, c)
}

/// Like [`each_lane`]: compiled with these features it is a few instructions instead of a call for each lane.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_instruction(a: &[u32; LANES], b: &[u32; LANES], c: &[u32; LANES]) -> [u32; LANES] {
    each_lane(a, b, c)
}

#[inline(always)]
fn each_lane(a: &[u32; LANES], b: &[u32; LANES], c: &[u32; LANES]) -> [u32; LANES] {
    let mut result = [0; LANES];
    for lane in 0..LANES {
        let [a, b, c] = [a[lane], b[lane], c[lane]].map(f32::from_bits);
        result[lane] = crate::numeric::canonical(a.mul_add(b, c)).to_bits();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        let mut state = 3_u32;
        let mut next = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            state ^ state >> 15
        };
        for _ in 0..1000 {
            let mut lanes = || [0; LANES].map(|_: u32| next());
            let (a, b, c) = (lanes(), lanes(), lanes());
            assert_eq!(fused_multiply_add(&a, &b, &c), each_lane(&a, &b, &c));
        }
    }
}

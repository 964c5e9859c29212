//! Pseudo-random numbers from a seed: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! The interpreter of loopwright has a generator of its own, because the emulator shares no code with the compiler.

pub struct Random(u64);

impl Random {
    /// Each pair of seed and stream has its own sequence.
    pub fn new(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed ^ stream.wrapping_mul(0xd1b5_4a32_d192_ed03));
        random.next();
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number from 0 to `end` - 1. The small bias is irrelevant here.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }
}

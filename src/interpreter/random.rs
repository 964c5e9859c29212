//! Random numbers from a seed, which decides all of them: SplitMix64 (Steele, Lea and Flood, 2014).
//!
//! The emulator of PTX has a generator of its own, because it shares no code with this package.

/// The distance of successive states.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator.
pub struct Random(u64);

impl Random {
    /// A generator; equal seeds give equal numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        mixed(self.0)
    }

    /// A number from `low` to `high`, both included; `low` if there is none.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        let count = high.saturating_sub(low).saturating_add(1);
        low + self.bits() % count
    }

    /// A random permutation of 0..n.
    pub fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        self.shuffle(&mut order);
        order
    }

    /// Permutes the items (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, (self.bits() % (last as u64 + 1)) as usize);
        }
    }
}

/// The number at a position, from 1, of the sequence of seed 0.
pub fn nth(position: u64) -> u64 {
    mixed(position.wrapping_mul(GAMMA))
}

fn mixed(state: u64) -> u64 {
    let mut bits = state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the published generator for seed 0.
    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let published = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
        let mut random = Random::new(0);
        assert_eq!([(); 3].map(|()| random.bits()), published);
        assert_eq!([1, 2, 3].map(nth), published);
    }

    #[test]
    fn an_order_is_a_permutation_that_the_seed_decides() {
        let order = Random::new(5).order(100);
        assert_eq!(order, Random::new(5).order(100));
        assert_ne!(order, Random::new(6).order(100));
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}

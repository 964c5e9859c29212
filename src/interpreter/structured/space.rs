//! The iteration space of a structured op, and the order of its iterations.
//!
//! Parallel iterations are unordered: they run in an order that the seed decides. Within each, the other
//! iterators run in lexicographic order.

use crate::interpreter::random::Random;
use crate::ir::IteratorKind;

/// The loops of one structured op with their ranges.
#[derive(Clone)]
pub struct LoopRanges {
    ranges: Vec<usize>,
    parallel: Vec<usize>,
    sequential: Vec<usize>,
}

/// More parallel iterations are refused, like as many elements.
const MAX_PARALLEL: usize = 1 << 26;

impl LoopRanges {
    pub fn new(kinds: &[IteratorKind], ranges: Vec<usize>) -> LoopRanges {
        let (parallel, sequential) =
            (0..ranges.len()).partition(|i| kinds.get(*i) == Some(&IteratorKind::Parallel));
        LoopRanges { ranges, parallel, sequential }
    }

    pub fn rank(&self) -> usize {
        self.ranges.len()
    }

    /// The parallel loops with more than one iteration.
    pub fn concurrent(&self) -> impl Iterator<Item = usize> {
        self.parallel.iter().copied().filter(|i| self.ranges[*i] > 1)
    }

    pub fn is_empty(&self) -> bool {
        self.ranges.contains(&0)
    }

    /// All parallel iterations in random order; `None` if there are too many.
    pub fn order(&self, seed: u64) -> Option<Vec<u32>> {
        let mut each = self.parallel.iter().map(|i| self.ranges[*i]);
        let n = each.try_fold(1usize, usize::checked_mul)?;
        (n <= MAX_PARALLEL).then(|| {
            let mut order: Vec<u32> = (0..n as u32).collect();
            Random::new(seed).shuffle(&mut order);
            order
        })
    }

    /// Writes the initial loop values of a parallel iteration.
    pub fn enter(&self, iteration: u32, loops: &mut [i64]) {
        let mut rest = iteration as usize;
        for i in self.parallel.iter().rev() {
            loops[*i] = (rest % self.ranges[*i]) as i64;
            rest /= self.ranges[*i];
        }
        for i in &self.sequential {
            loops[*i] = 0;
        }
    }

    /// Advances to the next sequential iteration; false if there is none.
    pub fn step(&self, loops: &mut [i64]) -> bool {
        for i in self.sequential.iter().rev() {
            loops[*i] += 1;
            if loops[*i] < self.ranges[*i] as i64 {
                return true;
            }
            loops[*i] = 0;
        }
        false
    }

    /// A parallel iteration as text for messages: `(d0 = 2, d1 = 0)`.
    pub fn describe(&self, iteration: u32) -> String {
        let mut loops = vec![0; self.ranges.len()];
        self.enter(iteration, &mut loops);
        let each: Vec<_> = self.parallel.iter().map(|i| format!("d{i} = {}", loops[*i])).collect();
        format!("({})", each.join(", "))
    }
}

//! Memory planning: offsets of buffers in one allocation, where buffers that are not live together may overlap.
//!
//! If sizes are known, [`lay_out`] gives the offsets. If not, a layout for assumed sizes gives a [`StackingOrder`]: of two buffers
//! that are live together, the one with the lower offset. It is legal for all sizes, if each buffer begins where the last of
//! the buffers below it ends.

use std::ops::RangeInclusive;

/// A buffer: its size in bytes, and its live range from the first use to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveBuffer {
    pub bytes: i64,
    pub live: RangeInclusive<usize>,
}

/// The offset of each buffer, in the order in which they were given, and the size of the allocation, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageLayout {
    pub offsets: Vec<i64>,
    pub bytes: i64,
}

/// Assigns offsets that are multiples of `alignment`. The largest buffer comes first, and each one gets the lowest
/// offset at which it overlaps no buffer that is live with it. Requires that [`without_reuse`] gives a sum.
pub fn lay_out(items: &[LiveBuffer], alignment: i64) -> StorageLayout {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|i| (-items[*i].bytes, *items[*i].live.start(), *i));
    let mut offsets = vec![0_i64; items.len()];
    let mut placed: Vec<usize> = vec![];
    for i in order {
        let item = &items[i];
        let meets = |other: &&usize| meet(&items[**other].live, &item.live);
        let mut taken: Vec<(i64, i64)> = placed
            .iter()
            .filter(meets)
            .map(|other| (offsets[*other], offsets[*other].saturating_add(items[*other].bytes)))
            .collect();
        taken.sort_unstable();
        let mut offset: i64 = 0;
        for (first, end) in taken {
            if offset + item.bytes > first {
                offset = offset.max(round_up(end, alignment));
            }
        }
        offsets[i] = offset;
        placed.push(i);
    }
    let end = |i: usize| offsets[i].saturating_add(items[i].bytes);
    let bytes = (0..items.len()).map(end).max().unwrap_or(0);
    StorageLayout { offsets, bytes: round_up(bytes, alignment) }
}

/// The most bytes that are live at once, each buffer rounded up to `alignment`: no layout needs fewer.
pub fn peak(items: &[LiveBuffer], alignment: i64) -> i64 {
    let live_at = |at: usize| {
        let live = items.iter().filter(|item| item.live.contains(&at));
        live.fold(0_i64, |sum, item| sum.saturating_add(round_up(item.bytes, alignment)))
    };
    // Some buffer becomes live where most bytes are live.
    items.iter().map(|item| live_at(*item.live.start())).max().unwrap_or(0)
}

/// For each buffer, the buffers that are below it in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StackingOrder {
    /// All buffers, each one behind those that are below it.
    order: Vec<usize>,
    /// The buffers that are live with it and have lower offsets, except those that are below another one of them.
    below: Vec<Vec<usize>>,
}

impl StackingOrder {
    /// The order of a layout of buffers, none of which is empty.
    pub fn of(items: &[LiveBuffer], layout: &StorageLayout) -> StackingOrder {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|i| (layout.offsets[*i], *i));
        let mut below = vec![vec![]; items.len()];
        for (place, i) in order.iter().enumerate() {
            let together = |other: &&usize| meet(&items[**other].live, &items[*i].live);
            let mut all: Vec<usize> = vec![];
            // From the highest one on, so that those below it are known to be redundant.
            for other in order[..place].iter().rev().filter(together) {
                if !all.iter().any(|above: &usize| meet(&items[*above].live, &items[*other].live)) {
                    all.push(*other);
                }
            }
            below[*i] = all;
        }
        StackingOrder { order, below }
    }

    /// The offset of each buffer for other sizes, and the end of the last buffer. The sizes are multiples of the alignment.
    pub fn place<T: Copy>(
        &self,
        bytes: &[T],
        zero: T,
        sum: impl Fn(T, T) -> T,
        max: impl Fn(T, T) -> T,
    ) -> (Vec<T>, T) {
        let (mut offsets, mut ends) = (vec![zero; bytes.len()], bytes.to_vec());
        for i in &self.order {
            if let Some(offset) = self.below[*i].iter().map(|other| ends[*other]).reduce(&max) {
                offsets[*i] = offset;
                ends[*i] = sum(offset, bytes[*i]);
            }
        }
        let is_below = |i: &usize| self.below.iter().any(|below| below.contains(i));
        let last = self.order.iter().filter(|i| !is_below(i)).map(|i| ends[*i]);
        (offsets, last.reduce(&max).unwrap_or(zero))
    }
}

fn meet(a: &RangeInclusive<usize>, b: &RangeInclusive<usize>) -> bool {
    a.start() <= b.end() && b.start() <= a.end()
}

/// The bytes of all buffers one after another, each rounded up to `alignment`; `None` if the sum overflows.
pub fn without_reuse(items: &[LiveBuffer], alignment: i64) -> Option<i64> {
    items.iter().try_fold(0_i64, |sum, item| {
        item.bytes.checked_add(alignment - 1)?;
        sum.checked_add(round_up(item.bytes, alignment))
    })
}

/// Rounds up to a multiple of `alignment`.
pub fn round_up(bytes: i64, alignment: i64) -> i64 {
    bytes.saturating_add(alignment - 1) / alignment * alignment
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_chain_needs_two_places() {
        let item = |bytes, first, last| LiveBuffer { bytes, live: first..=last };
        let items = [item(100, 0, 1), item(60, 1, 2), item(100, 2, 3), item(10, 3, 4)];
        let layout = lay_out(&items, 64);
        assert_eq!(layout, StorageLayout { offsets: vec![0, 128, 0, 128], bytes: 192 });
        assert_eq!(without_reuse(&items, 64), Some(384));
        let large = [item(i64::MAX / 2, 0, 1), item(i64::MAX / 2, 2, 3)];
        assert_eq!(without_reuse(&large, 64), None);
        assert_eq!(without_reuse(&[item(i64::MAX, 0, 1)], 64), None);
    }

    #[test]
    fn an_order_is_for_all_sizes() {
        let item = |bytes, first, last| LiveBuffer { bytes, live: first..=last };
        let items = [item(64, 0, 1), item(128, 1, 2), item(64, 2, 3)];
        let order = StackingOrder::of(&items, &lay_out(&items, 64));
        let place = |bytes: [i64; 3]| order.place(&bytes, 0, |a, b| a + b, |a: i64, b| a.max(b));
        // The second one is at the bottom, because it is the largest one of the layout.
        assert_eq!(place([64, 128, 64]), (vec![128, 0, 128], 192));
        assert_eq!(place([64, 0, 640]), (vec![0, 0, 0], 640));
        assert_eq!(place([640, 64, 64]), (vec![64, 0, 64], 704));
        assert_eq!(peak(&items, 64), 192);
    }

    proptest! {
        #[test]
        fn buffers_of_other_sizes_do_not_overlap(
            drawn in prop::collection::vec((1..9i64, 0..9i64, 0..9usize, 0..4usize), 0..12),
        ) {
            let items: Vec<LiveBuffer> = drawn
                .iter()
                .map(|(bytes, _, first, more)| LiveBuffer { bytes: bytes * 64, live: *first..=first + more })
                .collect();
            let order = StackingOrder::of(&items, &lay_out(&items, 64));
            let bytes: Vec<i64> = drawn.iter().map(|it| it.1 * 64).collect();
            let (offsets, end) = order.place(&bytes, 0, |a, b| a + b, |a: i64, b| a.max(b));
            let other = |(item, bytes): (&LiveBuffer, &i64)| LiveBuffer { bytes: *bytes, ..item.clone() };
            let others: Vec<LiveBuffer> = items.iter().zip(&bytes).map(other).collect();
            prop_assert!(peak(&others, 64) <= end);
            prop_assert!(end <= bytes.iter().sum());
            for i in 0..items.len() {
                prop_assert!(offsets[i] + bytes[i] <= end);
                for j in 0..i {
                    let apart = offsets[i] + bytes[i] <= offsets[j] || offsets[j] + bytes[j] <= offsets[i];
                    prop_assert!(apart || !meet(&items[i].live, &items[j].live));
                }
            }
        }

        #[test]
        fn what_is_in_use_together_does_not_overlap(
            drawn in prop::collection::vec((0..300i64, 0..9usize, 0..4usize), 0..12),
        ) {
            let items: Vec<LiveBuffer> = drawn
                .iter()
                .map(|(bytes, first, more)| LiveBuffer { bytes: *bytes, live: *first..=first + more })
                .collect();
            let layout = lay_out(&items, 16);
            prop_assert!(Some(layout.bytes) <= without_reuse(&items, 16));
            for (i, a) in items.iter().enumerate() {
                prop_assert!(layout.offsets[i] % 16 == 0);
                prop_assert!(layout.offsets[i] + a.bytes <= layout.bytes);
                for (j, b) in items.iter().enumerate().skip(i + 1) {
                    let together = a.live.clone().any(|at| b.live.contains(&at));
                    let (from, other) = (layout.offsets[i], layout.offsets[j]);
                    let apart = from + a.bytes <= other || other + b.bytes <= from;
                    prop_assert!(!together || apart);
                }
            }
        }
    }
}

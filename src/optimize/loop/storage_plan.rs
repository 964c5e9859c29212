//! Memory planning: offsets of buffers in one allocation, where buffers that are not live together may overlap.

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
        let meets = |other: &&usize| {
            let other = &items[**other].live;
            item.live.start() <= other.end() && other.start() <= item.live.end()
        };
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

/// The bytes of all buffers one after another, each rounded up to `alignment`; `None` if the sum overflows.
pub fn without_reuse(items: &[LiveBuffer], alignment: i64) -> Option<i64> {
    items.iter().try_fold(0_i64, |sum, item| {
        item.bytes.checked_add(alignment - 1)?;
        sum.checked_add(round_up(item.bytes, alignment))
    })
}

fn round_up(bytes: i64, alignment: i64) -> i64 {
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

    proptest! {
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

//! Where the cells of a buffer lie.

use super::bank::BYTES;

/// A layout of a buffer of which the row-major one is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The last index `c` becomes `c xor ((i >> shift) mod 2^bits) << unit`, where `i` is the index at `source`, which
    /// may be the last one itself.
    ///
    /// A bijection of the buffer: 2^(unit + bits) divides the last extent, so no index leaves it, and what it is
    /// combined with stays as it is: that is another index, or bits of its own from `unit + bits` on.
    Swizzled { source: usize, shift: u32, bits: u32, unit: u32 },
    /// Rows are longer by this many elements.
    Padded(i64),
    /// The number `c` of a cell in the row-major order becomes `c xor ((c >> shift) mod 2^bits) << unit`, across rows,
    /// which may be shorter than all banks; the buffer has one dimension then.
    ///
    /// A bijection, too: 2^(unit + bits) divides the number of cells, and `shift` is `unit + bits` at least.
    Flat { shift: u32, bits: u32, unit: u32 },
}

/// What a layout must keep.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// The bytes that stay together, where rows can be cut.
    pub unit: Option<i64>,
    /// What addresses are multiples of.
    pub alignment: i64,
    /// How many bytes more the buffer may have.
    pub room: i64,
}

/// How many bits of an index are tried to be left out, and how many units are tried as padding.
const MOST_TRIED: u32 = 5;

impl Layout {
    /// How far a cell is from the buffer's first, in elements.
    pub fn offset(this: Option<Layout>, dims: &[i64], indices: &[i64]) -> i64 {
        let last = dims.len() - 1;
        let more = match this {
            Some(Layout::Padded(by)) => by,
            _ => 0,
        };
        let mut offset = 0_i64;
        for (d, (extent, index)) in dims.iter().zip(indices).enumerate() {
            let extent = if d == last { extent + more } else { *extent };
            let index = match this {
                Some(Layout::Swizzled { source, shift, bits, unit }) if d == last => {
                    index ^ (((indices[source] >> shift) & ((1 << bits) - 1)) << unit)
                }
                _ => *index,
            };
            offset = offset.wrapping_mul(extent).wrapping_add(index);
        }
        match this {
            Some(Layout::Flat { shift, bits, unit }) => {
                offset ^ (((offset >> shift) & ((1 << bits) - 1)) << unit)
            }
            _ => offset,
        }
    }

    /// How many elements more the buffer has.
    pub fn added(self, dims: &[i64]) -> i64 {
        match self {
            Layout::Swizzled { .. } | Layout::Flat { .. } => 0,
            Layout::Padded(by) => dims[..dims.len() - 1].iter().product::<i64>() * by,
        }
    }
}

/// The layouts that are tried: within rows before longer rows, and across rows last, as that index is the longest.
pub fn candidates(dims: &[i64], element: i64, kept: Kept) -> Vec<Layout> {
    let mut found = vec![];
    let Some(last) = dims.len().checked_sub(1) else { return found };
    if dims.contains(&0) {
        return found;
    }
    // The elements that stay together, and the most bits of the number of such a unit that choose banks, if so many
    // elements are side by side.
    let elements = kept.unit.filter(|unit| *unit <= BYTES).map(|unit| (unit / element).max(1));
    let elements = elements.filter(|elements| elements.count_ones() == 1);
    let most = |elements: i64, side_by_side: i64| {
        let of_banks = BYTES / (elements * element).max(1);
        let bits = (side_by_side / elements).trailing_zeros().min(of_banks.trailing_zeros());
        if side_by_side % elements == 0 { bits } else { 0 }
    };
    if let Some(elements) = elements {
        let unit = elements.ilog2();
        for bits in (1..=most(elements, dims[last])).rev() {
            for source in (0..=last).rev().map(|d| (d + last) % dims.len()) {
                let first = if source == last { unit + bits } else { 0 };
                let shifts = (first..=first + MOST_TRIED).filter(|s| (dims[source] - 1) >> s > 0);
                found.extend(shifts.map(|shift| Layout::Swizzled { source, shift, bits, unit }));
            }
        }
    }
    if last > 0 {
        let step = kept.alignment.max(element) / element;
        let padded = (1..=i64::from(MOST_TRIED)).map(|n| Layout::Padded(n * step));
        found.extend(padded.filter(|it| it.added(dims) * element <= kept.room));
    }
    let is_short = last > 0 && dims[last] * element < BYTES;
    if let Some(elements) = elements.filter(|_| is_short) {
        let (unit, cells) = (elements.ilog2(), dims.iter().product::<i64>());
        for bits in (1..=most(elements, cells)).rev() {
            let first = unit + bits;
            let shifts = (first..=first + MOST_TRIED).filter(|shift| (cells - 1) >> shift > 0);
            found.extend(shifts.map(|shift| Layout::Flat { shift, bits, unit }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// All index tuples of a shape.
    fn cells(dims: &[i64]) -> Vec<Vec<i64>> {
        dims.iter().fold(vec![vec![]], |cells, extent| {
            let longer = |cell: Vec<i64>| {
                (0..*extent).map(move |i| cell.iter().copied().chain([i]).collect::<Vec<_>>())
            };
            cells.into_iter().flat_map(longer).collect()
        })
    }

    #[test]
    fn the_shortest_index_is_tried_first() {
        let kept = Kept { unit: Some(4), alignment: 4, room: 1 << 20 };
        let found = candidates(&[32, 32], 4, kept);
        assert_eq!(found[0], Layout::Swizzled { source: 0, shift: 0, bits: 5, unit: 0 });
        assert_eq!(found.last(), Some(&Layout::Padded(5)));
        // Rows of half a line of all banks.
        let found = candidates(&[32, 16], 4, kept);
        assert_eq!(found[0], Layout::Swizzled { source: 0, shift: 0, bits: 4, unit: 0 });
        let flat = found.iter().position(|it| matches!(it, Layout::Flat { .. }));
        let flat = flat.expect("the number of the cell is tried");
        assert_eq!(found[flat - 1], Layout::Padded(5));
        assert_eq!(found[flat], Layout::Flat { shift: 5, bits: 5, unit: 0 });
    }

    proptest! {
        #[test]
        fn no_two_cells_share_a_place(
            dims in prop::collection::vec(1..40i64, 1..4).prop_filter(
                "a few thousand cells", |dims| dims.iter().product::<i64>() < 5000,
            ),
            element in prop::sample::select(vec![1, 2, 4, 8_i64]),
            more in 0..3u32,
        ) {
            let unit = element << more;
            let kept = Kept { unit: Some(unit), alignment: unit, room: 1 << 30 };
            let cells = cells(&dims);
            let last = dims.len() - 1;
            for layout in candidates(&dims, element, kept) {
                let offset = |cell: &Vec<i64>| Layout::offset(Some(layout), &dims, cell);
                let places: BTreeSet<i64> = cells.iter().map(offset).collect();
                let size = cells.len() as i64 + layout.added(&dims);
                prop_assert_eq!(places.len(), cells.len(), "{:?}", layout);
                prop_assert!(*places.first().unwrap_or(&0) >= 0 && *places.last().unwrap_or(&0) < size);
                // What stays together does, at its alignment; across rows that is what is aligned.
                for cell in cells.iter().filter(|cell| cell[last] * element % unit == 0) {
                    let in_row_major = Layout::offset(None, &dims, cell);
                    let is_aligned = in_row_major * element % unit == 0;
                    if is_aligned {
                        prop_assert_eq!(offset(cell) * element % unit, 0, "{:?}", layout);
                    } else if matches!(layout, Layout::Flat { .. }) {
                        continue;
                    }
                    for i in 1..unit / element {
                        let mut next = cell.clone();
                        next[last] += i;
                        if next[last] < dims[last] {
                            prop_assert_eq!(offset(&next), offset(cell) + i, "{:?}", layout);
                        }
                    }
                }
            }
        }
    }
}

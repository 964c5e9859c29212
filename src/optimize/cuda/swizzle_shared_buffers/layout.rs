//! Layouts of a shared-memory buffer: padded rows and xor swizzles.

use super::bank::BYTES;

/// A layout of a buffer: by default the row-major one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwizzledLayout {
    /// Each row is longer by this many elements.
    pub more: i64,
    pub mixed: Option<(MixedIndices, Mix)>,
}

/// Which index is combined with bits of which index.
///
/// The combination is a bijection of the buffer. If the mix has n bits, 2^n divides the number of values of the
/// index, so no value leaves the range. Bits of another index are unchanged. Bits of the index itself are combined
/// with higher ones only, so all can be recovered from the highest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MixedIndices {
    /// The last index `c` becomes `c xor mix(i)`, where `i` is the index of this dimension, which may be the last one.
    Row(usize),
    /// The linear number `c` of an element in row-major order becomes `c xor mix(c)`. This crosses rows, which may be
    /// shorter than all banks. The buffer becomes one-dimensional.
    Cell,
}

/// Bits of an index, moved to other positions: the exclusive or of all parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mix(Vec<Bits>);

impl Mix {
    pub fn parts(&self) -> &[Bits] {
        &self.0
    }

    /// The mix for the value of an index.
    fn of(&self, index: i64) -> i64 {
        self.0.iter().fold(0, |sum, part| sum ^ part.of(index))
    }
}

/// An index, shifted to the right, or to the left if `by` is negative, and masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    pub by: i32,
    pub mask: i64,
}

impl Bits {
    pub fn shifted(self, index: i64) -> i64 {
        if self.by < 0 { index << -self.by } else { index >> self.by }
    }

    fn of(self, index: i64) -> i64 {
        self.shifted(index) & self.mask
    }
}

/// What a layout must preserve.
#[derive(Clone, Copy, Debug)]
pub struct UnitLimits {
    /// The bytes that stay contiguous; `None` if indices cannot be combined.
    pub unit: Option<i64>,
    /// The alignment of addresses, in bytes.
    pub alignment: i64,
    /// How many bytes the buffer may grow.
    pub room: i64,
}

/// The most bits of an index that are skipped, and the most units of padding, in the layouts that are tried.
const MAX_TRIED: u32 = 5;

impl SwizzledLayout {
    fn of(of: MixedIndices, mix: Mix) -> SwizzledLayout {
        SwizzledLayout { more: 0, mixed: Some((of, mix)) }
    }

    /// The offset of an element from the buffer's first, in elements.
    pub fn offset(&self, dims: &[i64], indices: &[i64]) -> i64 {
        let last = dims.len() - 1;
        let mut offset = 0_i64;
        for (extent, index) in dims[..last].iter().zip(indices) {
            offset = offset.wrapping_mul(*extent).wrapping_add(*index);
        }
        let in_row = match &self.mixed {
            Some((MixedIndices::Row(source), mix)) => indices[last] ^ mix.of(indices[*source]),
            _ => indices[last],
        };
        offset = offset.wrapping_mul(dims[last] + self.more).wrapping_add(in_row);
        match &self.mixed {
            Some((MixedIndices::Cell, mix)) => offset ^ mix.of(offset),
            _ => offset,
        }
    }

    /// The dimensions of the buffer, before `Of::Cell` makes it one-dimensional.
    pub fn dims(&self, dims: &[i64]) -> Vec<i64> {
        let (last, outer) = dims.split_last().expect("a buffer with dimensions");
        [outer, &[last + self.more]].concat()
    }

    /// How many elements the buffer grows.
    pub fn added(&self, dims: &[i64]) -> i64 {
        dims[..dims.len() - 1].iter().product::<i64>() * self.more
    }
}

/// The layouts that are tried: within rows before padded rows, then across rows, because that index expression is the
/// longest, and at last with rows padded to a power of two.
pub fn candidates(dims: &[i64], element: i64, kept: UnitLimits) -> Vec<SwizzledLayout> {
    let last = dims.len() - 1;
    let units = BankUnits::of(element, kept);
    let mut found = units.map_or(vec![], |units| units.in_rows(dims));
    if last > 0 {
        let step = kept.alignment.max(element) / element;
        found.extend(
            (1..=i64::from(MAX_TRIED)).map(|n| SwizzledLayout { more: n * step, mixed: None }),
        );
    }
    if let Some(units) = units {
        found.extend(units.across_rows(dims));
        let longer = SwizzledLayout { more: up_to_power(dims), mixed: None };
        if longer.more > 0 {
            let dims = longer.dims(dims);
            let all = [units.in_rows(&dims), units.across_rows(&dims)].concat();
            found.extend(
                all.into_iter().map(|layout| SwizzledLayout { more: longer.more, ..layout }),
            );
        }
    }
    found.retain(|it| kept.has_room(it, dims, element));
    found
}

/// A layout in which bits of the element number are combined with other bits, one by one, as long as the cost
/// decreases. Of equal costs, a bit with the same shift as an earlier one comes first. `cost` gives the cost of a
/// layout, if it is no more than a limit.
pub fn climb(
    dims: &[i64],
    element: i64,
    kept: UnitLimits,
    mut cost: impl FnMut(&SwizzledLayout, u64) -> Option<u64>,
) -> Option<(SwizzledLayout, u64)> {
    let units = BankUnits::of(element, kept)?;
    let longer = SwizzledLayout { more: up_to_power(dims), mixed: None };
    let starts = [SwizzledLayout::default(), longer];
    let starts = starts.into_iter().filter(|it| kept.has_room(it, dims, element));
    let mut best: Option<(SwizzledLayout, u64)> = None;
    for start in starts {
        let cells: i64 = start.dims(dims).iter().product();
        let bits = i64::BITS - (cells - 1).leading_zeros();
        let first = units.first();
        let steps: Vec<Bits> = (first..first + units.most(cells))
            .flat_map(|to| (to + 1..bits).map(move |from| Bits::one(from, to)))
            .collect();
        let Some(mut now) = cost(&start, u64::MAX) else { continue };
        let mut parts: Vec<Bits> = vec![];
        loop {
            let with = |step: &Bits| {
                let mix = Mix(toggled(&parts, *step));
                SwizzledLayout { more: start.more, mixed: Some((MixedIndices::Cell, mix)) }
            };
            let costs = steps.iter().filter_map(|step| Some((cost(&with(step), now)?, step)));
            let is_new = |step: &Bits| !parts.iter().any(|part| part.by == step.by);
            let next = costs.min_by_key(|(cost, step)| (*cost, is_new(step)));
            let Some((less, step)) = next.filter(|(less, _)| *less < now) else { break };
            now = less;
            if best.as_ref().is_none_or(|(_, least)| now < *least) {
                best = Some((with(step), now));
            }
            parts = toggled(&parts, *step);
        }
    }
    best
}

/// How many elements a row is short of a power of two.
fn up_to_power(dims: &[i64]) -> i64 {
    let last = dims[dims.len() - 1];
    match dims.len() {
        1 => 0,
        _ => (last as u64).next_power_of_two() as i64 - last,
    }
}

/// The parts with one bit added, or removed if it is there.
fn toggled(parts: &[Bits], bit: Bits) -> Vec<Bits> {
    let mut parts = parts.to_vec();
    match parts.iter_mut().find(|part| part.by == bit.by) {
        Some(part) => part.mask ^= bit.mask,
        None => parts.push(bit),
    }
    parts.retain(|part| part.mask != 0);
    parts
}

impl UnitLimits {
    fn has_room(&self, layout: &SwizzledLayout, dims: &[i64], element: i64) -> bool {
        layout.added(dims) * element <= self.room
    }
}

impl Bits {
    /// `bits` bits of an index from `shift` on, moved to `unit`.
    fn run(shift: u32, bits: u32, unit: u32) -> Bits {
        Bits { by: shift as i32 - unit as i32, mask: ((1 << bits) - 1) << unit }
    }

    fn one(from: u32, to: u32) -> Bits {
        Bits::run(from, 1, to)
    }
}

/// What stays contiguous: a unit of a power of two of elements, and how many units all banks hold.
#[derive(Clone, Copy)]
struct BankUnits {
    elements: i64,
    of_banks: i64,
}

impl BankUnits {
    fn of(element: i64, kept: UnitLimits) -> Option<BankUnits> {
        let unit = kept.unit.filter(|unit| *unit <= BYTES)?;
        let elements = (unit / element).max(1);
        let of_banks = (BYTES / (elements * element)).max(1);
        (elements.count_ones() == 1).then_some(BankUnits { elements, of_banks })
    }

    /// The first bit of the unit number.
    fn first(self) -> u32 {
        self.elements.ilog2()
    }

    /// The most bits of the unit number that select banks, if so many elements are contiguous.
    fn most(self, side_by_side: i64) -> u32 {
        let bits = (side_by_side / self.elements).trailing_zeros();
        let bits = bits.min(self.of_banks.trailing_zeros());
        if side_by_side % self.elements == 0 { bits } else { 0 }
    }

    fn in_rows(self, dims: &[i64]) -> Vec<SwizzledLayout> {
        let (unit, last) = (self.first(), dims.len() - 1);
        let mut found = vec![];
        for bits in (1..=self.most(dims[last])).rev() {
            for source in (0..=last).rev().map(|d| (d + last) % dims.len()) {
                let mixes = if source == last {
                    of_itself(unit, bits, dims[last])
                } else {
                    with(0..=MAX_TRIED, unit, bits, dims[source])
                };
                found.extend(
                    mixes.into_iter().map(|mix| SwizzledLayout::of(MixedIndices::Row(source), mix)),
                );
            }
        }
        found
    }

    fn across_rows(self, dims: &[i64]) -> Vec<SwizzledLayout> {
        let last = dims[dims.len() - 1];
        // Otherwise this is the same as combining with bits of the only other index.
        let is_short = dims.len() > 1 && last < self.elements * self.of_banks;
        let has_planes = dims.iter().filter(|extent| **extent > 1).count() > 2;
        if !is_short && !has_planes {
            return vec![];
        }
        let cells = dims.iter().product::<i64>();
        let bits = (1..=self.most(cells)).rev();
        let mixes = bits.flat_map(|bits| of_itself(self.first(), bits, cells));
        mixes.map(|mix| SwizzledLayout::of(MixedIndices::Cell, mix)).collect()
    }
}

/// Mixes of `bits` bits of an index below `extent`, one for each of these shifts.
fn with(shifts: impl Iterator<Item = u32>, unit: u32, bits: u32, extent: i64) -> Vec<Mix> {
    let is_there = |shift: &u32| (extent - 1) >> shift > 0;
    shifts.filter(is_there).map(|shift| Mix(vec![Bits::run(shift, bits, unit)])).collect()
}

/// Mixes of an index with its own higher bits: first bits above all that change, then others.
fn of_itself(unit: u32, bits: u32, extent: i64) -> Vec<Mix> {
    let above = unit + bits;
    with((above..=above + MAX_TRIED).chain(unit + 1..above), unit, bits, extent)
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

    fn of(shift: u32, bits: u32, unit: u32) -> Mix {
        Mix(vec![Bits::run(shift, bits, unit)])
    }

    fn padded(more: i64) -> SwizzledLayout {
        SwizzledLayout { more, mixed: None }
    }

    #[test]
    fn the_shortest_index_is_tried_first() {
        let within = |source, bits| SwizzledLayout::of(MixedIndices::Row(source), of(0, bits, 0));
        let kept = UnitLimits { unit: Some(4), alignment: 4, room: 1 << 20 };
        let found = candidates(&[32, 32], 4, kept);
        assert_eq!(found[0], within(0, 5));
        assert_eq!(found.last(), Some(&padded(5)));
        // Rows that fill half of all banks.
        let found = candidates(&[32, 16], 4, kept);
        assert_eq!(found[0], within(0, 4));
        let flat = found.iter().position(|it| matches!(it.mixed, Some((MixedIndices::Cell, _))));
        let flat = flat.expect("the number of the cell is tried");
        assert_eq!(found[flat - 1], padded(5));
        assert_eq!(found[flat], SwizzledLayout::of(MixedIndices::Cell, of(5, 5, 0)));
    }

    /// A cost that decreases with the number of combined bits, up to `wanted` bits.
    fn bits_missing(layout: &SwizzledLayout, wanted: u32) -> u64 {
        let mix = layout.mixed.as_ref().map(|(_, mix)| mix.parts());
        let bits: u32 = mix.into_iter().flatten().map(|part| part.mask.count_ones()).sum();
        u64::from(wanted.abs_diff(bits))
    }

    #[test]
    fn bits_as_far_apart_as_others_are_combined_first() {
        let kept = UnitLimits { unit: Some(4), alignment: 4, room: 1 << 20 };
        let found = climb(&[32, 32], 4, kept, |layout, _| Some(bits_missing(layout, 4)));
        let mix = Mix(vec![Bits { by: 1, mask: 15 }]);
        assert_eq!(found, Some((SwizzledLayout::of(MixedIndices::Cell, mix), 0)));
        // No layout costs less than the present one.
        assert_eq!(climb(&[32, 32], 4, kept, |_, _| Some(7)), None);
    }

    proptest! {
        #[test]
        fn no_two_cells_share_a_place(
            dims in prop::collection::vec(1..40i64, 1..4).prop_filter(
                "a few thousand cells", |dims| dims.iter().product::<i64>() < 5000,
            ),
            element in prop::sample::select(vec![1, 2, 4, 8_i64]),
            more in 0..3u32,
            wanted in 1..6u32,
        ) {
            let unit = element << more;
            let kept = UnitLimits { unit: Some(unit), alignment: unit, room: 1 << 30 };
            let cells = cells(&dims);
            let last = dims.len() - 1;
            let climbed = climb(&dims, element, kept, |layout, _| Some(bits_missing(layout, wanted)));
            let climbed = climbed.map(|(layout, _)| layout);
            for layout in candidates(&dims, element, kept).into_iter().chain(climbed) {
                let offset = |cell: &Vec<i64>| layout.offset(&dims, cell);
                let places: BTreeSet<i64> = cells.iter().map(offset).collect();
                let size = cells.len() as i64 + layout.added(&dims);
                prop_assert_eq!(places.len(), cells.len(), "{:?}", layout);
                prop_assert!(*places.first().unwrap_or(&0) >= 0 && *places.last().unwrap_or(&0) < size);
                // Contiguous elements stay contiguous, at their alignment; across rows this holds for aligned ones.
                for cell in cells.iter().filter(|cell| cell[last] * element % unit == 0) {
                    let in_row_major = SwizzledLayout::default().offset(&dims, cell);
                    let is_aligned = in_row_major * element % unit == 0;
                    if is_aligned {
                        prop_assert_eq!(offset(cell) * element % unit, 0, "{:?}", layout);
                    } else if matches!(layout.mixed, Some((MixedIndices::Cell, _))) {
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

//! `swizzle-shared-buffers`: swizzle or pad shared-memory buffers to reduce bank conflicts.
//!
//! ```text
//! %a = memref.load %S[%x, %y] : memref<32x32xf32, ..>   ->    %j = arith.xori %y, %x
//!                                                             %a = memref.load %S[%x, %j] : memref<32x32xf32, ..>
//! %a = vector.load %S[%x, %y] : memref<32x32xf32, ..>   ->    %a = vector.load %S[%x, %y] : memref<32x33xf32, ..>
//! ```
//! Thread `%x` of a warp reads from row `%x`, so all lanes request words of one bank. The bank serves one word at a
//! time, so the access takes 32 wavefronts (transactions) instead of one. The pass tries these layouts, in this order:
//! - If a power of two divides the row length, the last index is xor-ed with bits of another index, or with higher
//!   bits of itself.
//! - Rows become longer, by multiples of the alignment of the accesses. Vectors need not meet (C5) for this layout.
//! - If rows are shorter than all banks together, or the buffer has more than two dimensions, the linear element
//!   number is xor-ed with its own higher bits, and the buffer becomes one-dimensional.
//! - Row lengths are first rounded up to a power of two, and then an xor is applied.
//!
//! For each layout the pass counts wavefronts: it computes the words that the lanes of each warp request, in each
//! iteration of the loops around an access. If an access has more than 512 executions, 512 evenly spread ones are
//! counted. The layout with the fewest wavefronts is chosen; of equal ones, the first in this order. If conflicts
//! remain, the pass repeatedly xors one bit of the linear element number with a higher one. Each time it takes the pair
//! of bits that saves most wavefronts.
//!
//! A layout is a bijection of the buffer, or leaves gaps in a larger one, and all accesses are rewritten, so values are
//! unchanged. The elements of a vector access stay contiguous, and keep their alignment.
//!
//! Requires
//! - (C1) the kernel has the attribute `known_block_size`, and the buffer has a static shape
//! - (C2) the buffer is used only by loads and stores of elements, or of vectors along the last dimension
//! - (C3) indices are computed from thread numbers, constants, and variables of loops that begin at such values
//! - (C4) in each part of the kernel that runs an unknown number of times, the wavefronts do not increase
//! - (C5) for the layouts with xor: vectors have a power of two of bytes and are aligned to their size. So the xor
//!   moves each vector as a whole
//! - (C6) for the layouts with longer rows: all buffers together have at most 48 KiB, which is the most that a kernel
//!   may declare
//! - (C7) the buffer does not have the attribute `loop.storage_align`, with which the primitive `storage_align` fixes
//!   the strides

mod bank;
mod lanes;
mod layout;
mod sample;

use super::workgroup_buffers::{ALIGNMENT, WorkgroupBuffers};
use crate::ir::{Attribute, Builder, Error, Op, Type, Value};
use crate::machine::cuda::{CUDA, STATIC_SHARED};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::optimize::r#loop::storage_rewrite::static_bytes;
use layout::{Bits, Mix, MixedIndices, SwizzledLayout, UnitLimits, candidates, climb};
use sample::{AccessSample, sample};

/// The index of a statistic in the row: buffers of which an index is combined with bits.
pub const SWIZZLED: usize = 0;
/// Buffers with padded rows.
pub const PADDED: usize = 1;
/// Bytes that padding adds.
pub const BYTES: usize = 2;
/// Wavefronts of the accesses to these buffers by one thread block, in the row-major layout.
pub const BEFORE: usize = 3;
/// The same in the new layout.
pub const AFTER: usize = 4;

/// No device has thread blocks with a buffer of more bytes than this.
const MAX_BYTES: i64 = 1 << 24;

/// The most bytes of one request of a thread.
const MAX_AT_ONCE: i64 = 16;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct SwizzleSharedBuffers;

impl FunctionPass for SwizzleSharedBuffers {
    fn run<'c>(&mut self, kernel: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let Some(buffers) = WorkgroupBuffers::of(kernel) else { return Ok(()) };
        let Some(block) = threads(kernel) else { return Ok(()) };
        let mut room = (STATIC_SHARED - asked_for(&buffers)).max(0);
        for (i, (value, alignment)) in buffers.values.iter().zip(&buffers.alignments).enumerate() {
            if buffers.keep_strides[i] {
                continue;
            }
            let Some(buffer) = SharedBuffer::of(kernel, block, *value, *alignment) else {
                continue;
            };
            let Some(choice) = buffer.choose(room) else { continue };
            let bytes = choice.layout.added(&buffer.dims) * buffer.element;
            room -= bytes;
            let is_mixed = choice.layout.mixed.is_some();
            counts.add(if is_mixed { SWIZZLED } else { PADDED }, 1);
            counts.add(BYTES, bytes.unsigned_abs());
            counts.add(BEFORE, choice.before);
            counts.add(AFTER, choice.after);
            buffer.rewrite(kernel, &choice.layout);
        }
        Ok(())
    }
}

/// (C1) The threads of a block in x, y and z.
fn threads(kernel: Op) -> Option<[i64; 3]> {
    let sizes = kernel.attribute("known_block_size").and_then(Attribute::as_integers)?;
    let sizes: [i64; 3] = sizes.try_into().ok()?;
    let count = sizes.iter().try_fold(1_i64, |count, size| count.checked_mul(*size))?;
    (sizes.iter().all(|size| *size > 0) && count <= CUDA.threads).then_some(sizes)
}

/// The bytes of all buffers of a kernel, each at its alignment.
fn asked_for(buffers: &WorkgroupBuffers) -> i64 {
    buffers.values.iter().zip(&buffers.alignments).fold(0, |sum: i64, (value, alignment)| {
        let alignment = ALIGNMENT.max(*alignment);
        let bytes = static_bytes(value.ty()).unwrap_or(STATIC_SHARED);
        let end = sum.saturating_add(bytes).saturating_add(alignment - 1);
        end / alignment * alignment
    })
}

/// A buffer whose accesses are all known.
struct SharedBuffer<'c> {
    value: Value<'c>,
    dims: Vec<i64>,
    /// The bytes of an element.
    element: i64,
    /// The alignment of the first element, in bytes.
    alignment: i64,
    accesses: Vec<(SharedAccess<'c>, AccessSample<'c>)>,
}

/// A load or store.
struct SharedAccess<'c> {
    op: Op<'c>,
    /// The operand number of the first index.
    first: usize,
    indices: Vec<Value<'c>>,
    /// The size of the access, and the alignment of its first element, in bytes.
    bytes: i64,
    alignment: i64,
    /// True for a vector access.
    is_wide: bool,
}

/// The chosen layout of a buffer, and the wavefronts of a thread block without and with it.
struct LayoutChoice {
    layout: SwizzledLayout,
    before: u64,
    after: u64,
}

impl<'c> SharedBuffer<'c> {
    /// (C1), (C2), (C3)
    fn of(kernel: Op<'c>, block: [i64; 3], value: Value<'c>, alignment: i64) -> Option<Self> {
        let (dims, element) = value.ty().in_any_space()?;
        let dims: Option<Vec<i64>> = dims.into_iter().collect();
        let dims = dims.filter(|dims| !dims.is_empty() && !dims.contains(&0))?;
        let element = static_bytes(Type::memref(&[], element)).filter(|n| n.count_ones() == 1)?;
        static_bytes(value.ty()).filter(|bytes| *bytes <= MAX_BYTES)?;
        let accesses = value.uses().into_iter().map(|(user, at)| {
            let access = SharedAccess::of(user, at, dims.len(), element)?;
            let sample = sample(kernel, block, user, &access.indices)?;
            Some((access, sample))
        });
        let accesses: Vec<_> = accesses.collect::<Option<_>>()?;
        Some(SharedBuffer { value, dims, element, alignment, accesses })
    }

    /// The layout with the fewest wavefronts, if one has fewer than the row-major one.
    fn choose(&self, room: i64) -> Option<LayoutChoice> {
        let parts = self.parts();
        let before = self.wavefronts(&SwizzledLayout::default(), &parts, u64::MAX)?;
        let least = self.accesses.iter().map(|(access, sample)| access.least(sample));
        let least = total(&least.collect::<Vec<_>>());
        let sum = total(&before);
        if sum <= least {
            return None;
        }
        let mut best: Option<(SwizzledLayout, u64)> = None;
        let cost = |layout: &SwizzledLayout, most: u64| self.wavefronts(layout, &parts, most);
        // (C4)
        let is_no_worse = |after: &Vec<u64>| before.iter().zip(after).all(|(b, after)| after <= b);
        let kept = self.kept(room);
        for layout in candidates(&self.dims, self.element, kept) {
            let most = best.as_ref().map_or(sum, |(_, most)| *most);
            let after = cost(&layout, most).filter(is_no_worse).map(|after| total(&after));
            let Some(after) = after.filter(|after| *after < most) else { continue };
            best = Some((layout, after));
            if after <= least {
                break;
            }
        }
        let most = best.as_ref().map_or(sum, |(_, most)| *most);
        if most > least {
            let sum_of =
                |layout: &SwizzledLayout, most: u64| cost(layout, most).map(|sums| total(&sums));
            let found = climb(&self.dims, self.element, kept, sum_of);
            let is_better = |(layout, after): &(SwizzledLayout, u64)| {
                *after < most && cost(layout, most).is_some_and(|after| is_no_worse(&after))
            };
            best = found.filter(is_better).or(best);
        }
        best.map(|(layout, after)| LayoutChoice { layout, before: sum, after })
    }

    /// (C5), (C6)
    fn kept(&self, room: i64) -> UnitLimits {
        let wide = || self.accesses.iter().map(|(access, _)| access).filter(|it| it.is_wide);
        // A vector that is aligned to its full size begins at a multiple of that size within its row too, if the
        // buffer and the row do.
        let is_whole = |it: &SharedAccess| {
            it.alignment >= it.bytes && it.bytes.count_ones() == 1 && it.alignment <= self.alignment
        };
        let alignment = self.accesses.iter().map(|(access, _)| access.alignment).max();
        let alignment = alignment.unwrap_or(1);
        let widest = wide().map(|it| it.bytes).max().unwrap_or(self.element);
        // Within a word there are no conflicts to avoid.
        let unit = wide().all(is_whole).then(|| alignment.max(widest).max(bank::WORD));
        UnitLimits { unit, alignment, room }
    }

    /// For each access the number of its part of the kernel. Accesses in the same unknown loops and branches share a
    /// part.
    fn parts(&self) -> Vec<usize> {
        let mut seen: Vec<&[(Op<'c>, usize)]> = vec![];
        let part = |(_, sample): &'_ (SharedAccess<'c>, AccessSample<'c>)| sample.unknown.clone();
        let keys: Vec<_> = self.accesses.iter().map(part).collect();
        let mut parts = vec![];
        for key in &keys {
            let known = seen.iter().position(|other| other == key);
            parts.push(known.unwrap_or(seen.len()));
            if known.is_none() {
                seen.push(key);
            }
        }
        parts
    }

    /// The wavefronts of each part; `None` if there are more than `most`.
    fn wavefronts(&self, layout: &SwizzledLayout, parts: &[usize], most: u64) -> Option<Vec<u64>> {
        let mut left = most;
        let mut sums = vec![0_u64; parts.iter().max().map_or(0, |last| last + 1)];
        for ((access, sample), part) in self.accesses.iter().zip(parts) {
            let offset =
                |indices: &[i64]| layout.offset(&self.dims, indices).wrapping_mul(self.element);
            let found = access.sum(sample, bank::wavefronts, offset, left)?;
            left -= found;
            sums[*part] = sums[*part].saturating_add(found);
        }
        Some(sums)
    }

    fn rewrite(&self, kernel: Op<'c>, layout: &SwizzledLayout) {
        let last = self.dims.len() - 1;
        let dims = layout.dims(&self.dims);
        for (access, _) in &self.accesses {
            match &layout.mixed {
                None => {}
                Some((MixedIndices::Row(source), mix)) => {
                    let (index, with) = (access.indices[last], access.indices[*source]);
                    let new = mixed(access.op, index, mix, with, self.dims[*source] - 1);
                    access.op.set_operand(access.first + last, new);
                }
                Some((MixedIndices::Cell, mix)) => {
                    let at = Builder::before(access.op, access.op.location());
                    let mut cell = access.indices[0];
                    for (extent, index) in dims.iter().zip(&access.indices).skip(1) {
                        let row = at.op("arith.muli", &[cell, at.index(*extent)], index.ty());
                        cell = at.op("arith.addi", &[row, *index], index.ty());
                    }
                    let most = dims.iter().product::<i64>() - 1;
                    let new = mixed(access.op, cell, mix, cell, most);
                    let mut operands = access.op.operands();
                    operands.splice(access.first..=access.first + last, [new]);
                    access.op.set_operands(&operands);
                }
            }
        }
        match layout.mixed {
            Some((MixedIndices::Cell, _)) => self.retype(kernel, &[dims.iter().product()]),
            _ if layout.more > 0 => self.retype(kernel, &dims),
            _ => {}
        }
    }

    /// Changes the dimensions of the buffer.
    fn retype(&self, kernel: Op<'c>, dims: &[i64]) {
        let dims: Vec<Option<i64>> = dims.iter().copied().map(Some).collect();
        let space = Attribute::parse(kernel.context(), "#gpu.address_space<workgroup>");
        let space = space.expect("the gpu dialect is loaded");
        let (_, element) = self.value.ty().in_any_space().expect("a row-major memref");
        self.value.set_type(Type::memref_in(space, &dims, element));
    }
}

/// An index combined with bits of `with`, which may be the index itself and is at most `most`.
fn mixed<'c>(op: Op<'c>, index: Value<'c>, mix: &Mix, with: Value<'c>, most: i64) -> Value<'c> {
    let at = Builder::before(op, op.location());
    mix.parts().iter().fold(index, |index, part| {
        at.op("arith.xori", &[index, moved(at, *part, with, most)], index.ty())
    })
}

/// Bits of an index, moved to their new positions. The index is at most `most`.
fn moved<'c>(at: Builder<'c>, bits: Bits, index: Value<'c>, most: i64) -> Value<'c> {
    let step =
        |name: &str, value: Value<'c>, by: i64| at.op(name, &[value, at.index(by)], value.ty());
    let moved = match bits.by {
        0 => index,
        by if by < 0 => step("arith.shli", index, i64::from(-by)),
        by => step("arith.shrui", index, i64::from(by)),
    };
    // Bits that are always 0 need no mask.
    let all = (1 << (i64::BITS - most.leading_zeros())) - 1;
    match bits.shifted(all) & !bits.mask != 0 {
        true => step("arith.andi", moved, bits.mask),
        false => moved,
    }
}

impl<'c> SharedAccess<'c> {
    /// (C2), for the use of a buffer as an operand.
    fn of(op: Op<'c>, place: usize, rank: usize, element: i64) -> Option<Self> {
        let operands = op.operands();
        let (buffer, value) = match op.name() {
            "memref.load" | "vector.load" | "vector.maskedload" => (0, op.result(0)),
            "memref.store" | "vector.store" => (1, operands[0]),
            "vector.maskedstore" => (0, *operands.last()?),
            _ => return None,
        };
        let first = place + 1;
        let indices = operands.get(first..first + rank)?.to_vec();
        let is_wide = !op.name().starts_with("memref.");
        let count = match is_wide {
            true => i64::try_from(value.ty().lanes()?.0).ok()?,
            false => 1,
        };
        let bytes = element.checked_mul(count)?;
        let stated = op.attribute("alignment").and_then(Attribute::as_i64);
        let alignment = stated.unwrap_or(element).max(element);
        let is_one = place == buffer && rank > 0 && alignment.count_ones() == 1 && count > 0;
        is_one.then_some(SharedAccess { op, first, indices, bytes, alignment, is_wide })
    }

    /// The bytes of one request of a thread.
    fn at_once(&self) -> i64 {
        let most = self.alignment.min(MAX_AT_ONCE);
        // An access of 24 bytes makes requests of 8 bytes.
        most.min(1 << self.bytes.trailing_zeros())
    }

    /// The wavefronts of all executions if there are no bank conflicts.
    fn least(&self, sample: &AccessSample<'c>) -> u64 {
        self.sum(sample, bank::least, |_| 0, u64::MAX).unwrap_or(u64::MAX)
    }

    /// Sums the costs of the requests of warps, whose lanes begin at these offsets; `None` if the sum exceeds `most`.
    fn sum(
        &self,
        sample: &AccessSample<'c>,
        cost: impl Fn(&[(usize, i64)], i64) -> u64,
        offset: impl Fn(&[i64]) -> i64,
        most: u64,
    ) -> Option<u64> {
        let (all, taken) = sample.share;
        let (rank, bytes) = (self.indices.len(), self.at_once());
        let (mut sum, mut lanes) = (0_u128, Vec::with_capacity(bank::LANES));
        for (execution, times) in &sample.executions {
            let cells = execution.indices.chunks_exact(rank).map(&offset);
            lanes.clear();
            lanes.extend(execution.lanes.iter().copied().zip(cells));
            for _ in 0..self.bytes / bytes {
                sum += u128::from(cost(&lanes, bytes)) * u128::from(*times);
                lanes.iter_mut().for_each(|(_, at)| *at = at.wrapping_add(bytes));
            }
            if sum.saturating_mul(all).div_ceil(taken) > most.into() {
                return None;
            }
        }
        u64::try_from(sum.saturating_mul(all).div_ceil(taken)).ok()
    }
}

fn total(wavefronts: &[u64]) -> u64 {
    wavefronts.iter().fold(0, |sum: u64, n| sum.saturating_add(*n))
}

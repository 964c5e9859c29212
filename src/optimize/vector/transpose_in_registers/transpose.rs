//! Transposes vectors by shuffles: rows become columns.
//!
//! Registers consist of chunks of 128 bits, and instructions that stay within chunks are the cheap ones. So tiles of
//! a chunk's length are transposed within chunks, by interleaving pairs of rows, then pairs of pairs. Then the chunks
//! are transposed as if they were elements. For 16 rows of 16 f32 this takes 64 shuffles of two registers, which is
//! the minimum: 16 for each doubling.

use crate::ir::{Attribute, Builder, Type, Value};

/// The bits of a chunk.
pub const CHUNK_BITS: i64 = 128;

/// Transposes rows: element `r` of column `c` is element `c` of row `r`. The numbers of rows and of columns are
/// powers of two, and there are no fewer rows than columns.
pub fn turn<'c>(rows: &[Value<'c>], at: Builder<'c>) -> Vec<Value<'c>> {
    let (width, element) = rows[0].ty().lanes().expect("a row is a vector");
    let shuffle = Shuffle { at, element };
    // Step 1: rows that are narrower than columns share registers, `width` rows apart.
    let mut vectors: Vec<Value> = (0..width)
        .map(|i| shuffle.joined(&rows.iter().skip(i).step_by(width).copied().collect::<Vec<_>>()))
        .collect();
    let chunk = chunk_lanes(element);
    if width < chunk {
        // A chunk holds several rows: exchanges transpose everything.
        for step in doublings(1, width) {
            pairs(&mut vectors, step, |a, b| shuffle.exchange(a, b, step));
        }
        return vectors;
    }
    // Step 2: within chunks.
    for step in doublings(1, chunk) {
        pairs(&mut vectors, step, |a, b| shuffle.interleave(a, b, step, chunk));
    }
    // Step 3: chunks. Where one row fills a register, even and odd chunks can be split, for which there is an
    // instruction.
    for step in doublings(chunk, width) {
        pairs(&mut vectors, step, |a, b| match width == rows.len() {
            true => shuffle.part(a, b, chunk),
            false => shuffle.exchange(a, b, step),
        });
    }
    // Interleaving has left the columns of a chunk in bit-reversed order.
    let reversed = |i: usize| {
        let bits = chunk.ilog2();
        (0..bits).fold(i / chunk * chunk, |j, bit| j | ((i >> bit & 1) << (bits - 1 - bit)))
    };
    (0..width).map(|i| vectors[reversed(i)]).collect()
}

/// The lanes of a chunk.
fn chunk_lanes(element: Type) -> usize {
    let bits = super::bits(element).expect("elements that can be shuffled");
    (CHUNK_BITS / bits) as usize
}

/// `from`, `2 * from`, `4 * from`, .., below `to`.
fn doublings(from: usize, to: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(from), |step| Some(step * 2)).take_while(move |step| *step < to)
}

/// Replaces each pair of vectors that are `step` apart.
fn pairs<'c>(
    vectors: &mut [Value<'c>],
    step: usize,
    both: impl Fn(Value<'c>, Value<'c>) -> [Value<'c>; 2],
) {
    for i in (0..vectors.len()).filter(|i| i & step == 0) {
        [vectors[i], vectors[i + step]] = both(vectors[i], vectors[i + step]);
    }
}

struct Shuffle<'c> {
    at: Builder<'c>,
    element: Type<'c>,
}

impl<'c> Shuffle<'c> {
    /// The lanes of two vectors, picked by number; the lanes of the second vector are numbered after those of the
    /// first.
    fn pick(&self, a: Value<'c>, b: Value<'c>, lanes: &[usize]) -> Value<'c> {
        let mask: Vec<i64> = lanes.iter().map(|lane| *lane as i64).collect();
        let spec = self.at.spec("vector.shuffle").operands(&[a, b]);
        let spec = spec.results(&[Type::vector(lanes.len(), self.element)]);
        self.at.value(spec.attribute("mask", Attribute::dense_i64(self.at.context(), &mask)))
    }

    /// Concatenates vectors, a power of two of them.
    fn joined(&self, vectors: &[Value<'c>]) -> Value<'c> {
        match *vectors {
            [vector] => vector,
            _ => {
                let (a, b) = vectors.split_at(vectors.len() / 2);
                let (a, b) = (self.joined(a), self.joined(b));
                self.pick(a, b, &(0..2 * lanes(a)).collect::<Vec<_>>())
            }
        }
    }

    /// Interleaves units of `unit` lanes of both vectors: those of the lower half of each chunk, and those of the
    /// upper half.
    fn interleave(&self, a: Value<'c>, b: Value<'c>, unit: usize, chunk: usize) -> [Value<'c>; 2] {
        [0, chunk / 2].map(|half| {
            let lane = |i: usize| {
                let (start, within) = (i / chunk * chunk, i % chunk);
                let from = (within / unit % 2) * lanes(a);
                from + start + half + within / (2 * unit) * unit + within % unit
            };
            self.pick(a, b, &(0..lanes(a)).map(lane).collect::<Vec<_>>())
        })
    }

    /// The even chunks of the first vector followed by those of the second; and the odd chunks in the same way.
    fn part(&self, a: Value<'c>, b: Value<'c>, chunk: usize) -> [Value<'c>; 2] {
        [0, chunk].map(|odd| {
            let lane = |i: usize| i / chunk * 2 * chunk + odd + i % chunk;
            self.pick(a, b, &(0..lanes(a)).map(lane).collect::<Vec<_>>())
        })
    }

    /// Exchanges the second unit of each pair in the first vector with the first unit of that pair in the second
    /// vector.
    fn exchange(&self, a: Value<'c>, b: Value<'c>, unit: usize) -> [Value<'c>; 2] {
        let count = lanes(a);
        let first = |i: usize| if i & unit == 0 { i } else { count + i - unit };
        let second = |i: usize| if i & unit == 0 { i + unit } else { count + i };
        [
            self.pick(a, b, &(0..count).map(first).collect::<Vec<_>>()),
            self.pick(a, b, &(0..count).map(second).collect::<Vec<_>>()),
        ]
    }
}

fn lanes(vector: Value) -> usize {
    vector.ty().lanes().map_or(1, |(lanes, _)| lanes)
}

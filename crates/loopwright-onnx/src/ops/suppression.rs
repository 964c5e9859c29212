//! Selection of boxes that do not overlap.

use super::Row;
use super::sorting::Order;
use crate::builder::Builder;
use crate::compute::{Loop, Operand, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;
use crate::tm_tensor::Scan;

pub const OPS: &[Row] = &[("NonMaxSuppression", non_max_suppression)];

/// A word has a bit for each of so many boxes.
const WORD: i64 = 64;

/// So many boxes are supported.
const MOST_BOXES: i64 = 64 * WORD;

/// The least and greatest coordinates of a box.
struct Corners<'c> {
    low: [Scalar<'c>; 2],
    high: [Scalar<'c>; 2],
}

/// Whether boxes are two opposite corners, or a center and sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Corners,
    Center,
}

impl Format {
    fn corners<'c>(self, b: &Builder<'c>, boxes: &Tensor<'c>, at: [Scalar<'c>; 2]) -> Corners<'c> {
        let read = |i: i64| b.extract(boxes, &[at[0], at[1], b.index_scalar(i)]);
        let [x, y, z, w] = [0, 1, 2, 3].map(read);
        match self {
            Format::Corners => {
                Corners { low: [b.min(x, z), b.min(y, w)], high: [b.max(x, z), b.max(y, w)] }
            }
            Format::Center => {
                let half = |size| b.mul(size, b.like(size, 0.5));
                let (z, w) = (half(z), half(w));
                Corners { low: [b.sub(x, z), b.sub(y, w)], high: [b.add(x, z), b.add(y, w)] }
            }
        }
    }
}

impl<'c> Corners<'c> {
    fn area(&self, b: &Builder<'c>) -> Scalar<'c> {
        b.mul(b.sub(self.high[0], self.low[0]), b.sub(self.high[1], self.low[1]))
    }

    /// True if the area of the intersection is greater than this part of the area of the union.
    fn overlaps(&self, b: &Builder<'c>, other: &Corners<'c>, threshold: Scalar<'c>) -> Scalar<'c> {
        let zero = b.like(threshold, 0.0);
        let side =
            |i: usize| b.sub(b.min(self.high[i], other.high[i]), b.max(self.low[i], other.low[i]));
        let (height, width) = (side(0), side(1));
        let common = b.mul(height, width);
        let (area, other_area) = (self.area(b), other.area(b));
        let union = b.sub(b.add(area, other_area), common);
        let positive = [height, width, common, area, other_area, union];
        let is_greater = b.compare(Compare::Greater, b.div(common, union), threshold);
        positive
            .into_iter()
            .fold(is_greater, |found, it| b.and(found, b.compare(Compare::Greater, it, zero)))
    }
}

/// Boxes are taken by their score, greatest first, unless they overlap with one that was taken before.
///
/// A box is a bit of one of several words. `row[w][i]` has the bits of the boxes before box `i` that it overlaps with. The
/// boxes that are taken are the result of a loop over `i`: box `i` is added if no row has a bit of a box that was taken.
fn non_max_suppression<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let (boxes, scores) = (node.input(0)?, node.input(1)?);
    if boxes.rank() != 3 || scores.rank() != 3 || boxes.size(2) != Size::Known(4) {
        return Err(Refusal::new(format!(
            "has boxes and scores of rank {} and {}, expected sizes [batches, boxes, 4] and [batches, classes, boxes]",
            boxes.rank(),
            scores.rank()
        )));
    }
    let (batches, classes) = (scores.size(0), scores.size(1));
    let fits = boxes.size(1) == scores.size(2) && boxes.size(0) == batches;
    let count = scores.size(2).known().filter(|it| fits && (1..=MOST_BOXES).contains(it));
    let count = count.ok_or_else(|| {
        Refusal::new(format!(
            "has an unknown number of boxes, more than {MOST_BOXES}, or another number of boxes than of scores"
        ))
    })?;
    let format = match node.int_or("center_point_box", 0)? {
        0 => Format::Corners,
        1 => Format::Center,
        found => {
            return Err(node.refuse_attribute("center_point_box", &found.to_string(), "0 or 1"));
        }
    };
    let stated = node.sizes_from_model("a number of boxes")?;
    let [selected, Size::Known(3)] = stated[..] else {
        return Err(Refusal::new("has an output of other sizes by the model, expected [boxes, 3]"));
    };
    let number = |i: usize| node.optional(i).map(|it| node.reshape(it, &[])).transpose();
    let (most, threshold, least) = (number(2)?, number(3)?, number(4)?);
    let Some(most) = most else {
        return Ok(vec![node.filled(&stated, node.scalar(Element::I64, 0.0))]);
    };

    let (sorted, order) = node.sorted(scores, 2, Order::Descending);
    let box_of = |b: &Builder<'c>, batch, class, place| {
        let found = b.extract(&order, &[batch, class, place]);
        format.corners(b, boxes, [batch, b.cast(found, Element::Index)])
    };
    let words = count.div_euclid(WORD) + i64::from(count % WORD != 0);
    let sizes = [batches, classes, Size::Known(count)];
    let rows: Vec<_> = (0..words)
        .map(|word| {
            let zeros = node.filled(&sizes, node.scalar(Element::I64, 0.0));
            let bits = node.empty(&[Size::Known(WORD)], Element::I64);
            let bits = Tensor::new(bits, Element::I64, vec![Size::Known(WORD)]);
            let loops = [Loop::Parallel, Loop::Parallel, Loop::Parallel, Loop::Reduction];
            let operand = Operand::new(&bits, vec![d(3)]);
            let output = Operand::new(&zeros, vec![d(0), d(1), d(2)]);
            let results = node.generic(&loops, &[operand], &[output], |b, v| {
                let [batch, class, place, bit] = [0, 1, 2, 3].map(|i| b.loop_index(i));
                let other = b.add(bit, b.index_scalar(word * WORD));
                let is_before = b.compare(Compare::Less, other, place);
                let inside = b.min(other, b.index_scalar(count - 1));
                let limit = match &threshold {
                    Some(threshold) => b.cast(b.extract(threshold, &[]), boxes.element()),
                    None => b.scalar(boxes.element(), 0.0),
                };
                let (left, right) =
                    (box_of(b, batch, class, place), box_of(b, batch, class, inside));
                let overlaps = b.and(is_before, left.overlaps(b, &right, limit));
                let one = b.scalar(Element::I64, 1.0);
                let mask = b.bits("arith.shli", one, b.cast(bit, Element::I64));
                vec![b.bits("arith.ori", v[1], b.select(overlaps, mask, b.like(mask, 0.0)))]
            });
            results.into_iter().next().expect("it has one output")
        })
        .collect();

    let is_enough = |b: &Builder<'c>, score: Scalar<'c>| match &least {
        Some(least) => {
            let least = b.cast(b.extract(least, &[]), score.element);
            b.compare(Compare::Greater, score, least)
        }
        None => b.scalar(Element::Bool, 1.0),
    };
    let none = node.filled(&sizes[..2], node.scalar(Element::I64, 0.0));
    let operands: Vec<_> = std::iter::once(&sorted)
        .chain(&rows)
        .map(|it| Operand::new(it, vec![d(0), d(1), d(2)]))
        .collect();
    let outputs: Vec<_> = rows.iter().map(|_| Operand::new(&none, vec![d(0), d(1)])).collect();
    let loops = [Loop::Parallel, Loop::Parallel, Loop::Reduction];
    let taken = node.generic(&loops, &operands, &outputs, |b, v| {
        let (rows, taken) = v[1..].split_at(rows.len());
        let place = b.cast(b.loop_index(2), Element::I64);
        let (zero, one) = (b.like(place, 0.0), b.like(place, 1.0));
        let common = rows
            .iter()
            .zip(taken)
            .fold(zero, |found, (row, taken)| b.or(found, b.and(*row, *taken)));
        let is_free = b.compare(Compare::Equal, common, zero);
        let is_taken = b.and(is_free, is_enough(b, v[0]));
        let mask = b.bits("arith.shli", one, b.rem(place, b.like(place, WORD as f64)));
        let word = b.div(place, b.like(place, WORD as f64));
        let add = |(i, taken): (usize, &Scalar<'c>)| {
            let is_here = b.compare(Compare::Equal, word, b.like(word, i as f64));
            let mask = b.select(b.and(is_here, is_taken), mask, zero);
            b.or(*taken, mask)
        };
        taken.iter().enumerate().map(add).collect()
    });

    // 1 for each box that is taken, and then those up to the greatest number.
    let ones = node.generate(&sizes, Element::I64, |b, loops| {
        let place = b.cast(loops[2], Element::I64);
        let size = b.like(place, WORD as f64);
        let bit = b.rem(place, size);
        let word = b.div(place, size);
        let of_word = |tensor: &Tensor<'c>| b.extract(tensor, &loops[..2]);
        let found = taken[1..].iter().enumerate().fold(of_word(&taken[0]), |found, (i, tensor)| {
            let is_here = b.compare(Compare::Equal, word, b.like(word, i as f64 + 1.0));
            b.select(is_here, of_word(tensor), found)
        });
        b.and(b.bits("arith.shrui", found, bit), b.like(bit, 1.0))
    });
    let zero = node.scalar(Element::I64, 0.0);
    let before = node.scan(&ones, 2, zero, Scan::Exclusive, |b, sum, x| b.add(sum, x));
    let flags = node.map(&[&ones, &before, &most], Element::Bool, |b, v| {
        let most = b.cast(v[2], Element::I64);
        b.and(b.cast(v[0], Element::Bool), b.compare(Compare::Less, v[1], most))
    })?;
    let flags = node.reshape(&flags, &[node.size_product(&sizes)])?;
    let found = node.selected(&flags, selected)?;
    Ok(vec![node.generate(&stated, Element::I64, |b, loops| {
        let parts = b.unravelled(b.extract(&found, &loops[..1]), &sizes);
        let place = b.extract(&order, &parts);
        let [batch, class] = [0, 1].map(|i: usize| b.cast(parts[i], Element::I64));
        let is = |i: i64| b.compare(Compare::Equal, loops[1], b.index_scalar(i));
        b.select(is(0), batch, b.select(is(1), class, place))
    })])
}

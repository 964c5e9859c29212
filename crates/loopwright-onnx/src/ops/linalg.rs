//! Linear algebra.

use super::Row;
use crate::compute::accumulator;
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[("Det", det)];

/// The number of rows that is supported. Each row is a step of the elimination, with its own ops.
const MOST_ROWS: i64 = 128;

/// Determinants, by elimination: a step chooses the row with the greatest element of the first column, subtracts multiples of
/// it from the others, and leaves a matrix with a row and a column less.
fn det<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let x = node.input(0)?;
    let batch = x.rank().checked_sub(2).ok_or_else(|| {
        Refusal::new(format!("has an operand of rank {}, expected matrices", x.rank()))
    })?;
    let rows = match (x.size(batch), x.size(batch + 1)) {
        (Size::Known(rows), Size::Known(columns)) if rows == columns && rows <= MOST_ROWS => rows,
        _ => {
            return Err(Refusal::new(format!(
                "has matrices that are not square, or have more than {MOST_ROWS} or an unknown number of rows"
            )));
        }
    };
    let wide = accumulator(x.element());
    let sizes = &x.sizes()[..batch];
    let mut matrix = node.convert(x, wide);
    let mut product = node.filled(sizes, node.scalar(wide, 1.0));
    for left in (1..=rows).rev() {
        let at = |outer: &[Scalar<'c>], row: Scalar<'c>, column: Scalar<'c>| {
            let mut indices = outer[..batch].to_vec();
            indices.extend([row, column]);
            indices
        };
        let with = |more: &[Size<'c>]| [sizes, more].concat();
        let column = node.generate(&with(&[Size::Known(left)]), wide, |b, loops| {
            b.abs(b.extract(&matrix, &at(loops, loops[batch], b.index_scalar(0))))
        });
        let chosen = node.arg_extreme(&column, batch, Compare::Greater)?;
        let chosen = node.squeeze(&chosen, &[batch])?;
        product = node.map(&[&product, &chosen], wide, |b, v| {
            let outer: Vec<_> = (0..batch).map(|i| b.loop_index(i)).collect();
            let row = b.cast(v[1], Element::Index);
            let pivot = b.extract(&matrix, &at(&outer, row, b.index_scalar(0)));
            // The rows 0 and `row` are exchanged.
            let is_first = b.compare(Compare::Equal, row, b.index_scalar(0));
            b.mul(v[0], b.select(is_first, pivot, b.neg(pivot)))
        })?;
        let rest = Size::Known(left - 1);
        if left == 1 {
            break;
        }
        matrix = node.generate(&with(&[rest, rest]), wide, |b, loops| {
            let (zero, one) = (b.index_scalar(0), b.index_scalar(1));
            let pivot_row = b.cast(b.extract(&chosen, &loops[..batch]), Element::Index);
            let (row, column) = (b.add(loops[batch], one), b.add(loops[batch + 1], one));
            let row = b.select(b.compare(Compare::Equal, row, pivot_row), zero, row);
            let read = |row, column| b.extract(&matrix, &at(loops, row, column));
            let (pivot, first) = (read(pivot_row, zero), read(row, zero));
            // The whole column is 0 if its greatest element is.
            let is_zero = b.compare(Compare::Equal, pivot, b.like(pivot, 0.0));
            let ratio = b.select(is_zero, b.like(pivot, 0.0), b.div(first, pivot));
            b.sub(read(row, column), b.mul(ratio, read(pivot_row, column)))
        });
    }
    Ok(vec![node.convert(&product, x.element())])
}

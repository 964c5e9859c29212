//! Products of matrices.

use super::Row;
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, broadcast_sizes, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[
    ("Gemm", gemm),
    ("MatMul", |node| {
        let (x, y) = (node.input(0)?, node.input(1)?);
        node.check_one_type(x, y)?;
        let result = node.matmul(x, y, accumulator(x.element()))?;
        Ok(vec![node.convert(&result, x.element())])
    }),
    ("MatMulInteger", |node| {
        let x = node.centred(node.input(0)?, node.optional(2), Align::Rows)?;
        let y = node.centred(node.input(1)?, node.optional(3), Align::Columns)?;
        Ok(vec![node.matmul(&x, &y, Element::I32)?])
    }),
];

/// The dimension that a list of zero points belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Rows,
    Columns,
}

impl<'c> Builder<'c> {
    /// The tensor with another element type.
    pub fn convert(&self, tensor: &Tensor<'c>, element: Element) -> Tensor<'c> {
        match tensor.element() == element {
            true => tensor.clone(),
            false => self.map_to(tensor.sizes(), &[tensor], element, |b, v| b.cast(v[0], element)),
        }
    }

    /// Integers less their zero point, as i32. A zero point is one number, or one of each row or column.
    pub fn centred(
        &self,
        tensor: &Tensor<'c>,
        zero: Option<&Tensor<'c>>,
        align: Align,
    ) -> Result<Tensor<'c>, Refusal> {
        let Some(zero) = zero else { return Ok(self.convert(tensor, Element::I32)) };
        let zero = match (zero.rank(), align) {
            (1, Align::Rows) if zero.size(0) != Size::Known(1) => self.unsqueeze(zero, &[1])?,
            _ => zero.clone(),
        };
        self.map(&[tensor, &zero], Element::I32, |b, v| {
            b.sub(b.cast(v[0], Element::I32), b.cast(v[1], Element::I32))
        })
    }

    /// NumPy's `matmul`: batches are broadcast, a vector is a row on the left and a column on the right.
    ///
    /// # Errors
    /// If the sizes do not match.
    pub fn matmul(
        &self,
        left: &Tensor<'c>,
        right: &Tensor<'c>,
        element: Element,
    ) -> Result<Tensor<'c>, Refusal> {
        if left.rank() == 0 || right.rank() == 0 {
            return Err(Refusal::new("multiplies a scalar, expected vectors or matrices"));
        }
        let (is_row, is_column) = (left.rank() == 1, right.rank() == 1);
        let left = if is_row { self.unsqueeze(left, &[0])? } else { left.clone() };
        let right = if is_column { self.unsqueeze(right, &[1])? } else { right.clone() };
        let (l, r) = (left.rank(), right.rank());
        let (k, other) = (left.size(l - 1), right.size(r - 2));
        if let (Size::Known(k), Size::Known(other)) = (k, other)
            && k != other
        {
            return Err(Refusal::new(format!(
                "multiplies rows of {k} elements with columns of {other}"
            )));
        }
        let batch = broadcast_sizes(&[&left.sizes()[..l - 2], &right.sizes()[..r - 2]])?;
        let n = batch.len();
        let batch_indices = |tensor: &Tensor<'c>| {
            let rank = tensor.rank() - 2;
            let index = |i: usize| match (tensor.size(i), batch[n - rank + i]) {
                (Size::Known(1), size) if size != Size::Known(1) => "0".to_owned(),
                _ => d(n - rank + i),
            };
            (0..rank).map(index).collect::<Vec<_>>()
        };
        let (row, column, inner) = (d(n), d(n + 1), d(n + 2));
        let indices = |mut batch: Vec<String>, last: [&String; 2]| {
            batch.extend(last.into_iter().cloned());
            batch
        };
        let mut loops = vec![Loop::Parallel; n + 2];
        loops.push(Loop::Reduction);
        let mut sizes = batch.clone();
        sizes.extend([left.size(l - 2), right.size(r - 1)]);
        let result = self.contract(
            &loops,
            Operand::new(&left, indices(batch_indices(&left), [&row, &inner])),
            Operand::new(&right, indices(batch_indices(&right), [&inner, &column])),
            &sizes,
            indices((0..n).map(d).collect(), [&row, &column]),
            element,
        );
        let mut removed = vec![];
        if is_row {
            removed.push(n);
        }
        if is_column {
            removed.push(n + 1);
        }
        self.squeeze(&result, &removed)
    }
}

/// `alpha * A' * B' + beta * C`, with each matrix transposed or not.
pub fn gemm<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let (a, b) = (node.input(0)?, node.input(1)?);
    if a.rank() != 2 || b.rank() != 2 {
        return Err(Refusal::new(format!(
            "multiplies tensors of rank {} and {}, expected matrices",
            a.rank(),
            b.rank()
        )));
    }
    node.check_one_type(a, b)?;
    let element = a.element();
    let (alpha, beta) = (node.float_or("alpha", 1.0)?, node.float_or("beta", 1.0)?);
    let (a_transposed, b_transposed) = (node.flag("transA", false)?, node.flag("transB", false)?);
    let pair = |swapped: bool, x: usize, y: usize| match swapped {
        true => vec![d(y), d(x)],
        false => vec![d(x), d(y)],
    };
    let rows = a.size(usize::from(a_transposed));
    let columns = b.size(usize::from(!b_transposed));
    let wide = accumulator(element);
    let product = node.contract(
        &[Loop::Parallel, Loop::Parallel, Loop::Reduction],
        Operand::new(a, pair(a_transposed, 0, 2)),
        Operand::new(b, pair(b_transposed, 2, 1)),
        &[rows, columns],
        vec![d(0), d(1)],
        wide,
    );
    let scaled = |b: &Builder<'c>, x, factor: f64| match factor == 1.0 {
        true => x,
        false => b.mul(x, b.like(x, factor)),
    };
    let sizes = product.sizes();
    Ok(vec![match node.optional(2) {
        Some(c) => node.map_to(sizes, &[&product, c], element, |b, v| {
            let sum = b.add(scaled(b, v[0], alpha), scaled(b, b.cast(v[1], wide), beta));
            b.cast(sum, element)
        }),
        None if alpha == 1.0 => node.convert(&product, element),
        None => {
            node.map_to(sizes, &[&product], element, |b, v| b.cast(scaled(b, v[0], alpha), element))
        }
    }])
}

//! Products with weights of a few bits, in blocks with a scale each.
//!
//! ```text
//! y[m, n] = sum of a[m, k] * (w[n, k] - zero[n, k / block]) * scale[n, k / block]
//! ```

use super::Row;
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[("MatMulNBits", matmul_nbits)];

/// The greatest number of rows and columns of weights.
const MOST: i64 = i32::MAX as i64;

/// The numbers in bytes, of which the low bits are the first: the last dimension grows by `8 / bits`.
fn unpacked<'c>(b: &Builder<'c>, bytes: &Tensor<'c>, bits: i64) -> Result<Tensor<'c>, Refusal> {
    let each = 8 / bits;
    if each == 1 {
        return Ok(bytes.clone());
    }
    let rank = bytes.rank();
    let mut sizes = bytes.sizes().to_vec();
    sizes.push(Size::Known(each));
    let output = Tensor::new(b.empty(&sizes, Element::U8), Element::U8, sizes.clone());
    let operand = Operand::new(bytes, (0..rank).map(d).collect());
    let output = Operand::new(&output, (0..=rank).map(d).collect());
    let loops = vec![Loop::Parallel; rank + 1];
    let numbers = b.generic(&loops, &[operand], &[output], |b, v| {
        let place = b.cast(b.loop_index(rank), Element::U8);
        let shift = b.mul(place, b.like(place, bits as f64));
        let mask = b.like(place, ((1 << bits) - 1) as f64);
        vec![b.and(b.bits("arith.shrui", v[0], shift), mask)]
    });
    let last = sizes.pop();
    sizes[rank - 1] = b.size_mul(sizes[rank - 1], last.unwrap_or(Size::Known(1)));
    b.reshape(&numbers[0], &sizes)
}

/// A positive attribute that the op requires.
fn positive(node: &Node<'_, '_>, name: &str) -> Result<i64, Refusal> {
    let found = node.int_or(name, 0)?;
    match (1..=MOST).contains(&found) {
        true => Ok(found),
        false => Err(node.refuse_attribute(name, &found.to_string(), "a positive number")),
    }
}

/// An input with a known number of elements, in these sizes.
fn shaped<'c>(
    node: &Node<'_, 'c>,
    i: usize,
    sizes: &[i64],
    what: &str,
) -> Result<Tensor<'c>, Refusal> {
    let x = node.input(i)?;
    let count = sizes.iter().try_fold(1i64, |count, size| count.checked_mul(*size));
    if x.known_len().is_none() || x.known_len() != count {
        return Err(Refusal::new(format!(
            "has {what} of {} elements, expected those of {sizes:?}",
            x.known_len().map_or("?".to_owned(), |it| it.to_string())
        )));
    }
    node.reshape(x, &sizes.iter().map(|size| Size::Known(*size)).collect::<Vec<_>>())
}

fn matmul_nbits<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let x = node.input(0)?;
    let (element, wide) = (x.element(), accumulator(x.element()));
    node.check_element(x, "floats", Element::is_float)?;
    let (n, k, block) = (positive(node, "N")?, positive(node, "K")?, positive(node, "block_size")?);
    let bits = node.int_or("bits", 4)?;
    if !matches!(bits, 2 | 4 | 8) {
        return Err(node.refuse_attribute("bits", &bits.to_string(), "2, 4 or 8"));
    }
    if block * bits % 8 != 0 {
        let expected = "blocks of whole bytes";
        return Err(node.refuse_attribute("block_size", &block.to_string(), expected));
    }
    if node.int_or("weight_prepacked", 0)? != 0 {
        return Err(node.refuse_attribute("weight_prepacked", "another order", "0"));
    }
    // A hint of the precision that is enough.
    node.int("accuracy_level")?;
    if node.optional(4).is_some() {
        return Err(Refusal::new("has groups of columns (g_idx), expected blocks in order"));
    }
    if x.rank() == 0 || x.size(x.rank() - 1).known().is_some_and(|size| size != k) {
        return Err(Refusal::new(format!("has an operand whose last size is not K = {k}")));
    }
    let blocks = (k + block - 1) / block;
    let bytes = shaped(node, 1, &[n, blocks, block * bits / 8], "weights")?;
    node.check_element(&bytes, "uint8 as weights", |it| it == Element::U8)?;
    let weights = unpacked(node, &bytes, bits)?;
    let one = Size::Known(1);
    let by_block = [Size::Known(n), Size::Known(blocks), one];
    let scales = node.reshape(&shaped(node, 2, &[n, blocks], "scales")?, &by_block)?;
    let zeros = match node.optional(3) {
        Some(zeros) if zeros.element() == Element::U8 => {
            let packed = (blocks * bits + 7) / 8;
            let zeros = unpacked(node, &shaped(node, 3, &[n, packed], "zero points")?, bits)?;
            let zeros = node.slice_axis(&zeros, 1, Size::Known(0), Size::Known(blocks));
            Some(node.reshape(&zeros, &by_block)?)
        }
        Some(_) => Some(node.reshape(&shaped(node, 3, &[n, blocks], "zero points")?, &by_block)?),
        None => None,
    };
    let mut operands = vec![&weights, &scales];
    operands.extend(&zeros);
    let weights = node.map_to(weights.sizes(), &operands, wide, |b, v| {
        let [weight, scale] = [v[0], v[1]].map(|it| b.cast(it, wide));
        let middle = b.like(weight, (1 << (bits - 1)) as f64);
        let zero = v.get(2).map_or(middle, |zero| b.cast(*zero, wide));
        b.mul(b.sub(weight, zero), scale)
    });
    let weights = node.reshape(&weights, &[Size::Known(n), Size::Known(blocks * block)])?;
    let weights = node.slice_axis(&weights, 1, Size::Known(0), Size::Known(k));
    let rank = x.rank();
    let rows: Vec<_> = (0..rank - 1).map(d).collect();
    let [column, inner] = [d(rank - 1), d(rank)];
    let mut loops = vec![Loop::Parallel; rank];
    loops.push(Loop::Reduction);
    let with = |last: &String| [rows.as_slice(), std::slice::from_ref(last)].concat();
    let sizes = [&x.sizes()[..rank - 1], &[Size::Known(n)]].concat();
    let product = node.contract(
        &loops,
        Operand::new(x, with(&inner)),
        Operand::new(&weights, vec![column.clone(), inner.clone()]),
        &sizes,
        with(&column),
        wide,
    );
    let mut operands = vec![&product];
    if let Some(bias) = node.optional(5) {
        node.check_broadcast(bias, &[Size::Known(n)])?;
        operands.push(bias);
    }
    Ok(vec![node.map_to(&sizes, &operands, element, |b, v| {
        let sum = v.get(1).map_or(v[0], |bias| b.add(v[0], b.cast(*bias, wide)));
        b.cast(sum, element)
    })])
}

//! `transpose-weights`: store the weights of a product in the order in which vectors of results read them.
//!
//! ```text
//! Y[n, o] += X[n, k] * W[o, k]
//!   ->
//! once for all calls: W'[k, o] = W[o, k]
//! Y[n, o] += X[n, k] * W'[k, o]
//! ```
//! Results that are adjacent in Y read elements of W that are far apart. Without the pass, a vector holds elements of one row of W, and
//! is summed up at the end: then each row of X reads all of W again. W' depends on constants alone, so `lift-weight-transforms`
//! moves its computation out of the function. The pass itself does not change the order of sums.
//!
//! Requires
//! - (C1) the op has one result and a reduction loop. W is an input that is computed from constants, whose indices are different loops
//! - (C2) Y is contiguous along a loop that indexes W, but along which W is not contiguous. Another input that it indexes, such as
//!   the image of a depthwise convolution, is contiguous along it
//! - (C3) this loop fills at least half a vector
//! - (C4) the elements of W are read more than once: a loop over results does not index W, and has, or may have, several iterations

use super::weight_product::FixedValues;
use crate::analysis::op_cost::bytes_of;
use crate::compute::linalg_builder::{element_of, empty, generic, rebuilt, static_tensor};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Block, Builder, IteratorKind, Op, Structured, Value, walk};
use std::collections::HashMap;

/// Transposes the weights of a function. Returns the number of products that read transposed ones.
pub fn convert<'c>(function: Op<'c>, vector_bits: u32) -> usize {
    let fixed = FixedValues::of(function);
    let found =
        walk(function).into_iter().filter_map(|op| StridedWeights::of(op, &fixed, vector_bits));
    let found: Vec<StridedWeights> = found.collect();
    let mut transposed = Transposed::new();
    found.iter().for_each(|weights| weights.replace(&mut transposed));
    found.len()
}

/// The weights of a product, which are to be transposed.
struct StridedWeights<'c> {
    op: Op<'c>,
    loops: Structured,
    /// The place of the weights among the inputs.
    place: usize,
    /// The dimension that becomes the last one.
    dim: usize,
}

/// The transposed tensors of a block: by the original, and the dimension that is last now.
type Transposed<'c> = HashMap<(Option<Block<'c>>, Value<'c>, usize), Value<'c>>;

impl<'c> StridedWeights<'c> {
    fn of(op: Op<'c>, fixed: &FixedValues<'c>, vector_bits: u32) -> Option<StridedWeights<'c>> {
        let loops = Structured::of(op)?;
        let ([result], operands) = (&op.results()[..], op.operands()) else { return None };
        let is_reduction = loops.iterators.contains(&IteratorKind::Reduction);
        (is_reduction && operands.len() == loops.inputs + 1).then_some(())?;
        let along = contiguous(*result, &loops.maps[loops.inputs])?;
        let is_indexed = |place: &usize| loops.maps[*place].results.iter().any(|it| has(it, along));
        let is_strided = |place: &usize| {
            is_indexed(place) && contiguous(operands[*place], &loops.maps[*place]) != Some(along)
        };
        let strided: Vec<usize> = (0..loops.inputs).filter(is_strided).collect();
        let [place] = strided[..] else { return None };
        let (weights, map) = (operands[place], &loops.maps[place]);
        let dims = map.plain_dims().filter(|dims| is_distinct(dims))?;
        let dim = dims.iter().position(|d| *d == along)?;
        let sizes: Vec<i64> = weights.ty().shaped()?.0.into_iter().collect::<Option<_>>()?;
        let is_strided = fixed.contains(weights) && contiguous(weights, map).is_some();
        let bits = 8 * i64::try_from(bytes_of(element_of(*result))).unwrap_or(1);
        let is_wide = sizes[dim].saturating_mul(2 * bits) >= i64::from(vector_bits);
        let is_row = |d: usize| {
            loops.iterators[d] == IteratorKind::Parallel
                && !dims.contains(&d)
                && extent(d, &operands, &loops).is_none_or(|extent| extent > 1)
        };
        let is_reused = (0..loops.iterators.len()).any(is_row);
        (is_strided && is_wide && is_reused).then_some(StridedWeights { op, loops, place, dim })
    }

    fn replace(&self, transposed: &mut Transposed<'c>) {
        let StridedWeights { op, loops, place, dim } = self;
        let (mut operands, mut loops) = (op.operands(), loops.clone());
        let original = operands[*place];
        let at = Builder::before(*op, op.location());
        let key = (op.block(), original, *dim);
        operands[*place] = *transposed.entry(key).or_insert_with(|| with_last(&at, original, *dim));
        let indices = &mut loops.maps[*place].results;
        let last = indices.remove(*dim);
        indices.push(last);
        rebuilt(*op, &operands, &loops);
    }
}

/// The loop over the elements of a tensor that are adjacent in memory; dimensions of one element are left out.
fn contiguous(tensor: Value, map: &Map) -> Option<usize> {
    let (sizes, _) = tensor.ty().shaped()?;
    let last = sizes.iter().rposition(|size| *size != Some(1))?;
    match map.results.get(last)? {
        Expr::Dim(d) => Some(*d),
        _ => None,
    }
}

/// True if an index depends on a loop.
fn has(index: &Expr, d: usize) -> bool {
    let mut found = false;
    index.visit_leaves(&mut |leaf| found |= *leaf == Expr::Dim(d));
    found
}

fn is_distinct(dims: &[usize]) -> bool {
    dims.iter().enumerate().all(|(i, dim)| !dims[..i].contains(dim))
}

/// The iterations of a loop, if a size of an operand gives them.
fn extent(d: usize, operands: &[Value], loops: &Structured) -> Option<i64> {
    operands.iter().zip(&loops.maps).find_map(|(operand, map)| {
        let (sizes, _) = operand.ty().shaped()?;
        let dimension = map.results.iter().position(|index| *index == Expr::Dim(d))?;
        sizes[dimension]
    })
}

/// The tensor with one of its dimensions behind all others. Its sizes are known.
fn with_last<'c>(b: &Builder<'c>, tensor: Value<'c>, dim: usize) -> Value<'c> {
    let (sizes, element) = tensor.ty().shaped().expect("weights are a tensor");
    let mut sizes: Vec<i64> = sizes.into_iter().flatten().collect();
    let rank = sizes.len();
    let mut order: Vec<usize> = (0..rank).collect();
    let last = order.remove(dim);
    order.push(last);
    let size = sizes.remove(dim);
    sizes.push(size);
    // Loop i is over dimension order[i] of the original.
    let mut indices = vec![Expr::Constant(0); rank];
    order.iter().enumerate().for_each(|(at, from)| indices[*from] = Expr::Dim(at));
    let maps = [Map { dims: rank, symbols: 0, results: indices }, Map::identity(rank)];
    let outs = empty(b, static_tensor(&sizes, element), &[]);
    let iterators = vec![IteratorKind::Parallel; rank];
    generic(b, &[tensor], outs, &maps, &iterators, |_, elements| elements[0])
}

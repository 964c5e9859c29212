//! `inline-data-sized-tensors`: compute the elements of tensors whose sizes depend on data where they are read.
//!
//! ```text
//! %n = tensor.extract %data[%c0]
//! %s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
//! %y = tensor.pad %s low[0] high[%h] { tensor.yield %zero } : tensor<?xf32> to tensor<8xf32>
//!   ->
//! %y = linalg.generic outs(%empty : tensor<8xf32>) {
//!   %i = linalg.index 0
//!   %inside = %i < %n
//!   %e = tensor.extract %x[min(max(%i, 0), 7)]
//!   linalg.yield select(%inside, %e, %zero)
//! }
//! ```
//! Sizes of buffers are computed before a function runs, so no buffer has a size that depends on data. Here such tensors
//! are not stored: each op of known size that reads them computes the elements that it needs. A reduction becomes a loop in
//! the body of that op. A slice of slices becomes one slice. A size that later ops declare is not data: run
//! `resolve-declared-sizes` first.
//!
//! An element of padding, or outside of an inserted slice, is selected after both values have been computed. So indices are
//! clamped to the tensor that is read. This also holds if the data are not what the program presupposes: then the result is
//! undefined, but all accesses are in bounds.
//!
//! Requires
//! - (C1) the sizes of the op's result are numbers, or the result is a scalar;
//! - (C2) the tensors of known size that it reads have elements, and their types state their sizes;
//! - (C3) a reduction does not read another one, which would be computed again in each iteration;
//! - (C4) what is selected divides no integers, because a divisor may be 0 where the value is not needed;
//! - (C5) an element is computed from at most [`MOST`] others;
//! - (C6) a dimension of an output that no loop indexes has one element: other elements would be those of the operand.
//!
//! Other ops stay as they are. `convert-linalg-to-loop` reports them.

mod elements;
mod index_ops;
mod merge_slices;
mod tensors;

use crate::compute::linalg_builder::{element_of, empty, generic, loop_index};
use crate::ir::affine::{Expr, Map};
use crate::ir::{
    Block, Builder, IteratorKind, Op, Structured, Type, Value, constant_integer, walk,
};
use elements::InlinedElements;
use tensors::DataSizedTensors;

/// The most elements from which an element is computed.
const MOST: usize = 256;

/// Inlines the tensors of a function of one block.
pub fn convert(function: Op) {
    let Some(body) = function.body(0) else { return };
    if !body.ops().into_iter().any(tensors::may_have_data_sizes) {
        return;
    }
    let mut tensors = DataSizedTensors::of(body);
    replace_sizes(&tensors, function);
    for op in body.ops() {
        if tensors.is_reader(op) {
            inline(&mut tensors, op);
        }
    }
    erase_unused(&tensors, body);
}

/// Replaces the sizes that are read from tensors whose sizes depend on data.
fn replace_sizes<'c>(tensors: &DataSizedTensors<'c>, function: Op<'c>) {
    for op in walk(function).into_iter().filter(|op| op.is("tensor.dim")) {
        if !tensors.contains(op.operand(0)) {
            continue;
        }
        let at = Builder::before(op, op.location());
        let dim = constant_integer(op.operand(1)).and_then(|i| usize::try_from(i).ok());
        if let Some(size) = dim.and_then(|dim| tensors.size(&at, op.operand(0), dim)) {
            op.result(0).replace_all_uses_with(size);
            op.erase();
        }
    }
}

/// Replaces the results of an op that reads tensors whose sizes depend on data.
fn inline<'c>(tensors: &mut DataSizedTensors<'c>, op: Op<'c>) {
    for result in op.results().into_iter().filter(|result| !result.is_unused()) {
        let Some(dims) = tensors.numbers(result) else { continue };
        let merged = merge_slices::merged(tensors, op, &dims);
        let Some(value) = merged.or_else(|| computed(tensors, op, result.index(), &dims)) else {
            continue;
        };
        let at = Builder::before(op, op.location());
        let value = match result.ty().shaped() {
            _ if value.ty() == result.ty() => value,
            Some(_) => at.op("tensor.cast", &[value], result.ty()),
            None => at.op("tensor.extract", &[value], result.ty()),
        };
        tensors.add_known(value, &dims);
        result.replace_all_uses_with(value);
    }
}

/// A `linalg.generic` that computes a result of an op.
fn computed<'c>(
    tensors: &DataSizedTensors<'c>,
    op: Op<'c>,
    result: usize,
    dims: &[i64],
) -> Option<Value<'c>> {
    let at = Builder::before(op, op.location());
    let sizes: Vec<_> = dims.iter().copied().map(Some).collect();
    let outs = empty(&at, Type::tensor(&sizes, element_of(op.result(result))), &[]);
    let mut is_complete = true;
    let map = Map::identity(dims.len());
    let iterators = vec![IteratorKind::Parallel; dims.len()];
    let value = generic(&at, &[], outs, &[map], &iterators, |at, arguments| {
        let mut elements = InlinedElements::new(tensors);
        let indices: Vec<_> =
            (0..dims.len()).map(|d| elements.known_index(loop_index(at, d), dims[d])).collect();
        let element = elements.computed(at, op, result, &indices);
        is_complete = element.is_some();
        element.unwrap_or(arguments[0])
    });
    if !is_complete {
        for op in [value, outs].into_iter().filter_map(Value::defining_op) {
            op.erase();
        }
        return None;
    }
    Some(value)
}

/// Erases the ops without uses that compute or have read tensors whose sizes depend on data.
fn erase_unused<'c>(tensors: &DataSizedTensors<'c>, body: Block<'c>) {
    for op in body.ops().into_iter().rev() {
        let results = op.results();
        let is_concerned = results.iter().any(|it| tensors.contains(*it)) || tensors.is_reader(op);
        let is_unused = !results.is_empty() && results.iter().all(|it| it.is_unused());
        if is_concerned && is_unused && op.has_no_effects() {
            op.erase();
        }
    }
}

/// The loops of a structured op that a map of one of its outputs leaves out, if it has all others as they are.
fn left_out(loops: &Structured, map: &Map) -> Option<Vec<usize>> {
    let mut found = vec![false; loops.iterators.len()];
    for expr in &map.results {
        match expr {
            Expr::Dim(d) if !found[*d] && loops.iterators[*d] == IteratorKind::Parallel => {
                found[*d] = true;
            }
            Expr::Constant(0) => {}
            _ => return None,
        }
    }
    let left: Vec<_> = (0..found.len()).filter(|d| !found[*d]).collect();
    left.iter().all(|d| loops.iterators[*d] == IteratorKind::Reduction).then_some(left)
}

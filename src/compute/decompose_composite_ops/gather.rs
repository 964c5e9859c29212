//! Decomposes `tensor.gather`, which reads slices at indices that are data.

use crate::compute::linalg_builder::{ResultSize, element_of, empty, generic, loop_index, rank};
use crate::ir::affine::Map;
use crate::ir::{Attribute, Builder, IteratorKind, Op, Type, Value};

/// How the dimensions of the result belong to those of the source.
struct SliceDims {
    /// The dimensions of the source whose index is data.
    mapped: Vec<usize>,
    /// How many leading dimensions number the slices.
    leading: usize,
    /// For each dimension of the source, the dimension of a slice; `None` if it has none.
    of_source: Vec<Option<usize>>,
}

fn slices(op: Op, indices: Value, source: usize, result: usize) -> SliceDims {
    let mapped = op.attribute("gather_dims").and_then(Attribute::as_integers).unwrap_or_default();
    let mapped: Vec<usize> = mapped.into_iter().map(|d| d as usize).collect();
    let leading = rank(indices) - 1;
    // The result keeps a mapped dimension as 1, or leaves it out.
    let keeps_all = result - leading == source;
    let mut next = leading;
    let place = |d: usize| {
        let is_mapped = mapped.contains(&d);
        let place = (!is_mapped).then_some(next);
        next += usize::from(!is_mapped || keeps_all);
        place
    };
    let of_source = (0..source).map(place).collect();
    SliceDims { mapped, leading, of_source }
}

/// result[n.., s..] = source at the indices `indices[n.., :]` and `s`
pub(super) fn decompose<'c>(b: &Builder<'c>, op: Op<'c>) -> Value<'c> {
    let (source, indices) = (op.operand(0), op.operand(1));
    let ty = op.result(0).ty();
    let (dims, element) = ty.shaped().expect("a verified tensor");
    let slices = slices(op, indices, rank(source), dims.len());
    let mut sizes: Vec<_> = (0..slices.leading).map(|d| ResultSize::Of(indices, d)).collect();
    sizes.resize(dims.len(), ResultSize::One);
    for (d, place) in slices.of_source.iter().enumerate() {
        if let Some(place) = place {
            sizes[*place] = ResultSize::Of(source, d);
        }
    }
    let outs = empty(b, ty, &sizes);
    let iterators = vec![IteratorKind::Parallel; dims.len()];
    generic(b, &[], outs, &[Map::identity(dims.len())], &iterators, |b, _| {
        let slice: Vec<_> = (0..slices.leading).map(|d| loop_index(b, d)).collect();
        let at = |d: usize| match slices.mapped.iter().position(|m| *m == d) {
            Some(column) => {
                let mut operands = vec![indices];
                operands.extend(&slice);
                operands.push(b.index(column as i64));
                let index = b.op("tensor.extract", &operands, element_of(indices));
                match index.ty().is_index() {
                    true => index,
                    false => b.op("arith.index_cast", &[index], Type::index(b.context())),
                }
            }
            None => loop_index(b, slices.of_source[d].expect("a dimension of the slice")),
        };
        let place: Vec<_> = (0..slices.of_source.len()).map(at).collect();
        let operands: Vec<_> = [source].into_iter().chain(place).collect();
        b.op("tensor.extract", &operands, element)
    })
}

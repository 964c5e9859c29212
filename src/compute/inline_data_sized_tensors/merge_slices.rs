//! A slice of slices whose sizes depend on data: one slice of the tensor that they start from.
//!
//! ```text
//! %s = tensor.extract_slice %x[%a] [%n] [1] : tensor<8xf32> to tensor<?xf32>
//! %t = tensor.extract_slice %s[%b] [3] [1] : tensor<?xf32> to tensor<3xf32>
//!   ->
//! %t = tensor.extract_slice %x[min(max(%a + %b, 0), 5)] [3] [1] : tensor<8xf32> to tensor<3xf32>
//! ```

use super::index_ops::{clamped, product, sum};
use super::tensors::{DataSizedTensors, SliceOp, static_sizes};
use crate::compute::linalg_builder::element_of;
use crate::compute::symbolic_sizes::DYNAMIC;
use crate::ir::{Attribute, Builder, Op, Type, Value, constant_integer};

/// A dimension of the merged slice.
#[derive(Clone, Copy)]
struct MergedDim<'c> {
    offset: Value<'c>,
    stride: i64,
    size: i64,
}

/// The slice that `op` takes, as one of a tensor of known size. `dims` are the sizes of its result.
pub(super) fn merged<'c>(
    tensors: &DataSizedTensors<'c>,
    op: Op<'c>,
    dims: &[i64],
) -> Option<Value<'c>> {
    let mut slices = vec![];
    let mut source = op.result(0);
    while source == op.result(0) || tensors.contains(source) {
        let producer = source.defining_op()?;
        match producer.name() {
            "tensor.cast" => {}
            "tensor.extract_slice" => slices.push(SliceOp::of(producer)?),
            _ => return None,
        }
        source = producer.operand(0);
    }
    let (source, sizes) = static_sizes(source)?;
    let at = Builder::before(op, op.location());
    let whole = |size: &i64| MergedDim { offset: at.index(0), stride: 1, size: *size };
    let mut merged: Vec<MergedDim> = dims.iter().map(whole).collect();
    let mut kept: Vec<Option<usize>> = (0..dims.len()).map(Some).collect();
    for slice in slices {
        let inner = (merged, kept);
        (merged, kept) = (vec![], vec![]);
        for (i, place) in slice.kept.iter().enumerate() {
            let offset = slice.offsets[i].value(&at);
            let MergedDim { offset: add, stride, size } = match place {
                Some(place) => inner.0[*place],
                None => MergedDim { offset: at.index(0), stride: 1, size: 1 },
            };
            let add = product(&at, add, at.index(slice.strides[i]));
            let stride = stride.checked_mul(slice.strides[i])?;
            merged.push(MergedDim { offset: sum(&at, offset, add), stride, size });
            kept.push(place.and_then(|place| inner.1[place]));
        }
    }
    let mut values = vec![];
    let mut offsets = vec![];
    for (dim, size) in merged.iter_mut().zip(&sizes) {
        let reach = dim.size.checked_sub(1)?.checked_mul(dim.stride)?;
        let last = size.checked_sub(1)?.checked_sub(reach).filter(|last| *last >= 0)?;
        dim.offset = clamped(&at, dim.offset, last + 1);
        offsets.push(constant_integer(dim.offset).unwrap_or_else(|| {
            values.push(dim.offset);
            DYNAMIC
        }));
    }
    let list = |numbers: &[i64]| Attribute::dense_i64(at.context(), numbers);
    let numbers = |of: fn(&MergedDim) -> i64| list(&merged.iter().map(of).collect::<Vec<_>>());
    let types: Vec<_> = dims.iter().copied().map(Some).collect();
    let spec = at
        .spec("tensor.extract_slice")
        .operands(&[source])
        .operands(&values)
        .segments(&[1, values.len(), 0, 0])
        .attribute("static_offsets", list(&offsets))
        .attribute("static_sizes", numbers(|dim| dim.size))
        .attribute("static_strides", numbers(|dim| dim.stride));
    Some(at.value(spec.results(&[Type::tensor(&types, element_of(source))])))
}

//! Arrays from `dense` and `dense_resource` attributes.

use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::{Array, array_type};
use crate::ir::{Attribute, Error, Op, Type};

/// The elements of an attribute of `op` as an array for a value of type `ty`.
pub(in crate::interpreter) fn elements<'c>(
    op: Op<'c>,
    value: Attribute<'c>,
    ty: Type<'c>,
) -> Result<Array, Error<'c>> {
    let (dims, element) = array_type(op, ty)?;
    let shape: Option<Vec<usize>> = dims.iter().map(|dim| usize::try_from((*dim)?).ok()).collect();
    let shape = shape.ok_or_else(|| Error::on(op, "has a constant of unknown size"))?;
    let mut array = Array::for_type(op, ty, shape)?;
    let elements = value.as_elements().ok_or_else(|| {
        Error::on(op, "has a constant that is neither dense nor a resource with all its data")
    })?;
    let mut bits = elements.iter().map(|bits| element.with_bits(bits));
    if elements.splat {
        array.cells.fill(bits.next().unwrap_or(Scalar::Undefined));
    } else if elements.len() == array.cells.len() {
        array.cells = bits.collect();
    } else {
        return Err(Error::on(op, "has a constant of another size than its type"));
    }
    Ok(array)
}

//! Sizes of a function: their names in messages and their static values.

use crate::dialect::loop_op::buffer_name;
use crate::dialect::region::dimension;
use crate::ir::{Attribute, TypeKind, Value};

/// The name of a size in messages: its index among the arguments, or the dimension of a buffer.
pub fn size_name(value: Value) -> String {
    match value.defining_op() {
        None => format!("arg{}", value.index()),
        Some(op) if op.is("memref.dim") => {
            let operands = op.operands();
            let of = operands[1].defining_op().and_then(|op| op.attribute("value"));
            let dim = of.and_then(Attribute::as_i64).map_or("?".into(), |dim| dim.to_string());
            format!("dim({}, {dim})", buffer_name(operands[0]))
        }
        Some(op) => format!("the result of '{}'", op.name()),
    }
}

/// The static size that a `memref.dim` reads, from the type of its buffer; `None` if it is dynamic.
pub fn static_size(value: Value) -> Option<i64> {
    let (buffer, i) = dimension(value)?;
    match buffer.ty().kind() {
        TypeKind::MemRef { dims, .. } => dims.get(i).copied().flatten(),
        _ => None,
    }
}

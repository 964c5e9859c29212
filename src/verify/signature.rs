//! Binds the same arguments to a function whose signature passes have changed.
//!
//! - A tensor may have become a buffer, a scalar a buffer of rank 0, and a boolean a byte.
//! - A result may have become a buffer after the other arguments, which the function fills. Results that it still
//!   returns precede those in buffers.

use crate::interpreter::scalar::ScalarType;
use crate::interpreter::{Array, Datum};
use crate::ir::{Attribute, Op, Type, TypeKind};

/// The arguments of a run.
pub struct RunArguments {
    pub arguments: Vec<Datum>,
    /// The number of trailing arguments that are buffers for results.
    pub destinations: usize,
}

/// The arguments `inputs` for a function, and buffers for results that it does not return. The error describes
/// the mismatch.
pub fn bind(function: Op, inputs: &[Datum], results: &[&Array]) -> Result<RunArguments, String> {
    let ty = function.attribute("function_type").and_then(Attribute::as_type);
    let (types, returned) = ty.and_then(Type::signature).ok_or("it has no function type")?;
    let found = types.len();
    let destinations = found
        .checked_sub(inputs.len())
        .ok_or_else(|| format!("it takes {found} arguments, expected {}", inputs.len()))?;
    if returned.len() + destinations != results.len() {
        let (returned, expected) = (returned.len(), results.len());
        return Err(format!(
            "it has {returned} results and {destinations} more arguments, expected {expected} together"
        ));
    }
    let mut arguments = vec![];
    for (i, ty) in types.iter().enumerate() {
        let datum = match inputs.get(i) {
            Some(datum) => converted(datum, *ty),
            None => destination(results[returned.len() + i - inputs.len()], *ty),
        };
        let datum = datum.filter(|datum| datum.check(*ty).is_ok());
        arguments.push(datum.ok_or_else(|| format!("argument {i} has the type {ty}"))?);
    }
    Ok(RunArguments { arguments, destinations })
}

/// A copy of an argument for a parameter of that type.
fn converted(datum: &Datum, ty: Type) -> Option<Datum> {
    let is_memref = matches!(ty.kind(), TypeKind::MemRef { .. });
    let array = match datum {
        Datum::Scalar(_) if !is_memref => return Some(datum.clone()),
        Datum::Scalar(scalar) => {
            let element = ScalarType::of(ty.shaped()?.1)?;
            Array { ty: element, shape: vec![], cells: vec![*scalar] }
        }
        Datum::Tensor(array) => Array::clone(array),
        Datum::Buffer(array) => Array::clone(&array.borrow()),
    };
    if !is_memref {
        return Some(Datum::tensor(array));
    }
    let element = ScalarType::of(ty.shaped()?.1)?;
    let is_boolean = array.ty == ScalarType::Int(1) && element == ScalarType::Int(8);
    Some(Datum::buffer(if is_boolean { Array { ty: element, ..array } } else { array }))
}

/// A buffer for a result.
fn destination(result: &Array, ty: Type) -> Option<Datum> {
    let (_, element) = ty.shaped().filter(|_| matches!(ty.kind(), TypeKind::MemRef { .. }))?;
    Some(Datum::buffer(Array::undefined(ScalarType::of(element)?, result.shape.clone())?))
}

//! Tensor ops whose elements a body computes: `tensor.generate` and `tensor.pad`.

use super::{mixed, new_array, operand, shape_of};
use crate::interpreter::env::Env;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::structured::{BodyFrame, DecodedBody, LoopRanges, OpArrays, OperandArrays};
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Error, Op, Value};

pub fn generate<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let mut array = new_array(op, env, operands)?;
    fill(op, env, &mut array, |_| None)?;
    Ok(Datum::tensor(array))
}

/// `tensor.pad`; a negative amount of padding removes elements.
pub fn pad<'c>(op: Op<'c>, env: &Env<'c>, operands: &[Value<'c>]) -> Result<Datum, Error<'c>> {
    let source = env.tensor(op, operand(op, operands, 0)?)?;
    let mut amounts = operands.iter().skip(1).copied();
    let low = mixed(op, env, "static_low", &mut amounts)?;
    let high = mixed(op, env, "static_high", &mut amounts)?;
    let rank = source.shape.len();
    if low.len() != rank || high.len() != rank {
        return Err(Error::on(op, "does not have one amount of padding for each dimension"));
    }
    let sizes = source
        .shape
        .iter()
        .zip(low.iter().zip(&high))
        .map(|(size, (low, high))| (*size as i64).checked_add(*low)?.checked_add(*high));
    let sizes: Option<Vec<_>> = sizes.collect();
    let sizes = sizes.ok_or_else(|| Error::on(op, "has a result with a size that overflows"))?;
    let mut array = Array::for_type(op, op.result(0).ty(), shape_of(op, &sizes)?)?;
    let mut inside = vec![0; rank];
    fill(op, env, &mut array, |at| {
        for (to, (at, low)) in inside.iter_mut().zip(at.iter().zip(&low)) {
            *to = at.checked_sub(*low)?;
        }
        source.offset(&inside).map(|place| source.cells[place])
    })?;
    Ok(Datum::tensor(array))
}

/// Sets each element to the value that `known` has for its indices, else to the value that the body of `op` yields.
fn fill<'c>(
    op: Op<'c>,
    env: &Env<'c>,
    array: &mut Array,
    mut known: impl FnMut(&[i64]) -> Option<Scalar>,
) -> Result<(), Error<'c>> {
    let block = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
    let mut arrays = OperandArrays::default();
    let body = DecodedBody::decode(op, block, env, &mut arrays)?;
    let (arguments, yields) = (body.arguments(), body.yields());
    if arguments.len() != array.shape.len() || yields.len() != 1 {
        return Err(Error::on(op, "has a body that does not yield one element for its indices"));
    }
    let memory = OpArrays::new(&arrays, LoopRanges::new(&[], vec![]), &[], &[]);
    let memory = memory.map_err(|message| Error::on(op, message))?;
    let mut frame = BodyFrame::new(&body, 0, memory);
    let mut indices = array.indices();
    for cell in &mut array.cells {
        let Some(at) = indices.advance() else { break };
        if let Some(value) = known(at) {
            *cell = value;
            continue;
        }
        for (slot, index) in arguments.iter().zip(at) {
            frame.slots[*slot] = Scalar::Int(*index);
        }
        body.run(&mut frame)?;
        *cell = frame.slots[yields[0]];
    }
    Ok(())
}

//! Memref ops outside loop nests.

use super::{new_array, operand};
use crate::interpreter::scalar::Scalar;
use crate::interpreter::structured::dimension;
use crate::interpreter::value::{Datum, Env, check_type};
use crate::ir::{Error, Op};

/// The results of a memref op; `None` for an op that is not known.
pub(in crate::interpreter) fn run<'c>(
    op: Op<'c>,
    env: &Env<'c>,
) -> Result<Option<Vec<Datum>>, Error<'c>> {
    let operands = op.operands();
    let fail = |message: String| Error::on(op, message);
    let busy = || Error::on(op, "uses a buffer that another op is using");
    let buffer = |i| env.buffer(op, operand(op, &operands, i)?);
    let result = match op.name() {
        "memref.alloc" | "memref.alloca" => Datum::buffer(new_array(op, env, &operands)?),
        "memref.dealloc" => {
            // Whoever still computes with it gets an error for the undefined value.
            buffer(0)?.try_borrow_mut().map_err(|_| busy())?.cells.fill(Scalar::Undefined);
            return Ok(Some(vec![]));
        }
        "memref.dim" => {
            let i = env.index(op, operand(op, &operands, 1)?)?;
            let source = buffer(0)?;
            let source = source.try_borrow().map_err(|_| busy())?;
            Datum::Scalar(Scalar::Int(dimension(&source.shape, i).map_err(fail)?))
        }
        "memref.rank" => Datum::index(buffer(0)?.try_borrow().map_err(|_| busy())?.shape.len()),
        "memref.load" => {
            let source = buffer(0)?;
            let source = source.try_borrow().map_err(|_| busy())?;
            let indices = env.indices(op, &operands[1..])?;
            Datum::Scalar(source.cells[source.checked_offset(&indices).map_err(fail)?])
        }
        "memref.store" => {
            let value = env.scalar(op, operand(op, &operands, 0)?)?;
            let target = buffer(1)?;
            let mut target = target.try_borrow_mut().map_err(|_| busy())?;
            let indices = env.indices(op, &operands[2..])?;
            let place = target.checked_offset(&indices).map_err(fail)?;
            target.cells[place] = value;
            return Ok(Some(vec![]));
        }
        "memref.copy" => {
            let source = buffer(0)?.try_borrow().map_err(|_| busy())?.clone();
            let target = buffer(1)?;
            let mut target = target.try_borrow_mut().map_err(|_| busy())?;
            if source.shape != target.shape {
                let (from, to) = (&source.shape, &target.shape);
                return Err(fail(format!("copies sizes {from:?} to sizes {to:?}")));
            }
            target.cells = source.cells;
            return Ok(Some(vec![]));
        }
        "memref.cast" => {
            let source = buffer(0)?;
            check_type(op, op.result(0).ty(), &source.try_borrow().map_err(|_| busy())?.shape)?;
            Datum::Buffer(source)
        }
        _ => return Ok(None),
    };
    Ok(Some(vec![result]))
}

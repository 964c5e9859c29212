//! Memref ops outside loop nests.

use super::{new_array, operand};
use crate::interpreter::race::Use;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::structured::dimension;
use crate::interpreter::value::{Datum, Env, check_type};
use crate::ir::{Error, Op, Value};

/// A memref op on buffers.
#[derive(Clone, Copy)]
pub enum BufferOp {
    Allocate,
    Free,
    Dim,
    Rank,
    Load,
    Store,
    Copy,
    Cast,
}

impl BufferOp {
    /// The op of that name; `None` for one that is not known.
    pub fn named(name: &str) -> Option<BufferOp> {
        Some(match name {
            "memref.alloc" | "memref.alloca" => BufferOp::Allocate,
            "memref.dealloc" => BufferOp::Free,
            "memref.dim" => BufferOp::Dim,
            "memref.rank" => BufferOp::Rank,
            "memref.load" => BufferOp::Load,
            "memref.store" => BufferOp::Store,
            "memref.copy" => BufferOp::Copy,
            "memref.cast" => BufferOp::Cast,
            _ => return None,
        })
    }

    /// The result for these operands of `op`, if it has one.
    pub fn run<'c>(
        self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Option<Datum>, Error<'c>> {
        let fail = |message: String| Error::on(op, message);
        let busy = || Error::on(op, "uses a buffer that another op is using");
        let buffer = |i| env.buffer(op, operand(op, operands, i)?);
        let result = match self {
            BufferOp::Allocate => Datum::buffer(new_array(op, env, operands)?),
            BufferOp::Free => {
                // Whoever still computes with it gets an error for the undefined value.
                let freed = buffer(0)?;
                let mut array = freed.try_borrow_mut().map_err(|_| busy())?;
                env.note_use(op, &freed, &array, 0..array.cells.len(), Use::Write)?;
                array.cells.fill(Scalar::Undefined);
                return Ok(None);
            }
            BufferOp::Dim => {
                let i = env.index(op, operand(op, operands, 1)?)?;
                let source = buffer(0)?;
                let source = source.try_borrow().map_err(|_| busy())?;
                Datum::Scalar(Scalar::Int(dimension(&source.shape, i).map_err(fail)?))
            }
            BufferOp::Rank => {
                Datum::index(buffer(0)?.try_borrow().map_err(|_| busy())?.shape.len())
            }
            BufferOp::Load => {
                let source = buffer(0)?;
                let array = source.try_borrow().map_err(|_| busy())?;
                let indices = env.indices(op, &operands[1..])?;
                let place = array.checked_offset(&indices).map_err(fail)?;
                env.note_use(op, &source, &array, place..place + 1, Use::Read)?;
                Datum::Scalar(array.cells[place])
            }
            BufferOp::Store => {
                let value = env.scalar(op, operand(op, operands, 0)?)?;
                let target = buffer(1)?;
                let mut array = target.try_borrow_mut().map_err(|_| busy())?;
                let indices = env.indices(op, &operands[2..])?;
                let place = array.checked_offset(&indices).map_err(fail)?;
                env.note_use(op, &target, &array, place..place + 1, Use::Write)?;
                array.cells[place] = value;
                return Ok(None);
            }
            BufferOp::Copy => {
                let (from, to) = (buffer(0)?, buffer(1)?);
                let source = from.try_borrow().map_err(|_| busy())?.clone();
                let mut target = to.try_borrow_mut().map_err(|_| busy())?;
                if source.shape != target.shape {
                    let (from, to) = (&source.shape, &target.shape);
                    return Err(fail(format!("copies sizes {from:?} to sizes {to:?}")));
                }
                let all = 0..source.cells.len();
                env.note_use(op, &from, &source, all.clone(), Use::Read)?;
                env.note_use(op, &to, &target, all, Use::Write)?;
                target.cells = source.cells;
                return Ok(None);
            }
            BufferOp::Cast => {
                let source = buffer(0)?;
                check_type(op, op.result(0).ty(), &source.try_borrow().map_err(|_| busy())?.shape)?;
                Datum::Buffer(source)
            }
        };
        Ok(Some(result))
    }
}

//! Runs memref ops outside of loop nests.

use super::{new_array, operand};
use crate::interpreter::env::Env;
use crate::interpreter::race::Use;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::scalar_op::ScalarOp;
use crate::interpreter::structured::dimension;
use crate::interpreter::value::{Datum, check_type};
use crate::ir::{Attribute, Error, Op, Value};

/// A decoded memref op.
#[derive(Clone, Copy)]
pub enum BufferOp {
    Allocate,
    Free,
    Dim,
    Rank,
    Load,
    Store,
    /// An atomic update.
    Update,
    Copy,
    Cast,
    View,
    /// A prefetch; it changes nothing.
    Prefetch,
}

impl BufferOp {
    /// The op of that name; `None` if it is not supported.
    pub fn named(name: &str) -> Option<BufferOp> {
        Some(match name {
            "memref.alloc" | "memref.alloca" => BufferOp::Allocate,
            "memref.dealloc" => BufferOp::Free,
            "memref.dim" => BufferOp::Dim,
            "memref.rank" => BufferOp::Rank,
            "memref.load" => BufferOp::Load,
            "memref.store" => BufferOp::Store,
            "memref.atomic_rmw" => BufferOp::Update,
            "memref.copy" => BufferOp::Copy,
            "memref.cast" => BufferOp::Cast,
            "memref.view" => BufferOp::View,
            "memref.prefetch" => BufferOp::Prefetch,
            _ => return None,
        })
    }

    /// Runs it on these operands of `op`; returns its result, if it has one.
    pub fn run<'c>(
        self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Option<Datum>, Error<'c>> {
        let fail = |message: String| Error::on(op, message);
        let busy = || busy(op);
        let buffer = |i| env.buffer(op, operand(op, operands, i)?);
        let result = match self {
            BufferOp::Allocate => Datum::buffer(new_array(op, env, operands)?),
            BufferOp::Free => {
                // A later computation with the freed buffer reports the undefined value.
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
                let indices = env.indices(op, &operands[1..])?;
                return BufferOp::load(op, operands[0], &indices, env).map(Some);
            }
            BufferOp::Store => {
                let target = operand(op, operands, 1)?;
                let indices = env.indices(op, &operands[2..])?;
                BufferOp::store(op, operands[0], target, &indices, env)?;
                return Ok(None);
            }
            BufferOp::Update => {
                let target = operand(op, operands, 1)?;
                let indices = env.indices(op, &operands[2..])?;
                return BufferOp::update(op, operands[0], target, &indices, env).map(Some);
            }
            BufferOp::Copy => {
                let (from, to) = (buffer(0)?, buffer(1)?);
                let source = from.try_borrow().map_err(|_| busy())?.clone();
                let mut target = to.try_borrow_mut().map_err(|_| busy())?;
                if source.shape != target.shape {
                    let (from, to) = (&source.shape, &target.shape);
                    return Err(fail(format!(
                        "copies sizes {from:?} to sizes {to:?}, expected equal sizes"
                    )));
                }
                let all = 0..source.cells.len();
                env.note_use(op, &from, &source, all.clone(), Use::Read)?;
                env.note_use(op, &to, &target, all, Use::Write)?;
                target.cells = source.cells;
                return Ok(None);
            }
            BufferOp::Prefetch => return Ok(None),
            BufferOp::View => {
                let offset = env.index(op, operand(op, operands, 1)?)?;
                let offset =
                    usize::try_from(offset).map_err(|_| fail("has a negative offset".into()))?;
                let (dims, element) = op
                    .result(0)
                    .ty()
                    .in_any_space()
                    .and_then(|(dims, element)| Some((dims, ScalarType::of(element)?)))
                    .ok_or_else(|| {
                        Error::beyond(op, "has elements that the interpreter does not support")
                    })?;
                let mut dynamic = 2..operands.len();
                let mut sizes = vec![];
                for dim in dims {
                    let size = match dim {
                        Some(size) => size,
                        None => {
                            let place = dynamic.next().unwrap_or(operands.len());
                            env.index(op, operand(op, operands, place)?)?
                        }
                    };
                    sizes.push(
                        usize::try_from(size).map_err(|_| fail("has a negative size".into()))?,
                    );
                }
                let shape = (element, sizes);
                Datum::Buffer(env.view(&buffer(0)?, offset, shape).map_err(fail)?)
            }
            BufferOp::Cast => {
                let source = buffer(0)?;
                check_type(op, op.result(0).ty(), &source.try_borrow().map_err(|_| busy())?.shape)?;
                Datum::Buffer(source)
            }
        };
        Ok(Some(result))
    }

    /// The element of a buffer that `op` loads.
    pub fn load<'c>(
        op: Op<'c>,
        buffer: Value<'c>,
        indices: &[i64],
        env: &Env<'c>,
    ) -> Result<Datum, Error<'c>> {
        let source = env.buffer(op, buffer)?;
        let array = source.try_borrow().map_err(|_| busy(op))?;
        let place = array.checked_offset(indices).map_err(|message| Error::on(op, message))?;
        env.note_use(op, &source, &array, place..place + 1, Use::Read)?;
        Ok(Datum::Scalar(array.cells[place]))
    }

    /// Stores a value of `op` to an element of a buffer.
    pub fn store<'c>(
        op: Op<'c>,
        value: Value<'c>,
        buffer: Value<'c>,
        indices: &[i64],
        env: &Env<'c>,
    ) -> Result<(), Error<'c>> {
        let value = env.scalar(op, value)?;
        let target = env.buffer(op, buffer)?;
        let mut array = target.try_borrow_mut().map_err(|_| busy(op))?;
        let place = array.checked_offset(indices).map_err(|message| Error::on(op, message))?;
        env.note_use(op, &target, &array, place..place + 1, Use::Write)?;
        array.cells[place] = value;
        Ok(())
    }

    /// Combines a value with an element of a buffer; returns the old element.
    fn update<'c>(
        op: Op<'c>,
        value: Value<'c>,
        buffer: Value<'c>,
        indices: &[i64],
        env: &Env<'c>,
    ) -> Result<Datum, Error<'c>> {
        let fail = |message: String| Error::on(op, message);
        let kind = op.attribute("kind").and_then(Attribute::as_i64);
        let kind = kind.and_then(|kind| KINDS.get(usize::try_from(kind).ok()?));
        let unknown = || Error::beyond(op, "is of a kind that the interpreter does not support");
        let ty = ScalarType::of(value.ty()).ok_or_else(unknown)?;
        let value = env.scalar(op, value)?;
        let target = env.buffer(op, buffer)?;
        let mut array = target.try_borrow_mut().map_err(|_| busy(op))?;
        let place = array.checked_offset(indices).map_err(fail)?;
        env.note_use(op, &target, &array, place..place + 1, Use::Update)?;
        let old = array.cells[place];
        array.cells[place] = match kind.ok_or_else(unknown)? {
            Some(name) => {
                let action = ScalarOp::named(name, ty).ok_or_else(unknown)?;
                action.apply(&[old, value]).map_err(fail)?
            }
            None => value,
        };
        Ok(Datum::Scalar(old))
    }
}

/// The op by which an atomic update combines the old value with the new one, indexed by its kind; `None` if the new
/// value replaces the old one.
const KINDS: &[Option<&str>] = &[
    Some("arith.addf"),
    Some("arith.addi"),
    Some("arith.andi"),
    None,
    Some("arith.maximumf"),
    Some("arith.maxnumf"),
    Some("arith.maxsi"),
    Some("arith.maxui"),
    Some("arith.minimumf"),
    Some("arith.minnumf"),
    Some("arith.minsi"),
    Some("arith.minui"),
    Some("arith.mulf"),
    Some("arith.muli"),
    Some("arith.ori"),
    Some("arith.xori"),
];

fn busy(op: Op<'_>) -> Error<'_> {
    Error::on(op, "uses a buffer that another op is using")
}

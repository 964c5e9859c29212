//! Vector ops that build vectors from scalars and other vectors, and extract their parts.

use super::{VectorForm, operand};
use crate::interpreter::env::Env;
use crate::interpreter::scalar::{Scalar, ScalarType};
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Error, Op, Value};

/// A decoded op. The form is that of the result.
pub enum LaneOp {
    Broadcast(VectorForm),
    CreateMask(VectorForm),
    FromElements(VectorForm),
    Extract(Position),
    Insert(Position),
    /// For each result lane, the index of its source lane in the concatenated operands.
    Shuffle(VectorForm, Vec<i64>),
    ShapeCast,
    Bitcast {
        from: VectorForm,
        to: VectorForm,
    },
}

/// The lane that is extracted or inserted.
#[derive(Clone, Copy)]
pub enum Position {
    At(i64),
    Operand,
    /// Poison: the result is undefined.
    Poison,
}

impl LaneOp {
    /// Decodes an op; `None` if it is not supported.
    pub fn of<'c>(op: Op<'c>) -> Result<Option<LaneOp>, Error<'c>> {
        let form = || VectorForm::of_result(op);
        let source = || VectorForm::of(op, operand(op, &op.operands(), 0)?.ty());
        Ok(Some(match op.name() {
            "vector.broadcast" => LaneOp::Broadcast(form()?),
            "vector.create_mask" => LaneOp::CreateMask(form()?),
            "vector.from_elements" => LaneOp::FromElements(form()?),
            "vector.extract" => LaneOp::Extract(position(op)?),
            "vector.insert" => LaneOp::Insert(position(op)?),
            "vector.shuffle" => {
                let mask = op.attribute("mask").and_then(|mask| mask.as_integers());
                LaneOp::Shuffle(form()?, mask.ok_or_else(|| Error::on(op, "has no mask"))?)
            }
            "vector.shape_cast" => {
                form()?;
                LaneOp::ShapeCast
            }
            "vector.bitcast" => LaneOp::Bitcast { from: source()?, to: form()? },
            _ => return Ok(None),
        }))
    }

    pub fn run<'c>(
        &self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Datum, Error<'c>> {
        let vector = |i| env.tensor(op, operand(op, operands, i)?);
        let fail = |message: String| Error::on(op, message);
        match self {
            LaneOp::Broadcast(form) => match env.get(op, operand(op, operands, 0)?)? {
                Datum::Tensor(array) if array.cells.len() == form.lanes => {
                    Ok(Datum::Tensor(array.clone()))
                }
                Datum::Tensor(array) => Ok(form.each(|_| array.cells[0])),
                Datum::Scalar(value) => Ok(form.each(|_| *value)),
                Datum::Buffer(_) => Err(Error::on(op, "has a memref as operand")),
            },
            LaneOp::CreateMask(form) => Ok(form.mask(env.index(op, operand(op, operands, 0)?)?)),
            LaneOp::FromElements(form) => {
                let cells = operands.iter().map(|value| env.scalar(op, *value));
                Ok(form.vector(cells.collect::<Result<_, _>>()?))
            }
            LaneOp::Extract(position) => {
                let source = vector(0)?;
                let place = position.place(op, &operands[1..], env, &source)?;
                Ok(Datum::Scalar(place.map_or(Scalar::Undefined, |place| source.cells[place])))
            }
            LaneOp::Insert(position) => {
                let value = env.scalar(op, operand(op, operands, 0)?)?;
                let mut result = (*vector(1)?).clone();
                match position.place(op, &operands[2..], env, &result)? {
                    Some(place) => result.cells[place] = value,
                    None => result.cells.fill(Scalar::Undefined),
                }
                Ok(Datum::tensor(result))
            }
            LaneOp::Shuffle(form, mask) => {
                let (first, second) = (vector(0)?, vector(1)?);
                let cells: Vec<_> = first.cells.iter().chain(&second.cells).copied().collect();
                let pick = |lane: &i64| match usize::try_from(*lane) {
                    Ok(lane) => cells.get(lane).copied(),
                    // A lane index of -1 gives an undefined lane.
                    Err(_) => Some(Scalar::Undefined),
                };
                let picked: Option<Vec<_>> = mask.iter().map(pick).collect();
                let picked = picked.filter(|picked| picked.len() == form.lanes);
                Ok(form.vector(
                    picked.ok_or_else(|| {
                        fail("has a mask that does not match its operands".into())
                    })?,
                ))
            }
            LaneOp::ShapeCast => Ok(Datum::Tensor(vector(0)?)),
            LaneOp::Bitcast { from, to } => {
                let source = vector(0)?;
                Ok(bitcast(&source, from.ty, *to))
            }
        }
    }
}

/// The one position of a vector.extract or vector.insert.
fn position(op: Op) -> Result<Position, Error> {
    let list = op.attribute("static_position").and_then(|list| list.as_integers());
    match list.as_deref() {
        Some([i64::MIN]) => Ok(Position::Operand),
        Some([-1]) => Ok(Position::Poison),
        Some([lane]) => Ok(Position::At(*lane)),
        _ => {
            let count = list.map_or(0, |list| list.len());
            Err(Error::on(op, format!("has {count} positions, expected 1")))
        }
    }
}

impl Position {
    /// The lane index; `None` for poison. `operands` are those of the position.
    fn place<'c>(
        self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
        vector: &Array,
    ) -> Result<Option<usize>, Error<'c>> {
        let lane = match self {
            Position::At(lane) => lane,
            Position::Operand => env.index(op, operand(op, operands, 0)?)?,
            Position::Poison => return Ok(None),
        };
        vector.checked_offset(&[lane]).map(Some).map_err(|message| Error::on(op, message))
    }
}

/// Reinterprets the bits, lane 0 lowest, as lanes of another form. A lane is undefined if any of its bits
/// is.
fn bitcast(source: &Array, from: ScalarType, to: VectorForm) -> Datum {
    let bits: Vec<Option<u64>> = source.cells.iter().map(|cell| from.bits_of(*cell)).collect();
    let (wide, narrow) = (from.bits() as usize, to.ty.bits() as usize);
    let bit = |i: usize| Some(bits.get(i / wide).copied()?? >> (i % wide) & 1);
    to.each(|lane| {
        let word = (0..narrow).try_fold(0, |word, i| Some(word | bit(lane * narrow + i)? << i));
        word.map_or(Scalar::Undefined, |word| to.ty.with_bits(word))
    })
}

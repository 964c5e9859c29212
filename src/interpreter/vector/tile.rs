//! Ops of the amx dialect, as Intel's manual defines their instructions. A tile is an array of rows and columns.

use super::operand;
use crate::interpreter::env::Env;
use crate::interpreter::race::Use;
use crate::interpreter::scalar::{Scalar, ScalarType, round};
use crate::interpreter::value::{Array, Datum, array_type};
use crate::ir::{Error, FloatKind, Op, Value};
use std::rc::Rc;

/// A decoded op.
pub enum TileOp {
    /// Fills a tile of this shape with zeros.
    Zero {
        ty: ScalarType,
        shape: [usize; 2],
    },
    Load {
        ty: ScalarType,
        shape: [usize; 2],
    },
    /// `stored` is the place of the tile among the operands.
    Store {
        shape: [usize; 2],
        stored: usize,
    },
    /// The products of pairs of bf16; subnormal numbers count as 0. Those of the first and of the second numbers of all
    /// pairs are summed apart, each product and sum rounded once, and then added to each other and to the old sum.
    Halves,
    /// The products of groups of four bytes; true for each factor that is unsigned.
    Bytes {
        is_unsigned: [bool; 2],
    },
}

impl TileOp {
    /// Decodes an op; `None` if it is not supported.
    pub fn of<'c>(op: Op<'c>) -> Result<Option<TileOp>, Error<'c>> {
        let form = |value: Value<'c>| {
            let (dims, ty) = array_type(op, value.ty())?;
            match dims[..] {
                [Some(rows), Some(columns)] => Ok((ty, [rows as usize, columns as usize])),
                _ => Err(Error::on(op, format!("has type {}, expected a tile", value.ty()))),
            }
        };
        let operands = op.operands();
        Ok(Some(match op.name() {
            "amx.tile_zero" => {
                let (ty, shape) = form(op.result(0))?;
                TileOp::Zero { ty, shape }
            }
            "amx.tile_load" => {
                let (ty, shape) = form(op.result(0))?;
                TileOp::Load { ty, shape }
            }
            "amx.tile_store" => {
                let is_tile = |value: &&Value| value.ty().tile_shape().is_some();
                let stored = operands.iter().position(|value| is_tile(&value));
                let stored = stored.ok_or_else(|| Error::on(op, "stores no tile"))?;
                TileOp::Store { shape: form(operands[stored])?.1, stored }
            }
            "amx.tile_mulf" if form(operands[0])?.0 == ScalarType::Float(FloatKind::BF16) => {
                TileOp::Halves
            }
            "amx.tile_muli" => {
                let is_unsigned = ["isZextLhs", "isZextRhs"].map(|it| op.attribute(it).is_some());
                TileOp::Bytes { is_unsigned }
            }
            _ => return Ok(None),
        }))
    }

    pub fn run<'c>(
        &self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Option<Datum>, Error<'c>> {
        match self {
            TileOp::Zero { ty, shape } => {
                let zero = match ty {
                    ScalarType::Float(_) => Scalar::Float(0.0),
                    _ => Scalar::Int(0),
                };
                Ok(Some(tile(*ty, *shape, vec![zero; shape[0] * shape[1]])))
            }
            TileOp::Load { ty, shape } => {
                let buffer = env.buffer(op, operand(op, operands, 0)?)?;
                let array = buffer.try_borrow().map_err(|_| busy(op))?;
                let rank = array.shape.len();
                let (indices, stride) = operands[1..].split_at(rank.min(operands.len() - 1));
                let places = places(op, (indices, stride), *shape, &array, env)?;
                env.note_use(op, &buffer, &array, places.iter().copied(), Use::Read)?;
                let cells = places.into_iter().map(|place| array.cells[place]).collect();
                Ok(Some(tile(*ty, *shape, cells)))
            }
            TileOp::Store { shape, stored } => {
                let (indices, stride) = (&operands[1..*stored], &operands[*stored + 1..]);
                let stored = env.tensor(op, operands[*stored])?;
                let buffer = env.buffer(op, operand(op, operands, 0)?)?;
                let mut array = buffer.try_borrow_mut().map_err(|_| busy(op))?;
                let places = places(op, (indices, stride), *shape, &array, env)?;
                env.note_use(op, &buffer, &array, places.iter().copied(), Use::Write)?;
                for (place, cell) in places.into_iter().zip(&stored.cells) {
                    array.cells[place] = *cell;
                }
                Ok(None)
            }
            TileOp::Halves => self.multiply(op, operands, env, 2).map(Some),
            TileOp::Bytes { .. } => self.multiply(op, operands, env, 4).map(Some),
        }
    }

    /// The product of two tiles whose elements are in groups of `depth`, added to a third one.
    fn multiply<'c>(
        &self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
        depth: usize,
    ) -> Result<Datum, Error<'c>> {
        let [left, right, sums] =
            [0, 1, 2].map(|i| operand(op, operands, i).and_then(|value| env.tensor(op, value)));
        let (left, right, sums) = (left?, right?, sums?);
        let undefined = || Error::on(op, "computes with an undefined value");
        let [rows, columns] = sums.shape[..] else { return Err(undefined()) };
        let groups = left.shape[1] / depth;
        let mut cells = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let pair = |group: usize, i: usize| {
                    let left = left.cells[(row * groups + group) * depth + i];
                    (left, right.cells[(group * columns + column) * depth + i])
                };
                let old = sums.cells[row * columns + column];
                let new = match self {
                    TileOp::Bytes { is_unsigned } => {
                        let pairs = (0..groups * depth).map(|k| pair(k / depth, k % depth));
                        bytes(old, pairs, *is_unsigned)
                    }
                    _ => halves(old, [0, 1].map(|i| (0..groups).map(move |g| pair(g, i)))),
                };
                cells.push(new.ok_or_else(undefined)?);
            }
        }
        Ok(tile(sums.ty, [rows, columns], cells))
    }
}

fn tile(ty: ScalarType, shape: [usize; 2], cells: Vec<Scalar>) -> Datum {
    Datum::Tensor(Rc::new(Array { ty, shape: shape.to_vec(), cells }))
}

fn busy(op: Op<'_>) -> Error<'_> {
    Error::on(op, "uses a buffer that another op is using")
}

/// The places of a tile's elements. Its rows are along the dimension before the last one, or so many elements apart.
fn places<'c>(
    op: Op<'c>,
    (indices, stride): (&[Value<'c>], &[Value<'c>]),
    [rows, columns]: [usize; 2],
    array: &Array,
    env: &Env<'c>,
) -> Result<Vec<usize>, Error<'c>> {
    let start = env.indices(op, indices)?;
    let stride = env.indices(op, stride)?.first().copied();
    let rank = start.len();
    if rank == 0 || rank == 1 && stride.is_none() {
        return Err(Error::on(op, "accesses a tile of a memref without rows"));
    }
    let mut all = Vec::with_capacity(rows * columns);
    for (i, j) in (0..rows as i64).flat_map(|i| (0..columns as i64).map(move |j| (i, j))) {
        let mut at = start.clone();
        let place = match stride {
            // With a stride, a row may continue in the next row of the array.
            Some(stride) => array.checked_offset(&at).and_then(|first| {
                let place = (first as i64).saturating_add(i.saturating_mul(stride) + j);
                let is_inside = |place: &usize| *place < array.cells.len();
                usize::try_from(place).ok().filter(is_inside).ok_or_else(|| {
                    format!(
                        "element {place} is out of bounds of an array of sizes {:?}",
                        array.shape
                    )
                })
            }),
            None => {
                at[rank - 2] = at[rank - 2].saturating_add(i);
                at[rank - 1] = at[rank - 1].saturating_add(j);
                array.checked_offset(&at)
            }
        };
        all.push(place.map_err(|text| Error::on(op, format!("row {i}, column {j}: {text}")))?);
    }
    Ok(all)
}

fn bytes(
    old: Scalar,
    pairs: impl Iterator<Item = (Scalar, Scalar)>,
    [left, right]: [bool; 2],
) -> Option<Scalar> {
    let byte = |value: Scalar, is_unsigned: bool| {
        let value = value.int()?;
        Some(if is_unsigned { value & 0xff } else { ScalarType::Int(8).wrap(value) })
    };
    let mut sum = old.int()?;
    for (one, other) in pairs {
        sum += byte(one, left)? * byte(other, right)?;
    }
    Some(Scalar::Int(ScalarType::Int(32).wrap(sum)))
}

fn halves(old: Scalar, parts: [impl Iterator<Item = (Scalar, Scalar)>; 2]) -> Option<Scalar> {
    let normal = |value: f64| {
        let is_subnormal = value.abs() < f64::from(f32::MIN_POSITIVE);
        if is_subnormal { 0.0_f64.copysign(value) } else { value }
    };
    let rounded = |value: f64| normal(round(FloatKind::F32, value));
    let mut sums = [0.0; 2];
    for (sum, pairs) in sums.iter_mut().zip(parts) {
        for (left, right) in pairs {
            // A product of two bf16 is exact in f64.
            *sum = rounded(normal(left.float()?) * normal(right.float()?) + *sum);
        }
    }
    Some(Scalar::Float(rounded(normal(old.float()?) + rounded(sums[0] + sums[1]))))
}

#[cfg(test)]
#[path = "../../../test/interpreter/vector/tile.rs"]
mod tests;

//! Runs `linalg.pack` and `linalg.unpack` by their definition: element (o, t) of a tile is element o * size + t.

use crate::interpreter::env::Env;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Attribute, Error, Op};

/// How packed indices belong to those of the other tensor.
struct Tiling {
    /// For each outer dimension, the dimension that it is of.
    outer: Vec<usize>,
    /// For each inner dimension, the dimension that it is of, and its size.
    inner: Vec<(usize, i64)>,
}

impl Tiling {
    fn of<'c>(op: Op<'c>, packed: &Array) -> Result<Tiling, Error<'c>> {
        let list = |name: &str| op.attribute(name).and_then(Attribute::as_integers);
        let tiled = list("inner_dims_pos").unwrap_or_default();
        let rank = packed.shape.len().checked_sub(tiled.len());
        let rank = rank.ok_or_else(|| Error::on(op, "has more tiles than dimensions"))?;
        let outer = match list("outer_dims_perm").filter(|order| !order.is_empty()) {
            Some(order) => order.into_iter().map(|d| d as usize).collect(),
            None => (0..rank).collect(),
        };
        let sizes = packed.shape[rank..].iter().map(|size| *size as i64);
        let inner = tiled.into_iter().map(|d| d as usize).zip(sizes).collect();
        Ok(Tiling { outer, inner })
    }

    /// The indices in the other tensor.
    fn unpacked(&self, at: &[i64]) -> Vec<i64> {
        let rank = self.outer.len();
        let mut place = vec![0; rank];
        for (d, index) in self.outer.iter().zip(at) {
            place[*d] = *index;
        }
        for ((d, size), index) in self.inner.iter().zip(&at[rank..]) {
            place[*d] = place[*d] * size + index;
        }
        place
    }
}

pub fn pack<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
    let operands = op.operands();
    let source = env.tensor(op, operands[0])?;
    let mut packed = (*env.tensor(op, operands[1])?).clone();
    let sizes = op.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
    let padding = match sizes.and_then(|sizes| sizes.get(2).copied()) {
        Some(1) => env.scalar(op, operands[2])?,
        _ => Scalar::Undefined,
    };
    let tiling = Tiling::of(op, &packed)?;
    let mut all = packed.indices();
    for cell in &mut packed.cells {
        let Some(at) = all.advance() else { break };
        *cell = source.offset(&tiling.unpacked(at)).map_or(padding, |from| source.cells[from]);
    }
    Ok(vec![Datum::tensor(packed)])
}

pub fn unpack<'c>(op: Op<'c>, env: &Env<'c>) -> Result<Vec<Datum>, Error<'c>> {
    let packed = env.tensor(op, op.operand(0))?;
    let mut array = (*env.tensor(op, op.operand(1))?).clone();
    let tiling = Tiling::of(op, &packed)?;
    let mut all = packed.indices();
    for cell in &packed.cells {
        let Some(at) = all.advance() else { break };
        if let Some(to) = array.offset(&tiling.unpacked(at)) {
            array.cells[to] = *cell;
        }
    }
    Ok(vec![Datum::tensor(array)])
}

//! Vector ops that read and write memory: each lane does what `memref.load` and `memref.store` do.
//!
//! The lanes are in the innermost dimension of the memref and must not leave it. What MLIR leaves undefined
//! is an error: an index out of bounds in a lane that is on, and two lanes of a scatter at the same index.

use super::VectorForm;
use crate::interpreter::env::Env;
use crate::interpreter::race::Use;
use crate::interpreter::scalar::Scalar;
use crate::interpreter::value::{Array, Datum};
use crate::ir::{Error, Op, Value};
use std::rc::Rc;

/// A decoded access.
pub struct VectorAccess {
    kind: AccessKind,
    /// The form of the vector that is read or written.
    form: VectorForm,
}

#[derive(Clone, Copy, PartialEq)]
enum AccessKind {
    Load,
    Store,
    MaskedLoad,
    MaskedStore,
    Gather,
    Scatter,
}

/// The operands by their role.
struct AccessOperands<'v, 'c> {
    base: Value<'c>,
    indices: &'v [Value<'c>],
    /// The offset of each lane from the indices; `None` if the lanes are contiguous.
    distances: Option<Value<'c>>,
    mask: Option<Value<'c>>,
    /// The stored value, or the pass-through value of masked-off lanes.
    data: Option<Value<'c>>,
}

/// The positions of the lanes.
struct LanePositions {
    indices: Vec<i64>,
    distances: Option<Rc<Array>>,
    mask: Option<Rc<Array>>,
}

impl VectorAccess {
    /// Decodes an op; `None` if it is no access.
    pub fn of<'c>(op: Op<'c>) -> Result<Option<VectorAccess>, Error<'c>> {
        let kind = match op.name() {
            "vector.load" => AccessKind::Load,
            "vector.store" => AccessKind::Store,
            "vector.maskedload" => AccessKind::MaskedLoad,
            "vector.maskedstore" => AccessKind::MaskedStore,
            "vector.gather" => AccessKind::Gather,
            "vector.scatter" => AccessKind::Scatter,
            _ => return Ok(None),
        };
        let form = match kind.parts(op, &op.operands())?.data {
            Some(data) => VectorForm::of(op, data.ty())?,
            None => VectorForm::of_result(op)?,
        };
        Ok(Some(VectorAccess { kind, form }))
    }

    pub fn run<'c>(
        &self,
        op: Op<'c>,
        operands: &[Value<'c>],
        env: &Env<'c>,
    ) -> Result<Option<Datum>, Error<'c>> {
        let parts = self.kind.parts(op, operands)?;
        let vector = |value: Option<Value<'c>>| value.map(|it| env.tensor(op, it)).transpose();
        let lanes = LanePositions {
            indices: env.indices(op, parts.indices)?,
            distances: vector(parts.distances)?,
            mask: vector(parts.mask)?,
        };
        let data = vector(parts.data)?;
        let buffer = env.buffer(op, parts.base)?;
        let fail = |message: String| Error::on(op, message);
        let busy = || Error::on(op, "uses a buffer that another op is using");
        if matches!(self.kind, AccessKind::Load | AccessKind::MaskedLoad | AccessKind::Gather) {
            let array = buffer.try_borrow().map_err(|_| busy())?;
            let places = lanes.places(&array, self.form.lanes).map_err(fail)?;
            let used = places.iter().copied().flatten();
            env.note_use(op, &buffer, &array, used, Use::Read)?;
            let read = |lane: usize| match (places[lane], &data) {
                (Some(place), _) => array.cells[place],
                (None, Some(data)) => data.cells[lane],
                (None, None) => Scalar::Undefined,
            };
            return Ok(Some(self.form.each(read)));
        }
        let mut array = buffer.try_borrow_mut().map_err(|_| busy())?;
        let places = lanes.places(&array, self.form.lanes).map_err(fail)?;
        if self.kind == AccessKind::Scatter {
            check_apart(&array, &places).map_err(fail)?;
        }
        let data = data.ok_or_else(|| Error::on(op, "has nothing to store"))?;
        env.note_use(op, &buffer, &array, places.iter().copied().flatten(), Use::Write)?;
        for (place, cell) in places.into_iter().zip(&data.cells) {
            if let Some(place) = place {
                array.cells[place] = *cell;
            }
        }
        Ok(None)
    }
}

impl AccessKind {
    fn parts<'v, 'c>(
        self,
        op: Op<'c>,
        operands: &'v [Value<'c>],
    ) -> Result<AccessOperands<'v, 'c>, Error<'c>> {
        let (base, indices, distances, mask, data) = match (self, operands) {
            (AccessKind::Load, [base, indices @ ..]) => (base, indices, None, None, None),
            (AccessKind::Store, [data, base, indices @ ..]) => {
                (base, indices, None, None, Some(data))
            }
            (
                AccessKind::MaskedLoad | AccessKind::MaskedStore,
                [base, indices @ .., mask, data],
            ) => (base, indices, None, Some(mask), Some(data)),
            (
                AccessKind::Gather | AccessKind::Scatter,
                [base, indices @ .., distances, mask, data],
            ) => (base, indices, Some(distances), Some(mask), Some(data)),
            _ => return Err(Error::on(op, "has too few operands")),
        };
        let (distances, mask, data) = (distances.copied(), mask.copied(), data.copied());
        Ok(AccessOperands { base: *base, indices, distances, mask, data })
    }
}

impl LanePositions {
    /// The row-major offset of each lane in the array; `None` for a lane that is off.
    fn places(&self, array: &Array, lanes: usize) -> Result<Vec<Option<usize>>, String> {
        let mut at = self.indices.clone();
        let start = at.last().copied().ok_or("accesses lanes of a memref of rank 0")?;
        let innermost = at.len() - 1;
        let mut places = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            if !self.is_on(lane)? {
                places.push(None);
                continue;
            }
            let distance = match self.distances.as_ref().map(|distances| distances.cells[lane]) {
                None => lane as i64,
                Some(Scalar::Int(distance)) => distance,
                Some(_) => return Err(format!("lane {lane}: uses an undefined value as an index")),
            };
            // An index that overflows is out of bounds, so saturation is correct.
            at[innermost] = start.saturating_add(distance);
            let place = array.checked_offset(&at).map_err(|text| format!("lane {lane}: {text}"))?;
            places.push(Some(place));
        }
        Ok(places)
    }

    fn is_on(&self, lane: usize) -> Result<bool, String> {
        match self.mask.as_ref().map(|mask| mask.cells[lane]) {
            None => Ok(true),
            Some(Scalar::Int(bit)) => Ok(bit != 0),
            Some(_) => Err(format!("lane {lane}: has an undefined mask")),
        }
    }
}

/// An error if two lanes have the same offset.
fn check_apart(array: &Array, places: &[Option<usize>]) -> Result<(), String> {
    for (lane, place) in places.iter().enumerate() {
        let Some(place) = place else { continue };
        if let Some(other) = places[..lane].iter().position(|it| *it == Some(*place)) {
            let at = array.indices_of(*place);
            return Err(format!("lanes {other} and {lane} both write index {at:?}"));
        }
    }
    Ok(())
}

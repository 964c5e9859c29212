//! Gathers from one row, at constant distances: contiguous loads of the row, and shuffles that choose elements.
//!
//! ```text
//! elements 0 2 4 6     load 0 1 2 3     load 3 4 5 6     shuffle [0, 2, 5, 7]
//! elements 0 0 1 1     load 0 1                          shuffle [0, 0, 1, 1]
//! ```
//! The last load is moved back so that it ends at the last element: the loads read only what is between two elements that
//! are read in any case, so they are in bounds.
//!
//! The last lanes may not be loaded, as in the tail of a row whose length is known.

use super::{GatheredVector, LaneGuard, LaneRow, LaneRows, LoadedLane};
use crate::ir::{Attribute, Builder, Op, Type, Value, is_inside, parents};

/// The most loads.
pub(super) const MOST: i64 = 4;

/// Replaces a gather, if it is of one row and needs at most `most` loads, and no more than it has lanes; returns whether it has.
pub(super) fn replace<'c>(rows: &LaneRows<'c>, gather: GatheredVector<'c>, most: i64) -> bool {
    let Some(lanes) = RowLanes::of(rows) else { return false };
    let is_long = lanes.loads() > most.min(lanes.width);
    if is_long || lanes.has_gaps() && may_be_written_by_others(rows.buffer, gather.op) {
        return false;
    }
    let first = gather.lanes()[0];
    let at = Builder::before(first, gather.op.location());
    let chosen = lanes.chosen(rows, first, at);
    gather.replace_by(lanes.with_others(rows, chosen, Builder::before(gather.op, at.location())));
    true
}

/// The elements of the lanes.
struct RowLanes {
    width: i64,
    /// The element of each lane that is loaded, relative to the least one. Later lanes are not loaded.
    elements: Vec<i64>,
    /// The least one, relative to that of lane 0.
    least: i64,
    /// The number of elements from the least to the largest one.
    span: i64,
}

impl RowLanes {
    /// The elements of a gather, if they are of one row at constant distances, and only the last lanes are not loaded.
    fn of<'c>(rows: &LaneRows<'c>) -> Option<RowLanes> {
        let first = rows.rows.first()?;
        let loaded: Option<Vec<bool>> = rows.rows.iter().map(is_loaded).collect();
        let loaded = loaded?.iter().take_while(|it| **it).count();
        let (lanes, tail) = rows.rows.split_at(loaded);
        let is_same = |row: &LaneRow<'c>| row.outer == first.outer && row.last.0 == first.last.0;
        let others: Vec<_> = tail.iter().map(other).collect();
        let is_tail = tail.iter().all(|row| is_loaded(row) == Some(false))
            && others.windows(2).all(|pair| pair[0] == pair[1]);
        (lanes.iter().all(is_same) && is_tail).then_some(())?;
        let least = lanes.iter().map(|row| row.last.1).min()?;
        let largest = lanes.iter().map(|row| row.last.1).max()?;
        let span = largest.checked_sub(least)?.checked_add(1)?;
        let elements = lanes.iter().map(|row| row.last.1 - least).collect();
        Some(RowLanes { width: rows.rows.len() as i64, elements, least, span })
    }

    fn loads(&self) -> i64 {
        (self.span + self.width - 1) / self.width
    }

    /// True if loads read elements that are in no lane.
    fn has_gaps(&self) -> bool {
        let mut elements = self.elements.clone();
        elements.sort_unstable();
        elements.dedup();
        (elements.len() as i64) < self.span
    }

    /// Loads the row, and chooses the elements. `first` loads that of lane 0.
    fn chosen<'c>(&self, rows: &LaneRows<'c>, first: Op<'c>, at: Builder<'c>) -> Value<'c> {
        let ty = Type::vector(self.width as usize, rows.element);
        let indices = LoadedLane::of(first).expect("a lane is loaded").indices(at);
        let operands = |offset: i64| {
            let mut operands = indices.clone();
            if let Some(last) = operands.last_mut().filter(|_| offset != 0) {
                *last = at.op("arith.addi", &[*last, at.index(offset)], last.ty());
            }
            [vec![rows.buffer], operands].concat()
        };
        let shuffle = |of: [Value<'c>; 2], lane: &dyn Fn(i64) -> i64| {
            let mask: Vec<i64> = (0..self.width).map(lane).collect();
            let mask = Attribute::dense_i64(at.context(), &mask);
            let spec = at.spec("vector.shuffle").operands(&of).attribute("mask", mask);
            at.value(spec.results(&[ty]))
        };
        let element = |lane: i64| self.elements.get(lane as usize).copied().unwrap_or(0);
        let mut chosen = if self.span >= self.width {
            at.op("vector.load", &operands(self.least), ty)
        } else if self.span > 1 && (self.span as u64).is_power_of_two() {
            at.op(
                "vector.load",
                &operands(self.least),
                Type::vector(self.span as usize, rows.element),
            )
        } else {
            let mask = at.first_lanes(self.width as usize, self.span);
            let zero = at.constant_vector(ty, 0);
            let operands = [operands(self.least), vec![mask, zero]].concat();
            at.op("vector.maskedload", &operands, ty)
        };
        if self.loads() == 1 {
            chosen = shuffle([chosen, chosen], &element);
        }
        // Lanes that are not yet loaded are those of another element.
        for part in 1..self.loads() {
            let start = (part * self.width).min(self.span - self.width);
            let next = at.op("vector.load", &operands(self.least + start), ty);
            chosen = shuffle([chosen, next], &|lane| match element(lane) {
                element if part == 1 && element < self.width => element,
                element if (part * self.width..start + self.width).contains(&element) => {
                    self.width + element - start
                }
                _ => lane,
            });
        }
        chosen
    }

    /// The vector with the values of the lanes that are not loaded.
    fn with_others<'c>(
        &self,
        rows: &LaneRows<'c>,
        vector: Value<'c>,
        at: Builder<'c>,
    ) -> Value<'c> {
        let loaded = self.elements.len();
        let Some(other) = rows.rows.get(loaded).and_then(other) else { return vector };
        let mask = at.first_lanes(self.width as usize, loaded as i64);
        let others = at.op("vector.broadcast", &[other], vector.ty());
        at.op("arith.select", &[mask, vector, others], vector.ty())
    }
}

/// The value of a lane that is not loaded.
fn other<'c>(row: &LaneRow<'c>) -> Option<Value<'c>> {
    row.guard.map(|(LaneGuard::If(_, other) | LaneGuard::Never(other))| other)
}

/// True if an element is loaded in any case; false if in no case.
fn is_loaded(row: &LaneRow) -> Option<bool> {
    let condition = match row.guard {
        None => return Some(true),
        Some(LaneGuard::Never(_)) => return Some(false),
        Some(LaneGuard::If(condition, _)) => condition,
    };
    let op = condition.defining_op()?;
    if op.is("arith.constant") {
        return op.attribute("value")?.as_i64().map(|it| it != 0);
    }
    let [mask] = op.operands()[..] else { return None };
    let mask = mask.defining_op().filter(|it| it.is("vector.constant_mask"))?;
    let lane = op.attribute("static_position")?.as_integers()?;
    let on = mask.attribute("mask_dim_sizes")?.as_integers()?;
    let ([lane], [on]) = (&lane[..], &on[..]) else { return None };
    (op.is("vector.extract")).then_some(lane < on)
}

/// True if other iterations of a parallel loop around the gather may write the elements in between, which it reads now.
fn may_be_written_by_others<'c>(buffer: Value<'c>, gather: Op<'c>) -> bool {
    let is_shared = |op: &Op<'c>| {
        op.is("scf.parallel") && !buffer.defining_op().is_some_and(|from| is_inside(from, *op))
    };
    let Some(around) = parents(gather).filter(is_shared).last() else { return false };
    let is_read = |op: Op| {
        matches!(op.name(), "memref.load" | "vector.load" | "vector.maskedload" | "memref.dim")
    };
    buffer.uses().into_iter().any(|(user, _)| is_inside(user, around) && !is_read(user))
}

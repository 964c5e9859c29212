//! `tm_tensor.scatter` and `tensor.scatter`: a copy of the old tensor, then one schedule block that makes the updates in
//! order.

use super::body::ComputedScalars;
use super::nest::{NestSpec, NestUnderConstruction};
use super::state::{ConvertedValue, FunctionConversion};
use crate::compute::symbolic_sizes::segments;
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Attribute, Block, Error, Op, Type, Value};

/// Updates of slices of a tensor.
struct Scatter<'c> {
    updates: Value<'c>,
    /// Its last dimension has an index for each mapped dimension.
    indices: Value<'c>,
    original: Value<'c>,
    /// The dimensions of the original whose index is data.
    mapped: Vec<usize>,
    /// How many leading dimensions of `updates` and `indices` number the updates.
    leading: usize,
    /// For each dimension of the original, the dimension of a slice; `None` if it has none. That of a mapped dimension is
    /// an offset.
    slice: Vec<Option<usize>>,
    /// How an element of an update and the one that it replaces are combined.
    combine: Option<Block<'c>>,
}

fn rank(value: Value) -> usize {
    value.ty().shaped().map_or(0, |(dims, _)| dims.len())
}

impl<'c> Scatter<'c> {
    fn of(op: Op<'c>) -> Option<Scatter<'c>> {
        let mapped = |name| {
            let dims = op.attribute(name).and_then(Attribute::as_integers)?;
            dims.into_iter().map(|d| usize::try_from(d).ok()).collect::<Option<Vec<_>>>()
        };
        if op.is("tensor.scatter") {
            let [updates, original, indices] = op.operands()[..] else { return None };
            let (mapped, leading) = (mapped("scatter_dims")?, rank(indices).checked_sub(1)?);
            // The slices keep a mapped dimension as 1, or leave it out.
            let keeps_all = rank(updates) == leading + rank(original);
            let mut next = leading;
            let place = |d: usize| {
                let has_one = keeps_all || !mapped.contains(&d);
                next += usize::from(has_one);
                has_one.then(|| next - 1)
            };
            let slice = (0..rank(original)).map(place).collect();
            return Some(Scatter {
                updates,
                indices,
                original,
                mapped,
                leading,
                slice,
                combine: None,
            });
        }
        let groups = segments(op);
        let ([updates, indices], [original]) = (&groups[0][..], &groups[1][..]) else {
            return None;
        };
        let first = (rank(*original) + 1).checked_sub(rank(*updates))?;
        Some(Scatter {
            updates: *updates,
            indices: *indices,
            original: *original,
            mapped: mapped("dimension_map")?,
            leading: 1,
            slice: (0..rank(*original))
                .map(|d| (d + 1).checked_sub(first).filter(|d| *d > 0))
                .collect(),
            combine: Some(op.body(0)?),
        })
    }

    /// The roles of the loops over the updates. Slices at offsets that are data may overlap, so these dimensions are in
    /// order, as the updates are.
    fn roles(&self) -> Vec<IterRole> {
        let role = |dim: usize| {
            let is_free = |d: usize| self.slice[d] == Some(dim) && !self.mapped.contains(&d);
            match (0..self.slice.len()).any(is_free) {
                true => IterRole::Spatial,
                false => IterRole::Opaque,
            }
        };
        (0..rank(self.updates)).map(role).collect()
    }

    /// The place of the running update in the original.
    fn place(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        op: Op<'c>,
        nest: &NestUnderConstruction<'c>,
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        let index = Type::index(op.context());
        let mut place: Vec<_> =
            self.slice.iter().map(|dim| dim.map(|dim| nest.iters[dim])).collect();
        for (column, d) in self.mapped.iter().enumerate() {
            let mut at: Vec<Expr> = (0..self.leading).map(Expr::Dim).collect();
            at.push((column as i64).into());
            let start = f.element(op, nest, self.indices, &at)?;
            let start = match start.ty().is_index() {
                true => start,
                false => nest.build.op("arith.index_cast", &[start], index),
            };
            place[*d] = Some(match place[*d] {
                Some(offset) => nest.build.op("arith.addi", &[start, offset], index),
                None => start,
            });
        }
        let place: Option<Vec<_>> = place.into_iter().collect();
        place.ok_or_else(|| Error::on(op, "has a dimension without an index"))
    }
}

/// result[indices[u.., d] or s, ..] = combined(updates[u.., s..], result[..])
pub(super) fn convert<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let scatter = Scatter::of(op)
        .ok_or_else(|| Error::on(op, "does not have updates, indices and a tensor to update"))?;
    let of_updates = f.operand(op, scatter.updates)?;
    let of_indices = f.operand(op, scatter.indices)?;
    let (source, dims) = f.tensor(op, scatter.original)?;
    for (updates, indices) in of_updates.iter().zip(&of_indices[..scatter.leading]) {
        f.sizes.require(op, Constraint::Zero(updates.clone() - indices.clone()))?;
    }
    for (d, dim) in scatter.slice.iter().enumerate() {
        if let Some(dim) = dim.filter(|_| !scatter.mapped.contains(&d)) {
            f.sizes.require(op, Constraint::Zero(dims[d].clone() - of_updates[dim].clone()))?;
        }
    }
    let target = f.target(op.location(), "scatter", op.result(0), &dims)?;
    let is_there = matches!(source, ConvertedValue::Buffer(buffer) if buffer == target);
    if !is_there && !matches!(source, ConvertedValue::Empty) {
        f.copy(op, &source, &dims, scatter.original, target)?;
    }

    let name = f.block_name("scatter");
    let nest = f.nest(NestSpec {
        location: op.location(),
        name,
        iters: scatter.roles().into_iter().zip(of_updates).collect(),
        uses: vec![],
        reducer: None,
    });
    let place = scatter.place(f, op, &nest)?;
    let all: Vec<_> = (0..nest.iters.len()).map(Expr::Dim).collect();
    let update = f.element(op, &nest, scatter.updates, &all)?;
    let new = match scatter.combine {
        None => update,
        Some(body) => {
            let arguments = body.arguments();
            let old = nest.load(target, &place, arguments[1].ty());
            let mut known = ComputedScalars::from([(arguments[0], update), (arguments[1], old)]);
            let end = body.terminator().ok_or_else(|| Error::on(op, "has no terminator"))?;
            f.evaluate(&nest, &mut known, end.operand(0))?
        }
    };
    nest.store(new, target, &place);
    nest.finish()?;
    f.set(op.result(0), ConvertedValue::Buffer(target), dims);
    Ok(())
}

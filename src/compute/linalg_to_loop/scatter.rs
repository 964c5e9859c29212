//! Scatters: a copy of the old tensor, then one schedule block that makes the updates in order.
//!
//! They are `graph.scatter_elements`, `graph.scatter_nd`, `tm_tensor.scatter` and `tensor.scatter`. Indices of the ops of the
//! graph dialect may be negative or beyond the tensor. An update beyond it stores the element at index 0 again, so the
//! dimension must have elements.

use super::body::ComputedScalars;
use super::nest::{NestSpec, NestUnderConstruction};
use super::state::{ConvertedValue, FunctionConversion};
use crate::compute::symbolic_sizes::segments;
use crate::dialect::graph_op::ScatterKind;
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Attribute, Block, Error, Op, Type, TypeKind, Value, predicate};

/// Updates of slices of a tensor.
struct Scatter<'c> {
    updates: Value<'c>,
    /// Its last dimension has an index for each mapped dimension. If it has no dimension besides the leading ones, there is one
    /// mapped dimension.
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
    combine: UpdateRule<'c>,
    /// True if indices may be negative or beyond the tensor, as those of graph ops.
    is_checked: bool,
}

/// How an update changes an element.
#[derive(Clone, Copy)]
enum UpdateRule<'c> {
    Replace,
    /// By an op of two values.
    Op(&'static str),
    /// By a region of `tm_tensor.scatter`.
    Region(Block<'c>),
}

/// The element that an update changes.
struct UpdatedElement<'c> {
    indices: Vec<Value<'c>>,
    /// True if the update is made; `None` for all updates.
    is_inside: Option<Value<'c>>,
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
        let is_checked = op.name().starts_with("graph.");
        let [updates, indices, original] = match (op.name(), &op.operands()[..]) {
            ("tensor.scatter", [updates, original, indices]) => [*updates, *indices, *original],
            (_, [original, indices, updates]) if is_checked => [*updates, *indices, *original],
            _ => {
                let groups = segments(op);
                let ([updates, indices], [original]) = (&groups[0][..], &groups[1][..]) else {
                    return None;
                };
                [*updates, *indices, *original]
            }
        };
        let (mapped, leading, slice, combine): (_, _, Vec<_>, _) = match op.name() {
            "tensor.scatter" => {
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
                (mapped, leading, slice, UpdateRule::Replace)
            }
            "graph.scatter_elements" => {
                let dim = op.attribute("dim").and_then(Attribute::as_i64)?;
                let dim = usize::try_from(dim).ok()?;
                let slice = (0..rank(original)).map(|d| (d != dim).then_some(d)).collect();
                (vec![dim], rank(indices), slice, UpdateRule::of(op)?)
            }
            "graph.scatter_nd" => {
                let leading = rank(indices).checked_sub(1)?;
                let len = rank(original).checked_sub(rank(updates).checked_sub(leading)?)?;
                let of_slice = |d: usize| (d >= len).then(|| leading + d - len);
                let slice = (0..rank(original)).map(of_slice).collect();
                ((0..len).collect(), leading, slice, UpdateRule::of(op)?)
            }
            _ => {
                let first = (rank(original) + 1).checked_sub(rank(updates))?;
                let of_slice = |d: usize| (d + 1).checked_sub(first).filter(|d| *d > 0);
                let slice = (0..rank(original)).map(of_slice).collect();
                (mapped("dimension_map")?, 1, slice, UpdateRule::Region(op.body(0)?))
            }
        };
        Some(Scatter { updates, indices, original, mapped, leading, slice, combine, is_checked })
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
        dims: &[Expr],
    ) -> Result<UpdatedElement<'c>, Error<'c>> {
        let index = Type::index(op.context());
        let mut is_inside = None;
        let mut place: Vec<_> =
            self.slice.iter().map(|dim| dim.map(|dim| nest.iters[dim])).collect();
        for (column, d) in self.mapped.iter().enumerate() {
            let mut at: Vec<Expr> = (0..self.leading).map(Expr::Dim).collect();
            if rank(self.indices) > self.leading {
                at.push((column as i64).into());
            }
            let start = f.element(op, nest, self.indices, &at)?;
            let start = match start.ty().is_index() {
                true => start,
                false => nest.build.op("arith.index_cast", &[start], index),
            };
            let start = match self.is_checked {
                true => checked(nest, start, &dims[*d], &mut is_inside),
                false => start,
            };
            place[*d] = Some(match place[*d] {
                Some(offset) => nest.build.op("arith.addi", &[start, offset], index),
                None => start,
            });
        }
        let indices: Option<Vec<_>> = place.into_iter().collect();
        let indices = indices.ok_or_else(|| Error::on(op, "has a dimension without an index"))?;
        Ok(UpdatedElement { indices, is_inside })
    }
}

impl<'c> UpdateRule<'c> {
    /// The rule of an op of the graph dialect.
    fn of(op: Op<'c>) -> Option<Self> {
        let kind = op.attribute("kind").and_then(Attribute::as_i64);
        let kind = kind.and_then(ScatterKind::from_value)?;
        let (_, element) = op.operand(0).ty().shaped()?;
        let is_float = matches!(element.kind(), TypeKind::Float(_));
        Some(match kind.combiner() {
            None => UpdateRule::Replace,
            Some(combiner) => {
                let [float, int] = combiner.arith_ops(op.attribute("is_unsigned").is_some());
                UpdateRule::Op(if is_float { float } else { int })
            }
        })
    }
}

/// An index that may be negative, then it counts from the end: the index, or 0 if it is beyond the dimension. `is_inside`
/// becomes false in that case.
fn checked<'c>(
    nest: &NestUnderConstruction<'c>,
    start: Value<'c>,
    size: &Expr,
    is_inside: &mut Option<Value<'c>>,
) -> Value<'c> {
    let b = &nest.build;
    let (size, zero) = (nest.index(size), b.index(0));
    let is_negative = b.compare(predicate::SLT, start, zero);
    let from_end = b.op("arith.addi", &[start, size], size.ty());
    let start = b.op("arith.select", &[is_negative, from_end, start], size.ty());
    let is_here = b.compare(predicate::ULT, start, size);
    *is_inside = Some(match *is_inside {
        Some(others) => b.op("arith.andi", &[others, is_here], others.ty()),
        None => is_here,
    });
    b.op("arith.select", &[is_here, start, zero], size.ty())
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
            let rest = dims[d].clone() - of_updates[dim].clone();
            // Indices of elements may leave out the last ones of other dimensions.
            let is_part = op.is("graph.scatter_elements");
            let fits = if is_part { Constraint::NonNegative(rest) } else { Constraint::Zero(rest) };
            f.sizes.require(op, fits)?;
        }
        let is_empty = |size: &Expr| size.constant() == Some(0);
        let has_none = || of_updates.iter().chain(&of_indices[..scatter.leading]).any(is_empty);
        // A dimension that is never smaller than one of the updates has elements if there are updates.
        let is_covered =
            |size: &Expr| f.sizes.never_negative(&(dims[d].clone() - size.clone()).simplified());
        if scatter.is_checked && dim.is_none() && !has_none() && !of_updates.iter().any(is_covered)
        {
            f.sizes.require(op, Constraint::NonNegative(dims[d].clone() - 1.into()))?;
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
    let UpdatedElement { indices: place, is_inside } = scatter.place(f, op, &nest, &dims)?;
    let all: Vec<_> = (0..nest.iters.len()).map(Expr::Dim).collect();
    let update = f.element(op, &nest, scatter.updates, &all)?;
    let needs_old = is_inside.is_some() || !matches!(scatter.combine, UpdateRule::Replace);
    let old = needs_old.then(|| nest.load(target, &place, update.ty()));
    let new = match (scatter.combine, old) {
        (UpdateRule::Op(name), Some(old)) => nest.build.op(name, &[old, update], update.ty()),
        (UpdateRule::Region(body), Some(old)) => {
            let arguments = body.arguments();
            let mut known = ComputedScalars::from([(arguments[0], update), (arguments[1], old)]);
            let end = body.terminator().ok_or_else(|| Error::on(op, "has no terminator"))?;
            f.evaluate(&nest, &mut known, end.operand(0))?
        }
        (UpdateRule::Replace, _) | (_, None) => update,
    };
    let new = match is_inside.zip(old) {
        Some((is_inside, old)) => {
            nest.build.op("arith.select", &[is_inside, new, old], update.ty())
        }
        None => new,
    };
    nest.store(new, target, &place);
    nest.finish()?;
    f.set(op.result(0), ConvertedValue::Buffer(target), dims);
    Ok(())
}

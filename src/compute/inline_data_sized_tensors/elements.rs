//! Computes an element of a tensor whose sizes depend on data, in the body of an op.

use super::index_ops::{
    all_of, at_least_one, clamped, compared, difference, floor_quotient, product, quotient,
    remainder, sum,
};
use super::tensors::{DataSizedTensors, SliceOp, padding, static_sizes};
use super::{MOST, left_out};
use crate::compute::linalg_builder::{element_of, reassociation_of};
use crate::ir::affine::{BinaryKind, Expr, Map};
use crate::ir::predicate;
use crate::ir::{Attribute, Block, Builder, Op, Region, Structured, Value, constant_integer};
use std::collections::HashMap;

/// The new forms of the values of a body.
type NewValues<'c> = HashMap<Value<'c>, Value<'c>>;

/// The elements that the body of one op computes.
pub(super) struct InlinedElements<'a, 'c> {
    tensors: &'a DataSizedTensors<'c>,
    /// Index values that are 0 or more and less than a number.
    ends: HashMap<Value<'c>, i64>,
    /// How many more elements may be computed (C5).
    left: usize,
    /// True in the loop of a reduction (C3).
    is_in_loop: bool,
    /// True for an element that may not be needed (C4).
    is_optional: bool,
}

/// A reduction that is computed by loops.
struct ReductionLoops<'a, 'c> {
    op: Op<'c>,
    loops: &'a Structured,
}

impl<'a, 'c> InlinedElements<'a, 'c> {
    pub fn new(tensors: &'a DataSizedTensors<'c>) -> Self {
        let ends = HashMap::new();
        Self { tensors, ends, left: MOST, is_in_loop: false, is_optional: false }
    }

    /// Records that an index is 0 or more and less than `end`.
    pub fn known_index(&mut self, index: Value<'c>, end: i64) -> Value<'c> {
        self.ends.insert(index, end);
        index
    }

    /// The element of a tensor.
    fn element(
        &mut self,
        at: &Builder<'c>,
        tensor: Value<'c>,
        indices: &[Value<'c>],
    ) -> Option<Value<'c>> {
        self.left = self.left.checked_sub(1)?;
        match self.tensors.contains(tensor) {
            true => self.computed(at, tensor.defining_op()?, tensor.index(), indices),
            false => self.read(at, tensor, indices),
        }
    }

    /// Reads an element of a tensor of known size (C2).
    fn read(
        &mut self,
        at: &Builder<'c>,
        tensor: Value<'c>,
        indices: &[Value<'c>],
    ) -> Option<Value<'c>> {
        let (tensor, sizes) = static_sizes(tensor)?;
        let mut operands = vec![tensor];
        for (index, size) in indices.iter().zip(sizes) {
            let end = self.ends.get(index);
            operands.push(match end.is_some_and(|end| *end <= size) {
                true => *index,
                false if size > 0 => clamped(at, *index, size),
                false => return None,
            });
        }
        Some(at.op("tensor.extract", &operands, element_of(tensor)))
    }

    /// The element of a result of an op.
    pub fn computed(
        &mut self,
        at: &Builder<'c>,
        op: Op<'c>,
        result: usize,
        indices: &[Value<'c>],
    ) -> Option<Value<'c>> {
        if let Some(loops) = Structured::of(op) {
            return self.structured(at, op, &loops, result, indices);
        }
        let operands = op.operands();
        let of_source = |this: &Self| this.tensors.all_sizes(at, operands[0]);
        match op.name() {
            // The value of such an element is undefined.
            "tensor.empty" => Some(at.number(element_of(op.result(0)), 0)),
            "tensor.splat" => Some(operands[0]),
            "tensor.cast" => self.element(at, operands[0], indices),
            "tensor.extract" => self.element(at, operands[0], &operands[1..]),
            "tensor.generate" => self.value_at(at, op.body(0)?, indices),
            "tensor.concat" => {
                let axis = op.attribute("dim").and_then(Attribute::as_i64)?;
                self.joined(at, &operands, usize::try_from(axis).ok()?, indices)
            }
            "tensor.extract_slice" => {
                let slice = SliceOp::of(op)?;
                let mut place = vec![];
                for (i, kept) in slice.kept.iter().enumerate() {
                    let inner = match kept {
                        Some(dim) => product(at, indices[*dim], at.index(slice.strides[i])),
                        None => at.index(0),
                    };
                    place.push(sum(at, slice.offsets[i].value(at), inner));
                }
                self.element(at, operands[0], &place)
            }
            "tensor.insert_slice" => self.inserted(at, op, indices),
            "tensor.pad" => self.padded(at, op, indices),
            "tensor.reshape" => {
                let sizes = self.tensors.all_sizes(at, op.result(0))?;
                let place = row_major_index(at, indices, &sizes);
                let place = indices_of(at, place, &of_source(self)?);
                self.element(at, operands[0], &place)
            }
            "tensor.expand_shape" => {
                let sizes = self.tensors.all_sizes(at, op.result(0))?;
                let of = |all: &[Value<'c>], group: &[usize]| -> Vec<_> {
                    group.iter().map(|i| all[*i]).collect()
                };
                let group = |group: &Vec<usize>| {
                    row_major_index(at, &of(indices, group), &of(&sizes, group))
                };
                let place: Vec<_> = reassociation_of(op)?.iter().map(group).collect();
                self.element(at, operands[0], &place)
            }
            "tensor.collapse_shape" => {
                let sizes = of_source(self)?;
                let mut place = vec![];
                for (group, index) in reassociation_of(op)?.iter().zip(indices) {
                    let sizes: Vec<_> = group.iter().map(|i| sizes[*i]).collect();
                    place.extend(indices_of(at, *index, &sizes));
                }
                self.element(at, operands[0], &place)
            }
            _ => None,
        }
    }

    /// The source inside of the slice, and the destination elsewhere.
    fn inserted(
        &mut self,
        at: &Builder<'c>,
        op: Op<'c>,
        indices: &[Value<'c>],
    ) -> Option<Value<'c>> {
        let (source, dest) = (op.operand(0), op.operand(1));
        let slice = SliceOp::of(op)?;
        if slice.strides.iter().any(|stride| *stride != 1) {
            return None;
        }
        let dims = dest.ty().shaped()?.0;
        let (mut conditions, mut place) = (vec![], vec![]);
        for (i, index) in indices.iter().enumerate() {
            let (offset, size) = (slice.offsets[i], slice.sizes[i]);
            let inside = difference(at, *index, offset.value(at));
            if !offset.is(0) {
                conditions.push(compared(at, predicate::SGE, inside, at.index(0)));
            }
            if !(offset.is(0) && dims[i].is_some_and(|dim| size.is(dim))) {
                conditions.push(compared(at, predicate::SLT, inside, size.value(at)));
            }
            place.extend(slice.kept[i].map(|_| inside));
        }
        self.chosen(
            at,
            &conditions,
            |this| this.element(at, source, &place),
            |this| this.element(at, dest, indices),
        )
    }

    /// The source where its indices are in bounds, and the value of the region elsewhere.
    fn padded(&mut self, at: &Builder<'c>, op: Op<'c>, indices: &[Value<'c>]) -> Option<Value<'c>> {
        let source = op.operand(0);
        let (low, high) = padding(op)?;
        let (mut conditions, mut place) = (vec![], vec![]);
        for (i, index) in indices.iter().enumerate() {
            let inside = difference(at, *index, low[i].value(at));
            if !low[i].is(0) {
                conditions.push(compared(at, predicate::SGE, inside, at.index(0)));
            }
            if !high[i].is(0) {
                let size = self.tensors.size(at, source, i)?;
                conditions.push(compared(at, predicate::SLT, inside, size));
            }
            place.push(inside);
        }
        let body = op.body(0)?;
        self.chosen(
            at,
            &conditions,
            |this| this.element(at, source, &place),
            |this| this.value_at(at, body, indices),
        )
    }

    /// What a body yields whose arguments are the indices.
    fn value_at(
        &mut self,
        at: &Builder<'c>,
        body: Block<'c>,
        indices: &[Value<'c>],
    ) -> Option<Value<'c>> {
        let arguments = body.arguments().into_iter().zip(indices.iter().copied());
        self.ops(at, body, arguments.collect(), &[])?.first().copied()
    }

    /// The first tensor if the index is in it, and otherwise the others.
    fn joined(
        &mut self,
        at: &Builder<'c>,
        tensors: &[Value<'c>],
        axis: usize,
        indices: &[Value<'c>],
    ) -> Option<Value<'c>> {
        let (first, others) = tensors.split_first()?;
        if others.is_empty() {
            return self.element(at, *first, indices);
        }
        let size = self.tensors.size(at, *first, axis)?;
        let is_in_first = compared(at, predicate::SLT, *indices.get(axis)?, size);
        let mut shifted = indices.to_vec();
        shifted[axis] = difference(at, indices[axis], size);
        self.chosen(
            at,
            &[is_in_first],
            |this| this.element(at, *first, indices),
            |this| this.joined(at, others, axis, &shifted),
        )
    }

    /// One of two values; both are computed.
    fn chosen(
        &mut self,
        at: &Builder<'c>,
        conditions: &[Value<'c>],
        then: impl FnOnce(&mut Self) -> Option<Value<'c>>,
        otherwise: impl FnOnce(&mut Self) -> Option<Value<'c>>,
    ) -> Option<Value<'c>> {
        let Some(condition) = all_of(at, conditions) else { return then(self) };
        let before = std::mem::replace(&mut self.is_optional, true);
        let (then, otherwise) = (then(self)?, otherwise(self)?);
        self.is_optional = before;
        Some(at.op("arith.select", &[condition, then, otherwise], then.ty()))
    }

    /// The element of a result of a structured op.
    fn structured(
        &mut self,
        at: &Builder<'c>,
        op: Op<'c>,
        loops: &Structured,
        result: usize,
        indices: &[Value<'c>],
    ) -> Option<Value<'c>> {
        let map = &loops.maps[loops.inputs + result];
        let reduced = left_out(loops, map)?;
        let mut places = vec![at.index(0); loops.iterators.len()];
        for (expr, index) in map.results.iter().zip(indices) {
            if let Expr::Dim(d) = expr {
                places[*d] = *index;
            }
        }
        let is_indexed = |expr: &Expr| matches!(expr, Expr::Dim(_));
        let mut other = (0..map.results.len()).filter(|dim| !is_indexed(&map.results[*dim]));
        if other.any(|dim| !self.tensors.is_one(op.result(result), dim)) {
            return None;
        }
        if reduced.is_empty() {
            return self.body(at, op, loops, &places, None)?.get(result).copied();
        }
        let outputs = &loops.maps[loops.inputs..];
        if self.is_in_loop || outputs.iter().any(|other| other != map) {
            return None;
        }
        let mut values = vec![];
        for output in &op.operands()[loops.inputs..] {
            values.push(self.element(at, *output, indices)?);
        }
        let mut extents = vec![];
        for d in reduced {
            extents.push((d, self.extent(at, op, loops, d)?));
        }
        self.is_in_loop = true;
        let this = ReductionLoops { op, loops };
        let values = self.reduced(at, &this, &extents, &mut places, &values)?;
        self.is_in_loop = false;
        values.get(result).copied()
    }

    /// The number of iterations of loop `d`.
    fn extent(
        &self,
        at: &Builder<'c>,
        op: Op<'c>,
        loops: &Structured,
        d: usize,
    ) -> Option<Value<'c>> {
        op.operands().into_iter().zip(&loops.maps).find_map(|(operand, map)| {
            let dim = map.results.iter().position(|expr| *expr == Expr::Dim(d))?;
            self.tensors.size(at, operand, dim)
        })
    }

    /// Runs the loops `extents` of a reduction, outermost first. Returns the values of all outputs.
    fn reduced(
        &mut self,
        at: &Builder<'c>,
        reduction: &ReductionLoops<'_, 'c>,
        extents: &[(usize, Value<'c>)],
        places: &mut [Value<'c>],
        values: &[Value<'c>],
    ) -> Option<Vec<Value<'c>>> {
        let ReductionLoops { op, loops } = reduction;
        let Some(((d, extent), inner_extents)) = extents.split_first() else {
            return self.body(at, *op, loops, places, Some(values));
        };
        let types: Vec<_> = values.iter().map(|value| value.ty()).collect();
        let mut arguments = vec![(extent.ty(), at.location())];
        arguments.extend(types.iter().map(|ty| (*ty, at.location())));
        let block = Block::new(&arguments);
        let bounds = [at.index(0), *extent, at.index(1)];
        let spec = at.spec("scf.for").operands(&bounds).operands(values).results(&types);
        let results = at.insert(spec.region(Region::of(block))).results();
        let inner = Builder::at_end(block, at.location());
        places[*d] = block.argument(0);
        if let Some(end) = constant_integer(*extent) {
            self.ends.insert(places[*d], end);
        }
        let carried = &block.arguments()[1..];
        let next = self.reduced(&inner, reduction, inner_extents, places, carried)?;
        inner.insert(inner.spec("scf.yield").operands(&next));
        Some(results)
    }

    /// What the body of a structured op yields in one iteration. `outputs` are the values of the outputs, if they are not
    /// elements of the operands.
    fn body(
        &mut self,
        at: &Builder<'c>,
        op: Op<'c>,
        loops: &Structured,
        places: &[Value<'c>],
        outputs: Option<&[Value<'c>]>,
    ) -> Option<Vec<Value<'c>>> {
        let body = op.body(0)?;
        let mut new = NewValues::new();
        for (i, argument) in body.arguments().into_iter().enumerate() {
            if argument.is_unused() {
                continue;
            }
            let operand = op.operand(i);
            let value = match outputs {
                Some(outputs) if i >= loops.inputs => outputs[i - loops.inputs],
                _ if operand.ty().shaped().is_none() => operand,
                _ => {
                    let indices = mapped(at, &loops.maps[i], places)?;
                    self.element(at, operand, &indices)?
                }
            };
            new.insert(argument, value);
        }
        self.ops(at, body, new, places)
    }

    /// Computes the ops of a body; returns what it yields.
    fn ops(
        &mut self,
        at: &Builder<'c>,
        body: Block<'c>,
        mut new: NewValues<'c>,
        places: &[Value<'c>],
    ) -> Option<Vec<Value<'c>>> {
        for op in body.ops() {
            let operands: Vec<_> =
                op.operands().iter().map(|it| new.get(it).copied().unwrap_or(*it)).collect();
            let value = match op.name() {
                "linalg.yield" | "tensor.yield" => return Some(operands),
                "linalg.index" => {
                    let dim = op.attribute("dim").and_then(Attribute::as_i64)?;
                    let dim = usize::try_from(dim).ok()?;
                    places.get(dim).copied()?
                }
                "tensor.extract" => self.element(at, operands[0], &operands[1..])?,
                "tensor.dim" => {
                    let dim = usize::try_from(constant_integer(operands[1])?).ok()?;
                    self.tensors.size(at, operands[0], dim)?
                }
                name => {
                    let is_division = name.starts_with("arith.")
                        && (name.contains("div") || name.contains("rem"))
                        && !name.ends_with('f');
                    let is_simple = op.regions().is_empty() && op.has_no_effects();
                    if !is_simple || is_division && self.is_optional {
                        return None;
                    }
                    let mapping: Vec<_> = op.operands().into_iter().zip(operands).collect();
                    let clone = op.clone_mapped(&mapping);
                    at.place(clone);
                    new.extend(op.results().into_iter().zip(clone.results()));
                    continue;
                }
            };
            new.insert(op.result(0), value);
        }
        None
    }
}

/// The indices that a map of a structured op gives.
fn mapped<'c>(at: &Builder<'c>, map: &Map, places: &[Value<'c>]) -> Option<Vec<Value<'c>>> {
    map.results.iter().map(|expr| affine(at, expr, places)).collect()
}

fn affine<'c>(at: &Builder<'c>, expr: &Expr, places: &[Value<'c>]) -> Option<Value<'c>> {
    Some(match expr {
        Expr::Dim(d) => *places.get(*d)?,
        Expr::Symbol(_) => return None,
        Expr::Constant(value) => at.index(*value),
        Expr::Binary(kind, left, right) => {
            let (left, right) = (affine(at, left, places)?, affine(at, right, places)?);
            let is_divisor = || constant_integer(right).is_some_and(|divisor| divisor > 0);
            match kind {
                BinaryKind::Add => sum(at, left, right),
                BinaryKind::Mul => product(at, left, right),
                BinaryKind::FloorDiv if is_divisor() => floor_quotient(at, left, right),
                BinaryKind::Mod if is_divisor() => {
                    let whole = product(at, floor_quotient(at, left, right), right);
                    difference(at, left, whole)
                }
                _ => return None,
            }
        }
    })
}

/// The row-major index of an element.
fn row_major_index<'c>(at: &Builder<'c>, indices: &[Value<'c>], sizes: &[Value<'c>]) -> Value<'c> {
    let mut place = at.index(0);
    for (index, size) in indices.iter().zip(sizes) {
        if constant_integer(*size) != Some(1) {
            place = sum(at, product(at, place, *size), *index);
        }
    }
    place
}

/// The indices of the element with a row-major index.
fn indices_of<'c>(at: &Builder<'c>, place: Value<'c>, sizes: &[Value<'c>]) -> Vec<Value<'c>> {
    let is_wide = |size: &Value| constant_integer(*size) != Some(1);
    let outermost = sizes.iter().position(is_wide);
    let mut left = place;
    let mut indices = vec![];
    for (i, size) in sizes.iter().enumerate().rev() {
        indices.push(match outermost {
            Some(outermost) if i > outermost && is_wide(size) => {
                let size = at_least_one(at, *size);
                let index = remainder(at, left, size);
                left = quotient(at, left, size);
                index
            }
            Some(outermost) if i == outermost => left,
            _ => at.index(0),
        });
    }
    indices.reverse();
    indices
}

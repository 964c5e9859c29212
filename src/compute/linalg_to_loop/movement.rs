//! Tensor ops that move data: each becomes one schedule block that reads through affine maps.

use super::body::{ComputedScalars, number};
use super::data_slice::{self, DataSlice};
use super::nest::{NestSpec, NestUnderConstruction};
use super::reshape;
use super::state::{ConvertedValue, FunctionConversion};
use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::{If, yield_op};
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{Attribute, Block, Builder, Error, Op, Type, Value};

/// The marker of a dynamic entry in `static_offsets` and similar attributes.
pub(super) const DYNAMIC: i64 = i64::MIN;

pub(super) fn convert<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    match op.name() {
        "tensor.empty" => {
            let dims = result_dims(f, op, &op.operands())?;
            f.set(op.result(0), ConvertedValue::Empty, dims);
            Ok(())
        }
        "tensor.splat" => {
            let operands = op.operands();
            let dims = result_dims(f, op, &operands[1..])?;
            f.set(op.result(0), ConvertedValue::Fill(operands[0]), dims);
            Ok(())
        }
        "tensor.expand_shape" => reshape::expand_shape(f, op),
        "tensor.collapse_shape" => reshape::collapse_shape(f, op),
        "tensor.reshape" => reshape::reshape(f, op),
        "tensor.extract_slice" => extract_slice(f, op),
        "tensor.insert_slice" => insert_slice(f, op),
        "tensor.insert" => insert(f, op),
        "tensor.bitcast" => bitcast(f, op),
        "tensor.pad" => pad(f, op),
        "tensor.concat" => concat(f, op),
        "tensor.generate" => generate(f, op),
        // A list of sizes need not be in memory.
        "tensor.from_elements" if op.result(0).uses().iter().all(is_list_of_sizes) => Ok(()),
        "tensor.from_elements" => from_elements(f, op),
        _ => Err(Error::on(op, "is not supported by convert-linalg-to-loop")),
    }
}

/// True if a tensor is used as the sizes of a reshape.
fn is_list_of_sizes((user, place): &(Op, usize)) -> bool {
    user.is("tensor.reshape") && *place == 1
}

/// The dimensions of the result: the static ones of its type, and the given values for the dynamic ones.
pub(super) fn result_dims<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    dynamic: &[Value<'c>],
) -> Result<Vec<Expr>, Error<'c>> {
    let (dims, _) = op.result(0).ty().shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
    let mut dynamic = dynamic.iter();
    let mut exprs = vec![];
    for dim in dims {
        exprs.push(match dim {
            Some(size) => size.into(),
            None => match dynamic.next() {
                Some(value) => f.needed_size(op, *value)?,
                None => return Err(Error::on(op, "has more dynamic dimensions than sizes")),
            },
        });
    }
    Ok(exprs)
}

/// A list of static and dynamic entries: attribute `name`, with `values` for the dynamic ones.
fn mixed<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    name: &str,
    values: &[Value<'c>],
) -> Result<Vec<Expr>, Error<'c>> {
    let entries = op.attribute(name).and_then(Attribute::as_integers).unwrap_or_default();
    let mut values = values.iter();
    let mut exprs = vec![];
    for entry in entries {
        exprs.push(match (entry, values.next_dynamic(entry)) {
            (DYNAMIC, Some(value)) => f.needed_size(op, *value)?,
            (entry, _) => entry.into(),
        });
    }
    Ok(exprs)
}

pub(super) trait NextDynamic: Iterator {
    fn next_dynamic(&mut self, entry: i64) -> Option<Self::Item> {
        if entry == DYNAMIC { self.next() } else { None }
    }
}
impl<I: Iterator> NextDynamic for I {}

/// The operand groups of an op with `operandSegmentSizes`.
pub(super) fn segments<'c>(op: Op<'c>) -> Vec<Vec<Value<'c>>> {
    let sizes = op.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
    let mut rest = op.operands().into_iter();
    let group = |n: i64| rest.by_ref().take(n as usize).collect();
    sizes.unwrap_or_default().into_iter().map(group).collect()
}

/// An error unless each list has one entry a dimension.
fn check_lengths<'c>(op: Op<'c>, rank: usize, lists: &[&Vec<Expr>]) -> Result<(), Error<'c>> {
    match lists.iter().all(|list| list.len() == rank) {
        true => Ok(()),
        false => Err(Error::on(
            op,
            format!(
                "has lists of offsets, sizes, strides or padding of the wrong \
                 length for {rank} dimensions"
            ),
        )),
    }
}

/// The name of the blocks and buffers of an op.
pub(super) fn base_name<'c>(op: Op<'c>) -> &'c str {
    op.name().strip_prefix("tensor.").unwrap_or(op.name())
}

impl<'c> FunctionConversion<'_, 'c> {
    /// Creates one block over the result of `op` that stores what `element` returns; iter i is dimension i.
    pub(super) fn moved(
        &mut self,
        op: Op<'c>,
        dims: Vec<Expr>,
        uses: &[Expr],
        element: impl FnOnce(&mut Self, &NestUnderConstruction<'c>) -> Result<Value<'c>, Error<'c>>,
    ) -> Result<(), Error<'c>> {
        let base = base_name(op);
        let result = op.result(0);
        let target = self.target(op.location(), base, result, &dims)?;
        let name = self.block_name(base);
        let nest = self.nest(NestSpec {
            location: op.location(),
            name,
            iters: dims.iter().map(|d| (IterRole::Spatial, d.clone())).collect(),
            uses: uses.to_vec(),
            reducer: None,
        });
        let value = element(self, &nest)?;
        nest.store(value, target, &nest.iters);
        nest.finish()?;
        self.set(result, ConvertedValue::Buffer(target), dims);
        Ok(())
    }

    /// Loads an element of an operand at affine indices. `Source::Empty` must be in memory already.
    pub(super) fn element(
        &mut self,
        op: Op<'c>,
        nest: &NestUnderConstruction<'c>,
        operand: Value<'c>,
        indices: &[Expr],
    ) -> Result<Value<'c>, Error<'c>> {
        let (source, _) = self.tensor(op, operand)?;
        let indices = match source {
            ConvertedValue::Buffer(_) => nest.indices(indices),
            _ => vec![],
        };
        self.read(nest, &source, operand, &indices)
    }

    /// True if a condition holds for all iters and sizes.
    fn always_holds(&self, constraint: &Constraint) -> bool {
        match constraint {
            Constraint::Zero(expr) => expr.constant() == Some(0),
            Constraint::NonNegative(expr) => self.sizes.never_negative(expr),
        }
    }

    /// The dimensions of an operand; an operand without a new form is materialised in memory.
    pub(super) fn operand(
        &mut self,
        op: Op<'c>,
        operand: Value<'c>,
    ) -> Result<Vec<Expr>, Error<'c>> {
        let (source, dims) = self.tensor(op, operand)?;
        if matches!(source, ConvertedValue::Empty) {
            self.in_memory(op, operand)?;
        }
        Ok(dims)
    }

    /// Creates a `loop.if` over conditions on iters and sizes that yields one value; no branch if they always
    /// hold.
    pub(super) fn choose(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        conditions: Vec<Constraint>,
        then: impl FnOnce(&mut Self, &NestUnderConstruction<'c>) -> Result<Value<'c>, Error<'c>>,
        otherwise: impl FnOnce(&mut Self, &NestUnderConstruction<'c>) -> Result<Value<'c>, Error<'c>>,
    ) -> Result<Value<'c>, Error<'c>> {
        let conditions: Vec<_> =
            conditions.into_iter().map(simplified).filter(|c| !self.always_holds(c)).collect();
        if conditions.is_empty() {
            return then(self, nest);
        }
        let location = nest.build.location();
        let branch =
            |value: Value<'c>, block: Block<'c>| block.append(yield_op(location, &[value]));
        let (then_body, else_body) = (Block::new(&[]), Block::new(&[]));
        let value = then(self, &nest.within(Builder::at_end(then_body, location)))?;
        branch(value, then_body);
        let other = otherwise(self, &nest.within(Builder::at_end(else_body, location)))?;
        branch(other, else_body);
        let (dims, symbols) = nest.condition_operands();
        let exprs = conditions.iter().map(|c| c.expr().clone()).collect();
        let map = Map { dims: dims.len(), symbols: symbols.len(), results: exprs };
        let (map, operands) = map.compressed(&dims, &symbols);
        let constraints = conditions.iter().zip(map.results).map(|(old, expr)| old.on(expr));
        let constraints = constraints.collect();
        let set = IntegerSet { dims: map.dims, symbols: map.symbols, constraints };
        let op = If::create(location, &set, &operands, &[value.ty()], then_body, else_body);
        nest.build.place(op);
        Ok(op.result(0))
    }
}

fn simplified(constraint: Constraint) -> Constraint {
    match constraint {
        Constraint::Zero(e) => Constraint::Zero(e.simplified()),
        Constraint::NonNegative(e) => Constraint::NonNegative(e.simplified()),
    }
}

/// The dimensions of a slice that its (possibly rank-reduced) type keeps: a dimension is dropped if
/// its size is 1 and the next dimension of the type differs.
fn kept_dims(sizes: &[Expr], ty: &[Option<i64>]) -> Option<Vec<Option<usize>>> {
    let mut next = 0;
    let mut kept = vec![];
    for size in sizes {
        let same = ty.get(next).is_some_and(|dim| match (dim, size.constant()) {
            (Some(dim), Some(size)) => *dim == size,
            (Some(dim), None) => *dim != 1,
            (None, _) => true,
        });
        let dropped = !same && size.constant() == Some(1);
        if !same && !dropped {
            return None;
        }
        kept.push(same.then_some(next));
        next += usize::from(same);
    }
    (next == ty.len()).then_some(kept)
}

/// Offsets, sizes and strides of a slice; the last three operand groups are the dynamic ones.
pub(super) struct SliceOp {
    pub offsets: Vec<Expr>,
    pub sizes: Vec<Expr>,
    pub strides: Vec<Expr>,
}

fn slice<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    groups: &[Vec<Value<'c>>],
) -> Result<SliceOp, Error<'c>> {
    let [.., offsets, sizes, strides] = groups else {
        return Err(Error::on(op, "has no valid 'operandSegmentSizes'"));
    };
    let offsets = mixed(f, op, "static_offsets", offsets)?;
    Ok(SliceOp { offsets, ..sizes_of_slice(f, op, sizes, strides)? })
}

/// A slice at an offset that is data; `None` if all offsets are sizes. `rank` is that of the tensor, and `ty` the type of
/// the slice.
fn slice_at_data<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    rank: usize,
    ty: Type<'c>,
) -> Result<Option<DataSlice<'c>>, Error<'c>> {
    let groups = segments(op);
    let [.., offsets, sizes, strides] = &groups[..] else { return Ok(None) };
    let Some(offsets) = data_slice::offsets(f, op, offsets) else { return Ok(None) };
    let slice = sizes_of_slice(f, op, sizes, strides)?;
    check_lengths(op, rank, &[&slice.sizes, &slice.strides])?;
    let (types, _) = ty.shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
    let kept = kept_dims(&slice.sizes, &types)
        .ok_or_else(|| Error::on(op, "has sizes that do not match its slice"))?;
    Ok(Some(DataSlice { offsets, slice, kept }))
}

/// The sizes and strides of a slice.
fn sizes_of_slice<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    sizes: &[Value<'c>],
    strides: &[Value<'c>],
) -> Result<SliceOp, Error<'c>> {
    Ok(SliceOp {
        offsets: vec![],
        sizes: mixed(f, op, "static_sizes", sizes)?,
        strides: mixed(f, op, "static_strides", strides)?,
    })
}

/// Requires the elements of a slice to be in the tensor.
fn require_inside<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    slice: &SliceOp,
    dims: &[Expr],
) -> Result<(), Error<'c>> {
    for (i, dim) in dims.iter().enumerate() {
        let one: Expr = 1.into();
        let (offset, size) = (slice.offsets[i].clone(), slice.sizes[i].clone());
        let last = offset.clone() + (size.clone() - one.clone()) * slice.strides[i].clone();
        for difference in [offset, size, dim.clone() - one - last] {
            f.require(op, Constraint::NonNegative(difference))?;
        }
    }
    Ok(())
}

/// result[o] = source[offset + o * stride]
fn extract_slice<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let source = op.operand(0);
    let sizes = f.operand(op, source)?;
    if let Some(slice) = slice_at_data(f, op, sizes.len(), op.result(0).ty())? {
        return data_slice::extract(f, op, &slice);
    }
    let slice = slice(f, op, &segments(op))?;
    check_lengths(op, sizes.len(), &[&slice.offsets, &slice.sizes, &slice.strides])?;
    let (types, _) = op.result(0).ty().shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
    let kept = kept_dims(&slice.sizes, &types)
        .ok_or_else(|| Error::on(op, "has sizes that do not match its result"))?;
    require_inside(f, op, &slice, &sizes)?;
    let mut dims = vec![];
    let mut indices = vec![];
    for (i, place) in kept.iter().enumerate() {
        let inner = match place {
            Some(place) => Expr::Dim(*place) * slice.strides[i].clone(),
            None => 0.into(),
        };
        indices.push((slice.offsets[i].clone() + inner).simplified());
        if place.is_some() {
            dims.push(slice.sizes[i].clone());
        }
    }
    let uses = indices.clone();
    f.moved(op, dims, &uses, |f, nest| f.element(op, nest, source, &indices))
}

/// result[i] = source[(i - offset) / stride] inside of the slice, dest[i] elsewhere
fn insert_slice<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let operands = op.operands();
    let (source, dest) = (operands[0], operands[1]);
    f.operand(op, source)?;
    let (_, dims) = f.tensor(op, dest)?;
    if let Some(slice) = slice_at_data(f, op, dims.len(), source.ty())? {
        return data_slice::insert(f, op, &slice);
    }
    f.operand(op, dest)?;
    let slice = slice(f, op, &segments(op))?;
    check_lengths(op, dims.len(), &[&slice.offsets, &slice.sizes, &slice.strides])?;
    let (types, _) = source.ty().shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
    let kept = kept_dims(&slice.sizes, &types)
        .ok_or_else(|| Error::on(op, "has sizes that do not match its source"))?;
    require_inside(f, op, &slice, &dims)?;
    let sliced = (0..dims.len()).filter(|i| kept[*i].is_some()).map(|i| slice.sizes[i].clone());
    for (size, of_source) in sliced.zip(f.operand(op, source)?) {
        f.require(op, Constraint::Zero(of_source - size))?;
    }
    let (mut conditions, mut indices) = (vec![], vec![]);
    for i in 0..dims.len() {
        let (offset, size) = (slice.offsets[i].clone(), slice.sizes[i].clone());
        let stride = slice.strides[i].constant().filter(|s| *s > 0);
        let stride =
            stride.ok_or_else(|| Error::on(op, "has a stride that is not a positive constant"))?;
        let inside = Expr::Dim(i) - offset.clone();
        let whole = offset.constant() == Some(0) && size.simplified() == dims[i].simplified();
        if !(whole && stride == 1) {
            let last = (size - 1.into()) * stride.into();
            conditions.push(Constraint::NonNegative(inside.clone()));
            conditions.push(Constraint::NonNegative(last - inside.clone()));
        }
        if stride != 1 {
            conditions.push(Constraint::Zero(inside.clone().modulo(stride.into())));
        }
        if kept[i].is_some() {
            indices.push(inside.floor_div(stride.into()).simplified());
        }
    }
    let uses: Vec<_> = conditions.iter().map(|c| c.expr().clone()).collect();
    f.moved(op, dims.clone(), &uses, |f, nest| {
        f.choose(
            nest,
            conditions,
            |f, nest| f.element(op, nest, source, &indices),
            |f, nest| f.element(op, nest, dest, &identity(dims.len())),
        )
    })
}

/// result[i] = the bits of source[i]
fn bitcast<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let source = op.operand(0);
    let dims = f.operand(op, source)?;
    let element = |ty: Type<'c>| ty.shaped().map(|(_, element)| element);
    let types = element(source.ty()).zip(element(op.result(0).ty()));
    let (from, to) = types.ok_or_else(|| Error::on(op, "is not ranked"))?;
    f.moved(op, dims.clone(), &[], |f, nest| {
        let value = f.element(op, nest, source, &identity(dims.len()))?;
        Ok(if from == to { value } else { nest.build.op("arith.bitcast", &[value], to) })
    })
}

fn identity(rank: usize) -> Vec<Expr> {
    (0..rank).map(Expr::Dim).collect()
}

/// result[i] = scalar at one index, dest[i] elsewhere
fn insert<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let operands = op.operands();
    if operands[2..].iter().any(|index| f.size(*index).is_none()) {
        return data_slice::insert_scalar(f, op);
    }
    let dims = f.operand(op, operands[1])?;
    let mut conditions = vec![];
    for (i, index) in operands[2..].iter().enumerate() {
        let place = f.needed_size(op, *index)?;
        conditions.push(Constraint::Zero(Expr::Dim(i) - place));
    }
    let uses: Vec<_> = conditions.iter().map(|c| c.expr().clone()).collect();
    f.moved(op, dims.clone(), &uses, |f, nest| {
        f.choose(
            nest,
            conditions,
            |f, nest| f.scalar(nest, operands[0]),
            |f, nest| f.element(op, nest, operands[1], &identity(dims.len())),
        )
    })
}

/// result[i] = source[i - low] where that is in bounds, the value of the body elsewhere
fn pad<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    f.assertions_in(op, |_| false);
    let groups = segments(op);
    let [_, low, high] = &groups[..] else {
        return Err(Error::on(op, "has no valid 'operandSegmentSizes'"));
    };
    let source = op.operand(0);
    let sizes = f.operand(op, source)?;
    let low = mixed(f, op, "static_low", low)?;
    let high = mixed(f, op, "static_high", high)?;
    check_lengths(op, sizes.len(), &[&low, &high])?;
    let (mut conditions, mut indices, mut dims) = (vec![], vec![], vec![]);
    for (i, size) in sizes.iter().enumerate() {
        let inside = (Expr::Dim(i) - low[i].clone()).simplified();
        if low[i].constant() != Some(0) {
            conditions.push(Constraint::NonNegative(inside.clone()));
        }
        if high[i].constant() != Some(0) {
            conditions.push(Constraint::NonNegative(size.clone() - 1.into() - inside.clone()));
        }
        indices.push(inside);
        let dim = (low[i].clone() + size.clone() + high[i].clone()).simplified();
        f.require(op, Constraint::NonNegative(dim.clone()))?;
        dims.push(dim);
    }
    let (arguments, value) = region_value(op)?;
    for (i, argument) in arguments.iter().enumerate() {
        f.index_values.insert(*argument, Expr::Dim(i));
    }
    let uses: Vec<_> = conditions.iter().map(|c| c.expr().clone()).collect();
    f.moved(op, dims, &uses, |f, nest| {
        f.choose(
            nest,
            conditions,
            |f, nest| f.element(op, nest, source, &indices),
            |f, nest| f.evaluate(nest, &mut ComputedScalars::new(), value),
        )
    })
}

/// The arguments and the yielded value of an op's region.
fn region_value<'c>(op: Op<'c>) -> Result<(Vec<Value<'c>>, Value<'c>), Error<'c>> {
    let body = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
    let value = body.terminator().and_then(|end| end.operands().first().copied());
    Ok((body.arguments(), value.ok_or_else(|| Error::on(op, "yields nothing"))?))
}

/// result[i] = the value of the body
fn generate<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let dims = result_dims(f, op, &op.operands())?;
    let (arguments, value) = region_value(op)?;
    for (i, argument) in arguments.iter().enumerate() {
        f.index_values.insert(*argument, Expr::Dim(i));
    }
    let body = op.body(0);
    let checked = f.assertions_in(op, |inner| inner.block() == body);
    f.check_each("generate_assert", op, &dims, &checked, |_, _| Ok(ComputedScalars::new()))?;
    f.moved(op, dims, &[], |f, nest| f.evaluate(nest, &mut ComputedScalars::new(), value))
}

/// result[.., i, ..] = first[.., i, ..] for i below its size, else second[.., i - size, ..], ..
fn concat<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let operands = op.operands();
    let axis = number(op, "dim").and_then(|n| usize::try_from(n).ok());
    let rank = op.result(0).ty().shaped().map_or(0, |(dims, _)| dims.len());
    let axis = axis.filter(|axis| *axis < rank);
    let axis = axis.ok_or_else(|| Error::on(op, "has no valid 'dim'"))?;
    let mut ends = vec![];
    let mut dims: Vec<Expr> = vec![];
    for operand in &operands {
        let part = f.operand(op, *operand)?;
        let before = ends.last().cloned().unwrap_or(Expr::Constant(0));
        let end = (before + part[axis].clone()).simplified();
        ends.push(end.clone());
        for i in (0..dims.len()).filter(|i| *i != axis) {
            f.require(op, Constraint::Zero(part[i].clone() - dims[i].clone()))?;
        }
        dims = match dims.is_empty() {
            true => part,
            // Static sizes are preferred.
            false => dims
                .into_iter()
                .zip(part)
                .map(|(a, b)| if b.constant().is_some() { b } else { a })
                .collect(),
        };
        dims[axis] = end;
    }
    let uses = ends.clone();
    f.moved(op, dims, &uses, |f, nest| concat_element(f, op, nest, &operands, &ends, axis, 0))
}

fn concat_element<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    nest: &NestUnderConstruction<'c>,
    operands: &[Value<'c>],
    ends: &[Expr],
    axis: usize,
    part: usize,
) -> Result<Value<'c>, Error<'c>> {
    let mut indices = identity(nest.iters.len());
    if part > 0 {
        indices[axis] = (Expr::Dim(axis) - ends[part - 1].clone()).simplified();
    }
    if part + 1 == operands.len() {
        return f.element(op, nest, operands[part], &indices);
    }
    let below = Constraint::NonNegative(ends[part].clone() - 1.into() - Expr::Dim(axis));
    f.choose(
        nest,
        vec![below],
        |f, nest| f.element(op, nest, operands[part], &indices),
        |f, nest| concat_element(f, op, nest, operands, ends, axis, part + 1),
    )
}

/// result[i] = the operand whose number is the row-major index of i
fn from_elements<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    const MOST: usize = 256;
    let operands = op.operands();
    if operands.len() > MOST {
        return Err(Error::on(op, format!("has more than {MOST} elements: use a constant")));
    }
    let dims = result_dims(f, op, &[])?;
    if operands.is_empty() {
        f.set(op.result(0), ConvertedValue::Empty, dims);
        return Ok(());
    }
    let place = dims
        .iter()
        .enumerate()
        .fold(Expr::Constant(0), |sum, (i, size)| sum * size.clone() + Expr::Dim(i))
        .simplified();
    f.moved(op, dims, &[], |f, nest| nth_element(f, nest, &operands, &place, 0))
}

fn nth_element<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    nest: &NestUnderConstruction<'c>,
    operands: &[Value<'c>],
    place: &Expr,
    n: usize,
) -> Result<Value<'c>, Error<'c>> {
    if n + 1 == operands.len() {
        return f.scalar(nest, operands[n]);
    }
    let here = Constraint::Zero(place.clone() - (n as i64).into());
    f.choose(
        nest,
        vec![here],
        |f, nest| f.scalar(nest, operands[n]),
        |f, nest| nth_element(f, nest, operands, place, n + 1),
    )
}

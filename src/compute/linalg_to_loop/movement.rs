//! Tensor ops that move data: each becomes one schedule block that reads through affine maps.

use super::body::ComputedScalars;
use super::data_slice::{self, DataSlice, Offset};
use super::nest::{NestSpec, NestUnderConstruction};
use super::reshape;
use super::state::{ConvertedValue, FunctionConversion};
use crate::compute::symbolic_sizes::{
    ConcatenatedSizes, PaddedSizes, SliceSizes, check_lengths, segments,
};
use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::{If, yield_op};
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{Block, Builder, Error, Op, Type, Value};

pub(super) fn convert<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    match op.name() {
        "tensor.empty" => {
            let dims = f.sizes.result_dims(op, &op.operands())?;
            f.set(op.result(0), ConvertedValue::Empty, dims);
            Ok(())
        }
        "tensor.splat" => {
            let operands = op.operands();
            let dims = f.sizes.result_dims(op, &operands[1..])?;
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

/// A slice at offsets that are sizes.
struct Slice {
    offsets: Vec<Expr>,
    sizes: SliceSizes,
}

/// The offsets of a slice, one a dimension of the tensor.
enum SliceOffsets<'c> {
    Sizes(Vec<Expr>),
    /// Some are data.
    Data(Vec<Offset<'c>>),
}

/// The offsets of the slice of an op; its last three operand groups are the dynamic offsets, sizes and strides.
fn offsets<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    rank: usize,
) -> Result<SliceOffsets<'c>, Error<'c>> {
    let groups = segments(op);
    let [.., offsets, _, _] = &groups[..] else {
        return Err(Error::on(op, "has no valid 'operandSegmentSizes'"));
    };
    if let Some(offsets) = data_slice::offsets(f, op, offsets) {
        return Ok(SliceOffsets::Data(offsets));
    }
    let offsets = f.sizes.mixed(op, "static_offsets", offsets)?;
    check_lengths(op, rank, &[&offsets])?;
    Ok(SliceOffsets::Sizes(offsets))
}

/// Requires the elements of a slice to be in the tensor.
fn require_inside<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    Slice { offsets, sizes }: &Slice,
    dims: &[Expr],
) -> Result<(), Error<'c>> {
    for (i, dim) in dims.iter().enumerate() {
        let one: Expr = 1.into();
        let (offset, size) = (offsets[i].clone(), sizes.sizes[i].clone());
        let last = offset.clone() + (size.clone() - one.clone()) * sizes.strides[i].clone();
        for difference in [offset, size, dim.clone() - one - last] {
            f.sizes.require(op, Constraint::NonNegative(difference))?;
        }
    }
    Ok(())
}

/// result[o] = source[offset + o * stride]
fn extract_slice<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let source = op.operand(0);
    let of_source = f.operand(op, source)?;
    let offsets = offsets(f, op, of_source.len())?;
    let sizes = f.sizes.slice(op)?;
    let slice = match offsets {
        SliceOffsets::Data(offsets) => {
            return data_slice::extract(f, op, &DataSlice { offsets, sizes });
        }
        SliceOffsets::Sizes(offsets) => Slice { offsets, sizes },
    };
    require_inside(f, op, &slice, &of_source)?;
    let mut indices = vec![];
    for (i, place) in slice.sizes.kept.iter().enumerate() {
        let inner = match place {
            Some(place) => Expr::Dim(*place) * slice.sizes.strides[i].clone(),
            None => 0.into(),
        };
        indices.push((slice.offsets[i].clone() + inner).simplified());
    }
    let uses = indices.clone();
    f.moved(op, slice.sizes.dims(), &uses, |f, nest| f.element(op, nest, source, &indices))
}

/// result[i] = source[(i - offset) / stride] inside of the slice, dest[i] elsewhere
fn insert_slice<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let operands = op.operands();
    let (source, dest) = (operands[0], operands[1]);
    f.operand(op, source)?;
    let (_, dims) = f.tensor(op, dest)?;
    let offsets = offsets(f, op, dims.len())?;
    let (types, _) = source.ty().shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
    let sizes = f.sizes.slice_of(op, dims.len(), &types, "source")?;
    let slice = match offsets {
        SliceOffsets::Data(offsets) => {
            return data_slice::insert(f, op, &DataSlice { offsets, sizes });
        }
        SliceOffsets::Sizes(offsets) => Slice { offsets, sizes },
    };
    f.operand(op, dest)?;
    require_inside(f, op, &slice, &dims)?;
    for (size, of_source) in slice.sizes.dims().into_iter().zip(f.operand(op, source)?) {
        f.sizes.require(op, Constraint::Zero(of_source - size))?;
    }
    let (mut conditions, mut indices) = (vec![], vec![]);
    for (i, dim) in dims.iter().enumerate() {
        let (offset, size) = (slice.offsets[i].clone(), slice.sizes.sizes[i].clone());
        let stride = slice.sizes.strides[i].constant().filter(|s| *s > 0);
        let stride =
            stride.ok_or_else(|| Error::on(op, "has a stride that is not a positive constant"))?;
        let inside = Expr::Dim(i) - offset.clone();
        let whole = offset.constant() == Some(0) && size.simplified() == dim.simplified();
        if !(whole && stride == 1) {
            let last = (size - 1.into()) * stride.into();
            conditions.push(Constraint::NonNegative(inside.clone()));
            conditions.push(Constraint::NonNegative(last - inside.clone()));
        }
        if stride != 1 {
            conditions.push(Constraint::Zero(inside.clone().modulo(stride.into())));
        }
        if slice.sizes.kept[i].is_some() {
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
    if operands[2..].iter().any(|index| f.sizes.size(*index).is_none()) {
        return data_slice::insert_scalar(f, op);
    }
    let dims = f.operand(op, operands[1])?;
    let mut conditions = vec![];
    for (i, index) in operands[2..].iter().enumerate() {
        let place = f.sizes.needed_size(op, *index)?;
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
    let source = op.operand(0);
    let sizes = f.operand(op, source)?;
    let PaddedSizes { low, high, dims } = f.sizes.padded(op)?;
    let (mut conditions, mut indices) = (vec![], vec![]);
    for (i, size) in sizes.iter().enumerate() {
        let inside = (Expr::Dim(i) - low[i].clone()).simplified();
        if low[i].constant() != Some(0) {
            conditions.push(Constraint::NonNegative(inside.clone()));
        }
        if high[i].constant() != Some(0) {
            conditions.push(Constraint::NonNegative(size.clone() - 1.into() - inside.clone()));
        }
        indices.push(inside);
    }
    let (arguments, value) = region_value(op)?;
    for (i, argument) in arguments.iter().enumerate() {
        f.sizes.set_value(*argument, Expr::Dim(i));
    }
    // Nothing reads a source without elements: targets need not support accesses of it.
    let is_empty = sizes.iter().any(|size| size.constant() == Some(0));
    if is_empty {
        conditions.clear();
    }
    let uses: Vec<_> = conditions.iter().map(|c| c.expr().clone()).collect();
    f.moved(op, dims, &uses, |f, nest| {
        if is_empty {
            return f.evaluate(nest, &mut ComputedScalars::new(), value);
        }
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
    let dims = f.sizes.result_dims(op, &op.operands())?;
    let (arguments, value) = region_value(op)?;
    for (i, argument) in arguments.iter().enumerate() {
        f.sizes.set_value(*argument, Expr::Dim(i));
    }
    let body = op.body(0);
    let checked = f.assertions_in(op, |inner| inner.block() == body);
    f.check_each("generate_assert", op, &dims, &checked, |_, _| Ok(ComputedScalars::new()))?;
    f.moved(op, dims, &[], |f, nest| f.evaluate(nest, &mut ComputedScalars::new(), value))
}

/// result[.., i, ..] = first[.., i, ..] for i below its size, else second[.., i - size, ..], ..
fn concat<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let operands = op.operands();
    for operand in &operands {
        f.operand(op, *operand)?;
    }
    let ConcatenatedSizes { axis, ends, dims } = f.sizes.concatenated(op)?;
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
    let dims = f.sizes.result_dims(op, &[])?;
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

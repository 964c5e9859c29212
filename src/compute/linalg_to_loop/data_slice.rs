//! Slices at offsets that are data: `tensor.extract_slice`, `tensor.insert_slice` and `tensor.insert` with an index that
//! is not a size. The op's own definition demands that the slice is in the tensor. An offset for which it is not is replaced
//! by the nearest one for which it is, so that no access is out of bounds. With `keep-assertions` it stays, so that the
//! checks of `instrument-bounds` report it.

use super::movement;
use super::nest::{NestSpec, NestUnderConstruction};
use super::state::{ConvertedValue, FunctionConversion};
use crate::compute::symbolic_sizes::{DYNAMIC, SliceSizes};
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Attribute, Error, Op, Type, Value};

/// An offset of a slice.
pub(super) enum Offset<'c> {
    Size(Expr),
    Data(Value<'c>),
}

/// The offsets of a slice, of which `values` are the dynamic ones; `None` if all of them are sizes.
pub(super) fn offsets<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    values: &[Value<'c>],
) -> Option<Vec<Offset<'c>>> {
    let mut values = values.iter();
    let entries = op.attribute("static_offsets").and_then(Attribute::as_integers)?;
    let mut offset = |entry: i64| match entry {
        DYNAMIC => values.next().map(|value| of_value(f, *value)),
        _ => Some(Offset::Size(entry.into())),
    };
    let offsets: Vec<_> = entries.into_iter().map(&mut offset).collect::<Option<_>>()?;
    offsets.iter().any(|offset| matches!(offset, Offset::Data(_))).then_some(offsets)
}

fn of_value<'c>(f: &mut FunctionConversion<'_, 'c>, value: Value<'c>) -> Offset<'c> {
    f.sizes.size(value).map_or(Offset::Data(value), Offset::Size)
}

/// A slice.
pub(super) struct DataSlice<'c> {
    pub offsets: Vec<Offset<'c>>,
    pub sizes: SliceSizes,
}

impl<'c> DataSlice<'c> {
    /// Requires that a slice fits into the tensor at some offset.
    fn require_inside(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        op: Op<'c>,
        dims: &[Expr],
    ) -> Result<(), Error<'c>> {
        for (i, dim) in dims.iter().enumerate() {
            let one = || Expr::from(1);
            let size = self.sizes.sizes[i].clone();
            let reach = (size.clone() - one()) * self.sizes.strides[i].clone();
            let first = match &self.offsets[i] {
                Offset::Size(offset) => offset.clone(),
                Offset::Data(_) => 0.into(),
            };
            for difference in [first.clone(), size, dim.clone() - one() - first - reach] {
                f.sizes.require(op, Constraint::NonNegative(difference))?;
            }
        }
        Ok(())
    }

    /// The greatest offset at which the slice fits into dimension `i` of size `dim`.
    fn last_offset(&self, i: usize, dim: &Expr) -> Expr {
        let reach = (self.sizes.sizes[i].clone() - 1.into()) * self.sizes.strides[i].clone();
        (dim.clone() - 1.into() - reach).simplified()
    }

    /// The expressions that [`DataSlice::place`] computes in a nest.
    fn uses(&self, dims: &[Expr]) -> Vec<Expr> {
        let mut uses = self.sizes.strides.clone();
        for (i, offset) in self.offsets.iter().enumerate() {
            uses.push(match offset {
                Offset::Size(offset) => offset.clone(),
                Offset::Data(_) => self.last_offset(i, &dims[i]),
            });
        }
        uses
    }

    /// The indices of the running element of the slice in the tensor of sizes `dims`.
    fn place(
        &self,
        f: &mut FunctionConversion<'_, 'c>,
        nest: &NestUnderConstruction<'c>,
        dims: &[Expr],
    ) -> Result<Vec<Value<'c>>, Error<'c>> {
        let mut place = vec![];
        for (i, offset) in self.offsets.iter().enumerate() {
            let inner = match self.sizes.kept[i] {
                Some(dim) => Expr::Dim(dim) * self.sizes.strides[i].clone(),
                None => 0.into(),
            };
            place.push(match offset {
                Offset::Size(offset) => nest.index(&(offset.clone() + inner)),
                Offset::Data(value) => {
                    let index = Type::index(nest.build.context());
                    let mut start = f.scalar(nest, *value)?;
                    if !f.module.keep_assertions {
                        let (first, last) = (0.into(), self.last_offset(i, &dims[i]));
                        for (name, bound) in [("arith.minsi", last), ("arith.maxsi", first)] {
                            start = nest.build.op(name, &[start, nest.index(&bound)], index);
                        }
                    }
                    match self.sizes.kept[i] {
                        None => start,
                        Some(_) => nest.build.op("arith.addi", &[start, nest.index(&inner)], index),
                    }
                }
            });
        }
        Ok(place)
    }
}

/// result[o] = source[offset + o * stride]
pub(super) fn extract<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    slice: &DataSlice<'c>,
) -> Result<(), Error<'c>> {
    let source = op.operand(0);
    let sizes = f.operand(op, source)?;
    slice.require_inside(f, op, &sizes)?;
    f.moved(op, slice.sizes.dims(), &slice.uses(&sizes), |f, nest| {
        let (source_now, _) = f.tensor(op, source)?;
        let place = slice.place(f, nest, &sizes)?;
        f.read(nest, &source_now, source, &place)
    })
}

/// A copy of dest, then result[offset + i * stride] = source[i].
pub(super) fn insert<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    slice: &DataSlice<'c>,
) -> Result<(), Error<'c>> {
    let (source, dest) = (op.operand(0), op.operand(1));
    let of_source = f.operand(op, source)?;
    let (old, dims) = f.tensor(op, dest)?;
    slice.require_inside(f, op, &dims)?;
    let mut roles = vec![];
    for (i, _) in slice.sizes.kept.iter().enumerate().filter(|(_, place)| place.is_some()) {
        let size = slice.sizes.sizes[i].clone();
        f.sizes.require(op, Constraint::Zero(of_source[roles.len()].clone() - size))?;
        roles.push(match slice.offsets[i] {
            Offset::Size(_) => IterRole::Spatial,
            Offset::Data(_) => IterRole::Opaque,
        });
    }
    let iters = roles.into_iter().zip(of_source).collect();
    store(f, op, (dest, old, dims), iters, slice, |f, nest| {
        let all: Vec<_> = (0..nest.iters.len()).map(Expr::Dim).collect();
        f.element(op, nest, source, &all)
    })
}

/// A copy of dest, then result[index] = scalar.
pub(super) fn insert_scalar<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
) -> Result<(), Error<'c>> {
    let operands = op.operands();
    let (old, dims) = f.tensor(op, operands[1])?;
    let offsets = operands[2..].iter().map(|value| of_value(f, *value)).collect();
    let ones = vec![1.into(); dims.len()];
    let sizes = SliceSizes { sizes: ones.clone(), strides: ones, kept: vec![None; dims.len()] };
    let slice = DataSlice { offsets, sizes };
    slice.require_inside(f, op, &dims)?;
    store(f, op, (operands[1], old, dims), vec![], &slice, |f, nest| f.scalar(nest, operands[0]))
}

/// Copies the old tensor, and then stores elements at the places of a slice.
fn store<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    (dest, old, dims): (Value<'c>, ConvertedValue<'c>, Vec<Expr>),
    iters: Vec<(IterRole, Expr)>,
    slice: &DataSlice<'c>,
    element: impl FnOnce(
        &mut FunctionConversion<'_, 'c>,
        &NestUnderConstruction<'c>,
    ) -> Result<Value<'c>, Error<'c>>,
) -> Result<(), Error<'c>> {
    let target = f.target(op.location(), movement::base_name(op), op.result(0), &dims)?;
    if !matches!(old, ConvertedValue::Empty) {
        f.copy(op, &old, &dims, dest, target)?;
    }
    let name = f.block_name(movement::base_name(op));
    let location = op.location();
    let uses = slice.uses(&dims);
    let nest = f.nest(NestSpec { location, name, iters, uses, reducer: None });
    let value = element(f, &nest)?;
    let place = slice.place(f, &nest, &dims)?;
    nest.store(value, target, &place);
    nest.finish()?;
    f.set(op.result(0), ConvertedValue::Buffer(target), dims);
    Ok(())
}

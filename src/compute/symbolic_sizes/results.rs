//! The sizes of what ops compute from tensors, and what the ops presuppose about the sizes of their operands.

use super::SymbolicSizes;
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{Attribute, Error, Op, Structured, Value};

/// The marker of a dynamic entry in `static_offsets` and similar attributes.
pub const DYNAMIC: i64 = i64::MIN;

/// Takes the next operand if an entry is dynamic.
pub trait NextDynamic: Iterator {
    fn next_dynamic(&mut self, entry: i64) -> Option<Self::Item> {
        if entry == DYNAMIC { self.next() } else { None }
    }
}
impl<I: Iterator> NextDynamic for I {}

/// The sizes and strides of a slice, one a dimension of the tensor.
#[derive(Debug)]
pub struct SliceSizes {
    pub sizes: Vec<Expr>,
    pub strides: Vec<Expr>,
    /// For each dimension of the tensor, the dimension of the slice; `None` if the slice leaves it out.
    pub kept: Vec<Option<usize>>,
}

impl SliceSizes {
    /// The sizes of the slice, without the dimensions that it leaves out.
    pub fn dims(&self) -> Vec<Expr> {
        let kept = self.kept.iter().zip(&self.sizes).filter(|(place, _)| place.is_some());
        kept.map(|(_, size)| size.clone()).collect()
    }
}

/// The padding of a tensor, and its sizes with it.
#[derive(Debug)]
pub struct PaddedSizes {
    pub low: Vec<Expr>,
    pub high: Vec<Expr>,
    pub dims: Vec<Expr>,
}

/// The sizes of a concatenation.
#[derive(Debug)]
pub struct ConcatenatedSizes {
    pub axis: usize,
    /// Where each operand ends on the axis.
    pub ends: Vec<Expr>,
    pub dims: Vec<Expr>,
}

/// The sizes of the result of a reshape, and for each dimension of the side of lower rank those of the other that it stands for.
#[derive(Debug)]
pub struct ReshapedSizes {
    pub dims: Vec<Expr>,
    pub groups: Vec<Vec<usize>>,
}

impl<'c> SymbolicSizes<'c> {
    /// Records the sizes of the results of an op, and what it presupposes. Dynamic sizes that do not follow from known ones
    /// become entry sizes without an origin.
    pub fn infer(&mut self, op: Op<'c>) {
        let before = self.requirements.len();
        if self.inferred(op).is_err() {
            self.requirements.truncate(before);
        }
        for result in op.results().into_iter().filter(|it| !it.ty().is_index()) {
            if let Some((dims, _)) =
                result.ty().shaped().filter(|_| !self.dims.contains_key(&result))
            {
                let size = |size: Option<i64>| match size {
                    Some(size) => size.into(),
                    None => self.add(None),
                };
                let dims = dims.into_iter().map(size).collect();
                self.set_dims(result, dims);
            }
        }
    }

    fn inferred(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        if let Some(structured) = Structured::of(op) {
            self.ranges(op, &structured)?;
            for (i, result) in op.results().into_iter().enumerate() {
                let dims = self.dims(op, op.operand(structured.inputs + i))?;
                self.set_dims(result, dims);
            }
            return Ok(());
        }
        let dims = match op.name() {
            "cf.assert" => {
                for condition in self.asserted(op.operand(0)).unwrap_or_default() {
                    self.require(op, condition)?;
                }
                return Ok(());
            }
            "graph.fusion" => {
                let body = op.body(0).ok_or_else(|| Error::on(op, "has no body"))?;
                body.ops().into_iter().for_each(|inner| self.infer(inner));
                for (result, value) in op.results().into_iter().zip(body.end().operands()) {
                    let dims = self.cast(op, result, value)?;
                    self.set_dims(result, dims);
                }
                return Ok(());
            }
            "graph.yield_store" | "tensor.cast" => self.cast(op, op.result(0), op.operand(0))?,
            "tensor.bitcast" => self.dims(op, op.operand(0))?,
            "tensor.empty" | "tensor.generate" => self.result_dims(op, &op.operands())?,
            "tensor.splat" => self.result_dims(op, &op.operands()[1..])?,
            "graph.scatter_elements" | "graph.scatter_nd" => self.dims(op, op.operand(0))?,
            "tensor.insert" | "tensor.insert_slice" => self.dims(op, op.operand(1))?,
            "tensor.expand_shape" => self.expanded(op)?.dims,
            "tensor.collapse_shape" => self.collapsed(op)?.dims,
            "tensor.reshape" => self.reshaped(op)?,
            "tensor.extract_slice" => self.slice(op)?.dims(),
            "tensor.pad" => self.padded(op)?.dims,
            "tensor.concat" => self.concatenated(op)?.dims,
            name if is_elementwise(name) && !op.is_constant() && is_tensor(op.result(0)) => {
                let mut shapes = vec![];
                for operand in op.operands().into_iter().filter(|it| is_tensor(*it)) {
                    shapes.push(self.dims(op, operand)?);
                }
                for pair in shapes.windows(2) {
                    for (one, other) in pair[0].iter().zip(&pair[1]) {
                        self.require(op, Constraint::Zero(one.clone() - other.clone()))?;
                    }
                }
                shapes.into_iter().next().unwrap_or_default()
            }
            _ => return Ok(()),
        };
        self.set_dims(op.result(0), dims);
        Ok(())
    }

    /// The sizes of a value whose type may have other static sizes than the value that it has the elements of.
    ///
    /// # Errors
    /// If they never fit together.
    pub fn cast(
        &mut self,
        op: Op<'c>,
        result: Value<'c>,
        value: Value<'c>,
    ) -> Result<Vec<Expr>, Error<'c>> {
        let mut dims = self.dims(op, value)?;
        let (known, _) = result.ty().shaped().ok_or_else(|| unranked(op))?;
        for (dim, known) in dims.iter_mut().zip(known) {
            if let Some(size) = known {
                self.require(op, Constraint::Zero(dim.clone() - size.into()))?;
                *dim = size.into();
            }
        }
        Ok(dims)
    }

    /// The extent of each iterator of a structured op: the size of a dimension that is indexed by that iterator alone.
    ///
    /// # Errors
    /// If an iterator indexes no dimension alone, or the sizes of the operands never fit together.
    pub fn ranges(&mut self, op: Op<'c>, loops: &Structured) -> Result<Vec<Expr>, Error<'c>> {
        let mut ranges: Vec<Option<Expr>> = vec![None; loops.iterators.len()];
        for (operand, map) in op.operands().into_iter().zip(&loops.maps) {
            if operand.ty().shaped().is_none() {
                continue;
            }
            let dims = self.dims(op, operand)?;
            for (result, size) in map.results.iter().zip(dims) {
                let Expr::Dim(d) = result else { continue };
                // A constant is preferred to a symbol that must equal it.
                if ranges[*d].as_ref().is_none_or(|known| known.constant().is_none()) {
                    ranges[*d] = Some(match (ranges[*d].take(), size) {
                        (Some(known), size) if size.constant().is_none() => known,
                        (_, size) => size,
                    });
                }
            }
        }
        let missing =
            |d| Error::on(op, format!("has no operand that determines the range of iterator {d}"));
        let ranges: Vec<Expr> = ranges
            .into_iter()
            .enumerate()
            .map(|(d, r)| r.ok_or_else(|| missing(d)))
            .collect::<Result<_, _>>()?;
        for (operand, map) in op.operands().into_iter().zip(&loops.maps) {
            if operand.ty().shaped().is_none() {
                continue;
            }
            let dims = self.dims(op, operand)?;
            for (index, size) in map.results.iter().zip(dims) {
                if let Expr::Dim(d) = index {
                    self.require(op, Constraint::Zero(size - ranges[*d].clone()))?;
                } else if let Some(last) = last_index(index, &ranges) {
                    self.require(op, Constraint::NonNegative(size - 1.into() - last))?;
                }
            }
        }
        Ok(ranges)
    }

    /// The sizes of the result: the static ones of its type, and the given values for the dynamic ones.
    ///
    /// # Errors
    /// If a value is no size, or there are too few.
    pub fn result_dims(
        &mut self,
        op: Op<'c>,
        dynamic: &[Value<'c>],
    ) -> Result<Vec<Expr>, Error<'c>> {
        let (dims, _) = op.result(0).ty().shaped().ok_or_else(|| unranked(op))?;
        let mut dynamic = dynamic.iter();
        let mut exprs = vec![];
        for dim in dims {
            exprs.push(match dim {
                Some(size) => size.into(),
                None => match dynamic.next() {
                    Some(value) => self.needed_size(op, *value)?,
                    None => return Err(Error::on(op, "has more dynamic dimensions than sizes")),
                },
            });
        }
        Ok(exprs)
    }

    /// A list of static and dynamic entries: attribute `name`, with `values` for the dynamic ones.
    ///
    /// # Errors
    /// If a value is no size.
    pub fn mixed(
        &mut self,
        op: Op<'c>,
        name: &str,
        values: &[Value<'c>],
    ) -> Result<Vec<Expr>, Error<'c>> {
        self.each_mixed(op, name, values).into_iter().collect()
    }

    /// The entries of a mixed list, each with its own result.
    fn each_mixed(
        &mut self,
        op: Op<'c>,
        name: &str,
        values: &[Value<'c>],
    ) -> Vec<Result<Expr, Error<'c>>> {
        let entries = op.attribute(name).and_then(Attribute::as_integers).unwrap_or_default();
        let mut values = values.iter();
        let mut outcomes = vec![];
        for entry in entries {
            outcomes.push(match values.next_dynamic(entry) {
                Some(value) => self.needed_size(op, *value),
                None => Ok(entry.into()),
            });
        }
        outcomes
    }

    /// The sizes of a `tensor.expand_shape`.
    ///
    /// # Errors
    /// If one is unknown, or they never fit the source.
    pub fn expanded(&mut self, op: Op<'c>) -> Result<ReshapedSizes, Error<'c>> {
        let operands = op.operands();
        let source = self.dims(op, operands[0])?;
        let (types, _) = op.result(0).ty().shaped().ok_or_else(|| unranked(op))?;
        let groups = reassociation(op, types.len(), source.len())?;
        let mut dims: Vec<Option<Expr>> = types.iter().map(|d| d.map(Expr::Constant)).collect();
        // The one dynamic size of a group follows from the others.
        for (group, size) in groups.iter().zip(&source) {
            let unknown: Vec<_> = group.iter().filter(|i| dims[**i].is_none()).collect();
            if let [i] = unknown[..] {
                let mut known = group.iter().filter_map(|i| types[*i]);
                let known = known.try_fold(1_i64, |all, size| all.checked_mul(size));
                if let Some(known) = known.filter(|known| *known > 0) {
                    dims[*i] = Some(size.clone().floor_div(known.into()).simplified());
                }
            }
        }
        let stated = self.each_mixed(op, "static_output_shape", &operands[1..]);
        for (dim, stated) in dims.iter_mut().zip(stated) {
            if dim.is_none() {
                *dim = Some(stated?);
            }
        }
        let dims: Option<Vec<Expr>> = dims.into_iter().collect();
        let dims = dims.ok_or_else(|| Error::on(op, "has a result of unknown size"))?;
        for (group, size) in groups.iter().zip(&source) {
            self.require(op, Constraint::Zero(size.clone() - product(&chosen(&dims, group))))?;
        }
        Ok(ReshapedSizes { dims, groups })
    }

    /// The sizes of a `tensor.collapse_shape`.
    ///
    /// # Errors
    /// If its reassociation is not valid.
    pub fn collapsed(&mut self, op: Op<'c>) -> Result<ReshapedSizes, Error<'c>> {
        let source = self.dims(op, op.operand(0))?;
        let (types, _) = op.result(0).ty().shaped().ok_or_else(|| unranked(op))?;
        let groups = reassociation(op, source.len(), types.len())?;
        let dims = groups.iter().map(|group| product(&chosen(&source, group))).collect();
        Ok(ReshapedSizes { dims, groups })
    }

    /// The sizes of a `tensor.reshape`: those of its type, and for dynamic ones those that its second operand lists.
    ///
    /// # Errors
    /// If they are not known, or never fit the source.
    pub fn reshaped(&mut self, op: Op<'c>) -> Result<Vec<Expr>, Error<'c>> {
        let source = self.dims(op, op.operand(0))?;
        let list = op.operand(1).defining_op().filter(|list| list.is("tensor.from_elements"));
        let (types, _) = op.result(0).ty().shaped().ok_or_else(|| unranked(op))?;
        let constant = op.operand(1).defining_op().filter(|list| list.is_constant());
        let constant = constant.and_then(|list| list.attribute("value")?.as_elements());
        let dims = match list.filter(|list| list.operands().len() == types.len()) {
            Some(list) => {
                let dynamic = types.iter().zip(list.operands()).filter(|(size, _)| size.is_none());
                self.result_dims(op, &dynamic.map(|(_, value)| value).collect::<Vec<_>>())?
            }
            None if types.iter().all(Option::is_some) => self.result_dims(op, &[])?,
            None if let Some(list) = constant.filter(|list| list.len() == types.len()) => {
                let listed = list.iter().map(|bits| bits as i64);
                types
                    .iter()
                    .zip(listed)
                    .map(|(size, listed)| size.unwrap_or(listed).into())
                    .collect()
            }
            None => {
                let message =
                    "has dynamic sizes, expected them from 'tensor.from_elements' or a constant";
                return Err(Error::on(op, message));
            }
        };
        self.require(op, Constraint::Zero(product(&source) - product(&dims)))?;
        Ok(dims)
    }

    /// The sizes of a `tensor.extract_slice`.
    ///
    /// # Errors
    /// If they are not known, or do not match the type of the slice.
    pub fn slice(&mut self, op: Op<'c>) -> Result<SliceSizes, Error<'c>> {
        let rank = self.dims(op, op.operand(0))?.len();
        let (types, _) = op.result(0).ty().shaped().ok_or_else(|| unranked(op))?;
        self.slice_of(op, rank, &types, "result")
    }

    /// The sizes of the slice of an op. `rank` is that of the tensor, `types` are the sizes of the type of the slice, and
    /// `what` the slice is to the op.
    ///
    /// # Errors
    /// If they are not known, or do not match the type.
    pub fn slice_of(
        &mut self,
        op: Op<'c>,
        rank: usize,
        types: &[Option<i64>],
        what: &str,
    ) -> Result<SliceSizes, Error<'c>> {
        let groups = segments(op);
        let [.., sizes, strides] = &groups[..] else { return Err(without_segments(op)) };
        let sizes = self.mixed(op, "static_sizes", sizes)?;
        let strides = self.mixed(op, "static_strides", strides)?;
        check_lengths(op, rank, &[&sizes, &strides])?;
        let entries = op.attribute("static_sizes").and_then(Attribute::as_integers);
        let kept = kept_dims(&sizes, &entries.unwrap_or_default(), types)
            .ok_or_else(|| Error::on(op, format!("has sizes that do not match its {what}")))?;
        Ok(SliceSizes { sizes, strides, kept })
    }

    /// The sizes of a `tensor.pad`.
    ///
    /// # Errors
    /// If they are not known, or always negative.
    pub fn padded(&mut self, op: Op<'c>) -> Result<PaddedSizes, Error<'c>> {
        let groups = segments(op);
        let [_, low, high] = &groups[..] else { return Err(without_segments(op)) };
        let sizes = self.dims(op, op.operand(0))?;
        let low = self.mixed(op, "static_low", low)?;
        let high = self.mixed(op, "static_high", high)?;
        check_lengths(op, sizes.len(), &[&low, &high])?;
        let mut dims = vec![];
        for (i, size) in sizes.iter().enumerate() {
            let dim = (low[i].clone() + size.clone() + high[i].clone()).simplified();
            self.require(op, Constraint::NonNegative(dim.clone()))?;
            dims.push(dim);
        }
        Ok(PaddedSizes { low, high, dims })
    }

    /// The sizes of a `tensor.concat`.
    ///
    /// # Errors
    /// If it has no valid dimension, or the sizes of the operands never fit together.
    pub fn concatenated(&mut self, op: Op<'c>) -> Result<ConcatenatedSizes, Error<'c>> {
        let axis = op.attribute("dim").and_then(Attribute::as_i64);
        let axis = axis.and_then(|n| usize::try_from(n).ok());
        let rank = op.result(0).ty().shaped().map_or(0, |(dims, _)| dims.len());
        let axis = axis.filter(|axis| *axis < rank);
        let axis = axis.ok_or_else(|| Error::on(op, "has no valid 'dim'"))?;
        let mut ends = vec![];
        let mut dims: Vec<Expr> = vec![];
        for operand in op.operands() {
            let part = self.dims(op, operand)?;
            let before = ends.last().cloned().unwrap_or(Expr::Constant(0));
            let end = (before + part[axis].clone()).simplified();
            ends.push(end.clone());
            for i in (0..dims.len()).filter(|i| *i != axis) {
                self.require(op, Constraint::Zero(part[i].clone() - dims[i].clone()))?;
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
        Ok(ConcatenatedSizes { axis, ends, dims })
    }
}

/// True for the name of an op that computes each element from those at the same place.
fn is_elementwise(name: &str) -> bool {
    name.starts_with("arith.") || name.starts_with("math.")
}

fn is_tensor(value: Value) -> bool {
    value.ty().shaped().is_some()
}

/// The operand groups of an op with `operandSegmentSizes`.
pub fn segments<'c>(op: Op<'c>) -> Vec<Vec<Value<'c>>> {
    let sizes = op.attribute("operandSegmentSizes").and_then(Attribute::as_integers);
    let mut rest = op.operands().into_iter();
    let group = |n: i64| rest.by_ref().take(n as usize).collect();
    sizes.unwrap_or_default().into_iter().map(group).collect()
}

/// The product of some sizes.
pub fn product(dims: &[Expr]) -> Expr {
    dims.iter().cloned().reduce(|a, b| a * b).unwrap_or(1.into()).simplified()
}

/// The sizes at some places.
pub fn chosen(dims: &[Expr], places: &[usize]) -> Vec<Expr> {
    places.iter().map(|i| dims[*i].clone()).collect()
}

/// An error unless each list has one entry a dimension.
///
/// # Errors
/// The error, on `op`.
pub fn check_lengths<'c>(op: Op<'c>, rank: usize, lists: &[&Vec<Expr>]) -> Result<(), Error<'c>> {
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

/// The largest value of an index over ranges that are not empty; `None` if it does not grow with each iterator, or
/// depends on none.
fn last_index(index: &Expr, ranges: &[Expr]) -> Option<Expr> {
    let grows = |(atom, weight): (&Expr, &i64)| matches!(atom, Expr::Dim(_)) && *weight > 0;
    let linear = Linear::of(index);
    let is_sum = !linear.terms.is_empty() && linear.terms.iter().all(grows);
    let last = |d: usize| ranges[d].clone() - 1.into();
    is_sum.then(|| index.substitute(&last, &Expr::Symbol).simplified())
}

/// The dimensions of a slice that its (possibly rank-reduced) type keeps: a dimension is dropped if
/// its size is 1 and the next dimension of the type differs. A size that the op states as a number is no
/// dynamic dimension of the type.
fn kept_dims(sizes: &[Expr], entries: &[i64], ty: &[Option<i64>]) -> Option<Vec<Option<usize>>> {
    let mut next = 0;
    let mut kept = vec![];
    for (i, size) in sizes.iter().enumerate() {
        let same = ty.get(next).is_some_and(|dim| match (dim, size.constant()) {
            (Some(dim), Some(size)) => *dim == size,
            (Some(dim), None) => *dim != 1,
            (None, _) => entries.get(i).is_none_or(|entry| *entry == DYNAMIC),
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

/// The reassociation of a reshape. It must list the dimensions of the side of higher rank in order; upstream's
/// verifier does not check that.
fn reassociation<'c>(op: Op<'c>, wide: usize, narrow: usize) -> Result<Vec<Vec<usize>>, Error<'c>> {
    let groups = op.attribute("reassociation").and_then(Attribute::as_array).unwrap_or_default();
    let group = |group: Attribute| -> Vec<i64> {
        group.as_array().unwrap_or_default().iter().filter_map(|n| n.as_i64()).collect()
    };
    let groups: Vec<Vec<i64>> = groups.into_iter().map(group).collect();
    let in_order = groups.iter().flatten().copied().eq(0..wide as i64);
    if !in_order && !groups.is_empty() || groups.len() != narrow {
        return Err(Error::on(op, format!("has the groups {groups:?} for {wide} dimensions")));
    }
    Ok(groups.into_iter().map(|g| g.into_iter().map(|n| n as usize).collect()).collect())
}

fn without_segments(op: Op) -> Error {
    Error::on(op, "has no valid 'operandSegmentSizes'")
}

fn unranked(op: Op) -> Error {
    Error::on(op, "is not ranked")
}

//! Reshapes: each becomes one schedule block that reads at the same row-major index.

use super::movement::{NextDynamic, result_dims};
use super::state::FunctionConversion;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Attribute, Error, Op, Value};

/// result[o0, o1, ..] = source[(o0 * size1 + o1) * .., ..]
pub(super) fn expand_shape<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
) -> Result<(), Error<'c>> {
    let operands = op.operands();
    let source = f.operand(op, operands[0])?;
    let (types, _) = op.result(0).ty().shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
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
    let stated = mixed_or_missing(f, op, "static_output_shape", &operands[1..]);
    for (dim, stated) in dims.iter_mut().zip(stated) {
        if dim.is_none() {
            *dim = Some(stated?);
        }
    }
    let dims: Option<Vec<Expr>> = dims.into_iter().collect();
    let dims = dims.ok_or_else(|| Error::on(op, "has a result of unknown size"))?;
    let sizes = |group: &[usize]| group.iter().map(|i| dims[*i].clone()).collect::<Vec<_>>();
    for (group, size) in groups.iter().zip(&source) {
        f.require(op, Constraint::Zero(size.clone() - product(&sizes(group))))?;
    }
    let indices: Vec<Expr> =
        groups.iter().map(|group| place(&dims, group.iter().copied())).collect();
    let uses = indices.clone();
    f.moved(op, dims, &uses, |f, nest| f.element(op, nest, operands[0], &indices))
}

/// The entries of a mixed list, each with its own result.
fn mixed_or_missing<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
    name: &str,
    values: &[Value<'c>],
) -> Vec<Result<Expr, Error<'c>>> {
    let entries = op.attribute(name).and_then(Attribute::as_integers).unwrap_or_default();
    let mut values = values.iter();
    let mut outcomes = vec![];
    for entry in entries {
        outcomes.push(match values.next_dynamic(entry) {
            Some(value) => f.needed_size(op, *value),
            None => Ok(entry.into()),
        });
    }
    outcomes
}

/// result[o, ..] = source[o floordiv (size1 * ..), o floordiv .. mod size1, ..]
pub(super) fn collapse_shape<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
) -> Result<(), Error<'c>> {
    let operands = op.operands();
    let source = f.operand(op, operands[0])?;
    let (types, _) = op.result(0).ty().shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
    let groups = reassociation(op, source.len(), types.len())?;
    let sizes = |group: &[usize]| group.iter().map(|i| source[*i].clone()).collect::<Vec<_>>();
    let dims = groups.iter().map(|group| product(&sizes(group))).collect();
    let mut indices = vec![Expr::Constant(0); source.len()];
    for (o, group) in groups.iter().enumerate() {
        let wide: Vec<usize> =
            group.iter().copied().filter(|i| source[*i].constant() != Some(1)).collect();
        for (place, i) in wide.iter().enumerate() {
            let inner = product(&sizes(&wide[place + 1..]));
            let mut index = Expr::Dim(o);
            if inner.constant() != Some(1) {
                index = index.floor_div(inner);
            }
            if place > 0 {
                index = index.modulo(source[*i].clone());
            }
            indices[*i] = index.simplified();
        }
    }
    let uses = indices.clone();
    f.moved(op, dims, &uses, |f, nest| f.element(op, nest, operands[0], &indices))
}

/// result[o] = source[..] at the same row-major index
pub(super) fn reshape<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<(), Error<'c>> {
    let source = op.operand(0);
    let sizes = f.operand(op, source)?;
    let dims = reshaped(f, op)?;
    f.require(op, Constraint::Zero(product(&sizes) - product(&dims)))?;
    // The last dimensions that both have keep their indices.
    let pairs = sizes.iter().rev().zip(dims.iter().rev());
    let kept = pairs.take_while(|(size, dim)| size.simplified() == dim.simplified()).count();
    let (of_source, of_result) = (sizes.len() - kept, dims.len() - kept);
    let place = place(&dims, 0..of_result);
    let mut indices = vec![];
    for (i, size) in sizes[..of_source].iter().enumerate() {
        let inner = product(&sizes[i + 1..of_source]);
        let index = place.clone().floor_div(inner);
        let index = if i > 0 { index.modulo(size.clone()) } else { index };
        indices.push(index.simplified());
    }
    indices.extend((of_result..dims.len()).map(Expr::Dim));
    let uses = indices.clone();
    f.moved(op, dims, &uses, |f, nest| f.element(op, nest, source, &indices))
}

/// The row-major index in some dimensions. The index in a dimension of one element is 0.
fn place(dims: &[Expr], of: impl Iterator<Item = usize>) -> Expr {
    let wide = of.filter(|i| dims[*i].constant() != Some(1));
    wide.fold(Expr::Constant(0), |sum, i| sum * dims[i].clone() + Expr::Dim(i)).simplified()
}

/// The sizes of the result of a `tensor.reshape`: those of its type, and for dynamic ones those that its second operand
/// lists.
fn reshaped<'c>(f: &mut FunctionConversion<'_, 'c>, op: Op<'c>) -> Result<Vec<Expr>, Error<'c>> {
    let list = op.operand(1).defining_op().filter(|list| list.is("tensor.from_elements"));
    let (types, _) = op.result(0).ty().shaped().ok_or_else(|| Error::on(op, "is not ranked"))?;
    match list.filter(|list| list.operands().len() == types.len()) {
        Some(list) => {
            let dynamic = types.iter().zip(list.operands()).filter(|(size, _)| size.is_none());
            result_dims(f, op, &dynamic.map(|(_, value)| value).collect::<Vec<_>>())
        }
        None if types.iter().all(Option::is_some) => result_dims(f, op, &[]),
        None => Err(Error::on(op, "has dynamic sizes, expected them from 'tensor.from_elements'")),
    }
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

fn product(dims: &[Expr]) -> Expr {
    dims.iter().cloned().reduce(|a, b| a * b).unwrap_or(1.into()).simplified()
}

//! Reshapes: each becomes one schedule block that reads at the same row-major index.

use super::state::FunctionConversion;
use crate::compute::symbolic_sizes::{ReshapedSizes, chosen, product};
use crate::ir::affine::Expr;
use crate::ir::{Error, Op};

/// result[o0, o1, ..] = source[(o0 * size1 + o1) * .., ..]
pub(super) fn expand_shape<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
) -> Result<(), Error<'c>> {
    let source = op.operand(0);
    f.operand(op, source)?;
    let ReshapedSizes { dims, groups } = f.sizes.expanded(op)?;
    let indices: Vec<Expr> =
        groups.iter().map(|group| place(&dims, group.iter().copied())).collect();
    let uses = indices.clone();
    f.moved(op, dims, &uses, |f, nest| f.element(op, nest, source, &indices))
}

/// result[o, ..] = source[o floordiv (size1 * ..), o floordiv .. mod size1, ..]
pub(super) fn collapse_shape<'c>(
    f: &mut FunctionConversion<'_, 'c>,
    op: Op<'c>,
) -> Result<(), Error<'c>> {
    let operands = op.operands();
    let source = f.operand(op, operands[0])?;
    let ReshapedSizes { dims, groups } = f.sizes.collapsed(op)?;
    let mut indices = vec![Expr::Constant(0); source.len()];
    for (o, group) in groups.iter().enumerate() {
        let wide: Vec<usize> =
            group.iter().copied().filter(|i| source[*i].constant() != Some(1)).collect();
        for (place, i) in wide.iter().enumerate() {
            let inner = product(&chosen(&source, &wide[place + 1..]));
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
    let dims = f.sizes.reshaped(op)?;
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

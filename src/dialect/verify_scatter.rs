//! Verifier of the ops of the graph dialect that change elements at indices that are data.

use super::infer_graph::{OpInputs, fits};
use crate::ir::Type;

/// Checks the sizes of the indices, and that there is an update for each.
pub(super) fn verify_scatter_elements(inputs: &OpInputs) -> Result<(), String> {
    let ((dims, _), (indices, _)) = (inputs.shape(0)?, inputs.shape(1)?);
    let dim = inputs.dim(dims.len())?;
    let is_larger = |i: usize| dims[i].zip(indices[i]).is_some_and(|(x, all)| all > x);
    if indices.len() != dims.len() || (0..dims.len()).any(|i| i != dim && is_larger(i)) {
        let (x, indices) = (inputs.operands[0].ty(), inputs.operands[1].ty());
        return Err(format!(
            "has indices of type {indices} for elements of type {x}, expected the same rank, and sizes that are not larger \
             except in dimension {dim}"
        ));
    }
    verify_updates(inputs, &indices, dim..dim + 1)
}

/// Checks that there is an update for each list of indices.
pub(super) fn verify_scatter_nd(inputs: &OpInputs) -> Result<(), String> {
    let ((dims, _), (indices, _)) = (inputs.shape(0)?, inputs.shape(1)?);
    let len = inputs.list_len(0)?;
    let expected = [&indices[..indices.len() - 1], &dims[len..]].concat();
    verify_updates(inputs, &expected, 0..len)
}

/// Checks the type of the updates, and that the dimensions with indices have elements.
fn verify_updates(
    inputs: &OpInputs,
    expected: &[Option<i64>],
    mut indexed: std::ops::Range<usize>,
) -> Result<(), String> {
    let ((dims, element), (updates, other)) = (inputs.shape(0)?, inputs.shape(2)?);
    let same =
        updates.len() == expected.len() && updates.iter().zip(expected).all(|(a, b)| fits(*a, *b));
    if !same || other != element {
        let found = inputs.operands[2].ty();
        let expected = Type::tensor(expected, element);
        return Err(format!("has updates of type {found}, expected {expected}"));
    }
    match indexed.find(|dim| dims[*dim] == Some(0)) {
        Some(dim) if !updates.contains(&Some(0)) && !expected.contains(&Some(0)) => {
            Err(format!("updates elements of dimension {dim}, which has none"))
        }
        _ => Ok(()),
    }
}

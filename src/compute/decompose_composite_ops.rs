//! `decompose-composite-ops`: replace each op that combines several linalg ops by these linalg ops.
//!
//! ```text
//! %p = linalg.softmax dimension(1) ins(%x) outs(%e)
//!   ->
//! %m = linalg.generic .. maximumf    %n = linalg.generic .. exp(x - m)
//! %s = linalg.generic .. addf        %p = linalg.generic .. n / s
//! ```
//! - `tm_tensor.attention`: two matmuls, and a softmax of rows between them.
//! - `tm_tensor.scan`: a `linalg.generic` with the partial result as a second output.
//! - `tm_tensor.sort`, `tm_tensor.topk`: a merge sort. For each position of a merged sequence, a binary search finds
//!   the element at this position. So all positions of a merge step are independent, and the sort takes O(n log^2 n)
//!   operations.
//! - `tensor.gather`: a `linalg.generic` that reads at computed indices.
//! - `linalg.winograd_*_transform`: products with constant matrices.
//! - `linalg.softmax`, `linalg.pack`, `linalg.unpack`: by the decompositions of upstream MLIR.
//!
//! It is an error if one of these ops cannot be decomposed, or is on memrefs.

mod attention;
mod gather;
pub(crate) mod scan;
pub(crate) mod sort;
pub(crate) mod winograd;

use crate::ir::{Block, Builder, Error, Op, Value, decompose_linalg, walk};

/// The ops that are decomposed.
const COMPOSITE: &[&str] = &[
    "linalg.pack",
    "linalg.softmax",
    "linalg.unpack",
    "linalg.winograd_filter_transform",
    "linalg.winograd_input_transform",
    "linalg.winograd_output_transform",
    "tensor.gather",
    "tm_tensor.attention",
    "tm_tensor.scan",
    "tm_tensor.sort",
    "tm_tensor.topk",
];

/// Decomposes the ops under `root`.
pub fn convert<'c>(root: Op<'c>) -> Result<(), Error<'c>> {
    let mut ops = walk(root);
    ops.retain(|op| COMPOSITE.contains(&op.name()));
    // An op in the region of another one comes first, since the region is copied and then erased.
    for op in ops.into_iter().rev() {
        let b = Builder::before(op, op.location());
        let replacements = match op.name() {
            "tm_tensor.attention" => attention::decompose(&b, op),
            "tm_tensor.scan" => scan::decompose(&b, op),
            "tm_tensor.sort" => sort::sort(&b, op),
            "tm_tensor.topk" => sort::topk(&b, op),
            "tensor.gather" => vec![gather::decompose(&b, op)],
            name if name.starts_with("linalg.winograd") => vec![winograd::decompose(&b, op)?],
            _ => {
                upstream(op)?;
                continue;
            }
        };
        for (old, new) in op.results().into_iter().zip(replacements) {
            old.replace_all_uses_with(new);
        }
        op.erase();
    }
    Ok(())
}

fn upstream<'c>(op: Op<'c>) -> Result<(), Error<'c>> {
    if op.results().is_empty() {
        return Err(Error::on(op, "works on memrefs, expected tensors"));
    }
    match decompose_linalg(op) {
        true => Ok(()),
        false => Err(Error::on(op, "cannot be decomposed: expected static sizes and inner tiles")),
    }
}

/// The inputs and the outputs of an op in destination style.
fn operand_groups<'c>(op: Op<'c>) -> (Vec<Value<'c>>, Vec<Value<'c>>) {
    let sizes = op.attribute("operandSegmentSizes").and_then(|sizes| sizes.as_integers());
    let inputs = sizes.and_then(|sizes| usize::try_from(*sizes.first()?).ok()).unwrap_or(0);
    let mut inputs_and_outputs = op.operands();
    let outputs = inputs_and_outputs.split_off(inputs);
    (inputs_and_outputs, outputs)
}

/// Copies the ops of a region to `b`, with `values` for its arguments; returns the first value that it yields.
fn inline<'c>(b: &Builder<'c>, body: Block<'c>, values: &[Value<'c>]) -> Value<'c> {
    let arguments = body.arguments().into_iter();
    let mut mapping: Vec<_> = arguments.zip(values.iter().copied()).collect();
    let end = body.terminator().expect("a verified region has a terminator");
    for op in body.ops().into_iter().filter(|op| *op != end) {
        let copy = op.clone_mapped(&mapping);
        b.place(copy);
        mapping.extend(op.results().into_iter().zip(copy.results()));
    }
    let yielded = end.operand(0);
    mapping.iter().find(|(old, _)| *old == yielded).map_or(yielded, |(_, new)| *new)
}

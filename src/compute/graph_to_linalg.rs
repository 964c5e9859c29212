//! `convert-graph-to-linalg`: replace each graph op by its linalg definition.
//!
//! ```text
//! %m = graph.mul %x, %y : tensor<4xf32>
//!   ->
//! %e = tensor.empty() : tensor<4xf32>
//! %m = linalg.generic {..} ins(%x, %y) outs(%e) { %0 = arith.mulf ..; linalg.yield %0 }
//! ```
//! Fusion groups remain, and contain linalg and tensor ops afterwards. These ops are the only definition of what a graph op
//! computes, except for `graph.scatter_elements` and `graph.scatter_nd`: linalg has no op that writes at indices that are data.
//! These remain, and convert-linalg-to-loop lowers them.

mod builder;
mod data_sized;
mod elementwise;
mod indexing;
mod movement;
mod normalize;
mod ordered;
mod product;
mod quantize;
mod reduce;
mod scalar;
mod selection;
mod slice;

use crate::ir::{Builder, Error, Op, Value, walk};
use builder::with_type;

/// The graph ops that remain.
const REMAINING: &[&str] = &[
    "graph.fusion",
    "graph.scatter_elements",
    "graph.scatter_nd",
    "graph.yield",
    "graph.yield_store",
];

/// Converts all graph ops under `root` except fusion groups, their terminators and scatters.
pub fn convert<'c>(root: Op<'c>) -> Result<(), Error<'c>> {
    for op in walk(root) {
        if !op.name().starts_with("graph.") || REMAINING.contains(&op.name()) {
            continue;
        }
        let b = Builder::before(op, op.location());
        let replacements = match op.name() {
            "graph.nonzero" => data_sized::nonzero(&b, op),
            "graph.sort" => ordered::sort(&b, op),
            "graph.split" => slice::split(&b, op),
            "graph.topk" => ordered::topk(&b, op),
            "graph.unique" => data_sized::unique(&b, op),
            _ => vec![definition(&b, op)?],
        };
        for (result, new) in op.results().into_iter().zip(replacements) {
            result.replace_all_uses_with(with_type(&b, new, result.ty()));
        }
        op.erase();
    }
    Ok(())
}

/// The value of an op with one result.
fn definition<'c>(b: &Builder<'c>, op: Op<'c>) -> Result<Value<'c>, Error<'c>> {
    Ok(match op.name() {
        "graph.argmax" => reduce::arg(b, op, true),
        "graph.argmin" => reduce::arg(b, op, false),
        "graph.batch_norm" => normalize::batch_norm(b, op),
        "graph.bias_add" => normalize::bias_add(b, op),
        "graph.broadcast" => movement::broadcast(b, op),
        "graph.concat" => movement::concat(b, op),
        "graph.constant" => b.constant(op.attribute("value").expect("ODS demands a value")),
        "graph.conv" => product::conv(b, op),
        "graph.dequantize" => quantize::dequantize(b, op),
        "graph.expand_dims" => movement::expand_dims(b, op),
        "graph.flip" => movement::flip(b, op),
        "graph.full" => movement::full(b, op),
        "graph.gather_elements" => indexing::gather_elements(b, op),
        "graph.gather_nd" => indexing::gather_nd(b, op),
        "graph.group_norm" => normalize::group_norm(b, op),
        "graph.iota" => movement::iota(b, op),
        "graph.layer_norm" => normalize::layer_norm(b, op),
        "graph.layout_transform" => movement::layout_transform(b, op),
        "graph.log_softmax" => normalize::log_softmax(b, op),
        "graph.logsumexp" => reduce::logsumexp(b, op),
        "graph.matmul" => product::matmul(b, op),
        "graph.mean" => reduce::mean(b, op),
        "graph.one_hot" => indexing::one_hot(b, op),
        "graph.pad" => movement::pad(b, op),
        "graph.pool" => product::pool(b, op),
        "graph.prelu" => normalize::prelu(b, op),
        "graph.quantize" => quantize::quantize(b, op),
        "graph.reduce" => reduce::reduce(b, op)?,
        "graph.repeat" => movement::repeat(b, op),
        "graph.reshape" => movement::reshape(b, op),
        "graph.rms_norm" => normalize::rms_norm(b, op),
        "graph.scan" => ordered::scan(b, op)?,
        "graph.slice" => slice::slice(b, op),
        "graph.softmax" => normalize::softmax(b, op),
        "graph.squeeze" => movement::squeeze(b, op),
        "graph.stack" => movement::stack(b, op),
        "graph.std" => reduce::variance(b, op, true),
        "graph.take" => indexing::take(b, op),
        "graph.tile" => movement::tile(b, op),
        "graph.transpose" => movement::transpose(b, op),
        "graph.variance" => reduce::variance(b, op, false),
        _ => elementwise::elementwise(b, op)?,
    })
}

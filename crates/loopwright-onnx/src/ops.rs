//! The supported ops, by family.

mod activation;
mod attention;
mod convolution;
mod crop;
mod einsum;
mod elementwise;
mod grid;
mod heads;
mod indexing;
mod linalg;
mod linear_attention;
mod loss;
mod matmul;
mod microsoft;
mod microsoft_attention;
mod microsoft_grouped;
mod microsoft_image;
mod microsoft_quantization;
mod microsoft_weights;
mod normalization;
mod pooling;
mod quantization;
mod recurrent;
mod reduction;
mod region;
mod resample;
mod resize;
mod rotary;
mod sampling;
mod scan;
mod scatter;
mod shape;
mod signal;
mod sorting;
mod suppression;
mod transposed;
mod window;

use crate::error::Refusal;
use crate::node::Node;
use crate::tensor::Tensor;

/// Appends the ops of a node and returns its outputs.
type Import = for<'a, 'c> fn(&Node<'a, 'c>) -> Result<Vec<Tensor<'c>>, Refusal>;

/// An op: its name and how it is imported.
type Row = (&'static str, Import);

/// The families of ops of the standard domain.
const FAMILIES: &[&[Row]] = &[
    attention::OPS,
    convolution::OPS,
    crop::OPS,
    einsum::OPS,
    elementwise::OPS,
    grid::OPS,
    indexing::OPS,
    linalg::OPS,
    linear_attention::OPS,
    loss::OPS,
    matmul::OPS,
    normalization::OPS,
    pooling::OPS,
    quantization::OPS,
    recurrent::OPS,
    reduction::OPS,
    resize::OPS,
    rotary::OPS,
    scan::OPS,
    scatter::OPS,
    shape::OPS,
    signal::OPS,
    sorting::OPS,
    suppression::OPS,
];

/// Ops with graphs, which the import of graphs has: they are no rows of a family.
pub(crate) const CONTROL: &[&str] = &["If", "Loop", "Scan"];

/// The families of ops of the domain `com.microsoft`.
const MICROSOFT: &[&[Row]] = &[
    microsoft::OPS,
    microsoft_attention::OPS,
    microsoft_grouped::OPS,
    microsoft_image::OPS,
    microsoft_quantization::OPS,
    microsoft_weights::OPS,
];

/// The import of an op of a domain.
pub(crate) fn find(domain: &str, name: &str) -> Option<Import> {
    let families = match domain {
        "" | "ai.onnx" => FAMILIES,
        "com.microsoft" => MICROSOFT,
        _ => return None,
    };
    let mut rows = families.iter().flat_map(|family| family.iter());
    rows.find(|(it, _)| *it == name).map(|(_, import)| *import)
}

/// The names of the supported ops, in order, by domain.
pub fn list() -> Vec<(&'static str, Vec<&'static str>)> {
    let names = |families: &[&[Row]], others: &[&'static str]| {
        let rows = families.iter().flat_map(|family| family.iter()).map(|(name, _)| *name);
        let mut names: Vec<_> = rows.chain(others.iter().copied()).collect();
        names.sort_unstable();
        names
    };
    vec![("ai.onnx", names(FAMILIES, CONTROL)), ("com.microsoft", names(MICROSOFT, &[]))]
}

//! The workloads: functions of linalg ops on tensors, with their least cost and their reference.

use crate::reference::{self, Reference};
use loopwright::ir::Type;
use loopwright::pipeline;
use melior::Context;
use melior::ir::Module;

/// A workload: one function `main`.
#[derive(Debug)]
pub struct Workload {
    pub id: &'static str,
    pub title: &'static str,
    pub module: &'static str,
    /// The names of the arguments, in order.
    pub arguments: &'static [&'static str],
    /// The least number of f32 operations for one element of the result.
    pub operations: u64,
    pub bound: Bound,
    pub values: Values,
    pub reference: Reference,
    /// The greatest allowed error, relative to the greatest element of the result.
    pub tolerance: f64,
}

/// The machine's limit that bounds a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The time of a call: the data is in the nearest caches.
    Call,
    /// Reading and writing memory.
    Memory,
    /// Reading memory.
    Read,
    /// Fused multiply-adds.
    Flops,
}

/// The distribution of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Mean 0, variance 1, as sums of four uniform values.
    Normal,
    /// Uniform, from 0 to 1.
    Positive,
}

/// The shapes of a function with one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shapes {
    pub inputs: Vec<Vec<usize>>,
    pub result: Vec<usize>,
}

macro_rules! workload {
    ($id:literal, $title:literal, [$($argument:literal),*], $operations:expr, $bound:ident, $values:ident, $reference:expr, $tolerance:literal) => {
        Workload {
            id: $id,
            title: $title,
            module: include_str!(concat!("../../benches/workloads/", $id, ".mlir")),
            arguments: &[$($argument),*],
            operations: $operations,
            bound: Bound::$bound,
            values: Values::$values,
            reference: $reference,
            tolerance: $tolerance,
        }
    };
}

/// All workloads, in the order of the table.
#[rustfmt::skip]
pub const ALL: &[Workload] = &[
    workload!("W1s", "(x - y) * x", ["x", "y"], 2, Call, Normal, Reference::Rows(reference::subtract_multiply), 1e-4),
    workload!("W1", "(x - y) * x", ["x", "y"], 2, Memory, Normal, Reference::Rows(reference::subtract_multiply), 1e-4),
    workload!("W2", "x + y", ["x", "y"], 1, Memory, Normal, Reference::Cells(reference::add), 1e-4),
    workload!("W3", "gelu(x + b)", ["x", "b"], 10, Memory, Normal, Reference::Rows(reference::gelu), 1e-4),
    workload!("W4", "softmax of rows", ["x"], 5, Memory, Normal, Reference::Rows(reference::softmax), 1e-4),
    workload!("W5", "layer norm of rows", ["x", "g", "b"], 8, Memory, Normal, Reference::Rows(reference::layer_norm), 1e-4),
    workload!("W6r", "sum of each row", ["x"], 4096, Read, Normal, Reference::Cells(reference::row_sum), 1e-4),
    workload!("W6f", "sum of all", ["x"], 1 << 24, Read, Positive, Reference::Cells(reference::full_sum), 1e-3),
    workload!("W7", "transpose", ["x"], 0, Memory, Normal, Reference::Rows(reference::transpose), 1e-4),
    workload!("W8a", "matmul", ["a", "b"], 2 * 512, Flops, Normal, Reference::Sample(reference::matmul), 1e-4),
    workload!("W8b", "matmul", ["a", "b"], 2 * 1024, Flops, Normal, Reference::Sample(reference::matmul), 1e-4),
    workload!("W8c", "matmul", ["a", "b"], 2 * 2048, Flops, Normal, Reference::Sample(reference::matmul), 1e-4),
    workload!("W8v", "matmul", ["a", "b"], 2 * 4096, Read, Normal, Reference::Cells(reference::matmul), 1e-4),
    workload!("W8t", "matmul", ["a", "b"], 2 * 768, Flops, Normal, Reference::Sample(reference::matmul), 1e-4),
    workload!("W9", "relu(a @ b + c)", ["a", "b", "c"], 2 * 1024, Flops, Normal, Reference::Sample(reference::matmul_bias_relu), 1e-4),
    workload!("W10", "conv 3x3, padded", ["x", "k"], 2 * 64 * 9, Flops, Normal, Reference::Sample(reference::convolution), 1e-4),
    workload!("W11", "attention", ["q", "k", "v"], 4 * 512, Flops, Normal, Reference::Rows(reference::attention), 1e-4),
    workload!("W13", "batch matmul", ["a", "b"], 2 * 64, Flops, Normal, Reference::Sample(reference::batch_matmul), 1e-4),
];

/// Workloads of the harness whose weights are constants, which a function of arguments does not have.
pub const MODELS: &[&str] = &["W12"];

/// The workload with an id.
pub fn find(id: &str) -> Option<&'static Workload> {
    ALL.iter().find(|workload| workload.id == id)
}

/// All ids, as a list.
pub fn ids() -> String {
    ALL.iter().map(|workload| workload.id).collect::<Vec<_>>().join(", ")
}

impl Workload {
    /// The number of f32 operations of a call.
    pub fn flops(&self, shapes: &Shapes) -> u64 {
        self.operations * shapes.result.iter().product::<usize>() as u64
    }

    /// The shapes of its function.
    ///
    /// # Errors
    /// If the module does not parse, or its types are not static tensors with one result.
    pub fn shapes(&self, context: &Context) -> Result<Shapes, String> {
        let error = || {
            format!(
                "{}: 'main' is not a function from static tensors to one static tensor",
                self.id
            )
        };
        let module = Module::parse(context, self.module)
            .ok_or_else(|| format!("{}: the module does not parse", self.id))?;
        let shapes = signature(&module).ok_or_else(error)?;
        let is_named = shapes.inputs.len() == self.arguments.len();
        is_named.then_some(shapes).ok_or_else(error)
    }
}

impl Shapes {
    /// The bytes of all inputs, read once, and of the result, written once.
    pub fn bytes(&self) -> u64 {
        let elements = |shape: &Vec<usize>| shape.iter().product::<usize>() as u64;
        4 * (self.inputs.iter().map(elements).sum::<u64>() + elements(&self.result))
    }
}

impl std::fmt::Display for Shapes {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let inputs: Vec<_> = self.inputs.iter().map(|shape| text(shape)).collect();
        write!(f, "{} -> {}", inputs.join(", "), text(&self.result))
    }
}

/// The shape as `64x128`; `1` for a scalar.
fn text(shape: &[usize]) -> String {
    let sizes: Vec<_> = shape.iter().map(usize::to_string).collect();
    if sizes.is_empty() { "1".to_owned() } else { sizes.join("x") }
}

fn signature(module: &Module) -> Option<Shapes> {
    let function = pipeline::functions(module).into_iter().next()?;
    let [result] = function.results[..] else { return None };
    let inputs: Option<_> = function.arguments.iter().map(|it| static_shape(it.ty)).collect();
    Some(Shapes { inputs: inputs?, result: static_shape(result)? })
}

fn static_shape(ty: Type) -> Option<Vec<usize>> {
    ty.shaped()?.0.into_iter().map(|size| usize::try_from(size?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright::pipeline;

    #[test]
    fn work_follows_from_types() {
        let context = pipeline::context();
        let work = |id| {
            let workload = find(id).expect("it is in the table");
            let shapes = workload.shapes(&context).expect("all are of static tensors");
            (workload.flops(&shapes), shapes.bytes())
        };
        assert_eq!(work("W1s"), (2 * 8192, 12 * 8192));
        assert_eq!(work("W6f"), (1 << 24, 4 * ((1 << 24) + 1)));
        assert_eq!(work("W7"), (0, 8 << 24));
        assert_eq!(work("W8t"), (2 * 128 * 768 * 3072, 4 * (128 * 768 + 768 * 3072 + 128 * 3072)));
        assert_eq!(work("W10").0, 2 * 64 * 56 * 56 * 64 * 9);
        assert_eq!(work("W13").0, 2 * 12 * 512 * 64 * 512);
    }

    #[test]
    fn each_workload_is_a_function_with_named_arguments() {
        let context = pipeline::context();
        for workload in ALL {
            let shapes = workload.shapes(&context).expect("all are of static tensors");
            assert!(shapes.bytes() > 0, "{}", workload.id);
        }
        let shapes = ALL[0].shapes(&context).expect("as above");
        assert_eq!(shapes.to_string(), "64x128, 64x128 -> 64x128");
    }
}

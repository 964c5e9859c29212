//! The workloads: functions on tensors, with their least cost and their reference.

use crate::reference::{self, Reference};
use loopwright::ir::Type;
use loopwright::pipeline;
use loopwright_runtime::tensor::Tensor;
use melior::Context;
use melior::ir::Module;
use std::fmt::Write as _;

/// A workload: one function `main`.
#[derive(Debug)]
pub struct Workload {
    pub id: &'static str,
    pub title: &'static str,
    pub module: &'static str,
    /// The names of the arguments, in order. Weights are constants: the module has `dense_resource<name>` for each of them, and
    /// not its elements.
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
    /// The names and shapes of the weights, in the order of the text.
    pub weights: Vec<(&'static str, Vec<usize>)>,
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
    workload!("W12", "layer of BERT", ["x"], 2 * (4 * 768 + 2 * 3072) + 4 * 128, Flops, Normal, Reference::Whole(reference::encoder), 2e-4),
    workload!("W13", "batch matmul", ["a", "b"], 2 * 64, Flops, Normal, Reference::Sample(reference::batch_matmul), 1e-4),
];

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
        let (inputs, result) = signature(&module).ok_or_else(error)?;
        let is_named = inputs.len() == self.arguments.len();
        let weights = weights(self.module).ok_or_else(error)?;
        is_named.then_some(Shapes { inputs, weights, result }).ok_or_else(error)
    }

    /// The text of the module with the elements of its weights, which are in the order of [`Shapes::weights`].
    pub fn text(&self, shapes: &Shapes, weights: &[Tensor]) -> String {
        let mut text = self.module.to_owned();
        if weights.is_empty() {
            return text;
        }
        text.push_str("{-# dialect_resources: { builtin: {");
        for (i, ((name, _), weight)) in shapes.weights.iter().zip(weights).enumerate() {
            // The first four bytes are the alignment.
            let bytes = 4u32.to_le_bytes().into_iter().chain(weight.bytes().iter().copied());
            let comma = if i == 0 { "" } else { "," };
            let _ = write!(text, "{comma} {name}: \"0x");
            text.extend(
                bytes
                    .flat_map(|byte| [byte >> 4, byte & 15])
                    .map(|digit| char::from_digit(digit.into(), 16).expect("it is below 16")),
            );
            text.push('"');
        }
        text.push_str(" } } #-}\n");
        text
    }
}

/// The names and shapes of the constants `dense_resource<name> : tensor<2x3xf32>` of a module.
fn weights(module: &'static str) -> Option<Vec<(&'static str, Vec<usize>)>> {
    let constants = module.split("dense_resource<").skip(1);
    let weights = constants.map(|constant| {
        let (name, rest) = constant.split_once("> : tensor<")?;
        let (shape, _) = rest.split_once("xf32>")?;
        let shape = shape.split('x').map(|size| size.parse().ok());
        Some((name, shape.collect::<Option<Vec<usize>>>()?))
    });
    weights.collect()
}

impl Shapes {
    /// The bytes of all inputs and weights, read once, and of the result, written once.
    pub fn bytes(&self) -> u64 {
        let elements = |shape: &Vec<usize>| shape.iter().product::<usize>() as u64;
        let read = self.inputs.iter().chain(self.weights.iter().map(|(_, shape)| shape));
        4 * (read.map(elements).sum::<u64>() + elements(&self.result))
    }
}

impl std::fmt::Display for Shapes {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let inputs: Vec<_> = self.inputs.iter().map(|shape| text(shape)).collect();
        write!(f, "{} -> {}", inputs.join(", "), text(&self.result))?;
        match self.weights.len() {
            0 => Ok(()),
            count => write!(f, " with {count} weights"),
        }
    }
}

/// The shape as `64x128`; `1` for a scalar.
fn text(shape: &[usize]) -> String {
    let sizes: Vec<_> = shape.iter().map(usize::to_string).collect();
    if sizes.is_empty() { "1".to_owned() } else { sizes.join("x") }
}

/// The shapes of the arguments, and of the only result.
fn signature(module: &Module) -> Option<(Vec<Vec<usize>>, Vec<usize>)> {
    let function = pipeline::functions(module).into_iter().next()?;
    let [result] = function.results[..] else { return None };
    let inputs: Option<_> = function.arguments.iter().map(|it| static_shape(it.ty)).collect();
    Some((inputs?, static_shape(result)?))
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
        assert_eq!(work("W12").0, 2 * 128 * 768 * (4 * 768 + 2 * 3072) + 12 * 4 * 128 * 128 * 64);
        let weights = 4 * 768 * 768 + 2 * 768 * 3072 + 9 * 768 + 3072;
        assert_eq!(work("W12").1, 4 * (2 * 128 * 768 + weights));
        assert_eq!(work("W13").0, 2 * 12 * 512 * 64 * 512);
    }

    #[test]
    fn each_workload_is_a_function_with_named_arguments() {
        let context = pipeline::context();
        for workload in ALL {
            let shapes = workload.shapes(&context).expect("all are of static tensors");
            assert!(shapes.bytes() > 0, "{}", workload.id);
        }
        let shapes = |id| find(id).and_then(|it| it.shapes(&context).ok()).expect("as above");
        assert_eq!(shapes("W1s").to_string(), "64x128, 64x128 -> 64x128");
        assert_eq!(shapes("W12").to_string(), "1x128x768 -> 1x128x768 with 16 weights");
    }
}

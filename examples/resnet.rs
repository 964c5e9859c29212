//! Makes a small residual network as an ONNX file, an image, and the result that it should have:
//!
//! ```text
//! cargo run --example resnet -- FOLDER      writes resnet.onnx, image.npy and expected.npy
//! ```
//! The network has 15 convolutions in three stages, with batch normalization and residual connections as ResNet-18 has
//! them, on an image of 3 x 32 x 32, and ten classes. Weights and image are random. The expected result is computed here, in
//! f64 and by the definitions of ONNX's operators, so it does not depend on the compiler.

use loopwright_onnx::schema::{
    AttributeProto, AttributeType, DimensionProto, GraphProto, ModelProto, NodeProto,
    OperatorSetIdProto, TensorProto, TensorShapeProto, TensorTypeProto, TypeProto, ValueInfoProto,
};
use loopwright_runtime::npy;
use loopwright_runtime::tensor::{ElementType, Tensor};
use prost::Message;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs, process};

/// ONNX's number of the element type f32.
const FLOAT: i32 = 1;
const SIZE: usize = 32;
const STAGES: [usize; 3] = [8, 16, 32];
const BLOCKS: usize = 2;
const CLASSES: usize = 10;
/// ONNX's default of BatchNormalization.
const EPSILON: f64 = 1e-5;

fn main() {
    if let Err(error) = run() {
        eprintln!("resnet: error: {error}");
        process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).ok_or("expected a folder")?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder)?;
    let mut network =
        Network { nodes: vec![], weights: vec![], random: StdRng::seed_from_u64(0), next: 0 };
    let image = network.image();
    let shape = [1, 3, SIZE, SIZE];
    npy::write(folder.join("image.npy"), &tensor(&shape, &image.elements)?)?;
    let result = network.classes(image);
    npy::write(folder.join("expected.npy"), &tensor(&[1, CLASSES], &result.elements)?)?;
    let model = network.model(&result.name);
    fs::write(folder.join("resnet.onnx"), model.encode_to_vec())?;
    Ok(())
}

fn tensor(shape: &[usize], elements: &[f64]) -> Result<Tensor, Box<dyn Error>> {
    Ok(Tensor::from_f64s(ElementType::F32, shape, elements)?)
}

/// A network that is built and computed at once: each layer adds its nodes, and returns its value.
struct Network {
    nodes: Vec<NodeProto>,
    weights: Vec<TensorProto>,
    random: StdRng,
    /// The number of the next value.
    next: usize,
}

/// The value of a layer, one image of several channels.
struct Value {
    name: String,
    channels: usize,
    /// The height and the width.
    size: usize,
    elements: Vec<f64>,
}

impl Network {
    fn image(&mut self) -> Value {
        let elements = self.numbers(3 * SIZE * SIZE, 1.0);
        Value { name: "image".into(), channels: 3, size: SIZE, elements }
    }

    fn classes(&mut self, image: Value) -> Value {
        let mut value = self.convolution(&image, STAGES[0], 3, 1);
        value = self.relu(value);
        for (stage, channels) in STAGES.into_iter().enumerate() {
            for block in 0..BLOCKS {
                let stride = if stage > 0 && block == 0 { 2 } else { 1 };
                let inner = self.convolution(&value, channels, 3, stride);
                let inner = self.relu(inner);
                let inner = self.convolution(&inner, channels, 3, 1);
                let shortcut = match stride {
                    1 => value,
                    _ => self.convolution(&value, channels, 1, stride),
                };
                let sum = self.add(inner, &shortcut);
                value = self.relu(sum);
            }
        }
        let means = self.means(&value);
        let sums = self.fully_connected(&means, CLASSES);
        self.softmax(&sums)
    }

    /// A convolution without bias, padded so that stride 1 keeps the size, and a batch normalization.
    fn convolution(&mut self, x: &Value, channels: usize, window: usize, stride: usize) -> Value {
        let scale = (2.0 / (x.channels * window * window) as f64).sqrt();
        let weights = self.numbers(channels * x.channels * window * window, scale * 1.7);
        let shape = [channels, x.channels, window, window];
        let w = self.weight(&shape, &weights);
        let pad = window / 2;
        let attributes =
            vec![integers("strides", &[stride as i64; 2]), integers("pads", &[pad as i64; 4])];
        let name = self.node("Conv", &[&x.name, &w], attributes);
        let size = (x.size + 2 * pad - window) / stride + 1;
        let mut elements = vec![0.0; channels * size * size];
        for (at, element) in elements.iter_mut().enumerate() {
            let (channel, row, column) = (at / (size * size), at / size % size, at % size);
            for (place, weight) in weights
                .chunks(x.channels * window * window)
                .nth(channel)
                .into_iter()
                .flatten()
                .enumerate()
            {
                let (from, i, j) =
                    (place / (window * window), place / window % window, place % window);
                let (i, j) =
                    ((row * stride + i).wrapping_sub(pad), (column * stride + j).wrapping_sub(pad));
                if i < x.size && j < x.size {
                    *element += weight * x.elements[(from * x.size + i) * x.size + j];
                }
            }
        }
        self.normalized(Value { name, channels, size, elements })
    }

    fn normalized(&mut self, mut x: Value) -> Value {
        let [scale, bias, mean] = [0.5, 0.1, 0.1].map(|width| self.numbers(x.channels, width));
        let variance: Vec<f64> =
            self.numbers(x.channels, 0.5).iter().map(|v| rounded(1.0 + v)).collect();
        let scale: Vec<f64> = scale.iter().map(|s| rounded(1.0 + s)).collect();
        let all = [&scale, &bias, &mean, &variance].map(|it| self.weight(&[x.channels], it));
        let [s, b, m, v] = &all;
        x.name = self.node("BatchNormalization", &[&x.name, s, b, m, v], vec![]);
        let plane = x.size * x.size;
        for (at, element) in x.elements.iter_mut().enumerate() {
            let c = at / plane;
            *element = (*element - mean[c]) / (variance[c] + EPSILON).sqrt() * scale[c] + bias[c];
        }
        x
    }

    fn relu(&mut self, mut x: Value) -> Value {
        x.name = self.node("Relu", &[&x.name], vec![]);
        x.elements.iter_mut().for_each(|element| *element = element.max(0.0));
        x
    }

    fn add(&mut self, mut x: Value, other: &Value) -> Value {
        x.name = self.node("Add", &[&x.name, &other.name], vec![]);
        x.elements.iter_mut().zip(&other.elements).for_each(|(element, other)| *element += other);
        x
    }

    fn means(&mut self, x: &Value) -> Value {
        let name = self.node("GlobalAveragePool", &[&x.name], vec![]);
        let name = self.node("Flatten", &[&name], vec![]);
        let plane = x.size * x.size;
        let mean = |plane_elements: &[f64]| plane_elements.iter().sum::<f64>() / plane as f64;
        let elements = x.elements.chunks(plane).map(mean).collect();
        Value { name, channels: x.channels, size: 1, elements }
    }

    fn fully_connected(&mut self, x: &Value, results: usize) -> Value {
        let weights = self.numbers(x.channels * results, 1.0);
        let bias = self.numbers(results, 0.1);
        let (w, b) =
            (self.weight(&[x.channels, results], &weights), self.weight(&[results], &bias));
        let name = self.node("Gemm", &[&x.name, &w, &b], vec![]);
        let sum = |result: usize| {
            let products =
                x.elements.iter().enumerate().map(|(i, x)| x * weights[i * results + result]);
            bias[result] + products.sum::<f64>()
        };
        Value { name, channels: results, size: 1, elements: (0..results).map(sum).collect() }
    }

    fn softmax(&mut self, x: &Value) -> Value {
        let name = self.node("Softmax", &[&x.name], vec![]);
        let most = x.elements.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = x.elements.iter().map(|element| (element - most).exp()).collect();
        let sum: f64 = powers.iter().sum();
        let elements = powers.iter().map(|power| power / sum).collect();
        Value { name, elements, ..*x }
    }

    /// Random numbers from `-width` to `width` that are numbers of f32.
    fn numbers(&mut self, count: usize, width: f64) -> Vec<f64> {
        (0..count).map(|_| rounded(self.random.random_range(-width..width))).collect()
    }

    /// Adds a weight, and returns its name.
    fn weight(&mut self, shape: &[usize], elements: &[f64]) -> String {
        let name = format!("weight{}", self.weights.len());
        let bytes: Vec<u8> =
            elements.iter().flat_map(|element| (*element as f32).to_le_bytes()).collect();
        self.weights.push(TensorProto {
            name: name.clone(),
            dims: shape.iter().map(|size| *size as i64).collect(),
            data_type: FLOAT,
            raw_data: bytes.into(),
            ..TensorProto::default()
        });
        name
    }

    /// Adds a node, and returns the name of its result.
    fn node(&mut self, op: &str, inputs: &[&str], attribute: Vec<AttributeProto>) -> String {
        let name = format!("{}_{}", op.to_lowercase(), self.next);
        self.next += 1;
        self.nodes.push(NodeProto {
            op_type: op.into(),
            name: name.clone(),
            input: inputs.iter().map(|input| (*input).to_owned()).collect(),
            output: vec![name.clone()],
            attribute,
            ..NodeProto::default()
        });
        name
    }

    fn model(self, result: &str) -> ModelProto {
        let graph = GraphProto {
            name: "resnet".into(),
            node: self.nodes,
            initializer: self.weights,
            input: vec![interface("image", &[1, 3, SIZE, SIZE])],
            output: vec![interface(result, &[1, CLASSES])],
            ..GraphProto::default()
        };
        ModelProto {
            ir_version: 8,
            graph: Some(graph),
            opset_import: vec![OperatorSetIdProto { version: 17, ..OperatorSetIdProto::default() }],
            ..ModelProto::default()
        }
    }
}

/// The nearest number of f32.
fn rounded(number: f64) -> f64 {
    f64::from(number as f32)
}

fn integers(name: &str, values: &[i64]) -> AttributeProto {
    AttributeProto {
        name: name.into(),
        ints: values.to_vec(),
        r#type: AttributeType::Ints as i32,
        ..AttributeProto::default()
    }
}

/// An input or output of a graph.
fn interface(name: &str, shape: &[usize]) -> ValueInfoProto {
    let dim = shape
        .iter()
        .map(|size| DimensionProto { dim_value: Some(*size as i64), ..DimensionProto::default() });
    let shape = TensorShapeProto { dim: dim.collect() };
    let tensor_type = TensorTypeProto { elem_type: FLOAT, shape: Some(shape) };
    ValueInfoProto { name: name.into(), r#type: Some(TypeProto { tensor_type: Some(tensor_type) }) }
}

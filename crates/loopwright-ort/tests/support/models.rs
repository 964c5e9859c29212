//! Encodes small ONNX models for tests.

use loopwright_onnx::schema::{
    AttributeProto, DimensionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    TensorProto, TensorShapeProto, TensorTypeProto, TypeProto, ValueInfoProto,
};
use prost::Message;

pub const FLOAT: i32 = 1;

/// A size of an input or output: a number, or a name.
#[derive(Clone, Copy)]
pub enum Dim {
    Size(i64),
    Name(&'static str),
}

/// A tensor with a name.
pub fn tensor(name: &str, element: i32, dims: &[Dim]) -> ValueInfoProto {
    let dim = |dim: &Dim| match *dim {
        Dim::Size(size) => DimensionProto { dim_value: Some(size), dim_param: None },
        Dim::Name(name) => DimensionProto { dim_value: None, dim_param: Some(name.to_owned()) },
    };
    let shape = Some(TensorShapeProto { dim: dims.iter().map(dim).collect() });
    let tensor_type = Some(TensorTypeProto { elem_type: element, shape });
    ValueInfoProto { name: name.to_owned(), r#type: Some(TypeProto { tensor_type }) }
}

/// A node named after its op and its result.
pub fn node(op: &str, inputs: &[&str], output: &str) -> NodeProto {
    NodeProto {
        input: inputs.iter().map(|it| (*it).to_owned()).collect(),
        output: vec![output.to_owned()],
        name: format!("{op}_{output}"),
        op_type: op.to_owned(),
        attribute: Vec::<AttributeProto>::new(),
        ..NodeProto::default()
    }
}

/// A constant of floats.
pub fn weights(name: &str, dims: &[i64], elements: &[f32]) -> TensorProto {
    TensorProto {
        name: name.to_owned(),
        data_type: FLOAT,
        dims: dims.to_vec(),
        float_data: elements.to_vec(),
        ..TensorProto::default()
    }
}

/// An encoded model.
pub fn model(
    nodes: Vec<NodeProto>,
    constants: Vec<TensorProto>,
    inputs: Vec<ValueInfoProto>,
    outputs: Vec<ValueInfoProto>,
) -> Vec<u8> {
    let graph = GraphProto {
        node: nodes,
        name: "test".to_owned(),
        initializer: constants,
        input: inputs,
        output: outputs,
        ..GraphProto::default()
    };
    let opset = OperatorSetIdProto { domain: String::new(), version: 21 };
    ModelProto {
        ir_version: 10,
        graph: Some(graph),
        opset_import: vec![opset],
        ..ModelProto::default()
    }
    .encode_to_vec()
}

/// A classifier with two layers, `p = softmax(relu(x * a) * b + c)`, and its weights.
pub struct Classifier {
    pub a: Vec<f32>,
    pub b: Vec<f32>,
    pub c: Vec<f32>,
}

/// The sizes of the classifier: of its input, between its layers, and of its result.
pub const SIZES: [usize; 3] = [12, 20, 5];

impl Classifier {
    pub fn new() -> Classifier {
        let [inputs, hidden, classes] = SIZES;
        Classifier {
            a: numbers(inputs * hidden, 1),
            b: numbers(hidden * classes, 2),
            c: numbers(classes, 3),
        }
    }

    /// The model, with inputs of any number of rows.
    pub fn encoded(&self) -> Vec<u8> {
        let [inputs, hidden, classes] = SIZES.map(|size| size as i64);
        let nodes = vec![
            node("MatMul", &["x", "a"], "h"),
            node("Relu", &["h"], "r"),
            node("MatMul", &["r", "b"], "s"),
            node("Add", &["s", "c"], "logits"),
            node("Softmax", &["logits"], "p"),
        ];
        let constants = vec![
            weights("a", &[inputs, hidden], &self.a),
            weights("b", &[hidden, classes], &self.b),
            weights("c", &[classes], &self.c),
        ];
        let rows = Dim::Name("batch");
        let outputs = ["p", "logits"].map(|it| tensor(it, FLOAT, &[rows, Dim::Size(classes)]));
        let input = tensor("x", FLOAT, &[rows, Dim::Size(inputs)]);
        model(nodes, constants, vec![input], outputs.to_vec())
    }

    /// The probabilities and the logits, by the definitions of the ops in f64.
    pub fn expected(&self, x: &[f32]) -> (Vec<f64>, Vec<f64>) {
        let [inputs, hidden, classes] = SIZES;
        let (mut probabilities, mut logits) = (vec![], vec![]);
        for row in x.chunks(inputs) {
            let product = |row: &[f64], weights: &[f32], columns: usize| -> Vec<f64> {
                let sum = |j: usize| {
                    row.iter()
                        .enumerate()
                        .map(|(i, x)| x * f64::from(weights[i * columns + j]))
                        .sum()
                };
                (0..columns).map(sum).collect()
            };
            let row: Vec<f64> = row.iter().map(|x| f64::from(*x)).collect();
            let h: Vec<f64> =
                product(&row, &self.a, hidden).into_iter().map(|it| it.max(0.0)).collect();
            let s: Vec<f64> = product(&h, &self.b, classes)
                .into_iter()
                .zip(&self.c)
                .map(|(it, c)| it + f64::from(*c))
                .collect();
            let sum: f64 = s.iter().map(|it| it.exp()).sum();
            probabilities.extend(s.iter().map(|it| it.exp() / sum));
            logits.extend(s);
        }
        (probabilities, logits)
    }
}

/// Numbers between -1 and 1, by a linear congruential generator.
pub fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

//! Evaluates element-wise nodes on small constants during the import, so that sizes and conditions that a model computes
//! with floats or bools are known.
//!
//! Each result is computed in double precision and rounded once to its type: for one f32 operation this gives the f32 result.

use crate::element::{Data, Element, narrow_pattern};
use crate::node::Node;
use crate::tensor::Tensor;
use half::{bf16, f16};

/// Constants of more elements are not evaluated.
const MOST: usize = 64;

/// The result of a node, if all its inputs are small constants and the node is one of those that are evaluated.
pub fn folded<'c>(op: &str, node: &Node<'_, 'c>) -> Option<Tensor<'c>> {
    let first = node.optional(0)?;
    let element = result_element(op, node)?;
    let mut operands = vec![];
    let mut dims: Vec<u64> = vec![];
    for i in 0..node.inputs.len().min(operands_of(op)) {
        let tensor = node.optional(i)?;
        let values = tensor.floats().filter(|values| values.len() <= MOST)?;
        let sizes: Option<Vec<u64>> = tensor.sizes().iter().map(|size| size.dim()).collect();
        let sizes = sizes?;
        // Operands have one element, or the sizes of the result.
        let count = values.len();
        match (count, dims.iter().product::<u64>()) {
            (1, _) if sizes.len() <= dims.len() => {}
            (_, 1) if dims.len() <= sizes.len() => dims = sizes,
            _ if sizes == dims => {}
            _ => return None,
        }
        operands.push(values);
    }
    // Integers above 2^53 are not exact.
    let is_exact = |values: &Vec<f64>| {
        values.iter().all(|it| it.is_nan() || it.is_infinite() || it.abs() <= 9e15)
    };
    if !operands.iter().all(is_exact) || first.element() == Element::U64 {
        return None;
    }
    let count = dims.iter().product::<u64>() as usize;
    let is_integer = !first.element().is_float();
    let at = |i: usize, k: usize| {
        let operand = &operands[i];
        operand[if operand.len() == 1 { 0 } else { k }]
    };
    let values: Option<Vec<f64>> = (0..count)
        .map(|k| value(op, is_integer, &(0..operands.len()).map(|i| at(i, k)).collect::<Vec<_>>()))
        .collect();
    let bytes: Option<Vec<Vec<u8>>> = values?.into_iter().map(|it| rounded(element, it)).collect();
    let data = Data { element, dims, bytes: bytes?.concat().into() };
    Some(Tensor::constant(data, &node.name))
}

/// The operands that are evaluated.
fn operands_of(op: &str) -> usize {
    if op == "CastLike" { 1 } else { 3 }
}

/// The element type of the result; None for an op that is not evaluated.
fn result_element(op: &str, node: &Node) -> Option<Element> {
    let element = |i| node.optional(i).map(Tensor::element);
    match op {
        "And" | "Or" | "Xor" | "Not" | "Equal" | "Less" | "LessOrEqual" | "Greater"
        | "GreaterOrEqual" => Some(Element::Bool),
        "Add" | "Sub" | "Mul" | "Div" | "Sqrt" | "Floor" | "Ceil" | "Neg" | "Abs"
        | "Reciprocal" | "Max" | "Min" => element(0).filter(|it| *it != Element::Bool),
        "Where" => element(1),
        "CastLike" => element(1),
        "Cast" => Element::of_number(node.int("to").ok()?? as i32).ok(),
        _ => None,
    }
}

/// The value of an op on numbers.
fn value(op: &str, is_integer: bool, x: &[f64]) -> Option<f64> {
    let truth = |condition: bool| Some(f64::from(u8::from(condition)));
    match (op, x) {
        ("Not", [x]) => truth(*x == 0.0),
        ("Sqrt", [x]) => Some(x.sqrt()),
        ("Floor", [x]) => Some(x.floor()),
        ("Ceil", [x]) => Some(x.ceil()),
        ("Neg", [x]) => Some(-x),
        ("Abs", [x]) => Some(x.abs()),
        ("Reciprocal", [x]) => Some(1.0 / x),
        ("Cast" | "CastLike", [x]) => Some(*x),
        ("And", [x, y]) => truth(*x != 0.0 && *y != 0.0),
        ("Or", [x, y]) => truth(*x != 0.0 || *y != 0.0),
        ("Xor", [x, y]) => truth((*x != 0.0) != (*y != 0.0)),
        ("Equal", [x, y]) => truth(x == y),
        ("Less", [x, y]) => truth(x < y),
        ("LessOrEqual", [x, y]) => truth(x <= y),
        ("Greater", [x, y]) => truth(x > y),
        ("GreaterOrEqual", [x, y]) => truth(x >= y),
        ("Add", [x, y]) => Some(x + y),
        ("Sub", [x, y]) => Some(x - y),
        ("Mul", [x, y]) => Some(x * y),
        ("Div", [x, y]) if is_integer => (*y != 0.0).then(|| (x / y).trunc()),
        ("Div", [x, y]) => Some(x / y),
        ("Max", [x, y]) if !x.is_nan() && !y.is_nan() => Some(x.max(*y)),
        ("Min", [x, y]) if !x.is_nan() && !y.is_nan() => Some(x.min(*y)),
        ("Where", [condition, yes, no]) => Some(if *condition != 0.0 { *yes } else { *no }),
        _ => None,
    }
}

/// The bytes of a number as an element; None for an integer out of range.
fn rounded(element: Element, value: f64) -> Option<Vec<u8>> {
    Some(match element {
        Element::F32 => (value as f32).to_le_bytes().to_vec(),
        Element::F64 => value.to_le_bytes().to_vec(),
        Element::F16 => f16::from_f64(value).to_le_bytes().to_vec(),
        Element::Bf16 => bf16::from_f64(value).to_le_bytes().to_vec(),
        Element::Bool => vec![u8::from(value != 0.0)],
        // Only what needs no rounding.
        narrow if narrow.is_float() && value.is_finite() => vec![narrow_pattern(narrow, value)?],
        narrow if narrow.is_float() => return None,
        _ => {
            let (least, greatest) = element.range();
            let value = value.trunc();
            if !(value >= least as f64 && value <= greatest as f64 && value.abs() < 9e15) {
                return None;
            }
            (value as i64).to_le_bytes()[..element.bytes()].to_vec()
        }
    })
}

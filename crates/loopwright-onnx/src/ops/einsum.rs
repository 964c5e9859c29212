//! Sums of products over named dimensions.

use super::Row;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::size::Size;
use crate::tensor::Tensor;

pub const OPS: &[Row] = &[("Einsum", einsum)];

/// The name of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Letter(char),
    /// A dimension of the ellipsis, counted from its last one.
    Ellipsis(usize),
}

/// A tensor with the labels of its dimensions.
#[derive(Clone)]
struct Term<'c> {
    tensor: Tensor<'c>,
    labels: Vec<Label>,
}

/// The labels of a part of the equation, in which the ellipsis stands for a number of dimensions.
fn labels(text: &str, ellipsis: usize) -> Result<Vec<Label>, Refusal> {
    let mut labels = vec![];
    let parts: Vec<_> = text.split("...").collect();
    if parts.len() > 2 {
        return Err(Refusal::new(format!(
            "has the term '{text}' with {} ellipses",
            parts.len() - 1
        )));
    }
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            labels.extend((0..ellipsis).rev().map(Label::Ellipsis));
        }
        for letter in part.chars() {
            if !letter.is_ascii_alphabetic() {
                return Err(Refusal::new(format!(
                    "has '{letter}' in its equation, expected letters"
                )));
            }
            labels.push(Label::Letter(letter));
        }
    }
    Ok(labels)
}

fn term<'c>(text: &str, tensor: &Tensor<'c>) -> Result<Term<'c>, Refusal> {
    let letters = text.chars().filter(|it| *it != '.').count();
    let ellipsis = match text.contains("...") {
        true => tensor.rank().checked_sub(letters),
        false => (tensor.rank() == letters).then_some(0),
    };
    let ellipsis = ellipsis.ok_or_else(|| {
        Refusal::new(format!("has the term '{text}' for an operand of rank {}", tensor.rank()))
    })?;
    let labels = labels(text, ellipsis)?;
    Ok(Term { tensor: tensor.clone(), labels })
}

/// The labels of the result that an equation without `->` has: the ellipsis, and the letters that occur once, in order.
fn implicit(terms: &[Term], ellipsis: usize) -> Vec<Label> {
    let all: Vec<_> = terms.iter().flat_map(|term| &term.labels).collect();
    let mut letters: Vec<_> = all
        .iter()
        .filter_map(|label| match label {
            Label::Letter(letter) => Some(*letter),
            Label::Ellipsis(_) => None,
        })
        .filter(|letter| all.iter().filter(|it| ***it == Label::Letter(*letter)).count() == 1)
        .collect();
    letters.sort_unstable();
    let ellipsis = (0..ellipsis).rev().map(Label::Ellipsis);
    ellipsis.chain(letters.into_iter().map(Label::Letter)).collect()
}

fn einsum<'c>(node: &Node<'_, 'c>) -> Result<Vec<Tensor<'c>>, Refusal> {
    let equation = node.string("equation")?;
    let equation = equation.ok_or_else(|| Refusal::new("has no attribute 'equation'"))?;
    let equation: String = equation.chars().filter(|it| !it.is_whitespace()).collect();
    let (left, right) = match equation.split_once("->") {
        Some((left, right)) => (left, Some(right)),
        None => (equation.as_str(), None),
    };
    let tensors = node.all_inputs()?;
    let texts: Vec<_> = left.split(',').collect();
    if texts.len() != tensors.len() {
        return Err(Refusal::new(format!(
            "has {} operands for the {} terms of '{equation}'",
            tensors.len(),
            texts.len()
        )));
    }
    let terms: Result<Vec<_>, _> =
        texts.iter().zip(&tensors).map(|(text, tensor)| term(text, tensor)).collect();
    let terms = terms?;
    let of_ellipsis = |term: &Term| {
        term.labels.iter().filter(|label| matches!(label, Label::Ellipsis(_))).count()
    };
    let ellipsis = terms.iter().map(of_ellipsis).max().unwrap_or(0);
    let output = match right {
        Some(right) => labels(right, ellipsis)?,
        None => implicit(&terms, ellipsis),
    };
    let is_known = |label: &Label| terms.iter().any(|term| term.labels.contains(label));
    for (i, label) in output.iter().enumerate() {
        if output[..i].contains(label) || !is_known(label) {
            return Err(Refusal::new(format!(
                "has '{equation}', whose result repeats a dimension or has one of no operand"
            )));
        }
    }

    let element = node.input(0)?.element();
    let wide = accumulator(element);
    let (first, others) = (&terms[0], &terms[1..]);
    let mut result = first.clone();
    if others.is_empty() {
        result = product(node, &[&result], &output, wide)?;
    }
    for (i, other) in others.iter().enumerate() {
        // Dimensions are summed up as soon as no operand behind has them.
        let is_used = |label: &Label| {
            output.contains(label) || others[i + 1..].iter().any(|term| term.labels.contains(label))
        };
        let mut kept: Vec<Label> = vec![];
        for label in output.iter().chain(&result.labels).chain(&other.labels) {
            let is_here = result.labels.contains(label) || other.labels.contains(label);
            if is_here && is_used(label) && !kept.contains(label) {
                kept.push(*label);
            }
        }
        result = product(node, &[&result, other], &kept, wide)?;
    }
    Ok(vec![node.convert(&result.tensor, element)])
}

/// The sum of the products of the terms over the dimensions that are not kept. A dimension of size 1 is broadcast.
fn product<'c>(
    node: &Node<'_, 'c>,
    terms: &[&Term<'c>],
    kept: &[Label],
    wide: Element,
) -> Result<Term<'c>, Refusal> {
    let mut dims: Vec<(Label, Size<'c>)> =
        kept.iter().map(|label| (*label, Size::Known(1))).collect();
    for term in terms {
        for (label, size) in term.labels.iter().zip(term.tensor.sizes()) {
            let Some((_, found)) = dims.iter_mut().find(|(it, _)| it == label) else {
                dims.push((*label, *size));
                continue;
            };
            match (*found, *size) {
                (Size::Known(1), size) | (Size::Dynamic(_), size @ Size::Known(2..)) => {
                    *found = size
                }
                (Size::Known(x), Size::Known(y)) if x != y && y != 1 => {
                    return Err(Refusal::new(format!(
                        "has the sizes {x} and {y} for one dimension of its equation"
                    )));
                }
                _ => {}
            }
        }
    }
    let index = |(label, size): (&Label, &Size<'c>)| {
        let i = dims.iter().position(|(it, _)| it == label).unwrap_or(0);
        match (size, dims[i].1) {
            (Size::Known(1), loop_size) if loop_size != Size::Known(1) => "0".to_owned(),
            _ => d(i),
        }
    };
    let operands: Vec<_> = terms
        .iter()
        .map(|term| {
            let indices = term.labels.iter().zip(term.tensor.sizes()).map(index).collect();
            Operand::new(&term.tensor, indices)
        })
        .collect();
    let sizes: Vec<_> = dims[..kept.len()].iter().map(|(_, size)| *size).collect();
    let sums = dims.len() > kept.len();
    let output = match sums {
        true => node.filled(&sizes, node.scalar(wide, 0.0)),
        false => Tensor::new(node.empty(&sizes, wide), wide, sizes),
    };
    let output = Operand::new(&output, (0..kept.len()).map(d).collect());
    let mut loops = vec![Loop::Parallel; kept.len()];
    loops.resize(dims.len(), Loop::Reduction);
    let results = node.generic(&loops, &operands, &[output], |b, v| {
        let (inputs, outputs) = v.split_at(terms.len());
        let factors = inputs.iter().map(|it| b.cast(*it, wide));
        let product = factors.reduce(|x, y| b.mul(x, y)).unwrap_or(outputs[0]);
        vec![if sums { b.add(outputs[0], product) } else { product }]
    });
    Ok(Term { tensor: results[0].clone(), labels: kept.to_vec() })
}

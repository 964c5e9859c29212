//! Structured ops: element-wise maps with broadcasting, reductions, contractions, and tensors computed from their indices.

use crate::builder::{Builder, Value, result_of};
use crate::element::Element;
use crate::error::Refusal;
use crate::scalar::Scalar;
use crate::size::Size;
use crate::tensor::Tensor;

/// The body of a structured op, in a box, so that the functions that build it are compiled once.
type Body<'b, 'c> = Box<dyn FnOnce(&Builder<'c>, &[Scalar<'c>]) -> Vec<Scalar<'c>> + 'b>;

/// A loop of a structured op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    Parallel,
    Reduction,
}

/// An operand of a structured op, and the affine expressions of its indices in the loops `d0`, `d1`, ...
pub struct Operand<'a, 'c> {
    pub tensor: &'a Tensor<'c>,
    pub indices: Vec<String>,
}

impl<'a, 'c> Operand<'a, 'c> {
    pub fn new(tensor: &'a Tensor<'c>, indices: Vec<String>) -> Self {
        Operand { tensor, indices }
    }
}

/// The loop of a number, as an index.
pub fn d(i: usize) -> String {
    format!("d{i}")
}

/// The text of an indexing map.
fn map_text(loops: usize, indices: &[String]) -> String {
    let dims: Vec<_> = (0..loops).map(d).collect();
    format!("affine_map<({}) -> ({})>", dims.join(", "), indices.join(", "))
}

/// The sizes of the result of NumPy's broadcasting: dimensions are aligned at the last; a size of 1 takes the other's.
pub fn broadcast_sizes<'c>(shapes: &[&[Size<'c>]]) -> Result<Vec<Size<'c>>, Refusal> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut result = vec![Size::Known(1); rank];
    for shape in shapes {
        for (size, found) in result[rank - shape.len()..].iter_mut().zip(*shape) {
            match (*size, *found) {
                (_, Size::Known(1)) => {}
                (Size::Known(1), other) => *size = other,
                (Size::Known(x), Size::Known(y)) if x != y => {
                    return Err(Refusal::new(format!(
                        "has operands whose sizes {x} and {y} do not broadcast"
                    )));
                }
                // A size that is not known is taken to be that of the other, which linalg requires.
                (Size::Dynamic(_), known @ Size::Known(_)) => *size = known,
                _ => {}
            }
        }
    }
    Ok(result)
}

/// The indices of an operand that is broadcast to `sizes`.
fn broadcast_indices(shape: &[Size], sizes: &[Size]) -> Vec<String> {
    let first = sizes.len() - shape.len();
    let index = |(i, size): (usize, &Size)| match (size, sizes[first + i]) {
        (Size::Known(1), Size::Known(1)) => d(first + i),
        (Size::Known(1), _) => "0".to_owned(),
        _ => d(first + i),
    };
    shape.iter().enumerate().map(index).collect()
}

impl<'c> Builder<'c> {
    /// `linalg.generic`: `body` gets an element of each operand and of each output, and returns the new elements of the
    /// outputs.
    pub fn generic(
        &self,
        loops: &[Loop],
        operands: &[Operand<'_, 'c>],
        outputs: &[Operand<'_, 'c>],
        body: impl FnOnce(&Builder<'c>, &[Scalar<'c>]) -> Vec<Scalar<'c>>,
    ) -> Vec<Tensor<'c>> {
        self.generic_of(loops, operands, outputs, Box::new(body))
    }

    fn generic_of(
        &self,
        loops: &[Loop],
        operands: &[Operand<'_, 'c>],
        outputs: &[Operand<'_, 'c>],
        body: Body<'_, 'c>,
    ) -> Vec<Tensor<'c>> {
        let all = || operands.iter().chain(outputs);
        let elements: Vec<_> = all().map(|it| it.tensor.element()).collect();
        let values: Vec<Value> = all().map(|it| self.value(it.tensor)).collect();
        let types: Vec<_> = elements.iter().map(|element| element.ty(self.context())).collect();
        let region = self.region(&types, "linalg.yield", |inner, values| {
            let scalars = values.iter().zip(&elements);
            let scalars: Vec<_> = scalars
                .map(|(value, element)| Scalar { value: *value, element: *element })
                .collect();
            body(inner, &scalars).into_iter().map(|scalar| scalar.value).collect()
        });
        let maps: Vec<_> = all().map(|it| map_text(loops.len(), &it.indices)).collect();
        let kinds = loops.iter().map(|kind| match kind {
            Loop::Parallel => "#linalg.iterator_type<parallel>",
            Loop::Reduction => "#linalg.iterator_type<reduction>",
        });
        let kinds: Vec<_> = kinds.collect();
        let result_types: Vec<_> =
            outputs.iter().map(|it| self.type_of(it.tensor.sizes(), it.tensor.element())).collect();
        let segments = format!("array<i32: {}, {}>", operands.len(), outputs.len());
        let op = self.insert(
            "linalg.generic",
            &values,
            &result_types,
            &[
                ("indexing_maps", self.attribute(&format!("[{}]", maps.join(", ")))),
                ("iterator_types", self.attribute(&format!("[{}]", kinds.join(", ")))),
                ("operandSegmentSizes", self.attribute(&segments)),
            ],
            vec![region],
        );
        let result = |(i, it): (usize, &Operand<'_, 'c>)| {
            Tensor::new(result_of(op, i), it.tensor.element(), it.tensor.sizes().to_vec())
        };
        outputs.iter().enumerate().map(result).collect()
    }

    /// The output of a structured op that overwrites each element.
    fn output(&self, sizes: &[Size<'c>], element: Element) -> Tensor<'c> {
        Tensor::new(self.empty(sizes, element), element, sizes.to_vec())
    }

    /// An element-wise op with NumPy's broadcasting. `body` gets an element of each tensor.
    ///
    /// # Errors
    /// If the sizes do not broadcast.
    pub fn map(
        &self,
        tensors: &[&Tensor<'c>],
        element: Element,
        body: impl FnOnce(&Builder<'c>, &[Scalar<'c>]) -> Scalar<'c>,
    ) -> Result<Tensor<'c>, Refusal> {
        let shapes: Vec<_> = tensors.iter().map(|tensor| tensor.sizes()).collect();
        Ok(self.map_to(&broadcast_sizes(&shapes)?, tensors, element, body))
    }

    /// An element-wise op whose result has these sizes. A constant of one element is not an operand: it is a constant of the
    /// body.
    pub fn map_to(
        &self,
        sizes: &[Size<'c>],
        tensors: &[&Tensor<'c>],
        element: Element,
        body: impl FnOnce(&Builder<'c>, &[Scalar<'c>]) -> Scalar<'c>,
    ) -> Tensor<'c> {
        self.map_of(sizes, tensors, element, Box::new(|b, values| vec![body(b, values)]))
    }

    fn map_of(
        &self,
        sizes: &[Size<'c>],
        tensors: &[&Tensor<'c>],
        element: Element,
        body: Body<'_, 'c>,
    ) -> Tensor<'c> {
        let constant = |tensor: &Tensor<'c>| {
            let data = tensor.data().filter(|data| data.count() == 1)?;
            Some(match data.i64s() {
                Some(value) => self.integer(data.element, value[0]),
                None => self.number(data.element, data.f64s()[0]),
            })
        };
        let constants: Vec<_> = tensors.iter().map(|tensor| constant(tensor)).collect();
        let used = tensors.iter().zip(&constants).filter(|(_, constant)| constant.is_none());
        let operands: Vec<_> = used
            .map(|(tensor, _)| Operand::new(tensor, broadcast_indices(tensor.sizes(), sizes)))
            .collect();
        let output = self.output(sizes, element);
        let output = Operand::new(&output, (0..sizes.len()).map(d).collect());
        let loops = vec![Loop::Parallel; sizes.len()];
        let results = self.generic(&loops, &operands, &[output], |inner, values| {
            let mut values = values.iter().copied();
            let scalars = tensors.iter().zip(&constants).map(|(tensor, constant)| match constant {
                Some(value) => Scalar { value: *value, element: tensor.element() },
                None => values.next().expect("each operand has an element"),
            });
            let scalars: Vec<_> = scalars.collect();
            body(inner, &scalars)
        });
        results.into_iter().next().expect("it has one output")
    }

    /// A tensor whose elements are computed from their indices.
    pub fn generate(
        &self,
        sizes: &[Size<'c>],
        element: Element,
        body: impl FnOnce(&Builder<'c>, &[Scalar<'c>]) -> Scalar<'c>,
    ) -> Tensor<'c> {
        let rank = sizes.len();
        self.map_to(sizes, &[], element, |inner, _| {
            let indices: Vec<_> = (0..rank).map(|i| inner.loop_index(i)).collect();
            body(inner, &indices)
        })
    }

    /// The index of a loop, in the body of a structured op.
    pub fn loop_index(&self, i: usize) -> Scalar<'c> {
        let dim = [("dim", self.i64_attribute(i as i64))];
        let ty = Element::Index.ty(self.context());
        Scalar { value: self.op_with("linalg.index", &[], ty, &dim), element: Element::Index }
    }

    /// Reduces some axes, which stay with size 1. `body` gets the accumulator, an element of `tensor`, and returns the new
    /// accumulator, which begins as `start`.
    pub fn reduce(
        &self,
        tensor: &Tensor<'c>,
        axes: &[usize],
        start: Scalar<'c>,
        body: impl FnOnce(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
    ) -> Result<Tensor<'c>, Refusal> {
        self.reduce_of(
            tensor,
            axes,
            start,
            Box::new(|b, values| vec![body(b, values[1], values[0])]),
        )
    }

    fn reduce_of(
        &self,
        tensor: &Tensor<'c>,
        axes: &[usize],
        start: Scalar<'c>,
        body: Body<'_, 'c>,
    ) -> Result<Tensor<'c>, Refusal> {
        let kept: Vec<_> = (0..tensor.rank()).filter(|i| !axes.contains(i)).collect();
        let sizes: Vec<_> = kept.iter().map(|i| tensor.size(*i)).collect();
        let output = self.filled(&sizes, start);
        let output = Operand::new(&output, kept.iter().map(|i| d(*i)).collect());
        let loops: Vec<_> = (0..tensor.rank())
            .map(|i| if axes.contains(&i) { Loop::Reduction } else { Loop::Parallel })
            .collect();
        let operand = Operand::new(tensor, (0..tensor.rank()).map(d).collect());
        let results = self.generic_of(&loops, &[operand], &[output], body);
        let mut sizes = tensor.sizes().to_vec();
        axes.iter().for_each(|axis| sizes[*axis] = Size::Known(1));
        self.reshape(&results[0], &sizes)
    }

    /// The sum of products of two operands over the reduction loops, converted to `element` and accumulated in it.
    pub fn contract(
        &self,
        loops: &[Loop],
        left: Operand<'_, 'c>,
        right: Operand<'_, 'c>,
        sizes: &[Size<'c>],
        indices: Vec<String>,
        element: Element,
    ) -> Tensor<'c> {
        let zeros = self.filled(sizes, self.scalar(element, 0.0));
        self.contract_onto(loops, left, right, Operand::new(&zeros, indices))
    }

    /// `start` plus the sum of products of two operands over the reduction loops, in the element type of `start`.
    pub fn contract_onto(
        &self,
        loops: &[Loop],
        left: Operand<'_, 'c>,
        right: Operand<'_, 'c>,
        start: Operand<'_, 'c>,
    ) -> Tensor<'c> {
        let element = start.tensor.element();
        let results = self.generic(loops, &[left, right], &[start], |inner, values| {
            let (x, y) = (inner.cast(values[0], element), inner.cast(values[1], element));
            vec![inner.add(values[2], inner.mul(x, y))]
        });
        results.into_iter().next().expect("it has one output")
    }
}

/// The element type in which sums are accumulated: f32 for shorter floats.
pub fn accumulator(element: Element) -> Element {
    match element {
        Element::F16 | Element::Bf16 => Element::F32,
        narrow if narrow.narrow_float().is_some() => Element::F32,
        other => other,
    }
}

//! Ops of the dialect `tm_tensor`, in destination style: running results, scatters and sorts.

use crate::builder::{Builder, result_of};
use crate::scalar::Scalar;
use crate::tensor::Tensor;
use melior::ir::{Attribute, Region};

/// The terminator of their regions.
const YIELD: &str = "tm_tensor.yield";

/// The elements that a running result has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scan {
    /// Those up to its own place.
    Inclusive,
    /// Those before its own place.
    Exclusive,
}

/// Whether a scatter may have equal indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indices {
    /// No two indices are equal.
    Unique,
    /// Updates are made in order.
    InOrder,
}

impl<'c> Builder<'c> {
    fn tm_tensor(
        &self,
        name: &str,
        inputs: &[&Tensor<'c>],
        outputs: &[&Tensor<'c>],
        attributes: &[(&str, Attribute<'c>)],
        region: Region<'c>,
    ) -> Vec<Tensor<'c>> {
        let operands: Vec<_> = inputs.iter().chain(outputs).map(|it| self.value(it)).collect();
        let types: Vec<_> =
            outputs.iter().map(|it| self.type_of(it.sizes(), it.element())).collect();
        let segments = format!("array<i32: {}, {}>", inputs.len(), outputs.len());
        let mut attributes = attributes.to_vec();
        attributes.push(("operandSegmentSizes", self.attribute(&segments)));
        let op = self.insert(name, &operands, &types, &attributes, vec![region]);
        let result = |(i, it): (usize, &&Tensor<'c>)| {
            Tensor::new(result_of(op, i), it.element(), it.sizes().to_vec())
        };
        outputs.iter().enumerate().map(result).collect()
    }

    /// The results of `body` along an axis: `y[i] = body(y[i - 1], x[i])`, or `body(y[i - 1], x[i - 1])` of an exclusive scan,
    /// whose first element is `start`.
    pub fn scan(
        &self,
        x: &Tensor<'c>,
        axis: usize,
        start: Scalar<'c>,
        kind: Scan,
        body: impl FnOnce(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
    ) -> Tensor<'c> {
        let element = x.element();
        let output = Tensor::new(self.empty(x.sizes(), element), element, x.sizes().to_vec());
        let mut sizes = x.sizes().to_vec();
        sizes.remove(axis);
        let last = self.filled(&sizes, start);
        let ty = element.ty(self.context());
        let region = self.region(&[ty, ty], YIELD, |inner, values| {
            let scalar = |i: usize| Scalar { value: values[i], element };
            vec![body(inner, scalar(0), scalar(1)).value]
        });
        let inclusive = if kind == Scan::Inclusive { "true" } else { "false" };
        let attributes = [
            ("dimension", self.i64_attribute(axis as i64)),
            ("inclusive", self.attribute(inclusive)),
        ];
        let results =
            self.tm_tensor("tm_tensor.scan", &[x], &[&output, &last], &attributes, region);
        results.into_iter().next().expect("it has two outputs")
    }

    /// The tensor `into` after updates. The updates are a list of slices of its last dimensions, the indices a matrix with a
    /// row for each update: the positions in the first dimensions. `body` gets an element of an update and the element that
    /// it replaces.
    pub fn scatter(
        &self,
        updates: &Tensor<'c>,
        indices: &Tensor<'c>,
        into: &Tensor<'c>,
        kind: Indices,
        body: impl FnOnce(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
    ) -> Tensor<'c> {
        let element = into.element();
        let ty = element.ty(self.context());
        let region = self.region(&[ty, ty], YIELD, |inner, values| {
            let scalar = |i: usize| Scalar { value: values[i], element };
            vec![body(inner, scalar(0), scalar(1)).value]
        });
        // The slices have the dimensions after the first one of the updates.
        let indexed = (into.rank() + 1).saturating_sub(updates.rank());
        let dims: Vec<_> = (0..indexed as i64).collect();
        let unique = if kind == Indices::Unique { "true" } else { "false" };
        let attributes =
            [("dimension_map", self.i64s(&dims)), ("unique_indices", self.attribute(unique))];
        let results =
            self.tm_tensor("tm_tensor.scatter", &[updates, indices], &[into], &attributes, region);
        results.into_iter().next().expect("it has one output")
    }

    /// Sorts tensors of equal sizes together along an axis. `body` gets the elements at two places, and is true if the first
    /// ones may stand before the second ones. Elements that are equal keep their order.
    pub fn sort(
        &self,
        tensors: &[&Tensor<'c>],
        axis: usize,
        body: impl FnOnce(&Builder<'c>, &[Scalar<'c>], &[Scalar<'c>]) -> Scalar<'c>,
    ) -> Vec<Tensor<'c>> {
        let elements: Vec<_> = tensors.iter().flat_map(|it| [it.element(); 2]).collect();
        let types: Vec<_> = elements.iter().map(|element| element.ty(self.context())).collect();
        let region = self.region(&types, YIELD, |inner, values| {
            let scalars = values.iter().zip(&elements);
            let scalars: Vec<_> = scalars
                .map(|(value, element)| Scalar { value: *value, element: *element })
                .collect();
            let first: Vec<_> = scalars.iter().step_by(2).copied().collect();
            let second: Vec<_> = scalars.iter().skip(1).step_by(2).copied().collect();
            vec![body(inner, &first, &second).value]
        });
        let attributes = [("dimension", self.i64_attribute(axis as i64))];
        self.tm_tensor("tm_tensor.sort", &[], tensors, &attributes, region)
    }
}

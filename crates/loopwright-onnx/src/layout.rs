//! Ops that move elements: reshapes, transposes, slices, concatenation, padding, broadcasting.

use crate::builder::{Builder, result_of};
use crate::compute::{Loop, Operand, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::scalar::Scalar;
use crate::size::{Size, known_product};
use crate::tensor::Tensor;

/// A slice of an axis. The step is not zero; a negative one goes from the start downwards.
#[derive(Clone, Copy)]
pub struct Slice<'c> {
    pub start: Size<'c>,
    pub size: Size<'c>,
    pub step: i64,
}

impl<'c> Builder<'c> {
    /// The same elements with other sizes.
    ///
    /// # Errors
    /// If the sizes are known to have another number of elements.
    pub fn reshape(&self, tensor: &Tensor<'c>, sizes: &[Size<'c>]) -> Result<Tensor<'c>, Refusal> {
        if tensor.sizes() == sizes {
            return Ok(tensor.clone());
        }
        if let (Some(from), Some(to)) = (tensor.known_len(), known_product(sizes))
            && from != to
        {
            return Err(Refusal::new(format!("reshapes {from} elements to {to}")));
        }
        if let Some(data) = tensor.data().filter(|_| known_product(sizes).is_some()) {
            let dims = sizes.iter().filter_map(|size| size.dim()).collect();
            return Ok(Tensor::constant(crate::element::Data { dims, ..data.clone() }, "reshaped"));
        }
        if let (Some(elements), Some(_)) = (tensor.elements(), known_product(sizes)) {
            return Ok(Tensor::integers_of(elements, sizes.to_vec(), tensor.element()));
        }
        Ok(match groups(tensor.sizes(), sizes) {
            Some(groups) => {
                let merged: Vec<_> = groups
                    .iter()
                    .map(|(from, to)| match (from.as_slice(), to.as_slice()) {
                        ([i], _) => tensor.size(*i),
                        (_, [i]) => sizes[*i],
                        (from, _) => {
                            let from: Vec<_> = from.iter().map(|i| tensor.size(*i)).collect();
                            self.size_product(&from)
                        }
                    })
                    .collect();
                let (from, to): (Vec<_>, Vec<_>) = groups.into_iter().unzip();
                let collapsed = self.collapse(tensor, &from, &merged);
                self.expand(&collapsed, &to, sizes)
            }
            None => self.reshape_by_list(tensor, sizes),
        })
    }

    /// The same elements with other sizes, with a list of all elements in between.
    fn reshape_by_list(&self, tensor: &Tensor<'c>, sizes: &[Size<'c>]) -> Tensor<'c> {
        if sizes.is_empty() {
            let first = vec![self.index_scalar(0); tensor.rank()];
            return self.filled(sizes, self.extract(tensor, &first));
        }
        if tensor.rank() == 0 {
            return self.broadcast(tensor, sizes);
        }
        let from = self.size_product(tensor.sizes());
        let list = self.collapse(tensor, &[(0..tensor.rank()).collect()], &[from]);
        // MLIR wants a size that is known exactly where those of the result are.
        let to = known_product(sizes).map_or(Size::Dynamic(self.size(from)), Size::Known);
        let ty = self.type_of(&[to], tensor.element());
        let list = match from == to {
            true => list,
            false => {
                let value = self.op("tensor.cast", &[self.value(&list)], ty);
                Tensor::new(value, tensor.element(), vec![to])
            }
        };
        let result = self.expand(&list, &[(0..sizes.len()).collect()], sizes);
        Tensor::new(self.value(&result), tensor.element(), sizes.to_vec())
    }

    fn collapse(
        &self,
        tensor: &Tensor<'c>,
        groups: &[Vec<usize>],
        sizes: &[Size<'c>],
    ) -> Tensor<'c> {
        if groups.len() == tensor.rank() {
            return tensor.clone();
        }
        let ty = self.type_of(sizes, tensor.element());
        let reassociation = [("reassociation", self.attribute(&reassociation(groups)))];
        let value = self.value(tensor);
        let value = self.op_with("tensor.collapse_shape", &[value], ty, &reassociation);
        Tensor::new(value, tensor.element(), sizes.to_vec())
    }

    fn expand(&self, tensor: &Tensor<'c>, groups: &[Vec<usize>], sizes: &[Size<'c>]) -> Tensor<'c> {
        if groups.len() == sizes.len() {
            return tensor.clone();
        }
        let ty = self.type_of(sizes, tensor.element());
        let dims: Vec<_> = sizes.iter().map(|size| size.known().unwrap_or(i64::MIN)).collect();
        let attributes = [
            ("reassociation", self.attribute(&reassociation(groups))),
            ("static_output_shape", self.i64s(&dims)),
        ];
        let mut operands = vec![self.value(tensor)];
        operands.extend(self.dynamic(sizes));
        let value = self.op_with("tensor.expand_shape", &operands, ty, &attributes);
        Tensor::new(value, tensor.element(), sizes.to_vec())
    }

    /// Inserts dimensions of size 1; the positions are those in the result, ascending.
    pub fn unsqueeze(&self, tensor: &Tensor<'c>, axes: &[usize]) -> Result<Tensor<'c>, Refusal> {
        let mut sizes = tensor.sizes().to_vec();
        axes.iter().for_each(|axis| sizes.insert(*axis, Size::Known(1)));
        self.reshape(tensor, &sizes)
    }

    /// Removes dimensions of size 1.
    pub fn squeeze(&self, tensor: &Tensor<'c>, axes: &[usize]) -> Result<Tensor<'c>, Refusal> {
        let kept = tensor.sizes().iter().enumerate().filter(|(i, _)| !axes.contains(i));
        let sizes: Vec<_> = kept.map(|(_, size)| *size).collect();
        self.reshape(tensor, &sizes)
    }

    /// Dimension `i` of the result is dimension `order[i]` of the tensor.
    pub fn transpose(&self, tensor: &Tensor<'c>, order: &[usize]) -> Tensor<'c> {
        if order.iter().enumerate().all(|(i, axis)| i == *axis) {
            return tensor.clone();
        }
        let sizes: Vec<_> = order.iter().map(|axis| tensor.size(*axis)).collect();
        if let Some(picked) = picked(tensor, &sizes, |indices| {
            let mut at = vec![0; indices.len()];
            order.iter().zip(indices).for_each(|(axis, index)| at[*axis] = *index);
            at
        }) {
            return picked;
        }
        let output = Tensor::new(self.empty(&sizes, tensor.element()), tensor.element(), sizes);
        let position = |axis| order.iter().position(|it| *it == axis).expect("it is a permutation");
        let operand =
            Operand::new(tensor, (0..order.len()).map(|axis| d(position(axis))).collect());
        let output = Operand::new(&output, (0..order.len()).map(d).collect());
        let loops = vec![Loop::Parallel; order.len()];
        let results = self.generic(&loops, &[operand], &[output], |_, values| vec![values[0]]);
        results.into_iter().next().expect("it has one output")
    }

    /// The tensor repeated along dimensions of size 1, as NumPy broadcasts.
    pub fn broadcast(&self, tensor: &Tensor<'c>, sizes: &[Size<'c>]) -> Tensor<'c> {
        if tensor.sizes() == sizes {
            return tensor.clone();
        }
        self.map_to(sizes, &[tensor], tensor.element(), |_, values| values[0])
    }

    /// A slice of each axis.
    pub fn slice(&self, tensor: &Tensor<'c>, slices: &[Slice<'c>]) -> Tensor<'c> {
        let whole = |(slice, size): (&Slice<'c>, &Size<'c>)| {
            slice.start == Size::Known(0) && slice.size == *size && slice.step == 1
        };
        if slices.iter().zip(tensor.sizes()).all(whole) {
            return tensor.clone();
        }
        let sizes: Vec<_> = slices.iter().map(|slice| slice.size).collect();
        // A start at the end is not within the bounds that MLIR checks.
        if sizes.contains(&Size::Known(0)) && tensor.elements().is_none() {
            return Tensor::new(self.empty(&sizes, tensor.element()), tensor.element(), sizes);
        }
        let starts: Option<Vec<i64>> = slices.iter().map(|slice| slice.start.known()).collect();
        let at = |starts: &[i64], indices: &[i64]| -> Vec<i64> {
            let axes = slices.iter().zip(starts).zip(indices);
            axes.map(|((slice, start), i)| start + i * slice.step).collect()
        };
        let picked = starts.and_then(|starts| picked(tensor, &sizes, |i| at(&starts, i)));
        if let Some(picked) = picked {
            return picked;
        }
        if slices.iter().any(|slice| slice.step < 0) {
            return self.generate(&sizes, tensor.element(), |b, indices| {
                let index = |(i, slice): (&Scalar<'c>, &Slice<'c>)| {
                    let start = b.size_scalar(slice.start);
                    b.add(start, b.mul(*i, b.index_scalar(slice.step)))
                };
                let indices: Vec<_> = indices.iter().zip(slices).map(index).collect();
                b.extract(tensor, &indices)
            });
        }
        let starts: Vec<_> = slices.iter().map(|slice| slice.start).collect();
        let steps: Vec<_> = slices.iter().map(|slice| Size::Known(slice.step)).collect();
        let mut operands = vec![self.value(tensor)];
        operands.extend(self.dynamic(&starts));
        operands.extend(self.dynamic(&sizes));
        let ty = self.type_of(&sizes, tensor.element());
        let segments = format!(
            "array<i32: 1, {}, {}, 0>",
            self.dynamic(&starts).len(),
            self.dynamic(&sizes).len()
        );
        let value = self.op_with(
            "tensor.extract_slice",
            &operands,
            ty,
            &[
                ("static_offsets", self.static_list(&starts)),
                ("static_sizes", self.static_list(&sizes)),
                ("static_strides", self.static_list(&steps)),
                ("operandSegmentSizes", self.attribute(&segments)),
            ],
        );
        Tensor::new(value, tensor.element(), sizes)
    }

    /// A slice of one axis, of `size` elements from `start`.
    pub fn slice_axis(
        &self,
        tensor: &Tensor<'c>,
        axis: usize,
        start: Size<'c>,
        size: Size<'c>,
    ) -> Tensor<'c> {
        let slice = |(i, whole): (usize, &Size<'c>)| match i == axis {
            true => Slice { start, size, step: 1 },
            false => Slice { start: Size::Known(0), size: *whole, step: 1 },
        };
        let slices: Vec<_> = tensor.sizes().iter().enumerate().map(slice).collect();
        self.slice(tensor, &slices)
    }

    /// The tensor `whole` with `part`, which has the size 1 there, at a place of an axis.
    pub fn inserted(
        &self,
        part: &Tensor<'c>,
        whole: &Tensor<'c>,
        axis: usize,
        place: Size<'c>,
    ) -> Tensor<'c> {
        let mut starts = vec![Size::Known(0); whole.rank()];
        starts[axis] = place;
        // The sizes of the part itself: in a body, the compiler does not see that those of `whole` are equal.
        let value = self.value(part);
        let dims: Vec<_> = part.sizes().iter().map(|size| size.dim()).collect();
        let sizes: Vec<_> = (0..part.rank()).map(|i| self.dim_of(value, &dims, i)).collect();
        let mut operands = vec![value, self.value(whole)];
        operands.extend(self.dynamic(&starts));
        operands.extend(self.dynamic(&sizes));
        let counts = [self.dynamic(&starts).len(), self.dynamic(&sizes).len()];
        let segments = format!("array<i32: 1, 1, {}, {}, 0>", counts[0], counts[1]);
        let ty = self.type_of(whole.sizes(), whole.element());
        let value = self.op_with(
            "tensor.insert_slice",
            &operands,
            ty,
            &[
                ("static_offsets", self.static_list(&starts)),
                ("static_sizes", self.static_list(&sizes)),
                ("static_strides", self.i64s(&vec![1; whole.rank()])),
                ("operandSegmentSizes", self.attribute(&segments)),
            ],
        );
        Tensor::new(value, whole.element(), whole.sizes().to_vec())
    }

    fn static_list(&self, sizes: &[Size<'c>]) -> melior::ir::Attribute<'c> {
        let values: Vec<_> = sizes.iter().map(|size| size.known().unwrap_or(i64::MIN)).collect();
        self.i64s(&values)
    }

    /// Joins tensors of one element type and rank along an axis.
    pub fn concat(&self, tensors: &[Tensor<'c>], axis: usize) -> Tensor<'c> {
        let first = &tensors[0];
        if tensors.len() == 1 {
            return first.clone();
        }
        let mut sizes = first.sizes().to_vec();
        let parts = tensors[1..].iter();
        sizes[axis] = parts.fold(sizes[axis], |sum, part| self.size_add(sum, part.size(axis)));
        for part in &tensors[1..] {
            for (i, size) in sizes.iter_mut().enumerate().filter(|(i, _)| *i != axis) {
                if size.known().is_none() && part.size(i).known().is_some() {
                    *size = part.size(i);
                }
            }
        }
        let elements: Option<Vec<_>> = tensors.iter().map(Tensor::elements).collect();
        if let (Some(elements), 1) = (elements, first.rank()) {
            return Tensor::list(elements.concat(), first.element());
        }
        // Parts without elements change nothing.
        let is_empty = |part: &&Tensor<'c>| part.size(axis) == Size::Known(0);
        let values: Vec<_> =
            tensors.iter().filter(|part| !is_empty(part)).map(|part| self.value(part)).collect();
        let ty = self.type_of(&sizes, first.element());
        let value = match values.as_slice() {
            [] => self.value(first),
            [value] => *value,
            _ => {
                let dim = [("dim", self.i64_attribute(axis as i64))];
                self.op_with("tensor.concat", &values, ty, &dim)
            }
        };
        Tensor::new(value, first.element(), sizes)
    }

    /// Adds elements before and behind each axis.
    pub fn pad(
        &self,
        tensor: &Tensor<'c>,
        low: &[Size<'c>],
        high: &[Size<'c>],
        value: Scalar<'c>,
    ) -> Tensor<'c> {
        if low.iter().chain(high).all(|size| *size == Size::Known(0)) {
            return tensor.clone();
        }
        let padded =
            |(i, size): (usize, &Size<'c>)| self.size_add(self.size_add(*size, low[i]), high[i]);
        let sizes: Vec<_> = tensor.sizes().iter().enumerate().map(padded).collect();
        let mut operands = vec![self.value(tensor)];
        operands.extend(self.dynamic(low));
        operands.extend(self.dynamic(high));
        let indices = vec![Element::Index.ty(self.context()); tensor.rank()];
        let region = self.region(&indices, "tensor.yield", |_, _| vec![value.value]);
        let segments =
            format!("array<i32: 1, {}, {}>", self.dynamic(low).len(), self.dynamic(high).len());
        let op = self.insert(
            "tensor.pad",
            &operands,
            &[self.type_of(&sizes, tensor.element())],
            &[
                ("static_low", self.static_list(low)),
                ("static_high", self.static_list(high)),
                ("operandSegmentSizes", self.attribute(&segments)),
            ],
            vec![region],
        );
        Tensor::new(result_of(op, 0), tensor.element(), sizes)
    }
}

/// The text of a reassociation.
fn reassociation(groups: &[Vec<usize>]) -> String {
    let group = |group: &Vec<usize>| {
        let members: Vec<_> = group.iter().map(|i| format!("{i} : i64")).collect();
        format!("[{}]", members.join(", "))
    };
    let groups: Vec<_> = groups.iter().map(group).collect();
    format!("[{}]", groups.join(", "))
}

/// Splits two shapes into the smallest groups of dimensions with equal products, from the first: the positions in each. None
/// if a product is not known to be equal, or a shape has no dimensions or no elements.
fn groups<'c>(from: &[Size<'c>], to: &[Size<'c>]) -> Option<Vec<(Vec<usize>, Vec<usize>)>> {
    if from.is_empty() || to.is_empty() {
        // All dimensions are of size 1, in one group.
        let ones = from.iter().chain(to).all(|size| *size == Size::Known(1));
        let all = vec![];
        return (ones && from.len() + to.len() > 0).then_some(all);
    }
    let (mut groups, mut i, mut j) = (vec![], 0, 0);
    while i < from.len() && j < to.len() {
        let mut group = (vec![i], vec![j]);
        let (mut left, mut right) = (from[i], to[j]);
        while left != right {
            // A dimension of size 1 joins the next one.
            let grows_left = match (left, right) {
                (Size::Known(1), _) => true,
                (_, Size::Known(1)) => false,
                (left, right) => left.known()? < right.known()?,
            };
            if grows_left {
                i += 1;
                left = grown(left, *from.get(i)?)?;
                group.0.push(i);
            } else {
                j += 1;
                right = grown(right, *to.get(j)?)?;
                group.1.push(j);
            }
        }
        i += 1;
        j += 1;
        groups.push(group);
    }
    // Dimensions of size 1 at the end join the last group.
    let last = groups.last_mut()?;
    let ones = |sizes: &[Size]| sizes.iter().all(|size| *size == Size::Known(1));
    if !ones(&from[i..]) || !ones(&to[j..]) {
        return None;
    }
    last.0.extend(i..from.len());
    last.1.extend(j..to.len());
    Some(groups)
}

/// A product of sizes: known, or one that is not known times 1.
fn grown<'c>(product: Size<'c>, next: Size<'c>) -> Option<Size<'c>> {
    match (product, next) {
        (Size::Known(1), other) | (other, Size::Known(1)) => Some(other),
        (product, next) => Some(Size::Known(product.known()?.checked_mul(next.known()?)?)),
    }
}

/// The integers of a tensor at the positions `at(indices)`, if they are known during the import. `sizes` are those of the result.
fn picked<'c>(
    tensor: &Tensor<'c>,
    sizes: &[Size<'c>],
    at: impl Fn(&[i64]) -> Vec<i64>,
) -> Option<Tensor<'c>> {
    let element = Some(tensor.element()).filter(|it| matches!(it, Element::I32 | Element::I64))?;
    let elements = tensor.elements()?;
    let known =
        |sizes: &[Size]| sizes.iter().map(|size| size.known()).collect::<Option<Vec<i64>>>();
    let (from, to) = (known(tensor.sizes())?, known(sizes)?);
    let pick = |mut place: i64| {
        let mut indices = vec![0; to.len()];
        for (index, size) in indices.iter_mut().zip(&to).rev() {
            (*index, place) = (place % size, place / size);
        }
        let place = at(&indices).iter().zip(&from).fold(0, |place, (i, size)| place * size + i);
        elements.get(usize::try_from(place).ok()?).copied()
    };
    let picked = (0..known_product(sizes)?).map(pick).collect::<Option<Vec<Size>>>()?;
    Some(Tensor::integers_of(picked, sizes.to_vec(), element))
}

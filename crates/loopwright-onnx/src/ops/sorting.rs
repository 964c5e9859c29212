//! Ops that sort elements, or select those that fulfil a condition.

use super::Row;
use crate::builder::{Builder, result_of};
use crate::compute::{Loop, Operand, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::{Size, known_product};
use crate::tensor::Tensor;
use crate::tm_tensor::{Indices, Scan};

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] =
    &[("Compress", compress), ("NonZero", non_zero), ("TopK", top_k), ("Unique", unique)];

/// The order of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Ascending,
    Descending,
}

impl<'c> Builder<'c> {
    /// True if `x` may stand before `y`. A NaN is the greatest number.
    pub fn in_order(&self, x: Scalar<'c>, y: Scalar<'c>, order: Order) -> Scalar<'c> {
        let (how, greatest) = match order {
            Order::Ascending => (Compare::LessOrEqual, y),
            Order::Descending => (Compare::GreaterOrEqual, x),
        };
        let is_ordered = self.compare(how, x, y);
        match x.element.is_float() {
            true => self.or(is_ordered, self.is_nan(greatest)),
            false => is_ordered,
        }
    }

    /// True if two elements are different. NaNs are equal to each other.
    fn differs(&self, x: Scalar<'c>, y: Scalar<'c>) -> Scalar<'c> {
        let differs = self.compare(Compare::Different, x, y);
        match x.element.is_float() {
            true => {
                let both = self.and(self.is_nan(x), self.is_nan(y));
                self.and(differs, self.not(both))
            }
            false => differs,
        }
    }

    /// The positions along an axis, for each element of a tensor of these sizes.
    pub fn positions(&self, sizes: &[Size<'c>], axis: usize) -> Tensor<'c> {
        self.generate(sizes, Element::I64, |b, loops| b.cast(loops[axis], Element::I64))
    }

    /// The tensor, sorted along an axis, and the positions that its elements had.
    pub fn sorted(&self, x: &Tensor<'c>, axis: usize, order: Order) -> (Tensor<'c>, Tensor<'c>) {
        let positions = self.positions(x.sizes(), axis);
        let results = self.sort(&[x, &positions], axis, |b, first, second| {
            b.in_order(first[0], second[0], order)
        });
        (results[0].clone(), results[1].clone())
    }

    /// The first elements along an axis, in order, and their positions.
    fn first_of(&self, x: &Tensor<'c>, axis: usize, count: i64, order: Order) -> Vec<Tensor<'c>> {
        let mut sizes = x.sizes().to_vec();
        sizes[axis] = Size::Known(count);
        let elements = [x.element(), Element::I64];
        let types = elements.map(|element| self.type_of(&sizes, element));
        let mark = |name, is_set: bool| is_set.then(|| (name, self.attribute("unit")));
        let attributes =
            [("k", self.i64_attribute(count)), ("dim", self.i64_attribute(axis as i64))];
        let marks = [
            mark("smallest", order == Order::Ascending),
            mark("is_unsigned", !x.element().is_float() && !x.element().is_signed()),
        ];
        let attributes: Vec<_> =
            attributes.into_iter().chain(marks.into_iter().flatten()).collect();
        let op = self.insert("graph.topk", &[self.value(x)], &types, &attributes, vec![]);
        let result = |(i, element)| Tensor::new(result_of(op, i), element, sizes.clone());
        elements.into_iter().enumerate().map(result).collect()
    }

    /// The first `count` positions at which a list of bools is true, in ascending order. If there are fewer, others follow.
    ///
    /// # Errors
    /// If the list is known to be shorter.
    pub fn selected(&self, flags: &Tensor<'c>, count: Size<'c>) -> Result<Tensor<'c>, Refusal> {
        let size = flags.size(0);
        if let (Size::Known(size), Size::Known(count)) = (size, count)
            && count > size
        {
            return Err(Refusal::new(format!("selects {count} elements of {size}")));
        }
        let zero = self.scalar(Element::I64, 0.0);
        let ones = self.convert(flags, Element::I64);
        let before = self.scan(&ones, 0, zero, Scan::Exclusive, |b, sum, x| b.add(sum, x));
        let total = self.reshape(&self.sum_over(&ones, &[0])?, &[])?;
        // The elements that are selected go to the front, the others behind them.
        let target = self.map(&[flags, &before, &total], Element::I64, |b, v| {
            let others = b.sub(b.cast(b.loop_index(0), Element::I64), v[1]);
            b.select(v[0], v[1], b.add(v[2], others))
        })?;
        let target = self.unsqueeze(&target, &[1])?;
        let into = self.filled(&[size], zero);
        let positions = self.positions(&[size], 0);
        let all = self.scatter(&positions, &target, &into, Indices::Unique, |_, update, _| update);
        Ok(self.slice_axis(&all, 0, Size::Known(0), count))
    }

    /// The position of each dimension, of a position in row-major order.
    pub fn unravelled(&self, position: Scalar<'c>, sizes: &[Size<'c>]) -> Vec<Scalar<'c>> {
        let mut rest = self.cast(position, Element::Index);
        let split = |(i, size): (usize, &Size<'c>)| {
            let size = self.size_scalar(*size);
            let part = if i == 0 { rest } else { self.rem(rest, size) };
            rest = self.div(rest, size);
            part
        };
        let reversed = sizes.iter().enumerate().rev();
        let mut found: Vec<_> = reversed.map(split).collect();
        found.reverse();
        found
    }
}

/// The size of an axis of an output, which the model must state.
fn stated_size<'c>(
    node: &Node<'_, 'c>,
    what: &str,
    rank: usize,
    axis: usize,
) -> Result<Size<'c>, Refusal> {
    let sizes = node.sizes_from_model(what)?;
    match sizes.get(axis) {
        Some(Size::Known(size)) if *size < 0 => {
            Err(Refusal::new(format!("has an output with the size {size} by the model")))
        }
        Some(size) if sizes.len() == rank => Ok(*size),
        _ => Err(Refusal::new(format!(
            "has an output of rank {} by the model, expected {rank}",
            sizes.len()
        ))),
    }
}

fn top_k<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let axis = node.axis(-1, x.rank())?;
    let count = match node.int("k")? {
        Some(count) => Size::Known(count),
        None => match node.input(1)?.elements().as_deref() {
            Some([count]) => *count,
            Some(_) => return Err(Refusal::new("has a list of numbers as its k, expected one")),
            None => stated_size(node, "a number of elements", x.rank(), axis)?,
        },
    };
    let size = x.size(axis).known().unwrap_or(i64::MAX);
    if count.known().is_some_and(|count| !(0..=size).contains(&count)) {
        return Err(Refusal::new(format!("has a k that is not between 0 and {size}")));
    }
    // Sorted elements are right also where any order is.
    node.flag("sorted", true)?;
    let order = if node.flag("largest", true)? { Order::Descending } else { Order::Ascending };
    let element = x.element();
    let is_in_graph = element.bits() >= 8 && element.narrow_float().is_none();
    if let (Size::Known(count), true) = (count, is_in_graph) {
        return Ok(node.first_of(x, axis, count, order));
    }
    let (values, positions) = node.sorted(x, axis, order);
    let first = |tensor: &Tensor<'c>| node.slice_axis(tensor, axis, Size::Known(0), count);
    Ok(vec![first(&values), first(&positions)])
}

fn non_zero<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let rank = x.rank();
    if rank == 0 {
        return Err(Refusal::new("has a scalar operand, expected a tensor"));
    }
    let count = stated_size(node, "a number of elements", 2, 1)?;
    let flat = node.reshape(x, &[node.size_product(x.sizes())])?;
    let flags = node.map(&[&flat], Element::Bool, |b, v| b.cast(v[0], Element::Bool))?;
    let found = node.selected(&flags, count)?;
    let sizes = [Size::Known(rank as i64), count];
    Ok(vec![node.generate(&sizes, Element::I64, |b, loops| {
        let parts = b.unravelled(b.extract(&found, &loops[1..]), x.sizes());
        let chosen = parts[1..].iter().enumerate().fold(parts[0], |found, (i, part)| {
            let is_here = b.compare(Compare::Equal, loops[0], b.index_scalar(i as i64 + 1));
            b.select(is_here, *part, found)
        });
        b.cast(chosen, Element::I64)
    })])
}

fn compress<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, flags) = (node.input(0)?, node.input(1)?);
    if flags.rank() != 1 || flags.element() != Element::Bool {
        return Err(Refusal::new(format!(
            "has a condition of rank {} and type {}, expected a list of bools",
            flags.rank(),
            flags.element().word()
        )));
    }
    let (x, axis) = match node.int("axis")? {
        Some(axis) => (x.clone(), node.axis_of(axis, x.rank())?),
        None => (node.reshape(x, &[node.size_product(x.sizes())])?, 0),
    };
    let count = stated_size(node, "a number of elements", x.rank(), axis)?;
    let found = node.selected(flags, count)?;
    Ok(vec![node.taken(&x, axis, &found)])
}

impl<'c> Builder<'c> {
    /// The elements at positions of an axis. A position behind the last one is the last one.
    fn taken(&self, x: &Tensor<'c>, axis: usize, positions: &Tensor<'c>) -> Tensor<'c> {
        let mut sizes = x.sizes().to_vec();
        sizes[axis] = positions.size(0);
        self.generate(&sizes, x.element(), |b, loops| {
            let last = b.sub(b.size_scalar(x.size(axis)), b.index_scalar(1));
            let position = b.extract(positions, &loops[axis..=axis]);
            let mut source = loops.to_vec();
            source[axis] = b.min(b.cast(position, Element::Index), last);
            b.extract(x, &source)
        })
    }
}

/// Slices of a tensor, in a sorted order.
struct Sorted<'c> {
    /// The position of each slice before the sort. Equal slices keep their order.
    order: Tensor<'c>,
    /// 1 for a slice that differs from the one before it, else 0.
    begins: Tensor<'c>,
}

/// Sorts the elements of a list.
fn sorted_list<'c>(node: &Node<'_, 'c>, list: &Tensor<'c>) -> Sorted<'c> {
    let (values, order) = node.sorted(list, 0, Order::Ascending);
    let begins = begins(node, list.size(0), |b, here, before| {
        b.differs(b.extract(&values, &[here]), b.extract(&values, &[before]))
    });
    Sorted { order, begins }
}

/// Sorts the rows of a matrix lexicographically.
fn sorted_rows<'c>(node: &Node<'_, 'c>, rows: &Tensor<'c>) -> Sorted<'c> {
    let (n, m) = (rows.size(0), rows.size(1));
    // The first column in which two rows differ, or the number of columns.
    let columns = node.cast(node.size_scalar(m), Element::I64);
    let start = node.filled(&[n, n], columns);
    let operands = [Operand::new(rows, vec![d(0), d(2)]), Operand::new(rows, vec![d(1), d(2)])];
    let output = Operand::new(&start, vec![d(0), d(1)]);
    let loops = [Loop::Parallel, Loop::Parallel, Loop::Reduction];
    let results = node.generic(&loops, &operands, &[output], |b, v| {
        let column = b.cast(b.loop_index(2), Element::I64);
        vec![b.select(b.differs(v[0], v[1]), b.min(v[2], column), v[2])]
    });
    let first = &results[0];
    let index = |b: &Builder<'c>, position| b.cast(position, Element::Index);
    let order = node.sort(&[&node.positions(&[n], 0)], 0, |b, x, y| {
        let (x, y) = (index(b, x[0]), index(b, y[0]));
        let column = index(b, b.extract(first, &[x, y]));
        let is_equal = b.compare(Compare::Equal, column, b.size_scalar(m));
        let column = b.min(column, b.sub(b.size_scalar(m), b.index_scalar(1)));
        let (left, right) = (b.extract(rows, &[x, column]), b.extract(rows, &[y, column]));
        b.or(is_equal, b.in_order(left, right, Order::Ascending))
    });
    let order = order[0].clone();
    let begins = begins(node, n, |b, here, before| {
        let [here, before] = [here, before].map(|it| index(b, b.extract(&order, &[it])));
        let column = index(b, b.extract(first, &[here, before]));
        b.compare(Compare::Less, column, b.size_scalar(m))
    });
    Sorted { order, begins }
}

/// 1 for the first of `size` slices and those that differ from the one before, else 0.
fn begins<'c>(
    node: &Node<'_, 'c>,
    size: Size<'c>,
    differs: impl FnOnce(&Builder<'c>, Scalar<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Tensor<'c> {
    node.generate(&[size], Element::I64, |b, loops| {
        let (zero, one) = (b.index_scalar(0), b.index_scalar(1));
        let is_first = b.compare(Compare::Equal, loops[0], zero);
        let before = b.max(b.sub(loops[0], one), zero);
        b.cast(b.or(is_first, differs(b, loops[0], before)), Element::I64)
    })
}

/// The number of different slices, by the sizes that the model states.
fn unique_count<'c>(
    node: &Node<'_, 'c>,
    size: Size<'c>,
    axis: Option<usize>,
) -> Result<Size<'c>, Refusal> {
    let dim = |output: usize, i: usize| node.declared_sizes(output)?.get(i).copied();
    let stated = dim(0, axis.unwrap_or(0)).or_else(|| dim(1, 0)).or_else(|| dim(3, 0));
    match (stated, size) {
        // One slice is unique, and none is none.
        (None, Size::Known(0 | 1)) => Ok(size),
        (Some(Size::Known(count)), Size::Known(size)) if count > size => {
            Err(Refusal::new(format!("has {count} different elements by the model, of {size}")))
        }
        (Some(count), _) => Ok(count),
        (None, _) => Err(Refusal::new(
            "has a number of different elements that depends on data, expected an output whose sizes the model states",
        )),
    }
}

fn unique<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let axis = node.int("axis")?.map(|axis| node.axis_of(axis, x.rank())).transpose()?;
    let (x, along) = match axis {
        Some(axis) => (x.clone(), axis),
        None => (node.reshape(x, &[node.size_product(x.sizes())])?, 0),
    };
    let n = x.size(along);
    let count = unique_count(node, n, axis)?;
    let others: Vec<_> = (0..x.rank()).filter(|i| *i != along).collect();
    let other_sizes: Vec<_> = others.iter().map(|i| x.size(*i)).collect();
    let sorted = match known_product(&other_sizes) {
        Some(1) => sorted_list(node, &node.reshape(&x, &[n])?),
        Some(m) if m > 0 => {
            let order: Vec<_> = std::iter::once(along).chain(others).collect();
            let rows = node.reshape(&node.transpose(&x, &order), &[n, Size::Known(m)])?;
            sorted_rows(node, &rows)
        }
        _ => return Err(Refusal::new("compares slices without elements or of an unknown size")),
    };
    let sum = |tensor: &Tensor<'c>| {
        let zero = node.scalar(Element::I64, 0.0);
        node.scan(tensor, 0, zero, Scan::Inclusive, |b, sum, x| b.add(sum, x))
    };
    let column = |tensor: &Tensor<'c>| node.unsqueeze(tensor, &[1]);
    let zeros = node.filled(&[n], node.scalar(Element::I64, 0.0));
    let places = node.positions(&[n], 0);
    let Sorted { order, begins } = sorted;
    // For each place in the sorted order, the number of its slice among the different ones, from 1.
    let numbers = match node.flag("sorted", true)? {
        true => sum(&begins),
        false => {
            // Those slices are counted that occur first, in their order before the sort.
            let starts = node.map(&[&begins, &places], Element::I64, |b, v| b.mul(v[0], v[1]))?;
            let zero = node.scalar(Element::I64, 0.0);
            let starts =
                node.scan(&starts, 0, zero, Scan::Inclusive, |b, found, x| b.max(found, x));
            let is_first =
                node.scatter(&begins, &column(&order)?, &zeros, Indices::Unique, |_, new, _| new);
            let numbers = sum(&is_first);
            node.map(&[&starts], Element::I64, |b, v| {
                let first = b.extract(&order, &[b.cast(v[0], Element::Index)]);
                b.extract(&numbers, &[b.cast(first, Element::Index)])
            })?
        }
    };
    let groups =
        node.map(&[&numbers], Element::I64, |b, v| b.sub(v[0], b.scalar(Element::I64, 1.0)))?;
    let of_group = column(&groups)?;
    let first = |tensor: &Tensor<'c>| node.slice_axis(tensor, 0, Size::Known(0), count);
    // Equal slices are in their order before the sort, so the least position is the first occurrence.
    let last = node.filled(&[n], node.cast(node.size_scalar(n), Element::I64));
    let indices =
        node.scatter(&order, &of_group, &last, Indices::InOrder, |b, new, old| b.min(new, old));
    let indices = first(&indices);
    let ones = node.filled(&[n], node.scalar(Element::I64, 1.0));
    let counts =
        node.scatter(&ones, &of_group, &zeros, Indices::InOrder, |b, new, old| b.add(new, old));
    let inverse = node.scatter(&groups, &column(&order)?, &zeros, Indices::Unique, |_, new, _| new);
    Ok(vec![node.taken(&x, along, &indices), indices, inverse, first(&counts)])
}

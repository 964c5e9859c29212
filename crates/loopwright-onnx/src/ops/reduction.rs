//! Reductions over axes, and what is made of them: softmax, norms, positions of extremes.

use super::Row;
use crate::builder::Builder;
use crate::compute::{Loop, Operand, accumulator, d};
use crate::element::Element;
use crate::error::Refusal;
use crate::node::Node;
use crate::scalar::{Compare, Scalar};
use crate::size::Size;
use crate::tensor::Tensor;

type Outputs<'c> = Result<Vec<Tensor<'c>>, Refusal>;

pub const OPS: &[Row] = &[
    ("ArgMax", |node| arg(node, Compare::Greater, Compare::GreaterOrEqual)),
    ("ArgMin", |node| arg(node, Compare::Less, Compare::LessOrEqual)),
    ("Hardmax", hardmax),
    ("LogSoftmax", |node| softmax(node, true)),
    ("LpNormalization", lp_normalization),
    ("ReduceL1", |node| reduced(node, |b, x| b.abs(x), |_, sum| sum)),
    ("ReduceL2", |node| reduced(node, |b, x| b.mul(x, x), |b, sum| float_sqrt(b, sum))),
    ("ReduceLogSum", |node| reduced(node, |_, x| x, |b, sum| float_log(b, sum))),
    ("ReduceLogSumExp", log_sum_exp),
    ("ReduceMax", |node| extreme(node, Compare::Greater)),
    ("ReduceMean", mean),
    ("ReduceMin", |node| extreme(node, Compare::Less)),
    ("ReduceProd", product),
    ("ReduceSum", |node| reduced(node, |_, x| x, |_, sum| sum)),
    ("ReduceSumSquare", |node| reduced(node, |b, x| b.mul(x, x), |_, sum| sum)),
    ("Softmax", |node| softmax(node, false)),
];

fn float_sqrt<'c>(b: &Builder<'c>, x: Scalar<'c>) -> Scalar<'c> {
    match x.element.is_float() {
        true => b.sqrt(x),
        false => b.cast(b.sqrt(b.cast(x, Element::F64)), x.element),
    }
}

fn float_log<'c>(b: &Builder<'c>, x: Scalar<'c>) -> Scalar<'c> {
    match x.element.is_float() {
        true => b.math("math.log", x),
        false => b.cast(b.math("math.log", b.cast(x, Element::F64)), x.element),
    }
}

/// The axes that a node reduces.
enum Axes {
    /// None: the elements stay.
    Known(Option<Vec<usize>>),
    /// They depend on data: one of these.
    OneOf(Vec<Vec<usize>>),
}

fn axes(node: &Node) -> Result<Axes, Refusal> {
    let rank = node.input(0)?.rank();
    let keeps_all = node.flag("noop_with_empty_axes", false)?;
    let is_empty = node.optional(1).is_some_and(|axes| axes.known_len() == Some(0));
    let given = match node.ints_of("axes", 1) {
        Err(_) if is_empty => None,
        Err(refusal) => return candidates(node).map(Axes::OneOf).ok_or(refusal),
        Ok(given) => given.filter(|axes| !axes.is_empty()),
    };
    Ok(Axes::Known(match given {
        Some(axes) => Some(node.axes_of(&axes, rank)?),
        None if keeps_all => None,
        None => Some((0..rank).collect()),
    }))
}

/// The sets of axes of the input's length that give the sizes that the model states for the output.
fn candidates(node: &Node) -> Option<Vec<Vec<usize>>> {
    let x = node.optional(0)?;
    let count = node.optional(1)?.known_len()?;
    let keeps = node.flag("keepdims", true).ok()?;
    let output = node.declared_sizes(0)?;
    let rank = x.rank();
    let fits = |chosen: &Vec<usize>| {
        let kept = (0..rank).filter(|i| keeps || !chosen.contains(i));
        let sizes = kept.map(|i| if chosen.contains(&i) { Size::Known(1) } else { x.size(i) });
        sizes.collect::<Vec<_>>() == output
    };
    let subsets = (0..1u32 << rank.min(8)).filter(|bits| i64::from(bits.count_ones()) == count);
    let chosen = subsets.map(|bits| (0..rank).filter(|i| bits & (1 << i) != 0).collect::<Vec<_>>());
    let found: Vec<_> = chosen.filter(fits).collect();
    (!found.is_empty() && rank <= 8).then_some(found)
}

/// The result of a reduction over axes, which `reduce` computes with size 1, in the form that the node asks for. `whole` is
/// the result if no axis is reduced.
fn over_axes<'c>(
    node: &Node<'_, 'c>,
    whole: impl FnOnce() -> Tensor<'c>,
    reduce: impl Fn(&[usize]) -> Result<Tensor<'c>, Refusal>,
) -> Outputs<'c> {
    let keeps = node.flag("keepdims", true)?;
    let finished = |axes: &[usize]| match (reduce(axes)?, keeps) {
        (result, true) => Ok(result),
        (result, false) => node.squeeze(&result, axes),
    };
    let candidates = match axes(node)? {
        Axes::Known(None) => return Ok(vec![whole()]),
        Axes::Known(Some(axes)) => return Ok(vec![finished(&axes)?]),
        Axes::OneOf(candidates) => candidates,
    };
    let rank = node.input(0)?.rank() as i64;
    let mut result = finished(&candidates[0])?;
    for axes in &candidates[1..] {
        let other = finished(axes)?;
        let given = node.input(1)?;
        // The input has as many axes as the set: it is this set if it has no other axis.
        let count = axes.len() as i64;
        result = node.map(&[&result, &other], result.element(), |b, v| {
            let is_in_set = |i: i64| {
                let read = b.cast(b.extract(given, &[b.index_scalar(i)]), Element::I64);
                let is = |value: i64| b.compare(Compare::Equal, read, b.like(read, value as f64));
                let mut found = b.scalar(Element::Bool, 0.0);
                for axis in axes {
                    let axis = *axis as i64;
                    found = b.or(found, b.or(is(axis), is(axis - rank)));
                }
                found
            };
            let all = (0..count).map(is_in_set);
            let is_set = all.reduce(|all, it| b.and(all, it));
            is_set.map_or(v[0], |is_set| b.select(is_set, v[1], v[0]))
        })?;
    }
    Ok(vec![result])
}

fn product<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let element = x.element();
    let wide = accumulator(element);
    over_axes(
        node,
        || x.clone(),
        |axes| {
            if let (Some(elements), 1, [0]) = (x.elements(), x.rank(), axes) {
                return Ok(Tensor::list(vec![node.size_product(&elements)], element));
            }
            let start = node.scalar(wide, 1.0);
            let result =
                node.reduce(x, axes, start, |b, product, x| b.mul(product, b.cast(x, wide)))?;
            Ok(node.convert(&result, element))
        },
    )
}

/// `after(sum(before(x)))`, which are applied also where no axis is reduced.
fn reduced<'c>(
    node: &Node<'_, 'c>,
    before: impl Fn(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
    after: impl Fn(&Builder<'c>, Scalar<'c>) -> Scalar<'c>,
) -> Outputs<'c> {
    let x = node.input(0)?;
    let element = x.element();
    let wide = accumulator(element);
    let whole = || {
        node.map_to(x.sizes(), &[x], element, |b, v| {
            b.cast(after(b, before(b, b.cast(v[0], wide))), element)
        })
    };
    over_axes(node, whole, |axes| {
        let start = node.scalar(wide, 0.0);
        let sum =
            node.reduce(x, axes, start, |b, total, x| b.add(total, before(b, b.cast(x, wide))))?;
        Ok(node.map_to(sum.sizes(), &[&sum], element, |b, v| b.cast(after(b, v[0]), element)))
    })
}

fn mean<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    over_axes(
        node,
        || x.clone(),
        |axes| {
            let mean = node.mean(x, axes, accumulator(x.element()))?;
            Ok(node.convert(&mean, x.element()))
        },
    )
}

/// The least element, for the start of a maximum, or the greatest.
pub fn limit(element: Element, least: bool) -> f64 {
    match (element.is_float(), least) {
        (true, true) => f64::NEG_INFINITY,
        (true, false) => f64::INFINITY,
        (false, true) => element.range().0 as f64,
        (false, false) => element.range().1 as f64,
    }
}

impl<'c> Builder<'c> {
    /// A constant of the least or greatest element of a type, for the start of a maximum or minimum.
    pub fn limit(&self, element: Element, least: bool) -> Scalar<'c> {
        let (low, high) = if element.is_float() { (0, 0) } else { element.range() };
        match element.is_float() {
            true => self.scalar(element, limit(element, least)),
            // A u64 has the bits of -1.
            false => {
                let value = if least { low } else { high } as i64;
                Scalar { value: self.integer(element, value), element }
            }
        }
    }

    /// The mean over axes, which stay with size 1, in `element`.
    pub fn mean(
        &self,
        x: &Tensor<'c>,
        axes: &[usize],
        element: Element,
    ) -> Result<Tensor<'c>, Refusal> {
        let start = self.scalar(element, 0.0);
        let sum = self.reduce(x, axes, start, |b, total, x| b.add(total, b.cast(x, element)))?;
        let sizes: Vec<_> = axes.iter().map(|axis| x.size(*axis)).collect();
        let count = self.size_product(&sizes);
        Ok(self.map_to(sum.sizes(), &[&sum], element, |b, v| {
            let count = match count {
                Size::Known(count) => b.like(v[0], count as f64),
                Size::Dynamic(value) => b.cast(Scalar { value, element: Element::Index }, element),
            };
            b.div(v[0], count)
        }))
    }

    /// The greatest element over axes, which stay with size 1.
    pub fn max_over(&self, x: &Tensor<'c>, axes: &[usize]) -> Result<Tensor<'c>, Refusal> {
        let start = self.limit(x.element(), true);
        self.reduce(x, axes, start, |b, greatest, x| b.max(greatest, x))
    }

    /// The sum over axes, which stay with size 1.
    pub fn sum_over(&self, x: &Tensor<'c>, axes: &[usize]) -> Result<Tensor<'c>, Refusal> {
        let start = self.scalar(x.element(), 0.0);
        self.reduce(x, axes, start, |b, total, x| b.add(total, x))
    }

    /// Softmax over axes, of floats in the accumulator's type.
    pub fn softmax(&self, x: &Tensor<'c>, axes: &[usize]) -> Result<Tensor<'c>, Refusal> {
        let greatest = self.max_over(x, axes)?;
        let exp = self.map(&[x, &greatest], x.element(), |b, v| b.exp(b.sub(v[0], v[1])))?;
        let sum = self.sum_over(&exp, axes)?;
        self.map(&[&exp, &sum], x.element(), |b, v| b.div(v[0], v[1]))
    }
}

fn extreme<'c>(node: &Node<'_, 'c>, better: Compare) -> Outputs<'c> {
    let x = node.input(0)?;
    let is_max = better == Compare::Greater;
    over_axes(
        node,
        || x.clone(),
        |axes| {
            let start = node.limit(x.element(), is_max);
            node.reduce(x, axes, start, |b, found, x| match is_max {
                true => b.max(found, x),
                false => b.min(found, x),
            })
        },
    )
}

fn log_sum_exp<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    let element = x.element();
    let wide = if element.is_float() { accumulator(element) } else { Element::F64 };
    over_axes(
        node,
        || x.clone(),
        |axes| {
            let x = node.convert(x, wide);
            let greatest = node.max_over(&x, axes)?;
            // An infinite maximum would give inf - inf.
            let shift = node.map_to(greatest.sizes(), &[&greatest], wide, |b, v| {
                let is_finite = b.compare(Compare::Less, b.abs(v[0]), b.like(v[0], f64::INFINITY));
                b.select(is_finite, v[0], b.like(v[0], 0.0))
            });
            let exp = node.map(&[&x, &shift], wide, |b, v| b.exp(b.sub(v[0], v[1])))?;
            let sum = node.sum_over(&exp, axes)?;
            node.map(&[&sum, &shift], element, |b, v| {
                b.cast(b.add(b.math("math.log", v[0]), v[1]), element)
            })
        },
    )
}

/// The position of the greatest or least element: the first, or with `select_last_index` the last of equal ones. A NaN wins.
fn arg<'c>(node: &Node<'_, 'c>, better: Compare, or_equal: Compare) -> Outputs<'c> {
    let x = node.input(0)?;
    let axis = node.axis(0, x.rank())?;
    let how = if node.flag("select_last_index", false)? { or_equal } else { better };
    let result = node.arg_extreme(x, axis, how)?;
    Ok(vec![match node.flag("keepdims", true)? {
        true => result,
        false => node.squeeze(&result, &[axis])?,
    }])
}

impl<'c> Builder<'c> {
    /// The position along an axis, which stays with size 1, of the element that is better than all before it.
    pub fn arg_extreme(
        &self,
        x: &Tensor<'c>,
        axis: usize,
        better: Compare,
    ) -> Result<Tensor<'c>, Refusal> {
        let element = x.element();
        let is_max = matches!(better, Compare::Greater | Compare::GreaterOrEqual);
        let kept: Vec<_> = (0..x.rank()).filter(|i| *i != axis).collect();
        let sizes: Vec<_> = kept.iter().map(|i| x.size(*i)).collect();
        let values = self.filled(&sizes, self.limit(element, is_max));
        let positions = self
            .filled(&sizes, Scalar { value: self.integer(Element::I64, 0), element: Element::I64 });
        let indices: Vec<_> = kept.iter().map(|i| d(*i)).collect();
        let loops: Vec<_> = (0..x.rank())
            .map(|i| if i == axis { Loop::Reduction } else { Loop::Parallel })
            .collect();
        let outputs = [Operand::new(&values, indices.clone()), Operand::new(&positions, indices)];
        let operand = Operand::new(x, (0..x.rank()).map(d).collect());
        let results = self.generic(&loops, &[operand], &outputs, |b, v| {
            let (x, found, position) = (v[0], v[1], v[2]);
            let index = b.cast(b.loop_index(axis), Element::I64);
            let is_better = b.compare(better, x, found);
            let chosen = b.select(is_better, x, found);
            vec![chosen, b.select(is_better, index, position)]
        });
        self.unsqueeze(&results[1], &[axis])
    }
}

/// The tensor as a matrix of rows, which older versions of softmax work on, or the tensor, and the axes.
fn softmax_view<'c>(node: &Node<'_, 'c>) -> Result<(Tensor<'c>, Vec<usize>), Refusal> {
    let x = node.input(0)?;
    node.check_element(x, "floats", Element::is_float)?;
    let rank = x.rank();
    if node.opset >= 13 {
        return Ok((x.clone(), vec![node.axis(-1, rank)?]));
    }
    // Version 1 to 12: all axes from `axis` on are one row.
    let axis = node.int_or("axis", 1)?;
    let axis = if axis < 0 { axis + rank as i64 } else { axis };
    let axis = usize::try_from(axis).ok().filter(|axis| *axis <= rank);
    let axis = axis.ok_or_else(|| Refusal::new("has an axis that the operand does not have"))?;
    Ok((x.clone(), (axis..rank).collect()))
}

fn softmax<'c>(node: &Node<'_, 'c>, is_log: bool) -> Outputs<'c> {
    let (x, axes) = softmax_view(node)?;
    let element = x.element();
    let wide = accumulator(element);
    let x = node.convert(&x, wide);
    if axes.is_empty() {
        return Ok(vec![
            node.map(&[&x], element, |b, _| b.scalar(element, if is_log { 0.0 } else { 1.0 }))?,
        ]);
    }
    let result = if is_log {
        let greatest = node.max_over(&x, &axes)?;
        let shifted = node.map(&[&x, &greatest], wide, |b, v| b.sub(v[0], v[1]))?;
        let exp = node.map(&[&shifted], wide, |b, v| b.exp(v[0]))?;
        let sum = node.sum_over(&exp, &axes)?;
        node.map(&[&shifted, &sum], wide, |b, v| b.sub(v[0], b.math("math.log", v[1])))?
    } else {
        node.softmax(&x, &axes)?
    };
    Ok(vec![node.convert(&result, element)])
}

/// 1 at the first greatest element along an axis, 0 elsewhere.
fn hardmax<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let (x, axes) = softmax_view(node)?;
    let element = x.element();
    let (Some(first), true) = (axes.first(), axes.len() <= 1 || node.opset < 13) else {
        return Err(Refusal::new("has no axis"));
    };
    // Several axes are one row.
    let mut sizes = x.sizes()[..*first].to_vec();
    sizes.push(node.size_product(&x.sizes()[*first..axes[axes.len() - 1] + 1]));
    sizes.extend(&x.sizes()[axes[axes.len() - 1] + 1..]);
    let rows = node.reshape(&x, &sizes)?;
    let position = node.arg_extreme(&rows, *first, Compare::Greater)?;
    let result = node.map(&[&rows, &position], element, |b, v| {
        let index = b.cast(b.loop_index(*first), Element::I64);
        b.cast(b.compare(Compare::Equal, index, v[1]), element)
    })?;
    Ok(vec![node.reshape(&result, x.sizes())?])
}

fn lp_normalization<'c>(node: &Node<'_, 'c>) -> Outputs<'c> {
    let x = node.input(0)?;
    node.check_element(x, "floats", Element::is_float)?;
    let element = x.element();
    let axis = node.axis(-1, x.rank())?;
    let p = node.int_or("p", 2)?;
    if !matches!(p, 1 | 2) {
        return Err(node.refuse_attribute("p", &p.to_string(), "1 or 2"));
    }
    let wide = accumulator(element);
    let start = node.scalar(wide, 0.0);
    let sum = node.reduce(x, &[axis], start, |b, total, x| {
        let x = b.cast(x, wide);
        b.add(total, if p == 1 { b.abs(x) } else { b.mul(x, x) })
    })?;
    Ok(vec![node.map(&[x, &sum], element, |b, v| {
        let norm = if p == 1 { v[1] } else { b.sqrt(v[1]) };
        let zero = b.like(norm, 0.0);
        let quotient = b.div(b.cast(v[0], wide), norm);
        b.cast(b.select(b.compare(Compare::Equal, norm, zero), zero, quotient), element)
    })?])
}

//! Which tensors of a function have a size that depends on data, and these sizes as index values.

use super::index_ops::{product, sum};
use crate::compute::linalg_builder::reassociation_of;
use crate::compute::symbolic_sizes::{DYNAMIC, SymbolicSizes, segments};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Block, Builder, Op, Structured, Type, Value, walk};
use std::collections::HashSet;

/// True if the op has a dynamic size, or may depend on one.
pub(super) fn may_have_data_sizes(op: Op) -> bool {
    let is_dynamic = |value: &Value| {
        value.ty().shaped().is_some_and(|(dims, _)| dims.iter().any(Option::is_none))
    };
    op.results().iter().any(is_dynamic) || !own_sizes(op).is_empty()
}

/// The operands that are sizes of what an op computes, or of its padding.
fn own_sizes<'c>(op: Op<'c>) -> Vec<Value<'c>> {
    match op.name() {
        "tensor.empty" | "tensor.generate" => op.operands(),
        "tensor.splat" | "tensor.expand_shape" => op.operands()[1..].to_vec(),
        "tensor.extract_slice" | "tensor.insert_slice" => match &segments(op)[..] {
            [.., sizes, _] => sizes.clone(),
            _ => vec![],
        },
        "tensor.pad" => segments(op).into_iter().skip(1).flatten().collect(),
        "tensor.reshape" => match op.operand(1).defining_op() {
            Some(list) if list.is("tensor.from_elements") => list.operands(),
            _ => vec![op.operand(1)],
        },
        _ => vec![],
    }
}

/// The tensors of a function whose sizes depend on data.
pub(super) struct DataSizedTensors<'c> {
    sizes: SymbolicSizes<'c>,
    tensors: HashSet<Value<'c>>,
    /// The ops of known size that read such tensors, or pad by data.
    readers: HashSet<Op<'c>>,
}

impl<'c> DataSizedTensors<'c> {
    pub fn of(body: Block<'c>) -> Self {
        let sizes = SymbolicSizes::of(body);
        let mut all = Self { sizes, tensors: HashSet::new(), readers: HashSet::new() };
        for op in body.ops() {
            let sizes_are_data = own_sizes(op).into_iter().any(|it| all.sizes.size(it).is_none());
            let reads = all.reads(op);
            if !sizes_are_data && !reads {
                continue;
            }
            for result in op.results() {
                if all.is_unknown(result) {
                    all.tensors.insert(result);
                }
            }
            let pads = matches!(op.name(), "tensor.pad" | "tensor.insert_slice");
            let is_known = op.results().iter().all(|it| all.numbers(*it).is_some());
            if is_known && !op.results().is_empty() && (reads || pads) {
                all.readers.insert(op);
            }
        }
        all
    }

    pub fn contains(&self, tensor: Value<'c>) -> bool {
        self.tensors.contains(&tensor)
    }

    /// True for an op of known size that reads tensors whose sizes depend on data, or pads by data.
    pub fn is_reader(&self, op: Op<'c>) -> bool {
        self.readers.contains(&op)
    }

    /// Records the sizes of a new tensor.
    pub fn add_known(&mut self, tensor: Value<'c>, dims: &[i64]) {
        self.sizes.set_dims(tensor, dims.iter().map(|size| Expr::from(*size)).collect());
    }

    /// The sizes of a tensor, if all are numbers. A scalar has none.
    pub fn numbers(&self, tensor: Value<'c>) -> Option<Vec<i64>> {
        let Some((types, _)) = tensor.ty().shaped() else { return Some(vec![]) };
        (0..types.len()).map(|dim| types[dim].or_else(|| self.number(tensor, dim))).collect()
    }

    /// True if a dimension of a tensor has one element.
    pub fn is_one(&self, tensor: Value<'c>, dim: usize) -> bool {
        let is_static =
            tensor.ty().shaped().is_some_and(|(types, _)| types.get(dim) == Some(&Some(1)));
        is_static || self.number(tensor, dim) == Some(1)
    }

    fn number(&self, tensor: Value<'c>, dim: usize) -> Option<i64> {
        self.sizes.known_dims(tensor)?.get(dim)?.simplified().constant()
    }

    /// True if an op uses a tensor whose sizes depend on data.
    fn reads(&self, op: Op<'c>) -> bool {
        walk(op).into_iter().flat_map(Op::operands).any(|it| self.contains(it))
    }

    /// True if a size of a tensor does not follow from those of arguments.
    fn is_unknown(&self, tensor: Value<'c>) -> bool {
        let Some((types, _)) = tensor.ty().shaped() else { return false };
        let Some(dims) = self.sizes.known_dims(tensor) else { return types.contains(&None) };
        let mut is_unknown = false;
        for dim in dims {
            dim.visit_leaves(&mut |leaf| {
                is_unknown |= matches!(leaf, Expr::Symbol(i) if self.sizes.origins[*i].is_none());
            });
        }
        is_unknown
    }

    /// Computes the size of a dimension of a tensor: a number, or a size that depends on data.
    pub fn size(&self, at: &Builder<'c>, tensor: Value<'c>, dim: usize) -> Option<Value<'c>> {
        let (types, _) = tensor.ty().shaped()?;
        if let Some(number) = (*types.get(dim)?).or_else(|| self.number(tensor, dim)) {
            return Some(at.index(number));
        }
        if !self.contains(tensor) {
            return None;
        }
        let op = tensor.defining_op()?;
        let operands = op.operands();
        let among_dynamic = types[..dim].iter().filter(|size| size.is_none()).count();
        if let Some(loops) = Structured::of(op) {
            return self.size(at, operands[loops.inputs + tensor.index()], dim);
        }
        match op.name() {
            "tensor.empty" | "tensor.generate" => operands.get(among_dynamic).copied(),
            "tensor.splat" => operands.get(1 + among_dynamic).copied(),
            "tensor.cast" => self.size(at, operands[0], dim),
            "tensor.insert_slice" => self.size(at, operands[1], dim),
            "tensor.extract_slice" => {
                let slice = SliceOp::of(op)?;
                let place = slice.kept.iter().position(|kept| *kept == Some(dim))?;
                Some(slice.sizes[place].value(at))
            }
            "tensor.pad" => {
                let (low, high) = padding(op)?;
                let size = self.size(at, operands[0], dim)?;
                let padded = sum(at, low[dim].value(at), size);
                Some(sum(at, padded, high[dim].value(at)))
            }
            "tensor.concat" => {
                let axis = op.attribute("dim").and_then(Attribute::as_i64)?;
                let joined = if axis == dim as i64 { &operands[..] } else { &operands[..1] };
                let mut size = at.index(0);
                for operand in joined {
                    size = sum(at, size, self.size(at, *operand, dim)?);
                }
                Some(size)
            }
            "tensor.reshape" => listed(at, operands[1], dim),
            "tensor.expand_shape" => {
                let shape = op.attribute("static_output_shape")?.as_integers()?;
                let dims = mixed(&shape, &operands[1..])?;
                Some(dims.get(dim)?.value(at))
            }
            "tensor.collapse_shape" => {
                let mut size = at.index(1);
                for place in reassociation_of(op)?.get(dim)? {
                    size = product(at, size, self.size(at, operands[0], *place)?);
                }
                Some(size)
            }
            _ => None,
        }
    }

    /// The sizes of a tensor as values.
    pub fn all_sizes(&self, at: &Builder<'c>, tensor: Value<'c>) -> Option<Vec<Value<'c>>> {
        let rank = tensor.ty().shaped()?.0.len();
        (0..rank).map(|dim| self.size(at, tensor, dim)).collect()
    }
}

/// A tensor without casts, and its sizes, if its type states them. A size that is a number only because an op needs it to be
/// one does not count: without that op, nothing checks it.
pub(super) fn static_sizes<'c>(tensor: Value<'c>) -> Option<(Value<'c>, Vec<i64>)> {
    let sizes: Option<Vec<i64>> = tensor.ty().shaped()?.0.into_iter().collect();
    match (sizes, tensor.defining_op()) {
        (Some(sizes), _) => Some((tensor, sizes)),
        (None, Some(op)) if op.is("tensor.cast") => static_sizes(op.operand(0)),
        _ => None,
    }
}

/// An entry of a list of static and dynamic numbers.
#[derive(Clone, Copy)]
pub(super) enum Entry<'c> {
    Number(i64),
    Value(Value<'c>),
}

impl<'c> Entry<'c> {
    pub fn value(self, at: &Builder<'c>) -> Value<'c> {
        match self {
            Entry::Number(number) => at.index(number),
            Entry::Value(value) => value,
        }
    }

    pub fn is(self, number: i64) -> bool {
        matches!(self, Entry::Number(found) if found == number)
    }
}

fn mixed<'c>(entries: &[i64], values: &[Value<'c>]) -> Option<Vec<Entry<'c>>> {
    let mut values = values.iter();
    let mut entry = |entry: &i64| match *entry {
        DYNAMIC => values.next().map(|value| Entry::Value(*value)),
        number => Some(Entry::Number(number)),
    };
    entries.iter().map(&mut entry).collect()
}

/// The padding of a `tensor.pad` at the low and at the high side of each dimension.
pub(super) fn padding(op: Op) -> Option<(Vec<Entry>, Vec<Entry>)> {
    let groups = segments(op);
    let [_, low, high] = &groups[..] else { return None };
    let entries = |name: &str| op.attribute(name).and_then(Attribute::as_integers);
    Some((mixed(&entries("static_low")?, low)?, mixed(&entries("static_high")?, high)?))
}

/// The slice of a `tensor.extract_slice` or `tensor.insert_slice`, one entry a dimension of the tensor.
pub(super) struct SliceOp<'c> {
    pub offsets: Vec<Entry<'c>>,
    pub sizes: Vec<Entry<'c>>,
    pub strides: Vec<i64>,
    /// The dimension of the slice; `None` if the slice leaves it out.
    pub kept: Vec<Option<usize>>,
}

impl<'c> SliceOp<'c> {
    /// `None` if a stride is not a positive number.
    pub fn of(op: Op<'c>) -> Option<Self> {
        let groups = segments(op);
        let [.., offsets, sizes, strides] = &groups[..] else { return None };
        let entries = |name: &str| op.attribute(name).and_then(Attribute::as_integers);
        let (static_sizes, static_strides) = (entries("static_sizes")?, entries("static_strides")?);
        let are_positive = strides.is_empty() && static_strides.iter().all(|stride| *stride > 0);
        let slice = if op.is("tensor.insert_slice") { op.operand(0) } else { op.result(0) };
        let kept = kept_dims(&static_sizes, &slice.ty().shaped()?.0)?;
        are_positive.then_some(Self {
            offsets: mixed(&entries("static_offsets")?, offsets)?,
            sizes: mixed(&static_sizes, sizes)?,
            strides: static_strides,
            kept,
        })
    }
}

/// The dimension of the slice for each size of the tensor. A slice leaves out dimensions of size 1.
fn kept_dims(sizes: &[i64], types: &[Option<i64>]) -> Option<Vec<Option<usize>>> {
    let mut next = 0;
    let mut kept = vec![];
    for (i, size) in sizes.iter().enumerate() {
        let is_left_out = *size == 1 && sizes.len() - i > types.len() - next;
        let is_same = types.get(next).is_some_and(|ty| match ty {
            Some(ty) => ty == size || *size == DYNAMIC,
            None => *size == DYNAMIC,
        });
        if is_same {
            kept.push(Some(next));
            next += 1;
        } else if is_left_out {
            kept.push(None);
        } else {
            return None;
        }
    }
    (next == types.len()).then_some(kept)
}

/// Entry `dim` of the list of sizes of a reshape.
fn listed<'c>(at: &Builder<'c>, list: Value<'c>, dim: usize) -> Option<Value<'c>> {
    let (_, element) = list.ty().shaped()?;
    let size = match list.defining_op() {
        Some(op) if op.is("tensor.from_elements") => *op.operands().get(dim)?,
        _ => at.op("tensor.extract", &[list, at.index(dim as i64)], element),
    };
    let index = Type::index(at.context());
    Some(if element.is_index() { size } else { at.op("arith.index_cast", &[size], index) })
}

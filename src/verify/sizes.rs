//! Chooses the sizes of arguments for a verification run.
//!
//! Dimensions that are the same size in the function are equal, and so are those indexed by iters over the
//! same size. A dimension that no size reads is as large as the accesses need.

use crate::interpreter::scalar::ScalarType;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Op, TypeKind, Value};
use crate::nest::state::State;
use crate::nest::summary::BufferId;
use crate::nest::summary::VariableId;
use crate::nest::summary::{Block, Summary, Variable};
use std::collections::BTreeSet;
use std::fmt;

/// The maximal number of shapes that are tried.
const MAX_SHAPES: usize = 48;

/// Factors above this would make the interpreter's runs too large, so they are ignored.
const MAX_FACTOR: i64 = 64;

/// The arguments of a run: name, type and sizes. An index argument has a value instead of sizes; other
/// scalars have neither.
#[derive(Clone, Debug)]
pub struct RunShape {
    pub arguments: Vec<Sized>,
    /// Values of the summary's sizes.
    pub sizes: Vec<i64>,
    /// The function has dynamic sizes, so there are other shapes.
    pub is_dynamic: bool,
}

/// An argument with its sizes.
#[derive(Clone, Debug)]
pub struct Sized {
    pub name: String,
    pub kind: ArgumentKind,
}

#[derive(Clone, Debug)]
pub enum ArgumentKind {
    Buffer(ScalarType, Vec<usize>),
    Tensor(ScalarType, Vec<usize>),
    Index(i64),
    Number(ScalarType),
}

impl fmt::Display for RunShape {
    /// `A 3x5, B 5, n = 7`
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = |this: &Sized| match &this.kind {
            ArgumentKind::Buffer(_, sizes) | ArgumentKind::Tensor(_, sizes)
                if !sizes.is_empty() =>
            {
                let sizes: Vec<_> = sizes.iter().map(usize::to_string).collect();
                Some(format!("{} {}", this.name, sizes.join("x")))
            }
            ArgumentKind::Index(value) => Some(format!("{} = {value}", this.name)),
            ArgumentKind::Buffer(..) | ArgumentKind::Tensor(..) | ArgumentKind::Number(_) => None,
        };
        let all: Vec<_> = self.arguments.iter().filter_map(text).collect();
        f.write_str(if all.is_empty() { "none" } else { "" })?;
        f.write_str(&all.join(", "))
    }
}

/// A dynamic size: a dimension of an argument, or without a dimension an index argument.
type SizeSlot = (usize, Option<usize>);

/// The sizes of a function, and which of them must be equal.
pub struct FunctionSizes<'s> {
    summary: &'s Summary,
    arguments: Vec<(String, Type)>,
    /// For each size of the summary the slot that it reads.
    slots: Vec<Option<SizeSlot>>,
    /// The class of each size; sizes that must be equal have the same class.
    classes: Vec<usize>,
    /// Slots that no size reads, each with a size that it must equal, if there is one.
    free: Vec<(SizeSlot, Option<usize>)>,
    /// For each buffer the number of the argument that it is, if it is one.
    buffers: Vec<Option<usize>>,
}

enum Type {
    Buffer(ScalarType, Vec<Option<i64>>),
    Index,
}

impl<'s> FunctionSizes<'s> {
    /// The error text continues "cannot be verified: ".
    pub fn of(state: &'s State) -> Result<FunctionSizes<'s>, String> {
        let summary = state.summary();
        let values = state.function.body(0).map(|body| body.arguments()).unwrap_or_default();
        let mut arguments = vec![];
        for (i, value) in values.iter().enumerate() {
            let name = argument_name(state.function, i);
            let of_buffer = value
                .ty()
                .shaped()
                .and_then(|(dims, element)| Some(Type::Buffer(ScalarType::of(element)?, dims)));
            let ty = match value.ty().kind() {
                TypeKind::Index => Some(Type::Index),
                TypeKind::MemRef { .. } => of_buffer,
                _ => None,
            };
            let why = || format!("argument {i} has the type {}", value.ty());
            arguments.push((name, ty.ok_or_else(why)?));
        }
        let slots: Vec<_> = state.sizes().iter().map(|size| slot(*size, &values)).collect();
        let buffer = |i: BufferId| values.iter().position(|value| *value == state.buffer(i));
        let buffers = summary.buffers.keys().map(buffer).collect();
        let classes = (0..slots.len()).collect();
        let mut reading =
            FunctionSizes { summary, arguments, slots, classes, free: vec![], buffers };
        reading.find_free();
        reading.join();
        Ok(reading)
    }

    fn find_free(&mut self) {
        for (i, (_, ty)) in self.arguments.iter().enumerate() {
            let slots: Vec<SizeSlot> = match ty {
                Type::Buffer(_, dims) => {
                    let dynamic = (0..dims.len()).filter(|d| dims[*d].is_none());
                    dynamic.map(|d| (i, Some(d))).collect()
                }
                Type::Index => vec![(i, None)],
            };
            let is_free = |slot: &SizeSlot| !self.slots.contains(&Some(*slot));
            self.free.extend(slots.into_iter().filter(is_free).map(|slot| (slot, None)));
        }
        // Two ops may read the same size.
        for a in 0..self.slots.len() {
            let first = (0..a).find(|b| self.slots[a].is_some() && self.slots[*b] == self.slots[a]);
            if let Some(first) = first {
                self.unite(a, first);
            }
        }
    }

    /// Unites the classes of sizes if one is the domain of an iter that indexes a dimension of the other
    /// size.
    fn join(&mut self) {
        let summary = self.summary;
        for (_, block) in summary.blocks() {
            for access in block.accesses() {
                for (d, index) in access.indices.iter().enumerate() {
                    let Some(size) = index.as_ref().and_then(|i| domain_size(summary, block, i))
                    else {
                        continue;
                    };
                    if let Some(Some(Expr::Symbol(other))) =
                        summary.buffers[access.buffer].shape.get(d)
                    {
                        self.unite(size, *other);
                    }
                    let Some(argument) = self.buffers[access.buffer.index()] else { continue };
                    let slot: SizeSlot = (argument, Some(d));
                    if let Some(other) = self.slots.iter().position(|s| *s == Some(slot)) {
                        self.unite(size, other);
                    }
                    if let Some((_, equal)) = self.free.iter_mut().find(|(s, _)| *s == slot) {
                        *equal = Some(size);
                    }
                }
            }
        }
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (from, to) = (self.classes[a], self.classes[b]);
        self.classes.iter_mut().filter(|class| **class == from).for_each(|class| *class = to);
    }

    /// The shapes to try, small ones first.
    pub fn shapes(&self, factors: &[i64]) -> Vec<RunShape> {
        let is_unknown = |i: &usize| self.slots[*i].is_some() && self.summary.sizes[*i].is_none();
        let unknown: Vec<usize> = (0..self.slots.len()).filter(is_unknown).collect();
        let mut classes: Vec<usize> = unknown.iter().map(|i| self.classes[*i]).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut found = vec![];
        for values in combinations(classes.len(), &candidates(factors)) {
            let of = |i: usize| {
                let class = classes.iter().position(|class| *class == self.classes[i]);
                self.summary.sizes[i].or_else(|| class.map(|class| values[class])).unwrap_or(1)
            };
            let sizes: Vec<i64> = (0..self.slots.len()).map(of).collect();
            found.push(self.shape(sizes, !classes.is_empty()));
        }
        found.sort_by_cached_key(|shape| (self.work(shape), shape.to_string()));
        found
    }

    fn shape(&self, sizes: Vec<i64>, is_dynamic: bool) -> RunShape {
        let of_slot = |slot: SizeSlot| {
            let taken = self.slots.iter().position(|s| *s == Some(slot)).map(|i| sizes[i]);
            let equal = self.free.iter().find(|(s, _)| *s == slot).and_then(|(_, equal)| *equal);
            taken.or(equal.map(|i| sizes[i])).unwrap_or_else(|| self.needed(slot, &sizes))
        };
        let sized = |(i, (name, ty)): (usize, &(String, Type))| {
            let dim = |(d, dim): (usize, &Option<i64>)| {
                let size = dim.unwrap_or_else(|| of_slot((i, Some(d))));
                usize::try_from(size).unwrap_or(0)
            };
            let kind = match ty {
                Type::Buffer(element, dims) => {
                    ArgumentKind::Buffer(*element, dims.iter().enumerate().map(dim).collect())
                }
                Type::Index => ArgumentKind::Index(of_slot((i, None))),
            };
            Sized { name: name.clone(), kind }
        };
        let arguments = self.arguments.iter().enumerate().map(sized).collect();
        RunShape { arguments, sizes, is_dynamic }
    }

    /// The extent of a dimension that the accesses need, estimated at the corners of the domains.
    fn needed(&self, (argument, dim): SizeSlot, sizes: &[i64]) -> i64 {
        let Some(dim) = dim else { return 1 };
        let mut needed = 1;
        for (_, block) in self.summary.blocks() {
            let of_argument = block
                .accesses()
                .iter()
                .filter(|it| self.buffers[it.buffer.index()] == Some(argument));
            for index in of_argument.filter_map(|access| access.indices[dim].as_ref()) {
                let mut dims = vec![0; self.summary.variables.len()];
                for corner in 0..1usize << block.iters.len().min(6) {
                    for (i, iter) in block.iters.iter().enumerate() {
                        let last = domain(block, i, sizes).unwrap_or(1).max(1) - 1;
                        dims[iter.variable.index()] = if corner >> i & 1 == 1 { last } else { 0 };
                    }
                    needed = needed.max(index.evaluate(&dims, sizes).unwrap_or(0) + 1);
                }
            }
        }
        needed
    }

    /// The approximate number of block instances that run.
    pub fn work(&self, shape: &RunShape) -> u64 {
        let instances = |block: &Block| {
            let domains = (0..block.iters.len()).map(|i| domain(block, i, &shape.sizes));
            domains.fold(1u64, |all, size| {
                all.saturating_mul(size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0))
            })
        };
        let leaves = self.summary.blocks().filter(|(_, block)| !block.accesses().is_empty());
        leaves.map(|(_, block)| instances(block)).fold(1, u64::saturating_add)
    }
}

/// The extent of an iter's domain for the given sizes.
pub fn domain(block: &Block, iter: usize, sizes: &[i64]) -> Option<i64> {
    let bounds = block.iters[iter].domain.iter().map(|expr| expr.evaluate(&[], sizes));
    bounds.collect::<Option<Vec<i64>>>()?.into_iter().min()
}

/// If an index is an iter whose domain is one size: that size.
fn domain_size(summary: &Summary, block: &Block, index: &Expr) -> Option<usize> {
    let Expr::Dim(variable) = index else { return None };
    let Variable::Iter(_, i) = summary.variables[VariableId::of_dim(*variable)] else {
        return None;
    };
    match block.iters.get(i).filter(|iter| iter.variable == VariableId::of_dim(*variable))?.domain[..]
    {
        [Expr::Symbol(size)] => Some(size),
        _ => None,
    }
}

/// The slot that a size reads.
fn slot(size: Value, arguments: &[Value]) -> Option<SizeSlot> {
    let place = |value: Value| arguments.iter().position(|argument| *argument == value);
    if let Some(argument) = place(size) {
        return Some((argument, None));
    }
    let op = size.defining_op().filter(|op| op.is("memref.dim"))?;
    let dim = op.operands()[1].defining_op()?.attribute("value").and_then(Attribute::as_i64)?;
    Some((place(op.operands()[0])?, Some(usize::try_from(dim).ok()?)))
}

/// Candidate sizes: 0, 1, small primes, and the neighbours of factors.
pub fn candidates(factors: &[i64]) -> Vec<i64> {
    let mut sizes = BTreeSet::from([0, 1, 2, 3, 5, 7]);
    for factor in factors.iter().filter(|factor| (2..=MAX_FACTOR).contains(*factor)) {
        sizes.extend([factor - 1, *factor, factor + 1]);
    }
    sizes.into_iter().collect()
}

/// Assigns sizes to `n` classes: equal sizes first, then different ones.
pub fn combinations(n: usize, sizes: &[i64]) -> Vec<Vec<i64>> {
    if n == 0 {
        return vec![vec![]];
    }
    let mut found: Vec<Vec<i64>> = vec![];
    for turn in 0..sizes.len() {
        for i in 0..sizes.len() {
            // Class j is `turn * j` positions further, so each turn combines the sizes differently.
            let values: Vec<i64> = (0..n).map(|j| sizes[(i + turn * j) % sizes.len()]).collect();
            if !found.contains(&values) && found.len() < MAX_SHAPES {
                found.push(values);
            }
        }
    }
    found
}

/// The name of an argument in messages.
pub fn argument_name(function: Op, i: usize) -> String {
    function
        .argument_attribute(i, "loop.name")
        .and_then(Attribute::as_str)
        .map_or_else(|| format!("arg{i}"), str::to_owned)
}

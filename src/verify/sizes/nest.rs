//! The sizes of a function of schedule blocks, and which of them must be equal.
//!
//! Dimensions that are the same size in the function are equal, and so are those indexed by iters over the
//! same size. A dimension that no size reads is as large as the accesses need.

use super::{ArgumentKind, RunShape, SizeSlot, assigned, open_sizes, sized, unsupported};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Op, Type, Value};
use crate::nest::state::State;
use crate::nest::summary::{Block, BufferId, Summary, Variable, VariableId};

/// The shapes to try, those with few block instances first. The error states why there are none.
pub fn shapes(state: &State, factors: &[i64]) -> Result<Vec<RunShape>, String> {
    NestSizes::of(state)?.shapes(factors)
}

/// The sizes of a function, and which of them must be equal.
struct NestSizes<'s, 'c> {
    function: Op<'c>,
    summary: &'s Summary,
    /// The types of the arguments.
    types: Vec<Type<'c>>,
    /// For each size of the summary the slot that it reads.
    slots: Vec<Option<SizeSlot>>,
    /// The class of each size; sizes that must be equal have the same class.
    classes: Vec<usize>,
    /// Slots that no size reads, each with a size that it must equal, if there is one.
    free: Vec<(SizeSlot, Option<usize>)>,
    /// For each buffer the number of the argument that it is, if it is one.
    buffers: Vec<Option<usize>>,
}

impl<'s, 'c> NestSizes<'s, 'c> {
    fn of(state: &'s State<'c>) -> Result<NestSizes<'s, 'c>, String> {
        let (function, summary) = (state.function, state.summary());
        let values = function.body(0).map(|body| body.arguments()).unwrap_or_default();
        let types: Vec<Type> = values.iter().map(|value| value.ty()).collect();
        let is_supported = |ty: &Type| {
            let kind = ArgumentKind::of(*ty, |_| 1);
            matches!(kind, Some(ArgumentKind::Buffer(..) | ArgumentKind::Index(_)))
        };
        if let Some(i) = types.iter().position(|ty| !is_supported(ty)) {
            return Err(unsupported(i, types[i]));
        }
        let slots: Vec<_> = state.sizes().iter().map(|size| slot(*size, &values)).collect();
        let buffer = |i: BufferId| values.iter().position(|value| *value == state.buffer(i));
        let buffers = summary.buffers.keys().map(buffer).collect();
        let classes = (0..slots.len()).collect();
        let mut reading =
            NestSizes { function, summary, types, slots, classes, free: vec![], buffers };
        reading.find_free();
        reading.join();
        Ok(reading)
    }

    fn find_free(&mut self) {
        let open = self.types.iter().enumerate().flat_map(|(i, ty)| open_sizes(i, *ty));
        let is_free = |slot: &SizeSlot| !self.slots.contains(&Some(*slot));
        self.free = open.filter(is_free).map(|slot| (slot, None)).collect();
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

    fn shapes(&self, factors: &[i64]) -> Result<Vec<RunShape>, String> {
        let is_unknown = |i: &usize| self.slots[*i].is_some() && self.summary.sizes[*i].is_none();
        let unknown: Vec<usize> = (0..self.slots.len()).filter(is_unknown).collect();
        let mut classes: Vec<usize> = unknown.iter().map(|i| self.classes[*i]).collect();
        classes.sort_unstable();
        classes.dedup();
        assigned(classes.len(), factors, |values| {
            let of = |i: usize| {
                let class = classes.iter().position(|class| *class == self.classes[i]);
                self.summary.sizes[i].or_else(|| class.map(|class| values[class])).unwrap_or(1)
            };
            let sizes: Vec<i64> = (0..self.slots.len()).map(of).collect();
            let arguments = sized(self.function, &self.types, |slot| self.size(slot, &sizes))?;
            let work = self.work(&sizes);
            Ok(RunShape { arguments, sizes, is_dynamic: !classes.is_empty(), work })
        })
    }

    fn size(&self, slot: SizeSlot, sizes: &[i64]) -> i64 {
        let taken = self.slots.iter().position(|s| *s == Some(slot)).map(|i| sizes[i]);
        let equal = self.free.iter().find(|(s, _)| *s == slot).and_then(|(_, equal)| *equal);
        taken.or(equal.map(|i| sizes[i])).unwrap_or_else(|| self.needed(slot, sizes))
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
    fn work(&self, sizes: &[i64]) -> u64 {
        let instances = |block: &Block| {
            let domains = (0..block.iters.len()).map(|i| domain(block, i, sizes));
            domains.fold(1u64, |all, size| {
                all.saturating_mul(size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0))
            })
        };
        let leaves = self.summary.blocks().filter(|(_, block)| !block.accesses().is_empty());
        leaves.map(|(_, block)| instances(block)).fold(1, u64::saturating_add)
    }
}

/// The extent of an iter's domain for the given sizes.
fn domain(block: &Block, iter: usize, sizes: &[i64]) -> Option<i64> {
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
    let dim = op.operand(1).defining_op()?.attribute("value").and_then(Attribute::as_i64)?;
    Some((place(op.operand(0))?, Some(usize::try_from(dim).ok()?)))
}

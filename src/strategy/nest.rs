//! Loop nest features that strategies choose by: the loops of a nest, and the strides of its accesses.

use crate::dialect::loop_enums::{Combiner, IterRole, LoopKind};
use crate::ir::affine::{Expr, Linear};
use crate::nest::summary::VariableId;
use crate::nest::summary::{Access, Block, Body, NodeId, NodeKind, Summary, mentions};
use crate::schedule::legality::fp;
use crate::schedule::{Schedule, ScheduleError};

/// Shorter rows are not worth lanes if results are contiguous.
pub const SHORT: i64 = 16;

/// The operations that a function such as `exp` expands to, roughly.
pub const FUNCTION_OPERATIONS: i64 = 20;

/// A perfect loop nest around one schedule block whose iters are bound to exactly those loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Nest {
    /// The name of the schedule block.
    pub block: String,
    /// The loops, outermost first.
    pub loops: Vec<NestLoop>,
    /// The loads of an instance.
    pub loads: Vec<NestAccess>,
    /// The stores of an instance.
    pub stores: Vec<NestAccess>,
    /// The combiners, if the block is a reduction.
    pub reducer: Option<Vec<Combiner>>,
    /// The number of arithmetic operations of an instance.
    pub operations: usize,
    /// The number of these operations that are functions such as `exp`.
    pub functions: usize,
    /// The number of these operations that extend a value to a wider type.
    pub widenings: usize,
    /// True if some access depends on a condition.
    pub is_conditional: bool,
    /// The loops that decide whether a value is loaded or is padding.
    pub padded: Vec<usize>,
    /// True if an instance loads what other instances may have stored, except the accumulator of a reduction.
    pub is_recurrent: bool,
    /// True if a result may be reduced in another order, by its operation and the contract of the function.
    pub may_reorder: bool,
}

/// A loop of a nest.
#[derive(Clone, Debug, PartialEq)]
pub struct NestLoop {
    /// The name.
    pub name: String,
    /// The extent, if it is constant.
    pub extent: Option<i64>,
    /// The extent, or the bounds whose minimum it is, over sizes and loops.
    pub bounds: Vec<Expr>,
    /// True if the iter that is bound to it has the role reduce.
    pub is_reduction: bool,
}

impl NestLoop {
    /// True if both loops have provably the same extent, for all sizes.
    pub fn is_as_long_as(&self, other: &NestLoop) -> bool {
        self.bounds == other.bounds && !self.bounds.iter().any(Expr::has_dims)
    }
}

/// A load or store of an instance. Loads of the accumulator of a reduction are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct NestAccess {
    /// The name of the buffer.
    pub buffer: String,
    /// The size of the whole buffer, if it is constant.
    pub bytes: Option<i64>,
    /// The size of an element, in bytes.
    pub element_bytes: i64,
    /// True if the buffer is an argument of the function, and no value between fusion groups.
    pub is_argument: bool,
    /// True if the buffer is a weight of which a copy in another layout costs nothing in a call.
    pub has_lifted_transforms: bool,
    /// The stride of the access along each loop.
    pub steps: Vec<AccessStride>,
    /// For each loop, the dimension whose index is exactly the loop's variable, if no other index depends on the loop.
    pub dimensions: Vec<Option<usize>>,
    /// The loops along which the access moves to the next element because all inner dimensions have size 1.
    pub columns: Vec<usize>,
    /// The rank of the buffer.
    pub rank: usize,
    /// The sizes of the buffer's dimensions, as far as they are known.
    pub sizes: Vec<Option<Expr>>,
}

/// The stride of an access from one iteration of a loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessStride {
    /// The element does not depend on the loop.
    None,
    /// One element.
    Unit,
    /// A constant stride of a few elements within a row.
    Near,
    /// Any other stride.
    Far,
}

impl Nest {
    /// The nest around a schedule block, if it has this form. It may be in a branch on sizes.
    pub fn of(summary: &Summary, node: NodeId) -> Option<Nest> {
        let block = summary.as_block(node)?;
        let Body::Leaf { operations, functions, widenings, calls: false, .. } = block.body else {
            return None;
        };
        let is_branch = |node: &NodeId| matches!(summary.nodes[*node].kind, NodeKind::If(_));
        let mut nodes: Vec<NodeId> =
            summary.ancestors(node).take_while(|it| !is_branch(it)).collect();
        let mut around = summary.ancestors(node).skip(nodes.len());
        if !around.all(|it| is_branch(&it)) {
            return None;
        }
        nodes.reverse();
        let is_chain = nodes
            .iter()
            .chain([&node])
            .skip(1)
            .zip(&nodes)
            .all(|(inner, outer)| summary.nodes[*outer].children[..] == [*inner]);
        let is_whole = block.predicate.is_empty() && block.iters.len() == nodes.len();
        if !is_chain || !is_whole {
            return None;
        }
        let (mut loops, mut padded) = (vec![], vec![]);
        for outer in &nodes {
            let this = summary.as_loop(*outer)?;
            let variable = this.variable.expr();
            let place = block.binding.iter().position(|bound| *bound == variable)?;
            let is_plain = this.kind == LoopKind::Serial && this.annotations.is_empty();
            let iter = &block.iters[place];
            if !is_plain || iter.role == IterRole::Opaque {
                return None;
            }
            let mut conditions = block.padding.iter().flatten();
            if conditions.any(|condition| mentions(condition.expr(), iter.variable)) {
                padded.push(loops.len());
            }
            loops.push(NestLoop {
                name: this.name.clone(),
                extent: this.constant_extent(),
                bounds: this.extent.iter().map(|bound| summary.simplified(bound)).collect(),
                is_reduction: iter.role == IterRole::Reduce,
            });
        }
        let is_accumulator = |access: &&Access| {
            block.reducer.is_some()
                && !access.is_write
                && block.stores().any(|store| store.buffer == access.buffer)
        };
        let of_access = |access: &Access| NestAccess::of(summary, block, &nodes, access);
        let counted = |access: &&Access| !access.in_init;
        let loads = block.loads().filter(counted).filter(|load| !is_accumulator(load));
        let loads: Vec<NestAccess> = loads.map(of_access).collect();
        let stores: Vec<NestAccess> = block.stores().filter(counted).map(of_access).collect();
        let is_stored = |load: &NestAccess| stores.iter().any(|store| store.buffer == load.buffer);
        Some(Nest {
            block: block.name.clone(),
            is_recurrent: loads.iter().any(is_stored),
            loads,
            stores,
            reducer: block.reducer.clone(),
            operations,
            functions,
            widenings,
            is_conditional: block.accesses().iter().any(|access| access.is_conditional),
            padded,
            loops,
            may_reorder: block.reducer.is_some() && fp::may_reorder_updates(summary, node).is_ok(),
        })
    }

    /// The handle of a loop for schedule steps.
    pub fn at(&self, axis: usize) -> String {
        at(&self.block, &self.loops[axis].name)
    }

    /// The indices of the spatial loops, outermost first.
    pub fn spatial(&self) -> Vec<usize> {
        (0..self.loops.len()).filter(|i| !self.loops[*i].is_reduction).collect()
    }

    /// The indices of the reduction loops, outermost first.
    pub fn reductions(&self) -> Vec<usize> {
        (0..self.loops.len()).filter(|i| self.loops[*i].is_reduction).collect()
    }

    /// True if a loop of the nest is a reduction.
    pub fn is_reduction(&self) -> bool {
        self.loops.iter().any(|axis| axis.is_reduction)
    }

    /// True if it reduces a window that moves with the result, as a pooling does: an index is a sum of a spatial loop and a
    /// reduction loop. The innermost reduction loop is short, or adjacent results read adjacent elements.
    pub fn reduces_windows(&self) -> bool {
        let is_adjacent = |axis: usize| {
            let mut steps = self.loads.iter().map(|load| load.steps[axis]);
            steps.all(|step| matches!(step, AccessStride::None | AccessStride::Unit))
        };
        if !self.reduces_short_rows() && !self.store_axis().is_some_and(is_adjacent) {
            return false;
        }
        let is_moved = |axis: &usize| {
            let mut loads = self.loads.iter();
            loads.any(|it| it.steps[*axis] != AccessStride::None && it.dimensions[*axis].is_none())
        };
        self.reductions().iter().any(is_moved)
    }

    /// True if the innermost reduction loop has few iterations.
    pub fn reduces_short_rows(&self) -> bool {
        let last = self.reductions().last().and_then(|axis| self.loops[*axis].extent);
        last.is_some_and(|extent| extent < SHORT)
    }

    /// True if its innermost loops are the reduction loops, and it reads contiguously along the last of them.
    pub fn reduces_rows(&self) -> bool {
        self.reduces_rows_or_column()
            && self.reduces_last(|load, last| load.steps[last] != AccessStride::Far)
    }

    /// Like [`Nest::reduces_rows`], but a matrix of one column also counts as a row.
    pub fn reduces_rows_or_column(&self) -> bool {
        let is_outside = |axis: &usize| self.reductions().first().is_some_and(|first| axis < first);
        self.reduces_around() && self.spatial().iter().all(is_outside)
    }

    /// True if the innermost loop is a reduction loop that it reads along; spatial loops may be anywhere around it.
    pub fn reduces_around(&self) -> bool {
        self.reduces_last(|load, last| {
            load.steps[last] != AccessStride::Far || load.columns.contains(&last)
        })
    }

    fn reduces_last(&self, is_read: impl Fn(&NestAccess, usize) -> bool) -> bool {
        let Some(last) = self.reductions().last().copied() else { return false };
        last + 1 == self.loops.len()
            && self.loads.iter().all(|load| is_read(load, last))
            && self.loads.iter().any(|load| load.steps[last] == AccessStride::Unit)
    }

    /// The number of instances, if it is known.
    pub fn instances(&self) -> Option<i64> {
        product(self.loops.iter().map(|axis| axis.extent))
    }

    /// True if it provably has no more instances than another nest, for all sizes.
    pub fn is_no_larger_than(&self, other: &Nest) -> bool {
        let mut others: Vec<&NestLoop> = other.loops.iter().collect();
        let mut own = 1i64;
        for axis in &self.loops {
            match others.iter().position(|it| it.is_as_long_as(axis)) {
                Some(same) => drop(others.remove(same)),
                None => match axis.extent {
                    Some(extent) => own = own.saturating_mul(extent),
                    None => return false,
                },
            }
        }
        // An unknown size is at least 1, or there are no instances.
        own <= others.iter().map(|axis| axis.extent.unwrap_or(1)).fold(1, i64::saturating_mul)
    }

    /// The rough cost of one instance in cycles, to decide what is worth a thread.
    pub fn cycles(&self) -> i64 {
        let simple = self.operations - self.functions + self.loads.len() + self.stores.len();
        let functions = i64::try_from(self.functions).unwrap_or(i64::MAX);
        let simple = i64::try_from(simple).unwrap_or(i64::MAX);
        functions.saturating_mul(FUNCTION_OPERATIONS).saturating_add(simple)
    }

    /// The rough cost of all instances in vectors of `lanes` lanes, if it is known.
    pub fn all_cycles(&self, lanes: i64) -> Option<i64> {
        self.instances().map(|instances| instances.saturating_mul(self.cycles()) / lanes)
    }

    /// The names and extents of the spatial loops except those in `without`, outermost first.
    pub fn spatial_but(&self, without: &[usize]) -> Vec<(String, Option<i64>)> {
        let axes = self.spatial().into_iter().filter(|axis| !without.contains(axis));
        axes.map(|axis| (self.loops[axis].name.clone(), self.loops[axis].extent)).collect()
    }

    /// The loop along which all stores are contiguous.
    pub fn store_axis(&self) -> Option<usize> {
        let store = self.stores.first()?;
        let axis = store.steps.iter().position(|step| *step == AccessStride::Unit)?;
        self.stores.iter().all(|other| other.steps[axis] == AccessStride::Unit).then_some(axis)
    }

    /// The largest element size in bytes.
    pub fn element_bytes(&self) -> i64 {
        let accesses = self.loads.iter().chain(&self.stores);
        accesses.map(|access| access.element_bytes).max().unwrap_or(4).max(1)
    }
}

/// The handle of a loop around a schedule block for schedule steps.
pub fn at(block: &str, axis: &str) -> String {
    format!("{block}:{axis}")
}

/// Reorders loops of a block, outermost first, if their order differs.
pub fn order(
    schedule: &mut Schedule,
    block: &str,
    loops: impl IntoIterator<Item = String>,
) -> Result<(), ScheduleError> {
    let wanted: Vec<String> = loops.into_iter().map(|name| at(block, &name)).collect();
    let mut present = schedule.loops(block)?;
    present.retain(|name| wanted.contains(name));
    match wanted == present {
        true => Ok(()),
        false => schedule.reorder(&wanted.iter().map(String::as_str).collect::<Vec<_>>()),
    }
}

/// The product of the factors, if all are known.
pub fn product(mut factors: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    factors.try_fold(1i64, |product, factor| product.checked_mul(factor?))
}

impl NestAccess {
    fn of(summary: &Summary, block: &Block, nodes: &[NodeId], access: &Access) -> NestAccess {
        let buffer = &summary.buffers[access.buffer];
        let element_bytes = buffer.element_bytes.unwrap_or(1);
        let elements = product(buffer.shape.iter().map(|size| size.as_ref()?.constant()));
        let iter = |outer: &NodeId| {
            let variable = summary.as_loop(*outer).map(|this| this.variable.expr());
            let place = block.binding.iter().position(|bound| Some(bound) == variable.as_ref());
            place.map(|place| block.iters[place].variable)
        };
        let step = |outer: &NodeId| {
            iter(outer).map_or(AccessStride::Far, |iter| step(access, iter.index()))
        };
        let dimension =
            |outer: &NodeId| iter(outer).and_then(|iter| dimension(access, iter.index()));
        let dimensions: Vec<Option<usize>> = nodes.iter().map(dimension).collect();
        let is_one = |size: &Option<Expr>| size.as_ref().and_then(Expr::constant) == Some(1);
        let is_column = |axis: &usize| {
            let inner = dimensions[*axis].map(|dimension| &buffer.shape[dimension + 1..]);
            inner.is_some_and(|inner| !inner.is_empty() && inner.iter().all(is_one))
        };
        NestAccess {
            buffer: buffer.name.clone(),
            bytes: elements.and_then(|elements| elements.checked_mul(element_bytes)),
            element_bytes,
            is_argument: buffer.scope.is_none() && !buffer.is_between_groups,
            has_lifted_transforms: buffer.has_lifted_transforms,
            steps: nodes.iter().map(step).collect(),
            columns: (0..nodes.len()).filter(is_column).collect(),
            dimensions,
            rank: access.indices.len(),
            sizes: buffer.shape.clone(),
        }
    }
}

/// The dimension whose index is exactly `iter`, if no other index depends on `iter`.
fn dimension(access: &Access, iter: usize) -> Option<usize> {
    let moves = |index: &Option<Expr>| {
        index.as_ref().is_none_or(|index| mentions(index, VariableId::of_dim(iter)))
    };
    let moved: Vec<usize> =
        (0..access.indices.len()).filter(|i| moves(&access.indices[*i])).collect();
    match moved[..] {
        [one] if access.indices[one] == Some(Expr::Dim(iter)) => Some(one),
        _ => None,
    }
}

/// The largest stride that counts as near: a vector of such elements is in a few cache lines.
pub const NEAR: i64 = 4;

/// The stride of an access along an iter of its block.
fn step(access: &Access, iter: usize) -> AccessStride {
    let moves = |index: &Option<Expr>| {
        index.as_ref().is_none_or(|index| mentions(index, VariableId::of_dim(iter)))
    };
    let Some((last, outer)) = access.indices.split_last() else { return AccessStride::None };
    if outer.iter().any(moves) {
        return AccessStride::Far;
    }
    let Some(last) = last.as_ref().filter(|last| mentions(last, VariableId::of_dim(iter))) else {
        return if last.is_none() { AccessStride::Far } else { AccessStride::None };
    };
    let mut rest = Linear::of(last);
    match rest.terms.remove(&Expr::Dim(iter)) {
        Some(_) if mentions(&rest.to_expr(), VariableId::of_dim(iter)) => AccessStride::Far,
        Some(1) => AccessStride::Unit,
        Some(2..=NEAR) => AccessStride::Near,
        _ => AccessStride::Far,
    }
}

//! What a schedule is chosen by: the loops of a nest, and how its accesses follow them.

use crate::dialect::loop_enums::{Combiner, IterRole, LoopKind};
use crate::ir::affine::{Expr, Linear};
use crate::nest::summary::{Access, Block, Body, NodeId, Summary, mentions};
use crate::schedule::{Schedule, ScheduleError};

/// A nest of loops, each the only thing in the one before, around one schedule block whose iters are those loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Nest {
    pub block: String,
    /// Outermost first.
    pub loops: Vec<Axis>,
    pub loads: Vec<Touch>,
    pub stores: Vec<Touch>,
    /// How values are joined, of a reduction.
    pub reducer: Option<Vec<Combiner>>,
    /// Operations of arithmetic in an instance.
    pub operations: usize,
    /// Those of them that are functions such as `exp`.
    pub functions: usize,
    /// Those of them that give a number as one of a wider type.
    pub widenings: usize,
    /// What it loads depends on a condition.
    pub is_conditional: bool,
    /// The loops on which it depends whether a value is loaded or is what pads.
    pub padded: Vec<usize>,
    /// It loads what other instances of it may have stored, beside what it reduces into.
    pub is_recurrent: bool,
}

/// A loop of a nest.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    pub name: String,
    /// If it is a number.
    pub extent: Option<i64>,
    /// The extent, or the bounds of which it is the least, over sizes and loops.
    pub bounds: Vec<Expr>,
    pub is_reduction: bool,
}

impl Axis {
    /// Are two known to have as many iterations, whatever sizes are?
    pub fn is_as_long_as(&self, other: &Axis) -> bool {
        self.bounds == other.bounds && !self.bounds.iter().any(Expr::has_dims)
    }
}

/// A load or store of an instance; those of the value that is reduced into are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    pub buffer: String,
    /// Of the whole buffer, if it is a number.
    pub bytes: Option<i64>,
    pub element_bytes: i64,
    /// An argument of the function.
    pub is_argument: bool,
    /// How the place moves with each loop.
    pub steps: Vec<Step>,
    /// For each loop the dimension of which the index is its variable, if nothing else of the place moves with it.
    pub dimensions: Vec<Option<usize>>,
    /// The loops with which the place moves to the next element, which is a row of its own.
    pub columns: Vec<usize>,
    /// Dimensions of the buffer.
    pub rank: usize,
}

/// How far the place of an access moves from one iteration of a loop to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    None,
    /// To the next element.
    Unit,
    /// By the same few elements of a row each time.
    Near,
    Far,
}

impl Nest {
    /// The nest around a schedule block, if it has the form.
    pub fn of(summary: &Summary, node: NodeId) -> Option<Nest> {
        let block = summary.as_block(node)?;
        let Body::Leaf { operations, functions, widenings, calls: false, .. } = block.body else {
            return None;
        };
        let mut nodes: Vec<NodeId> = summary.ancestors(node).collect();
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
            let variable = Expr::Dim(this.variable);
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
            loops.push(Axis {
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
        let touch = |access: &Access| Touch::of(summary, block, &nodes, access);
        let counted = |access: &&Access| !access.in_init;
        let loads = block.loads().filter(counted).filter(|load| !is_accumulator(load));
        let loads: Vec<Touch> = loads.map(touch).collect();
        let stores: Vec<Touch> = block.stores().filter(counted).map(touch).collect();
        let is_stored = |load: &Touch| stores.iter().any(|store| store.buffer == load.buffer);
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
        })
    }

    /// The name of a loop, as steps take it.
    pub fn at(&self, axis: usize) -> String {
        at(&self.block, &self.loops[axis].name)
    }

    /// The numbers of the loops that do not reduce, outermost first.
    pub fn spatial(&self) -> Vec<usize> {
        (0..self.loops.len()).filter(|i| !self.loops[*i].is_reduction).collect()
    }

    /// The numbers of the loops that reduce, outermost first.
    pub fn reductions(&self) -> Vec<usize> {
        (0..self.loops.len()).filter(|i| self.loops[*i].is_reduction).collect()
    }

    pub fn is_reduction(&self) -> bool {
        self.loops.iter().any(|axis| axis.is_reduction)
    }

    /// Does it reduce along its innermost loops, and read along the last of them?
    pub fn reduces_rows(&self) -> bool {
        self.reduces_rows_or_column()
            && self.reduces_last(|load, last| load.steps[last] != Step::Far)
    }

    /// Does it so, if a matrix of one column is a row, too?
    pub fn reduces_rows_or_column(&self) -> bool {
        let is_outside = |axis: &usize| self.reductions().first().is_some_and(|first| axis < first);
        self.reduces_around() && self.spatial().iter().all(is_outside)
    }

    /// Does it so, if loops that do not reduce stand around the innermost one, wherever among the others?
    pub fn reduces_around(&self) -> bool {
        self.reduces_last(|load, last| {
            load.steps[last] != Step::Far || load.columns.contains(&last)
        })
    }

    fn reduces_last(&self, is_read: impl Fn(&Touch, usize) -> bool) -> bool {
        let Some(last) = self.reductions().last().copied() else { return false };
        last + 1 == self.loops.len()
            && self.loads.iter().all(|load| is_read(load, last))
            && self.loads.iter().any(|load| load.steps[last] == Step::Unit)
    }

    /// The instances, if their number is known.
    pub fn instances(&self) -> Option<i64> {
        product(self.loops.iter().map(|axis| axis.extent))
    }

    /// Is it known to have no more instances than another nest, whatever sizes are?
    pub fn is_no_larger_than(&self, other: &Nest) -> bool {
        let mut others: Vec<&Axis> = other.loops.iter().collect();
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
        // A size that is not known is 1 at least, or there are no instances.
        own <= others.iter().map(|axis| axis.extent.unwrap_or(1)).fold(1, i64::saturating_mul)
    }

    /// The instances of a loop's iteration, if their number is known.
    pub fn instances_in(&self, axis: usize) -> Option<i64> {
        product(self.loops[axis + 1..].iter().map(|axis| axis.extent))
    }

    /// Cycles of an instance by itself, roughly: for what is worth a thread and what is not.
    pub fn cycles(&self) -> i64 {
        let simple = self.operations - self.functions + self.loads.len() + self.stores.len();
        i64::try_from(simple + 20 * self.functions).unwrap_or(i64::MAX)
    }

    /// Those of all instances, in vectors of so many lanes, if their number is known.
    pub fn all_cycles(&self, lanes: i64) -> Option<i64> {
        self.instances().map(|instances| instances.saturating_mul(self.cycles()) / lanes)
    }

    /// The names and extents of the loops that do not reduce, but for some, outermost first.
    pub fn spatial_but(&self, without: &[usize]) -> Vec<(String, Option<i64>)> {
        let axes = self.spatial().into_iter().filter(|axis| !without.contains(axis));
        axes.map(|axis| (self.loops[axis].name.clone(), self.loops[axis].extent)).collect()
    }

    /// The loop along which the nest stores one element behind the other.
    pub fn store_axis(&self) -> Option<usize> {
        let store = self.stores.first()?;
        let axis = store.steps.iter().position(|step| *step == Step::Unit)?;
        self.stores.iter().all(|other| other.steps[axis] == Step::Unit).then_some(axis)
    }

    /// The bytes of an element of the widest buffer.
    pub fn element_bytes(&self) -> i64 {
        let touches = self.loads.iter().chain(&self.stores);
        touches.map(|touch| touch.element_bytes).max().unwrap_or(4).max(1)
    }
}

/// The name of a loop around a schedule block, as steps take it.
pub fn at(block: &str, axis: &str) -> String {
    format!("{block}:{axis}")
}

/// Puts loops of a block in an order, outermost first, if they are in another one.
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

/// A product of numbers that are known.
pub fn product(mut factors: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    factors.try_fold(1i64, |product, factor| product.checked_mul(factor?))
}

impl Touch {
    fn of(summary: &Summary, block: &Block, nodes: &[NodeId], access: &Access) -> Touch {
        let buffer = &summary.buffers[access.buffer];
        let element_bytes = buffer.element_bytes.unwrap_or(1);
        let elements = product(buffer.shape.iter().map(|size| size.as_ref()?.constant()));
        let iter = |outer: &NodeId| {
            let variable = summary.as_loop(*outer).map(|this| Expr::Dim(this.variable));
            let place = block.binding.iter().position(|bound| Some(bound) == variable.as_ref());
            place.map(|place| block.iters[place].variable)
        };
        let step = |outer: &NodeId| iter(outer).map_or(Step::Far, |iter| step(access, iter));
        let dimension = |outer: &NodeId| iter(outer).and_then(|iter| dimension(access, iter));
        let dimensions: Vec<Option<usize>> = nodes.iter().map(dimension).collect();
        let is_one = |size: &Option<Expr>| size.as_ref().and_then(Expr::constant) == Some(1);
        let is_column = |axis: &usize| {
            let inner = dimensions[*axis].map(|dimension| &buffer.shape[dimension + 1..]);
            inner.is_some_and(|inner| !inner.is_empty() && inner.iter().all(is_one))
        };
        Touch {
            buffer: buffer.name.clone(),
            bytes: elements.and_then(|elements| elements.checked_mul(element_bytes)),
            element_bytes,
            is_argument: buffer.scope.is_none(),
            steps: nodes.iter().map(step).collect(),
            columns: (0..nodes.len()).filter(is_column).collect(),
            dimensions,
            rank: access.indices.len(),
        }
    }
}

/// The dimension of which the index is an iter, if it is in no other index.
fn dimension(access: &Access, iter: usize) -> Option<usize> {
    let moves = |index: &Option<Expr>| index.as_ref().is_none_or(|index| mentions(index, iter));
    let moved: Vec<usize> =
        (0..access.indices.len()).filter(|i| moves(&access.indices[*i])).collect();
    match moved[..] {
        [one] if access.indices[one] == Some(Expr::Dim(iter)) => Some(one),
        _ => None,
    }
}

/// So many elements are near: a vector of such is in a few lines.
const NEAR: i64 = 4;

/// How an access moves with an iter of its block.
fn step(access: &Access, iter: usize) -> Step {
    let moves = |index: &Option<Expr>| index.as_ref().is_none_or(|index| mentions(index, iter));
    let Some((last, outer)) = access.indices.split_last() else { return Step::None };
    if outer.iter().any(moves) {
        return Step::Far;
    }
    let Some(last) = last.as_ref().filter(|last| mentions(last, iter)) else {
        return if last.is_none() { Step::Far } else { Step::None };
    };
    let mut rest = Linear::of(last);
    match rest.terms.remove(&Expr::Dim(iter)) {
        Some(_) if mentions(&rest.to_expr(), iter) => Step::Far,
        Some(1) => Step::Unit,
        Some(2..=NEAR) => Step::Near,
        _ => Step::Far,
    }
}

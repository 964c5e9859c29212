//! `loop-axes-to-schedule`: derive schedule steps from the axes of each nest, and apply them to the unscheduled nest.
//!
//! ```text
//! loop.for parallel %i.0 in 4 { loop.for serial %j in 64 { loop.for vectorize %i.1 in 8 { .. = (%i.0 * 8 + %i.1, %j) } } }
//!   ->  loop.for serial %i in 32 { loop.for serial %j in 64 { .. = (%i, %j) } }      a loop for each original axis, and
//!       split "C:i" factors [-1, 8]; reorder ["C:i.0", "C:j", "C:i.1"]; parallel "C:i.0"; vectorize "C:i.1"
//! ```
//! *Axes* state how the loops of a nest were made from the iters of its schedule block, by splits, merges and a
//! reordering. The pass first replaces the nest by one serial loop for each iter. It applies the steps through
//! [`Schedule`], which checks their conditions, and observers of traces receive them. The result has the same axes as
//! the input. Loops get the names that the steps give them. If a condition is not met, there is an error, and the
//! function is unchanged.
//!
//! Requires
//! - (C1) each nest has axes, as `loop-infer-axes` derives them
//! - (C2) a nest has one schedule block, which is not nested in another one, and each loop contains one statement
//! - (C3) loops and the block have no annotations, and no loop of one iteration is bound to a thread axis
//! - (C4) all conditions of the block are those of splits with the tail `guard`
//! - (C5) no split has the tail `peel`, because the remainder is another nest
//! - (C6) the inner sizes of splits are constants

use super::loop_print_axes::nests;
use super::nest::NestAxes;
use super::{AxisId, Transformation};
use crate::dialect::block_axes;
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use crate::ir::{Error, Op};
use crate::nest::builder::OpenLoops;
use crate::nest::derived_name;
use crate::nest::edit::set_binding_of;
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::{Block, Loop, NodeId, NodeKind, Summary};
use crate::schedule::primitive::r#loop::split::Tail;
use crate::schedule::trace::observer::Observer;
use crate::schedule::{Schedule, ScheduleError};
use std::collections::HashMap;

/// What is to be done with a nest.
struct Plan {
    nest: NodeId,
    leaf: NodeId,
    block: String,
    axes: NestAxes,
    /// The names of the loops of the original axes.
    originals: Vec<String>,
    /// The loops around the block that have an axis, outermost first.
    loops: Vec<PlannedLoop>,
}

struct PlannedLoop {
    axis: AxisId,
    kind: LoopKind,
    thread: Option<ThreadAxis>,
}

/// Schedules the nests of a function again.
///
/// # Errors
/// If a nest does not fulfil the conditions, with the function unchanged; or if a step is refused.
pub fn to_schedule(function: Op) -> Result<(), Error> {
    let mut state = State::new(function, Box::new(Direct))?;
    let planned = |nest: NodeId| {
        plan(state.summary(), nest).map_err(|(node, why)| Error::on(state.op(node), why))
    };
    let plans: Vec<Plan> =
        nests(state.summary()).into_iter().map(planned).collect::<Result<_, _>>()?;
    block_axes::forget(function);
    plans.iter().for_each(|plan| plan.unschedule(&mut state));
    drop(state);
    let mut schedule = Schedule::observed(function, &Observer::of(function.context()))?;
    for plan in &plans {
        plan.schedule(&mut schedule).map_err(|error| {
            Error::on(function, format!("the axes of \"{}\" are no schedule: {error}", plan.block))
        })?;
    }
    Ok(())
}

/// The plan of a nest; if a condition does not hold, where and why.
fn plan(summary: &Summary, nest: NodeId) -> Result<Plan, (NodeId, String)> {
    let axes =
        NestAxes::of(summary, nest).map_err(|why| (nest, format!("(C1) has no axes: {why}")))?;
    let leaves = summary.leaves(nest);
    let [leaf] = leaves[..] else {
        let why = format!(
            "(C2) is a nest of {} schedule blocks, expected one: axes do not state where a block is computed",
            leaves.len()
        );
        return Err((nest, why));
    };
    let block = summary.as_block(leaf).expect("a block");
    let mut around: Vec<NodeId> = summary.loops_around(leaf).collect();
    around.reverse();
    check_form(summary, nest, &around)?;
    check_annotations(summary, leaf, block, &around, &axes)?;
    if let Some(condition) = axes.other_conditions.first() {
        return Err((
            leaf,
            format!("(C4) runs under a condition that is no tail of a split: {condition}"),
        ));
    }
    for it in axes.graph.history() {
        let Transformation::Split { axis, inner, tail, .. } = it else { continue };
        let name = &axes.graph.axis(*axis).name;
        if *tail == Some(Tail::Peel) {
            return Err((
                nest,
                format!(
                    "(C5) has the axis '{name}' with the tail peel, of which a part is in another nest"
                ),
            ));
        }
        if axes.graph.axis(*inner).size.constant().is_none() {
            return Err((nest, format!("(C6) has the axis '{name}', which is split by a size")));
        }
    }
    let mut originals: Vec<String> = vec![];
    for (axis, _) in axes.graph.axes().take(axes.originals.len()) {
        let label = axes.label(summary, axis);
        originals.push(derived_name::fresh(&label, &|name| originals.iter().any(|it| it == name)));
    }
    let planned = |node: &NodeId| {
        let this = summary.as_loop(*node)?;
        let (_, axis) = axes.loops.iter().find(|(of, _)| of == node)?;
        Some(PlannedLoop { axis: *axis, kind: this.kind, thread: this.thread })
    };
    let loops = around.iter().filter_map(planned).collect();
    Ok(Plan { nest, leaf, block: block.name.clone(), originals, loops, axes })
}

/// (C2)
fn check_form(summary: &Summary, nest: NodeId, around: &[NodeId]) -> Result<(), (NodeId, String)> {
    for node in summary.under(nest).into_iter().chain([nest]) {
        let this = &summary.nodes[node];
        let why = match &this.kind {
            NodeKind::Loop(_) if this.children.len() == 1 && around.contains(&node) => continue,
            NodeKind::Block(block) if !matches!(block.body, crate::nest::summary::Body::Nest) => {
                continue;
            }
            NodeKind::Loop(_) => "is a loop of several statements, expected one",
            NodeKind::Block(_) => "is a block with nested blocks, expected one block",
            _ => "is neither a loop nor a schedule block",
        };
        return Err((node, format!("(C2) {why}")));
    }
    Ok(())
}

/// (C3)
fn check_annotations(
    summary: &Summary,
    leaf: NodeId,
    block: &Block,
    around: &[NodeId],
    axes: &NestAxes,
) -> Result<(), (NodeId, String)> {
    if let Some(key) = block.annotations.first() {
        return Err((leaf, format!("(C3) has the annotation '{key}', which axes do not state")));
    }
    for node in around {
        let this = summary.as_loop(*node).expect("a loop");
        if let Some(key) = this.annotations.first() {
            return Err((
                *node,
                format!("(C3) has the annotation '{key}', which axes do not state"),
            ));
        }
        let has_axis = axes.loops.iter().any(|(of, _)| of == node);
        if let Some(thread) = this.thread.filter(|_| !has_axis) {
            let why =
                format!("(C3) is bound to {thread} and has one iteration, so that it has no axis");
            return Err((*node, why));
        }
    }
    Ok(())
}

impl Plan {
    /// Replaces the loops by one for each original axis.
    fn unschedule(&self, state: &mut State) {
        let block = state.summary().as_block(self.leaf).expect("a block").clone();
        let (root, op) = (state.op(self.nest), state.op(self.leaf));
        if root == op {
            return;
        }
        let mut loops = OpenLoops::before(state, root);
        let mut binding = vec![];
        for iter in &block.iters {
            let name = format!("{}:{}", block.name, iter.name);
            // An iter without an axis has the value 0.
            let Some(place) = self.axes.originals.iter().position(|it| it.name == name) else {
                binding.push(0.into());
                continue;
            };
            let this = Loop {
                name: self.originals[place].clone(),
                kind: LoopKind::Serial,
                thread: None,
                extent: iter.domain.clone(),
                variable: iter.variable,
                axis: None,
                annotations: vec![],
            };
            loops.open(&this, root.location());
            binding.push(iter.variable.expr());
        }
        op.detach();
        loops.put(op);
        set_binding_of(op, &binding, &[], loops.values());
        root.erase();
    }

    /// Does the steps.
    fn schedule(&self, schedule: &mut Schedule) -> Result<(), ScheduleError> {
        let at = |name: &String| format!("{}:{name}", self.block);
        let mut names: HashMap<AxisId, String> = HashMap::new();
        for ((axis, _), name) in self.axes.graph.axes().zip(&self.originals) {
            names.insert(axis, name.clone());
        }
        for it in &self.axes.graph.history()[..self.axes.distributed_at] {
            match it {
                Transformation::Split { axis, outer, inner, tail, .. } => {
                    let size = self.axes.graph.axis(*inner).size.constant().expect("checked");
                    let tail = tail.map(Tail::word);
                    let parts = schedule.split(&at(&names[axis]), &[-1, size], tail)?;
                    names.insert(*outer, parts[0].clone());
                    names.insert(*inner, parts[1].clone());
                }
                Transformation::Merge { axes, merged } => {
                    let loops: Vec<String> = axes.iter().map(|axis| at(&names[axis])).collect();
                    names.insert(*merged, schedule.fuse(&texts(&loops))?);
                }
                Transformation::Reorder(order) => {
                    let loops: Vec<String> = order.iter().map(|axis| at(&names[axis])).collect();
                    schedule.reorder(&texts(&loops))?;
                }
            }
        }
        // A loop that is the outer half of the block split as a whole is still the axis that was split.
        let name_of = |mut axis: AxisId| loop {
            match names.get(&axis) {
                Some(name) => break at(name),
                None => axis = self.axes.graph.axis(axis).from[0],
            }
        };
        let loops: Vec<String> = self.loops.iter().map(|it| name_of(it.axis)).collect();
        let found = crate::schedule::query::loops(schedule.summary(), &self.block)?;
        if found != loops {
            schedule.reorder(&texts(&loops))?;
        }
        for (it, name) in self.loops.iter().zip(&loops) {
            match (it.kind, it.thread) {
                (_, Some(thread)) => schedule.bind(name, thread.word())?,
                (LoopKind::Parallel, None) => schedule.parallel(name)?,
                (LoopKind::Vectorize, None) => drop(schedule.vectorize(name, None)?),
                (LoopKind::Unroll, None) => drop(schedule.unroll(name, None)?),
                (LoopKind::Serial | LoopKind::ThreadBind, None) => {}
            }
        }
        Ok(())
    }
}

fn texts(loops: &[String]) -> Vec<&str> {
    loops.iter().map(String::as_str).collect()
}

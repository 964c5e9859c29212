//! Carries out the splits and merges that were read from a nest, on an [`AxisGraph`].

use super::{DraftId, DraftKind, Merge, NestAxes, NoAxes, Reader};
use crate::analysis::system::{Answer, System};
use crate::auto_schedule::axis::{AxisError, AxisGraph, AxisId, MergeRule, SplitKind};
use crate::dialect::loop_enums::{AxisType, LoopKind};
use crate::ir::affine::Constraint;
use crate::nest::summary::{NodeId, bounds};

/// The drafts, while their transformations are carried out.
struct Carrying<'r, 's> {
    reader: &'r Reader<'s>,
    graph: AxisGraph,
    /// The axis of each draft that has been made.
    axes: Vec<Option<AxisId>>,
}

impl Reader<'_> {
    /// Carries out the transformations.
    pub(super) fn carried_out(self) -> Result<NestAxes, NoAxes> {
        let sizes = self.originals.iter().map(|(draft, _)| self.drafts[*draft].size.clone());
        let graph = AxisGraph::new(sizes);
        let mut axes = vec![None; self.drafts.len()];
        for (axis, (draft, _)) in graph.order().iter().zip(&self.originals) {
            axes[*draft] = Some(*axis);
        }
        let mut carrying = Carrying { reader: &self, graph, axes };
        while carrying.split_one()? || carrying.merge_one()? {}
        let distributed_at = carrying.graph.history().len();
        carrying.distribute()?;
        let mut loops: Vec<(NodeId, AxisId)> = vec![];
        for (draft, axis) in self.drafts.iter().zip(&carrying.axes) {
            loops.extend(draft.loops.iter().filter_map(|node| Some((*node, (*axis)?))));
        }
        loops.sort_unstable();
        let mut graph = carrying.graph;
        let mut order = graph.order().to_vec();
        order.sort_by_key(|axis| {
            let of = |axis: AxisId| loops.iter().find(|(_, of)| *of == axis);
            // Axes that were merged for the block split have the loops. An inner half of size 1 has none.
            let from = || loops.iter().find(|(_, of)| graph.descends(*axis, *of));
            let found = of(*axis).or_else(from).or_else(|| of(graph.axis(*axis).split_pair?));
            found.map_or(NodeId::new(u32::MAX as usize), |(node, _)| *node)
        });
        graph.reorder(&order)?;
        let other_conditions = self.other_conditions();
        let originals = self.originals.into_iter().map(|(_, original)| original).collect();
        Ok(NestAxes { graph, originals, loops, distributed_at, other_conditions })
    }

    /// The conditions that neither are tails of splits nor follow from these.
    fn other_conditions(&self) -> Vec<String> {
        let tails = self.conditions.iter().filter(|(_, is_tail)| *is_tail);
        let mut system = System {
            dims: self.summary.variables.len(),
            sizes: self.summary.sizes.len(),
            conditions: tails.map(|(it, _)| Constraint::NonNegative(it.clone())).collect(),
        };
        for node in self.drafts.iter().flat_map(|draft| &draft.loops) {
            let this = self.as_loop(*node);
            system.conditions.extend(bounds(this.variable, &this.extent));
        }
        let follows = |condition: &Constraint| {
            condition.opposites().into_iter().all(|opposite| {
                let mut system = system.clone();
                system.conditions.push(opposite);
                system.solve() == Answer::Empty
            })
        };
        let others = self.conditions.iter().filter(|(_, is_tail)| !is_tail);
        let others = others.map(|(it, _)| Constraint::NonNegative(it.clone()));
        let others = others.chain(self.equal.iter().map(|it| Constraint::Zero(it.clone())));
        let others = others.filter(|condition| !follows(condition));
        let text = |condition: Constraint| match &condition {
            Constraint::NonNegative(it) => format!("{} >= 0", self.describe(it)),
            Constraint::Zero(it) => format!("{} == 0", self.describe(it)),
        };
        others.map(text).collect()
    }

    /// True for a loop whose iterations run on cores or thread blocks.
    fn is_on_cores(&self, node: NodeId) -> bool {
        let this = self.as_loop(node);
        this.kind == LoopKind::Parallel || this.thread.is_some_and(|thread| thread.is_block())
    }

    fn core_drafts(&self) -> Vec<DraftId> {
        let is_on_cores = |draft: &&DraftId| {
            let loops = &self.drafts[**draft].loops;
            loops.iter().any(|node| self.is_on_cores(*node))
        };
        let all: Vec<DraftId> = (0..self.drafts.len()).collect();
        all.iter().filter(is_on_cores).copied().collect()
    }

    /// True if the iterations of all loops of a draft are in no order.
    fn is_unordered(&self, draft: DraftId) -> bool {
        match self.drafts[draft].kind {
            DraftKind::Loop => self.drafts[draft].loops.iter().all(|node| {
                matches!(self.as_loop(*node).kind, LoopKind::Parallel | LoopKind::ThreadBind)
            }),
            DraftKind::Split { outer, inner, .. } => {
                self.is_unordered(outer) && self.is_unordered(inner)
            }
            DraftKind::Part { merge } => {
                self.merges[merge].merged.is_some_and(|merged| self.is_unordered(merged))
            }
        }
    }
}

impl Carrying<'_, '_> {
    /// Splits an axis of the order, if one is still to be split.
    fn split_one(&mut self) -> Result<bool, NoAxes> {
        let drafts = &self.reader.drafts;
        let is_next = |draft: &DraftId| {
            let DraftKind::Split { outer, .. } = drafts[*draft].kind else { return false };
            self.axes[*draft].is_some() && self.axes[outer].is_none()
        };
        let Some(draft) = (0..drafts.len()).find(is_next) else { return Ok(false) };
        let (DraftKind::Split { outer, inner, tail }, Some(axis)) =
            (drafts[draft].kind.clone(), self.axes[draft])
        else {
            return Ok(false);
        };
        let is_on_cores = self.reader.core_drafts() == [outer];
        let kind = if is_on_cores { SplitKind::Block } else { SplitKind::Tile };
        let halves = self.graph.split(axis, kind, drafts[inner].size.clone(), tail)?;
        (self.axes[outer], self.axes[inner]) = (Some(halves.0), Some(halves.1));
        Ok(true)
    }

    /// Merges axes of the order, if some are still to be merged.
    fn merge_one(&mut self) -> Result<bool, NoAxes> {
        let is_next = |merge: &&Merge| {
            merge.merged.is_some_and(|merged| self.axes[merged].is_none())
                && merge.parts.iter().all(|(_, part)| self.axes[*part].is_some())
        };
        let Some(Merge { parts, merged: Some(merged), .. }) =
            self.reader.merges.iter().find(is_next)
        else {
            return Ok(false);
        };
        let parts: Vec<AxisId> = parts.iter().filter_map(|(_, part)| self.axes[*part]).collect();
        let axis = self.merge(&parts, self.reader.is_unordered(*merged))?;
        self.axes[*merged] = Some(axis);
        Ok(true)
    }

    /// Merges axes at the position of the first one.
    fn merge(&mut self, parts: &[AxisId], is_unordered: bool) -> Result<AxisId, AxisError> {
        let mut order = self.graph.order().to_vec();
        order.retain(|axis| *axis == parts[0] || !parts.contains(axis));
        let place = order.iter().position(|axis| *axis == parts[0]).expect("it is in the order");
        order.splice(place..=place, parts.iter().copied());
        self.graph.reorder(&order)?;
        match self.graph.merge(parts, MergeRule::Proved) {
            Err(AxisError::NotContiguous { .. }) if is_unordered => {
                self.graph.merge(parts, MergeRule::Unordered)
            }
            other => other,
        }
    }

    /// Makes the outer half of the block split of the loops on cores, if they are none yet.
    fn distribute(&mut self) -> Result<(), NoAxes> {
        let on_cores: Vec<AxisId> =
            self.reader.core_drafts().iter().filter_map(|draft| self.axes[*draft]).collect();
        let axis = match on_cores[..] {
            [] => return Ok(()),
            [one] if self.graph.axis(one).ty == AxisType::BlockOuter => return Ok(()),
            [one] => one,
            _ => self.merge(&on_cores, true)?,
        };
        let (outer, _) = self.graph.split(axis, SplitKind::Block, 1.into(), None)?;
        if let [one] = on_cores[..] {
            for it in self.axes.iter_mut().flatten().filter(|it| **it == one) {
                *it = outer;
            }
        }
        Ok(())
    }
}

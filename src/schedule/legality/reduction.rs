//! How the loops and the predicate of a reduction relate to its initialization, for `decompose_reduction`
//! and `rfactor`.

use super::fp;
use super::proof::Proofs;
use crate::analysis::digits;
use crate::dialect::loop_enums::LoopKind;
use crate::ir::affine::Constraint;
use crate::nest::facts::reduction::Roles;
use crate::nest::facts::scope;
use crate::nest::summary::{NodeId, mentions};
use crate::schedule::error::{Reason, ReductionReason, ScheduleError};
use crate::schedule::legality::quick;
use crate::schedule::verdict::Verdict;

impl Roles<'_> {
    /// The conditions on the spatial point alone under which its start runs. (C`condition`) requires that
    /// such conditions exist.
    pub fn start_conditions(&self, condition: u8) -> Result<Vec<Constraint>, ScheduleError> {
        let mut found = vec![];
        for constraint in &self.block.predicate {
            if !self.is_of_reduction(constraint) {
                let first = self.at_zero(constraint.expr(), &|v| self.only_reduces(v));
                found.push(constraint.on(first));
            } else if !self.holds_at_start(constraint) {
                let reason = ReductionReason::StartUnknown(self.block.name.clone());
                return Err(reason.at(self.id, condition));
            }
        }
        Ok(found)
    }

    /// Checks that no extent of the loops `kept` depends on a loop that is `dropped`.
    pub fn check_extents(
        &self,
        kept: &[NodeId],
        dropped: &dyn Fn(NodeId) -> bool,
        condition: u8,
    ) -> Result<(), ScheduleError> {
        for node in kept {
            let extent = &self.summary.as_loop(*node).expect("a loop").extent;
            let depends = |outer: &NodeId| {
                dropped(*outer) && extent.iter().any(|e| mentions(e, self.variable(*outer)))
            };
            if let Some(outer) = self.loops().into_iter().find(depends) {
                let (inner, outer) = (self.loop_name(*node), self.loop_name(outer));
                return Err(Reason::DependentExtent { inner, outer }.at(*node, condition));
            }
        }
        Ok(())
    }

    /// Checks that none of the loops is bound to threads.
    pub fn check_no_threads(&self, loops: &[NodeId], condition: u8) -> Result<(), ScheduleError> {
        let is_bound = |node: &&NodeId| {
            self.summary.as_loop(**node).is_some_and(|this| this.kind == LoopKind::ThreadBind)
        };
        match loops.iter().find(is_bound) {
            Some(node) => {
                Err(ReductionReason::BoundLoop { name: self.loop_name(*node) }.at(*node, condition))
            }
            None => Ok(()),
        }
    }

    /// Checks that no iterations of the loops own an instance of a buffer that the block stores to.
    pub fn check_not_owned(&self, loops: &[NodeId], condition: u8) -> Result<(), ScheduleError> {
        for store in self.block.stores() {
            let buffer = &self.summary.buffers[store.buffer];
            let Some(scope) = buffer.scope else { continue };
            if scope::owner(self.summary, scope, self.id).is_some_and(|by| loops.contains(&by)) {
                let (block, buffer) = (self.block.name.clone(), buffer.name.clone());
                return Err(Reason::PrivateBuffer { block, buffer, scope }.at(self.id, condition));
            }
        }
        Ok(())
    }

    /// An obligation: two iterations of these loops are never the same instance.
    pub fn require_injective(
        &self,
        proofs: &mut Proofs,
        loops: &[NodeId],
        condition: u8,
    ) -> Result<(), ScheduleError> {
        let is_injective = |node: &NodeId| {
            let one = self.summary.as_loop(*node).and_then(|l| l.constant_extent());
            one.is_some_and(|extent| extent <= 1)
                || digits::determines(
                    &self.block.binding,
                    self.variable(*node).index(),
                    self.summary,
                    &self.block.predicate,
                )
        };
        let outcome = match loops.iter().find(|node| !is_injective(node)) {
            Some(node) => {
                let (block, name) = (self.block.name.clone(), self.loop_name(*node));
                Err(Reason::NotInjective { block, name }.at(self.id, condition))
            }
            None => Ok(()),
        };
        proofs.require_by_roles(outcome)
    }

    /// An obligation: instances of different spatial points are independent.
    pub fn require_own_cells(
        &self,
        proofs: &mut Proofs,
        condition: u8,
    ) -> Result<(), ScheduleError> {
        let own = quick::check_instances_independent(self.summary, self.id, self.block, condition);
        proofs.require_by_roles(own)
    }

    /// An obligation: the updates of an element may be reordered, or split into parts.
    pub fn require_free_order(
        &self,
        proofs: &mut Proofs,
        condition: u8,
    ) -> Result<(), ScheduleError> {
        let outcome = fp::may_reorder_updates(self.summary, self.id);
        proofs.require_by_roles(outcome.map_err(|reason| reason.at(self.id, condition)))
    }

    /// An obligation: none of `others` has an access for which `clashes` holds.
    pub fn require_no_access(
        &self,
        proofs: &mut Proofs,
        others: &[NodeId],
        clashes: &dyn Fn(&crate::nest::summary::Access) -> bool,
        condition: u8,
    ) -> Result<(), ScheduleError> {
        for other in others {
            let block = self.summary.as_block(*other).expect("a block");
            let Some(access) = block.accesses().iter().find(|access| clashes(access)) else {
                continue;
            };
            let refusal = || {
                Reason::Dependence {
                    first: self.block.name.clone(),
                    second: block.name.clone(),
                    buffer: self.summary.buffers[access.buffer].name.clone(),
                }
                .at(self.id, condition)
                .note(*other, "the other is here")
            };
            let why = format!("\"{}\" and \"{}\"", self.block.name, block.name);
            proofs.require(&Verdict::Unknown(why), refusal)?;
        }
        Ok(())
    }
}

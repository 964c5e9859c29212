//! Reductions over an empty domain: only their inits run.
//!
//! A loop without iterations that reduce iters are bound to hides the spatial points below it. Their
//! inits run by a walk of their own, in which loops of spatial iters iterate and others count as one
//! iteration.

use super::execute::{Machine, Outcome, Thread, evaluate, minimum};
use super::program::*;
use crate::ir::affine::Expr;
use std::collections::HashSet;

impl<'p, 'c> Machine<'p, 'c> {
    /// A loop without iterations: reductions over an empty domain still start.
    pub(super) fn empty(&mut self, inner: &'p Loop<'c>, thread: &mut Thread) -> Outcome<'c> {
        if !inner.has_init || self.only_inits {
            return Ok(());
        }
        self.only_inits = true;
        let outcome = self.inits(std::slice::from_ref(inner), thread);
        self.only_inits = false;
        outcome
    }

    /// Runs the inits under loops. Loops of spatial iters iterate; others count as one iteration.
    fn inits(&mut self, loops: &'p [Loop<'c>], thread: &mut Thread) -> Outcome<'c> {
        for inner in loops {
            let is_spatial = spatial_slots(&inner.body).contains(&inner.slot);
            let extent = if is_spatial { self.extent(inner, &thread.lanes[0])? } else { 1 };
            for value in 0..extent {
                self.count(inner)?;
                thread.lanes.iter_mut().for_each(|lane| self.enter(lane, inner, value));
                for node in &inner.body {
                    match node {
                        Node::Loop(deeper) => self.inits(std::slice::from_ref(deeper), thread)?,
                        node => self.node(node, thread)?,
                    }
                }
                thread.lanes.iter_mut().for_each(|lane| self.leave(lane));
            }
        }
        Ok(())
    }

    /// The init of a block whose reduce domain is empty.
    pub(super) fn init_alone(&mut self, block: &'p Block<'c>, thread: &mut Thread) -> Outcome<'c> {
        let Some(init) = &block.init else { return Ok(()) };
        let mut active = vec![];
        for (i, lane) in thread.lanes.iter_mut().enumerate() {
            let (mut is_inside, mut is_empty) = (!lane.is_idle, false);
            for iter in &block.iters {
                let domain = minimum(&iter.domain, &lane.ints).unwrap_or(0);
                let value =
                    if iter.is_reduce { Some(0) } else { evaluate(&iter.binding, &lane.ints) };
                is_empty |= iter.is_reduce && domain <= 0;
                is_inside &= iter.is_reduce || value.is_some_and(|v| v >= 0 && v < domain);
                lane.ints[iter.slot] = value.unwrap_or(0);
            }
            if is_inside && is_empty {
                active.push(i);
            }
        }
        if active.is_empty() {
            return Ok(());
        }
        self.begin(block, thread, &active)?;
        self.steps(block, init, thread, &active)
    }
}

/// The slots of loops that spatial iters of blocks with `loop.init` are bound to.
fn spatial_slots(nodes: &[Node]) -> HashSet<usize> {
    let mut slots = HashSet::new();
    for node in nodes {
        match node {
            Node::Loop(inner) => slots.extend(spatial_slots(&inner.body)),
            Node::If(branch) => {
                slots.extend(spatial_slots(&branch.then_body));
                slots.extend(spatial_slots(&branch.else_body));
            }
            Node::Block(block) if block.init.is_some() => {
                for iter in block.iters.iter().filter(|iter| !iter.is_reduce) {
                    iter.binding.visit_leaves(&mut |leaf| {
                        if let Expr::Dim(slot) = leaf {
                            slots.insert(*slot);
                        }
                    });
                }
            }
            _ => {}
        }
    }
    slots
}

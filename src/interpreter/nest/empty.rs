//! Reductions over an empty domain: only their inits run.
//!
//! A loop without iterations that reduce iters are bound to also hides the spatial points below it. The inits of those
//! points run in a separate walk. In it, loops of spatial iters iterate, in their threads if they are bound to threads,
//! and other loops count as one iteration.

use super::execute::{ExecutionResult, Machine, is_split};
use super::program::*;
use super::thread::{LockstepThread, evaluate, minimum};
use crate::ir::affine::{Constraint, Expr, Linear};
use std::collections::HashSet;

impl<'p, 'c> Machine<'p, 'c> {
    /// Handles a loop without iterations: runs the inits of the reductions below it. Each block is walked separately,
    /// because a loop that one block reduces over may be a spatial loop of another.
    pub(super) fn empty(
        &mut self,
        inner: &'p ProgramLoop<'c>,
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
        if !inner.has_init || self.only_init.is_some() {
            return Ok(());
        }
        for block in with_init(&inner.body) {
            self.only_init = Some(block.id);
            let outcome = self.inits(inner, (block.id, &spatial_slots(block)), thread);
            self.only_init = None;
            outcome?;
        }
        Ok(())
    }

    /// Runs the init of a block under a loop. A loop of its spatial iters iterates; another loop counts as one
    /// iteration.
    fn inits(
        &mut self,
        inner: &'p ProgramLoop<'c>,
        (block, spatial): (usize, &HashSet<usize>),
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
        let is_spatial = spatial.contains(&inner.slot);
        let extent = if is_spatial { self.extent(inner, &thread.lanes[0])? } else { 1 };
        for value in 0..extent {
            if is_spatial && is_split(inner) {
                let mut one = self.iteration(inner, thread, value)?;
                self.inits_in(inner, (block, spatial), &mut one)?;
                continue;
            }
            self.count(inner.op)?;
            thread.lanes.iter_mut().for_each(|lane| self.enter(lane, inner, value));
            self.inits_in(inner, (block, spatial), thread)?;
            thread.lanes.iter_mut().for_each(|lane| self.leave(lane));
        }
        Ok(())
    }

    /// Runs the init in one iteration of the loop.
    fn inits_in(
        &mut self,
        inner: &'p ProgramLoop<'c>,
        (block, spatial): (usize, &HashSet<usize>),
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
        for node in &inner.body {
            match node {
                ProgramNode::Loop(deeper)
                    if with_init(&deeper.body).iter().any(|b| b.id == block) =>
                {
                    self.inits(deeper, (block, spatial), thread)?;
                }
                // Without iterations no thread reaches a barrier.
                ProgramNode::Loop(_) | ProgramNode::Sync(_) => {}
                node => self.node(node, thread)?,
            }
        }
        Ok(())
    }

    /// Runs the init of a block whose reduce domain is empty.
    pub(super) fn init_alone(
        &mut self,
        block: &'p ProgramBlock<'c>,
        thread: &mut LockstepThread,
    ) -> ExecutionResult<'c> {
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
            if is_inside && is_empty && holds_at_start(block, &lane.ints) {
                active.push(i);
            }
        }
        if active.is_empty() {
            return Ok(());
        }
        self.begin(block, thread, &active)?;
        if let Some(counter) = &mut self.counter {
            counter.inits_alone(block, active.iter().map(|lane| &thread.lanes[*lane]));
        }
        self.steps(block, init, thread, &active)
    }
}

/// True if the predicate holds at the spatial point. Conditions only on reduce iters are ignored: they select a part of
/// the reduction, and the reduction is empty.
fn holds_at_start(block: &ProgramBlock, ints: &[i64]) -> bool {
    let bindings = |is_reduce: bool| {
        let iters = block.iters.iter().filter(move |iter| iter.is_reduce == is_reduce);
        iters.map(|iter| &iter.binding)
    };
    let slots = |is_reduce: bool| {
        let mut slots = HashSet::new();
        for binding in bindings(is_reduce) {
            visit_slots(binding, &mut |slot| {
                slots.insert(slot);
            });
        }
        slots
    };
    let (reduce, spatial) = (slots(true), slots(false));
    let reduce_atoms: HashSet<Expr> =
        bindings(true).flat_map(|binding| Linear::of(binding).terms.into_keys()).collect();
    // A loop may be bound to iters of both kinds: then the exact term of the binding decides.
    let is_of_reduction = |atom: &Expr| {
        let (mut reduces, mut places) = (false, false);
        visit_slots(atom, &mut |slot| {
            reduces |= reduce.contains(&slot);
            places |= spatial.contains(&slot);
        });
        reduces && (!places || reduce_atoms.contains(atom))
    };
    let is_of_place = |atom: &Expr| {
        let mut places = false;
        visit_slots(atom, &mut |slot| places |= spatial.contains(&slot));
        places && !is_of_reduction(atom)
    };
    let conditions = block.predicate.iter().flat_map(|set| &set.constraints);
    conditions.into_iter().all(|condition| {
        let linear = Linear::of(condition.expr());
        let only_reduces =
            linear.terms.keys().any(is_of_reduction) && !linear.terms.keys().any(is_of_place);
        only_reduces
            || condition.expr().evaluate(ints, &[]).is_some_and(|value| match condition {
                Constraint::Zero(_) => value == 0,
                Constraint::NonNegative(_) => value >= 0,
            })
    })
}

fn visit_slots(expr: &Expr, visit: &mut impl FnMut(usize)) {
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Dim(slot) = leaf {
            visit(*slot);
        }
    });
}

/// The slots of the loops that spatial iters of a block are bound to.
fn spatial_slots(block: &ProgramBlock) -> HashSet<usize> {
    let mut slots = HashSet::new();
    for iter in block.iters.iter().filter(|iter| !iter.is_reduce) {
        visit_slots(&iter.binding, &mut |slot| {
            slots.insert(slot);
        });
    }
    slots
}

/// The blocks with `loop.init`, except those nested in blocks.
fn with_init<'p, 'c>(nodes: &'p [ProgramNode<'c>]) -> Vec<&'p ProgramBlock<'c>> {
    let of = |node: &'p ProgramNode<'c>| match node {
        ProgramNode::Loop(inner) => with_init(&inner.body),
        ProgramNode::If(branch) => {
            [with_init(&branch.then_body), with_init(&branch.else_body)].concat()
        }
        ProgramNode::Block(block) if block.init.is_some() => vec![block],
        _ => vec![],
    };
    nodes.iter().flat_map(of).collect()
}

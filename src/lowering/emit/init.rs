//! Placement of reduction inits: the start values are hoisted before the reduction loops if possible.
//!
//! They are written before the outermost loop that a reduce iter is bound to, for all points in that loop. Then
//! no iteration tests whether it is the first one, and a reduction without iterations still leaves the start
//! values.
//!
//! ```text
//! for i { for k { for j { if k == 0 { C[i, j] = 0 }  C[i, j] += .. } } }
//!   ->
//! for i { for j { C[i, j] = 0 }  for k { for j { C[i, j] += .. } } }
//! ```
//! The start values are not hoisted in these cases:
//! - a loop is bound to both a spatial and a reduce iter
//! - an extent or branch inside the outermost reduction loop depends on a reduction loop
//! - before the reduction starts, another block in that loop may access an element that is reduced into, or may
//!   write an element that the start values depend on
//!
//! In these cases the start values are written in place, at the first instance. If the reduction may have no
//! iterations, they are also written before the whole nest under that condition.

use super::emitter::Emitter;
use crate::dialect::loop_enums::IterRole;
use crate::dialect::loop_op::{For, If, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block, Builder, Error, Op, Region, Value, is_inside, walk};
use crate::nest::summary::VariableId;
use crate::nest::summary::{Access, NodeId, NodeKind, Summary, Variable, mentions};
use crate::schedule::State;
use crate::schedule::legality::exact;
use crate::schedule::verdict::Verdict;

/// A block whose start values are written before a loop.
#[derive(Clone, Debug)]
struct Hoisted<'c> {
    block: Op<'c>,
    before: Op<'c>,
    /// The loops and branches from that loop to the block.
    path: Vec<Op<'c>>,
    /// The variables of the reduction loops.
    reduces: Vec<Value<'c>>,
}

/// The placement of the start values of all reductions of a function.
#[derive(Debug, Default)]
pub(crate) struct Inits<'c> {
    hoisted: Vec<Hoisted<'c>>,
    in_place: Vec<Op<'c>>,
}

impl<'c> Inits<'c> {
    pub fn plan(state: &State<'c>) -> Self {
        let summary = state.summary();
        let mut inits = Inits::default();
        for (id, block) in summary.blocks() {
            if !block.has_init {
                continue;
            }
            match hoisting(summary, id) {
                Some((path, reduces)) => inits.hoisted.push(Hoisted {
                    block: state.op(id),
                    before: state.op(path[0]),
                    path: path.iter().map(|node| state.op(*node)).collect(),
                    reduces: reduces
                        .iter()
                        .map(|v| state.variable(VariableId::of_dim(v.index())))
                        .collect(),
                }),
                None => inits.in_place.push(state.op(id)),
            }
        }
        inits
    }

    pub fn is_hoisted(&self, block: Op<'c>) -> bool {
        self.hoisted.iter().any(|hoisted| hoisted.block == block)
    }
}

/// The loops and branches from the outermost reduction loop to the block, and the variables of the reduction
/// loops. `None` if the start values must be written in place.
fn hoisting(summary: &Summary, id: NodeId) -> Option<(Vec<NodeId>, Vec<VariableId>)> {
    let block = summary.as_block(id)?;
    let bound_to = |variable, role: &dyn Fn(IterRole) -> bool| {
        let mut iters = block.iters.iter().zip(&block.binding);
        iters.any(|(iter, bound)| role(iter.role) && mentions(bound, variable))
    };
    let is_reduce = |role| role == IterRole::Reduce;
    let reduces = |node: &NodeId| {
        summary.as_loop(*node).is_some_and(|this| bound_to(this.variable, &is_reduce))
    };
    // The path below does not show which loops an iter of an enclosing schedule block is bound to.
    let iters = block.iters.iter().zip(&block.binding);
    let mut reduced = iters.filter(|(iter, _)| is_reduce(iter.role)).map(|(_, bound)| bound);
    if reduced.any(|bound| mentions_outer_iter(summary, bound)) {
        return None;
    }
    let around: Vec<NodeId> = summary.ancestors(id).collect();
    let outermost = around.iter().rposition(&reduces)?;
    let path: Vec<NodeId> = around[..=outermost].iter().rev().copied().collect();
    let variables: Vec<VariableId> = path
        .iter()
        .filter(|node| reduces(node))
        .filter_map(|node| summary.as_loop(*node).map(|this| this.variable))
        .collect();
    for node in &path {
        let mentions_any = |e: &Expr| variables.iter().any(|v| mentions(e, *v));
        if let NodeKind::If(conditions) = &summary.nodes[*node].kind {
            if conditions.iter().any(|c| mentions_any(c.expr())) {
                return None;
            }
            continue;
        }
        let this = summary.as_loop(*node)?;
        let is_mixed = reduces(node) && bound_to(this.variable, &|role| !is_reduce(role));
        let depends = this.extent.iter().any(mentions_any);
        if is_mixed || depends && !reduces(node) {
            return None;
        }
    }
    let written: Vec<_> = block.stores().map(|store| store.buffer).collect();
    let others = summary.blocks_under(path[0]).into_iter().filter(|other| *other != id);
    let read: Vec<_> = block.loads().filter(|load| load.in_init).map(|load| load.buffer).collect();
    for node in others {
        let other = summary.as_block(node)?;
        let shares = |access: &Access| {
            written.contains(&access.buffer) || access.is_write && read.contains(&access.buffer)
        };
        let comes_later = || exact::check_start(summary, path[0], id, node) == Verdict::Proved;
        if other.accesses().iter().any(shares) && !comes_later() {
            return None;
        }
    }
    Some((path, variables))
}

/// True if an expression contains an iter of a schedule block.
fn mentions_outer_iter(summary: &Summary, expr: &Expr) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Dim(variable) = leaf {
            found |= matches!(summary.variables[VariableId::of_dim(*variable)], Variable::Iter(..));
        }
    });
    found
}

/// True if a domain is proved to be nonempty.
fn runs(domain: &[Expr]) -> bool {
    domain.iter().all(|e| e.constant().is_some_and(|d| d > 0))
}

impl<'c> Emitter<'c> {
    /// Emits the start values that are written before this loop.
    pub fn hoisted_inits(&mut self, before: Op<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        let here: Vec<_> =
            self.inits.hoisted.iter().filter(|h| h.before == before).cloned().collect();
        here.iter().try_for_each(|hoisted| self.init_nest(hoisted, 0, at))
    }

    /// Emits the loops of the path from index `i` on, without the reduction loops.
    fn init_nest(
        &mut self,
        hoisted: &Hoisted<'c>,
        i: usize,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let Some(op) = hoisted.path.get(i) else { return self.init_instance(hoisted, at) };
        if op.is(If::NAME) {
            let view = If::of(*op)?;
            let inner = hoisted.path.get(i + 1).unwrap_or(&hoisted.block);
            let mut here = |this: &mut Self, at| this.init_nest(hoisted, i + 1, at);
            return match inner.block() == Some(view.then_body) {
                true => self.either(&view, at, &mut here, None),
                false => self.either(&view, at, &mut |_, _| Ok(()), Some(&mut here)),
            };
        }
        let view = For::of(*op)?;
        if hoisted.reduces.contains(&view.variable()) {
            self.indices.insert(view.variable(), 0.into());
            return self.init_nest(hoisted, i + 1, at);
        }
        self.any_loop(&view, at, &mut |this, at| this.init_nest(hoisted, i + 1, at))
    }

    fn init_instance(&mut self, hoisted: &Hoisted<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        let view = ScheduleBlock::of(hoisted.block)?;
        let Some(init) = view.init() else { return Ok(()) };
        self.bind_iters(&view);
        // Conditions on reduction loops alone restrict which part of the reduction runs, not the start values.
        let spatial = |over: &[Value<'c>]| {
            over.is_empty() || !over.iter().all(|v| hoisted.reduces.contains(v))
        };
        let mut predicate = self.predicate(&view, &spatial);
        predicate.extend(self.thread_conditions());
        self.under(predicate, at, &mut |this, at| this.init_body(init, at))
    }

    /// Before a nest: emits the start values of its reductions that are written in place, if the reductions
    /// have no iterations.
    pub fn init_empty(&mut self, nest: Op<'c>, at: Builder<'c>) -> Result<(), Error<'c>> {
        for view in self.maybe_empty(nest)? {
            let op = view.op;
            let Some(init) = view.init() else { continue };
            let in_nest = |size: &Value<'c>| {
                size.owner().and_then(Block::parent).is_some_and(|p| is_inside(p, nest))
            };
            if view.sizes.iter().any(in_nest) {
                return Err(Error::on(
                    op,
                    format!(
                        "\"{}\" may reduce over nothing and uses iters of a block around it, so that its \
                         start values cannot be written before its loops",
                        view.name
                    ),
                ));
            }
            let domains = view.iters.iter().map(|iter| self.bounds(&iter.domain, &view.sizes, 0));
            let domains: Vec<Vec<Expr>> = domains.collect();
            // A reduction has no iterations if a reduce iter has a domain of 0.
            let mut is_empty: Option<Value<'c>> = None;
            for (iter, domain) in view.iters.iter().zip(&domains) {
                if iter.role != IterRole::Reduce || runs(domain) {
                    continue;
                }
                let smallest = self.emit_minimum(domain, at);
                let zero = at.index(0);
                // The value of `sle` in the predicates of `arith.cmpi`.
                let none = self.compare(3, smallest, zero, at);
                is_empty = Some(match is_empty {
                    None => none,
                    Some(other) => self.elementwise("arith.ori", &[other, none], at),
                });
            }
            let Some(is_empty) = is_empty else { continue };
            let block = Block::new(&[]);
            let inner = Builder::at_end(block, at.location());
            self.domain_nest(&view, &domains, 0, init, inner)?;
            inner.insert(inner.spec("scf.yield"));
            let spec = at.spec("scf.if").operands(&[is_empty]).region(Region::of(block));
            at.insert(spec.region(Region::new()));
        }
        Ok(())
    }

    /// The blocks in a nest whose start values are written in place and that may reduce over no elements.
    pub fn maybe_empty(&self, nest: Op<'c>) -> Result<Vec<ScheduleBlock<'c>>, Error<'c>> {
        let in_place = walk(nest).into_iter().filter(|op| self.inits.in_place.contains(op));
        let mut found = vec![];
        for op in in_place {
            let view = ScheduleBlock::of(op)?;
            let mut reduce = view.iters.iter().filter(|iter| iter.role == IterRole::Reduce);
            if !reduce.all(|iter| runs(&iter.domain)) {
                found.push(view);
            }
        }
        Ok(found)
    }

    /// Emits the init for all points of the spatial domain.
    fn domain_nest(
        &mut self,
        view: &ScheduleBlock<'c>,
        domains: &[Vec<Expr>],
        i: usize,
        init: Op<'c>,
        at: Builder<'c>,
    ) -> Result<(), Error<'c>> {
        let Some(iter) = view.iters.get(i) else { return self.init_body(init, at) };
        if iter.role == IterRole::Reduce {
            self.indices.insert(iter.variable, 0.into());
            return self.domain_nest(view, domains, i + 1, init, at);
        }
        let upper = self.emit_minimum(&domains[i], at);
        let variable = iter.variable;
        self.dynamic_loop(upper, None, at, &mut |this, value, at| {
            this.indices.insert(variable, value);
            this.domain_nest(view, domains, i + 1, init, at)
        })
    }

    /// The constraints under which a reduction starts: all its reduce iters are 0.
    pub fn is_first(&self, view: &ScheduleBlock<'c>) -> Vec<Constraint> {
        let reduce = view.iters.iter().filter(|iter| iter.role == IterRole::Reduce);
        reduce
            .map(|iter| Constraint::Zero(self.indices[&iter.variable].clone()))
            .filter(|constraint| constraint.expr().constant() != Some(0))
            .collect()
    }
}

//! `blockize`: turn a loop with its body, or a schedule block, into one new schedule block.
//!
//! ```text
//! loop.for %i.0 in 8 { loop.for %i.1 in 16 {
//!   loop.block "B" [%vi: spatial 128] = (%i.0 * 16 + %i.1) { B[vi] = A[vi] + 1 }
//! } }
//!   ->  blockize "B:i.1"
//! loop.for %i.0 in 8 {
//!   loop.block "B_o" [%vi_o: spatial 8] = (%i.0) {
//!     loop.for %i.1 in 16 { loop.block "B" [%vi: spatial 128] = (%vi_o * 16 + %i.1) { B[vi] = A[vi] + 1 } }
//!   }
//! }
//! ```
//! *Outer* loops enclose the target; *inner* loops are the target and the loops in it. The binding of each iter of a
//! nested schedule block is a sum of a part over outer loops and a part over inner loops. The part over outer loops
//! becomes an iter of the new block; each of its values is one tile. If two bindings have the same outer part, they
//! share one iter. All other uses of outer loops in the target (extents, predicates and branches) are rewritten with
//! these iters. A use that the iters cannot express becomes an opaque iter. An iter is spatial if it is part of a
//! spatial iter of every nested schedule block, and reduce if it is part of reduce iters only. If there is one nested
//! schedule block, and it sets no start values, the conditions of its predicate that no inner loop changes become the
//! predicate of the new block.
//!
//! Requires
//! - (C1) the target is a loop or a schedule block
//! - (C2) no enclosing loop is vectorized
//! - (C3) the target contains no cross-thread reduction
//! - (C4) each iter of a nested schedule block is bound to a sum of terms over inner loops and terms over outer loops;
//!   no term mixes the two
//! - (C5) in each sum, the values of the inner part are less than the stride of the outer part, so that the sum
//!   determines the outer part
//! - (C6) the number of values of each new iter is an expression over sizes
//! - (C7) if a reduction in the target sets its own start values, the outer loops over which it reduces are proved to
//!   have iterations, because a schedule block that does not run sets no start values
//!
//! The nested schedule blocks keep their names, iters and start values; start values are set where all reduce iters of
//! the nested block are 0. The new block is named `B_o`, where `B` is the first nested block, with a number if that
//! name is taken. All handles stay valid.

use crate::analysis::digits::{self, Variables};
use crate::dialect::loop_enums::{IterRole, LoopKind};
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear, greatest_divisor};
use crate::ir::{Op, Value};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::{NewBlock, NewIter};
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::Motion;
use crate::nest::facts::cross_thread_reduction;
use crate::nest::render;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary, Variable, VariableId, mentions};
use crate::schedule::error::{ScheduleError, TensorReason};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Make a loop and its body one schedule block"
    /// Returns the name of the schedule block.
    blockize(target: Target) -> String;
    |state| blockize(state, target)
}

/// The result of the check.
pub struct Plan {
    pub target: NodeId,
    pub name: String,
    pub iters: Vec<NewIter>,
    /// The conditions of the new schedule block.
    predicate: Vec<Constraint>,
    /// The rewritten expressions of nested nodes. The new iter `i` has the number `i` past the variables of the
    /// summary.
    changed: Vec<(NodeId, Changed)>,
}

enum Changed {
    Block(Vec<Expr>, Vec<Constraint>),
    Extent(Vec<Expr>),
    Branch(Vec<Constraint>),
}

/// Turns `target` into a schedule block and returns its name. On an error the IR is unchanged.
pub fn blockize(state: &mut State, target: &str) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), target)?;
    rewrite(state, &plan);
    Ok(plan.name)
}

pub fn check(summary: &Summary, target: &str) -> Result<Plan, ScheduleError> {
    let node = name::target(summary, target)?;
    for outer in summary.loops_around(node) {
        let this = summary.as_loop(outer).expect("a loop");
        if this.kind == LoopKind::Vectorize {
            let reason = TensorReason::LanesAround(this.name.clone());
            return Err(reason.at(node, 2).note(outer, "the loop is here"));
        }
    }
    let inside = summary.under(node);
    let mut parts = OuterParts { summary, inside: &inside, found: vec![] };
    let direct: Vec<NodeId> =
        inside.iter().copied().filter(|n| is_direct(summary, node, *n)).collect();
    let blocks: Vec<NodeId> =
        direct.iter().copied().filter(|n| summary.as_block(*n).is_some()).collect();
    for id in summary.blocks_under(node) {
        check_reduction(summary, node, id)?;
    }
    // Iter bindings first: they determine the parts.
    for id in &blocks {
        for i in 0..summary.as_block(*id).expect("a block").iters.len() {
            parts.divide(*id, i)?;
        }
    }
    let is_outer = |expr: &Expr| {
        let mut is_outer = true;
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(variable) = leaf {
                is_outer &= is_outside(summary, &inside, VariableId::of_dim(*variable));
            }
        });
        is_outer
    };
    let (mut predicate, mut changed) = (vec![], vec![]);
    for id in direct {
        let mut all = |list: &[Expr]| -> Result<Vec<Expr>, ScheduleError> {
            list.iter().map(|e| parts.inside(id, e)).collect()
        };
        let change = match &summary.nodes[id].kind {
            NodeKind::Loop(this) => Changed::Extent(all(&this.extent)?),
            NodeKind::If(conditions) => Changed::Branch(on_all(conditions, &mut all)?),
            NodeKind::Block(this) => {
                let is_hoisted = |condition: &&Constraint| {
                    let expr = condition.expr();
                    blocks.len() == 1 && !this.has_init && expr.is_semi_affine() && is_outer(expr)
                };
                let (hoisted, kept): (Vec<_>, Vec<_>) = this.predicate.iter().partition(is_hoisted);
                predicate.extend(hoisted.into_iter().cloned());
                let kept: Vec<_> = kept.into_iter().cloned().collect();
                Changed::Block(all(&this.binding)?, on_all(&kept, &mut all)?)
            }
            NodeKind::Function | NodeKind::Sync | NodeKind::Effects(_) => continue,
        };
        changed.push((id, change));
    }
    let iters = parts.iters(&blocks)?;
    let first = blocks.first().map_or("nest", |id| &summary.as_block(*id).expect("a block").name);
    let name = derived_name::block_name(summary, &format!("{first}_o"));
    Ok(Plan { target: node, name, iters, predicate, changed })
}

/// True if `node` is the target or is nested in it without a schedule block between them.
fn is_direct(summary: &Summary, target: NodeId, node: NodeId) -> bool {
    node == target
        || summary
            .ancestors(node)
            .take_while(|outer| *outer != target)
            .chain([target])
            .all(|outer| summary.as_block(outer).is_none())
}

/// True for a variable of a node that is not in `inside`.
fn is_outside(summary: &Summary, inside: &[NodeId], variable: VariableId) -> bool {
    let (Variable::Loop(node) | Variable::Iter(node, _)) = summary.variables[variable];
    !inside.contains(&node)
}

fn on_all(
    conditions: &[Constraint],
    all: &mut impl FnMut(&[Expr]) -> Result<Vec<Expr>, ScheduleError>,
) -> Result<Vec<Constraint>, ScheduleError> {
    let exprs: Vec<Expr> = conditions.iter().map(|c| c.expr().clone()).collect();
    let exprs = all(&exprs)?;
    Ok(conditions.iter().zip(exprs).map(|(old, expr)| old.on(expr)).collect())
}

/// (C3), (C7)
fn check_reduction(summary: &Summary, target: NodeId, id: NodeId) -> Result<(), ScheduleError> {
    let block = summary.as_block(id).expect("a block");
    if let Some(bound) = cross_thread_reduction::loops(summary, id).first() {
        let name = summary.as_loop(*bound).expect("a loop").name.clone();
        let reason = TensorReason::AcrossThreads { block: block.name.clone(), name };
        return Err(reason.at(id, 3).note(*bound, "the loop is here"));
    }
    if !block.has_init {
        return Ok(());
    }
    let iters = block.iters.iter().zip(&block.binding);
    let reduce: Vec<Expr> = iters
        .filter(|(iter, _)| iter.role == IterRole::Reduce)
        .map(|(_, bound)| summary.over_loops(bound))
        .collect();
    for outer in summary.loops_around(target) {
        let this = summary.as_loop(outer).expect("a loop");
        let runs = this.extent.iter().all(|e| e.constant().is_some_and(|extent| extent > 0));
        if !runs && reduce.iter().any(|bound| mentions(bound, this.variable)) {
            let reason =
                TensorReason::StartInside { block: block.name.clone(), name: this.name.clone() };
            return Err(reason.at(id, 7).note(outer, "the loop is here"));
        }
    }
    Ok(())
}

/// A subexpression over outer loops that occurs in an expression of a nested node.
struct OuterPart {
    /// Over outer variables.
    value: Expr,
    /// The nested node where it was first found, and the iters there that it is a part of.
    at: NodeId,
    of: Vec<(NodeId, usize)>,
    name: String,
}

/// The subexpressions over outer loops in all expressions inside.
struct OuterParts<'s> {
    summary: &'s Summary,
    inside: &'s [NodeId],
    found: Vec<OuterPart>,
}

/// An expression, divided into an outer part, an inner part and mixed terms.
struct Divided {
    /// The outer part: a weight, over sizes, and the number of a `OuterPart`.
    outer: Vec<(Expr, usize)>,
    /// The inner part, over inner variables and sizes.
    inner: Linear,
    /// Terms that mention both.
    mixed: Vec<(Expr, i64)>,
}

/// Outer terms whose weights are equal up to a constant factor.
struct Weighed {
    sizes: Expr,
    is_negative: bool,
    terms: Vec<(Expr, i64)>,
}

impl OuterParts<'_> {
    /// Divides an expression into its parts.
    fn divided(&mut self, at: NodeId, expr: &Expr) -> Divided {
        let linear = Linear::of(expr);
        let mut inner = Linear { constant: linear.constant, ..Linear::default() };
        let mut mixed = vec![];
        let mut outer: Vec<Weighed> = vec![];
        for (atom, coefficient) in &linear.terms {
            let (mut has_outer, mut has_inner) = (false, false);
            atom.visit_leaves(&mut |leaf| {
                if let Expr::Dim(variable) = leaf {
                    let is_outside =
                        is_outside(self.summary, self.inside, VariableId::of_dim(*variable));
                    has_outer |= is_outside;
                    has_inner |= !is_outside;
                }
            });
            match (has_outer, has_inner) {
                (false, _) => {
                    inner.terms.insert(atom.clone(), *coefficient);
                }
                (true, true) => mixed.push((atom.clone(), *coefficient)),
                (true, false) => {
                    let (varying, sizes): (Vec<Expr>, Vec<Expr>) =
                        atom.factors().into_iter().partition(Expr::has_dims);
                    let (sizes, is_negative) = (product(sizes), coefficient.is_negative());
                    let term = (product(varying), *coefficient);
                    let same =
                        |one: &&mut Weighed| one.sizes == sizes && one.is_negative == is_negative;
                    match outer.iter_mut().find(same) {
                        Some(one) => one.terms.push(term),
                        None => outer.push(Weighed { sizes, is_negative, terms: vec![term] }),
                    }
                }
            }
        }
        let mut parts = vec![];
        for Weighed { sizes, is_negative, terms } in outer {
            let step = terms.iter().fold(0, |step, (_, c)| greatest_divisor(step, *c)).abs();
            let sign = if is_negative { -1 } else { 1 };
            let one = |(atom, c): &(Expr, i64)| atom.clone() * (sign * (c / step)).into();
            let value = terms.iter().map(one).reduce(|a, b| a + b).expect("a term each");
            let part = self.part(at, &value.simplified());
            parts.push(((sizes * (sign * step).into()).simplified(), part));
        }
        Divided { outer: parts, inner, mixed }
    }

    /// The number of a part, which is added if it is new.
    fn part(&mut self, at: NodeId, value: &Expr) -> usize {
        if let Some(known) = self.found.iter().position(|part| part.value == *value) {
            return known;
        }
        let mut first = None;
        value.visit_leaves(&mut |leaf| first = first.clone().or(Some(leaf.clone())));
        let name = first.map_or_else(|| "v".into(), |leaf| render::expr(self.summary, &leaf));
        self.found.push(OuterPart { value: value.clone(), at, of: vec![], name });
        self.found.len() - 1
    }

    /// The variable that represents the iter of a part.
    fn variable(&self, part: usize) -> VariableId {
        VariableId::of_dim(self.summary.variables.len() + part)
    }

    /// (C4), (C5)
    fn divide(&mut self, id: NodeId, i: usize) -> Result<(), ScheduleError> {
        let block = self.summary.as_block(id).expect("a block");
        let (iter, bound) = (&block.iters[i], &block.binding[i]);
        let known = self.found.len();
        let divided = self.divided(id, bound);
        let expr = |expr: &Expr| render::expr(self.summary, expr);
        if let Some((atom, _)) = divided.mixed.first() {
            let what =
                format!("iter \"{}\" of schedule block \"{}\" is bound to", iter.name, block.name);
            return Err(TensorReason::Mixed { what, expr: expr(atom) }.at(id, 4));
        }
        let is_injective = |(_, part): &(Expr, usize)| {
            let outer = divided.outer.iter().map(|(w, p)| self.variable(*p).expr() * w.clone());
            let sum = outer.fold(divided.inner.to_expr(), |sum, term| sum + term).simplified();
            let variable = self.variable(*part);
            divided.inner.terms.is_empty() && divided.outer.len() == 1
                || digits::determines(&[sum], variable.index(), &WithParts(self), &[])
        };
        if !divided.outer.iter().all(is_injective) {
            let outer = divided.outer.iter().map(|(w, p)| self.found[*p].value.clone() * w.clone());
            let outer = outer.reduce(|a, b| a + b).expect("one is not told").simplified();
            let reason = TensorReason::NotDivided {
                block: block.name.clone(),
                iter: iter.name.clone(),
                outer: expr(&outer),
                inner: expr(&divided.inner.to_expr()),
            };
            return Err(reason.at(id, 5));
        }
        for (_, part) in divided.outer {
            if part >= known {
                self.found[part].name = iter.name.clone();
            }
            self.found[part].of.push((id, i));
        }
        Ok(())
    }

    /// Rewrites an expression of a nested node, with iters in place of the outer parts.
    fn inside(&mut self, at: NodeId, expr: &Expr) -> Result<Expr, ScheduleError> {
        let divided = self.divided(at, expr);
        let mut sum = divided.inner.to_expr();
        for (atom, coefficient) in &divided.mixed {
            let Expr::Binary(kind, left, right) = atom else { continue };
            if *kind == BinaryKind::Mul || right.has_dims() {
                let what = format!("\"{}\" depends on", self.summary.name(at));
                let expr = render::expr(self.summary, atom);
                return Err(TensorReason::Mixed { what, expr }.at(at, 4));
            }
            let (left, right) = (self.inside(at, left)?, self.inside(at, right)?);
            sum = sum + Expr::binary(*kind, left, right) * (*coefficient).into();
        }
        for (weight, part) in divided.outer {
            sum = sum + self.variable(part).expr() * weight;
        }
        Ok(sum.simplified())
    }

    /// (C6): the iters of the new schedule block.
    fn iters(&self, blocks: &[NodeId]) -> Result<Vec<NewIter>, ScheduleError> {
        let mut iters: Vec<NewIter> = vec![];
        for part in &self.found {
            let name = derived_name::fresh(&format!("{}_o", part.name), &|name| {
                iters.iter().any(|iter| iter.name == name)
            });
            let domain = self.domain(&part.value).ok_or_else(|| {
                let block = self.summary.name(part.at);
                let (iter, expr) = (name.clone(), render::expr(self.summary, &part.value));
                TensorReason::NoDomain { block, iter, expr }.at(part.at, 6)
            })?;
            let role = self.role(part, blocks);
            iters.push(NewIter { name, role, domain, binding: part.value.clone() });
        }
        Ok(iters)
    }

    fn role(&self, part: &OuterPart, blocks: &[NodeId]) -> IterRole {
        let is = |role| {
            part.of.iter().all(|(id, i)| {
                self.summary.as_block(*id).is_some_and(|block| block.iters[*i].role == role)
            })
        };
        let is_of_all = blocks.iter().all(|id| part.of.iter().any(|(of, _)| of == id));
        match part.of.is_empty() {
            false if is(IterRole::Spatial) && is_of_all => IterRole::Spatial,
            false if is(IterRole::Reduce) => IterRole::Reduce,
            _ => IterRole::Opaque,
        }
    }

    /// The domain `[0, d)` of a part, over sizes: `d` is the minimum of these.
    fn domain(&self, value: &Expr) -> Option<Vec<Expr>> {
        if let Expr::Dim(variable) = value {
            let bounds: Vec<Expr> = bounds(self.summary, VariableId::of_dim(*variable))
                .iter()
                .filter(|e| !e.has_dims())
                .cloned()
                .collect();
            if !bounds.is_empty() {
                return Some(bounds.iter().map(Expr::or_empty).collect());
            }
        }
        let range = boxes::range(value, &|variable| most(self.summary, variable))?;
        let domain = (range.high + 1.into()).simplified();
        let starts_at_zero = range.low.constant().is_some_and(|low| low >= 0);
        (starts_at_zero && !domain.has_dims()).then(|| vec![domain.or_empty()])
    }
}

fn product(factors: Vec<Expr>) -> Expr {
    factors.into_iter().reduce(|a, b| a * b).unwrap_or(Expr::Constant(1))
}

/// The extent of a loop variable or iter: the minimum of these.
fn bounds(summary: &Summary, variable: VariableId) -> &[Expr] {
    match summary.variables[variable] {
        Variable::Loop(node) => &summary.as_loop(node).expect("a loop").extent,
        Variable::Iter(node, i) => &summary.as_block(node).expect("a block").iters[i].domain,
    }
}

/// The values that a variable takes, whatever the values of the others.
fn most(summary: &Summary, variable: VariableId) -> Motion {
    let bounds = bounds(summary, variable);
    let over_sizes: Vec<Expr> = bounds.iter().filter(|e| !e.has_dims()).cloned().collect();
    if !over_sizes.is_empty() {
        return boxes::bound(&over_sizes);
    }
    match boxes::range(&bounds[0], &|outer| most(summary, outer)) {
        Some(range) => Motion::Runs(range.high),
        None => Motion::Unknown,
    }
}

/// The variables of a summary, and those that represent parts.
struct WithParts<'a, 's>(&'a OuterParts<'s>);

impl WithParts<'_, '_> {
    fn part(&self, variable: usize) -> Option<&Expr> {
        let part = variable.checked_sub(self.0.summary.variables.len())?;
        Some(&self.0.found[part].value)
    }
}

impl Variables for WithParts<'_, '_> {
    fn interval(&self, variable: &Expr) -> Option<(i64, i64)> {
        let summary = self.0.summary;
        match variable {
            Expr::Dim(v) => match self.part(*v) {
                Some(value) => value.interval(&|leaf| summary.interval(leaf)),
                None => summary.interval(variable),
            },
            other => summary.interval(other),
        }
    }

    fn extent(&self, variable: usize) -> Option<Expr> {
        match self.part(variable) {
            Some(value) => self.0.domain(value)?.into_iter().next(),
            None => Variables::extent(self.0.summary, variable),
        }
    }
}

/// Rewrites the IR and returns the new schedule block.
pub fn rewrite<'c>(state: &mut State<'c>, plan: &Plan) -> Op<'c> {
    let summary = state.summary();
    let target = state.op(plan.target);
    let mut sizes: Vec<Value> = vec![];
    for (id, _) in plan.changed.iter().filter(|(id, _)| summary.as_block(*id).is_some()) {
        let view = ScheduleBlock::of(state.op(*id)).expect("the node is a schedule block");
        sizes.extend(view.sizes);
    }
    let bindings: Vec<Expr> = plan.iters.iter().map(|iter| iter.binding.clone()).collect();
    let (symbolic, all_sizes) = state.with_iters_as_symbols(&bindings);
    let mut iters = plan.iters.clone();
    for (iter, symbolic) in iters.iter_mut().zip(symbolic) {
        if !iter.binding.is_semi_affine() {
            iter.binding = symbolic;
        }
    }
    let predicate = plan.predicate.clone();
    let new = NewBlock { name: plan.name.clone(), iters, predicate, reducer: None };
    let op = new.create(target.location(), (state.variables(), &all_sizes), &sizes);
    target.block().expect("it stands in a block").insert_before(target, op);
    let view = ScheduleBlock::of(op).expect("just made");
    target.move_before(view.body.end());
    let mut variables = state.variables().to_vec();
    variables.extend(view.iters.iter().map(|iter| iter.variable));
    let values = (&variables[..], state.sizes());
    for (id, change) in &plan.changed {
        let changed = state.op(*id);
        match change {
            Changed::Block(binding, predicate) => {
                edit::set_binding_of(changed, binding, predicate, values);
            }
            Changed::Extent(extent) => edit::set_loop_extent(changed, extent, values),
            Changed::Branch(conditions) => edit::set_condition_of(changed, conditions, values),
        }
    }
    edit::derive_regions(op);
    edit::widen_regions(op);
    op
}

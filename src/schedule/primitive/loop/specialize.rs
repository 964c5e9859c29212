//! `specialize`: version a nest under a condition on sizes, and simplify the version for which it holds.
//!
//! ```text
//! loop.for serial %i.0 in %n ceildiv 8 { loop.for serial %i.1 in 8 {
//!   loop.block "B" .. = (%i.0 * 8 + %i.1) where(%i.0 * -8 - %i.1 + %n - 1 >= 0)
//! } }
//!   ->  specialize "B:i.0" condition "arg1 mod 8 == 0"
//! loop.if (%n mod 8 == 0) {
//!   loop.for serial %i.0 in %n ceildiv 8 { loop.for serial %i.1 in 8 { loop.block "B" .. = (%i.0 * 8 + %i.1) } }
//! } else {
//!   loop.for serial %i.0 in %n ceildiv 8 { loop.for serial %i.1 in 8 { loop.block "B.else" .. where(..) } }
//! }
//! ```
//! The condition is over sizes. As in messages, `arg1` is argument 1 of the function, counted from 0, and `dim(A, 0)`
//! is dimension 0 of buffer `A`. The syntax is in [`src/schedule/primitive/loop/specialize/condition.rs`](condition).
//! Where the condition holds, predicates that are then always true are removed, and so are operands of an extent that
//! is a minimum, if they are never the smallest. A size that the condition makes constant is replaced by the constant
//! in extents, domains, bindings and predicates. Later steps on `B` see the simplified nest, and their proofs use the
//! condition: after `dim(A, 0) >= 8` a tile of 8 fits.
//!
//! `through` names a later loop or schedule block. The branches then contain all statements from the target to the one
//! that contains `through`.
//!
//! Requires
//! - (C1) the target is a loop or a schedule block, and so is `through`
//! - (C2) the condition can be parsed, and is over sizes that are defined before the nest
//! - (C3) the condition is neither always true nor always false
//! - (C4) no schedule block encloses the target
//! - (C5) `through` is, or is nested in, the target or a later statement of the same loop, branch or function body.
//!   From the target to this statement, there is no barrier and no op with unknown effects
//! - (C6) if several statements are copied, they contain no loop that is bound to a thread axis. Each of them was a
//!   kernel, which waits for the kernel before it, but the branch is one kernel
//!
//! The schedule blocks of the `else` branch are new. All handles refer to the first branch.

pub(crate) mod condition;

use crate::analysis::system::{Answer, System};
use crate::dialect::loop_enums::LoopKind;
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::affine::{Constraint, Expr};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary, bounds};
use crate::schedule::error::loops::LoopsReason;
use crate::schedule::error::{Reason, ReductionReason, ScheduleError};
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::primitive::r#loop::split::peel;
use crate::schedule::rewrite::guard;

primitive! {
    "Copy a nest for the sizes that satisfy a condition"
    specialize(
        target: Target,
        condition: Word = "The condition on sizes, such as \"arg2 mod 8 == 0 and arg3 >= 64\"",
        through: OptionalWord = "A loop, as block:loop, or a schedule block in the last statement to copy; the target by default"
    ) -> ();
    |state| specialize(state, target, condition, through)
}

/// The result of the check.
pub struct Plan {
    /// The adjacent statements to copy.
    nodes: Vec<NodeId>,
    /// The conditions, over the numbers of the summary.
    conditions: Vec<Constraint>,
    /// The names of the schedule blocks of the other branch.
    names: Vec<String>,
}

/// Specializes `target`, or the statements from it to `through`. On an error the IR is unchanged.
pub fn specialize(
    state: &mut State,
    target: &str,
    condition: &str,
    through: Option<&str>,
) -> Result<(), ScheduleError> {
    let plan = check(state.summary(), target, condition, through)?;
    if !guard::are_known(state, plan.nodes[0], &plan.conditions) {
        let reason = LoopsReason::LateSize(condition.to_owned());
        return Err(Reason::from(reason).at(plan.nodes[0], 2));
    }
    let former = state.sizes().to_vec();
    guard::branch(state, &plan.nodes, &plan.conditions, &plan.names);
    // Sizes are renumbered, because the condition precedes the nest.
    let number = |size: usize| state.sizes().iter().position(|other| *other == former[size]);
    let size = |size: usize| Expr::Symbol(number(size).expect("the condition mentions it"));
    let moved = |condition: &Constraint| {
        condition.on(condition.expr().substitute(&Expr::Dim, &size).simplified())
    };
    let conditions: Vec<Constraint> = plan.conditions.iter().map(moved).collect();
    // Simplification keeps the order of statements, but renumbers nodes.
    for i in 0..plan.nodes.len() {
        let first = name::target(state.summary(), target)?;
        simplify(state, siblings_from(state.summary(), first)[i], &conditions);
    }
    Ok(())
}

/// A node and the statements after it in the same loop, branch or function.
fn siblings_from(summary: &Summary, node: NodeId) -> Vec<NodeId> {
    let parent = summary.nodes[node].parent.expect("a loop or a schedule block has a parent");
    let branch = |node: &NodeId| summary.otherwise.contains(node);
    let after = summary.nodes[parent].children.iter().copied().skip_while(|other| *other != node);
    after.filter(|other| branch(other) == branch(&node)).collect()
}

pub fn check(
    summary: &Summary,
    target: &str,
    condition: &str,
    through: Option<&str>,
) -> Result<Plan, ScheduleError> {
    let node = name::target(summary, target)?;
    let last = through.map_or(Ok(node), |last| name::target(summary, last))?;
    let nodes = siblings_from(summary, node);
    let has_last = |other: &NodeId| *other == last || summary.is_under(last, *other);
    let Some(end) = nodes.iter().position(has_last) else {
        let reason = LoopsReason::NotAfter {
            first: target.to_owned(),
            last: through.unwrap_or(target).to_owned(),
        };
        return Err(Reason::from(reason).at(node, 5).note(last, "it is here"));
    };
    let nodes = nodes[..=end].to_vec();
    let is_other = |node: &&NodeId| {
        matches!(summary.nodes[**node].kind, NodeKind::Sync | NodeKind::Effects(_))
    };
    if let Some(other) = nodes.iter().find(is_other) {
        let reason = LoopsReason::Between(summary.name(*other));
        return Err(Reason::from(reason).at(node, 5));
    }
    let is_bound = |node: &NodeId| {
        summary.as_loop(*node).is_some_and(|this| this.kind == LoopKind::ThreadBind)
    };
    let mut inside = nodes.iter().flat_map(|node| summary.under(*node));
    if nodes.len() > 1
        && let Some(bound) = inside.find(is_bound)
    {
        let name = summary.as_loop(bound).map(|this| this.name.clone()).unwrap_or_default();
        return Err(ReductionReason::BoundLoop { name }.at(bound, 6));
    }
    let conditions = condition::parse(condition, &summary.size_names).map_err(|why| {
        Reason::from(LoopsReason::NoCondition { text: condition.to_owned(), why }).at(node, 2)
    })?;
    let known = |expr: &Expr| {
        let size = |size: usize| match summary.sizes[size] {
            Some(value) => value.into(),
            None => Expr::Symbol(size),
        };
        expr.substitute(&Expr::Dim, &size).simplified()
    };
    let conditions: Vec<Constraint> =
        conditions.into_iter().map(|condition| condition.on(known(condition.expr()))).collect();
    let decided = |always: bool| {
        let reason = LoopsReason::Decided { condition: condition.to_owned(), always };
        Err(Reason::from(reason).at(node, 3))
    };
    let question = ConstraintSet { dims: 0, sizes: summary.sizes.len(), known: vec![] };
    if conditions.iter().all(|condition| question.entails(condition)) {
        return decided(true);
    }
    if question.with(&conditions).is_empty() {
        return decided(false);
    }
    if let Some(around) = summary.ancestors(node).find(|node| summary.as_block(*node).is_some()) {
        let name = summary.name(around);
        let error = Reason::from(LoopsReason::InBlock(name)).at(node, 4);
        return Err(error.note(around, "it is here"));
    }
    let mut names: Vec<String> = vec![];
    for block in nodes.iter().flat_map(|node| summary.blocks_under(*node)) {
        let base = format!("{}.else", summary.name(block));
        names.push(derived_name::new_block(summary, &names, base));
    }
    Ok(Plan { nodes, conditions, names })
}

/// A set of constraints on some variables and sizes.
struct ConstraintSet {
    dims: usize,
    sizes: usize,
    known: Vec<Constraint>,
}

impl ConstraintSet {
    fn with(&self, more: &[Constraint]) -> ConstraintSet {
        let known = [&self.known[..], more].concat();
        ConstraintSet { dims: self.dims, sizes: self.sizes, known }
    }

    /// True if no point is proved to satisfy the constraints.
    fn is_empty(&self) -> bool {
        let conditions = self.known.clone();
        let system = System { dims: self.dims, sizes: self.sizes, conditions };
        system.solve() == Answer::Empty
    }

    /// True if the constraints are proved to imply a condition.
    fn entails(&self, condition: &Constraint) -> bool {
        let expr = condition.expr();
        let below = Constraint::NonNegative((Expr::Constant(-1) - expr.clone()).simplified());
        let above = Constraint::NonNegative((expr.clone() - 1.into()).simplified());
        self.with(&[below]).is_empty()
            && (matches!(condition, Constraint::NonNegative(_)) || self.with(&[above]).is_empty())
    }
}

/// Simplifies a node and all nodes under it by what is known about sizes.
fn simplify(state: &mut State, node: NodeId, conditions: &[Constraint]) {
    let numbers = conditions.iter().filter_map(number).collect::<Vec<_>>();
    let size = |size: usize| {
        let number = numbers.iter().find(|(other, _)| *other == size);
        number.map_or(Expr::Symbol(size), |(_, value)| (*value).into())
    };
    let summary = state.summary();
    let replaced = |expr: &Expr| summary.simplified(&expr.substitute(&Expr::Dim, &size));
    let values = (state.variables(), state.sizes());
    let mut blocks = vec![];
    for id in summary.under(node) {
        let question = question_at(summary, id, conditions);
        match &summary.nodes[id].kind {
            NodeKind::Loop(this) => {
                let extent: Vec<Expr> = this.extent.iter().map(replaced).collect();
                let extent = least(&question, extent);
                edit::set_loop_extent(state.op(id), &extent, values);
            }
            NodeKind::Block(block) => {
                let keeps = |c: &&Constraint| !question.entails(c);
                let predicate: Vec<Constraint> = block
                    .predicate
                    .iter()
                    .filter(keeps)
                    .map(|c| c.on(replaced(c.expr())))
                    .collect();
                let binding: Vec<Expr> = block.binding.iter().map(replaced).collect();
                set_domains(state, id, &numbers);
                edit::set_binding_of(state.op(id), &binding, &predicate, values);
                blocks.push(id);
            }
            NodeKind::If(conditions) => {
                let conditions: Vec<Constraint> =
                    conditions.iter().map(|c| c.on(replaced(c.expr()))).collect();
                edit::set_condition_of(state.op(id), &conditions, values);
            }
            NodeKind::Function | NodeKind::Sync | NodeKind::Effects(_) => {}
        }
    }
    // From the innermost to the outermost.
    blocks.iter().rev().for_each(|id| edit::derive_regions(state.op(*id)));
}

/// The size that a condition makes constant, and its value.
fn number(condition: &Constraint) -> Option<(usize, i64)> {
    let Constraint::Zero(expr) = condition else { return None };
    let mut found = None;
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Symbol(size) = leaf {
            found = Some(*size);
        }
    });
    let size = found?;
    let rest =
        |sign: i64| (expr.clone() + Expr::Symbol(size) * sign.into()).simplified().constant();
    rest(-1).map(|rest| (size, -rest)).or_else(|| rest(1).map(|rest| (size, rest)))
}

/// The question of what the conditions and the loops around a node entail.
fn question_at(summary: &Summary, node: NodeId, conditions: &[Constraint]) -> ConstraintSet {
    let mut known = conditions.to_vec();
    for around in summary.loops_around(node) {
        let this = summary.as_loop(around).expect("a loop");
        known.extend(bounds(this.variable, &this.extent));
    }
    ConstraintSet { dims: summary.variables.len(), sizes: summary.sizes.len(), known }
}

/// The operands of a minimum that may be the least; at least one.
fn least(question: &ConstraintSet, mut extent: Vec<Expr>) -> Vec<Expr> {
    let mut i = 0;
    while i < extent.len() && extent.len() > 1 {
        let never_below = |other: &Expr| {
            let more = (extent[i].clone() - other.clone()).simplified();
            question.entails(&Constraint::NonNegative(more))
        };
        let is_never_least =
            (0..extent.len()).any(|other| other != i && never_below(&extent[other]));
        match is_never_least {
            true => drop(extent.remove(i)),
            false => i += 1,
        }
    }
    extent
}

/// Replaces sizes by constants in the domains of a block.
fn set_domains(state: &State, id: NodeId, numbers: &[(usize, i64)]) {
    let op = state.op(id);
    let view = ScheduleBlock::of(op).expect("a verified schedule block");
    let size = |symbol: usize| {
        let number = numbers.iter().find(|(size, _)| state.sizes()[*size] == view.sizes[symbol]);
        number.map_or(Expr::Symbol(symbol), |(_, value)| (*value).into())
    };
    for iter in 0..view.iters.len() {
        peel::set_domain(op, iter, |domain| domain.substitute(&Expr::Dim, &size));
    }
}

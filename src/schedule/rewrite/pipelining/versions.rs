//! Multi-versioned buffers: one copy of a buffer for each iteration in flight.

use super::{Stages, statements};
use crate::dialect::loop_enums::{IterRole, Scope};
use crate::dialect::loop_op::{self, ScheduleBlock};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Error, Op, Type, Value, walk};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::facts::scope;
use crate::nest::summary::{
    Access, Block, Body, BufferId, Iter, NodeId, NodeKind, Summary, Variable, VariableId, mentions,
};
use crate::schedule::State;

/// Buffers with copies; buffers that one schedule block writes at the same indices have the same number of copies.
#[derive(Clone, Debug)]
pub struct Version {
    pub buffers: Vec<BufferId>,
    pub copies: i64,
}

impl Version {
    fn is_accessed(&self, block: &Block) -> bool {
        block.accesses().iter().any(|access| self.buffers.contains(&access.buffer))
    }
}

/// The buffers between statements of different stages whose values stay within an iteration.
pub fn of(summary: &Summary, node: NodeId, stages: &Stages) -> Vec<Version> {
    let all = kept_in_iterations(summary, node, stages).into_iter();
    all.filter(|version| version.copies > 1).collect()
}

/// The buffers of statements of one stage whose values stay within an iteration.
pub fn of_one_stage(summary: &Summary, node: NodeId, stages: &Stages) -> Vec<BufferId> {
    let all = kept_in_iterations(summary, node, stages).into_iter();
    all.filter(|version| version.copies == 1).flat_map(|version| version.buffers).collect()
}

/// The buffers of the loop whose values stay within an iteration, with the copies that their stages require.
fn kept_in_iterations(summary: &Summary, node: NodeId, stages: &Stages) -> Vec<Version> {
    let statements = statements(summary, node);
    let mut versions = vec![];
    for buffers in written_together(summary) {
        let all = Version { buffers, copies: 1 };
        let uses = |statement: &NodeId| {
            let mut blocks = summary.blocks_under(*statement).into_iter();
            blocks.any(|id| all.is_accessed(summary.as_block(id).expect("a block")))
        };
        let users = statements.iter().zip(&stages.stage).filter(|(statement, _)| uses(statement));
        let of_users: Vec<i64> = users.map(|(_, stage)| *stage).collect();
        let (Some(first), Some(last)) = (of_users.iter().min(), of_users.iter().max()) else {
            continue;
        };
        let is_own = |buffer: &BufferId| {
            let inside = in_one_iteration(summary, node, *buffer);
            summary.buffers[*buffer].scope.is_some()
                && scope::is_used_within(&inside, node, *buffer)
                && !is_in_nest(summary, node, *buffer)
        };
        if all.buffers.iter().all(is_own) {
            versions.push(Version { copies: last - first + 1, ..all });
        }
    }
    versions
}

/// All buffers, grouped: buffers that one schedule block writes together are accessed at the same indices.
fn written_together(summary: &Summary) -> Vec<Vec<BufferId>> {
    let mut groups: Vec<Vec<BufferId>> = summary.buffers.keys().map(|id| vec![id]).collect();
    for (_, block) in summary.blocks() {
        let written = block.written();
        if written.len() < 2 {
            continue;
        }
        let is_one = |group: &Vec<BufferId>| group.iter().any(|id| written.contains(id));
        let (together, rest): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_one);
        groups = rest;
        groups.extend((!together.is_empty()).then(|| together.concat()));
    }
    groups.iter_mut().for_each(|group| group.sort());
    groups.sort();
    groups
}

/// True if an access is in a schedule block nested in another block of the loop, where the loop's variable is not
/// known.
fn is_in_nest(summary: &Summary, node: NodeId, buffer: BufferId) -> bool {
    summary.blocks_under(node).into_iter().any(|id| {
        let block = summary.as_block(id).expect("a block");
        let mut between = summary.ancestors(id).take_while(|outer| *outer != node);
        block.accesses().iter().any(|access| access.buffer == buffer)
            && between.any(|outer| summary.as_block(outer).is_some())
    })
}

/// The summary of a single iteration: spatial iters bound to the loop or to enclosing loops are constant, and their
/// domains are not empty. Only iters that do not index the buffer are changed.
fn in_one_iteration(summary: &Summary, node: NodeId, buffer: BufferId) -> Summary {
    let mut inside = summary.clone();
    let around: Vec<NodeId> = std::iter::once(node).chain(summary.loops_around(node)).collect();
    let variables: Vec<Expr> = around
        .iter()
        .filter_map(|outer| summary.as_loop(*outer))
        .map(|outer| outer.variable.expr())
        .collect();
    for id in summary.blocks_under(node) {
        let NodeKind::Block(block) = &mut inside.nodes[id].kind else { continue };
        let block = &mut **block;
        let accesses = block.accesses().iter().filter(|access| access.buffer == buffer);
        let indices: Vec<Expr> = accesses.flat_map(|a| a.indices.clone()).flatten().collect();
        for (iter, bound) in block.iters.iter_mut().zip(&mut block.binding) {
            let is_index = indices.iter().any(|index| mentions(index, iter.variable));
            if !is_index && iter.role == IterRole::Spatial && variables.contains(bound) {
                iter.domain = vec![1.into()];
                *bound = 0.into();
            }
        }
    }
    inside
}

/// The summary of a function in which buffers have their copies, as [`give`] emits them.
pub fn given(summary: &Summary, node: NodeId, versions: &[Version]) -> Summary {
    let mut with_copies = summary.clone();
    let variable = summary.as_loop(node).expect("a loop").variable;
    for version in versions {
        let copies = version.copies;
        for buffer in &version.buffers {
            with_copies.buffers[*buffer].shape.insert(0, Some(copies.into()));
        }
        for id in summary.blocks_under(node) {
            let number = with_copies.variables.len();
            let NodeKind::Block(block) = &mut with_copies.nodes[id].kind else { continue };
            if !version.is_accessed(block) {
                continue;
            }
            let role = role(summary.as_block(id).expect("a block"), variable);
            let place = block.iters.len();
            let domain = vec![copies.into()];
            block.iters.push(Iter {
                name: "version".into(),
                role,
                domain,
                variable: VariableId::of_dim(number),
            });
            block.binding.push(variable.expr().modulo(copies.into()));
            if let Body::Leaf { accesses, .. } = &mut block.body {
                let of_version = |access: &&mut Access| version.buffers.contains(&access.buffer);
                for access in accesses.iter_mut().filter(of_version) {
                    access.indices.insert(0, Some(Expr::Dim(number)));
                }
            }
            with_copies.variables.push(Variable::Iter(id, place));
        }
    }
    with_copies
}

/// The role of an iter that selects the copy: in a reduction over the loop it also counts steps of the reduction.
fn role(block: &Block, variable: VariableId) -> IterRole {
    let over =
        |(iter, bound): (&Iter, &Expr)| iter.role == IterRole::Reduce && mentions(bound, variable);
    let reduces = block.has_init && block.iters.iter().zip(&block.binding).any(over);
    if reduces { IterRole::Reduce } else { IterRole::Spatial }
}

/// Adds the copies to buffers; consecutive iterations use consecutive copies.
pub fn give<'c>(state: &mut State<'c>, node: NodeId, version: &Version) -> Result<(), Error<'c>> {
    let summary = state.summary();
    let variable = summary.as_loop(node).expect("a loop").variable;
    let mut new = vec![];
    for buffer in &version.buffers {
        let value = state.buffer(*buffer);
        let old = value.defining_op().expect("an intermediate buffer");
        let copies = copies_of(old, version.copies)?;
        old.block().expect("a buffer stands in a function").insert_before(old, copies);
        new.push((value, copies.result(0)));
    }
    let mut blocks = summary.blocks_under(node);
    // From the innermost to the outermost, because regions are derived from those inside.
    blocks.reverse();
    for id in blocks {
        let block = summary.as_block(id).expect("a block");
        let op = state.op(id);
        if version.is_accessed(block) {
            let role = role(block, variable);
            let index = add_iter(op, role, version.copies, state.variable(variable))?;
            for access in walk(op) {
                let at = match access.name() {
                    "memref.load" => 0,
                    "memref.store" => 1,
                    _ => continue,
                };
                let mut operands = access.operands();
                if let Some((_, copies)) = new.iter().find(|(old, _)| operands[at] == *old) {
                    operands[at] = *copies;
                    operands.insert(at + 1, index);
                    access.set_operands(&operands);
                }
            }
            edit::derive_regions(op);
        } else if ScheduleBlock::of(op)?.is_nest() {
            edit::derive_regions(op);
        }
    }
    state.nests_around([&node]).into_iter().for_each(edit::derive_regions);
    for (old, copies) in new {
        let (old, copies) = (old.defining_op(), copies.defining_op());
        let (old, copies) = old.zip(copies).expect("both are buffers of the function");
        state.rewriter.replaced(old, copies);
        state.rewriter.erase(old);
    }
    Ok(())
}

/// A buffer with an additional first dimension, not inserted yet.
fn copies_of<'c>(old: Op<'c>, copies: i64) -> Result<Op<'c>, Error<'c>> {
    let view = loop_op::BufferView::of(old)?;
    let (mut dims, element) = old.result(0).ty().shaped().expect("a verified buffer");
    dims.insert(0, Some(copies));
    let ty = Type::memref(&dims, element);
    let (name, scope): (&str, Scope) = (view.name, view.scope);
    let dynamic = (&view.dynamic_dims[..], &view.sizes[..]);
    let new = loop_op::BufferView::create(old.location(), name, scope, ty, dynamic.0, dynamic.1);
    if let Some(alignment) = old.attribute("alignment") {
        new.set_attribute("alignment", alignment);
    }
    if let Some(mut padding) = view.padding {
        padding.insert(0, 0);
        new.set_attribute("padding", Attribute::dense_i64(old.context(), &padding));
    }
    if let Some(rounding) = view.rounding {
        let rounding = [&[1, 0], &rounding[..]].concat();
        new.set_attribute("rounding", Attribute::dense_i64(old.context(), &rounding));
    }
    Ok(new)
}

/// Adds to a leaf an iter that is bound to `variable mod copies`.
fn add_iter<'c>(
    op: Op<'c>,
    role: IterRole,
    copies: i64,
    variable: Value<'c>,
) -> Result<Value<'c>, Error<'c>> {
    let context = op.context();
    let view = ScheduleBlock::of(op)?;
    let names: Vec<String> = view.iters.iter().map(|iter| iter.name.clone()).collect();
    let own = derived_name::fresh("version", &|name| names.iter().any(|other| other == name));
    let roles: Vec<i32> =
        view.iters.iter().map(|iter| iter.role as i32).chain([role as i32]).collect();
    let symbols = view.sizes.len();
    let domain = |results: Vec<Expr>| Map { dims: 0, symbols, results };
    let mut domains: Vec<Map> = view.iters.iter().map(|iter| domain(iter.domain.clone())).collect();
    domains.push(domain(vec![copies.into()]));
    let mut binding = view.binding.clone();
    binding.push(0.into());
    let map = Map { dims: view.binds.len(), symbols, results: binding.clone() };
    let argument = view.body.insert_argument(view.iters.len(), Type::index(context), op.location());
    let names = [&names[..], &[own]].concat();
    op.set_attribute("iter_names", Attribute::strings(context, &names));
    op.set_attribute("roles", Attribute::dense_i32(context, &roles));
    op.set_attribute("domains", Attribute::maps(context, &domains));
    op.set_attribute("binding", map.to_attribute(context));
    let mut binds = view.binds.clone();
    binds.push(variable);
    binding.pop();
    binding.push(Expr::Dim(view.binds.len()).modulo(copies.into()));
    let predicate = view.predicate.map(|set| set.constraints).unwrap_or_default();
    edit::set_binding_of(op, &binding, &predicate, (&binds, &view.sizes));
    Ok(argument)
}

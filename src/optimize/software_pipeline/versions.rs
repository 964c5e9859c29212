//! Copies of a buffer, one for each iteration that is under way.

use super::{Stages, statements};
use crate::dialect::loop_enums::{IterRole, Scope};
use crate::dialect::loop_op::{self, ScheduleBlock};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Attribute, Error, Op, Type, Value, walk};
use crate::schedule::State;
use crate::schedule::edit;
use crate::schedule::name;
use crate::schedule::storage;
use crate::schedule::summary::{BufferId, NodeId, NodeKind, Summary, mentions};

/// A buffer with copies.
#[derive(Clone, Debug)]
pub struct Version {
    pub buffer: BufferId,
    pub name: String,
    pub copies: i64,
}

/// The buffers between statements of different stages whose values stay in an iteration.
pub fn of(summary: &Summary, node: NodeId, stages: &Stages) -> Vec<Version> {
    let statements = statements(summary, node);
    let mut versions = vec![];
    for (buffer, view) in summary.buffers.iter().enumerate() {
        let uses = |statement: &NodeId| {
            let blocks = summary.blocks_under(*statement);
            blocks.into_iter().any(|id| {
                let block = summary.as_block(id).expect("a block");
                block.accesses().iter().any(|access| access.buffer == buffer)
            })
        };
        let users = statements.iter().zip(&stages.stage).filter(|(statement, _)| uses(statement));
        let of_users: Vec<i64> = users.map(|(_, stage)| *stage).collect();
        let (Some(first), Some(last)) = (of_users.iter().min(), of_users.iter().max()) else {
            continue;
        };
        let is_own = || {
            let inside = in_one_iteration(summary, node, buffer);
            view.scope.is_some()
                && storage::is_used_within(&inside, node, buffer)
                && !is_in_nest(summary, node, buffer)
        };
        if first < last && is_own() {
            let (name, copies) = (view.name.clone(), last - first + 1);
            versions.push(Version { buffer, name, copies });
        }
    }
    versions
}

/// Does a schedule block in the loop hold an access? The loop's variable is not known there.
fn is_in_nest(summary: &Summary, node: NodeId, buffer: BufferId) -> bool {
    summary.blocks_under(node).into_iter().any(|id| {
        let block = summary.as_block(id).expect("a block");
        let mut between = summary.ancestors(id).take_while(|outer| *outer != node);
        block.accesses().iter().any(|access| access.buffer == buffer)
            && between.any(|outer| summary.as_block(outer).is_some())
    })
}

/// While an iteration runs the iters that are bound to what stands around are numbers, and their domains are not
/// empty. Those that are no index of the buffer do not matter.
fn in_one_iteration(summary: &Summary, node: NodeId, buffer: BufferId) -> Summary {
    let mut inside = summary.clone();
    let around: Vec<NodeId> = std::iter::once(node).chain(summary.loops_around(node)).collect();
    let variables: Vec<Expr> = around
        .iter()
        .filter_map(|outer| summary.as_loop(*outer))
        .map(|outer| Expr::Dim(outer.variable))
        .collect();
    for id in summary.blocks_under(node) {
        let NodeKind::Block(block) = &mut inside.nodes[id].kind else { continue };
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

/// Gives the buffer its copies, of which each iteration takes the next one.
pub fn give<'c>(state: &State<'c>, node: NodeId, version: &Version) -> Result<(), Error<'c>> {
    let buffer = state.buffer(version.buffer);
    let old = buffer.defining_op().expect("an intermediate buffer");
    let summary = state.summary();
    let variable = summary.as_loop(node).expect("a loop").variable;
    let new = copies_of(old, version.copies)?;
    old.block().expect("a buffer stands in a function").insert_before(old, new);
    let mut blocks = summary.blocks_under(node);
    // From the inside to the outside, as regions are those of what is inside.
    blocks.reverse();
    for id in blocks {
        let block = summary.as_block(id).expect("a block");
        let op = state.op(id);
        if block.accesses().iter().any(|access| access.buffer == version.buffer) {
            let over = |(iter, bound): (&crate::schedule::summary::Iter, &Expr)| {
                iter.role == IterRole::Reduce && mentions(bound, variable)
            };
            let reduces = block.has_init && block.iters.iter().zip(&block.binding).any(over);
            let role = if reduces { IterRole::Reduce } else { IterRole::Spatial };
            let index = add_iter(op, role, version.copies, state.variable(variable))?;
            for access in walk(op) {
                let at = match access.name() {
                    "memref.load" => 0,
                    "memref.store" => 1,
                    _ => continue,
                };
                let mut operands = access.operands();
                if operands[at] == buffer {
                    operands[at] = new.result(0);
                    operands.insert(at + 1, index);
                    access.set_operands(&operands);
                }
            }
            edit::derive_regions(op);
        } else if ScheduleBlock::of(op)?.is_nest() {
            edit::derive_regions(op);
        }
    }
    old.erase();
    Ok(())
}

/// A buffer with one more dimension in front, in no block.
fn copies_of<'c>(old: Op<'c>, copies: i64) -> Result<Op<'c>, Error<'c>> {
    let view = loop_op::Buffer::of(old)?;
    let (mut dims, element) = old.result(0).ty().shaped().expect("a verified buffer");
    dims.insert(0, Some(copies));
    let ty = Type::memref(&dims, element);
    let (name, scope): (&str, Scope) = (view.name, view.scope);
    let dynamic = (&view.dynamic_dims[..], &view.sizes[..]);
    let new = loop_op::Buffer::create(old.location(), name, scope, ty, dynamic.0, dynamic.1);
    if let Some(alignment) = old.attribute("alignment") {
        new.set_attribute("alignment", alignment);
    }
    if let Some(mut padding) = view.padding {
        padding.insert(0, 0);
        new.set_attribute("padding", Attribute::dense_i64(old.context(), &padding));
    }
    Ok(new)
}

/// Gives a leaf one more iter, which is bound to `variable mod copies`.
fn add_iter<'c>(
    op: Op<'c>,
    role: IterRole,
    copies: i64,
    variable: Value<'c>,
) -> Result<Value<'c>, Error<'c>> {
    let context = op.context();
    let view = ScheduleBlock::of(op)?;
    let names: Vec<String> = view.iters.iter().map(|iter| iter.name.clone()).collect();
    let own = name::fresh("version", &|name| names.iter().any(|other| other == name));
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

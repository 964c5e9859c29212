//! Creates the copy of a box, and redirects loads to it.

use super::{Common, CopiedDim};
use crate::dialect::loop_enums::{IterRole, LoopKind, Scope};
use crate::dialect::loop_op::{BufferView, For, ForSpec, ScheduleBlock};
use crate::dialect::region;
use crate::ir::affine::{Constraint, Expr, Map};
use crate::ir::{Builder, Error, Op, Type, Value};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::{NewBlock, NewIter};
use crate::nest::index_form;
use crate::nest::summary::NodeId;
use crate::schedule::State;
use crate::schedule::rewrite::copy::{CopySizes, move_up};

/// Creates the buffer and the copy, and redirects the loads.
pub(crate) fn make<'c>(state: &mut State<'c>, common: &Common) -> Result<(), Error<'c>> {
    let child = state.op(common.child);
    let location = child.location();
    let old = state.buffer(common.buffer);
    let first = first_nest(state);
    let entry = Builder::before(first, location);
    let mut dimensions = CopySizes::default();
    let shape: Vec<Expr> = (0..common.dims.len())
        .map(|i| dimensions.dimension(state.summary(), common.buffer, i))
        .collect();
    let mut sizes = state.sizes().to_vec();
    sizes.extend(dimensions.new.iter().map(|(buffer, i)| entry.dim(state.buffer(*buffer), *i)));
    move_up(&mentioned(&shape, &sizes), first);

    let (_, element) = old.ty().shaped().expect("buffers are row-major memrefs");
    let counts: Vec<Option<i64>> = common.dims.iter().map(|dim| Some(dim.count)).collect();
    let ty = Type::memref(&counts, element);
    let copy_name = derived_name::temporary(state.summary(), common.buffer, Scope::Local);
    let buffer = BufferView::create(location, &copy_name, Scope::Local, ty, &[], &[]);
    entry.place(buffer);
    let new = buffer.result(0);

    let readers: Vec<NodeId> = common.loads.iter().map(|(reader, _)| *reader).collect();
    let nests = state.nests_around(readers.iter().chain([&common.child]));
    for (reader, loads) in &common.loads {
        redirect(state, state.op(*reader), loads, new, &common.dims)?;
    }
    place(state, common, (&copy_name, &shape), (old, new), &sizes);
    nests.into_iter().for_each(edit::derive_regions);
    Ok(())
}

/// The first loop or schedule block of a function.
fn first_nest<'c>(state: &State<'c>) -> Op<'c> {
    let body = state.function.body(0).expect("a function with loops has a body");
    let nest = |op: &Op| matches!(op.name(), "loop.for" | "loop.block" | "loop.if" | "loop.sync");
    body.ops().into_iter().find(nest).expect("the buffer is read")
}

fn mentioned<'c>(exprs: &[Expr], sizes: &[Value<'c>]) -> Vec<Value<'c>> {
    let mut found = vec![];
    for expr in exprs {
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Symbol(i) = leaf {
                found.push(sizes[*i]);
            }
        });
    }
    found
}

/// The index in the copy for an index of the buffer.
fn local_index<'c>(at: Builder<'c>, dim: &CopiedDim, index: Value<'c>) -> Value<'c> {
    let from_phase = Expr::Dim(0).floor_div(dim.step.into()) - dim.phase.into();
    at.apply(&from_phase.modulo(dim.count.into()), &[index], &[])
}

/// Redirects some accesses of a leaf to the copy.
fn redirect<'c>(
    state: &mut State<'c>,
    op: Op<'c>,
    loads: &[usize],
    new: Value<'c>,
    dims: &[CopiedDim],
) -> Result<(), Error<'c>> {
    let cells = region::cells(&ScheduleBlock::of(op)?)?;
    for load in loads.iter().map(|i| cells[*i].op) {
        let at = Builder::before(load, load.location());
        for (i, (dim, index)) in dims.iter().zip(load.operands().into_iter().skip(1)).enumerate() {
            load.set_operand(i + 1, local_index(at, dim, index));
        }
        load.set_operand(0, new);
    }
    index_form::restore(op, state.rewriter.as_mut());
    edit::derive_regions(op);
    Ok(())
}

/// Creates the loops and the schedule block that copies.
fn place<'c>(
    state: &State<'c>,
    common: &Common,
    (copy_name, shape): (&str, &[Expr]),
    (old, new): (Value<'c>, Value<'c>),
    sizes: &[Value<'c>],
) {
    let child = state.op(common.child);
    let location = child.location();
    let mut at = Builder::before(child, location);
    let mut variables = state.variables().to_vec();
    let (mut iters, mut predicate) = (vec![], common.predicate.clone());
    for (i, dim) in common.dims.iter().enumerate() {
        let mut binding = dim.low.clone();
        if dim.count > 1 {
            let extent = Map { dims: 0, symbols: 0, results: vec![dim.count.into()] };
            let name = derived_name::copy_loop(state.summary(), common.parent, i);
            let spec = ForSpec { name: &name, extent: &extent, dims: &[], sizes: &[], axis: None };
            let op = spec.create(location);
            if dim.like != LoopKind::Serial {
                For::set_kind(op, dim.like, None);
            }
            at.place(op);
            let this = For::of(op).expect("just made");
            binding = binding + Expr::Dim(variables.len()) * dim.step.into();
            variables.push(this.variable());
            let end = this.body.end();
            at = Builder::before(end, location);
        }
        let (starts_inside, ends_inside) = dim.is_inside;
        if !starts_inside {
            predicate.push(Constraint::NonNegative(binding.simplified()));
        }
        if !ends_inside {
            let rest = shape[i].clone() - 1.into() - binding.clone();
            predicate.push(Constraint::NonNegative(rest.simplified()));
        }
        let (name, domain) = (format!("v{i}"), vec![shape[i].clone()]);
        iters.push(NewIter { name, role: IterRole::Spatial, domain, binding });
    }
    let spec = NewBlock { name: copy_name.to_owned(), iters, predicate, reducer: None };
    let block = spec.create(location, (&variables, sizes), &[]);
    at.place(block);
    let view = ScheduleBlock::of(block).expect("just made");
    let end = view.body.end();
    let at = Builder::before(end, location);
    let outer: Vec<Value> = view.iters.iter().map(|iter| iter.variable).collect();
    let inner: Vec<Value> =
        common.dims.iter().zip(&outer).map(|(dim, v)| local_index(at, dim, *v)).collect();
    at.store(at.load(old, &outer), new, &inner);
    edit::derive_regions(block);
}

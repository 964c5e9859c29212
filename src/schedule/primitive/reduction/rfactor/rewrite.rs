//! Emits the IR of the two steps into which `rfactor` divides a reduction.

use super::{CombineOrder, Plan};
use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::Scope;
use crate::dialect::loop_op::{BufferView, For, ScheduleBlock, buffer_name, yield_op};
use crate::ir::affine::Expr;
use crate::ir::{Block, Builder, Op, Region, Type, Value, walk};
use crate::nest::builder::OpenLoops;
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::NewBlock;
use crate::nest::partial_result::{Joining, PartialReduction, place_buffer};
use crate::nest::state::State;
use crate::nest::{index_form, summary};
use crate::schedule::primitive::reduction::decompose_reduction::copy_init;

pub(crate) fn rewrite(state: &mut State, plan: &Plan) {
    let old = ScheduleBlock::of(state.op(plan.block)).expect("the node is a schedule block");
    let mut reduction = PartialReduction::of(old);
    reduction.partials = partial_buffers(state, plan, &reduction.stores);
    // The first step selects the first of its own values in order; only the last step combines values in another order.
    reduction.breaks_ties |= plan.order == CombineOrder::ByIndex;
    first_step(state, plan, &reduction);
    if plan.order == CombineOrder::ByIndex {
        reduction.break_ties();
    }
    last_step(state, plan, &reduction);
}

/// The buffers of the partial results, allocated before the first nest.
fn partial_buffers<'c>(state: &State<'c>, plan: &Plan, stores: &[Op<'c>]) -> Vec<Value<'c>> {
    let body = state.function.body(0).expect("a function with a nest has a body");
    let location = state.op(plan.block).location();
    let mut taken: Vec<String> = vec![];
    let summary = state.summary();
    let block = summary.as_block(plan.block).expect("a block");
    let updates: Vec<_> = block.stores().filter(|store| !store.in_init).collect();
    let mut partials = vec![];
    for (store, update) in stores.iter().zip(updates) {
        let mut sizes = state.sizes().to_vec();
        let old = store.operand(1);
        let (_, element) = old.ty().shaped().expect("a buffer is a memref");
        let mut dims = vec![];
        for (i, dim) in summary.buffers[update.buffer].shape.iter().enumerate() {
            dims.push(dim.clone().unwrap_or_else(|| {
                let first = body.first_op().expect("a function with a nest has an op");
                sizes.push(Builder::before(first, location).dim(old, i));
                Expr::Symbol(sizes.len() - 1)
            }));
        }
        dims.insert(plan.axis, plan.size.clone());
        let name = derived_name::fresh(
            &format!("rf_{}", derived_name::stem(&buffer_name(old))),
            &|name| taken.iter().any(|other| other == name) || summary.has_buffer(name),
        );
        let ty = Type::memref(&dims.iter().map(Expr::constant).collect::<Vec<_>>(), element);
        dims.retain(|dim| dim.constant().is_none());
        let op = BufferView::create(location, &name, Scope::Global, ty, &dims, &sizes);
        place_buffer(body, op);
        partials.push(op.result(0));
        taken.push(name);
    }
    partials
}

/// The nest that computes the partial results.
fn first_step<'c>(state: &mut State<'c>, plan: &Plan, reduction: &PartialReduction<'c>) {
    let summary = state.summary();
    let old = &reduction.old;
    let block = summary.as_block(plan.block).expect("a block");
    let top = state.op(plan.loops[0]);
    let sizes = state.sizes();
    let mut nest = OpenLoops::before(state, top);
    let others = plan.loops.iter().filter(|node| **node != plan.factored);
    for node in std::iter::once(&plan.factored).chain(others) {
        let this = summary.as_loop(*node).expect("a loop");
        nest.open(&renamed(this, plan, summary), state.op(*node).location());
    }
    // The values that partial iters are recombined from.
    let mut more = old.sizes.clone();
    for part in plan.first.iter().filter(|part| part.is_part) {
        block.binding[part.of].visit_leaves(&mut |leaf| {
            if let Expr::Symbol(i) = leaf
                && !more.contains(&sizes[*i])
            {
                more.push(sizes[*i]);
            }
        });
    }
    let new = NewBlock {
        name: plan.name.clone(),
        iters: plan.first.iter().map(|part| part.iter.clone()).collect(),
        predicate: block.predicate.clone(),
        reducer: old.reducer.clone(),
    };
    let op = new.create(old.op.location(), nest.values(), &more);
    nest.put(op);
    let new = ScheduleBlock::of(op).expect("just made");
    let at = Builder::before(new.body.end(), old.op.location());
    let factor = new.iters.iter().find(|iter| iter.name == plan.factor);
    let factor = factor.expect("the first step has it").variable;
    start_at_identity(&new, (plan, state.summary().contract), reduction, factor, at);

    let iters: Vec<_> = new.iters.iter().map(|iter| iter.variable).collect();
    let of_loop = |variable: usize| {
        let is_it = |p: &super::PartIter| p.iter.binding == Expr::Dim(variable);
        Expr::Dim(plan.first.iter().position(is_it).expect("each loop of the iter has a part"))
    };
    let mut mapping: Vec<(Value, Value)> = vec![];
    for (i, iter) in old.iters.iter().enumerate() {
        let whole = plan.first.iter().position(|part| part.of == i && !part.is_part);
        let value = match whole {
            Some(place) => iters[place],
            None => {
                let expr = block.binding[i].substitute(&of_loop, &Expr::Symbol);
                at.apply(&expr, &iters, sizes)
            }
        };
        mapping.push((iter.variable, value));
    }
    let init = old.init();
    let ops = old.body.ops().into_iter();
    for op in ops.filter(|op| Some(*op) != init && !op.is("loop.yield")) {
        let copy = op.clone_mapped(&mapping);
        at.place(copy);
        mapping.extend(op.results().into_iter().zip(copy.results()));
    }
    for access in walk(op) {
        let first = match access.name() {
            "memref.load" => 0,
            "memref.store" => 1,
            _ => continue,
        };
        let mut operands = access.operands();
        if let Some(i) = reduction.buffers.iter().position(|buffer| *buffer == operands[first]) {
            operands[first] = reduction.partials[i];
            operands.insert(first + 1 + plan.axis, factor);
            access.set_operands(&operands);
        }
    }
    index_form::restore(op, state.rewriter.as_mut());
    edit::derive_regions(op);
}

/// A loop with its name in the first nest.
fn renamed(this: &summary::Loop, plan: &Plan, summary: &summary::Summary) -> summary::Loop {
    let mut this = this.clone();
    let factored = &summary.as_loop(plan.factored).expect("a loop").name;
    if this.name == *factored {
        this.name = plan.loop_name.clone();
    }
    if let Some(pair) = this.axis.as_mut().and_then(|axis| axis.pair.as_mut())
        && pair == factored
    {
        *pair = plan.loop_name.clone();
    }
    this
}

/// The `loop.init` of the first step.
fn start_at_identity<'c>(
    new: &ScheduleBlock<'c>,
    (plan, contract): (&Plan, Contract),
    reduction: &PartialReduction<'c>,
    factor: Value<'c>,
    at: Builder<'c>,
) {
    let body = Block::new(&[]);
    let inner = Builder::at_end(body, at.location());
    let indices = reduction.indices(new, Some((plan.axis, factor)), inner);
    let keeps_bits = plan.order == CombineOrder::Kept && contract == Contract::Strict;
    for (value, partial) in reduction.starts(keeps_bits).into_iter().zip(&reduction.partials) {
        inner.store(inner.constant(value), *partial, &indices);
    }
    inner.place(yield_op(at.location(), &[]));
    at.insert(at.spec("loop.init").region(Region::of(body)));
}

/// The block that combines the partial results, in place of the old block, and its loops.
fn last_step<'c>(state: &mut State<'c>, plan: &Plan, reduction: &PartialReduction<'c>) {
    let (variables, sizes) = (state.variables().to_vec(), state.sizes().to_vec());
    let old = &reduction.old;
    let location = old.op.location();
    let new = NewBlock {
        name: old.name.to_owned(),
        iters: plan.last.clone(),
        predicate: plan.predicate.clone(),
        reducer: old.reducer.clone(),
    };
    let op = new.create(location, (&variables, &sizes), &old.sizes);
    old.op.block().expect("a schedule block stands in a block").insert_before(old.op, op);
    let new = ScheduleBlock::of(op).expect("just made");
    let at = Builder::before(new.body.end(), location);
    if let Some(init) = old.init() {
        copy_init(&new, old, init, at);
    }
    let factor = new.iters.iter().find(|iter| iter.name == plan.factor);
    let factor = factor.expect("the last step has it").variable;
    let indices = reduction.indices(&new, None, at);
    let with_factor = reduction.indices(&new, Some((plan.axis, factor)), at);
    let old_values = reduction.buffers.iter().map(|buffer| at.load(*buffer, &indices)).collect();
    let parts = reduction.partials.iter().map(|buffer| at.load(*buffer, &with_factor)).collect();
    let joined = Joining { reduction, old_values, parts, at }.values();
    for (value, buffer) in joined.into_iter().zip(&reduction.buffers) {
        at.store(value, *buffer, &indices);
    }
    index_form::restore(op, state.rewriter.as_mut());
    edit::derive_regions(op);
    state.rewriter.replaced(old.op, op);
    state.rewriter.erase(old.op);

    let extent = &state.summary().as_loop(plan.factored).expect("a loop").extent;
    if *extent != plan.extent {
        edit::set_loop_extent(state.op(plan.factored), &plan.extent, (&variables, &sizes));
    }
    for node in plan.dropped.iter().rev() {
        let view = For::of(state.op(*node)).expect("the node is a loop");
        let place = view.op.block().expect("a loop stands in a block");
        for inner in view.body.ops().into_iter().filter(|op| !op.is("loop.yield")) {
            inner.detach();
            place.insert_before(view.op, inner);
        }
        state.rewriter.erase(view.op);
    }
}

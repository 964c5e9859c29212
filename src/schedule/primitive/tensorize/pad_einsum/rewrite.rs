//! Emits the IR of a padded einsum: the buffers, the nests that fill them, the einsum on these, and the nest that
//! copies back.

use super::{EinsumIndex, EinsumIter, PaddedCopy, PaddedSide, Plan, rounded};
use crate::dialect::loop_enums::{IterRole, Scope};
use crate::dialect::loop_op::{BufferView, For, If, ScheduleBlock, yield_op};
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{Attribute, Block, Builder, Type, Value, walk};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::{NewBlock, NewIter};
use crate::nest::index_form;
use crate::nest::partial_result::place_buffer;
use crate::nest::state::State;
use crate::schedule::primitive::r#loop::split::peel::set_domain;
use crate::schedule::rewrite::copy;

/// Returns the names of the new schedule blocks.
pub(crate) fn rewrite<'c>(
    state: &mut State<'c>,
    plan: &Plan,
    fills: &[Attribute<'c>],
) -> Vec<String> {
    let nest = state.op(plan.nest);
    let before = Builder::before(nest, state.op(plan.block).location());
    let entry = Builder::before(copy::first_nest(state), before.location());
    let mut sizes = state.sizes().to_vec();
    sizes.extend(plan.sizes.new.iter().map(|(b, i)| entry.dim(state.buffer(*b), *i)));
    let making = Making { state, plan, sizes: &sizes };
    let new: Vec<Value> = plan.inputs.iter().map(|input| making.buffer(input)).collect();
    for ((input, new), fill) in plan.inputs.iter().zip(&new).zip(fills) {
        making.fill(before, input, *new, *fill);
    }
    let room = plan.output.as_ref().map(|output| making.buffer(output));
    let mut names: Vec<String> = plan.inputs.iter().map(|input| input.name.clone()).collect();
    if let (Some(output), Some(room)) = (&plan.output, room) {
        let next = nest.next().expect("a function ends in a terminator");
        names.push(making.unpad(Builder::before(next, before.location()), output, room));
    }
    let block = state.op(plan.block);
    let view = ScheduleBlock::of(block).expect("the node is a schedule block");
    for access in walk(block) {
        let (first, is_store) = match access.name() {
            "memref.load" => (1, false),
            "memref.store" => (2, true),
            _ => continue,
        };
        let new = match plan.copied(state, &view, access) {
            Some(PaddedSide::Input(i)) if !is_store => Some((&plan.inputs[i], new[i])),
            Some(PaddedSide::Output) => plan.output.as_ref().zip(room),
            _ => None,
        };
        let Some((copied, value)) = new else { continue };
        access.set_operand(first - 1, value);
        for (i, index) in copied.at.iter().enumerate() {
            if matches!(index, EinsumIndex::Number(_)) {
                let zero = Builder::before(access, access.location()).index(0);
                access.set_operand(first + i, zero);
            }
        }
    }
    for (i, axis) in plan.axes.iter().enumerate().filter(|(_, axis)| axis.is_padded) {
        set_domain(block, i, |extent| match extent.constant() {
            Some(_) => axis.size(),
            None => rounded(extent, axis.factor),
        });
        let node = axis.node.expect("what is padded has a loop");
        let values = (state.variables(), state.sizes());
        edit::set_loop_extent(state.op(node), &[axis.size()], values);
    }
    index_form::restore(block, state.rewriter.as_mut());
    edit::derive_regions(block);
    names
}

/// The inputs for building the new nests.
struct Making<'a, 'c> {
    state: &'a State<'c>,
    plan: &'a Plan,
    /// The sizes of the state, and the dimensions that became sizes.
    sizes: &'a [Value<'c>],
}

impl<'c> Making<'_, 'c> {
    fn buffer(&self, copied: &PaddedCopy) -> Value<'c> {
        let (_, element) = self.state.buffer(copied.buffer).ty().shaped().expect("a memref");
        let dims = copied.shape(&self.plan.axes);
        let ty = Type::memref(&dims.iter().map(Expr::constant).collect::<Vec<_>>(), element);
        let dynamic: Vec<Expr> = dims.into_iter().filter(|dim| dim.constant().is_none()).collect();
        let location = self.state.op(self.plan.block).location();
        let op =
            BufferView::create(location, &copied.name, Scope::Global, ty, &dynamic, self.sizes);
        place_buffer(self.state.function.body(0).expect("a function with a nest"), op);
        op.result(0)
    }

    /// A nest over the iters of a buffer with an empty schedule block, and the iters, in order.
    fn nest(
        &self,
        at: Builder<'c>,
        copied: &PaddedCopy,
        name: &str,
        extent: impl Fn(&EinsumIter) -> Expr,
        used: &[Expr],
    ) -> (ScheduleBlock<'c>, Vec<usize>) {
        let summary = self.state.summary();
        let mut variables = self.state.variables().to_vec();
        let (mut iters, mut order) = (vec![], vec![]);
        let mut place = at;
        for index in &copied.at {
            let EinsumIndex::Iter(i) = index else { continue };
            let axis = &self.plan.axes[*i];
            let extent = extent(axis);
            let named = axis.node.and_then(|node| summary.as_loop(node)).map(|this| &this.name);
            let map = Map { dims: 0, symbols: self.sizes.len(), results: vec![extent.clone()] };
            let op = For::create(at.location(), named.unwrap_or(&axis.name), &map, self.sizes);
            place.place(op);
            let this = For::of(op).expect("just made");
            place = Builder::before(this.body.end(), at.location());
            let binding = Expr::Dim(variables.len());
            variables.push(this.variable());
            let (name, role, domain) = (axis.name.clone(), IterRole::Spatial, vec![extent]);
            iters.push(NewIter { name, role, domain, binding });
            order.push(*i);
        }
        let mut more: Vec<Value> = vec![];
        for expr in used {
            expr.visit_leaves(&mut |leaf| match leaf {
                Expr::Symbol(s) if !more.contains(&self.sizes[*s]) => more.push(self.sizes[*s]),
                _ => {}
            });
        }
        let new = NewBlock { name: name.to_owned(), iters, predicate: vec![], reducer: None };
        let op = new.create(at.location(), (&variables, self.sizes), &more);
        place.place(op);
        (ScheduleBlock::of(op).expect("just made"), order)
    }

    /// The nest that copies an input and pads it with `value`.
    fn fill(&self, at: Builder<'c>, input: &PaddedCopy, new: Value<'c>, value: Attribute<'c>) {
        let axes = &self.plan.axes;
        let mut limits = vec![];
        for index in &input.at {
            if let EinsumIndex::Iter(i) = index
                && axes[*i].is_padded
            {
                limits.push((*i, axes[*i].extent.clone()));
            }
        }
        limits.extend(input.limits.iter().cloned());
        let used: Vec<Expr> = limits.iter().map(|(_, limit)| limit.clone()).collect();
        let (block, order) = self.nest(at, input, &input.name, EinsumIter::size, &used);
        let iters: Vec<Value> = block.iters.iter().map(|iter| iter.variable).collect();
        let within = |(i, limit): &(usize, Expr)| {
            let iter = order.iter().position(|of| of == i).expect("it is one of these");
            Constraint::NonNegative((limit.clone() - 1.into() - Expr::Dim(iter)).simplified())
        };
        let conditions: Vec<Constraint> = limits.iter().map(within).collect();
        let results = conditions.iter().map(|condition| condition.expr().clone()).collect();
        let map = Map { dims: iters.len(), symbols: self.sizes.len(), results };
        let (map, operands) = map.compressed(&iters, self.sizes);
        let constraints = conditions.iter().zip(map.results).map(|(old, expr)| old.on(expr));
        let constraints = constraints.collect();
        let set = IntegerSet { dims: map.dims, symbols: map.symbols, constraints };

        let (then_body, else_body) = (Block::new(&[]), Block::new(&[]));
        let inner = Builder::at_end(then_body, at.location());
        let read = inner.load(self.state.buffer(input.buffer), &places(input, &iters, inner, true));
        then_body.append(yield_op(at.location(), &[read]));
        let otherwise = Builder::at_end(else_body, at.location()).constant(value);
        else_body.append(yield_op(at.location(), &[otherwise]));
        let builder = Builder::before(block.body.end(), at.location());
        let results = [read.ty()];
        let branch = If::create(at.location(), &set, &operands, &results, then_body, else_body);
        builder.place(branch);
        builder.store(branch.result(0), new, &places(input, &iters, builder, false));
        edit::derive_regions(block.op);
    }

    /// The nest that copies the unpadded part back; returns the name of its schedule block.
    fn unpad(&self, at: Builder<'c>, output: &PaddedCopy, room: Value<'c>) -> String {
        let summary = self.state.summary();
        let base = format!("{}_unpad", derived_name::stem(&summary.buffers[output.buffer].name));
        let name = derived_name::block_name(summary, &base);
        let (block, _) = self.nest(at, output, &name, |axis| axis.extent.clone(), &[]);
        let iters: Vec<Value> = block.iters.iter().map(|iter| iter.variable).collect();
        let builder = Builder::before(block.body.end(), at.location());
        let value = builder.load(room, &places(output, &iters, builder, false));
        let old = self.state.buffer(output.buffer);
        builder.store(value, old, &places(output, &iters, builder, true));
        edit::derive_regions(block.op);
        name
    }
}

/// The indices of a nest in the old buffer or in the new one; a constant index becomes 0 in the new one.
fn places<'c>(
    copied: &PaddedCopy,
    iters: &[Value<'c>],
    at: Builder<'c>,
    is_old: bool,
) -> Vec<Value<'c>> {
    let mut next = iters.iter();
    let place = |index: &EinsumIndex| match index {
        EinsumIndex::Iter(_) => *next.next().expect("there is an iter each"),
        EinsumIndex::Number(number) => at.index(if is_old { *number } else { 0 }),
    };
    copied.at.iter().map(place).collect()
}

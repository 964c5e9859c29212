//! Copy nests: the nests that `cache_read` and `cache_write` insert to copy a box of one buffer to another.

use super::layout;
use super::layout::{BufferLayout, ConditionNumbers, MappedElements};
use crate::dialect::loop_enums::{IterRole, Scope};
use crate::dialect::loop_op::{self, BlockSpec, For, ForSpec, ScheduleBlock};
use crate::ir::affine::{Constraint, Expr, IntegerSet, Map};
use crate::ir::{Attribute, Builder, Op, Type, Value, walk};
use crate::nest::derived_name;
use crate::nest::state::State;
use crate::nest::summary::{BufferId, NodeId, Summary};
use crate::nest::{edit, index_form};
use crate::schedule::error::ScheduleError;
use crate::schedule::legality::proof::Proofs;

/// One dimension of the box that is copied to the new buffer. Expressions are over the numbers of the summary, and the
/// [`Sizes`] past them.
#[derive(Clone, Debug)]
pub struct CopyDim {
    /// The first index of the box in the old buffer, over sizes.
    pub low: Expr,
    /// The dimension of the new buffer, over sizes.
    pub size: Expr,
    /// The domain of the iter: `[0, d)` for the minimum of these, over sizes.
    pub domain: Vec<Expr>,
    /// The first index in the new buffer that one run of the copy covers; `extent` is their number: the minimum of
    /// these.
    pub start: Expr,
    pub extent: Vec<Expr>,
    /// The copy is restricted to where these hold; [`Expr::Dim`] of [`Span::variable`] is the index less `start`.
    pub conditions: Vec<Constraint>,
}

/// Dimensions of buffers that become sizes, numbered past the sizes of the summary.
#[derive(Clone, Debug, Default)]
pub struct CopySizes {
    pub new: Vec<(BufferId, usize)>,
}

impl CopySizes {
    /// The size of a dimension, as an expression.
    pub fn dimension(&mut self, summary: &Summary, buffer: BufferId, i: usize) -> Expr {
        if let Some(size) = &summary.buffers[buffer].shape[i] {
            return size.simplified();
        }
        let place = self.new.iter().position(|known| *known == (buffer, i));
        let place = place.unwrap_or_else(|| {
            self.new.push((buffer, i));
            self.new.len() - 1
        });
        Expr::Symbol(summary.sizes.len() + place)
    }
}

impl CopyDim {
    /// The number of the variable of the copying loop for dimension `i`.
    pub fn variable(summary: &Summary, i: usize) -> usize {
        summary.variables.len() + i
    }
}

/// The plan of a copy.
#[derive(Clone, Debug)]
pub struct BufferCopy {
    /// The node around the copy, 0 for the function; the copy is placed before or after `child`.
    pub parent: NodeId,
    pub child: NodeId,
    pub is_after: bool,
    /// The old buffer.
    pub buffer: BufferId,
    /// The name of the new buffer.
    pub name: String,
    pub scope: Scope,
    /// The name of the schedule block that copies; `fills` is true if it copies to the new buffer.
    pub block: String,
    pub fills: bool,
    /// The indices in the old buffer, if they are not those of a box.
    pub gather: Option<Gather>,
    /// The name of the block that copies back, after the child, what users have written to a filled buffer.
    pub back: Option<String>,
    pub spans: Vec<CopyDim>,
    pub sizes: CopySizes,
    /// The schedule blocks that access the new buffer in place of the old one. If the copy fills it and nothing copies
    /// back, they only read it.
    pub users: Vec<NodeId>,
    /// The layout of the new buffer, if it is not row-major; over the numbers of the summary and the [`Sizes`].
    pub layout: Option<BufferLayout>,
}

/// The elements of a buffer as a function of the iters of the schedule block that accesses them.
#[derive(Clone, Debug)]
pub struct Gather {
    /// The indices in the old buffer, over the indices in the new one and the sizes of the summary.
    pub indices: Vec<Expr>,
    /// The iters of the block that are the indices in the new buffer, by their numbers.
    pub iters: Vec<usize>,
}

impl BufferCopy {
    /// The same copy with a layout given by an index map; a refusal is reported at `at`: (C`condition`).
    pub fn laid_out(
        self,
        summary: &Summary,
        map: Option<&str>,
        (at, condition): (NodeId, u8),
        proofs: &mut Proofs,
    ) -> Result<BufferCopy, ScheduleError> {
        let Some(map) = map else { return Ok(self) };
        let mut known = summary.clone();
        for (buffer, i) in &self.sizes.new {
            known.sizes.push(None);
            known.size_names.push(format!("dim({}, {i})", summary.buffers[*buffer].name));
        }
        let shape: Vec<Expr> = self.spans.iter().map(|span| span.size.clone()).collect();
        let cells = MappedElements { name: &self.name, shape: &shape, at };
        let layout = layout::of(&known, cells, map, ConditionNumbers::all(condition), proofs)?;
        let users = &self.users;
        layout::check_indices(summary, (self.buffer, &self.name), users, &layout, condition)?;
        if !self.fills {
            layout::check_alone(summary, self.buffer, users, condition)?;
        }
        Ok(BufferCopy { layout: Some(layout), ..self })
    }
}

/// Emits the new buffer and the copy, and redirects the accesses; returns the schedule block that copies. A block that
/// writes to the new buffer gets the buffer's name.
pub fn make<'c>(state: &mut State<'c>, copy: &BufferCopy) -> Op<'c> {
    let child = state.op(copy.child);
    let old = state.buffer(copy.buffer);
    let first = first_nest(state);
    let entry = Builder::before(first, child.location());
    let mut sizes = state.sizes().to_vec();
    sizes.extend(copy.sizes.new.iter().map(|(b, i)| entry.dim(state.buffer(*b), *i)));
    move_up(&used_sizes(copy, &sizes), first);

    let (_, element) = old.ty().shaped().expect("buffers are row-major memrefs");
    let dims: Vec<Option<i64>> = copy.spans.iter().map(|span| span.size.constant()).collect();
    let dynamic = copy.spans.iter().filter(|span| span.size.constant().is_none());
    let dynamic: Vec<Expr> = dynamic.map(|span| span.size.simplified()).collect();
    let ty = Type::memref(&dims, element);
    let buffer =
        loop_op::BufferView::create(child.location(), &copy.name, copy.scope, ty, &dynamic, &sizes);
    entry.place(buffer);
    let new = buffer.result(0);

    let nests = state.nests_around(copy.users.iter().chain([&copy.child]));
    for user in copy.users.clone() {
        redirect(state, state.op(user), (old, new), copy, &sizes);
    }
    let block = place_nest(state, copy, (old, new), &sizes);
    if let Some(back) = &copy.back {
        let back = BufferCopy { block: back.clone(), is_after: true, fills: false, ..copy.clone() };
        place_nest(state, &back, (old, new), &sizes);
    }
    if !copy.fills {
        let name = Attribute::string(state.context(), &copy.name);
        state.op(copy.users[0]).set_attribute("name", name);
    }
    nests.into_iter().for_each(edit::derive_regions);
    if let Some(layout) = &copy.layout {
        state.refresh().expect("a function with a copy is one of the dialect");
        let mut buffers = state.summary().buffers.iter();
        let (id, _) = buffers.find(|(_, buffer)| buffer.name == copy.name).expect("just made");
        layout::rewrite(state, id, layout, &sizes);
    }
    block
}

/// The first nest of a function: ops inserted before it, such as those for new sizes, dominate all nests.
pub fn first_nest<'c>(state: &State<'c>) -> Op<'c> {
    let body = state.function.body(0).expect("a function with loops has a body");
    let nest = |op: &Op| matches!(op.name(), "loop.for" | "loop.block" | "loop.if" | "loop.sync");
    body.ops().into_iter().find(nest).expect("the function has a nest")
}

/// The sizes that a copy uses.
fn used_sizes<'c>(copy: &BufferCopy, sizes: &[Value<'c>]) -> Vec<Value<'c>> {
    let mut used = vec![];
    let mut visit = |expr: &Expr| {
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Symbol(i) = leaf {
                used.push(sizes[*i]);
            }
        });
    };
    for span in &copy.spans {
        [&span.low, &span.size, &span.start].into_iter().for_each(&mut visit);
        span.domain.iter().chain(&span.extent).for_each(&mut visit);
        span.conditions.iter().for_each(|c| visit(c.expr()));
    }
    copy.gather.iter().flat_map(|gather| &gather.indices).for_each(&mut visit);
    used
}

/// Moves ops that compute sizes to the entry of the function, if they come after `first`.
pub fn move_up(sizes: &[Value], first: Op) {
    let mut later = vec![];
    let mut next = Some(first);
    while let Some(op) = next {
        later.push(op);
        next = op.next();
    }
    let is_later = |value: &Value| value.defining_op().is_some_and(|op| later.contains(&op));
    for size in sizes.iter().filter(|size| is_later(size)) {
        let op = size.defining_op().expect("it has one");
        for operand in op.operands().iter().filter(|operand| is_later(operand)) {
            operand.defining_op().expect("it has one").move_before(first);
        }
        op.move_before(first);
    }
}

/// Makes a leaf access the new buffer in place of the old one.
fn redirect<'c>(
    state: &mut State<'c>,
    op: Op<'c>,
    (old, new): (Value<'c>, Value<'c>),
    copy: &BufferCopy,
    sizes: &[Value<'c>],
) {
    edit::add_sizes(op, &used_sizes_of_lows(copy, sizes));
    let view = ScheduleBlock::of(op).expect("the user is a schedule block");
    for inner in walk(op) {
        let operands = inner.operands();
        let first = match inner.name() {
            "memref.load" if operands[0] == old => 1,
            "memref.store" if operands[1] == old && (!copy.fills || copy.back.is_some()) => 2,
            _ => continue,
        };
        let builder = Builder::before(inner, inner.location());
        let mut accessed = operands[..first].to_vec();
        accessed[first - 1] = new;
        let indices = match &copy.gather {
            Some(gather) => gather.iters.iter().map(|i| view.iters[*i].variable).collect(),
            None => operands[first..].to_vec(),
        };
        accessed.extend(copy.spans.iter().zip(indices).map(|(span, index)| {
            let moved = (Expr::Dim(0) - span.low.clone()).simplified();
            if moved == Expr::Dim(0) { index } else { builder.apply(&moved, &[index], sizes) }
        }));
        inner.set_operands(&accessed);
    }
    index_form::restore(op, state.rewriter.as_mut());
    edit::derive_regions(op);
}

fn used_sizes_of_lows<'c>(copy: &BufferCopy, sizes: &[Value<'c>]) -> Vec<Value<'c>> {
    let mut used: Vec<Value> = vec![];
    for span in &copy.spans {
        span.low.visit_leaves(&mut |leaf| {
            if let Expr::Symbol(i) = leaf
                && !used.contains(&sizes[*i])
            {
                used.push(sizes[*i]);
            }
        });
    }
    used
}

/// Emits the loops and the schedule block that copies.
fn place_nest<'c>(
    state: &State<'c>,
    copy: &BufferCopy,
    (old, new): (Value<'c>, Value<'c>),
    sizes: &[Value<'c>],
) -> Op<'c> {
    let child = state.op(copy.child);
    let location = child.location();
    let place = child.block().expect("loops and blocks stand in blocks");
    let next = if copy.is_after { child.next() } else { Some(child) };
    let mut builder = match next {
        Some(next) => Builder::before(next, location),
        None => Builder::at_end(place, location),
    };
    let mut variables = state.variables().to_vec();
    for (i, span) in copy.spans.iter().enumerate() {
        let dims = state.variables();
        let extent = Map { dims: dims.len(), symbols: sizes.len(), results: span.extent.clone() };
        let name = derived_name::copy_loop(state.summary(), copy.parent, i);
        let op = ForSpec { name: &name, extent: &extent, dims, sizes, axis: None }.create(location);
        builder.place(op);
        let this = For::of(op).expect("just made");
        variables.push(this.variable());
        let end = this.body.end();
        builder = Builder::before(end, location);
    }
    let spec = block_spec(state.summary(), copy, &variables, sizes);
    let block = spec.create(location);
    builder.place(block);
    let view = ScheduleBlock::of(block).expect("just made");
    let end = view.body.end();
    let builder = Builder::before(end, location);
    let iters: Vec<Value> = view.iters.iter().map(|iter| iter.variable).collect();
    let place = |i: usize| Expr::Dim(i) + copy.spans[i].low.clone();
    let outer: Vec<Expr> = match &copy.gather {
        Some(gather) => {
            gather.indices.iter().map(|index| index.substitute(&place, &Expr::Symbol)).collect()
        }
        None => (0..copy.spans.len()).map(place).collect(),
    };
    let outer: Vec<Value> = outer.iter().map(|at| builder.apply(at, &iters, sizes)).collect();
    match copy.fills {
        true => builder.store(builder.load(old, &outer), new, &iters),
        false => builder.store(builder.load(new, &iters), old, &outer),
    }
    edit::derive_regions(block);
    block
}

fn block_spec<'c>(
    summary: &Summary,
    copy: &BufferCopy,
    variables: &[Value<'c>],
    sizes: &[Value<'c>],
) -> BlockSpec<'c> {
    let binding: Vec<Expr> = copy
        .spans
        .iter()
        .enumerate()
        .map(|(i, span)| span.start.clone() + Expr::Dim(CopyDim::variable(summary, i)))
        .collect();
    let conditions: Vec<Constraint> =
        copy.spans.iter().flat_map(|span| span.conditions.clone()).collect();
    let (mut dims, mut symbols): (Vec<usize>, Vec<usize>) = (vec![], vec![]);
    let mut collect = |expr: &Expr| {
        expr.visit_leaves(&mut |leaf| match leaf {
            Expr::Dim(i) if !dims.contains(i) => dims.push(*i),
            Expr::Symbol(i) if !symbols.contains(i) => symbols.push(*i),
            _ => {}
        });
    };
    binding.iter().for_each(&mut collect);
    conditions.iter().for_each(|c| collect(c.expr()));
    for span in &copy.spans {
        collect(&span.low);
        span.domain.iter().for_each(&mut collect);
    }
    for index in copy.gather.iter().flat_map(|gather| &gather.indices) {
        index.visit_leaves(&mut |leaf| match leaf {
            Expr::Symbol(i) if !symbols.contains(i) => symbols.push(*i),
            _ => {}
        });
    }
    let at = |list: &[usize], i: usize| list.iter().position(|k| *k == i).expect("collected above");
    let moved = |expr: &Expr| {
        let moved =
            expr.substitute(&|i| Expr::Dim(at(&dims, i)), &|i| Expr::Symbol(at(&symbols, i)));
        moved.simplified()
    };
    let iter = |(i, span): (usize, &CopyDim)| {
        (format!("v{i}"), IterRole::Spatial, span.domain.iter().map(moved).collect())
    };
    let constraints: Vec<Constraint> = conditions.iter().map(|c| c.on(moved(c.expr()))).collect();
    let set = IntegerSet { dims: dims.len(), symbols: symbols.len(), constraints };
    BlockSpec {
        name: copy.block.clone(),
        iters: copy.spans.iter().enumerate().map(iter).collect(),
        sizes: symbols.iter().map(|i| sizes[*i]).collect(),
        binds: dims.iter().map(|i| variables[*i]).collect(),
        binding: binding.iter().map(moved).collect(),
        predicate: (!conditions.is_empty()).then_some(set),
        reducer: None,
    }
}

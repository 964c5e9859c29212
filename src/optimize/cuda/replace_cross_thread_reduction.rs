//! `replace-cross-thread-reduction`: lower a cross-thread reduction to one partial result per thread. Warp shuffles or
//! a tree in shared memory combine these.
//!
//! ```text
//! for %ko in 4 { for thread_bind[threadIdx.x] %k in 256 { B[i] += A[i, %ko * 256 + %k] } }
//!   ->
//! for thread_bind[threadIdx.x] %k in 256 {
//!   part = 0
//!   for %ko in 4 { part += A[i, %ko * 256 + %k] }
//! }
//! for thread_bind[threadIdx.x] %k in 256 { B[i] += part }                // by shuffles, when it is lowered
//! ```
//! `part` is a local buffer, which becomes a register. The remaining reduction has one value in each thread.
//! `convert-loop-to-gpu` lowers it to warp shuffles: see
//! [`src/lowering/emit/collective.rs`](crate::lowering::emit::collective). A reduction that already has this form is
//! unchanged. Shuffles require that the threads form groups of lanes: see
//! [`src/schedule/legality/cross_thread_reduction/warp.rs`](crate::schedule::legality::cross_thread_reduction::warp).
//! Otherwise a tree in shared memory combines the partial results, as in the second example.
//!
//! ```text
//! for %ko in 4 { for thread_bind[threadIdx.x] %k in 250 { B[i] += A[i, %ko * 250 + %k] } }
//!   ->
//! for thread_bind[threadIdx.x] %k in 250 {
//!   part = 0
//!   for %ko in 4 { part += A[i, %ko * 250 + %k] }
//!   S[%k] = part
//! }
//! loop.sync
//! for thread_bind[threadIdx.x] %k in 122 { S[%k] += S[%k + 128] }
//! loop.sync
//! ..                                                                     // 64, 32, 16, 8, 4, 2
//! for thread_bind[threadIdx.x] %k in 1 { S[%k] += S[%k + 1] }
//! B[i] = start + S[0]                                                    // by the same thread
//! loop.sync
//! ```
//! If the number `n` of threads is not a power of two, the first step has `n - h` threads, where `h` is the largest
//! power of two below `n`. Threads that are beyond a dynamic extent, and iterations that the predicate excludes,
//! contribute the identity of the combiner. If the reduction is nested in loops over threads of other axes, the shared
//! buffer has a row for each of these threads. Several reduction axes are combined one after the other. The last
//! barrier ensures that no thread overwrites the buffer before all threads have read it. It is omitted if no statement
//! follows, or if the next statement is a barrier. Reductions of one nest that need buffers of the same shape share one
//! buffer.
//!
//! Requires
//! - (C1) the cross-thread reduction has the form that (C7) of `bind` requires: see
//!   [`src/schedule/legality/cross_thread_reduction.rs`](crate::schedule::legality::cross_thread_reduction)
//! - (C2) all bound loops of the reduction are bound to `threadIdx` axes. For `blockIdx` see
//!   `replace-cross-block-reduction`
//! - (C3) all threads reach the position of the reduction, as for a barrier. The extents of the enclosing loops over
//!   threads have constant upper bounds
//! - (C4) for a tree, the partial results fit into the shared memory of a thread block
//!
//! Cross-thread reductions that do not meet the conditions are unchanged, and `convert-loop-to-gpu` refuses them.

use crate::dialect::loop_enums::{LoopKind, Scope, ThreadAxis};
use crate::dialect::loop_op::{BufferView, For, ForSpec, ScheduleBlock, buffer_name};
use crate::ir::affine::{Expr, Map};
use crate::ir::{Error, Op, Type, Value, is_inside, walk};
use crate::machine::cuda::{CUDA, STATIC_SHARED};
use crate::nest::derived_name;
use crate::nest::edit;
use crate::nest::edit::BoundExpr;
use crate::nest::facts;
use crate::nest::partial_result::{PartialReduction, place_buffer};
use crate::nest::rewriter::Direct;
use crate::nest::summary::{Block, Loop, NodeId, Summary, VariableId};
use crate::optimize::kind::{Counts, FunctionPass};
use crate::schedule::State;
use crate::schedule::legality::cross_thread_reduction;
use crate::schedule::legality::cross_thread_reduction::{SplitReduction, warp};
use crate::schedule::primitive::r#loop::sync_threads;

mod tree;

/// The indices of the statistics in the row.
const REDUCTIONS: usize = 0;
const BUFFERS: usize = 1;

/// See the head of the file.
#[derive(Debug, Default)]
pub struct ReplaceCrossThreadReduction;

impl FunctionPass for ReplaceCrossThreadReduction {
    fn run<'c>(&mut self, function: Op<'c>, counts: &mut Counts) -> Result<(), Error<'c>> {
        let mut state = State::new(function, Box::new(Direct))?;
        let mut shared = PartialBuffers::default();
        while let Some(plan) = find(&state) {
            match plan.others.iter().find_map(|other| other.value.err()) {
                Some(hidden) => add_thread_iter(&state, hidden),
                None => {
                    rewrite(&state, &plan, &mut shared)?;
                    counts.add(REDUCTIONS, 1);
                }
            }
            state.refresh()?;
        }
        counts.add(BUFFERS, shared.buffers.len() as u64);
        Ok(())
    }
}

/// A reduction that is replaced.
struct Replacement {
    chain: SplitReduction,
    /// The outermost loop that reduces.
    first: NodeId,
    /// The loops over other threads around it, outermost first.
    others: Vec<Other>,
    way: JoinMethod,
    /// True if no statement of the nest follows.
    is_last: bool,
}

/// A loop over other threads around a reduction.
struct Other {
    node: NodeId,
    /// The variable that has the value of the loop at the reduction.
    value: Result<VariableId, Hidden>,
}

/// The value of a loop is not visible in a schedule block.
#[derive(Clone, Copy)]
struct Hidden {
    block: NodeId,
    /// It has the value around the schedule block.
    variable: VariableId,
    extent: i64,
}

/// How partial results are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JoinMethod {
    Lanes,
    Tree,
}

fn find(state: &State) -> Option<Replacement> {
    let summary = state.summary();
    summary.nodes.keys().find_map(|node| {
        let this = summary.as_loop(node)?;
        this.thread.filter(|axis| this.kind == LoopKind::ThreadBind && axis.is_thread())?;
        plan(state, node)
    })
}

/// The plan for a bound loop, if a reduction across its threads is replaced.
fn plan(state: &State, node: NodeId) -> Option<Replacement> {
    let summary = state.summary();
    // (C1)
    let chain = cross_thread_reduction::check(summary, node, 1).ok()?;
    if !facts::cross_thread_reduction::loops(summary, chain.block).contains(&node) {
        return None;
    }
    // (C2)
    let axis = |node: &NodeId| summary.as_loop(*node).and_then(|this| this.thread);
    if !chain.bound.iter().all(|node| axis(node).is_some_and(ThreadAxis::is_thread)) {
        return None;
    }
    // (C3)
    let first = *chain.bound.iter().chain(&chain.serial).min()?;
    sync_threads::check_reached(summary, first, first, [3; 4]).ok()?;
    let around = summary.loops_around(first);
    let mut others: Vec<Other> = around
        .filter(|node| axis(node).is_some_and(|axis| !axis.is_block()))
        .map(|node| Some(Other { node, value: value_at(summary, node, first)? }))
        .collect::<Option<_>>()?;
    others.reverse();
    let mut cells = 1_i64;
    for node in others.iter().map(|other| &other.node).chain(&chain.bound) {
        cells = cells.saturating_mul(bound(summary.as_loop(*node)?)?);
    }
    let threads = chain.bound.iter().filter_map(|node| bound(summary.as_loop(*node)?));
    if threads.fold(1, i64::saturating_mul) > CUDA.threads {
        return None;
    }
    let is_last = is_last(summary, first);
    if warp::check(summary, &chain).is_ok() {
        // Lowering uses the lanes of warps if each thread has one value.
        let is_left = chain.serial.is_empty() && is_of_values(state, &chain);
        return (!is_left).then_some(Replacement {
            chain,
            first,
            others,
            way: JoinMethod::Lanes,
            is_last,
        });
    }
    // (C4)
    let block = summary.as_block(chain.block)?;
    let mut bytes = 0_i64;
    for store in block.stores().filter(|store| !store.in_init) {
        let of_value = cells.saturating_mul(summary.buffers[store.buffer].element_bytes?);
        bytes = bytes.saturating_add(of_value);
    }
    if bytes > STATIC_SHARED {
        return None;
    }
    Some(Replacement { chain, first, others, way: JoinMethod::Tree, is_last })
}

/// The variable that has the value of a loop at a node in it. `None` if the loop has no constant bound.
fn value_at(summary: &Summary, node: NodeId, at: NodeId) -> Option<Result<VariableId, Hidden>> {
    let this = summary.as_loop(node)?;
    let (extent, mut variable) = (bound(this)?, this.variable);
    let inside = summary.ancestors(at).take_while(|ancestor| *ancestor != node);
    let mut blocks: Vec<(NodeId, &Block)> =
        inside.filter_map(|ancestor| Some((ancestor, summary.as_block(ancestor)?))).collect();
    blocks.reverse();
    for (id, block) in blocks {
        match block.binding.iter().position(|bound| *bound == variable.expr()) {
            Some(i) => variable = block.iters[i].variable,
            None => return Some(Err(Hidden { block: id, variable, extent })),
        }
    }
    Some(Ok(variable))
}

/// Gives a schedule block an iter that is bound to a loop around it.
fn add_thread_iter(state: &State, hidden: Hidden) {
    let block = state.summary().as_block(hidden.block).expect("a block");
    let taken = |name: &str| block.iters.iter().any(|iter| iter.name == name);
    let bound = BoundExpr {
        expr: Expr::Dim(0),
        variables: vec![state.variable(hidden.variable)],
        sizes: vec![],
    };
    edit::add_iter(
        state.op(hidden.block),
        &derived_name::fresh("thread", &taken),
        hidden.extent,
        &bound,
    );
    state.nests_around([&hidden.block]).into_iter().for_each(edit::derive_regions);
}

/// True if the threads of a reduction join values that they already have.
fn is_of_values(state: &State, chain: &SplitReduction) -> bool {
    let block = ScheduleBlock::of(state.op(chain.block));
    block.is_ok_and(|block| PartialReduction::of(block).joined().is_some())
}

/// The constant upper bound of the extent of a loop.
fn bound(this: &Loop) -> Option<i64> {
    this.extent.iter().filter_map(Expr::constant).min().filter(|n| *n > 0)
}

/// True if no statement of the nest follows a node, in any iteration of the loops around it.
fn is_last(summary: &Summary, node: NodeId) -> bool {
    let mut chain = std::iter::once(node).chain(summary.ancestors(node));
    chain.all(|here| {
        let Some(parent) = summary.nodes[here].parent.filter(|parent| *parent != NodeId::FUNCTION)
        else {
            return true;
        };
        let is_bound = summary.as_loop(parent).is_none_or(|this| {
            this.kind == LoopKind::ThreadBind && this.thread != Some(ThreadAxis::VThread)
        });
        is_bound && summary.nodes[parent].children.last() == Some(&here)
    })
}

/// The buffers of partial results. Reductions of a kernel share buffers of the same scope and shape.
#[derive(Default)]
struct PartialBuffers<'c> {
    buffers: Vec<(Op<'c>, Value<'c>)>,
}

impl<'c> PartialBuffers<'c> {
    /// Distinct buffers of a scope, one for each value of a reduction.
    fn get(
        &mut self,
        state: &State<'c>,
        nest: Op<'c>,
        reduction: &PartialReduction<'c>,
        (scope, shape): (Scope, &[i64]),
    ) -> Vec<Value<'c>> {
        let mut found: Vec<Value<'c>> = vec![];
        for buffer in &reduction.buffers {
            let (_, element) = buffer.ty().shaped().expect("a buffer is a memref");
            let dims: Vec<_> = shape.iter().map(|n| Some(*n)).collect();
            let ty = Type::memref(&dims, element);
            let fits = |(of, value): &&(Op<'c>, Value<'c>)| {
                let is_free = *of == nest && value.ty() == ty && !found.contains(value);
                is_free && scope_of(*value) == Some(scope)
            };
            let known = self.buffers.iter().find(fits).map(|(_, value)| *value);
            let value = known.unwrap_or_else(|| {
                let value = new_buffer(state, *buffer, scope, ty);
                self.buffers.push((nest, value));
                value
            });
            found.push(value);
        }
        found
    }
}

fn scope_of(buffer: Value) -> Option<Scope> {
    buffer.defining_op().and_then(|op| BufferView::of(op).ok()).map(|view| view.scope)
}

fn new_buffer<'c>(state: &State<'c>, of: Value<'c>, scope: Scope, ty: Type<'c>) -> Value<'c> {
    let body = state.function.body(0).expect("a function with a nest has a body");
    let buffers = walk(state.function).into_iter().filter(|op| op.is(BufferView::NAME));
    let values = buffers.flat_map(|op| op.results()).chain(body.arguments());
    let taken: Vec<String> = values.map(buffer_name).collect();
    let what = if scope == Scope::Local { "part" } else { "parts" };
    let name = derived_name::fresh(&format!("{}_{what}", buffer_name(of)), &|name| {
        taken.iter().any(|other| other == name)
    });
    let op = BufferView::create(state.function.location(), &name, scope, ty, &[], &[]);
    place_buffer(body, op);
    op.result(0)
}

fn rewrite<'c>(
    state: &State<'c>,
    plan: &Replacement,
    shared: &mut PartialBuffers<'c>,
) -> Result<(), Error<'c>> {
    let summary = state.summary();
    let mut first = state.op(plan.first);
    if summary.nodes[plan.first].parent == Some(NodeId::FUNCTION) {
        first = in_one_block(first)?;
    }
    let old = ScheduleBlock::of(state.op(plan.chain.block))?;
    let top = summary.ancestors(plan.first).last().map(|node| state.op(node));
    let nest = top.or_else(|| first.parent()).unwrap_or(first);
    let mut reduction = PartialReduction::of(old);
    let threads = plan.others.iter().map(|other| &other.node).chain(&plan.chain.bound);
    let shape: Vec<i64> = threads.filter_map(|node| bound(summary.as_loop(*node)?)).collect();
    let own = shared.get(state, nest, &reduction, (Scope::Local, &[1]));
    if plan.way == JoinMethod::Tree {
        reduction.partials = shared.get(state, nest, &reduction, (Scope::Shared, &shape));
    }
    let maker = tree::Maker::new(state, plan, &reduction, (own, shape), first);
    let nest = maker.parts();
    match plan.way {
        JoinMethod::Lanes => maker.lanes(),
        JoinMethod::Tree => {
            maker.share(&nest);
            maker.barrier();
            maker.joins();
            maker.result();
            let is_followed = first.next().is_some_and(|next| next.is("loop.sync"));
            if !plan.is_last && !is_followed {
                maker.barrier();
            }
        }
    }
    let nests = state.nests_around([&plan.first]);
    first.erase();
    nests.into_iter().for_each(edit::derive_regions);
    Ok(())
}

/// Wraps a nest that consists of a cross-thread reduction in a loop over one thread block, so that it becomes one
/// kernel.
fn in_one_block<'c>(nest: Op<'c>) -> Result<Op<'c>, Error<'c>> {
    let extent = Map { dims: 0, symbols: 0, results: vec![1.into()] };
    let spec = ForSpec { name: "block", extent: &extent, dims: &[], sizes: &[], axis: None };
    let op = spec.create(nest.location());
    For::set_kind(op, LoopKind::ThreadBind, Some(ThreadAxis::BlockX));
    let block = nest.block().expect("a nest stands in a function");
    block.insert_before(nest, op);
    nest.detach();
    let body = For::of(op)?.body;
    body.insert_before(body.end(), nest);
    debug_assert!(is_inside(nest, op));
    Ok(nest)
}

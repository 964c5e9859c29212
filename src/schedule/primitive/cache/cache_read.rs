//! `cache_read`: let schedule blocks read a copy of a buffer in another memory scope.
//!
//! ```text
//! loop.for %i .. { loop.block "B" .. { B[vi, vj, vk] = A[vi, vj] } }
//!   ->  cache_read "B" buffer "A" scope "shared"
//! %A_shared_temp_buffer = loop.buffer "A_shared_temp_buffer" scope(shared) : memref<32x32xf32>
//! loop.for serial %cache_ax0 in 32 {
//!   loop.for serial %cache_ax1 in 32 {
//!     loop.block "A_shared_temp_buffer" [%v0: spatial 32, %v1: spatial 32] = (%cache_ax0, %cache_ax1)
//!       { A_shared_temp_buffer[v0, v1] = A[v0, v1] }
//!   }
//! }
//! loop.for %i .. { loop.block "B" .. { B[vi, vj, vk] = A_shared_temp_buffer[vi, vj] } }
//! ```
//! Without `consumers`, all schedule blocks that read the same values read the copy: those between the last writer
//! before the target block and the next writer. The copying nest is placed before the outermost nest of the first
//! consumer, but inside the loops that a writer shares with the block, and inside the loops whose iterations have their
//! own instances of the copy. For scope `shared` these are `blockIdx` loops; for `local` they are loops that are bound
//! to any axis, and parallel loops. The copied region is the bounding box of all elements that are read. With an
//! `index_map` the copy has another layout: the map gives the indices of each element in the copy. For example,
//! `(k, j) -> (j floordiv 16, k, j mod 16)` packs panels that a kernel reads sequentially.
//!
//! Requires
//! - (C1) the target is a schedule block that is a leaf
//! - (C2) the block reads the buffer
//! - (C3) the scope is `global`, `shared` or `local`
//! - (C4) each consumer is a leaf, reads the buffer, follows the copying nest in the same loop, and accesses the same
//!   instance of the copy as that nest
//! - (C5) no consumer reduces into the buffer
//! - (C6) there is a place for the copying nest: if a writer and the block are both in a `loop.if`, a loop inside that
//!   `loop.if` encloses both
//! - (C7) nothing overwrites the copied elements before they are read: if a writer shares loops with a consumer, or is
//!   a consumer, each element must be read before it is written
//! - (C8) if the copying nest is not at function level (there nests run in order), no loop over threads in the body
//!   that contains it encloses a consumer, because no barrier would order the copying nest and the consumer. No such
//!   loop encloses a writer either, unless a barrier is between the writer's nest and the copying nest
//! - (C9) the iterations of each concurrent loop around the copying nest write distinct elements of the copy, unless
//!   each iteration has its own instance of it
//! - (C10) if start values of a reduction are read from the copy, the copying nest is not in a reduction loop that may
//!   have no iterations, because a reduction over an empty domain still sets its start values
//! - (C11) an index map, if given, is as `transform_layout` requires, over the indices of the copy
//!
//! The copy and the copying block are named `A_shared_temp_buffer`, or `A_shared_temp_buffer_1` if that name is taken.
//! The copying nest is an ordinary nest: `compute_at` can move it into a loop that reads only a part of the copy. Then
//! only that part is copied, also if an index map divides an index into `j floordiv 16` and `j mod 16`.

use crate::analysis::digits::{self, Variables};
use crate::dialect::loop_enums::Scope;
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::nest::derived_name;
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::{Range, at_least};
use crate::nest::facts::scope;
use crate::nest::facts::{cover, quotient};
use crate::nest::state::State;
use crate::nest::summary::{Access, Body, BufferId, NodeId, NodeKind, Summary};
use crate::schedule::error::{BufferReason, LocationReason, Reason, ScheduleError};
use crate::schedule::legality::compute_location::may_reduce_nothing;
use crate::schedule::legality::exact;
use crate::schedule::legality::exact::Turn;
use crate::schedule::legality::proof::Proofs;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;
use crate::schedule::rewrite::copy;
use crate::schedule::rewrite::copy::{BufferCopy, CopyDim, CopySizes};
use crate::schedule::verdict::Verdict;

primitive! {
    "Read from a copy of a buffer in another memory scope"
    /// Without `consumers`, all schedule blocks that read the same values read the copy. Returns the name of the
    /// schedule block that copies.
    cache_read(
        block: Block,
        buffer: Buffer,
        scope: Word = SCOPE,
        consumers: Blocks = "The schedule blocks that read the copy; by default all that read the same values",
        index_map: OptionalWord = INDEX_MAP;
        proof
    ) -> String;
    |state| cache_read(state, CacheArguments { target: block, buffer, scope, map: index_map }, consumers, proof)
}

/// The arguments: what is cached, and how.
#[derive(Clone, Copy, Debug)]
pub struct CacheArguments<'a> {
    pub target: &'a str,
    pub buffer: &'a str,
    pub scope: &'a str,
    /// The index map from the box to the elements of the copy.
    pub map: Option<&'a str>,
}

/// The summary of a parameter `index_map`.
pub(crate) const INDEX_MAP: &str =
    "The layout of the copy, as for transform_layout (default: row by row)";

/// The summary of a parameter `scope`.
pub(crate) const SCOPE: &str = "global, shared or local";

/// Caches a buffer for its target and other consumers; returns the name of the copy. On an error the IR is unchanged.
pub fn cache_read(
    state: &mut State,
    cache: CacheArguments,
    consumers: &[String],
    proofs: &mut Proofs,
) -> Result<String, ScheduleError> {
    let plan = check(state.summary(), cache, consumers, proofs)?;
    copy::make(state, &plan);
    Ok(plan.name)
}

pub fn check(
    summary: &Summary,
    cache: CacheArguments,
    consumers: &[String],
    proofs: &mut Proofs,
) -> Result<BufferCopy, ScheduleError> {
    check_by(summary, cache, consumers, None, proofs)
}

/// Like `check`. With a view (a summary in which another buffer is accessed in place of this one), the copied box is
/// a box of that other buffer.
pub(crate) fn check_by(
    summary: &Summary,
    CacheArguments { target, buffer, scope, map }: CacheArguments,
    consumers: &[String],
    view: Option<(&Summary, BufferId)>,
    proofs: &mut Proofs,
) -> Result<BufferCopy, ScheduleError> {
    let (node, block, buffer) = name::leaf_and_buffer(summary, target, buffer)?;
    if !block.loads().any(|load| load.buffer == buffer) {
        let buffer = summary.buffers[buffer].name.clone();
        return Err(BufferReason::NotAReader { block: block.name.clone(), buffer }.at(node, 2));
    }
    let scope = name::scope_of(scope, node, 3)?;
    let others = writers(summary, buffer).filter(|n| *n != node).collect::<Vec<_>>();
    let parent = scope::place(summary, scope, node, &others);
    if matches!(summary.nodes[parent].kind, NodeKind::If(_)) {
        let around = |other: &&NodeId| summary.lca(node, **other) == parent;
        let other = others.iter().find(around).expect("a writer stands in the 'loop.if'");
        let (first, second) = (summary.name(*other), block.name.clone());
        return Err(BufferReason::NoPlace { first, second }.at(node, 6).note(parent, "it is here"));
    }
    let users = users(summary, (node, buffer), (parent, scope), consumers)?;
    for user in &users {
        check_no_reduction(summary, *user, buffer)?;
    }
    let first = users.iter().copied().min().expect("the block is one of them");
    let child = summary.child_towards(parent, first);
    check_not_overwritten(summary, (parent, child), buffer, &users, proofs)?;
    for user in &users {
        if let Some(this) = scope::threads_inside(summary, parent, *user) {
            let (block, name) = (summary.name(*user), this.name.clone());
            proofs.require(&Verdict::of(false), || {
                BufferReason::OutsideOfThreads { block, name }.at(*user, 8)
            })?;
        }
    }
    for writer in &others {
        let Some(this) = scope::threads_inside(summary, parent, *writer) else { continue };
        let from = summary.child_towards(parent, *writer);
        let is_between = |n: &NodeId| from < *n && *n < child;
        let mut beside = summary.nodes[parent].children.iter().filter(|n| is_between(n));
        let has_barrier = beside.any(|n| matches!(summary.nodes[*n].kind, NodeKind::Sync));
        let (block, name) = (summary.name(*writer), this.name.clone());
        proofs.require(&Verdict::of(has_barrier), || {
            BufferReason::OutsideOfThreads { block, name }.at(*writer, 8)
        })?;
    }
    let name = derived_name::temporary(summary, buffer, scope);
    for user in &users {
        check_start(summary, parent, *user, (buffer, &name))?;
    }
    let mut sizes = CopySizes::default();
    let (view, kept) = view.unwrap_or((summary, buffer));
    let spans = spans(view, parent, kept, (&users, |access| !access.is_write), &mut sizes);
    check_apart(summary, (parent, node), (buffer, scope), &spans, 9, proofs)?;
    let block = name.clone();
    let (is_after, fills, back, gather, layout) = (false, true, None, None, None);
    let copy = BufferCopy {
        parent,
        child,
        is_after,
        buffer,
        name,
        scope,
        block,
        fills,
        gather,
        back,
        spans,
        sizes,
        users,
        layout,
    };
    copy.laid_out(summary, map, (node, 11), proofs)
}

/// (C10)
fn check_start(
    summary: &Summary,
    parent: NodeId,
    user: NodeId,
    (buffer, copy): (BufferId, &str),
) -> Result<(), ScheduleError> {
    let block = summary.as_block(user).expect("a block");
    if !block.loads().any(|load| load.in_init && load.buffer == buffer) {
        return Ok(());
    }
    let Some(outermost) = may_reduce_nothing(summary, user) else { return Ok(()) };
    if parent != outermost && !summary.ancestors(parent).any(|around| around == outermost) {
        return Ok(());
    }
    let reason = LocationReason::WrittenAfterStart {
        block: block.name.clone(),
        buffer: copy.to_owned(),
        writer: copy.to_owned(),
        name: summary.as_loop(outermost).expect("a loop").name.clone(),
    };
    Err(reason.at(user, 10).note(outermost, "the loop is here"))
}

fn writers(summary: &Summary, buffer: BufferId) -> impl Iterator<Item = NodeId> {
    let writes = move |block: &crate::nest::summary::Block| {
        block.stores().any(|store| store.buffer == buffer)
    };
    summary.blocks().filter(move |(_, block)| writes(block)).map(|(node, _)| node)
}

/// (C4)
fn users(
    summary: &Summary,
    (node, buffer): (NodeId, BufferId),
    (parent, scope): (NodeId, Scope),
    consumers: &[String],
) -> Result<Vec<NodeId>, ScheduleError> {
    let reads = |n: NodeId| {
        let block = summary.as_block(n).expect("a block");
        block.loads().any(|load| load.buffer == buffer)
    };
    let owner = |n: NodeId| scope::owner(summary, scope, n);
    if consumers.is_empty() {
        let is_argument = summary.buffers[buffer].scope.is_none();
        debug_assert!(
            !is_argument || summary.elsewhere.is_empty(),
            "a part of a function may not show all readers of an argument: name the consumers"
        );
        let before =
            writers(summary, buffer).filter(|w| *w < node).max().unwrap_or(NodeId::FUNCTION);
        let next = writers(summary, buffer).filter(|w| *w >= node).min();
        let is_user = |n: &NodeId| {
            let is_between = *n > before && next.is_none_or(|next| *n < next);
            let sees_copy = summary.is_under(*n, parent) && owner(*n) == owner(node);
            *n == node || is_between && reads(*n) && sees_copy
        };
        return Ok(summary.blocks().map(|(n, _)| n).filter(is_user).collect());
    }
    let mut found = vec![];
    for consumer in consumers {
        let other = name::block(summary, consumer)
            .map_err(|error| ScheduleError { condition: 4, ..error })?;
        let block = summary.as_block(other).expect("a block");
        let (name, buffer_name) = (block.name.clone(), summary.buffers[buffer].name.clone());
        if matches!(block.body, Body::Nest) {
            return Err(Reason::NestBody(name).at(other, 4));
        }
        if !reads(other) {
            return Err(BufferReason::NotAReader { block: name, buffer: buffer_name }.at(other, 4));
        }
        if !summary.is_under(other, parent) {
            let reason = BufferReason::OutsideOfCopy { consumer: name, name: summary.name(parent) };
            return Err(reason.at(other, 4).note(parent, "the copy would be in here"));
        }
        if let Some(own) = owner(other).filter(|own| owner(node) != Some(*own)) {
            let this = summary.as_loop(own).expect("a loop").name.clone();
            let reason = BufferReason::OtherCopy { consumer: name, name: this, scope };
            return Err(reason.at(other, 4).note(own, "the loop is here"));
        }
        if found.contains(&other) {
            return Err(BufferReason::BlockRepeated(name).at(other, 4));
        }
        found.push(other);
    }
    match found.contains(&node) {
        true => Ok(found),
        false => Err(BufferReason::NotAConsumer(summary.name(node)).at(node, 4)),
    }
}

/// (C5)
fn check_no_reduction(
    summary: &Summary,
    user: NodeId,
    buffer: BufferId,
) -> Result<(), ScheduleError> {
    let block = summary.as_block(user).expect("a block");
    let reduces = block.reducer.is_some() || block.has_init;
    if reduces && block.stores().any(|store| store.buffer == buffer) {
        let buffer = summary.buffers[buffer].name.clone();
        return Err(BufferReason::ReducesInto { block: block.name.clone(), buffer }.at(user, 5));
    }
    Ok(())
}

/// (C7)
fn check_not_overwritten(
    summary: &Summary,
    (parent, child): (NodeId, NodeId),
    buffer: BufferId,
    users: &[NodeId],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let last = users.iter().map(|user| summary.child_towards(parent, *user)).max();
    let last = last.expect("the block is one of them");
    let children = summary.nodes[parent].children.iter().copied();
    let span: Vec<NodeId> =
        children.filter(|n| *n >= child && *n <= last).flat_map(|n| summary.under(n)).collect();
    let reader = *users.iter().max().expect("the block is one of them");
    for writer in writers(summary, buffer).filter(|writer| span.contains(writer)) {
        // Most writers follow all readers. If a writer shares loops with readers, each element may still be read first.
        let comes_later = users.iter().all(|user| {
            summary.child_towards(parent, *user) < summary.child_towards(parent, writer)
        });
        let refusal = || {
            let reason = BufferReason::OverwrittenAfterCopy {
                buffer: summary.buffers[buffer].name.clone(),
                writer: summary.name(writer),
                reader: summary.name(reader),
            };
            reason.at(reader, 7).note(writer, "the writer is here")
        };
        let by_text = if comes_later { Ok(()) } else { Err(refusal()) };
        proofs.settle(by_text, || {
            let turn = (Turn::WrittenFirst, buffer);
            exact::check_no_turn(summary, parent, turn, (users, &[writer]))
        })?;
    }
    check_not_at_once(summary, parent, buffer, users, proofs)?;
    if !summary.buffers[buffer].escapes {
        return Ok(());
    }
    let is_unknown = |n: &NodeId| match &summary.nodes[*n].kind {
        NodeKind::Effects(_) => true,
        NodeKind::Block(block) => matches!(block.body, Body::Leaf { calls: true, .. }),
        _ => false,
    };
    match span.iter().copied().find(is_unknown) {
        Some(other) => proofs.require(&Verdict::of(false), || {
            let buffer = summary.buffers[buffer].name.clone();
            BufferReason::EscapesAfterCopy { buffer }.at(reader, 7).note(other, "it is here")
        }),
        None => Ok(()),
    }
}

/// Part of (C7): no iteration of a concurrent loop copies what another iteration writes. The box of what is read may be
/// larger than what is read, but not larger than what the same iteration has written.
fn check_not_at_once(
    summary: &Summary,
    parent: NodeId,
    buffer: BufferId,
    users: &[NodeId],
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let around = std::iter::once(parent).chain(summary.ancestors(parent));
    for outer in around.filter(|n| summary.as_loop(*n).is_some_and(scope::is_unordered)) {
        let inside: Vec<NodeId> =
            writers(summary, buffer).filter(|writer| summary.is_under(*writer, outer)).collect();
        let covers_all = |writer: &NodeId| {
            users.iter().all(|user| {
                let block = summary.as_block(*user).expect("a block");
                let mut loads = block.loads().filter(|load| load.buffer == buffer);
                loads.all(|load| scope::covers(summary, *writer, *user, load))
            })
        };
        let Some(writer) = inside.first().filter(|_| !inside.iter().any(covers_all)) else {
            continue;
        };
        proofs.require(&Verdict::of(false), || {
            let reason = BufferReason::OverwrittenAfterCopy {
                buffer: summary.buffers[buffer].name.clone(),
                writer: summary.name(*writer),
                reader: summary.name(users[0]),
            };
            reason.at(users[0], 7).note(*writer, "the writer is here")
        })?;
    }
    Ok(())
}

/// Requires that concurrent iterations of the loops around a copy, where they share one buffer of that scope, copy
/// distinct elements: (C`condition`).
pub(crate) fn check_apart(
    summary: &Summary,
    (parent, node): (NodeId, NodeId),
    (buffer, scope): (BufferId, Scope),
    spans: &[CopyDim],
    condition: u8,
    proofs: &mut Proofs,
) -> Result<(), ScheduleError> {
    let cells: Vec<Expr> = spans
        .iter()
        .enumerate()
        .map(|(i, span)| {
            let start = summary.over_loops_under(NodeId::FUNCTION, &span.start);
            match span.extent.iter().any(|extent| extent.constant() == Some(1)) {
                true => start,
                false => (start + Expr::Dim(CopyDim::variable(summary, i))).simplified(),
            }
        })
        .collect();
    let variables = WithCopy { summary, spans };
    let around = std::iter::once(parent).chain(summary.ancestors(parent));
    for outer in around.filter(|n| *n != NodeId::FUNCTION) {
        let Some(this) = summary.as_loop(outer) else { continue };
        if !scope::is_unordered(this) || scope::is_owner(scope, this) {
            continue;
        }
        let is_injective = digits::determines(&cells, this.variable.index(), &variables, &[]);
        proofs.require(&Verdict::of(is_injective), || {
            let buffer = summary.buffers[buffer].name.clone();
            let reason = BufferReason::CopiesAtOnce { buffer, name: this.name.clone() };
            reason.at(node, condition).note(outer, "the loop is here")
        })?;
    }
    Ok(())
}

/// The variables of a summary and those of the copying loops.
struct WithCopy<'s> {
    summary: &'s Summary,
    spans: &'s [CopyDim],
}

impl WithCopy<'_> {
    fn span(&self, variable: usize) -> Option<&CopyDim> {
        self.spans.get(variable.checked_sub(self.summary.variables.len())?)
    }
}

impl Variables for WithCopy<'_> {
    fn interval(&self, variable: &Expr) -> Option<(i64, i64)> {
        let Expr::Dim(number) = variable else { return Summary::interval(self.summary, variable) };
        match self.span(*number) {
            Some(span) => {
                let extent = span.extent.iter().filter_map(Expr::constant).min()?;
                Some((0, extent.max(1) - 1))
            }
            None => Summary::interval(self.summary, variable),
        }
    }

    fn extent(&self, variable: usize) -> Option<Expr> {
        match self.span(variable) {
            Some(span) => span.extent.first().cloned(),
            None => self.summary.extent(variable),
        }
    }
}

/// Selects the accesses that a box must contain.
type Wanted = fn(&Access) -> bool;

/// The copied box, one span per dimension: the bounding box of the selected accesses of the users.
pub(crate) fn spans(
    summary: &Summary,
    parent: NodeId,
    buffer: BufferId,
    (users, is_wanted): (&[NodeId], Wanted),
    sizes: &mut CopySizes,
) -> Vec<CopyDim> {
    let mut accesses: Vec<&Access> = vec![];
    let mut all_run = true;
    for user in users {
        let block = summary.as_block(*user).expect("a block");
        let of_buffer = block.accesses().iter().filter(|access| access.buffer == buffer);
        accesses.extend(of_buffer.filter(|access| is_wanted(access)));
        all_run &= cover::is_whole(summary, NodeId::FUNCTION, *user);
    }
    // If so, no access is out of the buffer's bounds.
    let is_trusted = all_run && accesses.iter().all(|access| !access.is_conditional);
    let rank = summary.buffers[buffer].shape.len();
    (0..rank)
        .map(|i| {
            let union = |range: &dyn Fn(&Expr) -> Option<Range>| {
                let index = |access: &&Access| access.indices[i].as_ref().and_then(range);
                let mut ranges = accesses.iter().map(index);
                let first = ranges.next().flatten()?;
                ranges.try_fold(first, |all, range| all.union(&range?))
            };
            let all = union(&|index| boxes::over_domains(summary, index));
            let here = union(&|index| boxes::inside(summary, parent, index));
            let mut span = whole_span(summary, (buffer, i), all, is_trusted, sizes);
            let is_defined = |here: &Range| {
                let ends = [&here.low, &here.high];
                ends.into_iter().all(|end| quotient::is_defined(summary, parent, end))
            };
            if parent != NodeId::FUNCTION
                && let Some(here) = here.filter(is_defined)
            {
                narrow(summary, &mut span, i, &here);
            }
            span
        })
        .collect()
}

/// The copied span where all loops run: the range, within the buffer.
fn whole_span(
    summary: &Summary,
    (buffer, i): (BufferId, usize),
    range: Option<Range>,
    is_trusted: bool,
    sizes: &mut CopySizes,
) -> CopyDim {
    let span = |low: Expr, size: Expr, domain: Vec<Expr>| CopyDim {
        low,
        size,
        extent: domain.clone(),
        domain,
        start: 0.into(),
        conditions: vec![],
    };
    if let Some(Range { low, high }) = range {
        let low = low.constant().map_or(low, |low| low.max(0).into());
        let extent = (high - low.clone() + 1.into()).simplified();
        let is_inside = low.constant().is_some() || is_trusted;
        if is_inside && is_sum_of_sizes(&extent) {
            let fits_when_empty = extent.constant().is_some() || Linear::of(&extent).constant == 0;
            let known = &summary.buffers[buffer].shape[i];
            let known_limit = known.as_ref().map(|size| (size.clone() - low.clone()).simplified());
            let is_below =
                known_limit.as_ref().is_some_and(|limit| at_least(summary, limit, &extent));
            if is_below
                || is_trusted
                    && fits_when_empty
                    && known_limit.as_ref().and_then(Expr::constant).is_none()
            {
                return span(low, extent.clone(), vec![extent]);
            }
            let limit = (sizes.dimension(summary, buffer, i) - low.clone()).simplified();
            return match (limit.constant(), extent.constant()) {
                (Some(limit), Some(extent)) => {
                    let least: Expr = limit.min(extent).max(0).into();
                    span(low, least.clone(), vec![least])
                }
                (Some(limit), None) if limit >= 0 => {
                    span(low, limit.into(), vec![extent, limit.into()])
                }
                _ => span(low, extent.clone(), vec![extent, limit]),
            };
        }
    }
    let size = sizes.dimension(summary, buffer, i);
    span(0.into(), size.clone(), vec![size])
}

/// True if an extent is a sum of sizes and products of sizes, and never negative.
pub(crate) fn is_sum_of_sizes(extent: &Expr) -> bool {
    let linear = Linear::of(extent);
    let is_size = |factor: &Expr| matches!(factor, Expr::Symbol(_));
    linear.is_never_negative() && linear.terms.keys().all(|atom| atom.factors().iter().all(is_size))
}

/// Narrows the span to what one iteration of the loops around the copy reads.
fn narrow(summary: &Summary, span: &mut CopyDim, i: usize, here: &Range) {
    let start = (here.low.clone() - span.low.clone()).simplified();
    let at = start.clone() + Expr::Dim(CopyDim::variable(summary, i));
    let extent = here.extent();
    if !at_least(summary, &start, &0.into()) {
        span.conditions.push(Constraint::NonNegative(at.simplified()));
    }
    for domain in &span.domain {
        if !at_least(summary, domain, &(start.clone() + extent.clone())) {
            let rest = domain.clone() - 1.into() - at.clone();
            span.conditions.push(Constraint::NonNegative(rest.simplified()));
        }
    }
    span.start = start;
    span.extent = vec![extent.constant().map_or(extent, |extent| extent.max(0).into())];
}

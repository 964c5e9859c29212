//! Ownership of buffers by scope, and the elements that blocks write.
//!
//! Each scope has one instance of a buffer for each iteration of its *owners*: the loops whose iterations are thread
//! blocks (`shared`), or threads of any kind (`local`). A `vthread` loop owns only the buffers that all blocks use inside
//! of it; its iterations share a local buffer that is used elsewhere too.

mod ring;

use crate::analysis::digits;
use crate::dialect::loop_enums::{IterRole, LoopKind, Scope, ThreadAxis};
use crate::ir::affine::{Constraint, Expr};
use crate::nest::facts::boxes;
use crate::nest::facts::boxes::{Range, at_least};
use crate::nest::facts::cover;
use crate::nest::summary::{
    Access, Block, BufferId, Loop, NodeId, NodeKind, Summary, Variable, VariableId, mentions,
};
use std::collections::BTreeSet;

/// True if each iteration of a loop owns instances of buffers of a scope.
pub fn is_owner(scope: Scope, this: &Loop) -> bool {
    owns(scope, this.kind, this.thread)
}

/// True if each iteration of a loop of that kind owns instances of buffers of a scope.
pub fn owns(scope: Scope, kind: LoopKind, thread: Option<ThreadAxis>) -> bool {
    match scope {
        Scope::Global => false,
        Scope::Shared => thread.is_some_and(ThreadAxis::is_block),
        Scope::Local => thread.is_some() || kind == LoopKind::Parallel,
    }
}

/// The innermost loop around a node whose iterations own instances of buffers of a scope.
pub fn owner(summary: &Summary, scope: Scope, node: NodeId) -> Option<NodeId> {
    let owns = |n: &NodeId| summary.as_loop(*n).is_some_and(|this| is_owner(scope, this));
    summary.loops_around(node).find(owns)
}

/// True if the iterations of the loop run concurrently.
pub fn is_unordered(this: &Loop) -> bool {
    matches!(this.kind, LoopKind::Parallel | LoopKind::Vectorize | LoopKind::ThreadBind)
}

/// The innermost node that can hold a copy of a buffer for schedule block `node` and the blocks `others`,
/// which access the same buffer. It is a common ancestor whose children run in program order, and it sees
/// one instance of a buffer of the scope.
pub fn place(summary: &Summary, scope: Scope, node: NodeId, others: &[NodeId]) -> NodeId {
    let depth = |n: &NodeId| summary.ancestors(*n).count() + usize::from(*n != NodeId::FUNCTION);
    let shared = others.iter().map(|other| summary.lca(node, *other));
    shared.chain(owner(summary, scope, node)).max_by_key(depth).unwrap_or(NodeId::FUNCTION)
}

/// A thread loop around a block and inside `parent`, if there is one. Only blocks at the same position in
/// all threads of a thread block order the writes of one thread before the reads of another.
pub fn threads_inside(summary: &Summary, parent: NodeId, node: NodeId) -> Option<&Loop> {
    // Nests at function level run one after the other.
    let loops = summary
        .loops_around(node)
        .filter(|n| parent != NodeId::FUNCTION && summary.is_under(*n, parent));
    let is_bound = |this: &&Loop| this.thread.is_some_and(|axis| axis != ThreadAxis::VThread);
    loops.filter_map(|n| summary.as_loop(n)).find(is_bound)
}

/// True if a load of a reduction reads the element that the reduction updates.
pub fn is_accumulator(block: &Block, load: &Access) -> bool {
    let same_cell = |store: &Access| {
        store.buffer == load.buffer
            && store.indices == load.indices
            && load.indices.iter().all(Option::is_some)
    };
    block.has_init && !load.is_write && block.stores().any(same_cell)
}

/// True if all steps of a reduction, from its start, run in one iteration of loop `around`.
pub fn reduces_within(summary: &Summary, around: NodeId, node: NodeId) -> bool {
    let block = summary.as_block(node).expect("a block");
    let stands_outside = |variable: VariableId| match summary.variables[variable] {
        Variable::Loop(of) | Variable::Iter(of, _) => !summary.is_under(of, around),
    };
    block.iters.iter().zip(&block.binding).all(|(iter, bound)| {
        let mut outside = false;
        summary.over_loops_under(around, bound).visit_leaves(&mut |leaf| {
            if let Expr::Dim(variable) = leaf {
                outside |= stands_outside(VariableId::of_dim(*variable));
            }
        });
        iter.role != IterRole::Reduce || !outside
    })
}

/// The ranges of a store's indices: the block stores to each element of the range at least once, and to no
/// other.
pub fn written(
    summary: &Summary,
    parent: NodeId,
    node: NodeId,
    store: &Access,
) -> Option<Vec<StoredValues>> {
    let block = summary.as_block(node)?;
    let counts = cover::started(summary, parent, node)?;
    let mut is_index = vec![false; block.iters.len()];
    let mut found = vec![];
    for index in &store.indices {
        let index = index.as_ref()?;
        let place = (0..block.iters.len()).find(|i| mentions_iter(block, index, *i));
        let Some(i) = place else {
            let at = summary.over_loops_under(parent, index);
            let all = boxes::inside(summary, parent, &at)?;
            (all.low == all.high).then_some(())?;
            found.push(StoredValues { runs: all, limits: vec![] });
            continue;
        };
        // The index must be an iter plus a fixed offset, and each iter may be in one index only.
        let rest = (index.clone() - block.iters[i].variable.expr()).simplified();
        let is_plain = (0..block.iters.len()).all(|k| !mentions_iter(block, &rest, k));
        if is_index[i] || !is_plain {
            return None;
        }
        is_index[i] = true;
        let rest = boxes::inside(summary, parent, &rest).filter(|rest| rest.low == rest.high)?.low;
        let low = (counts[i].start.clone() + rest.clone()).simplified();
        let runs =
            Range { high: (low.clone() + counts[i].count.clone() - 1.into()).simplified(), low };
        let last = |domain: &Expr| (domain.clone() - 1.into() + rest.clone()).simplified();
        let limits = block.iters[i].domain.iter().chain(&counts[i].below).map(last).collect();
        found.push(StoredValues { runs, limits });
    }
    // An iter that is in no index must run at least once.
    for (i, iter) in block.iters.iter().enumerate() {
        let starts_anyway = block.has_init && iter.role == IterRole::Reduce;
        let runs = |expr: &Expr| at_least(summary, expr, &1.into());
        // The loops around may show that its values are in the domain.
        let end = (counts[i].start.clone() + counts[i].count.clone()).simplified();
        let is_in =
            |domain: &Expr| runs(domain) || summary.never_negative(&(domain.clone() - end.clone()));
        let runs_once = || runs(&counts[i].count) && iter.domain.iter().all(is_in);
        if !(is_index[i] || starts_anyway || runs_once()) {
            return None;
        }
    }
    Some(found)
}

/// The values of an index at which a block stores.
#[derive(Clone, Debug)]
pub struct StoredValues {
    /// In one iteration of the place, limited to values that are at most each of `limits`.
    pub runs: Range,
    pub limits: Vec<Expr>,
}

fn mentions_iter(block: &Block, expr: &Expr, i: usize) -> bool {
    mentions(expr, block.iters[i].variable)
}

/// Looks for a read of a buffer in loop `around` that is not provably preceded by a write in the same
/// iteration. Returns the first block with such a read.
pub fn uncovered_reader(summary: &Summary, around: NodeId, buffer: BufferId) -> Option<NodeId> {
    let inside = summary.blocks_under(around);
    let is_covered = |reader: NodeId, load: &Access| {
        let mut before = inside.iter().filter(|writer| **writer < reader);
        before.any(|writer| covers(summary, *writer, reader, load))
            || ring::covers(summary, around, reader, load)
    };
    inside.iter().copied().find(|reader| {
        let block = summary.as_block(*reader).expect("a block");
        let loads = block.loads().filter(|load| load.buffer == buffer);
        let is_own = |load: &&Access| {
            is_accumulator(block, load) && reduces_within(summary, around, *reader)
        };
        let mut others = loads.filter(|load| !is_own(load));
        others.any(|load| !is_covered(*reader, load))
    })
}

/// True if different iterations of loop `outer` provably write different elements of a buffer in block
/// `node`.
pub fn writes_apart(summary: &Summary, node: NodeId, buffer: BufferId, outer: NodeId) -> bool {
    let block = summary.as_block(node).expect("a block");
    let this = summary.as_loop(outer).expect("a loop");
    block.stores().filter(|store| store.buffer == buffer).all(|store| {
        let over_loops = |index: &Expr| summary.over_loops_under(NodeId::FUNCTION, index);
        let cells: Option<Vec<Expr>> =
            store.indices.iter().map(|index| index.as_ref().map(over_loops)).collect();
        let tells = |cells: Vec<Expr>| {
            digits::determines(&cells, this.variable.index(), summary, &block.predicate)
        };
        cells.is_some_and(tells)
    })
}

/// True if no block outside of a loop uses a buffer.
pub fn is_used_only_in(summary: &Summary, around: NodeId, buffer: BufferId) -> bool {
    let accesses = |block: &Block| block.accesses().iter().any(|access| access.buffer == buffer);
    let mut users = summary.blocks().filter(|(_, block)| accesses(block));
    !summary.buffers[buffer].escapes && users.all(|(node, _)| summary.is_under(node, around))
}

/// True if each iteration of a loop has its own instance of a buffer that is, or will be, in a scope.
pub fn has_own(summary: &Summary, node: NodeId, buffer: BufferId, scope: Scope) -> bool {
    let this = summary.as_loop(node).expect("a loop");
    let is_shared =
        this.thread == Some(ThreadAxis::VThread) && !is_used_only_in(summary, node, buffer);
    is_owner(scope, this) && !is_shared
}

/// True if a buffer is used only in a loop, and each iteration reads only what it has written before.
pub fn is_used_within(summary: &Summary, around: NodeId, buffer: BufferId) -> bool {
    is_used_only_in(summary, around, buffer) && uncovered_reader(summary, around, buffer).is_none()
}

/// The summary without accesses of buffers of which each iteration of a loop would own an instance: those
/// of a private scope that are [used within](is_used_within) the loop.
pub fn without_own(
    summary: &Summary,
    around: NodeId,
    is_private: &dyn Fn(Scope) -> bool,
) -> Summary {
    let is_own = |buffer: BufferId| {
        summary.buffers[buffer].scope.is_some_and(is_private)
            && is_used_within(summary, around, buffer)
    };
    without(summary, around, &summary.buffers.keys().filter(|b| is_own(*b)).collect())
}

/// The summary without the accesses of some buffers in loop `around`.
pub fn without(summary: &Summary, around: NodeId, buffers: &BTreeSet<BufferId>) -> Summary {
    let mut rest = summary.clone();
    for node in summary.under(around) {
        if let NodeKind::Block(block) = &mut rest.nodes[node].kind {
            block.retain_accesses(|access| !buffers.contains(&access.buffer));
        }
    }
    rest
}

/// The range of a block's index if a predicate limits it by a size.
fn limited(summary: &Summary, node: NodeId, index: &Expr, range: &Range) -> Option<Range> {
    let over_loops = summary.over_loops_under(NodeId::FUNCTION, index);
    let of = |condition: &Constraint| {
        let Constraint::NonNegative(rest) = condition else { return None };
        let limit = (rest.clone() + over_loops.clone()).simplified();
        (!limit.has_dims()).then_some(limit)
    };
    let high = summary.as_block(node)?.predicate.iter().find_map(of)?;
    Some(Range { low: range.low.clone(), high })
}

/// True if `writer` provably writes all elements that a load of `reader` reads, each time before it.
pub fn covers(summary: &Summary, writer: NodeId, reader: NodeId, load: &Access) -> bool {
    let parent = summary.lca(writer, reader);
    if writer >= reader || matches!(summary.nodes[parent].kind, NodeKind::If(_)) {
        return false;
    }
    let block = summary.as_block(writer).expect("a block");
    let stores = || block.stores().filter(|store| store.buffer == load.buffer && !store.in_init);
    let Some(store) = stores().next().filter(|_| stores().all(|s| !s.is_conditional)) else {
        return false;
    };
    let Some(written) = written(summary, parent, writer, store) else { return false };
    written.iter().zip(&load.indices).all(|(written, index)| {
        let Some(index) = index else { return false };
        let here = boxes::inside_each(summary, parent, index);
        let everywhere = boxes::over_domains(summary, index);
        let limited = boxes::inside(summary, parent, index)
            .and_then(|here| limited(summary, reader, index, &here));
        let reads: Vec<&Range> = here.iter().chain(&everywhere).chain(&limited).collect();
        let from = |range: &&Range| at_least(summary, &range.low, &written.runs.low);
        let to = |high: &Expr| reads.iter().any(|range| at_least(summary, high, &range.high));
        reads.iter().any(from) && to(&written.runs.high) && written.limits.iter().all(to)
    })
}

/// True if an expression may differ between threads of a thread block.
pub fn varies_by_thread(summary: &Summary, expr: &Expr) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Dim(variable) = leaf {
            found |= variable_varies(summary, VariableId::of_dim(*variable));
        }
    });
    found
}

fn variable_varies(summary: &Summary, variable: VariableId) -> bool {
    match summary.variables[variable] {
        Variable::Loop(node) => {
            let thread = summary.as_loop(node).and_then(|this| this.thread);
            thread.is_some_and(|axis| !axis.is_block())
        }
        Variable::Iter(node, i) => {
            let block = summary.as_block(node).expect("a block");
            varies_by_thread(summary, &block.binding[i])
        }
    }
}

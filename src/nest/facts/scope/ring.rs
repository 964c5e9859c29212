//! Reads of a circular buffer that the same iteration of an outer loop has written, as `rolling_buffer` makes them.
//!
//! ```text
//! for %o in 4 {                                                          // each iteration reads only what it has written
//!   for %k in 2 { T[(4 * %o + %k) mod 3] = .. }                          // rows 4 * o and 4 * o + 1
//!   for %i in 4 {
//!     T[(4 * %o + %i + 2) mod 3] = ..                                    // one row more in each iteration
//!     .. = T[(4 * %o + %i) mod 3], T[(4 * %o + %i + 2) mod 3]
//!   }
//! }
//! ```
//! What holds for the rows themselves holds for their places in the ring: so indices are taken without `mod`. The rows
//! that are written up to an iteration of the inner loop are one range, if those of each iteration begin where the last
//! one's end, and if those before the loop end where its first begin.

use super::{StoredValues, written};
use crate::dialect::loop_enums::LoopKind;
use crate::ir::affine::{BinaryKind, Expr, Linear};
use crate::nest::facts::boxes::{self, Range, at_least};
use crate::nest::summary::{Access, BufferId, NodeId, NodeKind, Summary};

/// True if all elements that a load of `reader` reads are written before in the same iteration of loop `around`, by
/// earlier iterations of a loop in it among others.
pub(super) fn covers(summary: &Summary, around: NodeId, reader: NodeId, load: &Access) -> bool {
    let Some(rows) = Rows::of(summary, load.buffer) else { return false };
    let load = Access { indices: rows.unfolded(&load.indices), ..load.clone() };
    let mut loops = rows.summary.loops_around(reader).take_while(|node| *node != around);
    loops.any(|node| {
        let mut before = rows.writers(node).filter(|writer| *writer < reader);
        before.any(|writer| rows.covered(around, node, writer, &load).unwrap_or(false))
    })
}

/// A circular buffer as if it had all rows.
struct Rows {
    /// The summary in which indices are not taken modulo the size of the ring.
    summary: Summary,
    buffer: BufferId,
    /// The sizes of the rings, by dimension.
    rings: Vec<Option<i64>>,
}

impl Rows {
    /// `None` if no dimension is a ring.
    fn of(summary: &Summary, buffer: BufferId) -> Option<Rows> {
        let accesses = || {
            let all = summary.blocks().flat_map(|(_, block)| block.accesses());
            all.filter(|access| access.buffer == buffer)
        };
        let ring = |d: usize| {
            let mut sizes = accesses().map(|access| modulus(access.indices.get(d)?.as_ref()?));
            let first = sizes.next()??;
            sizes.all(|size| size == Some(first)).then_some(first)
        };
        let rings: Vec<_> = (0..summary.buffers[buffer].shape.len()).map(ring).collect();
        rings.iter().any(Option::is_some).then_some(())?;
        let mut rows = Rows { summary: summary.clone(), buffer, rings };
        let nodes: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
        for node in nodes {
            let accesses = summary.as_block(node).expect("a block").accesses().iter();
            let unfolded: Vec<_> = accesses
                .map(|access| (access.buffer == buffer).then(|| rows.unfolded(&access.indices)))
                .collect();
            if let NodeKind::Block(block) = &mut rows.summary.nodes[node].kind
                && unfolded.iter().any(Option::is_some)
            {
                block.replace_indices(unfolded);
            }
        }
        Some(rows)
    }

    fn unfolded(&self, indices: &[Option<Expr>]) -> Vec<Option<Expr>> {
        let inner = |(index, ring): (&Option<Expr>, &Option<i64>)| match (index, ring) {
            (Some(Expr::Binary(BinaryKind::Mod, row, _)), Some(_)) => Some((**row).clone()),
            (index, _) => index.clone(),
        };
        indices.iter().zip(&self.rings).map(inner).collect()
    }

    /// The schedule blocks under a node that write the buffer.
    fn writers(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let writes = |id: &NodeId| {
            let block = self.summary.as_block(*id).expect("a block");
            block.stores().any(|store| store.buffer == self.buffer)
        };
        self.summary.blocks_under(node).into_iter().filter(writes)
    }

    /// What a block stores in one iteration of `parent`, if it does so unconditionally.
    fn stored(&self, parent: NodeId, writer: NodeId) -> Option<Vec<StoredValues>> {
        let block = self.summary.as_block(writer)?;
        let stores =
            || block.stores().filter(|store| store.buffer == self.buffer && !store.in_init);
        let store = stores().next().filter(|_| stores().all(|store| !store.is_conditional))?;
        written(&self.summary, parent, writer, store)
    }

    /// True if the rows that `writer` and blocks before `node` write, up to an iteration of loop `node`, contain those that
    /// the load reads in it.
    fn covered(&self, around: NodeId, node: NodeId, writer: NodeId, load: &Access) -> Option<bool> {
        let summary = &self.summary;
        let this = summary.as_loop(node)?;
        matches!(this.kind, LoopKind::Serial | LoopKind::Unroll).then_some(())?;
        let here = self.stored(node, writer)?;
        let reads: Option<Vec<Range>> = load
            .indices
            .iter()
            .map(|index| boxes::inside(summary, node, index.as_ref()?))
            .collect();
        let reads = reads?;
        let step = |range: &Range| {
            let (low, high) = (
                moved(&range.low, this.variable.expr())?,
                moved(&range.high, this.variable.expr())?,
            );
            (low.0 == high.0).then_some((low.0, low.1))
        };
        let steps: Option<Vec<(i64, Expr)>> =
            here.iter().map(|values| step(&values.runs)).collect();
        let steps = steps?;
        let advanced: Vec<usize> = (0..steps.len()).filter(|d| steps[*d].0 != 0).collect();
        let [d] = advanced[..] else { return None };
        let (by, start) = steps[d].clone();
        let rows = here[d].runs.high.clone() - here[d].runs.low.clone() + 1.into();
        (by > 0 && at_least(summary, &rows, &by.into())).then_some(())?;
        let is_beside = |values: &[StoredValues]| {
            (0..values.len()).all(|e| {
                let (written, read) = (&values[e].runs, &reads[e]);
                e == d
                    || at_least(summary, &read.low, &written.low)
                        && at_least(summary, &written.high, &read.high)
            })
        };
        let is_within = |values: &[StoredValues]| {
            values.iter().zip(&load.indices).zip(&reads).all(|((values, index), read)| {
                let everywhere = index.as_ref().and_then(|it| boxes::over_domains(summary, it));
                let highs = || std::iter::once(read).chain(&everywhere).map(|range| &range.high);
                values.limits.iter().all(|limit| highs().any(|high| at_least(summary, limit, high)))
            })
        };
        (is_beside(&here) && is_within(&here)).then_some(())?;
        // Of the branches of a parent only one runs.
        let parent = summary.ancestors(node).next()?;
        let is_branch = matches!(summary.nodes[parent].kind, NodeKind::If(_));
        let before = self.writers(around).filter(|other| {
            *other < node
                && !is_branch
                && !summary.is_under(*other, node)
                && summary.lca(*other, node) == parent
        });
        let starts = before.filter_map(|other| {
            let values = self.stored(parent, other)?;
            let reaches = at_least(summary, &(values[d].runs.high.clone() + 1.into()), &start);
            (reaches && is_beside(&values) && is_within(&values))
                .then(|| values[d].runs.low.clone())
        });
        let (read_by, first) = moved(&reads[d].low, this.variable.expr())?;
        let is_from = |from: &Expr| at_least(summary, &first, from);
        let begins = is_from(&start) || starts.into_iter().any(|from| is_from(&from));
        Some(read_by >= 0 && begins && at_least(summary, &here[d].runs.high, &reads[d].high))
    }
}

/// The size of the ring that an index is taken in.
fn modulus(index: &Expr) -> Option<i64> {
    match index {
        Expr::Binary(BinaryKind::Mod, _, size) => size.constant(),
        _ => None,
    }
}

/// The number by which an expression grows with a variable, and its value where the variable is 0. `None` if it is not
/// linear in it.
fn moved(expr: &Expr, variable: Expr) -> Option<(i64, Expr)> {
    let by = Linear::of(expr).terms.get(&variable).copied().unwrap_or(0);
    let rest = (expr.clone() - Expr::Constant(by) * variable.clone()).simplified();
    let mut mentions = false;
    rest.visit_leaves(&mut |leaf| mentions |= *leaf == variable);
    (!mentions).then_some((by, rest))
}

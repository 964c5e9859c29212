//! Groups: nests of a function that one strategy schedules together.
//!
//! A nest joins the group of the preceding nest if it follows directly and reads what the group writes, over the same
//! rows: their outer loops are spatial and have the same extents, known or not. A product, or a reduction of windows, joins
//! no group, and is joined only by elementwise nests over all its results.
//!
//! A product whose factor is computed from the rows of another product makes one group of all nests from that product on, which
//! has *parts*: the groups that it would have otherwise. Attention has this form.

use super::nest::{AccessStride, Nest, NestAccess, NestLoop};
use super::sharing::Sharing;
use crate::dialect::loop_enums::Combiner;
use crate::ir::affine::Expr;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use std::collections::BTreeSet;

/// Nests that one strategy schedules together.
#[derive(Clone, Debug, PartialEq)]
pub struct NestGroup {
    /// The nests in textual order.
    pub nests: Vec<Nest>,
    /// The number of outer loops that all nests share.
    pub rows: usize,
    /// Whether threads may share its loops.
    pub sharing: Sharing,
    /// If the group has two products: the groups that its nests would be in otherwise. The first one has the first product, the
    /// last one the second product, and the others have ops on the rows of the first. Empty for all other groups.
    pub parts: Vec<NestGroup>,
}

impl NestGroup {
    /// The nest, if the group has only one.
    pub fn alone(&self) -> Option<&Nest> {
        match &self.nests[..] {
            [nest] => Some(nest),
            _ => None,
        }
    }

    /// The groups that are scheduled if no strategy schedules this one: its parts, or else each nest; none for a single nest.
    pub fn split(self) -> Vec<NestGroup> {
        if self.nests.len() < 2 {
            return vec![];
        }
        if !self.parts.is_empty() {
            return self.parts;
        }
        let sharing = self.sharing;
        self.nests.into_iter().map(|nest| NestGroup::of(nest, sharing)).collect()
    }

    /// The group as it is now, with schedule blocks of these names; `None` if a nest has another form now.
    pub(super) fn renamed(&self, summary: &Summary, blocks: &[String]) -> Option<NestGroup> {
        let named = |name: &String| summary.blocks().find(|(_, block)| block.name == *name);
        let nests = blocks.iter().map(|name| Nest::of(summary, named(name)?.0));
        let mut rest = blocks;
        let parts = self.parts.iter().map(|part| {
            let (own, others) = rest.split_at(part.nests.len());
            rest = others;
            part.renamed(summary, own)
        });
        let parts = parts.collect::<Option<_>>()?;
        Some(NestGroup { nests: nests.collect::<Option<_>>()?, parts, ..*self })
    }

    fn of(nest: Nest, sharing: Sharing) -> NestGroup {
        let rows = nest.loops.iter().take_while(|axis| !axis.is_reduction).count();
        NestGroup { nests: vec![nest], rows, sharing, parts: vec![] }
    }

    /// The names of its schedule blocks.
    pub fn blocks(&self) -> Vec<&str> {
        self.nests.iter().map(|nest| nest.block.as_str()).collect()
    }
}

/// The nest, if the group has only one; else an error.
pub fn alone(group: &NestGroup) -> Result<&Nest, String> {
    group.alone().ok_or_else(|| format!("the group has {} nests, expected one", group.nests.len()))
}

/// True if the nest is a sum of products whose operands both change along a reduction, and one of which is reused in some loop.
/// Operands may be of a narrower type than the sum.
pub fn is_product(nest: &Nest) -> bool {
    let [a, b] = &nest.loads[..] else { return false };
    let spatial = nest.spatial();
    let is_reused = |access: &NestAccess| {
        spatial.iter().any(|axis| {
            access.steps[*axis] == AccessStride::None && nest.loops[*axis].extent != Some(1)
        })
    };
    // A number that scales all elements of a row is no factor.
    let is_reduced = |access: &NestAccess| {
        nest.reductions().iter().any(|axis| access.steps[*axis] != AccessStride::None)
    };
    nest.reducer.as_ref().is_some_and(|reducer| reducer.len() == 1)
        && is_reduced(a)
        && is_reduced(b)
        && nest.operations - nest.widenings == 2
        && !nest.is_conditional
        && (is_reused(a) || is_reused(b))
}

/// The groups of a function. `sharing` states whether threads may share its loops. Code that is no [`Nest`] is in none.
pub fn groups(summary: &Summary, sharing: Sharing) -> Vec<NestGroup> {
    let mut found: Vec<NestGroup> = vec![];
    // The groups that other code precedes.
    let mut starts = BTreeSet::new();
    let mut last: Option<NodeId> = None;
    for top in &summary.nodes[NodeId::FUNCTION].children {
        let blocks = summary.blocks_under(*top);
        let nest = match blocks[..] {
            [block] if !matches!(summary.nodes[*top].kind, NodeKind::If(_)) => {
                Nest::of(summary, block)
            }
            _ => None,
        };
        let Some(nest) = nest else {
            last = None;
            continue;
        };
        let joined = last.and(found.last()).and_then(|group| joined(group, &nest));
        match joined {
            Some(rows) => {
                let group = found.pop().expect("there is a group to join");
                let mut nests = group.nests;
                nests.push(nest);
                found.push(NestGroup { nests, rows, sharing, parts: vec![] });
            }
            None => {
                if last.is_none() {
                    starts.insert(found.len());
                }
                found.push(NestGroup::of(nest, sharing));
            }
        }
        last = Some(*top);
    }
    with_two_products(found, &starts)
}

/// Joins groups from a product to another one that reads rows which are computed from the first. `starts` has the numbers of the
/// groups that do not follow the one before directly.
fn with_two_products(found: Vec<NestGroup>, starts: &BTreeSet<usize>) -> Vec<NestGroup> {
    let mut joined: Vec<NestGroup> = vec![];
    // The place of the last product in `joined`, if only ops on rows have followed.
    let mut product: Option<usize> = None;
    for (i, group) in found.into_iter().enumerate() {
        if starts.contains(&i) {
            product = None;
        }
        let is_first = is_sum_of_products(&group.nests[0]);
        let rows = product.and_then(|first| rows_of_second(&joined[first..], &group));
        match (product, rows) {
            (Some(first), Some(rows)) => {
                let sharing = group.sharing;
                let mut parts = joined.split_off(first);
                parts.push(group);
                let nests = parts.iter().flat_map(|part| &part.nests).cloned().collect();
                joined.push(NestGroup { nests, rows, sharing, parts });
                product = None;
            }
            _ => {
                if is_first {
                    product = Some(joined.len());
                } else if group.nests[0].reduces_windows() {
                    product = None;
                }
                joined.push(group);
            }
        }
    }
    joined
}

/// True for a product that adds; a maximum of rows with a mask, for example, also has two factors.
fn is_sum_of_products(nest: &Nest) -> bool {
    is_product(nest) && nest.reducer.as_deref() == Some(&[Combiner::Add])
}

/// The number of loops over rows of a product that reads rows which the groups before compute, of which the first is a product,
/// too; `None` if it is none.
fn rows_of_second(before: &[NestGroup], group: &NestGroup) -> Option<usize> {
    let (first, middle) = before.split_first()?;
    let second = group.nests.first().filter(|nest| is_sum_of_products(nest))?;
    let rows = second.spatial().len().checked_sub(1).filter(|rows| *rows > 0)?;
    let computed: Vec<&str> = middle
        .last()?
        .nests
        .iter()
        .flat_map(|nest| &nest.stores)
        .map(|store| store.buffer.as_str())
        .collect();
    let is_by_rows = |nest: &Nest| {
        let loops = nest.loops.iter().zip(&second.loops).take(rows);
        loops.clone().count() == rows
            && loops.into_iter().all(|(one, other)| {
                !one.is_reduction && !other.is_reduction && one.is_as_long_as(other)
            })
    };
    let nests = middle.iter().flat_map(|part| &part.nests).chain([&first.nests[0]]);
    let reads_rows = second.loads.iter().any(|load| computed.contains(&load.buffer.as_str()));
    (reads_rows && nests.into_iter().all(is_by_rows)).then_some(rows)
}

/// The extents of the loops that index the dimensions of an access, in the order of the dimensions, without loops of one
/// iteration; `None` if an extent depends on other loops, or a spatial loop indexes no dimension alone.
fn extents_of<'n>(nest: &'n Nest, access: &NestAccess) -> Option<Vec<&'n [Expr]>> {
    let spatial = nest.spatial().into_iter().filter(|axis| nest.loops[*axis].extent != Some(1));
    let indexed = spatial.map(|axis| {
        let bounds = &nest.loops[axis].bounds;
        let depends = bounds.iter().any(Expr::has_dims);
        Some((access.dimensions[axis].filter(|_| !depends)?, bounds.as_slice()))
    });
    let mut indexed = indexed.collect::<Option<Vec<_>>>()?;
    indexed.sort_unstable_by_key(|(dimension, _)| *dimension);
    Some(indexed.into_iter().map(|(_, bounds)| bounds).collect())
}

/// The number of outer loops that a group shares with the next nest; `None` if the nest does not join the group.
fn joined(group: &NestGroup, nest: &Nest) -> Option<usize> {
    let reads = |written: &Nest| {
        let buffers = written.stores.iter().map(|store| &store.buffer);
        buffers.clone().any(|buffer| nest.loads.iter().any(|load| load.buffer == *buffer))
    };
    let is_alone = |nest: &Nest| is_product(nest) || nest.reduces_windows();
    if !group.nests.iter().any(reads) || is_alone(nest) {
        return None;
    }
    let first = &group.nests[0];
    let shares = |(one, other): &(&NestLoop, &NestLoop)| {
        let is_spatial = !one.is_reduction && !other.is_reduction;
        is_spatial && one.is_as_long_as(other)
    };
    let rows = first.loops[..group.rows.min(first.loops.len())].iter().zip(&nest.loops);
    let mut rows = rows.take_while(shares).count();
    if is_alone(first) {
        let is_each =
            |nest: &Nest| !nest.is_reduction() && nest.spatial().len() == nest.loops.len();
        let of_first = first.stores.first().and_then(|store| extents_of(first, store));
        let is_same =
            |access: &NestAccess| of_first.is_some() && extents_of(nest, access) == of_first;
        // Two loops may index one dimension of what the nest stores, which are two dimensions of what it loads.
        let is_in_order = |load: &NestAccess| {
            let is_last = |axis: usize| load.dimensions[axis] == load.rank.checked_sub(1);
            nest.store_axis().is_some_and(is_last)
        };
        let is_loaded = |load: &NestAccess| {
            let mut stores = group.nests.iter().flat_map(|it| &it.stores);
            stores.any(|store| store.buffer == load.buffer) && is_in_order(load) && is_same(load)
        };
        let is_joint = |store: &NestAccess| extents_of(nest, store).is_none();
        let same = nest.stores.first().is_some_and(|store| {
            is_same(store) || is_joint(store) && nest.loads.iter().any(is_loaded)
        });
        // Vectors of an unknown number of columns have masks: those of all current results take too many registers.
        let columns = nest.store_axis().and_then(|axis| nest.loops[axis].extent);
        return (is_each(nest) && same && columns.is_some()).then_some(rows);
    }
    // Elementwise nests share only their rows: the shared loops must leave an inner loop to vectorise.
    let all_map = !nest.is_reduction() && group.nests.iter().all(|nest| !nest.is_reduction());
    if all_map && rows == nest.loops.len() && rows > 0 {
        rows -= 1;
    }
    (rows > 0).then_some(rows)
}

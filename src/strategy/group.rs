//! Groups: nests of a function that one schedule is for.
//!
//! Nests stand in a group with the one before if they follow it directly and read what the group writes, over the same
//! rows: their outer loops are spatial and of the same extents, known or not. A product takes in only what runs over all
//! its results, element by element.

use super::nest::{Axis, Nest, Step, Touch};
use crate::nest::summary::{NodeId, Summary};

/// What one schedule is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// In the order of the text.
    pub nests: Vec<Nest>,
    /// How many of the outer loops all of them share.
    pub rows: usize,
    /// Threads may share loops: nobody else in the module calls the function.
    pub may_share: bool,
}

impl Group {
    /// The only nest, if there is one alone.
    pub fn alone(&self) -> Option<&Nest> {
        match &self.nests[..] {
            [nest] => Some(nest),
            _ => None,
        }
    }

    /// The names of its schedule blocks.
    pub fn blocks(&self) -> Vec<&str> {
        self.nests.iter().map(|nest| nest.block.as_str()).collect()
    }
}

/// The only nest of a group, if the group has no more.
pub fn alone(group: &Group) -> Result<&Nest, String> {
    group.alone().ok_or_else(|| format!("{} nests, expected one", group.nests.len()))
}

/// Is a nest a sum of products, each operand of which is read again in some loop? Operands may be of a narrower type
/// than the sum.
pub fn is_product(nest: &Nest) -> bool {
    let [a, b] = &nest.loads[..] else { return false };
    let spatial = nest.spatial();
    let is_reused = |touch: &Touch| {
        spatial
            .iter()
            .any(|axis| touch.steps[*axis] == Step::None && nest.loops[*axis].extent != Some(1))
    };
    nest.reducer.as_ref().is_some_and(|reducer| reducer.len() == 1)
        && nest.operations - nest.widenings == 2
        && !nest.is_conditional
        && (is_reused(a) || is_reused(b))
}

/// The groups of a function, whose loops threads may share or not; what is no [`Nest`] is in none.
pub fn groups(summary: &Summary, may_share: bool) -> Vec<Group> {
    let mut found: Vec<Group> = vec![];
    let mut last: Option<NodeId> = None;
    for top in &summary.nodes[0].children {
        let blocks = summary.blocks_under(*top);
        let nest = match blocks[..] {
            [block] => Nest::of(summary, block),
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
                found.push(Group { nests, rows, may_share });
            }
            None => {
                let rows = nest.loops.iter().take_while(|axis| !axis.is_reduction).count();
                found.push(Group { nests: vec![nest], rows, may_share });
            }
        }
        last = Some(*top);
    }
    found
}

/// How many outer loops a group would share with a nest behind it, if that belongs there.
fn joined(group: &Group, nest: &Nest) -> Option<usize> {
    let reads = |written: &Nest| {
        let buffers = written.stores.iter().map(|store| &store.buffer);
        buffers.clone().any(|buffer| nest.loads.iter().any(|load| load.buffer == *buffer))
    };
    if !group.nests.iter().any(reads) || is_product(nest) {
        return None;
    }
    let first = &group.nests[0];
    if is_product(first) {
        let extents = |nest: &Nest| -> Vec<Option<i64>> {
            nest.spatial().iter().map(|axis| nest.loops[*axis].extent).collect()
        };
        let is_each =
            |nest: &Nest| !nest.is_reduction() && nest.spatial().len() == nest.loops.len();
        // Where sizes are not known, conditions on all results at hand take too many registers.
        let same = extents(first) == extents(nest) && extents(nest).iter().all(Option::is_some);
        return (is_each(nest) && same).then_some(group.rows);
    }
    let shares = |(one, other): &(&Axis, &Axis)| {
        let is_spatial = !one.is_reduction && !other.is_reduction;
        is_spatial && one.is_as_long_as(other)
    };
    let rows = first.loops[..group.rows.min(first.loops.len())].iter().zip(&nest.loops);
    let mut rows = rows.take_while(shares).count();
    // Nests that only map have nothing in common but their rows: what they share must leave something to vectors.
    let all_map = !nest.is_reduction() && group.nests.iter().all(|nest| !nest.is_reduction());
    if all_map && rows == nest.loops.len() && rows > 0 {
        rows -= 1;
    }
    (rows > 0).then_some(rows)
}

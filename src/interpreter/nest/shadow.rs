//! Race detection: the access history of an element is its last writer and the readers since. Conflicting accesses that
//! nothing orders are refused.
//!
//! Two accesses of an element, one of which writes, conflict if
//! - their thread blocks differ, or
//! - they differ in an iteration of a loop around both that is `parallel` or bound to `vthread`, and in no serial loop
//!   around that one, or
//! - their threads differ and no barrier separates them, or
//! - both write, and they are lanes of one instance of a vectorised statement.
//!
//! Atomic updates do not conflict with each other. They conflict with all other accesses as reads and writes do.
//!
//! All threads run a statement outside of the loops of a thread axis, so it counts as another thread than each
//! statement inside. So do the updates of a cross-thread reduction: its loops over threads combine in any order, and
//! what precedes or follows them is outside of these loops.

use super::program::Across;
use crate::dialect::loop_enums::{LoopKind, ThreadAxis};
use std::rc::Rc;

/// One iteration of one loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The number of the loop.
    pub id: usize,
    pub value: i64,
    /// A loop that is bound to `vthread` counts as parallel.
    pub kind: LoopKind,
}

/// Coordinates of a thread or thread block: x, y, z.
pub type Coordinates = [Option<i64>; 3];

/// An instance of a block, as far as ordering depends on it.
#[derive(Debug, PartialEq, Eq)]
pub struct OrderedInstance {
    /// The number of the block.
    pub block: usize,
    pub path: Vec<Iteration>,
    pub block_at: Coordinates,
    pub thread_at: Coordinates,
    /// The number of barriers that the thread block has passed.
    pub epoch: u64,
}

impl OrderedInstance {
    /// The instance of a cross-thread reduction's update: a statement outside of the loops that the reduction is bound
    /// to.
    pub fn together(&self, across: &Across) -> OrderedInstance {
        let is_bound = |step: &&Iteration| across.bound.iter().any(|(id, _)| *id == step.id);
        let path = self.path.iter().filter(|step| !is_bound(step)).copied().collect();
        let (mut block_at, mut thread_at) = (self.block_at, self.thread_at);
        for (_, axis) in &across.bound {
            match axis.is_block() {
                true => block_at[*axis as usize] = None,
                false => thread_at[*axis as usize - ThreadAxis::ThreadX as usize] = None,
            }
        }
        OrderedInstance { path, block_at, thread_at, ..*self }
    }

    /// True if nothing orders the two, given that they access the same element and at least one writes.
    fn conflicts(&self, other: &OrderedInstance, both_write: bool) -> bool {
        if self.block_at != other.block_at {
            return true;
        }
        let is_one_thread = self.thread_at == other.thread_at;
        for (mine, theirs) in self.path.iter().zip(&other.path) {
            if mine.id != theirs.id {
                break; // one precedes the other
            }
            if mine.value == theirs.value {
                continue;
            }
            match mine.kind {
                LoopKind::Parallel => return true,
                LoopKind::ThreadBind => {}
                LoopKind::Vectorize if is_one_thread => {
                    return both_write && self.is_lane_of(other);
                }
                LoopKind::Vectorize | LoopKind::Serial | LoopKind::Unroll => break,
            }
        }
        !is_one_thread && self.epoch == other.epoch
    }

    /// True if both are lanes of one instance of one statement.
    fn is_lane_of(&self, other: &OrderedInstance) -> bool {
        self.block == other.block
            && self.path.iter().zip(&other.path).all(|(mine, theirs)| {
                mine.id == theirs.id
                    && (mine.value == theirs.value || mine.kind == LoopKind::Vectorize)
            })
    }

    /// The iterations of unordered loops in a thread.
    fn agent(&self) -> impl Iterator<Item = (usize, i64)> {
        let unordered = self.path.iter().filter(|step| step.kind == LoopKind::Parallel);
        unordered.map(|step| (step.id, step.value))
    }
}

/// The access history of one element.
#[derive(Clone, Debug, Default)]
pub struct ElementHistory {
    writer: Option<Rc<OrderedInstance>>,
    /// The reads since the last write, one an agent.
    readers: Vec<Rc<OrderedInstance>>,
    /// The atomic updates since the last write, one an agent.
    updaters: Vec<Rc<OrderedInstance>>,
}

impl ElementHistory {
    /// Records a read; returns the write or update that it conflicts with.
    pub fn read(&mut self, instance: &Rc<OrderedInstance>) -> Option<Rc<OrderedInstance>> {
        let mut changes = self.writer.iter().chain(&self.updaters);
        if let Some(other) = changes.find(|other| instance.conflicts(other, false)) {
            return Some(other.clone());
        }
        remember(&mut self.readers, instance);
        None
    }

    /// Records an atomic update; returns the access that it conflicts with, and whether that access was a write.
    pub fn update(
        &mut self,
        instance: &Rc<OrderedInstance>,
    ) -> Option<(Rc<OrderedInstance>, bool)> {
        let writers = self.writer.iter().map(|writer| (writer, true));
        let mut others = writers.chain(self.readers.iter().map(|reader| (reader, false)));
        if let Some((other, wrote)) = others.find(|(other, _)| instance.conflicts(other, false)) {
            return Some((other.clone(), wrote));
        }
        remember(&mut self.updaters, instance);
        None
    }

    /// Records a write; returns the access that it conflicts with, and whether that access was a write.
    pub fn write(&mut self, instance: &Rc<OrderedInstance>) -> Option<(Rc<OrderedInstance>, bool)> {
        let writer = self.writer.as_ref().filter(|writer| instance.conflicts(writer, true));
        if let Some(writer) = writer {
            return Some((writer.clone(), true));
        }
        let readers = self.readers.iter().map(|reader| (reader, false));
        let mut others = readers.chain(self.updaters.iter().map(|updater| (updater, true)));
        if let Some((other, wrote)) = others.find(|(other, _)| instance.conflicts(other, false)) {
            return Some((other.clone(), wrote));
        }
        self.readers.clear();
        self.updaters.clear();
        self.writer = Some(instance.clone());
        None
    }
}

/// Adds an instance to the recorded accesses of an element, latest first. For each agent the latest access is enough:
/// what must follow it must follow the earlier ones too. Of the threads the latest two are enough, and of the iterations
/// of an unordered loop as well, because any later access differs from one of two.
fn remember(known: &mut Vec<Rc<OrderedInstance>>, instance: &Rc<OrderedInstance>) {
    if known.windows(2).any(|two| two[0].block_at != two[1].block_at) {
        return; // Any later access is in another thread block than one of the two, which is a conflict.
    }
    let thread_of = |of: &OrderedInstance| (of.block_at, of.thread_at);
    let thread = thread_of(instance);
    known.retain(|other| thread_of(other) != thread || !other.agent().eq(instance.agent()));
    known.insert(0, instance.clone());
    for depth in 0..instance.agent().count() {
        let is_beside = |other: &OrderedInstance| {
            thread_of(other) == thread && other.agent().take(depth).eq(instance.agent().take(depth))
        };
        keep_two(known, is_beside, |other| other.agent().nth(depth));
    }
    keep_two(known, |_| true, thread_of);
}

/// Of the instances that `is_one` selects, keeps those with the first two keys.
fn keep_two<K: PartialEq>(
    known: &mut Vec<Rc<OrderedInstance>>,
    is_one: impl Fn(&OrderedInstance) -> bool,
    key: impl Fn(&OrderedInstance) -> K,
) {
    let mut keys = known.iter().filter(|other| is_one(other)).map(|other| key(other));
    let Some(first) = keys.next() else { return };
    let Some(second) = keys.find(|other| *other != first) else { return };
    known.retain(|other| !is_one(other) || key(other) == first || key(other) == second);
}

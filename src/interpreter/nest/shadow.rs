//! Race detection: the access history of an element is its last writer and the readers since. Conflicting accesses that
//! nothing orders are refused.
//!
//! Two accesses of an element, one of which writes, conflict if
//! - their thread blocks differ, or
//! - their threads differ and no barrier separates them, or
//! - the outermost loop in whose iteration they differ is `parallel`, or
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
    pub vthread: Option<i64>,
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
        if (self.thread_at, self.vthread) != (other.thread_at, other.vthread) {
            return self.epoch == other.epoch;
        }
        let pairs = self.path.iter().zip(&other.path);
        for (mine, theirs) in pairs.clone() {
            if mine.id != theirs.id {
                return false; // one precedes the other
            }
            if mine.value != theirs.value {
                return match mine.kind {
                    LoopKind::Parallel => true,
                    LoopKind::Vectorize => both_write && self.is_lane_of(other),
                    _ => false,
                };
            }
        }
        false
    }

    /// True if both are lanes of one instance of one statement.
    fn is_lane_of(&self, other: &OrderedInstance) -> bool {
        self.block == other.block
            && self.path.iter().zip(&other.path).all(|(mine, theirs)| {
                mine.id == theirs.id
                    && (mine.value == theirs.value || mine.kind == LoopKind::Vectorize)
            })
    }

    /// True if the same agent runs both, so one of them represents both for later accesses.
    fn is_same_thread(&self, other: &OrderedInstance) -> bool {
        let unordered = |i: &OrderedInstance| -> Vec<(usize, i64)> {
            let parallel = i.path.iter().filter(|step| step.kind == LoopKind::Parallel);
            parallel.map(|step| (step.id, step.value)).collect()
        };
        (self.block_at, self.thread_at, self.vthread, self.epoch)
            == (other.block_at, other.thread_at, other.vthread, other.epoch)
            && unordered(self) == unordered(other)
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

/// Adds an instance to the recorded accesses of an element. Any later access differs from one of two agents of an
/// epoch, or from one of two thread blocks, so a third one adds no information.
fn remember(known: &mut Vec<Rc<OrderedInstance>>, instance: &Rc<OrderedInstance>) {
    let here = |other: &&Rc<OrderedInstance>| other.block_at == instance.block_at;
    let is_known = known.iter().any(|other| other.is_same_thread(instance));
    let blocks_differ = known.windows(2).any(|two| two[0].block_at != two[1].block_at);
    let in_epoch = known.iter().filter(here).filter(|r| r.epoch == instance.epoch).count();
    if !is_known && !blocks_differ && in_epoch < 2 {
        known.push(instance.clone());
    }
}

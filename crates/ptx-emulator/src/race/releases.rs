//! What the readers of a flag may rely on: the release patterns of the PTX memory model.
//!
//! A write hands over what its thread has ready, either because the write itself releases, or because of a fence before
//! it. It also hands over what the same thread has released at this address before. An atomic update preserves what the
//! write before it handed over; any other write discards it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Knowledge that can be joined.
pub trait Join {
    fn join(&mut self, other: &Self);
}

/// What strong writes hand over, by address.
pub struct Releases<Thread, Knowledge> {
    handed_over: HashMap<u64, Arc<Knowledge>>,
    own: HashMap<(u64, Thread), Knowledge>,
}

/// What a strong write does to the value before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writing {
    Replace,
    /// It reads and writes atomically.
    Update,
}

impl<Thread: Copy + Eq + Hash, Knowledge: Clone + Join> Releases<Thread, Knowledge> {
    /// Records a strong write.
    pub fn write(&mut self, address: u64, by: Thread, ready: Option<Knowledge>, writing: Writing) {
        match (self.own.get_mut(&(address, by)), ready) {
            (Some(own), Some(ready)) => own.join(&ready),
            (None, Some(ready)) => drop(self.own.insert((address, by), ready)),
            (_, None) => {}
        }
        let own = self.own.get(&(address, by));
        match (writing, own, self.handed_over.get_mut(&address)) {
            (Writing::Update, Some(own), Some(all)) => Arc::make_mut(all).join(own),
            (_, Some(own), _) => drop(self.handed_over.insert(address, Arc::new(own.clone()))),
            (Writing::Replace, None, _) => drop(self.handed_over.remove(&address)),
            (Writing::Update, None, _) => {}
        }
    }

    /// What a strong read observes.
    pub fn at(&self, address: u64) -> Option<Arc<Knowledge>> {
        self.handed_over.get(&address).cloned()
    }

    pub fn clear(&mut self) {
        self.handed_over.clear();
        self.own.clear();
    }
}

impl<Thread, Knowledge> Default for Releases<Thread, Knowledge> {
    fn default() -> Self {
        Releases { handed_over: HashMap::new(), own: HashMap::new() }
    }
}

//! Which pairs of iters traverse which pairs of dimensions.

use super::{DimensionPair, IterPair};
use std::collections::BTreeMap;

/// What may be left out: iters, or dimensions.
pub(super) enum Link {
    Iters(IterPair),
    Dimensions(DimensionPair),
}

/// Which pairs of iters traverse which pairs of dimensions.
pub(super) struct Links {
    of_iters: BTreeMap<IterPair, Vec<DimensionPair>>,
    of_dimensions: BTreeMap<DimensionPair, Vec<IterPair>>,
}

impl Links {
    pub fn of(links: Vec<(IterPair, DimensionPair)>) -> Self {
        let mut found = Links { of_iters: BTreeMap::new(), of_dimensions: BTreeMap::new() };
        for (iters, dimensions) in links {
            found.of_iters.entry(iters).or_default().push(dimensions);
            found.of_dimensions.entry(dimensions).or_default().push(iters);
        }
        found
    }

    pub fn dimensions(&self, iters: IterPair) -> impl Iterator<Item = DimensionPair> {
        self.of_iters.get(&iters).into_iter().flatten().copied()
    }

    pub fn iters(&self, dimensions: DimensionPair) -> impl Iterator<Item = IterPair> {
        self.of_dimensions.get(&dimensions).into_iter().flatten().copied()
    }
}

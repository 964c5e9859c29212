//! Why a primitive that changes loops alone refuses.

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoopsReason {
    #[error("found {sizes} sizes for {loops} loops, expected one for each")]
    TileSizes { loops: usize, sizes: usize },
    #[error("found a tile of {0}, expected a positive number")]
    BadTile(i64),
    #[error("loop \"{inner}\" is not the only thing directly in loop \"{outer}\"")]
    NotABand { outer: String, inner: String },
}

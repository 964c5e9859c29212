//! Why the layout of a buffer cannot change.

use super::{Reason, ScheduleError};
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutReason {
    #[error("\"{buffer}\" is used by something other than loads and stores of schedule blocks")]
    UsedOtherwise { buffer: String },
    #[error("rows of \"{0}\" are padded already: change its layout before that")]
    Padded(String),
    #[error("\"{text}\" is not an index map: {why}")]
    NoMap { text: String, why: String },
    #[error("the map takes {found} indices, \"{buffer}\" has {wanted}")]
    Rank { buffer: String, found: usize, wanted: usize },
    #[error("the map names {found} sizes, \"{buffer}\" has {rank}")]
    Sizes { buffer: String, found: usize, rank: usize },
    #[error("the map gives no index")]
    NoIndex,
    #[error("index {place} of the map {why}")]
    NotAffine { place: usize, why: &'static str },
    #[error("an index of \"{buffer}\" in schedule block \"{block}\" depends on data")]
    DataIndex { buffer: String, block: String },
    #[error("schedule block \"{block}\" writes \"{buffer}\" and \"{other}\" at the same indices")]
    WrittenTogether { buffer: String, other: String, block: String },
    #[error("the cells would be too far apart for an index")]
    TooFar,
    #[error("the range of index {place} of the map is not known")]
    NoExtent { place: usize },
    #[error("index {place} of the map may be {least}, expected 0 or more")]
    BelowZero { place: usize, least: String },
    #[error(
        "axis {axis} of \"{buffer}\" has no rows in it, expected one of its first {rows} dimensions"
    )]
    NoRows { buffer: String, axis: i64, rows: usize },
    #[error(
        "found factor {factor} and offset {offset}, expected a factor from 1 to {most} and an offset from 0 up to it"
    )]
    NoRemainder { factor: i64, offset: i64, most: i64 },
    #[error(
        "the stride of dimension {axis} of \"{buffer}\" is a multiple of {step}, which {factor} never divides with remainder {offset}"
    )]
    NotReached { buffer: String, axis: usize, step: String, factor: i64, offset: i64 },
    #[error(
        "dimension {axis} of \"{buffer}\" is padded already: align strides from the innermost dimension outwards, each once"
    )]
    AlignedAlready { buffer: String, axis: usize },
    #[error("\"{buffer}\" has no dimension {axis}, it has {rank}")]
    NoDimension { buffer: String, axis: i64, rank: usize },
    #[error(
        "found size {size} for a dimension of \"{buffer}\", expected 1 or more and less than {extent}"
    )]
    NotSmaller { buffer: String, size: i64, extent: String },
    #[error(
        "cannot prove that no row of \"{buffer}\" is needed when the one {size} further along dimension {dim} takes its place"
    )]
    StillNeeded { buffer: String, dim: usize, size: i64 },
    #[error(
        "schedule block \"{block}\" cannot keep rows for the next iteration of loop \"{name}\": {why}"
    )]
    NotRolling { block: String, name: String, why: &'static str },
    #[error("schedule block \"{block}\" does not access \"{buffer}\"")]
    NotAccessed { block: String, buffer: String },
    #[error(
        "schedule block \"{block}\" does not access \"{buffer}\" alone, at one place that only its iters determine, and under no condition"
    )]
    NotOnePlace { block: String, buffer: String },
    #[error("cannot prove that all reads of \"{buffer}\" would be in bounds")]
    Outside { buffer: String },
    #[error("cells {cells} of \"{buffer}\" would both be stored at {place}")]
    SameCell { buffer: String, cells: String, place: String },
    #[error("cannot prove that different cells of \"{0}\" would be stored at different places")]
    MaybeSameCell(String),
}

impl LayoutReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Layout(self).at(node, condition)
    }
}

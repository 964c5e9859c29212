//! Why the layout of a buffer cannot change.

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutReason {
    /// Something other than loads and stores of schedule blocks uses the buffer.
    #[error("\"{buffer}\" is used by something other than loads and stores of schedule blocks")]
    UsedOtherwise {
        /// The name of the buffer.
        buffer: String,
    },
    /// The rows of the buffer are padded; its name.
    #[error("rows of \"{0}\" are padded already: change its layout before that")]
    Padded(String),
    /// The text is not an index map.
    #[error("\"{text}\" is not an index map: {why}")]
    NoMap {
        /// The text.
        text: String,
        /// The reason, in words.
        why: String,
    },
    /// The map does not take as many indices as the buffer has dimensions.
    #[error("the map takes {found} indices, \"{buffer}\" has {wanted}")]
    Rank {
        /// The name of the buffer.
        buffer: String,
        /// The number of indices.
        found: usize,
        /// The rank of the buffer.
        wanted: usize,
    },
    /// The map does not name as many sizes as the buffer has dimensions.
    #[error("the map names {found} sizes, \"{buffer}\" has {rank}")]
    Sizes {
        /// The name of the buffer.
        buffer: String,
        /// The number of sizes.
        found: usize,
        /// The rank of the buffer.
        rank: usize,
    },
    /// The map has no results.
    #[error("the map gives no index")]
    NoIndex,
    /// A result of the map has a form that is not supported.
    #[error("index {place} of the map {why}")]
    NotAffine {
        /// The position of the result, from 0.
        place: usize,
        /// The reason, in words.
        why: &'static str,
    },
    /// The schedule block accesses the buffer at an index that depends on data.
    #[error("an index of \"{buffer}\" in schedule block \"{block}\" depends on data")]
    DataIndex {
        /// The name of the buffer.
        buffer: String,
        /// The name of the schedule block.
        block: String,
    },
    /// The schedule block writes another buffer at the same indices.
    #[error("schedule block \"{block}\" writes \"{buffer}\" and \"{other}\" at the same indices")]
    WrittenTogether {
        /// The name of the buffer.
        buffer: String,
        /// The name of the other buffer.
        other: String,
        /// The name of the schedule block.
        block: String,
    },
    /// The extents of the new layout do not fit an index.
    #[error("the cells would be too far apart for an index")]
    TooFar,
    /// The range of a result is not known.
    #[error("the range of index {place} of the map is not known")]
    NoExtent {
        /// The position of the result, from 0.
        place: usize,
    },
    /// A result may be negative.
    #[error("index {place} of the map may be {least}, expected 0 or more")]
    BelowZero {
        /// The position of the result, from 0.
        place: usize,
        /// The least value, as text.
        least: String,
    },
    /// The buffer has no rows below this dimension.
    #[error(
        "axis {axis} of \"{buffer}\" has no rows in it, expected one of its first {rows} dimensions"
    )]
    NoRows {
        /// The name of the buffer.
        buffer: String,
        /// The dimension that was given.
        axis: i64,
        /// The number of dimensions that have rows.
        rows: usize,
    },
    /// The factor or the offset is out of range.
    #[error(
        "found factor {factor} and offset {offset}, expected a factor from 1 to {most} and an offset from 0 up to it"
    )]
    NoRemainder {
        /// The factor.
        factor: i64,
        /// The offset.
        offset: i64,
        /// The maximum of the factor.
        most: i64,
    },
    /// No padding gives the stride the remainder.
    #[error(
        "the stride of dimension {axis} of \"{buffer}\" is a multiple of {step}, which {factor} never divides with remainder {offset}"
    )]
    NotReached {
        /// The name of the buffer.
        buffer: String,
        /// The dimension, from 0.
        axis: usize,
        /// The number that divides the stride, as text.
        step: String,
        /// The divisor of the remainder.
        factor: i64,
        /// The remainder.
        offset: i64,
    },
    /// The dimension that would be padded, or an outer one, is padded already.
    #[error(
        "dimension {axis} of \"{buffer}\" is padded already: align strides from the innermost dimension outwards, each once"
    )]
    AlignedAlready {
        /// The name of the buffer.
        buffer: String,
        /// The dimension, from 0.
        axis: usize,
    },
    /// The buffer has no such dimension.
    #[error("\"{buffer}\" has no dimension {axis}, it has {rank}")]
    NoDimension {
        /// The name of the buffer.
        buffer: String,
        /// The dimension that was given.
        axis: i64,
        /// The rank of the buffer.
        rank: usize,
    },
    /// The new size of a dimension is not smaller than the present one.
    #[error(
        "found size {size} for a dimension of \"{buffer}\", expected 1 or more and less than {extent}"
    )]
    NotSmaller {
        /// The name of the buffer.
        buffer: String,
        /// The new size.
        size: i64,
        /// The present size, as text.
        extent: String,
    },
    /// A row may be needed after another one has taken its place.
    #[error(
        "cannot prove that no row of \"{buffer}\" is needed when the one {size} further along dimension {dim} takes its place"
    )]
    StillNeeded {
        /// The name of the buffer.
        buffer: String,
        /// The dimension, from 0.
        dim: usize,
        /// The new size of the dimension.
        size: i64,
    },
    /// The schedule block cannot reuse rows of the previous iteration.
    #[error(
        "schedule block \"{block}\" cannot keep rows for the next iteration of loop \"{name}\": {why}"
    )]
    NotRolling {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
        /// The reason, in words.
        why: &'static str,
    },
    /// The schedule block does not access the buffer.
    #[error("schedule block \"{block}\" does not access \"{buffer}\"")]
    NotAccessed {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The schedule block accesses the buffer at several places, or under a condition.
    #[error(
        "schedule block \"{block}\" does not access \"{buffer}\" alone, at one place that only its iters determine, and under no condition"
    )]
    NotOnePlace {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// A read may be out of bounds in the new layout.
    #[error("cannot prove that all reads of \"{buffer}\" would be in bounds")]
    Outside {
        /// The name of the buffer.
        buffer: String,
    },
    /// Two elements would be stored at the same place.
    #[error("cells {cells} of \"{buffer}\" would both be stored at {place}")]
    SameCell {
        /// The name of the buffer.
        buffer: String,
        /// The indices of the elements, as text.
        cells: String,
        /// The indices of the place, as text.
        place: String,
    },
    /// Two elements may be stored at the same place; the name of the buffer.
    #[error("cannot prove that different cells of \"{0}\" would be stored at different places")]
    MaybeSameCell(String),
}

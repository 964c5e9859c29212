//! Why a loop cannot be split.

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitReason {
    /// Fewer than two factors are given; their number.
    #[error("found {0} factors, expected two or more")]
    FewFactors(usize),
    /// More than one factor is -1; their number.
    #[error("found {0} factors to infer, expected not more than one -1")]
    ManyInferred(usize),
    /// A factor is neither positive nor -1.
    #[error("found factor {0}, expected a positive number or -1")]
    BadFactor(i64),
    /// The factors do not cover the extent.
    #[error("factors multiply to {product}, extent is {extent}")]
    SmallProduct {
        /// The product of the factors.
        product: i64,
        /// The extent of the loop.
        extent: i64,
    },
    /// The extent is not known, and no factor is -1; the product of the factors.
    #[error("factors multiply to {0}, the extent is not known: infer one factor with -1")]
    UnknownExtent(i64),
    /// A factor other than the first one is -1, and the extent is not a size; the name of the loop.
    #[error("the extent of loop \"{0}\" is not a size: only the first factor can be inferred")]
    InferredInside(String),
    /// The word is not a tail; the word, and the tails.
    #[error("there is no tail \"{0}\", expected one of {1}")]
    NoTail(String, String),
    /// A tile is larger than the extent, with the tail `peel`.
    #[error("factors multiply to {product}, extent is {extent}: peeled tiles must fit into it")]
    LargeProduct {
        /// The product of the factors.
        product: i64,
        /// The extent of the loop.
        extent: i64,
    },
    /// The extent is smaller than a tile, and the tail needs a full one.
    #[error(
        "extent {extent} of loop \"{name}\" is smaller than a tile of {tile}: use tail \"guard\""
    )]
    NoTile {
        /// The name of the loop.
        name: String,
        /// The extent of the loop.
        extent: i64,
        /// The number of iterations of a tile.
        tile: i64,
    },
    /// The extent may be smaller than a tile, and the tail needs a full one.
    #[error(
        "the extent of loop \"{name}\" may be smaller than a tile of {tile}: use tail \"guard\" or \"peel\""
    )]
    MaybeNoTile {
        /// The name of the loop.
        name: String,
        /// The number of iterations of a tile.
        tile: i64,
    },
    /// The tail needs an extent that is a constant or a size; the name of the loop.
    #[error("the extent of loop \"{0}\" is neither a constant nor a size: use tail \"guard\"")]
    NotASize(String),
    /// More than the last tile may exceed the extent; the name of the loop.
    #[error(
        "more tiles of loop \"{0}\" than the last may exceed its extent: infer the first factor"
    )]
    TilesNotWhole(String),
    /// A reduction would get its start values at other instances than now.
    #[error("the initialization of schedule block \"{block}\" would change: {why}")]
    StartsAnew {
        /// The name of the schedule block.
        block: String,
        /// The reason, in words.
        why: String,
    },
    /// Iterations that run twice may read what other iterations write.
    #[error(
        "schedule block \"{block}\" reads \"{buffer}\", which other iterations may write: it would read other values when it runs again"
    )]
    ReadsRepeated {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The statement uses the variable of the loop other than in iter bindings.
    #[error("\"{name}\" depends on loop \"{by}\" in other ways than by bindings")]
    DependsOn {
        /// The name of the statement.
        name: String,
        /// The name of the loop.
        by: String,
    },
    /// Not exactly one iter, whose domain is the extent, is bound to the loop.
    #[error(
        "expected one iter of schedule block \"{block}\", and no other, bound to loop \"{name}\" alone, with its extent as domain"
    )]
    NotAlong {
        /// The name of the schedule block.
        block: String,
        /// The name of the loop.
        name: String,
    },
    /// The added instances of the schedule block may divide by 0; its name.
    #[error(
        "schedule block \"{0}\" divides integers, and a divisor may be 0 where there is no data"
    )]
    Divides(String),
    /// The buffer cannot be enlarged for the added instances.
    #[error("\"{buffer}\" is too small for the added instances of schedule block \"{block}\"")]
    NoRoom {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
    /// The added instances may read elements that have not been written.
    #[error(
        "cannot prove that what the added instances of schedule block \"{block}\" read of \"{buffer}\" has been written"
    )]
    ReadsPadding {
        /// The name of the schedule block.
        block: String,
        /// The name of the buffer.
        buffer: String,
    },
}

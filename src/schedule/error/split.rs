//! Why a loop cannot be split.

use super::{Reason, ScheduleError};
use crate::nest::summary::NodeId;

/// What was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitReason {
    #[error("found {0} factors, expected two or more")]
    FewFactors(usize),
    #[error("found {0} factors to infer, expected not more than one -1")]
    ManyInferred(usize),
    #[error("found factor {0}, expected a positive number or -1")]
    BadFactor(i64),
    #[error("factors multiply to {product}, extent is {extent}")]
    SmallProduct { product: i64, extent: i64 },
    #[error("factors multiply to {0}, the extent is not known: infer one factor with -1")]
    UnknownExtent(i64),
    #[error("the extent of loop \"{0}\" is not a size: only the first factor can be inferred")]
    InferredInside(String),
    #[error("there is no tail \"{0}\", expected one of {1}")]
    NoTail(String, String),
    #[error("factors multiply to {product}, extent is {extent}: peeled tiles must fit into it")]
    LargeProduct { product: i64, extent: i64 },
    #[error(
        "extent {extent} of loop \"{name}\" is smaller than a tile of {tile}: use tail \"guard\""
    )]
    NoTile { name: String, extent: i64, tile: i64 },
    #[error(
        "the extent of loop \"{name}\" may be smaller than a tile of {tile}: use tail \"guard\" or \"peel\""
    )]
    MaybeNoTile { name: String, tile: i64 },
    #[error("the extent of loop \"{0}\" is neither a constant nor a size: use tail \"guard\"")]
    NotASize(String),
    #[error(
        "more tiles of loop \"{0}\" than the last may exceed its extent: infer the first factor"
    )]
    TilesNotWhole(String),
    #[error("the initialization of schedule block \"{block}\" would change: {why}")]
    StartsAnew { block: String, why: String },
    #[error(
        "schedule block \"{block}\" reads \"{buffer}\", which other iterations may write: it would read other values when it runs again"
    )]
    ReadsRepeated { block: String, buffer: String },
    #[error("\"{name}\" depends on loop \"{by}\" in other ways than by bindings")]
    DependsOn { name: String, by: String },
    #[error(
        "expected one iter of schedule block \"{block}\", and no other, bound to loop \"{name}\" alone, with its extent as domain"
    )]
    NotAlong { block: String, name: String },
    #[error(
        "schedule block \"{0}\" divides integers, and a divisor may be 0 where there is no data"
    )]
    Divides(String),
    #[error("\"{buffer}\" is too small for the added instances of schedule block \"{block}\"")]
    NoRoom { block: String, buffer: String },
    #[error(
        "cannot prove that what the added instances of schedule block \"{block}\" read of \"{buffer}\" has been written"
    )]
    ReadsPadding { block: String, buffer: String },
}

impl SplitReason {
    /// A refusal because condition (C`condition`) does not hold at a node.
    pub fn at(self, node: NodeId, condition: u8) -> ScheduleError {
        Reason::Split(self).at(node, condition)
    }
}

//! Axes: the dimensions of a computation, and what they become when they are split, merged and reordered.
//!
//! ```text
//! z0, z1, z2                     the original axes
//!   ->  split z1 by 32           z0, z1T, z1t, z2        z1T * 32 + z1t is z1
//!   ->  merge z0, z1T            z0z1T, z1t, z2          z0z1T floordiv |z1T| is z0, z0z1T mod |z1T| is z1T
//! ```
//! The order of the axes is that of the loops, outermost first. Splitting or merging axes leaves the split or merged
//! ones in the graph, but not in the order. An axis states only the transformation that made it: its type, the axes
//! that it is from, and for a half of a split the other half. A *block split* (halves `z0B` and `z0b`) distributes its
//! outer half over cores or thread blocks; a *tile split* (halves `z0T` and `z0t`) has no such meaning. Sizes are
//! expressions over symbols.
//!
//! Rules
//! - (A1) an axis that is split, merged or reordered is in the order, and named once
//! - (A2) the size of the inner half is at least 1, and depends on sizes only
//! - (A3) there is at most one block split
//! - (A4) if it is not proved that the inner size divides the size, the tail is stated: `guard` (the last tile is
//!   partial), `peel` (what fills no tile is an axis of its own, of type `tail`) or `pad` (the last tile is full)
//! - (A5) with `peel` at least one tile is full
//! - (A6) two or more axes are merged, and each is followed by the next one in the order
//! - (A7) merged axes are contiguous, by the [`MergeRule`]
//! - (A8) a reordering names each axis of the order
//! - (A9) sizes fit an index
//! - (A10) with `pad` the axis is an original one, or the outer half of a split of such an axis that leaves nothing over:
//!   elsewhere the values that fill the last tile are those of the next tile, or of what is left over
//!
//! Source: the axes of ImplGraphs. There, the sizes of both halves are said to give the size by their product, while
//! the size of the outer half is rounded up: the tail states what the difference is.

mod index;
pub(crate) mod loop_axes_to_schedule;
pub(crate) mod loop_infer_axes;
pub(crate) mod loop_print_axes;
mod merge;
pub mod nest;
#[cfg(test)]
mod tests;

pub use merge::MergeRule;

use crate::dialect::loop_enums::AxisType;
use crate::dialect::region::describe_expr_with;
use crate::ir::affine::{BinaryKind, Expr};
use crate::schedule::primitive::r#loop::split::Tail;
use cranelift_entity::{PrimaryMap, entity_impl};

/// An axis of an [`AxisGraph`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AxisId(u32);
entity_impl!(AxisId, "axis");

/// A dimension of a computation.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// `z0` for an original axis; for others the name of the axis that it is from, followed by `B`, `b`, `T` or `t`; of
    /// merged axes, all names.
    pub name: String,
    /// The number of values, from 0 on, over symbols.
    pub size: Expr,
    /// The transformation that made the axis.
    pub ty: AxisType,
    /// The axis that it was split from, or the axes that were merged, outermost first.
    pub from: Vec<AxisId>,
    /// The other half of the split.
    pub split_pair: Option<AxisId>,
}

/// One change of the axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Transformation {
    /// One axis becomes two.
    Split {
        /// The axis that is split.
        axis: AxisId,
        /// The outer half.
        outer: AxisId,
        /// The inner half.
        inner: AxisId,
        /// `None` if the inner size divides the size.
        tail: Option<Tail>,
        /// What fills no tile, with the tail `peel`.
        rest: Option<AxisId>,
    },
    /// Several axes become one.
    Merge {
        /// The axes that are merged, outermost first.
        axes: Vec<AxisId>,
        /// Their product.
        merged: AxisId,
    },
    /// The new order.
    Reorder(Vec<AxisId>),
}

/// What the outer half of a split is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitKind {
    /// It is distributed over cores or thread blocks.
    Block,
    /// It has no such meaning.
    Tile,
}

/// The axes of a computation, and how they came about.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisGraph {
    axes: PrimaryMap<AxisId, Axis>,
    order: Vec<AxisId>,
    /// The order after the last split, or at the start.
    after_split: Vec<AxisId>,
    history: Vec<Transformation>,
}

/// A transformation that the rules forbid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AxisError {
    /// An axis was split or merged before. Holds its name, and the names of the order.
    #[error("(A1) '{0}' was split or merged: the order has the axes {1}")]
    NotInOrder(String, String),
    /// An axis is named twice. Holds its name.
    #[error("(A1) '{0}' is named twice")]
    Twice(String),
    /// The inner size of a split is not valid.
    #[error(
        "(A2) '{axis}' cannot have an inner half of size {inner}: expected 1 or more, over sizes only"
    )]
    BadInner {
        /// The name of the axis.
        axis: String,
        /// The inner size.
        inner: String,
    },
    /// A second axis would have a block split.
    #[error(
        "(A3) '{axis}' cannot be the second axis with a block split: '{first}' has one. Use a tile split"
    )]
    SecondBlock {
        /// The name of the axis.
        axis: String,
        /// The axis that has a block split.
        first: String,
    },
    /// A split that may leave a partial tile states no tail.
    #[error(
        "(A4) {inner} is not known to divide the size {size} of '{axis}': state the tail, guard, peel or pad"
    )]
    NoTail {
        /// The name of the axis.
        axis: String,
        /// Its size.
        size: String,
        /// The inner size.
        inner: String,
    },
    /// A split has the tail `shift_inwards`. Holds the name of the axis.
    #[error(
        "(A4) the tail of a split of '{0}' is shift_inwards, which runs iterations twice: expected guard, peel or pad"
    )]
    Shifts(String),
    /// A split with the tail `peel` has no full tile.
    #[error("(A5) '{axis}' of size {size} has no full tile of {inner}")]
    NoFullTile {
        /// The name of the axis.
        axis: String,
        /// Its size.
        size: String,
        /// The inner size.
        inner: String,
    },
    /// A merge has fewer than two axes. Holds their number.
    #[error("(A6) {0} axes are no merge: expected two or more")]
    FewAxes(usize),
    /// The axes of a merge are not neighbours in the order.
    #[error("(A6) '{outer}' is not followed by '{inner}' in the order {order}")]
    NotAdjacent {
        /// The outer axis.
        outer: String,
        /// The axis that is merged into it.
        inner: String,
        /// The names of the order.
        order: String,
    },
    /// The product of two axes is not one range of indices.
    #[error("(A7) '{outer}' and '{inner}' are not contiguous: {why}")]
    NotContiguous {
        /// The outer axis.
        outer: String,
        /// The inner axis.
        inner: String,
        /// The reason.
        why: String,
    },
    /// A new order does not have each axis once.
    #[error("(A8) the new order has {found} axes, expected all of {order}")]
    NotAll {
        /// The number of its axes.
        found: usize,
        /// The names of the present order.
        order: String,
    },
    /// A size is too large for an index. Holds the name of the axis.
    #[error("(A9) the size of '{0}' does not fit an index")]
    Overflow(String),
    /// The padded axis is neither an original one nor the outer half of an exact split of one. Holds its name.
    #[error(
        "(A10) '{0}' cannot be padded: the values after its last one are those of other iterations. Expected the tail guard or peel"
    )]
    PadsInside(String),
}

impl AxisGraph {
    /// Axes of these sizes, outermost first, named `z0`, `z1`, ..
    pub fn new(sizes: impl IntoIterator<Item = Expr>) -> AxisGraph {
        let mut axes = PrimaryMap::new();
        for size in sizes {
            let name = format!("z{}", axes.len());
            let ty = AxisType::Original;
            axes.push(Axis { name, size: size.simplified(), ty, from: vec![], split_pair: None });
        }
        let order: Vec<AxisId> = axes.keys().collect();
        AxisGraph { axes, after_split: order.clone(), order, history: vec![] }
    }

    /// The axis with this id.
    pub fn axis(&self, axis: AxisId) -> &Axis {
        &self.axes[axis]
    }

    /// All axes, those that were split or merged too, in the order in which they were made.
    pub fn axes(&self) -> impl Iterator<Item = (AxisId, &Axis)> {
        self.axes.iter()
    }

    /// The axes that have a loop, outermost first.
    pub fn order(&self) -> &[AxisId] {
        &self.order
    }

    /// What made the axes, in order.
    pub fn history(&self) -> &[Transformation] {
        &self.history
    }

    /// True if an axis was made from another one, in one or more steps.
    pub fn descends(&self, axis: AxisId, from: AxisId) -> bool {
        self.axes[axis].from.iter().any(|it| *it == from || self.descends(*it, from))
    }

    /// How an axis was split, if it was.
    pub fn split_of(&self, axis: AxisId) -> Option<(AxisId, AxisId, Option<Tail>)> {
        self.history.iter().find_map(|it| match it {
            Transformation::Split { axis: of, outer, inner, tail, .. } if *of == axis => {
                Some((*outer, *inner, *tail))
            }
            _ => None,
        })
    }

    /// The axis that this one was merged into, if it was.
    pub fn merged_into(&self, axis: AxisId) -> Option<AxisId> {
        self.history.iter().find_map(|it| match it {
            Transformation::Merge { axes, merged } if axes.contains(&axis) => Some(*merged),
            _ => None,
        })
    }

    /// Splits an axis into an outer and an inner half; the size of the inner half is `inner`, that of the outer half
    /// `ceil(size / inner)`, with the tail `peel` `floor(size / inner)`. The halves take the place of the axis.
    ///
    /// # Errors
    /// If (A1) to (A5) or (A9) does not hold. The graph is unchanged.
    pub fn split(
        &mut self,
        axis: AxisId,
        kind: SplitKind,
        inner: Expr,
        tail: Option<Tail>,
    ) -> Result<(AxisId, AxisId), AxisError> {
        let place = self.place(axis)?;
        let inner = inner.simplified();
        let Axis { name, size, .. } = self.axes[axis].clone();
        let (size_text, inner_text) = (describe_size(&size), describe_size(&inner));
        if inner.has_dims() || inner.constant().is_some_and(|inner| inner < 1) {
            return Err(AxisError::BadInner { axis: name, inner: inner_text });
        }
        let first = self.axes.values().find(|other| other.ty == AxisType::BlockOuter);
        if let (SplitKind::Block, Some(first)) = (kind, first) {
            let first = self.axes[first.from[0]].name.clone();
            return Err(AxisError::SecondBlock { axis: name, first });
        }
        let exact = size.exact_quotient(&inner);
        let tail = match (&exact, tail) {
            (Some(_), _) => None,
            (None, None) => {
                return Err(AxisError::NoTail { axis: name, size: size_text, inner: inner_text });
            }
            (None, Some(Tail::ShiftInwards)) => return Err(AxisError::Shifts(name)),
            (None, Some(Tail::Pad)) if !self.can_be_padded(axis) => {
                return Err(AxisError::PadsInside(name));
            }
            (None, Some(tail)) => Some(tail),
        };
        let rounding = match tail {
            Some(Tail::Peel) => BinaryKind::FloorDiv,
            _ => BinaryKind::CeilDiv,
        };
        let quotient = || Expr::binary(rounding, size.clone(), inner.clone()).simplified();
        let count = exact.unwrap_or_else(quotient);
        if count.constant() == Some(0) && tail == Some(Tail::Peel) {
            return Err(AxisError::NoFullTile { axis: name, size: size_text, inner: inner_text });
        }
        // The padded size.
        product([&count, &inner]).ok_or(AxisError::Overflow(name.clone()))?;
        let (outer_ty, inner_ty, letters) = match kind {
            SplitKind::Block => (AxisType::BlockOuter, AxisType::BlockInner, ["B", "b"]),
            SplitKind::Tile => (AxisType::TileOuter, AxisType::TileInner, ["T", "t"]),
        };
        let half = |letter, size, ty| Axis {
            name: format!("{name}{letter}"),
            size,
            ty,
            from: vec![axis],
            split_pair: None,
        };
        let outer_half = self.axes.push(half(letters[0], count, outer_ty));
        let inner_half = self.axes.push(half(letters[1], inner.clone(), inner_ty));
        self.axes[outer_half].split_pair = Some(inner_half);
        self.axes[inner_half].split_pair = Some(outer_half);
        let left = || half("r", size.modulo(inner).simplified(), AxisType::Tail);
        let rest = (tail == Some(Tail::Peel)).then(|| self.axes.push(left()));
        self.order.splice(place..=place, [outer_half, inner_half]);
        self.after_split = self.order.clone();
        self.history.push(Transformation::Split {
            axis,
            outer: outer_half,
            inner: inner_half,
            tail,
            rest,
        });
        Ok((outer_half, inner_half))
    }

    /// Merges axes, given outermost first, into one, which takes their place; its size is the product of theirs.
    ///
    /// # Errors
    /// If (A1), (A6), (A7) or (A9) does not hold. The graph is unchanged.
    pub fn merge(&mut self, axes: &[AxisId], rule: MergeRule) -> Result<AxisId, AxisError> {
        if axes.len() < 2 {
            return Err(AxisError::FewAxes(axes.len()));
        }
        let places = self.places(axes)?;
        for (pair, places) in axes.windows(2).zip(places.windows(2)) {
            if places[0] + 1 != places[1] {
                let [outer, inner] = [pair[0], pair[1]].map(|axis| self.axes[axis].name.clone());
                let order = self.names(&self.order);
                return Err(AxisError::NotAdjacent { outer, inner, order });
            }
        }
        self.check_contiguous(axes, rule)?;
        let name: String = axes.iter().map(|axis| self.axes[*axis].name.as_str()).collect();
        let sizes = axes.iter().map(|axis| &self.axes[*axis].size);
        let size = product(sizes).ok_or_else(|| AxisError::Overflow(name.clone()))?;
        let (ty, from) = (AxisType::Merged, axes.to_vec());
        let merged = self.axes.push(Axis { name, size, ty, from, split_pair: None });
        self.order.splice(places[0]..places[0] + axes.len(), [merged]);
        self.history.push(Transformation::Merge { axes: axes.to_vec(), merged });
        Ok(merged)
    }

    /// Changes the order of the axes.
    ///
    /// # Errors
    /// If (A1) or (A8) does not hold. The graph is unchanged.
    pub fn reorder(&mut self, order: &[AxisId]) -> Result<(), AxisError> {
        self.places(order)?;
        if order.len() != self.order.len() {
            let all = self.names(&self.order);
            return Err(AxisError::NotAll { found: order.len(), order: all });
        }
        if order != self.order {
            self.order = order.to_vec();
            self.history.push(Transformation::Reorder(order.to_vec()));
        }
        Ok(())
    }

    /// (A10)
    fn can_be_padded(&self, axis: AxisId) -> bool {
        let this = &self.axes[axis];
        let is_peeled =
            |from: AxisId| self.split_of(from).is_some_and(|(_, _, tail)| tail == Some(Tail::Peel));
        match (this.ty, &this.from[..]) {
            (AxisType::Original, _) => true,
            (AxisType::BlockOuter | AxisType::TileOuter, [from]) => {
                !is_peeled(*from) && self.can_be_padded(*from)
            }
            _ => false,
        }
    }

    /// The names of some axes as text.
    pub fn names(&self, axes: &[AxisId]) -> String {
        let names: Vec<&str> = axes.iter().map(|axis| self.axes[*axis].name.as_str()).collect();
        format!("[{}]", names.join(", "))
    }

    /// (A1): the position in the order.
    fn place(&self, axis: AxisId) -> Result<usize, AxisError> {
        self.order.iter().position(|other| *other == axis).ok_or_else(|| {
            AxisError::NotInOrder(self.axes[axis].name.clone(), self.names(&self.order))
        })
    }

    /// (A1): the positions in the order of different axes.
    fn places(&self, axes: &[AxisId]) -> Result<Vec<usize>, AxisError> {
        if let Some(i) = (1..axes.len()).find(|i| axes[..*i].contains(&axes[*i])) {
            return Err(AxisError::Twice(self.axes[axes[i]].name.clone()));
        }
        axes.iter().map(|axis| self.place(*axis)).collect()
    }
}

/// The product of sizes; `None` if it is a number that does not fit an index.
fn product<'a>(sizes: impl IntoIterator<Item = &'a Expr>) -> Option<Expr> {
    let (mut number, mut symbolic) = (1i64, Expr::Constant(1));
    for size in sizes {
        match size.constant() {
            Some(size) => number = number.checked_mul(size)?,
            None => symbolic = symbolic * size.clone(),
        }
    }
    Some((symbolic * number.into()).simplified())
}

/// A size as text, with symbols `s0`, `s1`, ..
pub fn describe_size(size: &Expr) -> String {
    describe_expr_with(size, &|leaf| match leaf {
        Expr::Dim(number) => format!("d{number}"),
        Expr::Symbol(number) => format!("s{number}"),
        other => format!("{other:?}"),
    })
}

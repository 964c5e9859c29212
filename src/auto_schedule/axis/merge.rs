//! Which axes that follow each other in the order may be merged.

use super::{Axis, AxisError, AxisGraph, AxisId, describe_size};
use crate::dialect::loop_enums::AxisType;
use crate::ir::affine::Expr;

/// When two axes that follow each other in the order count as contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeRule {
    /// Neither is half of a split, nor has one that was merged into it; or the inner one directly followed the outer one
    /// after the last split. So axes that were reordered may be merged, but not halves of splits that were.
    Syntactic,
    /// As [`Syntactic`](MergeRule::Syntactic), or the row-major index of an element over the original axes is proved to
    /// be a multiple of the merged axis plus what depends on the other axes.
    Proved,
    /// The iterations of both axes are in no order, as those on cores and threads; the caller knows this.
    Unordered,
}

impl AxisGraph {
    /// (A7)
    pub(super) fn check_contiguous(
        &self,
        axes: &[AxisId],
        rule: MergeRule,
    ) -> Result<(), AxisError> {
        let apart = axes.windows(2).find(|pair| !self.is_syntactic(pair[0], pair[1]));
        let (MergeRule::Syntactic | MergeRule::Proved, Some(&[outer, inner])) = (rule, apart)
        else {
            return Ok(());
        };
        let [outer_name, inner_name] = [outer, inner].map(|axis| self.axis(axis).name.clone());
        let mut why = format!(
            "after the last split the order was {}, where '{inner_name}' does not follow '{outer_name}'",
            self.names(&self.after_split)
        );
        if rule == MergeRule::Proved {
            if self.joined_stride(axes).is_some() {
                return Ok(());
            }
            let stride = |axis: &AxisId| {
                let Axis { name, size, .. } = self.axis(*axis);
                let stride = self.stride(*axis).map(|stride| describe_size(&stride));
                let stride = stride.map_or("no single stride".into(), |it| format!("stride {it}"));
                format!("'{name}' of size {} has {stride}", describe_size(size))
            };
            let strides: Vec<String> = axes.iter().map(stride).collect();
            why += &format!("; and {}", strides.join(", "));
        }
        Err(AxisError::NotContiguous { outer: outer_name, inner: inner_name, why })
    }

    fn is_syntactic(&self, outer: AxisId, inner: AxisId) -> bool {
        if !self.is_of_split(outer) && !self.is_of_split(inner) {
            return true;
        }
        let last = self.end_in(outer, |from| from.last());
        let first = self.end_in(inner, |from| from.first());
        self.after_split.windows(2).any(|pair| pair == [last, first])
    }

    /// True for a half of a split, and for an axis that one was merged into.
    fn is_of_split(&self, axis: AxisId) -> bool {
        let this = self.axis(axis);
        match this.ty {
            AxisType::Merged => this.from.iter().any(|from| self.is_of_split(*from)),
            ty => ty != AxisType::Original,
        }
    }

    /// The first or last of the axes after the last split that were merged into an axis since.
    fn end_in(&self, axis: AxisId, end: fn(&[AxisId]) -> Option<&AxisId>) -> AxisId {
        match end(&self.axis(axis).from) {
            Some(from) if !self.after_split.contains(&axis) => self.end_in(*from, end),
            _ => axis,
        }
    }

    /// The factor of an axis in the row-major index of an element over the original axes. `None` if the index is not a
    /// multiple of the axis plus what depends on other axes.
    pub fn stride(&self, axis: AxisId) -> Option<Expr> {
        let this = self.axis(axis);
        match (this.ty, &this.from[..]) {
            (AxisType::Original, _) => {
                let later = self.axes().filter(|(id, it)| it.ty == this.ty && *id > axis);
                let sizes = later.map(|(_, it)| it.size.clone());
                Some(sizes.fold(Expr::Constant(1), |all, size| all * size).simplified())
            }
            (AxisType::BlockOuter | AxisType::TileOuter, [from]) => {
                let pair = this.split_pair.expect("a half of a split");
                Some((self.stride(*from)? * self.axis(pair).size.clone()).simplified())
            }
            (AxisType::Merged, from) => self.joined_stride(from),
            (_, [from, ..]) => self.stride(*from),
            (_, []) => None,
        }
    }

    /// The stride of the axis that some would be merged into, if it has one: that of the innermost axis of more than
    /// one value, if the stride of each other axis is the size times the stride of the next one.
    fn joined_stride(&self, axes: &[AxisId]) -> Option<Expr> {
        let one = |axis: &AxisId| self.axis(*axis).size.constant() == Some(1);
        let varying: Vec<AxisId> = axes.iter().copied().filter(|axis| !one(axis)).collect();
        let Some(last) = varying.last() else { return self.stride(*axes.last()?) };
        for pair in varying.windows(2) {
            let covered = self.axis(pair[1]).size.clone() * self.stride(pair[1])?;
            if self.stride(pair[0])?.simplified() != covered.simplified() {
                return None;
            }
        }
        self.stride(*last)
    }
}

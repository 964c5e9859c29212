//! Lanes: the access pattern of all lanes, and code for one lane.

use super::{ActiveLanes, Cursor};
use crate::ir::affine::{Expr, Linear};
use crate::ir::{Block, Builder, Type, Value};
use crate::lowering::emit::ops::{extracted, scf_if};

/// The access pattern of the lanes.
pub(crate) enum Pattern {
    /// All lanes access one element.
    Uniform,
    /// Consecutive lanes access consecutive elements, from lane 0 on.
    Contiguous,
    Scattered,
}

impl<'c> Cursor<'c> {
    pub fn pattern(&self, indices: &[Expr]) -> Pattern {
        let Some(lane) = &self.lane else { return Pattern::Uniform };
        let Some((last, outer)) = indices.split_last() else { return Pattern::Uniform };
        if outer.iter().any(|e| self.differs(e)) {
            return Pattern::Scattered;
        }
        if !self.differs(last) {
            return Pattern::Uniform;
        }
        let mut rest = Linear::of(last);
        let step = rest.terms.remove(&Expr::Dim(lane.atom));
        match step == Some(1) && !self.differs(&rest.to_expr()) {
            true => Pattern::Contiguous,
            false => Pattern::Scattered,
        }
    }

    pub fn width(&self) -> usize {
        self.lane.as_ref().map_or(1, |lane| lane.width)
    }

    /// The indices in one lane.
    pub fn at_lane(&self, indices: &[Expr], lane: usize, at: Builder<'c>) -> Vec<Value<'c>> {
        let Some(lanes) = &self.lane else { return vec![] };
        let place = |i: usize| if i == lanes.atom { (lane as i64).into() } else { Expr::Dim(i) };
        let emit = |expr: &Expr| {
            let value =
                self.emit_index(&self.simplified(&expr.substitute(&place, &Expr::Symbol)), at);
            match value.ty().lanes() {
                // Computed from data.
                Some((_, element)) => extracted(value, lane, element, at),
                None => value,
            }
        };
        indices.iter().map(emit).collect()
    }

    /// Emits a body for one lane, if the lane is active; `otherwise` is the value if it is inactive.
    pub fn in_lane(
        &self,
        lane: usize,
        otherwise: Option<Value<'c>>,
        at: Builder<'c>,
        body: &dyn Fn(&Self, Builder<'c>) -> Option<Value<'c>>,
    ) -> Option<Value<'c>> {
        let mask = match self.mask {
            None => return body(self, at),
            Some(ActiveLanes { first: Some(first), .. }) if lane < first => return body(self, at),
            Some(ActiveLanes { first: Some(_), .. }) => return otherwise,
            Some(mask) => mask,
        };
        let bit = extracted(mask.value, lane, Type::integer(at.context(), 1), at);
        let blocks = [Block::new(&[]), Block::new(&[])];
        let [yes, no] = blocks.map(|block| Builder::at_end(block, at.location()));
        let value = body(self, yes);
        let results: Vec<_> = value.iter().map(|v| v.ty()).collect();
        yes.insert(yes.spec("scf.yield").operands(value.as_slice()));
        let other: Vec<_> = value.and(otherwise).into_iter().collect();
        no.insert(no.spec("scf.yield").operands(&other));
        at.insert(scf_if(at, bit, &results, blocks)).results().first().copied()
    }
}

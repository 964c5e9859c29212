//! Masks: the active lanes of a vector.

use super::{ActiveLanes, Cursor};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{Builder, Type};

impl<'c> Cursor<'c> {
    /// The mask of the first `on` lanes.
    pub fn first_lanes(&self, on: usize, at: Builder<'c>) -> ActiveLanes<'c> {
        let width = self.lane.as_ref().map_or(1, |lane| lane.width);
        let value = at.first_lanes(width, on as i64);
        ActiveLanes { value, first: Some(on), may_be_empty: false, may_access: true }
    }

    /// Masks for conditions that differ between lanes. If a condition enables a prefix of the lanes, its value
    /// in lane 0 is added to `uniform`, so that the mask is not empty, unless an empty mask does no harm.
    pub fn lane_masks(
        &self,
        conditions: &[Constraint],
        uniform: &mut Vec<Constraint>,
        at: Builder<'c>,
    ) -> Vec<ActiveLanes<'c>> {
        let Some(lane) = &self.lane else { return vec![] };
        let mut masks = vec![];
        for condition in conditions {
            let falling = match condition {
                Constraint::NonNegative(expr) => self.falling(expr, lane.atom),
                Constraint::Zero(_) => None,
            };
            let bits = Type::vector(lane.width, Type::integer(at.context(), 1));
            masks.push(match falling {
                Some((first, step)) => {
                    let in_lane_0 = Constraint::NonNegative(first.clone());
                    let is_on = self.is_always(&in_lane_0) || lane.has_first && lane.is_first;
                    if !is_on && !lane.has_first {
                        uniform.push(in_lane_0);
                    }
                    let on = self.simplified(&(first.floor_div(step.into()) + 1.into()));
                    let on = self.emit_index(&on, at);
                    let value = at.op("vector.create_mask", &[on], bits);
                    let may_be_empty = !is_on && lane.has_first;
                    ActiveLanes { value, first: None, may_be_empty, may_access: true }
                }
                None => {
                    let value = self.emit_constraint(condition, at);
                    ActiveLanes { value, first: None, may_be_empty: true, may_access: false }
                }
            });
        }
        masks
    }

    /// For `first - step * lane` with a positive step: the value in lane 0, and the step.
    fn falling(&self, expr: &Expr, lane: usize) -> Option<(Expr, i64)> {
        let mut rest = Linear::of(expr);
        let step = rest.terms.remove(&Expr::Dim(lane)).filter(|step| *step < 0)?;
        let first = rest.to_expr();
        (!self.differs(&first)).then(|| (first, -step))
    }

    /// Restricts the active lanes to those that are active in all of these masks.
    pub fn narrow(&mut self, masks: Vec<ActiveLanes<'c>>, at: Builder<'c>) {
        for mask in masks {
            self.mask = Some(match self.mask {
                None => mask,
                // If both masks enable a prefix of the lanes, lane 0 is active in both.
                Some(outer) => ActiveLanes {
                    value: self.elementwise("arith.andi", &[outer.value, mask.value], at),
                    first: None,
                    may_be_empty: outer.may_be_empty || mask.may_be_empty,
                    may_access: outer.may_access && mask.may_access,
                },
            });
        }
    }
}

//! Branches: code under conditions, which are uniform or differ between lanes.

use super::{ActiveLanes, Cursor, EmitBody};
use crate::dialect::loop_op::If;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::{Block, Builder, Error, Region, Type};
use crate::lowering::emit::ops::{scf_if, vector_reduction};

impl<'c> Cursor<'c> {
    /// Lowers a `loop.if`; `then` and `otherwise` emit its branches.
    pub fn either<'b>(
        &mut self,
        view: &If<'c>,
        at: Builder<'c>,
        then: EmitBody<'b, 'c>,
        otherwise: Option<EmitBody<'b, 'c>>,
    ) -> Result<(), Error<'c>> {
        let condition =
            self.constraints(&view.condition.constraints, &view.operands, view.condition.dims);
        let Some(otherwise) = otherwise else {
            return self.under(condition, at, then);
        };
        let Some(value) = self.emit_condition(&condition, at) else {
            return then(self, at);
        };
        let blocks = [Block::new(&[]), Block::new(&[])];
        let exprs: Vec<Expr> = condition.iter().map(|c| c.expr().clone()).collect();
        let diverges = self.enter_if_divergent(&exprs);
        for (block, body) in blocks.iter().zip([then, otherwise]) {
            let inner = Builder::at_end(*block, at.location());
            body(self, inner)?;
            inner.insert(inner.spec("scf.yield"));
        }
        self.leave_if_divergent(diverges);
        at.insert(scf_if(at, value, &[], blocks));
        Ok(())
    }

    /// Emits a body under conditions: uniform conditions become a branch, conditions that differ between lanes
    /// a mask.
    pub fn under(
        &mut self,
        conditions: Vec<Constraint>,
        at: Builder<'c>,
        body: EmitBody<'_, 'c>,
    ) -> Result<(), Error<'c>> {
        if conditions.iter().any(|c| self.is_never(c)) {
            return Ok(());
        }
        let outer = self.mask;
        let exprs: Vec<Expr> = conditions.iter().map(|c| c.expr().clone()).collect();
        let diverges = self.enter_if_divergent(&exprs);
        let result = self.under_these(conditions, at, body);
        self.leave_if_divergent(diverges);
        self.mask = outer;
        result
    }

    fn under_these(
        &mut self,
        conditions: Vec<Constraint>,
        at: Builder<'c>,
        body: EmitBody<'_, 'c>,
    ) -> Result<(), Error<'c>> {
        let (lanes, mut uniform): (Vec<_>, Vec<_>) =
            conditions.into_iter().partition(|c| self.differs(c.expr()));
        let masks = self.lane_masks(&lanes, &mut uniform, at);
        let inner = match (self.emit_condition(&uniform, at), masks) {
            (None, masks) => {
                self.narrow(masks, at);
                at
            }
            (Some(condition), masks) => {
                let block = Block::new(&[]);
                let inner = Builder::at_end(block, at.location());
                self.narrow(masks, inner);
                let result = self.if_any_lane(inner, body);
                inner.insert(inner.spec("scf.yield"));
                let spec = at.spec("scf.if").operands(&[condition]).region(Region::of(block));
                at.insert(spec.region(Region::new()));
                return result;
            }
        };
        self.if_any_lane(inner, body)
    }

    /// Emits a body that runs only if at least one lane of the mask is active: a uniform access must be made by
    /// an active lane.
    fn if_any_lane(&mut self, at: Builder<'c>, body: EmitBody<'_, 'c>) -> Result<(), Error<'c>> {
        match self.mask {
            Some(mask) if !mask.may_access => {
                let bit = Type::integer(at.context(), 1);
                let any = vector_reduction(at, "or", mask.value, bit);
                self.mask = Some(ActiveLanes { may_be_empty: false, may_access: true, ..mask });
                let block = Block::new(&[]);
                let inner = Builder::at_end(block, at.location());
                body(self, inner)?;
                inner.insert(inner.spec("scf.yield"));
                let spec = at.spec("scf.if").operands(&[any]).region(Region::of(block));
                at.insert(spec.region(Region::new()));
                Ok(())
            }
            _ => body(self, at),
        }
    }
}

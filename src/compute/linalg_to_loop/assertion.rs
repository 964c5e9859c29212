//! Assertions: those on sizes become requirements, others are checked by schedule blocks or left out.

use super::body::ComputedScalars;
use super::nest::{NestSpec, NestUnderConstruction};
use super::state::FunctionConversion;
use crate::dialect::loop_enums::IterRole;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Error, Op, remark, walk};

impl<'c> FunctionConversion<'_, 'c> {
    /// Converts a `cf.assert` at function level.
    pub(super) fn assertion(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        if let Some(conditions) = self.sizes.asserted(op.operand(0)) {
            let outcome = conditions.into_iter().try_for_each(|it| self.sizes.require(op, it));
            let message = op.attribute("msg").and_then(Attribute::as_str).unwrap_or_default();
            return outcome.map_err(|_| Error::on(op, format!("never holds: {message}")));
        }
        match self.module.keep_assertions {
            true => {
                self.check_each("assert", op, &[], &[op], |_, _| Ok(ComputedScalars::new()))?;
            }
            false => self.unchecked.push(op),
        }
        Ok(())
    }

    /// The assertions in the regions of an op that are to be checked: if assertions are kept, those that `can_check`
    /// accepts. The others are reported.
    pub(super) fn assertions_in(
        &mut self,
        op: Op<'c>,
        can_check: impl Fn(&Op<'c>) -> bool,
    ) -> Vec<Op<'c>> {
        let all = walk(op).into_iter().filter(|inner| inner.is("cf.assert"));
        let keeps = self.module.keep_assertions;
        let (checked, unchecked): (Vec<_>, Vec<_>) = all.partition(|it| keeps && can_check(it));
        self.unchecked.extend(unchecked);
        checked
    }

    /// Checks the assertions of an op at each point of its domain, in a nest of its own, so that they do not limit what
    /// can be done with the nest of the op. `load` loads what their conditions need.
    pub(super) fn check_each(
        &mut self,
        name: &str,
        op: Op<'c>,
        ranges: &[Expr],
        assertions: &[Op<'c>],
        load: impl FnOnce(
            &mut Self,
            &NestUnderConstruction<'c>,
        ) -> Result<ComputedScalars<'c>, Error<'c>>,
    ) -> Result<(), Error<'c>> {
        if assertions.is_empty() {
            return Ok(());
        }
        let name = self.block_name(name);
        let nest = self.nest(NestSpec {
            location: op.location(),
            name,
            iters: ranges.iter().map(|range| (IterRole::Spatial, range.clone())).collect(),
            uses: vec![],
            reducer: None,
        });
        let mut known = load(self, &nest)?;
        for assertion in assertions {
            let old = assertion.operand(0);
            let condition = self.evaluate(&nest, &mut known, old)?;
            nest.build.place(assertion.clone_mapped(&[(old, condition)]));
        }
        nest.finish()
    }

    /// A remark about the assertions that are not checked.
    pub(super) fn report_unchecked(&self) {
        let Some(first) = self.unchecked.first() else { return };
        let subject = match self.unchecked.len() - 1 {
            0 => "this assertion is".to_owned(),
            1 => "this assertion and another one are".to_owned(),
            more => format!("this assertion and {more} others are"),
        };
        let why = match self.module.keep_assertions {
            true => "as conditions on partial results and in regions are not",
            false => "as only conditions on sizes are; --check-bounds (keep-assertions) checks all",
        };
        remark(first.location(), &format!("{subject} not checked, {why}"));
    }
}

//! Assertions: those on sizes become requirements, others are checked by schedule blocks or left out.

use super::body::ComputedScalars;
use super::nest::{NestSpec, NestUnderConstruction};
use super::state::FunctionConversion;
use crate::ir::{Error, Op, remark};

impl<'c> FunctionConversion<'_, 'c> {
    /// Converts a `cf.assert` at function level.
    pub(super) fn assertion(&mut self, op: Op<'c>) -> Result<(), Error<'c>> {
        if let Some(conditions) = self.asserted(op.operands()[0]) {
            return conditions.into_iter().try_for_each(|condition| self.require(op, condition));
        }
        if !self.module.keep_assertions {
            self.unchecked.push(op);
            return Ok(());
        }
        let name = self.block_name("assert");
        let nest = self.nest(NestSpec {
            location: op.location(),
            name,
            iters: vec![],
            uses: vec![],
            reducer: None,
        });
        self.check(&nest, &mut ComputedScalars::new(), op)?;
        nest.finish()
    }

    /// Adds an assertion to the body of a nest.
    pub(super) fn check(
        &mut self,
        nest: &NestUnderConstruction<'c>,
        known: &mut ComputedScalars<'c>,
        assertion: Op<'c>,
    ) -> Result<(), Error<'c>> {
        let old = assertion.operands()[0];
        let condition = self.evaluate(nest, known, old)?;
        nest.build.place(assertion.clone_mapped(&[(old, condition)]));
        Ok(())
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

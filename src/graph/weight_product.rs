//! Sums of products with weights: what the rewrites of convolutions and matrix products have in common.

use crate::ir::{Block, Op, Value, outside_values, walk};
use std::collections::HashSet;

/// The values that are computed from constants.
pub(super) struct FixedValues<'c>(HashSet<Value<'c>>);

impl<'c> FixedValues<'c> {
    pub fn of(function: Op<'c>) -> FixedValues<'c> {
        let mut fixed = FixedValues(HashSet::new());
        // Operands come before the ops that use them.
        for op in walk(function) {
            let is_fixed = op.is_constant()
                || op.operands().iter().all(|it| fixed.contains(*it))
                    && op.has_no_effects()
                    && outside_values(op).into_iter().all(|(it, _)| fixed.contains(it));
            if is_fixed {
                fixed.0.extend(op.results());
            }
        }
        fixed
    }

    pub fn contains(&self, value: Value<'c>) -> bool {
        self.0.contains(&value)
    }
}

/// True if a body adds the product of both inputs to the output.
pub(super) fn sums_products(body: Block) -> bool {
    let arguments = body.arguments();
    let found = || {
        let [sum] = body.terminator()?.operands()[..] else { return None };
        let add = sum.defining_op().filter(|op| op.is("arith.addf"))?;
        let product = match add.operands()[..] {
            [one, other] if one == arguments[2] => other,
            [one, other] if other == arguments[2] => one,
            _ => return None,
        };
        let factors = product.defining_op().filter(|op| op.is("arith.mulf"))?.operands();
        Some(factors == arguments[..2] || factors == [arguments[1], arguments[0]])
    };
    arguments.len() == 3 && found() == Some(true)
}

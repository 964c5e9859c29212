//! Conditions on sizes: what ops and assertions presuppose.

use super::SymbolicSizes;
use crate::ir::affine::{Constraint, Expr};
use crate::ir::predicate;
use crate::ir::{Attribute, Error, Op, Value};

impl<'c> SymbolicSizes<'c> {
    /// Adds a condition on the entry sizes, unless it always holds. `op` presupposes it.
    ///
    /// # Errors
    /// If the condition never holds.
    pub fn require(&mut self, op: Op<'c>, condition: Constraint) -> Result<(), Error<'c>> {
        let expr = condition.expr().simplified();
        let holds = match (&condition, expr.constant()) {
            (Constraint::Zero(_), Some(value)) => Some(value == 0),
            (Constraint::NonNegative(_), Some(value)) => Some(value >= 0),
            (Constraint::NonNegative(_), None) => self.never_negative(&expr).then_some(true),
            (Constraint::Zero(_), None) => None,
        };
        match holds {
            Some(true) => Ok(()),
            Some(false) => Err(Error::on(op, "has operands whose sizes never fit together")),
            None => {
                let condition = condition.on(expr);
                // What is required holds in the rest of the function.
                if let Constraint::NonNegative(size @ Expr::Symbol(_)) = &condition {
                    self.natural.push(size.clone());
                }
                if !self.requirements.contains(&condition) {
                    self.requirements.push(condition);
                }
                Ok(())
            }
        }
    }

    /// The conditions that all hold exactly if a value is true.
    pub fn asserted(&mut self, value: Value<'c>) -> Option<Vec<Constraint>> {
        self.conditions(value, false)
    }

    /// As [`SymbolicSizes::asserted`]. `is_natural` states that unsigned comparisons are of numbers that are not
    /// negative.
    pub fn conditions(&mut self, value: Value<'c>, is_natural: bool) -> Option<Vec<Constraint>> {
        let op = value.defining_op()?;
        let operands = op.operands();
        match op.name() {
            "arith.constant" => {
                let holds = op.attribute("value").and_then(Attribute::as_i64)? != 0;
                Some(if holds { vec![] } else { vec![Constraint::NonNegative((-1).into())] })
            }
            "arith.andi" => {
                let mut both = self.conditions(operands[0], is_natural)?;
                both.extend(self.conditions(operands[1], is_natural)?);
                Some(both)
            }
            "arith.cmpi" => {
                let (left, right) = (self.size(operands[0])?, self.size(operands[1])?);
                let less = |a: &Expr, b: &Expr| b.clone() - a.clone();
                let one: Expr = 1.into();
                let predicate = op.attribute("predicate").and_then(Attribute::as_i64)?;
                let is_unsigned = (predicate::ULT..=predicate::UGE).contains(&predicate);
                let predicate = match is_unsigned {
                    // The order is the same if neither number is negative.
                    true if is_natural
                        || [&left, &right].iter().all(|e| self.never_negative(e)) =>
                    {
                        predicate - predicate::ULT + predicate::SLT
                    }
                    true => return None,
                    false => predicate,
                };
                Some(vec![match predicate {
                    predicate::EQ => Constraint::Zero(less(&left, &right)),
                    predicate::SLT => Constraint::NonNegative(less(&left, &right) - one),
                    predicate::SLE => Constraint::NonNegative(less(&left, &right)),
                    predicate::SGT => Constraint::NonNegative(less(&right, &left) - one),
                    predicate::SGE => Constraint::NonNegative(less(&right, &left)),
                    _ => return None,
                }])
            }
            _ => None,
        }
    }
}

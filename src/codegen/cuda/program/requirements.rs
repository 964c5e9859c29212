//! The steps of a host program that check the conditions of a function on its sizes.

use super::{HostReader, HostSlot, unknown};
use crate::dialect::requirement::{Requirements, SizeOrigin};
use crate::ir::affine::{BinaryKind, Constraint, Expr};
use crate::ir::{Error, Op};
use loopwright_runtime::gpu::program::{Number, Operation, Step};

impl<'c> HostReader<'_, 'c> {
    /// The steps that check the conditions of a function on its sizes.
    pub(super) fn requirements(&mut self, function: Op<'c>) -> Result<Vec<Step>, Error<'c>> {
        let requirements = Requirements::of(function)?;
        let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
        let mut steps = vec![];
        if requirements.all.is_empty() {
            return Ok(steps);
        }
        let mut sizes = vec![];
        for origin in &requirements.sizes {
            sizes.push(match (*origin, self.slots.get(&arguments[origin.argument()])) {
                (SizeOrigin::Index(_), Some(HostSlot::Number(number))) => *number,
                (SizeOrigin::Dim(_, dimension), Some(HostSlot::Buffer(buffer))) => {
                    let is = Number::Size { buffer: *buffer, dimension };
                    self.define(is, &mut steps)
                }
                _ => return Err(unknown(function)),
            });
        }
        for requirement in &requirements.all {
            // The number of conditions that are as they should be: that it holds, or that one of its premises does not.
            let mut sum = self.holds(&requirement.condition, &sizes, &mut steps);
            let one = self.define(Number::Constant(1), &mut steps);
            for given in &requirement.given {
                let holds = self.holds(given, &sizes, &mut steps);
                let operation = Operation::Subtract;
                let fails = Number::Operation { operation, operands: [one, holds] };
                let operands = [sum, self.define(fails, &mut steps)];
                let is = Number::Operation { operation: Operation::Add, operands };
                sum = self.define(is, &mut steps);
            }
            let operation = Operation::LessOrEqual;
            let is = Number::Operation { operation, operands: [one, sum] };
            let condition = self.define(is, &mut steps);
            let text = requirements.describe(&requirement.condition);
            steps.push(Step::Require { condition, text, sizes: sizes.clone() });
        }
        Ok(steps)
    }

    /// 1 if a condition on sizes holds, else 0.
    fn holds(&mut self, condition: &Constraint, sizes: &[usize], steps: &mut Vec<Step>) -> usize {
        let value = self.evaluate(condition.expr(), sizes, steps);
        let zero = self.define(Number::Constant(0), steps);
        let (operation, operands) = match condition {
            Constraint::Zero(_) => (Operation::Equal, [value, zero]),
            Constraint::NonNegative(_) => (Operation::LessOrEqual, [zero, value]),
        };
        self.define(Number::Operation { operation, operands }, steps)
    }

    /// The number of an expression over sizes.
    fn evaluate(&mut self, expr: &Expr, sizes: &[usize], steps: &mut Vec<Step>) -> usize {
        let (kind, left, right) = match expr {
            Expr::Constant(value) => return self.define(Number::Constant(*value), steps),
            Expr::Symbol(i) => return sizes[*i],
            Expr::Dim(_) => unreachable!("requirements have no dims"),
            Expr::Binary(kind, left, right) => (kind, left, right),
        };
        let operands = [self.evaluate(left, sizes, steps), self.evaluate(right, sizes, steps)];
        let operation = match kind {
            BinaryKind::Add => Operation::Add,
            BinaryKind::Mul => Operation::Multiply,
            BinaryKind::CeilDiv => Operation::CeilDivide,
            BinaryKind::FloorDiv | BinaryKind::Mod => Operation::FloorDivide,
        };
        let value = self.define(Number::Operation { operation, operands }, steps);
        if *kind != BinaryKind::Mod {
            return value;
        }
        let whole = [value, operands[1]];
        let operation = Operation::Multiply;
        let whole = self.define(Number::Operation { operation, operands: whole }, steps);
        let operands = [operands[0], whole];
        self.define(Number::Operation { operation: Operation::Subtract, operands }, steps)
    }
}

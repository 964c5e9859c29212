//! Symbolic sizes: every size is an expression over the entry sizes of the function.

use super::state::FunctionConversion;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use crate::ir::{Attribute, Error, Op, TypeKind, Value};

/// The source of an entry size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// An index argument of the new function.
    Argument(usize),
    /// A dimension of an argument.
    Dim(usize, usize),
}

/// The entry sizes; symbol i of every size expression is entry i.
#[derive(Default)]
pub(super) struct EntrySizes<'c> {
    pub entries: Vec<(Origin, Value<'c>)>,
}

impl<'c> EntrySizes<'c> {
    /// The symbol of an entry size.
    pub fn add(&mut self, origin: Origin, value: Value<'c>) -> Expr {
        self.entries.push((origin, value));
        Expr::Symbol(self.entries.len() - 1)
    }

    pub fn values(&self) -> Vec<Value<'c>> {
        self.entries.iter().map(|(_, value)| *value).collect()
    }

    /// True if the expression is provably 0 or more for all iters (dims) and sizes. Dimensions of arguments
    /// are never negative; index arguments may be, so [`span::never_negative`](crate::analysis::span::never_negative)
    /// does not apply. False if that is unknown.
    pub fn never_negative(&self, expr: &Expr) -> bool {
        let linear = Linear::of(expr);
        let atom = |atom: &Expr| match atom {
            Expr::Dim(_) => true,
            Expr::Symbol(i) => matches!(self.entries[*i].0, Origin::Dim(..)),
            Expr::Constant(value) => *value >= 0,
            Expr::Binary(BinaryKind::Mod, _, right) => right.constant().is_some_and(|c| c > 0),
            Expr::Binary(BinaryKind::FloorDiv | BinaryKind::CeilDiv, left, right) => {
                right.constant().is_some_and(|c| c > 0) && self.never_negative(left)
            }
            Expr::Binary(BinaryKind::Add | BinaryKind::Mul, left, right) => {
                self.never_negative(left) && self.never_negative(right)
            }
        };
        linear.constant >= 0 && linear.terms.iter().all(|(term, c)| *c >= 0 && atom(term))
    }
}

impl<'c> FunctionConversion<'_, 'c> {
    /// An index value of the old function as a size expression; `None` if it depends on data.
    pub(super) fn size(&mut self, value: Value<'c>) -> Option<Expr> {
        if let Some(expr) = self.index_values.get(&value) {
            return Some(expr.clone());
        }
        let expr = self.computed_size(value)?.simplified();
        self.index_values.insert(value, expr.clone());
        Some(expr)
    }

    /// Like [`Function::size`], but an error at `op` if there is none.
    pub(super) fn needed_size(&mut self, op: Op<'c>, value: Value<'c>) -> Result<Expr, Error<'c>> {
        self.size(value).ok_or_else(|| {
            let error = Error::on(
                op,
                "has a size that is not a map of index arguments and dimensions of arguments",
            );
            match value.defining_op() {
                Some(source) => {
                    error.note(source.location(), format!("it is computed from {value:?}"))
                }
                None => error,
            }
        })
    }

    fn computed_size(&mut self, value: Value<'c>) -> Option<Expr> {
        let op = value.defining_op()?;
        let operands = op.operands();
        let kind = match op.name() {
            "arith.constant" => {
                return op.attribute("value").and_then(Attribute::as_i64).map(Expr::Constant);
            }
            "tensor.dim" | "memref.dim" => {
                let place = usize::try_from(self.size(operands[1])?.constant()?).ok()?;
                return self.dims(op, operands[0]).ok()?.get(place).cloned();
            }
            "tensor.rank" => {
                return operands[0].ty().shaped().map(|(d, _)| (d.len() as i64).into());
            }
            "arith.index_cast" | "arith.index_castui" => return self.size(operands[0]),
            // A boolean that is true becomes -1.
            "arith.extsi" if operands[0].ty().kind() != TypeKind::Integer(1) => {
                return self.size(operands[0]);
            }
            "tensor.extract" => return self.listed_size(op),
            "arith.select" => {
                let chosen = if self.decided(operands[0])? { operands[1] } else { operands[2] };
                return self.size(chosen);
            }
            "arith.minsi" | "arith.maxsi" => {
                let (left, right) = (self.size(operands[0])?, self.size(operands[1])?);
                let least = match (left.clone() - right.clone(), right.clone() - left.clone()) {
                    (_, more) if self.sizes.never_negative(&more) => (left, right),
                    (more, _) if self.sizes.never_negative(&more) => (right, left),
                    _ => return None,
                };
                return Some(if op.is("arith.minsi") { least.0 } else { least.1 });
            }
            "arith.addi" | "arith.subi" | "arith.muli" | "arith.ceildivsi" | "arith.floordivsi"
            | "arith.divsi" | "arith.divui" | "arith.remsi" | "arith.remui" => op.name(),
            "affine.apply" => {
                let map = op.attribute("map").and_then(Attribute::as_map)?;
                let values: Option<Vec<Expr>> = operands.iter().map(|v| self.size(*v)).collect();
                let values = values?;
                let (dims, symbols) = values.split_at(map.dims);
                return Some(
                    map.results[0].substitute(&|i| dims[i].clone(), &|i| symbols[i].clone()),
                );
            }
            _ => return None,
        };
        // Only for index and i64, which has as many bits: arithmetic on a narrower type may wrap.
        if !value.ty().is_index() && value.ty().kind() != TypeKind::Integer(64) {
            return None;
        }
        let (left, right) = (self.size(operands[0])?, self.size(operands[1])?);
        let divisor = |right: &Expr| right.constant().is_some_and(|c| c > 0);
        match kind {
            "arith.addi" => Some(left + right),
            "arith.subi" => Some(left - right),
            "arith.muli" => Some(left * right),
            "arith.ceildivsi" if divisor(&right) => {
                Some(Expr::binary(BinaryKind::CeilDiv, left, right))
            }
            "arith.floordivsi" if divisor(&right) => Some(left.floor_div(right)),
            // These round towards zero, or are unsigned: the result is the same if no operand is negative.
            "arith.divsi" | "arith.divui"
                if divisor(&right) && self.sizes.never_negative(&left) =>
            {
                Some(left.floor_div(right))
            }
            "arith.divui" if !self.sizes.never_negative(&left) => None,
            "arith.divsi" | "arith.divui" | "arith.floordivsi" => {
                left.simplified().exact_quotient(&right.simplified())
            }
            "arith.remsi" | "arith.remui"
                if divisor(&right) && self.sizes.never_negative(&left) =>
            {
                Some(left.modulo(right))
            }
            _ => None,
        }
    }

    /// The size at a constant place of a list of sizes.
    fn listed_size(&mut self, extract: Op<'c>) -> Option<Expr> {
        let operands = extract.operands();
        let list = operands[0].defining_op().filter(|op| op.is("tensor.from_elements"))?;
        let [place] = operands[1..] else { return None };
        let place = usize::try_from(self.size(place)?.constant()?).ok()?;
        self.size(*list.operands().get(place)?)
    }

    /// The value of a condition on sizes, if it is the same for all sizes.
    pub(super) fn decided(&mut self, condition: Value<'c>) -> Option<bool> {
        let conditions = self.asserted(condition)?;
        let mut holds = true;
        for condition in conditions {
            holds &= match condition {
                Constraint::NonNegative(expr) => self.is_never_negative(expr)?,
                Constraint::Zero(expr) => {
                    let is_above = self.sizes.never_negative(&(expr.clone() - 1.into()));
                    let is_below = self.sizes.never_negative(&(Expr::from(-1) - expr.clone()));
                    match expr.simplified().constant() {
                        Some(value) => value == 0,
                        None if is_above || is_below => false,
                        None => return None,
                    }
                }
            };
        }
        Some(holds)
    }

    /// True if a value is 0 or more for all sizes, false if it is negative for all sizes.
    fn is_never_negative(&self, expr: Expr) -> Option<bool> {
        let is_negative = || self.sizes.never_negative(&(Expr::from(-1) - expr.clone()));
        if self.sizes.never_negative(&expr) { Some(true) } else { is_negative().then_some(false) }
    }
}

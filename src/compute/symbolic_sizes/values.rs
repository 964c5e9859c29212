//! Index values as expressions over the entry sizes.

use super::SymbolicSizes;
use crate::ir::affine::{BinaryKind, Constraint, Expr};
use crate::ir::predicate;
use crate::ir::{Attribute, Error, Op, TypeKind, Value};

/// Sizes are less than this.
const LIMIT: i64 = 1 << 62;

/// The most sizes in an expression whose sign is asked for, each counted as often as it occurs.
const MOST_LEAVES: usize = 256;

/// 1 if a number of magnitude less than [`LIMIT`] is 0 or more, else 0. Affine expressions have no minimum and no
/// condition, so this number stands for both: the quotient, rounded down, is 0 or -1.
fn is_not_negative(expr: Expr) -> Expr {
    Expr::from(1) + expr.floor_div(LIMIT.into())
}

impl<'c> SymbolicSizes<'c> {
    /// An index value as a size expression; `None` if it depends on data.
    pub fn size(&mut self, value: Value<'c>) -> Option<Expr> {
        if let Some(expr) = self.values.get(&value) {
            return Some(expr.clone());
        }
        // A value that several others are computed from is tried once for all of them.
        let is_outermost = self.no_sizes.is_empty();
        if !self.no_sizes.insert(value) {
            return None;
        }
        let expr = self.computed_size(value).map(|expr| expr.simplified());
        let expr = expr.filter(|expr| self.require_range(value, expr).is_some());
        if let Some(expr) = &expr {
            self.no_sizes.remove(&value);
            self.values.insert(value, expr.clone());
        }
        if is_outermost {
            self.no_sizes.clear();
        }
        expr
    }

    /// Like [`SymbolicSizes::size`], but an error at `op` if there is none.
    pub fn needed_size(&mut self, op: Op<'c>, value: Value<'c>) -> Result<Expr, Error<'c>> {
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

    /// Requires a size to be in the range of its type, because arithmetic on a type that is narrower than an index may
    /// wrap.
    fn require_range(&mut self, value: Value<'c>, expr: &Expr) -> Option<()> {
        let TypeKind::Integer(bits @ 2..64) = value.ty().kind() else { return Some(()) };
        let op = value.defining_op()?;
        if expr.has_dims() {
            // A requirement is one on sizes only. Exporters cast indices that are in range.
            return matches!(op.name(), "arith.constant" | "arith.index_cast").then_some(());
        }
        let limit = 1i64 << (bits - 1);
        let (above, below) = (expr.clone() + limit.into(), Expr::from(limit - 1) - expr.clone());
        for room in [above, below] {
            self.require(op, Constraint::NonNegative(room)).ok()?;
        }
        Some(())
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
            // A boolean is the lowest bit.
            "arith.trunci" if value.ty().kind() != TypeKind::Integer(1) => {
                return self.size(operands[0]);
            }
            // A boolean that is true becomes -1.
            "arith.extsi" if operands[0].ty().kind() != TypeKind::Integer(1) => {
                return self.size(operands[0]);
            }
            "tensor.extract" => return self.listed_size(op),
            "arith.select" => {
                return match self.decided(operands[0]) {
                    Some(true) => self.size(operands[1]),
                    Some(false) => self.size(operands[2]),
                    None => {
                        let holds = self.truth(operands[0])?;
                        let (then, other) = (self.size(operands[1])?, self.size(operands[2])?);
                        Some(other.clone() + holds * (then - other))
                    }
                };
            }
            "arith.extui" if operands[0].ty().kind() == TypeKind::Integer(1) => {
                return match self.decided(operands[0]) {
                    Some(holds) => Some(i64::from(holds).into()),
                    None => self.truth(operands[0]),
                };
            }
            "arith.minsi" | "arith.maxsi" | "arith.minui" | "arith.maxui" => {
                let (left, right) = (self.size(operands[0])?, self.size(operands[1])?);
                if op.name().ends_with("ui") {
                    // Compared as unsigned numbers, a negative one would be greater than all sizes.
                    for size in [&left, &right] {
                        self.require_natural(op, size)?;
                    }
                }
                let is_minimum = op.name().contains("min");
                if !is_minimum && right.constant() == Some(0) {
                    return self.at_least_zero(op, left);
                }
                let (least, greatest) = self.ordered(op, left, right)?;
                return Some(if is_minimum { least } else { greatest });
            }
            "arith.addi" | "arith.subi" | "arith.muli" | "arith.ceildivsi" | "arith.ceildivui"
            | "arith.floordivsi" | "arith.divsi" | "arith.divui" | "arith.remsi"
            | "arith.remui" => op.name(),
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
        if value.ty().kind() == TypeKind::Integer(1) {
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
            "arith.ceildivui" if divisor(&right) && self.never_negative(&left) => {
                Some(Expr::binary(BinaryKind::CeilDiv, left, right))
            }
            "arith.floordivsi" if divisor(&right) => Some(left.floor_div(right)),
            // These round towards zero, or are unsigned: the result is the same if no operand is negative.
            "arith.divsi" | "arith.divui" if divisor(&right) && self.never_negative(&left) => {
                Some(left.floor_div(right))
            }
            "arith.divui" if !self.never_negative(&left) => None,
            "arith.divsi" | "arith.divui" | "arith.floordivsi" => {
                left.simplified().exact_quotient(&right.simplified())
            }
            "arith.remsi" | "arith.remui" if divisor(&right) && self.never_negative(&left) => {
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
    pub fn decided(&mut self, condition: Value<'c>) -> Option<bool> {
        let conditions = self.asserted(condition)?;
        let mut holds = true;
        for condition in conditions {
            holds &= match condition {
                Constraint::NonNegative(expr) => self.is_never_negative(expr)?,
                Constraint::Zero(expr) => {
                    let is_above = self.never_negative(&(expr.clone() - 1.into()));
                    let is_below = self.never_negative(&(Expr::from(-1) - expr.clone()));
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

    /// The maximum of a size and 0. That of `max(n, 0) - 2` is `max(n - 2, 0)`, so the expressions of repeated slices stay short.
    fn at_least_zero(&mut self, op: Op<'c>, mut size: Expr) -> Option<Expr> {
        while let Some(inner) = self.positive_parts.iter().find_map(|(of, part)| {
            let less = (size.clone() - part.clone()).simplified().constant();
            less.filter(|less| *less <= 0).map(|less| (of.clone() + less.into()).simplified())
        }) {
            size = inner;
        }
        let (_, greatest) = self.ordered(op, size.clone(), 0.into())?;
        if greatest.constant().is_none() && greatest != size {
            self.positive_parts.push((size, greatest.clone()));
        }
        Some(greatest)
    }

    /// The lesser and the greater one of two sizes. `None` for indices: an element computes those of its own.
    fn ordered(&mut self, op: Op<'c>, left: Expr, right: Expr) -> Option<(Expr, Expr)> {
        let (less, more) = (left.clone() - right.clone(), right.clone() - left.clone());
        if self.never_negative(&more) {
            return Some((left, right));
        }
        if self.never_negative(&less) {
            return Some((right, left));
        }
        if less.has_dims() {
            return None;
        }
        // A number that is not less than this is greater than all sizes.
        for (constant, size) in [(&left, &right), (&right, &left)] {
            match constant.constant() {
                Some(value) if value >= LIMIT => {
                    self.require_small(op, size)?;
                    return Some((size.clone(), constant.clone()));
                }
                Some(value) if value <= -LIMIT => {
                    self.require_small(op, size)?;
                    return Some((constant.clone(), size.clone()));
                }
                _ => {}
            }
        }
        // Below, each term is multiplied with a copy of the whole difference.
        if less.leaves() > MOST_LEAVES {
            return None;
        }
        self.require_small(op, &less)?;
        let excess = less.clone() * is_not_negative(less);
        let least = (left.clone() - excess.clone()).simplified();
        let greatest = (right.clone() + excess).simplified();
        let are_natural = [&left, &right].map(|size| self.never_negative(size));
        let natural = &mut self.natural;
        for size in [left, right] {
            natural.push(size.clone() - least.clone());
            natural.push(greatest.clone() - size);
        }
        if are_natural == [true, true] {
            natural.push(least.clone());
        }
        if are_natural.contains(&true) {
            natural.push(greatest.clone());
        }
        Some((least, greatest))
    }

    /// A condition on sizes as a number: 1 if it holds, else 0.
    fn truth(&mut self, condition: Value<'c>) -> Option<Expr> {
        let op = condition.defining_op()?;
        let found = op.attribute("predicate").and_then(Attribute::as_i64);
        let found = found.filter(|_| op.is("arith.cmpi"));
        let is_unequal = found == Some(predicate::NE);
        if found.is_some_and(|found| (predicate::ULT..=predicate::UGE).contains(&found)) {
            // Compared as unsigned numbers, a negative one would be greater than all sizes.
            for operand in op.operands() {
                let size = self.size(operand)?;
                self.require_natural(op, &size)?;
            }
        }
        let conditions = match is_unequal {
            true => {
                let (left, right) = (self.size(op.operand(0))?, self.size(op.operand(1))?);
                vec![Constraint::Zero(left - right)]
            }
            false => self.conditions(condition, found.is_some())?,
        };
        let mut holds: Expr = 1.into();
        for condition in conditions {
            let expr = condition.expr().clone();
            if expr.has_dims() {
                return None;
            }
            self.require_small(op, &expr)?;
            holds = holds * is_not_negative(expr.clone());
            if let Constraint::Zero(_) = condition {
                holds = holds * is_not_negative(Expr::from(-1) * expr);
            }
        }
        Some(if is_unequal { Expr::from(1) - holds } else { holds })
    }

    /// Requires a size to be 0 or more; `None` for an index that may be negative.
    fn require_natural(&mut self, op: Op<'c>, expr: &Expr) -> Option<()> {
        match expr.has_dims() {
            true => self.never_negative(expr).then_some(()),
            false => self.require(op, Constraint::NonNegative(expr.clone())).ok(),
        }
    }

    /// Requires the magnitude of a number to be less than [`LIMIT`]. That of a sum of dimensions always is.
    fn require_small(&mut self, op: Op<'c>, expr: &Expr) -> Option<()> {
        let mut has_argument = false;
        expr.visit_leaves(&mut |leaf| {
            has_argument |= matches!(leaf, Expr::Symbol(i) if self.is_index(*i));
        });
        if has_argument {
            for expr in [expr.clone(), Expr::from(-1) * expr.clone()] {
                let room = Expr::from(LIMIT - 1) - expr;
                self.require(op, Constraint::NonNegative(room)).ok()?;
            }
        }
        Some(())
    }

    /// True if a value is 0 or more for all sizes, false if it is negative for all sizes.
    fn is_never_negative(&self, expr: Expr) -> Option<bool> {
        let is_negative = || self.never_negative(&(Expr::from(-1) - expr.clone()));
        if self.never_negative(&expr) { Some(true) } else { is_negative().then_some(false) }
    }
}

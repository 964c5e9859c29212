//! Index expressions: from values of the old function to expressions, and from expressions to arith ops.

use super::{Cursor, IndexAtom};
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use crate::ir::{Attribute, Builder, Type, Value};
use crate::lowering::emit::ops::broadcast;

impl<'c> Cursor<'c> {
    /// The values that a leaf can take, both ends included.
    pub fn range(&self, leaf: &Expr) -> Option<(i64, i64)> {
        match leaf {
            Expr::Dim(i) => self.atoms[*i].range,
            _ => None,
        }
    }

    pub fn simplified(&self, expr: &Expr) -> Expr {
        expr.simplified_within(&|leaf| self.range(leaf))
    }

    /// An old index value as an expression.
    pub fn index_of(&mut self, value: Value<'c>) -> Expr {
        if let Some(expr) = self.indices.get(&value) {
            return expr.clone();
        }
        let defining = value.defining_op();
        if let Some(constant) = defining
            .filter(|op| op.is("arith.constant"))
            .and_then(|op| op.attribute("value"))
            .and_then(Attribute::as_i64)
        {
            return constant.into();
        }
        let expr = match self.values.get(&value) {
            // Computed in a body from data: nothing is known about its value.
            Some(known) => {
                self.atoms.push(IndexAtom {
                    value: Some(*known),
                    range: None,
                    is_natural: false,
                    varies: true,
                });
                Expr::Dim(self.atoms.len() - 1)
            }
            None => {
                self.sizes.push(value);
                Expr::Symbol(self.sizes.len() - 1)
            }
        };
        self.indices.insert(value, expr.clone());
        expr
    }

    /// Old expressions with their operands substituted, simplified.
    pub fn bounds(&mut self, exprs: &[Expr], operands: &[Value<'c>], dims: usize) -> Vec<Expr> {
        let operands: Vec<Expr> = operands.iter().map(|v| self.index_of(*v)).collect();
        let (dims, symbols) = operands.split_at(dims);
        let put = |e: &Expr| e.substitute(&|i| dims[i].clone(), &|i| symbols[i].clone());
        exprs.iter().map(|e| self.simplified(&put(e))).collect()
    }

    /// Old constraints with their operands substituted, without those that always hold.
    pub fn constraints(
        &mut self,
        constraints: &[Constraint],
        operands: &[Value<'c>],
        dims: usize,
    ) -> Vec<Constraint> {
        let exprs: Vec<Expr> = constraints.iter().map(|c| c.expr().clone()).collect();
        let exprs = self.bounds(&exprs, operands, dims);
        let new = constraints.iter().zip(exprs).map(|(old, expr)| old.on(expr));
        let new = new.map(|it| it.coarse(&|leaf| self.range(leaf)).unwrap_or(it));
        new.filter(|constraint| !self.is_always(constraint)).collect()
    }

    /// Substitutes the bindings for the iters.
    pub fn bind_iters(&mut self, view: &ScheduleBlock<'c>) {
        let mut operands = view.binds.clone();
        operands.extend(&view.sizes);
        let bound = self.bounds(&view.binding, &operands, view.binds.len());
        for (iter, expr) in view.iters.iter().zip(bound) {
            self.indices.insert(iter.variable, expr);
        }
    }

    /// The constraints of a block's predicate for which `keep` holds; `keep` gets the values that a constraint
    /// depends on.
    pub fn predicate(
        &mut self,
        view: &ScheduleBlock<'c>,
        keep: &dyn Fn(&[Value<'c>]) -> bool,
    ) -> Vec<Constraint> {
        let Some(set) = &view.predicate else { return vec![] };
        let mut operands = view.binds.clone();
        operands.extend(&view.sizes);
        let kept = set.constraints.iter().filter(|constraint| {
            let mut over = vec![];
            constraint.expr().visit_leaves(&mut |leaf| {
                if let Expr::Dim(i) = leaf {
                    over.push(view.binds[*i]);
                }
            });
            keep(&over)
        });
        let kept: Vec<Constraint> = kept.cloned().collect();
        self.constraints(&kept, &operands, view.binds.len())
    }

    pub fn is_always(&self, constraint: &Constraint) -> bool {
        match constraint {
            Constraint::Zero(expr) => expr.constant() == Some(0),
            Constraint::NonNegative(expr) => {
                expr.interval(&|leaf| self.range(leaf)).is_some_and(|(low, _)| low >= 0)
            }
        }
    }

    pub fn is_never(&self, constraint: &Constraint) -> bool {
        match (constraint, constraint.expr().interval(&|leaf| self.range(leaf))) {
            (Constraint::Zero(_), Some((low, high))) => low > 0 || high < 0,
            (Constraint::NonNegative(_), Some((_, high))) => high < 0,
            (Constraint::NonNegative(expr), None) => {
                self.is_natural(&(Expr::from(-1) - expr.clone()).simplified())
            }
            _ => false,
        }
    }

    /// True if the value of an expression differs between lanes.
    pub fn differs(&self, expr: &Expr) -> bool {
        let mut differs = false;
        expr.visit_leaves(&mut |leaf| {
            if let Expr::Dim(i) = leaf {
                differs |= self.atoms[*i].value.is_none_or(|v| v.ty().lanes().is_some());
            }
        });
        differs
    }

    /// True if the value is proved to be at least 0.
    fn is_natural(&self, expr: &Expr) -> bool {
        if expr.interval(&|leaf| self.range(leaf)).is_some_and(|(low, _)| low >= 0) {
            return true;
        }
        match expr {
            Expr::Dim(i) => self.atoms[*i].is_natural,
            // Dimensions are at least 0; an argument may have any value.
            Expr::Symbol(i) => self.sizes[*i].defining_op().is_some_and(|op| op.is("memref.dim")),
            Expr::Constant(value) => *value >= 0,
            Expr::Binary(BinaryKind::Mod, ..) => true,
            Expr::Binary(_, left, right) => self.is_natural(left) && self.is_natural(right),
        }
    }

    /// Emits the value of an expression: a vector if it differs between lanes, else a scalar.
    pub fn emit_index(&self, expr: &Expr, at: Builder<'c>) -> Value<'c> {
        match expr {
            Expr::Constant(value) => at.index(*value),
            Expr::Symbol(i) => self.sizes[*i],
            Expr::Dim(i) => match self.atoms[*i].value {
                Some(value) => value,
                None => {
                    let lanes = self.lane.as_ref().map_or(1, |lane| lane.width);
                    let ty = Type::vector(lanes, Type::index(at.context()));
                    match self.threads {
                        None => at.op("vector.step", &[], ty),
                        Some(_) => at.constant(lane_numbers(ty, lanes)),
                    }
                }
            },
            Expr::Binary(BinaryKind::Add, ..) => self.emit_sum(&Linear::of(expr), at),
            Expr::Binary(kind, left, right) => {
                let (a, b) = (self.emit_index(left, at), self.emit_index(right, at));
                let natural = self.is_natural(left) && self.is_natural(right);
                let name = match (kind, natural) {
                    (BinaryKind::Add, _) => "arith.addi",
                    (BinaryKind::Mul, _) => "arith.muli",
                    (BinaryKind::FloorDiv, true) => "arith.divui",
                    (BinaryKind::FloorDiv, false) => "arith.floordivsi",
                    (BinaryKind::CeilDiv, true) => "arith.ceildivui",
                    (BinaryKind::CeilDiv, false) => "arith.ceildivsi",
                    (BinaryKind::Mod, true) => "arith.remui",
                    (BinaryKind::Mod, false) => return self.emit_modulo(a, b, at),
                };
                self.elementwise(name, &[a, b], at)
            }
        }
    }

    /// Emits a sum with as few ops as it has terms: negative terms are subtracted.
    fn emit_sum(&self, linear: &Linear, at: Builder<'c>) -> Value<'c> {
        let mut terms: Vec<(&Expr, i64)> = linear.terms.iter().map(|(e, c)| (e, *c)).collect();
        terms.sort_by_key(|(_, coefficient)| *coefficient < 0);
        let mut sum: Option<Value<'c>> = match (terms.first(), linear.constant) {
            (Some((_, first)), 0) if *first > 0 => None,
            (Some((_, first)), _) if *first > 0 => None,
            (_, constant) => Some(at.index(constant)),
        };
        let starts_with_constant = sum.is_some();
        for (atom, coefficient) in terms {
            let value = self.emit_index(atom, at);
            let scaled = match coefficient.unsigned_abs() {
                1 => value,
                factor => {
                    let factor = at.index(i64::try_from(factor).unwrap_or(i64::MAX));
                    self.elementwise("arith.muli", &[value, factor], at)
                }
            };
            sum = Some(match (sum, coefficient < 0) {
                (None, _) => scaled,
                (Some(sum), false) => self.elementwise("arith.addi", &[sum, scaled], at),
                (Some(sum), true) => self.elementwise("arith.subi", &[sum, scaled], at),
            });
        }
        let sum = sum.unwrap_or_else(|| at.index(0));
        if starts_with_constant || linear.constant == 0 {
            return sum;
        }
        let constant = at.index(linear.constant);
        self.elementwise("arith.addi", &[sum, constant], at)
    }

    /// The remainder of floor division, for a dividend that may be negative.
    fn emit_modulo(&self, a: Value<'c>, b: Value<'c>, at: Builder<'c>) -> Value<'c> {
        let quotient = self.elementwise("arith.floordivsi", &[a, b], at);
        let product = self.elementwise("arith.muli", &[quotient, b], at);
        self.elementwise("arith.subi", &[a, product], at)
    }

    /// The minimum of scalar expressions.
    pub fn emit_minimum(&self, exprs: &[Expr], at: Builder<'c>) -> Value<'c> {
        let values: Vec<_> = exprs.iter().map(|e| self.emit_index(e, at)).collect();
        let smaller = |a, b| self.elementwise("arith.minsi", &[a, b], at);
        values.into_iter().reduce(smaller).expect("an extent has an expression")
    }

    /// Emits the conjunction of all constraints; `None` if there are none.
    pub fn emit_condition(&self, constraints: &[Constraint], at: Builder<'c>) -> Option<Value<'c>> {
        let values: Vec<_> = constraints.iter().map(|c| self.emit_constraint(c, at)).collect();
        values.into_iter().reduce(|a, b| self.elementwise("arith.andi", &[a, b], at))
    }

    /// Emits the truth value of a constraint, for each lane if it differs between lanes.
    pub fn emit_constraint(&self, constraint: &Constraint, at: Builder<'c>) -> Value<'c> {
        // The predicates of `arith.cmpi`: eq is 0, sge is 5.
        let predicate = match constraint {
            Constraint::Zero(_) => 0,
            Constraint::NonNegative(_) => 5,
        };
        let (value, zero) = (self.emit_index(constraint.expr(), at), at.index(0));
        self.compare(predicate, value, zero, at)
    }

    pub fn compare(
        &self,
        predicate: i64,
        left: Value<'c>,
        right: Value<'c>,
        at: Builder<'c>,
    ) -> Value<'c> {
        let operands = self.joined(&[left, right], at);
        let bit = self.shaped_as(operands[0], Type::integer(at.context(), 1));
        let predicate = Attribute::integer(Type::integer(at.context(), 64), predicate);
        let spec = at.spec("arith.cmpi").operands(&operands).attribute("predicate", predicate);
        at.value(spec.results(&[bit]))
    }

    /// An op on scalars, or on vectors if an operand is one; the result has the type of the operands.
    pub fn elementwise(&self, name: &str, operands: &[Value<'c>], at: Builder<'c>) -> Value<'c> {
        let operands = self.joined(operands, at);
        at.op(name, &operands, operands[0].ty())
    }

    /// The operands, all broadcast to vectors if one of them is a vector.
    pub fn joined(&self, operands: &[Value<'c>], at: Builder<'c>) -> Vec<Value<'c>> {
        let lanes = operands.iter().find_map(|v| v.ty().lanes()).map(|(lanes, _)| lanes);
        match lanes {
            None => operands.to_vec(),
            Some(lanes) => operands.iter().map(|v| broadcast(*v, lanes, at)).collect(),
        }
    }

    /// `element`, or a vector of it if `like` is a vector.
    fn shaped_as(&self, like: Value<'c>, element: Type<'c>) -> Type<'c> {
        like.ty().lanes().map_or(element, |(lanes, _)| Type::vector(lanes, element))
    }
}

/// `dense<[0, 1, 2, ..]>`
fn lane_numbers(ty: Type<'_>, lanes: usize) -> Attribute<'_> {
    let bytes: Vec<u8> = (0..lanes as u64).flat_map(u64::to_ne_bytes).collect();
    Attribute::dense(ty, &bytes).expect("eight bytes a lane")
}

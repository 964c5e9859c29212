//! `require-bounds`: add requirements on the sizes of a function's arguments, under which its accesses are in bounds.
//!
//! ```text
//! func.func @copy(%A: memref<?x?xf32>, %B: memref<?x?xf32>) {
//!   loop.for serial %i in dim(A, 0) {
//!     loop.for serial %j in dim(A, 1) {
//!       loop.block "copy" .. { B[vi, vj] = A[vi, vj] }
//!   ->
//! attributes {loop.requires_if = [[{ dim(A, 1) >= 1 }, { dim(B, 0) >= dim(A, 0) }],
//!                                 [{ dim(A, 0) >= 1 }, { dim(B, 1) >= dim(A, 1) }]]}
//! ```
//! The interpreter and the runtime check the requirements before the function runs: see
//! [`src/dialect/requirement.rs`](crate::dialect::requirement). A requirement applies only to calls in which no loop
//! around the access is empty. Requirements that follow from others are left out.
//!
//! An access adds requirements if all of these hold:
//! - (C1) no condition encloses the access or its schedule block, and the block has no predicate;
//! - (C2) only loops enclose the schedule block, and it runs on its whole domain: each iter is bound to another loop,
//!   whose extent is the domain of the iter;
//! - (C3) extents are expressions over the sizes of the function;
//! - (C4) the index is a sum of iters and sizes with constant factors.

use crate::analysis::implication;
use crate::dialect::loop_op::{For, ScheduleBlock};
use crate::dialect::region;
use crate::dialect::requirement::{Requirement, Requirements, SizeOrigin};
use crate::ir::affine::{Constraint, Expr, Linear};
use crate::ir::{Attribute, Error, Op, TypeKind, Value, parents, scope_of, walk};

/// Adds the requirements to the function.
///
/// # Errors
/// At an op that is not valid.
pub fn require_bounds(function: Op<'_>) -> Result<(), Error<'_>> {
    let stated = Requirements::of(function)?;
    if stated.sizes.is_empty() {
        return Ok(());
    }
    let mut sizes = FunctionSizes { function, known: Known::of(&stated), stated };
    let before = sizes.stated.all.len();
    for op in walk(function).into_iter().filter(|op| op.is(ScheduleBlock::NAME)) {
        let view = ScheduleBlock::of(op)?;
        if !view.is_nest() {
            sizes.require_of(&view)?;
        }
    }
    if sizes.stated.all.len() > before {
        sizes.stated.state(function);
    }
    Ok(())
}

/// A function whose requirements are being collected. Its sizes are [`Expr::Symbol`]s, as in [`Requirements`].
struct FunctionSizes<'c> {
    function: Op<'c>,
    known: Known,
    stated: Requirements,
}

impl<'c> FunctionSizes<'c> {
    fn require_of(&mut self, view: &ScheduleBlock<'c>) -> Result<(), Error<'c>> {
        let Some(extents) = self.extents_around(view) else { return Ok(()) };
        let Some(domains) = self.domains(view) else { return Ok(()) };
        let given = |extent: &Expr| extent.clone() - 1.into();
        let given: Vec<Expr> = extents.iter().map(given).map(|expr| expr.simplified()).collect();
        if given.iter().any(|expr| expr.constant().is_some_and(|value| value < 0)) {
            return Ok(());
        }
        for cell in region::cells(view)? {
            let Some(argument) = self.argument(cell.buffer) else { continue };
            if cell.is_conditional {
                continue;
            }
            for (dim, index) in cell.indices.iter().enumerate() {
                let Some((low, high)) =
                    index.as_ref().and_then(|it| self.range(it, view, &domains))
                else {
                    continue;
                };
                let Some(size) = self.dimension(argument, dim) else { continue };
                self.require(&given, low);
                self.require(&given, size - 1.into() - high);
            }
        }
        Ok(())
    }

    /// Requires an expression to be 0 or more if all of `given` are.
    fn require(&mut self, given: &[Expr], expr: Expr) {
        let expr = expr.simplified();
        if self.known.implies(&expr, given) {
            return;
        }
        // A premise is not needed if the condition holds wherever the premise does not.
        let mut premises = given.to_vec();
        premises.retain(|premise| premise.constant().is_none());
        for premise in premises.clone() {
            let others: Vec<_> = premises.iter().filter(|it| **it != premise).cloned().collect();
            // The premise fails: its opposite, -premise - 1, is 0 or more.
            let opposite = (Expr::Constant(-1) * premise - 1.into()).simplified();
            if self.known.implies(&expr, &[&others[..], &[opposite]].concat()) {
                premises = others;
            }
        }
        let premises = premises.into_iter().map(Constraint::NonNegative).collect();
        self.stated.add(premises, Constraint::NonNegative(expr));
    }

    /// The extents of the loops around a schedule block; `None` if something else is around it (C1, C2, C3).
    fn extents_around(&self, view: &ScheduleBlock<'c>) -> Option<Vec<Expr>> {
        let around = parents(view.op).take_while(|op| *op != self.function);
        around.map(|op| op.is(For::NAME).then(|| self.extent(op)).flatten()).collect()
    }

    fn extent(&self, op: Op<'c>) -> Option<Expr> {
        let view = For::of(op).ok().filter(|view| view.extent.dims == 0)?;
        let [extent] = &view.extent.results[..] else { return None };
        self.over_sizes(extent, &view.operands)
    }

    /// The lengths of the domains of the iters, if the schedule block runs on all of them (C2).
    fn domains(&self, view: &ScheduleBlock<'c>) -> Option<Vec<Expr>> {
        if view.predicate.is_some() {
            return None;
        }
        let mut domains = vec![];
        for (i, iter) in view.iters.iter().enumerate() {
            let [domain] = &iter.domain[..] else { return None };
            let domain = self.over_sizes(domain, &view.sizes)?;
            let is_covered = match &view.binding[i] {
                Expr::Constant(0) => domain.constant() == Some(1),
                Expr::Dim(bind) if !view.binding[..i].contains(&view.binding[i]) => {
                    let extent = scope_of(view.binds[*bind]).and_then(|op| self.extent(op));
                    extent.as_ref() == Some(&domain)
                }
                _ => false,
            };
            is_covered.then(|| domains.push(domain))?;
        }
        Some(domains)
    }

    /// The least and the largest value of an index over domains that are not empty (C4).
    fn range(
        &self,
        index: &Expr,
        view: &ScheduleBlock<'c>,
        domains: &[Expr],
    ) -> Option<(Expr, Expr)> {
        let linear = Linear::of(index);
        let (mut low, mut high) =
            (Expr::Constant(linear.constant), Expr::Constant(linear.constant));
        for (atom, factor) in linear.terms.iter() {
            let factor = Expr::Constant(*factor);
            match atom {
                Expr::Dim(iter) => {
                    let most = factor.clone() * (domains.get(*iter)?.clone() - 1.into());
                    match factor.constant() {
                        Some(factor) if factor < 0 => low = low + most,
                        _ => high = high + most,
                    }
                }
                atom if !atom.has_dims() => {
                    let value = factor * self.over_sizes(atom, &view.sizes)?;
                    (low, high) = (low + value.clone(), high + value);
                }
                _ => return None,
            }
        }
        Some((low, high))
    }

    /// An expression over values as one over the sizes of the function.
    fn over_sizes(&self, expr: &Expr, values: &[Value<'c>]) -> Option<Expr> {
        let sizes: Option<Vec<Expr>> = values.iter().map(|value| self.size(*value)).collect();
        let sizes = sizes?;
        Some(expr.substitute(&Expr::Dim, &|i| sizes[i].clone()).simplified())
    }

    /// A value as an expression over the sizes of the function.
    fn size(&self, value: Value<'c>) -> Option<Expr> {
        let Some(op) = value.defining_op() else {
            let is_argument = value.owner() == self.function.body(0);
            return is_argument
                .then(|| self.stated.symbol(SizeOrigin::Index(value.index())))
                .flatten();
        };
        match op.name() {
            "arith.constant" => {
                op.attribute("value").and_then(Attribute::as_i64).map(Expr::Constant)
            }
            "memref.dim" => {
                let dim = self.size(op.operand(1))?.constant()?;
                self.dimension(self.argument(op.operand(0))?, usize::try_from(dim).ok()?)
            }
            "affine.apply" => {
                let map = op.attribute("map").and_then(Attribute::as_map)?;
                let values: Option<Vec<_>> =
                    op.operands().iter().map(|it| self.size(*it)).collect();
                let values = values?;
                let (dims, symbols) = values.split_at(map.dims);
                let of = |list: &[Expr], i: usize| list[i].clone();
                Some(map.results.first()?.substitute(&|i| of(dims, i), &|i| of(symbols, i)))
            }
            _ => None,
        }
    }

    /// The number of the argument that a buffer is.
    fn argument(&self, buffer: Value<'c>) -> Option<usize> {
        let is_argument = buffer.defining_op().is_none() && buffer.owner() == self.function.body(0);
        is_argument.then(|| buffer.index())
    }

    /// A dimension of a memref argument.
    fn dimension(&self, argument: usize, dim: usize) -> Option<Expr> {
        let ty = self.function.body(0)?.arguments().get(argument)?.ty();
        match ty.kind() {
            TypeKind::MemRef { dims, .. } => match dims.get(dim)? {
                Some(size) => Some((*size).into()),
                None => self.stated.symbol(SizeOrigin::Dim(argument, dim)),
            },
            _ => None,
        }
    }
}

/// What the stated requirements say about sizes.
struct Known {
    /// Sizes by the expressions that they are equal to.
    equal: Vec<(usize, Expr)>,
    /// Expressions that are 0 or more.
    not_negative: Vec<Expr>,
}

impl Known {
    fn of(stated: &Requirements) -> Known {
        let mut known = Known { equal: vec![], not_negative: vec![] };
        let is_dim = |origin: &SizeOrigin| matches!(origin, SizeOrigin::Dim(..));
        let dims = (0..stated.sizes.len()).filter(|i| is_dim(&stated.sizes[*i]));
        let mut facts = vec![];
        for Requirement { given, condition } in &stated.all {
            match condition {
                _ if !given.is_empty() => {}
                Constraint::NonNegative(expr) => facts.push(expr.clone()),
                Constraint::Zero(expr) => known.equate(&known.replaced(expr)),
            }
        }
        // The simplest facts last: they are weaker.
        facts.extend(dims.map(Expr::Symbol));
        known.not_negative = facts.iter().map(|fact| known.replaced(fact)).collect();
        known
    }

    /// Notes that an expression is 0.
    fn equate(&mut self, expr: &Expr) {
        let linear = Linear::of(expr);
        let size = linear.terms.iter().rev().find_map(|(atom, factor)| match atom {
            Expr::Symbol(i) if factor.unsigned_abs() == 1 => Some((*i, *factor)),
            _ => None,
        });
        let Some((i, factor)) = size else { return };
        let rest = expr.clone() - Expr::Constant(factor) * Expr::Symbol(i);
        let equal = (Expr::Constant(-factor) * rest).simplified();
        let mut mentions = false;
        equal.visit_leaves(&mut |leaf| mentions |= *leaf == Expr::Symbol(i));
        if mentions {
            return;
        }
        let replace = |s: usize| if s == i { equal.clone() } else { Expr::Symbol(s) };
        for (_, other) in &mut self.equal {
            *other = other.substitute(&Expr::Dim, &replace).simplified();
        }
        self.equal.push((i, equal));
    }

    /// An expression in which sizes are replaced by what they are equal to.
    fn replaced(&self, expr: &Expr) -> Expr {
        let replace = |s: usize| {
            let equal = self.equal.iter().find(|(size, _)| *size == s);
            equal.map_or(Expr::Symbol(s), |(_, expr)| expr.clone())
        };
        expr.substitute(&Expr::Dim, &replace).simplified()
    }

    /// True if it follows from what is known, and from `given` being 0 or more, that an expression is. False if that is
    /// not found.
    fn implies(&self, expr: &Expr, given: &[Expr]) -> bool {
        let given = given.iter().map(|it| self.replaced(it));
        let facts: Vec<Expr> = given.chain(self.not_negative.iter().cloned()).collect();
        let is_not_negative = |rest: &Expr| rest.constant().is_some_and(|value| value >= 0);
        implication::follows(&self.replaced(expr), &facts, &is_not_negative)
    }
}

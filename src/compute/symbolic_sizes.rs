//! Symbolic sizes: the sizes of the values of a function on tensors, as expressions over its entry sizes.
//!
//! ```text
//! func.func @f(%x: tensor<?x8xf32>, %n: index)            entry sizes: s0 is dimension 0 of %x, s1 is %n
//!   %y = tensor.concat dim(0) %x, %x                      %y: (s0 + s0) x 8
//!   %z = linalg.add ins(%y, %w) ..                        requires s0 + s0 == dimension 0 of %w
//! ```
//! [`values`](SymbolicSizes::size) expresses an index value, [`results`](SymbolicSizes::infer) the sizes of what an op
//! computes. `conditions` collects what ops and assertions presuppose; [`SymbolicSizes::solve`] replaces the sizes that these
//! determine by others.

mod conditions;
mod results;
mod values;

pub use results::{
    ConcatenatedSizes, DYNAMIC, PaddedSizes, ReshapedSizes, SliceSizes, check_lengths, chosen,
    product, segments,
};

use crate::dialect::region::describe_expr_with;
use crate::dialect::requirement::SizeOrigin;
use crate::ir::affine::{BinaryKind, Constraint, Expr, Linear};
use crate::ir::{Block, Error, Op, Value};
use std::collections::{HashMap, HashSet};

/// The sizes of the values of a function. [`Expr::Symbol`] i is entry size i.
#[derive(Debug, Default)]
pub struct SymbolicSizes<'c> {
    /// The source of each entry size; `None` for a dimension of a value whose size does not follow from those of others, such
    /// as the result of a call.
    pub origins: Vec<Option<SizeOrigin>>,
    /// Conditions on the entry sizes that the ops of the function presuppose.
    pub requirements: Vec<Constraint>,
    /// Expressions that are 0 or more although their form does not show it: those of minima and maxima, and index arguments
    /// that are the size of a dimension.
    natural: Vec<Expr>,
    /// Sizes, and the maximum of each and 0.
    positive_parts: Vec<(Expr, Expr)>,
    /// The index values of the function.
    values: HashMap<Value<'c>, Expr>,
    /// The values that turned out to be no sizes during the search for one; empty before and after it.
    no_sizes: HashSet<Value<'c>>,
    /// The sizes of tensors and memrefs.
    dims: HashMap<Value<'c>, Vec<Expr>>,
}

impl<'c> SymbolicSizes<'c> {
    /// The sizes of the values of a function with one block. Sizes that must be equal are one.
    pub fn of(block: Block<'c>) -> Self {
        let mut sizes = Self::default();
        for (i, argument) in block.arguments().into_iter().enumerate() {
            sizes.add_argument(i, argument);
        }
        block.ops().into_iter().for_each(|op| sizes.infer(op));
        sizes.solve();
        sizes
    }

    /// Adds the entry sizes of argument `i`.
    pub fn add_argument(&mut self, i: usize, argument: Value<'c>) {
        match argument.ty().shaped() {
            Some((dims, _)) => {
                let dim = |(d, size): (usize, Option<i64>)| match size {
                    Some(size) => size.into(),
                    None => self.add(Some(SizeOrigin::Dim(i, d))),
                };
                let dims = dims.into_iter().enumerate().map(dim).collect();
                self.set_dims(argument, dims);
            }
            None if argument.ty().is_index() => {
                let size = self.add(Some(SizeOrigin::Index(i)));
                self.set_value(argument, size);
            }
            None => {}
        }
    }

    fn add(&mut self, origin: Option<SizeOrigin>) -> Expr {
        self.origins.push(origin);
        Expr::Symbol(self.origins.len() - 1)
    }

    /// True if an entry size is an index argument.
    fn is_index(&self, symbol: usize) -> bool {
        matches!(self.origins[symbol], Some(SizeOrigin::Index(_)))
    }

    /// Records the sizes of a tensor or memref.
    pub fn set_dims(&mut self, value: Value<'c>, dims: Vec<Expr>) {
        self.dims.insert(value, dims);
    }

    /// Records an index value. It may be over iters, which are [`Expr::Dim`]s.
    pub fn set_value(&mut self, value: Value<'c>, expr: Expr) {
        self.values.insert(value, expr);
    }

    /// The sizes of a tensor or memref, if they are known.
    pub fn known_dims(&self, value: Value<'c>) -> Option<&[Expr]> {
        self.dims.get(&value).map(Vec::as_slice)
    }

    /// The sizes of a tensor or memref that `op` uses.
    ///
    /// # Errors
    /// If they have not been inferred.
    pub fn dims(&self, op: Op<'c>, value: Value<'c>) -> Result<Vec<Expr>, Error<'c>> {
        let dims = self.dims.get(&value).cloned();
        dims.ok_or_else(|| Error::on(op, format!("uses {value:?}, whose sizes are not known")))
    }

    /// An expression over the entry sizes in words, such as `dimension 0 of argument 1 + 2`.
    pub fn text(&self, expr: &Expr) -> String {
        describe_expr_with(expr, &|leaf| match leaf {
            Expr::Symbol(i) => match self.origins[*i] {
                Some(SizeOrigin::Index(argument)) => format!("argument {argument}"),
                Some(SizeOrigin::Dim(argument, dim)) => {
                    format!("dimension {dim} of argument {argument}")
                }
                None => format!("size {i}, which is computed from data"),
            },
            other => format!("{other:?}"),
        })
    }

    /// True if the expression is provably 0 or more for all iters (dims) and sizes. Dimensions of arguments
    /// are never negative; index arguments may be, so [`span::never_negative`](crate::analysis::span::never_negative)
    /// does not apply. False if that is unknown.
    pub fn never_negative(&self, expr: &Expr) -> bool {
        let exceeds = |known: &Expr| self.is_sum_of_naturals(&(expr.clone() - known.clone()));
        self.is_sum_of_naturals(expr) || self.natural.iter().any(exceeds)
    }

    fn is_sum_of_naturals(&self, expr: &Expr) -> bool {
        let linear = Linear::of(expr);
        let atom = |atom: &Expr| match atom {
            Expr::Dim(_) => true,
            Expr::Symbol(i) => !self.is_index(*i) || self.natural.contains(atom),
            Expr::Constant(value) => *value >= 0,
            Expr::Binary(BinaryKind::Mod, _, right) => right.constant().is_some_and(|c| c > 0),
            Expr::Binary(BinaryKind::FloorDiv | BinaryKind::CeilDiv, left, right) => {
                right.constant().is_some_and(|c| c > 0) && self.is_sum_of_naturals(left)
            }
            Expr::Binary(BinaryKind::Add | BinaryKind::Mul, left, right) => {
                self.is_sum_of_naturals(left) && self.is_sum_of_naturals(right)
            }
        };
        linear.constant >= 0 && linear.terms.iter().all(|(term, c)| *c >= 0 && atom(term))
    }

    /// Replaces entry sizes that the equalities among the requirements determine by what they are equal to: dimensions
    /// before index arguments, and later ones before earlier ones. The requirements stay.
    pub fn solve(&mut self) {
        let mut solved: Vec<(usize, Expr)> = vec![];
        for requirement in &self.requirements {
            let Constraint::Zero(expr) = requirement else { continue };
            let expr = solved.iter().fold(expr.clone(), |expr, (i, by)| replaced(&expr, *i, by));
            let Some((i, by)) = self.determined(&expr) else { continue };
            solved.iter_mut().for_each(|(_, other)| *other = replaced(other, i, &by));
            solved.push((i, by));
        }
        let by: HashMap<usize, Expr> = solved.into_iter().collect();
        let other = |i: usize| by.get(&i).cloned().unwrap_or(Expr::Symbol(i));
        let dims = self.dims.values_mut().flatten();
        for expr in dims.chain(self.values.values_mut()).chain(&mut self.natural) {
            *expr = expr.substitute(&Expr::Dim, &other).simplified();
        }
        for (i, size) in by {
            if !self.is_index(i) {
                self.natural.push(size);
            }
        }
    }

    /// The size that is determined if an expression is 0, and what it is equal to.
    fn determined(&self, expr: &Expr) -> Option<(usize, Expr)> {
        let linear = Linear::of(expr);
        // 3 s - 9 is 0 for s = 3 only.
        if let [(Expr::Symbol(i), weight)] = linear.terms.iter().collect::<Vec<_>>()[..]
            && linear.constant % weight == 0
        {
            return Some((*i, Expr::from(-linear.constant / weight)));
        }
        let alone = linear.terms.iter().filter_map(|(atom, weight)| match atom {
            Expr::Symbol(i) if weight.abs() == 1 => Some((*i, *weight)),
            _ => None,
        });
        let rest = |(i, weight): (usize, i64)| {
            let rest = expr.clone() - Expr::from(weight) * Expr::Symbol(i);
            (i, (Expr::from(-weight) * rest).simplified())
        };
        let is_free = |(i, rest): &(usize, Expr)| {
            let mut is_free = true;
            rest.visit_leaves(&mut |leaf| is_free &= *leaf != Expr::Symbol(*i));
            is_free
        };
        let found = alone.map(rest).filter(is_free);
        found.max_by_key(|(i, _)| (!self.is_index(*i), *i))
    }
}

/// An expression with another one in place of a symbol.
fn replaced(expr: &Expr, symbol: usize, by: &Expr) -> Expr {
    let other = |i: usize| if i == symbol { by.clone() } else { Expr::Symbol(i) };
    expr.substitute(&Expr::Dim, &other).simplified()
}

//! Sizes of a function as values at its entry: each is an index argument, or a `tensor.dim` of an argument.
//!
//! ```text
//! %y = linalg.exp ins(%x) ..                  %n = tensor.dim %x, %c0
//! %n = tensor.dim %y, %c0                ->   %y = linalg.exp ins(%x) ..
//! ```

use crate::compute::linalg_builder::tensor_dim;
use crate::compute::symbolic_sizes::SymbolicSizes;
use crate::dialect::requirement::SizeOrigin;
use crate::ir::affine::Expr;
use crate::ir::{Block, Builder, Op, Value, constant_integer};
use std::collections::HashMap;

/// The entry sizes of a function that have a value.
#[derive(Debug)]
pub struct EntrySizes<'c> {
    body: Block<'c>,
    /// The value of each symbol, once it is needed.
    values: HashMap<usize, Value<'c>>,
}

impl<'c> EntrySizes<'c> {
    /// Those of a function with one block.
    pub fn of(body: Block<'c>) -> Self {
        Self { body, values: HashMap::new() }
    }

    /// The value of an entry size, which dominates all ops of the function; `None` if the size is none of an argument.
    pub fn value(&mut self, sizes: &SymbolicSizes<'c>, symbol: usize) -> Option<Value<'c>> {
        if let Some(known) = self.values.get(&symbol) {
            return Some(*known);
        }
        let argument = |i: usize| self.body.arguments()[i];
        let value = match sizes.origins[symbol]? {
            SizeOrigin::Index(i) => argument(i),
            SizeOrigin::Dim(i, d) => {
                let first = self.body.ops()[0];
                let at = Builder::before(first, first.location());
                tensor_dim(&at, argument(i), d)
            }
        };
        self.values.insert(symbol, value);
        Some(value)
    }

    /// True if a value is that of an entry size.
    pub fn is_entry(&self, value: Value<'c>) -> bool {
        value.owner() == Some(self.body) || self.values.values().any(|known| *known == value)
    }

    /// The value of each symbol of an expression; `None` if one has no value.
    pub fn values(
        &mut self,
        sizes: &SymbolicSizes<'c>,
        expr: &Expr,
    ) -> Option<Vec<(usize, Value<'c>)>> {
        symbols(expr).into_iter().map(|symbol| Some((symbol, self.value(sizes, symbol)?))).collect()
    }
}

/// The symbols of an expression, each once.
pub fn symbols(expr: &Expr) -> Vec<usize> {
    let mut found = vec![];
    expr.visit_leaves(&mut |leaf| {
        if let Expr::Symbol(symbol) = leaf
            && !found.contains(symbol)
        {
            found.push(*symbol);
        }
    });
    found
}

/// Replaces the sizes of tensors that a function computes by expressions over its entry sizes. Then no op depends on another
/// one only because it needs a size.
pub fn resolve_computed(body: Block) {
    let is_computed = |op: &Op| op.is("tensor.dim") && op.operand(0).owner() != Some(body);
    let ops: Vec<Op> = body.ops().into_iter().filter(is_computed).collect();
    if !ops.is_empty() {
        resolve(&ops, &SymbolicSizes::of(body), &mut EntrySizes::of(body));
    }
}

/// Replaces each `tensor.dim` whose size is an expression over entry sizes.
pub fn resolve<'c>(ops: &[Op<'c>], sizes: &SymbolicSizes<'c>, entries: &mut EntrySizes<'c>) {
    for op in ops {
        let dim = constant_integer(op.operand(1)).and_then(|dim| usize::try_from(dim).ok());
        let size = dim.and_then(|dim| sizes.known_dims(op.operand(0))?.get(dim));
        let values = size.and_then(|size| Some((size, entries.values(sizes, size)?)));
        let Some((size, values)) = values else { continue };
        let at = Builder::before(*op, op.location());
        op.result(0).replace_all_uses_with(over(&at, size, &values));
        op.erase();
    }
}

/// An expression over entry sizes as a value.
fn over<'c>(at: &Builder<'c>, size: &Expr, values: &[(usize, Value<'c>)]) -> Value<'c> {
    let place =
        |symbol: usize| values.iter().position(|(it, _)| *it == symbol).expect("all are given");
    let expr = size.substitute(&Expr::Dim, &|symbol| Expr::Symbol(place(symbol)));
    at.apply(&expr, &[], &values.iter().map(|(_, value)| *value).collect::<Vec<_>>())
}

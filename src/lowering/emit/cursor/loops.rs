//! Loops whose iterations run one after the other, or in parallel.

use super::{Cursor, IndexAtom};
use crate::dialect::loop_op::For;
use crate::ir::affine::Expr;
use crate::ir::{Block, Builder, Error, Region, Type, Value};

/// A loop, and its extent at the cursor.
pub(crate) struct SizedLoop<'a, 'c> {
    pub view: &'a For<'c>,
    /// The extent is the minimum of these expressions.
    pub extent: Vec<Expr>,
}

impl<'a, 'c> SizedLoop<'a, 'c> {
    pub fn new(view: &'a For<'c>, cursor: &mut Cursor<'c>) -> Self {
        let extent = cursor.bounds(&view.extent.results, &view.operands, view.extent.dims);
        SizedLoop { view, extent }
    }

    /// An upper bound of the extent, if one is known.
    pub fn least(&self) -> Option<i64> {
        self.extent.iter().filter_map(Expr::constant).min()
    }

    /// The extent, if it is constant.
    pub fn constant(&self) -> Option<i64> {
        self.least().filter(|_| self.extent.iter().all(|e| e.constant().is_some()))
    }
}

impl<'c> Cursor<'c> {
    /// The variable of a new loop, and a builder in its body.
    pub fn open_loop(&mut self, range: Option<(i64, i64)>, at: Builder<'c>) -> (Expr, Builder<'c>) {
        let block = Block::new(&[(Type::index(at.context()), at.location())]);
        let value = Some(block.argument(0));
        self.atoms.push(IndexAtom { value, range, is_natural: true, varies: false });
        (Expr::Dim(self.atoms.len() - 1), Builder::at_end(block, at.location()))
    }

    /// Creates the loop whose body ends at `inner`.
    pub fn close_loop(
        &mut self,
        upper: Value<'c>,
        is_parallel: bool,
        inner: Builder<'c>,
        at: Builder<'c>,
    ) {
        let (zero, one) = (at.index(0), at.index(1));
        let (name, end) = match is_parallel {
            true => ("scf.parallel", "scf.reduce"),
            false => ("scf.for", "scf.yield"),
        };
        inner.insert(inner.spec(end));
        let mut spec =
            at.spec(name).operands(&[zero, upper, one]).region(Region::of(inner.block()));
        if is_parallel {
            spec = spec.segments(&[1, 1, 1, 0]);
        }
        at.insert(spec);
    }

    /// A loop of `n` iterations; `body` gets its variable as an expression.
    pub fn plain_loop(
        &mut self,
        n: i64,
        at: Builder<'c>,
        body: &mut dyn FnMut(&mut Cursor<'c>, Expr, Builder<'c>) -> Result<(), Error<'c>>,
    ) -> Result<(), Error<'c>> {
        let upper = at.index(n);
        self.dynamic_loop(upper, Some((0, n - 1)), at, body)
    }

    /// Same as [`Cursor::plain_loop`], with a computed number of iterations.
    pub fn dynamic_loop(
        &mut self,
        upper: Value<'c>,
        range: Option<(i64, i64)>,
        at: Builder<'c>,
        body: &mut dyn FnMut(&mut Cursor<'c>, Expr, Builder<'c>) -> Result<(), Error<'c>>,
    ) -> Result<(), Error<'c>> {
        let (variable, inner) = self.open_loop(range, at);
        body(self, variable, inner)?;
        self.close_loop(upper, false, inner, at);
        Ok(())
    }
}

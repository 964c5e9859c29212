//! The sizes of a function, as named symbols.

use crate::analysis::work::{WorkArgument, size_in_call};
use crate::dialect::loop_op::{BufferView, buffer_name};
use crate::dialect::requirement::SizeOrigin;
use crate::ir::affine::Expr;
use crate::ir::{Block, Op, TypeKind, Value, constant_integer};
use std::collections::HashMap;

/// The sizes. Those of arguments are first, in the order of the arguments, so that formulas do not depend on the
/// order of use. Others follow in the order of use.
#[derive(Default)]
pub struct SizeTable<'c> {
    known: HashMap<(Value<'c>, Option<usize>), usize>,
    pub names: Vec<String>,
    /// `None`: the size is computed in the function.
    pub sources: Vec<Option<SizeOrigin>>,
}

impl<'c> SizeTable<'c> {
    pub fn of(function: Op<'c>) -> Self {
        let mut sizes = SizeTable::default();
        for argument in function.body(0).map(Block::arguments).unwrap_or_default() {
            match argument.ty().kind() {
                TypeKind::Index => drop(sizes.value(argument)),
                TypeKind::MemRef { dims, .. } => {
                    (0..dims.len()).for_each(|dim| drop(sizes.dimension(argument, dim)));
                }
                _ => {}
            }
        }
        sizes
    }

    /// An index value of the function as an expression: a number, a size, or the dimension of a buffer, which is
    /// composed of sizes.
    pub fn value(&mut self, value: Value<'c>) -> Expr {
        if let Some(number) = constant_integer(value) {
            return number.into();
        }
        if let Some(op) = value.defining_op().filter(|op| op.is("memref.dim")) {
            let operands = op.operands();
            let dim = constant_integer(operands[1]);
            if let Some(size) = dim.and_then(|dim| usize::try_from(dim).ok())
                && let Some(size) = self.dimension(operands[0], size)
            {
                return size;
            }
        }
        let (name, source) = match value.defining_op() {
            None => (buffer_name(value), Some(SizeOrigin::Index(value.index()))),
            Some(_) => (format!("size{}", self.names.len()), None),
        };
        self.symbol((value, None), name, source)
    }

    /// The size of a buffer in a dimension.
    pub fn dimension(&mut self, buffer: Value<'c>, dim: usize) -> Option<Expr> {
        let (dims, _) = buffer.ty().shaped()?;
        if let Some(size) = *dims.get(dim)? {
            return Some(size.into());
        }
        match buffer.defining_op() {
            None => {
                let name = format!("{}.{dim}", buffer_name(buffer));
                let source = SizeOrigin::Dim(buffer.index(), dim);
                Some(self.symbol((buffer, Some(dim)), name, Some(source)))
            }
            Some(op) if op.is(BufferView::NAME) => {
                let view = BufferView::of(op).ok()?;
                let place = dims[..dim].iter().filter(|size| size.is_none()).count();
                let sizes: Vec<Expr> = view.sizes.iter().map(|size| self.value(*size)).collect();
                let expr = view.dynamic_dims.get(place)?;
                Some(expr.substitute(&Expr::Dim, &|i| sizes[i].clone()).simplified())
            }
            Some(_) => None,
        }
    }

    fn symbol(
        &mut self,
        key: (Value<'c>, Option<usize>),
        name: String,
        source: Option<SizeOrigin>,
    ) -> Expr {
        let next = self.names.len();
        let size = *self.known.entry(key).or_insert(next);
        if size == next {
            self.names.push(name);
            self.sources.push(source);
        }
        Expr::Symbol(size)
    }
}

/// The values of sizes in a call with these arguments; `None` if one does not come from the arguments.
pub fn values(sources: &[Option<SizeOrigin>], arguments: &[WorkArgument]) -> Option<Vec<i64>> {
    sources.iter().map(|source| size_in_call((*source)?, arguments)).collect()
}

/// The sizes of a called function, over those of its caller.
#[derive(Clone, Debug, PartialEq)]
pub struct CalleeSizes {
    /// For each size of the callee: an expression over the sizes of the caller, if it is known.
    sizes: Vec<Option<Expr>>,
    /// Where the sizes of the caller come from.
    sources: Vec<Option<SizeOrigin>>,
}

impl CalleeSizes {
    /// Those of the callee of a call in `caller`. `sources` states where the callee's sizes come from.
    pub fn of<'c>(caller: Op<'c>, call: Op<'c>, sources: &[Option<SizeOrigin>]) -> Self {
        let mut table = SizeTable::of(caller);
        let operands = call.operands();
        let size = |source: &Option<SizeOrigin>| match (*source)? {
            SizeOrigin::Index(i) => Some(table.value(*operands.get(i)?)),
            SizeOrigin::Dim(i, dim) => table.dimension(*operands.get(i)?, dim),
        };
        let sizes = sources.iter().map(size).collect();
        Self { sizes, sources: table.sources }
    }

    /// The values of the callee's sizes if the caller is called with these arguments; `None` if one is not known.
    pub fn values(&self, arguments: &[WorkArgument]) -> Option<Vec<i64>> {
        let known = values(&self.sources, arguments)?;
        self.sizes.iter().map(|size| size.as_ref()?.evaluate(&[], &known)).collect()
    }
}

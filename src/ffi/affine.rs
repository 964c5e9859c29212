//! Affine expressions, maps and sets as flat Rust types, with conversions from and to MLIR.

use super::{Attribute, Context};
use mlir_sys::*;

/// An affine or semi-affine expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Expr {
    /// The dimension of this number, from 0.
    Dim(usize),
    /// The symbol of this number, from 0.
    Symbol(usize),
    /// A constant.
    Constant(i64),
    /// An operator with its operands.
    Binary(BinaryKind, Box<Expr>, Box<Expr>),
}

/// The operators. Division and remainder round toward minus infinity and require a positive right-hand
/// side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryKind {
    /// The sum.
    Add,
    /// The product.
    Mul,
    /// The quotient, rounded down.
    FloorDiv,
    /// The quotient, rounded up.
    CeilDiv,
    /// The remainder of the division that rounds down.
    Mod,
}

/// An affine map: `(d0, ..)[s0, ..] -> (results)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    /// The number of dimensions.
    pub dims: usize,
    /// The number of symbols.
    pub symbols: usize,
    /// The results, over dimensions and symbols.
    pub results: Vec<Expr>,
}

/// A condition on an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// The expression is 0.
    Zero(Expr),
    /// The expression is 0 or more.
    NonNegative(Expr),
}

/// An integer set: the points that satisfy all constraints.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntegerSet {
    /// The number of dimensions.
    pub dims: usize,
    /// The number of symbols.
    pub symbols: usize,
    /// The constraints.
    pub constraints: Vec<Constraint>,
}

impl Constraint {
    /// The same constraint on another expression.
    pub fn on(&self, expr: Expr) -> Constraint {
        match self {
            Constraint::Zero(_) => Constraint::Zero(expr),
            Constraint::NonNegative(_) => Constraint::NonNegative(expr),
        }
    }

    /// The expression that is 0, or not negative.
    pub fn expr(&self) -> &Expr {
        match self {
            Constraint::Zero(expr) | Constraint::NonNegative(expr) => expr,
        }
    }
}

impl Map {
    /// # Safety
    /// `raw` must be a valid map.
    pub(crate) unsafe fn from_raw(raw: MlirAffineMap) -> Map {
        // SAFETY: by the contract; indices are below MLIR's own counts.
        unsafe {
            Map {
                dims: mlirAffineMapGetNumDims(raw) as usize,
                symbols: mlirAffineMapGetNumSymbols(raw) as usize,
                results: (0..mlirAffineMapGetNumResults(raw))
                    .map(|i| read(mlirAffineMapGetResult(raw, i)))
                    .collect(),
            }
        }
    }

    /// # Panics
    /// If a result has a dim or symbol that the map does not.
    pub fn to_attribute<'c>(&self, context: Context<'c>) -> Attribute<'c> {
        check_leaves(self.results.iter(), self.dims, self.symbols);
        let mut results: Vec<_> = self.results.iter().map(|e| build(e, context)).collect();
        // SAFETY: the context is live and the expressions belong to it.
        unsafe {
            let (dims, symbols) = (self.dims as isize, self.symbols as isize);
            let (n, results) = (results.len() as isize, results.as_mut_ptr());
            let map = mlirAffineMapGet(context.to_raw(), dims, symbols, n, results);
            Attribute::from_raw(mlirAffineMapAttrGet(map))
        }
    }
}

fn check_leaves<'e>(exprs: impl Iterator<Item = &'e Expr>, dims: usize, symbols: usize) {
    for expr in exprs {
        expr.visit_leaves(&mut |leaf| match leaf {
            Expr::Dim(dim) => assert!(*dim < dims, "found d{dim}, expected one of {dims} dims"),
            Expr::Symbol(symbol) => {
                assert!(*symbol < symbols, "found s{symbol}, expected one of {symbols} symbols");
            }
            _ => {}
        });
    }
}

impl IntegerSet {
    /// # Safety
    /// `raw` must be a valid set.
    pub(crate) unsafe fn from_raw(raw: MlirIntegerSet) -> IntegerSet {
        // SAFETY: by the contract; indices are below MLIR's own counts.
        unsafe {
            IntegerSet {
                dims: mlirIntegerSetGetNumDims(raw) as usize,
                symbols: mlirIntegerSetGetNumSymbols(raw) as usize,
                constraints: (0..mlirIntegerSetGetNumConstraints(raw))
                    .map(|i| {
                        let expr = read(mlirIntegerSetGetConstraint(raw, i));
                        if mlirIntegerSetIsConstraintEq(raw, i) {
                            Constraint::Zero(expr)
                        } else {
                            Constraint::NonNegative(expr)
                        }
                    })
                    .collect(),
            }
        }
    }

    /// # Panics
    /// If the set has no constraint, or one with a dim or symbol that the set does not have.
    pub fn to_attribute<'c>(&self, context: Context<'c>) -> Attribute<'c> {
        assert!(!self.constraints.is_empty(), "found a set without a constraint");
        check_leaves(self.constraints.iter().map(Constraint::expr), self.dims, self.symbols);
        let constraints: Vec<_> =
            self.constraints.iter().map(|c| build(c.expr(), context)).collect();
        let equal: Vec<_> =
            self.constraints.iter().map(|c| matches!(c, Constraint::Zero(_))).collect();
        // SAFETY: the context is live, the expressions belong to it, the arrays are of one length.
        unsafe {
            Attribute::from_raw(mlirIntegerSetAttrGet(mlirIntegerSetGet(
                context.to_raw(),
                self.dims as isize,
                self.symbols as isize,
                constraints.len() as isize,
                constraints.as_ptr(),
                equal.as_ptr(),
            )))
        }
    }
}

/// # Safety
/// `raw` must be a valid expression.
unsafe fn read(raw: MlirAffineExpr) -> Expr {
    // SAFETY: by the contract; getters are called only after the matching kind test.
    unsafe {
        if mlirAffineExprIsADim(raw) {
            return Expr::Dim(mlirAffineDimExprGetPosition(raw) as usize);
        }
        if mlirAffineExprIsASymbol(raw) {
            return Expr::Symbol(mlirAffineSymbolExprGetPosition(raw) as usize);
        }
        if mlirAffineExprIsAConstant(raw) {
            return Expr::Constant(mlirAffineConstantExprGetValue(raw));
        }
        let kind = if mlirAffineExprIsAAdd(raw) {
            BinaryKind::Add
        } else if mlirAffineExprIsAMul(raw) {
            BinaryKind::Mul
        } else if mlirAffineExprIsAFloorDiv(raw) {
            BinaryKind::FloorDiv
        } else if mlirAffineExprIsACeilDiv(raw) {
            BinaryKind::CeilDiv
        } else {
            BinaryKind::Mod
        };
        let left = read(mlirAffineBinaryOpExprGetLHS(raw));
        let right = read(mlirAffineBinaryOpExprGetRHS(raw));
        Expr::Binary(kind, Box::new(left), Box::new(right))
    }
}

/// Builds the expression in MLIR, which simplifies it.
fn build(expr: &Expr, context: Context) -> MlirAffineExpr {
    let raw = context.to_raw();
    // SAFETY: the context is live; both sides belong to it.
    unsafe {
        match expr {
            Expr::Dim(i) => mlirAffineDimExprGet(raw, *i as isize),
            Expr::Symbol(i) => mlirAffineSymbolExprGet(raw, *i as isize),
            Expr::Constant(value) => mlirAffineConstantExprGet(raw, *value),
            Expr::Binary(kind, left, right) => {
                let (left, right) = (build(left, context), build(right, context));
                match kind {
                    BinaryKind::Add => mlirAffineAddExprGet(left, right),
                    BinaryKind::Mul => mlirAffineMulExprGet(left, right),
                    BinaryKind::FloorDiv => mlirAffineFloorDivExprGet(left, right),
                    BinaryKind::CeilDiv => mlirAffineCeilDivExprGet(left, right),
                    BinaryKind::Mod => mlirAffineModExprGet(left, right),
                }
            }
        }
    }
}

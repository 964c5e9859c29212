//! The pattern kind of an op, and how it indexes what it reads. Both are derived from its indexing maps, iterators and body, and
//! are declared nowhere.

use super::dataflow::DimensionIndex;
use crate::analysis::op_cost::{is_arithmetic, is_function, widens};
use crate::compute::symbolic_sizes::{SymbolicSizes, product};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, IteratorKind, Op, Structured, Value, walk};
use std::fmt;

/// What an op computes from what, from the easiest to fuse to those that are never fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatternKind {
    /// Each result is computed from the elements at the same place.
    ElementWise,
    /// As elementwise, but some operands have fewer dimensions, in the same order.
    Broadcast,
    /// Each result is computed from one element of each operand, at any place.
    Injective,
    /// Each result combines many elements.
    Reduction,
    /// A sum of products that uses each factor many times, or a reduction of windows that overlap. Its loops are tiled.
    Anchor,
    /// Anything else, such as a call, a sort or control flow.
    Opaque,
}

impl PatternKind {
    /// True if each result is computed from one element of each operand.
    pub fn is_map(self) -> bool {
        self <= PatternKind::Injective
    }

    pub fn reduces(self) -> bool {
        matches!(self, PatternKind::Reduction | PatternKind::Anchor)
    }
}

impl fmt::Display for PatternKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            PatternKind::ElementWise => "elementwise",
            PatternKind::Broadcast => "broadcast",
            PatternKind::Injective => "injective",
            PatternKind::Reduction => "reduction",
            PatternKind::Anchor => "anchor",
            PatternKind::Opaque => "opaque",
        })
    }
}

/// Sizes over the entry sizes of the function; `None` for those that are not known.
pub type Sizes = Vec<Option<Expr>>;

/// True if a dimension has one element.
pub fn is_one(size: &Option<Expr>) -> bool {
    *size == Some(Expr::Constant(1))
}

/// What is known of an op.
#[derive(Debug)]
pub struct OpFacts {
    pub kind: PatternKind,
    /// The number of operands that are not starting values of the result.
    pub inputs: usize,
    /// The sizes of the loops over results: those of the dimensions of the result.
    pub results: Sizes,
    /// The sizes of the loops that reduce.
    pub reductions: Sizes,
    /// For each operand: how each of its dimensions is indexed.
    pub indices: Vec<Vec<DimensionIndex>>,
    /// The arithmetic operations of one result, or of one step of a reduction.
    pub operations: usize,
    /// The number of these that are functions such as `exp`.
    pub functions: usize,
    /// True if whether an element is read depends on its place.
    pub is_conditional: bool,
}

impl OpFacts {
    /// The facts of an op of a function with these sizes.
    pub fn of<'c>(op: Op<'c>, sizes: &SymbolicSizes<'c>) -> Self {
        structured(op, sizes).or_else(|| moved(op, sizes)).unwrap_or_else(|| Self {
            kind: PatternKind::Opaque,
            inputs: op.operands().len(),
            results: op.results().first().map(|it| dims(*it, sizes)).unwrap_or_default(),
            reductions: vec![],
            indices: vec![],
            operations: 0,
            functions: 0,
            is_conditional: false,
        })
    }

    /// True if the op only moves elements.
    pub fn is_free(&self) -> bool {
        self.kind.is_map() && self.operations == 0 && !self.is_conditional
    }

    /// The number of steps of all loops; `None` if a size is unknown.
    pub fn steps(&self) -> Option<Expr> {
        let sizes: Option<Vec<Expr>> =
            self.results.iter().chain(&self.reductions).cloned().collect();
        sizes.map(|sizes| product(&sizes))
    }
}

/// The facts of a structured op; `None` if its loops are no loops over its results, or it is none.
fn structured<'c>(op: Op<'c>, sizes: &SymbolicSizes<'c>) -> Option<OpFacts> {
    let Structured { iterators, maps, inputs } = Structured::of(op)?;
    let results = maps.get(inputs)?;
    if maps[inputs..].iter().any(|map| map.results != results.results) {
        return None;
    }
    let operands: Vec<Sizes> = op.operands().into_iter().map(|it| dims(it, sizes)).collect();
    let size = |at: usize| {
        let sizes = maps.iter().zip(&operands).flat_map(|(map, dims)| map.results.iter().zip(dims));
        let mut sizes = sizes.filter(|(expr, _)| **expr == Expr::Dim(at)).map(|(_, size)| size);
        let is_number =
            |size: &&Option<Expr>| size.as_ref().is_some_and(|it| it.constant().is_some());
        sizes.clone().find(is_number).or(sizes.next()).cloned().flatten()
    };
    let mut place = vec![None; iterators.len()];
    for (i, expr) in results.results.iter().enumerate() {
        match expr {
            Expr::Dim(at) if iterators[*at] == IteratorKind::Parallel && place[*at].is_none() => {
                place[*at] = Some(i);
            }
            Expr::Constant(_) => {}
            _ => return None,
        }
    }
    let is_parallel = |at: &usize| iterators[*at] == IteratorKind::Parallel;
    let (parallel, reducing): (Vec<usize>, Vec<usize>) =
        (0..iterators.len()).partition(|at| is_parallel(at));
    if parallel.iter().any(|at| place[*at].is_none() && !is_one(&size(*at))) {
        return None;
    }
    let index = |expr: &Expr| match expr {
        Expr::Dim(at) => match place[*at] {
            Some(i) => DimensionIndex::Result(i),
            None if is_parallel(at) => DimensionIndex::Other,
            None => DimensionIndex::Reduction,
        },
        _ => DimensionIndex::Other,
    };
    let indices: Vec<Vec<DimensionIndex>> =
        maps.iter().map(|map| map.results.iter().map(index).collect()).collect();
    let body = walk(op);
    let inside = || body.iter().skip(1);
    let operations = inside().filter(|op| is_arithmetic(**op)).count();
    let widenings = inside().filter(|op| widens(**op)).count();
    let is_wide = |at: &usize| !is_one(&size(*at));
    let is_reused = |input: usize| {
        let mentions = |at: usize| maps[input].results.iter().any(|expr| mentions(expr, at));
        parallel.iter().any(|at| is_wide(at) && !mentions(*at))
    };
    let factors: Vec<usize> =
        (0..inputs).filter(|i| op.operand(*i).ty().shaped().is_some()).collect();
    let is_product =
        operations - widenings == 2 && factors.len() == 2 && factors.iter().any(|i| is_reused(*i));
    let is_window = |expr: &Expr| {
        !matches!(expr, Expr::Dim(_))
            && reducing.iter().any(|at| is_wide(at) && mentions(expr, *at))
    };
    let has_windows = factors.iter().any(|input| maps[*input].results.iter().any(is_window));
    let kind = match reducing.iter().any(is_wide) {
        true if is_product || has_windows => PatternKind::Anchor,
        true => PatternKind::Reduction,
        false => kind_of_map(&indices[..inputs], &operands[..inputs], results.results.len()),
    };
    Some(OpFacts {
        kind,
        inputs,
        results: operands.get(inputs)?.clone(),
        reductions: reducing.into_iter().map(size).collect(),
        indices,
        operations,
        functions: inside().filter(|op| is_function(**op)).count(),
        is_conditional: false,
    })
}

/// The kind of an op without reductions: that of its least regular operand.
fn kind_of_map(indices: &[Vec<DimensionIndex>], operands: &[Sizes], rank: usize) -> PatternKind {
    let kind = |(indices, dims): (&Vec<DimensionIndex>, &Sizes)| {
        let wide = indices.iter().zip(dims).filter(|(_, size)| !is_one(size));
        let places: Option<Vec<usize>> = wide
            .map(|(index, _)| match index {
                DimensionIndex::Result(i) => Some(*i),
                _ => None,
            })
            .collect();
        match places {
            Some(places) if places.len() == rank && places.is_sorted() => PatternKind::ElementWise,
            Some(places) if places.is_sorted() => PatternKind::Broadcast,
            _ => PatternKind::Injective,
        }
    };
    indices.iter().zip(operands).map(kind).max().unwrap_or(PatternKind::ElementWise)
}

/// The facts of an op of the tensor dialect that moves elements.
fn moved<'c>(op: Op<'c>, sizes: &SymbolicSizes<'c>) -> Option<OpFacts> {
    let result = *op.results().first()?;
    let to = dims(result, sizes);
    let moves = op.name().starts_with("tensor.") && !op.is("tensor.scatter");
    if !moves || result.ty().shaped().is_none() {
        return None;
    }
    let index = |value: Value<'c>| -> Vec<DimensionIndex> {
        let from = dims(value, sizes);
        match op.name() {
            "tensor.cast" => (0..from.len()).map(DimensionIndex::Result).collect(),
            "tensor.expand_shape"
            | "tensor.collapse_shape"
            | "tensor.reshape"
            | "tensor.extract_slice"
            | "tensor.pad" => {
                let pairs = paired(op, &from, &to);
                let is_same = |(i, j): &(usize, usize)| from[*i].is_some() && from[*i] == to[*j];
                // A reshape keeps the elements in their dimensions if that holds for all of them.
                let is_kept = is_per_dimension(op) || pairs.iter().all(is_same);
                let mut indices = vec![DimensionIndex::Other; from.len()];
                for (i, j) in pairs.into_iter().filter(|pair| is_kept && is_same(pair)) {
                    indices[i] = DimensionIndex::Result(j);
                }
                indices
            }
            "tensor.concat" => {
                let along = op.attribute("dim").and_then(Attribute::as_i64).unwrap_or_default();
                let mut indices: Vec<_> = (0..from.len()).map(DimensionIndex::Result).collect();
                if let Some(index) = indices.get_mut(usize::try_from(along).unwrap_or(usize::MAX)) {
                    *index = DimensionIndex::Other;
                }
                indices
            }
            _ => vec![DimensionIndex::Other; from.len()],
        }
    };
    let operands = op.operands();
    let is_conditional = !matches!(
        op.name(),
        "tensor.cast"
            | "tensor.expand_shape"
            | "tensor.collapse_shape"
            | "tensor.reshape"
            | "tensor.extract_slice"
            | "tensor.bitcast"
            | "tensor.splat"
    );
    Some(OpFacts {
        kind: PatternKind::Injective,
        inputs: operands.len(),
        results: to.clone(),
        reductions: vec![],
        indices: operands.into_iter().map(index).collect(),
        operations: 0,
        functions: 0,
        is_conditional,
    })
}

/// True if a dimension of a tensor that an op moves keeps its elements whatever the others are.
fn is_per_dimension(op: Op) -> bool {
    matches!(op.name(), "tensor.extract_slice" | "tensor.pad")
}

/// The dimensions of a tensor and of the result of an op that moves it that have the same elements if their sizes are equal. A
/// reshape adds and removes dimensions of one element only, or has none.
fn paired(op: Op, from: &Sizes, to: &Sizes) -> Vec<(usize, usize)> {
    let wide = |dims: &Sizes| -> Vec<usize> {
        (0..dims.len()).filter(|i| is_per_dimension(op) || !is_one(&dims[*i])).collect()
    };
    let (old, new) = (wide(from), wide(to));
    match old.len() == new.len() {
        true => old.into_iter().zip(new).collect(),
        false => vec![],
    }
}

/// The sizes that would have to be equal, but are not known to be, so that an op that moves elements keeps them in their
/// dimensions. Each pair is of a size of the operand and a size of the result.
pub fn unequal<'c>(op: Op<'c>, sizes: &SymbolicSizes<'c>) -> Vec<(Expr, Expr)> {
    let is_reshape =
        matches!(op.name(), "tensor.expand_shape" | "tensor.collapse_shape" | "tensor.reshape");
    if !is_reshape && !is_per_dimension(op) {
        return vec![];
    }
    let [from, to] = [op.operand(0), op.result(0)].map(|value| dims(value, sizes));
    let pairs = paired(op, &from, &to).into_iter();
    let pairs = pairs.filter_map(|(i, j)| Some((from[i].clone()?, to[j].clone()?)));
    let is_open = |(one, other): &(Expr, Expr)| {
        one != other && (one.constant().is_none() || other.constant().is_none())
    };
    pairs.filter(is_open).collect()
}

fn mentions(expr: &Expr, at: usize) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| found |= *leaf == Expr::Dim(at));
    found
}

/// The sizes of a tensor: those that are known of the function, or else those of its type.
pub fn dims<'c>(value: Value<'c>, sizes: &SymbolicSizes<'c>) -> Sizes {
    if value.ty().is_memref() {
        return vec![];
    }
    match sizes.known_dims(value) {
        Some(dims) => dims.iter().cloned().map(Some).collect(),
        None => {
            let dims = value.ty().shaped().map(|(dims, _)| dims).unwrap_or_default();
            dims.into_iter().map(|size| size.map(Expr::Constant)).collect()
        }
    }
}

//! The pattern kind of an op, and how it indexes what it reads. Both are derived from its indexing maps, iterators and body, and
//! are declared nowhere.

use super::dataflow::DimensionIndex;
use crate::analysis::op_cost::{is_arithmetic, is_function, widens};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, IteratorKind, Op, Structured, Type, Value, walk};
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

/// What is known of an op.
#[derive(Debug)]
pub struct OpFacts {
    pub kind: PatternKind,
    /// The number of operands that are not starting values of the result.
    pub inputs: usize,
    /// The sizes of the loops over results: those of the dimensions of the result.
    pub results: Vec<Option<i64>>,
    /// The sizes of the loops that reduce.
    pub reductions: Vec<Option<i64>>,
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
    pub fn of(op: Op) -> Self {
        structured(op).or_else(|| moved(op)).unwrap_or_else(|| Self {
            kind: PatternKind::Opaque,
            inputs: op.operands().len(),
            results: op.results().first().map(|it| dims(*it)).unwrap_or_default(),
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
    pub fn steps(&self) -> Option<u64> {
        let sizes = self.results.iter().chain(&self.reductions);
        sizes.copied().try_fold(1u64, |all, size| Some(all.saturating_mul(size?.unsigned_abs())))
    }
}

/// The facts of a structured op; `None` if its loops are no loops over its results, or it is none.
fn structured(op: Op) -> Option<OpFacts> {
    let Structured { iterators, maps, inputs } = Structured::of(op)?;
    let results = maps.get(inputs)?;
    if maps[inputs..].iter().any(|map| map.results != results.results) {
        return None;
    }
    let operands: Vec<Vec<Option<i64>>> = op.operands().into_iter().map(dims).collect();
    let size = |at: usize| {
        let sizes = maps.iter().zip(&operands).flat_map(|(map, dims)| map.results.iter().zip(dims));
        let mut sizes = sizes.filter(|(expr, _)| **expr == Expr::Dim(at)).map(|(_, size)| *size);
        sizes.clone().find(Option::is_some).or(sizes.next()).flatten()
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
    if parallel.iter().any(|at| place[*at].is_none() && size(*at) != Some(1)) {
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
    let is_wide = |at: &usize| size(*at) != Some(1);
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
fn kind_of_map(
    indices: &[Vec<DimensionIndex>],
    operands: &[Vec<Option<i64>>],
    rank: usize,
) -> PatternKind {
    let kind = |(indices, dims): (&Vec<DimensionIndex>, &Vec<Option<i64>>)| {
        let wide = indices.iter().zip(dims).filter(|(_, size)| **size != Some(1));
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
fn moved(op: Op) -> Option<OpFacts> {
    let result = *op.results().first()?;
    let to = dims(result);
    let moves = op.name().starts_with("tensor.") && !op.is("tensor.scatter");
    if !moves || result.ty().shaped().is_none() {
        return None;
    }
    let same = |from: &[Option<i64>]| -> Vec<DimensionIndex> {
        let index = |(i, size): (usize, &Option<i64>)| match to.get(i) == Some(size) {
            true if size.is_some() && from.len() == to.len() => DimensionIndex::Result(i),
            _ => DimensionIndex::Other,
        };
        from.iter().enumerate().map(index).collect()
    };
    let index = |value: Value| -> Vec<DimensionIndex> {
        let from = dims(value);
        match op.name() {
            "tensor.cast" => (0..from.len()).map(DimensionIndex::Result).collect(),
            "tensor.expand_shape" | "tensor.collapse_shape" | "tensor.reshape" => {
                without_units(&from, &to)
            }
            "tensor.extract_slice" | "tensor.pad" => same(&from),
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

/// The indices of a reshape that adds and removes dimensions of one element only; other reshapes have no such indices.
fn without_units(from: &[Option<i64>], to: &[Option<i64>]) -> Vec<DimensionIndex> {
    let wide = |dims: &[Option<i64>]| -> Vec<(usize, Option<i64>)> {
        dims.iter().copied().enumerate().filter(|(_, size)| *size != Some(1)).collect()
    };
    let (old, new) = (wide(from), wide(to));
    let sizes =
        |dims: &[(usize, Option<i64>)]| dims.iter().map(|(_, size)| *size).collect::<Vec<_>>();
    let mut indices = vec![DimensionIndex::Other; from.len()];
    if sizes(&old) == sizes(&new) && old.iter().all(|(_, size)| size.is_some()) {
        for ((i, _), (j, _)) in old.into_iter().zip(new) {
            indices[i] = DimensionIndex::Result(j);
        }
    }
    indices
}

fn mentions(expr: &Expr, at: usize) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| found |= *leaf == Expr::Dim(at));
    found
}

fn dims(value: Value) -> Vec<Option<i64>> {
    value
        .ty()
        .shaped()
        .filter(|_| !Type::is_memref(value.ty()))
        .map(|(dims, _)| dims)
        .unwrap_or_default()
}

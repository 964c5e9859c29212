//! Chooses the sizes of arguments to run a function with, in any form.
//!
//! A function of schedule blocks is analysed as for the verification of schedules. In other functions, dimensions are
//! assumed equal if one loop runs over both: a loop of a structured op, or a loop whose counter indexes both. If
//! that misses an equality, sizes are inconsistent, and only the shapes with all sizes equal remain.

use crate::interpreter::scalar::ScalarType;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Op, Structured, Type, TypeKind, Value, scope_of, walk};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::verify::sizes::{
    ArgumentKind, FunctionSizes, RunShape, Sized, argument_name, candidates, combinations,
};
use std::collections::{BTreeSet, HashMap};

/// The shapes to try, small ones first. The error states why there are none.
pub fn shapes(function: Op, factors: &[i64]) -> Result<Vec<RunShape>, String> {
    if let Ok(state) = State::new(function, Box::new(Direct))
        && state.summary().blocks().next().is_some()
        && let Ok(reading) = FunctionSizes::of(&state)
    {
        return Ok(reading.shapes(factors));
    }
    let mut sizes = EqualSizes::default();
    sizes.read(function);
    let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
    sizes.shapes(function, &arguments, factors)
}

/// A dimension of a value, or a scalar value that is a size.
type SizeSource<'c> = (Value<'c>, Option<usize>);

/// Union-find of equal dimensions of a function.
#[derive(Default)]
struct EqualSizes<'c> {
    numbers: HashMap<SizeSource<'c>, usize>,
    /// For each number, another number of its class, or itself for the root.
    parents: Vec<usize>,
}

impl<'c> EqualSizes<'c> {
    fn number(&mut self, place: SizeSource<'c>) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn class(&mut self, place: SizeSource<'c>) -> usize {
        let mut number = self.number(place);
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn unite(&mut self, a: SizeSource<'c>, b: SizeSource<'c>) {
        let (a, b) = (self.class(a), self.class(b));
        self.parents[a] = b;
    }

    /// Unites all dimensions of two values.
    fn unite_all(&mut self, a: Value<'c>, b: Value<'c>) {
        let rank = |value: Value| value.ty().shaped().map(|(dims, _)| dims.len());
        if let (Some(rank_a), Some(rank_b)) = (rank(a), rank(b))
            && rank_a == rank_b
        {
            (0..rank_a).for_each(|d| self.unite((a, Some(d)), (b, Some(d))));
        }
    }

    fn read(&mut self, function: Op<'c>) {
        for op in walk(function) {
            let (operands, results) = (op.operands(), op.results());
            if let Some(form) = Structured::of(op) {
                self.read_structured(&form, &operands);
                for (result, output) in results.iter().zip(&operands[form.inputs..]) {
                    self.unite_all(*result, *output);
                }
                continue;
            }
            let (dialect, _) = op.name().split_once('.').unwrap_or_default();
            match (op.name(), &operands[..]) {
                ("tensor.dim" | "memref.dim", [source, at]) => {
                    let at = at.defining_op().and_then(|op| op.attribute("value")?.as_i64());
                    if let Some(d) = at.and_then(|d| usize::try_from(d).ok()) {
                        self.unite((results[0], None), (*source, Some(d)));
                    }
                }
                ("tensor.empty" | "memref.alloc" | "memref.alloca", sizes) => {
                    let dims = results[0].ty().shaped().map(|(dims, _)| dims).unwrap_or_default();
                    let dynamic = (0..dims.len()).filter(|d| dims[*d].is_none());
                    for (d, size) in dynamic.zip(sizes) {
                        self.unite((results[0], Some(d)), (*size, None));
                    }
                }
                ("memref.load" | "affine.load" | "vector.load", [buffer, at @ ..])
                | ("memref.store" | "affine.store" | "vector.store", [_, buffer, at @ ..]) => {
                    // Only the counter of a loop runs over a dimension; an index argument is no size.
                    let in_loop = |value: &Value| scope_of(*value).is_some_and(|op| op != function);
                    for (d, index) in at.iter().enumerate() {
                        if index.defining_op().is_none() && in_loop(index) {
                            self.unite((*index, None), (*buffer, Some(d)));
                        }
                    }
                }
                ("scf.for" | "scf.parallel", [_, to, ..]) => self.counter(op, *to),
                ("affine.for", operands) => {
                    let bound = op.attribute("upperBoundMap").and_then(Attribute::as_map);
                    let lower = op.attribute("lowerBoundMap").and_then(Attribute::as_map);
                    let skipped = lower.map_or(0, |map| map.dims + map.symbols);
                    if let (Some(bound), Some(to)) = (bound, operands.get(skipped))
                        && matches!(bound.results[..], [Expr::Dim(0) | Expr::Symbol(0)])
                    {
                        self.counter(op, *to);
                    }
                }
                ("tensor.cast" | "memref.cast", [source]) => self.unite_all(*source, results[0]),
                (_, operands) if matches!(dialect, "arith" | "math" | "graph") => {
                    for operand in operands {
                        results.iter().for_each(|result| self.unite_all(*operand, *result));
                    }
                }
                _ => {}
            }
        }
    }

    /// Unites the counter of a loop with the size that it runs over.
    fn counter(&mut self, op: Op<'c>, to: Value<'c>) {
        if let Some(counter) = op.body(0).and_then(|body| body.arguments().first().copied()) {
            self.unite((counter, None), (to, None));
        }
    }

    fn read_structured(&mut self, form: &Structured, operands: &[Value<'c>]) {
        let mut first: HashMap<usize, SizeSource> = HashMap::new();
        for (value, map) in operands.iter().zip(&form.maps) {
            for (d, result) in map.results.iter().enumerate() {
                let Expr::Dim(this) = result else { continue };
                let known = *first.entry(*this).or_insert((*value, Some(d)));
                self.unite(known, (*value, Some(d)));
            }
        }
    }

    fn shapes(
        &mut self,
        function: Op<'c>,
        arguments: &[Value<'c>],
        factors: &[i64],
    ) -> Result<Vec<RunShape>, String> {
        let mut fixed: HashMap<usize, i64> = HashMap::new();
        for ((value, d), _) in self.numbers.clone() {
            let dims = value.ty().shaped().map(|(dims, _)| dims).unwrap_or_default();
            if let Some(size) = d.and_then(|d| dims.get(d).copied()?) {
                fixed.insert(self.class((value, d)), size);
            }
        }
        // The class of each argument size that no type states.
        let mut classes = BTreeSet::new();
        for value in arguments {
            let places: Vec<SizeSource> = match value.ty().shaped() {
                Some((dims, _)) => {
                    let dynamic = (0..dims.len()).filter(|d| dims[*d].is_none());
                    dynamic.map(|d| (*value, Some(d))).collect()
                }
                None if value.ty().kind() == TypeKind::Index => vec![(*value, None)],
                None => vec![],
            };
            for place in places {
                classes.insert(self.class(place));
            }
        }
        let unknown: Vec<usize> = classes.into_iter().filter(|c| !fixed.contains_key(c)).collect();
        let mut found = vec![];
        for values in combinations(unknown.len(), &candidates(factors)) {
            let chosen = unknown.iter().copied().zip(values.iter().copied());
            let known: HashMap<usize, i64> = fixed.clone().into_iter().chain(chosen).collect();
            let mut sized = vec![];
            for (i, value) in arguments.iter().enumerate() {
                let kind = self.kind(*value, &known);
                let kind =
                    kind.ok_or_else(|| format!("argument {i} has the type {}", value.ty()))?;
                sized.push(Sized { name: argument_name(function, i), kind });
            }
            let is_dynamic = !unknown.is_empty();
            found.push(RunShape { arguments: sized, sizes: values, is_dynamic });
        }
        found.sort_by_cached_key(|shape| (cells(shape), shape.to_string()));
        Ok(found)
    }

    /// An argument with sizes; `None` if the interpreter does not support its type.
    fn kind(&mut self, value: Value<'c>, known: &HashMap<usize, i64>) -> Option<ArgumentKind> {
        let ty: Type = value.ty();
        if ty.kind() == TypeKind::Index {
            let class = self.class((value, None));
            return Some(ArgumentKind::Index(known.get(&class).copied().unwrap_or(1)));
        }
        let Some((dims, element)) = ty.shaped() else {
            return Some(ArgumentKind::Number(ScalarType::of(ty)?));
        };
        let mut sizes = vec![];
        for (d, dim) in dims.into_iter().enumerate() {
            let class = self.class((value, Some(d)));
            let size = dim.or_else(|| known.get(&class).copied()).unwrap_or(1);
            sizes.push(usize::try_from(size).ok()?);
        }
        let element = ScalarType::of(element)?;
        match ty.kind() {
            TypeKind::MemRef { .. } => Some(ArgumentKind::Buffer(element, sizes)),
            TypeKind::Tensor { .. } => Some(ArgumentKind::Tensor(element, sizes)),
            _ => None,
        }
    }
}

/// The number of elements of a shape.
pub fn cells(shape: &RunShape) -> usize {
    let of = |kind: &ArgumentKind| match kind {
        ArgumentKind::Buffer(_, sizes) | ArgumentKind::Tensor(_, sizes) => sizes.iter().product(),
        ArgumentKind::Index(value) => usize::try_from(*value).unwrap_or(0),
        ArgumentKind::Number(_) => 1,
    };
    shape.arguments.iter().map(|argument| of(&argument.kind)).sum()
}

//! Which sizes of a function in any form must be equal.
//!
//! Dimensions are assumed equal if one loop runs over both: a loop of a structured op, or a loop whose counter indexes
//! both. If that misses an equality, sizes are inconsistent, and only the shapes with all sizes equal remain.

use super::{RunShape, assigned, cells, open_sizes, sized};
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Op, Structured, Type, Value, scope_of, walk};
use std::collections::{BTreeSet, HashMap};

/// The shapes to try, those with few elements first. The error names an argument whose type is not supported.
pub fn shapes(function: Op, factors: &[i64]) -> Result<Vec<RunShape>, String> {
    let mut sizes = EqualSizes::default();
    sizes.read(function);
    let fixed = sizes.fixed();
    let arguments = function.body(0).map(|body| body.arguments()).unwrap_or_default();
    let types: Vec<Type> = arguments.iter().map(|value| value.ty()).collect();
    let open = types.iter().enumerate().flat_map(|(i, ty)| open_sizes(i, *ty));
    let classes: BTreeSet<usize> = open.map(|(i, d)| sizes.class((arguments[i], d))).collect();
    let unknown: Vec<usize> = classes.into_iter().filter(|c| !fixed.contains_key(c)).collect();
    assigned(unknown.len(), factors, |values| {
        let mut known = fixed.clone();
        known.extend(unknown.iter().copied().zip(values.iter().copied()));
        let arguments = sized(function, &types, |(i, d)| {
            known.get(&sizes.class((arguments[i], d))).copied().unwrap_or(1)
        })?;
        let (is_dynamic, work) = (!unknown.is_empty(), cells(&arguments) as u64);
        Ok(RunShape { arguments, sizes: values, is_dynamic, work })
    })
}

/// A dimension of a value, or a scalar value that is a size.
type SizeValue<'c> = (Value<'c>, Option<usize>);

/// Union-find of equal dimensions of a function.
#[derive(Default)]
struct EqualSizes<'c> {
    numbers: HashMap<SizeValue<'c>, usize>,
    /// For each number, another number of its class, or itself for the root.
    parents: Vec<usize>,
}

impl<'c> EqualSizes<'c> {
    fn number(&mut self, place: SizeValue<'c>) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn class(&mut self, place: SizeValue<'c>) -> usize {
        let mut number = self.number(place);
        while self.parents[number] != number {
            number = self.parents[number];
        }
        number
    }

    fn unite(&mut self, a: SizeValue<'c>, b: SizeValue<'c>) {
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
        let mut first: HashMap<usize, SizeValue> = HashMap::new();
        for (value, map) in operands.iter().zip(&form.maps) {
            for (d, result) in map.results.iter().enumerate() {
                let Expr::Dim(this) = result else { continue };
                let known = *first.entry(*this).or_insert((*value, Some(d)));
                self.unite(known, (*value, Some(d)));
            }
        }
    }

    /// The size of each class that a type states.
    fn fixed(&mut self) -> HashMap<usize, i64> {
        let mut fixed = HashMap::new();
        for ((value, d), _) in self.numbers.clone() {
            let dims = value.ty().shaped().map(|(dims, _)| dims).unwrap_or_default();
            if let Some(size) = d.and_then(|d| dims.get(d).copied()?) {
                fixed.insert(self.class((value, d)), size);
            }
        }
        fixed
    }
}

//! `fold-batch-norm`: multiply weights by the factors that their results are multiplied by.
//!
//! ```text
//! Y[n, f, h, w] = 0                                        Y[n, f, h, w] = T[f]
//! Y[n, f, h, w] += X[n, c, h + i, w + j] * W[f, c, i, j]   Y[n, f, h, w] += X[n, c, h + i, w + j] * W'[f, c, i, j]
//! Z[n, f, h, w] = (Y[n, f, h, w] - M[f]) * S[f] + B[f]  ->
//!                                          once for all calls: W'[f, c, i, j] = W[f, c, i, j] * S[f]
//!                                                              T[f] = -M[f] * S[f] + B[f]
//! ```
//! A batch norm of inference is such an op, or a chain of them: M, S and B are computed from constants. The new weights, and
//! the start values T, depend on constants alone, so `lift-weight-transforms` moves them out of the function.
//!
//! Requires
//! - (C1) the contract of the function is `fast`: each product is multiplied before the sum instead of after it
//! - (C2) Y is a sum of products of W with another tensor, of one float type, in all loops. W is computed from constants, the
//!   other tensor is not
//! - (C3) Y starts from a constant, or from values that are computed from constants and have an index only where W has one
//! - (C4) only the first op of a chain of structured ops reads Y, and only the next one reads the result of each. Each op computes an
//!   element from the element of Y at the same place, by `addf`, `subf`, `mulf` and `divf` with numbers that are computed from
//!   constants and have an index only where W has one
//! - (C5) one of the ops multiplies, divides, or subtracts the element from a number. Other chains only add biases, which takes no time
//!   in the loop that stores the results
//!
//! The chain is as long as possible, and the ops after it do not change.

use super::weight_product::{FixedValues, sums_products};
use crate::compute::linalg_builder::{element_of, empty, generic, generic_of_several, sizes_of};
use crate::dialect::contract::Contract;
use crate::ir::affine::{Expr, Map};
use crate::ir::{
    Attribute, Builder, Error, IteratorKind, Op, Structured, Type, TypeKind, Value, constant_value,
    outside_values, walk,
};
use std::collections::{HashMap, HashSet};

/// Folds the batch norms of a function. Returns the number of products whose weights are multiplied.
///
/// # Errors
/// If the contract is none of `strict`, `reassoc` and `fast`.
pub fn convert<'c>(function: Op<'c>) -> Result<usize, Error<'c>> {
    if Contract::of(function)? != Contract::Fast {
        return Ok(0);
    }
    let fixed = FixedValues::of(function);
    let products = walk(function).into_iter().filter_map(|op| WeightProduct::of(op, &fixed));
    let products: Vec<WeightProduct> = products.collect();
    // All chains are found before the first change: values that are erased and created would be confused.
    let chains = products.iter().map(|product| (product, product.chain(&fixed)));
    let chains: Vec<_> = chains.filter(|(_, chain)| chain.iter().any(ScalingOp::scales)).collect();
    for (product, chain) in &chains {
        product.fold(chain);
    }
    Ok(chains.len())
}

/// A sum of products with weights.
struct WeightProduct<'c> {
    op: Op<'c>,
    loops: Structured,
    /// The place of the weights among the inputs.
    weights: usize,
    /// The loop over each dimension of the result.
    results: Vec<usize>,
    /// For each loop over dimensions of the result that index the weights: this dimension of the weights.
    channels: HashMap<usize, usize>,
    start: StartValues<'c>,
}

/// The values from which sums start.
enum StartValues<'c> {
    /// The same for all.
    Constant(Attribute<'c>),
    /// The element that an op computes from its inputs, whose indices are these.
    Computed(Op<'c>, Vec<Map>),
}

/// An op that scales and shifts the results.
struct ScalingOp<'c> {
    op: Op<'c>,
    /// The place of the results among its inputs.
    place: usize,
    /// The indices of its inputs.
    maps: Vec<Map>,
    /// The ops of its body that compute numbers from its other inputs.
    numbers: Vec<Op<'c>>,
    /// What it does with an element, in order, with the numbers of its body.
    steps: Vec<(ScalingStep, Value<'c>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScalingStep {
    Add,
    Subtract,
    SubtractFrom,
    Multiply,
    Divide,
}

impl<'c> WeightProduct<'c> {
    fn of(op: Op<'c>, fixed: &FixedValues<'c>) -> Option<WeightProduct<'c>> {
        let loops = Structured::of(op)?;
        let ([result], operands) = (&op.results()[..], op.operands()) else { return None };
        let is_reduction = loops.iterators.contains(&IteratorKind::Reduction);
        (is_reduction && operands.len() == 3 && loops.inputs == 2).then_some(())?;
        let element = element_of(*result);
        let is_alike = |value: &Value<'c>| {
            matches!(value.ty().kind(), TypeKind::Tensor { .. }) && element_of(*value) == element
        };
        let is_float = matches!(element.kind(), TypeKind::Float(_));
        (is_float && operands.iter().all(is_alike) && sums_products(op.body(0)?)).then_some(())?;
        let weights = match [0, 1].map(|i| fixed.contains(operands[i])) {
            [true, false] => 0,
            [false, true] => 1,
            _ => return None,
        };
        let results = loops.maps[2].plain_dims()?;
        let dims = operands[weights].ty().shaped()?.0;
        let mut channels = HashMap::new();
        for (place, index) in loops.maps[weights].results.iter().enumerate() {
            match index {
                Expr::Dim(d) if results.contains(d) && dims[place].is_some() => {
                    channels.insert(*d, place);
                }
                _ => {}
            }
        }
        let start = StartValues::of(operands[2], &results, &channels, fixed)?;
        Some(WeightProduct { op, loops, weights, results, channels, start })
    }

    /// The ops that scale and shift the results, one after the other.
    fn chain(&self, fixed: &FixedValues<'c>) -> Vec<ScalingOp<'c>> {
        let mut chain: Vec<ScalingOp> = vec![];
        let mut value = self.op.result(0);
        while let Some(next) = self.next(value, fixed) {
            value = next.op.result(0);
            chain.push(next);
        }
        chain
    }

    /// The only op that reads `value`, if it scales and shifts it.
    fn next(&self, value: Value<'c>, fixed: &FixedValues<'c>) -> Option<ScalingOp<'c>> {
        let uses = value.uses();
        let op = uses.first()?.0;
        let loops = Structured::of(op)?;
        let rank = self.results.len();
        let is_map = loops.iterators.iter().all(|kind| *kind == IteratorKind::Parallel)
            && loops.iterators.len() == rank;
        let [result] = op.results()[..] else { return None };
        // The result may stand for the shape of the output, whose elements are not read.
        let inputs: Vec<usize> =
            uses.iter().map(|it| it.1).filter(|place| *place < loops.inputs).collect();
        let [place] = inputs[..] else { return None };
        let identity = Map::identity(rank);
        let is_in_place = loops.maps[place] == identity && loops.maps[loops.inputs] == identity;
        let is_only = uses.iter().all(|it| it.0 == op) && op.block() == self.op.block();
        (is_map && is_only && is_in_place && result.ty() == self.op.result(0).ty()).then_some(())?;

        let body = op.body(0)?;
        let arguments = body.arguments();
        let maps: Vec<Map> =
            loops.maps[..loops.inputs].iter().map(|it| of_loops(it, &self.results)).collect();
        let mut known: HashSet<Value> = HashSet::new();
        for i in (0..loops.inputs).filter(|i| *i != place && !arguments[*i].is_unused()) {
            let is_number =
                is_of_channels(&maps[i], &self.channels) && fixed.contains(op.operand(i));
            is_number.then_some(())?;
            known.insert(arguments[i]);
        }
        let mut numbers = vec![];
        for inner in body.ops().into_iter().filter(|op| is_arithmetic(*op)) {
            if inner.operands().iter().all(|it| known.contains(it) || fixed.contains(*it)) {
                known.extend(inner.results());
                numbers.push(inner);
            }
        }
        let [mut value] = body.terminator()?.operands()[..] else { return None };
        let mut steps = vec![];
        while value != arguments[place] {
            let inner = value.defining_op().filter(|op| op.block() == Some(body))?;
            let [left, right] = inner.operands()[..] else { return None };
            let is_number = |value: &Value<'c>| known.contains(value) || fixed.contains(*value);
            let (step, next, number) = match (inner.name(), [left, right].map(|it| is_number(&it)))
            {
                ("arith.addf", [false, true]) => (ScalingStep::Add, left, right),
                ("arith.addf", [true, false]) => (ScalingStep::Add, right, left),
                ("arith.subf", [false, true]) => (ScalingStep::Subtract, left, right),
                ("arith.subf", [true, false]) => (ScalingStep::SubtractFrom, right, left),
                ("arith.mulf", [false, true]) => (ScalingStep::Multiply, left, right),
                ("arith.mulf", [true, false]) => (ScalingStep::Multiply, right, left),
                ("arith.divf", [false, true]) => (ScalingStep::Divide, left, right),
                _ => return None,
            };
            steps.push((step, number));
            value = next;
        }
        steps.reverse();
        Some(ScalingOp { op, place, maps, numbers, steps })
    }

    /// Replaces the product and the chain.
    fn fold(&self, chain: &[ScalingOp<'c>]) {
        let last = chain[chain.len() - 1].op;
        let at = Builder::before(last, self.op.location());
        let operands = self.op.operands();
        let weights = operands[self.weights];
        let (used, [scale, start]) = self.coefficients(&at, chain);

        let rank = self.loops.maps[self.weights].results.len();
        let of_channels = Map {
            dims: rank,
            symbols: 0,
            results: used.iter().map(|d| Expr::Dim(self.channels[d])).collect(),
        };
        let identity = Map::identity(rank);
        let outs = empty(&at, weights.ty(), &sizes_of(weights));
        let maps = [identity.clone(), of_channels, identity];
        let parallel = vec![IteratorKind::Parallel; rank];
        let new_weights = generic(&at, &[weights, scale], outs, &maps, &parallel, |inner, x| {
            inner.op("arith.mulf", &[x[0], x[1]], x[0].ty())
        });

        let rank = self.results.len();
        let place = |d: &usize| self.results.iter().position(|it| it == d).expect("a channel");
        let of_start = Map {
            dims: rank,
            symbols: 0,
            results: used.iter().map(|d| Expr::Dim(place(d))).collect(),
        };
        let outs = empty(&at, operands[2].ty(), &sizes_of(operands[2]));
        let maps = [of_start, Map::identity(rank)];
        let parallel = vec![IteratorKind::Parallel; rank];
        let new_start = generic(&at, &[start], outs, &maps, &parallel, |_, x| x[0]);

        let product = self.op.clone_mapped(&[(weights, new_weights), (operands[2], new_start)]);
        at.place(product);
        last.result(0).replace_all_uses_with(product.result(0));
        chain.iter().rev().for_each(|it| it.op.erase());
        self.op.erase();
    }

    /// The loops that index the factors and the start values of the sums, and both.
    fn coefficients(
        &self,
        at: &Builder<'c>,
        chain: &[ScalingOp<'c>],
    ) -> (Vec<usize>, [Value<'c>; 2]) {
        // The inputs of all ops, one after the other.
        let mut inputs: Vec<(Value<'c>, &Map)> = vec![];
        if let StartValues::Computed(op, maps) = &self.start {
            inputs.extend(op.operands().into_iter().zip(maps));
        }
        for it in chain {
            inputs.extend(it.other_inputs().map(|i| (it.op.operand(i), &it.maps[i])));
        }
        let is_used =
            |d: &usize| inputs.iter().any(|(_, map)| map.results.contains(&Expr::Dim(*d)));
        let used: Vec<usize> = (0..self.loops.iterators.len()).filter(is_used).collect();
        let place = |d: usize| Expr::Dim(used.iter().position(|it| *it == d).unwrap_or_default());
        let identity = Map::identity(used.len());
        let mut maps: Vec<Map> = inputs
            .iter()
            .map(|(_, map)| Map { dims: used.len(), ..substituted(map, place) })
            .collect();
        maps.extend([identity.clone(), identity]);
        let values: Vec<Value> = inputs.iter().map(|(value, _)| *value).collect();

        let weights = self.op.operand(self.weights);
        let dims = weights.ty().shaped().expect("weights are tensors").0;
        let sizes: Vec<Option<i64>> = used.iter().map(|d| dims[self.channels[d]]).collect();
        let element = element_of(weights);
        let outs = empty(at, Type::tensor(&sizes, element), &[]);
        let parallel = vec![IteratorKind::Parallel; used.len()];
        let body_of = |inner: &Builder<'c>, elements: &[Value<'c>]| {
            let (shift, mut rest) = self.start.built(inner, elements);
            let mut scaled = [inner.constant(Attribute::float(element, 1.0)), shift];
            for it in chain {
                let (own, others) = rest.split_at(it.maps.len() - 1);
                scaled = it.built(inner, own, scaled);
                rest = others;
            }
            scaled.to_vec()
        };
        let results = generic_of_several(at, &values, &[outs, outs], &maps, &parallel, body_of);
        (used, [results[0], results[1]])
    }
}

impl<'c> StartValues<'c> {
    fn of(
        tensor: Value<'c>,
        results: &[usize],
        channels: &HashMap<usize, usize>,
        fixed: &FixedValues<'c>,
    ) -> Option<StartValues<'c>> {
        let op = tensor.defining_op()?;
        if op.is("linalg.fill") {
            return constant_value(op.operand(0)).map(StartValues::Constant);
        }
        let loops = Structured::of(op)?;
        let body = op.body(0)?;
        let maps: Vec<Map> =
            loops.maps[..loops.inputs].iter().map(|it| of_loops(it, results)).collect();
        let is_end = |op: &Op| op.name() == "linalg.yield";
        let is_broadcast = loops.iterators.iter().all(|kind| *kind == IteratorKind::Parallel)
            && loops.maps[loops.inputs..] == [Map::identity(results.len())]
            && body.arguments().last()?.is_unused()
            && maps.iter().all(|map| is_of_channels(map, channels))
            && body.ops().iter().all(|op| is_arithmetic(*op) || is_end(op))
            && op.operands()[..loops.inputs].iter().all(|it| fixed.contains(*it))
            && outside_values(op)[op.operands().len()..].iter().all(|(it, _)| fixed.contains(*it));
        is_broadcast.then_some(StartValues::Computed(op, maps))
    }

    /// The start value of a sum, and the elements that it is not computed from.
    fn built<'e>(
        &self,
        b: &Builder<'c>,
        elements: &'e [Value<'c>],
    ) -> (Value<'c>, &'e [Value<'c>]) {
        match self {
            StartValues::Constant(value) => (b.constant(*value), elements),
            StartValues::Computed(op, maps) => {
                let (own, rest) = elements.split_at(maps.len());
                let body = op.body(0).expect("checked (C3)");
                let ops = body.ops();
                let (end, ops) = ops.split_last().expect("a body has an end");
                let copies = BodyCopies::of(b, body.arguments(), own, ops);
                (copies.get(end.operand(0)), rest)
            }
        }
    }
}

impl<'c> ScalingOp<'c> {
    fn scales(&self) -> bool {
        self.steps.iter().any(|(step, _)| !matches!(step, ScalingStep::Add | ScalingStep::Subtract))
    }

    fn other_inputs(&self) -> impl Iterator<Item = usize> {
        let place = self.place;
        (0..self.maps.len()).filter(move |i| *i != place)
    }

    /// The scale and the shift after the op, of those before it. `elements` are those of its other inputs.
    fn built(
        &self,
        b: &Builder<'c>,
        elements: &[Value<'c>],
        before: [Value<'c>; 2],
    ) -> [Value<'c>; 2] {
        let arguments = self.op.body(0).expect("checked (C4)").arguments();
        let inputs = self.other_inputs().map(|i| arguments[i]).collect();
        let copies = BodyCopies::of(b, inputs, elements, &self.numbers);
        let two =
            |name: &str, left: Value<'c>, right: Value<'c>| b.op(name, &[left, right], left.ty());
        self.steps.iter().fold(before, |[scale, shift], (step, number)| {
            let number = copies.get(*number);
            match step {
                ScalingStep::Add => [scale, two("arith.addf", shift, number)],
                ScalingStep::Subtract => [scale, two("arith.subf", shift, number)],
                ScalingStep::SubtractFrom => {
                    [b.op("arith.negf", &[scale], scale.ty()), two("arith.subf", number, shift)]
                }
                ScalingStep::Multiply => [scale, shift].map(|it| two("arith.mulf", it, number)),
                ScalingStep::Divide => [scale, shift].map(|it| two("arith.divf", it, number)),
            }
        })
    }
}

/// BodyCopies of ops of a body.
struct BodyCopies<'c>(Vec<(Value<'c>, Value<'c>)>);

impl<'c> BodyCopies<'c> {
    /// BodyCopies ops, with new values for their arguments.
    fn of(
        b: &Builder<'c>,
        old: Vec<Value<'c>>,
        new: &[Value<'c>],
        ops: &[Op<'c>],
    ) -> BodyCopies<'c> {
        let mut copies = BodyCopies(old.into_iter().zip(new.iter().copied()).collect());
        for op in ops {
            let copy = op.clone_mapped(&copies.0);
            b.place(copy);
            copies.0.extend(op.results().into_iter().zip(copy.results()));
        }
        copies
    }

    /// The copy of a value; the value itself, if it is from outside of the body.
    fn get(&self, value: Value<'c>) -> Value<'c> {
        self.0.iter().find(|(old, _)| *old == value).map_or(value, |(_, new)| *new)
    }
}

/// True for an op on scalars that has no effects.
fn is_arithmetic(op: Op) -> bool {
    op.regions().is_empty() && (op.name().starts_with("arith.") || op.name().starts_with("math."))
}

/// True if all indices are loops that index the weights, or zero.
fn is_of_channels(map: &Map, channels: &HashMap<usize, usize>) -> bool {
    map.results.iter().all(|index| match index {
        Expr::Dim(d) => channels.contains_key(d),
        index => *index == Expr::Constant(0),
    })
}

/// A map from the indices of the result as one from the loops of the product.
fn of_loops(map: &Map, results: &[usize]) -> Map {
    substituted(map, |d| Expr::Dim(results[d]))
}

fn substituted(map: &Map, dim: impl Fn(usize) -> Expr) -> Map {
    let results = map.results.iter().map(|it| it.substitute(&dim, &Expr::Symbol)).collect();
    Map { dims: map.dims, symbols: map.symbols, results }
}

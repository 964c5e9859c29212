//! Partial results of a reduction: their initial values and how they are combined.

use crate::dialect::loop_enums::Combiner;
use crate::dialect::loop_op::{BufferView, ScheduleBlock};
use crate::dialect::reducer::{self, arg_update, through_bool, welford};
use crate::dialect::region;
use crate::ir::affine::Expr;
use crate::ir::{Attribute, Block, Builder, Op, Type, TypeKind, Value};

/// The reduction before the rewrite, and the buffers of its partial results.
pub struct PartialReduction<'c> {
    pub old: ScheduleBlock<'c>,
    /// The updates, one for each value of the reducer.
    pub stores: Vec<Op<'c>>,
    pub buffers: Vec<Value<'c>>,
    pub partials: Vec<Value<'c>>,
    /// The indices of the updates, over the iters and sizes of the old block.
    pub places: Vec<Expr>,
    /// For `argmax` and `argmin`: partial results with equal values are combined by the least index.
    pub breaks_ties: bool,
}

impl<'c> PartialReduction<'c> {
    /// Reads a block that a check has accepted; it has no partial results yet.
    pub fn of(old: ScheduleBlock<'c>) -> Self {
        let stores = reducer::updates(&old);
        let places = stores[0].operands()[2..]
            .iter()
            .map(|index| region::index_expr(&old, *index).expect("the check has seen expressions"))
            .collect();
        let buffers = stores.iter().map(|store| store.operand(1)).collect();
        let breaks_ties = arg_update::of_block(&old).is_some_and(|update| update.breaks_ties);
        PartialReduction { buffers, partials: vec![], old, stores, places, breaks_ties }
    }

    /// Rewrites the old block to keep, of equal values, the one with the least index.
    pub fn break_ties(&mut self) {
        arg_update::break_ties(&self.old);
        self.stores = reducer::updates(&self.old);
        self.breaks_ties = true;
    }

    /// The initial value of each partial result.
    pub fn starts(&self, keeps_bits: bool) -> Vec<Attribute<'c>> {
        let reducer = self.old.reducer.as_ref().expect("the check has seen a reducer");
        let combiners = reducer.combiners.iter().flat_map(|c| std::iter::repeat_n(*c, c.arity()));
        let pairs = reducer.identities.iter().zip(combiners).enumerate();
        let mut starts: Vec<_> = pairs
            .map(|(i, (identity, combiner))| {
                let of_all = arg_update::start(&self.old, i).filter(|_| !keeps_bits);
                start(*identity, combiner, keeps_bits, of_all)
            })
            .collect();
        if self.breaks_ties {
            // Neither an index that the reduction has not seen nor a value equal to the start value may be
            // selected.
            let ty = starts[1].ty();
            let of_start = arg_update::start(&self.old, 1);
            starts[1] = of_start.unwrap_or_else(|| arg_update::last_index(ty));
        }
        starts
    }

    /// The new value that each update combines with the old one. `None` if a combiner combines a value in
    /// another way than partial results: a mean with a single value, or an arg reduction that keeps the
    /// first of equal values.
    pub fn joined(&self) -> Option<Vec<Value<'c>>> {
        let reducer = self.old.reducer.as_ref()?;
        let new: Vec<_> = self.stores.iter().map(|store| store.operand(0)).collect();
        let mut values = vec![];
        for combiner in &reducer.combiners {
            let i = values.len();
            match combiner {
                Combiner::Welford => {
                    let old = |value| self.old_value(value).filter(|j| *j >= i).map(|j| j - i);
                    let new = [*new.get(i)?, *new.get(i + 1)?, *new.get(i + 2)?];
                    values.extend(welford::merged(new, &old)?);
                }
                Combiner::ArgMax | Combiner::ArgMin => {
                    let found = arg_update::of_block(&self.old).filter(|e| e.breaks_ties)?;
                    values.extend([found.x, found.k]);
                }
                _ if combiner.arity() == 1 => values.push(self.joined_with(*new.get(i)?, i)?),
                _ => return None,
            }
        }
        Some(values)
    }

    fn old_value(&self, value: Value<'c>) -> Option<usize> {
        reducer::old_value(&self.old, &self.stores, value)
    }

    /// The operand that a combiner of one value combines with the old value.
    fn joined_with(&self, new: Value<'c>, i: usize) -> Option<Value<'c>> {
        let op = through_bool(new).defining_op()?;
        let is_old = |value: &Value<'c>| self.old_value(through_bool(*value)) == Some(i);
        op.operands().into_iter().find(|value| !is_old(value))
    }

    /// The indices of an update in a new block with the spatial iters. With `factor`, they are the indices
    /// in a buffer of partial results.
    pub fn indices(
        &self,
        block: &ScheduleBlock<'c>,
        factor: Option<(usize, Value<'c>)>,
        at: Builder<'c>,
    ) -> Vec<Value<'c>> {
        let variables: Vec<_> = block.iters.iter().map(|iter| iter.variable).collect();
        let place = |i: usize| {
            let name = &self.old.iters[i].name;
            let place = block.iters.iter().position(|iter| iter.name == *name);
            Expr::Dim(place.expect("both steps have the spatial iters"))
        };
        let apply =
            |e: &Expr| at.apply(&e.substitute(&place, &Expr::Symbol), &variables, &self.old.sizes);
        let mut indices: Vec<_> = self.places.iter().map(apply).collect();
        if let Some((axis, value)) = factor {
            indices.insert(axis, value);
        }
        indices
    }
}

/// Inserts a buffer before the first nest, or after the definition of its sizes if that is later.
pub fn place_buffer<'c>(body: Block<'c>, buffer: Op<'c>) {
    let ops = body.ops();
    let is_nest = |op: &Op| op.name().starts_with("loop.") && !op.is(BufferView::NAME);
    let nest = ops.iter().position(is_nest).expect("there is a nest");
    let operands = buffer.operands();
    let defines = |op: &Op<'c>| op.results().iter().any(|result| operands.contains(result));
    let place = ops.iter().rposition(defines).map_or(nest, |last| nest.max(last + 1));
    body.insert_before(ops[place], buffer);
}

/// The initial value of a partial result: the stated identity, with two exceptions. `maxnum` and `minnum`
/// start from NaN, because their stated infinity would hide that all values are NaN, while NaN is neutral. If the
/// whole reduction starts from a known number, they start from that number, which may be combined several times.
/// A float sum that must keep bits starts from -0, because 0 would change a value of -0.
fn start<'c>(
    identity: Attribute<'c>,
    combiner: Combiner,
    keeps_bits: bool,
    of_all: Option<Attribute<'c>>,
) -> Attribute<'c> {
    let ty = identity.ty();
    match combiner {
        Combiner::MaxNum | Combiner::MinNum => {
            of_all.unwrap_or_else(|| Attribute::float(ty, f64::NAN))
        }
        Combiner::Add if keeps_bits && matches!(ty.kind(), TypeKind::Float(_)) => {
            Attribute::float(ty, -0.0)
        }
        _ => identity,
    }
}

/// Combines the old values with the partial results by the old block's combiners.
pub struct Joining<'r, 'c> {
    pub reduction: &'r PartialReduction<'c>,
    pub old_values: Vec<Value<'c>>,
    pub parts: Vec<Value<'c>>,
    pub at: Builder<'c>,
}

impl<'c> Joining<'_, 'c> {
    /// The new values, one for each partial result.
    pub fn values(&self) -> Vec<Value<'c>> {
        let reduction = self.reduction;
        let reducer = reduction.old.reducer.as_ref().expect("the check has seen a reducer");
        let new: Vec<_> = reduction.stores.iter().map(|store| store.operand(0)).collect();
        let mut values = vec![];
        for combiner in &reducer.combiners {
            let i = values.len();
            if *combiner == Combiner::Welford {
                let of = |values: &[Value<'c>]| [values[i], values[i + 1], values[i + 2]];
                values.extend(welford::merge(of(&self.old_values), of(&self.parts), self.at));
                continue;
            }
            // Maps each operand that the old block combines with an old value to its partial result.
            let mut known = match combiner.arity() {
                1 => {
                    let value = reduction.joined_with(new[i], i);
                    vec![(value.expect("a known combiner"), i)]
                }
                _ => {
                    let found = arg_update::of_block(&reduction.old).expect("a known combiner");
                    vec![(found.x, i), (found.k, i + 1)]
                }
            }
            .into_iter()
            .map(|(value, part)| (value, self.as_type(self.parts[part], value.ty())))
            .collect();
            values.extend(new[i..i + combiner.arity()].iter().map(|v| self.copy(*v, &mut known)));
        }
        values
    }

    /// Booleans are stored as i8.
    fn as_type(&self, value: Value<'c>, ty: Type<'c>) -> Value<'c> {
        match value.ty() == ty {
            true => value,
            false => self.at.op("arith.trunci", &[value], ty),
        }
    }

    /// Copies the computation of a value of the old body, with the known values replaced.
    fn copy(&self, value: Value<'c>, known: &mut Vec<(Value<'c>, Value<'c>)>) -> Value<'c> {
        if let Some((_, copy)) = known.iter().find(|(from, _)| *from == value) {
            return *copy;
        }
        if let Some(i) = self.reduction.old_value(value) {
            return self.old_values[i];
        }
        let op = value.defining_op().expect("a known combiner is of ops");
        let mapping: Vec<_> =
            op.operands().into_iter().map(|operand| (operand, self.copy(operand, known))).collect();
        let copy = op.clone_mapped(&mapping);
        self.at.place(copy);
        known.extend(op.results().into_iter().zip(copy.results()));
        copy.result(value.index())
    }
}

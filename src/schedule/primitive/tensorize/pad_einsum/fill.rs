//! Chooses the values that the inputs of an einsum are padded with.
//!
//! An instance beyond the extent of a reduce iter reads padding in all inputs that this iter indexes. The value that it
//! combines is evaluated from these padding values. If that value is an identity of the combiner, whatever the other
//! loads return, the padding is neutral. Float values are followed only where no rounding can change them.

use super::{EinsumIndex, PaddedCopy, PaddedSide, Plan};
use crate::dialect::contract::Contract;
use crate::dialect::loop_enums::{Combiner, IterRole};
use crate::dialect::loop_op::ScheduleBlock;
use crate::dialect::reducer::arg_update;
use crate::ir::{Attribute, Op, Type, TypeKind, Value};
use crate::nest::partial_result::PartialReduction;
use crate::nest::state::State;
use crate::schedule::verdict::Verdict;
use std::collections::HashMap;

/// The maximum number of choices that are tried.
const CHOICES: usize = 4096;

/// A value in the body, if it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FillValue {
    /// An integer of that many bits, sign-extended.
    Integer(u32, i64),
    Float(f64),
    Unknown,
}

/// The padding values of the inputs of a plan, and whether they are proved to change nothing.
pub(crate) fn of<'c>(
    state: &State<'c>,
    view: &ScheduleBlock<'c>,
    plan: &Plan,
) -> (Vec<Attribute<'c>>, Verdict) {
    let types: Vec<Type<'c>> = plan.inputs.iter().map(|input| element(state, input)).collect();
    let zeros = types.iter().map(|ty| number(*ty, 0.0)).collect();
    let reduce: Vec<usize> = (0..plan.axes.len())
        .filter(|i| plan.axes[*i].is_padded && plan.axes[*i].role == IterRole::Reduce)
        .collect();
    let Some(reducer) = view.reducer.as_ref().filter(|_| !reduce.is_empty()) else {
        return (zeros, Verdict::Proved);
    };
    let combiner = reducer.combiners[0];
    let reduction =
        PartialReduction::of(ScheduleBlock::of(view.op).expect("a verified schedule block"));
    let joined = reduction.joined().and_then(|values| values.first().copied());
    let Some(joined) = joined else { return (zeros, Verdict::of(false)) };
    let body = FillBody { state, view, plan };
    let start = arg_update::start(view, 0).and_then(Attribute::as_f64);
    let is_strict = state.summary().contract == Contract::Strict;
    let is_neutral = |choice: &[Attribute<'c>]| {
        reduce.iter().all(|iter| {
            let mut known = HashMap::new();
            let value = body.value(joined, *iter, choice, &mut known);
            changes_nothing(combiner, joined.ty(), value, start, is_strict)
        })
    };
    let numbers = body.numbers(joined);
    let candidates: Vec<Vec<Attribute>> =
        types.iter().map(|ty| candidates(*ty, &numbers)).collect();
    let most = candidates.iter().map(Vec::len).max().unwrap_or(0);
    // First the same candidate in all inputs.
    for i in 0..most {
        let same: Option<Vec<_>> = candidates.iter().map(|of| of.get(i).copied()).collect();
        if let Some(same) = same.filter(|same| is_neutral(same)) {
            return (same, Verdict::Proved);
        }
    }
    let choices: usize = candidates.iter().map(Vec::len).fold(1, usize::saturating_mul);
    for mut choice in 0..choices.min(CHOICES) {
        let pick = |of: &Vec<Attribute<'c>>| {
            let picked = of[choice % of.len()];
            choice /= of.len();
            picked
        };
        let values: Vec<Attribute> = candidates.iter().map(pick).collect();
        if is_neutral(&values) {
            return (values, Verdict::Proved);
        }
    }
    // Otherwise the identities of the combiner, unproved.
    let likely = types.iter().map(|ty| combiner.identities(&[*ty])[0]).collect();
    (likely, Verdict::of(false))
}

fn element<'c>(state: &State<'c>, input: &PaddedCopy) -> Type<'c> {
    state.buffer(input.buffer).ty().shaped().expect("buffers are row-major memrefs").1
}

fn number(ty: Type, value: f64) -> Attribute {
    match ty.kind() {
        TypeKind::Float(_) => Attribute::float(ty, value),
        _ => Attribute::integer(ty, value as i64),
    }
}

/// Candidates for the padding value of an input, the most likely first.
fn candidates<'c>(ty: Type<'c>, numbers: &[Attribute<'c>]) -> Vec<Attribute<'c>> {
    let extremes = [Combiner::Max, Combiner::Min].map(|combiner| combiner.identities(&[ty])[0]);
    let mut found = vec![number(ty, 0.0), number(ty, 1.0)];
    found.extend(extremes);
    match ty.kind() {
        TypeKind::Float(_) => {
            found.push(number(ty, -0.0));
            let of_floats = numbers.iter().filter_map(|number| number.as_f64());
            found.extend(of_floats.map(|value| Attribute::float(ty, value)));
        }
        TypeKind::Integer(bits) => {
            found.push(number(ty, -1.0));
            let of_integers = numbers.iter().filter_map(|number| number.as_i64());
            let fits = |value: &i64| signed(bits, *value) == *value;
            found.extend(of_integers.filter(fits).map(|value| Attribute::integer(ty, value)));
        }
        _ => {}
    }
    found
}

/// True if combining any value with this one leaves it unchanged. `start` is the start value of a float reduction, if
/// it is constant.
fn changes_nothing(
    combiner: Combiner,
    ty: Type,
    value: FillValue,
    start: Option<f64>,
    is_strict: bool,
) -> bool {
    match (combiner, value) {
        // Adding to a value other than -0 never gives -0.
        (Combiner::Add, FillValue::Float(value)) => {
            let never_minus_zero = start.is_some_and(|start| start != 0.0 || !sign(start));
            value == 0.0 && (sign(value) || never_minus_zero || !is_strict)
        }
        (Combiner::Mul, FillValue::Float(value)) => value == 1.0,
        (Combiner::Max, FillValue::Float(value)) => value == f64::NEG_INFINITY,
        (Combiner::Min, FillValue::Float(value)) => value == f64::INFINITY,
        // Combining numbers never gives a NaN.
        (Combiner::MaxNum, FillValue::Float(value)) => {
            value == f64::NEG_INFINITY && start.is_some_and(|start| !start.is_nan())
        }
        (Combiner::MinNum, FillValue::Float(value)) => {
            value == f64::INFINITY && start.is_some_and(|start| !start.is_nan())
        }
        (_, FillValue::Integer(bits, value)) => combiner
            .identities(&[ty])
            .first()
            .and_then(|identity| identity.as_i64())
            .is_some_and(|identity| signed(bits, identity) == value),
        _ => false,
    }
}

fn sign(value: f64) -> bool {
    value.is_sign_negative()
}

/// The low bits of a number, sign-extended.
fn signed(bits: u32, value: i64) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    (value << unused) >> unused
}

/// The low bits of a number, zero-extended.
fn unsigned(bits: u32, value: i64) -> i128 {
    i128::from(value) & ((1_i128 << bits) - 1)
}

struct FillBody<'a, 'c> {
    state: &'a State<'c>,
    view: &'a ScheduleBlock<'c>,
    plan: &'a Plan,
}

impl<'c> FillBody<'_, 'c> {
    /// The constants that a value is computed from.
    fn numbers(&self, value: Value<'c>) -> Vec<Attribute<'c>> {
        let (mut found, mut seen, mut open) = (vec![], vec![value], vec![value]);
        while let Some(value) = open.pop() {
            let Some(op) = value.defining_op() else { continue };
            if op.is("arith.constant") {
                found.extend(op.attribute("value").filter(|value| !found.contains(value)));
            } else if !op.is("memref.load") {
                for operand in op.operands() {
                    if !seen.contains(&operand) {
                        seen.push(operand);
                        open.push(operand);
                    }
                }
            }
        }
        found
    }

    /// The value in an instance beyond the extent of `iter`, with inputs padded with `fills`.
    fn value(
        &self,
        value: Value<'c>,
        iter: usize,
        fills: &[Attribute<'c>],
        known: &mut HashMap<Value<'c>, FillValue>,
    ) -> FillValue {
        if let Some(known) = known.get(&value) {
            return *known;
        }
        let found = match value.defining_op() {
            Some(op) if op.is("memref.load") => match self.plan.copied(self.state, self.view, op) {
                Some(PaddedSide::Input(i))
                    if self.plan.inputs[i].at.contains(&EinsumIndex::Iter(iter)) =>
                {
                    of_attribute(fills[i])
                }
                _ => FillValue::Unknown,
            },
            Some(op) if op.is("arith.constant") => {
                op.attribute("value").map_or(FillValue::Unknown, of_attribute)
            }
            Some(op) if op.results().len() == 1 && op.regions().is_empty() => {
                let operands: Vec<FillValue> = op
                    .operands()
                    .into_iter()
                    .map(|operand| self.value(operand, iter, fills, known))
                    .collect();
                computed(op, &operands)
            }
            _ => FillValue::Unknown,
        };
        known.insert(value, found);
        found
    }
}

fn of_attribute(value: Attribute) -> FillValue {
    match value.ty().kind() {
        TypeKind::Float(_) => value.as_f64().map_or(FillValue::Unknown, FillValue::Float),
        TypeKind::Integer(bits @ 1..=64) => {
            let number = value.as_i64().map(|number| signed(bits, number));
            number.map_or(FillValue::Unknown, |number| FillValue::Integer(bits, number))
        }
        _ => FillValue::Unknown,
    }
}

/// Evaluates an op on known values.
fn computed(op: Op, operands: &[FillValue]) -> FillValue {
    let name = op.name();
    let integer = |value: i128| match op.result(0).ty().kind() {
        TypeKind::Integer(bits @ 1..=64) => FillValue::Integer(bits, signed(bits, value as i64)),
        _ => FillValue::Unknown,
    };
    // Only values that every float type represents exactly.
    let float = |value: f64| match value {
        value if value == 0.0 || value.abs() == 1.0 || value.is_infinite() => {
            FillValue::Float(value)
        }
        _ => FillValue::Unknown,
    };
    match (name, operands) {
        (
            "arith.muli" | "arith.andi",
            [FillValue::Integer(_, 0), _] | [_, FillValue::Integer(_, 0)],
        ) => integer(0),
        ("arith.ori", [FillValue::Integer(_, -1), _] | [_, FillValue::Integer(_, -1)]) => {
            integer(-1)
        }
        (_, [FillValue::Integer(bits, a), FillValue::Integer(_, b)]) => {
            let (x, y) = (i128::from(*a), i128::from(*b));
            let (ux, uy) = (unsigned(*bits, *a), unsigned(*bits, *b));
            match name {
                "arith.addi" => integer(x + y),
                "arith.subi" => integer(x - y),
                "arith.muli" => integer(x * y),
                "arith.andi" => integer(x & y),
                "arith.ori" => integer(x | y),
                "arith.xori" => integer(x ^ y),
                "arith.maxsi" => integer(x.max(y)),
                "arith.minsi" => integer(x.min(y)),
                "arith.maxui" => integer(ux.max(uy)),
                "arith.minui" => integer(ux.min(uy)),
                _ => FillValue::Unknown,
            }
        }
        ("arith.extsi" | "arith.trunci", [FillValue::Integer(_, a)]) => integer((*a).into()),
        ("arith.extui", [FillValue::Integer(bits, a)]) => integer(unsigned(*bits, *a)),
        ("arith.sitofp", [FillValue::Integer(_, a)]) => float(*a as f64),
        ("arith.uitofp", [FillValue::Integer(bits, a)]) => float(unsigned(*bits, *a) as f64),
        ("arith.extf" | "arith.truncf", [FillValue::Float(a)]) => float(*a),
        ("arith.negf", [FillValue::Float(a)]) => float(-a),
        ("arith.addf", [FillValue::Float(a), FillValue::Float(b)]) => float(a + b),
        ("arith.subf", [FillValue::Float(a), FillValue::Float(b)]) => float(a - b),
        ("arith.mulf", [FillValue::Float(a), FillValue::Float(b)]) => float(a * b),
        _ => FillValue::Unknown,
    }
}

//! Reducers: recognises how a body combines the old value with a new one, and gives the identities.

pub(crate) mod arg_update;
pub(crate) mod update;
pub(crate) mod welford;

use super::loop_enums::Combiner;
use super::loop_op::{Reducer, ScheduleBlock};
use super::region;
use crate::ir::{Attribute, Op, Type, TypeKind, Value, is_inside, walk};
use std::collections::HashSet;

impl Combiner {
    /// The number of values that it combines at once; `ordered` combines all of its block's.
    pub fn arity(self) -> usize {
        match self {
            Combiner::Ordered => 0,
            Combiner::ArgMax | Combiner::ArgMin => 2,
            Combiner::Welford => 3,
            _ => 1,
        }
    }

    /// The identities, for values of these types as they are in memory.
    pub fn identities<'c>(self, types: &[Type<'c>]) -> Vec<Attribute<'c>> {
        let lowest = |ty| limit_of_type(ty, true);
        let highest = |ty| limit_of_type(ty, false);
        match self {
            Combiner::Ordered => vec![],
            Combiner::Add | Combiner::Or | Combiner::Xor | Combiner::MaxU => {
                vec![number(types[0], 0)]
            }
            Combiner::Mul => vec![number(types[0], 1)],
            Combiner::Max | Combiner::MaxNum => vec![lowest(types[0])],
            Combiner::Min | Combiner::MinNum => vec![highest(types[0])],
            Combiner::MinU | Combiner::And => vec![number(types[0], -1)],
            Combiner::ArgMax => vec![lowest(types[0]), number(types[1], 0)],
            Combiner::ArgMin => vec![highest(types[0]), number(types[1], 0)],
            Combiner::Welford => types[..3].iter().map(|ty| number(*ty, 0)).collect(),
        }
    }
}

fn number(ty: Type, value: i64) -> Attribute {
    match ty.kind() {
        TypeKind::Float(_) => Attribute::float(ty, value as f64),
        _ => Attribute::integer(ty, value),
    }
}

/// The smallest or largest value of a type; for floats, an infinity.
fn limit_of_type(ty: Type, lowest: bool) -> Attribute {
    match ty.kind() {
        TypeKind::Float(_) => {
            Attribute::float(ty, if lowest { f64::NEG_INFINITY } else { f64::INFINITY })
        }
        TypeKind::Integer(bits @ 1..=64) => {
            let min = i64::MIN >> (64 - bits);
            Attribute::integer(ty, if lowest { min } else { !min })
        }
        _ => Attribute::integer(ty, if lowest { i64::MIN } else { i64::MAX }),
    }
}

/// The combiners of a body that replaces its old values by `new`. `old(v)` returns the number of the old value that `v`
/// is, if it is one. `None` if some value is not combined by a known combiner.
pub fn recognize<'c>(
    new: &[Value<'c>],
    old: &dyn Fn(Value<'c>) -> Option<usize>,
) -> Option<Vec<Combiner>> {
    let alone = |(i, value): (usize, &Value<'c>)| single(*value, i, old);
    if let Some(all) = new.iter().enumerate().map(alone).collect::<Option<Vec<_>>>() {
        return Some(all);
    }
    match new {
        [value, index] => arg_update::of(*value, *index, old).map(|found| vec![found.combiner]),
        [mean, squares, count] => {
            let is_known = welford::is_update([*mean, *squares, *count], old)
                || welford::merged([*mean, *squares, *count], old).is_some();
            is_known.then(|| vec![Combiner::Welford])
        }
        _ => None,
    }
}

/// The identities of these combiners for values of these types.
pub fn identities<'c>(combiners: &[Combiner], types: &[Type<'c>]) -> Vec<Attribute<'c>> {
    let mut rest = types;
    let mut all = vec![];
    for combiner in combiners {
        let (mine, others) = rest.split_at(combiner.arity().min(rest.len()));
        if mine.len() == combiner.arity() {
            all.extend(combiner.identities(mine));
        }
        rest = others;
    }
    all
}

/// Matches `new = combine(old i, x)` where x depends on no old value.
fn single<'c>(
    new: Value<'c>,
    i: usize,
    old: &dyn Fn(Value<'c>) -> Option<usize>,
) -> Option<Combiner> {
    let op = through_bool(new).defining_op()?;
    let is_bool = op.results().len() == 1 && op.result(0).ty().kind() == TypeKind::Integer(1);
    let combiner = match op.name() {
        "arith.andi" => Combiner::And,
        "arith.ori" => Combiner::Or,
        "arith.xori" => Combiner::Xor,
        // On i1 the other ops have a different meaning, which no caller expects.
        _ if is_bool => return None,
        "arith.addf" | "arith.addi" => Combiner::Add,
        "arith.mulf" | "arith.muli" => Combiner::Mul,
        "arith.maximumf" | "arith.maxsi" => Combiner::Max,
        "arith.minimumf" | "arith.minsi" => Combiner::Min,
        "arith.maxnumf" => Combiner::MaxNum,
        "arith.minnumf" => Combiner::MinNum,
        "arith.maxui" => Combiner::MaxU,
        "arith.minui" => Combiner::MinU,
        _ => return None,
    };
    let [left, right] = op.operands()[..] else { return None };
    let other = match (old(through_bool(left)), old(through_bool(right))) {
        (Some(j), None) if j == i => right,
        (None, Some(j)) if j == i => left,
        _ => return None,
    };
    (!depends(other, old)).then_some(combiner)
}

/// True if a value depends on an old value.
pub fn depends<'c>(value: Value<'c>, old: &dyn Fn(Value<'c>) -> Option<usize>) -> bool {
    // Each value is visited once: before dominance is checked, a value may be computed from itself.
    let mut seen = HashSet::from([value]);
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if old(value).is_some() {
            return true;
        }
        let operands = value.defining_op().map(|op| op.operands()).unwrap_or_default();
        open.extend(operands.into_iter().filter(|v| seen.insert(*v)));
    }
    false
}

/// The stores of the updates of a reduction, in the order of its values.
pub fn updates<'c>(block: &ScheduleBlock<'c>) -> Vec<Op<'c>> {
    let init = block.init();
    let in_init = |op: &Op<'c>| init.is_some_and(|init| is_inside(*op, init));
    let ops = walk(block.op).into_iter();
    ops.filter(|op| op.is("memref.store") && !in_init(op)).collect()
}

/// The number of the old value that a value is: a load of the element that one of the `stores` writes.
pub fn old_value<'c>(
    block: &ScheduleBlock<'c>,
    stores: &[Op<'c>],
    value: Value<'c>,
) -> Option<usize> {
    let load = value.defining_op().filter(|op| op.is("memref.load"))?;
    stores.iter().position(|store| region::same_cell(block, load, *store))
}

/// The first combiner of a reduction whose stated identity is not neutral.
pub fn without_identity<'c>(block: &ScheduleBlock<'c>, reducer: &Reducer<'c>) -> Option<Combiner> {
    let stores = updates(block);
    let mut first = 0;
    for combiner in &reducer.combiners {
        let stated = reducer.identities.get(first..first + combiner.arity());
        let Some([stated, others @ ..]) = stated else { return Some(*combiner) };
        // The mean of no values is three zeros; the index of an arg reduction may start from any value.
        if *combiner == Combiner::Welford && others.iter().any(|zero| zero.as_f64() != Some(0.0)) {
            return Some(*combiner);
        }
        let types: Vec<_> = reducer.identities[first..].iter().map(|i| i.ty()).collect();
        let neutral = combiner.identities(&types)[0];
        let is_bool = stores.get(first).is_some_and(|s| through_bool(s.operand(0)) != s.operand(0));
        let is_neutral = match stated.ty().kind() {
            TypeKind::Float(_) => stated.as_f64() == neutral.as_f64(),
            _ => {
                stated.as_i64() == neutral.as_i64()
                    // The boolean true.
                    || is_bool && neutral.as_i64() == Some(-1) && stated.as_i64() == Some(1)
            }
        };
        if !is_neutral {
            return Some(*combiner);
        }
        first += combiner.arity();
    }
    None
}

/// Booleans are i8 in memory: returns the value before `extui` or `trunci` between i8 and i1.
pub fn through_bool(value: Value) -> Value {
    let is_bool = |v: Value| v.ty().kind() == TypeKind::Integer(1);
    match value.defining_op() {
        Some(op) if op.is("arith.extui") && is_bool(op.operand(0)) => op.operand(0),
        Some(op) if op.is("arith.trunci") && is_bool(value) => op.operand(0),
        _ => value,
    }
}

/// The reduction identity of a boolean that is kept as i8: there, all ones is 1.
pub fn stored_identities<'c>(
    combiners: &[Combiner],
    types: &[Type<'c>],
    is_bool: &[bool],
) -> Vec<Attribute<'c>> {
    let mut all = identities(combiners, types);
    for ((identity, ty), is_bool) in all.iter_mut().zip(types).zip(is_bool) {
        if *is_bool && identity.as_i64() == Some(-1) {
            *identity = Attribute::integer(*ty, 1);
        }
    }
    all
}

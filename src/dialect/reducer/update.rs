//! Reduction updates of single elements: what one atomic read-modify-write instruction does.
//!
//! ```text
//! %old = memref.load %C[%i]   %new = arith.addf %old, %x   memref.store %new, %C[%i]
//! ```

use super::{old_value, single, through_bool, updates};
use crate::dialect::annotation;
use crate::dialect::loop_enums::Combiner;
use crate::dialect::loop_op::ScheduleBlock;
use crate::ir::{Op, Value, walk};

/// The annotation of a schedule block whose updates are atomic; its value is true.
pub const ATOMIC: &str = "atomic";

/// An update of a reduction that consists of one load, one op and one store of an element.
#[derive(Clone, Debug)]
pub struct Update<'c> {
    pub combiner: Combiner,
    /// The load of the old value, and the ops from it to the new value.
    pub ops: Vec<Op<'c>>,
    /// The value that is combined with the old value; an i1 if the element is boolean.
    pub value: Value<'c>,
    pub store: Op<'c>,
}

impl<'c> Update<'c> {
    /// The updates of a schedule block, if they contain all its stores and all its loads of the stored buffers;
    /// otherwise the reason why not.
    pub fn all(block: &ScheduleBlock<'c>) -> Result<Vec<Update<'c>>, String> {
        let stores = updates(block);
        if stores.is_empty() {
            return Err("it stores nothing".into());
        }
        let found: Vec<Update> =
            (0..stores.len()).map(|i| Self::of(block, &stores, i)).collect::<Result<_, _>>()?;
        let buffers: Vec<Value> = stores.iter().map(|store| store.operand(1)).collect();
        let is_old = |op: &Op| found.iter().any(|update| update.ops.contains(op));
        let is_other =
            |op: &Op<'c>| op.is("memref.load") && buffers.contains(&op.operand(0)) && !is_old(op);
        match walk(block.op).iter().any(is_other) {
            true => Err("it reads a buffer that it updates, other than for the update".into()),
            false => Ok(found),
        }
    }

    /// The updates of a schedule block that has the annotation [`ATOMIC`]; empty if they cannot be atomic.
    pub fn atomic(block: &ScheduleBlock<'c>) -> Vec<Update<'c>> {
        let is_said = annotation::keys(block.op).iter().any(|key| key == ATOMIC);
        match is_said && !block.is_nest() && block.init().is_none() {
            true => Self::all(block).unwrap_or_default(),
            false => vec![],
        }
    }

    fn of(block: &ScheduleBlock<'c>, stores: &[Op<'c>], i: usize) -> Result<Update<'c>, String> {
        let store = stores[i];
        if store.block() != Some(block.body) {
            return Err("it stores under a condition".into());
        }
        let old = |value| old_value(block, stores, value);
        let new = store.operand(0);
        let combiner = single(new, i, &old);
        let combiner = combiner.ok_or(
            "the stored value is not the result of one op on the old value and another value",
        )?;
        let joined = through_bool(new);
        let op = joined.defining_op().expect("a combiner");
        let is_old = |value: &Value<'c>| old(through_bool(*value)) == Some(i);
        let operands = op.operands();
        let (olds, others): (Vec<Value>, Vec<Value>) = operands.into_iter().partition(is_old);
        let mut ops = vec![];
        for value in [through_bool(olds[0]), olds[0], joined, new] {
            let op = value.defining_op().expect("a load, or computed from it");
            if !ops.contains(&op) {
                ops.push(op);
            }
        }
        if ops.iter().any(|op| op.result(0).uses().len() != 1) {
            return Err("it uses the old or the new value twice".into());
        }
        Ok(Update { combiner, ops, value: others[0], store })
    }
}

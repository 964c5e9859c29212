//! `annotate`: attach a key-value annotation to a loop or schedule block, for later passes and lowerings.
//!
//! ```text
//! loop.for serial %j in 32 { .. }
//!   ->  annotate "C:j" key "pragma" value 4
//! loop.for serial %j in 32 attributes {loop.annotations = {pragma = 4}} { .. }
//! ```
//! Requires
//! - (C1) the target is a loop or a schedule block
//! - (C2) the key consists of letters, digits, `_`, `$`, `-` and `.`, and starts with a letter or `_`. The key
//!   [`atomic`](crate::schedule::primitive::reduction::atomic) is excluded, because the step of that name checks more conditions
//! - (C3) the target does not already have an annotation with this key: [`unannotate`](super::unannotate) removes one
//!
//! The CPU lowering handles the key `nontemporal` on a schedule block: stores of the block bypass the caches if they
//! are whole vectors that are proved to be aligned; for other stores it emits a remark. The GPU lowering handles the
//! key `async_copy` on a schedule block that copies from global to shared memory: the threads continue while the copy
//! is in progress, and wait for it before the next barrier. See `inject-async-copy`.
//!
//! The step changes only the annotation. All primitives keep annotations on their ops. `split` and `fuse` refuse
//! annotated loops, because they replace the loops by new ones. Lowering emits a remark for an annotation that it does
//! not know.

use crate::dialect::annotation;
use crate::dialect::reducer::update::ATOMIC;
use crate::ir::{Attribute, Type};
use crate::nest::state::State;
use crate::nest::summary::{NodeId, NodeKind, Summary};
use crate::schedule::error::{AtomicReason, Reason, ScheduleError};
use crate::schedule::instruction::Literal;
use crate::schedule::name;
use crate::schedule::primitive::declaration::primitive;

primitive! {
    "Annotate a loop or schedule block for later passes and lowerings"
    annotate(
        target: Target,
        key: Word = KEY,
        value: Literal = "A whole number, true, false, or text"
    ) -> ();
    near_atomic;
    |state| annotate(state, target, key, value)
}

/// The summary of a parameter `key`.
pub(crate) const KEY: &str = "The key of the annotation";

/// Annotates `target`. On an error the IR is unchanged.
pub fn annotate(
    state: &mut State,
    target: &str,
    key: &str,
    value: &Literal,
) -> Result<(), ScheduleError> {
    let node = check(state.summary(), target, key)?;
    let context = state.context();
    let integer = |bits, value| Attribute::integer(Type::integer(context, bits), value);
    let value = match value {
        Literal::Integer(value) => integer(64, *value),
        Literal::Bool(value) => integer(1, (*value).into()),
        Literal::Text(text) => Attribute::string(context, text),
    };
    annotation::set(state.op(node), key, Some(value));
    Ok(())
}

pub fn check(summary: &Summary, target: &str, key: &str) -> Result<NodeId, ScheduleError> {
    let node = name::target(summary, target)?;
    if !annotation::is_key(key) {
        return Err(Reason::BadKey(key.to_owned()).at(node, 2));
    }
    if key == ATOMIC {
        return Err(AtomicReason::Key.at(node, 2));
    }
    match keys(summary, node).iter().any(|other| other == key) {
        true => Err(Reason::KeyTaken(summary.name(node), key.to_owned()).at(node, 3)),
        false => Ok(node),
    }
}

/// The annotation keys of a loop or schedule block.
pub(crate) fn keys(summary: &Summary, node: NodeId) -> &[String] {
    match &summary.nodes[node].kind {
        NodeKind::Loop(this) => &this.annotations,
        NodeKind::Block(this) => &this.annotations,
        _ => &[],
    }
}

//! Schedule traces: the recorded steps of a schedule, as instructions.
//!
//! A trace has three equivalent spellings: a transform [`script`], [`json`], and Rust calls ([`rust`]). A
//! script replays in `lw-opt`, and in stock `mlir-opt` with the plugin; JSON replays wherever this package takes a
//! script. `version` is the version of the semantics of the primitives. `hash` identifies the function that the trace
//! was made from; it is only a hint, because a trace may be replayed on a function of other shapes.

pub(super) mod argument;
pub mod diff;
pub mod json;
mod minimize;
pub mod observer;
mod replay;
mod rust;
pub(crate) mod script;
mod source;
mod space;

pub use minimize::minimize;
pub(super) use replay::function;
pub use replay::{replay, replay_observed};
pub use script::{MachineKind, default_script};
pub use source::{Spelling, TraceSource, is_json, read, read_bytes};
pub use space::{TraceDecision, redraw, space};

use super::instruction::Instruction;
use crate::ir::{Attribute, Error, Op, remark};
use sha2::{Digest, Sha256};

/// The version of traces that this package writes; it reads no other version.
pub const VERSION: i64 = 1;

/// The steps of a schedule, and the function that they start from.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The name of the function.
    pub function: String,
    /// The [`structural_hash`] of the function before the first step, if it is known.
    pub hash: Option<String>,
    /// The steps, in order.
    pub instructions: Vec<Instruction>,
}

impl Trace {
    /// The empty trace of a function.
    pub fn start(function: Op) -> Trace {
        let name = function.symbol_name().unwrap_or_default();
        let hash = Some(structural_hash(function));
        Trace { function: name.to_owned(), hash, instructions: vec![] }
    }
}

/// A structural hash of a function: of its text without locations, as 16 hexadecimal digits.
pub fn structural_hash(function: Op) -> String {
    let digest = Sha256::digest(function.local_text());
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Emits a remark if a trace was made for another function than this one.
pub(super) fn remark_other_hash(function: Op, what: &str, hash: Option<&str>) {
    let found = structural_hash(function);
    if let Some(hash) = hash.filter(|hash| *hash != found) {
        let message = format!(
            "the {what} was made for another function: its hash is {hash}, here it is {found}"
        );
        remark(function.location(), &message);
    }
}

/// Refuses a `transform.sched.function` of another version.
pub(super) fn check_version<'c>(op: Op<'c>) -> Result<(), Error<'c>> {
    let version = op.attribute("version").and_then(Attribute::as_i64).unwrap_or(VERSION);
    if version == VERSION {
        return Ok(());
    }
    let message = format!("is of version {version}, this package reads version {VERSION}");
    Err(Error::on(op, message))
}

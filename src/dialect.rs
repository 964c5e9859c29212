//! The dialects as Rust sees them: typed views of their ops, and their verifiers.
//!
//! Must not know: how the IR came about or what becomes of it.

pub mod graph_op;
pub mod loop_enums;
pub mod loop_op;
pub mod reducer;
pub mod region;
mod verify_argument;
mod verify_block;
mod verify_graph;
mod verify_loop;

use crate::ir::{Error, Op};
use std::sync::Once;

/// Tells the C++ side where the verifiers are. Called by every way to register the dialects.
pub(crate) fn register_verifiers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| crate::ffi::set_verifiers(verify, verify_argument::verify));
}

fn verify(op: Op) -> Result<(), Error> {
    match op.name().split_once('.') {
        Some(("loop", "block")) => verify_block::verify(op),
        Some(("loop", _)) => verify_loop::verify(op),
        Some(("graph", _)) => verify_graph::verify(op),
        _ => Ok(()),
    }
}

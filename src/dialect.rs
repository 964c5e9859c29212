//! The dialects in Rust: typed views of their ops, and their verifiers.
//!
//! Must not depend on: which pass created the IR, or which pass uses it.

pub mod allocation;
pub mod annotation;
pub(crate) mod block_axes;
pub mod contract;
pub(crate) mod graph_op;
mod infer_graph;
pub mod loop_enums;
pub(crate) mod loop_op;
pub(crate) mod reducer;
pub(crate) mod region;
pub mod requirement;
mod verify_argument;
mod verify_block;
mod verify_graph;
pub(crate) mod verify_loop;
mod verify_scatter;
mod verify_tm_tensor;
pub(crate) mod weight;

use crate::ffi;
use crate::ir::{Error, Op};
use mlir_sys::MlirDialectRegistry;
use std::sync::Once;

/// Registers the dialects of this package in a registry of the C API.
pub(crate) fn register_dialects_in(registry: MlirDialectRegistry) {
    set_verifiers();
    ffi::register_dialects_in(registry);
}

/// Makes the verifiers of ops known to MLIR.
pub(crate) fn set_verifiers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ffi::set_verifiers(verify, verify_argument::verify, infer_graph::infer_types)
    });
}

/// Registers the dialects of other projects that programs of this package read.
pub(crate) fn register_foreign_dialects_in(registry: MlirDialectRegistry) {
    ffi::register_foreign_dialects_in(registry);
}

fn verify(op: Op) -> Result<(), Error> {
    match op.name().split_once('.') {
        Some(("loop", kind)) => {
            annotation::verify(op)?;
            if kind == "block" { verify_block::verify(op) } else { verify_loop::verify(op) }
        }
        Some(("graph", _)) => verify_graph::verify(op),
        Some(("tm_tensor", _)) => verify_tm_tensor::verify(op),
        _ => Ok(()),
    }
}

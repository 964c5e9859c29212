//! Lowers TOSA ops, as PyTorch's exporters write them, to linalg on tensors before all other passes.

use super::run::run;
use crate::ir::{Op, top, walk};
use melior::Context;
use melior::ir::Module;

/// Upstream's passes, on functions. The `tosa-to-linalg-pipeline` of upstream is not used: it refuses f64 constants,
/// which exported models have, and leaves unused TOSA constants.
const PASSES: &[&str] = &[
    "tosa-optional-decompositions",
    "canonicalize",
    "tosa-infer-shapes",
    "tosa-make-broadcastable",
    "tosa-to-linalg-named",
    "canonicalize",
    "tosa-layerwise-constant-fold",
    "tosa-make-broadcastable",
    "tosa-to-linalg",
    "tosa-to-arith{include-apply-rescale=true}",
    "tosa-to-tensor",
    "canonicalize",
    "cse",
];

/// Converts the module if it has such ops.
///
/// # Errors
/// If upstream does not convert an op, which is reported to the context's diagnostic handlers.
pub(super) fn convert(context: &Context, module: &mut Module) -> Result<(), melior::Error> {
    let is_tosa = |op: Op| op.name().starts_with("tosa.");
    match walk(top(module)).into_iter().any(is_tosa) {
        true => run(context, module, &format!("func.func({})", PASSES.join(","))),
        false => Ok(()),
    }
}

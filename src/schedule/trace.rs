//! Traces: the steps of a schedule as instructions in Rust, printed as a transform script.
//!
//! ```text
//! module attributes {transform.with_named_sequence} {
//!   transform.named_sequence @__transform_main(%module: !transform.any_op) {
//!     %f = transform.sched.function @matmul in %module version 1 hash "5b0c..."
//!     transform.sched.split "C:j" in %f factors [4, 16]
//!     transform.yield
//!   }
//! }
//! ```
//! The script replays in `lw-opt`, and in stock `mlir-opt` with the plugin. `version` is that of the
//! primitives' meaning; `hash` is that of the function the trace was made from, and only a hint: a trace
//! may be replayed on a function of other shapes.

use super::table::{Instruction, quoted};
use crate::ir::{Attribute, Op};
use sha2::{Digest, Sha256};

/// The version of scripts that this package writes, and the only one that it reads.
pub const VERSION: i64 = 1;

/// The steps of a schedule, and what they start from.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The name of the function.
    pub function: String,
    /// The [`structural_hash`] of the function before the first step.
    pub hash: String,
    pub instructions: Vec<Instruction>,
}

impl Trace {
    /// The empty trace of a function.
    pub fn start(function: Op) -> Trace {
        let name = function.attribute("sym_name").and_then(Attribute::as_str).unwrap_or_default();
        Trace { function: name.to_owned(), hash: structural_hash(function), instructions: vec![] }
    }

    /// The script.
    pub fn script(&self) -> String {
        let steps: String =
            self.instructions.iter().map(|step| format!("    {}\n", step.script())).collect();
        format!(
            "module attributes {{transform.with_named_sequence}} {{\n  \
             transform.named_sequence @__transform_main(%module: !transform.any_op) {{\n    \
             %f = transform.sched.function {} in %module version {VERSION} hash \"{}\"\n\
             {steps}    transform.yield\n  }}\n}}\n",
            symbol(&self.function),
            self.hash
        )
    }
}

/// A symbol as in the text of MLIR.
fn symbol(name: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_bare = name.starts_with(is_letter)
        && name.chars().all(|c| is_letter(c) || c.is_ascii_digit() || "$.".contains(c));
    if is_bare {
        return format!("@{name}");
    }
    format!("@{}", quoted(name))
}

/// A hash of what a function is: of its text without locations, 16 hexadecimal digits.
pub fn structural_hash(function: Op) -> String {
    let digest = Sha256::digest(function.to_string());
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

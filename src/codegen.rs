//! Code generation: from the LLVM dialect to machine code, and a JIT that runs it in this process.
//!
//! Must not depend on: how the LLVM dialect was produced.

mod c_name;
mod cache;
pub mod cuda;
mod header;
mod target;
pub mod x86;

pub use crate::ffi::{Jit, LinkError, LoadPromise};
pub use c_name::{CNameError, c_name_of, check_c_name, symbols};
pub use cache::{CacheKey, CodeCache};
pub use header::header;
pub use target::Target;

/// Reasons why no code was generated.
#[derive(Debug, thiserror::Error)]
pub enum CodegenError {
    /// Diagnostics of the context give the details.
    #[error(
        "the module cannot be lowered to LLVM: expected functions in vector form, or in the LLVM dialect"
    )]
    Lower,
    /// LLVM does not support the target; its message.
    #[error("target: {0}")]
    Target(String),
    /// LLVM's verifier rejects the module; its message.
    #[error("internal error: LLVM rejects the module: {0}")]
    Invalid(String),
    /// A pass pipeline is not valid, or a pass fails; LLVM's message.
    #[error("LLVM's passes failed: {0}")]
    Passes(String),
    /// LLVM's code generator fails; its message.
    #[error("LLVM's code generator failed: {0}")]
    Emit(String),
    /// The processor lacks an instruction that the module uses.
    #[error("{intrinsic} needs {feature}, which processor \"{cpu}\" does not have")]
    Lacks {
        /// The intrinsic.
        intrinsic: &'static str,
        /// The feature of LLVM that it needs.
        feature: &'static str,
        /// The processor by LLVM's name.
        cpu: String,
    },
    /// The archive cannot be written.
    #[error("cannot make an archive: {0}")]
    Archive(std::io::Error),
    /// The system's linker fails; the message.
    #[error("{0}")]
    Linker(String),
    /// The objects cannot be merged.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// A file cannot be written.
    #[error("{path} cannot be written: {source}")]
    Write {
        /// The file.
        path: String,
        /// The system error.
        source: std::io::Error,
    },
}

//! Code generation: from the LLVM dialect to machine code, and a JIT that runs it in this process.
//!
//! Must not depend on: how the LLVM dialect was produced.

mod c_name;
mod cache;
pub mod cuda;
mod header;
mod target;
pub mod x86;

pub use crate::ffi::{Jit, LinkError};
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
    #[error("target: {0}")]
    Target(String),
    #[error("internal error: LLVM rejects the module: {0}")]
    Invalid(String),
    #[error("LLVM's passes failed: {0}")]
    Passes(String),
    #[error("LLVM's code generator failed: {0}")]
    Emit(String),
    #[error("{intrinsic} needs {feature}, which processor \"{cpu}\" does not have")]
    Lacks { intrinsic: &'static str, feature: &'static str, cpu: String },
    #[error("cannot make an archive: {0}")]
    Archive(std::io::Error),
    #[error("{0}")]
    Linker(String),
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error("{path} cannot be written: {source}")]
    Write { path: String, source: std::io::Error },
}

//! What `--version` prints.

#[path = "git.rs"]
mod git;

use loopwright::ffi::llvm;

/// The version of this package, the commit, and the version of LLVM and MLIR that run.
pub fn version() -> String {
    let (major, minor, patch) = llvm::version();
    let package = env!("CARGO_PKG_VERSION");
    format!("{package} (git {}, LLVM {major}.{minor}.{patch})", git::commit())
}

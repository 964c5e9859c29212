//! What `--version` prints.

#[path = "git.rs"]
mod git;

use loopwright::tool::llvm_version;

/// The version of this package, the commit, and the version of LLVM and MLIR that run.
pub fn version() -> String {
    let (major, minor, patch) = llvm_version();
    let package = env!("CARGO_PKG_VERSION");
    format!("{package} (git {}, LLVM {major}.{minor}.{patch})", git::commit())
}

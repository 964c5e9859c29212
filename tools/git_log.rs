//! For build scripts: where `tools/git.rs` finds the commit.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Sets the variable LOOPWRIGHT_GIT_LOG of rustc to the path of the log of HEAD, or of an empty file if `root`, the
/// folder of the whole package, is not the root of a repository of git.
///
/// The log is read when a tool is compiled. So a commit causes neither this script to run again nor the library to be
/// compiled again: only the tools are.
pub fn set_git_log(root: &Path) {
    let (log, config) = git_files(root).unwrap_or_else(|| {
        let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
        let none = out.join("no_git_log");
        fs::write(&none, "").expect("OUT_DIR can be written");
        (none, None)
    });
    println!("cargo:rustc-env=LOOPWRIGHT_GIT_LOG={}", log.display());
    // If the repository is removed, the log is too. The configuration exists in each repository, and seldom changes.
    if let Some(config) = config {
        println!("cargo:rerun-if-changed={}", config.display());
    }
}

/// The log of HEAD and the configuration.
fn git_files(root: &Path) -> Option<(PathBuf, Option<PathBuf>)> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim_end().to_owned())
    };
    // Not a repository around the package.
    let top = fs::canonicalize(git(&["rev-parse", "--show-toplevel"])?).ok()?;
    if top != fs::canonicalize(root).ok()? {
        return None;
    }
    // These paths are absolute, or begin at `root`.
    let path = |name| git(&["rev-parse", "--git-path", name]).map(|path| top.join(path));
    let (log, config) = (path("logs/HEAD")?, path("config")?);
    (log.is_file() && config.is_file()).then_some((log, Some(config)))
}

//! The copy of the package with all bugs in it.

use super::bugs::{BUGS, SWITCH};
use crate::package::{put, tracked};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// The contents of `src/planted.rs` in the copy.
const SWITCHES: &str = r#"//! Which bug is switched on.

use std::sync::LazyLock;

static ACTIVE: LazyLock<String> =
    LazyLock::new(|| std::env::var("LOOPWRIGHT_BUG").unwrap_or_default());

/// Is the bug of one of these passes on?
pub fn any(passes: &[&str]) -> bool {
    passes.contains(&ACTIVE.as_str())
}
"#;

/// Copies the package at `root` to a folder, with the bugs, and builds its `lw-opt`; returns the path of that tool.
pub fn build(root: &Path, work: &Path) -> io::Result<PathBuf> {
    let copy = work.join("package");
    for name in tracked(root)? {
        put(&copy.join(&name), &with_bugs(&name, fs::read(root.join(&name))?)?)?;
    }
    put(&copy.join("src/planted.rs"), SWITCHES.as_bytes())?;
    let target = work.join("target");
    let status = Command::new("cargo")
        .args(["build", "--bin", "lw-opt"])
        .current_dir(&copy)
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .status()?;
    match status.success() {
        true => Ok(target.join("debug/lw-opt").canonicalize()?),
        false => Err(io::Error::other("the copy does not build")),
    }
}

/// The content of a file of the copy.
fn with_bugs(name: &str, content: Vec<u8>) -> io::Result<Vec<u8>> {
    let is_library = name == "src/lib.rs";
    if !is_library && !BUGS.iter().any(|bug| bug.file == name) {
        return Ok(content);
    }
    let mut text = String::from_utf8(content).map_err(io::Error::other)?;
    for bug in BUGS.iter().filter(|bug| bug.file == name) {
        if text.matches(bug.old).count() != 1 {
            let message = format!("{name} does not contain exactly once: {}", bug.old);
            return Err(io::Error::other(message));
        }
        let switch = format!("crate::planted::any(&{:?})", bug.passes);
        text = text.replace(bug.old, &bug.new.replace(SWITCH, &switch));
    }
    if is_library {
        text += "\npub mod planted;\n";
    }
    Ok(text.into_bytes())
}

//! The package, and files of a copy of it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// The root of the package that this crate is built from.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The paths of all files that git tracks and that exist, relative to the root of the package.
pub fn tracked(root: &Path) -> io::Result<Vec<String>> {
    let listed = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output()?;
    let names = listed.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
    Ok(names.filter(|name| root.join(name).is_file()).collect())
}

/// Writes a file. An unchanged file keeps its modification time, so that cargo does not rebuild it.
pub fn put(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    match fs::read(path).is_ok_and(|old| old == content) {
        true => Ok(()),
        false => fs::write(path, content),
    }
}

//! Atomic file writes: a file is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Writes a file: first a temporary file beside it, which is then renamed, so that a reader sees the old content or the
/// new, never a part. (A path that is not a file, such as /dev/stdout, is written in place.)
///
/// # Errors
/// If it cannot be written; an existing file is unchanged then.
pub fn file(path: &Path, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(metadata) if !metadata.is_file() => {
            return write(OpenOptions::new().write(true).open(path)?);
        }
        _ => {}
    }
    // Replace the target of a symbolic link, not the link itself.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
    if path.file_name().is_none() {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    let (temporary, file) = create_beside(&path)?;
    let outcome = write(file).and_then(|()| fs::rename(&temporary, &path));
    if outcome.is_err() {
        // Best effort: only the first error is reported.
        let _ = fs::remove_file(&temporary);
    }
    outcome
}

/// Creates a file with an unused name in the folder of another file.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = path.with_file_name(format!(".{}.{count}.tmp", std::process::id()));
        match File::create_new(&temporary) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok((temporary, file?)),
        }
    }
}

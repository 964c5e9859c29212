//! Atomic file writes: a file is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Writes a file: first a temporary file beside it, which is then renamed, so that a reader sees the old content or the
/// new, never a part. (A path that is not a file, such as /dev/stdout, is written in place.)
///
/// # Errors
/// If it cannot be written; an existing file is unchanged then.
pub fn file(path: &Path, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    match Pending::new(path)? {
        Some(pending) => pending.write(write)?.rename(),
        None => write(OpenOptions::new().write(true).open(path)?),
    }
}

/// Writes several files: all of them, or none if one cannot be written. (Not even one is renamed before all are written;
/// the system can still fail between two renames.)
///
/// # Errors
/// The path that cannot be written, and why.
pub fn files<'p>(contents: &[(&'p Path, &[u8])]) -> Result<(), (&'p Path, io::Error)> {
    let mut written = vec![];
    for (path, bytes) in contents {
        let pending = Pending::new(path).map_err(|error| (*path, error))?;
        let Some(pending) = pending else { continue };
        let pending = pending.write(|mut file| file.write_all(bytes));
        written.push((*path, pending.map_err(|error| (*path, error))?));
    }
    let is_renamed = |path: &Path| written.iter().any(|(it, _)| *it == path);
    for (path, bytes) in contents.iter().filter(|(path, _)| !is_renamed(path)) {
        file(path, |mut file| file.write_all(bytes)).map_err(|error| (*path, error))?;
    }
    written.into_iter().try_for_each(|(path, pending)| pending.rename().map_err(|it| (path, it)))
}

/// Removes temporary files of [`file()`] and [`files`] from a folder. A process that is killed while it writes leaves such a
/// file. Files that changed in the last hour stay, because a running process may still write them.
pub fn remove_abandoned(folder: &Path) {
    const HOUR: Duration = Duration::from_secs(3600);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let modified = entry.metadata().ok().filter(|it| it.is_file()).map(|it| it.modified());
        let age = modified.and_then(Result::ok).and_then(|time| time.elapsed().ok());
        if is_temporary(&entry.file_name().to_string_lossy()) && age.is_some_and(|age| age > HOUR) {
            // Another process may remove it at the same time.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// True for the names that [`create_beside`] gives.
fn is_temporary(name: &str) -> bool {
    let numbers = name.strip_prefix('.').and_then(|name| name.strip_suffix(".tmp"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let pair = numbers.and_then(|numbers| numbers.split_once('.'));
    pair.is_some_and(|(process, count)| is_number(process) && is_number(count))
}

/// True if two paths are those of one file, which need not exist. Devices, such as /dev/null, are no files.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    let is_file = |path| !fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir());
    is_file(a) && is_file(b) && resolved(a) == resolved(b)
}

/// The path without symbolic links, `.` and `..`, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(path) = fs::canonicalize(path) {
        return path;
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.into());
    folder.join(path.file_name().unwrap_or_default())
}

/// A temporary file that will replace another. It is removed if it is not renamed.
struct Pending {
    temporary: PathBuf,
    file: Option<File>,
    path: PathBuf,
}

impl Pending {
    /// An empty file beside `path`; `None` if `path` is not a file.
    fn new(path: &Path) -> io::Result<Option<Pending>> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(metadata) if !metadata.is_file() => return Ok(None),
            _ => {}
        }
        // Replace the target of a symbolic link, not the link itself.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        if path.file_name().is_none() {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        let (temporary, file) = create_beside(&path)?;
        Ok(Some(Pending { temporary, file: Some(file), path }))
    }

    fn write(mut self, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<Pending> {
        let file = self.file.take().expect("it is written once");
        write(file).map(|()| self)
    }

    fn rename(self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // Best effort: only the first error is reported. There is no such file after a rename.
        let _ = fs::remove_file(&self.temporary);
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn only_old_temporary_files_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [".12.0.tmp", ".12.x.tmp", ".13.0.tmp", "a.tmp", ".a"] {
            let file = File::create(folder.path().join(name)).expect("it can be written");
            let is_new = name == ".13.0.tmp";
            let age = Duration::from_secs(if is_new { 60 } else { 4000 });
            file.set_modified(SystemTime::now() - age).expect("it is ours");
        }
        remove_abandoned(folder.path());
        let left = fs::read_dir(folder.path()).expect("the folder").flatten();
        let mut left: Vec<_> = left.map(|it| it.file_name().into_string().expect("text")).collect();
        left.sort();
        assert_eq!(left, [".12.x.tmp", ".13.0.tmp", ".a", "a.tmp"]);
    }

    #[test]
    fn of_several_files_all_or_none_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let (a, b, none) = (at("a"), at("b"), at("none/c"));
        fs::write(&a, "old").expect("it can be written");
        let refused = files(&[(&a, b"new"), (&none, b"new")]).expect_err("there is no folder");
        assert_eq!((refused.0, refused.1.kind()), (&*none, io::ErrorKind::NotFound));
        assert_eq!(fs::read(&a).expect("it is there"), b"old");
        files(&[(&a, b"new"), (Path::new("/dev/null"), b""), (&b, b"two")]).expect("written");
        assert_eq!(fs::read(&a).expect("it is there"), b"new");
        assert_eq!(fs::read(&b).expect("it is there"), b"two");
        let left = fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(left, 2, "no temporary file is left");
    }

    #[test]
    fn one_file_may_have_several_paths() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let (new, link) = (at("new"), at("link"));
        assert!(is_same_file(&new, &at("./new")));
        assert!(!is_same_file(&new, &at("newer")));
        assert!(is_same_file(Path::new("new"), Path::new("./new")));
        fs::create_dir(at("folder")).expect("it can be created");
        assert!(is_same_file(&new, &at("folder/../new")));
        fs::write(&new, "").expect("it can be written");
        std::os::unix::fs::symlink(&new, &link).expect("a link");
        assert!(is_same_file(&new, &link));
        assert!(!is_same_file(Path::new("/dev/null"), Path::new("/dev/null")));
    }
}

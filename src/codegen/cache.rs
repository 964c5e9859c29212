//! A file cache of compiled machine code.
//!
//! ```text
//! FOLDER/4f0c...e1.lwo    "loopwright object 1\n", the digest of the code, the code
//! ```
//! The name of a file is the digest of the inputs of its code: [`CacheKey::of`] digests the texts or bytes that it is given.
//! Writes are atomic, so processes may share a folder. If two processes compile the same code concurrently, the
//! later one writes the same file again. A damaged file is not an entry: the code is compiled again and
//! replaces it.
//!
//! The entries of a folder take at most a given number of bytes: after an entry is written, those that were used least
//! recently are removed. The time of last modification of a file is that of its last use.
//!
//! Who can write the folder decides what code runs. So a new folder is its owner's alone, and a file in a folder that
//! everybody may write, or that everybody may write itself, is not an entry. The cache of the [user](CodeCache::of_user) is
//! not in a folder of another user, such as that of the user who has called `sudo`.

use super::CodegenError;
use super::x86::Object;
use crate::ffi::loaded::loaded_objects;
use loopwright_runtime::{replace, user_cache};
use sha2::{Digest, Sha256};
use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tracing::{debug, info};

/// The environment variable that names another folder for the cache of the user; empty: there is no such cache.
const VARIABLE: &str = "LOOPWRIGHT_CACHE";

const HEAD: &[u8] = b"loopwright object 1\n";
/// The size of a digest.
const DIGEST_BYTES: usize = 32;

/// A folder of machine code.
#[derive(Clone, Debug)]
pub struct CodeCache {
    folder: PathBuf,
    limit: u64,
}

/// A digest of the inputs of a compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CacheKey(String);

impl CacheKey {
    /// The digest of a list of texts or bytes, and of the compiler: the builds of the program and of all libraries that it has
    /// loaded, such as LLVM's. Different lists have different digests, also if only the boundaries between their items differ.
    pub fn of<T: AsRef<[u8]>>(items: impl IntoIterator<Item = T>) -> CacheKey {
        let mut digest = Sha256::new();
        let mut add = |item: &[u8]| {
            digest.update((item.len() as u64).to_le_bytes());
            digest.update(item);
        };
        add(loaded_objects().join("\n").as_bytes());
        items.into_iter().for_each(|item| add(item.as_ref()));
        CacheKey(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl CodeCache {
    /// The bytes that the entries take at most, unless a limit is given.
    pub const DEFAULT_LIMIT: u64 = 1 << 30;

    /// The cache in a folder, which need not exist, with at most [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT) bytes.
    pub fn new(folder: impl Into<PathBuf>) -> CodeCache {
        CodeCache { folder: folder.into(), limit: Self::DEFAULT_LIMIT }
    }

    /// The cache of the user, with at most [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT) bytes: in the folder that the environment
    /// variable `LOOPWRIGHT_CACHE` names, otherwise in [`user_cache::folder`]. `None` if the variable is empty, there is no
    /// such folder, or it belongs to another user.
    pub fn of_user() -> Option<CodeCache> {
        let folder = folder_of_user(env::var_os(VARIABLE), user_cache::folder)?;
        match is_own(&folder) {
            Ok(true) => Some(Self::new(folder)),
            outcome => {
                let (folder, error) = (folder.display(), outcome.err());
                debug!(target: "loopwright::codegen", %folder, ?error, "no cache: the folder is another user's");
                None
            }
        }
    }

    /// The same cache with at most `limit` bytes.
    #[must_use]
    pub fn with_limit(self, limit: u64) -> CodeCache {
        CodeCache { limit, ..self }
    }

    /// The code of a key, if the cache has an undamaged entry.
    pub fn get(&self, key: &CacheKey) -> Option<Object> {
        let found = self.read(key);
        let outcome = if found.is_some() { "cache hit" } else { "cache miss" };
        info!(target: "loopwright::codegen", key = %key.0, "{outcome}");
        found
    }

    fn read(&self, key: &CacheKey) -> Option<Object> {
        let path = self.file(key);
        if is_writable_by_all(&self.folder) || is_writable_by_all(&path) {
            return None;
        }
        let bytes = fs::read(&path).ok()?;
        let (digest, code) = bytes.strip_prefix(HEAD)?.split_at_checked(DIGEST_BYTES)?;
        (digest == &Sha256::digest(code)[..]).then_some(())?;
        // A folder that is only readable is one too; its entries are then removed in the order in which they were written.
        let _ = File::options()
            .append(true)
            .open(path)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(Object::from_bytes(code.to_vec()))
    }

    /// Stores the code of parts as [`put`](Self::put) does. Code that cannot be stored is compiled again.
    pub(super) fn put_parts<'o>(
        &self,
        parts: impl IntoIterator<Item = (&'o CacheKey, &'o Object)>,
    ) {
        let mut parts = parts.into_iter().peekable();
        if parts.peek().is_none() {
            return;
        }
        for (key, object) in parts {
            if let Err(error) = self.write(key, object) {
                return debug!(target: "loopwright::codegen", %error, "parts are not kept");
            }
        }
        self.evict();
    }

    /// Stores the code of a key, and removes what was used least recently if the limit is exceeded. An entry that is
    /// larger than the limit is not kept.
    ///
    /// # Errors
    /// If the folder cannot be created or written.
    pub fn put(&self, key: &CacheKey, object: &Object) -> Result<(), CodegenError> {
        self.write(key, object).map(|()| self.evict())
    }

    fn write(&self, key: &CacheKey, object: &Object) -> Result<(), CodegenError> {
        let path = self.file(key);
        let bytes = HEAD.len() + DIGEST_BYTES + object.bytes().len();
        if bytes as u64 > self.limit {
            info!(target: "loopwright::codegen", bytes, "larger than the cache");
            return Ok(());
        }
        let folder = DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        let written = folder.and_then(|()| {
            replace::file(&path, |mut file| {
                file.write_all(HEAD)?;
                file.write_all(&Sha256::digest(object.bytes()))?;
                file.write_all(object.bytes())
            })
        });
        written.map_err(|source| CodegenError::Write { path: path.display().to_string(), source })
    }

    /// Removes what processes that were killed have left, and entries until the limit is kept. Another process may remove
    /// some at the same time.
    fn evict(&self) {
        replace::remove_abandoned(&self.folder);
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = files
            .filter(|file| is_entry(Path::new(&file.file_name())))
            .filter_map(|file| {
                let found = file.metadata().ok().filter(|found| found.is_file())?;
                Some((found.modified().ok()?, found.len(), file.path()))
            })
            .collect();
        entries.sort_unstable();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, bytes, path) in entries {
            if total <= self.limit {
                break;
            }
            if fs::remove_file(&path).is_ok() {
                info!(target: "loopwright::codegen", path = %path.display(), bytes, "removed from the cache");
            }
            total -= bytes;
        }
    }

    fn file(&self, key: &CacheKey) -> PathBuf {
        self.folder.join(format!("{}.lwo", key.0))
    }
}

/// True if a file has the name of an entry. Other files in the folder are left alone.
fn is_entry(name: &Path) -> bool {
    let stem = name.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let is_digest = stem.len() == 2 * DIGEST_BYTES && stem.bytes().all(|c| c.is_ascii_hexdigit());
    is_digest && name.extension().is_some_and(|extension| extension == "lwo")
}

/// The folder of the user's cache: that of the variable, or the default.
fn folder_of_user(
    variable: Option<OsString>,
    default: impl FnOnce() -> Option<PathBuf>,
) -> Option<PathBuf> {
    match variable {
        Some(path) => (!path.is_empty()).then(|| path.into()),
        None => default(),
    }
}

/// True if a folder belongs to the user of this process, or does not exist.
fn is_own(folder: &Path) -> io::Result<bool> {
    match fs::metadata(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        // The owner of the process's own folder is its effective user.
        found => Ok(found?.uid() == fs::metadata("/proc/self")?.uid()),
    }
}

fn is_writable_by_all(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.permissions().mode() & 0o002 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::thread;
    use std::time::Duration;

    fn object(byte: u8) -> Object {
        Object::from_bytes(vec![byte; 10_000])
    }

    #[test]
    fn what_was_put_is_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = CodeCache::new(folder.path().join("new/folder"));
        let (key, other) = (CacheKey::of(["a", "bc"]), CacheKey::of(["ab", "c"]));
        assert_ne!(key, other);
        assert_eq!(cache.get(&key), None);
        cache.put(&key, &object(1)).expect("it can be written");
        assert_eq!(cache.get(&key), Some(object(1)));
        assert_eq!(cache.get(&other), None);
        cache.put(&key, &object(2)).expect("it can be written");
        assert_eq!(cache.get(&key), Some(object(2)));
    }

    #[test]
    fn what_was_used_least_recently_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        // Room for two entries of 10,000 bytes.
        let cache = CodeCache::new(folder.path()).with_limit(25_000);
        fs::write(folder.path().join("notes.txt"), "not an entry").expect("it can be written");
        let link = cache.file(&CacheKey::of(["link"]));
        std::os::unix::fs::symlink("notes.txt", &link).expect("it can be written");
        let keys = ["a", "b", "c"].map(|text| CacheKey::of([text]));
        let used = |key: &CacheKey, seconds| {
            let file = File::options().append(true).open(cache.file(key)).expect("it is there");
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            file.set_modified(time).expect("it is ours");
        };
        for (i, key) in keys[..2].iter().enumerate() {
            cache.put(key, &object(1)).expect("it can be written");
            used(key, i as u64);
        }
        assert!(cache.get(&keys[0]).is_some(), "and it is now the one that was used last");
        cache.put(&keys[2], &object(1)).expect("it can be written");
        let found = keys.each_ref().map(|key| cache.get(key).is_some());
        assert_eq!(found, [true, false, true]);
        let large = Object::from_bytes(vec![0; 30_000]);
        cache.put(&keys[1], &large).expect("it can be written");
        let found = keys.each_ref().map(|key| cache.get(key).is_some());
        assert_eq!(found, [true, false, true]);
        assert!(link.exists() && folder.path().join("notes.txt").exists());
    }

    #[test]
    fn what_is_damaged_is_made_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = CodeCache::new(folder.path());
        let key = CacheKey::of(["key"]);
        cache.put(&key, &object(1)).expect("it can be written");
        let path = cache.file(&key);
        let whole = fs::read(&path).expect("it is there");
        for length in [0, 5, HEAD.len(), HEAD.len() + 10, whole.len() - 1] {
            fs::write(&path, &whole[..length]).expect("it can be written");
            assert_eq!(cache.get(&key), None, "the first {length} bytes");
        }
        for place in [0, HEAD.len(), whole.len() - 1] {
            let mut damaged = whole.clone();
            damaged[place] ^= 1;
            fs::write(&path, damaged).expect("it can be written");
            assert_eq!(cache.get(&key), None, "byte {place}");
        }
        cache.put(&key, &object(1)).expect("it can be written");
        assert_eq!(cache.get(&key), Some(object(1)));
    }

    #[test]
    fn what_everybody_can_write_is_not_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = CodeCache::new(folder.path().join("cache"));
        let key = CacheKey::of(["key"]);
        cache.put(&key, &object(1)).expect("it can be written");
        for path in [&cache.folder, &cache.file(&key)] {
            let before = fs::metadata(path).expect("it is there").permissions();
            assert_eq!(before.mode() & 0o002, 0);
            fs::set_permissions(path, Permissions::from_mode(0o777)).expect("it is ours");
            assert_eq!(cache.get(&key), None, "{}", path.display());
            fs::set_permissions(path, before).expect("it is ours");
        }
        assert_eq!(cache.get(&key), Some(object(1)));
    }

    #[test]
    fn the_folder_of_the_user_follows_the_variable() {
        let default = || Some(PathBuf::from("/h/.cache/loopwright"));
        assert_eq!(folder_of_user(None, default), default());
        assert_eq!(folder_of_user(None, || None), None);
        assert_eq!(folder_of_user(Some("/c".into()), default), Some("/c".into()));
        assert_eq!(folder_of_user(Some("".into()), default), None);
    }

    #[test]
    fn a_folder_of_another_user_is_not_ones_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let is_own = |path: &Path| is_own(path).expect("its owner is known");
        assert!(is_own(folder.path()));
        assert!(is_own(&folder.path().join("new")));
        // The owner of the root folder is root, who may run this test.
        let is_root = fs::metadata("/proc/self").expect("it is there").uid() == 0;
        assert_eq!(is_own(Path::new("/")), is_root);
        if is_root {
            std::os::unix::fs::chown(folder.path(), Some(12345), None).expect("root may");
            assert!(!is_own(folder.path()));
        }
    }

    #[test]
    fn many_may_write_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = CodeCache::new(folder.path());
        let key = CacheKey::of(["key"]);
        thread::scope(|scope| {
            for byte in 0..8 {
                let (cache, key) = (&cache, &key);
                scope.spawn(move || {
                    for _ in 0..50 {
                        cache.put(key, &object(byte)).expect("it can be written");
                        let found = cache.get(key).expect("a whole entry");
                        assert!((0..8).any(|byte| found == object(byte)));
                    }
                });
            }
        });
        let left = fs::read_dir(folder.path()).expect("the folder").count();
        assert_eq!(left, 1, "temporary files are gone");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("it can be written");
        let error = CodeCache::new(&file)
            .put(&CacheKey::of(["key"]), &object(1))
            .expect_err("it is a file");
        assert!(error.to_string().contains("cannot be written"), "{error}");
    }
}

//! The options of a session, and how they choose a compilation.

use crate::failure::Failure;
use ort::sys::GraphOptimizationLevel;
use std::num::NonZeroUsize;

/// The key of [`SessionOptions::entries`] that sets the floating-point contract: `strict`, `reassoc` or `fast`.
pub const CONTRACT_KEY: &str = "loopwright.fp";

/// What a session is compiled with.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    pub level: GraphOptimizationLevel,
    /// The threads of a run; `None`: one per core.
    pub threads: Option<NonZeroUsize>,
    /// True if the session uses the threads of the environment.
    pub has_global_threads: bool,
    /// The sizes of named dimensions.
    pub dimensions: Vec<(String, u64)>,
    /// Entries with keys. Keys of ONNX Runtime are kept, and have no effect.
    pub entries: Vec<(String, String)>,
}

impl Default for SessionOptions {
    /// The defaults of ONNX Runtime.
    fn default() -> SessionOptions {
        SessionOptions {
            level: GraphOptimizationLevel::ORT_ENABLE_ALL,
            threads: None,
            has_global_threads: false,
            dimensions: vec![],
            entries: vec![],
        }
    }
}

impl SessionOptions {
    /// The floating-point contract of the compilation. ONNX Runtime's kernels sum in any order and fuse multiplications with
    /// additions, so `fast` is the default. Without optimizations it is `strict`.
    pub fn contract(&self) -> &str {
        match (entry(&self.entries, CONTRACT_KEY), self.level) {
            (Some(word), _) => word,
            (None, GraphOptimizationLevel::ORT_DISABLE_ALL) => "strict",
            (None, _) => "fast",
        }
    }

    /// Fixes the size of a named dimension.
    ///
    /// # Errors
    /// If the size is negative.
    pub fn fix(&mut self, dimension: &str, size: i64) -> Result<(), Failure> {
        let size = u64::try_from(size).map_err(|_| {
            let message =
                format!("found the size {size} of dimension '{dimension}', expected 0 or more");
            Failure::argument(message)
        })?;
        self.dimensions.retain(|(name, _)| name != dimension);
        self.dimensions.push((dimension.to_owned(), size));
        Ok(())
    }
}

/// A number of threads; 0 stands for one per core.
///
/// # Errors
/// If it is negative.
pub fn threads_of(number: i32) -> Result<Option<NonZeroUsize>, Failure> {
    usize::try_from(number)
        .map(NonZeroUsize::new)
        .map_err(|_| Failure::argument(format!("found {number} threads, expected 0 or more")))
}

/// The value of a key.
pub fn entry<'e>(entries: &'e [(String, String)], key: &str) -> Option<&'e str> {
    entries.iter().find(|(it, _)| it == key).map(|(_, value)| value.as_str())
}

/// Sets the value of a key.
pub fn set_entry(entries: &mut Vec<(String, String)>, key: &str, value: &str) {
    entries.retain(|(it, _)| it != key);
    entries.push((key.to_owned(), value.to_owned()));
}

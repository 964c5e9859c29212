//! Options of tools that read ONNX models.

use loopwright::pipeline::ImportOptions;

/// The choices of an import.
pub fn options(dims: &[(String, u64)]) -> ImportOptions {
    ImportOptions { dims: dims.to_vec() }
}

/// Parses `--dim NAME=SIZE`.
pub fn dim(word: &str) -> Result<(String, u64), String> {
    let parsed = word.split_once('=').and_then(|(name, size)| Some((name, size.parse().ok()?)));
    match parsed {
        Some((name, size)) if !name.is_empty() => Ok((name.to_owned(), size)),
        _ => Err("expected NAME=SIZE, such as batch=4".to_owned()),
    }
}

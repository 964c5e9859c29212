//! Why a model is not imported.

use std::path::PathBuf;

/// Why a part of a model is not imported: what was found, and what was expected. It does not say where.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Refusal(String);

impl Refusal {
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal(message.into())
    }
}

/// An error of an import.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{}: error: cannot be read: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    /// Not ONNX, or damaged.
    #[error("{}: error: {message}", path.display())]
    File { path: PathBuf, message: String },
    /// A line of the text form.
    #[error("{}:{line}:{column}: error: {message}", path.display())]
    Text { path: PathBuf, line: usize, column: usize, message: String },
    /// A part of the graph: a node, an input, a constant.
    #[error("{}: error: {part}: {refusal}", path.display())]
    Part { path: PathBuf, part: String, refusal: Refusal },
    /// The module is not valid: a fault of the importer.
    #[error("{}: error: the imported module is not valid: {message}", path.display())]
    Invalid { path: PathBuf, message: String },
}

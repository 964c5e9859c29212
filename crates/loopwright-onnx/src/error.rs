//! Why a model is not imported.

use std::path::PathBuf;

/// Why a part of a model is not imported: what was found, and what was expected. It does not say where.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Refusal(String);

impl Refusal {
    /// A refusal with a message, which continues the name of a part, such as "has rank 3, expected 2".
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal(message.into())
    }
}

/// An error of an import.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{}: error: cannot be read: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system error.
        error: std::io::Error,
    },
    /// Not ONNX, or damaged.
    #[error("{}: error: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A line of the text form.
    #[error("{}:{line}:{column}: error: {message}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was found and what was expected.
        message: String,
    },
    /// A part of the graph: a node, an input, a constant.
    #[error("{}: error: {part}: {refusal}", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The part, in words.
        part: String,
        /// Why it is not imported.
        refusal: Refusal,
    },
    /// The module is not valid: a fault of the importer.
    #[error("{}: error: the imported module is not valid: {message}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What refuses it.
        message: String,
    },
}

//! Why a model is not compiled: the kind of the error, its message, and its place in a file.
//!
//! ```text
//! m.mlir:3:5: error: 'loop.for' op split: factors multiply to 28, extent is 30 (C4)
//! m.mlir:2:3: note: ..
//! ```

use crate::ir::{self, Location, Reported, Severity};
use loopwright_onnx::ImportError;
use std::fmt;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// A file cannot be read.
    Unreadable,
    /// A file or text is not a valid module, or not an ONNX model that can be imported.
    Model,
    /// A file or text is neither a transform script nor a trace.
    Schedule,
    /// The processor, or the architecture of a GPU, is not known.
    Target,
    /// An option does not fit the model or the other options.
    Option,
    /// A pass, a step of the schedule or the code generator refuses the module.
    Compile,
    /// A file cannot be written, or the linker fails.
    Write,
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePosition {
    /// The file, as the user named it.
    pub file: String,
    /// From 1; 0 if it is not known.
    pub line: usize,
    /// From 1, in bytes; 0 if it is not known.
    pub column: usize,
}

/// An error, warning or remark with its notes. Printed like those of compilers: see the head of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How severe it is.
    pub severity: Severity,
    /// What it is about: a position, a location that is no position, a file, or a tool.
    pub origin: String,
    /// The position, if it is known.
    pub position: Option<SourcePosition>,
    /// One line.
    pub message: String,
    /// The origins and messages of notes.
    pub notes: Vec<(String, String)>,
}

/// Why a model is not compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{diagnostic}")]
pub struct CompileError {
    /// The kind of the error.
    pub code: ErrorCode,
    /// The first error that was reported.
    pub diagnostic: Box<Diagnostic>,
}

impl Diagnostic {
    /// A diagnostic without a position.
    pub fn of(severity: Severity, origin: &str, message: impl Into<String>) -> Diagnostic {
        let (origin, message) = (origin.to_owned(), message.into());
        Diagnostic { severity, origin, position: None, message, notes: vec![] }
    }

    /// The same at a location.
    #[must_use]
    fn at(self, location: Location) -> Diagnostic {
        let position = location.first_file().map(|(file, line, column)| SourcePosition {
            file: file.to_owned(),
            line,
            column,
        });
        Diagnostic { origin: place(&location), position, ..self }
    }
}

impl From<Reported> for Diagnostic {
    fn from(reported: Reported) -> Diagnostic {
        let notes = reported.notes.into_iter();
        let position = reported.position;
        Diagnostic {
            severity: reported.severity,
            origin: place(&reported.place),
            position: position.map(|(file, line, column)| SourcePosition { file, line, column }),
            message: reported.message.replace('\n', " "),
            notes: notes.map(|(at, note)| (place(&at), note.trim_end().to_owned())).collect(),
        }
    }
}

impl CompileError {
    /// An error about a file, or of a tool.
    pub fn of(code: ErrorCode, origin: &str, message: impl Into<String>) -> CompileError {
        CompileError { code, diagnostic: Diagnostic::of(Severity::Error, origin, message).into() }
    }

    /// An error about a file as a whole.
    pub fn of_file(code: ErrorCode, file: &str, message: impl Into<String>) -> CompileError {
        let mut error = CompileError::of(code, file, message);
        error.diagnostic.position =
            Some(SourcePosition { file: file.to_owned(), line: 0, column: 0 });
        error
    }

    /// An error at a location.
    pub fn at(code: ErrorCode, location: Location, message: impl Into<String>) -> CompileError {
        let diagnostic = Diagnostic::of(Severity::Error, "", message).at(location);
        CompileError { code, diagnostic: diagnostic.into() }
    }

    /// The error of a pass or a step, with its notes.
    pub fn of_error(code: ErrorCode, error: &ir::Error) -> CompileError {
        let mut of = CompileError::at(code, error.location, error.text());
        let notes = error.notes.iter();
        of.diagnostic.notes =
            notes.map(|note| (place(&note.location), note.message.trim_end().to_owned())).collect();
        of
    }

    /// The position in the file, if there is one.
    pub fn position(&self) -> Option<&SourcePosition> {
        self.diagnostic.position.as_ref()
    }
}

impl From<ImportError> for CompileError {
    fn from(error: ImportError) -> CompileError {
        let file = |path: &std::path::Path| path.display().to_string();
        match error {
            ImportError::Read { path, error } => {
                let message = format!("cannot be read: {error}");
                CompileError::of_file(ErrorCode::Unreadable, &file(&path), message)
            }
            ImportError::Text { path, line, column, message } => {
                let file = file(&path);
                let mut error =
                    CompileError::of(ErrorCode::Model, &format!("{file}:{line}:{column}"), message);
                error.diagnostic.position = Some(SourcePosition { file, line, column });
                error
            }
            ImportError::File { path, message } => {
                CompileError::of_file(ErrorCode::Model, &file(&path), message)
            }
            ImportError::Part { path, part, refusal } => {
                let message = format!("{part}: {refusal}");
                CompileError::of_file(ErrorCode::Model, &file(&path), message)
            }
            ImportError::Invalid { path, message } => {
                let message = format!("the imported module is not valid: {message}");
                CompileError::of_file(ErrorCode::Model, &file(&path), message)
            }
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}: {}", self.origin, self.severity.word(), self.message)?;
        self.notes.iter().try_for_each(|(at, note)| write!(f, "\n{at}: note: {note}"))
    }
}

/// For tools, which print errors.
impl From<CompileError> for String {
    fn from(error: CompileError) -> String {
        error.to_string()
    }
}

/// A location in the form that editors know: `loc("f.mlir":3:5)` is `f.mlir:3:5`, and so is
/// `loc("loop i"("f.mlir":3:5))`.
pub fn place(location: &impl std::fmt::Display) -> String {
    let text = location.to_string();
    let inner = text.strip_prefix("loc(").and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
    let named = inner.strip_suffix(')').and_then(|t| t.split_once("\"("));
    named.map_or(inner, |(_, place)| place).replace('"', "")
}

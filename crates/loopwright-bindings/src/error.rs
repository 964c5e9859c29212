//! Errors as bindings report them: a code, a message, and a position in a file.

#[cfg(feature = "compile")]
use loopwright::pipeline::{CompileError, ErrorCode, SourcePosition};
use std::any::Any;
use std::ffi::CStr;

/// The kind of an error. The numbers are those of `lw_code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Code {
    /// No error.
    Ok = 0,
    /// A pointer is null.
    Null = 1,
    /// A file cannot be read.
    Unreadable = 2,
    /// The model is neither a valid module nor an ONNX model that can be imported.
    Model = 3,
    /// The schedule is neither a valid transform script nor a trace as JSON.
    Schedule = 4,
    /// The target, processor or device is unknown or absent.
    Target = 5,
    /// An option is not valid, or does not fit the model.
    Option = 6,
    /// A pass, a step of the schedule or the code generator refuses the model.
    Compile = 7,
    /// A file cannot be written, or the linker fails.
    Write = 8,
    /// The code cannot be loaded on the device.
    Load = 9,
    /// The module has no such function or argument.
    Function = 10,
    /// An argument of a run does not fit the function.
    Argument = 11,
    /// The device reports an error.
    Run = 12,
    /// A fault of Loopwright.
    Internal = 13,
}

/// The codes and their names.
pub const CODES: [(Code, &CStr); 14] = [
    (Code::Ok, c"ok"),
    (Code::Null, c"null"),
    (Code::Unreadable, c"unreadable"),
    (Code::Model, c"model"),
    (Code::Schedule, c"schedule"),
    (Code::Target, c"target"),
    (Code::Option, c"option"),
    (Code::Compile, c"compile"),
    (Code::Write, c"write"),
    (Code::Load, c"load"),
    (Code::Function, c"function"),
    (Code::Argument, c"argument"),
    (Code::Run, c"run"),
    (Code::Internal, c"internal"),
];

/// An error, independent of the language of the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ApiError {
    /// The kind of the error.
    pub code: Code,
    /// What was found and what was expected. Notes follow on lines of their own.
    pub message: String,
    /// The position in the model or schedule; `None` if it is not known.
    pub position: Option<FilePosition>,
}

/// A position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePosition {
    /// The file.
    pub file: String,
    /// The line, from 1; 0 if it is not known.
    pub line: usize,
    /// The column in bytes, from 1; 0 if it is not known.
    pub column: usize,
}

impl Code {
    /// The name, such as `argument`.
    pub fn name(self) -> &'static str {
        let known = CODES.iter().find(|(code, _)| *code == self);
        known.and_then(|(_, name)| name.to_str().ok()).unwrap_or("unknown")
    }
}

impl ApiError {
    /// An error without a position.
    pub fn new(code: Code, message: impl Into<String>) -> ApiError {
        ApiError { code, message: message.into(), position: None }
    }

    /// The error of a panic, which is a fault of ours.
    pub fn of_panic(panic: &(dyn Any + Send)) -> ApiError {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("a panic without a message");
        ApiError::new(Code::Internal, format!("internal error: {text}"))
    }
}

#[cfg(feature = "compile")]
impl From<SourcePosition> for FilePosition {
    fn from(SourcePosition { file, line, column }: SourcePosition) -> FilePosition {
        FilePosition { file, line, column }
    }
}

#[cfg(feature = "compile")]
impl From<CompileError> for ApiError {
    fn from(error: CompileError) -> ApiError {
        let code = match error.code {
            ErrorCode::Unreadable => Code::Unreadable,
            ErrorCode::Model => Code::Model,
            ErrorCode::Schedule => Code::Schedule,
            ErrorCode::Target => Code::Target,
            ErrorCode::Option => Code::Option,
            ErrorCode::Compile => Code::Compile,
            ErrorCode::Write => Code::Write,
        };
        let diagnostic = *error.diagnostic;
        let mut message = diagnostic.message;
        // A position has fields of its own; other origins, such as the name of a node, do not.
        if diagnostic.position.is_none() {
            message = format!("{}: {message}", diagnostic.origin);
        }
        for (at, note) in diagnostic.notes {
            message += &format!("\n{at}: note: {note}");
        }
        ApiError { code, message, position: diagnostic.position.map(Into::into) }
    }
}

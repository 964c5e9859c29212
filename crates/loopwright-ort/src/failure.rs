//! Errors as a program of `ort` sees them: a code and a message.

use loopwright_bindings::error::{ApiError, Code};
use loopwright_runtime::tensor::TensorError;
use ort::sys::OrtErrorCode;

/// An error of an entry of the table.
#[derive(Debug)]
pub struct Failure {
    pub code: OrtErrorCode,
    pub message: String,
}

impl Failure {
    pub fn new(code: OrtErrorCode, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }

    /// An argument of the caller is wrong.
    pub fn argument(message: impl Into<String>) -> Failure {
        Failure::new(OrtErrorCode::ORT_INVALID_ARGUMENT, message)
    }

    /// Something that ONNX Runtime has is not supported.
    pub fn unsupported(message: impl Into<String>) -> Failure {
        Failure::new(OrtErrorCode::ORT_NOT_IMPLEMENTED, message)
    }
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Failure {
        let code = match error.code {
            Code::Unreadable => OrtErrorCode::ORT_NO_SUCHFILE,
            Code::Model => OrtErrorCode::ORT_INVALID_GRAPH,
            Code::Null | Code::Option | Code::Target | Code::Argument => {
                OrtErrorCode::ORT_INVALID_ARGUMENT
            }
            Code::Internal => OrtErrorCode::ORT_RUNTIME_EXCEPTION,
            _ => OrtErrorCode::ORT_FAIL,
        };
        let place = error.position.map(|at| match at.line {
            0 => format!("{}: ", at.file),
            line => format!("{}:{line}:{}: ", at.file, at.column),
        });
        Failure { code, message: place.unwrap_or_default() + &error.message }
    }
}

impl From<TensorError> for Failure {
    fn from(error: TensorError) -> Failure {
        Failure::argument(error.to_string())
    }
}

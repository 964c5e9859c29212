//! Errors as exceptions.

use loopwright_bindings::error::{ApiError, Code};
use loopwright_bindings::run::Misfit;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The exception for an error: `CompileError` if a model, a schedule or an option is refused.
pub fn exception(py: Python, error: ApiError) -> PyErr {
    match error.code {
        Code::Argument => PyValueError::new_err(error.message),
        Code::Function => PyKeyError::new_err(error.message),
        Code::Run | Code::Null | Code::Internal | Code::Ok => {
            PyRuntimeError::new_err(error.message)
        }
        Code::Unreadable
        | Code::Model
        | Code::Schedule
        | Code::Target
        | Code::Option
        | Code::Compile
        | Code::Write
        | Code::Load => compile_error(py, error).unwrap_or_else(|failed| failed),
    }
}

fn compile_error(py: Python, error: ApiError) -> PyResult<PyErr> {
    let (file, line, column) = match error.position {
        Some(at) => (Some(at.file), known(at.line), known(at.column)),
        None => (None, None, None),
    };
    let class = py.import("loopwright.errors")?.getattr("CompileError")?;
    let made = class.call1((error.code.name(), error.message, file, line, column))?;
    Ok(PyErr::from_value(made))
}

/// A number from 1 on; 0 if it is not known.
fn known(number: usize) -> Option<usize> {
    (number > 0).then_some(number)
}

/// The exception for an array that does not fit an argument, which is named as in `main: argument 0 (x)`.
pub fn misfit(argument: &str, misfit: Misfit) -> PyErr {
    let message = format!("{argument} {misfit}");
    match misfit {
        Misfit::ElementType { .. } => PyTypeError::new_err(message),
        Misfit::Rank { .. } | Misfit::Size { .. } => PyValueError::new_err(message),
    }
}

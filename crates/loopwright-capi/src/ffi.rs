//! The functions of `include/loopwright-c`: pointers, texts and panics. All `unsafe` and `extern` code of the crate.
//!
//! Each function checks that pointers are not null, converts what they point to, and calls safe code. A panic of that code
//! becomes an error with the code `LW_INTERNAL`.

pub mod compile;
pub mod context;
pub mod function;
pub mod mlir;

use loopwright_bindings::error::{ApiError, CODES, Code};
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{null, null_mut};

/// `lw_error`.
#[repr(C)]
pub struct ErrorRecord {
    code: Code,
    message: *mut c_char,
    file: *mut c_char,
    line: i64,
    column: i64,
}

impl ErrorRecord {
    const NONE: ErrorRecord =
        ErrorRecord { code: Code::Ok, message: null_mut(), file: null_mut(), line: 0, column: 0 };
}

/// Frees the texts of an error.
///
/// # Safety
/// `error` is null, or points to an error that is zero-initialized or was written by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_error_clear(error: *mut ErrorRecord) {
    if error.is_null() {
        return;
    }
    // SAFETY: by contract; the texts are those of `write`, and are freed once, since the fields are overwritten.
    unsafe {
        let ErrorRecord { message, file, .. } = error.replace(ErrorRecord::NONE);
        for text in [message, file] {
            if !text.is_null() {
                drop(CString::from_raw(text));
            }
        }
    }
}

/// The name of a code. It is a number, since C can pass any.
#[unsafe(no_mangle)]
pub extern "C" fn lw_code_name(code: u32) -> *const c_char {
    let known = CODES.iter().find(|(known, _)| *known as u32 == code);
    known.map_or(c"unknown", |(_, name)| name).as_ptr()
}

/// The version of this package.
#[unsafe(no_mangle)]
pub extern "C" fn lw_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Calls a function, and writes its error.
///
/// # Safety
/// As [`lw_error_clear`].
unsafe fn guarded(error: *mut ErrorRecord, run: impl FnOnce() -> Result<(), ApiError>) -> Code {
    let outcome = catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|panic| Err(ApiError::of_panic(&*panic)));
    let Err(failed) = outcome else { return Code::Ok };
    let code = failed.code;
    if !error.is_null() {
        let text =
            |text: String| CString::new(text.replace('\0', "")).expect("it has no NUL").into_raw();
        let (file, line, column) = match failed.position {
            Some(at) => (text(at.file), at.line as i64, at.column as i64),
            None => (null_mut(), 0, 0),
        };
        // SAFETY: by contract.
        unsafe {
            lw_error_clear(error);
            error.write(ErrorRecord { code, message: text(failed.message), file, line, column });
        }
    }
    code
}

/// Calls a function that cannot fail, and returns `otherwise` if it panics.
fn protected<T>(otherwise: T, run: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or(otherwise)
}

/// What a pointer of a parameter points to.
///
/// # Errors
/// [`Code::Null`].
///
/// # Safety
/// The pointer is null, or points to a value that lives and does not change during the call.
unsafe fn given<'a, T>(pointer: *const T, parameter: &str) -> Result<&'a T, ApiError> {
    // SAFETY: by contract.
    unsafe { pointer.as_ref() }.ok_or_else(|| null_parameter(parameter))
}

fn null_parameter(parameter: &str) -> ApiError {
    let message = format!("the parameter {parameter} is null, expected a pointer");
    ApiError::new(Code::Null, message)
}

/// Checks that a result can be written to a parameter.
fn writable<T>(pointer: *mut T, parameter: &str) -> Result<(), ApiError> {
    if pointer.is_null() { Err(null_parameter(parameter)) } else { Ok(()) }
}

/// The elements of an array; `pointer` may be null if there are none.
///
/// # Errors
/// [`Code::Null`].
///
/// # Safety
/// The pointer is null, or points to so many values that live and do not change during the call.
unsafe fn array<'a, T>(
    pointer: *const T,
    count: usize,
    parameter: &str,
) -> Result<&'a [T], ApiError> {
    match count {
        0 => Ok(&[]),
        _ if pointer.is_null() => Err(null_parameter(parameter)),
        // SAFETY: by contract.
        _ => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// A text that may be null.
///
/// # Errors
/// [`Code::Option`] if it is not UTF-8.
///
/// # Safety
/// The pointer is null, or points to a text that ends with NUL and lives during the call.
unsafe fn text_or_null<'a>(
    pointer: *const c_char,
    parameter: &str,
) -> Result<Option<&'a str>, ApiError> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: by contract.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map(Some)
        .map_err(|_| ApiError::new(Code::Option, format!("the parameter {parameter} is not UTF-8")))
}

/// A text that must not be null.
///
/// # Errors
/// [`Code::Null`], and [`Code::Option`] if it is not UTF-8.
///
/// # Safety
/// As [`text_or_null`].
unsafe fn text<'a>(pointer: *const c_char, parameter: &str) -> Result<&'a str, ApiError> {
    // SAFETY: by contract.
    unsafe { text_or_null(pointer, parameter) }?.ok_or_else(|| null_parameter(parameter))
}

/// The pointer to a value that may be absent.
fn pointer_to<T>(value: Option<&T>) -> *const T {
    value.map_or(null(), std::ptr::from_ref)
}

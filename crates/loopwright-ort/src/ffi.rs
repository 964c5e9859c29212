//! The functions of the table: pointers, texts and panics. All `unsafe` and `extern` code of the crate.
//!
//! Each function checks that pointers are not null, converts what they point to, and calls safe code. An error or a panic of
//! that code becomes a status. In these modules "see `ffi`" stands for the contract of ONNX Runtime's C API:
//!
//! - A pointer to an opaque type is null, or was returned by a function of this table for that type, and has not been released.
//! - Other pointers are null, or point to values, arrays or texts of the stated length, which live during the call.
//! - An object that a function changes is not used by another thread during the call.

pub mod binding;
pub mod environment;
pub mod memory;
pub mod metadata;
pub mod options;
pub mod refusal;
pub mod run;
pub mod run_options;
pub mod session;
pub mod status;
pub mod table;
pub mod type_info;
pub mod value;

use crate::failure::Failure;
use loopwright_bindings::error::ApiError;
use ort::sys::OrtStatusPtr;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An object that a program holds by a pointer to an opaque type.
pub trait Held: Sized {
    /// The opaque type.
    type Opaque;
}

/// The number of objects that are held.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// The number of objects of this library that the program holds: environments, sessions, values, errors and so on. It is 0 when
/// the program has released all of them.
pub fn live_objects() -> usize {
    LIVE.load(Ordering::SeqCst)
}

/// Gives an object to the program, which releases it by [`release`].
fn hold<T: Held>(object: T) -> *mut T::Opaque {
    LIVE.fetch_add(1, Ordering::SeqCst);
    Box::into_raw(Box::new(object)).cast()
}

/// Frees an object, or does nothing for null.
///
/// # Safety
/// See `ffi`.
pub unsafe extern "system" fn release<T: Held>(object: *mut T::Opaque) {
    if object.is_null() {
        return;
    }
    LIVE.fetch_sub(1, Ordering::SeqCst);
    let free = || {
        // SAFETY: by contract it is of `hold`, and is not used any more.
        drop(unsafe { Box::from_raw(object.cast::<T>()) });
    };
    // A panic of a drop has no receiver.
    let _ = catch_unwind(AssertUnwindSafe(free));
}

/// Does nothing with what a function of the table gets for an option that has no effect here.
pub unsafe extern "system" fn accept<T>(_: *mut T) -> OrtStatusPtr {
    OrtStatusPtr::default()
}

/// Like [`accept`], for an option with a value.
pub unsafe extern "system" fn accept_value<T, V>(_: *mut T, _: V) -> OrtStatusPtr {
    OrtStatusPtr::default()
}

/// Calls a function, and returns its error as a status.
fn guarded(run: impl FnOnce() -> Result<(), Failure>) -> OrtStatusPtr {
    let outcome = catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|panic| Err(ApiError::of_panic(&*panic).into()));
    match outcome {
        Ok(()) => OrtStatusPtr::default(),
        Err(failure) => status::status(failure),
    }
}

fn null_parameter(parameter: &str) -> Failure {
    Failure::argument(format!("the parameter {parameter} is null, expected a pointer"))
}

/// The object of a parameter.
///
/// # Safety
/// See `ffi`.
unsafe fn held<'a, T: Held>(object: *const T::Opaque, parameter: &str) -> Result<&'a T, Failure> {
    // SAFETY: by contract.
    unsafe { object.cast::<T>().as_ref() }.ok_or_else(|| null_parameter(parameter))
}

/// The object of a parameter, to change it.
///
/// # Safety
/// See `ffi`.
unsafe fn held_mut<'a, T: Held>(
    object: *mut T::Opaque,
    parameter: &str,
) -> Result<&'a mut T, Failure> {
    // SAFETY: by contract.
    unsafe { object.cast::<T>().as_mut() }.ok_or_else(|| null_parameter(parameter))
}

/// Writes a result.
///
/// # Safety
/// See `ffi`.
unsafe fn put<T>(out: *mut T, value: T) -> Result<(), Failure> {
    if out.is_null() {
        return Err(null_parameter("out"));
    }
    // SAFETY: by contract; it is not null.
    unsafe { out.write(value) };
    Ok(())
}

/// Writes a new object, which is made only if it can be written.
///
/// # Safety
/// See `ffi`.
unsafe fn put_new<T: Held>(
    out: *mut *mut T::Opaque,
    object: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    if out.is_null() {
        return Err(null_parameter("out"));
    }
    let object = hold(object()?);
    // SAFETY: by contract; it is not null.
    unsafe { out.write(object) };
    Ok(())
}

/// The elements of an array; `start` may be null if there are none.
///
/// # Safety
/// See `ffi`.
unsafe fn array<'a, T>(start: *const T, count: usize, parameter: &str) -> Result<&'a [T], Failure> {
    match count {
        0 => Ok(&[]),
        _ if start.is_null() => Err(null_parameter(parameter)),
        // SAFETY: by contract.
        _ => Ok(unsafe { std::slice::from_raw_parts(start, count) }),
    }
}

/// A text.
///
/// # Safety
/// See `ffi`.
unsafe fn text<'a>(start: *const c_char, parameter: &str) -> Result<&'a str, Failure> {
    if start.is_null() {
        return Err(null_parameter(parameter));
    }
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(start) }
        .to_str()
        .map_err(|_| Failure::argument(format!("the parameter {parameter} is not UTF-8")))
}

/// The texts of an array.
///
/// # Safety
/// See `ffi`.
unsafe fn texts<'a>(
    start: *const *const c_char,
    count: usize,
    parameter: &str,
) -> Result<Vec<&'a str>, Failure> {
    // SAFETY: see `ffi`.
    let each = unsafe { array(start, count, parameter) }?.iter();
    // SAFETY: see `ffi`.
    each.map(|it| unsafe { text(*it, parameter) }).collect()
}

/// A text of C, which ends with NUL.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("it has no NUL")
}

//! The exported functions. Pointers become values here, and everything else is done by `driver`.
//!
//! Handles are never pointers to anything, so a wrong one is an error and no crash; what a caller passes for
//! results and buffers must be valid for it, as the driver's manual demands.

mod device;
mod execution;
mod memory;
mod module;

use crate::driver::DRIVER;
use crate::status::{Result, Status};
use std::ffi::{CStr, c_char, c_void};

/// `CUresult`.
type Code = u32;

/// Any of the driver's opaque handles.
type Handle = *mut c_void;

/// Turns the outcome of a call into a code.
fn code(outcome: Result) -> Code {
    match outcome {
        Ok(()) => 0,
        Err(status) => status as Code,
    }
}

/// As [`code`], for calls that a fault has made impossible.
fn checked(of: impl FnOnce() -> Result) -> Code {
    code(DRIVER.check().and_then(|()| of()))
}

fn number(handle: Handle) -> u64 {
    handle as u64
}

fn handle(number: u64) -> Handle {
    number as Handle
}

/// Stores a result.
///
/// # Safety
/// `to` is null or valid for a write.
unsafe fn give<T>(to: *mut T, value: T) -> Result {
    if to.is_null() {
        return Err(Status::InvalidValue);
    }
    // SAFETY: it is not null, so the caller says that it is valid.
    unsafe { to.write(value) };
    Ok(())
}

/// A name or text of the caller's.
///
/// # Safety
/// `from` is null or ends with a zero.
unsafe fn text<'a>(from: *const c_char) -> Result<&'a str> {
    if from.is_null() {
        return Err(Status::InvalidValue);
    }
    // SAFETY: it is not null, so the caller says that it ends with a zero.
    unsafe { CStr::from_ptr(from) }.to_str().map_err(|_| Status::InvalidValue)
}

/// Copies a text into a buffer of the caller's, cut off where it is too short, with a zero at its end.
///
/// # Safety
/// `to` is null or valid for writes of `bytes` bytes.
unsafe fn copy_text(source: &str, to: *mut c_char, bytes: usize) {
    if to.is_null() || bytes == 0 {
        return;
    }
    let count = source.len().min(bytes - 1);
    // SAFETY: count + 1 bytes fit.
    unsafe {
        std::ptr::copy_nonoverlapping(source.as_ptr().cast(), to, count);
        to.add(count).write(0);
    }
}

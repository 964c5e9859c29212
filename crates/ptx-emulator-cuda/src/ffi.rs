//! The exported functions. They convert pointers to values; `driver` does everything else.
//!
//! Handles are never pointers, so a wrong handle is an error and not a crash. Pointers for results and buffers must be
//! valid, as the driver's manual requires.

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

/// Converts the outcome of a call to a code.
fn code(outcome: Result) -> Code {
    match outcome {
        Ok(()) => 0,
        Err(status) => status as Code,
    }
}

/// Like [`code`], for calls that fail after a fault.
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
    // SAFETY: it is not null, so by contract it is valid.
    unsafe { to.write(value) };
    Ok(())
}

/// A name or text from the caller.
///
/// # Safety
/// `from` is null or ends with a zero.
unsafe fn text<'a>(from: *const c_char) -> Result<&'a str> {
    if from.is_null() {
        return Err(Status::InvalidValue);
    }
    // SAFETY: it is not null, so by contract it ends with a zero.
    unsafe { CStr::from_ptr(from) }.to_str().map_err(|_| Status::InvalidValue)
}

/// Copies a text into a buffer of the caller. The copy is truncated to the buffer and ends with a zero.
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

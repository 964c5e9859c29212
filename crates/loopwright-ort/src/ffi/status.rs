//! Statuses: errors with a code and a message. The status of success is null.

use super::{Held, c_text, hold};
use crate::failure::Failure;
use ort::sys::{OrtErrorCode, OrtStatus, OrtStatusPtr};
use std::ffi::{CStr, CString, c_char};

/// `OrtStatus`.
pub struct Status {
    code: OrtErrorCode,
    message: CString,
}

impl Held for Status {
    type Opaque = OrtStatus;
}

/// The status of an error.
pub fn status(failure: Failure) -> OrtStatusPtr {
    OrtStatusPtr(hold(Status { code: failure.code, message: c_text(&failure.message) }))
}

/// The status of an error of the program.
pub unsafe extern "system" fn create(code: OrtErrorCode, message: *const c_char) -> OrtStatusPtr {
    let message = match message.is_null() {
        true => CString::default(),
        // SAFETY: see `ffi`.
        false => unsafe { CStr::from_ptr(message) }.to_owned(),
    };
    OrtStatusPtr(hold(Status { code, message }))
}

/// The code of a status.
pub unsafe extern "system" fn code(status: *const OrtStatus) -> OrtErrorCode {
    // SAFETY: see `ffi`.
    let status = unsafe { status.cast::<Status>().as_ref() };
    status.map_or(OrtErrorCode::ORT_OK, |status| status.code)
}

/// The message of a status, which lives as long as the status.
pub unsafe extern "system" fn message(status: *const OrtStatus) -> *const c_char {
    // SAFETY: see `ffi`.
    let status = unsafe { status.cast::<Status>().as_ref() };
    status.map_or(c"", |status| status.message.as_c_str()).as_ptr()
}

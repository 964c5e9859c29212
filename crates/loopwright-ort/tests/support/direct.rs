//! Calls entries of the table without the wrappers of `ort`: runs of one session on several threads, which `ort` does not
//! offer, and entries that are not implemented.

use ort::session::Session;
use ort::sys::{OrtStatusPtr, OrtValue};
use ort::value::{DynValue, Value};
use ort::{AsPointer, Error, api};
use std::ffi::CString;
use std::ptr::{NonNull, null, null_mut};

/// Runs a session on one input, for one output. Several threads may do so at once.
pub fn run(session: &Session, input: (&str, &DynValue), output: &str) -> ort::Result<DynValue> {
    let names = [input.0, output].map(|name| CString::new(name).expect("a name has no NUL"));
    let value: *const OrtValue = input.1.ptr();
    let mut result = null_mut();
    // SAFETY: the pointers live during the call.
    unsafe {
        let status = (api().Run)(
            session.ptr().cast_mut(),
            null(),
            &names[0].as_ptr(),
            &value,
            1,
            &names[1].as_ptr(),
            1,
            &mut result,
        );
        Error::result_from_status(status)?;
        let result = NonNull::new(result).expect("an output");
        Ok(Value::from_ptr(result, Some(session.allocator())))
    }
}

/// The error of a status.
pub fn error(status: OrtStatusPtr) -> Error {
    // SAFETY: it is of an entry of the table, and is released here only.
    unsafe { Error::result_from_status(status) }.expect_err("an error")
}

/// The statuses of entries that are not implemented, each with its name.
pub fn not_implemented() -> Vec<(&'static str, OrtStatusPtr)> {
    // SAFETY: these entries do not use what they get.
    unsafe {
        vec![
            ("EnableProfiling", (api().EnableProfiling)(null_mut(), null())),
            ("AddInitializer", (api().AddInitializer)(null_mut(), null(), null())),
            (
                "KernelContext_GetInputCount",
                (api().KernelContext_GetInputCount)(null(), null_mut()),
            ),
            ("Graph_GetName", (api().Graph_GetName)(null(), null_mut())),
            (
                "CreateOp",
                (api().CreateOp)(
                    null(),
                    null(),
                    null(),
                    0,
                    null_mut(),
                    null(),
                    0,
                    null(),
                    0,
                    0,
                    0,
                    null_mut(),
                ),
            ),
        ]
    }
}

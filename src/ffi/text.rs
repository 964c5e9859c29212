//! Conversion of strings between Rust and MLIR.

use mlir_sys::MlirStringRef;
use std::ffi::c_void;

/// Borrows a Rust string for a call into MLIR.
pub(crate) fn borrow(text: &str) -> MlirStringRef {
    MlirStringRef { data: text.as_ptr().cast(), length: text.len() }
}

/// The text of an MLIR string; the caller states how long MLIR keeps it.
///
/// # Safety
/// `text` must stay valid for `'a`.
pub(crate) unsafe fn read<'a>(text: MlirStringRef) -> &'a str {
    if text.length == 0 {
        return "";
    }
    // SAFETY: not empty, and valid for 'a by this function's contract.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    if bytes.is_ascii() {
        // Names of ops and attributes are, and are read very often: for them this is faster than the next line.
        // SAFETY: ASCII is UTF-8.
        return unsafe { std::str::from_utf8_unchecked(bytes) };
    }
    std::str::from_utf8(bytes).unwrap_or("<not utf-8>")
}

/// Collects the output of one of MLIR's print functions. Bytes that are not UTF-8 are replaced, because
/// MLIR quotes its input unchanged.
pub(crate) fn collect(
    print: impl FnOnce(Option<unsafe extern "C" fn(MlirStringRef, *mut c_void)>, *mut c_void),
) -> String {
    unsafe extern "C" fn append(part: MlirStringRef, to: *mut c_void) {
        if part.length > 0 {
            // SAFETY: `to` is the Vec below, which outlives the print call; `part` is valid during it.
            unsafe {
                let bytes = std::slice::from_raw_parts(part.data.cast::<u8>(), part.length);
                (*to.cast::<Vec<u8>>()).extend_from_slice(bytes);
            }
        }
    }
    let mut bytes: Vec<u8> = vec![];
    print(Some(append), (&raw mut bytes).cast());
    String::from_utf8_lossy(&bytes).into_owned()
}

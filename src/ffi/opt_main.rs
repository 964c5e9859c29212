//! Registration of the dialects, and the main function of an opt tool.

use melior::dialect::DialectRegistry;
use mlir_sys::MlirDialectRegistry;
use std::ffi::{CString, OsString, c_char, c_int};
use std::os::unix::ffi::OsStringExt;

/// Adds the C++ classes of our dialects to a registry.
pub fn register_dialects(registry: &DialectRegistry) {
    register_dialects_in(registry.to_raw());
}

/// [`register_dialects`] for a registry of the C API.
pub fn register_dialects_in(registry: MlirDialectRegistry) {
    // SAFETY: a live registry.
    unsafe { lwRegisterDialects(registry) }
}

/// Runs MLIR's opt driver over command-line arguments, the program's name first; gives its exit
/// code.
pub fn opt_main(registry: &DialectRegistry, arguments: impl Iterator<Item = OsString>) -> i32 {
    let arguments: Vec<CString> = arguments
        .map(|a| CString::new(a.into_vec()).expect("arguments of a process hold no NUL"))
        .collect();
    let mut argv: Vec<*mut c_char> = arguments.iter().map(|a| a.as_ptr().cast_mut()).collect();
    argv.push(std::ptr::null_mut());
    // SAFETY: argv has argc strings and a null, all of which outlive the call; the driver does not
    // write to them.
    unsafe { lwOptMain(arguments.len() as c_int, argv.as_mut_ptr(), registry.to_raw()) }
}

unsafe extern "C" {
    fn lwRegisterDialects(registry: MlirDialectRegistry);
    fn lwOptMain(argc: c_int, argv: *mut *mut c_char, registry: MlirDialectRegistry) -> c_int;
}

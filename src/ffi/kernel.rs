//! Compiled functions as kernels of the runtime.

use super::LinkedObject;
use loopwright_runtime::kernel::{Kernel, KernelFunction, Signature, WorkspaceFunction};
use std::ffi::{CStr, c_char};
use std::sync::Arc;

/// The kernel `name` of code with the entry points of `convert-memref-to-pointer`; it keeps the code alive.
pub fn kernel(code: &Arc<LinkedObject>, name: &str) -> Result<Kernel, String> {
    let entry = code.address(name)?;
    let workspace = code.address(&format!("{name}_workspace"))?;
    let signature = code.address(&format!("{name}_signature"))?;
    // SAFETY: the compiler gives symbols with these names these types; the text ends with NUL.
    let (entry, workspace, text) = unsafe {
        (
            std::mem::transmute::<usize, KernelFunction>(entry as usize),
            std::mem::transmute::<usize, WorkspaceFunction>(workspace as usize),
            CStr::from_ptr(signature as usize as *const c_char).to_string_lossy(),
        )
    };
    let signature: Signature =
        text.parse().map_err(|error| format!("{name}_signature: {error}"))?;
    let requirements = code.address(&format!("{name}_requirements"))?;
    // SAFETY: the functions are those of this signature, and the code lives as long as its owner; the text ends with
    // NUL.
    unsafe {
        let requirements = CStr::from_ptr(requirements as usize as *const c_char).to_string_lossy();
        let kernel = Kernel::from_raw(name, signature, entry, workspace, code.clone());
        Ok(kernel.with_requirements(&requirements))
    }
}

/// Loads a library that a test has just made with this compiler.
#[cfg(test)]
pub fn open_library(path: &std::path::Path) -> loopwright_runtime::kernel::Library {
    // SAFETY: the library contains kernels, and nothing changes the file.
    unsafe { loopwright_runtime::kernel::Library::open(path) }.expect("it loads")
}

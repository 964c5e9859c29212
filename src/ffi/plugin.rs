//! The plugin entry points that stock `mlir-opt` looks up.
//!
//! Unit tests do not compile them: an exported function that reaches every pass would compile the whole compiler again.

use super::registry::register_dialects_of_plugin;
use mlir_sys::MlirDialectRegistry;
use std::ffi::{c_char, c_void};

/// `DialectPluginLibraryInfo` and `PassPluginLibraryInfo`, which have one layout.
#[repr(C)]
struct PluginInfo<F> {
    api: u32,
    name: *const c_char,
    version: *const c_char,
    register: F,
}

const NAME: *const c_char = c"loopwright".as_ptr();
const VERSION: *const c_char = concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast();

extern "C" fn dialects(registry: *mut c_void) {
    // SAFETY: MLIR passes a live registry.
    unsafe { register_dialects_of_plugin(MlirDialectRegistry { ptr: registry }) }
}

extern "C" fn passes() {
    crate::register_passes();
}

#[unsafe(no_mangle)]
extern "C" fn mlirGetDialectPluginInfo() -> PluginInfo<extern "C" fn(*mut c_void)> {
    PluginInfo { api: 1, name: NAME, version: VERSION, register: dialects }
}

#[unsafe(no_mangle)]
extern "C" fn mlirGetPassPluginInfo() -> PluginInfo<extern "C" fn()> {
    PluginInfo { api: 1, name: NAME, version: VERSION, register: passes }
}

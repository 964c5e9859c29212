//! The plugin entry points that stock `mlir-opt` looks up.

use super::opt_main::has_dialect;
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

/// Adds the dialects of this package, and its transform ops, to a registry of MLIR's C API, as the plugin does. Unlike
/// [`register_dialects`](crate::register_dialects), adds no `tm_tensor`: the program may have its own. Does nothing
/// if the registry has the dialects of this package from another library: it must not have both.
///
/// # Safety
/// The registry must be live.
pub unsafe fn register_dialects_of_plugin(registry: MlirDialectRegistry) {
    if !has_dialect(registry, "loop") {
        crate::register_dialects_in(registry);
    }
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

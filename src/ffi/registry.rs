//! Registration of the dialects in a registry of MLIR's C API.

use super::text::borrow;
use mlir_sys::{MlirDialectRegistry, MlirStringRef};

/// Registers the C++ classes of the Loopwright dialects.
pub fn register_dialects_in(registry: MlirDialectRegistry) {
    // SAFETY: a live registry.
    unsafe { lwRegisterDialects(registry) }
}

/// True if a registry has a dialect with this name, whichever library has registered it.
pub fn has_dialect(registry: MlirDialectRegistry, name: &str) -> bool {
    // SAFETY: a live registry; the text is read during the call.
    unsafe { lwHasDialect(registry, borrow(name)) }
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

/// Registers the C++ classes of the dialects of other projects that the tools read.
pub fn register_foreign_dialects_in(registry: MlirDialectRegistry) {
    // SAFETY: a live registry.
    unsafe { lwRegisterForeignDialects(registry) }
}

unsafe extern "C" {
    fn lwHasDialect(registry: MlirDialectRegistry, name: MlirStringRef) -> bool;
    fn lwRegisterDialects(registry: MlirDialectRegistry);
    fn lwRegisterForeignDialects(registry: MlirDialectRegistry);
}

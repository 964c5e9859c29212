//! JIT: machine code that runs in this process.

use super::CodegenError;
use super::x86::Object;
use crate::ffi;
use loopwright_runtime::kernel::Kernel;
use std::sync::Arc;
use tracing::info_span;

/// An object that is linked into this process.
pub struct Jit(Arc<ffi::LinkedObject>);

impl Jit {
    /// Links an object separately from others: two objects may define the same names. Calls of libm and libgcc
    /// are resolved in the process.
    pub fn load(object: &Object) -> Result<Self, CodegenError> {
        let _span = info_span!(target: "loopwright::codegen", "codegen", name = %"link").entered();
        ffi::LinkedObject::load(object.bytes())
            .map(|jit| Self(Arc::new(jit)))
            .map_err(CodegenError::Link)
    }

    /// A kernel of the object; it keeps the code alive.
    pub fn kernel(&self, name: &str) -> Result<Kernel, CodegenError> {
        ffi::kernel::kernel(&self.0, name).map_err(CodegenError::Link)
    }

    /// The address of a symbol of the object, valid as long as this object or one of its kernels is alive.
    pub fn address(&self, symbol: &str) -> Result<u64, CodegenError> {
        self.0.address(symbol).map_err(CodegenError::Link)
    }
}

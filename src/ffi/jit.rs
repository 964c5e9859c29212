//! Object code in this process, by LLVM's ORC.

use super::llvm::{c_string, to_result};
use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

/// Object code that is linked into this process, until the drop.
pub struct Jit(*mut c_void);

// SAFETY: ORC locks its session, so it may be used and dropped on any thread.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl Jit {
    /// Links an object. Symbols it lacks are looked up in the process, which has libm and libgcc.
    pub fn load(object: &[u8]) -> Result<Self, String> {
        let mut raw = null_mut();
        // SAFETY: a null builder is the default one; the buffer is copied from bytes that outlive the
        // call, and the session takes it over, also on failure.
        unsafe {
            super::llvm::initialize_host();
            to_result(LLVMOrcCreateLLJIT(&mut raw, null_mut()))?;
            let jit = Self(raw);
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                object.as_ptr().cast(),
                object.len(),
                c"object".as_ptr(),
            );
            let library = LLVMOrcLLJITGetMainJITDylib(jit.0);
            to_result(LLVMOrcLLJITAddObjectFile(jit.0, library, buffer))?;
            Ok(jit)
        }
    }

    /// The address of a symbol, valid until the drop. Links what was not linked yet.
    pub fn address(&self, symbol: &str) -> Result<u64, String> {
        let symbol = c_string(symbol)?;
        let mut address = 0;
        // SAFETY: the session is live, and the string outlives the call.
        unsafe { to_result(LLVMOrcLLJITLookup(self.0, &mut address, symbol.as_ptr()))? };
        Ok(address)
    }
}

impl Drop for Jit {
    fn drop(&mut self) {
        // SAFETY: the session is ours and not used afterwards.
        let outcome = unsafe { to_result(LLVMOrcDisposeLLJIT(self.0)) };
        // There is nobody to tell; what could not be freed stays until the process ends.
        drop(outcome);
    }
}

unsafe extern "C" {
    fn LLVMOrcCreateLLJIT(result: *mut *mut c_void, builder: *mut c_void) -> *mut c_void;
    fn LLVMOrcDisposeLLJIT(jit: *mut c_void) -> *mut c_void;
    fn LLVMOrcLLJITGetMainJITDylib(jit: *mut c_void) -> *mut c_void;
    fn LLVMOrcLLJITAddObjectFile(
        jit: *mut c_void,
        library: *mut c_void,
        object: *mut c_void,
    ) -> *mut c_void;
    fn LLVMOrcLLJITLookup(
        jit: *mut c_void,
        address: *mut u64,
        symbol: *const c_char,
    ) -> *mut c_void;
    fn LLVMCreateMemoryBufferWithMemoryRangeCopy(
        start: *const c_char,
        length: usize,
        name: *const c_char,
    ) -> *mut c_void;
}

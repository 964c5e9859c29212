//! The unsafe call of the tools: they run the code of the module that they are given, as a shell runs a program.

use loopwright::codegen::{CodegenError, Jit, x86};

/// Links an object into this process.
pub fn load(object: &x86::Object) -> Result<Jit, CodegenError> {
    // SAFETY: the object is code of this compiler. Accesses of the module that the compiler does not check are the
    // user's, who can have them checked by --check-bounds.
    unsafe { Jit::load(object) }.map_err(CodegenError::Link)
}

//! Runs the code of the module that the tool is given, as a shell runs a program.

use loopwright::codegen::{CodegenError, Jit, x86};
use loopwright::pipeline::Weights;

/// Links an object into this process, with the weights that were taken out of its module, and gives it to a function. Both
/// are gone afterwards.
pub fn with_linked<T>(
    object: &x86::Object,
    mut weights: Weights<'_>,
    run: impl FnOnce(&Jit) -> Result<T, CodegenError>,
) -> Result<T, CodegenError> {
    // SAFETY: the object is code of this compiler. Accesses of the module that the compiler does not check are the
    // user's, who can have them checked by --check-bounds. The weights are dropped after the code; what the function of
    // the tool returns holds no kernel.
    let code = unsafe { Jit::load_with(object, weights.linked_to(object)?) }?;
    let result = run(&code);
    drop(code);
    drop(weights);
    result
}

//! Arithmetic on complex numbers, which upstream lowers.

use super::Op;
use mlir_sys::*;

/// Replaces the arithmetic of the complex dialect under `op` by arithmetic on real and imaginary parts; false if upstream
/// reported an error. Ops that take complex numbers apart, put them together or are constants stay.
pub(crate) fn lower_complex_arithmetic(op: Op) -> bool {
    // SAFETY: the op is live, and no handle to an op of the complex dialect is used after the call.
    unsafe { lwComplexLowerArithmetic(op.to_raw()) }
}

unsafe extern "C" {
    fn lwComplexLowerArithmetic(op: MlirOperation) -> bool;
}

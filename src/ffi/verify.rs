//! Entry points by which the C++ traits call the verifiers that are written in Rust.

use super::text::read;
use super::{Attribute, Error, Op, catch_panic};
use mlir_sys::*;
use std::sync::OnceLock;

/// Verifies an op of the Loopwright dialects beyond the ODS constraints.
type VerifyOp = for<'c> fn(Op<'c>) -> Result<(), Error<'c>>;
/// Verifies a dialect attribute `name` on argument `index` of a function.
type VerifyArgument = for<'c> fn(Op<'c>, usize, &str, Attribute<'c>) -> Result<(), Error<'c>>;

static VERIFIERS: OnceLock<(VerifyOp, VerifyArgument)> = OnceLock::new();

/// Sets the verifiers of the dialects; they are in modules that this one must not import.
pub fn set_verifiers(op: VerifyOp, argument: VerifyArgument) {
    // The first registration takes effect: every later one passes the same functions.
    let _ = VERIFIERS.set((op, argument));
}

#[unsafe(no_mangle)]
extern "C" fn lwRustVerify(op: MlirOperation) -> bool {
    // SAFETY: the verifier calls with a live op.
    let op = unsafe { Op::from_raw(op) };
    let Some((verify, _)) = VERIFIERS.get() else { return true };
    report(catch_panic(op, "a verifier", || verify(op)))
}

#[unsafe(no_mangle)]
extern "C" fn lwRustVerifyArgument(
    function: MlirOperation,
    index: isize,
    name: MlirStringRef,
    value: MlirAttribute,
) -> bool {
    // SAFETY: the verifier calls with a live op, attribute and name.
    let (op, name, value) =
        unsafe { (Op::from_raw(function), read(name), Attribute::from_raw(value)) };
    let Some((_, verify)) = VERIFIERS.get() else { return true };
    report(catch_panic(op, "a verifier", || verify(op, index as usize, name, value)))
}

fn report(outcome: Option<Result<(), Error>>) -> bool {
    match outcome {
        Some(Ok(())) => true,
        Some(Err(error)) => {
            error.emit();
            false
        }
        None => false,
    }
}

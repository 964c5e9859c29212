//! Entry points by which the C++ traits call the verifiers and the inference of types that are written in Rust.

use super::text::read;
use super::{Attribute, Error, Location, Op, Type, Value, catch_panic};
use mlir_sys::*;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// Verifies an op of the Loopwright dialects beyond the ODS constraints.
type VerifyOp = for<'c> fn(Op<'c>) -> Result<(), Error<'c>>;
/// Verifies a dialect attribute `name` on argument `index` of a function.
type VerifyArgument = for<'c> fn(Op<'c>, usize, &str, Attribute<'c>) -> Result<(), Error<'c>>;
/// Infers the result types of an op with this name from its operands and its dictionary of attributes. The message of an error
/// continues the name.
type InferTypes = for<'c> fn(&str, Vec<Value<'c>>, Attribute<'c>) -> Result<Vec<Type<'c>>, String>;

struct DialectHooks {
    op: VerifyOp,
    argument: VerifyArgument,
    types: InferTypes,
}

static HOOKS: OnceLock<DialectHooks> = OnceLock::new();

/// Sets the verifiers of the dialects and the inference of types; they are in modules that this one must not import.
pub fn set_verifiers(op: VerifyOp, argument: VerifyArgument, types: InferTypes) {
    // The first registration takes effect: every later one passes the same functions.
    let _ = HOOKS.set(DialectHooks { op, argument, types });
}

#[unsafe(no_mangle)]
extern "C" fn lwRustVerify(op: MlirOperation) -> bool {
    // SAFETY: the verifier calls with a live op.
    let op = unsafe { Op::from_raw(op) };
    let Some(hooks) = HOOKS.get() else { return true };
    report(catch_panic(op, "a verifier", || (hooks.op)(op)))
}

#[unsafe(no_mangle)]
extern "C" fn lwRustInferTypes(
    name: MlirStringRef,
    location: MlirLocation,
    count: isize,
    operands: *const MlirValue,
    attributes: MlirAttribute,
    add: extern "C" fn(*mut c_void, MlirType),
    types: *mut c_void,
) -> bool {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the caller passes live objects, and `count` operands.
    let (name, location, attributes, operands) = unsafe {
        let operands = (0..count).map(|i| Value::from_raw(*operands.add(i)));
        let operands: Vec<_> = operands.collect();
        (read(name), Location::from_raw(location), Attribute::from_raw(attributes), operands)
    };
    let Some(hooks) = HOOKS.get() else { return false };
    let inferred = catch_unwind(AssertUnwindSafe(|| (hooks.types)(name, operands, attributes)));
    match inferred.unwrap_or_else(|_| Err("has types whose inference panicked".into())) {
        Ok(inferred) => {
            inferred.into_iter().for_each(|ty| add(types, ty.to_raw()));
            true
        }
        Err(message) => {
            Error::at(location, format!("'{name}' op {message}")).emit();
            false
        }
    }
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
    let Some(hooks) = HOOKS.get() else { return true };
    report(catch_panic(op, "a verifier", || (hooks.argument)(op, index as usize, name, value)))
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

//! Transform ops that are implemented in Rust, and the application of scripts from Rust.

use super::text::borrow;
use super::{Attribute, Error, ModuleMut, ModuleRef, Op, catch_panic, op_of};
use mlir_sys::*;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::OnceLock;

/// Applies a transform op of Loopwright.
type Apply = for<'c> fn(Op<'c>, &TransformCall<'c>) -> Result<(), Error<'c>>;

/// The state that is kept while a script runs.
type ScriptMemory = RefCell<Box<dyn Any>>;

static APPLY: OnceLock<Apply> = OnceLock::new();

/// Sets the function that applies the ops; it is in a module that this one must not import.
pub fn set_transform_apply(apply: Apply) {
    // The first registration takes effect: every later one passes the same function.
    let _ = APPLY.set(apply);
}

/// The application of a transform op, while it runs.
#[derive(Clone)]
pub struct TransformCall<'c> {
    raw: *mut LwTransformCall,
    context: PhantomData<&'c ()>,
}

// SAFETY of this block: `raw` is the call that the interpreter is executing; operand and result numbers are
// those of the op's definition.
impl<'c> TransformCall<'c> {
    /// The payload ops of handle operand `i`.
    pub fn payload(&self, i: usize) -> Vec<Op<'c>> {
        unsafe extern "C" fn each(list: *mut c_void, op: MlirOperation) {
            // SAFETY: `list` is the list below, and the op is live.
            unsafe { (*list.cast::<Vec<Op>>()).push(Op::from_raw(op)) }
        }
        let mut ops: Vec<Op<'c>> = vec![];
        // SAFETY: see above; the callback runs during the call.
        unsafe { lwTransformPayload(self.raw, i as isize, each, (&raw mut ops).cast()) }
        ops
    }

    /// The values of parameter operand `i`.
    pub fn parameters(&self, i: usize) -> Vec<Attribute<'c>> {
        unsafe extern "C" fn each(list: *mut c_void, value: MlirAttribute) {
            // SAFETY: `list` is the list below, and the attribute lives as long as the context.
            unsafe { (*list.cast::<Vec<Attribute>>()).push(Attribute::from_raw(value)) }
        }
        let mut values: Vec<Attribute<'c>> = vec![];
        // SAFETY: see above; the callback runs during the call.
        unsafe { lwTransformParameters(self.raw, i as isize, each, (&raw mut values).cast()) }
        values
    }

    /// Sets result `i` to a handle to these ops.
    pub fn set_result(&self, i: usize, ops: &[Op<'c>]) {
        let ops: Vec<_> = ops.iter().map(|op| op.to_raw()).collect();
        // SAFETY: see above; the array has the stated length.
        unsafe { lwTransformSetResult(self.raw, i as isize, ops.len() as isize, ops.as_ptr()) }
    }

    /// Updates handles to `from` so that they refer to `to`.
    pub fn replaced(&self, from: Op<'c>, to: Op<'c>) {
        // SAFETY: see above; both ops are live.
        unsafe { lwTransformReplaced(self.raw, from.to_raw(), to.to_raw()) }
    }

    /// Erases an op, and invalidates handles to everything nested in it.
    pub fn erase(&self, op: Op<'c>) {
        // SAFETY: see above; results of the op have no uses, by the contract of the rewriter.
        unsafe { lwTransformErase(self.raw, op.to_raw()) }
    }

    /// State that is kept from one transform op to the next while the script runs: one `T`, initially its
    /// default.
    pub fn with_memory<T: Any + Default, R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        extern "C" fn make<T: Any + Default>() -> *mut c_void {
            let memory: ScriptMemory = RefCell::new(Box::new(T::default()));
            Box::into_raw(Box::new(memory)).cast()
        }
        // SAFETY: see above; the memory is from a `make` and lives as long as the script runs, on one
        // thread.
        let memory = unsafe { &*lwTransformMemory(self.raw, make::<T>).cast::<ScriptMemory>() };
        work(memory.borrow_mut().downcast_mut().expect("there is one type of memory"))
    }

    fn fail(&self, error: &Error<'c>) {
        // SAFETY: see above; the texts are copied during the calls.
        unsafe {
            lwTransformFail(self.raw, error.location.to_raw(), borrow(&error.text()));
            for note in &error.notes {
                lwTransformNote(self.raw, note.location.to_raw(), borrow(&note.message));
            }
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn lwRustApplyTransform(op: MlirOperation, call: *mut LwTransformCall) {
    // SAFETY: the interpreter applies a live op.
    let op = unsafe { Op::from_raw(op) };
    let call = TransformCall { raw: call, context: PhantomData };
    let Some(apply) = APPLY.get() else { return };
    match catch_panic(op, "a schedule primitive", || apply(op, &call)) {
        Some(Ok(())) => {}
        Some(Err(error)) => call.fail(&error),
        None => call.fail(&Error::at(op.location(), "the step was not done")),
    }
}

#[unsafe(no_mangle)]
extern "C" fn lwRustDropMemory(memory: *mut c_void) {
    // SAFETY: made by `with_memory`; the script has ended.
    drop(unsafe { Box::from_raw(memory.cast::<ScriptMemory>()) });
}

/// Applies the script `@__transform_main` of a module to `payload`. On `Err` the reason was reported.
pub fn apply_script<'c, 's>(
    payload: impl ModuleMut<'c>,
    script: impl ModuleRef<'s>,
) -> Result<(), ()> {
    let (payload, script) = (op_of(payload), op_of(script));
    if payload.context() != script.context() {
        Error::on(payload, "is of another context than the script that is applied to it").emit();
        return Err(());
    }
    let main = script.body(0).into_iter().flat_map(|body| body.ops()).find(|op| {
        op.is("transform.named_sequence") && op.symbol_name() == Some("__transform_main")
    });
    let Some(main) = main else {
        Error::on(script, "has no 'transform.named_sequence @__transform_main'").emit();
        return Err(());
    };
    // SAFETY: the ops are live, and the options are freed after the call.
    let outcome = unsafe {
        let options = mlirTransformOptionsCreate();
        let outcome = mlirTransformApplyNamedSequence(
            payload.to_raw(),
            main.to_raw(),
            script.to_raw(),
            options,
        );
        mlirTransformOptionsDestroy(options);
        outcome
    };
    if outcome.value == 0 { Err(()) } else { Ok(()) }
}

#[repr(C)]
struct LwTransformCall {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn lwTransformPayload(
        call: *mut LwTransformCall,
        i: isize,
        each: unsafe extern "C" fn(*mut c_void, MlirOperation),
        user: *mut c_void,
    );
    fn lwTransformParameters(
        call: *mut LwTransformCall,
        i: isize,
        each: unsafe extern "C" fn(*mut c_void, MlirAttribute),
        user: *mut c_void,
    );
    fn lwTransformSetResult(
        call: *mut LwTransformCall,
        i: isize,
        n: isize,
        ops: *const MlirOperation,
    );
    fn lwTransformFail(call: *mut LwTransformCall, at: MlirLocation, message: MlirStringRef);
    fn lwTransformNote(call: *mut LwTransformCall, at: MlirLocation, message: MlirStringRef);
    fn lwTransformReplaced(call: *mut LwTransformCall, from: MlirOperation, to: MlirOperation);
    fn lwTransformMemory(
        call: *mut LwTransformCall,
        make: extern "C" fn() -> *mut c_void,
    ) -> *mut c_void;
    fn lwTransformErase(call: *mut LwTransformCall, op: MlirOperation);
}

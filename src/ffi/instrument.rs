//! Pass instrumentation: Rust callbacks around each pass that a pass manager runs.

use super::pass_report::subject;
use super::text::{collect, read};
use super::{Context, Op, catch_panic};
use melior::pass::PassManager;
use mlir_sys::*;
use std::ffi::c_void;
use std::marker::PhantomData;
use tracing::span::EnteredSpan;
use tracing::{Level, debug, debug_span, enabled};

/// Callbacks around each pass, including passes of nested pipelines.
pub trait Instrumentation {
    /// Called before a pass runs on `op`. `pass` is its flag, or its class name if it has none.
    fn before(&mut self, pass: &str, op: Op);

    /// Called after a pass. On `Err`, whose reason was reported, the pipeline fails.
    fn after(&mut self, pass: &str, op: Op) -> Result<(), ()>;

    /// Called after a pass failed. The IR may be in any state.
    fn failed(&mut self, pass: &str, op: Op);
}

/// A pass manager that this code does not own.
#[derive(Clone, Copy)]
pub struct Manager<'m>(MlirPassManager, PhantomData<&'m ()>);

impl<'m> Manager<'m> {
    /// # Safety
    /// The manager must live as long as `'m`.
    pub(super) unsafe fn from_raw(raw: MlirPassManager) -> Manager<'m> {
        Manager(raw, PhantomData)
    }

    /// The context whose ops the passes run on.
    pub fn context(self) -> Context<'m> {
        // SAFETY: the manager is live, and so is its context.
        unsafe { Context::from_raw(lwManagerContext(self.0)) }
    }

    /// The pipeline as text.
    pub fn pipeline(self) -> String {
        // SAFETY: the manager is live; the callback runs during the call.
        collect(|print, to| unsafe {
            mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(self.0), print, to);
        })
    }

    /// Logs a span for each run of a pass, if such spans are logged. Passes then run on one thread.
    pub fn log(self) {
        if are_passes_logged() {
            self.instrument(Box::<Spans>::default());
        }
    }

    /// Calls `calls` around each pass. Disables multithreading of the context.
    pub(crate) fn instrument(self, calls: Box<dyn Instrumentation>) {
        let calls: *mut Box<dyn Instrumentation> = Box::into_raw(Box::new(calls));
        // SAFETY: the manager is live; it owns the box from here on and gives it back once.
        unsafe { lwInstrument(self.0, calls.cast()) }
    }
}

/// A span for each run of a pass, of this package or of MLIR.
#[derive(Default)]
struct Spans(Vec<EnteredSpan>);

impl Instrumentation for Spans {
    fn before(&mut self, pass: &str, op: Op) {
        let on = subject(op);
        let span = debug_span!(target: "loopwright::pass", "pass", name = %pass, on = %on);
        self.0.push(span.entered());
    }

    fn after(&mut self, _: &str, _: Op) -> Result<(), ()> {
        self.0.pop();
        Ok(())
    }

    fn failed(&mut self, pass: &str, _: Op) {
        debug!(target: "loopwright::pass", name = %pass, "failed");
        self.0.pop();
    }
}

/// True if runs of passes are logged.
pub fn are_passes_logged() -> bool {
    enabled!(target: "loopwright::pass", Level::DEBUG)
}

/// Same as [`Manager::log`], for a pass manager of melior.
pub fn log(manager: &PassManager) {
    Manager(manager.to_raw(), PhantomData).log();
}

/// Same as [`Manager::instrument`], for a pass manager of melior.
pub fn instrument(manager: &PassManager, calls: Box<dyn Instrumentation>) {
    Manager(manager.to_raw(), PhantomData).instrument(calls);
}

// SAFETY of the three functions: `rust` is the box that `instrument` passed, which the C++ side uses on one
// thread, and `pass` and `op` are live during the call.

#[unsafe(no_mangle)]
extern "C" fn lwRustBeforePass(rust: *mut c_void, pass: MlirStringRef, op: MlirOperation) {
    // SAFETY: see above.
    let (calls, pass, op) =
        unsafe { (&mut *rust.cast::<Box<dyn Instrumentation>>(), read(pass), Op::from_raw(op)) };
    catch_panic(op, "an instrumentation", || calls.before(pass, op));
}

#[unsafe(no_mangle)]
extern "C" fn lwRustAfterPass(
    rust: *mut c_void,
    pass: MlirStringRef,
    op: MlirOperation,
    failed: bool,
) -> bool {
    // SAFETY: see above.
    let (calls, pass, op) =
        unsafe { (&mut *rust.cast::<Box<dyn Instrumentation>>(), read(pass), Op::from_raw(op)) };
    let outcome = catch_panic(op, "an instrumentation", || {
        if failed {
            calls.failed(pass, op);
            return Ok(());
        }
        calls.after(pass, op)
    });
    outcome.is_some_and(|outcome| outcome.is_ok())
}

#[unsafe(no_mangle)]
extern "C" fn lwRustDropInstrumentation(rust: *mut c_void) {
    // SAFETY: see above; it is called once.
    drop(unsafe { Box::from_raw(rust.cast::<Box<dyn Instrumentation>>()) });
}

unsafe extern "C" {
    fn lwManagerContext(manager: MlirPassManager) -> MlirContext;
    fn lwInstrument(manager: MlirPassManager, rust: *mut c_void);
}

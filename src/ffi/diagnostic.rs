//! Errors with notes, and the barrier that stops panics from unwinding into C++.

use super::text::{borrow, collect};
use super::{Location, Op};
use mlir_sys::*;
use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tracing::{info, warn};

/// A note attached to an error.
#[derive(Clone, Debug)]
pub struct Note<'c> {
    /// What the note refers to.
    pub location: Location<'c>,
    /// The text.
    pub message: String,
}

impl std::fmt::Debug for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// An error at a location in the IR that was not reported yet.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{location}: {}", self.text())]
pub struct Error<'c> {
    /// The name of the op of the error, for the form "'loop.for' op message". The op itself may be erased before the
    /// error is reported.
    op_name: Option<&'c str>,
    /// The location of the op, or another one.
    pub location: Location<'c>,
    /// The text: what was found and what was expected.
    pub message: String,
    /// The notes, in order.
    pub notes: Vec<Note<'c>>,
    is_beyond: bool,
}

impl<'c> Error<'c> {
    /// An error about an op.
    pub fn on(op: Op<'c>, message: impl Into<String>) -> Self {
        Self { op_name: Some(op.name()), ..Self::at(op.location(), message) }
    }

    /// An error at a location.
    pub fn at(location: Location<'c>, message: impl Into<String>) -> Self {
        Self { op_name: None, location, message: message.into(), notes: vec![], is_beyond: false }
    }

    /// An inconclusive error: the op may be valid, but the analysis does not support such ops, or would be
    /// too expensive.
    pub fn beyond(op: Op<'c>, message: impl Into<String>) -> Self {
        Self { is_beyond: true, ..Self::on(op, message) }
    }

    /// True if the error is inconclusive. See [`Error::beyond`].
    pub fn is_beyond(&self) -> bool {
        self.is_beyond
    }

    /// The error with one more note.
    pub fn note(mut self, location: Location<'c>, message: impl Into<String>) -> Self {
        self.notes.push(Note { location, message: message.into() });
        self
    }

    /// The message as it is reported: with the name of the op.
    pub fn text(&self) -> String {
        match self.op_name {
            Some(name) => format!("'{name}' op {}", self.message),
            None => self.message.clone(),
        }
    }

    /// Reports the error through the diagnostic engine of the context.
    pub fn emit(&self) {
        let notes: Vec<_> = self
            .notes
            .iter()
            .map(|n| LwNote { location: n.location.to_raw(), message: borrow(&n.message) })
            .collect();
        let (n, notes) = (notes.len() as isize, notes.as_ptr());
        // SAFETY: locations are live; strings and notes outlive the call, which copies them.
        unsafe { lwEmitError(self.location.to_raw(), borrow(&self.text()), n, notes) }
    }
}

/// Reports a remark.
pub fn remark(location: Location, message: &str) {
    info!(target: "loopwright::remark", at = %location, "{message}");
    // SAFETY: the location is live; the text is copied during the call.
    unsafe { lwEmitRemark(location.to_raw(), borrow(message)) }
}

/// Reports a warning.
pub fn warning(location: Location, message: &str) {
    warn!(target: "loopwright::warning", at = %location, "{message}");
    // SAFETY: as above.
    unsafe { lwEmitWarning(location.to_raw(), borrow(message)) }
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// An error.
    Error,
    /// A warning.
    Warning,
    /// A remark.
    Remark,
}

impl Severity {
    fn of(severity: MlirDiagnosticSeverity) -> Self {
        if severity == MlirDiagnosticSeverity_MlirDiagnosticError {
            Severity::Error
        } else if severity == MlirDiagnosticSeverity_MlirDiagnosticWarning {
            Severity::Warning
        } else {
            Severity::Remark
        }
    }

    /// The word that compilers print for it.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        }
    }
}

/// A reported diagnostic.
#[derive(Clone, Debug)]
pub struct Reported {
    /// How severe it is.
    pub severity: Severity,
    /// The location as text, as MLIR prints it.
    pub place: String,
    /// The first file in the location, with line and column, which start at 1.
    pub position: Option<(String, usize, usize)>,
    /// The text.
    pub message: String,
    /// Locations and messages of its notes, without MLIR's note that prints the op.
    pub notes: Vec<(String, String)>,
}

/// Passes each error that a context reports to `receive` instead of printing it. Warnings and remarks are
/// dropped.
pub fn receive_errors<F: FnMut(Reported) + 'static>(context: &melior::Context, mut receive: F) {
    receive_all(context, move |reported| {
        if reported.severity == Severity::Error {
            receive(reported);
        }
    });
}

/// Passes each diagnostic that a context reports to `receive` instead of printing it. A diagnostic that is reported
/// while `receive` runs goes to the handler that was attached before.
pub fn receive_all<F: FnMut(Reported) + 'static>(context: &melior::Context, receive: F) {
    /// # Safety
    /// The diagnostic must be live.
    unsafe fn text(diagnostic: MlirDiagnostic) -> (String, String) {
        // SAFETY: by the contract; the callback comes from `collect`.
        unsafe {
            let place = Location::from_raw(mlirDiagnosticGetLocation(diagnostic)).to_string();
            (place, collect(|print, to| mlirDiagnosticPrint(diagnostic, print, to)))
        }
    }
    unsafe extern "C" fn handle<F: FnMut(Reported)>(
        diagnostic: MlirDiagnostic,
        receive: *mut c_void,
    ) -> MlirLogicalResult {
        // SAFETY: `receive` is the box made below.
        let receive = unsafe { &*receive.cast::<RefCell<F>>() };
        let Ok(mut receive) = receive.try_borrow_mut() else {
            return MlirLogicalResult { value: 0 };
        };
        // SAFETY: the diagnostic is live during the call. A panic would abort the process; the caller must pass a
        // closure that does not panic.
        unsafe {
            let severity = Severity::of(mlirDiagnosticGetSeverity(diagnostic));
            let (place, message) = text(diagnostic);
            let location = Location::from_raw(mlirDiagnosticGetLocation(diagnostic));
            let position = location.first_file();
            let position = position.map(|(file, line, column)| (file.to_owned(), line, column));
            let n = mlirDiagnosticGetNumNotes(diagnostic);
            let notes = (0..n).map(|i| text(mlirDiagnosticGetNote(diagnostic, i)));
            let notes = notes.filter(|(_, note)| !note.starts_with("see current operation"));
            let notes = notes.collect();
            receive(Reported { severity, place, position, message, notes });
        }
        MlirLogicalResult { value: 1 }
    }
    unsafe extern "C" fn destroy<F>(receive: *mut c_void) {
        // SAFETY: the box made below, which is not used any more.
        drop(unsafe { Box::from_raw(receive.cast::<RefCell<F>>()) });
    }
    let receive = Box::into_raw(Box::new(RefCell::new(receive))).cast();
    // SAFETY: the context is live; it owns the box from here on, and drops it with `destroy`.
    unsafe {
        mlirContextAttachDiagnosticHandler(
            context.to_raw(),
            Some(handle::<F>),
            receive,
            Some(destroy::<F>),
        );
    }
}

/// Runs Rust code that C++ called. A panic must not unwind into C++: it is reported as an error at `op`,
/// and the result is `None`.
pub fn catch_panic<T>(op: Op, what: &str, run: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run))
        .map_err(|panic| {
            let text = panic
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| panic.downcast_ref::<String>().cloned())
                .unwrap_or_default();
            Error::at(op.location(), format!("internal error: {what} panicked: {text}")).emit();
        })
        .ok()
}

#[repr(C)]
struct LwNote {
    location: MlirLocation,
    message: MlirStringRef,
}

unsafe extern "C" {
    fn lwEmitRemark(at: MlirLocation, message: MlirStringRef);
    fn lwEmitWarning(at: MlirLocation, message: MlirStringRef);
    fn lwEmitError(at: MlirLocation, message: MlirStringRef, n: isize, notes: *const LwNote);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::handle_of;
    use std::rc::Rc;

    #[test]
    fn a_diagnostic_within_a_handler_goes_to_the_handler_before() {
        let context = Rc::new(melior::Context::new());
        let outer = Rc::new(RefCell::new(vec![]));
        let inner = outer.clone();
        receive_all(&context, move |reported| inner.borrow_mut().push(reported.message));
        let weak = Rc::downgrade(&context);
        let mut texts = [String::new()];
        receive_all(&context, move |reported| {
            let text = &mut texts[0];
            if let Some(context) = weak.upgrade() {
                remark(Location::unknown(handle_of(&context)), "within");
            }
            *text = reported.message;
        });
        remark(Location::unknown(handle_of(&context)), "first");
        assert_eq!(*outer.borrow(), ["within"]);
    }
}

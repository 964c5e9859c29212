//! Messages of compilations: warnings, remarks and events go to the logger `loopwright` of Python's module `logging`.

use loopwright_bindings::log::{LogReceiver, Severity};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The levels of `logging`, by severity.
const LEVELS: [(Severity, u32); 4] =
    [(Severity::Warning, 30), (Severity::Remark, 20), (Severity::Info, 15), (Severity::Debug, 10)];

/// Gathers messages on the thread of a compilation, which does not hold the interpreter.
#[derive(Clone)]
pub struct Gathered {
    most: Severity,
    messages: Arc<Mutex<Vec<(Severity, String)>>>,
}

impl Gathered {
    /// For what the logger accepts now.
    pub fn new(py: Python) -> PyResult<Gathered> {
        let level: u32 = logger(py)?.call_method0("getEffectiveLevel")?.extract()?;
        let accepted = LEVELS.iter().rev().find(|(_, of)| *of >= level);
        let most = accepted.map_or(Severity::Warning, |(severity, _)| *severity);
        Ok(Gathered { most, messages: Arc::default() })
    }

    /// Passes the messages so far to the logger.
    pub fn flush(&self, py: Python) -> PyResult<()> {
        let messages =
            std::mem::take(&mut *self.messages.lock().unwrap_or_else(PoisonError::into_inner));
        for (severity, text) in messages {
            let level = LEVELS.iter().find(|(of, _)| *of == severity).map_or(30, |(_, it)| *it);
            // The text is an argument, since a `%` in a format has a meaning.
            logger(py)?.call_method1("log", (level, "%s", text))?;
        }
        Ok(())
    }
}

impl LogReceiver for Gathered {
    fn most(&self) -> Severity {
        self.most
    }

    fn receive(&self, severity: Severity, text: &str) {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        messages.push((severity, text.to_owned()));
    }
}

fn logger(py: Python) -> PyResult<Bound<PyAny>> {
    py.import("logging")?.call_method1("getLogger", ("loopwright",))
}

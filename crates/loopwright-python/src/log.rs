//! Messages of compilations: warnings, remarks and events go to the logger `loopwright` of Python's module `logging`. They are
//! gathered on the thread of a compilation, which does not hold the interpreter.

use loopwright_bindings::log::{GatheredLog, Severity};
use pyo3::prelude::*;

/// The levels of `logging`, by severity.
const LEVELS: [(Severity, u32); 4] =
    [(Severity::Warning, 30), (Severity::Remark, 20), (Severity::Info, 15), (Severity::Debug, 10)];

/// Gathers what the logger accepts now.
pub fn gathered(py: Python) -> PyResult<GatheredLog> {
    let level: u32 = logger(py)?.call_method0("getEffectiveLevel")?.extract()?;
    let accepted = LEVELS.iter().rev().find(|(_, of)| *of >= level);
    Ok(GatheredLog::new(accepted.map_or(Severity::Warning, |(severity, _)| *severity)))
}

/// Passes the messages so far to the logger.
pub fn flush(py: Python, log: &GatheredLog) -> PyResult<()> {
    for (severity, text) in log.take() {
        let level = LEVELS.iter().find(|(of, _)| *of == severity).map_or(30, |(_, it)| *it);
        // The text is an argument, since a `%` in a format has a meaning.
        logger(py)?.call_method1("log", (level, "%s", text))?;
    }
    Ok(())
}

fn logger(py: Python) -> PyResult<Bound<PyAny>> {
    py.import("logging")?.call_method1("getLogger", ("loopwright",))
}

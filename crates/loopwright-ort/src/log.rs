//! The messages of a compilation at the levels of ONNX Runtime. They are gathered, and go to the logger of the program when the
//! compilation has ended: the logger must not run inside the receiver of trace events.

use loopwright_bindings::log::{GatheredLog, Severity};
use ort::sys::OrtLoggingLevel::{self, *};

/// Gathers messages down to a level.
pub fn gathered(least: OrtLoggingLevel) -> GatheredLog {
    GatheredLog::new(match least {
        ORT_LOGGING_LEVEL_VERBOSE => Severity::Debug,
        ORT_LOGGING_LEVEL_INFO => Severity::Info,
        _ => Severity::Warning,
    })
}

/// The level of a message.
pub fn level(severity: Severity) -> OrtLoggingLevel {
    match severity {
        Severity::Warning => ORT_LOGGING_LEVEL_WARNING,
        Severity::Remark | Severity::Info => ORT_LOGGING_LEVEL_INFO,
        Severity::Debug => ORT_LOGGING_LEVEL_VERBOSE,
    }
}

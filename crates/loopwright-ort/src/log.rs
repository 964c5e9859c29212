//! The messages of a compilation. They are gathered, and go to the logger of the program when the compilation has ended: the
//! logger must not run inside the receiver of trace events.

use loopwright_bindings::log::{LogReceiver, Severity};
use ort::sys::OrtLoggingLevel::{self, *};
use std::sync::{Arc, Mutex, PoisonError};

/// Gathers the messages.
#[derive(Clone)]
pub struct Gathered {
    most: Severity,
    messages: Arc<Mutex<Vec<(Severity, String)>>>,
}

impl Gathered {
    /// Gathers messages down to a level of ONNX Runtime.
    pub fn new(least: OrtLoggingLevel) -> Gathered {
        let most = match least {
            ORT_LOGGING_LEVEL_VERBOSE => Severity::Debug,
            ORT_LOGGING_LEVEL_INFO => Severity::Info,
            _ => Severity::Warning,
        };
        Gathered { most, messages: Arc::default() }
    }

    /// Removes the messages so far, and returns each with its level.
    pub fn take(&self) -> Vec<(OrtLoggingLevel, String)> {
        let messages =
            std::mem::take(&mut *self.messages.lock().unwrap_or_else(PoisonError::into_inner));
        let level = |severity| match severity {
            Severity::Warning => ORT_LOGGING_LEVEL_WARNING,
            Severity::Remark | Severity::Info => ORT_LOGGING_LEVEL_INFO,
            Severity::Debug => ORT_LOGGING_LEVEL_VERBOSE,
        };
        messages.into_iter().map(|(severity, text)| (level(severity), text)).collect()
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

//! What compilations report: warnings and remarks, and the events of the log.

use loopwright::ir;
use loopwright::pipeline::Diagnostic;
use std::fmt::{Debug, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// How severe a message is, from the most severe on; `lw_severity` of the C API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Severity {
    /// A warning of a pass.
    Warning = 1,
    /// A remark of a pass.
    Remark = 2,
    /// A phase of a compilation, or a choice.
    Info = 3,
    /// A pass, a step of a schedule, or a refusal.
    Debug = 4,
}

impl Severity {
    /// All severities, in order.
    pub const ALL: [Severity; 4] =
        [Severity::Warning, Severity::Remark, Severity::Info, Severity::Debug];
}

/// Receives the messages of a compilation, on its thread.
pub trait LogReceiver: Clone + Send + Sync + 'static {
    /// The least severe messages that are received.
    fn most(&self) -> Severity;

    /// Receives a message that is severe enough.
    fn receive(&self, severity: Severity, text: &str);
}

/// Gathers the messages of a compilation, for a logger that must not run on its thread.
#[derive(Clone)]
pub struct GatheredLog {
    most: Severity,
    messages: Arc<Mutex<Vec<(Severity, String)>>>,
}

impl GatheredLog {
    /// Gathers messages that are at least so severe.
    pub fn new(most: Severity) -> GatheredLog {
        GatheredLog { most, messages: Arc::default() }
    }

    /// Removes the messages so far, and returns them.
    pub fn take(&self) -> Vec<(Severity, String)> {
        std::mem::take(&mut *self.messages.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl LogReceiver for GatheredLog {
    fn most(&self) -> Severity {
        self.most
    }

    fn receive(&self, severity: Severity, text: &str) {
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        messages.push((severity, text.to_owned()));
    }
}

/// Reports a warning or a remark.
pub fn report(receiver: &impl LogReceiver, diagnostic: &Diagnostic) {
    let severity = match diagnostic.severity {
        ir::Severity::Error | ir::Severity::Warning => Severity::Warning,
        ir::Severity::Remark => Severity::Remark,
    };
    if severity <= receiver.most() {
        receiver.receive(severity, &diagnostic.to_string());
    }
}

/// Calls a function, whose events go to the receiver if it wants them.
pub fn with_events<T>(receiver: &impl LogReceiver, run: impl FnOnce() -> T) -> T {
    if receiver.most() < Severity::Info {
        return run();
    }
    let events = Events { receiver: receiver.clone(), spans: AtomicU64::new(1) };
    tracing::subscriber::with_default(events, run)
}

/// Receives the events of the library on the thread of a compilation.
struct Events<R> {
    receiver: R,
    spans: AtomicU64,
}

impl<R: LogReceiver> Events<R> {
    fn receive(&self, metadata: &Metadata, fields: Text) {
        let severity =
            if *metadata.level() <= Level::INFO { Severity::Info } else { Severity::Debug };
        self.receiver.receive(severity, &format!("{}:{}", metadata.target(), fields.0));
    }
}

impl<R: LogReceiver> Subscriber for Events<R> {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let most = match self.receiver.most() {
            Severity::Debug => Level::DEBUG,
            _ => Level::INFO,
        };
        // Diagnostics have their own way.
        let is_diagnostic =
            ["loopwright::remark", "loopwright::warning"].contains(&metadata.target());
        metadata.target().starts_with("loopwright::") && !is_diagnostic && *metadata.level() <= most
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::DEBUG)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut text = Text(format!(" {}", span.metadata().name()));
        span.record(&mut text);
        self.receive(span.metadata(), text);
        Id::from_u64(self.spans.fetch_add(1, Ordering::Relaxed))
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = Text(String::new());
        event.record(&mut text);
        self.receive(event.metadata(), text);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Fields as ` name=value`; the message has no name.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a String cannot fail.
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}

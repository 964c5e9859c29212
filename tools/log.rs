//! The log of a tool: `--log`, the environment variable LOOPWRIGHT_LOG, and `--trace-out`.
//!
//! The library emits spans and events by the crate `tracing`, each with the target `loopwright::<room>`. Without these
//! options nothing receives them, and each costs one comparison. docs/observability.md lists them.

use loopwright_runtime::stderr;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Subscriber, span};
use tracing_chrome::{ChromeLayerBuilder, EventOrSpan, FlushGuard};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::time::uptime;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry};

/// The variable that is read if there is no `--log`.
const VARIABLE: &str = "LOOPWRIGHT_LOG";

/// The targets of the library are `loopwright::` and one of these.
const ROOMS: [&str; 10] = [
    "analysis", "codegen", "legality", "pass", "pipeline", "remark", "run", "schedule", "strategy",
    "verify",
];

const LEVELS: [(&str, LevelFilter); 6] = [
    ("off", LevelFilter::OFF),
    ("error", LevelFilter::ERROR),
    ("warn", LevelFilter::WARN),
    ("info", LevelFilter::INFO),
    ("debug", LevelFilter::DEBUG),
    ("trace", LevelFilter::TRACE),
];

/// The options of the log.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct LogOptions {
    /// Log to stderr: info (phases, choices), debug (passes, schedule steps, refusals) or trace (proofs), for all or
    /// for one target, as in info,legality=trace. Default: $LOOPWRIGHT_LOG, or off.
    #[arg(long, value_name = "LEVEL|TARGET=LEVEL,..")]
    pub log: Option<String>,
    /// Write all spans and events, with their times, to a file that Perfetto and chrome://tracing open.
    #[arg(long, value_name = "FILE.json")]
    pub trace_out: Option<PathBuf>,
}

/// A trace that is being written.
struct Trace {
    guard: FlushGuard,
    file: TraceFile,
}

impl LogOptions {
    /// Runs a tool with its log. If the log cannot begin, or the trace cannot be written, prints that with the name of
    /// the tool, and returns `failure`.
    pub fn around<T>(&self, tool: &str, failure: T, run: impl FnOnce() -> T) -> T {
        let outcome = self.begin().and_then(|trace| {
            let outcome = run();
            trace.map_or(Ok(()), Trace::end).map(|()| outcome)
        });
        outcome.unwrap_or_else(|message| {
            stderr::print(format_args!("{tool}: error: {message}\n"));
            failure
        })
    }

    /// Begins to log, once per process.
    fn begin(&self) -> Result<Option<Trace>, String> {
        let filter = self.filter()?;
        let file = self.trace_out.as_deref().map(TraceFile::create).transpose()?;
        if filter.is_none() && file.is_none() {
            return Ok(None);
        }
        let lines = filter.map(|filter| {
            let layer = tracing_subscriber::fmt::layer()
                .with_writer(io::stderr)
                .with_ansi(false)
                .with_timer(uptime())
                .with_span_events(FmtSpan::CLOSE);
            layer.with_filter(filter)
        });
        let (spans, trace) = file.map(layer_of).unzip();
        let subscriber = tracing_subscriber::registry().with(spans).with(lines);
        tracing::subscriber::set_global_default(subscriber).map_err(|error| error.to_string())?;
        Ok(trace)
    }

    /// The filter of the command line, or that of the environment.
    fn filter(&self) -> Result<Option<Targets>, String> {
        if let Some(text) = &self.log {
            return filter(text).map(Some).map_err(|message| format!("--log: {message}"));
        }
        match std::env::var(VARIABLE) {
            Ok(text) if !text.is_empty() => {
                filter(&text).map(Some).map_err(|message| format!("{VARIABLE}: {message}"))
            }
            _ => Ok(None),
        }
    }
}

impl Trace {
    /// Writes the rest of the trace.
    fn end(self) -> Result<(), String> {
        let Trace { guard, file } = self;
        drop(guard);
        file.outcome()
    }
}

/// Parses a filter: a level, or a target and its level, or several with commas between them.
fn filter(text: &str) -> Result<Targets, String> {
    let mut targets = Targets::new();
    for part in text.split(',').map(str::trim) {
        targets = match part.split_once('=') {
            None => targets.with_default(level(part)?),
            Some((target, word)) => targets.with_target(full(target)?, level(word)?),
        };
    }
    Ok(targets)
}

fn level(word: &str) -> Result<LevelFilter, String> {
    let found = LEVELS.iter().find(|(level, _)| *level == word.to_ascii_lowercase());
    found.map(|(_, filter)| *filter).ok_or_else(|| {
        let levels: Vec<_> = LEVELS.iter().map(|(level, _)| *level).collect();
        format!("'{word}' is no level, expected one of {}", levels.join(", "))
    })
}

/// A target with the name of the crate.
fn full(target: &str) -> Result<String, String> {
    let room = target.strip_prefix("loopwright::").unwrap_or(target);
    match ROOMS.contains(&room) {
        true => Ok(format!("loopwright::{room}")),
        false => Err(format!("'{target}' is no target, expected one of {}", ROOMS.join(", "))),
    }
}

/// The layer that writes a trace.
fn layer_of(file: TraceFile) -> (impl Layer<Registry> + Send + Sync, Trace) {
    let name = |of: &EventOrSpan<Registry>| match of {
        EventOrSpan::Span(span) => match span.extensions().get::<Title>() {
            Some(title) => title.0.clone(),
            None => span.name().to_owned(),
        },
        EventOrSpan::Event(event) => {
            let mut title = Title(String::new());
            event.record(&mut title);
            title.0
        }
    };
    let builder = ChromeLayerBuilder::new().include_args(true).name_fn(Box::new(name));
    let (layer, guard) = builder.writer(file.clone()).build();
    // Titles must exist before spans are written.
    let layer = Titles.and_then(layer).with_filter(LevelFilter::TRACE);
    (layer, Trace { guard, file })
}

/// Gives each span a title.
struct Titles;

/// The name that a trace shows: of a span its kind, of an event its message, and the field `name`.
struct Title(String);

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Titles {
    fn on_new_span(&self, span: &span::Attributes, id: &span::Id, context: Context<S>) {
        let mut title = Title(span.metadata().name().to_owned());
        span.record(&mut title);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(title);
        }
    }
}

impl Visit for Title {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "name" => self.0 += &format!(" {value:?}"),
            "message" => self.0 = format!("{value:?}"),
            _ => {}
        }
    }
}

/// The file of a trace. The thread that writes it must not fail, so the first error is kept for the end.
#[derive(Clone)]
struct TraceFile(Arc<Mutex<State>>);

struct State {
    path: PathBuf,
    file: File,
    error: Option<io::Error>,
}

impl TraceFile {
    fn create(path: &Path) -> Result<TraceFile, String> {
        let file = File::create(path).map_err(|error| message(path, &error))?;
        Ok(TraceFile(Arc::new(Mutex::new(State { path: path.to_owned(), file, error: None }))))
    }

    fn outcome(self) -> Result<(), String> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.error.as_ref().map_or(Ok(()), |error| Err(message(&state.path, error)))
    }
}

impl Write for TraceFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.error.is_none() {
            state.error = state.file.write_all(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn message(path: &Path, error: &io::Error) -> String {
    format!("--trace-out: {}: cannot be written: {error}", path.display())
}

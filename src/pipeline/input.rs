//! Reads input files of tools, and prints errors like compilers.

mod unknown_dialect;

use super::ModuleSchedule;
use crate::ir::{Reported, Severity, handle_of, parse_file, receive_all};
use crate::schedule::primitive::PRIMITIVES;
use crate::schedule::trace;
use crate::strategy::Strategies;
use loopwright_onnx::{ImportError, ImportOptions, ModelFile, import, is_onnx};
use melior::Context;
use melior::ir::Module;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The path that stands for stdin, as in MLIR's tools.
const STDIN: &str = "-";

/// Reads files for a tool. It collects the diagnostics of the context. [`finish`](Self::finish) prints the warnings and
/// remarks: each once, and behind the error if there is one.
pub struct Input<'c> {
    tool: &'static str,
    context: &'c Context,
    diagnostics: Rc<RefCell<Diagnostics>>,
}

/// The texts of diagnostics, in the order in which they were emitted.
#[derive(Default)]
struct Diagnostics {
    errors: Vec<String>,
    /// Warnings and remarks; none is equal to another.
    others: Vec<String>,
}

/// A schedule that was read from a file.
pub enum ScheduleFile<'c> {
    Script(Module<'c>),
    Trace(trace::TraceSource<'c>),
}

impl<'c> Input<'c> {
    /// A reader for the tool of that name.
    pub fn new(context: &'c Context, tool: &'static str) -> Self {
        Input { tool, context, diagnostics: collect(context) }
    }

    /// The first error that was reported, as `file:line:col: error: message`, or `otherwise` if there was none.
    pub fn explained(&self, otherwise: &str) -> String {
        let collected = self.diagnostics.borrow();
        collected
            .errors
            .first()
            .cloned()
            .unwrap_or_else(|| format!("{}: error: {otherwise}", self.tool))
    }

    /// Adds a warning or a remark.
    pub fn report(&self, text: String) {
        self.diagnostics.borrow_mut().report(text);
    }

    /// The number of warnings and remarks so far.
    pub fn reported(&self) -> usize {
        self.diagnostics.borrow().others.len()
    }

    /// The outcome of the tool. Warnings and remarks are printed, or follow the message of an error.
    ///
    /// # Errors
    /// If the tool failed.
    pub fn finish<T>(&self, outcome: Result<T, String>) -> Result<T, String> {
        let others = std::mem::take(&mut self.diagnostics.borrow_mut().others);
        match outcome {
            Ok(value) => {
                others.iter().for_each(|text| eprintln!("{text}"));
                Ok(value)
            }
            Err(message) => Err([message].into_iter().chain(others).collect::<Vec<_>>().join("\n")),
        }
    }

    /// Reads the model of a file: a module, or an ONNX model, which is imported. `options` are for the latter.
    ///
    /// # Errors
    /// The message to print.
    pub fn model(&self, path: &Path, options: &ImportOptions) -> Result<Module<'c>, String> {
        if is_onnx(path) {
            let file = ModelFile::open(path).map_err(|error| error.to_string())?;
            return import(self.context, &file, options).map_err(|error| match error {
                ImportError::Invalid { .. } => self.explained(&error.to_string()),
                _ => error.to_string(),
            });
        }
        match options.dims.first() {
            Some((name, _)) => Err(format!(
                "{}: error: --dim {name} is for ONNX models, but {} is none: expected .onnx or .onnxtxt",
                self.tool,
                path.display()
            )),
            None => self.module(path),
        }
    }

    /// Reads the module of a file; `-` is stdin.
    ///
    /// # Errors
    /// The message to print.
    pub fn module(&self, path: &Path) -> Result<Module<'c>, String> {
        let name = path.to_string_lossy();
        if name != STDIN {
            let found = fs::File::open(path).and_then(|file| file.metadata());
            let found = found.map_err(|error| format!("{name}: error: cannot be read: {error}"))?;
            if found.is_dir() {
                return Err(format!("{name}: error: is a folder, expected the file of a module"));
            }
        }
        parse_file(self.context, &name)
            .ok_or_else(|| self.explained(&format!("{name} is not a valid module")))
    }

    /// Reads the schedule of a file: a transform script, or a trace as JSON.
    ///
    /// # Errors
    /// The message to print.
    pub fn schedule(&self, path: &Path) -> Result<ScheduleFile<'c>, String> {
        let name = path.to_string_lossy();
        if name == STDIN {
            return Err(format!(
                "{}: error: the schedule is {STDIN}, expected a file: only the module can be stdin",
                self.tool
            ));
        }
        match fs::read(path) {
            Ok(bytes) if trace::is_json(&name, &bytes) => {
                trace::read(handle_of(self.context), &name)
                    .map(ScheduleFile::Trace)
                    .map_err(|()| self.explained(&format!("{name} is not a trace")))
            }
            _ => self.module(path).map(ScheduleFile::Script),
        }
    }

    /// The strategies of the package, and those that files of transform scripts declare.
    ///
    /// # Errors
    /// The message to print.
    pub fn strategies(&self, files: &[PathBuf]) -> Result<Arc<Strategies>, String> {
        Strategies::with_scripts(handle_of(self.context), files).map(Arc::new).map_err(|error| {
            error.emit();
            self.explained("the strategies are not valid")
        })
    }
}

impl ScheduleFile<'_> {
    /// The schedule in the form that lowering takes.
    pub fn schedule(&self) -> ModuleSchedule<'_> {
        match self {
            ScheduleFile::Script(script) => ModuleSchedule::Script(script),
            ScheduleFile::Trace(source) => ModuleSchedule::Trace(source),
        }
    }
}

impl Diagnostics {
    fn report(&mut self, text: String) {
        if !self.others.contains(&text) {
            self.others.push(text);
        }
    }
}

/// Collects the diagnostics of a context.
fn collect(context: &Context) -> Rc<RefCell<Diagnostics>> {
    let diagnostics = Rc::new(RefCell::new(Diagnostics::default()));
    let collected = diagnostics.clone();
    receive_all(context, move |reported| {
        let reported = unknown_dialect::explained(reported);
        let mut collected = collected.borrow_mut();
        match reported.severity {
            Severity::Error => collected.errors.push(text(&reported)),
            Severity::Warning | Severity::Remark => collected.report(text(&reported)),
        }
    });
    diagnostics
}

/// The text of a diagnostic: `file:line:col: error: message` on one line, each note on a line of its own.
fn text(reported: &Reported) -> String {
    let line = |at: &str, kind, text: &str| format!("{}: {kind}: {text}", place(&at));
    let message = reported.message.replace('\n', " ");
    let mut text = line(&reported.place, reported.severity.word(), &message);
    for (at, note) in &reported.notes {
        text += &format!("\n{}", line(at, "note", note.trim_end()));
    }
    if let Some(primitive) = refused_primitive(&message) {
        let page = format!("docs/primitives.md#{primitive} has the conditions of {primitive}");
        text += &format!("\n{}", line(&reported.place, "note", &page));
    }
    text
}

/// The primitive of a refusal that gives the number of a condition: `'loop.for' op split: .. (C3)`.
fn refused_primitive(message: &str) -> Option<&str> {
    let (_, number) = message.strip_suffix(')')?.rsplit_once("(C")?;
    let (name, _) = message.split_once(" op ")?.1.split_once(':')?;
    let is_known = number.bytes().all(|c| c.is_ascii_digit())
        && PRIMITIVES.iter().any(|primitive| primitive.name == name);
    is_known.then_some(name)
}

/// A location in the form that editors know: `loc("f.mlir":3:5)` is `f.mlir:3:5`, and so is
/// `loc("loop i"("f.mlir":3:5))`.
pub fn place(location: &impl std::fmt::Display) -> String {
    let text = location.to_string();
    let inner = text.strip_prefix("loc(").and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
    let named = inner.strip_suffix(')').and_then(|t| t.split_once("\"("));
    named.map_or(inner, |(_, place)| place).replace('"', "")
}

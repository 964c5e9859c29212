//! Reads input files of tools, and prints errors like compilers.

use super::ModuleSchedule;
use crate::ir::{Reported, Severity, handle_of, parse_file, receive_all};
use crate::schedule::primitive::PRIMITIVES;
use crate::schedule::trace;
use melior::Context;
use melior::ir::Module;
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// The path that stands for stdin, as in MLIR's tools.
const STDIN: &str = "-";

/// Reads files for a tool. It collects the errors of the context, and prints warnings and remarks as they are emitted.
pub struct Input<'c> {
    tool: &'static str,
    context: &'c Context,
    errors: Rc<RefCell<Vec<String>>>,
}

/// A schedule that was read from a file.
pub enum ScheduleFile<'c> {
    Script(Module<'c>),
    Trace(trace::TraceSource<'c>),
}

impl<'c> Input<'c> {
    /// A reader for the tool of that name.
    pub fn new(context: &'c Context, tool: &'static str) -> Self {
        Input { tool, context, errors: collect_errors(context) }
    }

    /// The first error that was reported, as `file:line:col: error: message`, or `otherwise` if there was none.
    pub fn explained(&self, otherwise: &str) -> String {
        let collected = self.errors.borrow();
        collected.first().cloned().unwrap_or_else(|| format!("{}: error: {otherwise}", self.tool))
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

/// Collects errors, and prints warnings and remarks.
fn collect_errors(context: &Context) -> Rc<RefCell<Vec<String>>> {
    let errors = Rc::new(RefCell::new(vec![]));
    let collected = errors.clone();
    receive_all(context, move |reported| match reported.severity {
        Severity::Error => collected.borrow_mut().push(text(&reported)),
        Severity::Warning | Severity::Remark => eprintln!("{}", text(&reported)),
    });
    errors
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

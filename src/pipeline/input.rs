//! Reads models and schedules from files or memory, and collects the diagnostics of a compilation.

mod unknown_dialect;

use super::ModuleSchedule;
use super::error::{CompileError, Diagnostic, ErrorCode};
use crate::ir::{Severity, handle_of, parse_bytes_in, parse_file, receive_all};
use crate::schedule::primitive::PRIMITIVES;
use crate::schedule::trace;
use crate::strategy::Strategies;
use loopwright_onnx::{ImportError, ImportOptions, ModelFile, import, is_onnx};
use loopwright_runtime::stderr;
use melior::Context;
use melior::ir::Module;
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// The path that stands for stdin, as in MLIR's tools.
const STDIN: &str = "-";

/// Reads models and schedules for a tool. It collects the diagnostics of the context. [`finish`](Self::finish) prints the
/// warnings and remarks: each once, and behind the error if there is one.
pub struct Input<'c> {
    tool: &'static str,
    context: &'c Context,
    diagnostics: Rc<RefCell<Diagnostics>>,
}

/// Diagnostics in the order in which they were emitted.
#[derive(Default)]
struct Diagnostics {
    errors: Vec<Diagnostic>,
    /// Warnings and remarks; none is equal to another.
    others: Vec<Diagnostic>,
    /// The texts that were read from memory, by the file in their locations.
    texts: Vec<(String, String)>,
}

/// A schedule that was read from a file.
pub enum ScheduleFile<'c> {
    /// A transform script.
    Script(Module<'c>),
    /// A trace, which was given as JSON.
    Trace(trace::TraceSource<'c>),
}

impl<'c> Input<'c> {
    /// A reader for the tool of that name.
    pub fn new(context: &'c Context, tool: &'static str) -> Self {
        Input { tool, context, diagnostics: collect(context) }
    }

    /// The context that modules are read into.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The first error that was reported, or `otherwise` if there was none.
    pub fn explained(&self, code: ErrorCode, otherwise: &str) -> CompileError {
        match self.diagnostics.borrow().errors.first().cloned() {
            Some(diagnostic) => CompileError { code, diagnostic: diagnostic.into() },
            None => CompileError::of(code, self.tool, otherwise),
        }
    }

    /// Removes the errors so far, after an attempt whose failure does not matter.
    pub(super) fn forget_errors(&self) {
        self.diagnostics.borrow_mut().errors.clear();
    }

    /// Adds a warning or a remark.
    pub fn report(&self, diagnostic: Diagnostic) {
        self.diagnostics.borrow_mut().report(diagnostic);
    }

    /// Removes the warnings and remarks so far, and returns them.
    pub fn take_reported(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.diagnostics.borrow_mut().others)
    }

    /// The number of warnings and remarks so far.
    pub fn reported(&self) -> usize {
        self.diagnostics.borrow().others.len()
    }

    /// The outcome of the tool. Warnings and remarks are printed, or follow the message of an error.
    ///
    /// # Errors
    /// If the tool failed.
    pub fn finish<T>(&self, outcome: Result<T, impl Into<String>>) -> Result<T, String> {
        let others = self.take_reported().into_iter().map(|it| it.to_string());
        match outcome {
            Ok(value) => {
                others.for_each(|text| stderr::print(format_args!("{text}\n")));
                Ok(value)
            }
            Err(message) => {
                Err([message.into()].into_iter().chain(others).collect::<Vec<_>>().join("\n"))
            }
        }
    }

    /// Reads the model of a file: a module, or an ONNX model, which is imported. `options` are for the latter.
    ///
    /// # Errors
    /// [`ErrorCode::Unreadable`], [`ErrorCode::Model`], [`ErrorCode::Option`].
    pub fn model(&self, path: &Path, options: &ImportOptions) -> Result<Module<'c>, CompileError> {
        if is_onnx(path) {
            return self.imported(&ModelFile::open(path)?, options);
        }
        match options.dims.first() {
            Some((name, _)) => Err(CompileError::of(
                ErrorCode::Option,
                self.tool,
                format!(
                    "the size of dimension {name} is for ONNX models, but {} is none: expected .onnx or .onnxtxt",
                    path.display()
                ),
            )),
            None => self.module(path),
        }
    }

    /// Imports an ONNX model that was read already.
    ///
    /// # Errors
    /// [`ErrorCode::Model`].
    pub fn imported(
        &self,
        file: &ModelFile,
        options: &ImportOptions,
    ) -> Result<Module<'c>, CompileError> {
        import(self.context, file, options).map_err(|error| match error {
            ImportError::Invalid { .. } => self.explained(ErrorCode::Model, &error.to_string()),
            _ => error.into(),
        })
    }

    /// Reads the module of a file; `-` is stdin.
    ///
    /// # Errors
    /// [`ErrorCode::Unreadable`], [`ErrorCode::Model`].
    pub fn module(&self, path: &Path) -> Result<Module<'c>, CompileError> {
        let name = path.to_string_lossy();
        if name != STDIN {
            let unreadable =
                |message: String| CompileError::of_file(ErrorCode::Unreadable, &name, message);
            let found = fs::File::open(path).and_then(|file| file.metadata());
            let found = found.map_err(|error| unreadable(format!("cannot be read: {error}")))?;
            if found.is_dir() {
                return Err(unreadable("is a folder, expected the file of a module".to_owned()));
            }
        }
        parse_file(self.context, &name).ok_or_else(|| self.no_module(&name))
    }

    /// Reads a module from memory: text or bytecode. `name` is the file in its locations.
    ///
    /// # Errors
    /// [`ErrorCode::Model`].
    pub fn module_bytes(&self, bytes: &[u8], name: &str) -> Result<Module<'c>, CompileError> {
        if let Ok(text) = str::from_utf8(bytes) {
            let mut diagnostics = self.diagnostics.borrow_mut();
            diagnostics.texts.push((name.to_owned(), text.to_owned()));
        }
        parse_bytes_in(handle_of(self.context), bytes, name).ok_or_else(|| self.no_module(name))
    }

    fn no_module(&self, name: &str) -> CompileError {
        self.explained(ErrorCode::Model, &format!("{name} is not a valid module"))
    }

    /// Reads the schedule of a file: a transform script, or a trace as JSON.
    ///
    /// # Errors
    /// [`ErrorCode::Unreadable`], [`ErrorCode::Schedule`], [`ErrorCode::Option`].
    pub fn schedule(&self, path: &Path) -> Result<ScheduleFile<'c>, CompileError> {
        let name = path.to_string_lossy();
        if name == STDIN {
            return Err(CompileError::of(
                ErrorCode::Option,
                self.tool,
                format!("the schedule is {STDIN}, expected a file: only the module can be stdin"),
            ));
        }
        match fs::read(path) {
            Ok(bytes) => self.schedule_bytes(&bytes, &name),
            // Says why it cannot be read.
            Err(_) => self.module(path).map(ScheduleFile::Script),
        }
    }

    /// Reads a schedule from memory: a transform script, or a trace as JSON. `name` is the file in its locations.
    ///
    /// # Errors
    /// [`ErrorCode::Schedule`].
    pub fn schedule_bytes(
        &self,
        bytes: &[u8],
        name: &str,
    ) -> Result<ScheduleFile<'c>, CompileError> {
        if trace::is_json(name, bytes) {
            return trace::read_bytes(handle_of(self.context), bytes, name)
                .map(ScheduleFile::Trace)
                .map_err(|()| {
                    self.explained(ErrorCode::Schedule, &format!("{name} is not a trace"))
                });
        }
        let script = self.module_bytes(bytes, name);
        script
            .map(ScheduleFile::Script)
            .map_err(|error| CompileError { code: ErrorCode::Schedule, ..error })
    }

    /// The strategies of the package, and those that files of transform scripts declare.
    ///
    /// # Errors
    /// [`ErrorCode::Schedule`].
    pub fn strategies(&self, files: &[PathBuf]) -> Result<Arc<Strategies>, CompileError> {
        Strategies::with_scripts(handle_of(self.context), files).map(Arc::new).map_err(|error| {
            error.emit();
            self.explained(ErrorCode::Schedule, "the strategies are not valid")
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
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.others.contains(&diagnostic) {
            self.others.push(diagnostic);
        }
    }
}

/// Collects the diagnostics of a context.
fn collect(context: &Context) -> Rc<RefCell<Diagnostics>> {
    let diagnostics = Rc::new(RefCell::new(Diagnostics::default()));
    let collected = diagnostics.clone();
    receive_all(context, move |reported| {
        let explained = unknown_dialect::explained(reported, &collected.borrow().texts);
        let mut diagnostic = Diagnostic::from(explained);
        if let Some(primitive) = refused_primitive(&diagnostic.message) {
            let page = format!("docs/primitives.md#{primitive} has the conditions of {primitive}");
            diagnostic.notes.push((diagnostic.origin.clone(), page));
        }
        let mut collected = collected.borrow_mut();
        match diagnostic.severity {
            Severity::Error => collected.errors.push(diagnostic),
            Severity::Warning | Severity::Remark => collected.report(diagnostic),
        }
    });
    diagnostics
}

/// The primitive of a refusal that gives the number of a condition: `'loop.for' op split: .. (C3)`.
fn refused_primitive(message: &str) -> Option<&str> {
    let (_, number) = message.strip_suffix(')')?.rsplit_once("(C")?;
    let (name, _) = message.split_once(" op ")?.1.split_once(':')?;
    let is_known = number.bytes().all(|c| c.is_ascii_digit())
        && PRIMITIVES.iter().any(|primitive| primitive.name == name);
    is_known.then_some(name)
}

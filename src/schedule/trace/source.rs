//! Reads traces from files, as a script or as JSON.

use super::{Trace, json, script};
use crate::ir::{Context, Error, Location, parse_bytes_in, top};
use std::fs;

/// The spelling of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// A transform script, as MLIR text.
    Script,
    /// JSON.
    Json,
    /// A Rust function.
    Rust,
}

/// A parsed trace.
#[derive(Clone, Debug)]
pub struct TraceSource<'c> {
    /// The trace.
    pub trace: Trace,
    /// The locations of its steps.
    pub places: Vec<Location<'c>>,
    /// The spelling of the source.
    pub spelling: Spelling,
}

impl Spelling {
    /// All spellings.
    pub const ALL: [Spelling; 3] = [Spelling::Script, Spelling::Json, Spelling::Rust];

    /// The keyword on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Spelling::Script => "script",
            Spelling::Json => "json",
            Spelling::Rust => "rust",
        }
    }

    /// The spelling with this keyword.
    pub fn from_word(word: &str) -> Option<Spelling> {
        Spelling::ALL.into_iter().find(|spelling| spelling.word() == word)
    }
}

impl Trace {
    /// The trace in a spelling.
    pub fn spelt(&self, spelling: Spelling) -> String {
        match spelling {
            Spelling::Script => self.script(),
            Spelling::Json => self.to_json(),
            Spelling::Rust => self.rust(),
        }
    }
}

/// Reads a file: JSON if its name ends in `.json` or its text starts with a brace, otherwise a script. On `Err` the
/// reason has been reported.
#[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
pub fn read<'c>(context: Context<'c>, path: &str) -> Result<TraceSource<'c>, ()> {
    let at = |line, column| Location::of_file(context, path, line, column);
    let bytes = fs::read(path).map_err(|error| {
        Error::at(at(0, 0), format!("cannot be read: {error}")).emit();
    })?;
    read_bytes(context, &bytes, path)
}

/// As [`read`], from memory; `path` is the file in its locations.
#[expect(clippy::result_unit_err, reason = "the errors are diagnostics")]
pub fn read_bytes<'c>(
    context: Context<'c>,
    bytes: &[u8],
    path: &str,
) -> Result<TraceSource<'c>, ()> {
    let at = |line, column| Location::of_file(context, path, line, column);
    if is_json(path, bytes) {
        let text = str::from_utf8(bytes).map_err(|error| {
            Error::at(at(0, 0), format!("is not JSON: {error}")).emit();
        })?;
        let (trace, places) = json::parse(text).map_err(|error| {
            Error::at(at(error.place.line, error.place.column), error.message).emit();
        })?;
        let places = places.iter().map(|place| at(place.line, place.column)).collect();
        return Ok(TraceSource { trace, places, spelling: Spelling::Json });
    }
    let module = parse_bytes_in(context, bytes, path).ok_or(())?;
    let (trace, places) = script::parse(top(&module)).map_err(|error| error.emit())?;
    // Locations belong to the context, not to the module.
    let places = places.iter().map(|place| place.of(context)).collect();
    Ok(TraceSource { trace, places, spelling: Spelling::Script })
}

/// True if a file is JSON, by its name or its first byte.
pub fn is_json(path: &str, bytes: &[u8]) -> bool {
    // MLIR's own braces at the start of a file are `{-#`.
    let opening = bytes.trim_ascii_start();
    path.ends_with(".json") || opening.starts_with(b"{") && !opening.starts_with(b"{-#")
}

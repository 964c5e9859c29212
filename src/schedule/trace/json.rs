//! Traces as JSON, for tools and tuning records.
//!
//! ```json
//! {
//!   "version": 1,
//!   "function": "matmul",
//!   "hash": "5b0cf3a1d2e49817",
//!   "steps": [
//!     {"primitive": "split", "loop": "C:j", "factors": [4, 16]},
//!     {"primitive": "reorder", "loops": ["C:k", "C:j.1"]}
//!   ]
//! }
//! ```
//! - `version`: the version of the semantics of the primitives; required
//! - `function`: the name of the function
//! - `hash`: the hash of the function before the first step; optional
//! - `steps`: in order. `primitive` is the name of a primitive; the other keys are the names of its parameters. A name
//!   or word is a string, several names are a list of strings, a number is a number. Omitted parameters have their
//!   defaults.
//!
//! No other keys are allowed. An error states line and column.

use super::{Trace, VERSION, argument};
use crate::schedule::instruction::{Instruction, Primitive};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in bytes.
    pub column: usize,
}

/// Why a text is not a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}: {message}", place.line, place.column)]
pub struct JsonError {
    /// Where the text is wrong.
    pub place: TextPosition,
    /// What was found and what was expected.
    pub message: String,
}

impl Trace {
    /// The trace as JSON, one step per line.
    pub fn to_json(&self) -> String {
        let text = |text: &str| Value::from(text).to_string();
        let hash = self.hash.as_deref().map(|hash| format!("  \"hash\": {},\n", text(hash)));
        let steps: Vec<String> =
            self.instructions.iter().map(|step| format!("\n    {}", step.to_json())).collect();
        let end = if steps.is_empty() { "" } else { "\n  " };
        format!(
            "{{\n  \"version\": {VERSION},\n  \"function\": {},\n{}  \"steps\": [{}{end}]\n}}\n",
            text(&self.function),
            hash.unwrap_or_default(),
            steps.join(",")
        )
    }

    /// Parses a trace from JSON.
    ///
    /// # Errors
    /// If the text is not JSON or not a trace of this version; with the position.
    pub fn from_json(text: &str) -> Result<Trace, JsonError> {
        parse(text).map(|(trace, _)| trace)
    }
}

impl Instruction {
    /// The step as a JSON object on one line.
    pub fn to_json(&self) -> String {
        let mut text = format!("{{\"primitive\": {}", Value::from(self.primitive.name));
        for (parameter, argument) in self.primitive.parameters.iter().zip(&self.arguments) {
            let Some(value) = argument::to_json(argument) else { continue };
            let value = match &value {
                Value::Array(items) => {
                    let items: Vec<_> = items.iter().map(Value::to_string).collect();
                    format!("[{}]", items.join(", "))
                }
                value => value.to_string(),
            };
            text += &format!(", \"{}\": {value}", parameter.name);
        }
        text + "}"
    }
}

/// The trace of a text, and the positions of its steps.
pub(super) fn parse(text: &str) -> Result<(Trace, Vec<TextPosition>), JsonError> {
    let reader = JsonParser { text };
    let document: &RawValue = serde_json::from_str(text).map_err(|error| {
        let place = TextPosition { line: error.line(), column: error.column() };
        let message = error.to_string();
        // serde_json appends the position to its message.
        let message = message.split(" at line ").next().unwrap_or(&message);
        JsonError { place, message: format!("is not JSON: {message}") }
    })?;
    let what = "a trace";
    let members = reader.members(document, what)?;
    reader.check_names(&members, &["version", "function", "hash", "steps"], what)?;
    let missing = |name: &str| reader.error(document, format!("{what} has no \"{name}\""));
    let version = find(&members, "version").ok_or_else(|| missing("version"))?;
    if version.get().parse() != Ok(VERSION) {
        let found = version.get();
        let message = format!("is of version {found}, this package reads version {VERSION}");
        return Err(reader.error(version, message));
    }
    let function = find(&members, "function").ok_or_else(|| missing("function"))?;
    let steps = find(&members, "steps").ok_or_else(|| missing("steps"))?;
    let mut trace = Trace {
        function: reader.string(function, "\"function\"")?,
        hash: find(&members, "hash").map(|hash| reader.string(hash, "\"hash\"")).transpose()?,
        instructions: vec![],
    };
    let steps: Vec<&RawValue> = serde_json::from_str(steps.get())
        .map_err(|_| reader.expected(steps, "\"steps\"", "a list of steps"))?;
    let mut places = vec![];
    for (i, step) in steps.into_iter().enumerate() {
        trace.instructions.push(reader.step(step, &format!("step {}", i + 1))?);
        places.push(reader.place(step));
    }
    Ok((trace, places))
}

/// The members of an object, in order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = vec![];
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

fn find<'a>(members: &Members<'a>, name: &str) -> Option<&'a RawValue> {
    members.0.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
}

/// A text that is being parsed. All values are slices of it, from which their positions follow.
struct JsonParser<'a> {
    text: &'a str,
}

impl<'a> JsonParser<'a> {
    fn place(&self, value: &RawValue) -> TextPosition {
        let offset = value.get().as_ptr() as usize - self.text.as_ptr() as usize;
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        TextPosition { line: before.matches('\n').count() + 1, column: offset - line_start + 1 }
    }

    fn error(&self, value: &RawValue, message: String) -> JsonError {
        JsonError { place: self.place(value), message }
    }

    fn expected(&self, value: &RawValue, what: &str, expected: &str) -> JsonError {
        // Truncated: a long value would hide the rest of the message.
        let found: String = value.get().chars().take(40).collect();
        let dots = if found.len() < value.get().len() { ".." } else { "" };
        self.error(value, format!("{what} is {found}{dots}, expected {expected}"))
    }

    fn string(&self, value: &RawValue, what: &str) -> Result<String, JsonError> {
        serde_json::from_str(value.get()).map_err(|_| self.expected(value, what, "a string"))
    }

    fn members(&self, value: &'a RawValue, what: &str) -> Result<Members<'a>, JsonError> {
        let members: Members = serde_json::from_str(value.get())
            .map_err(|_| self.expected(value, what, "an object"))?;
        for (i, (name, member)) in members.0.iter().enumerate() {
            if members.0[..i].iter().any(|(other, _)| other == name) {
                return Err(self.error(member, format!("{what} has \"{name}\" twice")));
            }
        }
        Ok(members)
    }

    fn check_names(&self, members: &Members, known: &[&str], what: &str) -> Result<(), JsonError> {
        match members.0.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, value)) => {
                let known: Vec<_> = known.iter().map(|name| format!("\"{name}\"")).collect();
                let known = known.join(", ");
                Err(self.error(value, format!("{what} has \"{name}\", expected one of {known}")))
            }
            None => Ok(()),
        }
    }

    fn step(&self, step: &'a RawValue, what: &str) -> Result<Instruction, JsonError> {
        let members = self.members(step, what)?;
        let name = find(&members, "primitive")
            .ok_or_else(|| self.error(step, format!("{what} has no \"primitive\"")))?;
        let primitive = Primitive::of(&self.string(name, &format!("\"primitive\" of {what}"))?)
            .ok_or_else(|| {
                let text = format!("{what} is {}, which is not a primitive", name.get());
                self.error(name, text)
            })?;
        let mut known = vec!["primitive"];
        known.extend(primitive.parameters.iter().map(|parameter| parameter.name));
        let what = format!("{what}, {},", primitive.name);
        self.check_names(&members, &known, &what)?;
        let mut arguments = vec![];
        for parameter in primitive.parameters {
            let Some(value) = find(&members, parameter.name) else {
                let missing = format!("{what} has no \"{}\"", parameter.name);
                let default = parameter.kind.default();
                arguments.push(default.ok_or_else(|| self.error(step, missing))?);
                continue;
            };
            let parsed = serde_json::from_str(value.get()).unwrap_or(Value::Null);
            let argument = argument::of_json(parameter.kind, &parsed).map_err(|expected| {
                let what = format!("\"{}\" of {}", parameter.name, what.trim_end_matches(','));
                self.expected(value, &what, expected)
            })?;
            arguments.push(argument);
        }
        Ok(Instruction { primitive, arguments })
    }
}

//! Arguments of steps in the spellings of a trace: attributes of a script, JSON values, Rust expressions.
//!
//! ```text
//! script                 JSON                    Rust
//! "C:j"                  "C:j"                   "C:j"
//! ["C:i", "C:j"]         ["C:i", "C:j"]          &["C:i", "C:j"]
//! [4, -1]                [4, -1]                 &[4, -1]
//! factor 8, or nothing   "factor": 8, or nothing Some(8), or None
//! ```

use crate::ir::Attribute;
use crate::schedule::table::{Argument, ParameterKind};
use serde_json::Value;

/// The argument in an attribute of a script's op, which its verifier has seen. What is not given is as by
/// default.
pub fn of_attribute(kind: ParameterKind, value: Option<Attribute>) -> Argument {
    let text = |value: Option<Attribute>| value.and_then(Attribute::as_str).map(str::to_owned);
    match kind {
        ParameterKind::Loop
        | ParameterKind::Block
        | ParameterKind::Target
        | ParameterKind::Buffer
        | ParameterKind::Word => Argument::Text(text(value).unwrap_or_default()),
        ParameterKind::OptionalWord => Argument::OptionalText(text(value)),
        ParameterKind::Loops | ParameterKind::Blocks => {
            let items = value.and_then(Attribute::as_array).unwrap_or_default();
            let text = |item: &Attribute| item.as_str().unwrap_or_default().to_owned();
            Argument::Texts(items.iter().map(text).collect())
        }
        ParameterKind::Integers => {
            Argument::Integers(value.and_then(Attribute::as_integers).unwrap_or_default())
        }
        ParameterKind::OptionalInteger => {
            Argument::OptionalInteger(value.and_then(Attribute::as_i64))
        }
    }
}

/// As JSON; nothing for an optional argument that is not given.
pub fn to_json(argument: &Argument) -> Option<Value> {
    match argument {
        Argument::Text(text) => Some(text.as_str().into()),
        Argument::Texts(texts) => Some(texts.as_slice().into()),
        Argument::Integers(integers) => Some(integers.as_slice().into()),
        Argument::OptionalInteger(integer) => integer.map(Value::from),
        Argument::OptionalText(text) => text.as_deref().map(Value::from),
    }
}

/// From JSON; the error says what was expected.
pub fn of_json(kind: ParameterKind, value: &Value) -> Result<Argument, &'static str> {
    let text = || value.as_str().map(str::to_owned);
    match kind {
        ParameterKind::Loop
        | ParameterKind::Block
        | ParameterKind::Target
        | ParameterKind::Buffer
        | ParameterKind::Word => text().map(Argument::Text).ok_or("a string"),
        ParameterKind::OptionalWord => {
            text().map(|text| Argument::OptionalText(Some(text))).ok_or("a string")
        }
        ParameterKind::Loops | ParameterKind::Blocks => {
            list(value, |item| item.as_str().map(str::to_owned))
                .map(Argument::Texts)
                .ok_or("a list of strings")
        }
        ParameterKind::Integers => {
            list(value, Value::as_i64).map(Argument::Integers).ok_or("a list of whole numbers")
        }
        ParameterKind::OptionalInteger => {
            let integer = value.as_i64().map(|integer| Argument::OptionalInteger(Some(integer)));
            integer.ok_or("a whole number")
        }
    }
}

/// As an expression that a method of `Schedule` takes.
pub fn to_rust(argument: &Argument) -> String {
    match argument {
        Argument::Text(text) => format!("{text:?}"),
        Argument::Texts(texts) => format!("&{texts:?}"),
        Argument::Integers(integers) => format!("&{integers:?}"),
        Argument::OptionalInteger(integer) => format!("{integer:?}"),
        Argument::OptionalText(text) => format!("{text:?}"),
    }
}

fn list<T>(value: &Value, item: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(item).collect()
}

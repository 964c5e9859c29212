//! Spellings of step arguments: attributes of a script, JSON values, Rust expressions.
//!
//! ```text
//! script                 JSON                    Rust
//! "C:j"                  "C:j"                   "C:j"
//! ["C:i", "C:j"]         ["C:i", "C:j"]          &["C:i", "C:j"]
//! [4, -1]                [4, -1]                 &[4, -1]
//! "-1, $width"           "-1, $width"            "-1, $width"
//! factor 8, or nothing   "factor": 8, or nothing Some(8), or None
//! 4, true, "text"        4, true, "text"         4, true, "text"
//! ```

use crate::ir::Attribute;
use crate::ir::TypeKind;
use crate::schedule::instruction::{Argument, Literal, ParameterKind};
use serde_json::Value;

/// Reads the argument from an attribute of a script op, which the verifier has checked. An omitted argument has its
/// default.
pub fn of_attribute(kind: ParameterKind, value: Option<Attribute>) -> Argument {
    let text = |value: Option<Attribute>| value.and_then(Attribute::as_str).map(str::to_owned);
    match kind {
        ParameterKind::Loop
        | ParameterKind::Block
        | ParameterKind::Target
        | ParameterKind::Buffer
        | ParameterKind::Pattern
        | ParameterKind::Word => Argument::Text(text(value).unwrap_or_default()),
        ParameterKind::OptionalWord => Argument::OptionalText(text(value)),
        ParameterKind::Loops | ParameterKind::Blocks => {
            let items = value.and_then(Attribute::as_array).unwrap_or_default();
            let text = |item: &Attribute| item.as_str().unwrap_or_default().to_owned();
            Argument::Texts(items.iter().map(text).collect())
        }
        ParameterKind::Integers | ParameterKind::OptionalIntegers => match text(value) {
            Some(list) => Argument::Decided(list),
            None => Argument::Integers(value.and_then(Attribute::as_integers).unwrap_or_default()),
        },
        ParameterKind::OptionalInteger => match text(value) {
            Some(name) => Argument::Decided(name),
            None => Argument::OptionalInteger(value.and_then(Attribute::as_i64)),
        },
        ParameterKind::Literal => {
            Argument::Literal(value.and_then(literal).unwrap_or(Literal::Text(String::new())))
        }
    }
}

/// A text, boolean or integer literal; none for other kinds.
pub fn literal(value: Attribute) -> Option<Literal> {
    let is_bool = value.ty().kind() == TypeKind::Integer(1);
    match (value.as_str(), value.as_i64()) {
        (Some(text), _) => Some(Literal::Text(text.to_owned())),
        (None, Some(number)) if is_bool => Some(Literal::Bool(number != 0)),
        (None, number) => number.map(Literal::Integer),
    }
}

/// The argument as JSON; none for an optional argument that is omitted.
pub fn to_json(argument: &Argument) -> Option<Value> {
    match argument {
        Argument::Text(text) | Argument::Decided(text) => Some(text.as_str().into()),
        Argument::Texts(texts) => Some(texts.as_slice().into()),
        Argument::Integers(integers) => Some(integers.as_slice().into()),
        Argument::OptionalInteger(integer) => integer.map(Value::from),
        Argument::OptionalText(text) => text.as_deref().map(Value::from),
        Argument::Literal(Literal::Integer(integer)) => Some((*integer).into()),
        Argument::Literal(Literal::Bool(value)) => Some((*value).into()),
        Argument::Literal(Literal::Text(text)) => Some(text.as_str().into()),
    }
}

/// Reads an argument from JSON; the error states what was expected.
pub fn of_json(kind: ParameterKind, value: &Value) -> Result<Argument, &'static str> {
    let text = || value.as_str().map(str::to_owned);
    match kind {
        ParameterKind::Loop
        | ParameterKind::Block
        | ParameterKind::Target
        | ParameterKind::Buffer
        | ParameterKind::Pattern
        | ParameterKind::Word => text().map(Argument::Text).ok_or("a string"),
        ParameterKind::OptionalWord => {
            text().map(|text| Argument::OptionalText(Some(text))).ok_or("a string")
        }
        ParameterKind::Loops | ParameterKind::Blocks => {
            list(value, |item| item.as_str().map(str::to_owned))
                .map(Argument::Texts)
                .ok_or("a list of strings")
        }
        ParameterKind::Integers | ParameterKind::OptionalIntegers => {
            let decided = text().map(Argument::Decided);
            decided
                .or_else(|| list(value, Value::as_i64).map(Argument::Integers))
                .ok_or("a list of whole numbers")
        }
        ParameterKind::OptionalInteger => {
            let integer = value.as_i64().map(|integer| Argument::OptionalInteger(Some(integer)));
            integer.or_else(|| text().map(Argument::Decided)).ok_or("a whole number")
        }
        ParameterKind::Literal => match value {
            Value::String(text) => Some(Literal::Text(text.clone())),
            Value::Bool(value) => Some(Literal::Bool(*value)),
            value => value.as_i64().map(Literal::Integer),
        }
        .map(Argument::Literal)
        .ok_or("a whole number, boolean or string"),
    }
}

/// The argument as an expression that a method of `Schedule` takes.
pub fn to_rust(argument: &Argument) -> String {
    match argument {
        Argument::Text(text) | Argument::Decided(text) => format!("{text:?}"),
        Argument::Texts(texts) => format!("&{texts:?}"),
        Argument::Integers(integers) => format!("&{integers:?}"),
        Argument::OptionalInteger(integer) => format!("{integer:?}"),
        Argument::OptionalText(text) => format!("{text:?}"),
        Argument::Literal(Literal::Integer(integer)) => format!("{integer}"),
        Argument::Literal(Literal::Bool(value)) => format!("{value}"),
        Argument::Literal(Literal::Text(text)) => format!("{text:?}"),
    }
}

fn list<T>(value: &Value, item: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(item).collect()
}

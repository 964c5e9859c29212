//! The primitives as methods of a [`Schedule`](super::Schedule), grouped by topic.

pub(crate) mod history;
mod kinds;
mod location;
mod loops;
pub mod observer;
mod queries;
mod sampling;
mod storage;

use super::Argument;

fn text(text: &str) -> Argument {
    Argument::Text(text.to_owned())
}

fn optional_text(text: Option<&str>) -> Argument {
    Argument::OptionalText(text.map(str::to_owned))
}

fn texts(texts: &[&str]) -> Argument {
    Argument::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
}

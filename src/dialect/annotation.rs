//! Annotations: metadata that a schedule attaches to a loop or schedule block for later passes.
//!
//! They are entries of one discardable attribute, `attributes {loop.annotations = {pragma = 4}}`: keys are
//! names, values are integers, booleans and text.

use crate::ir::{Attribute, Error, Op, TypeKind};

/// The discardable attribute.
pub const NAME: &str = "loop.annotations";

/// On a schedule block, with the value true: its stores bypass the caches, because the data is not read soon.
pub const NONTEMPORAL: &str = "nontemporal";

/// On a schedule block that copies from global to shared memory, with the value true: threads continue before the
/// copy is complete. Also the attribute of the ops that the block becomes in a kernel, as `loop.async_copy`.
pub const ASYNC_COPY: &str = "async_copy";

/// True if an op has an entry with the value true.
pub fn is_set(op: Op, key: &str) -> bool {
    entries(op).iter().any(|(name, value)| *name == key && value.as_i64() == Some(1))
}

/// The keys and values of an op.
pub fn entries<'c>(op: Op<'c>) -> Vec<(&'c str, Attribute<'c>)> {
    op.attribute(NAME).and_then(Attribute::as_dictionary).unwrap_or_default()
}

/// The keys of an op.
pub fn keys(op: Op) -> Vec<String> {
    entries(op).into_iter().map(|(key, _)| key.to_owned()).collect()
}

/// Adds or replaces an entry; without a value, removes it.
pub fn set<'c>(op: Op<'c>, key: &str, value: Option<Attribute<'c>>) {
    let mut all = entries(op);
    all.retain(|(other, _)| *other != key);
    all.extend(value.map(|value| (key, value)));
    match all.is_empty() {
        true => op.remove_attribute(NAME),
        false => op.set_attribute(NAME, Attribute::dictionary(op.context(), &all)),
    }
}

/// True if the text can be a key.
pub fn is_key(key: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    key.starts_with(letter)
        && key.chars().all(|c| letter(c) || c.is_ascii_digit() || "$.-".contains(c))
}

pub(super) fn verify(op: Op) -> Result<(), Error> {
    let Some(attribute) = op.attribute(NAME) else { return Ok(()) };
    let Some(entries) = attribute.as_dictionary() else {
        return Err(Error::on(op, format!("has an attribute '{NAME}' that is not a dictionary")));
    };
    for (key, value) in entries {
        if !is_key(key) {
            let message = format!(
                "has the annotation \"{key}\", expected letters, digits, '_', '$', '-' and '.', \
                 starting with a letter"
            );
            return Err(Error::on(op, message));
        }
        let is_number =
            value.as_i64().is_some() && matches!(value.ty().kind(), TypeKind::Integer(_));
        if !is_number && value.as_str().is_none() {
            let message = format!(
                "has the annotation \"{key}\" of {value}, expected a whole number, a boolean or text"
            );
            return Err(Error::on(op, message));
        }
    }
    Ok(())
}

//! A mnemonic whose suffixes are consumed one by one, so that an unconsumed suffix is an error.

use super::Result;
use crate::parse::ParseError;
use crate::syntax::Type;

pub struct Mnemonic<'a> {
    text: &'a str,
    pub head: &'a str,
    suffixes: Vec<&'a str>,
    line: u32,
}

impl<'a> Mnemonic<'a> {
    pub fn new(text: &'a str, line: u32) -> Mnemonic<'a> {
        let mut parts = text.split('.');
        let head = parts.next().unwrap_or_default();
        Mnemonic { text, head, suffixes: parts.collect(), line }
    }

    /// Consumes a suffix if it is present.
    pub fn take(&mut self, suffix: &str) -> bool {
        match self.suffixes.iter().position(|it| *it == suffix) {
            Some(at) => {
                self.suffixes.remove(at);
                true
            }
            None => false,
        }
    }

    /// Consumes the first suffix that is in the table.
    pub fn take_one_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        table.iter().find(|(suffix, _)| self.take(suffix)).map(|(_, value)| *value)
    }

    /// Consumes the first suffix for which the function returns a value.
    pub fn take_by<T>(&mut self, of: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, value) =
            self.suffixes.iter().enumerate().find_map(|(i, it)| Some((i, of(it)?)))?;
        self.suffixes.remove(at);
        Some(value)
    }

    /// Consumes suffixes that have no effect here: caches, evictions, scopes.
    pub fn ignore(&mut self, suffixes: &[&str]) {
        self.suffixes.retain(|it| !suffixes.contains(it));
    }

    pub fn ignore_prefixed(&mut self, prefix: &str) {
        self.suffixes.retain(|it| !it.starts_with(prefix));
    }

    /// Consumes the first type.
    pub fn ty(&mut self) -> Result<Type> {
        self.take_by(Type::from_name).ok_or_else(|| self.unknown())
    }

    /// Consumes the first suffix, whatever it is.
    pub fn first(&mut self) -> Result<&'a str> {
        match self.suffixes.is_empty() {
            true => Err(self.unknown()),
            false => Ok(self.suffixes.remove(0)),
        }
    }

    /// True if a suffix is present; does not consume it.
    pub fn has(&self, suffix: &str) -> bool {
        self.suffixes.contains(&suffix)
    }

    pub fn unknown(&self) -> ParseError {
        ParseError::UnknownInstruction { line: self.line, mnemonic: self.text.into() }
    }

    pub fn finish(self) -> Result<()> {
        match self.suffixes.is_empty() {
            true => Ok(()),
            false => Err(self.unknown()),
        }
    }
}

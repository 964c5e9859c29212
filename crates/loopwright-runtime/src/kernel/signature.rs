//! The signature of a kernel (the types of its arguments) and its text form.
//!
//! ```text
//! signature := (argument (", " argument)*)?
//! argument  := "index" | type "[" (size ("x" size)*)? "]" " result"?
//! size      := decimal, without leading zeros, below 2^63 | "?"
//! ```
//! such as `f32[128x64], index, f32[?x64] result`. Only a text in exactly the printed form is accepted.

use crate::tensor::ElementType;
use std::fmt;
use std::str::FromStr;

/// The arguments of a kernel, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The types of the arguments.
    pub arguments: Vec<ArgumentType>,
}

/// The type of one argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArgumentType {
    /// Elements in memory.
    Buffer(BufferType),
    /// A 64-bit integer.
    Index,
}

/// The type of a buffer argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BufferType {
    /// The type of the elements.
    pub element_type: ElementType,
    /// The sizes, the slowest dimension first; `None` is a dynamic size, which each call chooses.
    pub shape: Vec<Option<u64>>,
    /// True if the kernel writes a result into it.
    pub is_result: bool,
}

/// A syntax error in a signature; printed as `signature: found '[3' at 4, expected an element type`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("signature: found {} at {position}, expected {expected}", quoted(found))]
pub struct SignatureError {
    /// In bytes, from 0.
    pub position: usize,
    /// The first characters at that position; empty at the end.
    pub found: String,
    /// What would be valid at that position.
    pub expected: &'static str,
}

impl Signature {
    /// The number of pointers that the kernel gets.
    pub fn buffer_count(&self) -> usize {
        self.arguments.iter().filter(|it| matches!(it, ArgumentType::Buffer(_))).count()
    }

    /// The number of sizes that the kernel gets: one per dynamic dimension and one per index.
    pub fn size_count(&self) -> usize {
        let count = |argument: &ArgumentType| match argument {
            ArgumentType::Buffer(buffer) => buffer.shape.iter().filter(|it| it.is_none()).count(),
            ArgumentType::Index => 1,
        };
        self.arguments.iter().map(count).sum()
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, argument) in self.arguments.iter().enumerate() {
            write!(f, "{}{argument}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for ArgumentType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ArgumentType::Buffer(buffer) => buffer.fmt(f),
            ArgumentType::Index => f.write_str("index"),
        }
    }
}

impl fmt::Display for BufferType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}[", self.element_type)?;
        for (i, size) in self.shape.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "x" })?;
            match size {
                Some(size) => size.fmt(f)?,
                None => f.write_str("?")?,
            }
        }
        f.write_str(if self.is_result { "] result" } else { "]" })
    }
}

impl FromStr for Signature {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Self, SignatureError> {
        let mut parser = Parser { text, position: 0 };
        let mut arguments = vec![];
        if !text.is_empty() {
            arguments.push(parser.argument()?);
        }
        while parser.eat(", ") {
            arguments.push(parser.argument()?);
        }
        match parser.rest() {
            "" => Ok(Signature { arguments }),
            _ => Err(parser.error("', ' or the end")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Parser<'a> {
    fn argument(&mut self) -> Result<ArgumentType, SignatureError> {
        let word = self.word();
        if word == "index" {
            self.position += word.len();
            return Ok(ArgumentType::Index);
        }
        let element_type = word.parse().map_err(|_| self.error("an element type or 'index'"))?;
        self.position += word.len();
        if !self.eat("[") {
            return Err(self.error("'['"));
        }
        let mut shape = vec![];
        if !self.eat("]") {
            shape.push(self.size()?);
            while self.eat("x") {
                shape.push(self.size()?);
            }
            if !self.eat("]") {
                return Err(self.error("'x' or ']'"));
            }
        }
        let is_result = self.eat(" result");
        Ok(ArgumentType::Buffer(BufferType { element_type, shape, is_result }))
    }

    fn size(&mut self) -> Result<Option<u64>, SignatureError> {
        if self.eat("?") {
            return Ok(None);
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = &rest[..end];
        if digits.len() > 1 && digits.starts_with('0') {
            return Err(self.error("a size without leading zeros"));
        }
        // Parsed as i64, since the kernel gets an i64. There is no sign, because only digits are read.
        match digits.parse::<i64>() {
            Ok(size) => {
                self.position += end;
                Ok(Some(size.unsigned_abs()))
            }
            Err(_) if digits.is_empty() => Err(self.error("a size or '?'")),
            Err(_) => Err(self.error("a size below 2^63")),
        }
    }

    /// The letters and digits at the current position.
    fn word(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len())]
    }

    fn eat(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        self.position += if is_next { token.len() } else { 0 };
        is_next
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn error(&self, expected: &'static str) -> SignatureError {
        let found = self.rest().chars().take(20).collect();
        SignatureError { position: self.position, found, expected }
    }
}

fn quoted(found: &str) -> String {
    match found {
        "" => "the end".into(),
        _ => format!("'{}'", found.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Signature, SignatureError> {
        text.parse()
    }

    #[test]
    fn texts_are_printed_as_they_are_read() {
        for text in [
            "",
            "index",
            "f32[128x64], index, f32[?x64] result",
            "i8[]",
            "bool[] result, index, index, bf16[?]",
            "f64[0x?x9223372036854775807]",
        ] {
            assert_eq!(parse(text).expect("a signature").to_string(), text);
        }
    }

    #[test]
    fn each_part_means_what_it_says() {
        let signature = parse("f32[?x8x?], index, i64[] result").expect("a signature");
        let buffer = |element_type, shape, is_result| {
            ArgumentType::Buffer(BufferType { element_type, shape, is_result })
        };
        let expected = [
            buffer(ElementType::F32, vec![None, Some(8), None], false),
            ArgumentType::Index,
            buffer(ElementType::I64, vec![], true),
        ];
        assert_eq!(signature.arguments, expected);
        assert_eq!((signature.buffer_count(), signature.size_count()), (2, 3));
    }

    #[test]
    fn errors_have_a_position() {
        for (text, expected) in [
            (" ", "' ' at 0, expected an element type or 'index'"),
            ("f8[3]", "'f8[3]' at 0, expected an element type or 'index'"),
            ("f32", "the end at 3, expected '['"),
            ("f32 [", "' [' at 3, expected '['"),
            ("f32[", "the end at 4, expected a size or '?'"),
            ("f32[x3]", "'x3]' at 4, expected a size or '?'"),
            ("f32[-3]", "'-3]' at 4, expected a size or '?'"),
            ("f32[+3]", "'+3]' at 4, expected a size or '?'"),
            ("f32[3x]", "']' at 6, expected a size or '?'"),
            ("f32[3x?", "the end at 7, expected 'x' or ']'"),
            ("f32[3 x 4]", "' x 4]' at 5, expected 'x' or ']'"),
            ("f32[03]", "'03]' at 4, expected a size without leading zeros"),
            ("f32[9223372036854775808]", "'9223372036854775808]' at 4, expected a size below 2^63"),
            ("f32[3] results", "'s' at 13, expected ', ' or the end"),
            ("index result", "' result' at 5, expected ', ' or the end"),
            ("index,index", "',index' at 5, expected ', ' or the end"),
            ("index, ", "the end at 7, expected an element type or 'index'"),
            ("index\n", "'\\n' at 5, expected ', ' or the end"),
            ("index, é", "'é' at 7, expected an element type or 'index'"),
        ] {
            let error = parse(text).expect_err("no signature").to_string();
            assert_eq!(error, format!("signature: found {expected}"), "{text}");
        }
    }

    fn argument() -> impl Strategy<Value = ArgumentType> {
        let size = prop::option::of(prop_oneof![0..200u64, 0..=i64::MAX as u64]);
        let shape = prop::collection::vec(size, 0..5);
        let element_type = prop::sample::select(&ElementType::ALL[..]);
        let buffer =
            (element_type, shape, any::<bool>()).prop_map(|(element_type, shape, is_result)| {
                ArgumentType::Buffer(BufferType { element_type, shape, is_result })
            });
        prop_oneof![1 => Just(ArgumentType::Index), 4 => buffer]
    }

    proptest! {
        #[test]
        fn signatures_round_trip(arguments in prop::collection::vec(argument(), 0..5)) {
            let signature = Signature { arguments };
            prop_assert_eq!(parse(&signature.to_string()), Ok(signature));
        }

        #[test]
        fn no_text_panics(text in "[f3i8index\\[\\]?x0-9, result é]{0,30}") {
            match parse(&text) {
                Ok(signature) => prop_assert_eq!(signature.to_string(), text),
                Err(error) => prop_assert!(error.position <= text.len()),
            }
        }
    }
}

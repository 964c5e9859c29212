//! The header of an `.npy` file, which describes the data after it.
//!
//! ```text
//! "\x93NUMPY" major minor length  {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n
//!  6 bytes    1     1     2 or 4  length bytes
//! ```
//! Format: `numpy.lib.format`, versions 1.0 to 3.0. The dictionary is parsed without recursion, and no claimed size is
//! allocated or multiplied here. npyz 0.9's parser has both problems: nested braces take time exponential in their
//! depth, and the product of the sizes may overflow.

use crate::tensor::ElementType;
use npyz::{Endianness, TypeChar, TypeStr};
use std::io::{self, Read};

/// The element type, order and shape of the data.
#[derive(Debug, PartialEq, Eq)]
pub struct Header {
    /// The type of the elements, or of the parts of complex ones.
    pub element_type: ElementType,
    /// True if each element is a real part and an imaginary part.
    pub is_complex: bool,
    /// True for the unsigned integers, whose bits an integer type without a sign holds.
    pub is_unsigned: bool,
    pub is_big_endian: bool,
    pub is_fortran: bool,
    pub shape: Vec<usize>,
    /// The bytes before the data.
    pub len: u64,
}

/// Why a header cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    #[error("{0}")]
    Io(io::Error),
    /// The text is not a header, with the reason.
    #[error("is no .npy file: {0}")]
    Format(String),
    /// A valid header with this element type, which is not supported.
    #[error("has the unsupported element type {0}")]
    Unsupported(String),
}

/// NumPy itself refuses headers of more than 10000 bytes unless told otherwise.
const MAX_LEN: u32 = 1 << 16;

impl Header {
    /// Reads the header from the start of a file; the reader is at the data afterwards.
    pub fn read(mut reader: impl Read) -> Result<Header, HeaderError> {
        let [m0, m1, m2, m3, m4, m5, major, minor] = read_array(&mut reader)?;
        if [m0, m1, m2, m3, m4, m5] != *b"\x93NUMPY" {
            return Err(format("it does not begin with \\x93NUMPY"));
        }
        let (len, before) = match (major, minor) {
            (1, 0) => (u16::from_le_bytes(read_array(&mut reader)?).into(), 10),
            (2 | 3, 0) => (u32::from_le_bytes(read_array(&mut reader)?), 12),
            _ => {
                return Err(format(format!(
                    "it has the version {major}.{minor}, expected 1.0 to 3.0"
                )));
            }
        };
        if len > MAX_LEN {
            return Err(format(format!("its header has {len} bytes, expected at most {MAX_LEN}")));
        }
        let mut text = vec![0; len as usize];
        reader.read_exact(&mut text).map_err(io_error)?;
        let text = str::from_utf8(&text).map_err(|_| format("its header is not UTF-8"))?;
        Header::parse(text, before + u64::from(len))
    }

    fn parse(text: &str, len: u64) -> Result<Header, HeaderError> {
        let mut text = Text { rest: text };
        let (mut descr, mut is_fortran, mut shape) = (None, None, None);
        text.expect("{")?;
        while !text.eat("}") {
            let key = text.string()?;
            text.expect(":")?;
            let is_double = match key {
                "descr" => descr.replace(text.descr()?).is_some(),
                "fortran_order" => is_fortran.replace(text.boolean()?).is_some(),
                "shape" => shape.replace(text.shape()?).is_some(),
                _ => {
                    return Err(format(format!(
                        "its header has an unknown entry '{}'",
                        shorten(key)
                    )));
                }
            };
            if is_double {
                return Err(format(format!("its header has two entries '{key}'")));
            }
            text.end_of_item("}")?;
        }
        text.expect("")?;
        let missing = |key| move || format(format!("its header has no entry '{key}'"));
        let descr = descr.ok_or_else(missing("descr"))?;
        let is_fortran = is_fortran.ok_or_else(missing("fortran_order"))?;
        let shape = shape.ok_or_else(missing("shape"))?;
        let (element_type, kind, is_big_endian) =
            element_type(descr).ok_or_else(|| HeaderError::Unsupported(shorten(descr)))?;
        let (is_complex, is_unsigned) = (kind == TypeChar::Complex, kind == TypeChar::Uint);
        Ok(Header { element_type, is_complex, is_unsigned, is_big_endian, is_fortran, shape, len })
    }
}

/// The rest of the dictionary.
struct Text<'a> {
    rest: &'a str,
}

impl<'a> Text<'a> {
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_ascii_start();
        let after = self.rest.strip_prefix(token);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    /// Consumes a token; "" means the end of the header.
    fn expect(&mut self, token: &str) -> Result<(), HeaderError> {
        match self.eat(token) && (!token.is_empty() || self.rest.is_empty()) {
            true => Ok(()),
            false if token.is_empty() => Err(self.unexpected("the end")),
            false => Err(self.unexpected(&format!("'{token}'"))),
        }
    }

    /// Consumes a comma, or nothing before the closing token, which is not consumed.
    fn end_of_item(&mut self, close: &str) -> Result<(), HeaderError> {
        match self.eat(",") || self.rest.starts_with(close) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("',' or '{close}'"))),
        }
    }

    /// Reads a string without escapes: none of the accepted strings has any.
    fn string(&mut self) -> Result<&'a str, HeaderError> {
        let quote = if self.eat("'") { '\'' } else { '"' };
        if quote == '"' && !self.eat("\"") {
            return Err(self.unexpected("a string"));
        }
        let (string, rest) =
            self.rest.split_once(quote).ok_or_else(|| self.unexpected("the end of a string"))?;
        self.rest = rest;
        Ok(string)
    }

    fn descr(&mut self) -> Result<&'a str, HeaderError> {
        match self.eat("[") {
            true => Err(HeaderError::Unsupported("of a structure".into())),
            false => self.string(),
        }
    }

    fn boolean(&mut self) -> Result<bool, HeaderError> {
        match (self.eat("True"), self.eat("False")) {
            (false, false) => Err(self.unexpected("True or False")),
            (value, _) => Ok(value),
        }
    }

    fn shape(&mut self) -> Result<Vec<usize>, HeaderError> {
        self.expect("(")?;
        let mut shape = vec![];
        while !self.eat(")") {
            shape.push(self.size()?);
            self.end_of_item(")")?;
        }
        Ok(shape)
    }

    fn size(&mut self) -> Result<usize, HeaderError> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        if digits.is_empty() {
            return Err(self.unexpected("a size"));
        }
        // Python 2 wrote sizes as `3L`.
        self.rest = rest.strip_prefix('L').unwrap_or(rest);
        digits.parse().map_err(|_| {
            format(format!("its header has the size {}, expected less than 2^64", shorten(digits)))
        })
    }

    fn unexpected(&self, expected: &str) -> HeaderError {
        let found = match shorten(self.rest.trim_ascii()) {
            rest if rest.is_empty() => "its end".into(),
            rest => format!("'{rest}'"),
        };
        format(format!("its header has {found}, expected {expected}"))
    }
}

/// The first 20 characters, none of them a control character, so that an error stays one short line.
fn shorten(text: &str) -> String {
    let printable = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let short: String = text.chars().take(20).map(printable).collect();
    let is_all = text.chars().nth(20).is_none();
    if is_all { short } else { short + "..." }
}

/// The element type of an npy type, or that of the parts of a complex one; its kind; and whether it is big-endian.
fn element_type(descr: &str) -> Option<(ElementType, TypeChar, bool)> {
    let plain: TypeStr = descr.parse().ok()?;
    let element_type = match (plain.type_char(), plain.size_field()) {
        (TypeChar::Bool, 1) => ElementType::Bool,
        // NumPy has no types of a few bits: those of the package ml_dtypes are raw data.
        (TypeChar::Int | TypeChar::Uint | TypeChar::RawData, 1) => ElementType::I8,
        (TypeChar::Int | TypeChar::Uint, 2) => ElementType::I16,
        (TypeChar::Int | TypeChar::Uint, 4) => ElementType::I32,
        (TypeChar::Int | TypeChar::Uint, 8) => ElementType::I64,
        (TypeChar::Float, 2) => ElementType::F16,
        (TypeChar::Float, 4) | (TypeChar::Complex, 8) => ElementType::F32,
        (TypeChar::Float, 8) | (TypeChar::Complex, 16) => ElementType::F64,
        _ => return None,
    };
    Some((element_type, plain.type_char(), plain.endianness() == Endianness::Big))
}

fn read_array<const N: usize>(reader: &mut impl Read) -> Result<[u8; N], HeaderError> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes).map_err(io_error)?;
    Ok(bytes)
}

fn io_error(error: io::Error) -> HeaderError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => format("it ends in its header"),
        _ => HeaderError::Io(error),
    }
}

fn format(reason: impl Into<String>) -> HeaderError {
    HeaderError::Format(reason.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Header, HeaderError> {
        Header::parse(text, 0)
    }

    fn reason(text: &str) -> String {
        match parse(text).expect_err("must be refused") {
            HeaderError::Format(reason) => reason,
            error => panic!("refused for another reason: {error:?}"),
        }
    }

    #[test]
    fn other_spellings_are_accepted() {
        let expected = Header {
            element_type: ElementType::F32,
            is_complex: false,
            is_unsigned: false,
            is_big_endian: false,
            is_fortran: true,
            shape: vec![2, 3],
            len: 0,
        };
        for text in [
            "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }      \n",
            "{'shape':(2,3),'fortran_order':True,'descr':'<f4'}",
            " { \"descr\" : \"<f4\" , \"fortran_order\" : True , \"shape\" : ( 2 , 3 , ) } ",
            "{'descr': '<f4', 'fortran_order': True, 'shape': (2L, 3L)}",
        ] {
            assert_eq!(parse(text).expect("valid"), expected, "{text}");
        }
    }

    #[test]
    fn broken_dictionaries_are_refused() {
        for (text, expected) in [
            ("", "its header has its end, expected '{'"),
            ("[]", "its header has '[]', expected '{'"),
            ("{", "its header has its end, expected a string"),
            ("{'descr", "its header has 'descr', expected the end of a string"),
            ("{'descr' '<f4'}", "its header has ''<f4'}', expected ':'"),
            ("{'descr': 4}", "its header has '4}', expected a string"),
            ("{'descr': '<f4' 1}", "its header has '1}', expected ',' or '}'"),
            ("{'fortran_order': 0}", "its header has '0}', expected True or False"),
            ("{'shape': 3}", "its header has '3}', expected '('"),
            ("{'shape': (-3,)}", "its header has '-3,)}', expected a size"),
            ("{'shape': (3", "its header has its end, expected ',' or ')'"),
            ("{'shape': (1e5,)}", "its header has 'e5,)}', expected ',' or ')'"),
            ("{'shape': (1 + 1,)}", "its header has '+ 1,)}', expected ',' or ')'"),
            ("{'shape': ((1,),)}", "its header has '(1,),)}', expected a size"),
            ("{'color': 3}", "its header has an unknown entry 'color'"),
            ("{'a\n': 3}", "its header has an unknown entry 'a\u{fffd}'"),
            ("{'descr': '<f4', 'descr': '<f4'}", "its header has two entries 'descr'"),
            ("{}", "its header has no entry 'descr'"),
            ("{'descr': '<f4'}", "its header has no entry 'fortran_order'"),
            ("{'descr': '<f4', 'fortran_order': True}", "its header has no entry 'shape'"),
            (
                "{'descr': '<f4', 'fortran_order': True, 'shape': ()} and more than that is",
                "its header has 'and more than that i...', expected the end",
            ),
            (
                "{'shape': (18446744073709551616,)}",
                "its header has the size 18446744073709551616, expected less than 2^64",
            ),
            (
                "{'shape': (100000000000000000000000,)}",
                "its header has the size 10000000000000000000..., expected less than 2^64",
            ),
        ] {
            assert_eq!(reason(text), expected, "{text}");
        }
    }

    #[test]
    fn depth_costs_nothing() {
        let text = format!("{{'shape': {}", "(".repeat(60_000));
        assert_eq!(reason(&text), "its header has '((((((((((((((((((((...', expected a size");
        assert!(reason(&"{".repeat(60_000)).ends_with("expected a string"));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[{}(),:'\" a-z0-9L<>|é]{0,40}", cut in 0..70usize) {
            let _ = parse(&text);
            let good = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
            let _ = parse(&format!("{}{text}", &good[..cut.min(good.len())]));
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..40), version in 0..4u8) {
            let _ = Header::read(&bytes[..]);
            let _ = Header::read(&[b"\x93NUMPY", &[version, 0][..], &bytes].concat()[..]);
        }
    }
}

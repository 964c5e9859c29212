//! Splits ONNX's text form into tokens.

/// A token that was not expected, or no token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct SyntaxError {
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Token<'s> {
    /// A name, which may hold `/`, `:` and `-` only in quotes.
    Word(&'s str),
    /// A string, without its quotes.
    Text(String),
    Number(&'s str),
    Symbol(&'static str),
    End,
}

/// Symbols; one that begins with another precedes it.
const SYMBOLS: &[&str] =
    &["=>", "<", ">", "(", ")", "[", "]", "{", "}", ",", "=", ":", ".", "@", "?"];

/// The token at a position of a text.
pub struct Lexer<'s> {
    source: &'s str,
    /// The bytes before the token.
    start: usize,
    /// The bytes before the next token.
    next: usize,
    token: Token<'s>,
}

impl<'s> Lexer<'s> {
    /// At the first token.
    pub fn new(source: &'s str) -> Result<Lexer<'s>, SyntaxError> {
        let mut lexer = Lexer { source, start: 0, next: 0, token: Token::End };
        lexer.advance()?;
        Ok(lexer)
    }

    pub fn token(&self) -> &Token<'s> {
        &self.token
    }

    /// An error at the token.
    pub fn error(&self, message: impl Into<String>) -> SyntaxError {
        let before = &self.source[..self.start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        SyntaxError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: message.into(),
        }
    }

    /// The error that the token is not what was expected.
    pub fn unexpected(&self, expected: &str) -> SyntaxError {
        let found = match &self.token {
            Token::End => "the end of the file".to_owned(),
            _ => format!("'{}'", self.source[self.start..self.next].trim()),
        };
        self.error(format!("found {found}, expected {expected}"))
    }

    /// Goes on to the next token.
    pub fn advance(&mut self) -> Result<(), SyntaxError> {
        let rest = self.skip_space();
        let length = |accepts: fn(char) -> bool| rest.find(|c| !accepts(c)).unwrap_or(rest.len());
        let Some(first) = rest.chars().next() else {
            self.token = Token::End;
            return Ok(());
        };
        let digits = rest.strip_prefix(['-', '+']).unwrap_or(rest);
        if digits.starts_with(|c: char| c.is_ascii_digit())
            || (digits.len() < rest.len()
                && (digits.starts_with("inf") || digits.starts_with("nan")))
        {
            let sign = rest.len() - digits.len();
            let length = sign + number_length(digits);
            self.next += length;
            self.token = Token::Number(&rest[..length]);
        } else if first.is_alphabetic() || first == '_' {
            let length = length(|c| c.is_alphanumeric() || c == '_');
            self.next += length;
            self.token = Token::Word(&rest[..length]);
        } else if first == '"' {
            let (text, length) = quoted(&rest[1..])
                .ok_or_else(|| self.error("a string has no end: expected '\"'"))?;
            self.next += length + 1;
            self.token = Token::Text(text);
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.next += symbol.len();
            self.token = Token::Symbol(symbol);
        } else {
            return Err(self.error(format!("found '{first}', which begins no token")));
        }
        Ok(())
    }

    /// Goes over spaces and comments; returns the rest of the text.
    fn skip_space(&mut self) -> &'s str {
        let mut rest = &self.source[self.next..];
        loop {
            rest = rest.trim_start();
            match rest.strip_prefix('#') {
                Some(comment) => rest = &comment[comment.find('\n').unwrap_or(comment.len())..],
                None => break,
            }
        }
        self.next = self.source.len() - rest.len();
        self.start = self.next;
        rest
    }
}

/// The bytes of a number without its sign.
fn number_length(digits: &str) -> usize {
    if digits.starts_with("inf") || digits.starts_with("nan") {
        return 3;
    }
    let mut previous = ' ';
    let belongs = |c: char| {
        let is_sign_of_exponent = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E');
        previous = c;
        c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E') || is_sign_of_exponent
    };
    let mut belongs = belongs;
    digits.find(|c| !belongs(c)).unwrap_or(digits.len())
}

/// The text up to a quote, and the bytes up to and with the quote. A backslash escapes a quote or a backslash.
fn quoted(rest: &str) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut characters = rest.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((text, at + 1)),
            '\\' => text.push(characters.next()?.1),
            _ => text.push(c),
        }
    }
    None
}

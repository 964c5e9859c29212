//! Lexer for PTX text: words, numbers, strings and single characters, each with its line.

use crate::parse::ParseError;

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A name, a register, a directive or a mnemonic with its suffixes: `%tid.x`, `.reg`, `ld.shared::cta.b32`.
    Word(String),
    /// An integer, as the low 64 bits of its two's complement.
    Integer(u64),
    /// A float, as the bits of an f64. `single` has the bits of an f32 if it was written as `0f...`.
    Float {
        double: u64,
        single: Option<u32>,
    },
    Text(String),
    Mark(char),
}

#[derive(Clone, Debug)]
pub struct Located {
    pub token: Token,
    /// The line, from 1.
    pub line: u32,
}

/// # Errors
/// At an unterminated comment or string, or a malformed number.
pub fn tokens(text: &str) -> Result<Vec<Located>, ParseError> {
    let mut lexer = Lexer { text, at: 0, line: 1 };
    let mut found = vec![];
    while let Some(located) = lexer.next()? {
        found.push(located);
    }
    Ok(found)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<Located>, ParseError> {
        self.skip_blanks()?;
        let line = self.line;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let token = match first {
            '0'..='9' => self.number()?,
            '"' => self.string()?,
            _ if is_word(first) => Token::Word(self.word()),
            _ => {
                self.at += first.len_utf8();
                Token::Mark(first)
            }
        };
        Ok(Some(Located { token, line }))
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) -> Result<(), ParseError> {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            let skipped = match rest[blanks..].get(..2) {
                Some("//") => blanks + rest[blanks..].find('\n').unwrap_or(rest.len() - blanks),
                Some("/*") => match rest[blanks..].find("*/") {
                    Some(end) => blanks + end + 2,
                    None => return Err(self.error("a comment does not end")),
                },
                _ => blanks,
            };
            if skipped == 0 {
                return Ok(());
            }
            self.line += rest[..skipped].matches('\n').count() as u32;
            self.at += skipped;
        }
    }

    /// A single colon ends a label and is not part of a word; a double colon is, as in `shared::cta`.
    fn word(&mut self) -> String {
        let start = self.at;
        loop {
            let rest = self.rest();
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            self.at += end;
            if !self.rest().starts_with("::") {
                return self.text[start..self.at].to_string();
            }
            self.at += 2;
        }
    }

    fn number(&mut self) -> Result<Token, ParseError> {
        let rest = self.rest();
        let in_number = |c: char| c.is_ascii_alphanumeric() || c == '.';
        let mut end = rest.find(|c| !in_number(c)).unwrap_or(rest.len());
        let is_decimal = !rest.starts_with("0x") && !rest.starts_with("0X");
        // The sign of a decimal exponent.
        if is_decimal && rest[..end].ends_with(['e', 'E']) && rest[end..].starts_with(['+', '-']) {
            let digits = &rest[end + 1..];
            end += 1 + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        }
        let text = &rest[..end];
        let token = number(text).ok_or_else(|| self.error(&format!("{text} is not a number")))?;
        self.at += end;
        Ok(token)
    }

    fn string(&mut self) -> Result<Token, ParseError> {
        let rest = &self.rest()[1..];
        let end = rest.find('"').ok_or_else(|| self.error("a string does not end"))?;
        let text = rest[..end].to_string();
        self.line += text.matches('\n').count() as u32;
        self.at += end + 2;
        Ok(Token::Text(text))
    }

    fn error(&self, reason: &str) -> ParseError {
        ParseError::syntax(self.line, reason)
    }
}

fn number(text: &str) -> Option<Token> {
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0f") {
        let bits = u32::from_str_radix(digits, 16).ok()?;
        let double = f64::from(f32::from_bits(bits)).to_bits();
        return Some(Token::Float { double, single: Some(bits) });
    }
    if let Some(digits) = lower.strip_prefix("0d") {
        let double = u64::from_str_radix(digits, 16).ok()?;
        return Some(Token::Float { double, single: None });
    }
    let digits = lower.trim_end_matches('u');
    let integer = if let Some(digits) = digits.strip_prefix("0x") {
        u64::from_str_radix(digits, 16)
    } else if let Some(digits) = digits.strip_prefix("0b") {
        u64::from_str_radix(digits, 2)
    } else if digits.len() > 1 && digits.starts_with('0') && !digits.contains('.') {
        u64::from_str_radix(&digits[1..], 8)
    } else {
        digits.parse()
    };
    if let Ok(integer) = integer {
        return Some(Token::Integer(integer));
    }
    let double = text.parse::<f64>().ok()?.to_bits();
    Some(Token::Float { double, single: None })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexed(text: &str) -> Vec<Token> {
        tokens(text).expect("tokens").into_iter().map(|it| it.token).collect()
    }

    fn word(text: &str) -> Token {
        Token::Word(text.into())
    }

    #[test]
    fn words_keep_suffixes_and_double_colons() {
        assert_eq!(
            lexed("$L_1: ld.shared::cta.b32 %tid.x"),
            [word("$L_1"), Token::Mark(':'), word("ld.shared::cta.b32"), word("%tid.x")]
        );
    }

    #[test]
    fn numbers_have_all_forms() {
        assert_eq!(lexed("10 0x1F 017 0b11 7U"), [10, 31, 15, 3, 7].map(Token::Integer).to_vec());
        let one = 1_f64.to_bits();
        assert_eq!(
            lexed("0f3F800000 0d3FF0000000000000 1.0 10.0e-1"),
            [Some(0x3f80_0000), None, None, None]
                .map(|single| Token::Float { double: one, single })
                .to_vec()
        );
        assert!(tokens("0xzz").is_err());
    }

    #[test]
    fn lines_count_through_comments() {
        let lines: Vec<_> =
            tokens("a // x\nb /* y\n z */ c").expect("tokens").iter().map(|it| it.line).collect();
        assert_eq!(lines, [1, 2, 3]);
        assert!(tokens("/* ").is_err());
    }
}

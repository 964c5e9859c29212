//! The parser's position in the tokens: the next token, and the error message if it is unexpected.

use super::{ParseError, Parser, Result};
use crate::lex::Token;

/// The maximum nesting of operands and initialisers, so that they do not exhaust the stack.
const MAX_DEPTH: u32 = 64;

impl Parser {
    pub(super) fn skip_line(&mut self) {
        let line = self.tokens[self.at - 1].line;
        while self.tokens.get(self.at).is_some_and(|it| it.line == line) {
            self.at += 1;
        }
    }

    pub(super) fn skip_past(&mut self, end: char) -> Result<()> {
        loop {
            match self.next() {
                Some(Token::Mark(mark)) if mark == end => return Ok(()),
                Some(_) => {}
                None => return Err(self.wrong(&format!("{end:?}"))),
            }
        }
    }

    pub(super) fn skip_braces(&mut self) -> Result<()> {
        while !self.is_mark('{') {
            if self.next().is_none() {
                return Err(self.wrong("'{'"));
            }
        }
        let mut depth = 0;
        loop {
            match self.next() {
                Some(Token::Mark('{')) => depth += 1,
                Some(Token::Mark('}')) => depth -= 1,
                Some(_) => {}
                None => return Err(self.wrong("'}'")),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead).map(|it| &it.token)
    }

    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += 1;
        token
    }

    pub(super) fn word(&mut self) -> Result<String> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.wrong("a name")),
        }
    }

    pub(super) fn text(&mut self) -> Result<String> {
        match self.next() {
            Some(Token::Text(text)) => Ok(text),
            _ => Err(self.wrong("a string")),
        }
    }

    pub(super) fn integer(&mut self) -> Result<u64> {
        match self.peek() {
            Some(Token::Integer(value)) => {
                let value = *value;
                self.at += 1;
                Ok(value)
            }
            _ => Err(self.wrong("an integer")),
        }
    }

    /// A 32-bit integer.
    pub(super) fn small_integer(&mut self) -> Result<u32> {
        let line = self.line();
        let value = self.integer()?;
        let too_large = || format!("found {value}, expected at most {}", u32::MAX);
        u32::try_from(value).map_err(|_| ParseError::syntax(line, too_large()))
    }

    /// Parses a construct that may contain itself.
    pub(super) fn nested<T>(&mut self, one: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            let reason = format!("operands are nested more than {MAX_DEPTH} deep");
            return Err(ParseError::syntax(self.line(), reason));
        }
        self.depth += 1;
        let found = one(self);
        self.depth -= 1;
        found
    }

    pub(super) fn is_mark(&self, mark: char) -> bool {
        self.peek() == Some(&Token::Mark(mark))
    }

    pub(super) fn eat_mark(&mut self, mark: char) -> bool {
        let found = self.is_mark(mark);
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(found)) if found == word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, mark: char) -> Result<()> {
        match self.eat_mark(mark) {
            true => Ok(()),
            false => Err(self.wrong(&format!("{mark:?}"))),
        }
    }

    pub(super) fn line(&self) -> u32 {
        let located = self.tokens.get(self.at).or(self.tokens.last());
        located.map_or(1, |it| it.line)
    }

    pub(super) fn wrong(&self, expected: &str) -> ParseError {
        let found = match self.peek() {
            Some(Token::Word(word)) => word.clone(),
            Some(Token::Integer(value)) => value.to_string(),
            Some(Token::Float { double, .. }) => f64::from_bits(*double).to_string(),
            Some(Token::Text(text)) => format!("{text:?}"),
            Some(Token::Mark(mark)) => format!("{mark:?}"),
            None => "the end of the file".into(),
        };
        ParseError::syntax(self.line(), format!("found {found}, expected {expected}"))
    }

    /// Like [`Self::wrong`], for a word that has been consumed already.
    pub(super) fn unexpected(&self, found: &str, expected: &str) -> ParseError {
        let line = self.tokens.get(self.at - 1).map_or(1, |it| it.line);
        ParseError::syntax(line, format!("found {found}, expected {expected}"))
    }
}

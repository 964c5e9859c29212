//! Parser from PTX text to a syntax tree. It knows the grammar of directives, operands and statements, but no
//! mnemonics.

mod cursor;

use crate::decode::target_number;
use crate::lex::{Located, Token, tokens};
use crate::syntax::{
    File, Function, Instruction, Limits, Operand, SourceLine, Space, Statement, Type, Variable,
};

/// Why a PTX text is refused. Each message begins with the line, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text does not have the grammar of PTX, or a name is wrong.
    #[error("line {line}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: u32,
        /// What was found and what was expected.
        reason: String,
    },
    /// The emulator's tables have no entry for the mnemonic, or none for its suffixes.
    #[error("line {line}: unknown instruction {mnemonic}")]
    UnknownInstruction {
        /// The line, from 1.
        line: u32,
        /// The mnemonic with its suffixes.
        mnemonic: String,
    },
    /// A known instruction whose operands do not fit.
    #[error("line {line}: {mnemonic}: {reason}")]
    Operand {
        /// The line, from 1.
        line: u32,
        /// The mnemonic with its suffixes.
        mnemonic: String,
        /// What was found and what was expected.
        reason: String,
    },
}

impl ParseError {
    pub(crate) fn syntax(line: u32, reason: impl Into<String>) -> ParseError {
        ParseError::Syntax { line, reason: reason.into() }
    }

    /// The line of the PTX text with the error, from 1.
    pub fn line(&self) -> u32 {
        match self {
            ParseError::Syntax { line, .. }
            | ParseError::UnknownInstruction { line, .. }
            | ParseError::Operand { line, .. } => *line,
        }
    }
}

type Result<T> = std::result::Result<T, ParseError>;

/// # Errors
/// Where the text is not PTX.
pub fn file(text: &str) -> Result<File> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0, source: None };
    let mut file = File::default();
    parser.head(&mut file)?;
    while parser.peek().is_some() {
        parser.item(&mut file)?;
    }
    Ok(file)
}

struct Parser {
    tokens: Vec<Located>,
    at: usize,
    /// The nesting depth of operands and initialisers.
    depth: u32,
    source: Option<SourceLine>,
}

impl Parser {
    /// `.version` and `.target`, with which every PTX text begins.
    fn head(&mut self, file: &mut File) -> Result<()> {
        if !self.eat_word(".version") {
            return Err(self.wrong(".version"));
        }
        self.skip_line();
        if !self.eat_word(".target") {
            return Err(self.wrong(".target"));
        }
        let line = self.line();
        file.target = self.word()?;
        if target_number(&file.target).is_none() {
            let reason = format!("found the target {}, expected a name such as sm_80", file.target);
            return Err(ParseError::syntax(line, reason));
        }
        self.skip_line();
        Ok(())
    }

    fn item(&mut self, file: &mut File) -> Result<()> {
        let mut is_extern = false;
        let word = loop {
            let word = self.word()?;
            match word.as_str() {
                ".visible" | ".weak" | ".common" => {}
                ".extern" => is_extern = true,
                _ => break word,
            }
        };
        let variables = file.variables.len();
        match word.as_str() {
            ".address_size" => self.skip_line(),
            ".file" => {
                let number = self.integer()?;
                let name = self.text()?;
                file.sources.push((number, name));
                self.skip_line();
            }
            ".section" => self.skip_braces()?,
            ".pragma" | ".alias" => self.skip_past(';')?,
            ".loc" => self.location()?,
            ".entry" => file.functions.push(self.function(true)?),
            ".func" => file.functions.push(self.function(false)?),
            _ => match space(&word) {
                Some(space) => {
                    self.variables(space, &mut |variable| file.variables.push(variable))?
                }
                None => return Err(self.unexpected(&word, "a directive")),
            },
        }
        file.variables[variables..].iter_mut().for_each(|it| it.is_extern = is_extern);
        Ok(())
    }

    fn function(&mut self, is_entry: bool) -> Result<Function> {
        let line = self.line();
        while self.eat_word(".noreturn") {}
        let results = match self.is_mark('(') {
            true => self.parameters()?,
            false => vec![],
        };
        let name = self.word()?;
        let parameters = match self.is_mark('(') {
            true => self.parameters()?,
            false => vec![],
        };
        let limits = self.limits()?;
        let body = match self.eat_mark(';') {
            true => None,
            false => Some(self.body()?),
        };
        Ok(Function { name, is_entry, results, parameters, limits, body, line })
    }

    fn parameters(&mut self) -> Result<Vec<Variable>> {
        self.expect('(')?;
        let mut found = vec![];
        while !self.eat_mark(')') {
            let word = self.word()?;
            let space = match word.as_str() {
                ".param" => Space::Param,
                ".reg" => return Err(self.unexpected(".reg", ".param")),
                _ => return Err(self.unexpected(&word, ".param")),
            };
            found.push(self.variable(space)?);
            self.eat_mark(',');
        }
        Ok(found)
    }

    fn limits(&mut self) -> Result<Limits> {
        let mut limits = Limits::default();
        while !self.is_mark('{') && !self.is_mark(';') {
            let word = self.word()?;
            match word.as_str() {
                ".maxntid" => {
                    let all = self.dimensions()?.into_iter().fold(1, u32::saturating_mul);
                    limits.max_threads = Some(all);
                }
                ".reqntid" => limits.required_block = Some(self.dimensions()?),
                ".minnctapersm" => limits.min_blocks = Some(self.small_integer()?),
                ".maxnreg" => limits.max_registers = Some(self.small_integer()?),
                ".noreturn" => {}
                ".pragma" => self.skip_past(';')?,
                _ => return Err(self.unexpected(&word, "a directive of a function")),
            }
        }
        Ok(limits)
    }

    fn dimensions(&mut self) -> Result<[u32; 3]> {
        let mut found = [1; 3];
        for extent in &mut found {
            *extent = self.small_integer()?;
            if !self.eat_mark(',') {
                break;
            }
        }
        Ok(found)
    }

    fn body(&mut self) -> Result<Vec<Statement>> {
        self.expect('{')?;
        self.source = None;
        let (mut statements, mut depth) = (vec![], 1);
        loop {
            if self.eat_mark('{') {
                depth += 1;
                statements.push(Statement::Open);
            } else if self.eat_mark('}') {
                depth -= 1;
                if depth == 0 {
                    return Ok(statements);
                }
                statements.push(Statement::Close);
            } else {
                self.statement(&mut statements)?;
            }
        }
    }

    fn statement(&mut self, out: &mut Vec<Statement>) -> Result<()> {
        if self.is_mark('@') {
            out.push(Statement::Instruction(self.instruction()?));
            return Ok(());
        }
        let Some(Token::Word(word)) = self.peek().cloned() else {
            return Err(self.wrong("a statement"));
        };
        let is_label = matches!(self.peek_at(1), Some(Token::Mark(':')));
        match word.as_str() {
            _ if is_label => {
                let line = self.line();
                self.at += 2;
                if self.eat_word(".branchtargets") {
                    let targets = self.comma_separated(Self::word)?;
                    self.expect(';')?;
                    out.push(Statement::Targets(word, targets));
                } else {
                    out.push(Statement::Label(word, line));
                }
            }
            ".loc" => {
                self.at += 1;
                self.location()?;
            }
            ".pragma" => self.skip_past(';')?,
            ".reg" => {
                self.at += 1;
                self.registers(out)?;
            }
            _ => match space(&word) {
                Some(space) => {
                    self.at += 1;
                    self.variables(space, &mut |it| out.push(Statement::Variable(it)))?;
                }
                None if word.starts_with('.') => {
                    return Err(self.unexpected(&word, "a directive of a body"));
                }
                None => out.push(Statement::Instruction(self.instruction()?)),
            },
        }
        Ok(())
    }

    fn registers(&mut self, out: &mut Vec<Statement>) -> Result<()> {
        let ty = self.ty()?;
        loop {
            let line = self.line();
            let name = self.word()?;
            let count = match self.eat_mark('<') {
                true => {
                    let count = self.small_integer()?;
                    self.expect('>')?;
                    Some(count)
                }
                false => None,
            };
            out.push(Statement::Registers { ty, name, count, line });
            if !self.eat_mark(',') {
                return self.expect(';');
            }
        }
    }

    fn variables(&mut self, space: Space, out: &mut dyn FnMut(Variable)) -> Result<()> {
        let first = self.variable(space)?;
        let (ty, align) = (first.ty, first.align);
        out(first);
        while self.eat_mark(',') {
            out(self.declarator(space, ty, align)?);
        }
        self.expect(';')
    }

    fn variable(&mut self, space: Space) -> Result<Variable> {
        let mut align = None;
        loop {
            if self.eat_word(".align") {
                align = Some(self.small_integer()?);
            } else if self.eat_word(".ptr") {
                // The state space of a pointer's target: `.ptr .global .align 16`. The alignment is ignored.
                for space in [".global", ".shared", ".local", ".const"] {
                    self.eat_word(space);
                }
                if self.eat_word(".align") {
                    self.integer()?;
                }
            } else if self.eat_word(".attribute") {
                self.skip_past(')')?;
            } else {
                break;
            }
        }
        let ty = self.ty()?;
        if self.eat_word(".ptr") {
            for space in [".global", ".shared", ".local", ".const"] {
                self.eat_word(space);
            }
            if self.eat_word(".align") {
                self.integer()?;
            }
        }
        self.declarator(space, ty, align.unwrap_or(ty.bytes()))
    }

    fn declarator(&mut self, space: Space, ty: Type, align: u32) -> Result<Variable> {
        let line = self.line();
        if !align.is_power_of_two() {
            return Err(ParseError::syntax(
                line,
                format!("alignment {align} is not a power of two"),
            ));
        }
        let name = self.word()?;
        let mut count = 1_u64;
        while self.eat_mark('[') {
            let extent = match self.is_mark(']') {
                true => 0,
                false => self.integer()?,
            };
            count = count.saturating_mul(extent);
            self.expect(']')?;
        }
        if count.checked_mul(u64::from(ty.bytes())).is_none_or(|bytes| bytes > 1 << 40) {
            return Err(ParseError::syntax(line, format!("{name} is too large")));
        }
        let mut initializer = vec![];
        if self.eat_mark('=') {
            self.nested(|it| it.initializer(&mut initializer))?;
            count = count.max(initializer.len() as u64);
        }
        Ok(Variable { name, space, ty, align, count, is_extern: false, initializer, line })
    }

    /// Nested braces follow the rows, all of which must be full, so the braces can be dropped.
    fn initializer(&mut self, out: &mut Vec<Operand>) -> Result<()> {
        if !self.eat_mark('{') {
            out.push(self.initial_value()?);
            return Ok(());
        }
        while !self.eat_mark('}') {
            self.nested(|it| it.initializer(out))?;
            self.eat_mark(',');
        }
        Ok(())
    }

    fn initial_value(&mut self) -> Result<Operand> {
        if self.eat_word("generic") {
            self.expect('(')?;
            let name = self.word()?;
            self.expect(')')?;
            let offset = self.offset()?;
            return Ok(Operand::Offset(name, offset));
        }
        self.operand()
    }

    fn instruction(&mut self) -> Result<Instruction> {
        let line = self.line();
        let guard = match self.eat_mark('@') {
            true => {
                let is_negated = self.eat_mark('!');
                Some((self.word()?, is_negated))
            }
            false => None,
        };
        let mnemonic = self.word()?;
        let operands = match self.is_mark(';') {
            true => vec![],
            false => self.comma_separated(Self::operand)?,
        };
        self.expect(';')?;
        Ok(Instruction { guard, mnemonic, operands, line, source: self.source })
    }

    fn operand(&mut self) -> Result<Operand> {
        self.nested(Self::operand_inside)
    }

    fn operand_inside(&mut self) -> Result<Operand> {
        let first = match self.next() {
            Some(Token::Mark('{')) => Operand::Vector(self.until('}')?),
            Some(Token::Mark('(')) => Operand::List(self.until(')')?),
            Some(Token::Mark('[')) => self.address()?,
            Some(Token::Mark('!')) => Operand::Not(Box::new(self.operand()?)),
            Some(Token::Mark('-')) => match self.next() {
                Some(Token::Integer(value)) => Operand::Integer(value.wrapping_neg()),
                Some(Token::Float { double, single }) => Operand::Float {
                    double: double ^ 1 << 63,
                    single: single.map(|bits| bits ^ 1 << 31),
                },
                _ => return Err(self.wrong("a number")),
            },
            Some(Token::Integer(value)) => Operand::Integer(value),
            Some(Token::Float { double, single }) => Operand::Float { double, single },
            Some(Token::Word(word)) if word == "_" => Operand::Sink,
            Some(Token::Word(word)) if self.is_mark('+') || self.is_mark('-') => {
                Operand::Offset(word, self.offset()?)
            }
            Some(Token::Word(word)) => Operand::Name(word),
            _ => {
                self.at -= 1;
                return Err(self.wrong("an operand"));
            }
        };
        match self.eat_mark('|') {
            true => Ok(Operand::Pair(Box::new(first), Box::new(self.operand()?))),
            false => Ok(first),
        }
    }

    /// Parses the rest of an address after `[`.
    fn address(&mut self) -> Result<Operand> {
        let (base, offset) = match self.operand()? {
            Operand::Offset(name, offset) => (Operand::Name(name), offset),
            other => (other, self.offset()?),
        };
        let indices = match self.eat_mark(',') {
            true => self.comma_separated(Self::operand)?,
            false => vec![],
        };
        self.expect(']')?;
        Ok(Operand::Address { base: Box::new(base), offset, indices })
    }

    /// `+8`, `-8`, `+-8` or nothing.
    fn offset(&mut self) -> Result<i64> {
        let mut is_negative = false;
        match (self.eat_mark('+'), self.eat_mark('-')) {
            (false, false) => return Ok(0),
            (_, minus) => is_negative ^= minus,
        }
        let value = self.integer()? as i64;
        Ok(if is_negative { value.wrapping_neg() } else { value })
    }

    fn until(&mut self, end: char) -> Result<Vec<Operand>> {
        if self.eat_mark(end) {
            return Ok(vec![]);
        }
        let found = self.comma_separated(Self::operand)?;
        self.expect(end)?;
        Ok(found)
    }

    fn comma_separated<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut found = vec![one(self)?];
        while self.eat_mark(',') {
            found.push(one(self)?);
        }
        Ok(found)
    }

    /// `.loc 1 10 5`, where more may follow on the line.
    fn location(&mut self) -> Result<()> {
        let file = self.integer()?;
        let line = self.small_integer()?;
        let column = self.small_integer()?;
        self.source = Some(SourceLine { file, line, column });
        self.skip_line();
        Ok(())
    }

    fn ty(&mut self) -> Result<Type> {
        let word = self.word()?;
        let name = word.strip_prefix('.');
        name.and_then(Type::from_name).ok_or_else(|| self.unexpected(&word, "a type"))
    }
}

fn space(word: &str) -> Option<Space> {
    Some(match word {
        ".global" => Space::Global,
        ".shared" => Space::Shared,
        ".local" => Space::Local,
        ".const" => Space::Const,
        ".param" => Space::Param,
        _ => return None,
    })
}

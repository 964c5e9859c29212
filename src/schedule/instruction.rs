//! Steps of a schedule: what a primitive is, its parameters, and the arguments of one step.
//!
//! A [`Primitive`] is a row of [`PRIMITIVES`](super::primitive::PRIMITIVES), made by the macro
//! [`primitive!`](super::primitive::declaration). A parameter is an option of the pass and an attribute of the op under
//! the same name. The first parameter is the target of the primitive.

use super::error::ScheduleError;
use crate::ir::Op;
use crate::nest::state::State;
use tracing::{Span, debug_span};

/// A primitive: one row of the table.
pub struct Primitive {
    /// The primitive's name, such as `split`.
    pub name: &'static str,
    /// The flag of its pass.
    pub pass: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// The parameters, in order.
    pub parameters: &'static [Parameter],
    /// What it returns.
    pub creates: Creates,
    /// True if it may be applied near concurrent atomic updates: it changes no access, or it changes only loops and
    /// checks the updates again.
    /// See [`atomic`](super::legality::atomic).
    pub near_atomic: bool,
    /// Applies the primitive; returns the names of what it has created. On an error the IR is unchanged.
    pub(crate) apply: for<'c> fn(&mut State<'c>, &[Argument]) -> Result<Vec<String>, ScheduleError>,
}

/// What a primitive returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creates {
    /// No name.
    Nothing,
    /// The name of a loop, schedule block or buffer.
    Name,
    /// Any number of names.
    Names,
}

/// A parameter of a primitive.
pub struct Parameter {
    /// The name, such as `factors`.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: ParameterKind,
    /// What it states, in one line.
    pub summary: &'static str,
}

/// The kind of value that a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// The name of a loop: `block:loop`.
    Loop,
    /// Names of loops.
    Loops,
    /// The name of a schedule block.
    Block,
    /// The name of a loop or of a schedule block.
    Target,
    /// The name of a buffer.
    Buffer,
    /// A pattern of names of loops or of schedule blocks; if it is omitted, all blocks.
    Pattern,
    /// Names of schedule blocks; an empty list stands for all.
    Blocks,
    /// Numbers.
    Integers,
    /// Numbers; may be omitted.
    OptionalIntegers,
    /// A number; may be omitted.
    OptionalInteger,
    /// A keyword.
    Word,
    /// A keyword; may be omitted.
    OptionalWord,
    /// A whole number, `true`, `false`, or text.
    Literal,
}

/// The value of a parameter, matching its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A name, pattern or keyword.
    Text(String),
    /// Names.
    Texts(Vec<String>),
    /// Numbers.
    Integers(Vec<i64>),
    /// A number, or none.
    OptionalInteger(Option<i64>),
    /// Numbers, or one number, some of them named decisions: `"-1, $width"`. See [`decision`](crate::schedule::primitive::sampling::decision).
    Decided(String),
    /// A keyword, or none.
    OptionalText(Option<String>),
    /// A literal.
    Literal(Literal),
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Argument::Text(text.to_owned())
    }
}

impl From<Option<&str>> for Argument {
    fn from(text: Option<&str>) -> Self {
        Argument::OptionalText(text.map(str::to_owned))
    }
}

impl From<&[&str]> for Argument {
    fn from(texts: &[&str]) -> Self {
        Argument::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
    }
}

/// A literal value of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A text.
    Text(String),
}

impl From<i64> for Literal {
    fn from(number: i64) -> Self {
        Literal::Integer(number)
    }
}

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        Literal::Bool(value)
    }
}

impl From<&str> for Literal {
    fn from(text: &str) -> Self {
        Literal::Text(text.to_owned())
    }
}

impl Literal {
    /// Parses the value of a pass option: what is neither a number nor a boolean is text, and so is a quoted value.
    pub fn parse(text: &str) -> Literal {
        let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        match (text.parse(), text) {
            (Ok(number), _) => Literal::Integer(number),
            (_, "true") => Literal::Bool(true),
            (_, "false") => Literal::Bool(false),
            _ => Literal::Text(quoted.unwrap_or(text).to_owned()),
        }
    }
}

/// Numbers that a method of [`Schedule`](super::Schedule) takes, or the text of a list that contains names of
/// decisions: `&[4, 16]`, `"$tile"`.
pub struct NumberList(pub(super) Argument);

impl From<&[i64]> for NumberList {
    fn from(numbers: &[i64]) -> Self {
        NumberList(Argument::Integers(numbers.to_vec()))
    }
}

impl<const N: usize> From<&[i64; N]> for NumberList {
    fn from(numbers: &[i64; N]) -> Self {
        NumberList(Argument::Integers(numbers.to_vec()))
    }
}

impl From<&Vec<i64>> for NumberList {
    fn from(numbers: &Vec<i64>) -> Self {
        NumberList(Argument::Integers(numbers.clone()))
    }
}

impl From<&str> for NumberList {
    fn from(list: &str) -> Self {
        NumberList(Argument::Decided(list.to_owned()))
    }
}

/// An optional number that a method takes: a number, none, or the name of a decision: `Some(8)`, `None`, `"$width"`.
pub struct OptionalNumber(pub(super) Argument);

impl From<Option<i64>> for OptionalNumber {
    fn from(number: Option<i64>) -> Self {
        OptionalNumber(Argument::OptionalInteger(number))
    }
}

impl From<i64> for OptionalNumber {
    fn from(number: i64) -> Self {
        OptionalNumber(Argument::OptionalInteger(Some(number)))
    }
}

impl From<&str> for OptionalNumber {
    fn from(name: &str) -> Self {
        OptionalNumber(Argument::Decided(name.to_owned()))
    }
}

/// A step of a schedule: a primitive and one argument for each parameter.
#[derive(Clone)]
pub struct Instruction {
    /// The primitive.
    pub primitive: &'static Primitive,
    /// One argument for each parameter.
    pub arguments: Vec<Argument>,
}

impl ParameterKind {
    /// The default argument of an omitted parameter; none if it is required.
    pub fn default(self) -> Option<Argument> {
        match self {
            ParameterKind::OptionalInteger => Some(Argument::OptionalInteger(None)),
            ParameterKind::OptionalIntegers => Some(Argument::Integers(vec![])),
            ParameterKind::OptionalWord => Some(Argument::OptionalText(None)),
            ParameterKind::Blocks => Some(Argument::Texts(vec![])),
            // The pattern matches all schedule blocks.
            ParameterKind::Pattern => Some(Argument::Text("*".into())),
            ParameterKind::Loop
            | ParameterKind::Loops
            | ParameterKind::Block
            | ParameterKind::Target
            | ParameterKind::Buffer
            | ParameterKind::Integers
            | ParameterKind::Literal
            | ParameterKind::Word => None,
        }
    }

    /// The summary of a parameter of this kind that needs no other one. Fails to compile for the other kinds.
    pub(super) const fn summary(self) -> &'static str {
        match self {
            ParameterKind::Loop => "The loop, as block:loop",
            ParameterKind::Loops => "The loops, each as block:loop",
            ParameterKind::Target => "The loop, as block:loop, or the schedule block",
            ParameterKind::Block => "The name of the schedule block",
            ParameterKind::Buffer => "The name of the buffer",
            _ => panic!("a parameter of this kind needs a summary"),
        }
    }
}

/// What a primitive returns: the names of what it has created.
pub trait Created: Sized {
    /// The row's field for this type.
    const CREATES: Creates;

    /// The names that were created.
    fn names(self) -> Vec<String>;

    /// The inverse of [`names`](Created::names).
    fn of(names: Vec<String>) -> Self;
}

impl Created for () {
    const CREATES: Creates = Creates::Nothing;

    fn names(self) -> Vec<String> {
        vec![]
    }

    fn of(_: Vec<String>) -> Self {}
}

impl Created for String {
    const CREATES: Creates = Creates::Name;

    fn names(self) -> Vec<String> {
        vec![self]
    }

    fn of(mut names: Vec<String>) -> Self {
        names.pop().expect("the primitive creates one thing")
    }
}

impl Created for Vec<String> {
    const CREATES: Creates = Creates::Names;

    fn names(self) -> Vec<String> {
        self
    }

    fn of(names: Vec<String>) -> Self {
        names
    }
}

impl<const N: usize> Created for [String; N] {
    const CREATES: Creates = Creates::Names;

    fn names(self) -> Vec<String> {
        self.into()
    }

    fn of(names: Vec<String>) -> Self {
        names.try_into().expect("the primitive creates so many things")
    }
}

/// A text as an MLIR string literal.
pub(crate) fn quoted(text: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | 0..0x20 | 0x7f.. => format!("\\{byte:02X}"),
        byte => char::from(byte).to_string(),
    };
    format!("\"{}\"", text.bytes().map(escaped).collect::<String>())
}

impl std::fmt::Debug for Primitive {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

// The kinds of arguments match the kinds of parameters; code that constructs an instruction ensures this.
impl Argument {
    /// The name, pattern or keyword. Panics for other kinds.
    pub fn text(&self) -> &str {
        match self {
            Argument::Text(text) => text,
            other => panic!("{other:?} is not a name or word"),
        }
    }

    /// The names. Panics for other kinds.
    pub fn texts(&self) -> &[String] {
        match self {
            Argument::Texts(texts) => texts,
            other => panic!("{other:?} is not a list of names"),
        }
    }

    /// The numbers. Panics for other kinds.
    pub fn integers(&self) -> &[i64] {
        match self {
            Argument::Integers(integers) => integers,
            other => panic!("{other:?} is not a list of numbers"),
        }
    }

    /// The number, if there is one. Panics for other kinds.
    pub fn optional_integer(&self) -> Option<i64> {
        match self {
            Argument::OptionalInteger(integer) => *integer,
            other => panic!("{other:?} is not a number"),
        }
    }

    /// The keyword, if there is one. Panics for other kinds.
    pub fn optional_text(&self) -> Option<&str> {
        match self {
            Argument::OptionalText(text) => text.as_deref(),
            other => panic!("{other:?} is not a word"),
        }
    }

    /// The literal. Panics for other kinds.
    pub fn literal(&self) -> &Literal {
        match self {
            Argument::Literal(literal) => literal,
            other => panic!("{other:?} is not a literal"),
        }
    }

    /// The spelling in a script; none for an optional argument that is omitted.
    pub(super) fn script(&self) -> Option<String> {
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        match self {
            Argument::OptionalText(text) => text.as_deref().map(quoted),
            Argument::Text(text) | Argument::Decided(text) => Some(quoted(text)),
            Argument::Texts(texts) => Some(list(texts.iter().map(|text| quoted(text)).collect())),
            Argument::Integers(integers) => {
                Some(list(integers.iter().map(i64::to_string).collect()))
            }
            Argument::OptionalInteger(integer) => integer.map(|i| i.to_string()),
            Argument::Literal(Literal::Integer(integer)) => Some(integer.to_string()),
            Argument::Literal(Literal::Bool(value)) => Some(value.to_string()),
            Argument::Literal(Literal::Text(text)) => Some(quoted(text)),
        }
    }
}

impl Instruction {
    /// The numbers of a step close to which sizes are tried: its factors and their product.
    pub fn factors(&self) -> Vec<i64> {
        let mut found = vec![];
        for argument in &self.arguments {
            match argument {
                Argument::Integers(integers) => {
                    let positive: Vec<i64> = integers.iter().copied().filter(|i| *i > 1).collect();
                    let product = positive.iter().try_fold(1i64, |all, i| all.checked_mul(*i));
                    found.extend(product.filter(|_| positive.len() > 1));
                    found.extend(positive);
                }
                Argument::OptionalInteger(integer) => found.extend(integer.filter(|i| *i > 1)),
                Argument::Text(_)
                | Argument::Texts(_)
                | Argument::OptionalText(_)
                | Argument::Decided(_)
                | Argument::Literal(_) => {}
            }
        }
        found
    }

    /// A step; optional parameters at the end may be omitted.
    pub fn new(primitive: &'static Primitive, mut arguments: Vec<Argument>) -> Self {
        for parameter in &primitive.parameters[arguments.len()..] {
            arguments.push(parameter.kind.default().unwrap_or_else(|| {
                let (name, kind) = (parameter.name, parameter.kind);
                panic!("parameter \"{name}\" of kind {kind:?} is not optional")
            }));
        }
        Instruction { primitive, arguments }
    }

    /// The span of this step on a function.
    pub(super) fn span(&self, function: Op) -> Span {
        let arguments = || {
            let script = self.script();
            let text = script.trim_start_matches("transform.sched.");
            text.trim_start_matches(self.primitive.name).trim_start().to_owned()
        };
        let on = || function.symbol_name().unwrap_or_default();
        debug_span!(
            target: "loopwright::schedule",
            "step",
            name = %self.primitive.name,
            on = %on(),
            arguments = %arguments()
        )
    }

    /// The transform op for this step, on function handle `%f`.
    pub fn script(&self) -> String {
        self.script_in("%f")
    }

    pub(crate) fn script_in(&self, function: &str) -> String {
        let mut text = format!("transform.sched.{}", self.primitive.name);
        for (i, (parameter, argument)) in
            self.primitive.parameters.iter().zip(&self.arguments).enumerate()
        {
            let Some(value) = argument.script() else { continue };
            match i {
                0 => text += &format!(" {value} in {function}"),
                _ if parameter.kind.default().as_ref() == Some(argument) => {}
                _ => text += &format!(" {} {value}", parameter.name),
            }
        }
        text
    }
}

impl std::fmt::Debug for Instruction {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.script())
    }
}

impl PartialEq for Instruction {
    fn eq(&self, other: &Self) -> bool {
        self.primitive.name == other.primitive.name && self.arguments == other.arguments
    }
}

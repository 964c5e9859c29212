//! Decoding of a kernel's syntax tree to a program: names become indices, mnemonics become steps.
//!
//! Each family of instructions has a file and a row in [`FAMILIES`]. A mnemonic of no family is an error, and so is a
//! suffix that its family does not accept.

mod arithmetic;
mod bits;
mod carry;
mod collective;
mod compare;
mod control;
mod convert;
mod float;
mod flow;
mod memory;
mod mma;
mod mnemonic;
mod operands;
mod scope;
mod target;

pub use bits::holds;
pub use scope::SHARED_START;
pub use target::number as target_number;

use crate::counters::Class;
use crate::liveness::{self, Mention};
use crate::parse::ParseError;
use crate::program::{
    Constant, Flow, Granules, Guard, Instruction, Parameter, Program, Step, Value,
};
use crate::syntax::{self, File, Function, Statement, Type, Variable};
use mnemonic::Mnemonic;
use operands::{Finished, Operands};
use scope::{Layout, Name, Scopes};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

type Result<T> = std::result::Result<T, ParseError>;

/// Decodes an instruction of a family; `None` if its head is not of this family.
type Family = fn(&mut Mnemonic, &mut Operands) -> Result<Option<(Class, Step)>>;

const FAMILIES: &[Family] = &[
    carry::decode,
    arithmetic::decode,
    bits::decode,
    float::decode,
    compare::decode,
    convert::decode,
    memory::decode,
    control::decode,
    collective::decode,
    mma::decode,
];

/// The maximum static shared memory of a kernel, in bytes.
const MAX_STATIC_SHARED: u32 = 48 << 10;

/// The variables of a module, and the indices of its functions.
pub struct Symbols<'a> {
    pub file: &'a File,
    pub variables: HashMap<&'a str, usize>,
    pub functions: HashMap<&'a str, &'a Function>,
}

impl<'a> Symbols<'a> {
    pub fn new(file: &'a File) -> Symbols<'a> {
        let numbered = file.variables.iter().enumerate();
        let variables = numbered.map(|(i, it)| (it.name.as_str(), i)).collect();
        let mut functions = HashMap::new();
        // A definition overrides a declaration, whatever their order.
        for function in &file.functions {
            if function.body.is_some() || !functions.contains_key(function.name.as_str()) {
                functions.insert(function.name.as_str(), function);
            }
        }
        Symbols { file, variables, functions }
    }
}

/// Decodes a kernel and the functions that it calls.
///
/// # Errors
/// At the first line that cannot be decoded.
pub fn program(symbols: &Symbols, entry: &Function) -> Result<Program> {
    let mut decoder = Decoder::new(symbols);
    let parameters = decoder.kernel_parameters(entry)?;
    decoder.function(entry)?;
    while let Some(name) = decoder.wanted.pop() {
        if decoder.entries.contains_key(&name) {
            continue;
        }
        let function = symbols.functions[name.as_str()];
        decoder.function(function)?;
    }
    decoder.resolve_calls(entry)?;
    decoder.finish(entry, parameters)
}

/// The offset of a variable in local memory, and its size in bytes.
pub(crate) type Place = (u32, u32);

/// A step that refers to labels or functions, whose addresses are known only at the end.
pub(crate) enum Fixup {
    Targets(Vec<usize>),
    Call { callee: String, arguments: Vec<Place>, results: Vec<Place>, line: u32 },
}

pub(crate) struct Decoder<'a> {
    symbols: &'a Symbols<'a>,
    layout: Layout,
    constants: Vec<Constant>,
    known_constants: HashMap<(Value, bool), u32>,
    code: Vec<Instruction>,
    flows: Vec<Flow>,
    /// The registers of each instruction.
    mentions: Vec<Vec<Mention>>,
    fixups: Vec<(usize, Fixup)>,
    /// The addresses of labels, by number.
    labels: Vec<Option<u32>>,
    /// The entry points of functions, and the local memory of their parameters and results.
    entries: HashMap<String, Entry>,
    wanted: Vec<String>,
    /// The call graph: caller, callee, line.
    calls: Vec<(String, String, u32)>,
    current: String,
    /// The predicate that holds the carry flag, if an instruction uses it.
    carry: Option<u32>,
    has_fences: bool,
}

struct Entry {
    pc: u32,
    parameters: Vec<Place>,
    results: Vec<Place>,
    /// All its local memory, including what it passes to other functions.
    frame: Range<u32>,
}

impl<'a> Decoder<'a> {
    fn new(symbols: &'a Symbols<'a>) -> Decoder<'a> {
        Decoder {
            symbols,
            layout: Layout::default(),
            constants: vec![],
            known_constants: HashMap::new(),
            code: vec![],
            flows: vec![],
            mentions: vec![],
            fixups: vec![],
            labels: vec![],
            entries: HashMap::new(),
            wanted: vec![],
            calls: vec![],
            current: String::new(),
            carry: None,
            has_fences: false,
        }
    }

    fn kernel_parameters(&mut self, entry: &Function) -> Result<Vec<Parameter>> {
        let place = |variable: &Variable| {
            let offset = self.layout.parameter(variable)?;
            let (name, ty) = (variable.name.clone(), variable.ty);
            Ok(Parameter { name, ty, offset, bytes: variable.bytes() as u32 })
        };
        entry.parameters.iter().map(place).collect()
    }

    fn function(&mut self, function: &Function) -> Result<()> {
        let Some(body) = &function.body else {
            let reason = format!("function {} is called but has no body", function.name);
            return Err(ParseError::syntax(function.line, reason));
        };
        self.current = function.name.clone();
        let mut scopes = Scopes::new(body, &mut self.labels)?;
        let start = self.layout.local_bytes;
        let mut passed = |variables: &[Variable], layout: &mut Layout| -> Result<Vec<Place>> {
            let place = |variable: &Variable| {
                let name = layout.local(variable)?;
                scopes.declare(&variable.name, name.clone());
                Ok(name.place().unwrap_or_default())
            };
            variables.iter().map(place).collect()
        };
        let (mut parameters, mut results) = (vec![], vec![]);
        if function.is_entry {
            let mut offset_of = self.layout.kernel_parameters.iter();
            for variable in &function.parameters {
                let offset = offset_of.next().copied().unwrap_or_default();
                scopes.declare(&variable.name, Name::KernelParameter(offset));
            }
        } else {
            parameters = passed(&function.parameters, &mut self.layout)?;
            results = passed(&function.results, &mut self.layout)?;
        }
        let pc = self.code.len() as u32;
        for statement in body {
            self.statement(statement, &mut scopes)?;
        }
        let frame = start..self.layout.local_bytes;
        self.entries.insert(function.name.clone(), Entry { pc, parameters, results, frame });
        // A body may end without `ret`.
        let line = self.code.last().map_or(function.line, |it| it.line);
        self.mentions.push(vec![]);
        self.flows.push(Flow::default());
        self.push(None, Step::Return, Class::Control, "ret", line, None);
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, scopes: &mut Scopes) -> Result<()> {
        match statement {
            Statement::Open => scopes.open(),
            Statement::Close => scopes.close(),
            Statement::Label(name, _) => {
                if let Some(number) = scopes.label(name) {
                    self.labels[number] = Some(self.code.len() as u32);
                }
            }
            Statement::Targets(name, labels) => {
                scopes.declare(name, Name::Targets(labels.clone()));
            }
            Statement::Registers { ty, name, count, line } => {
                self.layout.check_registers(count.unwrap_or(1), *line)?;
                self.registers(*ty, name, *count, scopes);
            }
            Statement::Variable(variable) => {
                let name = self.layout.place(variable)?;
                scopes.declare(&variable.name, name);
            }
            Statement::Instruction(instruction) => self.instruction(instruction, scopes)?,
        }
        Ok(())
    }

    fn registers(&mut self, ty: Type, name: &str, count: Option<u32>, scopes: &mut Scopes) {
        match count {
            Some(count) => {
                for i in 0..count {
                    scopes.declare(&format!("{name}{i}"), self.layout.register(ty));
                }
            }
            None => scopes.declare(name, self.layout.register(ty)),
        }
    }

    fn instruction(&mut self, instruction: &syntax::Instruction, scopes: &Scopes) -> Result<()> {
        let syntax::Instruction { mnemonic: text, line, source, .. } = instruction;
        let mut operands = Operands::new(self, scopes, instruction);
        let guard = match &instruction.guard {
            Some((name, is_negated)) => {
                Some(Guard { predicate: operands.predicate_named(name)?, is_negated: *is_negated })
            }
            None => None,
        };
        for family in FAMILIES {
            let mut mnemonic = Mnemonic::new(text, *line);
            if let Some((class, step)) = family(&mut mnemonic, &mut operands)? {
                mnemonic.finish()?;
                let Finished { fixup, mentions, uses } = operands.finish()?;
                self.check_target(target::first(text), text, *line)?;
                if let Some(fixup) = fixup {
                    self.fixups.push((self.code.len(), fixup));
                }
                self.mentions.push(mentions);
                self.flows.push(Flow { rule: flow::rule(text), uses });
                self.push(guard, step, class, text, *line, *source);
                return Ok(());
            }
        }
        Err(ParseError::UnknownInstruction { line: *line, mnemonic: text.clone() })
    }

    fn check_target(&self, first: u32, mnemonic: &str, line: u32) -> Result<()> {
        let target = &self.symbols.file.target;
        match target::number(target).is_some_and(|number| number < first) {
            true => Err(ParseError::Operand {
                line,
                mnemonic: mnemonic.into(),
                reason: format!("needs sm_{first} or later, but the module is for {target}"),
            }),
            false => Ok(()),
        }
    }

    fn push(
        &mut self,
        guard: Option<Guard>,
        step: Step,
        class: Class,
        mnemonic: &str,
        line: u32,
        source: Option<syntax::SourceLine>,
    ) {
        let flops = flops(class, mnemonic);
        let mnemonic = mnemonic.into();
        self.code.push(Instruction { guard, step, class, flops, mnemonic, line, source });
    }

    /// A register that holds a value from the start.
    pub(crate) fn constant(&mut self, value: Value, is_wide: bool) -> u32 {
        if let Some(register) = self.known_constants.get(&(value, is_wide)) {
            return *register;
        }
        let register = self.layout.unnamed(is_wide);
        self.known_constants.insert((value, is_wide), register);
        self.constants.push(Constant { register, is_wide, value });
        register
    }

    fn resolve_calls(&mut self, entry: &Function) -> Result<()> {
        self.refuse_recursion(&entry.name)?;
        for (at, fixup) in std::mem::take(&mut self.fixups) {
            let line = self.code[at].line;
            match fixup {
                Fixup::Targets(labels) => {
                    let place = |label: usize| {
                        let undefined = || ParseError::syntax(line, "a label is never defined");
                        self.labels[label].ok_or_else(undefined)
                    };
                    let places = labels.into_iter().map(place).collect::<Result<Vec<_>>>()?;
                    match &mut self.code[at].step {
                        Step::Branch(target) => *target = places[0],
                        Step::BranchTable { targets, .. } => *targets = places,
                        _ => {}
                    }
                }
                Fixup::Call { callee, arguments, results, line } => {
                    let entry = &self.entries[&callee];
                    let bytes = |places: &[Place]| -> Vec<u32> {
                        places.iter().map(|(_, bytes)| *bytes).collect()
                    };
                    let expected = (bytes(&entry.parameters), bytes(&entry.results));
                    let found = (bytes(&arguments), bytes(&results));
                    if found != expected {
                        let reason = format!(
                            "{callee} takes arguments of {:?} bytes and has results of {:?}, found {:?} and {:?}",
                            expected.0, expected.1, found.0, found.1
                        );
                        return Err(ParseError::syntax(line, reason));
                    }
                    if let Step::Call(call) = &mut self.code[at].step {
                        (call.target, call.frame) = (entry.pc, entry.frame.clone());
                        call.arguments = control::moves(&arguments, &entry.parameters);
                        call.results = control::moves(&entry.results, &results);
                    }
                }
            }
        }
        Ok(())
    }

    /// The registers and memory of a function exist once, so a function must not be called while it runs.
    fn refuse_recursion(&self, entry: &str) -> Result<()> {
        let mut calls: HashMap<&str, Vec<(&str, u32)>> = HashMap::new();
        for (caller, callee, line) in &self.calls {
            calls.entry(caller).or_default().push((callee, *line));
        }
        // A depth-first search: the functions on the current path, the outermost first, each with its remaining calls.
        // Each function is visited once.
        let mut open = vec![(entry, calls.remove(entry).unwrap_or_default())];
        let mut above = HashSet::from([entry]);
        while let Some((function, left)) = open.last_mut() {
            let Some((callee, line)) = left.pop() else {
                above.remove(function);
                open.pop();
                continue;
            };
            if above.contains(callee) {
                let reason = format!("the recursive call of {callee} is not supported");
                return Err(ParseError::syntax(line, reason));
            }
            if let Some(next) = calls.remove(callee) {
                above.insert(callee);
                open.push((callee, next));
            }
        }
        Ok(())
    }

    fn finish(mut self, entry: &Function, parameters: Vec<Parameter>) -> Result<Program> {
        if self.layout.shared_bytes > MAX_STATIC_SHARED {
            let reason = format!(
                "kernel {} declares {} bytes of shared memory, expected at most {MAX_STATIC_SHARED}: use \
                 dynamic shared memory for more",
                entry.name, self.layout.shared_bytes
            );
            return Err(ParseError::syntax(entry.line, reason));
        }
        liveness::drop_unread_targets(&mut self.code, &self.mentions);
        let layout = self.layout;
        let registers_per_thread = liveness::registers(&self.code, &self.mentions);
        Ok(Program {
            name: entry.name.clone(),
            granules: Granules::of(&self.code),
            code: self.code,
            flows: self.flows,
            narrow: layout.narrow,
            wide: layout.wide,
            predicates: layout.predicates,
            constants: self.constants,
            parameters,
            parameter_bytes: layout.parameter_bytes,
            shared_bytes: layout.shared_bytes,
            dynamic_align: layout.dynamic_align.max(16),
            has_dynamic_shared: layout.dynamic_align > 0,
            local_bytes: layout.local_bytes,
            local_stride: layout.local_bytes.next_multiple_of(32),
            limits: entry.limits.clone(),
            registers_per_thread,
            has_fences: self.has_fences,
        })
    }
}

/// Floating-point operations of a lane. Those of an `mma` are divided among the lanes of a warp.
fn flops(class: Class, mnemonic: &str) -> u32 {
    let mut parts = mnemonic.split('.');
    let head = parts.next().unwrap_or_default();
    match (class, head) {
        (Class::Matrix, _) if mnemonic.contains(".s32.") => 0,
        (Class::Matrix, _) => {
            let k = parts.find_map(|it| it.strip_prefix("m16n8k")?.parse::<u32>().ok());
            2 * 16 * 8 * k.unwrap_or_default() / 32
        }
        (Class::Float | Class::Special, "add" | "sub" | "mul" | "div" | "fma" | "mad") => {
            let of_one = if matches!(head, "fma" | "mad") { 2 } else { 1 };
            if mnemonic.ends_with("x2") { 2 * of_one } else { of_one }
        }
        _ => 0,
    }
}

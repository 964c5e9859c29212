//! Name resolution in a function, and the layout of its registers and variables.

use super::{Place, Result};
use crate::parse::ParseError;
use crate::syntax::{Space, Statement, Type, Variable};
use std::collections::HashMap;

/// The first address of the shared space that a kernel may use. Devices also reserve the space below it.
pub const SHARED_START: u32 = 1024;

/// The maximum local memory of a thread in bytes, as on hardware.
const MAX_LOCAL: u32 = 512 << 10;

/// The maximum size of a kernel's parameters in bytes.
const MAX_PARAMETERS: u32 = 32764;

/// A first limit; the smaller limit for a kernel's declarations is checked when all of them are known.
const MAX_SHARED_END: u32 = 1 << 28;

/// The maximum number of registers of a kernel. Compilers declare far fewer, and each register takes host memory for
/// every lane of a block.
const MAX_REGISTERS: u32 = 1 << 18;

#[derive(Clone, Debug)]
pub enum Name {
    Register {
        index: u32,
        ty: Type,
    },
    Predicate(u32),
    /// An address in the shared space.
    Shared(u32),
    /// Shared memory whose size the launch determines.
    DynamicShared,
    /// An address in the local space, and the size in bytes.
    Local(u32, u32),
    KernelParameter(u32),
    Targets(Vec<String>),
}

impl Name {
    /// The range of a variable in local memory.
    pub fn place(&self) -> Option<Place> {
        match self {
            Name::Local(address, bytes) => Some((*address, *bytes)),
            _ => None,
        }
    }
}

/// The memory and registers allocated so far.
#[derive(Default)]
pub struct Layout {
    pub narrow: u32,
    pub wide: u32,
    pub predicates: u32,
    pub shared_bytes: u32,
    pub dynamic_align: u32,
    pub local_bytes: u32,
    pub parameter_bytes: u32,
    pub kernel_parameters: Vec<u32>,
    /// The module's shared variables that the kernel refers to, by number.
    module: HashMap<usize, Name>,
}

impl Layout {
    /// Refuses `more` registers if the total is too large.
    pub fn check_registers(&self, more: u32, line: u32) -> Result<()> {
        let used = self.narrow + self.wide + self.predicates;
        match used.checked_add(more).is_some_and(|count| count <= MAX_REGISTERS) {
            true => Ok(()),
            false => {
                let reason = format!("a kernel has more than {MAX_REGISTERS} registers");
                Err(ParseError::syntax(line, reason))
            }
        }
    }

    pub fn register(&mut self, ty: Type) -> Name {
        match ty {
            Type::Pred => {
                self.predicates += 1;
                Name::Predicate(self.predicates - 1)
            }
            _ => Name::Register { index: self.unnamed(ty.bytes() == 8), ty },
        }
    }

    pub fn unnamed(&mut self, is_wide: bool) -> u32 {
        let count = if is_wide { &mut self.wide } else { &mut self.narrow };
        *count += 1;
        *count - 1
    }

    pub fn unnamed_predicate(&mut self) -> u32 {
        self.predicates += 1;
        self.predicates - 1
    }

    /// Allocates a variable of a body, or a shared variable of the module.
    pub fn place(&mut self, variable: &Variable) -> Result<Name> {
        let name = match variable.space {
            Space::Shared if variable.is_extern || variable.count == 0 => {
                self.dynamic_align = self.dynamic_align.max(variable.align);
                Name::DynamicShared
            }
            Space::Shared => Name::Shared(self.shared(variable)?),
            Space::Local | Space::Param => self.local(variable)?,
            space => {
                let reason = format!("a {space} variable inside of a function is not supported");
                return Err(ParseError::syntax(variable.line, reason));
            }
        };
        Ok(name)
    }

    /// Allocates a shared variable of the module once. Only kernels that refer to it, directly or through a callee,
    /// have memory for it.
    pub fn place_once(&mut self, number: usize, variable: &Variable) -> Result<Name> {
        if let Some(name) = self.module.get(&number) {
            return Ok(name.clone());
        }
        let name = self.place(variable)?;
        self.module.insert(number, name.clone());
        Ok(name)
    }

    /// Aligns the address, not the offset: the first address is not a multiple of large alignments.
    fn shared(&mut self, variable: &Variable) -> Result<u32> {
        let mut end = SHARED_START + self.shared_bytes;
        let address = bump(&mut end, variable, MAX_SHARED_END)?;
        self.shared_bytes = end - SHARED_START;
        Ok(address)
    }

    pub fn local(&mut self, variable: &Variable) -> Result<Name> {
        let address = bump(&mut self.local_bytes, variable, MAX_LOCAL)?;
        Ok(Name::Local(address, variable.bytes() as u32))
    }

    pub fn parameter(&mut self, variable: &Variable) -> Result<u32> {
        let offset = bump(&mut self.parameter_bytes, variable, MAX_PARAMETERS)?;
        self.kernel_parameters.push(offset);
        Ok(offset)
    }
}

fn bump(used: &mut u32, variable: &Variable, most: u32) -> Result<u32> {
    let before = *used;
    let too_large = || {
        let Variable { name, space, .. } = variable;
        let bytes = variable.bytes();
        let reason = format!(
            "{name} does not fit: {bytes} bytes after {before}, but {space} memory has {most}"
        );
        ParseError::syntax(variable.line, reason)
    };
    let offset = used.checked_next_multiple_of(variable.align).ok_or_else(too_large)?;
    let bytes = u32::try_from(variable.bytes()).map_err(|_| too_large())?;
    *used = offset.checked_add(bytes).filter(|end| *end <= most).ok_or_else(too_large)?;
    Ok(offset)
}

/// The names in nested braces, the innermost last. Labels are collected before they are reached, since branches may go
/// forward.
pub struct Scopes {
    open: Vec<(usize, HashMap<String, Name>)>,
    /// By the number of the brace, in the order of opening, and by name.
    labels: HashMap<(usize, String), usize>,
    opened: usize,
}

impl Scopes {
    /// Numbers the labels of a body; `numbers` gets an element for each.
    pub fn new(body: &[Statement], numbers: &mut Vec<Option<u32>>) -> Result<Scopes> {
        let (mut labels, mut open, mut opened) = (HashMap::new(), vec![0], 0);
        for statement in body {
            match statement {
                Statement::Open => {
                    opened += 1;
                    open.push(opened);
                }
                Statement::Close => {
                    open.pop();
                }
                Statement::Label(name, line) => {
                    let innermost = open.last().copied().unwrap_or_default();
                    if labels.insert((innermost, name.clone()), numbers.len()).is_some() {
                        let reason = format!("the label {name} is defined twice");
                        return Err(ParseError::syntax(*line, reason));
                    }
                    numbers.push(None);
                }
                _ => {}
            }
        }
        Ok(Scopes { open: vec![(0, HashMap::new())], labels, opened: 0 })
    }

    pub fn open(&mut self) {
        self.opened += 1;
        self.open.push((self.opened, HashMap::new()));
    }

    pub fn close(&mut self) {
        self.open.pop();
    }

    pub fn declare(&mut self, name: &str, meaning: Name) {
        if let Some((_, names)) = self.open.last_mut() {
            names.insert(name.into(), meaning);
        }
    }

    pub fn find(&self, name: &str) -> Option<&Name> {
        self.open.iter().rev().find_map(|(_, names)| names.get(name))
    }

    /// The number of a label.
    pub fn label(&self, name: &str) -> Option<usize> {
        let at = |brace: usize| self.labels.get(&(brace, name.to_string())).copied();
        self.open.iter().rev().find_map(|(brace, _)| at(*brace))
    }
}

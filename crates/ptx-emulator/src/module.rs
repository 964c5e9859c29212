//! Modules: decoded PTX text, and modules whose variables are loaded in the memory of a device.

use crate::decode::{self, Symbols};
use crate::occupancy;
use crate::parse::{self, ParseError};
use crate::program::{Parameter, Program};
use crate::syntax::{Limits, Operand, Space, Variable};
use std::sync::Arc;

/// A PTX text, decoded.
#[derive(Clone)]
pub struct Module {
    pub(crate) content: Arc<Content>,
}

pub(crate) struct Content {
    pub target: String,
    pub programs: Vec<Program>,
    pub variables: Vec<Variable>,
    pub sources: Vec<(u64, String)>,
}

impl Module {
    /// Decodes a PTX text with all its kernels.
    ///
    /// # Errors
    /// At the first line that is not PTX, or has an instruction that the emulator does not support.
    pub fn parse(text: &str) -> Result<Module, ParseError> {
        let file = parse::file(text)?;
        let symbols = Symbols::new(&file);
        let entries = file.functions.iter().filter(|it| it.is_entry && it.body.is_some());
        let programs =
            entries.map(|it| decode::program(&symbols, it)).collect::<Result<Vec<_>, _>>()?;
        let (target, variables, sources) = (file.target, file.variables, file.sources);
        Ok(Module { content: Arc::new(Content { target, programs, variables, sources }) })
    }

    /// `.target`, such as `sm_90a`.
    pub fn target(&self) -> &str {
        &self.content.target
    }

    /// The names of the kernels, in textual order.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.content.programs.iter().map(|it| it.name.as_str())
    }

    /// The parameters of a kernel.
    pub fn parameters(&self, kernel: &str) -> Option<&[Parameter]> {
        let program = self.content.programs.iter().find(|it| it.name == kernel)?;
        Some(&program.parameters)
    }
}

/// A module on a device. Its variables live as long as it is loaded.
#[derive(Clone)]
pub struct LoadedModule {
    pub(crate) content: Arc<Content>,
    /// The addresses of variables; 0 for variables that are neither in global nor in constant memory.
    pub(crate) variables: Arc<[u64]>,
}

impl LoadedModule {
    /// The kernel with a name; `None` if the module has no such kernel.
    pub fn kernel(&self, name: &str) -> Option<Kernel> {
        let number = self.content.programs.iter().position(|it| it.name == name)?;
        Some(Kernel { module: self.clone(), number })
    }

    /// The address and the size in bytes of a global or constant variable.
    pub fn variable(&self, name: &str) -> Option<(u64, u64)> {
        let number = self.content.variables.iter().position(|it| it.name == name)?;
        let variable = &self.content.variables[number];
        (self.variables[number] != 0).then(|| (self.variables[number], variable.bytes()))
    }
}

/// A kernel that can be launched.
#[derive(Clone)]
pub struct Kernel {
    pub(crate) module: LoadedModule,
    number: usize,
}

impl Kernel {
    pub(crate) fn program(&self) -> &Program {
        &self.module.content.programs[self.number]
    }

    /// The name in the PTX text.
    pub fn name(&self) -> &str {
        &self.program().name
    }

    /// The parameters, in order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.program().parameters
    }

    /// The constraints of the kernel on its launches.
    pub fn limits(&self) -> &Limits {
        &self.program().limits
    }

    /// Shared memory of a block in bytes, without what the launch adds.
    pub fn static_shared(&self) -> u32 {
        self.program().shared_bytes
    }

    /// The maximum shared memory of a block in bytes on the module's target.
    pub fn max_shared(&self) -> u32 {
        occupancy::max_shared(&self.module.content.target)
    }

    /// Local memory of a thread, in bytes.
    pub fn local_bytes(&self) -> u32 {
        self.program().local_bytes
    }

    /// The number of 32-bit registers of a thread, estimated from liveness.
    pub fn registers(&self) -> u32 {
        self.program().registers_per_thread
    }
}

/// The initial bytes of a variable, if it has an initialiser; `address` gives the addresses of other variables.
pub(crate) fn initial_bytes(
    variable: &Variable,
    address: impl Fn(&str) -> Option<u64>,
) -> Result<Vec<u8>, ParseError> {
    let width = variable.ty.bytes() as usize;
    let mut bytes = vec![0; variable.bytes() as usize];
    for (value, place) in variable.initializer.iter().zip(bytes.chunks_mut(width)) {
        let of_symbol = |name: &String| {
            let unknown = || ParseError::syntax(variable.line, format!("{name} has no address"));
            address(name).ok_or_else(unknown)
        };
        let bits = match value {
            Operand::Integer(value) => *value,
            Operand::Float { single: Some(bits), .. } if width == 4 => u64::from(*bits),
            Operand::Float { double, .. } if width == 4 => {
                u64::from((f64::from_bits(*double) as f32).to_bits())
            }
            Operand::Float { double, .. } => *double,
            Operand::Name(name) => of_symbol(name)?,
            Operand::Offset(name, offset) => of_symbol(name)?.wrapping_add_signed(*offset),
            _ => {
                let reason = format!("the initialiser of {} has the wrong form", variable.name);
                return Err(ParseError::syntax(variable.line, reason));
            }
        };
        place.copy_from_slice(&bits.to_le_bytes()[..width.min(8)]);
    }
    Ok(bytes)
}

/// True if a variable has its own memory on a device.
pub(crate) fn is_global(variable: &Variable) -> bool {
    matches!(variable.space, Space::Global | Space::Const)
}

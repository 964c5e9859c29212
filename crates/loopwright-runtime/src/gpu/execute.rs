//! Runs the functions of a program on a device.

use super::program::{Function, Launch as LaunchStep, Number, Operand, Program, Step};
use super::{Code, Device, GpuError, Launch, MOST_BLOCKS, Memory, Replay};
use crate::kernel::{Argument, CallError, check_arguments, with_sizes};
use crate::tensor::size_in_bytes;
use std::time::Duration;

/// A program on a device.
pub struct Executable<'d> {
    program: &'d Program,
    device: &'d dyn Device,
    /// None if the program has no kernels.
    code: Option<Box<dyn Code>>,
    constants: Vec<Box<dyn Memory>>,
}

/// A function with arguments that are checked and copied to the device, which can run any number of times.
pub struct Call<'e> {
    executable: &'e Executable<'e>,
    function: &'e Function,
    /// The memory of the arguments, then that of the function's allocations.
    memory: Vec<Box<dyn Memory>>,
    launches: Vec<Prepared>,
    replay: Option<Box<dyn Replay>>,
}

/// A launch with all numbers evaluated.
struct Prepared {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    arguments: Vec<Vec<u8>>,
}

impl<'d> Executable<'d> {
    /// Loads the program on the device.
    ///
    /// # Errors
    /// If the program is not valid, the device rejects the PTX, or it has too little memory for the constants.
    pub fn load(program: &'d Program, device: &'d dyn Device) -> Result<Executable<'d>, GpuError> {
        program
            .check()
            .map_err(|reason| GpuError::Program { chip: program.chip.clone(), reason })?;
        let has_kernels = !program.ptx.is_empty();
        let load = || device.load(&program.chip, &program.ptx);
        let code = has_kernels.then(load).transpose()?;
        let constant = |constant: &super::program::Constant| {
            let mut memory = device.allocate(constant.bytes.len())?;
            memory.write(&constant.bytes)?;
            Ok(memory)
        };
        let constants = program.constants.iter().map(constant).collect::<Result<_, GpuError>>()?;
        Ok(Executable { program, device, code, constants })
    }

    /// Checks the arguments, copies the buffers to the device, and evaluates the numbers that launches need.
    ///
    /// # Errors
    /// If there is no such function, arguments do not fit, or the device has too little memory.
    pub fn prepare(&self, name: &str, arguments: &mut [Argument]) -> Result<Call<'_>, GpuError> {
        let function = self.program.function(name);
        let function = function.ok_or_else(|| GpuError::NoFunction(name.to_owned()))?;
        check_arguments(name, &function.signature, arguments)?;
        let mut preparation = Preparation {
            executable: self,
            function,
            numbers: vec![],
            buffers: vec![],
            memory: vec![],
            launches: vec![],
        };
        preparation.arguments(arguments)?;
        preparation.steps(&function.steps)?;
        let Preparation { memory, launches, .. } = preparation;
        Ok(Call { executable: self, function, memory, launches, replay: None })
    }
}

impl Call<'_> {
    /// Submits all kernels to the device, in order.
    ///
    /// # Errors
    /// If a kernel cannot be started. Errors while it runs are reported when results are read.
    pub fn run(&self) -> Result<(), GpuError> {
        match &self.replay {
            Some(replay) => replay.run(),
            None => self.launches.iter().try_for_each(|launch| {
                let Prepared { kernel, grid, block, shared, arguments } = launch;
                let Executable { code, program, .. } = self.executable;
                let code = code.as_ref().ok_or_else(|| GpuError::Program {
                    chip: program.chip.clone(),
                    reason: format!("it launches {kernel}, and has no PTX"),
                })?;
                code.launch(&Launch {
                    kernel,
                    grid: *grid,
                    block: *block,
                    shared: *shared,
                    arguments: arguments.clone(),
                })
            }),
        }
    }

    /// Runs the call. If the device can record launches, later runs submit all kernels with one request.
    ///
    /// # Errors
    /// Those of [`Call::run`].
    pub fn record(&mut self) -> Result<(), GpuError> {
        self.replay = None;
        self.replay = self.executable.device.record(&mut || self.run())?;
        Ok(())
    }

    /// Runs the call and returns how long the device took.
    ///
    /// # Errors
    /// Those of [`Call::run`].
    pub fn time(&self) -> Result<Duration, GpuError> {
        self.executable.device.time(&mut || self.run())
    }

    /// Waits for the kernels, and copies the results into the arguments that were given to `prepare`.
    ///
    /// # Errors
    /// The error of the first kernel that failed. [`GpuError::UndefinedResult`] if the device finds out that a result has
    /// elements without a value.
    pub fn results(&self, arguments: &mut [Argument]) -> Result<(), GpuError> {
        self.executable.device.finish()?;
        let buffers = arguments.iter_mut().enumerate();
        let buffers = buffers.filter(|(_, it)| !matches!(it, Argument::Index(_)));
        for ((number, argument), memory) in buffers.zip(&self.memory) {
            let shape = argument.shape().to_vec();
            let Some(bytes) = argument.bytes_mut() else { continue };
            let size = bytes.len() as u64;
            memory.read(bytes).map_err(|error| match error {
                GpuError::UndefinedBytes { first, undefined } => GpuError::UndefinedResult {
                    function: self.function.name.clone(),
                    argument: number,
                    index: index_of_byte(first, size, &shape),
                    undefined,
                },
                error => error,
            })?;
        }
        Ok(())
    }
}

struct Preparation<'e> {
    executable: &'e Executable<'e>,
    function: &'e Function,
    numbers: Vec<i64>,
    buffers: Vec<Buffer>,
    memory: Vec<Box<dyn Memory>>,
    launches: Vec<Prepared>,
}

/// A buffer on the device.
#[derive(Clone, Default)]
struct Buffer {
    address: u64,
    shape: Vec<usize>,
}

impl Preparation<'_> {
    fn arguments(&mut self, arguments: &mut [Argument]) -> Result<(), GpuError> {
        for argument in arguments {
            if let Argument::Index(index) = argument {
                self.numbers.push(*index);
                continue;
            }
            let (shape, bytes) = (argument.shape().to_vec(), argument.bytes());
            let mut memory = self.executable.device.allocate(bytes.len())?;
            memory.write(bytes)?;
            self.buffers.push(Buffer { address: memory.address(), shape });
            self.memory.push(memory);
        }
        Ok(())
    }

    fn steps(&mut self, steps: &[Step]) -> Result<(), GpuError> {
        steps.iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: &Step) -> Result<(), GpuError> {
        match step {
            Step::Number { to, is } => {
                let number = self.number(*is)?;
                set(&mut self.numbers, *to, number);
            }
            Step::Constant { to, constant } => {
                let memory = &self.executable.constants[*constant];
                let shape = self.executable.program.constants[*constant].shape.clone();
                set(&mut self.buffers, *to, Buffer { address: memory.address(), shape });
            }
            Step::Allocate { to, element_type, sizes } => {
                let sizes: Vec<i64> = sizes.iter().map(|size| self.numbers[*size]).collect();
                let unsigned = sizes.iter().map(|size| usize::try_from(*size).ok());
                let shape: Option<Vec<usize>> = unsigned.collect();
                let bytes =
                    shape.as_ref().and_then(|shape| size_in_bytes(*element_type, shape).ok());
                let Some((shape, bytes)) = shape.zip(bytes) else {
                    return Err(GpuError::Sizes { function: self.function.name.clone(), sizes });
                };
                let memory = self.executable.device.allocate(bytes)?;
                set(&mut self.buffers, *to, Buffer { address: memory.address(), shape });
                self.memory.push(memory);
            }
            Step::Require { condition, text, sizes } => {
                if self.numbers[*condition] == 0 {
                    let sizes: Vec<i64> = sizes.iter().map(|size| self.numbers[*size]).collect();
                    let requirement = Some(with_sizes(text, &sizes));
                    let kernel = self.function.name.clone();
                    return Err(CallError::Sizes { kernel, requirement, sizes }.into());
                }
            }
            Step::If { condition, yes, no } => match self.numbers[*condition] {
                0 => self.steps(no)?,
                _ => self.steps(yes)?,
            },
            Step::Launch(launch) => {
                let prepared = self.launch(launch)?;
                self.launches.push(prepared);
            }
        }
        Ok(())
    }

    fn number(&self, number: Number) -> Result<i64, GpuError> {
        Ok(match number {
            Number::Constant(value) => value,
            Number::Size { buffer, dimension } => self.buffers[buffer].shape[dimension] as i64,
            Number::Choice { condition, yes, no } => {
                self.numbers[if self.numbers[condition] == 0 { no } else { yes }]
            }
            Number::Operation { operation, operands } => {
                let [a, b] = operands.map(|operand| self.numbers[operand]);
                operation.of(a, b).ok_or_else(|| GpuError::Device {
                    what: self.function.name.clone(),
                    reason: format!("the quotient of {a} by {b} is not a 64-bit number"),
                })?
            }
        })
    }

    fn launch(&self, launch: &LaunchStep) -> Result<Prepared, GpuError> {
        let numbers = |of: [usize; 3]| of.map(|number| self.numbers[number]);
        let grid = numbers(launch.grid);
        let fits = |(found, most): (&i64, &i64)| (1..=*most).contains(found);
        if !grid.iter().zip(&MOST_BLOCKS).all(fits) {
            return Err(GpuError::Grid { kernel: launch.kernel.clone(), grid });
        }
        let argument = |operand: &Operand| match *operand {
            Operand::Buffer(buffer) => self.buffers[buffer].address.to_le_bytes().to_vec(),
            Operand::Number { number, bytes } => {
                self.numbers[number].to_le_bytes()[..bytes].to_vec()
            }
        };
        let narrow = |of: [i64; 3]| of.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        Ok(Prepared {
            kernel: launch.kernel.clone(),
            grid: narrow(grid),
            block: narrow(numbers(launch.block)),
            shared: launch.shared,
            arguments: launch.arguments.iter().map(argument).collect(),
        })
    }
}

/// The index of the element that contains a byte of a buffer in row-major order.
fn index_of_byte(at: u64, bytes: u64, shape: &[usize]) -> Vec<usize> {
    let (mut rest, mut size) = (at, bytes);
    let mut index = vec![];
    for extent in shape {
        size /= (*extent as u64).max(1);
        index.push((rest / size.max(1)) as usize);
        rest %= size.max(1);
    }
    index
}

/// Sets a value at an index. Earlier indices that are still missing, because a branch was not taken, get the default.
fn set<T: Clone + Default>(values: &mut Vec<T>, at: usize, value: T) {
    if values.len() <= at {
        values.resize(at + 1, T::default());
    }
    values[at] = value;
}

#[cfg(test)]
mod tests;

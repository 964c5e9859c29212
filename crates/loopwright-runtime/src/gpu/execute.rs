//! Runs the functions of a program on a device.

use super::program::{Function, Launch as LaunchStep, Number, Operand, Program, Step};
use super::{Code, Device, GpuError, Launch, MOST_BLOCKS, Memory, Replay};
use crate::kernel::{Argument, ArgumentType, CallError, check_arguments, with_sizes};
use crate::tensor::size_in_bytes;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// A program on a device.
pub struct Executable<'d> {
    program: &'d Program,
    device: &'d dyn Device,
    /// None if the program has no kernels.
    code: Option<Box<dyn Code>>,
    constants: Vec<Buffer>,
}

/// A function with arguments that are checked and copied to the device, which can run any number of times.
pub struct Call<'e> {
    executable: &'e Executable<'e>,
    function: &'e Function,
    /// The memory of the buffers among the arguments.
    arguments: Vec<SharedMemory>,
    /// The launches before the first step that takes place between launches.
    launches: Vec<Prepared>,
    /// The steps from that one on, which run after those launches.
    rest: &'e [Step],
    executor: RefCell<Executor<'e>>,
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
            let (shape, bytes) = (constant.shape.clone(), constant.bytes.len());
            let mut memory = device.allocate(bytes)?;
            memory.write(&constant.bytes)?;
            Ok(Buffer { shape, bytes, memory: Some(Rc::new(RefCell::new(memory))) })
        };
        let constants = program.constants.iter().map(constant).collect::<Result<_, GpuError>>()?;
        Ok(Executable { program, device, code, constants })
    }

    /// Checks the arguments, copies the buffers to the device, and evaluates the numbers that launches need.
    ///
    /// # Errors
    /// If there is no such function, arguments do not fit, or the device has too little memory.
    pub fn prepare(&self, name: &str, arguments: &mut [Argument]) -> Result<Call<'_>, GpuError> {
        let functions = &self.program.functions;
        let place = functions.iter().position(|function| function.name == name);
        let place = place.ok_or_else(|| GpuError::NoFunction(name.to_owned()))?;
        let function = &functions[place];
        check_arguments(name, &function.signature, arguments)?;
        let mut executor = Executor::new(self, place);
        executor.arguments(arguments)?;
        let arguments =
            executor.frame().buffers.iter().filter_map(|it| it.memory.clone()).collect();
        let between = function.steps.iter().position(Step::is_between_launches);
        let (first, rest) = function.steps.split_at(between.unwrap_or(function.steps.len()));
        executor.steps(first)?;
        let launches = executor.collected.take().unwrap_or_default();
        let executor = RefCell::new(executor);
        Ok(Call { executable: self, function, arguments, launches, rest, executor, replay: None })
    }

    fn submit(&self, launch: &Prepared) -> Result<(), GpuError> {
        let Prepared { kernel, grid, block, shared, arguments } = launch;
        let Executable { code, program, .. } = self;
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
    }
}

impl Call<'_> {
    /// Submits all kernels to the device, in order. If the function decides by what kernels have computed, it waits for
    /// them.
    ///
    /// # Errors
    /// If a kernel cannot be started. Errors while it runs are reported when results are read.
    pub fn run(&self) -> Result<(), GpuError> {
        if let Some(replay) = &self.replay {
            return replay.run();
        }
        self.launches.iter().try_for_each(|launch| self.executable.submit(launch))?;
        self.executor.borrow_mut().steps(self.rest)
    }

    /// Runs the call. If the device can record launches, and nothing takes place between them, later runs submit all
    /// kernels with one request.
    ///
    /// # Errors
    /// Those of [`Call::run`].
    pub fn record(&mut self) -> Result<(), GpuError> {
        self.replay = None;
        if !self.rest.is_empty() {
            return self.run();
        }
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
        for ((number, argument), memory) in buffers.zip(&self.arguments) {
            let shape = argument.shape().to_vec();
            let Some(bytes) = argument.bytes_mut() else { continue };
            let size = bytes.len() as u64;
            memory.borrow().read(bytes).map_err(|error| match error {
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

/// Memory of the device that several buffers may share: those of a function, and the arguments of what it calls.
type SharedMemory = Rc<RefCell<Box<dyn Memory>>>;

/// A buffer on the device.
#[derive(Clone, Default)]
struct Buffer {
    shape: Vec<usize>,
    bytes: usize,
    /// None for a buffer that is not defined yet.
    memory: Option<SharedMemory>,
}

/// The numbers and buffers of a function. A function is not active twice, because none calls itself.
#[derive(Clone, Default)]
struct Frame {
    numbers: Vec<i64>,
    buffers: Vec<Buffer>,
}

/// Executes the steps of functions.
struct Executor<'e> {
    executable: &'e Executable<'e>,
    /// Those of each function of the program. Memory is kept from one run to the next.
    frames: Vec<Frame>,
    /// The function whose steps are executed.
    current: usize,
    /// Launches are collected here; without it, they are submitted.
    collected: Option<Vec<Prepared>>,
}

impl<'e> Executor<'e> {
    fn new(executable: &'e Executable<'e>, current: usize) -> Self {
        let frames = vec![Frame::default(); executable.program.functions.len()];
        Executor { executable, frames, current, collected: Some(vec![]) }
    }

    fn frame(&mut self) -> &mut Frame {
        &mut self.frames[self.current]
    }

    fn numbers(&self) -> &[i64] {
        &self.frames[self.current].numbers
    }

    fn function(&self) -> &'e Function {
        &self.executable.program.functions[self.current]
    }

    fn arguments(&mut self, arguments: &mut [Argument]) -> Result<(), GpuError> {
        for argument in arguments {
            if let Argument::Index(index) = argument {
                self.frame().numbers.push(*index);
                continue;
            }
            let (shape, bytes) = (argument.shape().to_vec(), argument.bytes());
            let mut memory = self.executable.device.allocate(bytes.len())?;
            memory.write(bytes)?;
            let memory = Some(Rc::new(RefCell::new(memory)));
            self.frame().buffers.push(Buffer { shape, bytes: bytes.len(), memory });
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
                set(&mut self.frame().numbers, *to, number);
            }
            Step::Constant { to, constant } => {
                let buffer = self.executable.constants[*constant].clone();
                set(&mut self.frame().buffers, *to, buffer);
            }
            Step::Allocate { to, element_type, sizes } => {
                let sizes: Vec<i64> = sizes.iter().map(|size| self.numbers()[*size]).collect();
                let unsigned = sizes.iter().map(|size| usize::try_from(*size).ok());
                let shape: Option<Vec<usize>> = unsigned.collect();
                let bytes =
                    shape.as_ref().and_then(|shape| size_in_bytes(*element_type, shape).ok());
                let Some((shape, bytes)) = shape.zip(bytes) else {
                    return Err(GpuError::Sizes { function: self.function().name.clone(), sizes });
                };
                // A step that runs again, in a loop or in a later run, gets the memory that it had.
                let before = self.frame().buffers.get(*to).filter(|it| it.bytes == bytes);
                let memory = match before.and_then(|buffer| buffer.memory.clone()) {
                    Some(memory) => memory,
                    None => Rc::new(RefCell::new(self.executable.device.allocate(bytes)?)),
                };
                let buffer = Buffer { shape, bytes, memory: Some(memory) };
                set(&mut self.frame().buffers, *to, buffer);
            }
            Step::Require { condition, text, sizes } => {
                if self.numbers()[*condition] == 0 {
                    let sizes: Vec<i64> = sizes.iter().map(|size| self.numbers()[*size]).collect();
                    let requirement = Some(with_sizes(text, &sizes));
                    let kernel = self.function().name.clone();
                    return Err(CallError::Sizes { kernel, requirement, sizes }.into());
                }
            }
            Step::If { condition, yes, no } => match self.numbers()[*condition] {
                0 => self.steps(no)?,
                _ => self.steps(yes)?,
            },
            Step::Launch(launch) => {
                let prepared = self.launch(launch)?;
                match &mut self.collected {
                    Some(launches) => launches.push(prepared),
                    None => self.executable.submit(&prepared)?,
                }
            }
            Step::For { counter, from, below, by, body } => {
                let [mut now, below, by] = [from, below, by].map(|it| self.numbers()[*it]);
                if by <= 0 {
                    return Err(
                        self.invalid(format!("a loop counts by {by}, expected more than 0"))
                    );
                }
                while now < below {
                    set(&mut self.frame().numbers, *counter, now);
                    self.steps(body)?;
                    let Some(next) = now.checked_add(by) else { break };
                    now = next;
                }
            }
            Step::While { before, condition, body } => loop {
                self.steps(before)?;
                if self.numbers()[*condition] == 0 {
                    break;
                }
                self.steps(body)?;
            },
            Step::Call { function, arguments } => self.call(*function, arguments)?,
            Step::Copy { from, to } => {
                let [from, to] =
                    [from, to].map(|it| self.frames[self.current].buffers[*it].clone());
                let bytes = from.bytes;
                if bytes != to.bytes {
                    return Err(self.invalid(format!("{bytes} bytes are copied to {}", to.bytes)));
                }
                // A copy to itself changes nothing.
                if let (Some(from), Some(to)) = (from.memory, to.memory)
                    && !Rc::ptr_eq(&from, &to)
                {
                    to.borrow_mut().copy_from(from.borrow().as_ref(), bytes)?;
                }
            }
            Step::Read { to, buffer } => {
                let mut bytes = [0; 8];
                let (memory, size) = self.element(*buffer)?;
                memory.borrow().read(&mut bytes[..size])?;
                // The sign moves from the top of the element to the top of the number.
                let unused = 64 - 8 * size;
                let number = (i64::from_le_bytes(bytes) << unused) >> unused;
                set(&mut self.frame().numbers, *to, number);
            }
            Step::Write { number, buffer } => {
                let (memory, size) = self.element(*buffer)?;
                let bytes = self.numbers()[*number].to_le_bytes();
                memory.borrow_mut().write(&bytes[..size])?;
            }
        }
        Ok(())
    }

    /// The memory of a buffer of one element, and the size of the element in bytes.
    fn element(&self, buffer: usize) -> Result<(SharedMemory, usize), GpuError> {
        let Buffer { bytes, memory, .. } = self.frames[self.current].buffers[buffer].clone();
        let memory = memory.filter(|_| (1..=8).contains(&bytes));
        let memory = memory.ok_or_else(|| {
            self.invalid(format!("a number has {bytes} bytes in memory, expected 1 to 8"))
        })?;
        Ok((memory, bytes))
    }

    fn invalid(&self, what: String) -> GpuError {
        let reason = format!("{}: {what}", self.function().name);
        GpuError::Program { chip: self.executable.program.chip.clone(), reason }
    }

    fn call(&mut self, function: usize, arguments: &[Operand]) -> Result<(), GpuError> {
        let callee = &self.executable.program.functions[function];
        let (mut numbers, mut buffers) = (vec![], vec![]);
        let expected = callee.signature.arguments.iter();
        for (operand, expected) in arguments.iter().zip(expected) {
            match (*operand, expected) {
                (Operand::Number { number, .. }, _) => numbers.push(self.numbers()[number]),
                (Operand::Buffer(buffer), ArgumentType::Buffer(expected)) => {
                    let buffer = self.frames[self.current].buffers[buffer].clone();
                    let fits = |(found, size): (&usize, &Option<u64>)| {
                        size.is_none_or(|size| size == *found as u64)
                    };
                    if !buffer.shape.iter().zip(&expected.shape).all(fits) {
                        let (name, found) = (&callee.name, &buffer.shape);
                        return Err(
                            self.invalid(format!("{name} is called with a buffer of {found:?}"))
                        );
                    }
                    buffers.push(buffer);
                }
                (Operand::Buffer(_), ArgumentType::Index) => unreachable!("a checked program"),
            }
        }
        let caller = std::mem::replace(&mut self.current, function);
        let frame = self.frame();
        numbers.into_iter().enumerate().for_each(|(i, it)| set(&mut frame.numbers, i, it));
        buffers.into_iter().enumerate().for_each(|(i, it)| set(&mut frame.buffers, i, it));
        let called = self.steps(&callee.steps);
        self.current = caller;
        called
    }

    fn number(&self, number: Number) -> Result<i64, GpuError> {
        let Frame { numbers, buffers } = &self.frames[self.current];
        Ok(match number {
            Number::Constant(value) => value,
            Number::Size { buffer, dimension } => buffers[buffer].shape[dimension] as i64,
            Number::Choice { condition, yes, no } => {
                numbers[if numbers[condition] == 0 { no } else { yes }]
            }
            Number::Operation { operation, operands } => {
                let [a, b] = operands.map(|operand| numbers[operand]);
                operation.of(a, b).ok_or_else(|| GpuError::Device {
                    what: self.function().name.clone(),
                    reason: format!("the quotient of {a} by {b} is not a 64-bit number"),
                })?
            }
        })
    }

    fn launch(&self, launch: &LaunchStep) -> Result<Prepared, GpuError> {
        let Frame { numbers, buffers } = &self.frames[self.current];
        let of = |places: [usize; 3]| places.map(|number| numbers[number]);
        let grid = of(launch.grid);
        let fits = |(found, most): (&i64, &i64)| (1..=*most).contains(found);
        if !grid.iter().zip(&MOST_BLOCKS).all(fits) {
            return Err(GpuError::Grid { kernel: launch.kernel.clone(), grid });
        }
        let argument = |operand: &Operand| match *operand {
            Operand::Buffer(buffer) => {
                let memory = buffers[buffer].memory.as_ref();
                memory.map_or(0, |it| it.borrow().address()).to_le_bytes().to_vec()
            }
            Operand::Number { number, bytes } => numbers[number].to_le_bytes()[..bytes].to_vec(),
        };
        let narrow = |of: [i64; 3]| of.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        Ok(Prepared {
            kernel: launch.kernel.clone(),
            grid: narrow(grid),
            block: narrow(of(launch.block)),
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

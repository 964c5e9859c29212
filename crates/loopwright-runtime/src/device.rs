//! Devices behind one interface: the CPU of this machine, a GPU, or the GPU emulator, selected by name.
//!
//! ```text
//! unsafe { Device::open("cuda:0".parse()?, Settings::default())? }
//!   ─ load(Program::Bundle(&bundle)) ─► Loaded ─ prepare("main", &mut arguments) ─► Call: run(), run(), ..., results()
//! ```
//! All devices check arguments in the same way ([`CallError`]) and return results in the same way: after
//! [`Call::results`] the outputs hold the results. The kind of code depends on the device: machine code for the CPU,
//! PTX for the others.

use crate::gpu::{self, Bundle, BundleError, Cuda, Emulator, Executable, GpuError};
use crate::kernel::{self, Argument, CallError, Kernel, Signature, Workspace};
use crate::pool::{ParallelFor, Pool, PoolError};
use crate::timing::{Clock, Timing, measure, measure_by};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

/// The name of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The CPU of this machine: `cpu`.
    Cpu,
    /// A GPU by its number, counted from 0: `cuda:0`, or `cuda` for short.
    Cuda(usize),
    /// The GPU emulator, for machines without a GPU: `emulator`.
    Emulator,
}

/// How devices run programs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Threads of the CPU; one per core by default.
    pub threads: Option<NonZeroUsize>,
    /// Determines the order in which the emulator runs warps.
    pub seed: u64,
}

/// A program to load on a device.
#[derive(Clone, Copy)]
pub enum Program<'p> {
    /// Functions of machine code.
    Kernels(&'p [Kernel]),
    /// PTX for one chip.
    Ptx(&'p gpu::Program),
    /// PTX for several chips; the device selects its own.
    Bundle(&'p Bundle),
}

/// Why a device is not available, or cannot do an operation.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// The text is not the name of a device.
    #[error("expected cpu, cuda:N or emulator, found '{0}'")]
    Name(String),
    /// There is no such GPU.
    #[error("{0}; the device 'emulator' runs kernels without a GPU")]
    Absent(GpuError),
    /// The threads of the CPU cannot be started.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// The program is for another kind of device.
    #[error("{device} runs {expected}, found {found}")]
    Kind {
        /// The name of the device.
        device: String,
        /// What the device runs: "machine code" or "PTX".
        expected: &'static str,
        /// What the program is, in the same words.
        found: &'static str,
    },
    /// The bundle has no program for the device.
    #[error("the bundle {0}")]
    Bundle(#[from] BundleError),
    /// The GPU or the emulator refuses the program, or fails.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The arguments do not match the signature of the function.
    #[error(transparent)]
    Call(#[from] CallError),
}

/// A device.
pub struct Device(Kind);

enum Kind {
    Cpu(Box<dyn ParallelFor>),
    Gpu(Box<dyn gpu::Device>),
}

/// A program on a device.
pub struct Loaded<'d>(Code<'d>);

enum Code<'d> {
    Cpu { pool: &'d dyn ParallelFor, kernels: &'d [Kernel], workspace: Workspace },
    Gpu { device: &'d dyn gpu::Device, program: &'d gpu::Program, executable: Executable<'d> },
}

/// A function with checked arguments, which can run any number of times.
pub struct Call<'a, 'b>(Prepared<'a, 'b>);

enum Prepared<'a, 'b> {
    Cpu(kernel::Call<'a>),
    Gpu {
        device: &'a dyn gpu::Device,
        call: gpu::Call<'a>,
        /// The results are written to these.
        arguments: &'a mut [Argument<'b>],
    },
}

impl Place {
    /// The first GPU, or the emulator if there is no GPU.
    pub fn of_kernels() -> Place {
        if Cuda::count() > 0 { Place::Cuda(0) } else { Place::Emulator }
    }
}

impl FromStr for Place {
    type Err = DeviceError;

    fn from_str(name: &str) -> Result<Place, DeviceError> {
        let ordinal = name.strip_prefix("cuda:").and_then(|ordinal| ordinal.parse().ok());
        match (name, ordinal) {
            ("cpu", _) => Ok(Place::Cpu),
            ("emulator", _) => Ok(Place::Emulator),
            ("cuda", _) => Ok(Place::Cuda(0)),
            (_, Some(ordinal)) => Ok(Place::Cuda(ordinal)),
            _ => Err(DeviceError::Name(name.to_owned())),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Place::Cpu => f.write_str("cpu"),
            Place::Cuda(ordinal) => write!(f, "cuda:{ordinal}"),
            Place::Emulator => f.write_str("emulator"),
        }
    }
}

impl Device {
    /// Opens a device. The contract is that of [`Device::open`].
    pub(crate) fn connect(place: Place, settings: Settings) -> Result<Device, DeviceError> {
        let kind = match place {
            Place::Cpu => Kind::Cpu(Box::new(Pool::new(settings.threads.unwrap_or_else(cores))?)),
            Place::Cuda(ordinal) => {
                Kind::Gpu(Box::new(Cuda::connect(ordinal).map_err(DeviceError::Absent)?))
            }
            Place::Emulator => Kind::Gpu(Box::new(Emulator::new(settings.seed))),
        };
        Ok(Device(kind))
    }

    /// The CPU, with loops on the threads of the caller: its [`Workers`](crate::pool::Workers), or a [`Pool`].
    pub fn of_threads(threads: Box<dyn ParallelFor>) -> Device {
        Device(Kind::Cpu(threads))
    }

    /// The name of the device, such as `cpu` or `cuda:0 (NVIDIA H200)`.
    pub fn name(&self) -> String {
        match &self.0 {
            Kind::Cpu(_) => "cpu".to_owned(),
            Kind::Gpu(device) => device.name(),
        }
    }

    /// The number of threads that run loops; `None` unless this is the CPU.
    pub fn threads(&self) -> Option<NonZeroUsize> {
        match &self.0 {
            Kind::Cpu(pool) => Some(pool.threads()),
            Kind::Gpu(_) => None,
        }
    }

    /// Loads a program.
    ///
    /// # Errors
    /// If its kind is not the device's, if it is for other chips, or if the device rejects it.
    pub fn load<'d>(&'d self, program: Program<'d>) -> Result<Loaded<'d>, DeviceError> {
        let refused = |expected, found| DeviceError::Kind { device: self.name(), expected, found };
        let (device, program) = match (&self.0, program) {
            (Kind::Cpu(pool), Program::Kernels(kernels)) => {
                let workspace = Workspace::default();
                return Ok(Loaded(Code::Cpu { pool: &**pool, kernels, workspace }));
            }
            (Kind::Cpu(_), _) => return Err(refused("machine code", "PTX")),
            (Kind::Gpu(_), Program::Kernels(_)) => return Err(refused("PTX", "machine code")),
            (Kind::Gpu(device), Program::Ptx(program)) => (&**device, program),
            (Kind::Gpu(device), Program::Bundle(bundle)) => {
                (&**device, bundle.choose(device.capability())?)
            }
        };
        let executable = Executable::load(program, device)?;
        Ok(Loaded(Code::Gpu { device, program, executable }))
    }

    /// The profiles of the launches since the last call of this function: the name of each kernel, and a table. Empty
    /// for the CPU.
    pub fn take_profiles(&self) -> Vec<(String, String)> {
        match &self.0 {
            Kind::Cpu(_) => vec![],
            Kind::Gpu(device) => device.take_profiles(),
        }
    }
}

/// One thread per core.
fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

impl Loaded<'_> {
    /// The signature of a function.
    ///
    /// # Errors
    /// [`GpuError::NoFunction`].
    pub fn signature(&self, function: &str) -> Result<&Signature, DeviceError> {
        let found = match &self.0 {
            Code::Cpu { kernels, .. } => {
                kernels.iter().find(|it| it.name() == function).map(Kernel::signature)
            }
            Code::Gpu { program, .. } => program.function(function).map(|it| &it.signature),
        };
        found.ok_or_else(|| no_function(function))
    }

    /// Checks the arguments and copies their contents to the device. Only one call may exist at a time, because the
    /// calls of a program share its workspace.
    ///
    /// # Errors
    /// If there is no such function, if arguments do not fit, or if the device has too little memory.
    pub fn prepare<'a, 'b>(
        &'a mut self,
        function: &str,
        arguments: &'a mut [Argument<'b>],
    ) -> Result<Call<'a, 'b>, DeviceError> {
        Ok(Call(match &mut self.0 {
            Code::Cpu { pool, kernels, workspace } => {
                let kernel = kernels.iter().find(|it| it.name() == function);
                let kernel = kernel.ok_or_else(|| no_function(function))?;
                Prepared::Cpu(kernel.prepare(*pool, arguments, workspace)?)
            }
            Code::Gpu { device, executable, .. } => {
                let call = executable.prepare(function, arguments)?;
                Prepared::Gpu { device: *device, call, arguments }
            }
        }))
    }
}

fn no_function(name: &str) -> DeviceError {
    GpuError::NoFunction(name.to_owned()).into()
}

impl Call<'_, '_> {
    /// Submits the call to the device; a GPU may not have started it when this returns.
    ///
    /// # Errors
    /// If a kernel cannot be started.
    pub fn run(&mut self) -> Result<(), DeviceError> {
        match &mut self.0 {
            Prepared::Cpu(call) => call.run(),
            Prepared::Gpu { call, .. } => call.run()?,
        }
        Ok(())
    }

    /// Waits until the device has done all submitted work.
    ///
    /// # Errors
    /// The error of the first kernel that failed.
    pub fn wait(&self) -> Result<(), DeviceError> {
        match &self.0 {
            Prepared::Cpu(_) => Ok(()),
            Prepared::Gpu { device, .. } => Ok(device.finish()?),
        }
    }

    /// Waits, and copies the results into the arguments that were given to `prepare`.
    ///
    /// # Errors
    /// The error of the first kernel that failed.
    pub fn results(&mut self) -> Result<(), DeviceError> {
        match &mut self.0 {
            Prepared::Cpu(_) => Ok(()),
            Prepared::Gpu { call, arguments, .. } => Ok(call.results(arguments)?),
        }
    }

    /// Runs the call repeatedly for about `budget` of device time.
    ///
    /// # Errors
    /// The error of the first run that failed.
    pub fn measure(&mut self, budget: Duration) -> Result<Timing, DeviceError> {
        match &mut self.0 {
            Prepared::Cpu(call) => Ok(measure(budget, || call.run())),
            Prepared::Gpu { call, .. } => {
                call.record()?;
                Ok(measure_on_device(budget, || call.time())?)
            }
        }
    }
}

/// Device time so far, as a clock: the budget is device time.
#[derive(Default)]
struct Worked(Cell<Duration>);

impl Clock for Worked {
    fn now(&self) -> Duration {
        self.0.get()
    }
}

/// Runs a function repeatedly for a budget of device time, or until it fails.
fn measure_on_device(
    budget: Duration,
    run: impl Fn() -> Result<Duration, GpuError>,
) -> Result<Timing, GpuError> {
    let (clock, failed) = (Worked::default(), RefCell::new(None));
    let timing = measure_by(&clock, budget, || {
        // After a failure each run counts as the whole budget, so that the measurement ends.
        let took = match failed.borrow().is_some() {
            true => Ok(budget),
            false => run(),
        };
        let took = took.unwrap_or_else(|error| {
            failed.replace(Some(error));
            budget
        });
        clock.0.set(clock.0.get() + took.max(Duration::from_nanos(1)));
    });
    match failed.into_inner() {
        None => Ok(timing),
        Some(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;

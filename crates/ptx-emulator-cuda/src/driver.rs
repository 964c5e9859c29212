//! The state of the emulated driver, in safe Rust: handles are numbers.

use crate::attribute::DEFAULT_SHARED;
use crate::status::{Result, Status, of_launch};
use ptx_emulator::{Argument, Device, DeviceError, Kernel, LaunchConfig, LoadedModule, Module};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub static DRIVER: LazyLock<Driver> = LazyLock::new(Driver::default);

/// The stream that is used if a call names none.
pub const DEFAULT_STREAM: u64 = 0;

#[derive(Default)]
pub struct Driver {
    pub device: Device,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    is_initialised: bool,
    next_handle: u64,
    modules: HashMap<u64, LoadedModule>,
    functions: HashMap<u64, Function>,
    /// The operations that a stream is capturing; `None` if it executes them.
    streams: HashMap<u64, Option<Vec<Operation>>>,
    /// The time when an event was last recorded.
    events: HashMap<u64, Option<Instant>>,
    graphs: HashMap<u64, Arc<[Operation]>>,
    /// After a fault all calls fail, as on hardware, until the process ends.
    failed: Option<Status>,
    report: String,
}

#[derive(Clone)]
pub struct Function {
    pub kernel: Kernel,
    module: u64,
    /// The maximum dynamic shared memory of a launch, in bytes.
    max_dynamic: u32,
}

/// An operation of a stream. Streams share it with graphs.
pub type Operation = Arc<dyn Fn(&Driver) -> Result + Send + Sync>;

#[derive(Clone)]
pub struct Launch {
    pub function: u64,
    pub config: LaunchConfig,
    pub arguments: Vec<Argument>,
}

impl Driver {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn initialise(&self) {
        self.lock().is_initialised = true;
    }

    /// Returns the error of an earlier fault. Every call checks it first, except those that free resources.
    pub fn check(&self) -> Result {
        let state = self.lock();
        match state.failed {
            _ if !state.is_initialised => Err(Status::NotInitialized),
            Some(status) => Err(status),
            None => Ok(()),
        }
    }

    /// A description of the last fault, or of why the last module was refused.
    pub fn report(&self) -> String {
        self.lock().report.clone()
    }

    /// Decodes and loads a PTX text. If it is refused, the error is in [`Self::report`].
    pub fn load(&self, text: &str) -> Result<u64> {
        let loaded = Module::parse(text)
            .map_err(|error| error.to_string())
            .and_then(|module| self.device.load(&module).map_err(|error| error.to_string()));
        let mut state = self.lock();
        match loaded {
            Ok(module) => {
                let handle = state.handle();
                state.modules.insert(handle, module);
                Ok(handle)
            }
            Err(report) => {
                state.report = report;
                Err(Status::InvalidPtx)
            }
        }
    }

    pub fn unload(&self, module: u64) -> Result {
        let mut state = self.lock();
        let loaded = state.modules.remove(&module).ok_or(Status::InvalidHandle)?;
        state.functions.retain(|_, it| it.module != module);
        drop(state);
        self.device.unload(&loaded);
        Ok(())
    }

    pub fn function(&self, module: u64, name: &str) -> Result<u64> {
        let mut state = self.lock();
        let loaded = state.modules.get(&module).ok_or(Status::InvalidHandle)?;
        let kernel = loaded.kernel(name).ok_or(Status::NotFound)?;
        let max_dynamic = DEFAULT_SHARED.saturating_sub(kernel.static_shared());
        let handle = state.handle();
        state.functions.insert(handle, Function { kernel, module, max_dynamic });
        Ok(handle)
    }

    pub fn find_function(&self, function: u64) -> Result<Function> {
        self.lock().functions.get(&function).cloned().ok_or(Status::InvalidHandle)
    }

    /// By the numbers of `CUfunction_attribute`.
    pub fn function_attribute(&self, function: u64, attribute: i32) -> Result<i32> {
        let Function { kernel, max_dynamic, .. } = self.find_function(function)?;
        Ok(match attribute {
            0 => kernel.limits().max_threads.unwrap_or(1024) as i32,
            1 => kernel.static_shared() as i32,
            3 => kernel.local_bytes() as i32,
            4 => kernel.registers() as i32,
            5 | 6 => 90,
            8 => max_dynamic as i32,
            2 | 7 | 9..=16 => 0,
            _ => return Err(Status::InvalidValue),
        })
    }

    pub fn set_function_attribute(&self, function: u64, attribute: i32, value: i32) -> Result {
        let mut state = self.lock();
        let function = state.functions.get_mut(&function).ok_or(Status::InvalidHandle)?;
        // The other attributes are hints.
        if attribute == 8 {
            let kernel = &function.kernel;
            let most = kernel.max_shared().saturating_sub(kernel.static_shared());
            let value = u32::try_from(value).map_err(|_| Status::InvalidValue)?;
            if value > most {
                return Err(Status::InvalidValue);
            }
            function.max_dynamic = value;
        }
        Ok(())
    }

    pub fn variable(&self, module: u64, name: &str) -> Result<(u64, u64)> {
        let state = self.lock();
        let loaded = state.modules.get(&module).ok_or(Status::InvalidHandle)?;
        loaded.variable(name).ok_or(Status::NotFound)
    }

    /// An invalid launch is reported at once; a fault of the kernel at the next synchronisation.
    pub fn check_launch(&self, launch: &Launch) -> Result<Function> {
        let function = self.find_function(launch.function)?;
        let limits = function.kernel.limits();
        let LaunchConfig { grid, block, .. } = launch.config;
        let threads = block.iter().try_fold(1_u32, |threads, it| threads.checked_mul(*it));
        let threads = threads.filter(|it| (1..=1024).contains(it)).ok_or(Status::InvalidValue)?;
        let has_room = launch.config.dynamic_shared <= function.max_dynamic;
        let is_right = limits.max_threads.is_none_or(|it| threads <= it)
            && limits.required_block.is_none_or(|it| it == block)
            && !grid.contains(&0);
        if has_room && is_right { Ok(function) } else { Err(Status::InvalidValue) }
    }

    /// Runs a kernel.
    pub fn launch(&self, launch: &Launch) -> Result {
        let function = self.check_launch(launch)?;
        match self.device.launch(&function.kernel, &launch.config, &launch.arguments) {
            Ok(_) => Ok(()),
            Err(error) => {
                eprintln!("ptx-emulator: {error}");
                let status = of_launch(&error);
                let mut state = self.lock();
                state.report = error.to_string();
                if status == Status::InvalidValue {
                    return Err(status);
                }
                state.failed = Some(status);
                Ok(())
            }
        }
    }

    /// Copies to the host. Undefined bytes are an error, whose description is in [`Self::report`].
    pub fn read(&self, from: u64, data: &mut [u8]) -> Result {
        self.device.read(from, data).map_err(|error| {
            if let DeviceError::Undefined { .. } = error {
                eprintln!("ptx-emulator: a copy to the host: {error}");
                self.lock().report = error.to_string();
            }
            Status::from(error)
        })
    }

    pub fn new_stream(&self) -> u64 {
        let mut state = self.lock();
        let handle = state.handle();
        state.streams.insert(handle, None);
        handle
    }

    pub fn destroy_stream(&self, stream: u64) -> Result {
        self.lock().streams.remove(&stream).map(|_| ()).ok_or(Status::InvalidHandle)
    }

    /// Runs an operation, or records it while the stream is captured.
    pub fn submit(&self, stream: u64, operation: Operation) -> Result {
        if stream > 2 {
            let mut state = self.lock();
            let found = state.streams.get_mut(&stream).ok_or(Status::InvalidHandle)?;
            if let Some(recorded) = found {
                recorded.push(operation);
                return Ok(());
            }
        }
        operation(self)
    }

    pub fn is_capturing(&self, stream: u64) -> bool {
        matches!(self.lock().streams.get(&stream), Some(Some(_)))
    }

    pub fn begin_capture(&self, stream: u64) -> Result {
        match self.lock().streams.get_mut(&stream) {
            Some(recorded @ None) => {
                *recorded = Some(vec![]);
                Ok(())
            }
            // The default stream cannot be captured, and no stream can be captured twice at the same time.
            _ => Err(Status::StreamCaptureUnsupported),
        }
    }

    pub fn end_capture(&self, stream: u64) -> Result<u64> {
        let mut state = self.lock();
        let recorded = state.streams.get_mut(&stream).and_then(Option::take);
        let operations = recorded.ok_or(Status::StreamCaptureUnmatched)?;
        Ok(state.add_graph(operations.into()))
    }

    /// An executable graph is a copy of the recorded operations.
    pub fn instantiate(&self, graph: u64) -> Result<u64> {
        let mut state = self.lock();
        let operations = state.graphs.get(&graph).cloned().ok_or(Status::InvalidHandle)?;
        Ok(state.add_graph(operations))
    }

    pub fn launch_graph(&self, graph: u64, stream: u64) -> Result {
        let operations = self.lock().graphs.get(&graph).cloned().ok_or(Status::InvalidHandle)?;
        operations.iter().try_for_each(|it| self.submit(stream, it.clone()))
    }

    pub fn destroy_graph(&self, graph: u64) -> Result {
        self.lock().graphs.remove(&graph).map(|_| ()).ok_or(Status::InvalidHandle)
    }

    pub fn new_event(&self) -> u64 {
        let mut state = self.lock();
        let handle = state.handle();
        state.events.insert(handle, None);
        handle
    }

    pub fn record_event(&self, event: u64) -> Result {
        let mut state = self.lock();
        *state.events.get_mut(&event).ok_or(Status::InvalidHandle)? = Some(Instant::now());
        Ok(())
    }

    pub fn has_event(&self, event: u64) -> Result {
        self.lock().events.get(&event).map(|_| ()).ok_or(Status::InvalidHandle)
    }

    pub fn destroy_event(&self, event: u64) -> Result {
        self.lock().events.remove(&event).map(|_| ()).ok_or(Status::InvalidHandle)
    }

    /// The time between two recorded events, in milliseconds of this machine.
    pub fn elapsed(&self, start: u64, end: u64) -> Result<f32> {
        let state = self.lock();
        let time = |event: u64| state.events.get(&event).copied().flatten();
        let (start, end) = time(start).zip(time(end)).ok_or(Status::InvalidHandle)?;
        let (forward, back) =
            (end.saturating_duration_since(start), start.saturating_duration_since(end));
        Ok((forward.as_secs_f32() - back.as_secs_f32()) * 1e3)
    }
}

impl State {
    /// No handle is used twice. The lowest handles are those of the default streams and of the context.
    fn handle(&mut self) -> u64 {
        self.next_handle += 16;
        self.next_handle + 0x1000
    }

    fn add_graph(&mut self, operations: Arc<[Operation]>) -> u64 {
        let handle = self.handle();
        self.graphs.insert(handle, operations);
        handle
    }
}

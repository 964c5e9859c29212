//! The unsafe calls.

use loopwright::codegen::{CodegenError, Jit, LinkError, LoadPromise};
use loopwright::ir::{ModuleRef, Op, handle_of_module};
use loopwright::pass::{self, PassRow};
use loopwright::pipeline::{self, BackgroundJob, BackgroundModel, CompileError, Settings};
use loopwright_runtime::device::{self, Device, DeviceError};
use loopwright_runtime::gpu::Cuda;
use loopwright_runtime::kernel::{Library, LibraryError};
use melior::ir::Module;
use std::path::Path;

/// The op of a module.
pub fn top<'m>(module: &'m Module<'_>) -> Op<'m> {
    // SAFETY: tests use no handle after its op was erased.
    unsafe { handle_of_module(module) }
}

/// Registers the passes of a test.
pub fn register(rows: &'static [PassRow]) {
    // SAFETY: the passes of tests use no handle after its op was erased.
    unsafe { pass::register(rows) }
}

/// Links an object into this process.
pub fn link(object: impl AsRef<[u8]>) -> Result<Jit, LinkError> {
    // SAFETY: tests call functions as they were compiled, and within bounds.
    unsafe { Jit::load(object) }
}

/// Starts to compile the model of a test in the background.
pub fn start(job: BackgroundJob) -> Result<BackgroundModel, CompileError> {
    // SAFETY: tests call functions within bounds.
    BackgroundModel::start(job, unsafe { LoadPromise::new() })
}

/// Compiles a module in phase `llvm`, and links it into this process.
pub fn load<'c>(module: impl ModuleRef<'c>, settings: &Settings) -> Result<Jit, CodegenError> {
    Ok(link(pipeline::object(module, settings)?)?)
}

/// Links an object into this process, with data that live as long.
pub fn link_with(
    object: impl AsRef<[u8]>,
    data: &'static [(&'static str, &'static [u8])],
) -> Result<Jit, LinkError> {
    // SAFETY: tests call functions as they were compiled, within bounds, and give the data that these expect.
    unsafe { Jit::load_with(object, data.iter().copied()) }
}

/// Opens a library that a test has made with this compiler.
pub fn open_library(path: &Path) -> Result<Library, LibraryError> {
    // SAFETY: the library contains kernels, and nothing changes the file.
    unsafe { Library::open(path) }
}

/// Opens the device with this name.
pub fn open(name: &str) -> Result<Device, DeviceError> {
    // SAFETY: the kernels of tests are compiled from functions whose accesses are in bounds.
    unsafe { Device::open(name.parse()?, device::Settings::default()) }
}

thread_local! {
    /// The first GPU of this machine; `None` if there is none.
    static GPU: Option<Cuda> = match Cuda::count() {
        0 => None,
        // SAFETY: as in `open`.
        _ => Some(unsafe { Cuda::open(0) }.expect("the driver has a device")),
    };
}

/// Runs this on the first GPU; `None` on a machine without one. Each thread opens the GPU once.
pub fn on_gpu<T>(run: impl FnOnce(&Cuda) -> T) -> Option<T> {
    GPU.with(|gpu| gpu.as_ref().map(run))
}

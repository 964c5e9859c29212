//! Artifacts on a device, and the types of their functions.

use crate::device::DeviceThread;
use crate::error::{ApiError, Code, FilePosition};
use crate::ffi;
use loopwright_runtime::device::Place;
use loopwright_runtime::gpu::Bundle;
use loopwright_runtime::kernel::{ArgumentType, Kernel, Signature, Workspace};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::ElementType;
use object::{Object, ObjectSymbol};
use std::ffi::OsStr;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Code on a device.
pub struct Module {
    /// The functions of the artifact.
    pub functions: Vec<Function>,
}

/// A function of a module.
pub struct Function {
    /// The name, unique in the module.
    pub name: String,
    /// The types of the arguments, in order.
    pub arguments: Vec<ArgumentDescription>,
    /// The code that a run calls.
    pub code: FunctionCode,
}

/// The code of a function.
pub enum FunctionCode {
    /// Machine code that is loaded in this process.
    Cpu {
        /// The loaded function.
        kernel: Kernel,
        /// The threads that run its loops.
        pool: Arc<Pool>,
        /// The scratch memory of earlier runs.
        workspaces: Mutex<Vec<Workspace>>,
    },
    /// A function of a GPU or of the emulator. The thread owns the device.
    Device(Arc<DeviceThread>),
}

/// What a run does with an argument. The numbers are those of `lw_argument_kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ArgumentKind {
    /// The run reads the tensor.
    Input = 1,
    /// The run writes a result to the tensor.
    Result = 2,
    /// A tensor with one element: the value of an index.
    Index = 3,
}

/// The type of an argument.
pub struct ArgumentDescription {
    /// What a run does with the argument.
    pub kind: ArgumentKind,
    /// The type of the elements.
    pub element_type: ElementType,
    /// -1 for a size that each run chooses.
    pub sizes: Vec<i64>,
    /// The name of the argument in the model, if it has one.
    pub name: Option<String>,
    /// How the sizes of a result follow from those of other arguments. `None` if all are static, if the function is for a GPU
    /// or was loaded from a file, or if the sizes do not follow from those of arguments.
    pub shape: Option<SizesOfResult>,
}

/// Computes the sizes of a result from what a call passes for the arguments, by number; `None` if an argument has no such size.
pub type SizesOfResult = Arc<dyn Fn(&[Option<GivenSizes>]) -> Option<Vec<i64>> + Send + Sync>;

/// What a call passes for an argument, as far as sizes of results may follow from it.
#[derive(Clone, Debug)]
pub enum GivenSizes {
    /// The shape of a tensor.
    Shape(Vec<usize>),
    /// The value of an index.
    Index(i64),
}

impl Function {
    /// The sizes of an argument that is a result. `given` has the sizes of each other argument, by its number. `None` if the
    /// sizes do not follow from those.
    pub fn result_sizes(
        &self,
        argument: usize,
        given: &[Option<GivenSizes>],
    ) -> Option<Vec<usize>> {
        let described = self.arguments.get(argument)?;
        let sizes = match described.sizes.iter().all(|size| *size >= 0) {
            true => described.sizes.clone(),
            false => described.shape.as_ref()?(given)?,
        };
        sizes.into_iter().map(|size| usize::try_from(size).ok()).collect()
    }
}

/// The threads of functions: all callers that ask for the same number share them. `None` stands for one thread per core.
///
/// # Errors
/// [`Code::Option`] if the threads cannot be started.
pub fn shared_pool(threads: Option<NonZeroUsize>) -> Result<Arc<Pool>, ApiError> {
    static POOLS: Mutex<Vec<(NonZeroUsize, Weak<Pool>)>> = Mutex::new(vec![]);
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = threads.unwrap_or_else(cores);
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    pools.retain(|(_, pool)| pool.strong_count() > 0);
    let known = pools.iter().find(|(of, _)| *of == threads).and_then(|(_, pool)| pool.upgrade());
    if let Some(pool) = known {
        return Ok(pool);
    }
    let made =
        Pool::new(threads).map_err(|error| ApiError::new(Code::Option, error.to_string()))?;
    let made = Arc::new(made);
    pools.push((threads, Arc::downgrade(&made)));
    Ok(made)
}

/// Loads a file that `Artifact::save` or `lw-compile` has written: a shared library (`.so`) or a bundle (`.lwb`). Files do not
/// have the names of arguments.
///
/// # Errors
/// [`Code::Unreadable`] and [`Code::Option`] for other files, [`Code::Target`], [`Code::Load`].
pub fn open(pool: &Arc<Pool>, path: &Path, device: Option<&str>) -> Result<Module, ApiError> {
    let place = place(device)?;
    let name = path.to_string_lossy();
    let failed = |code, message: String| {
        let position = FilePosition { file: name.to_string(), line: 0, column: 0 };
        ApiError { code, message, position: Some(position) }
    };
    match path.extension().and_then(OsStr::to_str) {
        Some("so") => {
            check_cpu(place, &name)?;
            let bytes = fs::read(path)
                .map_err(|error| failed(Code::Unreadable, format!("cannot be read: {error}")))?;
            let names = exported(&bytes).map_err(|message| failed(Code::Load, message))?;
            let kernels = ffi::load::library(path, names.iter().map(String::as_str))
                .map_err(|error| failed(Code::Load, error.to_string()))?;
            Ok(of_kernels(kernels, pool, &[]))
        }
        Some("lwb") => {
            let bundle =
                Bundle::read(path).map_err(|error| failed(Code::Unreadable, error.to_string()))?;
            of_bundle(&bundle, place, &name, &[])
        }
        _ => Err(failed(
            Code::Option,
            "is no file that can be loaded, expected .so (a shared library) or .lwb (a bundle)"
                .to_owned(),
        )),
    }
}

pub(crate) fn refused(message: String) -> ApiError {
    ApiError::new(Code::Target, message)
}

/// The place with a name; see [`Place`].
pub(crate) fn place(device: Option<&str>) -> Result<Option<Place>, ApiError> {
    device.map(str::parse).transpose().map_err(|error| refused(format!("device: {error}")))
}

/// Refuses any other place than the CPU.
pub(crate) fn check_cpu(place: Option<Place>, what: &str) -> Result<(), ApiError> {
    match place {
        None | Some(Place::Cpu) => Ok(()),
        Some(_) => Err(refused(format!("{what} is for target x86, expected device cpu"))),
    }
}

/// The names of the kernels that a shared library exports.
fn exported(library: &[u8]) -> Result<Vec<String>, String> {
    let file = object::File::parse(library).map_err(|error| error.to_string())?;
    let symbols: Vec<&str> = file.dynamic_symbols().filter_map(|it| it.name().ok()).collect();
    let kernels = symbols.iter().filter_map(|symbol| symbol.strip_suffix("_signature"));
    let kernels: Vec<String> =
        kernels.filter(|it| symbols.contains(it)).map(str::to_owned).collect();
    if kernels.is_empty() {
        return Err("exports no kernel, expected a library of this package".to_owned());
    }
    Ok(kernels)
}

/// The names of arguments, by function.
pub(crate) type Names = [(String, Vec<Option<String>>)];

pub(crate) fn of_kernels(kernels: Vec<Kernel>, pool: &Arc<Pool>, names: &Names) -> Module {
    let function = |kernel: Kernel| {
        let (name, signature) = (kernel.name().to_owned(), kernel.signature().clone());
        let code = FunctionCode::Cpu { kernel, pool: pool.clone(), workspaces: Mutex::default() };
        described(&name, &signature, code, names)
    };
    Module { functions: kernels.into_iter().map(function).collect() }
}

pub(crate) fn of_bundle(
    bundle: &Bundle,
    place: Option<Place>,
    what: &str,
    names: &Names,
) -> Result<Module, ApiError> {
    let place = place.unwrap_or_else(Place::of_kernels);
    if place == Place::Cpu {
        let message = format!("{what} is for a GPU, expected device cuda:N or emulator");
        return Err(refused(message));
    }
    let (thread, functions) = DeviceThread::open(place, bundle.clone())?;
    let thread = Arc::new(thread);
    let function = |(name, signature): &(String, Signature)| {
        described(name, signature, FunctionCode::Device(thread.clone()), names)
    };
    Ok(Module { functions: functions.iter().map(function).collect() })
}

fn described(name: &str, signature: &Signature, code: FunctionCode, names: &Names) -> Function {
    let names = names.iter().find(|(function, _)| function == name);
    let names = names.map_or(&[][..], |(_, names)| names);
    Function { name: name.to_owned(), arguments: describe(signature, names), code }
}

fn describe(signature: &Signature, names: &[Option<String>]) -> Vec<ArgumentDescription> {
    let describe = |(i, argument): (usize, &ArgumentType)| {
        let name = names.get(i).and_then(Clone::clone);
        match argument {
            ArgumentType::Index => ArgumentDescription {
                kind: ArgumentKind::Index,
                element_type: ElementType::I64,
                sizes: vec![],
                name,
                shape: None,
            },
            ArgumentType::Buffer(buffer) => ArgumentDescription {
                kind: if buffer.is_result { ArgumentKind::Result } else { ArgumentKind::Input },
                element_type: buffer.element_type,
                // Sizes of a signature are below 2^63.
                sizes: buffer.shape.iter().map(|size| size.map_or(-1, u64::cast_signed)).collect(),
                name,
                shape: None,
            },
        }
    };
    signature.arguments.iter().enumerate().map(describe).collect()
}

/// The number of the function with a name; without a name, of the only one.
///
/// # Errors
/// [`Code::Function`].
pub fn position<'n>(
    names: impl Iterator<Item = &'n str>,
    name: Option<&str>,
) -> Result<usize, ApiError> {
    let names: Vec<&str> = names.collect();
    let refused = |found: String| {
        let message = format!("{found}, expected one of {}", names.join(", "));
        ApiError::new(Code::Function, message)
    };
    match name {
        None if names.len() == 1 => Ok(0),
        None => Err(refused("no name is given".to_owned())),
        Some(name) => {
            let found = names.iter().position(|it| *it == name);
            found.ok_or_else(|| refused(format!("found no function '{name}'")))
        }
    }
}

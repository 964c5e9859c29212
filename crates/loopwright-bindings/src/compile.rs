//! Compiles a model to an artifact.

use crate::error::{ApiError, Code};
use crate::ffi;
use crate::log::{self, LogReceiver};
use crate::module::{
    GivenSizes, Module as Loaded, SizesOfResult, check_cpu, of_bundle, of_kernels, place, refused,
};
use loopwright::codegen::{Target, check_c_name};
use loopwright::dialect::contract::Contract;
use loopwright::dialect::requirement::SizeOrigin;
use loopwright::machine::x86::{CpuTarget, why_lacking};
use loopwright::pipeline::{
    self, CompileError, ErrorCode, ImportOptions, Input, MachineCode, ModuleSchedule, OutputKind,
    ResultShape, Settings,
};
use loopwright_onnx::ModelFile;
use loopwright_runtime::gpu::Bundle;
use loopwright_runtime::pool::Pool;
use melior::ir::Module;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// The name of this library in messages.
pub(crate) const NAME: &str = "loopwright";

/// The stack of a compilation: LLVM recurses over long chains of values.
pub(crate) const STACK_BYTES: usize = 64 << 20;

/// What is compiled.
pub enum Model<'m> {
    /// A file: a module as text or bytecode, or an ONNX model (`.onnx`, `.onnxtxt`).
    File(PathBuf),
    /// A module as text or bytecode, and the file in its locations.
    Bytes {
        /// The text or bytecode.
        bytes: Cow<'m, [u8]>,
        /// The file in locations.
        name: String,
    },
    /// An ONNX model in its binary form, and its file in messages. External data is beside this file.
    Onnx {
        /// The encoded `ModelProto`.
        bytes: Cow<'m, [u8]>,
        /// The file in messages; it need not exist.
        path: PathBuf,
    },
}

/// How a model is compiled; `lw_compile_options` of the C API.
#[derive(Default)]
pub struct CompileOptions<'o> {
    /// `x86`, or the architecture of a GPU such as `sm_80`; `None`: `x86`.
    pub target: Option<String>,
    /// The processor by LLVM's name, for x86 only; `None`: this machine's.
    pub cpu: Option<String>,
    /// The text, and the file in its locations.
    pub schedule: Option<(&'o [u8], String)>,
    /// The floating-point contract of functions that state none: `strict`, `reassoc` or `fast`; `None`: `strict`.
    pub contract: Option<String>,
    /// The sizes of named dimensions of an ONNX model.
    pub dimensions: Vec<(String, u64)>,
    /// The new name of the function `main`; `None` keeps the name.
    pub name: Option<String>,
    /// True if a vectorized loop without vector code is an error.
    pub require_vector: bool,
}

/// A compiled model.
pub struct Artifact {
    /// The code, for a processor or a GPU.
    pub code: ArtifactCode,
    /// The names of arguments in the model, by function.
    pub names: Vec<(String, Vec<Option<String>>)>,
}

/// The code of an artifact.
pub enum ArtifactCode {
    /// Machine code for a processor.
    Machine {
        /// The object file with its functions.
        code: MachineCode,
        /// The processor that the code is for.
        target: CpuTarget,
    },
    /// A bundle of one program.
    Device(Bundle),
}

/// Compiles a model, on a thread of its own.
pub fn compile(
    receiver: &impl LogReceiver,
    model: &Model,
    options: &CompileOptions,
) -> Result<Artifact, ApiError> {
    on_large_stack(|| log::with_events(receiver, || compile_here(receiver, model, options)))
}

/// Calls a function on a thread with a large stack.
fn on_large_stack<T: Send>(
    run: impl FnOnce() -> Result<T, ApiError> + Send,
) -> Result<T, ApiError> {
    let compiled = thread::scope(|scope| {
        let builder = thread::Builder::new().name(NAME.to_owned()).stack_size(STACK_BYTES);
        builder.spawn_scoped(scope, run).map(|thread| thread.join())
    });
    let compiled = compiled.map_err(|error| {
        ApiError::new(
            Code::Internal,
            format!("cannot start the thread of the compilation: {error}"),
        )
    })?;
    compiled.unwrap_or_else(|panic| Err(ApiError::of_panic(&*panic)))
}

fn compile_here(
    receiver: &impl LogReceiver,
    model: &Model,
    options: &CompileOptions,
) -> Result<Artifact, ApiError> {
    let context = pipeline::context();
    let input = Input::new(&context, NAME);
    let compiled = compile_model(&input, model, options);
    input.take_reported().iter().for_each(|diagnostic| log::report(receiver, diagnostic));
    Ok(compiled?)
}

fn compile_model<'c>(
    input: &Input<'c>,
    model: &Model,
    options: &CompileOptions,
) -> Result<Artifact, CompileError> {
    let refused = |code, message: String| CompileError::of(code, NAME, message);
    let target = options.target.as_deref().unwrap_or("x86");
    let target: Target = target
        .parse()
        .map_err(|error| refused(ErrorCode::Target, format!("found target '{target}', {error}")))?;
    check_contract(options.contract.as_deref())?;
    let (mut module, path) = read(input, model, &options.dimensions)?;
    if let Some(name) = &options.name {
        pipeline::rename_function(&mut module, "main", name)
            .map_err(|error| refused(ErrorCode::Option, format!("{error}: give another name")))?;
    }
    let names = argument_names(&module);
    let schedule = options.schedule.as_ref();
    let schedule = schedule.map(|(bytes, name)| input.schedule_bytes(bytes, name)).transpose()?;
    let settings = Settings {
        require_vector: options.require_vector,
        contract: options.contract.as_deref(),
        ..Settings::default()
    };
    let scheduled = schedule.as_ref().map(|read| read.schedule());
    let code = match target {
        Target::X86 => {
            let target = options.cpu.as_deref().map_or_else(CpuTarget::host, CpuTarget::named);
            let settings = Settings {
                target: target.clone(),
                schedule: Some(scheduled.unwrap_or(ModuleSchedule::Strategies)),
                lift_weight_transforms: true,
                ..settings
            };
            ArtifactCode::Machine { code: input.machine_code(module, &path, &settings)?, target }
        }
        Target::Gpu(_) if options.cpu.is_some() => {
            let message = "a cpu is given for the target of a GPU, expected target x86".to_owned();
            return Err(refused(ErrorCode::Option, message));
        }
        Target::Gpu(device) => {
            let settings = Settings {
                device,
                schedule: Some(scheduled.unwrap_or(ModuleSchedule::DeviceStrategies)),
                ..settings
            };
            let program = input.device_program(module, &path, &settings)?;
            ArtifactCode::Device(Bundle { programs: vec![program] })
        }
    };
    Ok(Artifact { code, names })
}

/// Refuses a contract that is none of the three.
pub(crate) fn check_contract(contract: Option<&str>) -> Result<(), CompileError> {
    match contract.filter(|word| Contract::from_word(word).is_none()) {
        None => Ok(()),
        Some(word) => {
            let message = format!("found contract '{word}', expected strict, reassoc or fast");
            Err(CompileError::of(ErrorCode::Option, NAME, message))
        }
    }
}

/// The module of a model, and its file in messages. `dimensions` are the sizes of named dimensions of an ONNX model.
pub(crate) fn read<'c>(
    input: &Input<'c>,
    model: &Model,
    dimensions: &[(String, u64)],
) -> Result<(Module<'c>, String), CompileError> {
    match model {
        Model::File(path) => {
            let import = ImportOptions { dims: dimensions.to_vec() };
            Ok((input.model(path, &import)?, path.to_string_lossy().into_owned()))
        }
        Model::Onnx { bytes, path } => {
            let import = ImportOptions { dims: dimensions.to_vec() };
            let file = ModelFile::of_bytes(path, bytes)?;
            Ok((input.imported(&file, &import)?, path.to_string_lossy().into_owned()))
        }
        Model::Bytes { bytes, name } => match dimensions.first() {
            None => Ok((input.module_bytes(bytes, name)?, name.clone())),
            Some((dimension, _)) => Err(CompileError::of(
                ErrorCode::Option,
                NAME,
                format!(
                    "the size of dimension {dimension} is for ONNX models, but {name} is a module in memory"
                ),
            )),
        },
    }
}

/// The names of the arguments of each function.
fn argument_names(module: &Module) -> Vec<(String, Vec<Option<String>>)> {
    let functions = pipeline::functions(module).into_iter();
    functions
        .map(|function| {
            let names = function.arguments.iter().map(|it| it.name.map(str::to_owned)).collect();
            (function.name, names)
        })
        .collect()
}

impl Artifact {
    /// Loads the code on a device: see [`Place`](loopwright_runtime::device::Place) for its spelling. Without one, on the CPU, or
    /// for a GPU target on the first GPU, or on the emulator if there is none.
    ///
    /// # Errors
    /// [`Code::Target`], [`Code::Load`].
    pub fn load(&self, pool: &Arc<Pool>, device: Option<&str>) -> Result<Loaded, ApiError> {
        let place = place(device)?;
        match &self.code {
            ArtifactCode::Machine { code, target } => {
                check_cpu(place, "the artifact")?;
                if let Some(feature) = target.lacks(&CpuTarget::host()).map_err(refused)? {
                    return Err(refused(format!(
                        "code for {} may use {feature}, {}",
                        target.cpu,
                        why_lacking(feature)
                    )));
                }
                let names = code.kernels.iter().map(|(name, _)| name.as_str());
                let kernels = ffi::load::kernels(&code.object, names)
                    .map_err(|error| ApiError::new(Code::Load, error.to_string()))?;
                let mut loaded = of_kernels(kernels, pool, &self.names);
                for (name, shapes) in &code.shapes {
                    let function = loaded.functions.iter_mut().find(|it| it.name == *name);
                    let arguments = function.map(|it| &mut it.arguments[..]).unwrap_or_default();
                    for (argument, shape) in arguments.iter_mut().zip(shapes) {
                        argument.shape = shape.clone().map(sizes_of);
                    }
                }
                Ok(loaded)
            }
            ArtifactCode::Device(bundle) => of_bundle(bundle, place, "the artifact", &self.names),
        }
    }

    /// Writes the files of the artifact.
    pub fn save(&self, path: &Path) -> Result<(), ApiError> {
        let name = path.to_string_lossy();
        let refused = |message: String| {
            ApiError::from(CompileError::of_file(ErrorCode::Option, &name, message))
        };
        match (&self.code, OutputKind::of(path)) {
            (ArtifactCode::Device(bundle), Some(OutputKind::Bundle)) => {
                bundle.write(path).map_err(|error| {
                    CompileError::of_file(ErrorCode::Write, &name, error.to_string()).into()
                })
            }
            (ArtifactCode::Device(_), _) => {
                Err(refused("is no name of a file for GPUs, expected .lwb (a bundle)".to_owned()))
            }
            (ArtifactCode::Machine { code, .. }, _) => {
                for (kernel, _) in &code.kernels {
                    check_c_name(kernel).map_err(|error| {
                        refused(format!("a function cannot be exported to C: {error}: give a name"))
                    })?;
                }
                Ok(code.write(path, &path.with_extension("h"))?)
            }
        }
    }
}

fn sizes_of(shape: ResultShape) -> SizesOfResult {
    Arc::new(move |given: &[Option<GivenSizes>]| {
        shape.evaluate(|origin| match (origin, given.get(origin.argument())?.as_ref()?) {
            (SizeOrigin::Index(_), GivenSizes::Index(value)) => Some(*value),
            (SizeOrigin::Dim(_, dim), GivenSizes::Shape(sizes)) => {
                i64::try_from(*sizes.get(dim)?).ok()
            }
            _ => None,
        })
    })
}

//! Artifacts on a device, and the types of their functions.

use crate::compile::{Artifact, ArtifactCode};
use crate::device::DeviceThread;
use crate::error::{ApiError, Code};
use crate::ffi;
use loopwright::machine::x86::CpuTarget;
use loopwright_runtime::device::Place;
use loopwright_runtime::kernel::{ArgumentType, Kernel, Signature, Workspace};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::ElementType;
use std::ffi::CString;
use std::sync::{Arc, Mutex};

/// `lw_module`.
pub struct Module {
    pub functions: Vec<Function>,
}

/// `lw_function`.
pub struct Function {
    pub name: CString,
    pub arguments: Vec<ArgumentDescription>,
    pub code: FunctionCode,
}

/// The code of a function.
pub enum FunctionCode {
    Cpu {
        kernel: Kernel,
        pool: Arc<Pool>,
        /// The scratch memory of earlier runs.
        workspaces: Mutex<Vec<Workspace>>,
    },
    Device(Arc<DeviceThread>),
}

/// `lw_argument_kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ArgumentKind {
    Input = 1,
    Result = 2,
    Index = 3,
}

/// `lw_argument`.
pub struct ArgumentDescription {
    pub kind: ArgumentKind,
    pub element_type: ElementType,
    /// -1 for a size that each run chooses.
    pub sizes: Vec<i64>,
    pub name: Option<CString>,
}

/// Loads an artifact on a device.
pub fn load(
    pool: &Arc<Pool>,
    artifact: &Artifact,
    device: Option<&str>,
) -> Result<Module, ApiError> {
    let refused = |message: String| ApiError::new(Code::Target, message);
    let place: Option<Place> =
        device.map(str::parse).transpose().map_err(|error| refused(format!("device: {error}")))?;
    let described = |name: &str, signature: &Signature, code| {
        let names = artifact.names.iter().find(|(function, _)| function == name);
        let names = names.map_or(&[][..], |(_, names)| names);
        Function { name: c_text(name), arguments: describe(signature, names), code }
    };
    let functions = match &artifact.code {
        ArtifactCode::Machine { code, target } => {
            if place.is_some_and(|place| place != Place::Cpu) {
                return Err(refused(
                    "the artifact is for target x86, expected device cpu".to_owned(),
                ));
            }
            if let Some(feature) = target.lacks(&CpuTarget::host()).map_err(refused)? {
                return Err(refused(format!(
                    "code for {} may use {feature}, which this machine's processor does not have",
                    target.cpu
                )));
            }
            let names = code.kernels.iter().map(|(name, _)| name.as_str());
            let kernels = ffi::load::kernels(&code.object, names)
                .map_err(|error| ApiError::new(Code::Load, error.to_string()))?;
            let function = |kernel: Kernel| {
                let (name, signature) = (kernel.name().to_owned(), kernel.signature().clone());
                let (pool, workspaces) = (pool.clone(), Mutex::default());
                described(&name, &signature, FunctionCode::Cpu { kernel, pool, workspaces })
            };
            kernels.into_iter().map(function).collect()
        }
        ArtifactCode::Device(bundle) => {
            let place = place.unwrap_or_else(Place::of_kernels);
            if place == Place::Cpu {
                return Err(refused(
                    "the artifact is for a GPU, expected device cuda:N or emulator".to_owned(),
                ));
            }
            let (thread, functions) = DeviceThread::open(place, bundle.clone())?;
            let thread = Arc::new(thread);
            let code = || FunctionCode::Device(thread.clone());
            functions.iter().map(|(name, signature)| described(name, signature, code())).collect()
        }
    };
    Ok(Module { functions })
}

fn describe(signature: &Signature, names: &[Option<String>]) -> Vec<ArgumentDescription> {
    let describe = |(i, argument): (usize, &ArgumentType)| {
        let name = names.get(i).and_then(Option::as_deref).map(c_text);
        match argument {
            ArgumentType::Index => ArgumentDescription {
                kind: ArgumentKind::Index,
                element_type: ElementType::I64,
                sizes: vec![],
                name,
            },
            ArgumentType::Buffer(buffer) => ArgumentDescription {
                kind: if buffer.is_result { ArgumentKind::Result } else { ArgumentKind::Input },
                element_type: buffer.element_type,
                // Sizes of a signature are below 2^63.
                sizes: buffer.shape.iter().map(|size| size.map_or(-1, u64::cast_signed)).collect(),
                name,
            },
        }
    };
    signature.arguments.iter().enumerate().map(describe).collect()
}

/// A text for C, without NULs.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("it has no NUL")
}

impl Module {
    /// The function with a name; the only one without.
    pub fn function(&self, name: Option<&str>) -> Result<&Function, ApiError> {
        let names = || {
            let names = self.functions.iter().map(|it| it.name.to_string_lossy());
            names.collect::<Vec<_>>().join(", ")
        };
        let refused = |message: String| Err(ApiError::new(Code::Function, message));
        match name {
            None if self.functions.len() == 1 => Ok(&self.functions[0]),
            None => refused(format!("no name is given, expected one of {}", names())),
            Some(name) => {
                let function =
                    self.functions.iter().find(|it| it.name.to_bytes() == name.as_bytes());
                let message = || format!("found no function '{name}', expected one of {}", names());
                function.map_or_else(|| refused(message()), Ok)
            }
        }
    }
}

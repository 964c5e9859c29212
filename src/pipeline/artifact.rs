//! Compiles models to files and to code that other programs load: the whole path of `lw-compile` and of the C API.
//!
//! ```text
//! module ─ x86 ─► MachineCode ─ write ─► .so, .a or .o, and a C header
//!        ─ GPU ─► gpu::Program, of which a bundle (.lwb) has one for each architecture
//! ```

use super::error::{CompileError, ErrorCode};
use super::{
    FunctionInterface, Input, Phase, ResultShape, Settings, fold_weight_transforms, functions,
    lower, object,
};
use crate::codegen::x86::{self, Object};
use crate::codegen::{CodegenError, check_c_name, cuda, header, symbols};
use loopwright_runtime::gpu;
use loopwright_runtime::kernel::Signature;
use loopwright_runtime::replace;
use melior::ir::Module;
use std::ffi::OsStr;
use std::path::Path;

/// The machine code of a model, which holds its weights, and its kernels by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineCode {
    /// The object file.
    pub object: Object,
    /// The name and the signature of each function that can be called.
    pub kernels: Vec<(String, Signature)>,
    /// The shapes of results with dynamic sizes: by function, for each argument.
    pub shapes: Vec<(String, Vec<Option<ResultShape>>)>,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// A shared library.
    Library,
    /// A static library.
    Archive,
    /// An object file.
    Object,
    /// Programs for GPUs.
    Bundle,
}

impl OutputKind {
    /// What the suffix of a file stands for.
    pub fn of(path: &Path) -> Option<OutputKind> {
        match path.extension().and_then(OsStr::to_str)? {
            "so" => Some(OutputKind::Library),
            "a" => Some(OutputKind::Archive),
            "o" => Some(OutputKind::Object),
            "lwb" => Some(OutputKind::Bundle),
            _ => None,
        }
    }
}

impl<'c> Input<'c> {
    /// Compiles a model to machine code. What depends on weights alone is computed now. `path` is the file in messages.
    ///
    /// # Errors
    /// [`ErrorCode::Target`] and [`ErrorCode::Compile`], also if the model has no public function.
    pub fn machine_code(
        &self,
        mut module: Module<'c>,
        path: &str,
        settings: &Settings,
    ) -> Result<MachineCode, CompileError> {
        let refused = |message: String| CompileError::of(ErrorCode::Compile, path, message);
        let unknown = |message| CompileError::of(ErrorCode::Target, path, message);
        settings.target.machine().map_err(unknown)?;
        self.lowered(&mut module, path, Phase::Input, Phase::Vector, settings)?;
        fold_weight_transforms(self.context(), &mut module, settings).map_err(refused)?;
        let shapes = result_shapes(&module);
        self.lowered(&mut module, path, Phase::Vector, Phase::Llvm, settings)?;
        let kernels = x86::kernels(&module);
        if kernels.is_empty() {
            let message = "has no public function, expected one that becomes a kernel";
            return Err(refused(message.to_owned()));
        }
        let object = object(&module, settings).map_err(|error| refused(error.to_string()))?;
        Ok(MachineCode { object, kernels, shapes })
    }

    /// Compiles a model to a program for the GPU of the settings. `path` is the file in messages.
    ///
    /// # Errors
    /// [`ErrorCode::Compile`].
    pub fn device_program(
        &self,
        mut module: Module<'c>,
        path: &str,
        settings: &Settings,
    ) -> Result<gpu::Program, CompileError> {
        self.lowered(&mut module, path, Phase::Input, Phase::Ptx, settings)?;
        cuda::program(&module, &settings.device)
            .map_err(|error| CompileError::at(ErrorCode::Compile, error.location, error.message))
    }

    /// [`lower`] with the error that was reported.
    pub(super) fn lowered(
        &self,
        module: &mut Module<'c>,
        path: &str,
        from: Phase,
        to: Phase,
        settings: &Settings,
    ) -> Result<(), CompileError> {
        lower(self.context(), module, from, to, settings)
            .map_err(|error| self.explained(ErrorCode::Compile, &format!("{path}: {error}")))
    }
}

/// The shapes of the results of functions in loop form, or in a later form.
fn result_shapes(module: &Module) -> Vec<(String, Vec<Option<ResultShape>>)> {
    let shapes = |function: FunctionInterface| {
        let arguments = function.arguments.iter();
        let shapes = arguments.map(|it| it.result.and_then(ResultShape::of)).collect();
        (function.name, shapes)
    };
    functions(module).into_iter().filter(|it| it.is_public).map(shapes).collect()
}

/// Checks that a C header can declare the public functions of a module, and that their symbols are distinct.
///
/// # Errors
/// [`ErrorCode::Option`], at the function.
pub fn check_c_names(module: &Module) -> Result<(), CompileError> {
    let mut declared: Vec<(String, String)> = vec![];
    for FunctionInterface { name, location, .. } in
        functions(module).into_iter().filter(|it| it.is_public && it.is_defined)
    {
        let error = |message: String| CompileError::at(ErrorCode::Option, location, message);
        check_c_name(&name)
            .map_err(|it| error(format!("a function cannot be exported to C: {it}")))?;
        for symbol in symbols(&name) {
            if let Some((_, other)) = declared.iter().find(|(it, _)| *it == symbol) {
                return Err(error(format!(
                    "functions '{other}' and '{name}' would both declare '{symbol}' in the header, expected \
                     names that differ by more than _workspace or _signature"
                )));
            }
            declared.push((symbol, name.clone()));
        }
    }
    Ok(())
}

impl MachineCode {
    /// Writes a library, an archive or an object file, as the suffix of `output` says, and its header. Both files are
    /// replaced as a whole, or none is. The names of the kernels must be names in C: see [`check_c_names`].
    ///
    /// # Errors
    /// [`ErrorCode::Write`], and [`ErrorCode::Option`] for another suffix.
    pub fn write(&self, output: &Path, header_path: &Path) -> Result<(), CompileError> {
        let of_file = |path: &Path, message: String| {
            CompileError::of_file(ErrorCode::Write, &path.to_string_lossy(), message)
        };
        let failed = |error: CodegenError| of_file(output, error.to_string());
        let stem = output.file_stem().unwrap_or_default().to_string_lossy();
        let bytes = match OutputKind::of(output) {
            Some(OutputKind::Object) => self.object.bytes().to_vec(),
            Some(OutputKind::Archive) => {
                self.object.archive(&format!("{stem}.o")).map_err(failed)?
            }
            Some(OutputKind::Library) => self.object.shared_library().map_err(failed)?,
            Some(OutputKind::Bundle) | None => {
                return Err(CompileError::of(
                    ErrorCode::Option,
                    &output.to_string_lossy(),
                    "is no name of a file for x86, expected .so (a shared library), .a (an archive) or .o (an object file)",
                ));
            }
        };
        let header_name = header_path.file_name().unwrap_or_default().to_string_lossy();
        let text = header(&header_name, &self.kernels);
        replace::files(&[(header_path, text.as_bytes()), (output, &bytes)])
            .map_err(|(path, error)| of_file(path, format!("cannot be written: {error}")))
    }
}

//! Compilation to artifacts.

use super::context::{Context, context_of, destroy};
use super::{ErrorRecord, array, given, guarded, text, text_or_null, writable};
use loopwright_bindings::compile::{Artifact, CompileOptions, Model, compile};
use loopwright_bindings::error::{ApiError, Code};
use std::ffi::{c_char, c_void};
use std::path::Path;

/// `lw_dimension`.
#[repr(C)]
pub struct LwDimension {
    name: *const c_char,
    size: u64,
}

/// `lw_compile_options`.
#[repr(C)]
pub struct LwCompileOptions {
    target: *const c_char,
    cpu: *const c_char,
    schedule: *const c_char,
    schedule_name: *const c_char,
    contract: *const c_char,
    dimensions: *const LwDimension,
    dimension_count: usize,
    name: *const c_char,
    /// A bool of C, of which any bit pattern is accepted.
    require_vector: u8,
}

/// The options of a parameter.
///
/// # Safety
/// As `loopwright.h` documents.
unsafe fn options_of<'a>(options: *const LwCompileOptions) -> Result<CompileOptions<'a>, ApiError> {
    // SAFETY: by contract, here and below.
    let Some(options) = (unsafe { options.as_ref() }) else {
        return Ok(CompileOptions::default());
    };
    // SAFETY: see above.
    let owned = |pointer, parameter| unsafe {
        text_or_null(pointer, parameter).map(|text| text.map(str::to_owned))
    };
    let schedule_name = owned(options.schedule_name, "options.schedule_name")?;
    // SAFETY: see above.
    let schedule = unsafe { text_or_null(options.schedule, "options.schedule") }?;
    // SAFETY: see above.
    let dimensions =
        unsafe { array(options.dimensions, options.dimension_count, "options.dimensions") }?;
    let dimension = |it: &LwDimension| {
        // SAFETY: see above.
        let name = unsafe { text(it.name, "options.dimensions.name") }?;
        Ok((name.to_owned(), it.size))
    };
    Ok(CompileOptions {
        target: owned(options.target, "options.target")?,
        cpu: owned(options.cpu, "options.cpu")?,
        schedule: schedule
            .map(|text| (text.as_bytes(), schedule_name.unwrap_or_else(|| "schedule".to_owned()))),
        contract: owned(options.contract, "options.contract")?,
        dimensions: dimensions.iter().map(dimension).collect::<Result<_, ApiError>>()?,
        name: owned(options.name, "options.name")?,
        require_vector: options.require_vector != 0,
    })
}

/// Compiles a model, and writes the artifact.
///
/// # Safety
/// As `loopwright.h` documents for the parameters.
pub unsafe fn compile_to(
    context: *const Context,
    model: impl FnOnce() -> Result<Model<'static>, ApiError>,
    options: *const LwCompileOptions,
    artifact: *mut *mut Artifact,
    error: *mut ErrorRecord,
) -> Code {
    let run = || {
        // SAFETY: by contract.
        let (context, options) = unsafe { (context_of(context)?, options_of(options)?) };
        writable(artifact, "artifact")?;
        let compiled = compile(&context.receiver, &model()?, &options)?;
        // SAFETY: it is not null.
        unsafe { artifact.write(Box::into_raw(Box::new(compiled))) };
        Ok(())
    };
    // SAFETY: by contract.
    unsafe { guarded(error, run) }
}

/// Compiles the model of a file.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_compile_file(
    context: *mut Context,
    path: *const c_char,
    options: *const LwCompileOptions,
    artifact: *mut *mut Artifact,
    error: *mut ErrorRecord,
) -> Code {
    // SAFETY: by contract.
    let model = || unsafe { text(path, "path") }.map(|path| Model::File(path.into()));
    // SAFETY: by contract.
    unsafe { compile_to(context, model, options, artifact, error) }
}

/// Compiles a module from memory.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_compile_bytes(
    context: *mut Context,
    bytes: *const c_void,
    size: usize,
    name: *const c_char,
    options: *const LwCompileOptions,
    artifact: *mut *mut Artifact,
    error: *mut ErrorRecord,
) -> Code {
    let model = || {
        // SAFETY: by contract; the bytes live until the compilation ends, which is before the return.
        let (bytes, name) =
            unsafe { (array(bytes.cast::<u8>(), size, "bytes")?, text_or_null(name, "name")?) };
        Ok(Model::Bytes { bytes: bytes.into(), name: name.unwrap_or("module").to_owned() })
    };
    // SAFETY: by contract.
    unsafe { compile_to(context, model, options, artifact, error) }
}

/// Writes the files of an artifact.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_artifact_save(
    artifact: *const Artifact,
    path: *const c_char,
    error: *mut ErrorRecord,
) -> Code {
    let save = || {
        // SAFETY: by contract.
        let (artifact, path) = unsafe { (given(artifact, "artifact")?, text(path, "path")?) };
        artifact.save(Path::new(path))
    };
    // SAFETY: by contract.
    unsafe { guarded(error, save) }
}

/// Frees an artifact.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_artifact_destroy(artifact: *mut Artifact) {
    // SAFETY: by contract it is null or of a compilation.
    unsafe { destroy(artifact) }
}

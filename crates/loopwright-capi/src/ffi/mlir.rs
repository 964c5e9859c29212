//! Dialects, passes and modules of a program that uses MLIR's C API.

use super::compile::{LwCompileOptions, compile_to};
use super::context::Context;
use super::{ErrorRecord, null_parameter, protected};
use loopwright_bindings::compile::{Artifact, Model};
use loopwright_bindings::error::Code;
use melior::ir::OperationRef;
use melior::ir::operation::OperationLike;
use mlir_sys::{MlirDialectRegistry, MlirModule, mlirModuleGetOperation};

/// Adds the dialects of this package to a registry.
///
/// # Safety
/// As `mlir.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_register_dialects(registry: MlirDialectRegistry) {
    if !registry.ptr.is_null() {
        // SAFETY: by contract the registry is live.
        protected((), || unsafe { loopwright::register_dialects_of_plugin(registry) });
    }
}

/// Registers all passes and pipelines.
#[unsafe(no_mangle)]
pub extern "C" fn lw_register_passes() {
    protected((), loopwright::register_passes);
}

/// Compiles a module of another context.
///
/// # Safety
/// As `mlir.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_compile_module(
    context: *mut Context,
    module: MlirModule,
    options: *const LwCompileOptions,
    artifact: *mut *mut Artifact,
    error: *mut ErrorRecord,
) -> Code {
    let model = || {
        if module.ptr.is_null() {
            return Err(null_parameter("module"));
        }
        // SAFETY: by contract the module is live.
        let op = unsafe { OperationRef::from_raw(mlirModuleGetOperation(module)) };
        Ok(Model::Bytes { bytes: op.write_bytecode().into(), name: "module".to_owned() })
    };
    // SAFETY: by contract.
    unsafe { compile_to(context, model, options, artifact, error) }
}

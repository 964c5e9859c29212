//! Modules on devices, the types of their functions, and runs.

use super::context::{Context, context_of, destroy};
use super::{ErrorRecord, array, given, guarded, pointer_to, text_or_null, writable};
use loopwright_bindings::compile::Artifact;
use loopwright_bindings::error::{ApiError, Code};
use loopwright_bindings::module::{self, ArgumentKind, position};
use loopwright_bindings::run::run;
use loopwright_runtime::dlpack::{CPU, DLDevice, DLTensor, Imported, data_type};
use loopwright_runtime::tensor::ElementType;
use std::ffi::{CString, c_char, c_void};
use std::ptr::null;

/// `lw_dtype`.
const DTYPES: [(u32, ElementType); 9] = [
    (1, ElementType::Bool),
    (2, ElementType::I8),
    (3, ElementType::I16),
    (4, ElementType::I32),
    (5, ElementType::I64),
    (6, ElementType::F16),
    (7, ElementType::BF16),
    (8, ElementType::F32),
    (9, ElementType::F64),
];

/// `lw_module`.
pub struct Module {
    functions: Vec<Function>,
}

/// `lw_function`.
pub struct Function {
    function: module::Function,
    name: CString,
    argument_names: Vec<Option<CString>>,
}

impl Function {
    fn new(function: module::Function) -> Function {
        // C ends texts with NUL, so they have none.
        let text = |text: &str| CString::new(text.replace('\0', "")).expect("it has no NUL");
        let names = function.arguments.iter().map(|it| it.name.as_deref().map(text)).collect();
        Function { name: text(&function.name), argument_names: names, function }
    }
}

/// `lw_argument`.
#[repr(C)]
pub struct LwArgument {
    kind: ArgumentKind,
    dtype: u32,
    rank: i32,
    sizes: *const i64,
    name: *const c_char,
}

/// `lw_tensor`.
#[repr(C)]
pub struct LwTensor {
    data: *mut c_void,
    /// A number, since C can pass any.
    dtype: u32,
    rank: i32,
    sizes: *const i64,
    strides: *const i64,
}

/// Loads an artifact on a device.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_module_load(
    context: *mut Context,
    artifact: *const Artifact,
    device: *const c_char,
    module: *mut *mut Module,
    error: *mut ErrorRecord,
) -> Code {
    let load = || {
        // SAFETY: by contract.
        let (context, artifact, device) = unsafe {
            (context_of(context)?, given(artifact, "artifact")?, text_or_null(device, "device")?)
        };
        writable(module, "module")?;
        let loaded = artifact.load(&context.pool, device)?.functions;
        let loaded = Module { functions: loaded.into_iter().map(Function::new).collect() };
        // SAFETY: it is not null.
        unsafe { module.write(Box::into_raw(Box::new(loaded))) };
        Ok(())
    };
    // SAFETY: by contract.
    unsafe { guarded(error, load) }
}

/// Frees a module.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_module_destroy(module: *mut Module) {
    // SAFETY: by contract it is null or of `lw_module_load`.
    unsafe { destroy(module) }
}

/// The number of functions.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_module_function_count(module: *const Module) -> usize {
    // SAFETY: by contract.
    unsafe { module.as_ref() }.map_or(0, |module| module.functions.len())
}

/// The function with a number.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_module_function_at(
    module: *const Module,
    number: usize,
) -> *const Function {
    // SAFETY: by contract.
    pointer_to(unsafe { module.as_ref() }.and_then(|module| module.functions.get(number)))
}

/// The function with a name.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_module_function(
    module: *const Module,
    name: *const c_char,
    function: *mut *const Function,
    error: *mut ErrorRecord,
) -> Code {
    let find = || {
        // SAFETY: by contract.
        let (module, name) = unsafe { (given(module, "module")?, text_or_null(name, "name")?) };
        writable(function, "function")?;
        let names = module.functions.iter().map(|it| it.function.name.as_str());
        let found = std::ptr::from_ref(&module.functions[position(names, name)?]);
        // SAFETY: it is not null.
        unsafe { function.write(found) };
        Ok(())
    };
    // SAFETY: by contract.
    unsafe { guarded(error, find) }
}

/// The name of a function.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_function_name(function: *const Function) -> *const c_char {
    // SAFETY: by contract.
    unsafe { function.as_ref() }.map_or(null(), |function| function.name.as_ptr())
}

/// The number of arguments of a function.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_function_argument_count(function: *const Function) -> usize {
    // SAFETY: by contract.
    unsafe { function.as_ref() }.map_or(0, |function| function.function.arguments.len())
}

/// The type of an argument.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_function_argument(
    function: *const Function,
    number: usize,
    argument: *mut LwArgument,
    error: *mut ErrorRecord,
) -> Code {
    let describe = || {
        // SAFETY: by contract.
        let function = unsafe { given(function, "function") }?;
        writable(argument, "argument")?;
        let count = function.function.arguments.len();
        let described = function.function.arguments.get(number).ok_or_else(|| {
            let name = &function.function.name;
            let message = format!("{name}: found argument {number}, expected one below {count}");
            ApiError::new(Code::Function, message)
        })?;
        let dtype = DTYPES.iter().find(|(_, element)| *element == described.element_type);
        let sizes = &described.sizes;
        let written = LwArgument {
            kind: described.kind,
            dtype: dtype.map_or(0, |(number, _)| *number),
            rank: sizes.len() as i32,
            sizes: if sizes.is_empty() { null() } else { sizes.as_ptr() },
            name: function.argument_names[number].as_ref().map_or(null(), |name| name.as_ptr()),
        };
        // SAFETY: it is not null.
        unsafe { argument.write(written) };
        Ok(())
    };
    // SAFETY: by contract.
    unsafe { guarded(error, describe) }
}

/// Runs a function.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_function_run(
    function: *const Function,
    arguments: *const LwTensor,
    count: usize,
    error: *mut ErrorRecord,
) -> Code {
    let run = || {
        // SAFETY: by contract.
        let (function, tensors) =
            unsafe { (given(function, "function")?, array(arguments, count, "arguments")?) };
        let table = |(i, tensor): (usize, &LwTensor)| {
            let element = DTYPES.iter().find(|(number, _)| *number == tensor.dtype);
            let (_, element) = element.ok_or_else(|| {
                let (name, found) = (&function.function.name, tensor.dtype);
                let message =
                    format!("{name}: argument {i} has dtype {found}, expected an lw_dtype");
                ApiError::new(Code::Argument, message)
            })?;
            Ok(DLTensor {
                data: tensor.data,
                device: DLDevice { device_type: CPU, device_id: 0 },
                ndim: tensor.rank,
                dtype: data_type(*element),
                shape: tensor.sizes.cast_mut(),
                strides: tensor.strides.cast_mut(),
                byte_offset: 0,
            })
        };
        let tables: Vec<DLTensor> =
            tensors.iter().enumerate().map(table).collect::<Result<_, ApiError>>()?;
        let pointers: Vec<*const DLTensor> = tables.iter().map(std::ptr::from_ref).collect();
        // SAFETY: by contract; the tables live until the return.
        unsafe { run_on(&function.function, &pointers) }
    };
    // SAFETY: by contract.
    unsafe { guarded(error, run) }
}

/// Runs a function on tensors of DLPack.
///
/// # Safety
/// As `loopwright.h` documents.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lw_function_run_dlpack(
    function: *const Function,
    arguments: *const *const DLTensor,
    count: usize,
    error: *mut ErrorRecord,
) -> Code {
    let run = || {
        // SAFETY: by contract.
        let (function, pointers) =
            unsafe { (given(function, "function")?, array(arguments, count, "arguments")?) };
        // SAFETY: by contract.
        unsafe { run_on(&function.function, pointers) }
    };
    // SAFETY: by contract.
    unsafe { guarded(error, run) }
}

/// Runs a function on tensors that their producers keep.
///
/// # Safety
/// Each pointer is null, or points to a tensor as DLPack specifies it. Until the return no other code writes the inputs or
/// accesses the results.
unsafe fn run_on(
    function: &module::Function,
    pointers: &[*const DLTensor],
) -> Result<(), ApiError> {
    let mut imported = vec![];
    for (i, pointer) in pointers.iter().enumerate() {
        let is_result = function.arguments.get(i).is_some_and(|it| it.kind == ArgumentKind::Result);
        // SAFETY: by contract.
        let borrowed = unsafe { Imported::borrowed(*pointer, !is_result) };
        imported.push(borrowed.map_err(|error| {
            let message = error.to_string();
            let message = message.strip_prefix("dlpack: ").unwrap_or(&message);
            let name = &function.name;
            ApiError::new(Code::Argument, format!("{name}: argument {i}: {message}"))
        })?);
    }
    run(function, imported)
}

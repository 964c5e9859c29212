//! Modules and functions.

use super::{Code, Handle, checked, code, copy_text, give, handle, number, text};
use crate::driver::DRIVER;
use crate::status::{Result, Status};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// A value of `CUjit_option`.
const ERROR_LOG_BUFFER: c_int = 5;
const ERROR_LOG_BYTES: c_int = 6;

/// # Safety
/// `image` is null or ends with a zero.
unsafe fn load(image: *const c_void) -> Result<u64> {
    // SAFETY: by the contract of this function.
    let bytes = unsafe { text(image.cast()) };
    match bytes {
        // Only PTX can be emulated.
        Ok(text) if text.starts_with("\x7fELF") => Err(Status::InvalidImage),
        Ok(text) => DRIVER.load(text),
        Err(_) => Err(Status::InvalidImage),
    }
}

/// # Safety
/// `module` is valid for a write and `file` a name that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoad(module: *mut Handle, file: *const c_char) -> Code {
    checked(|| {
        // SAFETY: by the contract of this function.
        let path = unsafe { text(file) }?;
        let text = std::fs::read_to_string(path).map_err(|_| Status::FileNotFound)?;
        // SAFETY: by the contract of this function.
        unsafe { give(module, handle(DRIVER.load(&text)?)) }
    })
}

/// # Safety
/// `module` is valid for a write and `image` a PTX text that ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadData(module: *mut Handle, image: *const c_void) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(module, handle(load(image)?)) })
}

/// # Safety
/// As for [`cuModuleLoadData`]; `options` and `values` have `count` elements, and the buffer of the error log is valid
/// for writes of the number of bytes that its size option states.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleLoadDataEx(
    module: *mut Handle,
    image: *const c_void,
    count: c_uint,
    options: *const c_int,
    values: *const *mut c_void,
) -> Code {
    checked(|| {
        // SAFETY: by the contract of this function.
        let loaded = unsafe { load(image) };
        if loaded == Err(Status::InvalidPtx) && !options.is_null() && !values.is_null() {
            let option = |wanted: c_int| {
                // SAFETY: both have `count` elements.
                (0..count as usize)
                    .find_map(|i| unsafe { (*options.add(i) == wanted).then(|| *values.add(i)) })
            };
            if let (Some(buffer), Some(bytes)) = (option(ERROR_LOG_BUFFER), option(ERROR_LOG_BYTES))
            {
                // The size is passed in the place of a pointer.
                // SAFETY: the buffer has that size.
                unsafe { copy_text(&DRIVER.report(), buffer.cast(), bytes as usize) };
            }
        }
        // SAFETY: by the contract of this function.
        unsafe { give(module, handle(loaded?)) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuModuleUnload(module: Handle) -> Code {
    code(DRIVER.unload(number(module)))
}

/// # Safety
/// `function` is valid for a write and `name` ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetFunction(
    function: *mut Handle,
    module: Handle,
    name: *const c_char,
) -> Code {
    checked(|| {
        // SAFETY: by the contract of this function.
        let name = unsafe { text(name) }?;
        // SAFETY: by the contract of this function.
        unsafe { give(function, handle(DRIVER.function(number(module), name)?)) }
    })
}

/// # Safety
/// `address` and `bytes` are null or valid for a write; `name` ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuModuleGetGlobal_v2(
    address: *mut u64,
    bytes: *mut usize,
    module: Handle,
    name: *const c_char,
) -> Code {
    checked(|| {
        // SAFETY: by the contract of this function.
        let (found, size) = DRIVER.variable(number(module), unsafe { text(name) }?)?;
        if !address.is_null() {
            // SAFETY: it is not null.
            unsafe { give(address, found) }?;
        }
        if !bytes.is_null() {
            // SAFETY: it is not null.
            unsafe { give(bytes, size as usize) }?;
        }
        Ok(())
    })
}

/// # Safety
/// `value` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuFuncGetAttribute(
    value: *mut c_int,
    attribute: c_int,
    function: Handle,
) -> Code {
    checked(|| {
        let found = DRIVER.function_attribute(number(function), attribute)?;
        // SAFETY: by the contract of this function.
        unsafe { give(value, found) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuFuncSetAttribute(function: Handle, attribute: c_int, value: c_int) -> Code {
    checked(|| DRIVER.set_function_attribute(number(function), attribute, value))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuFuncSetCacheConfig(function: Handle, _config: c_int) -> Code {
    checked(|| DRIVER.find_function(number(function)).map(|_| ()))
}

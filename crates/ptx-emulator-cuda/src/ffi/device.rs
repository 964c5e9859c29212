//! The device, its context, and errors.

use super::{Code, Handle, checked, code, copy_text, give, handle};
use crate::attribute::{NAME, of_device};
use crate::driver::DRIVER;
use crate::status::{Status, texts};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_uint, c_void};

/// There is one context.
const CONTEXT: u64 = 8;

thread_local! {
    /// True if this thread has made the context current.
    static IS_CURRENT: Cell<bool> = const { Cell::new(false) };
}

#[unsafe(no_mangle)]
pub extern "C" fn cuInit(flags: c_uint) -> Code {
    match flags {
        0 => {
            DRIVER.initialise();
            0
        }
        _ => Status::InvalidValue as Code,
    }
}

/// # Safety
/// `version` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> Code {
    // SAFETY: by the contract of this function.
    code(unsafe { give(version, 13000) })
}

/// # Safety
/// `count` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(count, 1) })
}

/// # Safety
/// `device` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> Code {
    checked(|| match ordinal {
        // SAFETY: by the contract of this function.
        0 => unsafe { give(device, 0) },
        _ => Err(Status::InvalidDevice),
    })
}

/// # Safety
/// `name` is valid for writes of `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, bytes: c_int, _device: c_int) -> Code {
    checked(|| {
        let bytes = usize::try_from(bytes).map_err(|_| Status::InvalidValue)?;
        // SAFETY: by the contract of this function.
        unsafe { copy_text(NAME, name, bytes) };
        Ok(())
    })
}

/// # Safety
/// `uuid` is valid for writes of 16 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetUuid_v2(uuid: *mut [u8; 16], _device: c_int) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(uuid, *b"PTX emulator \0\0\0") })
}

/// # Safety
/// `bytes` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, _device: c_int) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(bytes, DRIVER.device.memory().1 as usize) })
}

/// # Safety
/// `value` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(
    value: *mut c_int,
    attribute: c_int,
    _device: c_int,
) -> Code {
    checked(|| {
        let found = of_device(attribute).ok_or(Status::InvalidValue)?;
        // SAFETY: by the contract of this function.
        unsafe { give(value, found) }
    })
}

/// # Safety
/// `context` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut Handle, _device: c_int) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(context, handle(CONTEXT)) })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRelease_v2(_device: c_int) -> Code {
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetCurrent(context: Handle) -> Code {
    match context as u64 {
        0 | CONTEXT => {
            IS_CURRENT.set(!context.is_null());
            0
        }
        _ => Status::InvalidHandle as Code,
    }
}

/// # Safety
/// `context` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetCurrent(context: *mut Handle) -> Code {
    let current = if IS_CURRENT.get() { CONTEXT } else { 0 };
    // SAFETY: by the contract of this function.
    code(unsafe { give(context, handle(current)) })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSynchronize() -> Code {
    checked(|| Ok(()))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetFlags(_flags: c_uint) -> Code {
    0
}

/// # Safety
/// Both are valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuCtxGetStreamPriorityRange(least: *mut c_int, most: *mut c_int) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(least, 0).and_then(|()| give(most, 0)) })
}

/// # Safety
/// `name` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(error: Code, name: *mut *const c_char) -> Code {
    match texts(error) {
        // SAFETY: by the contract of this function.
        Some((found, _)) => code(unsafe { give(name, found.as_ptr()) }),
        None => Status::InvalidValue as Code,
    }
}

/// # Safety
/// `text` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: Code, text: *mut *const c_char) -> Code {
    match texts(error) {
        // SAFETY: by the contract of this function.
        Some((_, found)) => code(unsafe { give(text, found.as_ptr()) }),
        None => Status::InvalidValue as Code,
    }
}

/// Not a CUDA function: a description of the last fault with the kernel, the PTX line and the thread, or of why the
/// last module was refused. The text is truncated to `bytes` bytes and ends with a zero. Returns its whole length.
///
/// # Safety
/// `text` is null or valid for writes of `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_emulator_last_report(text: *mut c_char, bytes: usize) -> usize {
    let report = DRIVER.report();
    // SAFETY: by the contract of this function.
    unsafe { copy_text(&report, text, bytes) };
    report.len()
}

/// # Safety
/// `pool` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetDefaultMemPool(pool: *mut Handle, _device: c_int) -> Code {
    // SAFETY: by the contract of this function.
    checked(|| unsafe { give(pool, handle(CONTEXT)) })
}

/// Ignored: these attributes determine how much freed memory a pool keeps, and nothing is kept.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemPoolSetAttribute(
    _pool: Handle,
    _attribute: c_int,
    _value: *mut c_void,
) -> Code {
    0
}

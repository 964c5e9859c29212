//! Memory: allocation, copies, fills.

use super::{Code, Handle, checked, code, give, number};
use crate::driver::{DEFAULT_STREAM, DRIVER};
use crate::status::{Result, Status};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::ffi::{c_uchar, c_uint, c_void};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Memory of the caller that is read or written when an operation runs.
#[derive(Clone, Copy)]
struct HostRange {
    start: *mut u8,
    bytes: usize,
}

// SAFETY: it is used during the call that names it or, in a graph, when the caller launches the graph. It must be valid
// for that long, as the manual requires of the memory of copies.
unsafe impl Send for HostRange {}
// SAFETY: as above.
unsafe impl Sync for HostRange {}

impl HostRange {
    /// # Safety
    /// The range is valid for reads, and no other code writes it meanwhile.
    unsafe fn get<'a>(self) -> &'a [u8] {
        // SAFETY: by the contract of this function; an empty range may be null.
        match self.bytes {
            0 => &[],
            _ => unsafe { std::slice::from_raw_parts(self.start, self.bytes) },
        }
    }

    /// # Safety
    /// The range is valid for writes, and no other code accesses it meanwhile.
    unsafe fn get_mut<'a>(self) -> &'a mut [u8] {
        // SAFETY: by the contract of this function; an empty range may be null.
        match self.bytes {
            0 => &mut [],
            _ => unsafe { std::slice::from_raw_parts_mut(self.start, self.bytes) },
        }
    }
}

fn to_device(to: u64, host: HostRange, stream: u64) -> Code {
    checked(|| {
        let copy = move |driver: &crate::driver::Driver| -> Result {
            // SAFETY: the caller of the copy guarantees that the range is valid; see `HostRange`.
            Ok(driver.device.write(to, unsafe { host.get() })?)
        };
        DRIVER.submit(stream, Arc::new(copy))
    })
}

fn to_host(from: u64, host: HostRange, stream: u64) -> Code {
    checked(|| {
        let copy = move |driver: &crate::driver::Driver| -> Result {
            // SAFETY: the caller of the copy guarantees that the range is valid; see `HostRange`.
            driver.read(from, unsafe { host.get_mut() })
        };
        DRIVER.submit(stream, Arc::new(copy))
    })
}

fn inside(to: u64, from: u64, bytes: usize, stream: u64) -> Code {
    checked(|| {
        let copy = move |driver: &crate::driver::Driver| -> Result {
            Ok(driver.device.copy(to, from, bytes as u64)?)
        };
        DRIVER.submit(stream, Arc::new(copy))
    })
}

fn fill(to: u64, value: u8, bytes: usize, stream: u64) -> Code {
    checked(|| {
        let fill = move |driver: &crate::driver::Driver| -> Result {
            Ok(driver.device.memset(to, value, bytes as u64)?)
        };
        DRIVER.submit(stream, Arc::new(fill))
    })
}

/// # Safety
/// `address` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> Code {
    checked(|| match bytes {
        0 => Err(Status::InvalidValue),
        _ => {
            let found = DRIVER.device.alloc(bytes as u64, 256)?;
            // SAFETY: by the contract of this function.
            unsafe { give(address, found) }
        }
    })
}

/// # Safety
/// `address` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAllocAsync(address: *mut u64, bytes: usize, stream: Handle) -> Code {
    if DRIVER.is_capturing(number(stream)) {
        return Status::StreamCaptureUnsupported as Code;
    }
    // SAFETY: by the contract of this function.
    unsafe { cuMemAlloc_v2(address, bytes) }
}

/// Freeing works even after a fault.
#[unsafe(no_mangle)]
pub extern "C" fn cuMemFree_v2(address: u64) -> Code {
    match address {
        0 => 0,
        _ => code(DRIVER.device.free(address).map_err(Status::from)),
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemFreeAsync(address: u64, stream: Handle) -> Code {
    match DRIVER.is_capturing(number(stream)) {
        true => Status::StreamCaptureUnsupported as Code,
        false => cuMemFree_v2(address),
    }
}

/// # Safety
/// Both are valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) -> Code {
    let (used, all) = DRIVER.device.memory();
    // SAFETY: by the contract of this function.
    checked(|| unsafe {
        give(free, (all - used) as usize).and_then(|()| give(total, all as usize))
    })
}

/// # Safety
/// `from` is valid for reads of `bytes` bytes. The same holds for all copies from the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> Code {
    to_device(to, HostRange { start: from as *mut u8, bytes }, DEFAULT_STREAM)
}

/// # Safety
/// See [`cuMemcpyHtoD_v2`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoDAsync_v2(
    to: u64,
    from: *const c_void,
    bytes: usize,
    stream: Handle,
) -> Code {
    to_device(to, HostRange { start: from as *mut u8, bytes }, number(stream))
}

/// # Safety
/// `to` is valid for writes of `bytes` bytes. The same holds for all copies to the host.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> Code {
    to_host(from, HostRange { start: to.cast(), bytes }, DEFAULT_STREAM)
}

/// # Safety
/// See [`cuMemcpyDtoH_v2`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoHAsync_v2(
    to: *mut c_void,
    from: u64,
    bytes: usize,
    stream: Handle,
) -> Code {
    to_host(from, HostRange { start: to.cast(), bytes }, number(stream))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) -> Code {
    inside(to, from, bytes, DEFAULT_STREAM)
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: Handle) -> Code {
    inside(to, from, bytes, number(stream))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemsetD8_v2(to: u64, value: c_uchar, count: usize) -> Code {
    fill(to, value, count, DEFAULT_STREAM)
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemsetD8Async(to: u64, value: c_uchar, count: usize, stream: Handle) -> Code {
    fill(to, value, count, number(stream))
}

/// The layouts of the allocations of [`cuMemHostAlloc`].
static PINNED: LazyLock<Mutex<HashMap<usize, Layout>>> = LazyLock::new(Mutex::default);

/// # Safety
/// `start` is valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemHostAlloc(
    start: *mut *mut c_void,
    bytes: usize,
    _flags: c_uint,
) -> Code {
    checked(|| {
        let layout = Layout::from_size_align(bytes, 4096).map_err(|_| Status::InvalidValue)?;
        if bytes == 0 {
            return Err(Status::InvalidValue);
        }
        // SAFETY: the size is not zero.
        let found = unsafe { alloc_zeroed(layout) };
        if found.is_null() {
            return Err(Status::OutOfMemory);
        }
        PINNED.lock().unwrap_or_else(PoisonError::into_inner).insert(found as usize, layout);
        // SAFETY: by the contract of this function.
        unsafe { give(start, found.cast()) }
    })
}

/// # Safety
/// `start` was returned by [`cuMemHostAlloc`] and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemFreeHost(start: *mut c_void) -> Code {
    let found = PINNED.lock().unwrap_or_else(PoisonError::into_inner).remove(&(start as usize));
    match found {
        Some(layout) => {
            // SAFETY: it was allocated with this layout, and is freed once.
            unsafe { dealloc(start.cast(), layout) };
            0
        }
        None => Status::InvalidValue as Code,
    }
}

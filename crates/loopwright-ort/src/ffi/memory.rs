//! The memory of the CPU: its description, and the one allocator.

use super::{Held, guarded, held, null_parameter, put, put_new, text};
use crate::failure::Failure;
use loopwright_runtime::tensor::ALIGNMENT;
use ort::sys::{
    OrtAllocator, OrtAllocatorType, OrtDeviceMemoryType, OrtMemType, OrtMemoryInfo,
    OrtMemoryInfoDeviceType, OrtSession, OrtStatusPtr,
};
use std::ffi::{c_char, c_int, c_void};
use std::ptr::{from_ref, null_mut};

/// The name of the CPU's memory in ONNX Runtime.
const CPU: &std::ffi::CStr = c"Cpu";

/// `OrtMemoryInfo`. The memory is always that of the CPU.
#[derive(PartialEq)]
pub struct MemoryInfo {
    allocator_type: OrtAllocatorType,
    memory_type: OrtMemType,
    id: c_int,
}

impl Held for MemoryInfo {
    type Opaque = OrtMemoryInfo;
}

/// The memory of all values.
static CPU_MEMORY: MemoryInfo = MemoryInfo {
    allocator_type: OrtAllocatorType::OrtDeviceAllocator,
    memory_type: OrtMemType::OrtMemTypeDefault,
    id: 0,
};

/// The only allocator. It is never written, and never freed.
static ALLOCATOR: OrtAllocator = OrtAllocator {
    version: ort::sys::ORT_API_VERSION,
    Alloc: Some(alloc),
    Free: Some(free),
    Info: Some(info),
    Reserve: Some(reserve),
    GetStats: None,
    AllocOnStream: None,
    Shrink: None,
};

/// The description of the memory of all values.
pub fn cpu_memory() -> *const OrtMemoryInfo {
    from_ref(&CPU_MEMORY).cast()
}

fn allocator() -> *mut OrtAllocator {
    from_ref(&ALLOCATOR).cast_mut()
}

fn allocate(size: usize) -> *mut c_void {
    let Some(size) = size.max(1).checked_next_multiple_of(ALIGNMENT) else { return null_mut() };
    // SAFETY: the alignment is a power of two, and divides the size.
    unsafe { libc::aligned_alloc(ALIGNMENT, size) }
}

unsafe extern "system" fn alloc(_: *mut OrtAllocator, size: usize) -> *mut c_void {
    allocate(size)
}

unsafe extern "system" fn reserve(_: *const OrtAllocator, size: usize) -> *mut c_void {
    allocate(size)
}

unsafe extern "system" fn free(_: *mut OrtAllocator, block: *mut c_void) {
    // SAFETY: by contract it is null or of `allocate`.
    unsafe { libc::free(block) }
}

unsafe extern "system" fn info(_: *const OrtAllocator) -> *const OrtMemoryInfo {
    cpu_memory()
}

/// Memory of an allocator, which may be one of the program.
///
/// # Safety
/// See `ffi`.
pub unsafe fn allocate_by(
    allocator: *mut OrtAllocator,
    size: usize,
) -> Result<*mut c_void, Failure> {
    // SAFETY: see `ffi`.
    let table = unsafe { allocator.as_ref() }.ok_or_else(|| null_parameter("allocator"))?;
    let function = table.Alloc.ok_or_else(|| null_parameter("allocator.Alloc"))?;
    // SAFETY: see `ffi`.
    let block = unsafe { function(allocator, size) };
    match block.is_null() {
        true => Err(Failure::argument(format!("{size} bytes cannot be allocated"))),
        false => Ok(block),
    }
}

/// A copy of a text in the memory of an allocator.
///
/// # Safety
/// See `ffi`.
pub unsafe fn allocated_text(
    allocator: *mut OrtAllocator,
    text: &str,
) -> Result<*mut c_char, Failure> {
    let text = super::c_text(text);
    let bytes = text.as_bytes_with_nul();
    // SAFETY: see `ffi`; the block is as long as the text.
    unsafe {
        let block = allocate_by(allocator, bytes.len())?.cast::<u8>();
        block.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        Ok(block.cast())
    }
}

/// Writes a copy of a text, which is made only if it can be written.
///
/// # Safety
/// See `ffi`.
pub unsafe fn write_text(
    allocator: *mut OrtAllocator,
    out: *mut *mut c_char,
    text: &str,
) -> Result<(), Failure> {
    if out.is_null() {
        return Err(null_parameter("out"));
    }
    // SAFETY: see `ffi`; it is not null.
    unsafe { put(out, allocated_text(allocator, text)?) }
}

/// Allocates memory.
pub unsafe extern "system" fn allocator_alloc(
    allocator: *mut OrtAllocator,
    size: usize,
    out: *mut *mut c_void,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        if out.is_null() {
            return Err(null_parameter("out"));
        }
        put(out, allocate_by(allocator, size)?)
    })
}

/// Frees memory.
pub unsafe extern "system" fn allocator_free(
    allocator: *mut OrtAllocator,
    block: *mut c_void,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let table = allocator.as_ref().ok_or_else(|| null_parameter("ort_allocator"))?;
        let function = table.Free.ok_or_else(|| null_parameter("ort_allocator.Free"))?;
        function(allocator, block);
        Ok(())
    })
}

/// The memory of an allocator.
pub unsafe extern "system" fn allocator_info(
    allocator: *const OrtAllocator,
    out: *mut *const OrtMemoryInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let table = allocator.as_ref().ok_or_else(|| null_parameter("ort_allocator"))?;
        let function = table.Info.ok_or_else(|| null_parameter("ort_allocator.Info"))?;
        put(out, function(allocator))
    })
}

/// The allocator.
pub unsafe extern "system" fn default_allocator(out: *mut *mut OrtAllocator) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, allocator()) })
}

/// The allocator of a session.
pub unsafe extern "system" fn create_allocator(
    _: *const OrtSession,
    memory: *const OrtMemoryInfo,
    out: *mut *mut OrtAllocator,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<MemoryInfo>(memory, "mem_info")?;
        put(out, allocator())
    })
}

/// Keeps the allocator, which is not freed.
pub unsafe extern "system" fn release_allocator(_: *mut OrtAllocator) {}

/// Describes memory.
pub unsafe extern "system" fn create_info(
    name: *const c_char,
    allocator_type: OrtAllocatorType,
    id: c_int,
    memory_type: OrtMemType,
    out: *mut *mut OrtMemoryInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let name = text(name, "name")?;
        if name.as_bytes() != CPU.to_bytes() {
            let message = format!("found memory of device '{name}', expected Cpu");
            return Err(Failure::unsupported(message));
        }
        put_new(out, || Ok(MemoryInfo { allocator_type, memory_type, id }))
    })
}

/// Describes memory of the CPU.
pub unsafe extern "system" fn create_cpu_info(
    allocator_type: OrtAllocatorType,
    memory_type: OrtMemType,
    out: *mut *mut OrtMemoryInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put_new(out, || Ok(MemoryInfo { allocator_type, memory_type, id: 0 })) })
}

/// Compares descriptions: 0 if they are equal, otherwise -1.
pub unsafe extern "system" fn compare_info(
    a: *const OrtMemoryInfo,
    b: *const OrtMemoryInfo,
    out: *mut c_int,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let (a, b) = (held::<MemoryInfo>(a, "info1")?, held::<MemoryInfo>(b, "info2")?);
        put(out, if a == b { 0 } else { -1 })
    })
}

/// The name of the device.
pub unsafe extern "system" fn info_name(
    memory: *const OrtMemoryInfo,
    out: *mut *const c_char,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<MemoryInfo>(memory, "ptr")?;
        put(out, CPU.as_ptr())
    })
}

/// The number of the device.
pub unsafe extern "system" fn info_id(
    memory: *const OrtMemoryInfo,
    out: *mut c_int,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<MemoryInfo>(memory, "ptr")?.id) })
}

/// The kind of memory.
pub unsafe extern "system" fn info_memory_type(
    memory: *const OrtMemoryInfo,
    out: *mut OrtMemType,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<MemoryInfo>(memory, "ptr")?.memory_type) })
}

/// The kind of allocator.
pub unsafe extern "system" fn info_allocator_type(
    memory: *const OrtMemoryInfo,
    out: *mut OrtAllocatorType,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<MemoryInfo>(memory, "ptr")?.allocator_type) })
}

/// The kind of device.
pub unsafe extern "system" fn info_device_type(
    _: *const OrtMemoryInfo,
    out: *mut OrtMemoryInfoDeviceType,
) {
    if !out.is_null() {
        // SAFETY: see `ffi`.
        unsafe { out.write(OrtMemoryInfoDeviceType::OrtMemoryInfoDeviceType_CPU) }
    }
}

/// The kind of memory of the device.
pub unsafe extern "system" fn info_device_memory_type(
    _: *const OrtMemoryInfo,
) -> OrtDeviceMemoryType {
    OrtDeviceMemoryType::OrtDeviceMemoryType_DEFAULT
}

//! A shared library that exchanges tensors between a Python program and Loopwright; `tests/dlpack.py` uses it.
//!
//! ```text
//! cargo build --example dlpack_exchange  ->  libdlpack_exchange.so, to be loaded with ctypes
//! ```

use loopwright_runtime::dlpack::{
    DLManagedTensor, DLManagedTensorVersioned, DlpackError, Imported,
};
use loopwright_runtime::kernel::Argument::Raw;
use loopwright_runtime::kernel::{CallError, Kernel, Runtime};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use std::ffi::c_void;
use std::num::NonZeroUsize;
use std::ptr;
use std::sync::{Arc, LazyLock};

static SHARED: LazyLock<Arc<Tensor>> = LazyLock::new(|| Arc::new(small(ElementType::I64)));

/// 2x3 elements: 0, 1, 0, ... for booleans, else 0, 1, 2, ...
fn small(element_type: ElementType) -> Tensor {
    let values =
        [0, 1, 2, 3, 4, 5].map(|i| if element_type == ElementType::Bool { i % 2 } else { i });
    Tensor::from_i64s(element_type, &[2, 3], &values).expect("six elements of shape 2x3")
}

/// Creates a tensor; `ty` is the number of an element type, counted from 0. Null if there is no such type.
#[unsafe(no_mangle)]
pub extern "C" fn new_tensor(ty: usize) -> *mut DLManagedTensorVersioned {
    let ty = ElementType::ALL.get(ty);
    ty.map_or(ptr::null_mut(), |ty| small(*ty).into_dlpack().as_ptr())
}

/// Like [`new_tensor`], without a version.
#[unsafe(no_mangle)]
pub extern "C" fn new_legacy_tensor(ty: usize) -> *mut DLManagedTensor {
    let ty = ElementType::ALL.get(ty);
    ty.map_or(ptr::null_mut(), |ty| small(*ty).into_dlpack_legacy().as_ptr())
}

/// Creates a read-only tensor.
#[unsafe(no_mangle)]
pub extern "C" fn shared_tensor() -> *mut DLManagedTensorVersioned {
    Arc::clone(&SHARED).share_dlpack().as_ptr()
}

/// The number of tensors from [`shared_tensor`] whose deleter has not been called.
#[unsafe(no_mangle)]
pub extern "C" fn shared_count() -> usize {
    Arc::strong_count(&SHARED) - 1
}

#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Dlpack(#[from] DlpackError),
    #[error(transparent)]
    Call(#[from] CallError),
}

/// Runs a kernel in place that writes twice the f64 values of one vector to another. Returns 0, or writes an error's
/// text, cut to `capacity` bytes, and returns its length. Calls the deleters of both tensors.
///
/// # Safety
/// Both tensors meet the contract of [`Imported::from_versioned`], and the text has `capacity` bytes of memory.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn double_in_place(
    from: *mut DLManagedTensorVersioned,
    to: *mut DLManagedTensorVersioned,
    text: *mut u8,
    capacity: usize,
) -> usize {
    // SAFETY: by contract.
    let (from, to) = unsafe { (Imported::from_versioned(from), Imported::from_versioned(to)) };
    let run = || -> Result<(), Failure> {
        let (from, mut to) = (from?, to?);
        let signature = "f64[?], f64[?] result".parse().expect("a signature");
        // SAFETY: the functions match the signature, and are never unloaded.
        let kernel =
            unsafe { Kernel::from_raw("double", signature, double, workspace, Arc::new(())) };
        let pool = Pool::new(NonZeroUsize::MIN).expect("the caller's thread is there");
        Ok(kernel.call(&pool, &mut [Raw(from.input()?), Raw(to.output()?)])?)
    };
    let Err(error) = run() else { return 0 };
    let error = error.to_string();
    let len = error.len().min(capacity);
    // SAFETY: by contract there are this many bytes.
    unsafe { ptr::copy_nonoverlapping(error.as_ptr(), text, len) };
    len
}

/// Creates a dense tensor with the same elements; null if the tensor is refused. Calls the tensor's deleter.
///
/// # Safety
/// The tensor meets the contract of [`Imported::from_legacy`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dense_copy(from: *mut DLManagedTensor) -> *mut DLManagedTensorVersioned {
    // SAFETY: by contract.
    let copy = unsafe { Imported::from_legacy(from) }.and_then(|it| it.to_tensor());
    copy.map_or(ptr::null_mut(), |copy| copy.into_dlpack().as_ptr())
}

unsafe extern "C" fn double(
    _: *const Runtime,
    buffers: *const *mut c_void,
    sizes: *const i64,
    _: *mut c_void,
) {
    // SAFETY: called as `loopwright_runtime.h` says, with two vectors whose sizes `workspace` has compared.
    unsafe {
        let (from, to) = ((*buffers).cast::<f64>(), (*buffers.add(1)).cast::<f64>());
        (0..*sizes as usize).for_each(|i| to.add(i).write(2.0 * from.add(i).read()));
    }
}

unsafe extern "C" fn workspace(sizes: *const i64) -> i64 {
    // SAFETY: there are two sizes.
    if unsafe { *sizes == *sizes.add(1) } { 0 } else { -1 }
}

//! The C structures of DLPack, and import and export of tensors through pointers to them. Conditions (D1) to (D11) are
//! those of `crate::dlpack`.
//!
//! Source: `include/dlpack/dlpack.h` of <https://github.com/dmlc/dlpack>, version 1.3. The structures are written out
//! here because they are six small structures that never change within a major version.

use super::raw_buffer::RawBuffer;
use crate::dlpack::{
    CPU, Description, DlpackError, Layout, READ_ONLY, VERSION, are_distinct, check, data_type,
    dense_strides,
};
use crate::tensor::{ALIGNMENT, AlignedBytes, ElementType, Tensor, TensorError};
use std::any::Any;
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::Arc;

/// `DLPackVersion`: a new major version changes the layout, a new minor version adds names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct DLPackVersion {
    /// The version of the layout.
    pub major: u32,
    /// The version of the set of names.
    pub minor: u32,
}

/// `DLDevice`: the device that owns the memory; [`CPU`](crate::dlpack::CPU) is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct DLDevice {
    /// The kind of memory, a `DLDeviceType`.
    pub device_type: i32,
    /// The number of the device among those of its kind, from 0.
    pub device_id: i32,
}

/// `DLDataType`: the kind of an element, its bits, and the number of lanes of one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct DLDataType {
    /// The kind of number, a `DLDataTypeCode`.
    pub code: u8,
    /// The bits of one lane.
    pub bits: u8,
    /// The number of lanes of an element; 1 for a scalar.
    pub lanes: u16,
}

/// `DLTensor`: elements in memory. `shape` and `strides` have `ndim` entries, strides count elements,
/// `byte_offset` counts bytes from `data` to the first element.
#[derive(Debug)]
#[repr(C)]
pub struct DLTensor {
    /// The memory. The first element is `byte_offset` bytes after it.
    pub data: *mut c_void,
    /// The device that owns the memory.
    pub device: DLDevice,
    /// The rank.
    pub ndim: i32,
    /// The type of the elements.
    pub dtype: DLDataType,
    /// The size of each dimension.
    pub shape: *mut i64,
    /// The distance between neighbours along each dimension. Null means dense and row-major.
    pub strides: *mut i64,
    /// The distance from `data` to the first element, in bytes.
    pub byte_offset: u64,
}

/// `DLManagedTensor`: the structure without a version, in capsules named `dltensor`.
#[derive(Debug)]
#[repr(C)]
pub struct DLManagedTensor {
    /// The elements.
    pub dl_tensor: DLTensor,
    /// Data of the producer, for `deleter`.
    pub manager_ctx: *mut c_void,
    /// Frees the structure and the memory. `None` if nothing is to be freed.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

/// `DLManagedTensorVersioned`: the structure in capsules named `dltensor_versioned`.
#[derive(Debug)]
#[repr(C)]
pub struct DLManagedTensorVersioned {
    /// The version of DLPack that the producer uses.
    pub version: DLPackVersion,
    /// Data of the producer, for `deleter`.
    pub manager_ctx: *mut c_void,
    /// Frees the structure and the memory. `None` if nothing is to be freed.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    /// Bits such as [`READ_ONLY`].
    pub flags: u64,
    /// The elements.
    pub dl_tensor: DLTensor,
}

/// Either managed tensor structure.
trait Managed: Sized {
    fn new(tensor: DLTensor, context: *mut c_void, flags: u64) -> Self;
}

impl Managed for DLManagedTensor {
    fn new(dl_tensor: DLTensor, manager_ctx: *mut c_void, _: u64) -> Self {
        DLManagedTensor { dl_tensor, manager_ctx, deleter: Some(delete_legacy) }
    }
}

impl Managed for DLManagedTensorVersioned {
    fn new(dl_tensor: DLTensor, manager_ctx: *mut c_void, flags: u64) -> Self {
        let deleter = Some(delete_versioned as unsafe extern "C" fn(_));
        DLManagedTensorVersioned { version: VERSION, manager_ctx, deleter, flags, dl_tensor }
    }
}

/// The data that a deleter frees. The managed tensor itself is another box, freed with it.
struct Context {
    shape: Vec<i64>,
    strides: Vec<i64>,
    _owner: Box<dyn Any + Send + Sync>,
}

impl Tensor {
    /// Exports the tensor to another library, without a copy. The pointer is never null. The receiver may read and
    /// write the elements. It calls `deleter` once, on any thread, and the memory stays valid until then. An
    /// [`Imported`] does so.
    pub fn into_dlpack(mut self) -> NonNull<DLManagedTensorVersioned> {
        let data = self.bytes_mut().as_mut_ptr();
        let (element_type, shape) = (self.element_type(), self.shape().to_vec());
        export(data, element_type, &shape, Box::new(self), 0)
    }

    /// Like [`Tensor::into_dlpack`], for libraries older than version 1 of DLPack.
    pub fn into_dlpack_legacy(mut self) -> NonNull<DLManagedTensor> {
        let data = self.bytes_mut().as_mut_ptr();
        let (element_type, shape) = (self.element_type(), self.shape().to_vec());
        export(data, element_type, &shape, Box::new(self), 0)
    }

    /// Like [`Tensor::into_dlpack`], for a tensor with other readers: it is marked read-only. The structure without a
    /// version has no such mark; for libraries that support only that structure, export a copy.
    pub fn share_dlpack(self: Arc<Tensor>) -> NonNull<DLManagedTensorVersioned> {
        let data = self.bytes().as_ptr().cast_mut();
        let (element_type, shape) = (self.element_type(), self.shape().to_vec());
        export(data, element_type, &shape, Box::new(self), READ_ONLY)
    }
}

fn export<M: Managed>(
    data: *mut u8,
    element_type: ElementType,
    shape: &[usize],
    owner: Box<dyn Any + Send + Sync>,
    flags: u64,
) -> NonNull<M> {
    let is_empty = shape.contains(&0);
    let mut context = Box::new(Context {
        shape: shape.iter().map(|size| *size as i64).collect(),
        strides: dense_strides(shape),
        _owner: owner,
    });
    let tensor = DLTensor {
        // The specification requires null for tensors without elements.
        data: if is_empty { ptr::null_mut() } else { data.cast() },
        device: DLDevice { device_type: CPU, device_id: 0 },
        ndim: shape.len() as i32,
        dtype: data_type(element_type),
        shape: context.shape.as_mut_ptr(),
        strides: context.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let managed = Box::new(M::new(tensor, Box::into_raw(context).cast(), flags));
    NonNull::from(Box::leak(managed))
}

/// # Safety
/// Called once, with a pointer that `export` returned.
unsafe extern "C" fn delete_versioned(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: `export` created both boxes, and no other code frees them.
    unsafe { drop(Box::from_raw(Box::from_raw(managed).manager_ctx.cast::<Context>())) }
}

/// # Safety
/// Called once, with a pointer that `export` returned.
unsafe extern "C" fn delete_legacy(managed: *mut DLManagedTensor) {
    // SAFETY: as above.
    unsafe { drop(Box::from_raw(Box::from_raw(managed).manager_ctx.cast::<Context>())) }
}

/// A tensor of another library. Dropping it returns the tensor to its producer by calling the deleter.
#[derive(Debug)]
pub struct Imported {
    layout: Layout,
    /// The first element; any aligned address if there are no elements.
    start: NonNull<u8>,
    is_read_only: bool,
    /// Dropped last.
    _owner: Owner,
}

/// Calls the deleter when dropped.
#[derive(Debug)]
enum Owner {
    Versioned(NonNull<DLManagedTensorVersioned>),
    Legacy(NonNull<DLManagedTensor>),
    /// The producer keeps the tensor.
    Borrowed,
}

impl Drop for Owner {
    fn drop(&mut self) {
        match self {
            Owner::Versioned(managed) => {
                // SAFETY: the pointer is valid until its deleter is called, which happens only here. The deleter has
                // the same offset in all major versions.
                let deleter = unsafe { (*managed.as_ptr()).deleter };
                if let Some(deleter) = deleter {
                    // SAFETY: as above; the tensor is not used any more.
                    unsafe { deleter(managed.as_ptr()) }
                }
            }
            Owner::Legacy(managed) => {
                // SAFETY: as above.
                let deleter = unsafe { (*managed.as_ptr()).deleter };
                if let Some(deleter) = deleter {
                    // SAFETY: as above.
                    unsafe { deleter(managed.as_ptr()) }
                }
            }
            Owner::Borrowed => {}
        }
    }
}

impl Imported {
    /// Takes ownership of a tensor, and with it the duty to call its deleter, even if the tensor is refused.
    ///
    /// # Errors
    /// (D1) to (D7) of [`crate::dlpack`].
    ///
    /// # Safety
    /// The pointer is null, or it points to a managed tensor that conforms to the DLPack specification. Its deleter has
    /// not been called, and no other code will call it. Until the result is dropped, no other code writes the elements
    /// while they are borrowed, or reads them while they are borrowed for a result.
    pub unsafe fn from_versioned(
        managed: *mut DLManagedTensorVersioned,
    ) -> Result<Imported, DlpackError> {
        let managed = NonNull::new(managed).ok_or(DlpackError::Null)?;
        let owner = Owner::Versioned(managed);
        // SAFETY: it is a managed tensor; its version has the same offset in all of them.
        let DLPackVersion { major, minor } = unsafe { (*managed.as_ptr()).version };
        if major != VERSION.major {
            return Err(DlpackError::Version { major, minor });
        }
        // SAFETY: it has the layout of major version 1.
        let (tensor, flags) =
            unsafe { (&raw const (*managed.as_ptr()).dl_tensor, (*managed.as_ptr()).flags) };
        // SAFETY: by contract the tensor is as specified.
        unsafe { Imported::new(tensor, flags & READ_ONLY != 0, owner) }
    }

    /// Like [`Imported::from_versioned`], for the structure without a version, which cannot be marked read-only.
    ///
    /// # Errors
    /// (D1) and (D3) to (D7) of [`crate::dlpack`].
    ///
    /// # Safety
    /// As for [`Imported::from_versioned`].
    pub unsafe fn from_legacy(managed: *mut DLManagedTensor) -> Result<Imported, DlpackError> {
        let managed = NonNull::new(managed).ok_or(DlpackError::Null)?;
        let owner = Owner::Legacy(managed);
        // SAFETY: it is a managed tensor, and by contract as specified.
        unsafe { Imported::new(&raw const (*managed.as_ptr()).dl_tensor, false, owner) }
    }

    /// Like [`Imported::from_versioned`], for a tensor that its producer keeps: no deleter is called.
    ///
    /// # Errors
    /// (D1) and (D3) to (D7) of [`crate::dlpack`].
    ///
    /// # Safety
    /// The pointer is null, or it points to a tensor that conforms to the DLPack specification, and whose elements live until
    /// the result is dropped. Until then, no other code writes the elements while they are borrowed, or reads them while
    /// they are borrowed for a result.
    pub unsafe fn borrowed(
        tensor: *const DLTensor,
        is_read_only: bool,
    ) -> Result<Imported, DlpackError> {
        if tensor.is_null() {
            return Err(DlpackError::Null);
        }
        // SAFETY: by contract the tensor is as specified.
        unsafe { Imported::new(tensor, is_read_only, Owner::Borrowed) }
    }

    /// Like [`Imported::borrowed`], for the structure with a version, which may be marked read-only. The tensor is read-only if it
    /// is marked, or `is_read_only`.
    ///
    /// # Errors
    /// (D1) to (D7) of [`crate::dlpack`].
    ///
    /// # Safety
    /// As for [`Imported::borrowed`], with a pointer to a managed tensor.
    pub unsafe fn borrowed_versioned(
        managed: *const DLManagedTensorVersioned,
        is_read_only: bool,
    ) -> Result<Imported, DlpackError> {
        if managed.is_null() {
            return Err(DlpackError::Null);
        }
        // SAFETY: it is a managed tensor; its version has the same offset in all of them.
        let DLPackVersion { major, minor } = unsafe { (*managed).version };
        if major != VERSION.major {
            return Err(DlpackError::Version { major, minor });
        }
        // SAFETY: it has the layout of major version 1.
        let (tensor, flags) = unsafe { (&raw const (*managed).dl_tensor, (*managed).flags) };
        // SAFETY: by contract the tensor is as specified.
        unsafe { Imported::new(tensor, is_read_only || flags & READ_ONLY != 0, Owner::Borrowed) }
    }

    /// # Safety
    /// The tensor conforms to the specification, and lives as long as `owner`.
    unsafe fn new(
        tensor: *const DLTensor,
        is_read_only: bool,
        owner: Owner,
    ) -> Result<Imported, DlpackError> {
        // The argument is not a reference, since that would have to live until the return, after an error has called
        // the deleter.
        // SAFETY: by contract; `owner` is dropped after the last use.
        let tensor = unsafe { &*tensor };
        let rank = tensor.ndim;
        let entries = |start: *const i64| {
            let count =
                usize::try_from(rank).ok().filter(|count| *count > 0 && !start.is_null())?;
            // SAFETY: if the pointer is not null, it has as many entries as the tensor has dimensions.
            Some(unsafe { slice::from_raw_parts(start, count) }.to_vec())
        };
        let layout = check(&Description {
            address: tensor.data.addr(),
            device_type: tensor.device.device_type,
            rank,
            element: tensor.dtype,
            shape: entries(tensor.shape),
            strides: entries(tensor.strides),
            byte_offset: tensor.byte_offset,
        })?;
        let start = match NonNull::new(tensor.data.cast::<u8>()) {
            // SAFETY: the first element is in the same allocation (the check proved that there is one, and that the sum
            // does not overflow).
            Some(data) if layout.bytes > 0 => unsafe { data.byte_add(layout.byte_offset) },
            _ => nowhere(),
        };
        Ok(Imported { layout, start, is_read_only, _owner: owner })
    }

    /// The type of all elements.
    pub fn element_type(&self) -> ElementType {
        self.layout.element_type
    }

    /// The sizes, in elements, the slowest dimension first.
    pub fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    /// True if the producer forbids writing the elements.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// The elements in place, as a kernel's [input](crate::kernel::Argument::Raw). A call refuses them as a result.
    ///
    /// # Errors
    /// (D8), (D9), or [`DlpackError::Tensor`] for a boolean that is neither 0 nor 1.
    pub fn input(&self) -> Result<RawBuffer<'_>, DlpackError> {
        let start = self.in_place()?;
        if self.element_type() == ElementType::Bool {
            // SAFETY: (D6), (D7), (D8): this many elements are at `start`; by contract they are not written meanwhile.
            let bytes = unsafe { slice::from_raw_parts(start.as_ptr(), self.layout.bytes) };
            if let Some(i) = bytes.iter().position(|byte| *byte > 1) {
                let mut rest = i;
                let mut index: Vec<usize> = (self.shape().iter().rev())
                    .map(|size| {
                        let index = rest % size;
                        rest /= size;
                        index
                    })
                    .collect();
                index.reverse();
                return Err(TensorError::NotBool { value: bytes[i], index }.into());
            }
        }
        // SAFETY: as above, for as long as `self` is borrowed; the buffer is not written.
        let buffer = unsafe { RawBuffer::new(start, self.element_type(), self.shape()) };
        Ok(buffer?.read_only())
    }

    /// The elements in place, as a kernel's [result](crate::kernel::Argument::Raw).
    ///
    /// # Errors
    /// (D8), (D9), (D10).
    pub fn output(&mut self) -> Result<RawBuffer<'_>, DlpackError> {
        if self.is_read_only {
            return Err(DlpackError::ReadOnly);
        }
        let start = self.in_place()?;
        // SAFETY: (D6), (D7), (D8): this many elements are at `start`; by contract no other code accesses them while
        // `self` is borrowed exclusively.
        Ok(unsafe { RawBuffer::new(start, self.element_type(), self.shape()) }?)
    }

    /// Checks (D8) and (D9).
    fn in_place(&self) -> Result<NonNull<u8>, DlpackError> {
        if !self.layout.is_dense {
            let (shape, strides) = (self.layout.shape.clone(), self.layout.strides.clone());
            return Err(DlpackError::NotDense { shape, strides });
        }
        if !self.start.addr().get().is_multiple_of(ALIGNMENT) {
            return Err(DlpackError::Alignment(self.start.addr().get()));
        }
        Ok(self.start)
    }

    /// Copies the elements, whatever the strides and alignment.
    ///
    /// # Errors
    /// [`DlpackError::Tensor`] if memory cannot be allocated, or for a boolean that is neither 0 nor 1.
    pub fn to_tensor(&self) -> Result<Tensor, DlpackError> {
        let Layout { element_type, ref shape, ref strides, bytes, .. } = self.layout;
        let no_memory = |_| TensorError::TooLarge { element_type, shape: shape.clone() };
        let mut copy = AlignedBytes::zeros(bytes).map_err(no_memory)?;
        let size = if self.layout.is_dense { bytes } else { element_type.size_in_bytes() };
        let mut index = vec![0; shape.len()];
        for element in copy.chunks_exact_mut(size.max(1)) {
            let steps = index.iter().zip(strides).map(|(i, stride)| *i as i64 * stride);
            let offset = steps.sum::<i64>() as isize * element_type.size_in_bytes() as isize;
            // SAFETY: (D6) nothing overflows; by contract there is an element at each index, and all of them are at
            // `start` if they are dense (then one copy, at index 0, is enough). The copy is in separate memory.
            unsafe {
                let from = self.start.byte_offset(offset);
                ptr::copy_nonoverlapping(from.as_ptr(), element.as_mut_ptr(), size);
            }
            advance(&mut index, shape);
        }
        Ok(Tensor::from_aligned(element_type, shape, copy)?)
    }

    /// True if the elements can be used where they are: (D8) and (D9).
    pub fn is_in_place(&self) -> bool {
        self.in_place().is_ok()
    }

    /// Checks that a result can be copied to the elements.
    ///
    /// # Errors
    /// (D10), (D11).
    pub fn check_result(&self) -> Result<(), DlpackError> {
        let Layout { ref shape, ref strides, is_dense, .. } = self.layout;
        match () {
            () if self.is_read_only => Err(DlpackError::ReadOnly),
            () if is_dense || are_distinct(shape, strides) => Ok(()),
            () => Err(DlpackError::Shared { shape: shape.clone(), strides: strides.clone() }),
        }
    }

    /// Writes the elements of a tensor of the same type and shape, whatever the strides and alignment.
    ///
    /// # Errors
    /// (D10), (D11), or [`DlpackError::Mismatch`] if the type or the shape differs.
    pub fn copy_from(&mut self, tensor: &Tensor) -> Result<(), DlpackError> {
        self.check_result()?;
        let Layout { element_type, ref shape, ref strides, bytes, is_dense, .. } = self.layout;
        if (tensor.element_type(), tensor.shape()) != (element_type, &shape[..]) {
            let found = (tensor.element_type(), tensor.shape().to_vec());
            return Err(DlpackError::Mismatch { found, expected: (element_type, shape.clone()) });
        }
        let size = if is_dense { bytes } else { element_type.size_in_bytes() };
        let mut index = vec![0; shape.len()];
        for element in tensor.bytes().chunks_exact(size.max(1)) {
            let steps = index.iter().zip(strides).map(|(i, stride)| *i as i64 * stride);
            let offset = steps.sum::<i64>() as isize * element_type.size_in_bytes() as isize;
            // SAFETY: as in `to_tensor`; by contract no other code accesses the elements while `self` is borrowed
            // exclusively.
            unsafe {
                let to = self.start.byte_offset(offset);
                ptr::copy_nonoverlapping(element.as_ptr(), to.as_ptr(), size);
            }
            advance(&mut index, shape);
        }
        Ok(())
    }
}

/// Advances to the next index in row-major order; after the last index, to the first.
fn advance(index: &mut [usize], shape: &[usize]) {
    for (i, size) in index.iter_mut().zip(shape).rev() {
        *i += 1;
        if *i < *size {
            return;
        }
        *i = 0;
    }
}

/// An address that kernels accept for a buffer without elements.
fn nowhere() -> NonNull<u8> {
    const { NonNull::without_provenance(std::num::NonZeroUsize::new(ALIGNMENT).expect("not 0")) }
}

#[cfg(test)]
mod tests;

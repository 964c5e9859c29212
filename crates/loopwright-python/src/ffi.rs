//! Memory of Python objects as DLPack's tables. All `unsafe` code of the crate.

use loopwright_runtime::dlpack::{
    CPU, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLTensor, DlpackError, Imported,
    data_type,
};
use loopwright_runtime::tensor::ElementType;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// The memory of an array that an object lends for a run.
pub struct Lent<'a> {
    table: Table,
    /// The object that owns the memory.
    owner: PhantomData<&'a ()>,
}

enum Table {
    Versioned(NonNull<DLManagedTensorVersioned>),
    Legacy(NonNull<DLManagedTensor>),
    Ours(Box<OwnTable>),
}

/// A table of ours; the tensor points to the vectors.
struct OwnTable {
    tensor: DLTensor,
    is_read_only: bool,
    _sizes: Vec<i64>,
    _strides: Vec<i64>,
}

// SAFETY: the tables and the elements may be read on any thread. The owner is not dropped while they are in use.
unsafe impl Send for Lent<'_> {}

/// An array in memory.
pub struct ArrayMemory {
    pub address: usize,
    pub element_type: ElementType,
    pub sizes: Vec<i64>,
    /// In elements.
    pub strides: Vec<i64>,
    pub is_read_only: bool,
}

impl<'a> Lent<'a> {
    /// The tensor of a capsule that a method `__dlpack__` has returned; none for a capsule of something else. The capsule keeps the
    /// tensor, and its destructor frees it.
    pub fn of_capsule(capsule: &'a Bound<PyCapsule>) -> Option<Lent<'a>> {
        let versioned = capsule.pointer_checked(Some(c"dltensor_versioned"));
        let table = match versioned {
            Ok(pointer) => Table::Versioned(pointer.cast()),
            Err(_) => Table::Legacy(capsule.pointer_checked(Some(c"dltensor")).ok()?.cast()),
        };
        Some(Lent { table, owner: PhantomData })
    }

    /// The memory that `_owner`, an array of NumPy or an object of ours, states to own.
    pub fn of_memory(memory: ArrayMemory, _owner: &'a Bound<PyAny>) -> Lent<'a> {
        let ArrayMemory { address, element_type, mut sizes, mut strides, is_read_only } = memory;
        let tensor = DLTensor {
            data: std::ptr::with_exposed_provenance_mut::<c_void>(address),
            device: DLDevice { device_type: CPU, device_id: 0 },
            ndim: sizes.len() as i32,
            dtype: data_type(element_type),
            shape: sizes.as_mut_ptr(),
            strides: strides.as_mut_ptr(),
            byte_offset: 0,
        };
        let table = OwnTable { tensor, is_read_only, _sizes: sizes, _strides: strides };
        Lent { table: Table::Ours(Box::new(table)), owner: PhantomData }
    }

    /// The tensor for a run; `is_read_only` forbids results.
    pub fn imported(&self, is_read_only: bool) -> Result<Imported, DlpackError> {
        match &self.table {
            // SAFETY: the capsule has a tensor as DLPack specifies it, and lives as long as `self`, which outlives the run. That no
            // other code writes the elements meanwhile is the promise of who calls a function.
            Table::Versioned(managed) => unsafe {
                Imported::borrowed_versioned(managed.as_ptr(), is_read_only)
            },
            // SAFETY: as above.
            Table::Legacy(managed) => unsafe {
                Imported::borrowed(&raw const (*managed.as_ptr()).dl_tensor, is_read_only)
            },
            // SAFETY: as above; the owner has memory of these sizes.
            Table::Ours(table) => unsafe {
                Imported::borrowed(&raw const table.tensor, is_read_only || table.is_read_only)
            },
        }
    }
}

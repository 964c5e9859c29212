//! What needs `unsafe`: mapped files, and constants of MLIR that refer to them.

use bytes::Bytes;
use melior::StringRef;
use melior::ir::{Attribute, Type, TypeLike};
use memmap2::Mmap;
use mlir_sys::mlirUnmanagedDenseResourceElementsAttrGet;
use std::ffi::c_void;
use std::fs::File;

/// The bytes of a file that is not empty.
pub fn map(file: &File) -> std::io::Result<Bytes> {
    // SAFETY: the map is only read. A file that another program changes meanwhile can change the bytes that are seen, as it
    // can for each reader of the file: nothing relies on bytes staying equal after they were checked.
    let map = unsafe { Mmap::map(file)? };
    Ok(Bytes::from_owner(map))
}

/// A `dense_resource` of a tensor type: the context holds the bytes, and does not copy them.
pub fn resource<'c>(ty: Type<'c>, name: &str, bytes: Bytes) -> Attribute<'c> {
    let (data, length) = (bytes.as_ptr().cast_mut().cast::<c_void>(), bytes.len());
    // The bytes are aligned at least to this; 64 is what vectors like best.
    let alignment = 1usize << data.addr().trailing_zeros().min(6);
    let owner = Box::into_raw(Box::new(bytes)).cast::<c_void>();
    // SAFETY: `data` points to `length` bytes that `owner` keeps alive, and they are not written (`dataIsMutable` is false).
    // `release` frees the owner once, when the context gives up the blob.
    let raw = unsafe {
        mlirUnmanagedDenseResourceElementsAttrGet(
            ty.to_raw(),
            StringRef::new(name).to_raw(),
            data,
            length,
            alignment,
            false,
            Some(release),
            owner,
        )
    };
    // SAFETY: the attribute belongs to the context of its type.
    unsafe { Attribute::from_raw(raw) }
}

/// Frees the owner of a resource's bytes.
unsafe extern "C" fn release(owner: *mut c_void, _: *const c_void, _: usize, _: usize) {
    // SAFETY: `resource` made the pointer from a box, and MLIR calls this once.
    drop(unsafe { Box::from_raw(owner.cast::<Bytes>()) });
}

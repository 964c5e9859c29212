//! The metadata of models.

use super::memory::{allocate_by, allocated_text, write_text};
use super::{Held, guarded, held, put, put_new, text};
use crate::failure::Failure;
use crate::metadata::Metadata;
use crate::options::entry;
use crate::session::Session;
use ort::sys::{OrtAllocator, OrtModelMetadata, OrtSession, OrtStatusPtr};
use std::ffi::c_char;
use std::ptr::null_mut;

impl Held for Metadata {
    type Opaque = OrtModelMetadata;
}

/// The metadata of the model of a session.
pub unsafe extern "system" fn of_session(
    session: *const OrtSession,
    out: *mut *mut OrtModelMetadata,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let session = held::<Session>(session, "session")?;
        put_new(out, || Ok(session.metadata.clone()))
    })
}

/// Writes a text of the metadata.
///
/// # Safety
/// See `ffi`.
unsafe fn put_text(
    metadata: *const OrtModelMetadata,
    allocator: *mut OrtAllocator,
    out: *mut *mut c_char,
    text: impl FnOnce(&Metadata) -> &str,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let metadata = held::<Metadata>(metadata, "model_metadata")?;
        write_text(allocator, out, text(metadata))
    })
}

/// Defines functions that write a text of the metadata.
macro_rules! metadata_texts {
    ($($(#[$doc:meta])* $name:ident => $field:ident;)*) => {$(
        $(#[$doc])*
        pub unsafe extern "system" fn $name(
            metadata: *const OrtModelMetadata,
            allocator: *mut OrtAllocator,
            out: *mut *mut c_char,
        ) -> OrtStatusPtr {
            // SAFETY: see `ffi`.
            unsafe { put_text(metadata, allocator, out, |it| &it.$field) }
        }
    )*};
}

metadata_texts! {
    /// The name of the producer.
    producer => producer;
    /// The name of the graph.
    graph_name => graph_name;
    /// The domain of the model.
    domain => domain;
    /// The description of the model.
    description => description;
    /// The description of the graph.
    graph_description => graph_description;
}

/// The version of the model.
pub unsafe extern "system" fn version(
    metadata: *const OrtModelMetadata,
    out: *mut i64,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<Metadata>(metadata, "model_metadata")?.version) })
}

/// The value of a custom key; null if there is none.
pub unsafe extern "system" fn lookup(
    metadata: *const OrtModelMetadata,
    allocator: *mut OrtAllocator,
    key: *const c_char,
    out: *mut *mut c_char,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let metadata = held::<Metadata>(metadata, "model_metadata")?;
        let value = entry(&metadata.custom, text(key, "key")?);
        match value {
            Some(value) => write_text(allocator, out, value),
            None => put(out, null_mut()),
        }
    })
}

/// The custom keys. The array and each key are memory of the allocator.
pub unsafe extern "system" fn keys(
    metadata: *const OrtModelMetadata,
    allocator: *mut OrtAllocator,
    out: *mut *mut *mut c_char,
    count: *mut i64,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`; the block has a place for each key.
    guarded(|| unsafe {
        let custom = &held::<Metadata>(metadata, "model_metadata")?.custom;
        let size = custom.len() * size_of::<*mut c_char>();
        let keys: Vec<_> = custom
            .iter()
            .map(|(key, _)| allocated_text(allocator, key))
            .collect::<Result<_, Failure>>()?;
        let block = match size {
            0 => null_mut(),
            _ => allocate_by(allocator, size)?.cast::<*mut c_char>(),
        };
        keys.iter().enumerate().for_each(|(i, key)| block.add(i).write(*key));
        put(out, block)?;
        put(count, keys.len() as i64)
    })
}

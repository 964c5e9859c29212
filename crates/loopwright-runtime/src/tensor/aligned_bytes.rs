//! Bytes whose first stands at a multiple of 64: a cache line, and a vector of AVX-512.
//!
//! ```text
//! storage: [ 0 .. 63 bytes to the next multiple of 64 | the bytes ]
//! ```
//! A `Vec` has no alignment to ask for, but its allocation stays where it is while it does not grow, also
//! when the `Vec` is moved. So the bytes begin where the address is right, and the `Vec` never grows.

use std::collections::TryReserveError;
use std::fmt;
use std::io::{self, Read};
use std::ops::{Deref, DerefMut};

/// The alignment, in bytes.
pub const ALIGNMENT: usize = 64;

pub(crate) struct AlignedBytes {
    storage: Vec<u8>,
    start: usize,
}

impl AlignedBytes {
    /// Zeros. Fails if memory is not given.
    pub fn zeros(len: usize) -> Result<AlignedBytes, TryReserveError> {
        let mut bytes = AlignedBytes::try_with_capacity(len)?;
        bytes.storage.resize(bytes.start + len, 0);
        Ok(bytes)
    }

    /// The bytes of a vector, copied unless they happen to be aligned. Fails if memory is not given.
    pub fn from_vec(vec: Vec<u8>) -> Result<AlignedBytes, TryReserveError> {
        AlignedBytes { storage: vec, start: 0 }.aligned()
    }

    /// What a reader gives, up to `limit` bytes. Of a reader that has `hint` bytes nothing is copied twice;
    /// a wrong hint costs time, not memory beyond it.
    pub fn read(reader: impl Read, limit: u64, hint: usize) -> io::Result<AlignedBytes> {
        let mut bytes = AlignedBytes::try_with_capacity(hint)?;
        reader.take(limit).read_to_end(&mut bytes.storage)?;
        Ok(bytes.aligned()?)
    }

    fn try_with_capacity(len: usize) -> Result<AlignedBytes, TryReserveError> {
        let mut storage = Vec::new();
        storage.try_reserve_exact(len.saturating_add(ALIGNMENT - 1))?;
        Ok(AlignedBytes::begin(storage))
    }

    /// Begins in a vector that is empty and has 63 bytes of capacity more than there will be bytes.
    fn begin(mut storage: Vec<u8>) -> AlignedBytes {
        let start = storage.as_ptr().addr().wrapping_neg() % ALIGNMENT;
        storage.resize(start, 0);
        AlignedBytes { storage, start }
    }

    /// Copies the bytes if their vector did grow.
    fn aligned(self) -> Result<AlignedBytes, TryReserveError> {
        if self.as_ptr().addr().is_multiple_of(ALIGNMENT) {
            return Ok(self);
        }
        let mut copy = AlignedBytes::try_with_capacity(self.len())?;
        copy.storage.extend_from_slice(&self);
        Ok(copy)
    }
}

impl Deref for AlignedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.storage[self.start..]
    }
}

impl DerefMut for AlignedBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.storage[self.start..]
    }
}

impl Clone for AlignedBytes {
    fn clone(&self) -> Self {
        let mut copy = AlignedBytes::begin(Vec::with_capacity(self.len() + ALIGNMENT - 1));
        copy.storage.extend_from_slice(self);
        copy
    }
}

impl PartialEq for AlignedBytes {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for AlignedBytes {}

impl fmt::Debug for AlignedBytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(bytes: &AlignedBytes) -> usize {
        bytes.as_ptr().addr() % ALIGNMENT
    }

    #[test]
    fn however_they_are_made_they_are_aligned() {
        for len in [0, 1, 63, 64, 65, 1000, 300_000] {
            let data: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let bytes = AlignedBytes::from_vec(data.clone()).expect("small");
            for bytes in [bytes.clone(), bytes] {
                assert_eq!((&*bytes, address(&bytes)), (&data[..], 0));
            }
            let zeros = AlignedBytes::zeros(len).expect("small");
            assert_eq!((zeros.len(), address(&zeros)), (len, 0));
            assert!(zeros.iter().all(|byte| *byte == 0));
        }
    }

    #[test]
    fn what_is_read_is_aligned_whatever_the_hint() {
        let data: Vec<u8> = (0..1000).map(|i| i as u8).collect();
        for hint in [0, 1, 999, 1000, 1001, 5000] {
            let bytes = AlignedBytes::read(&data[..], u64::MAX, hint).expect("no error to read");
            assert_eq!((&*bytes, address(&bytes)), (&data[..], 0), "hint {hint}");
            let bytes = AlignedBytes::read(&data[..], 10, hint).expect("no error to read");
            assert_eq!((&*bytes, address(&bytes)), (&data[..10], 0), "hint {hint}");
        }
    }

    #[test]
    fn memory_that_is_not_given_is_an_error() {
        assert!(AlignedBytes::zeros(usize::MAX).is_err());
        assert!(AlignedBytes::zeros(isize::MAX as usize).is_err());
    }
}

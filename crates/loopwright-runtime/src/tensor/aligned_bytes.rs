//! The bytes of a tensor: aligned, with exactly the requested length.

use crate::ffi::memory::{Memory, OutOfMemory};
use std::alloc::{self, Layout};
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::ops::{Deref, DerefMut};

pub use crate::ffi::memory::ALIGNMENT;

/// Bytes that start at a multiple of [`ALIGNMENT`]; 2 MiB or more are on huge pages if the system has them.
pub(crate) struct AlignedBytes {
    memory: Memory,
    len: usize,
}

impl AlignedBytes {
    /// Allocates zeros. Fails if memory cannot be allocated.
    pub fn zeros(len: usize) -> Result<AlignedBytes, OutOfMemory> {
        Ok(AlignedBytes { memory: Memory::zeros(len)?, len })
    }

    /// Copies bytes. Fails if memory cannot be allocated.
    pub fn copy_of(bytes: &[u8]) -> Result<AlignedBytes, OutOfMemory> {
        Ok(AlignedBytes { memory: Memory::copy_of(bytes)?, len: bytes.len() })
    }

    /// Reads up to `limit` bytes. If the reader has `hint` bytes, no byte is copied twice. A wrong hint costs time, but
    /// no memory beyond it.
    pub fn read(mut reader: impl Read, limit: u64, hint: usize) -> io::Result<AlignedBytes> {
        let hint = hint.min(usize::try_from(limit).unwrap_or(usize::MAX));
        let mut bytes = AlignedBytes::zeros(hint).map_err(|_| ErrorKind::OutOfMemory)?;
        bytes.len = fill(&mut reader, &mut bytes.memory)?;
        let mut rest = vec![];
        if bytes.len == hint {
            reader.take(limit - hint as u64).read_to_end(&mut rest)?;
        }
        if rest.is_empty() {
            return Ok(bytes);
        }
        let mut all = AlignedBytes::zeros(hint + rest.len()).map_err(|_| ErrorKind::OutOfMemory)?;
        all[..hint].copy_from_slice(&bytes);
        all[hint..].copy_from_slice(&rest);
        Ok(all)
    }
}

/// Reads until the bytes are full or the reader is at its end; returns the number of bytes read.
fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

impl Deref for AlignedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[..self.len]
    }
}

impl DerefMut for AlignedBytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[..self.len]
    }
}

impl Clone for AlignedBytes {
    fn clone(&self) -> Self {
        // Panics without memory, as `Vec` does: `Clone` cannot return an error.
        AlignedBytes::copy_of(self)
            .unwrap_or_else(|_| alloc::handle_alloc_error(Layout::for_value(&**self)))
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
            let bytes = AlignedBytes::copy_of(&data).expect("small");
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
    fn a_reader_may_give_little_at_a_time() {
        struct Slow(usize);
        impl Read for Slow {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                match self.0 {
                    ..40 if self.0.is_multiple_of(2) => Err(ErrorKind::Interrupted.into()),
                    ..40 => {
                        buffer[0] = self.0 as u8;
                        Ok(1)
                    }
                    40 => Ok(0),
                    _ => Err(ErrorKind::Other.into()),
                }
            }
        }
        for hint in [0, 10, 20, 21] {
            let bytes = AlignedBytes::read(Slow(0), 21, hint).expect("no lasting error");
            let expected: Vec<u8> = (0..20).map(|i| 2 * i + 1).collect();
            assert_eq!((&*bytes, address(&bytes)), (&expected[..], 0), "hint {hint}");
        }
        assert!(AlignedBytes::read(Slow(40), 60, 10).is_err());
    }

    #[test]
    fn memory_that_is_not_given_is_an_error() {
        assert!(AlignedBytes::zeros(usize::MAX).is_err());
        assert!(AlignedBytes::zeros(isize::MAX as usize).is_err());
    }
}

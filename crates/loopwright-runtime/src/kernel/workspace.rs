//! The scratch memory of kernels.

use crate::ffi::memory::{Memory, OutOfMemory};

/// Memory that calls use one after another, so that only the first call allocates. It grows to the largest size that a
/// call needs, and is freed when dropped.
#[derive(Default)]
pub struct Workspace {
    memory: Option<Memory>,
}

impl Workspace {
    /// Its current size in bytes.
    pub fn bytes(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.len())
    }

    /// Returns at least `bytes` bytes of undefined contents. If the allocation fails, the workspace is empty.
    pub(crate) fn at_least(&mut self, bytes: usize) -> Result<&mut [u8], OutOfMemory> {
        if self.memory.as_ref().is_none_or(|memory| memory.len() < bytes) {
            // Free the old memory first.
            self.memory = None;
            self.memory = Some(Memory::zeros(bytes)?);
        }
        Ok(self.memory.as_deref_mut().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::ALIGNMENT;

    #[test]
    fn it_grows_and_stays() {
        let mut workspace = Workspace::default();
        assert_eq!(workspace.bytes(), 0);
        for (asked, has) in [(0, 0), (10, 10), (0, 10), (5, 10), (4 << 20, 4 << 20), (11, 4 << 20)]
        {
            let bytes = workspace.at_least(asked).expect("a few megabytes");
            assert!(bytes.len() >= asked && bytes.as_ptr().addr().is_multiple_of(ALIGNMENT));
            assert_eq!(workspace.bytes(), has);
        }
        let address = workspace.at_least(1).expect("it has that").as_ptr();
        assert_eq!(workspace.at_least(4 << 20).expect("it has that").as_ptr(), address);
        assert!(workspace.at_least(usize::MAX).is_err());
        assert_eq!(workspace.bytes(), 0);
        assert!(workspace.at_least(10).is_ok());
    }
}

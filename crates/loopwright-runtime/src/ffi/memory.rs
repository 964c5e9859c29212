//! Aligned memory: small from the allocator, large on huge pages of the system.

use memmap2::MmapMut;
use std::alloc::{self, Layout};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::slice;

/// The minimum alignment in bytes: a cache line, which is also an AVX-512 vector.
pub const ALIGNMENT: usize = 64;

/// The size of a huge page in bytes. Allocations of this size or more are aligned to it, and the system is asked for
/// huge pages: memory-bound kernels are 20 to 35 % faster on them.
pub(crate) const HUGE_PAGE: usize = 2 << 20;

/// The system cannot allocate this much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{bytes} bytes do not fit in memory")]
pub(crate) struct OutOfMemory {
    pub bytes: usize,
}

/// A fixed number of initialised bytes at a multiple of [`ALIGNMENT`], or of [`HUGE_PAGE`].
pub(crate) enum Memory {
    /// Less than a huge page. Nothing was allocated for a size of 0.
    Allocated { start: NonNull<u8>, layout: Layout },
    /// Whole pages of the system, which are zero and have no memory until they are written. The bytes begin at `offset`.
    Mapped { pages: MmapMut, offset: usize, bytes: usize },
}

impl Memory {
    /// Allocates zeros.
    pub fn zeros(bytes: usize) -> Result<Memory, OutOfMemory> {
        if bytes >= HUGE_PAGE {
            return Memory::mapped(bytes);
        }
        let layout =
            Layout::from_size_align(bytes, ALIGNMENT).map_err(|_| OutOfMemory { bytes })?;
        if bytes == 0 {
            return Ok(Memory::Allocated { start: layout.dangling_ptr(), layout });
        }
        // SAFETY: the layout's size is not 0.
        let start = NonNull::new(unsafe { alloc::alloc_zeroed(layout) });
        Ok(Memory::Allocated { start: start.ok_or(OutOfMemory { bytes })?, layout })
    }

    /// Copies bytes.
    pub fn copy_of(bytes: &[u8]) -> Result<Memory, OutOfMemory> {
        let mut copy = Memory::zeros(bytes.len())?;
        copy.copy_from_slice(bytes);
        Ok(copy)
    }

    /// Maps pages of the system, with one huge page more than is needed, to start at a multiple of its size.
    fn mapped(bytes: usize) -> Result<Memory, OutOfMemory> {
        let error = OutOfMemory { bytes };
        let all = bytes.checked_add(HUGE_PAGE).ok_or(error)?;
        let pages = MmapMut::map_anon(all).map_err(|_| error)?;
        let start = pages.as_ptr().addr();
        let offset = start.next_multiple_of(HUGE_PAGE) - start;
        // Before the first write, because that write decides the page size. A failure costs only speed.
        #[cfg(target_os = "linux")]
        let _ = pages.advise_range(memmap2::Advice::HugePage, offset, bytes);
        Ok(Memory::Mapped { pages, offset, bytes })
    }
}

impl Deref for Memory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            // SAFETY: this many bytes are allocated and initialised, or the size is 0 and the address is aligned and not
            // null; `&self` permits reading them.
            Memory::Allocated { start, layout } => unsafe {
                slice::from_raw_parts(start.as_ptr(), layout.size())
            },
            Memory::Mapped { pages, offset, bytes } => &pages[*offset..][..*bytes],
        }
    }
}

impl DerefMut for Memory {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            // SAFETY: as in `deref`; `&mut self` gives exclusive access.
            Memory::Allocated { start, layout } => unsafe {
                slice::from_raw_parts_mut(start.as_ptr(), layout.size())
            },
            Memory::Mapped { pages, offset, bytes } => &mut pages[*offset..][..*bytes],
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Memory::Allocated { start, layout } = self
            && layout.size() > 0
        {
            // SAFETY: allocated with this layout, and no references remain.
            unsafe { alloc::dealloc(start.as_ptr(), *layout) };
        }
    }
}

// SAFETY: the bytes belong to the `Memory` alone, as those of a `Box<[u8]>` do.
unsafe impl Send for Memory {}
// SAFETY: as above; `&Memory` only reads.
unsafe impl Sync for Memory {}

/// Replaces the pages behind memory by huge pages if they can be, from Linux 6.1 on; their contents do not change. Ranges without
/// a whole huge page do not change. It is meant for memory that lives long and is read often, such as weights: replacing
/// copies each page once.
pub fn replace_by_huge_pages(range: Range<usize>) {
    let start = range.start.next_multiple_of(HUGE_PAGE);
    let bytes = (range.end - range.end % HUGE_PAGE).saturating_sub(start);
    if bytes > 0 {
        replace(start, bytes);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn replace(start: usize, bytes: usize) {
    let start = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: both kinds of advice change only the kind of pages behind the range, not their contents, so they are harmless for
    // any range. A failure costs only speed, so it is ignored.
    unsafe {
        let _ = libc::madvise(start, bytes, libc::MADV_HUGEPAGE);
        let _ = libc::madvise(start, bytes, libc::MADV_COLLAPSE);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn replace(_: usize, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_pages_have_the_same_contents() {
        let bytes: Vec<u8> = (0..5 * HUGE_PAGE).map(|i| (i % 251) as u8).collect();
        let range = bytes.as_ptr_range();
        replace_by_huge_pages(range.start.addr()..range.end.addr());
        assert!(bytes.iter().enumerate().all(|(i, byte)| usize::from(*byte) == i % 251));
        // Ranges without a whole huge page, and none at all.
        replace_by_huge_pages(range.start.addr()..range.start.addr() + 1);
        replace_by_huge_pages(0..0);
        replace_by_huge_pages(HUGE_PAGE + 1..HUGE_PAGE + 2);
    }

    #[test]
    fn small_ones_start_at_a_line_and_large_ones_at_a_huge_page() {
        for (bytes, alignment) in [
            (0, ALIGNMENT),
            (1, ALIGNMENT),
            (1000, ALIGNMENT),
            (HUGE_PAGE - 1, ALIGNMENT),
            (HUGE_PAGE, HUGE_PAGE),
            (HUGE_PAGE + 1, HUGE_PAGE),
            (5 * HUGE_PAGE, HUGE_PAGE),
        ] {
            let mut memory = Memory::zeros(bytes).expect("a few megabytes");
            assert_eq!((memory.len(), memory.as_ptr().addr() % alignment), (bytes, 0));
            assert!(memory.iter().all(|byte| *byte == 0));
            memory.fill(7);
            assert!(memory.iter().all(|byte| *byte == 7));
        }
    }

    #[test]
    fn memory_that_is_not_given_is_an_error() {
        for bytes in [usize::MAX, isize::MAX as usize, isize::MAX as usize - HUGE_PAGE] {
            let error = Memory::zeros(bytes).err().expect("more than there is");
            assert_eq!(error.to_string(), format!("{bytes} bytes do not fit in memory"));
        }
    }
}

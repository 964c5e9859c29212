//! Kernel arguments in memory that no tensor owns.

use crate::tensor::{ElementType, TensorError, size_in_bytes};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// Dense row-major elements that no tensor owns, borrowed for `'a`.
#[derive(Clone, Debug)]
pub struct RawBuffer<'a> {
    pub(crate) start: NonNull<u8>,
    pub(crate) bytes: usize,
    pub(crate) element_type: ElementType,
    pub(crate) shape: Vec<usize>,
    /// True if a call refuses the buffer as a result.
    pub(crate) is_read_only: bool,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl RawBuffer<'_> {
    /// The elements that begin at `start`.
    ///
    /// # Errors
    /// [`TensorError::TooLarge`] if no memory can hold a tensor of this shape.
    ///
    /// # Safety
    /// For `'a` any thread may read the elements, and no other code writes them. If the buffer is passed as a result,
    /// any thread may write the elements, and no other code reads or writes them ([`RawBuffer::read_only`] rules this
    /// use out). Booleans are 0 or 1.
    pub unsafe fn new<'a>(
        start: NonNull<u8>,
        element_type: ElementType,
        shape: &[usize],
    ) -> Result<RawBuffer<'a>, TensorError> {
        let bytes = size_in_bytes(element_type, shape)?;
        let (shape, is_read_only) = (shape.to_vec(), false);
        Ok(RawBuffer { start, bytes, element_type, shape, is_read_only, borrowed: PhantomData })
    }

    /// The same elements, read-only: a call refuses them as a result.
    pub fn read_only(self) -> Self {
        RawBuffer { is_read_only: true, ..self }
    }

    /// All elements.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: by the contract of `new` they may be read.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }

    /// All elements, if they may receive a result.
    pub(crate) fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        // SAFETY: by the contract of `new` they may be written.
        let bytes = || unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) };
        (!self.is_read_only).then(bytes)
    }

    /// The address of the first element; arbitrary if there are no elements.
    pub fn address(&self) -> usize {
        self.start.addr().get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::library::tests::{kernel, pool};
    use crate::kernel::Argument::{Index, Raw};
    use crate::kernel::CallError;
    use crate::tensor::{ALIGNMENT, Tensor};

    /// The f32 elements of a tensor from byte `offset` on.
    fn part<'a>(start: NonNull<u8>, offset: usize, shape: &[usize]) -> RawBuffer<'a> {
        // SAFETY: each test stays inside its tensor and keeps it until after the call.
        unsafe { RawBuffer::new(start.byte_add(offset), ElementType::F32, shape) }.expect("small")
    }

    fn scale(input: RawBuffer, output: RawBuffer) -> Result<(), CallError> {
        kernel("scale").call(&pool(2), &mut [Raw(input), Index(2), Raw(output)])
    }

    /// A tensor of `len` f32, and the address of its first element.
    fn tensor(len: usize) -> (Tensor, NonNull<u8>) {
        let mut tensor = Tensor::zeros(ElementType::F32, &[len]).expect("small");
        let start = NonNull::new(tensor.bytes_mut().as_mut_ptr()).expect("not null");
        (tensor, start)
    }

    #[test]
    fn kernels_work_on_memory_of_others() {
        let values: Vec<f64> = (0..64).map(f64::from).collect();
        let mut tensor = Tensor::from_f64s(ElementType::F32, &[64], &values).expect("small");
        let start = NonNull::new(tensor.bytes_mut().as_mut_ptr()).expect("not null");
        // Adjacent buffers do not overlap.
        scale(part(start, 0, &[4, 8]), part(start, 128, &[4, 8])).expect("the arguments fit");
        assert!((0..32).all(|i| tensor.get_f64(32 + i) == 2.0 * i as f64));
    }

    #[test]
    fn c6_addresses_that_are_not_aligned() {
        let (_tensor, start) = tensor(64);
        let error = scale(part(start, 4, &[1, 4]), part(start, 128, &[1, 4])).expect_err("by 4");
        let address = start.addr().get() + 4;
        let text =
            format!("scale: argument 0 is at address {address:#x}, expected a multiple of 64 (C6)");
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn c7_results_that_overlap() {
        let (_tensor, start) = tensor(256);
        for (input, output) in [(0, 0), (64, 0), (0, 64), (192, 0), (0, 192)] {
            let (input, output) = (part(start, input, &[7, 7]), part(start, output, &[7, 7]));
            let error = scale(input, output).expect_err("49 elements are 196 bytes");
            let text = "scale: argument 2 receives a result and overlaps argument 0, \
                        expected memory of its own (C7)";
            assert_eq!(error.to_string(), text);
        }
        for (input, output) in [(256, 0), (0, 256)] {
            let (input, output) = (part(start, input, &[7, 7]), part(start, output, &[7, 7]));
            scale(input, output).expect("there are 60 bytes between them");
        }
    }

    #[test]
    fn nothing_overlaps_nothing() {
        let (_tensor, start) = tensor(64);
        scale(part(start, 0, &[0, 7]), part(start, 0, &[0, 7])).expect("no element is shared");
        let error = scale(part(start, ALIGNMENT, &[0, 8]), part(start, 0, &[8, 8]));
        assert!(matches!(error, Err(CallError::Sizes { .. })), "refused later than overlaps are");
    }

    #[test]
    fn shapes_that_no_memory_holds_are_refused() {
        // SAFETY: there are no elements.
        let error = unsafe { RawBuffer::new(NonNull::dangling(), ElementType::F32, &[usize::MAX]) };
        assert!(matches!(error, Err(TensorError::TooLarge { .. })));
    }
}

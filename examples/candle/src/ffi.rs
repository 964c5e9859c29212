//! The unsafe code of the example: memory that is aligned for kernels, and a call on slices.

use loopwright_bindings::error::{ApiError, Code};
use loopwright_bindings::module::Function;
use loopwright_bindings::run::run;
use loopwright_runtime::dlpack::{CPU, DLDevice, DLTensor, Imported, data_type};
use loopwright_runtime::tensor::{ALIGNMENT, ElementType};
use std::alloc::{GlobalAlloc, Layout, System};

/// Aligns all memory of the program as kernels need it, so that they use the tensors of candle in place. Without it, the
/// tensors would be copied for each call.
pub struct Aligned;

fn aligned(layout: Layout) -> Layout {
    layout.align_to(ALIGNMENT).unwrap_or(layout)
}

// SAFETY: the system's allocator has the same contract. All functions change the layout in the same way.
unsafe impl GlobalAlloc for Aligned {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by contract.
        unsafe { System.alloc(aligned(layout)) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: by contract.
        unsafe { System.alloc_zeroed(aligned(layout)) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: by contract.
        unsafe { System.realloc(block, aligned(layout), size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: by contract.
        unsafe { System.dealloc(block, aligned(layout)) }
    }
}

/// Calls a function of two inputs and one result. Slices that begin at a multiple of [`ALIGNMENT`] bytes are used
/// in place.
///
/// # Errors
/// If the shapes do not fit the function.
pub fn call(
    function: &Function,
    inputs: [(&[f32], &[usize]); 2],
    result: (&mut [f32], &[usize]),
) -> Result<(), ApiError> {
    let (result, result_shape) = result;
    let shapes = [inputs[0].1, inputs[1].1, result_shape]
        .map(|shape| shape.iter().map(|size| *size as i64).collect::<Vec<_>>());
    let lengths = [inputs[0].0.len(), inputs[1].0.len(), result.len()];
    for (shape, length) in shapes.iter().zip(lengths) {
        if shape.iter().product::<i64>() != length as i64 {
            let message = format!("found {length} elements for the shape {shape:?}");
            return Err(ApiError::new(Code::Argument, message));
        }
    }
    let pointers =
        [inputs[0].0.as_ptr().cast_mut(), inputs[1].0.as_ptr().cast_mut(), result.as_mut_ptr()];
    let mut imported = vec![];
    for (i, (data, shape)) in pointers.into_iter().zip(&shapes).enumerate() {
        let table = DLTensor {
            data: data.cast(),
            device: DLDevice { device_type: CPU, device_id: 0 },
            ndim: shape.len() as i32,
            dtype: data_type(ElementType::F32),
            shape: shape.as_ptr().cast_mut(),
            strides: std::ptr::null_mut(),
            byte_offset: 0,
        };
        let is_input = i < inputs.len();
        // SAFETY: the slices have as many elements as the shapes, and are borrowed during the call.
        let borrowed = unsafe { Imported::borrowed(&table, is_input) };
        imported.push(borrowed.map_err(|it| ApiError::new(Code::Argument, it.to_string()))?);
    }
    run(function, imported)
}

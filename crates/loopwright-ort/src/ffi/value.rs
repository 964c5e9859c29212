//! Values: dense tensors in the memory of the CPU, which belongs to the value or to the program.

use super::memory::{MemoryInfo, cpu_memory};
use super::{Held, array, guarded, held, null_parameter, put, put_new};
use crate::failure::Failure;
use crate::tensor_type::{TensorType, memory_type, number_of, shape_text};
use loopwright_runtime::dlpack::{CPU, DLDevice, DLTensor, data_type};
use loopwright_runtime::tensor::Tensor;
use ort::sys::{
    ONNXTensorElementDataType, ONNXType, OrtAllocator, OrtMemoryInfo, OrtStatusPtr, OrtValue,
};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;

/// `OrtValue`. Clones share the elements.
#[derive(Clone)]
pub struct Value {
    pub ty: TensorType,
    /// The sizes of `ty`.
    sizes: Vec<i64>,
    /// The first element. The elements are accessed by this pointer only.
    data: *mut u8,
    /// Keeps the elements alive, if they are not the program's.
    _owner: Option<Arc<Tensor>>,
}

impl Held for Value {
    type Opaque = OrtValue;
}

impl Value {
    fn new(ty: TensorType, data: *mut u8, owner: Option<Arc<Tensor>>) -> Value {
        let sizes = ty.sizes.iter().map(|size| *size as i64).collect();
        Value { ty, sizes, data, _owner: owner }
    }

    /// A value with zeros, in memory of its own. It is aligned, so runs use it in place.
    pub fn zeros(ty: TensorType) -> Result<Value, Failure> {
        let mut tensor = Tensor::zeros(memory_type(ty.element), &ty.sizes)?;
        let data = tensor.bytes_mut().as_mut_ptr();
        Ok(Value::new(ty, data, Some(Arc::new(tensor))))
    }

    /// The value as DLPack describes it. The table refers to the sizes of the value.
    pub fn table(&self) -> DLTensor {
        DLTensor {
            data: self.data.cast(),
            device: DLDevice { device_type: CPU, device_id: 0 },
            ndim: self.sizes.len() as i32,
            dtype: data_type(memory_type(self.ty.element)),
            shape: self.sizes.as_ptr().cast_mut(),
            strides: null_mut(),
            byte_offset: 0,
        }
    }

    /// Copies the elements of a value of the same type.
    ///
    /// # Safety
    /// No other code accesses the elements of the values during the call.
    pub unsafe fn copy_from(&self, other: &Value) -> Result<(), Failure> {
        let bytes = other.ty.bytes()?;
        if bytes > 0 && self.ty == other.ty {
            // SAFETY: by contract; both have so many bytes, and may overlap.
            unsafe { self.data.copy_from(other.data, bytes) }
        }
        Ok(())
    }
}

/// Makes a value with memory of its own.
pub unsafe extern "system" fn create(
    _: *mut OrtAllocator,
    sizes: *const i64,
    rank: usize,
    element: ONNXTensorElementDataType,
    out: *mut *mut OrtValue,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let ty = TensorType::new(element, array(sizes, rank, "shape")?)?;
        put_new(out, || Value::zeros(ty))
    })
}

/// Makes a value of memory of the program, which lives as long as the value.
pub unsafe extern "system" fn create_with_data(
    memory: *const OrtMemoryInfo,
    data: *mut c_void,
    bytes: usize,
    sizes: *const i64,
    rank: usize,
    element: ONNXTensorElementDataType,
    out: *mut *mut OrtValue,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<MemoryInfo>(memory, "info")?;
        let ty = TensorType::new(element, array(sizes, rank, "shape")?)?;
        let expected = ty.bytes()?;
        if bytes < expected {
            let (element, shape) = (ty.element.word(), shape_text(&ty.sizes));
            return Err(Failure::argument(format!(
                "found {bytes} bytes for a tensor of {element} of the shape {shape}, expected {expected}"
            )));
        }
        if data.is_null() && expected > 0 {
            return Err(null_parameter("p_data"));
        }
        put_new(out, || Ok(Value::new(ty, data.cast(), None)))
    })
}

/// Writes 1: each value is a tensor.
pub unsafe extern "system" fn is_tensor(value: *const OrtValue, out: *mut c_int) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<Value>(value, "value")?;
        put(out, 1)
    })
}

/// Writes 0: no value is a sparse tensor.
pub unsafe extern "system" fn is_sparse(value: *const OrtValue, out: *mut c_int) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<Value>(value, "value")?;
        put(out, 0)
    })
}

/// The kind of the type of a value.
pub unsafe extern "system" fn kind(value: *const OrtValue, out: *mut ONNXType) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<Value>(value, "value")?;
        put(out, ONNXType::ONNX_TYPE_TENSOR)
    })
}

/// The first element.
pub unsafe extern "system" fn data_mut(
    value: *mut OrtValue,
    out: *mut *mut c_void,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`. Other threads may read the value, hence the shared reference.
    guarded(|| unsafe { put(out, held::<Value>(value, "value")?.data.cast()) })
}

/// The first element, to read it.
pub unsafe extern "system" fn data(
    value: *const OrtValue,
    out: *mut *const c_void,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<Value>(value, "value")?.data.cast_const().cast()) })
}

/// The element at an index.
pub unsafe extern "system" fn element_at(
    value: *mut OrtValue,
    index: *const i64,
    count: usize,
    out: *mut *mut c_void,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`; the element is one of the value.
    guarded(|| unsafe {
        let value = held::<Value>(value, "value")?;
        let index = array(index, count, "location_values")?;
        let sizes = &value.sizes;
        let is_inside = index.len() == sizes.len()
            && index.iter().zip(sizes).all(|(at, size)| (0..*size).contains(at));
        if !is_inside {
            let (found, expected) = (shape_text(index), shape_text(sizes));
            return Err(Failure::argument(format!(
                "found the index {found}, expected one below {expected}"
            )));
        }
        let number = index.iter().zip(sizes).fold(0, |number, (at, size)| number * size + at);
        put(out, value.data.add(number as usize * value.ty.element.bytes()).cast())
    })
}

/// The element type and the sizes of a value. The sizes live as long as the value.
pub unsafe extern "system" fn type_and_shape(
    value: *const OrtValue,
    element: *mut ONNXTensorElementDataType,
    sizes: *mut *const i64,
    rank: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let value = held::<Value>(value, "value")?;
        put(element, number_of(value.ty.element))?;
        put(sizes, value.sizes.as_ptr())?;
        put(rank, value.sizes.len())
    })
}

/// The number of bytes of the elements.
pub unsafe extern "system" fn bytes(value: *const OrtValue, out: *mut usize) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<Value>(value, "ort_value")?.ty.bytes()?) })
}

/// Writes 1: no value is an absent optional.
pub unsafe extern "system" fn has_value(value: *const OrtValue, out: *mut c_int) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    unsafe { is_tensor(value, out) }
}

/// The memory of a value.
pub unsafe extern "system" fn memory(
    value: *const OrtValue,
    out: *mut *const OrtMemoryInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<Value>(value, "value")?;
        put(out, cpu_memory())
    })
}

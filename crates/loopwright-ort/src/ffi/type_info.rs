//! Types of values, inputs and outputs.

use super::value::Value;
use super::{Held, array, c_text, guarded, held, held_mut, put, put_new, texts};
use crate::failure::Failure;
use crate::interface::Port;
use crate::tensor_type::{TensorType, number_of};
use ort::sys::ONNXTensorElementDataType::{self, ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED};
use ort::sys::{ONNXType, OrtStatusPtr, OrtTensorTypeAndShapeInfo, OrtTypeInfo, OrtValue};
use std::ffi::{CString, c_char};
use std::ptr::from_ref;

/// `OrtTensorTypeAndShapeInfo`.
pub struct TensorInfo {
    element: ONNXTensorElementDataType,
    sizes: Vec<i64>,
    /// The name of each size, which may be empty.
    names: Vec<CString>,
    has_shape: bool,
}

impl Held for TensorInfo {
    type Opaque = OrtTensorTypeAndShapeInfo;
}

/// `OrtTypeInfo`: all types are those of tensors.
pub struct TypeInfo {
    tensor: TensorInfo,
}

impl Held for TypeInfo {
    type Opaque = OrtTypeInfo;
}

impl TensorInfo {
    fn unknown() -> TensorInfo {
        TensorInfo {
            element: ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED,
            sizes: vec![],
            names: vec![],
            has_shape: false,
        }
    }

    fn of_tensor(ty: &TensorType) -> TensorInfo {
        TensorInfo {
            element: number_of(ty.element),
            sizes: ty.sizes.iter().map(|size| *size as i64).collect(),
            names: vec![CString::default(); ty.sizes.len()],
            has_shape: true,
        }
    }
}

impl TypeInfo {
    /// The type of an input or output.
    pub fn of_port(port: &Port) -> TypeInfo {
        let (sizes, names) = port.sizes();
        let tensor = TensorInfo {
            element: port.element.map_or(ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED, number_of),
            sizes,
            names: names.into_iter().map(c_text).collect(),
            has_shape: port.dims.is_some(),
        };
        TypeInfo { tensor }
    }
}

/// The type of a value.
pub unsafe extern "system" fn of_value(
    value: *const OrtValue,
    out: *mut *mut OrtTypeInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let value = held::<Value>(value, "value")?;
        put_new(out, || Ok(TypeInfo { tensor: TensorInfo::of_tensor(&value.ty) }))
    })
}

/// The element type and shape of a value.
pub unsafe extern "system" fn tensor_of_value(
    value: *const OrtValue,
    out: *mut *mut OrtTensorTypeAndShapeInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let value = held::<Value>(value, "value")?;
        put_new(out, || Ok(TensorInfo::of_tensor(&value.ty)))
    })
}

/// The kind of a type.
pub unsafe extern "system" fn kind(info: *const OrtTypeInfo, out: *mut ONNXType) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held::<TypeInfo>(info, "type_info")?;
        put(out, ONNXType::ONNX_TYPE_TENSOR)
    })
}

/// The type of a tensor, which lives as long as the type.
pub unsafe extern "system" fn tensor_of_type(
    info: *const OrtTypeInfo,
    out: *mut *const OrtTensorTypeAndShapeInfo,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let tensor = &held::<TypeInfo>(info, "type_info")?.tensor;
        put(out, from_ref(tensor).cast())
    })
}

/// Makes the type of a tensor, whose element type and shape are set later.
pub unsafe extern "system" fn create(out: *mut *mut OrtTensorTypeAndShapeInfo) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put_new(out, || Ok(TensorInfo::unknown())) })
}

/// Sets the element type.
pub unsafe extern "system" fn set_element(
    info: *mut OrtTensorTypeAndShapeInfo,
    element: ONNXTensorElementDataType,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        held_mut::<TensorInfo>(info, "info")?.element = element;
        Ok(())
    })
}

/// Sets the sizes.
pub unsafe extern "system" fn set_sizes(
    info: *mut OrtTensorTypeAndShapeInfo,
    sizes: *const i64,
    count: usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let info = held_mut::<TensorInfo>(info, "info")?;
        info.sizes = array(sizes, count, "dim_values")?.to_vec();
        info.names = vec![CString::default(); count];
        info.has_shape = true;
        Ok(())
    })
}

/// Sets the names of sizes.
pub unsafe extern "system" fn set_names(
    info: *mut OrtTensorTypeAndShapeInfo,
    names: *mut *const c_char,
    count: usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let info = held_mut::<TensorInfo>(info, "info")?;
        check_count(count, info.sizes.len())?;
        let names = texts(names, count, "dim_params")?;
        info.names = names.into_iter().map(c_text).collect();
        Ok(())
    })
}

fn check_count(found: usize, expected: usize) -> Result<(), Failure> {
    match found == expected {
        true => Ok(()),
        false => Err(Failure::argument(format!("found {found} dimensions, expected {expected}"))),
    }
}

/// The element type.
pub unsafe extern "system" fn element(
    info: *const OrtTensorTypeAndShapeInfo,
    out: *mut ONNXTensorElementDataType,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<TensorInfo>(info, "info")?.element) })
}

/// The rank.
pub unsafe extern "system" fn rank(
    info: *const OrtTensorTypeAndShapeInfo,
    out: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe { put(out, held::<TensorInfo>(info, "info")?.sizes.len()) })
}

/// The sizes; -1 for a dynamic one.
pub unsafe extern "system" fn sizes(
    info: *const OrtTensorTypeAndShapeInfo,
    out: *mut i64,
    count: usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`; the array has `count` places.
    guarded(|| unsafe {
        let sizes = &held::<TensorInfo>(info, "info")?.sizes;
        let mut written = sizes.iter().take(count).enumerate();
        written.try_for_each(|(i, size)| put(out.wrapping_add(i), *size))
    })
}

/// The names of sizes, which live as long as the type; empty for a size without a name.
pub unsafe extern "system" fn names(
    info: *const OrtTensorTypeAndShapeInfo,
    out: *mut *const c_char,
    count: usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`; the array has `count` places.
    guarded(|| unsafe {
        let names = &held::<TensorInfo>(info, "info")?.names;
        let mut written = names.iter().take(count).enumerate();
        written.try_for_each(|(i, name)| put(out.wrapping_add(i), name.as_ptr()))
    })
}

/// The number of elements. For dynamic sizes it is 0.
pub unsafe extern "system" fn element_count(
    info: *const OrtTensorTypeAndShapeInfo,
    out: *mut usize,
) -> OrtStatusPtr {
    // SAFETY: see `ffi`.
    guarded(|| unsafe {
        let sizes = held::<TensorInfo>(info, "info")?.sizes.iter();
        put(out, sizes.map(|size| usize::try_from(*size).unwrap_or(0)).product())
    })
}

/// True if the rank is known.
pub unsafe extern "system" fn has_shape(info: *const OrtTensorTypeAndShapeInfo) -> bool {
    // SAFETY: see `ffi`.
    unsafe { held::<TensorInfo>(info, "info") }.is_ok_and(|info| info.has_shape)
}

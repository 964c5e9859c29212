//! Element types and shapes of tensors, as ONNX numbers them and as kernels see them.

use crate::failure::Failure;
use loopwright_onnx::element::Element;
use loopwright_runtime::tensor::ElementType;
use ort::sys::ONNXTensorElementDataType::{self, *};

/// Each element type with its number in the table, and the type of kernels: their integers have no sign, and a boolean is a byte.
const ELEMENTS: [(Element, ONNXTensorElementDataType, ElementType); 13] = [
    (Element::F32, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, ElementType::F32),
    (Element::U8, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, ElementType::I8),
    (Element::I8, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, ElementType::I8),
    (Element::U16, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, ElementType::I16),
    (Element::I16, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, ElementType::I16),
    (Element::I32, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, ElementType::I32),
    (Element::I64, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, ElementType::I64),
    (Element::Bool, ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, ElementType::I8),
    (Element::F16, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, ElementType::F16),
    (Element::F64, ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, ElementType::F64),
    (Element::U32, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, ElementType::I32),
    (Element::U64, ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, ElementType::I64),
    (Element::Bf16, ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, ElementType::BF16),
];

/// The element type and the sizes of a tensor in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    pub element: Element,
    pub sizes: Vec<usize>,
}

impl TensorType {
    /// The type of a tensor of a program.
    ///
    /// # Errors
    /// If the element type is not supported, or a size is negative.
    pub fn new(element: ONNXTensorElementDataType, sizes: &[i64]) -> Result<TensorType, Failure> {
        let element = element_of(element as i32)?;
        let checked: Result<Vec<usize>, _> = sizes.iter().map(|it| usize::try_from(*it)).collect();
        let sizes = checked.map_err(|_| {
            let found = shape_text(sizes);
            Failure::argument(format!(
                "a tensor has the shape {found}, expected sizes of 0 or more"
            ))
        })?;
        Ok(TensorType { element, sizes })
    }

    /// The number of bytes of the elements.
    ///
    /// # Errors
    /// If there are too many.
    pub fn bytes(&self) -> Result<usize, Failure> {
        let bytes =
            self.sizes.iter().try_fold(self.element.bytes(), |n, size| n.checked_mul(*size));
        bytes.filter(|bytes| isize::try_from(*bytes).is_ok()).ok_or_else(|| {
            let shape = shape_text(&self.sizes);
            Failure::argument(format!("a tensor of the shape {shape} does not fit in memory"))
        })
    }
}

/// The element type with a number of ONNX.
///
/// # Errors
/// If it is not supported.
pub fn element_of(number: i32) -> Result<Element, Failure> {
    Element::of_number(number)
        .map_err(|refusal| Failure::unsupported(format!("a tensor {refusal}")))
}

/// The number of an element type in the table.
pub fn number_of(element: Element) -> ONNXTensorElementDataType {
    let found = ELEMENTS.iter().find(|(it, ..)| *it == element);
    found.map_or(ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED, |(_, number, _)| *number)
}

/// The element type of kernels.
pub fn memory_type(element: Element) -> ElementType {
    let found = ELEMENTS.iter().find(|(it, ..)| *it == element);
    // `index` is no element type of a tensor, and is an i64 in memory.
    found.map_or(ElementType::I64, |(.., memory)| *memory)
}

/// The element type that a result of kernels has, if the model does not declare one.
pub fn element_in_memory(memory: ElementType) -> Element {
    let signed = |(element, _, it): &&(Element, _, ElementType)| {
        *it == memory && (element.is_signed() || element.is_float())
    };
    ELEMENTS.iter().find(signed).map_or(Element::I64, |(element, ..)| *element)
}

/// A shape as text, such as `2x3`; `scalar` without dimensions.
pub fn shape_text(sizes: &[impl ToString]) -> String {
    match sizes {
        [] => "scalar".to_owned(),
        _ => sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join("x"),
    }
}

//! Element types of ONNX tensors, and the constants of a model.

use crate::error::Refusal;
use crate::schema::TensorProto;
use bytes::Bytes;
use half::{bf16, f16};
use melior::Context;
use melior::ir::Type;
use melior::ir::r#type::IntegerType;

/// An element type. MLIR's integers have no sign: the ops say how they read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// IEEE binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// A signed integer of 8 bits.
    I8,
    /// A signed integer of 16 bits.
    I16,
    /// A signed integer of 32 bits.
    I32,
    /// A signed integer of 64 bits.
    I64,
    /// An unsigned integer of 8 bits.
    U8,
    /// An unsigned integer of 16 bits.
    U16,
    /// An unsigned integer of 32 bits.
    U32,
    /// An unsigned integer of 64 bits.
    U64,
    /// A boolean: i1 in MLIR, a byte in files.
    Bool,
    /// MLIR's index, in the bodies of ops only.
    Index,
}

/// Element types: number in ONNX files, word in ONNX's text form, bits.
const ELEMENTS: &[(Element, i32, &str, u32)] = &[
    (Element::F32, 1, "float", 32),
    (Element::U8, 2, "uint8", 8),
    (Element::I8, 3, "int8", 8),
    (Element::U16, 4, "uint16", 16),
    (Element::I16, 5, "int16", 16),
    (Element::I32, 6, "int32", 32),
    (Element::I64, 7, "int64", 64),
    (Element::Bool, 9, "bool", 1),
    (Element::F16, 10, "float16", 16),
    (Element::F64, 11, "double", 64),
    (Element::U32, 12, "uint32", 32),
    (Element::U64, 13, "uint64", 64),
    (Element::Bf16, 16, "bfloat16", 16),
];

/// Words for the element types that are refused.
const REFUSED: &[(i32, &str)] = &[
    (8, "string"),
    (14, "complex64"),
    (15, "complex128"),
    (17, "float8e4m3fn"),
    (18, "float8e4m3fnuz"),
    (19, "float8e5m2"),
    (20, "float8e5m2fnuz"),
    (21, "uint4"),
    (22, "int4"),
    (23, "float4e2m1"),
    (24, "float8e8m0"),
    (25, "uint2"),
    (26, "int2"),
];

impl Element {
    /// The element type of a number of `TensorProto.DataType`.
    pub fn of_number(number: i32) -> Result<Element, Refusal> {
        let found = ELEMENTS.iter().find(|(_, it, ..)| *it == number);
        found.map(|(element, ..)| *element).ok_or_else(|| {
            let word = REFUSED.iter().find(|(it, _)| *it == number).map(|(_, word)| *word);
            let word = word.map_or(format!("number {number}"), str::to_owned);
            let words: Vec<_> = ELEMENTS.iter().map(|(_, _, word, _)| *word).collect();
            Refusal::new(format!(
                "has the element type {word}, expected one of {}",
                words.join(", ")
            ))
        })
    }

    /// The element type of a word of the text form.
    pub fn of_word(word: &str) -> Option<Element> {
        ELEMENTS.iter().find(|(_, _, it, _)| *it == word).map(|(element, ..)| *element)
    }

    /// The number of a word of the text form, also of the element types that are refused.
    pub fn number_of_word(word: &str) -> Option<i32> {
        let refused = REFUSED.iter().find(|(_, it)| *it == word).map(|(number, _)| *number);
        Element::of_word(word).map(Element::number).or(refused)
    }

    fn row(self) -> &'static (Element, i32, &'static str, u32) {
        const INDEX: (Element, i32, &str, u32) = (Element::Index, 0, "index", 64);
        ELEMENTS.iter().find(|(element, ..)| *element == self).unwrap_or(&INDEX)
    }

    /// The number in `TensorProto.DataType`; 0 for an index.
    pub fn number(self) -> i32 {
        self.row().1
    }

    /// The word of the text form, such as `float`.
    pub fn word(self) -> &'static str {
        self.row().2
    }

    /// The bits of a value; 1 for a bool.
    pub fn bits(self) -> u32 {
        self.row().3
    }

    /// The bytes of an element in a file.
    pub fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// True for a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Element::F32 | Element::F64 | Element::F16 | Element::Bf16)
    }

    /// True for an integer with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Element::I8 | Element::I16 | Element::I32 | Element::I64 | Element::Index)
    }

    /// The least and the greatest integer.
    pub fn range(self) -> (i128, i128) {
        let bits = self.bits();
        match self.is_signed() {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        }
    }

    /// The MLIR type. Integers are signless.
    pub fn ty(self, context: &Context) -> Type<'_> {
        match self {
            Element::F32 => Type::float32(context),
            Element::F64 => Type::float64(context),
            Element::F16 => Type::float16(context),
            Element::Bf16 => Type::bfloat16(context),
            Element::Index => Type::index(context),
            _ => IntegerType::new(context, self.bits()).into(),
        }
    }
}

/// A constant of a model.
#[derive(Clone, Debug)]
pub struct Data {
    /// The type of the elements.
    pub element: Element,
    /// The sizes; empty for a scalar.
    pub dims: Vec<u64>,
    /// The elements in row-major order, little endian, a byte for a bool.
    pub bytes: Bytes,
}

impl Data {
    /// The constant of a tensor whose elements are in the same file.
    ///
    /// # Errors
    /// If the element type is not supported, or there are more or fewer elements than the dimensions say.
    pub fn of(tensor: &TensorProto) -> Result<Data, Refusal> {
        let element = Element::of_number(tensor.data_type)?;
        let bytes = match tensor.raw_data.is_empty() {
            false => tensor.raw_data.clone(),
            true => typed_bytes(element, tensor),
        };
        Data::new(element, &tensor.dims, bytes)
    }

    /// A constant with checked dimensions.
    pub fn new(element: Element, dims: &[i64], bytes: Bytes) -> Result<Data, Refusal> {
        let dims: Result<Vec<u64>, _> = dims.iter().map(|d| u64::try_from(*d)).collect();
        let dims = dims.map_err(|_| Refusal::new("has a negative dimension"))?;
        let count = dims.iter().try_fold(element.bytes() as u64, |n, d| n.checked_mul(*d));
        match count {
            Some(count) if count == bytes.len() as u64 => Ok(Data { element, dims, bytes }),
            _ => Err(Refusal::new(format!(
                "has {} bytes of elements, expected those of {} {}",
                bytes.len(),
                dims.iter().map(u64::to_string).collect::<Vec<_>>().join("x"),
                element.word()
            ))),
        }
    }

    /// A list of integers, of rank 1.
    pub fn integers(values: &[i64]) -> Data {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Data { element: Element::I64, dims: vec![values.len() as u64], bytes: bytes.into() }
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.bytes.len() / self.element.bytes()
    }

    /// The elements, each as its bytes.
    fn each(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(self.element.bytes())
    }

    /// The elements of an integer or bool constant; a u64 above the greatest i64 wraps.
    pub fn i64s(&self) -> Option<Vec<i64>> {
        let signed = self.element.is_signed();
        let value = |bytes: &[u8]| {
            let mut wide = [if signed && bytes[bytes.len() - 1] > 127 { 255 } else { 0 }; 8];
            wide[..bytes.len()].copy_from_slice(bytes);
            i64::from_le_bytes(wide)
        };
        (!self.element.is_float()).then(|| self.each().map(value).collect())
    }

    /// The elements as numbers of double precision.
    pub fn f64s(&self) -> Vec<f64> {
        if let Some(integers) = self.i64s() {
            return integers.into_iter().map(|value| value as f64).collect();
        }
        let value = |bytes: &[u8]| match (self.element, bytes) {
            (Element::F16, &[a, b]) => f16::from_le_bytes([a, b]).to_f64(),
            (Element::Bf16, &[a, b]) => bf16::from_le_bytes([a, b]).to_f64(),
            (_, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).into(),
            (_, bytes) => f64::from_le_bytes(bytes.try_into().expect("a double has 8 bytes")),
        };
        self.each().map(value).collect()
    }
}

/// The elements of the typed fields.
fn typed_bytes(element: Element, tensor: &TensorProto) -> Bytes {
    let low = element.bytes();
    let bytes: Vec<u8> = match element {
        Element::F32 => tensor.float_data.iter().flat_map(|v| v.to_le_bytes()).collect(),
        Element::F64 => tensor.double_data.iter().flat_map(|v| v.to_le_bytes()).collect(),
        Element::I64 => tensor.int64_data.iter().flat_map(|v| v.to_le_bytes()).collect(),
        Element::U32 | Element::U64 => {
            let each = tensor.uint64_data.iter();
            each.flat_map(|v| v.to_le_bytes().into_iter().take(low)).collect()
        }
        // Smaller integers, bools, and the bits of 16-bit floats.
        _ => {
            let each = tensor.int32_data.iter();
            each.flat_map(|v| v.to_le_bytes().into_iter().take(low)).collect()
        }
    };
    bytes.into()
}

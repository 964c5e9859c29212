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
    /// A signed integer of 2 bits.
    I2,
    /// A signed integer of 4 bits.
    I4,
    /// An unsigned integer of 2 bits.
    U2,
    /// An unsigned integer of 4 bits.
    U4,
    /// A float with 2 bits of exponent and 1 of mantissa, all of whose values are finite.
    F4E2M1,
    /// A float with 4 bits of exponent and 3 of mantissa, without infinities.
    F8E4M3Fn,
    /// As `F8E4M3Fn`, with NaN in the place of -0.
    F8E4M3Fnuz,
    /// A float with 5 bits of exponent and 2 of mantissa.
    F8E5M2,
    /// As `F8E5M2`, without infinities, and with NaN in the place of -0.
    F8E5M2Fnuz,
    /// A power of 2 from 2^-127 to 2^127.
    F8E8M0,
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
    (Element::F8E4M3Fn, 17, "float8e4m3fn", 8),
    (Element::F8E4M3Fnuz, 18, "float8e4m3fnuz", 8),
    (Element::F8E5M2, 19, "float8e5m2", 8),
    (Element::F8E5M2Fnuz, 20, "float8e5m2fnuz", 8),
    (Element::U4, 21, "uint4", 4),
    (Element::I4, 22, "int4", 4),
    (Element::F4E2M1, 23, "float4e2m1", 4),
    (Element::F8E8M0, 24, "float8e8m0", 8),
    (Element::U2, 25, "uint2", 2),
    (Element::I2, 26, "int2", 2),
];

/// Words for the element types that are refused.
const REFUSED: &[(i32, &str)] = &[(8, "string"), (14, "complex64"), (15, "complex128")];

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

    /// The bytes of an element in memory.
    pub fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// True for a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Element::F32 | Element::F64 | Element::F16 | Element::Bf16)
            || self.narrow_float().is_some()
    }

    /// The name in MLIR of a float of at most 8 bits.
    pub fn narrow_float(self) -> Option<&'static str> {
        Some(match self {
            Element::F4E2M1 => "f4E2M1FN",
            Element::F8E4M3Fn => "f8E4M3FN",
            Element::F8E4M3Fnuz => "f8E4M3FNUZ",
            Element::F8E5M2 => "f8E5M2",
            Element::F8E5M2Fnuz => "f8E5M2FNUZ",
            Element::F8E8M0 => "f8E8M0FNU",
            _ => return None,
        })
    }

    /// The largest finite value of a float of at most 8 bits.
    pub fn largest(self) -> Option<f64> {
        Some(match self {
            Element::F4E2M1 => 6.0,
            Element::F8E4M3Fn => 448.0,
            Element::F8E4M3Fnuz => 240.0,
            Element::F8E5M2 | Element::F8E5M2Fnuz => 57344.0,
            Element::F8E8M0 => 2f64.powi(127),
            _ => return None,
        })
    }

    /// The type with which functions take and return such elements: an unsigned integer of a few bits is a uint8, because
    /// one of MLIR without a sign becomes a signed one in memory.
    pub fn interface(self) -> Element {
        if matches!(self, Element::U2 | Element::U4) { Element::U8 } else { self }
    }

    /// True for elements of which a byte of a file has several.
    fn is_packed(self) -> bool {
        matches!(self, Element::I2 | Element::U2 | Element::I4 | Element::U4 | Element::F4E2M1)
    }

    /// True for an integer with a sign.
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            Element::I2
                | Element::I4
                | Element::I8
                | Element::I16
                | Element::I32
                | Element::I64
                | Element::Index
        )
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
        if let Some(name) = self.narrow_float() {
            return Type::parse(context, name).expect("a type of MLIR");
        }
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
    /// The elements in row-major order, little endian; a byte for a bool, and for each element of fewer bits, extended by its
    /// sign.
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

    /// A constant with checked dimensions, from its bytes in a file.
    pub fn new(element: Element, dims: &[i64], bytes: Bytes) -> Result<Data, Refusal> {
        let dims: Result<Vec<u64>, _> = dims.iter().map(|d| u64::try_from(*d)).collect();
        let dims = dims.map_err(|_| Refusal::new("has a negative dimension"))?;
        let count = dims.iter().try_fold(1u64, |n, d| n.checked_mul(*d));
        if element.is_packed() {
            let per_byte = u64::from(8 / element.bits());
            let packed = count.map(|count| (count, count.div_ceil(per_byte)));
            if let Some((count, _)) = packed.filter(|(_, packed)| *packed == bytes.len() as u64) {
                let bytes = unpacked(element, &bytes, count as usize);
                return Ok(Data { element, dims, bytes });
            }
        }
        let length = count.and_then(|count| count.checked_mul(element.bytes() as u64));
        match length.filter(|_| !element.is_packed()) {
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
            (narrow, &[byte]) => narrow_value(narrow, byte),
            (Element::F16, &[a, b]) => f16::from_le_bytes([a, b]).to_f64(),
            (Element::Bf16, &[a, b]) => bf16::from_le_bytes([a, b]).to_f64(),
            (_, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).into(),
            (_, bytes) => f64::from_le_bytes(bytes.try_into().expect("a double has 8 bytes")),
        };
        self.each().map(value).collect()
    }
}

/// Elements of fewer than 8 bits, each as a byte. A byte of a file has several, the first in its lowest bits.
fn unpacked(element: Element, packed: &[u8], count: usize) -> Bytes {
    let bits = element.bits();
    let each =
        packed.iter().flat_map(|byte| (0..8).step_by(bits as usize).map(move |at| byte >> at));
    let unused = 8 - bits;
    let extended = each.map(|low| match element.is_signed() {
        true => (((low << unused) as i8) >> unused) as u8,
        false => (low << unused) >> unused,
    });
    extended.take(count).collect::<Vec<_>>().into()
}

/// Elements of fewer than 8 bits as in a file: the reverse of [`unpacked`].
pub fn packed(element: Element, bytes: Vec<u8>) -> Vec<u8> {
    if !element.is_packed() {
        return bytes;
    }
    let bits = element.bits() as usize;
    let pack = |group: &[u8]| {
        let low = |(i, byte): (usize, &u8)| (byte & ((1 << bits) - 1)) << (i * bits);
        group.iter().enumerate().map(low).fold(0, |all, low| all | low)
    };
    bytes.chunks(8 / bits).map(pack).collect()
}

/// The value of a bit pattern of a float of at most 8 bits.
fn narrow_value(element: Element, pattern: u8) -> f64 {
    let (exponent_bits, mantissa_bits, bias) = match element {
        Element::F4E2M1 => (2, 1, 1),
        Element::F8E4M3Fn => (4, 3, 7),
        Element::F8E4M3Fnuz => (4, 3, 8),
        Element::F8E5M2 => (5, 2, 15),
        Element::F8E5M2Fnuz => (5, 2, 16),
        // A power of 2; all bits set is NaN.
        _ => return if pattern == 255 { f64::NAN } else { 2f64.powi(i32::from(pattern) - 127) },
    };
    let magnitude = i32::from(pattern) & ((1 << (exponent_bits + mantissa_bits)) - 1);
    let is_negative = i32::from(pattern) != magnitude;
    let (exponent, mantissa) = (magnitude >> mantissa_bits, magnitude & ((1 << mantissa_bits) - 1));
    let fraction = f64::from(mantissa) / f64::from(1 << mantissa_bits);
    let value = match element {
        Element::F8E4M3Fn if magnitude == 0x7f => f64::NAN,
        Element::F8E5M2 if exponent == 31 => {
            if mantissa == 0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        Element::F8E4M3Fnuz | Element::F8E5M2Fnuz if pattern == 0x80 => f64::NAN,
        _ if exponent == 0 => fraction * 2f64.powi(1 - bias),
        _ => (1.0 + fraction) * 2f64.powi(exponent - bias),
    };
    if is_negative { -value } else { value }
}

/// The bit pattern of a value that a float of at most 8 bits has.
pub fn narrow_pattern(element: Element, value: f64) -> Option<u8> {
    let patterns = 0..=((1u32 << element.bits()) - 1) as u8;
    element.narrow_float()?;
    let is_same = |pattern: &u8| {
        let found = narrow_value(element, *pattern);
        found.to_bits() == value.to_bits() || found.is_nan() && value.is_nan()
    };
    patterns.into_iter().find(is_same)
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

//! Dense row-major tensors of the element types of the project.

use half::{bf16, f16};
use std::fmt;
use std::str::FromStr;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// A boolean, one byte 0 or 1.
    Bool,
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    F64,
}

impl ElementType {
    pub const ALL: [ElementType; 9] = [
        ElementType::Bool,
        ElementType::I8,
        ElementType::I16,
        ElementType::I32,
        ElementType::I64,
        ElementType::F16,
        ElementType::BF16,
        ElementType::F32,
        ElementType::F64,
    ];

    pub fn size_in_bytes(self) -> usize {
        match self {
            ElementType::Bool | ElementType::I8 => 1,
            ElementType::I16 | ElementType::F16 | ElementType::BF16 => 2,
            ElementType::I32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        use ElementType::*;
        matches!(self, F16 | BF16 | F32 | F64)
    }

    pub fn name(self) -> &'static str {
        match self {
            ElementType::Bool => "bool",
            ElementType::I8 => "i8",
            ElementType::I16 => "i16",
            ElementType::I32 => "i32",
            ElementType::I64 => "i64",
            ElementType::F16 => "f16",
            ElementType::BF16 => "bf16",
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ElementType {
    type Err = TensorError;

    fn from_str(name: &str) -> Result<Self, TensorError> {
        let found = ElementType::ALL.into_iter().find(|ty| ty.name() == name);
        found.ok_or_else(|| TensorError::UnknownType(name.into()))
    }
}

/// Why a tensor cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensorError {
    #[error("unknown element type '{0}', expected bool, i8, i16, i32, i64, f16, bf16, f32 or f64")]
    UnknownType(String),
    #[error("a {element_type} tensor of shape {shape:?} does not fit in memory")]
    TooLarge { element_type: ElementType, shape: Vec<usize> },
    #[error(
        "found {found} bytes for a {element_type} tensor of shape {shape:?}, expected {expected}"
    )]
    WrongLength { element_type: ElementType, shape: Vec<usize>, found: usize, expected: usize },
}

/// A dense tensor: elements row-major, each in little-endian bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    element_type: ElementType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Tensor {
    /// A tensor of zeros.
    ///
    /// # Errors
    /// [`TensorError::TooLarge`] if the size in bytes is past `isize::MAX`, or memory is not given.
    pub fn zeros(element_type: ElementType, shape: &[usize]) -> Result<Tensor, TensorError> {
        let too_large = || TensorError::TooLarge { element_type, shape: shape.to_vec() };
        let size = byte_size(element_type, shape).ok_or_else(too_large)?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| too_large())?;
        bytes.resize(size, 0);
        Ok(Tensor { element_type, shape: shape.to_vec(), bytes })
    }

    /// A tensor of the given little-endian elements, row-major.
    ///
    /// # Errors
    /// If their number of bytes is not that of the shape.
    pub fn from_bytes(
        element_type: ElementType,
        shape: &[usize],
        bytes: Vec<u8>,
    ) -> Result<Tensor, TensorError> {
        let shape = shape.to_vec();
        match byte_size(element_type, &shape) {
            None => Err(TensorError::TooLarge { element_type, shape }),
            Some(expected) if expected != bytes.len() => {
                Err(TensorError::WrongLength { element_type, shape, found: bytes.len(), expected })
            }
            Some(_) => Ok(Tensor { element_type, shape, bytes }),
        }
    }

    pub fn element_type(&self) -> ElementType {
        self.element_type
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.element_type.size_in_bytes()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Element `i`, counted row-major, as a double; of an i64 past 2^53 the nearest.
    pub fn get_f64(&self, i: usize) -> f64 {
        match self.element_type {
            ElementType::F16 => f16::from_le_bytes(self.element(i)).to_f64(),
            ElementType::BF16 => bf16::from_le_bytes(self.element(i)).to_f64(),
            ElementType::F32 => f32::from_le_bytes(self.element(i)).into(),
            ElementType::F64 => f64::from_le_bytes(self.element(i)),
            _ => self.get_i64(i) as f64,
        }
    }

    /// Element `i`, counted row-major; of a float towards zero.
    pub fn get_i64(&self, i: usize) -> i64 {
        match self.element_type {
            ElementType::Bool => self.bytes[i].into(),
            ElementType::I8 => i8::from_le_bytes(self.element(i)).into(),
            ElementType::I16 => i16::from_le_bytes(self.element(i)).into(),
            ElementType::I32 => i32::from_le_bytes(self.element(i)).into(),
            ElementType::I64 => i64::from_le_bytes(self.element(i)),
            _ => self.get_f64(i) as i64,
        }
    }

    /// Sets element `i`, rounded to the element type; integers take the value towards zero.
    pub fn set_f64(&mut self, i: usize, value: f64) {
        match self.element_type {
            ElementType::F16 => self.set(i, &f16::from_f64(value).to_le_bytes()),
            ElementType::BF16 => self.set(i, &bf16::from_f64(value).to_le_bytes()),
            ElementType::F32 => self.set(i, &(value as f32).to_le_bytes()),
            ElementType::F64 => self.set(i, &value.to_le_bytes()),
            _ => self.set_i64(i, value as i64),
        }
    }

    /// Sets element `i`; integers wrap to the element type, a boolean is whether it is not 0.
    pub fn set_i64(&mut self, i: usize, value: i64) {
        match self.element_type {
            ElementType::Bool => self.set(i, &[u8::from(value != 0)]),
            ElementType::I8 => self.set(i, &(value as i8).to_le_bytes()),
            ElementType::I16 => self.set(i, &(value as i16).to_le_bytes()),
            ElementType::I32 => self.set(i, &(value as i32).to_le_bytes()),
            ElementType::I64 => self.set(i, &value.to_le_bytes()),
            _ => self.set_f64(i, value as f64),
        }
    }

    /// The indices of element `i`, counted row-major.
    pub fn indices(&self, mut i: usize) -> Vec<usize> {
        let mut indices = vec![0; self.shape.len()];
        for (index, size) in indices.iter_mut().zip(&self.shape).rev() {
            *index = i % size.max(&1);
            i /= size.max(&1);
        }
        indices
    }

    fn element<const N: usize>(&self, i: usize) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.bytes[i * N..(i + 1) * N]);
        bytes
    }

    fn set(&mut self, i: usize, element: &[u8]) {
        let n = element.len();
        self.bytes[i * n..(i + 1) * n].copy_from_slice(element);
    }
}

/// The bytes of a tensor; `None` past what one allocation can hold. A size of 0 does not make the
/// others reasonable: the product is taken without it as well.
fn byte_size(element_type: ElementType, shape: &[usize]) -> Option<usize> {
    let product = |least: usize| {
        let mut dims = shape.iter().map(|d| *d.max(&least));
        dims.try_fold(element_type.size_in_bytes(), usize::checked_mul)
            .filter(|size| isize::try_from(*size).is_ok())
    };
    product(1).and(product(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_round_trip_in_every_type() {
        for ty in ElementType::ALL {
            let mut tensor = Tensor::zeros(ty, &[2, 3]).expect("small");
            tensor.set_i64(5, 1);
            tensor.set_f64(4, 1.0);
            assert_eq!((tensor.get_i64(5), tensor.get_f64(4), tensor.get_i64(0)), (1, 1.0, 0));
            assert_eq!(tensor.bytes().len(), 6 * ty.size_in_bytes());
            assert_eq!(ty.name().parse(), Ok(ty));
        }
    }

    #[test]
    fn stores_round_and_wrap() {
        let mut tensor = Tensor::zeros(ElementType::I8, &[1]).expect("small");
        tensor.set_i64(0, 200);
        assert_eq!(tensor.get_i64(0), -56);
        let mut tensor = Tensor::zeros(ElementType::BF16, &[1]).expect("small");
        tensor.set_f64(0, 1.0 + 1.0 / 512.0);
        assert_eq!(tensor.get_f64(0), 1.0);
    }

    #[test]
    fn absurd_shapes_are_refused() {
        for shape in [&[usize::MAX, 2][..], &[1 << 62], &[0, usize::MAX, 3]] {
            let error = Tensor::zeros(ElementType::F32, shape).expect_err("too large");
            assert!(matches!(error, TensorError::TooLarge { .. }), "{error}");
        }
    }

    #[test]
    fn wrong_number_of_bytes_is_refused() {
        let error = Tensor::from_bytes(ElementType::F32, &[2], vec![0; 7]).expect_err("short");
        assert_eq!(error.to_string(), "found 7 bytes for a f32 tensor of shape [2], expected 8");
    }

    #[test]
    fn unknown_types_are_refused() {
        assert!("f8".parse::<ElementType>().is_err());
    }

    #[test]
    fn indices_are_row_major() {
        let tensor = Tensor::zeros(ElementType::I8, &[2, 3]).expect("small");
        assert_eq!(tensor.indices(4), [1, 1]);
    }
}

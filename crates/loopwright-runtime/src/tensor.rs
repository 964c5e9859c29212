//! Dense row-major tensors in memory.

mod aligned_bytes;
mod element_type;

pub use aligned_bytes::ALIGNMENT;
pub use element_type::ElementType;

pub(crate) use aligned_bytes::AlignedBytes;

use half::{bf16, f16};

/// Why a tensor cannot be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TensorError {
    /// No element type has this name.
    #[error("unknown element type '{0}', expected bool, i8, i16, i32, i64, f16, bf16, f32 or f64")]
    UnknownType(String),
    /// The size in bytes exceeds one allocation or the available memory.
    #[error("a {element_type} tensor of shape {shape:?} does not fit in memory")]
    TooLarge {
        /// The type of the elements.
        element_type: ElementType,
        /// The sizes of the tensor.
        shape: Vec<usize>,
    },
    /// The number of bytes does not match the shape.
    #[error(
        "found {found} bytes for a {element_type} tensor of shape {shape:?}, expected {expected}"
    )]
    WrongLength {
        /// The type of the elements.
        element_type: ElementType,
        /// The sizes of the tensor.
        shape: Vec<usize>,
        /// The number of bytes given.
        found: usize,
        /// The number of bytes of such a tensor.
        expected: usize,
    },
    /// The number of elements does not match the shape.
    #[error(
        "found {found} elements for a {element_type} tensor of shape {shape:?}, expected {expected}"
    )]
    WrongCount {
        /// The type of the elements.
        element_type: ElementType,
        /// The sizes of the tensor.
        shape: Vec<usize>,
        /// The number of elements given.
        found: usize,
        /// The number of elements of such a tensor.
        expected: usize,
    },
    /// A byte of a boolean tensor is neither 0 nor 1.
    #[error("found the byte {value} at {index:?}, expected a boolean 0 or 1")]
    NotBool {
        /// The byte.
        value: u8,
        /// The index of the element.
        index: Vec<usize>,
    },
}

/// A dense tensor: row-major elements in little-endian bytes, the first at a multiple of [`ALIGNMENT`] bytes. An empty
/// shape means one element; a shape with a zero means no elements.
///
/// Tensors are equal if types, shapes and bytes are: a NaN equals the same NaN, and 0 differs from -0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    element_type: ElementType,
    shape: Vec<usize>,
    data: AlignedBytes,
}

impl Tensor {
    /// Creates a tensor of zeros.
    ///
    /// # Errors
    /// [`TensorError::TooLarge`].
    pub fn zeros(element_type: ElementType, shape: &[usize]) -> Result<Tensor, TensorError> {
        let len = size_in_bytes(element_type, shape)?;
        let data = AlignedBytes::zeros(len).map_err(|_| too_large(element_type, shape))?;
        Ok(Tensor { element_type, shape: shape.to_vec(), data })
    }

    /// Creates a tensor from little-endian elements, row-major. The bytes are copied for alignment.
    ///
    /// # Errors
    /// [`TensorError::TooLarge`], [`TensorError::WrongLength`], [`TensorError::NotBool`].
    pub fn from_bytes(
        element_type: ElementType,
        shape: &[usize],
        bytes: Vec<u8>,
    ) -> Result<Tensor, TensorError> {
        Tensor::from_byte_slice(element_type, shape, &bytes)
    }

    /// [`Tensor::from_bytes`] for bytes that are owned elsewhere.
    ///
    /// # Errors
    /// As [`Tensor::from_bytes`].
    pub fn from_byte_slice(
        element_type: ElementType,
        shape: &[usize],
        bytes: &[u8],
    ) -> Result<Tensor, TensorError> {
        // Check the length first, so that no bytes are copied if it is wrong.
        check_length(element_type, shape, bytes.len())?;
        let data = AlignedBytes::copy_of(bytes).map_err(|_| too_large(element_type, shape))?;
        Tensor::from_aligned(element_type, shape, data)
    }

    /// [`Tensor::from_bytes`] without a copy.
    pub(crate) fn from_aligned(
        element_type: ElementType,
        shape: &[usize],
        data: AlignedBytes,
    ) -> Result<Tensor, TensorError> {
        check_length(element_type, shape, data.len())?;
        let tensor = Tensor { element_type, shape: shape.to_vec(), data };
        let is_bool = element_type == ElementType::Bool;
        match tensor.data.iter().position(|byte| is_bool && *byte > 1) {
            Some(i) => {
                Err(TensorError::NotBool { value: tensor.data[i], index: tensor.indices(i) })
            }
            None => Ok(tensor),
        }
    }

    /// Creates a tensor from elements, row-major, each converted as by [`Tensor::set_f64`].
    ///
    /// # Errors
    /// [`TensorError::TooLarge`], [`TensorError::WrongCount`].
    pub fn from_f64s(
        element_type: ElementType,
        shape: &[usize],
        values: &[f64],
    ) -> Result<Tensor, TensorError> {
        check_count(element_type, shape, values.len())?;
        let mut tensor = Tensor::zeros(element_type, shape)?;
        values.iter().enumerate().for_each(|(i, value)| tensor.set_f64(i, *value));
        Ok(tensor)
    }

    /// Creates a tensor from elements, row-major, each converted as by [`Tensor::set_i64`].
    ///
    /// # Errors
    /// [`TensorError::TooLarge`], [`TensorError::WrongCount`].
    pub fn from_i64s(
        element_type: ElementType,
        shape: &[usize],
        values: &[i64],
    ) -> Result<Tensor, TensorError> {
        check_count(element_type, shape, values.len())?;
        let mut tensor = Tensor::zeros(element_type, shape)?;
        values.iter().enumerate().for_each(|(i, value)| tensor.set_i64(i, *value));
        Ok(tensor)
    }

    /// The type of all elements.
    pub fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// The sizes, in elements, the slowest dimension first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.data.len() / self.element_type.size_in_bytes()
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The elements, row-major, each little-endian. The first byte is aligned to [`ALIGNMENT`].
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// [`Tensor::bytes`], mutable. The bytes of booleans must stay 0 or 1.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.data
    }

    /// Element `i`, counted row-major, as a double; an i64 above 2^53 is rounded to the nearest double.
    ///
    /// # Panics
    /// If `i` is not below [`Tensor::len`]; the other three functions panic too.
    pub fn get_f64(&self, i: usize) -> f64 {
        match self.element_type {
            ElementType::F16 => f16::from_le_bytes(self.element(i)).to_f64(),
            ElementType::BF16 => bf16::from_le_bytes(self.element(i)).to_f64(),
            ElementType::F32 => f32::from_le_bytes(self.element(i)).into(),
            ElementType::F64 => f64::from_le_bytes(self.element(i)),
            _ => self.get_i64(i) as f64,
        }
    }

    /// Element `i`, counted row-major. A boolean is 0 or 1. A float is converted as by `as i64`: rounded towards zero,
    /// saturated at the range, 0 for NaN.
    pub fn get_i64(&self, i: usize) -> i64 {
        match self.element_type {
            ElementType::Bool => (self.data[i] != 0).into(),
            ElementType::I8 => i8::from_le_bytes(self.element(i)).into(),
            ElementType::I16 => i16::from_le_bytes(self.element(i)).into(),
            ElementType::I32 => i32::from_le_bytes(self.element(i)).into(),
            ElementType::I64 => i64::from_le_bytes(self.element(i)),
            _ => self.get_f64(i) as i64,
        }
    }

    /// Sets element `i`. A float takes the nearest value, ties to even. An integer is converted as by `as`: rounded
    /// towards zero, saturated at the range, 0 for NaN. A boolean is true if the value is not 0.
    pub fn set_f64(&mut self, i: usize, value: f64) {
        match self.element_type {
            ElementType::Bool => self.set(i, [u8::from(value != 0.0)]),
            ElementType::I8 => self.set(i, (value as i8).to_le_bytes()),
            ElementType::I16 => self.set(i, (value as i16).to_le_bytes()),
            ElementType::I32 => self.set(i, (value as i32).to_le_bytes()),
            ElementType::I64 => self.set(i, (value as i64).to_le_bytes()),
            ElementType::F16 => self.set(i, f16::from_f32(round_to_odd(value)).to_le_bytes()),
            ElementType::BF16 => self.set(i, bf16::from_f32(round_to_odd(value)).to_le_bytes()),
            ElementType::F32 => self.set(i, (value as f32).to_le_bytes()),
            ElementType::F64 => self.set(i, value.to_le_bytes()),
        }
    }

    /// Sets element `i`. An integer wraps to its type, a boolean is true if the value is not 0, and a float takes the
    /// nearest value (f16 and bf16: nearest to the nearest double).
    pub fn set_i64(&mut self, i: usize, value: i64) {
        match self.element_type {
            ElementType::Bool => self.set(i, [u8::from(value != 0)]),
            ElementType::I8 => self.set(i, (value as i8).to_le_bytes()),
            ElementType::I16 => self.set(i, (value as i16).to_le_bytes()),
            ElementType::I32 => self.set(i, (value as i32).to_le_bytes()),
            ElementType::I64 => self.set(i, value.to_le_bytes()),
            ElementType::F32 => self.set(i, (value as f32).to_le_bytes()),
            _ => self.set_f64(i, value as f64),
        }
    }

    /// The indices of element `i`, counted row-major; all 0 if there is no element.
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
        bytes.copy_from_slice(&self.data[i * N..(i + 1) * N]);
        bytes
    }

    fn set<const N: usize>(&mut self, i: usize, element: [u8; N]) {
        self.data[i * N..(i + 1) * N].copy_from_slice(&element);
    }
}

fn too_large(element_type: ElementType, shape: &[usize]) -> TensorError {
    TensorError::TooLarge { element_type, shape: shape.to_vec() }
}

/// The size of a tensor in bytes, if one allocation can hold it. If a size is 0, the product of the other sizes must
/// fit too, so that strides never overflow.
pub(crate) fn size_in_bytes(
    element_type: ElementType,
    shape: &[usize],
) -> Result<usize, TensorError> {
    let mut dims = shape.iter().map(|dim| *dim.max(&1));
    let size = dims
        .try_fold(element_type.size_in_bytes(), usize::checked_mul)
        .filter(|size| isize::try_from(*size).is_ok())
        .ok_or_else(|| too_large(element_type, shape))?;
    Ok(if shape.contains(&0) { 0 } else { size })
}

fn check_length(
    element_type: ElementType,
    shape: &[usize],
    found: usize,
) -> Result<(), TensorError> {
    let expected = size_in_bytes(element_type, shape)?;
    if found != expected {
        let shape = shape.to_vec();
        return Err(TensorError::WrongLength { element_type, shape, found, expected });
    }
    Ok(())
}

fn check_count(
    element_type: ElementType,
    shape: &[usize],
    found: usize,
) -> Result<(), TensorError> {
    let expected = size_in_bytes(element_type, shape)? / element_type.size_in_bytes();
    if found != expected {
        let shape = shape.to_vec();
        return Err(TensorError::WrongCount { element_type, shape, found, expected });
    }
    Ok(())
}

/// Rounds to odd: a value between two floats becomes the one whose last bit is 1. Rounding the result to f16 or bf16
/// then equals rounding `value` once. (`from_f64` of half 2.7 does not: depending on the machine it goes through the
/// nearest f32 or drops the low 32 bits, so a value just above a tie is rounded as the tie.)
fn round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) == value || value.is_nan() {
        return nearest;
    }
    let is_past = f64::from(nearest).abs() > value.abs();
    let towards_zero = nearest.to_bits() - u32::from(is_past);
    f32::from_bits(towards_zero | 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The value of a tensor of one element after a store.
    fn stored(ty: ElementType, value: f64) -> f64 {
        Tensor::from_f64s(ty, &[], &[value]).expect("one element").get_f64(0)
    }

    #[test]
    fn elements_round_trip_in_every_type() {
        for ty in ElementType::ALL {
            let mut tensor = Tensor::zeros(ty, &[2, 3]).expect("small");
            tensor.set_i64(5, 1);
            tensor.set_f64(4, 1.0);
            assert_eq!((tensor.get_i64(5), tensor.get_f64(4), tensor.get_i64(0)), (1, 1.0, 0));
            assert_eq!(tensor.bytes().len(), 6 * ty.size_in_bytes());
            assert_eq!((tensor.len(), tensor.shape(), tensor.element_type()), (6, &[2, 3][..], ty));
            assert!(tensor.bytes().as_ptr().addr().is_multiple_of(ALIGNMENT));
            let again = Tensor::from_byte_slice(ty, &[2, 3], tensor.bytes());
            assert_eq!(again, Ok(tensor));
            assert_eq!(
                Tensor::from_f64s(ty, &[2], &[0.0, 1.0]),
                Tensor::from_i64s(ty, &[2], &[0, 1])
            );
        }
    }

    #[test]
    fn elements_are_little_endian_and_row_major() {
        let tensor = Tensor::from_i64s(ElementType::I16, &[2, 1], &[1, 0x203]).expect("2 elements");
        assert_eq!(tensor.bytes(), [1, 0, 3, 2]);
        let tensor = Tensor::from_f64s(ElementType::F32, &[1], &[-2.0]).expect("1 element");
        assert_eq!(tensor.bytes(), [0, 0, 0, 0xc0]);
    }

    #[test]
    fn rank_0_has_one_element_and_size_0_none() {
        let scalar = Tensor::zeros(ElementType::F64, &[]).expect("small");
        assert_eq!((scalar.len(), scalar.indices(0), scalar.is_empty()), (1, vec![], false));
        let empty = Tensor::zeros(ElementType::F64, &[2, 0, 3]).expect("small");
        assert_eq!((empty.len(), empty.indices(0), empty.is_empty()), (0, vec![0, 0, 0], true));
    }

    #[test]
    fn integers_wrap_and_doubles_saturate() {
        let wrapped = Tensor::from_i64s(ElementType::I8, &[2], &[200, -129]).expect("2 elements");
        assert_eq!((wrapped.get_i64(0), wrapped.get_i64(1)), (-56, 127));
        for (value, result) in [(200.0, 127.0), (-1e9, -128.0), (-1.9, -1.0), (f64::NAN, 0.0)] {
            assert_eq!(stored(ElementType::I8, value), result);
        }
        for (value, result) in [(0.5, 1.0), (-0.0, 0.0), (f64::NAN, 1.0)] {
            assert_eq!(stored(ElementType::Bool, value), result);
        }
        let large = Tensor::from_f64s(ElementType::F64, &[1], &[1e300]).expect("1 element");
        assert_eq!(large.get_i64(0), i64::MAX);
    }

    #[test]
    fn i64_is_exact_and_rounds_once_to_f32() {
        let exact = Tensor::from_i64s(ElementType::I64, &[1], &[i64::MAX - 1]).expect("1 element");
        assert_eq!(exact.get_i64(0), i64::MAX - 1);
        // Just above the tie of 2^60 and its neighbour 2^60 + 2^37; as a double it is the tie.
        let value = (1 << 60) + (1 << 36) + 1;
        let rounded = Tensor::from_i64s(ElementType::F32, &[1], &[value]).expect("1 element");
        assert_eq!(rounded.get_i64(0), (1 << 60) + (1 << 37));
    }

    #[test]
    fn doubles_are_rounded_once() {
        let tiny = 2f64.powi(-40);
        for (ty, ulp) in [(ElementType::F16, 2f64.powi(-10)), (ElementType::BF16, 2f64.powi(-7))] {
            let tie = 1.0 + ulp / 2.0;
            assert_eq!((stored(ty, tie), stored(ty, tie + tiny)), (1.0, 1.0 + ulp), "{ty}");
            assert_eq!(stored(ty, -(tie + tiny)), -(1.0 + ulp), "{ty}");
            let odd_tie = 1.0 + 1.5 * ulp;
            assert_eq!(stored(ty, odd_tie), 1.0 + 2.0 * ulp, "{ty}");
            assert_eq!(stored(ty, odd_tie - tiny), 1.0 + ulp, "{ty}");
            assert_eq!(
                (stored(ty, 1e300), stored(ty, f64::INFINITY)),
                (f64::INFINITY, f64::INFINITY)
            );
            assert_eq!(stored(ty, 1e-300).to_bits(), 0);
            assert_eq!(stored(ty, -0.0).to_bits(), (-0.0f64).to_bits());
            assert!(stored(ty, f64::NAN).is_nan());
        }
        // The midpoint between the largest f16 and the value that would follow it.
        assert_eq!(stored(ElementType::F16, 65520.0), f64::INFINITY);
        assert_eq!(stored(ElementType::F16, 65520f64.next_down()), 65504.0);
    }

    #[test]
    fn absurd_shapes_are_refused() {
        let max = usize::MAX;
        for shape in [&[max, 2][..], &[max], &[1 << 62], &[1 << 61], &[0, max, 3], &[max, 3, 0]] {
            for error in [
                Tensor::zeros(ElementType::F32, shape),
                Tensor::from_bytes(ElementType::F32, shape, vec![]),
                Tensor::from_f64s(ElementType::F32, shape, &[]),
                Tensor::from_i64s(ElementType::F32, shape, &[]),
            ] {
                let error = error.expect_err("too large");
                assert!(matches!(error, TensorError::TooLarge { .. }), "{error}");
            }
        }
        let error = Tensor::zeros(ElementType::F32, &[max, 2]).expect_err("too large").to_string();
        let text = "a f32 tensor of shape [18446744073709551615, 2] does not fit in memory";
        assert_eq!(error, text);
    }

    #[test]
    fn wrong_number_of_bytes_is_refused() {
        for len in [0, 7, 9] {
            let error = Tensor::from_bytes(ElementType::F32, &[2], vec![0; len]);
            let text = format!("found {len} bytes for a f32 tensor of shape [2], expected 8");
            assert_eq!(error.expect_err("another length").to_string(), text);
        }
    }

    #[test]
    fn wrong_number_of_elements_is_refused() {
        let error = Tensor::from_f64s(ElementType::F32, &[2], &[0.0]).expect_err("too few");
        let text = "found 1 elements for a f32 tensor of shape [2], expected 2";
        assert_eq!(error.to_string(), text);
        let error = Tensor::from_i64s(ElementType::I8, &[], &[0, 1]).expect_err("too many");
        let text = "found 2 elements for a i8 tensor of shape [], expected 1";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn booleans_other_than_0_and_1_are_refused() {
        let error = Tensor::from_bytes(ElementType::Bool, &[2, 2], vec![0, 1, 7, 2]);
        let text = "found the byte 7 at [1, 0], expected a boolean 0 or 1";
        assert_eq!(error.expect_err("not boolean").to_string(), text);
        assert!(Tensor::from_bytes(ElementType::I8, &[1], vec![7]).is_ok());
    }

    #[test]
    fn indices_are_row_major() {
        let tensor = Tensor::zeros(ElementType::I8, &[2, 3]).expect("small");
        assert_eq!(tensor.indices(4), [1, 1]);
    }

    /// True if no neighbour is nearer to `value` than `rounded`.
    fn is_nearest(value: f64, rounded: f64, neighbours: [f64; 2]) -> bool {
        let error = (value - rounded).abs();
        neighbours.into_iter().all(|other| error <= (value - other).abs())
    }

    proptest! {
        #[test]
        fn a_rounded_double_is_nearest(value in -60000.0..60000.0f64) {
            let bits = f16::from_f64(stored(ElementType::F16, value)).to_bits();
            let next = |bits: u16| f16::from_bits(bits).to_f64();
            if bits & 0x7fff != 0 {
                prop_assert!(is_nearest(value, next(bits), [next(bits - 1), next(bits + 1)]));
            }
            let bits = bf16::from_f64(stored(ElementType::BF16, value)).to_bits();
            let next = |bits: u16| bf16::from_bits(bits).to_f64();
            if bits & 0x7fff != 0 {
                prop_assert!(is_nearest(value, next(bits), [next(bits - 1), next(bits + 1)]));
            }
        }
    }
}

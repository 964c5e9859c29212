//! Exchange of tensors with other libraries without a copy: the ABI of DLPack, major version 1, and the older one
//! without a version.
//!
//! ```text
//! Tensor -> into_dlpack, share_dlpack (read-only)    -> pointer -> numpy, torch, ...
//! numpy, torch, ... -> pointer -> Imported -> input, output  -> Argument::Raw of a kernel, in place
//!                                          -> to_tensor      -> a copy that is ours
//! ```
//! An import is refused unless
//! - (D1) the pointer is not null,
//! - (D2) the major version is 1,
//! - (D3) the memory is CPU memory,
//! - (D4) the element type is one of [`ElementType`], in one lane,
//! - (D5) the rank and the sizes are not negative, and there is a shape,
//! - (D6) its size in bytes, and the range that its strides cover, fit in memory,
//! - (D7) its data pointer is not null, unless there are no elements.
//!
//! It is used in place only if, in addition,
//! - (D8) it is dense and row-major: strides are absent, or those of such a tensor. Strides of dimensions of size 1 are
//!   ignored, and all strides are ignored if there are no elements,
//! - (D9) its first element is at a multiple of [`ALIGNMENT`] bytes. torch guarantees this alignment, numpy often does
//!   not have it,
//! - (D10) for a result, it is not marked read-only.
//!
//! The elements of a tensor that is not used in place are copied ([`Imported::to_tensor`], [`Imported::copy_from`]). For a
//! result this needs (D10), and
//! - (D11) no two elements share memory. This is proved only if each stride, from the smallest one on, is at least the extent
//!   of the smaller ones; other strides are refused.
//!
//! The deleter of an imported tensor is called exactly once: when the [`Imported`] is dropped, or when the import is
//! refused. It may be absent.
//!
//! ```
//! use loopwright_runtime::dlpack::{DlpackError, Imported};
//! use loopwright_runtime::tensor::{ElementType, Tensor};
//!
//! let tensor = Tensor::from_f64s(ElementType::F32, &[2, 2], &[1.0, 2.0, 3.0, 4.0]).expect("4 elements");
//! let address = tensor.bytes().as_ptr();
//! // As another library would get it, through a Python capsule say.
//! let pointer = tensor.into_dlpack();
//! // SAFETY: no other code uses the tensor, and its deleter has not been called.
//! let imported = unsafe { Imported::from_versioned(pointer.as_ptr()) }?;
//! assert_eq!((imported.shape(), imported.element_type()), (&[2, 2][..], ElementType::F32));
//! // The same bytes, as an argument of a kernel: `Argument::Raw(imported.input()?)`.
//! assert_eq!(imported.input()?.address(), address.addr());
//! assert_eq!(imported.to_tensor()?.get_f64(3), 4.0);
//! # Ok::<(), DlpackError>(())
//! ```

pub use crate::ffi::dlpack::{
    DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor,
    Imported,
};

use crate::tensor::{ALIGNMENT, ElementType, TensorError, size_in_bytes};

/// The version of exported tensors. Imported tensors must have the same major version.
pub const VERSION: DLPackVersion = DLPackVersion { major: 1, minor: 3 };

/// The bit of `flags` that forbids writing the elements.
pub const READ_ONLY: u64 = 1;

/// The `device_type` of memory that the CPU reads and writes.
pub const CPU: i32 = 1;

const INT: u8 = 0;
const FLOAT: u8 = 2;
const BFLOAT: u8 = 4;
const BOOL: u8 = 6;

/// Why a tensor of another library cannot be used, or cannot be used in place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DlpackError {
    /// The pointer to the tensor is null.
    #[error("dlpack: found a null pointer, expected a tensor (D1)")]
    Null,
    /// The major version is not 1.
    #[error("dlpack: found version {major}.{minor}, expected 1.x: ask the producer for it (D2)")]
    Version {
        /// The major version of the tensor.
        major: u32,
        /// The minor version of the tensor.
        minor: u32,
    },
    /// The memory is not CPU memory.
    #[error(
        "dlpack: found memory of device type {device_type}, expected the CPU's, 1: copy the tensor to the CPU first (D3)"
    )]
    Device {
        /// The `DLDeviceType` of the tensor.
        device_type: i32,
    },
    /// No [`ElementType`] has this data type.
    #[error(
        "dlpack: found elements of type code {code} with {bits} bits in {lanes} lanes, expected bool, i8, i16, i32, i64, f16, bf16, f32 or f64 in one lane: convert the tensor first (D4)"
    )]
    ElementType {
        /// The `DLDataTypeCode`.
        code: u8,
        /// The bits of one lane.
        bits: u8,
        /// The number of lanes of an element.
        lanes: u16,
    },
    /// The rank is negative.
    #[error("dlpack: found rank {0}, expected 0 or more (D5)")]
    Rank(i32),
    /// The pointer to the shape is null, but the tensor has this rank, which is not 0.
    #[error("dlpack: found no shape for a tensor of rank {0}, expected its sizes (D5)")]
    NoShape(i32),
    /// A size is negative.
    #[error("dlpack: found size {size} in dimension {dimension}, expected 0 or more (D5)")]
    Size {
        /// The dimension, from 0.
        dimension: usize,
        /// Its size.
        size: i64,
    },
    /// A tensor of this shape does not fit in memory.
    #[error("dlpack: {0} (D6)")]
    TooLarge(TensorError),
    /// The address of an element overflows.
    #[error(
        "dlpack: found strides {strides:?} and a byte offset of {byte_offset} that reach past all memory (D6)"
    )]
    Reach {
        /// The strides, in elements.
        strides: Vec<i64>,
        /// The distance from the data pointer to the first element, in bytes.
        byte_offset: u64,
    },
    /// The data pointer is null, but the tensor of this shape has elements.
    #[error(
        "dlpack: found no memory for a tensor of shape {0:?}, expected that of its elements (D7)"
    )]
    NoData(Vec<usize>),
    /// The elements are not dense and row-major.
    #[error(
        "dlpack: found strides {strides:?} for shape {shape:?}, expected dense row-major elements: copy them, `to_tensor` does (D8)"
    )]
    NotDense {
        /// The sizes of the tensor.
        shape: Vec<usize>,
        /// Its strides, in elements.
        strides: Vec<i64>,
    },
    /// The address of the first element is not a multiple of [`ALIGNMENT`].
    #[error(
        "dlpack: found the first element at address {0:#x}, expected a multiple of {ALIGNMENT}: copy the elements, `to_tensor` does (D9)"
    )]
    Alignment(usize),
    /// A result would be written to a read-only tensor.
    #[error(
        "dlpack: found a read-only tensor for a result, expected one that may be written (D10)"
    )]
    ReadOnly,
    /// Elements of a tensor for a result may share memory.
    #[error(
        "dlpack: found strides {strides:?} for a result of shape {shape:?}, expected strides that give each element memory of its own (D11)"
    )]
    Shared {
        /// The sizes of the tensor.
        shape: Vec<usize>,
        /// Its strides, in elements.
        strides: Vec<i64>,
    },
    /// Elements are copied from another tensor.
    #[error("dlpack: found elements of a {}{:?}, expected a {}{:?}", found.0, found.1, expected.0, expected.1)]
    Mismatch {
        /// The element type and shape of the source.
        found: (ElementType, Vec<usize>),
        /// The element type and shape of the tensor that receives the elements.
        expected: (ElementType, Vec<usize>),
    },
    /// Memory cannot be allocated, or a boolean is neither 0 nor 1.
    #[error("dlpack: {0}")]
    Tensor(#[from] TensorError),
}

/// The fields of a managed tensor, read but not yet checked.
pub(crate) struct Description {
    pub address: usize,
    pub device_type: i32,
    pub rank: i32,
    pub element: DLDataType,
    /// Absent if the pointer is null or the rank is not positive.
    pub shape: Option<Vec<i64>>,
    pub strides: Option<Vec<i64>>,
    pub byte_offset: u64,
}

/// The memory layout of the elements, as proved by the check.
#[derive(Debug)]
pub(crate) struct Layout {
    pub element_type: ElementType,
    pub shape: Vec<usize>,
    /// In elements. For any index in the shape, no product and no sum overflows, neither in elements nor in bytes.
    pub strides: Vec<i64>,
    pub bytes: usize,
    /// The distance from the data pointer to the first element, in bytes.
    pub byte_offset: usize,
    /// True if (D8) holds.
    pub is_dense: bool,
}

/// Checks (D3) to (D7).
pub(crate) fn check(found: &Description) -> Result<Layout, DlpackError> {
    if found.device_type != CPU {
        return Err(DlpackError::Device { device_type: found.device_type });
    }
    let DLDataType { code, bits, lanes } = found.element;
    let element_type = ElementType::ALL
        .into_iter()
        .find(|ty| data_type(*ty) == found.element)
        .ok_or(DlpackError::ElementType { code, bits, lanes })?;
    let shape = shape_of(found)?;
    let bytes = size_in_bytes(element_type, &shape).map_err(DlpackError::TooLarge)?;
    let dense = dense_strides(&shape);
    let strides = found.strides.clone().unwrap_or_else(|| dense.clone());
    let reach = || DlpackError::Reach { strides: strides.clone(), byte_offset: found.byte_offset };
    let byte_offset = usize::try_from(found.byte_offset).map_err(|_| reach())?;
    if bytes > 0 {
        if found.address == 0 {
            return Err(DlpackError::NoData(shape));
        }
        check_reach(found.address, byte_offset, element_type, &shape, &strides)
            .ok_or_else(reach)?;
    }
    let mut dims = shape.iter().zip(strides.iter().zip(&dense));
    let is_dense = bytes == 0 || dims.all(|(size, (stride, dense))| *size == 1 || stride == dense);
    Ok(Layout { element_type, shape, strides, bytes, byte_offset, is_dense })
}

fn shape_of(found: &Description) -> Result<Vec<usize>, DlpackError> {
    if found.rank < 0 {
        return Err(DlpackError::Rank(found.rank));
    }
    let sizes = match &found.shape {
        Some(sizes) => &sizes[..],
        None if found.rank == 0 => &[],
        None => return Err(DlpackError::NoShape(found.rank)),
    };
    let sizes = sizes.iter().enumerate();
    sizes
        .map(|(dimension, size)| {
            usize::try_from(*size).map_err(|_| DlpackError::Size { dimension, size: *size })
        })
        .collect()
}

/// Checks that all elements have addresses and that no address is below 0. There is at least one element.
fn check_reach(
    address: usize,
    byte_offset: usize,
    element_type: ElementType,
    shape: &[usize],
    strides: &[i64],
) -> Option<()> {
    let size = element_type.size_in_bytes() as i64;
    let (mut below, mut above) = (0i64, size);
    for (dim, stride) in shape.iter().zip(strides) {
        let last = i64::try_from(dim - 1).ok()?;
        let far = last.checked_mul(*stride)?.checked_mul(size)?;
        below = below.checked_add(far.min(0))?;
        above = above.checked_add(far.max(0))?;
    }
    let first = address.checked_add(byte_offset)?;
    first.checked_add_signed(isize::try_from(below).ok()?)?;
    first.checked_add_signed(isize::try_from(above).ok()?)?;
    Some(())
}

/// The strides of a dense row-major tensor, in elements. Its size fits in memory, so no stride overflows.
pub(crate) fn dense_strides(shape: &[usize]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for dimension in (1..shape.len()).rev() {
        strides[dimension - 1] = strides[dimension] * shape[dimension].max(1) as i64;
    }
    strides
}

/// Checks (D11). No product overflows, since the check of (D6) has computed them.
pub(crate) fn are_distinct(shape: &[usize], strides: &[i64]) -> bool {
    if shape.contains(&0) {
        return true;
    }
    let mut dims: Vec<(u64, u64)> = shape
        .iter()
        .zip(strides)
        .filter(|(size, _)| **size > 1)
        .map(|(size, stride)| (stride.unsigned_abs(), *size as u64))
        .collect();
    dims.sort_unstable();
    // The number of elements between the first and the last that the smaller strides reach, plus one.
    let mut extent = 1;
    dims.into_iter().all(|(stride, size)| {
        let is_apart = stride >= extent;
        extent += stride * (size - 1);
        is_apart
    })
}

/// The element type in DLPack's terms.
pub fn data_type(element_type: ElementType) -> DLDataType {
    let code = match element_type {
        ElementType::Bool => BOOL,
        ElementType::I8 | ElementType::I16 | ElementType::I32 | ElementType::I64 => INT,
        ElementType::F16 | ElementType::F32 | ElementType::F64 => FLOAT,
        ElementType::BF16 => BFLOAT,
    };
    DLDataType { code, bits: 8 * element_type.size_in_bytes() as u8, lanes: 1 }
}

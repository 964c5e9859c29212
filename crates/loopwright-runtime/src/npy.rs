//! Reads and writes `.npy` files, NumPy's format for one array.
//!
//! Read: bool, i8 to i64, u8 to u64, f16, f32 and f64, of either byte order, row-major and column-major. Integers of
//! tensors have no sign, as in MLIR, so an unsigned integer becomes the integer of the same bits; a comparison needs to
//! know the sign of its reference ([`read_reference`]). A boolean is not read from an integer. Written: little-endian
//! and row-major; integers as signed ones.
//!
//! bf16 has no npy type: it is written as f32, and read from f32 if every value is exact in bf16.
//!
//! Complex arrays (c8, c16) are read as tensors with one more dimension, the last one, of size 2: the real and the
//! imaginary part. [`write_complex`] writes such a tensor.

mod header;

use crate::compare::Signedness;
use crate::replace;
use crate::tensor::{AlignedBytes, ElementType, Tensor, TensorError, size_in_bytes};
use half::bf16;
use header::{Header, HeaderError};
use npyz::{DType, TypeStr, WriterBuilder};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why a file cannot be read or written. Each message begins with the path.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// A system error; `verb` is "read" or "written".
    #[error("{}: cannot be {verb}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was attempted.
        verb: &'static str,
        /// The system error.
        source: io::Error,
    },
    /// The file does not begin with an .npy header.
    #[error("{}: is not a .npy file: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with the header.
        reason: String,
    },
    /// No tensor has this element type.
    #[error(
        "{}: has the type {found}, expected b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16 or V1",
        path.display()
    )]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// The type in the header.
        found: String,
    },
    /// The file is truncated, or continues after the last element; both sizes are in bytes.
    #[error("{}: has {found} bytes of data, expected {expected}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// The size of the data in the file.
        found: u64,
        /// The size that the header implies.
        expected: u64,
    },
    /// The array does not fit in memory, or has a boolean that is neither 0 nor 1.
    #[error("{}: {source}", path.display())]
    Tensor {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: TensorError,
    },
    /// The element type is not the one that [`read_as`] was asked for.
    #[error("{}: has elements of type {found}, expected {expected}", path.display())]
    Type {
        /// The file.
        path: PathBuf,
        /// The type of the elements, such as `u8`.
        found: String,
        /// The type that was asked for.
        expected: ElementType,
    },
    /// The first value that [`read_as`] cannot represent exactly as bf16.
    #[error("{}: the value {value} at {index:?} is not exact in bf16", path.display())]
    Inexact {
        /// The file.
        path: PathBuf,
        /// The value.
        value: f64,
        /// Its index.
        index: Vec<usize>,
    },
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read, is not an array of a supported type, or has too little or too much data. Nothing is allocated
/// for sizes that the header claims but the file does not have.
pub fn read(path: impl AsRef<Path>) -> Result<Tensor, NpyError> {
    read_file(path.as_ref()).map(|(tensor, _)| tensor)
}

/// The tensor, and the sign of its integers.
fn read_file(path: &Path) -> Result<(Tensor, Signedness), NpyError> {
    let io = |source| NpyError::Io { path: path.into(), verb: "read", source };
    let in_tensor = |source| NpyError::Tensor { path: path.into(), source };
    let file = File::open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    if metadata.is_dir() {
        return Err(io(io::ErrorKind::IsADirectory.into()));
    }
    let mut file = BufReader::new(file);
    let header = Header::read(&mut file).map_err(|error| match error {
        HeaderError::Io(source) => io(source),
        HeaderError::Format(reason) => NpyError::Format { path: path.into(), reason },
        HeaderError::Unsupported(found) => NpyError::Unsupported { path: path.into(), found },
    })?;
    let Header { element_type, is_complex, .. } = &header;
    let parts: &[usize] = if *is_complex { &[2] } else { &[] };
    let shape = [&header.shape, parts].concat();
    let expected = size_in_bytes(*element_type, &shape).map_err(in_tensor)?;
    let hint = if metadata.is_file() { expected } else { 0 };
    let expected = expected as u64;
    let length = |found| NpyError::Length { path: path.into(), found, expected };
    // A pipe has no known length.
    if metadata.is_file() && metadata.len().saturating_sub(header.len) != expected {
        return Err(length(metadata.len().saturating_sub(header.len)));
    }
    let mut bytes = AlignedBytes::read(&mut file, expected, hint).map_err(io)?;
    let rest = io::copy(&mut file, &mut io::sink()).map_err(io)?;
    if bytes.len() as u64 + rest != expected {
        return Err(length(bytes.len() as u64 + rest));
    }
    if header.is_big_endian {
        bytes.chunks_exact_mut(element_type.size_in_bytes()).for_each(<[u8]>::reverse);
    }
    let tensor = Tensor::from_aligned(*element_type, &shape, bytes);
    let tensor = match header.is_fortran && header.shape.len() > 1 {
        true => tensor.and_then(|tensor| row_major(&tensor, header.shape.len())),
        false => tensor,
    };
    let signedness = if header.is_unsigned { Signedness::Unsigned } else { Signedness::Signed };
    Ok((tensor.map_err(in_tensor)?, signedness))
}

/// Reads a file that must have the given element type.
///
/// # Errors
/// As for [`read`], and if the file has another element type. An integer may be unsigned in the file. For bf16 the file
/// must have f32 elements, all exact in bf16; a NaN counts as exact, whatever its bits.
pub fn read_as(path: impl AsRef<Path>, expected: ElementType) -> Result<Tensor, NpyError> {
    read_reference(path, expected).map(|(tensor, _)| tensor)
}

/// The same as [`read_as`], and the sign of integers in the file, in which [`compare`](crate::compare::compare) compares.
///
/// # Errors
/// As for [`read_as`].
pub fn read_reference(
    path: impl AsRef<Path>,
    expected: ElementType,
) -> Result<(Tensor, Signedness), NpyError> {
    let path = path.as_ref();
    let (tensor, signedness) = read_file(path)?;
    let found = tensor.element_type();
    if found == expected {
        return Ok((tensor, signedness));
    }
    if (found, expected) != (ElementType::F32, ElementType::BF16) {
        let found = match signedness {
            Signedness::Signed => found.to_string(),
            Signedness::Unsigned => found.to_string().replace('i', "u"),
        };
        return Err(NpyError::Type { path: path.into(), found, expected });
    }
    let mut narrow = Tensor::zeros(ElementType::BF16, tensor.shape())
        .map_err(|source| NpyError::Tensor { path: path.into(), source })?;
    let elements = tensor.bytes().chunks_exact(4).zip(narrow.bytes_mut().chunks_exact_mut(2));
    for (i, (wide, narrow)) in elements.enumerate() {
        let value = tensor.get_f64(i);
        match wide[..2] == [0, 0] {
            true => narrow.copy_from_slice(&wide[2..]),
            // The upper half of a NaN may be that of an infinity.
            false if value.is_nan() => narrow.copy_from_slice(&bf16::NAN.to_le_bytes()),
            false => {
                let index = tensor.indices(i);
                return Err(NpyError::Inexact { path: path.into(), value, index });
            }
        }
    }
    Ok((narrow, signedness))
}

/// Writes a file, whole or not at all: see [`replace::file`]. A bf16 tensor is written as f32.
///
/// # Errors
/// If it cannot be written; an existing file is unchanged then.
pub fn write(path: impl AsRef<Path>, tensor: &Tensor) -> Result<(), NpyError> {
    write_file(path.as_ref(), tensor, false)
}

/// Writes a tensor of f32 or f64, whose last dimension is that of real and imaginary parts, as a complex array. See
/// [`write()`].
///
/// # Errors
/// If it cannot be written; an existing file is unchanged then.
///
/// # Panics
/// If the tensor has another type, or no last dimension of 2.
pub fn write_complex(path: impl AsRef<Path>, tensor: &Tensor) -> Result<(), NpyError> {
    let is_float = matches!(tensor.element_type(), ElementType::F32 | ElementType::F64);
    assert!(is_float && tensor.shape().last() == Some(&2), "expected pairs of f32 or f64");
    write_file(path.as_ref(), tensor, true)
}

fn write_file(path: &Path, tensor: &Tensor, is_complex: bool) -> Result<(), NpyError> {
    replace::file(path, |file| write_to(file, tensor, is_complex)).map_err(|source| {
        let path = path.into();
        NpyError::Io { path, verb: "written", source }
    })
}

fn write_to(file: File, tensor: &Tensor, is_complex: bool) -> io::Result<()> {
    let type_str: TypeStr = match tensor.element_type() {
        ElementType::F32 if is_complex => "<c8",
        ElementType::F64 if is_complex => "<c16",
        ElementType::Bool => "|b1",
        ElementType::I8 => "|i1",
        ElementType::I16 => "<i2",
        ElementType::I32 => "<i4",
        ElementType::I64 => "<i8",
        ElementType::F16 => "<f2",
        ElementType::BF16 | ElementType::F32 => "<f4",
        ElementType::F64 => "<f8",
    }
    .parse()
    .expect("npyz knows these types");
    let rank = tensor.shape().len() - usize::from(is_complex);
    let shape: Vec<u64> = tensor.shape()[..rank].iter().map(|dim| *dim as u64).collect();
    let mut file = BufWriter::new(file);
    npyz::WriteOptions::new_header_only()
        .dtype(DType::Plain(type_str))
        .shape(&shape)
        .writer(&mut file)
        .write_header_only()?;
    match tensor.element_type() {
        ElementType::BF16 => tensor
            .bytes()
            .chunks_exact(2)
            .try_for_each(|upper| file.write_all(&[0, 0, upper[0], upper[1]]))?,
        _ => file.write_all(tensor.bytes())?,
    }
    file.flush()
}

/// Converts a tensor whose first `rank` dimensions are column-major to row-major.
fn row_major(columns: &Tensor, rank: usize) -> Result<Tensor, TensorError> {
    let (shape, parts) = columns.shape().split_at(rank);
    let mut rows = Tensor::zeros(columns.element_type(), columns.shape())?;
    let size = columns.element_type().size_in_bytes() * parts.iter().product::<usize>();
    let mut strides = vec![1; rank];
    for d in 1..rank {
        strides[d] = strides[d - 1] * shape[d - 1];
    }
    let mut index = vec![0; rank];
    for element in rows.bytes_mut().chunks_exact_mut(size) {
        let from: usize = index.iter().zip(&strides).map(|(i, stride)| i * stride).sum();
        element.copy_from_slice(&columns.bytes()[from * size..(from + 1) * size]);
        for d in (0..shape.len()).rev() {
            index[d] += 1;
            if index[d] < shape[d] {
                break;
            }
            index[d] = 0;
        }
    }
    Ok(rows)
}

//! `.npy` files.
//!
//! bf16 has no npy type: it is written as f32, and read from f32 where every value is exact in bf16.

use crate::tensor::{ElementType, Tensor, TensorError};
use half::bf16;
use npyz::{DType, Endianness, NpyFile, Order, TypeChar, TypeStr, WriterBuilder};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    #[error("{}: cannot be {verb}: {source}", path.display())]
    Io { path: PathBuf, verb: &'static str, source: io::Error },
    #[error("{}: is no .npy file: {reason}", path.display())]
    Format { path: PathBuf, reason: String },
    #[error(
        "{}: has the type {found}, expected bool, or a signed integer or float of at most 64 bits",
        path.display()
    )]
    Unsupported { path: PathBuf, found: String },
    #[error("{}: has {found} bytes of data, expected {expected}", path.display())]
    Length { path: PathBuf, found: usize, expected: usize },
    #[error("{}: {source}", path.display())]
    Tensor { path: PathBuf, source: TensorError },
    #[error("{}: holds {found}, expected {expected}", path.display())]
    Type { path: PathBuf, found: ElementType, expected: ElementType },
    #[error("{}: the value {value} at {index:?} is not exact in bf16", path.display())]
    Inexact { path: PathBuf, value: f64, index: Vec<usize> },
    #[error("{}: holds the byte {value} at {index:?}, expected a boolean 0 or 1", path.display())]
    Bool { path: PathBuf, value: u8, index: Vec<usize> },
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read, is not an array of a type of ours, or has too little or too much data.
pub fn read(path: impl AsRef<Path>) -> Result<Tensor, NpyError> {
    let path = path.as_ref();
    let io = |source| NpyError::Io { path: path.into(), verb: "read", source };
    let file = File::open(path).map_err(io)?;
    if file.metadata().map_err(io)?.is_dir() {
        return Err(io(io::Error::from(io::ErrorKind::IsADirectory)));
    }
    let format = |error: io::Error| {
        let reason = match error.kind() {
            io::ErrorKind::UnexpectedEof => "it ends in its header".into(),
            _ => error.to_string(),
        };
        NpyError::Format { path: path.into(), reason }
    };
    let npy = NpyFile::new(BufReader::new(file)).map_err(format)?;
    let (element_type, endianness) = element_type(&npy.dtype()).ok_or_else(|| {
        NpyError::Unsupported { path: path.into(), found: npy.dtype().descr().replace('\'', "") }
    })?;
    let is_fortran = npy.order() == Order::Fortran;
    let too_large = || NpyError::Tensor {
        path: path.into(),
        source: TensorError::TooLarge { element_type, shape: vec![] },
    };
    let shape: Result<Vec<usize>, _> = npy.shape().iter().map(|d| usize::try_from(*d)).collect();
    let shape = shape.map_err(|_| too_large())?;
    // No allocation by what the header claims: the file is read, and then its length is compared.
    let expected = shape
        .iter()
        .try_fold(element_type.size_in_bytes(), |n, d| n.checked_mul(*d))
        .ok_or_else(too_large)?;
    let mut bytes = vec![];
    let limit = u64::try_from(expected).unwrap_or(u64::MAX).saturating_add(1);
    npy.into_inner().take(limit).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() != expected {
        return Err(NpyError::Length { path: path.into(), found: bytes.len(), expected });
    }
    if endianness == Endianness::Big {
        bytes.chunks_exact_mut(element_type.size_in_bytes()).for_each(<[u8]>::reverse);
    }
    if is_fortran {
        bytes = row_major(&bytes, &shape, element_type.size_in_bytes());
    }
    let tensor = Tensor::from_bytes(element_type, &shape, bytes)
        .map_err(|source| NpyError::Tensor { path: path.into(), source })?;
    check_bools(path, &tensor)?;
    Ok(tensor)
}

/// Reads a file that must hold elements of a type.
///
/// # Errors
/// As [`read`], and if it holds another type. For bf16 it must hold f32 of which all are exact in bf16.
pub fn read_as(path: impl AsRef<Path>, expected: ElementType) -> Result<Tensor, NpyError> {
    let path = path.as_ref();
    let tensor = read(path)?;
    let found = tensor.element_type();
    if found == expected {
        return Ok(tensor);
    }
    if (found, expected) != (ElementType::F32, ElementType::BF16) {
        return Err(NpyError::Type { path: path.into(), found, expected });
    }
    let mut narrow = Tensor::zeros(ElementType::BF16, tensor.shape())
        .map_err(|source| NpyError::Tensor { path: path.into(), source })?;
    for i in 0..tensor.len() {
        let value = tensor.get_f64(i);
        if bf16::from_f64(value).to_f64() != value && !value.is_nan() {
            return Err(NpyError::Inexact { path: path.into(), value, index: tensor.indices(i) });
        }
        narrow.set_f64(i, value);
    }
    Ok(narrow)
}

/// Writes a file, through a temporary one beside it, so that no half-written file is left.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: impl AsRef<Path>, tensor: &Tensor) -> Result<(), NpyError> {
    let path = path.as_ref();
    let io = |source| NpyError::Io { path: path.into(), verb: "written", source };
    let mut name =
        path.file_name().ok_or_else(|| io(io::ErrorKind::InvalidFilename.into()))?.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let outcome = write_to(&temporary, tensor).and_then(|()| std::fs::rename(&temporary, path));
    outcome.map_err(|source| {
        // Best effort: the error that counts is the first.
        let _ = std::fs::remove_file(&temporary);
        io(source)
    })
}

fn write_to(path: &Path, tensor: &Tensor) -> io::Result<()> {
    let type_str: TypeStr = match tensor.element_type() {
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
    .map_err(|_| io::ErrorKind::InvalidData)?;
    let shape: Vec<u64> = tensor.shape().iter().map(|d| *d as u64).collect();
    let mut file = File::create(path)?;
    npyz::WriteOptions::new_header_only()
        .dtype(DType::Plain(type_str))
        .shape(&shape)
        .writer(&mut file)
        .write_header_only()?;
    match tensor.element_type() {
        ElementType::BF16 => {
            let wide = (0..tensor.len()).flat_map(|i| (tensor.get_f64(i) as f32).to_le_bytes());
            file.write_all(&wide.collect::<Vec<u8>>())?;
        }
        _ => file.write_all(tensor.bytes())?,
    }
    file.flush()
}

/// The element type and byte order of an npy type.
fn element_type(dtype: &DType) -> Option<(ElementType, Endianness)> {
    let DType::Plain(plain) = dtype else { return None };
    let element_type = match (plain.type_char(), plain.size_field()) {
        (TypeChar::Bool, 1) => ElementType::Bool,
        (TypeChar::Int, 1) => ElementType::I8,
        (TypeChar::Int, 2) => ElementType::I16,
        (TypeChar::Int, 4) => ElementType::I32,
        (TypeChar::Int, 8) => ElementType::I64,
        (TypeChar::Float, 2) => ElementType::F16,
        (TypeChar::Float, 4) => ElementType::F32,
        (TypeChar::Float, 8) => ElementType::F64,
        _ => return None,
    };
    Some((element_type, plain.endianness()))
}

/// The elements of a column-major array in row-major order.
fn row_major(bytes: &[u8], shape: &[usize], size: usize) -> Vec<u8> {
    let mut strides = vec![1; shape.len()];
    for d in 1..shape.len() {
        strides[d] = strides[d - 1] * shape[d - 1];
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = vec![0; shape.len()];
    for _ in 0..bytes.len() / size {
        let from: usize = index.iter().zip(&strides).map(|(i, stride)| i * stride).sum();
        out.extend_from_slice(&bytes[from * size..(from + 1) * size]);
        for d in (0..shape.len()).rev() {
            index[d] += 1;
            if index[d] < shape[d] {
                break;
            }
            index[d] = 0;
        }
    }
    out
}

fn check_bools(path: &Path, tensor: &Tensor) -> Result<(), NpyError> {
    if tensor.element_type() != ElementType::Bool {
        return Ok(());
    }
    match tensor.bytes().iter().enumerate().find(|(_, byte)| **byte > 1) {
        None => Ok(()),
        Some((i, value)) => {
            let index = tensor.indices(i);
            Err(NpyError::Bool { path: path.into(), value: *value, index })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tempfile::tempdir;

    /// A version 1.0 file, written by hand.
    fn file(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let mut header =
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
        while (10 + header.len() + 1) % 64 != 0 {
            header.push(' ');
        }
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn read_bytes(bytes: &[u8]) -> Result<Tensor, NpyError> {
        let folder = tempdir().expect("a temporary folder");
        let path = folder.path().join("a.npy");
        std::fs::write(&path, bytes).expect("a temporary file");
        read(&path)
    }

    fn refusal(bytes: &[u8]) -> String {
        let text = read_bytes(bytes).expect_err("must be refused").to_string();
        text.split_once("a.npy: ").expect("names the file").1.to_owned()
    }

    #[test]
    fn reads_both_byte_orders_and_both_layouts() {
        let little = read_bytes(&file("<i2", "False", "(2, 2)", &[1, 0, 2, 0, 3, 0, 4, 0]));
        let big = read_bytes(&file(">i2", "False", "(2, 2)", &[0, 1, 0, 2, 0, 3, 0, 4]));
        let columns = read_bytes(&file("<i2", "True", "(2, 2)", &[1, 0, 3, 0, 2, 0, 4, 0]));
        let little = little.expect("valid");
        assert_eq!((0..4).map(|i| little.get_i64(i)).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(big.expect("valid"), little);
        assert_eq!(columns.expect("valid"), little);
    }

    #[test]
    fn reads_rank_0_and_empty() {
        let scalar = read_bytes(&file("<f8", "False", "()", &1.5f64.to_le_bytes())).expect("valid");
        assert_eq!((scalar.shape(), scalar.get_f64(0)), (&[][..], 1.5));
        let empty = read_bytes(&file("<f4", "False", "(0, 3)", &[])).expect("valid");
        assert_eq!((empty.shape(), empty.len()), (&[0, 3][..], 0));
    }

    #[test]
    fn refuses_what_is_no_array_of_ours() {
        assert!(refusal(b"hello").starts_with("is no .npy file"));
        assert!(refusal(b"").starts_with("is no .npy file"));
        assert!(refusal(&file("<u4", "False", "(1,)", &[0; 4])).starts_with("has the type <u4"));
        assert!(refusal(&file("<c8", "False", "(1,)", &[0; 8])).starts_with("has the type <c8"));
    }

    #[test]
    fn refuses_too_little_and_too_much_data() {
        let short = refusal(&file("<f4", "False", "(2,)", &[0; 7]));
        assert_eq!(short, "has 7 bytes of data, expected 8");
        let long = refusal(&file("<f4", "False", "(2,)", &[0; 20]));
        assert_eq!(long, "has 9 bytes of data, expected 8");
    }

    #[test]
    fn refuses_an_absurd_shape_before_allocating() {
        let text = refusal(&file("<f4", "False", "(1000000000000000000, 8)", &[]));
        assert!(text.contains("does not fit in memory"), "{text}");
        let text = refusal(&file("<f4", "False", "(1000000000000,)", &[]));
        assert_eq!(text, "has 0 bytes of data, expected 4000000000000");
    }

    #[test]
    fn refuses_booleans_other_than_0_and_1() {
        let text = refusal(&file("|b1", "False", "(2,)", &[1, 7]));
        assert_eq!(text, "holds the byte 7 at [1], expected a boolean 0 or 1");
    }

    #[test]
    fn refuses_another_type_than_expected() {
        let folder = tempdir().expect("a temporary folder");
        let path = folder.path().join("a.npy");
        write(&path, &Tensor::zeros(ElementType::F64, &[1]).expect("small")).expect("writes");
        let error = read_as(&path, ElementType::F32).expect_err("another type").to_string();
        assert!(error.ends_with("a.npy: holds f64, expected f32"), "{error}");
    }

    #[test]
    fn bf16_comes_from_exact_f32_only() {
        let folder = tempdir().expect("a temporary folder");
        let path = folder.path().join("a.npy");
        let mut tensor = Tensor::zeros(ElementType::F32, &[2]).expect("small");
        tensor.set_f64(0, 1.5);
        write(&path, &tensor).expect("writes");
        assert_eq!(read_as(&path, ElementType::BF16).expect("exact").get_f64(0), 1.5);
        tensor.set_f64(1, 0.1);
        write(&path, &tensor).expect("writes");
        let error = read_as(&path, ElementType::BF16).expect_err("inexact");
        assert!(matches!(error, NpyError::Inexact { ref index, .. } if index == &[1]), "{error}");
    }

    #[test]
    fn a_missing_file_or_folder_is_named() {
        let missing = read("no/such/file.npy").expect_err("missing").to_string();
        assert!(missing.starts_with("no/such/file.npy: cannot be read: "), "{missing}");
        let tensor = Tensor::zeros(ElementType::I8, &[]).expect("small");
        let error = write("no/such/file.npy", &tensor).expect_err("missing").to_string();
        assert!(error.starts_with("no/such/file.npy: cannot be written: "), "{error}");
        let folder = tempdir().expect("a temporary folder");
        assert!(matches!(read(folder.path()), Err(NpyError::Io { .. })));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            ty in prop::sample::select(ElementType::ALL.to_vec()),
            shape in prop::collection::vec(0..4usize, 0..4),
            seed in any::<u64>(),
        ) {
            let mut tensor = Tensor::zeros(ty, &shape).expect("small");
            let mut state = seed;
            for i in 0..tensor.len() {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                tensor.set_i64(i, (state >> 33) as i64 % 100);
            }
            let folder = tempdir().expect("a temporary folder");
            let path = folder.path().join("a.npy");
            write(&path, &tensor).expect("writes");
            prop_assert_eq!(read_as(&path, ty).expect("reads"), tensor);
            prop_assert_eq!(std::fs::read_dir(folder.path()).expect("exists").count(), 1);
        }
    }
}

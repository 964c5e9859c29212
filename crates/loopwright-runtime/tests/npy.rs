//! Reads and writes `.npy` files and compares them with bytes written by hand and with each other.

use loopwright_runtime::compare::Signedness;
use loopwright_runtime::npy::{self, NpyError};
use loopwright_runtime::tensor::{ALIGNMENT, ElementType, Tensor};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// The bytes that NumPy 2 writes for `np.array([[1, -2, 3]], dtype='<i2')`.
const I2_1X3: &[u8] = b"\x93NUMPY\x01\x00\x76\x00\
    {'descr': '<i2', 'fortran_order': False, 'shape': (1, 3), }                                                          \n\
    \x01\x00\xfe\xff\x03\x00";

fn folder() -> TempDir {
    tempdir().expect("a temporary folder")
}

/// A file written by hand: magic, version, length of the header, header, data.
fn file_of(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let prefix = if version == 1 { 10 } else { 12 };
    let padding = 63 - (prefix + header.len()) % 64;
    let header = format!("{header}{}\n", " ".repeat(padding));
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    match version {
        1 => bytes.extend((header.len() as u16).to_le_bytes()),
        _ => bytes.extend((header.len() as u32).to_le_bytes()),
    }
    assert_eq!((bytes.len() + header.len()) % 64, 0);
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn file(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    file_of(1, &header, data)
}

fn read_bytes(bytes: &[u8]) -> Result<Tensor, NpyError> {
    let folder = folder();
    let path = folder.path().join("a.npy");
    fs::write(&path, bytes).expect("a file in it");
    npy::read(path)
}

fn good(bytes: &[u8]) -> Tensor {
    read_bytes(bytes).expect("valid")
}

/// The message without the path, which it must begin with.
fn refusal(bytes: &[u8]) -> String {
    let text = read_bytes(bytes).expect_err("must be refused").to_string();
    text.split_once("a.npy: ").expect("names the file").1.to_owned()
}

fn values(tensor: &Tensor) -> Vec<i64> {
    (0..tensor.len()).map(|i| tensor.get_i64(i)).collect()
}

fn written(folder: &TempDir, tensor: &Tensor) -> PathBuf {
    let path = folder.path().join("a.npy");
    npy::write(&path, tensor).expect("writes");
    path
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn reads_what_numpy_writes() {
    let tensor = good(I2_1X3);
    assert_eq!((tensor.element_type(), tensor.shape()), (ElementType::I16, &[1, 3][..]));
    assert_eq!(values(&tensor), [1, -2, 3]);
    assert!(tensor.bytes().as_ptr().addr().is_multiple_of(ALIGNMENT));
}

#[test]
fn writes_version_1_aligned_to_64_bytes() {
    let folder = folder();
    let tensor = Tensor::from_i64s(ElementType::I16, &[1, 3], &[1, -2, 3]).expect("small");
    let bytes = fs::read(written(&folder, &tensor)).expect("exists");
    let (head, data) = bytes.split_at(128);
    assert_eq!((&head[..10], data), (&b"\x93NUMPY\x01\x00\x76\x00"[..], &I2_1X3[128..]));
    let text = str::from_utf8(&head[10..]).expect("ASCII");
    // Python reads `(1, 3, )` as `(1, 3)`.
    let dictionary = "{'descr': '<i2', 'fortran_order': False, 'shape': (1, 3, ), }";
    assert_eq!((text.trim_end(), text.ends_with('\n')), (dictionary, true));
}

#[test]
fn writes_the_npy_type_of_each_element_type() {
    let folder = folder();
    for (ty, descr) in ElementType::ALL
        .into_iter()
        .zip(["|b1", "|i1", "<i2", "<i4", "<i8", "<f2", "<f4", "<f4", "<f8"])
    {
        let one = Tensor::from_i64s(ty, &[], &[1]).expect("small");
        let bytes = fs::read(written(&folder, &one)).expect("exists");
        let start = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (), }}");
        assert!(bytes[10..].starts_with(start.as_bytes()), "{ty}");
    }
}

#[test]
fn complex_numbers_are_pairs() {
    let folder = tempfile::tempdir().expect("creates");
    for (descr, ty) in [("c8", ElementType::F32), ("c16", ElementType::F64)] {
        let numbers: Vec<f64> = (0..12).map(f64::from).collect();
        let tensor = Tensor::from_f64s(ty, &[2, 3, 2], &numbers).expect("small");
        let path = folder.path().join("c.npy");
        npy::write_complex(&path, &tensor).expect("writes");
        let bytes = fs::read(&path).expect("exists");
        let start = format!("{{'descr': '<{descr}', 'fortran_order': False, 'shape': (2, 3, ), }}");
        let head = String::from_utf8_lossy(&bytes[10..][..start.len()]);
        assert_eq!(head, start);
        assert_eq!(npy::read(&path).expect("reads"), tensor);
        // The other byte order, column-major: numbers 0, 3, 1, 4, 2 and 5.
        let size = ty.size_in_bytes();
        let number = |i: usize| tensor.bytes()[2 * i * size..][..2 * size].chunks_exact(size);
        let reversed = |part: &[u8]| part.iter().rev().copied().collect::<Vec<_>>();
        let columns: Vec<u8> =
            [0, 3, 1, 4, 2, 5].into_iter().flat_map(number).flat_map(reversed).collect();
        assert_eq!(good(&file(&format!(">{descr}"), "True", "(2, 3)", &columns)), tensor);
    }
    let scalar = Tensor::from_f64s(ElementType::F32, &[2], &[1.0, -2.0]).expect("small");
    let path = folder.path().join("scalar.npy");
    npy::write_complex(&path, &scalar).expect("writes");
    assert_eq!(npy::read(&path).expect("reads"), scalar);
}

#[test]
fn reads_each_type_of_both_byte_orders() {
    for (descr, ty, little) in [
        ("b1", ElementType::Bool, &[1][..]),
        ("i1", ElementType::I8, &[1]),
        ("i2", ElementType::I16, &[1, 0]),
        ("i4", ElementType::I32, &[1, 0, 0, 0]),
        ("i8", ElementType::I64, &[1, 0, 0, 0, 0, 0, 0, 0]),
        ("f2", ElementType::F16, &[0, 0x3c]),
        ("f4", ElementType::F32, &[0, 0, 0x80, 0x3f]),
        ("f8", ElementType::F64, &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f]),
    ] {
        let big: Vec<u8> = little.iter().rev().copied().collect();
        let mut files = vec![
            file(&format!("<{descr}"), "False", "()", little),
            file(&format!(">{descr}"), "False", "()", &big),
        ];
        if little.len() == 1 {
            files.push(file(&format!("|{descr}"), "False", "()", little));
        }
        for bytes in files {
            let tensor = good(&bytes);
            assert_eq!((tensor.element_type(), tensor.shape()), (ty, &[][..]));
            assert_eq!((tensor.bytes(), tensor.get_f64(0)), (little, 1.0), "{ty}");
        }
    }
}

/// The bits of an unsigned integer do not change, and a reference has its sign.
#[test]
fn unsigned_integers_become_integers_of_the_same_bits() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    for (descr, ty, data, value) in [
        ("|u1", ElementType::I8, &[200][..], 200 - 256),
        ("<u2", ElementType::I16, &[0, 0x80], -32768),
        (">u2", ElementType::I16, &[0x80, 0], -32768),
        ("<u4", ElementType::I32, &[0xff; 4], -1),
        ("<u8", ElementType::I64, &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], -2),
    ] {
        fs::write(&path, file(descr, "False", "(1,)", data)).expect("a file");
        let (tensor, signedness) = npy::read_reference(&path, ty).expect("reads");
        assert_eq!((values(&tensor), signedness), (vec![value], Signedness::Unsigned), "{descr}");
        assert_eq!(npy::read_as(&path, ty).expect("reads"), tensor);
        for other in ElementType::ALL.into_iter().filter(|other| *other != ty) {
            let error = npy::read_as(&path, other).expect_err("another type").to_string();
            let found = ty.to_string().replace('i', "u");
            let end = format!("a.npy: has elements of type {found}, expected {other}");
            assert!(error.ends_with(&end), "{error}");
        }
    }
    fs::write(&path, I2_1X3).expect("a file");
    let (_, signedness) = npy::read_reference(&path, ElementType::I16).expect("reads");
    assert_eq!(signedness, Signedness::Signed);
}

#[test]
fn reads_columns_as_rows() {
    let columns = good(&file("|i1", "True", "(2, 3)", &[1, 4, 2, 5, 3, 6]));
    assert_eq!((columns.shape(), values(&columns)), (&[2, 3][..], vec![1, 2, 3, 4, 5, 6]));
    let big = good(&file(">i2", "True", "(2, 2)", &[0, 1, 0, 3, 0, 2, 0, 4]));
    assert_eq!(values(&big), [1, 2, 3, 4]);
    // Element (i, j, k) of the column-major 2 x 3 x 4 array is at i + 2 j + 6 k.
    let cube = good(&file("|i1", "True", "(2, 3, 4)", &(0..24).collect::<Vec<u8>>()));
    let at = |n: i64| n / 12 + 2 * (n / 4 % 3) + 6 * (n % 4);
    assert_eq!(values(&cube), (0..24).map(at).collect::<Vec<_>>());
    for shape in ["()", "(1,)", "(1, 1)"] {
        assert_eq!(values(&good(&file("|i1", "True", shape, &[7]))), [7]);
    }
}

#[test]
fn reads_sizes_of_zero() {
    for (shape, expected) in [("(0,)", &[0][..]), ("(0, 3)", &[0, 3]), ("(3, 0, 2)", &[3, 0, 2])] {
        for order in ["False", "True"] {
            let empty = good(&file("<f4", order, shape, &[]));
            assert_eq!((empty.shape(), empty.len()), (expected, 0));
        }
    }
}

#[test]
fn reads_versions_1_to_3() {
    let header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2,), }";
    for version in 1..=3 {
        assert_eq!(values(&good(&file_of(version, header, &[3, 4]))), [3, 4]);
    }
    let text = refusal(&file_of(4, header, &[3, 4]));
    assert_eq!(text, "is not a .npy file: it has the version 4.0, expected 1.0 to 3.0");
}

#[test]
fn refuses_what_is_no_npy_file() {
    let start = "is not a .npy file: it does not begin with";
    assert!(refusal(b"PK\x03\x04 this is an .npz file").starts_with(start));
    let ends = "is not a .npy file: it ends in its header";
    for cut in [0, 5, 9, 10, 60, 127] {
        assert_eq!(refusal(&I2_1X3[..cut]), ends, "after {cut} bytes");
    }
    let text = refusal(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}");
    assert_eq!(text, "is not a .npy file: its header has 4294967295 bytes, expected at most 65536");
    let text = refusal(b"\x93NUMPY\x01\x00\x02\x00\xff\xff");
    assert_eq!(text, "is not a .npy file: its header is not UTF-8");
}

#[test]
fn refuses_other_types_and_names_ours() {
    for descr in ["<c32", "<f16", "|S3", "<U3", "|O", "<M8[s]", "bfloat16"] {
        let text = refusal(&file(descr, "False", "(0,)", &[]));
        let expected = "expected b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16 or V1";
        assert_eq!(text, format!("has the type {descr}, {expected}"));
    }
    let header = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (0,), }";
    assert!(refusal(&file_of(1, header, &[])).starts_with("has the type of a structure, expected"));
}

#[test]
fn refuses_too_little_and_too_much_data() {
    for len in [0, 7, 9, 20] {
        let text = refusal(&file("<f4", "False", "(2,)", &vec![0; len]));
        assert_eq!(text, format!("has {len} bytes of data, expected 8"));
    }
    assert_eq!(refusal(&file("<f4", "False", "(0,)", &[1])), "has 1 bytes of data, expected 0");
}

#[test]
fn refuses_absurd_shapes_before_allocating() {
    let text = refusal(&file("<f4", "False", "(1000000000000000000,)", &[0; 4]));
    assert_eq!(text, "has 4 bytes of data, expected 4000000000000000000");
    for shape in [
        "(1000000000000000000, 8)",
        "(1000000000000000000, 1000000000000000000)",
        "(0, 1000000000000000000, 1000000000000000000)",
        "(1000000000000000000, 1000000000000000000, 0)",
    ] {
        for order in ["False", "True"] {
            let text = refusal(&file("<f4", order, shape, &[]));
            let shape = shape.replace('(', "[").replace(')', "]");
            let expected = format!("a f32 tensor of shape {shape} does not fit in memory");
            assert_eq!(text, expected);
        }
    }
    let text = refusal(&file("<f4", "False", "(99999999999999999999,)", &[]));
    assert!(text.starts_with("is not a .npy file: its header has the size 9999"), "{text}");
}

#[test]
fn refuses_booleans_other_than_0_and_1() {
    let text = refusal(&file("|b1", "False", "(2,)", &[1, 7]));
    assert_eq!(text, "found the byte 7 at [1], expected a boolean 0 or 1");
}

#[test]
fn refuses_another_type_than_expected() {
    let folder = folder();
    for found in ElementType::ALL.into_iter().filter(|ty| *ty != ElementType::BF16) {
        let path = written(&folder, &Tensor::zeros(found, &[1]).expect("small"));
        for expected in ElementType::ALL {
            let is_bf16_of_f32 = (found, expected) == (ElementType::F32, ElementType::BF16);
            match npy::read_as(&path, expected) {
                Ok(tensor) => assert!(found == expected || is_bf16_of_f32, "{}", tensor.len()),
                Err(error) => {
                    let end = format!("a.npy: has elements of type {found}, expected {expected}");
                    assert!(error.to_string().ends_with(&end), "{error}");
                    assert!(found != expected && !is_bf16_of_f32, "{error}");
                }
            }
        }
    }
}

#[test]
fn bf16_is_written_as_f32() {
    let folder = folder();
    let tensor = Tensor::from_f64s(ElementType::BF16, &[2], &[1.0, -2.0]).expect("small");
    let path = written(&folder, &tensor);
    let bytes = fs::read(&path).expect("exists");
    assert_eq!(bytes[128..], [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
    assert_eq!(npy::read(&path).expect("reads").element_type(), ElementType::F32);
    assert_eq!(npy::read_as(&path, ElementType::BF16).expect("exact"), tensor);
}

#[test]
fn bf16_comes_from_exact_f32_only() {
    let folder = folder();
    let exact = [1.5, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 2f64.powi(-133)];
    let mut tensor = Tensor::from_f64s(ElementType::F32, &[1, 7], &exact).expect("small");
    // A NaN whose upper half is that of an infinity.
    tensor.bytes_mut()[20..24].copy_from_slice(&0x7f80_0001u32.to_le_bytes());
    let narrow = npy::read_as(written(&folder, &tensor), ElementType::BF16).expect("exact");
    for (i, value) in exact.into_iter().enumerate() {
        let found = narrow.get_f64(i);
        assert!(found.to_bits() == value.to_bits() || found.is_nan() && value.is_nan(), "{value}");
    }
    for inexact in [0.1, 1.0 + 2f64.powi(-8), f64::from(f32::MAX), 2f64.powi(-140)] {
        tensor.set_f64(4, inexact);
        tensor.set_f64(6, inexact);
        let error = npy::read_as(written(&folder, &tensor), ElementType::BF16);
        let error = error.expect_err("inexact");
        assert!(matches!(&error, NpyError::Inexact { index, .. } if index == &[0, 4]), "{error}");
    }
    let text = npy::read_as(folder.path().join("a.npy"), ElementType::BF16);
    let text = text.expect_err("inexact").to_string();
    assert!(text.contains("a.npy: the value 0.000000"), "{text}");
    assert!(text.ends_with(" at [0, 4] is not exact in bf16"), "{text}");
}

#[test]
fn a_missing_file_or_folder_is_named() {
    let missing = npy::read("no/such/file.npy").expect_err("missing").to_string();
    assert!(missing.starts_with("no/such/file.npy: cannot be read: "), "{missing}");
    let tensor = Tensor::zeros(ElementType::I8, &[]).expect("small");
    let error = npy::write("no/such/file.npy", &tensor).expect_err("missing").to_string();
    assert!(error.starts_with("no/such/file.npy: cannot be written: "), "{error}");
    let folder = folder();
    for path in [folder.path(), Path::new(""), Path::new("/")] {
        assert!(matches!(npy::read(path), Err(NpyError::Io { verb: "read", .. })));
        assert!(matches!(npy::write(path, &tensor), Err(NpyError::Io { verb: "written", .. })));
    }
}

#[test]
fn writing_replaces_a_file_and_leaves_no_other() {
    let folder = folder();
    let tensor = Tensor::from_i64s(ElementType::I8, &[1], &[5]).expect("small");
    written(&folder, &Tensor::zeros(ElementType::F64, &[100]).expect("small"));
    let path = written(&folder, &tensor);
    assert_eq!(npy::read(&path).expect("reads"), tensor);
    assert_eq!(names(folder.path()), ["a.npy"]);
}

#[test]
fn a_folder_is_no_file() {
    let folder = folder();
    let tensor = Tensor::zeros(ElementType::I8, &[]).expect("small");
    let read = npy::read(folder.path()).expect_err("a folder").to_string();
    assert!(read.ends_with(": cannot be read: is a directory"), "{read}");
    let write = npy::write(folder.path(), &tensor).expect_err("a folder").to_string();
    assert!(write.ends_with(": cannot be written: is a directory"), "{write}");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    let folder = folder();
    let tensor = Tensor::from_i64s(ElementType::I8, &[1], &[5]).expect("small");
    let path = written(&folder, &Tensor::zeros(ElementType::F64, &[1]).expect("small"));
    let link = folder.path().join("link.npy");
    std::os::unix::fs::symlink("a.npy", &link).expect("a link");
    npy::write(&link, &tensor).expect("writes");
    assert!(fs::symlink_metadata(&link).expect("exists").is_symlink());
    assert_eq!(npy::read(&path).expect("reads"), tensor);
}

#[cfg(target_os = "linux")]
#[test]
fn reads_from_a_pipe() {
    use std::io::Write;
    use std::os::fd::AsRawFd;
    for (extra, len) in [(&[][..], 6), (&[0, 0], 8)] {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        writer.write_all(&[I2_1X3, extra].concat()).expect("fits in the pipe");
        drop(writer);
        let path = format!("/proc/self/fd/{}", reader.as_raw_fd());
        match npy::read(&path) {
            Ok(tensor) => assert_eq!((values(&tensor), len), (vec![1, -2, 3], 6)),
            Err(error) => {
                let text = format!("{path}: has {len} bytes of data, expected 6");
                assert_eq!(error.to_string(), text);
            }
        }
    }
}

#[test]
fn threads_that_write_one_file_leave_one_whole_file() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let tensors = [1, 2, 3, 4].map(|n| Tensor::from_i64s(ElementType::I32, &[n], &vec![7; n]));
    std::thread::scope(|scope| {
        for tensor in &tensors {
            let tensor = tensor.as_ref().expect("small");
            scope.spawn(|| npy::write(&path, tensor).expect("writes"));
        }
    });
    assert!(tensors.contains(&Ok(npy::read(&path).expect("reads"))));
    assert_eq!(names(folder.path()), ["a.npy"]);
}

#[cfg(target_os = "linux")]
#[test]
fn writes_to_a_pipe() {
    use std::io::Read;
    use std::os::fd::AsRawFd;
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let tensor = Tensor::from_i64s(ElementType::I16, &[1, 3], &[1, -2, 3]).expect("small");
    npy::write(format!("/proc/self/fd/{}", writer.as_raw_fd()), &tensor).expect("writes");
    drop(writer);
    let mut bytes = vec![];
    reader.read_to_end(&mut bytes).expect("reads");
    assert_eq!(good(&bytes), tensor);
}

/// Random bits of a random type; sizes may be zero.
fn any_tensor() -> impl Strategy<Value = Tensor> {
    let ty = prop::sample::select(ElementType::ALL.to_vec());
    (ty, prop::collection::vec(0..4usize, 0..5)).prop_flat_map(|(ty, shape)| {
        let len = shape.iter().product::<usize>() * ty.size_in_bytes();
        let bytes = match ty {
            ElementType::Bool => prop::collection::vec(0..2u8, len).boxed(),
            _ => prop::collection::vec(any::<u8>(), len).boxed(),
        };
        bytes.prop_map(move |bytes| Tensor::from_bytes(ty, &shape, bytes).expect("of that length"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_written_is_read(tensor in any_tensor()) {
        let folder = folder();
        let path = written(&folder, &tensor);
        prop_assert_eq!(npy::read_as(&path, tensor.element_type()).expect("reads"), tensor);
        prop_assert_eq!(names(folder.path()), ["a.npy"]);
    }

    #[test]
    fn any_cut_and_any_changed_byte_is_no_panic(
        tensor in any_tensor(),
        cut in any::<prop::sample::Index>(),
        change in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let folder = folder();
        let mut bytes = fs::read(written(&folder, &tensor)).expect("exists");
        prop_assert!(read_bytes(&bytes[..cut.index(bytes.len())]).is_err());
        let at = change.index(bytes.len());
        bytes[at] = byte;
        let _ = read_bytes(&bytes);
    }
}

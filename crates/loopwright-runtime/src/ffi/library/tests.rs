//! Kernels in `tests/kernels.c`, compiled by the C compiler and loaded as a library.

use super::*;
use crate::kernel::Argument::{Index, Input, Output};
use crate::kernel::{CallError, Workspace};
use crate::pool::Pool;
use crate::tensor::{ALIGNMENT, ElementType, Tensor};
use std::num::NonZeroUsize;
use std::process::Command;
use std::sync::OnceLock;
use std::{fs, thread};
use tempfile::TempDir;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// Compiles and loads a library. Its file is deleted after that, which does not affect the loaded library.
fn library_of(source: &str) -> Result<Library, LibraryError> {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("kernels.so");
    let flags =
        ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-shared", "-fPIC"];
    let output = Command::new("cc")
        .args(flags)
        .arg(format!("-I{CRATE}/include"))
        .arg("-o")
        .args([path.as_path(), Path::new(source)])
        .output()
        .expect("these tests need a C compiler named cc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // SAFETY: the symbols of `kernels.c` are kernels, or are not loaded as kernels.
    unsafe { Library::open(path) }
}

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| library_of(&format!("{CRATE}/tests/kernels.c")).expect("it loads"))
}

/// A kernel of `tests/kernels.c`.
pub(crate) fn kernel(name: &str) -> Kernel {
    library().kernel(name).expect("it is in kernels.c")
}

pub(crate) fn pool(threads: usize) -> Pool {
    Pool::new(NonZeroUsize::new(threads).expect("not 0")).expect("a few threads")
}

fn matrix(rows: usize, columns: usize) -> Tensor {
    let values: Vec<f64> = (0..rows * columns).map(|i| i as f64).collect();
    Tensor::from_f64s(ElementType::F32, &[rows, columns], &values).expect("small")
}

#[test]
fn loops_and_dynamic_sizes_and_indices() {
    let kernel = kernel("scale");
    assert_eq!(format!("{kernel:?}"), "Kernel(scale: f32[?x?], index, f32[?x?] result)");
    for threads in [1, 2, 3] {
        let pool = pool(threads);
        for (rows, columns) in [(1, 1), (7, 3), (100, 13), (1000, 0), (0, 5)] {
            let input = matrix(rows, columns);
            let mut output = Tensor::zeros(ElementType::F32, &[rows, columns]).expect("small");
            let mut arguments = [Input(&input), Index(-3), Output(&mut output)];
            kernel.call(&pool, &mut arguments).expect("the arguments fit");
            for i in 0..output.len() {
                assert_eq!(output.get_f64(i), -3.0 * input.get_f64(i));
            }
        }
    }
}

#[test]
fn loops_in_loops() {
    let kernel = kernel("count");
    for threads in [1, 2, 4] {
        let pool = pool(threads);
        let mut counters = Tensor::zeros(ElementType::I64, &[40, 50]).expect("small");
        let mut arguments = [Output(&mut counters)];
        let mut workspace = Workspace::default();
        let mut call = kernel.prepare(&pool, &mut arguments, &mut workspace).expect("it fits");
        (0..100).for_each(|_| call.run());
        assert!((0..counters.len()).all(|i| counters.get_i64(i) == 100));
    }
}

#[test]
fn several_threads_run_one_kernel() {
    let (kernel, pool) = (kernel("scale"), pool(2));
    thread::scope(|scope| {
        for factor in 0..4 {
            let (kernel, pool) = (&kernel, &pool);
            scope.spawn(move || {
                let input = matrix(50, 10);
                let mut output = Tensor::zeros(ElementType::F32, &[50, 10]).expect("small");
                for _ in 0..200 {
                    let mut arguments = [Input(&input), Index(factor), Output(&mut output)];
                    kernel.call(pool, &mut arguments).expect("the arguments fit");
                    assert_eq!(output.get_f64(499), 499.0 * factor as f64);
                    output.bytes_mut().fill(0);
                }
            });
        }
    });
}

#[test]
fn a_workspace_is_large_enough_and_kept() {
    let (kernel, pool) = (kernel("where"), pool(1));
    let mut workspace = Workspace::default();
    let mut place = |bytes: i64| {
        let mut result = Tensor::zeros(ElementType::I64, &[]).expect("small");
        let mut arguments = [Index(bytes), Output(&mut result)];
        kernel.prepare(&pool, &mut arguments, &mut workspace).expect("a few megabytes").run();
        (result.get_i64(0), workspace.bytes())
    };
    let (first, bytes) = place(3 << 20);
    assert_eq!((first % ALIGNMENT as i64, bytes), (0, 3 << 20));
    assert_eq!(
        (place(3 << 20), place(0), place(1000)),
        ((first, bytes), (first, bytes), (first, bytes))
    );
    let (larger, bytes) = place(5 << 20);
    assert_eq!((larger % ALIGNMENT as i64, bytes), (0, 5 << 20));
}

#[test]
fn an_input_may_be_passed_twice() {
    let kernel = kernel("sum");
    let values = Tensor::from_f64s(ElementType::F64, &[3], &[1.0, 2.0, 3.5]).expect("small");
    let mut sum = Tensor::zeros(ElementType::F64, &[]).expect("small");
    let mut arguments = [Input(&values), Input(&values), Output(&mut sum)];
    kernel.call(&pool(1), &mut arguments).expect("the arguments fit");
    assert_eq!(sum.get_f64(0), 13.0);
}

#[test]
fn sizes_come_in_the_order_of_arguments() {
    let kernel = kernel("mixed");
    let flags = Tensor::from_i64s(ElementType::Bool, &[2], &[0, 1]).expect("small");
    let bytes = Tensor::zeros(ElementType::I8, &[3, 5]).expect("small");
    let mut negated = Tensor::zeros(ElementType::Bool, &[2]).expect("small");
    let mut sizes = Tensor::zeros(ElementType::I8, &[2, 3]).expect("small");
    let mut arguments =
        [Input(&flags), Input(&bytes), Index(-7), Output(&mut negated), Output(&mut sizes)];
    kernel.call(&pool(1), &mut arguments).expect("the arguments fit");
    assert_eq!((negated.bytes(), sizes.get_i64(0)), (&[1, 0][..], 5 * 16 - 7 * 4 + 2));
}

#[test]
fn a_kernel_keeps_its_library_loaded() {
    let library = library_of(&format!("{CRATE}/tests/kernels.c")).expect("it loads");
    let kernel = library.kernel("nothing").expect("it is in kernels.c").clone();
    drop(library);
    assert_eq!((kernel.name(), kernel.signature().arguments.len()), ("nothing", 0));
    kernel.call(&pool(1), &mut []).expect("there is nothing to fit");
}

#[test]
fn workspaces_that_do_not_fit_are_refused() {
    let error = kernel("huge").call(&pool(1), &mut []).expect_err("more than there is");
    assert!(matches!(error, CallError::WorkspaceMemory { .. }));
    let text = "huge: its workspace of 9223372036854775807 bytes does not fit in memory";
    assert_eq!(error.to_string(), text);
}

/// The part of a message after the path.
fn reason(error: LibraryError) -> String {
    let text = error.to_string();
    let (_, reason) = text.split_once(": ").expect("a path first");
    reason.into()
}

#[test]
fn kernels_that_lack_something_are_refused() {
    for (name, expected) in [
        ("absent", "has no symbol 'absent'"),
        ("", "has no symbol ''"),
        ("sum\0", "has no symbol 'sum\0_workspace'"),
        ("a\0b", "has no symbol 'a\0b'"),
        ("alone", "has no symbol 'alone_workspace'"),
        ("unsigned_one", "has no symbol 'unsigned_one_signature'"),
        ("not_utf8", "the text of 'not_utf8_signature' is not UTF-8"),
        (
            "misspelt",
            "'misspelt_signature': signature: found 'f31[3]' at 8, expected an element type or 'index'",
        ),
    ] {
        assert_eq!(reason(library().kernel(name).expect_err("something is missing")), expected);
    }
}

#[test]
fn files_that_are_no_library_are_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("text.so");
    // SAFETY: there is nothing to load.
    let error = unsafe { Library::open(&path) }.expect_err("there is no such file");
    assert!(reason(error).starts_with("cannot be read: No such file"));
    fs::write(&path, "no library").expect("the folder is there");
    // SAFETY: as above.
    let error = unsafe { Library::open(&path) }.expect_err("a text");
    assert!(reason(error).starts_with("cannot be loaded: "));
    // SAFETY: as above. A bare name is not searched for in the system's library folders.
    let error = unsafe { Library::open("libc.so.6") }.expect_err("not in this folder");
    assert!(reason(error).starts_with("cannot be read: "));
}

#[test]
fn a_library_that_lacks_another_symbol_is_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    let source = folder.path().join("lacks.c");
    fs::write(&source, "void lw_absent(void); void k(void) { lw_absent(); }").expect("a folder");
    let error = library_of(&source.to_string_lossy()).expect_err("it would end the program later");
    assert!(reason(error).contains("lw_absent"));
}

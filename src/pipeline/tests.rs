//! Tests of code that is used outside of this process.

use super::{Phase, Settings};
use crate::codegen::x86;
use crate::ffi::kernel::open_library;
use crate::interpreter::{self, Datum, value::Array};
use crate::ir::top;
use loopwright_runtime::kernel::Argument;
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use melior::ir::Module;
use std::num::NonZeroUsize;
use std::process::Command;

const MATMUL: &str =
    "func.func @matmul(%A: memref<?x?xf32>, %B: memref<?x37xf32>, %C: memref<?x37xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for parallel %i in %m {
    loop.for serial %k in %n {
      loop.for vectorize %j in 37 {
        loop.block \"C\" [%vi: spatial %m, %vj: spatial 37, %vk: reduce %n] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1], %C[%vi : 1, %vj : 1])
            writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<?x37xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<?x?xf32>
          %b = memref.load %B[%vk, %vj] : memref<?x37xf32>
          %c = memref.load %C[%vi, %vj] : memref<?x37xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<?x37xf32>
        }
      }
    }
  }
  return
}";

/// Integers, so that sums are exact.
fn matrix(rows: usize, columns: usize) -> Tensor {
    let values: Vec<f64> = (0..rows * columns).map(|i| (i * 7 % 11) as f64 - 5.0).collect();
    Tensor::from_f64s(ElementType::F32, &[rows, columns], &values).expect("small")
}

/// An object file does not depend on this compiler: it is linked to a library that only the runtime calls.
#[test]
fn object_code_is_a_library() {
    let context = super::context();
    let mut module = Module::parse(&context, MATMUL).expect("the text is valid");
    let (a, b) = (matrix(13, 9), matrix(9, 37));
    let expected = Datum::buffer(Array::from_tensor(
        &Tensor::zeros(ElementType::F32, &[13, 37]).expect("small"),
    ));
    let data = [&a, &b].map(|tensor| Datum::buffer(Array::from_tensor(tensor)));
    let data = data.into_iter().chain([expected.clone()]).collect();
    let limits = interpreter::RunOptions { seed: 0, max_iterations: 1_000_000 };
    interpreter::run(top(&module), "matmul", data, limits).map_err(|e| e.message).expect("it runs");
    let Datum::Buffer(expected) = expected else { panic!("it is a buffer") };

    let lowered =
        super::lower(&context, &mut module, Phase::Input, Phase::Llvm, &Settings::default());
    lowered.expect("it lowers");
    let object = x86::compile(top(&module), &x86::CodegenOptions::default()).expect("it compiles");
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let (code, library) = (folder.path().join("matmul.o"), folder.path().join("matmul.so"));
    object.write(&code).expect("the folder can be written");
    let linked = Command::new("cc")
        .args(["-shared", "-o"])
        .args([&library, &code])
        .arg("-lm")
        .output()
        .expect("this test needs a C compiler named cc");
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));

    let library = open_library(&library);
    let kernel = library.kernel("matmul").expect("it has its three symbols");
    for threads in [1, 3] {
        let pool = Pool::new(NonZeroUsize::new(threads).expect("not 0")).expect("threads start");
        let mut found = Tensor::zeros(ElementType::F32, &[13, 37]).expect("small");
        let mut arguments =
            [Argument::Input(&a), Argument::Input(&b), Argument::Output(&mut found)];
        kernel.call(&pool, &mut arguments).expect("the arguments fit");
        assert_eq!(Ok(found), expected.borrow().to_tensor(), "{threads} threads");
    }
}

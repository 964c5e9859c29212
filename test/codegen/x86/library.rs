//! An object file does not depend on this compiler: linked to a library, only the runtime calls it.

use loopwright::codegen::{cuda, x86};
use loopwright::interpreter::{self, Datum, value::Array};
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright_runtime::gpu::{Emulator, Executable};
use loopwright_runtime::kernel::{Argument, Library};
use loopwright_runtime::pool::Pool;
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_testing::{open_library, top};
use melior::ir::Module;
use std::num::NonZeroUsize;
use std::path::Path;
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

/// A library of a module in phase `llvm`.
fn library(module: &Module, folder: &Path) -> Library {
    let object = x86::compile(top(module), &x86::CodegenOptions::default()).expect("it compiles");
    let (code, library) = (folder.join("code.o"), folder.join("code.so"));
    object.write(&code).expect("the folder can be written");
    let linked = Command::new("cc")
        .args(["-shared", "-o"])
        .args([&library, &code])
        .arg("-lm")
        .output()
        .expect("this test needs a C compiler named cc");
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    open_library(&library).expect("it loads")
}

/// An object file does not depend on this compiler: it is linked to a library that only the runtime calls.
#[test]
fn object_code_is_a_library() {
    let context = pipeline::context();
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
        pipeline::lower(&context, &mut module, Phase::Input, Phase::Llvm, &Settings::default());
    lowered.expect("it lowers");
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let library = library(&module, folder.path());
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

const PRODUCT: &str = "func.func @product(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %A, %c0 : tensor<?x?xf32>
  %n = tensor.dim %B, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %C = linalg.matmul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%s : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %C : tensor<?x?xf32>
}";

/// Shapes of A, B and C that do not fit together, and the error of a call.
type Misfit = ([[usize; 2]; 3], &'static str);
const MISFITS: [Misfit; 3] = [
    (
        [[3, 4], [7, 2], [3, 2]],
        "dimension 0 of argument 1 is 7, expected 4, dimension 1 of argument 0",
    ),
    (
        [[3, 4], [4, 5], [2, 5]],
        "dimension 0 of argument 2 is 2, expected 3, dimension 0 of argument 0",
    ),
    (
        [[3, 4], [4, 5], [3, 2]],
        "dimension 1 of argument 2 is 2, expected 5, dimension 1 of argument 1",
    ),
];

/// Compiled code checks that sizes fit together, before it writes results that would be too small.
#[test]
fn compiled_code_checks_sizes() {
    let context = pipeline::context();
    let settings = Settings { schedule: Some(ModuleSchedule::Strategies), ..Settings::default() };
    let mut module = Module::parse(&context, PRODUCT).expect("the text is valid");
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Llvm, &settings)
        .expect("it lowers");
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let library = library(&module, folder.path());
    let kernel = library.kernel("product").expect("it has its symbols");
    let pool = Pool::new(NonZeroUsize::MIN).expect("threads start");
    for (shapes, expected) in MISFITS {
        let [a, b, mut c] = shapes.map(|[rows, columns]| matrix(rows, columns));
        let before = c.clone();
        let mut arguments = [Argument::Input(&a), Argument::Input(&b), Argument::Output(&mut c)];
        let error = kernel.call(&pool, &mut arguments).expect_err("sizes do not fit").to_string();
        assert_eq!(error, format!("product: {expected} (C8)"));
        assert_eq!(c, before, "nothing is written");
    }

    let settings =
        Settings { schedule: Some(ModuleSchedule::DeviceStrategies), ..Settings::default() };
    let mut module = Module::parse(&context, PRODUCT).expect("the text is valid");
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Ptx, &settings).expect("it lowers");
    let program = cuda::program(top(&module), &settings.device);
    let program = program.map_err(|error| error.message).expect("a program");
    let device = Emulator::new(0);
    let executable = Executable::load(&program, &device).expect("it loads");
    for (shapes, expected) in MISFITS {
        let [a, b, mut c] = shapes.map(|[rows, columns]| matrix(rows, columns));
        let mut arguments = [Argument::Input(&a), Argument::Input(&b), Argument::Output(&mut c)];
        let error = executable.prepare("product", &mut arguments).err().expect("sizes do not fit");
        assert_eq!(error.to_string(), format!("product: {expected} (C8)"));
    }
}

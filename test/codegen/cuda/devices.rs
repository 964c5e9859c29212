//! One function, compiled for each device, runs on all of them with the same calls.

use crate::emulated;
use crate::harness::Session;
use loopwright::codegen::cuda::GpuTarget;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright_runtime::device::{DeviceError, Place, Program};
use loopwright_runtime::gpu::Bundle;
use loopwright_runtime::kernel::Argument::{Input, Output};
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_testing::top;
use melior::ir::Module;
use std::time::Duration;

/// `C = A + A * B`, rows and columns of any number.
const FUNCTION: &str = "
func.func @main(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %p = linalg.mul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%A : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = linalg.add ins(%A, %p : tensor<?x?xf32>, tensor<?x?xf32>) outs(%A : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}";

/// `B = A`, transposed, in loop form.
const TRANSPOSE: &str = "
func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block \"T\" [%vi: spatial %n, %vj: spatial %m] = (%i, %j)
          reads(%A[%vi : 1, %vj : 1]) writes(%B[%vj : 1, %vi : 1]) {
        %x = memref.load %A[%vi, %vj] : memref<?x?xf32>
        memref.store %x, %B[%vj, %vi] : memref<?x?xf32>
      }
    }
  }
  return
}";

fn lowered<'c>(session: &'c Session, text: &str, settings: &Settings, to: Phase) -> Module<'c> {
    let mut module = Module::parse(&session.context, text).expect("the function is valid");
    let outcome = pipeline::lower(&session.context, &mut module, Phase::Input, to, settings);
    assert!(outcome.is_ok(), "{}", session.errors.borrow());
    module
}

/// Calls the function twice and returns its result.
fn call(place: &str, program: Program, rows: usize) -> Result<Vec<f64>, DeviceError> {
    let shape = [rows, 37];
    let number = |salt: usize| move |i: usize| ((i * 37 + salt) % 101) as f64 - 50.0;
    let tensor = |salt| {
        let numbers: Vec<f64> = (0..rows * 37).map(number(salt)).collect();
        Tensor::from_f64s(ElementType::F32, &shape, &numbers).expect("it is small")
    };
    let (a, b) = (tensor(3), tensor(8));
    let mut c = Tensor::zeros(ElementType::F32, &shape).expect("it is small");
    let device = loopwright_testing::open(place)?;
    let mut loaded = device.load(program)?;
    assert_eq!(loaded.signature("main")?.arguments.len(), 3);
    let mut arguments = [Input(&a), Input(&b), Output(&mut c)];
    let mut call = loaded.prepare("main", &mut arguments)?;
    call.run()?;
    call.run()?;
    call.wait()?;
    call.results()?;
    assert!(call.measure(Duration::from_millis(1))?.samples >= 3);
    drop(call);
    let found: Vec<f64> = (0..c.len()).map(|i| c.get_f64(i)).collect();
    let expected = (0..c.len()).map(|i| a.get_f64(i) + a.get_f64(i) * b.get_f64(i));
    assert_eq!(found, expected.collect::<Vec<_>>(), "{place}");
    Ok(found)
}

#[test]
fn one_function_runs_on_all_devices() {
    let session = Session::new();
    let cpu = Settings::default();
    let module = lowered(&session, FUNCTION, &cpu, Phase::Llvm);
    let object = pipeline::object(&module, &cpu).expect("it compiles");
    let kernels =
        [loopwright_testing::link(&object).and_then(|code| code.kernel("main")).expect("it links")];
    let programs = ["sm_80", "sm_90a"].map(|chip| {
        let gpu = Settings {
            device: GpuTarget::new(chip, 64).expect("a chip"),
            schedule: Some(ModuleSchedule::DeviceStrategies),
            ..Settings::default()
        };
        emulated::program(top(&lowered(&session, FUNCTION, &gpu, Phase::Ptx)), &gpu.device)
    });
    let bundle = Bundle { programs: programs.to_vec() };
    for rows in [0, 1, 33] {
        let expected = call("cpu", Program::Kernels(&kernels), rows).expect("the cpu");
        for program in [&programs[0], &programs[1]].map(Program::Ptx) {
            assert_eq!(call("emulator", program, rows).expect("the emulator"), expected);
        }
        let found = call("emulator", Program::Bundle(&bundle), rows).expect("one of the programs");
        assert_eq!(found, expected);
        match (Place::of_kernels(), call("cuda:0", Program::Bundle(&bundle), rows)) {
            (Place::Cuda(_), found) => assert_eq!(found.expect("the GPU"), expected),
            (_, found) => {
                let error = found.expect_err("there is no GPU").to_string();
                assert!(error.contains("the device 'emulator' runs kernels"), "{error}");
            }
        }
    }
}

/// The requirements are in the code: of a function that is written in loop form, and only where a loop runs.
#[test]
fn no_device_runs_a_function_whose_sizes_do_not_fit() {
    let session = Session::new();
    let cpu = Settings::default();
    let object = pipeline::object(&lowered(&session, TRANSPOSE, &cpu, Phase::Llvm), &cpu);
    let code = loopwright_testing::link(object.expect("it compiles")).expect("it links");
    let kernels = [code.kernel("main").expect("it has a kernel")];
    let gpu = Settings {
        device: GpuTarget::new("sm_80", 64).expect("a chip"),
        schedule: Some(ModuleSchedule::DeviceStrategies),
        ..Settings::default()
    };
    let module = lowered(&session, TRANSPOSE, &gpu, Phase::Ptx);
    let program = emulated::program(top(&module), &gpu.device);
    let run = |place: &str, [from, to]: [[usize; 2]; 2]| -> Result<(), DeviceError> {
        let zeros = |shape: &[usize]| Tensor::zeros(ElementType::F32, shape).expect("it is small");
        let (a, mut b) = (zeros(&from), zeros(&to));
        let device = loopwright_testing::open(place)?;
        let mut loaded = device.load(match place {
            "cpu" => Program::Kernels(&kernels),
            _ => Program::Ptx(&program),
        })?;
        let mut arguments = [Input(&a), Output(&mut b)];
        let mut call = loaded.prepare("main", &mut arguments)?;
        call.run()?;
        call.results()
    };
    for place in ["cpu", "emulator"] {
        for shapes in [[[2, 3], [3, 2]], [[2, 3], [4, 5]], [[0, 3], [1, 1]], [[3, 0], [0, 0]]] {
            run(place, shapes).unwrap_or_else(|error| panic!("{place}, {shapes:?}: {error}"));
        }
        for (shapes, which) in [([[2, 3], [2, 2]], [1, 0]), ([[2, 3], [3, 1]], [0, 1])] {
            let error = run(place, shapes).expect_err("it does not fit").to_string();
            let [of_a, of_b] = which;
            let expected = format!(
                "expected dimension {of_a} of argument 0 <= dimension {of_b} of argument 1"
            );
            assert!(error.contains(&expected), "{place}: {error}");
        }
    }
}

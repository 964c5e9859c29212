//! Functions that may be approximate: their instructions and their errors.

use crate::emulated;
use crate::harness::Session;
use loopwright::codegen::cuda::GpuTarget;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright_runtime::gpu::{Emulator, Executable, Program};
use loopwright_runtime::kernel::Argument;
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_testing::top;
use melior::ir::Module;

const COUNT: usize = 1000;

/// A function, its instruction, the arguments to try, and the allowed error for an argument and a
/// result.
struct Case {
    op: &'static str,
    instruction: &'static str,
    reference: fn(f64) -> f64,
    from: f64,
    to: f64,
    bound: fn(f64, f64) -> f64,
}

const fn case(
    op: &'static str,
    instruction: &'static str,
    reference: fn(f64) -> f64,
    [from, to]: [f64; 2],
    bound: fn(f64, f64) -> f64,
) -> Case {
    Case { op, instruction, reference, from, to, bound }
}

const ULP: f64 = 1.0 / (1 << 23) as f64;
const RELATIVE: fn(f64, f64) -> f64 = |_, y| 2.0 * ULP * y.abs();
const LOGARITHM: fn(f64, f64) -> f64 = |_, y| 3.0 * ULP * y.abs().max(1.0);
const PI: f64 = std::f64::consts::PI;

const CASES: &[Case] = &[
    case("math.cos", "cos.approx.f32", f64::cos, [-PI, PI], |_, _| 6.0 * ULP),
    case("math.exp", "ex2.approx.f32", f64::exp, [-80.0, 80.0], |x, y| {
        (2.0 + 1.2 * x.abs()) * ULP * y
    }),
    case("math.exp2", "ex2.approx.f32", f64::exp2, [-120.0, 120.0], RELATIVE),
    case("math.log", "lg2.approx.f32", f64::ln, [1e-3, 1e3], LOGARITHM),
    case("math.log10", "lg2.approx.f32", f64::log10, [1e-3, 1e3], LOGARITHM),
    case("math.log2", "lg2.approx.f32", f64::log2, [1e-3, 1e3], LOGARITHM),
    case("math.rsqrt", "rsqrt.approx.f32", |x| 1.0 / x.sqrt(), [1e-3, 1e3], RELATIVE),
    case("math.sin", "sin.approx.f32", f64::sin, [-PI, PI], |_, _| 6.0 * ULP),
    case("math.sqrt", "sqrt.approx.f32", f64::sqrt, [1e-3, 1e3], RELATIVE),
    case("math.tanh", "tanh.approx.f32", f64::tanh, [-8.0, 8.0], |_, y| y.abs() / 2048.0),
];

/// A function that applies an op to vectors, with or without flags.
fn text(op: &str, flags: &str) -> String {
    let call = match op {
        "arith.divf" => {
            format!("%three = arith.constant 3.0 : f32\n  %y = arith.divf %x, %three {flags} : f32")
        }
        _ => format!("%y = {op} %x {flags} : f32"),
    };
    format!(
        "func.func @main(%a: tensor<{COUNT}xf32>) -> tensor<{COUNT}xf32> {{
  %e = tensor.empty() : tensor<{COUNT}xf32>
  %r = linalg.map ins(%a : tensor<{COUNT}xf32>) outs(%e : tensor<{COUNT}xf32>) (%x: f32, %o: f32) {{
  {call}
  linalg.yield %y : f32
  }}
  return %r : tensor<{COUNT}xf32>
}}"
    )
}

fn program(text: &str) -> Program {
    let session = Session::new();
    let mut module = Module::parse(&session.context, text)
        .unwrap_or_else(|| panic!("{}{text}", session.errors.borrow()));
    let device = GpuTarget::default();
    let settings = Settings {
        schedule: Some(ModuleSchedule::DeviceStrategies),
        device: device.clone(),
        ..Settings::default()
    };
    pipeline::lower(&session.context, &mut module, Phase::Input, Phase::Ptx, &settings)
        .unwrap_or_else(|_| panic!("{}", session.errors.borrow()));
    emulated::program(top(&module), &device)
}

#[test]
fn functions_that_may_be_approximate_are_instructions() {
    let division = case("arith.divf", "div.full.f32", |x| x / 3.0, [-1e3, 1e3], RELATIVE);
    for Case { op, instruction, reference, from, to, bound } in CASES.iter().chain([&division]) {
        for flags in ["fastmath<afn>", "fastmath<fast>"] {
            let program = program(&text(op, flags));
            assert!(program.ptx.contains(instruction), "{op} {flags}: {}", program.ptx);
            let device = Emulator::new(1);
            let executable = Executable::load(&program, &device).expect("it loads");
            let mut input = Tensor::zeros(ElementType::F32, &[COUNT]).expect("it is small");
            let mut output = Tensor::zeros(ElementType::F32, &[COUNT]).expect("it is small");
            for i in 0..COUNT {
                input.set_f64(i, from + (to - from) * i as f64 / (COUNT - 1) as f64);
            }
            let mut arguments = [Argument::Input(&input), Argument::Output(&mut output)];
            let call = executable.prepare("main", &mut arguments).expect("these are its arguments");
            call.run().expect("it runs");
            call.results(&mut arguments).expect("there are results");
            for i in 0..COUNT {
                let x = input.get_f64(i);
                let (found, wanted) = (output.get_f64(i), reference(x));
                let error = (found - wanted).abs();
                assert!(error <= bound(x, wanted), "{op}({x}) is {found}, expected {wanted}");
            }
        }
    }
}

#[test]
fn nothing_is_approximate_that_does_not_say_so() {
    for op in CASES.iter().map(|case| case.op).chain(["arith.divf"]) {
        for flags in ["", "fastmath<reassoc,contract>"] {
            let ptx = program(&text(op, flags)).ptx;
            assert!(!ptx.contains("approx") && !ptx.contains(".full"), "{op} {flags}: {ptx}");
        }
    }
}

//! Runs every case of `test/integration/conversion` in five ways: graph or linalg ops interpreted, their loop form
//! interpreted, compiled for x86, compiled for GPUs and run by the emulator, and the values that NumPy computed.
//!
//! A case is a folder with `main.mlir` and one folder a variant, which has `in<i>.npy` and
//! `out<i>.npy`. The results of the interpreter must be those of NumPy. The results of loops must be bitwise equal to them,
//! for each seed of the interpreter's random orders. So must the results of machine code, except those of math
//! functions. Code is compiled once for all variants.

#[expect(dead_code, reason = "the test calls a part of what lw-run does")]
#[path = "../tools/lw-run/arguments.rs"]
mod arguments;
#[path = "../tools/ffi/device.rs"]
mod device;
#[expect(dead_code, unused_imports, reason = "the test calls a part of what lw-run does")]
#[path = "../tools/lw-run/inputs.rs"]
mod inputs;
#[path = "../tools/ffi/linked.rs"]
mod linked;

use arguments::{Passed, Signature};
use inputs::{GivenInput, InputSource};
use libtest_mimic::{Arguments, Failed, Trial};
use loopwright::codegen::Jit;
use loopwright::codegen::cuda;
use loopwright::interpreter::{self, RunOptions};
use loopwright::pipeline::{
    self, ErrorCode, ImportOptions, Input, ModuleSchedule, Phase, Settings, Weights, place,
};
use loopwright_runtime::compare;
use loopwright_runtime::device::{self as devices, Device, DeviceError, Place, Program};
use loopwright_runtime::npy;
use loopwright_runtime::tensor::Tensor;
use melior::ir::Module;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

/// The function of each case.
const ENTRY: &str = "main";
const SEEDS: [u64; 2] = [1, 2];

/// Cases with math functions, which are not correctly rounded: how far results of machine code may differ from the interpreter's.
const MATH: [(&str, f64); 38] = [
    ("attention_in_blocks", MATH_RTOL),
    ("elementwise_unary", MATH_RTOL),
    ("gelu_dynamic", MATH_RTOL),
    ("graph_base_two_bf16", BF16_RTOL),
    ("graph_base_two_f16", F16_RTOL),
    ("graph_base_two_f32", MATH_RTOL),
    ("graph_base_two_f64", F64_RTOL),
    ("graph_batch_norm", MATH_RTOL),
    ("graph_formulas_bf16", BF16_RTOL),
    ("graph_formulas_f16", F16_RTOL),
    ("graph_formulas_f32", MATH_RTOL),
    ("graph_formulas_f64", F64_RTOL),
    ("graph_functions_bf16", BF16_RTOL),
    ("graph_functions_f16", F16_RTOL),
    ("graph_functions_f32", MATH_RTOL),
    ("graph_functions_f64", F64_RTOL),
    ("graph_group_norm_f16", F16_RTOL),
    ("graph_group_norm_f32", MATH_RTOL),
    ("graph_group_norm_image", MATH_RTOL),
    ("graph_logsumexp_bf16", BF16_RTOL),
    ("graph_logsumexp_f16", F16_RTOL),
    ("graph_logsumexp_f32", MATH_RTOL),
    ("graph_logsumexp_f64", F64_RTOL),
    ("graph_norms_f16", F16_RTOL),
    ("graph_norms_f32", MATH_RTOL),
    ("graph_powers_bf16", BF16_RTOL),
    ("graph_powers_f16", F16_RTOL),
    ("graph_powers_f32", MATH_RTOL),
    ("graph_powers_f64", F64_RTOL),
    ("graph_softmax_bf16", BF16_RTOL),
    ("graph_softmax_f16", F16_RTOL),
    ("graph_softmax_f32", MATH_RTOL),
    ("layernorm_dynamic", MATH_RTOL),
    ("named_float_unary", MATH_RTOL),
    ("power_f32", MATH_RTOL),
    ("softmax_dynamic", MATH_RTOL),
    ("softmax_static", MATH_RTOL),
    ("transcendental_f32", MATH_RTOL),
];
const MATH_RTOL: f64 = 4e-7;
/// One unit in the last place.
const F16_RTOL: f64 = 1.0 / 1024.0;
const BF16_RTOL: f64 = 1.0 / 128.0;
const F64_RTOL: f64 = 1e-14;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/integration/conversion");
    let cases = match folders(&root) {
        Ok(cases) if !cases.is_empty() => cases,
        outcome => {
            eprintln!("no cases below {}: {outcome:?}", root.display());
            return ExitCode::FAILURE;
        }
    };
    let trial = |case: PathBuf| {
        let name = case.strip_prefix(&root).expect("found below the root").display().to_string();
        Trial::test(name, move || run(&case).map_err(Failed::from))
    };
    let trials = cases.into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// The folders in a folder.
fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn run(folder: &Path) -> Result<(), String> {
    let context = pipeline::context();
    let input = Input::new(&context, "integration");
    let model = folder.join("main.mlir");
    let variants = folders(folder).map_err(|error| error.to_string())?;
    let case = Case::new(&input, &model, &variants)?;

    let settings = Settings { check_bounds: true, ..Settings::default() };
    // The interpreter has no complex numbers: the first form of such a case is that of their parts.
    let has_complex = case.signature.are_complex().contains(&true);
    let first = if has_complex { Phase::Linalg } else { Phase::Input };
    let mut module = case.lowered(first, &settings)?;
    let expected: Vec<_> = case.interpret(&module, 0)?;
    // The references are rounded op by op, and functions of f64 in two libraries may differ in the last place.
    let name = folder.file_name().and_then(|name| name.to_str());
    let rtol = MATH.iter().find(|row| Some(row.0) == name).map_or(0.0, |row| row.1);
    let of_functions = if rtol == F64_RTOL { F64_RTOL } else { 0.0 };
    let references: Result<Vec<_>, String> = variants
        .iter()
        .zip(&expected)
        .map(|(variant, expected)| read_references(variant, expected))
        .collect();
    case.compare("interpreter", &expected, &references?, of_functions)?;

    case.lower(&mut module, first, Phase::Loop, &settings)?;
    for seed in SEEDS {
        case.compare("loops", &case.interpret(&module, seed)?, &expected, 0.0)?;
    }
    case.compare("x86", &case.run_on_cpu()?, &expected, rtol)?;
    case.compare("GPU", &case.run_on_emulator()?, &expected, rtol)
}

/// The results that NumPy computed, of the types of these.
fn read_references(variant: &Path, expected: &[Tensor]) -> Result<Vec<Tensor>, String> {
    let references = files(variant, "out");
    if references.is_empty() {
        return Err(format!("{} has no out0.npy", variant.display()));
    }
    let references = references.iter().zip(expected);
    let references = references.map(|(path, output)| npy::read_as(path, output.element_type()));
    references.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// A model and the arguments of some calls.
struct Case<'i, 'c> {
    input: &'i Input<'c>,
    model: &'i Path,
    signature: Signature,
    variants: Vec<Variant>,
}

/// The arguments of a call.
struct Variant {
    name: String,
    tensors: Vec<Option<Tensor>>,
}

impl<'c> Case<'_, 'c> {
    fn new<'i>(
        input: &'i Input<'c>,
        model: &'i Path,
        folders: &[PathBuf],
    ) -> Result<Case<'i, 'c>, String> {
        let module = input.model(model, &ImportOptions::default())?;
        let signature = Signature::of(&module, ENTRY, &model.display().to_string())?;
        let given = |path: PathBuf| GivenInput { name: None, source: InputSource::File(path) };
        let variant = |folder: &PathBuf| {
            let files: Vec<_> = files(folder, "in").into_iter().map(given).collect();
            let tensors = signature.inputs(&files, None)?.tensors;
            let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok(Variant { name, tensors })
        };
        let variants = folders.iter().map(variant).collect::<Result<_, String>>()?;
        Ok(Case { input, model, signature, variants })
    }

    /// What the function needs of the model, in a phase.
    fn lowered(&self, to: Phase, settings: &Settings) -> Result<Module<'c>, String> {
        let context = self.input.context();
        let mut module = self.input.model(self.model, &ImportOptions::default())?;
        let kept = pipeline::keep_only(context, &mut module, ENTRY);
        kept.map_err(|error| self.explained(&error))?;
        self.lower(&mut module, Phase::Input, to, settings)?;
        Ok(module)
    }

    fn lower(
        &self,
        module: &mut Module<'c>,
        from: Phase,
        to: Phase,
        settings: &Settings,
    ) -> Result<(), String> {
        let lowered = pipeline::lower(self.input.context(), module, from, to, settings);
        lowered.map_err(|error| self.explained(&error))
    }

    fn explained(&self, error: &melior::Error) -> String {
        self.input.explained(ErrorCode::Compile, &error.to_string()).into()
    }

    /// The results of all calls.
    fn interpret(&self, module: &Module, seed: u64) -> Result<Vec<Vec<Tensor>>, String> {
        let call = |variant: &Variant| {
            let arguments = arguments::bind(module, ENTRY, &self.signature, &variant.tensors)?;
            let options = RunOptions { seed, max_iterations: u64::MAX };
            let results = interpreter::run(module, ENTRY, arguments.data, options);
            let results =
                results.map_err(|error| format!("{}: {}", error.location, error.message))?;
            self.signature.outputs(results.into_iter().chain(arguments.destinations).collect())
        };
        self.variants.iter().map(call).collect()
    }

    /// The arguments of all calls of a module in loop form.
    fn passed(&self, module: &Module) -> Result<Vec<Passed>, String> {
        let pass = |it: &Variant| arguments::pass(module, ENTRY, &self.signature, &it.tensors);
        self.variants.iter().map(pass).collect()
    }

    fn run_on_cpu(&self) -> Result<Vec<Vec<Tensor>>, String> {
        let settings = Settings {
            schedule: Some(ModuleSchedule::Strategies),
            lift_weight_transforms: true,
            ..Settings::default()
        };
        let mut module = self.lowered(Phase::Loop, &settings)?;
        let passed = self.passed(&module)?;
        let weights = Weights::detach(self.input.context(), &mut module);
        self.lower(&mut module, Phase::Loop, Phase::Llvm, &settings)?;
        let object = pipeline::object(&module, &settings).map_err(|error| error.to_string())?;
        let threads = devices::Settings { threads: NonZeroUsize::new(2), ..Default::default() };
        let cpu = device::open(Place::Cpu, threads).map_err(|error| error.to_string())?;
        let run = |code: &Jit| {
            let kernel = code.kernel(ENTRY)?;
            Ok(call(&cpu, Program::Kernels(&[kernel]), passed))
        };
        linked::with_linked(&object, weights, run).map_err(|error| error.to_string())?
    }

    fn run_on_emulator(&self) -> Result<Vec<Vec<Tensor>>, String> {
        let settings =
            Settings { schedule: Some(ModuleSchedule::DeviceStrategies), ..Settings::default() };
        let mut module = self.lowered(Phase::Loop, &settings)?;
        let passed = self.passed(&module)?;
        self.lower(&mut module, Phase::Loop, Phase::Ptx, &settings)?;
        let program = cuda::program(&module, &settings.device);
        let program = program.map_err(|error| format!("{}: {}", error.location, error.message))?;
        let emulator = device::open(Place::Emulator, devices::Settings::default());
        call(&emulator.map_err(|error| error.to_string())?, Program::Ptx(&program), passed)
    }

    /// Compares the results of each call with their references.
    fn compare(
        &self,
        form: &str,
        found: &[Vec<Tensor>],
        references: &[Vec<Tensor>],
        rtol: f64,
    ) -> Result<(), String> {
        let pairs = self.variants.iter().zip(found.iter().zip(references));
        for (Variant { name, .. }, (found, references)) in pairs {
            compare(form, found, references, rtol).map_err(|error| format!("{name}: {error}"))?;
        }
        Ok(())
    }
}

/// The results of calls of the function on a device.
fn call(device: &Device, program: Program, calls: Vec<Passed>) -> Result<Vec<Vec<Tensor>>, String> {
    let error = |error: DeviceError| error.to_string();
    let mut loaded = device.load(program).map_err(error)?;
    let signature = loaded.signature(ENTRY).map_err(error)?.clone();
    let mut results = vec![];
    for mut passed in calls {
        let mut arguments = passed.arguments(&signature);
        let mut call = loaded.prepare(ENTRY, &mut arguments).map_err(error)?;
        call.run().and_then(|()| call.wait()).and_then(|()| call.results()).map_err(error)?;
        drop(call);
        drop(arguments);
        results.push(passed.outputs().map_err(|error| error.to_string())?);
    }
    Ok(results)
}

/// Compares each result with its reference.
fn compare(form: &str, found: &[Tensor], references: &[Tensor], rtol: f64) -> Result<(), String> {
    if found.len() != references.len() {
        return Err(format!("{form}: {} results, {} references", found.len(), references.len()));
    }
    for (i, (found, reference)) in found.iter().zip(references).enumerate() {
        let comparison = compare::compare(found, reference, rtol, 0.0);
        let comparison = comparison.map_err(|error| format!("{form}: result {i}: {error}"))?;
        if !comparison.passed {
            return Err(format!("{form}: result {i}: {comparison:?}"));
        }
    }
    Ok(())
}

/// The files `in0.npy`, `in1.npy`, ... that exist.
fn files(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let path = |i| folder.join(format!("{stem}{i}.npy"));
    (0..).map(path).take_while(|path| path.exists()).collect()
}

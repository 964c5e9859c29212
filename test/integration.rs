//! Runs every case of `test/integration/conversion` in five ways: linalg interpreted, its loop form
//! interpreted, compiled for x86, compiled for GPUs and run by the emulator, and the values that NumPy computed.
//!
//! A case is a folder with `main.mlir` and one folder a variant, which has `in<i>.npy` and
//! `out<i>.npy`. The linalg result must be near NumPy's. The loop result must be bitwise equal to the linalg result,
//! for each seed of the interpreter's random orders. So must the results of machine code, except those of math
//! functions.

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

/// Cases with math functions, which are not correctly rounded, and their tolerance.
const MATH: [&str; 9] = [
    "attention_in_blocks",
    "elementwise_unary",
    "gelu_dynamic",
    "layernorm_dynamic",
    "named_float_unary",
    "power_f32",
    "softmax_dynamic",
    "softmax_static",
    "transcendental_f32",
];
const MATH_RTOL: f64 = 4e-7;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/integration/conversion");
    let variants = match variants(&root) {
        Ok(variants) if !variants.is_empty() => variants,
        outcome => {
            eprintln!("no cases below {}: {outcome:?}", root.display());
            return ExitCode::FAILURE;
        }
    };
    let trial = |variant: PathBuf| {
        let name = variant.strip_prefix(&root).expect("found below the root").display().to_string();
        Trial::test(name, move || run(&variant).map_err(Failed::from))
    };
    let trials = variants.into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// All folders of variants.
fn variants(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    for case in fs::read_dir(root)? {
        for variant in fs::read_dir(case?.path())? {
            let path = variant?.path();
            if path.is_dir() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn run(variant: &Path) -> Result<(), String> {
    let model = variant.parent().expect("a variant is in its case").join("main.mlir");
    let references = files(variant, "out");
    if references.is_empty() {
        return Err("has no out0.npy".into());
    }
    let context = pipeline::context();
    let input = Input::new(&context, "integration");
    let case = Case::new(&input, &model, &files(variant, "in"))?;

    let settings = Settings { check_bounds: true, ..Settings::default() };
    // The interpreter has no complex numbers: the first form of such a case is that of their parts.
    let has_complex = case.signature.are_complex().contains(&true);
    let first = if has_complex { Phase::Linalg } else { Phase::Input };
    let mut module = case.lowered(first, &settings)?;
    let expected = case.interpret(&module, 0)?;
    // The references are correctly rounded op by op, so nothing may differ.
    let references = references.iter().zip(&expected);
    let references = references.map(|(path, output)| npy::read_as(path, output.element_type()));
    let references =
        references.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    compare("linalg", &expected, &references, 0.0)?;

    case.lower(&mut module, first, Phase::Loop, &settings)?;
    for seed in SEEDS {
        compare("loops", &case.interpret(&module, seed)?, &expected, 0.0)?;
    }

    let name = model.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    let rtol = if name.is_some_and(|name| MATH.contains(&name)) { MATH_RTOL } else { 0.0 };
    compare("x86", &case.run_on_cpu()?, &expected, rtol)?;
    compare("GPU", &case.run_on_emulator()?, &expected, rtol)
}

/// A model and the arguments of a call.
struct Case<'i, 'c> {
    input: &'i Input<'c>,
    model: &'i Path,
    signature: Signature,
    tensors: Vec<Option<Tensor>>,
}

impl<'c> Case<'_, 'c> {
    fn new<'i>(
        input: &'i Input<'c>,
        model: &'i Path,
        files: &[PathBuf],
    ) -> Result<Case<'i, 'c>, String> {
        let module = input.model(model, &ImportOptions::default())?;
        let signature = Signature::of(&module, ENTRY, &model.display().to_string())?;
        let given =
            |path: &PathBuf| GivenInput { name: None, source: InputSource::File(path.clone()) };
        let files: Vec<_> = files.iter().map(given).collect();
        let tensors = signature.inputs(&files, None)?.tensors;
        Ok(Case { input, model, signature, tensors })
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

    fn interpret(&self, module: &Module, seed: u64) -> Result<Vec<Tensor>, String> {
        let arguments = arguments::bind(module, ENTRY, &self.signature, &self.tensors)?;
        let options = RunOptions { seed, max_iterations: u64::MAX };
        let results = interpreter::run(module, ENTRY, arguments.data, options);
        let results = results.map_err(|error| format!("{}: {}", error.location, error.message))?;
        self.signature.outputs(results.into_iter().chain(arguments.destinations).collect())
    }

    fn run_on_cpu(&self) -> Result<Vec<Tensor>, String> {
        let settings = Settings {
            schedule: Some(ModuleSchedule::Strategies),
            lift_weight_transforms: true,
            ..Settings::default()
        };
        let mut module = self.lowered(Phase::Loop, &settings)?;
        let passed = arguments::pass(&module, ENTRY, &self.signature, &self.tensors)?;
        let weights = Weights::detach(self.input.context(), &mut module)?;
        self.lower(&mut module, Phase::Loop, Phase::Llvm, &settings)?;
        let object = pipeline::object(&module, &settings).map_err(|error| error.to_string())?;
        let threads = devices::Settings { threads: NonZeroUsize::new(2), ..Default::default() };
        let cpu = device::open(Place::Cpu, threads).map_err(|error| error.to_string())?;
        let run = |code: &Jit| Ok(call(&cpu, Program::Kernels(&[code.kernel(ENTRY)?]), passed));
        linked::with_linked(&object, weights, run).map_err(|error| error.to_string())?
    }

    fn run_on_emulator(&self) -> Result<Vec<Tensor>, String> {
        let settings =
            Settings { schedule: Some(ModuleSchedule::DeviceStrategies), ..Settings::default() };
        let mut module = self.lowered(Phase::Loop, &settings)?;
        let passed = arguments::pass(&module, ENTRY, &self.signature, &self.tensors)?;
        self.lower(&mut module, Phase::Loop, Phase::Ptx, &settings)?;
        let program = cuda::program(&module, &settings.device);
        let program = program.map_err(|error| format!("{}: {}", error.location, error.message))?;
        let emulator = device::open(Place::Emulator, devices::Settings::default());
        call(&emulator.map_err(|error| error.to_string())?, Program::Ptx(&program), passed)
    }
}

/// The results of the function on a device.
fn call(device: &Device, program: Program, mut passed: Passed) -> Result<Vec<Tensor>, String> {
    let error = |error: DeviceError| error.to_string();
    let mut loaded = device.load(program).map_err(error)?;
    let signature = loaded.signature(ENTRY).map_err(error)?.clone();
    let mut arguments = passed.arguments(&signature);
    let mut call = loaded.prepare(ENTRY, &mut arguments).map_err(error)?;
    call.run().and_then(|()| call.wait()).and_then(|()| call.results()).map_err(error)?;
    drop(call);
    drop(arguments);
    passed.outputs().map_err(|error| error.to_string())
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

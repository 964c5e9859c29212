//! Families of kernels, from linalg on tensors with the default schedules. The emulator checks every access
//! and barrier, and the results are compared with plain loops in f64, for sizes of all kinds, static and dynamic.

#[path = "families/barriers.rs"]
mod barriers;
#[path = "families/lean.rs"]
mod lean;
#[path = "families/maps.rs"]
mod maps;
#[path = "families/movements.rs"]
mod movements;
#[path = "families/products.rs"]
mod products;
#[path = "families/rows.rs"]
mod rows;
#[path = "families/text.rs"]
mod text;

use crate::emulated;
use crate::harness::Session;
use loopwright::codegen::cuda::GpuTarget;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright_runtime::gpu::{Counters, Emulator, Executable, GpuError, Profile, Program};
use loopwright_runtime::kernel::Argument;
use loopwright_runtime::tensor::{ElementType, Tensor};
use loopwright_testing::{on_gpu, top};
use melior::ir::Module;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};
use text::{Text, Value};

/// Functions of one kind, for many sizes.
#[derive(Clone)]
pub struct Family {
    pub name: &'static str,
    /// The letters of its sizes, in the order of loops.
    pub letters: &'static str,
    /// The dimensions of its arguments.
    pub inputs: &'static [&'static str],
    pub result: &'static str,
    pub text: fn(&mut Text, &[Value]) -> Value,
    /// The reference: plain loops over the contents of the arguments.
    pub reference: fn(&Sizes, &[Vec<f64>]) -> Vec<Expected>,
    /// The tolerance, relative to the scale of the expected value.
    pub tolerance: f64,
    /// The static sizes; there is one function for each entry.
    pub fixed: Vec<Vec<usize>>,
    /// The letters of sizes that are dynamic in another function, and the sizes that it is called with.
    pub unknown: &'static str,
    pub dynamic: Vec<Vec<usize>>,
    /// Sizes of real use, for which kernels are only compiled.
    pub large: Vec<usize>,
    /// The most registers of a thread.
    pub registers: u32,
    /// Further requirements, if a default schedule is for the family.
    pub bars: Option<Bars>,
}

/// Requirements on kernels for static sizes for which `is_for` is true.
#[derive(Clone, Copy)]
pub struct Bars {
    pub is_for: fn(&Sizes) -> bool,
    /// For each argument, the dimensions of the loaded elements: what each row needs may be loaded once a row. The
    /// result is stored once. `None` if much is loaded repeatedly.
    pub loads: Option<&'static [&'static str]>,
    /// The instructions of which all must access 128 bits, if the last sizes are multiples of 4.
    pub vectors: &'static [&'static str],
    /// True for sizes for which there must be no bank conflicts.
    pub has_no_conflicts: fn(&Sizes) -> bool,
}

/// Sizes by their letters.
pub struct Sizes<'f> {
    letters: &'f str,
    sizes: &'f [usize],
}

impl Sizes<'_> {
    pub fn of(&self, letter: char) -> usize {
        let place = self.letters.find(letter).unwrap_or_else(|| panic!("there is no {letter}"));
        self.sizes[place]
    }

    fn shape(&self, dims: &str) -> Vec<usize> {
        dims.chars().map(|letter| self.of(letter)).collect()
    }

    pub fn product(&self, dims: &str) -> usize {
        self.shape(dims).iter().product()
    }
}

/// An expected element of a result.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    pub value: f64,
    /// The magnitude of its summands: errors are relative to it.
    pub scale: f64,
}

impl Expected {
    pub fn of(value: f64, scale: f64) -> Expected {
        Expected { value, scale }
    }

    /// A value whose errors are relative to the value itself.
    pub fn relative(value: f64) -> Expected {
        Expected { value, scale: value.abs() }
    }

    /// Like [`Expected::relative`], for a value without summands.
    pub fn exact(value: f64) -> Expected {
        Expected::relative(value)
    }
}

pub fn tight(shapes: &[&[usize]]) -> Vec<Vec<usize>> {
    shapes.iter().map(|shape| shape.to_vec()).collect()
}

pub fn all() -> Vec<Family> {
    [maps::families(), rows::families(), movements::families(), products::families()].concat()
}

/// A call: the name of the function, and its sizes.
type Call<'f> = (String, &'f [usize]);

/// A kernel and its profile.
type Launch = (String, Profile);

impl Family {
    /// The family with bars for some sizes only.
    pub fn only_for(self, is_for: fn(&Sizes) -> bool) -> Family {
        Family { bars: self.bars.map(|bars| Bars { is_for, ..bars }), ..self }
    }

    fn sizes<'f>(&'f self, sizes: &'f [usize]) -> Sizes<'f> {
        assert_eq!(self.letters.len(), sizes.len(), "{}: {sizes:?}", self.name);
        Sizes { letters: self.letters, sizes }
    }

    /// A function for sizes, of which those in `unknown` are dynamic.
    fn function(&self, name: &str, sizes: &[usize], unknown: &str) -> String {
        let size =
            |(letter, size): (char, &usize)| (letter, (!unknown.contains(letter)).then_some(*size));
        let sizes = self.letters.chars().zip(sizes).map(size).collect();
        Text::function(name, sizes, self.inputs, self.text)
    }

    /// The calls for every `step`th of the static sizes, and for all dynamic ones.
    fn calls(&self, step: usize) -> Vec<Call<'_>> {
        let fixed = self.fixed.iter().enumerate().step_by(step);
        let fixed = fixed.map(|(i, sizes)| (format!("{}_{i}", self.name), &sizes[..]));
        let dynamic = self.dynamic.iter().map(|sizes| (self.any(), &sizes[..]));
        fixed.chain(dynamic).collect()
    }

    /// The name of the function for dynamic sizes.
    fn any(&self) -> String {
        format!("{}_any", self.name)
    }

    /// A module with the functions of calls.
    fn module(&self, calls: &[Call]) -> String {
        let mut text = String::new();
        for (name, sizes) in calls.iter().filter(|(name, _)| *name != self.any()) {
            text += &self.function(name, sizes, "");
        }
        text + &self.function(&self.any(), &self.dynamic[0], self.unknown)
    }

    /// The program for the [`calls`](Self::calls) of `step`. Several tests use it, so it is compiled once.
    fn shared_program(&self, step: usize, device: &GpuTarget) -> Result<Arc<Program>, String> {
        type Compiled = Arc<OnceLock<Result<Arc<Program>, String>>>;
        static PROGRAMS: Mutex<BTreeMap<(&str, usize, String), Compiled>> =
            Mutex::new(BTreeMap::new());
        let key = (self.name, step, device.chip().to_owned());
        // The lock is not held while it is compiled: other tests need other programs.
        let compiled =
            PROGRAMS.lock().expect("nothing panics here").entry(key).or_default().clone();
        compiled.get_or_init(|| self.program(&self.calls(step), device).map(Arc::new)).clone()
    }

    /// The program for calls, with the default schedules.
    fn program(&self, calls: &[Call], device: &GpuTarget) -> Result<Program, String> {
        let session = Session::new();
        let text = self.module(calls);
        let mut module = Module::parse(&session.context, &text)
            .unwrap_or_else(|| panic!("{}{text}", session.errors.borrow()));
        let settings = Settings {
            schedule: Some(ModuleSchedule::DeviceStrategies),
            contract: Some("reassoc"),
            device: device.clone(),
            require_vector: true,
            ..Settings::default()
        };
        let outcome =
            pipeline::lower(&session.context, &mut module, Phase::Input, Phase::Ptx, &settings);
        outcome.map_err(|_| format!("{}: {}", self.name, session.errors.borrow()))?;
        Ok(emulated::program(top(&module), device))
    }

    /// Runs a call; returns the result.
    fn run(
        &self,
        executable: &Executable,
        (name, sizes): &Call,
        inputs: &[Tensor],
    ) -> Result<Tensor, GpuError> {
        let shape = self.sizes(sizes).shape(self.result);
        let mut result = Tensor::zeros(ElementType::F32, &shape).expect("it is small");
        (0..result.len()).for_each(|i| result.set_f64(i, f64::NAN));
        let mut arguments: Vec<Argument> = inputs.iter().map(Argument::Input).collect();
        arguments.push(Argument::Output(&mut result));
        let call = executable.prepare(name, &mut arguments)?;
        call.run()?;
        call.results(&mut arguments)?;
        Ok(result)
    }

    fn tensors(&self, sizes: &[usize]) -> Vec<Tensor> {
        let sizes = self.sizes(sizes);
        let tensor = |(salt, dims): (usize, &&str)| {
            let mut tensor =
                Tensor::zeros(ElementType::F32, &sizes.shape(dims)).expect("it is small");
            (0..tensor.len()).for_each(|i| tensor.set_f64(i, number(i, salt)));
            tensor
        };
        self.inputs.iter().enumerate().map(tensor).collect()
    }

    /// Runs a call and compares its result.
    fn check(&self, executable: &Executable, call: &Call) -> Result<(), String> {
        let (name, sizes) = call;
        let at = format!("{name} of {sizes:?}");
        let inputs = self.tensors(sizes);
        let result =
            self.run(executable, call, &inputs).map_err(|error| format!("{at}: {error}"))?;
        let values: Vec<Vec<f64>> = inputs
            .iter()
            .map(|tensor| (0..tensor.len()).map(|i| tensor.get_f64(i)).collect())
            .collect();
        let expected = (self.reference)(&self.sizes(sizes), &values);
        assert_eq!(expected.len(), result.len(), "{at}: the reference");
        for (place, expected) in expected.iter().enumerate() {
            let found = result.get_f64(place);
            let error = (found - expected.value).abs();
            let is_close = found == expected.value || error <= self.tolerance * expected.scale;
            if !is_close {
                let place = result.indices(place);
                let Expected { value, scale } = expected;
                return Err(format!("{at}: {found} at {place:?}, expected {value} of {scale}"));
            }
        }
        Ok(())
    }
}

impl Family {
    /// Checks that the kernels of a call meet the bars.
    fn is_lean(&self, call: &Call, ptx: &str, launches: &[Launch]) -> Result<(), String> {
        let (name, sizes) = call;
        let (is_any, sizes) = (*name == self.any(), self.sizes(sizes));
        let Some(bars) = self.bars.filter(|bars| !is_any && (bars.is_for)(&sizes)) else {
            return Ok(());
        };
        let wrong = |what: String| Err(format!("{name} of {:?}: {what}", sizes.sizes));
        let sum = |of: fn(&Counters) -> u64| -> u64 {
            launches.iter().map(|(_, profile)| of(&profile.counters)).sum()
        };
        if let Some(loads) = bars.loads {
            let loads: usize = loads.iter().map(|dims| sizes.product(dims)).sum();
            let expected = [loads, sizes.product(self.result)].map(|elements| elements as u64 * 4);
            let found = [sum(|it| it.global_loads.bytes), sum(|it| it.global_stores.bytes)];
            // A thread may load data once that is the same for several rows.
            if found[0] > expected[0] || found[1] != expected[1] {
                return wrong(format!("loads and stores {found:?} bytes, expected {expected:?}"));
            }
        }
        let dims = self.inputs.iter().chain([&self.result]);
        let mut last = dims.filter_map(|dims| dims.chars().last());
        if last.all(|letter| sizes.of(letter) % 4 == 0) {
            for (kernel, _) in launches {
                let mut lines = body(ptx, kernel).lines().map(str::trim);
                let is_narrow = |line: &&str| {
                    bars.vectors.iter().any(|it| line.starts_with(it)) && !line.contains(".v4.")
                };
                if let Some(line) = lines.find(is_narrow) {
                    return wrong(format!("'{line}' is not of 128 bits"));
                }
            }
        }
        let conflicts = sum(|it| it.shared_loads.conflicts + it.shared_stores.conflicts);
        match (bars.has_no_conflicts)(&sizes) && conflicts > 0 {
            true => wrong(format!("{conflicts} bank conflicts")),
            false => Ok(()),
        }
    }
}

/// The text of a kernel.
fn body<'p>(ptx: &'p str, kernel: &str) -> &'p str {
    let start = format!(".entry {kernel}(");
    let found = ptx.split_once(&start).and_then(|(_, rest)| rest.split("\n}").next());
    found.unwrap_or_else(|| panic!("there is no {kernel}"))
}

/// Numbers from -2 to 2 with a long period.
fn number(i: usize, salt: usize) -> f64 {
    let bits = ((i + 1) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (salt as u64) << 50;
    let bits = (bits ^ bits >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40;
    bits as f64 / f64::from(1 << 22) - 2.0
}

/// Runs all calls of families for a chip, and passes the profiles of their kernels to `look`; panics with all errors.
fn check_all(
    families: &[Family],
    chip: &str,
    step: usize,
    look: fn(&Family, &Call, &str, &[Launch]) -> Result<(), String>,
) {
    let device = GpuTarget::new(chip, 64).expect("a chip of the list");
    let mut wrong = vec![];
    for family in families {
        let calls = family.calls(step);
        let program = match family.shared_program(step, &device) {
            Ok(program) => program,
            Err(why) => {
                wrong.push(why);
                continue;
            }
        };
        let emulator = Emulator::new(7);
        let executable = Executable::load(&program, &emulator).expect("the emulator takes it");
        for call in &calls {
            let checked = family.check(&executable, call);
            let launches = emulator.take_launches();
            let looked = checked.and_then(|()| look(family, call, &program.ptx, &launches));
            wrong.extend(looked.err());
        }
        let on_gpu = on_gpu(|gpu| {
            let executable = Executable::load(&program, gpu).expect("the driver takes it");
            calls
                .iter()
                .filter_map(|call| family.check(&executable, call).err())
                .collect::<Vec<_>>()
        });
        wrong.extend(on_gpu.unwrap_or_default());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn families_are_right_for_all_sizes() {
    let families = all();
    for family in &families {
        assert!(family.calls(1).len() >= 20, "{} has {}", family.name, family.calls(1).len());
    }
    check_all(&families, "sm_80", 1, Family::is_lean);
}

#[test]
fn families_are_right_on_hopper() {
    check_all(&all(), "sm_90a", 2, Family::is_lean);
}

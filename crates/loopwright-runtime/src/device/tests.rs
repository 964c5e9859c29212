//! Device names, and what devices refuse. `test/codegen/cuda/devices.rs` tests that one function runs on all devices.

use super::*;
use crate::ffi::library::tests::kernel;
use crate::kernel::Argument::Index;

fn open(name: &str) -> Device {
    Device::connect(name.parse().expect("a name"), Settings::default()).expect("it is everywhere")
}

fn ptx(chip: &str) -> gpu::Program {
    let ptx = format!(".version 8.0\n.target {chip}\n.address_size 64\n");
    gpu::Program { chip: chip.into(), ptx, constants: vec![], functions: vec![] }
}

#[test]
fn names_are_read_as_they_are_written() {
    for place in [Place::Cpu, Place::Emulator, Place::Cuda(0), Place::Cuda(12)] {
        assert_eq!(place.to_string().parse::<Place>().ok(), Some(place));
    }
    assert_eq!("cuda".parse::<Place>().ok(), Some(Place::Cuda(0)));
    for name in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "CPU", "cpu:0"] {
        let error = name.parse::<Place>().expect_err("no device");
        assert_eq!(error.to_string(), format!("expected cpu, cuda:N or emulator, found '{name}'"));
    }
    assert_eq!(open("cpu").name(), "cpu");
    assert_eq!(open("emulator").name(), "emulator");
}

#[test]
fn a_gpu_that_is_not_there_names_the_emulator() {
    let error = Device::connect(Place::Cuda(4096), Settings::default()).err().expect("no such GPU");
    assert!(error.to_string().starts_with("there is no d"), "{error}");
    assert!(error.to_string().ends_with("; the device 'emulator' runs kernels without a GPU"));
}

#[test]
fn the_cpu_has_the_threads_it_is_given() {
    let threads = NonZeroUsize::new(2);
    let settings = Settings { threads, seed: 0 };
    assert_eq!(Device::connect(Place::Cpu, settings).expect("two threads").threads(), threads);
    assert_eq!(Device::connect(Place::Emulator, settings).expect("none").threads(), None);
}

#[test]
fn code_of_another_kind_is_refused() {
    let (program, kernels) = (ptx("sm_80"), [kernel("nothing")]);
    let refusal = |device: &str, program| match open(device).load(program) {
        Ok(_) => panic!("{device} took it"),
        Err(error) => error.to_string(),
    };
    assert_eq!(refusal("cpu", Program::Ptx(&program)), "cpu runs machine code, found PTX");
    let found = refusal("emulator", Program::Kernels(&kernels));
    assert_eq!(found, "emulator runs PTX, found machine code");
    let bundle = Bundle { programs: vec![ptx("sm_120")] };
    let found = refusal("emulator", Program::Bundle(&bundle));
    assert_eq!(
        found,
        "the bundle is for sm_120, none of which runs on a device of compute capability 9.0"
    );
}

#[test]
fn functions_and_arguments_are_checked_on_each() {
    let (program, kernels) = (ptx("sm_80"), [kernel("nothing")]);
    let bundle = Bundle { programs: vec![ptx("sm_80")] };
    for (device, program) in [
        ("cpu", Program::Kernels(&kernels)),
        ("emulator", Program::Ptx(&program)),
        ("emulator", Program::Bundle(&bundle)),
    ] {
        let device = open(device);
        let mut loaded = device.load(program).expect("it is of the device's kind");
        let expected = "there is no function 'main' in the program";
        let error = loaded.signature("main").expect_err("there is none");
        assert_eq!(error.to_string(), expected);
        let error = loaded.prepare("main", &mut []).err().expect("there is none");
        assert_eq!(error.to_string(), expected);
    }
    let device = open("cpu");
    let mut loaded = device.load(Program::Kernels(&kernels)).expect("it is machine code");
    let error = loaded.prepare("nothing", &mut [Index(1)]).err().expect("it takes nothing");
    assert_eq!(error.to_string(), "nothing: found 1 arguments, expected 0 (C1)");
}

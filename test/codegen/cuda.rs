//! Tests of GPU kernels: the interpreter's results are compared with those of the original loops and with
//! results computed here, and NVIDIA's assembler must accept their PTX.

#[path = "cuda/approximate.rs"]
mod approximate;
#[path = "cuda/assembler.rs"]
mod assembler;
#[path = "cuda/async_copy.rs"]
mod async_copy;
#[path = "cuda/devices.rs"]
mod devices;
#[path = "cuda/emulated.rs"]
mod emulated;
#[path = "cuda/families.rs"]
mod families;
#[path = "cuda/harness.rs"]
mod harness;
#[path = "cuda/instructions.rs"]
mod instructions;
#[path = "cuda/kernels.rs"]
mod kernels;
#[path = "cuda/operations.rs"]
mod operations;

use assembler::Assembled;
use harness::{Session, check, interpret};
use kernels::{Case, FILES};
use loopwright::codegen::cuda;
use loopwright::codegen::cuda::GpuTarget;
use loopwright::ir::parse_file;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use loopwright_runtime::gpu::{Emulator, Executable, Program};
use loopwright_testing::{on_gpu, top};
use melior::ir::Module;
use std::path::Path;

#[test]
fn kernels_compute_what_the_loops_do() {
    let session = Session::new();
    let mut count = 0;
    for file in FILES {
        let loops = session.parse(file);
        let mut kernels = session.parse(file);
        session.run(&mut kernels, "func.func(replace-cross-thread-reduction),convert-loop-to-gpu");
        let mut optimized = session.parse(file);
        session.lower(&mut optimized, Phase::Gpu, &GpuTarget::default());
        for case in kernels::cases(file) {
            count += 1;
            let expected = interpret(&loops, &case, 0);
            check(&case, &expected, "the loops");
            for seed in 0..3 {
                for (form, module) in [("the kernels", &kernels), ("what is left", &optimized)] {
                    let found = interpret(module, &case, seed);
                    check(&case, &found, form);
                    assert_eq!(found, expected, "{form} of {} differ", case.function);
                }
            }
        }
    }
    assert!(count >= 20, "{count} kernels");
}

/// The PTX of all kernels, for both architectures and both index widths, with warps in several orders.
#[test]
fn ptx_computes_what_the_loops_do() {
    for file in FILES {
        for (chip, bits) in [("sm_80", 64), ("sm_90a", 32)] {
            let (session, device) = (Session::new(), GpuTarget::new(chip, bits).expect("a chip"));
            let loops = session.parse(file);
            let mut module = session.parse(file);
            session.lower(&mut module, Phase::Ptx, &device);
            let program = emulated::program(top(&module), &device);
            for case in kernels::cases(file) {
                let expected = interpret(&loops, &case, 0);
                for seed in 0..3 {
                    let found = emulated::run(&program, &case, seed);
                    check(&case, &found, chip);
                    for argument in case.expected.iter().map(|(argument, _)| *argument) {
                        let (found, expected) = (&found[argument], &expected[argument]);
                        assert_eq!(found, expected, "{chip}: {} differs", case.function);
                    }
                }
            }
        }
    }
}

/// No barrier is redundant: without any one of them, the emulator finds a race or a read of undefined memory.
#[test]
fn each_barrier_is_needed() {
    let device = GpuTarget::default();
    let (mut barriers, mut free) = (0, vec![]);
    for file in FILES {
        let session = Session::new();
        let mut module = session.parse(file);
        session.lower(&mut module, Phase::Ptx, &device);
        let whole = emulated::program(top(&module), &device);
        let lines: Vec<&str> = whole.ptx.lines().collect();
        let mut kernel = "";
        for (place, line) in lines.iter().enumerate() {
            if let Some((_, rest)) = line.split_once(".entry ") {
                kernel = rest.split('(').next().unwrap_or_default();
            }
            // Code for 64-bit indices does not run if 32 bits are enough.
            let is_wide = whole.ptx.contains(&format!(".entry {kernel}_i32("));
            if !line.contains("bar.sync") || is_wide {
                continue;
            }
            let cases = kernels::cases(file);
            let is_of = |case: &&Case| {
                let number = kernel.strip_prefix(case.function).and_then(|it| it.strip_prefix('_'));
                number.is_some_and(|it| it.trim_end_matches("_i32").parse::<usize>().is_ok())
            };
            let without = [&lines[..place], &lines[place + 1..]].concat().join("\n");
            let program = Program { ptx: without, ..whole.clone() };
            let mut runs =
                cases.iter().filter(is_of).flat_map(|case| (0..4).map(move |seed| (case, seed)));
            barriers += 1;
            if runs.all(|(case, seed)| emulated::try_run(&program, case, seed).is_ok()) {
                free.push(format!("{kernel}, line {}", place + 1));
            }
        }
    }
    assert!(free.is_empty(), "of {barriers} barriers these are not needed: {free:#?}");
    assert!(barriers >= 30, "{barriers} barriers");
}

/// If there is an assembler, assembles the PTX of a module: all calls must be resolved, and no thread may use local memory.
fn assemble(module: &Module, what: &str, target: &GpuTarget) {
    let ptx = cuda::ptx(module).expect("there are kernels");
    let (chip, bits) = (target.chip(), target.index_bits());
    assert!(!ptx.contains(".extern .func"), "{what}: a call that nothing resolves");
    assert!(ptx.contains("\t.file\t1 ") && ptx.contains("\t.loc\t"), "{what}: no lines of ours");
    let Some(assembler) = assembler::get() else { return };
    let Assembled { report, .. } = assembler
        .assemble(ptx, chip)
        .unwrap_or_else(|why| panic!("{what} for {chip}, {bits} bits: {why}\n{ptx}"));
    let kernels = ptx.matches(".visible .entry").count();
    let clean = "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";
    assert_eq!(report.matches(clean).count(), kernels, "{what} for {chip}: {report}");
}

/// All kernels for both architectures, with both index widths.
#[test]
fn the_assembler_takes_all_kernels() {
    for file in FILES {
        for chip in ["sm_80", "sm_90a"] {
            for bits in [32, 64] {
                let (session, device) =
                    (Session::new(), GpuTarget::new(chip, bits).expect("a chip of the list"));
                let mut module = session.parse(file);
                session.lower(&mut module, Phase::Ptx, &device);
                assemble(&module, file, &device);
            }
        }
    }
}

/// Lanes of a warp combine their values by shuffles, and need no barrier.
#[test]
fn lanes_shuffle() {
    let session = Session::new();
    let mut module = session.parse("lanes.mlir");
    session.lower(&mut module, Phase::Ptx, &GpuTarget::default());
    let ptx = cuda::ptx(&module).expect("there are kernels");
    let kernels: Vec<&str> = ptx.split(".visible .entry ").skip(1).collect();
    assert_eq!(kernels.len(), 14, "{ptx}");
    for kernel in kernels {
        let count = |what: &str| kernel.matches(what).count();
        // Two reductions: five shuffles within a warp each, and those of the warps' results; an f64 takes two shuffles.
        let [shuffles, barriers] = ["shfl.sync.bfly.b32", "bar.sync"].map(count);
        let expected = match kernel.split('(').next().unwrap_or_default() {
            "softmax_32_0" => [10, 2],
            "softmax_128_0" => [14, 4],
            "softmax_256_0" => [16, 4],
            "softmax_1024_0" => [20, 4],
            "layernorm_32_0" => [20, 2],
            "layernorm_128_0" => [28, 4],
            "layernorm_256_0" => [32, 4],
            "layernorm_1024_0" => [40, 4],
            "sum_of_i64_0" => [12, 1],
            _ => [6, 1],
        };
        assert_eq!([shuffles, barriers], expected, "{kernel}");
    }
}

/// Everything that the conversion accepts can be compiled to PTX, and computes what the interpreter does: as scalars.
#[test]
fn ptx_computes_all_operations() {
    check_operations("serial");
}

/// The same as vectors.
#[test]
fn ptx_computes_all_vector_operations() {
    check_operations("vectorize");
}

fn check_operations(kind: &str) {
    let mut wrong = vec![];
    for (operations, text, references) in operations::modules(kind) {
        let (session, device) = (Session::new(), GpuTarget::default());
        let (loops, mut module) = (session.parse_text(&references), session.parse_text(&text));
        session.lower(&mut module, Phase::Ptx, &device);
        assemble(&module, kind, &device);
        let program = emulated::program(top(&module), &device);
        let mut check = |executable: &Executable, on: &str| {
            for (i, operation) in operations.iter().enumerate() {
                let (function, arguments) = (format!("f{i}").leak(), operation.arguments());
                let case = Case { function, arguments, expected: vec![], tolerance: 0.0 };
                let expected = interpret(&loops, &case, 0);
                let found = emulated::call(&program, executable, &case)
                    .unwrap_or_else(|error| panic!("{operation} ({kind}) on {on}: {error}"));
                let mut pairs = found[2].cells.iter().zip(&expected[2].cells);
                let place = pairs.position(|(found, it)| !operation.accepts(*found, *it));
                if let Some(place) = place {
                    let [a, b] = [0, 1].map(|it| case.arguments[it].cells[place]);
                    let [found, it] = [&found, &expected].map(|it| it[2].cells[place]);
                    let what = format!("{operation} ({kind}) of {a} and {b}");
                    wrong.push(format!("{what} on {on} is {found}, not {it}"));
                }
            }
        };
        let emulator = Emulator::new(0);
        check(&Executable::load(&program, &emulator).expect("it is all known"), "the emulator");
        on_gpu(|gpu| {
            check(&Executable::load(&program, gpu).expect("the driver takes it"), "the GPU")
        });
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A matmul lowered from linalg on tensors: scheduled, run as a kernel, and assembled.
#[test]
fn the_example_of_the_readme_is_a_kernel() {
    let session = Session::new();
    let parse = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        parse_file(&session.context, &path.to_string_lossy())
            .unwrap_or_else(|| panic!("{}", session.errors.borrow()))
    };
    let mut module = parse("matmul.mlir");
    let script = parse("matmul.gpu.schedule.mlir");
    let settings =
        Settings { schedule: Some(ModuleSchedule::Script(&script)), ..Settings::default() };
    let lowered =
        pipeline::lower(&session.context, &mut module, Phase::Input, Phase::Schedule, &settings);
    assert!(lowered.is_ok(), "{}", session.errors.borrow());
    let device = GpuTarget::new("sm_90a", 64).expect("a chip of the list");
    session.lower(&mut module, Phase::Ptx, &device);
    assemble(&module, "matmul", &device);
}

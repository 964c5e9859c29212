//! Intrinsics: the code has the instruction, and it computes what the interpreter computes for its description.

use super::harness::{Numbers, Value, buffer, numbers, run};
use loopwright::codegen::Jit;
use loopwright::codegen::x86::{self, CodegenOptions};
use loopwright::machine::intrinsic::{INTRINSICS, Intrinsic};
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, Phase, Settings};
use loopwright::schedule::Schedule;
use loopwright_testing::top;
use melior::ir::Module;
use melior::ir::operation::OperationLike;

/// The description with its nest tensorized, lowered to LLVM's dialect.
fn with_code<T>(intrinsic: &Intrinsic, use_it: impl FnOnce(&Module) -> T) -> T {
    let context = pipeline::context();
    let text = ["8", "16", "16x16"].iter().fold(intrinsic.description.to_owned(), |text, shape| {
        let (sums, result) = (format!("memref<{shape}xf32>) {{"), "{loop.result}");
        let contract = "attributes {loop.fp = \"fast\"}";
        text.replace(&sums, &format!("memref<{shape}xf32> {result}) {contract} {{"))
    });
    let text = text.replace("i32>) {", "i32> {loop.result}) {");
    let mut module = Module::parse(&context, &text).expect("a description is valid");
    let function = top(&module).body(0).expect("a body").ops()[0];
    let mut schedule = Schedule::new(function).expect("a function of loops");
    let block = schedule.summary().blocks().next().expect("a block").1.name.clone();
    let outermost = if intrinsic.description.contains("%i in") { "i" } else { "k" };
    let target = format!("{block}:{outermost}");
    schedule.tensorize(&target, intrinsic.name).expect("a description is the intrinsic");
    drop(schedule);
    assert!(module.as_operation().verify());
    let settings = Settings::default();
    pipeline::lower(&context, &mut module, Phase::Schedule, Phase::Llvm, &settings)
        .expect("it lowers");
    use_it(&module)
}

fn options(target: CpuTarget) -> CodegenOptions {
    CodegenOptions { target, ..CodegenOptions::default() }
}

/// The instruction of an intrinsic.
fn instruction(intrinsic: &Intrinsic) -> &'static str {
    match intrinsic.name {
        "dot_4xi8" => "vpmov",
        "x86.fma_f32x8" | "x86.fma_f32x16" => "vfmadd",
        "x86.vpdpbusd" => "vpdpbusd",
        "x86.vpdpwssd" => "vpdpwssd",
        "x86.vdpbf16ps" => "vdpbf16ps",
        "x86.tdpbf16ps" => "tdpbf16ps",
        "x86.tdpbssd" => "tdpbssd",
        "x86.tdpbsud" => "tdpbsud",
        "x86.tdpbusd" => "tdpbusd",
        "x86.tdpbuud" => "tdpbuud",
        "x86.tilezero_f32" | "x86.tilezero_i32" => "tilezero",
        other => panic!("it is not said what instruction \"{other}\" is"),
    }
}

#[test]
fn the_instruction_is_in_the_code() {
    for intrinsic in INTRINSICS {
        with_code(intrinsic, |module| {
            let features = "+amx-bf16,+amx-int8".into();
            let target = CpuTarget { features, ..CpuTarget::named("znver4") };
            let code = x86::optimize(module, &options(target));
            let text = code.and_then(|code| code.assembly()).expect("it compiles");
            let wanted = instruction(intrinsic);
            assert!(text.contains(wanted), "{}: no {wanted} in\n{text}", intrinsic.name);
        });
    }
}

#[test]
fn a_processor_without_the_instruction_is_refused() {
    for intrinsic in INTRINSICS {
        let refused = |processor: &str| {
            with_code(intrinsic, |module| {
                x86::optimize(module, &options(CpuTarget::named(processor))).err()
            })
        };
        match (intrinsic.needs, refused("ivybridge")) {
            (Some(feature), Some(error)) => {
                let text = error.to_string();
                assert!(text.contains(feature), "{text}");
            }
            (None, None) => {}
            (_, found) => panic!("{}: {found:?}", intrinsic.name),
        }
        let on_haswell = refused("haswell");
        let has_fma = intrinsic.needs.is_none_or(|feature| feature == "fma");
        assert_eq!(on_haswell.is_none(), has_fma, "{}: {on_haswell:?}", intrinsic.name);
    }
}

/// The code for this machine; `None`, and a notice, if the machine lacks the instruction.
fn compiled(intrinsic: &Intrinsic) -> Option<Jit> {
    with_code(intrinsic, |module| {
        match x86::optimize(module, &options(CpuTarget::host())).and_then(|code| code.object()) {
            Ok(object) => Some(loopwright_testing::link(&object).expect("it links")),
            Err(error) => {
                println!("NOT RUN: {}: {error}", intrinsic.name);
                None
            }
        }
    })
}

/// Runs the code on these operands; returns `c`.
fn result<T: Numbers>(name: &str, operands: [Value; 3]) -> Option<Vec<T>> {
    let intrinsic = Intrinsic::of(name).expect("it is in the table");
    let code = compiled(intrinsic)?;
    Some(numbers(&run(&code, "description", operands.into(), 1)[2]))
}

#[test]
fn bytes_have_their_signs() {
    let a: Vec<i8> = vec![-1, 2, -128, 127];
    let b: Vec<i8> = (0..64).map(|i| (i * 37 % 256) as u8 as i8).collect();
    let c: Vec<i32> = (0..16).map(|i| i * 1000 - 7).collect();
    let dot = |a: &dyn Fn(usize) -> i32, lane: usize| -> i32 {
        (0..4).map(|k| a(k) * i32::from(b[lane * 4 + k])).sum()
    };
    let unsigned = |k: usize| i32::from(a[k] as u8);
    let operands = [buffer(&[4], &a), buffer(&[16, 4], &b), buffer(&[16], &c)];
    if let Some(found) = result::<i32>("x86.vpdpbusd", operands) {
        let wanted: Vec<i32> = (0..16).map(|lane| c[lane] + dot(&unsigned, lane)).collect();
        assert_eq!(found, wanted);
    }
    let words = |lane: usize| {
        let product = |k: usize| i32::from(a[k]) * i32::from(b[lane * 2 + k]);
        c[lane] + product(0) + product(1)
    };
    let operands = [buffer(&[2], &a[..2]), buffer(&[16, 2], &b[..32]), buffer(&[16], &c)];
    if let Some(found) = result::<i32>("x86.vpdpwssd", operands) {
        assert_eq!(found, (0..16).map(words).collect::<Vec<_>>());
    }
    let signed = |k: usize| i32::from(a[k]);
    let operands = [buffer(&[4], &a), buffer(&[4], &b[..4]), buffer(&[], &c[..1])];
    let found = result::<i32>("dot_4xi8", operands).expect("any machine has it");
    assert_eq!(found, [c[0] + dot(&signed, 0)]);
}

#[test]
fn floats_are_multiplied_and_added() {
    for (name, lanes) in [("x86.fma_f32x8", 8), ("x86.fma_f32x16", 16)] {
        let b: Vec<f32> = (0..lanes).map(|i| i as f32 - 3.5).collect();
        let c: Vec<f32> = (0..lanes).map(|i| 100.0 * i as f32).collect();
        let shape = [i64::from(lanes)];
        let operands = [buffer(&[], &[3.0f32]), buffer(&shape, &b), buffer(&shape, &c)];
        let Some(found) = result::<f32>(name, operands) else { continue };
        let wanted: Vec<f32> = b.iter().zip(&c).map(|(b, c)| 3.0f32.mul_add(*b, *c)).collect();
        assert_eq!(found, wanted);
    }
    let half = half::bf16::from_f32;
    let a = [half(2.0), half(-3.0)];
    let b: Vec<half::bf16> = (0..32).map(|i| half(i as f32 - 11.0)).collect();
    let c: Vec<f32> = (0..16).map(|i| i as f32 * 0.5).collect();
    let operands = [buffer(&[2], &a), buffer(&[16, 2], &b), buffer(&[16], &c)];
    if let Some(found) = result::<f32>("x86.vdpbf16ps", operands) {
        let product = |lane: usize, k: usize| a[k].to_f32() * b[lane * 2 + k].to_f32();
        let wanted: Vec<f32> =
            (0..16).map(|lane| c[lane] + product(lane, 0) + product(lane, 1)).collect();
        assert_eq!(found, wanted);
    }
}

//! The tiles of products stay in registers: the innermost loop of multiplications has no stack accesses.

use loopwright::codegen::x86::{self, CodegenOptions};
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline::{self, ModuleSchedule, Phase, Settings};
use melior::ir::Module;
use std::collections::HashMap;

/// The assembly of a matrix product under the default schedules of a processor.
fn product([m, k, n]: [i64; 3], cpu: &str) -> String {
    let context = pipeline::context();
    let (a, b, c) = (
        format!("tensor<{m}x{k}xf32>"),
        format!("tensor<{k}x{n}xf32>"),
        format!("tensor<{m}x{n}xf32>"),
    );
    let text = format!(
        "func.func @main(%a: {a}, %b: {b}) -> {c} {{\n\
         %zero = arith.constant 0.0 : f32\n\
         %empty = tensor.empty() : {c}\n\
         %start = linalg.fill ins(%zero : f32) outs(%empty : {c}) -> {c}\n\
         %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%start : {c}) -> {c}\n\
         return %r : {c}\n}}"
    );
    let mut module = Module::parse(&context, &text).expect("it is a module");
    let target = CpuTarget::named(cpu);
    let settings = Settings {
        contract: Some("fast"),
        schedule: Some(ModuleSchedule::Strategies),
        target: target.clone(),
        ..Settings::default()
    };
    pipeline::lower(&context, &mut module, Phase::Input, Phase::Llvm, &settings)
        .expect("it lowers");
    let options = CodegenOptions { target, ..CodegenOptions::default() };
    let optimized = x86::optimize(&module, &options).expect("LLVM takes it");
    optimized.assembly().expect("there is code")
}

/// The innermost loops: the lines from a label to a jump back to it.
fn innermost_loops(assembly: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = assembly.lines().map(str::trim).collect();
    let mut labels = HashMap::new();
    let mut found = vec![];
    for (i, line) in lines.iter().enumerate() {
        if let Some(label) = line.strip_suffix(':') {
            labels.insert(label, i);
        }
        let jump = line.starts_with('j').then(|| line.split_whitespace().nth(1)).flatten();
        let Some(start) = jump.and_then(|label| labels.get(label)) else { continue };
        let body = &lines[start + 1..i];
        if !body.iter().any(|line| line.ends_with(':')) {
            found.push(body.to_vec());
        }
    }
    found
}

#[test]
fn tiles_of_products_stay_in_registers() {
    for (cpu, multiplies) in [
        ("znver4", "vfmadd"),
        ("skylake-avx512", "vfmadd"),
        ("haswell", "vfmadd"),
        ("x86-64", "mulps"),
    ] {
        for shape in [[512, 512, 512], [1024, 1024, 1024], [101, 97, 103]] {
            let assembly = product(shape, cpu);
            let count = |body: &[&str]| body.iter().filter(|l| l.contains(multiplies)).count();
            let loops = innermost_loops(&assembly);
            let tiles: Vec<_> = loops.into_iter().filter(|body| count(body) >= 6).collect();
            assert!(!tiles.is_empty(), "no loop of {shape:?} on {cpu} multiplies:\n{assembly}");
            for body in tiles {
                // A stack access with an index reads the packed panel.
                let spilled: Vec<_> = body.iter().filter(|line| line.contains("(%rsp)")).collect();
                assert!(spilled.is_empty(), "{shape:?} on {cpu} spills: {spilled:?}");
            }
        }
    }
}

#[test]
fn loops_are_found() {
    let assembly = "f:\n.LBB0_1:\n  addq $1, %rax\n.LBB0_2:\n  mulps 8(%rsp), %xmm0\n  jne .LBB0_2\n  jne .LBB0_1\n  ret\n";
    assert_eq!(innermost_loops(assembly), [["mulps 8(%rsp), %xmm0"]]);
}

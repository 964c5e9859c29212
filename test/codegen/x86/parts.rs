//! Modules of several parts: the code does not depend on the number of threads, computes the same as the code of the whole
//! module, and has the same symbols.

use super::harness::{buffer, compile, numbers, optimize, run};
use loopwright::codegen::CodeCache;
use loopwright::codegen::x86::{self, CodegenOptions, Object};
use loopwright::pipeline::{self, Phase, Settings};
use melior::ir::Module;
use object::{File, Object as _, ObjectSymbol};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;

const LOOPS: usize = 5;
const N: usize = 64;
/// More elements than a constant may have that is copied to each part.
const LARGE: usize = 3000;

/// [`model_of`] all loops.
fn model() -> String {
    model_of(&(0..LOOPS).collect::<Vec<_>>())
}

/// A function of some parallel loops with long bodies. All of them read a small constant, a large constant and a global that
/// loop 0 writes.
fn model_of(loops: &[usize]) -> String {
    let step = |k: usize, i: usize| {
        let last = if i == 0 { "%start".to_owned() } else { format!("%v{}", i - 1) };
        format!("%m{i} = arith.mulf {last}, %c{k} : f32\n%v{i} = arith.addf %m{i}, %a : f32")
    };
    let body = |k: usize| {
        let steps: Vec<String> = (0..150).map(|i| step(k, i)).collect();
        let state = match k {
            0 => "memref.store %s, %state[%i] : memref<64xf32>",
            _ => "",
        };
        format!(
            "scf.parallel (%i) = (%zero) to (%n) step (%one) {{
               %a = memref.load %A[%i] : memref<64xf32>
               %j = arith.remui %i, %four : index
               %s = memref.load %small[%j] : memref<4xf32>
               %l = memref.load %large[%i] : memref<{LARGE}xf32>
               {state}
               %t = memref.load %state[%i] : memref<64xf32>
               %sl = arith.addf %s, %l : f32
               %start = arith.addf %sl, %t : f32
               {}
               memref.store %v149, %C{k}[%i] : memref<64xf32>
               scf.reduce
             }}",
            steps.join("\n")
        )
    };
    let results = (0..LOOPS).map(|k| format!("%C{k}: memref<64xf32> {{loop.result}}"));
    let factors = (0..LOOPS).map(|k| format!("%c{k} = arith.constant 0.{}5 : f32", k + 1));
    let large: Vec<String> = (0..LARGE).map(|i| format!("{i}.5")).collect();
    format!(
        "memref.global \"private\" constant @small : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
         memref.global \"private\" constant @large : memref<{LARGE}xf32> = dense<[{}]>
         memref.global \"private\" @state : memref<64xf32> = dense<0.0>
         func.func @f(%A: memref<64xf32>, {}) {{
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           %four = arith.constant 4 : index
           %n = arith.constant {N} : index
           {}
           %small = memref.get_global @small : memref<4xf32>
           %large = memref.get_global @large : memref<{LARGE}xf32>
           %state = memref.get_global @state : memref<64xf32>
           {}
           return
         }}",
        large.join(", "),
        results.collect::<Vec<_>>().join(", "),
        factors.collect::<Vec<_>>().join("\n"),
        loops.iter().map(|k| body(*k)).collect::<Vec<_>>().join("\n")
    )
}

/// The code of a module in vector form, compiled on some threads.
fn object(text: &str, threads: usize) -> Object {
    object_with(text, threads, CodegenOptions::default())
}

fn object_with(text: &str, threads: usize, options: CodegenOptions) -> Object {
    let context = pipeline::context();
    let mut module = Module::parse(&context, text).expect("the text is valid");
    pipeline::lower(&context, &mut module, Phase::Vector, Phase::Llvm, &Settings::default())
        .expect("it can be lowered");
    let threads = NonZeroUsize::new(threads).expect("a thread");
    x86::compile_on(&module, &options, threads).expect("it compiles")
}

/// What the code computes.
fn results(code: &loopwright::codegen::Jit) -> Vec<Vec<f32>> {
    let a: Vec<f32> = (0..N).map(|i| i as f32 / 8.0).collect();
    let mut values = vec![buffer(&[N as i64], &a)];
    values.extend((0..LOOPS).map(|_| buffer(&[N as i64], &[0f32; N])));
    run(code, "f", values, 2)[1..].iter().map(numbers).collect()
}

/// The names that other objects can refer to, and those that the object needs from others.
fn names(object: &Object) -> (BTreeSet<String>, BTreeSet<String>) {
    let file = File::parse(object.bytes()).expect("it is an object");
    let global = file.symbols().filter(|symbol| symbol.is_global());
    let (mut needed, mut defined) = (BTreeSet::new(), BTreeSet::new());
    for symbol in global {
        let name = symbol.name().expect("a name").to_owned();
        match symbol.is_undefined() {
            true => needed.insert(name),
            false => defined.insert(name),
        };
    }
    (defined, needed)
}

#[test]
fn code_does_not_depend_on_the_threads_that_compile_it() {
    let text = model();
    let one = object(&text, 1);
    for threads in [2, 3, 8] {
        assert_eq!(object(&text, threads), one, "{threads} threads");
    }
}

#[test]
fn parts_compute_what_the_whole_computes() {
    let text = model();
    let parts = object(&text, 2);
    let whole = optimize(&text, |it| it.and_then(|it| it.object())).expect("it compiles");
    assert_ne!(parts, whole, "the module has several parts");
    let linked = |object: Object| loopwright_testing::link(object).expect("it links");
    let found = results(&linked(parts.clone()));
    assert_eq!(found, results(&linked(whole.clone())));
    let expected = |i: usize| {
        let (a, c) = (i as f32 / 8.0, 0.15f32);
        let start = (i % 4 + 1) as f32 + (i as f32 + 0.5) + (i % 4 + 1) as f32;
        (0..150).fold(start, |value, _| value * c + a)
    };
    for (i, found) in found[0].iter().enumerate() {
        let expected = expected(i);
        assert!((found - expected).abs() <= 1e-5 * expected.abs(), "{i}: {found}, {expected}");
    }
    let (defined, needed) = names(&parts);
    assert!(defined.contains("f") && defined.contains("f_signature"), "{defined:?}");
    assert_eq!((defined, needed), names(&whole));
}

#[test]
fn parts_that_are_the_same_are_compiled_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = CodeCache::new(folder.path());
    let entries = || std::fs::read_dir(folder.path()).expect("the folder").flatten().count();
    let options = || CodegenOptions { parts: Some(cache.clone()), ..CodegenOptions::default() };
    let whole = object(&model(), 1);
    assert_eq!(object_with(&model(), 2, options()), whole);
    let all = entries();
    // The function that calls the loops is small, and in one part with loop 0.
    assert_eq!(all, LOOPS);
    assert_eq!(object_with(&model(), 2, options()), whole, "with code from the cache");
    assert_eq!(entries(), all);
    // The other loops have other numbers now.
    let shorter = model_of(&[0, 2, 3, 4]);
    assert_eq!(object_with(&shorter, 2, options()), object(&shorter, 1));
    assert_eq!(entries(), all + 1, "the function that calls the loops is new");
    // Other options.
    let options = CodegenOptions { passes: "function(sroa)".into(), ..options() };
    object_with(&model(), 2, options);
    assert_eq!(entries(), 2 * all + 1);
    // Damaged entries.
    for entry in std::fs::read_dir(folder.path()).expect("the folder").flatten() {
        std::fs::write(entry.path(), "damaged").expect("it is ours");
    }
    let options = CodegenOptions { parts: Some(cache.clone()), ..CodegenOptions::default() };
    assert_eq!(object_with(&model(), 2, options), whole);
}

#[test]
fn constants_of_resources_are_part_of_the_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = CodeCache::new(folder.path());
    // The name of the resource is the same, its data is not.
    let model = |first: &str| {
        let old = "memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>";
        let text = model();
        assert!(text.contains(old));
        let new = "memref<4xf32> = dense_resource<small>";
        let hex = format!("0x04000000{first}000000400000404000008040");
        let resources =
            format!("{{-# dialect_resources: {{ builtin: {{ small: \"{hex}\" }} }} #-}}");
        format!("{}\n{resources}", text.replace(old, new))
    };
    let options = || CodegenOptions { parts: Some(cache.clone()), ..CodegenOptions::default() };
    let (one, two) = (model("0000803F"), model("00000040"));
    assert_eq!(object_with(&one, 1, options()), object(&one, 1));
    let other = object(&two, 1);
    assert_ne!(other, object(&one, 1));
    assert_eq!(object_with(&two, 1, options()), other);
}

#[test]
fn a_part_that_does_not_compile_is_an_error() {
    let asm = "llvm.inline_asm has_side_effects \"no such instruction\", \"\" : () -> ()";
    let function = |k: usize| {
        let adds: Vec<String> = (0..300)
            .map(|i| {
                let last = if i == 0 { "%x".to_owned() } else { format!("%v{}", i - 1) };
                format!("%v{i} = llvm.add {last}, %y : i64")
            })
            .collect();
        let asm = if k == 1 { asm } else { "" };
        format!(
            "llvm.func @f{k}(%x: i64, %y: i64) -> i64 {{ {} {asm} llvm.return %v299 : i64 }}",
            adds.join("\n")
        )
    };
    let text = (0..3).map(function).collect::<Vec<_>>().join("\n");
    let context = pipeline::context();
    let module = Module::parse(&context, &text).expect("the text is valid");
    for threads in [1, 2] {
        let threads = NonZeroUsize::new(threads).expect("a thread");
        let error = x86::compile_on(&module, &CodegenOptions::default(), threads)
            .expect_err("there is no such instruction")
            .to_string();
        assert!(error.starts_with("LLVM's code generator failed: "), "{error}");
    }
}

#[test]
fn small_modules_are_compiled_as_a_whole() {
    let text = "func.func @f(%A: memref<i32>) {
      %0 = arith.constant 7 : i32
      memref.store %0, %A[] : memref<i32>
      return
    }";
    let whole = optimize(text, |it| it.and_then(|it| it.object())).expect("it compiles");
    assert_eq!(object(text, 2), whole);
    let result = run(&compile(text), "f", vec![buffer(&[], &[0i32])], 1);
    assert_eq!(numbers::<i32>(&result[0]), [7]);
}

//! Other outputs: text, object files, and errors instead of crashes.

use super::harness::{compile, optimize};
use loopwright::codegen::CodegenError;
use loopwright::codegen::x86::{self, CodegenOptions, Object};
use loopwright::machine::x86::CpuTarget;
use loopwright::pipeline;
use melior::ir::Module;

const COPY: &str = "func.func @copy(%A: memref<64xf32>, %B: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %A[%i] : memref<64xf32>
    memref.store %x, %B[%i] : memref<64xf32>
  }
  return
}";

#[test]
fn text_and_files() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    optimize(COPY, |outcome| {
        let optimized = outcome.expect("it compiles");
        let ir = optimized.llvm_ir();
        assert!(ir.contains("define void @copy(") && ir.contains("noalias"), "{ir}");
        assert!(ir.contains("target-cpu") && ir.contains("target datalayout"), "{ir}");
        assert!(optimized.assembly().expect("it has assembly").contains("copy_signature"));
        let object = optimized.object().expect("it has code");
        let path = folder.path().join("copy.o");
        object.write(&path).expect("the folder can be written");
        let again = Object::from_bytes(std::fs::read(&path).expect("just written"));
        assert_eq!(again, object);
        let missing =
            object.write(&folder.path().join("no/copy.o")).expect_err("this fails").to_string();
        assert!(missing.contains("cannot be written"), "{missing}");
    });
}

/// LLVM does not vectorise a scalar loop: only our passes create vectors.
#[test]
fn loops_are_not_vectorized() {
    optimize(COPY, |outcome| {
        let ir = outcome.expect("it compiles").llvm_ir();
        assert!(!ir.contains("x float>"), "{ir}");
    });
}

/// A local buffer that is accessed at constant indices is kept in registers.
#[test]
fn local_buffers_are_promoted() {
    let text = "func.func @sum(%A: memref<?x16xf32>, %B: memref<16xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %A, %c0 : memref<?x16xf32>
      %local = memref.alloca() : memref<2x16xf32>
      %zero = arith.constant dense<0.0> : vector<16xf32>
      vector.store %zero, %local[%c1, %c0] : memref<2x16xf32>, vector<16xf32>
      scf.for %i = %c0 to %n step %c1 {
        %x = vector.load %A[%i, %c0] : memref<?x16xf32>, vector<16xf32>
        %old = vector.load %local[%c1, %c0] : memref<2x16xf32>, vector<16xf32>
        %new = arith.addf %old, %x : vector<16xf32>
        vector.store %new, %local[%c1, %c0] : memref<2x16xf32>, vector<16xf32>
      }
      %sum = vector.load %local[%c1, %c0] : memref<2x16xf32>, vector<16xf32>
      vector.store %sum, %B[%c0] : memref<16xf32>, vector<16xf32>
      return
    }";
    optimize(text, |outcome| {
        let ir = outcome.expect("it compiles").llvm_ir();
        assert!(!ir.contains("alloca") && ir.contains("phi <16 x float>"), "{ir}");
    });
}

#[test]
fn two_objects_may_have_the_same_names() {
    let number = |n: i32| {
        compile(&format!(
            "func.func @f(%A: memref<i32>) {{
              %0 = arith.constant {n} : i32
              memref.store %0, %A[] : memref<i32>
              return
            }}"
        ))
    };
    let (one, two) = (number(1), number(2));
    for (code, expected) in [(&one, 1), (&two, 2)] {
        let results = super::harness::run(code, "f", vec![super::harness::buffer(&[], &[0i32])], 1);
        assert_eq!(super::harness::numbers::<i32>(&results[0]), [expected]);
    }
}

fn refuse(text: &str, options: &CodegenOptions) -> CodegenError {
    let context = pipeline::context();
    loopwright::ir::receive_errors(&context, |_| {});
    let module = Module::parse(&context, text).expect("the text is valid");
    match x86::optimize(&module, options) {
        Ok(_) => panic!("this compiles"),
        Err(error) => error,
    }
}

const EMPTY: &str = "llvm.func @f() { llvm.return }";

#[test]
fn what_is_not_lowered_is_refused() {
    let error = refuse("func.func @f() { return }", &CodegenOptions::default());
    assert!(matches!(error, CodegenError::Lower), "{error}");
}

#[test]
fn unknown_targets_are_refused() {
    let with = |target| CodegenOptions { target, ..CodegenOptions::default() };
    let host = CpuTarget::host();
    for (target, expected) in [
        (CpuTarget::named("pentium9"), "'pentium9' is not a processor of"),
        (
            CpuTarget { features: "+avx2,+avx9".into(), ..host.clone() },
            "'+avx9' is not a feature of",
        ),
        (CpuTarget { features: "avx2".into(), ..host.clone() }, "'avx2' is not a feature of"),
        (CpuTarget { triple: "toaster".into(), ..host.clone() }, "toaster"),
        (CpuTarget { triple: "riscv64-linux".into(), ..host.clone() }, "riscv64"),
        (CpuTarget { cpu: "zn\0ver".into(), ..host }, "has a NUL in it"),
    ] {
        let error = refuse(EMPTY, &with(target.clone())).to_string();
        assert!(error.starts_with("target: ") && error.contains(expected), "{target:?}: {error}");
    }
    assert!(CpuTarget::named("znver4").cpu == "znver4");
}

#[test]
fn what_nothing_calls_need_not_lower() {
    let text = format!("func.func private @other(tensor<4xf32>)\n{COPY}");
    assert!(compile(&text).address("copy").is_ok());
}

#[test]
fn scalar_loops_stay_scalar() {
    let text = "func.func @main(%a: memref<1024xf32>, %b: memref<1024xf32> {loop.result}) {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %n = arith.constant 1024 : index
      scf.for %i = %zero to %n step %one {
        %x = memref.load %a[%i] : memref<1024xf32>
        %y = arith.mulf %x, %x : f32
        memref.store %y, %b[%i] : memref<1024xf32>
      }
      return
    }";
    let assembly = optimize(text, |it| it.expect("it compiles").assembly()).expect("it emits");
    assert!(assembly.contains("mulss") && !assembly.contains("mulps"), "{assembly}");
}

#[test]
fn unknown_passes_are_refused() {
    let options = CodegenOptions { passes: "default<O9>".into(), ..CodegenOptions::default() };
    let error = refuse(EMPTY, &options).to_string();
    assert!(error.starts_with("LLVM's passes failed: ") && error.contains("O9"), "{error}");
}

#[test]
fn errors_of_the_code_generator_are_errors() {
    let context = pipeline::context();
    let text = "llvm.func @f(%x: i32) -> i32 {
      %0 = llvm.inline_asm \"no such instruction\", \"=r,r\" %x : (i32) -> i32
      llvm.return %0 : i32
    }";
    let module = Module::parse(&context, text).expect("the text is valid");
    let outcome = x86::compile(&module, &CodegenOptions::default());
    assert!(matches!(outcome, Err(CodegenError::Emit(_))), "{outcome:?}");
}

#[test]
fn missing_symbols_are_errors() {
    let code = compile(COPY);
    let error = code.address("paste").expect_err("this fails").to_string();
    assert!(
        error.starts_with("cannot link into this process: ") && error.contains("paste"),
        "{error}"
    );
    assert!(code.kernel("paste").is_err());
    let error = loopwright_testing::link(Object::from_bytes(b"no object".to_vec()));
    assert!(error.is_err());
    let unresolved = compile(
        "func.func private @nowhere(index)
         func.func @f(%n: index) {
          func.call @nowhere(%n) : (index) -> ()
          return
        }",
    );
    let error = unresolved.address("f").expect_err("this fails").to_string();
    assert!(error.contains("nowhere"), "{error}");
}

// Assertions on data are checked by the interpreter, and with --check-bounds by compiled code; otherwise a remark says
// that they are not. Whole numbers from 0 on: the first one is not above 0.
// RUN: not lw-run %s --input iota --input ones 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// RUN: not lw-run %s --input iota --input ones --target x86 --check-bounds 2>&1 | FileCheck %s --check-prefix=X86
// RUN: not lw-run %s --input iota --input ones --target x86 --threads 2 --check-bounds 2>&1 | FileCheck %s --check-prefix=X86
// RUN: lw-run %s --input ones --input ones --target x86 --check-bounds | FileCheck %s --check-prefix=HOLDS
// RUN: lw-run %s --input iota --input ones --target x86 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: lw-run %s --input iota --input ones --target sm_80 --device emulator 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not lw-run %s --input iota --target sm_80 --device emulator --input iota --no-schedule 2>&1 | FileCheck %s --check-prefix=FAILED

// INTERPRETER: assertions.mlir:[[#@LINE+19]]:5: error: failed: expected numbers above 0 %, in "add_assert" at (vi=0)
// X86: assertions.mlir:[[#@LINE+18]]:5: error: assertion failed: expected numbers above 0 %
// HOLDS: result 0: 4xf32 = [2.0, 2.0, 2.0, 2.0]
// REMARK: result 0: 4xf32 = [1.0, 2.0, 3.0, 4.0]
// REMARK: assertions.mlir:[[#@LINE+15]]:5: remark: this assertion is not checked, as only conditions on sizes are; --check-bounds (keep-assertions) checks all
// REMARK-NOT: remark

// A remark follows an error.
// FAILED: assertions.mlir:[[#@LINE+3]]:1: error: has no kernels
// FAILED-NEXT: assertions.mlir:[[#@LINE+10]]:5: remark: this assertion is not checked, as only conditions on sizes are; --check-bounds (keep-assertions) checks all
// FAILED-NOT: remark
func.func @main(%A: tensor<4xi64>, %B: tensor<4xf32>) -> tensor<4xf32> {
  %empty = tensor.empty() : tensor<4xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%A, %B : tensor<4xi64>, tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: i64, %b: f32, %o: f32):
    %zero = arith.constant 0 : i64
    %positive = arith.cmpi sgt, %a, %zero : i64
    cf.assert %positive, "expected numbers above 0 %"
    %f = arith.sitofp %a : i64 to f32
    %s = arith.addf %f, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

// A function of numbers alone is compiled as one on tensors is: its results are buffers.
// RUN: lw-run %s --target x86 | FileCheck %s
// RUN: lw-run %s --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s | FileCheck %s
// CHECK: result 0: bool = true
// CHECK: result 1: i64 = 7
func.func @main() -> (i1, i64) {
  %true = arith.constant true
  %seven = arith.constant 7 : i64
  return %true, %seven : i1, i64
}

// RUN: lw-run %s --entry sum --input iota --target x86 | FileCheck %s --check-prefix=SUM
// SUM: result 0: f32 = 0.5
func.func @sum(%x: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %0 = arith.addf %x, %half : f32
  return %0 : f32
}

// Functions that call each other stay functions of numbers.
// RUN: lw-opt %s --convert-linalg-to-loop | FileCheck %s --check-prefix=CALLED
// CALLED-LABEL: func.func @called(%{{.+}}: f32) -> f32
// CALLED-LABEL: func.func @caller(%{{.+}}: f32) -> f32
// CALLED:         call @called
func.func @called(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}
func.func @caller(%x: f32) -> f32 {
  %0 = call @called(%x) : (f32) -> f32
  return %0 : f32
}

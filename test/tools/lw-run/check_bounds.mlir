// Out-of-bounds accesses of compiled code are reported before they happen.
// RUN: not lw-run %s --entry scalar --target x86 --check-bounds --input %S/Inputs/ten.npy --input %S/Inputs/ten.npy 2>&1 | FileCheck %s
// RUN: not lw-run %s --entry vectors --target x86 --check-bounds --input %S/Inputs/ten.npy --input %S/Inputs/ten.npy 2>&1 | FileCheck %s --check-prefix=VECTOR
// RUN: not lw-run %s --entry masks --target x86 --check-bounds --input %S/Inputs/ten.npy --input %S/Inputs/ten.npy 2>&1 | FileCheck %s --check-prefix=MASK
// RUN: not lw-run %s --entry below --target x86 --threads 2 --check-bounds --input %S/Inputs/ten.npy --input %S/Inputs/ten.npy 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: lw-run %s --entry fits --target x86 --check-bounds --input %S/Inputs/ten.npy --input %S/Inputs/ten.npy --check %S/Inputs/ten.npy
// RUN: not lw-run %s --entry fits --check-bounds 2>&1 | FileCheck %s --check-prefix=INTERPRETER
// A model whose buffers share memory, by views of bytes.
// RUN: lw-run %S/../../models/encoder_layer.linalg.mlir --target x86 --check-bounds --input %S/../../models/encoder_layer.in0.npy --check %S/../../models/encoder_layer.out.npy --rtol 1e-4 --atol 1e-4

// CHECK: check_bounds.mlir:[[@LINE+10]]:10: error: access to dimension 0 of memref<10xf32>: index 10 is out of bounds, expected 0 to 9
// VECTOR: check_bounds.mlir:{{[0-9]+}}:{{[0-9]+}}: error: access to dimension 0 of memref<10xf32>: index 11 is out of bounds, expected 0 to 9
// MASK: error: access to dimension 0 of memref<10xf32>: index 10 is out of bounds, expected 0 to 9
// BELOW: error: access to dimension 0 of memref<10xf32>: index -1 is out of bounds, expected 0 to 9
// INTERPRETER: --check-bounds is for compiled code, the interpreter always checks: give --target x86
func.func @scalar(%A: memref<10xf32>, %B: memref<10xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c1 {
    %a = memref.load %A[%i] : memref<10xf32>
    memref.store %a, %B[%c0] : memref<10xf32>
  }
  return
}

func.func @vectors(%A: memref<10xf32>, %B: memref<10xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c4 {
    %a = vector.load %A[%i] : memref<10xf32>, vector<4xf32>
    vector.store %a, %B[%c0] : memref<10xf32>, vector<4xf32>
  }
  return
}

// Three lanes are active.
func.func @masks(%A: memref<10xf32>, %B: memref<10xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %mask = vector.create_mask %c3 : vector<4xi1>
  scf.for %i = %c0 to %c10 step %c4 {
    %a = vector.maskedload %A[%i], %mask, %zero : memref<10xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.store %a, %B[%c0] : memref<10xf32>, vector<4xf32>
  }
  return
}

// In the chunk of a parallel loop.
func.func @below(%A: memref<10xf32>, %B: memref<10xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i) = (%c0) to (%c10) step (%c1) {
    %j = arith.subi %i, %c1 : index
    %a = memref.load %A[%j] : memref<10xf32>
    memref.store %a, %B[%i] : memref<10xf32>
  }
  return
}

func.func @fits(%A: memref<10xf32>, %B: memref<10xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %mask = vector.create_mask %c2 : vector<4xi1>
  scf.for %i = %c0 to %c8 step %c4 {
    %a = vector.load %A[%i] : memref<10xf32>, vector<4xf32>
    vector.store %a, %B[%i] : memref<10xf32>, vector<4xf32>
  }
  %a = vector.maskedload %A[%c8], %mask, %zero : memref<10xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %B[%c8], %mask, %a : memref<10xf32>, vector<4xi1>, vector<4xf32>
  return
}

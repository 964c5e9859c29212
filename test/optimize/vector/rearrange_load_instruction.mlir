// RUN: lw-opt %s --rearrange-load-instruction | FileCheck %s
// RUN: lw-opt %s --rearrange-load-instruction --rearrange-load-instruction | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --rearrange-load-instruction -o /dev/null
// RUN: lw-opt %s --rearrange-load-instruction=most-loads=1 | FileCheck %s --check-prefix=ONE

// The example; the third load is of the same element as the first one.
// CHECK-LABEL: func.func @example(
// CHECK-NEXT:    memref.load %arg0
// CHECK-NEXT:    %[[J:.+]] = arith.addi
// CHECK-NEXT:    memref.load %arg1[%[[J]]]
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    return
// ONE-LABEL:   func.func @example(
// ONE-NEXT:      memref.load %arg0
// ONE-NEXT:      arith.addf
// ONE-NEXT:      memref.store
// ONE-NEXT:      arith.addi
// ONE-NEXT:      memref.load %arg1
func.func @example(%A: memref<8xf32>, %B: memref<9xf32>, %C: memref<8xf32>, %D: memref<8xf32>, %i: index, %c1: index) {
  %a = memref.load %A[%i] : memref<8xf32>
  %0 = arith.addf %a, %a : f32
  memref.store %0, %C[%i] : memref<8xf32>
  %j = arith.addi %i, %c1 : index
  %b = memref.load %B[%j] : memref<9xf32>
  %again = memref.load %A[%i] : memref<8xf32>
  %1 = arith.mulf %b, %again : f32
  memref.store %1, %D[%i] : memref<8xf32>
  return
}

// (C1) near memory, (C2) an index that is loaded, (C3) a buffer that the block stores to.
// CHECK-LABEL: func.func @stay(
// CHECK:         scf.for
// CHECK-NEXT:    memref.load %arg3
// CHECK-NEXT:    arith.constant
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    memref.load %alloca
// CHECK-NEXT:    memref.load %arg1
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    arith.index_cast
// CHECK-NEXT:    memref.load %arg0
func.func @stay(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>, %I: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %near = memref.alloca() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %n = memref.load %I[%i] : memref<8xi32>
    %z = arith.constant 0.0 : f32
    memref.store %z, %near[%i] : memref<8xf32>
    %l = memref.load %near[%i] : memref<8xf32>
    %c = memref.load %C[%i] : memref<8xf32>
    memref.store %l, %C[%i] : memref<8xf32>
    %at = arith.index_cast %n : i32 to index
    %a = memref.load %A[%at] : memref<8xf32>
    memref.store %a, %D[%i] : memref<8xf32>
    memref.store %c, %D[%i] : memref<8xf32>
  }
  return
}

// (C3) A call may write; a load in a branch stays in it, and a load after it is not moved.
// CHECK-LABEL: func.func @call(
// CHECK-NEXT:    call @other
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    memref.load
// CHECK-LABEL: func.func @branch(
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.load %arg0
// CHECK-NEXT:      arith.negf
// CHECK:         memref.load %arg0
func.func private @other(%A: memref<8xf32>) {
  return
}
func.func @call(%A: memref<8xf32>, %B: memref<8xf32>, %x: f32, %i: index) {
  func.call @other(%A) : (memref<8xf32>) -> ()
  %0 = arith.addf %x, %x : f32
  %a = memref.load %A[%i] : memref<8xf32>
  %1 = arith.addf %0, %a : f32
  memref.store %1, %B[%i] : memref<8xf32>
  return
}
func.func @branch(%A: memref<8xf32>, %B: memref<8xf32>, %x: f32, %i: index, %p: i1) {
  %0 = arith.addf %x, %x : f32
  %v = scf.if %p -> f32 {
    %n = arith.negf %0 : f32
    %a = memref.load %A[%i] : memref<8xf32>
    %s = arith.addf %a, %n : f32
    scf.yield %s : f32
  } else {
    scf.yield %0 : f32
  }
  %b = memref.load %A[%i] : memref<8xf32>
  %1 = arith.addf %v, %b : f32
  memref.store %1, %B[%i] : memref<8xf32>
  return
}

// (C1) Shared memory, and buffers of the function, are near.
// CHECK-LABEL: func.func @near(
// CHECK:         scf.for
// CHECK-NEXT:      arith.addf
// CHECK-NEXT:      memref.load %arg0
// CHECK-NEXT:      memref.load %alloc
func.func @near(%S: memref<8xf32, 3>, %B: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %own = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %0 = arith.addf %x, %x : f32
    %a = memref.load %S[%i] : memref<8xf32, 3>
    %b = memref.load %own[%i] : memref<8xf32>
    %1 = arith.addf %0, %a : f32
    %2 = arith.addf %1, %b : f32
    memref.store %2, %B[%i] : memref<8xf32>
  }
  return
}

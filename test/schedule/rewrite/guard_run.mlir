// A step with `proof=guard` keeps both nests: the sizes decide at run time which one runs, and both compute the same as
// before, to the last bit.
// RUN: lw-opt %s --sched-parallel='loop=S:i proof=guard' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: lw-opt %s --sched-vectorize='loop=S:i factor=4 proof=guard' -o %t.lanes.mlir
// RUN: FileCheck %s --input-file=%t.lanes.mlir --check-prefix=LANES
// RUN: lw-run %s --entry x --output %t.x.npy
// RUN: lw-run %s --entry two --output %t.two.npy
// RUN: lw-run %s --entry five --output %t.five.npy
// RUN: lw-run %s --entry eight --output %t.eight.npy

// The distance is smaller than the loop's extent: the original nest.
// RUN: lw-run %s --input %t.x.npy --input %t.two.npy --input %t.five.npy --output %t.2.npy
// RUN: lw-run %t.mlir --input %t.x.npy --input %t.two.npy --input %t.five.npy --check %t.2.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --target x86 --input %t.x.npy --input %t.two.npy --input %t.five.npy --check %t.2.npy --rtol 0 --atol 0
// RUN: lw-run %t.lanes.mlir --input %t.x.npy --input %t.two.npy --input %t.five.npy --check %t.2.npy --rtol 0 --atol 0
// RUN: lw-run %t.lanes.mlir --target x86 --input %t.x.npy --input %t.two.npy --input %t.five.npy --check %t.2.npy --rtol 0 --atol 0

// The distance is equal or larger: in parallel.
// RUN: lw-run %s --input %t.x.npy --input %t.five.npy --input %t.five.npy --output %t.5.npy
// RUN: lw-run %t.mlir --input %t.x.npy --input %t.five.npy --input %t.five.npy --check %t.5.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --target x86 --input %t.x.npy --input %t.five.npy --input %t.five.npy --check %t.5.npy --rtol 0 --atol 0
// RUN: lw-run %t.lanes.mlir --target x86 --input %t.x.npy --input %t.five.npy --input %t.five.npy --check %t.5.npy --rtol 0 --atol 0
// RUN: lw-run %s --input %t.x.npy --input %t.eight.npy --input %t.five.npy --output %t.8.npy
// RUN: lw-run %t.mlir --input %t.x.npy --input %t.eight.npy --input %t.five.npy --check %t.8.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --target x86 --input %t.x.npy --input %t.eight.npy --input %t.five.npy --check %t.8.npy --rtol 0 --atol 0

// CHECK-LABEL: func.func @main
// CHECK:         loop.if
// CHECK-NEXT:      loop.for parallel %i
// CHECK-NEXT:        loop.block "S"
// CHECK:         } else {
// CHECK-NEXT:      loop.for serial %i
// CHECK-NEXT:        loop.block "S.fallback"

// LANES-LABEL: func.func @main
// LANES:         loop.if
// LANES-NEXT:      loop.for serial %i.0
// LANES-NEXT:        loop.for vectorize %i.1 in 4
// LANES-NEXT:          loop.block "S"
// LANES:         } else {
// LANES-NEXT:      loop.for serial %i
// LANES-NEXT:        loop.block "S.fallback"
func.func @main(%X: memref<16xf32>, %N: memref<?xf32>, %M: memref<?xf32>, %A: memref<16xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %N, %c0 : memref<?xf32>
  %m = memref.dim %M, %c0 : memref<?xf32>
  loop.for serial %i in 16 {
    loop.block "copy" [%v: spatial 16] = (%i) reads(%X[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %X[%v] : memref<16xf32>
      memref.store %a, %A[%v] : memref<16xf32>
    }
  }
  loop.for serial %i in %m {
    loop.block "S" [%v: spatial %m] = (%i) reads(%A[%v : 1]) writes(%A[%v + %n : 1]) {
      %next = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%v)[%n]
      %a = memref.load %A[%v] : memref<16xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %A[%next] : memref<16xf32>
    }
  }
  return
}

func.func @x(%X: memref<16xf32> {loop.result}) {
  loop.for serial %i in 16 {
    loop.block "x" [%v: spatial 16] = (%i) writes(%X[%v : 1]) {
      %0 = arith.index_cast %v : index to i32
      %1 = arith.sitofp %0 : i32 to f32
      memref.store %1, %X[%v] : memref<16xf32>
    }
  }
  return
}

func.func @two(%N: memref<2xf32> {loop.result}) {
  loop.for serial %i in 2 {
    loop.block "two" [%v: spatial 2] = (%i) writes(%N[%v : 1]) {
      %0 = arith.constant 0.0 : f32
      memref.store %0, %N[%v] : memref<2xf32>
    }
  }
  return
}

func.func @five(%N: memref<5xf32> {loop.result}) {
  loop.for serial %i in 5 {
    loop.block "five" [%v: spatial 5] = (%i) writes(%N[%v : 1]) {
      %0 = arith.constant 0.0 : f32
      memref.store %0, %N[%v] : memref<5xf32>
    }
  }
  return
}

func.func @eight(%N: memref<8xf32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.block "eight" [%v: spatial 8] = (%i) writes(%N[%v : 1]) {
      %0 = arith.constant 0.0 : f32
      memref.store %0, %N[%v] : memref<8xf32>
    }
  }
  return
}

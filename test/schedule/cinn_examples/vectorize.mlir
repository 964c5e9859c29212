// The source document's example of Vectorize: `vectorize[16] for (j, 0, 32)` is a loop of two and a loop of 16 lanes
// here, as in the source's code.
// RUN: lw-opt %s --sched-vectorize='loop=B:j factor=16' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: lw-run %t.mlir --compile-to vector | FileCheck %s --check-prefix=CODE
//
// The result equals that of the original function, to the last bit.
// RUN: lw-run %s --entry fill --output %t.in.npy
// RUN: lw-run %s --input %t.in.npy --output %t.out.npy
// RUN: lw-run %t.mlir --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --target x86 --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0

// CODE-LABEL: func.func @main
// CODE:         vector.load
// CODE:         vector.store
// CHECK-LABEL:  func.func @main(%arg0: memref<32x32xf32> {loop.name = "A"}, %arg1: memref<32x32xf32> {loop.name = "B", loop.result}) {
// CHECK-NEXT:    loop.for serial %i in 32 {
// CHECK-NEXT:      loop.for serial %j.0 in 2 axis(tile_outer from "j" pair "j.1") {
// CHECK-NEXT:        loop.for vectorize %j.1 in 16 axis(tile_inner from "j" pair "j.0") {
// CHECK-NEXT:          loop.block "B" [%i0: spatial 32, %i1: spatial 32] = (%i, %j.0 * 16 + %j.1)
// CHECK-NEXT:              reads(%arg0[%i0 : 1, %i1 : 1]) writes(%arg1[%i0 : 1, %i1 : 1]) {
// CHECK-NEXT:            %0 = memref.load %arg0[%i0, %i1] : memref<32x32xf32>
// CHECK-NEXT:            memref.store %0, %arg1[%i0, %i1] : memref<32x32xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @main(%A: memref<32x32xf32> {loop.name = "A"}, %B: memref<32x32xf32> {loop.name = "B", loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.block "B" [%i0: spatial 32, %i1: spatial 32] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %0 = memref.load %A[%i0, %i1] : memref<32x32xf32>
        memref.store %0, %B[%i0, %i1] : memref<32x32xf32>
      }
    }
  }
  return
}

func.func @fill(%A: memref<32x32xf32> {loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.block "fill" [%v0: spatial 32, %v1: spatial 32] = (%i, %j)
          writes(%A[%v0 : 1, %v1 : 1]) {
        %n = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%v0, %v1)
        %whole = arith.index_cast %n : index to i32
        %f = arith.sitofp %whole : i32 to f32
        memref.store %f, %A[%v0, %v1] : memref<32x32xf32>
      }
    }
  }
  return
}

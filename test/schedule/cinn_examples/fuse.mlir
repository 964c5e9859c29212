// The source document's example of Fuse: two loops become one.
// RUN: lw-opt %s --sched-fuse=loops=B:i,B:j -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
//
// The result equals that of the original function, to the last bit.
// RUN: lw-run %s --entry fill --output %t.in.npy
// RUN: lw-run %s --input %t.in.npy --output %t.out.npy
// RUN: lw-run %t.mlir --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --target x86 --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0

// CHECK-LABEL:  func.func @main(%arg0: memref<32x64xf32> {loop.name = "A"}, %arg1: memref<32x64xf32> {loop.name = "B", loop.result}) {
// CHECK-NEXT:    loop.for serial %i_j_fused in 2048 axis(merged from "i", "j") {
// CHECK-NEXT:      loop.block "B" [%i0: spatial 32, %i1: spatial 64] = (%i_j_fused floordiv 64, %i_j_fused mod 64)
// CHECK-NEXT:          reads(%arg0[%i0 : 1, %i1 : 1]) writes(%arg1[%i0 : 1, %i1 : 1]) {
// CHECK-NEXT:        %0 = memref.load %arg0[%i0, %i1] : memref<32x64xf32>
// CHECK-NEXT:        memref.store %0, %arg1[%i0, %i1] : memref<32x64xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @main(%A: memref<32x64xf32> {loop.name = "A"}, %B: memref<32x64xf32> {loop.name = "B", loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "B" [%i0: spatial 32, %i1: spatial 64] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %0 = memref.load %A[%i0, %i1] : memref<32x64xf32>
        memref.store %0, %B[%i0, %i1] : memref<32x64xf32>
      }
    }
  }
  return
}

func.func @fill(%A: memref<32x64xf32> {loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "fill" [%v0: spatial 32, %v1: spatial 64] = (%i, %j)
          writes(%A[%v0 : 1, %v1 : 1]) {
        %n = affine.apply affine_map<(d0, d1) -> (d0 * 64 + d1)>(%v0, %v1)
        %whole = arith.index_cast %n : index to i32
        %f = arith.sitofp %whole : i32 to f32
        memref.store %f, %A[%v0, %v1] : memref<32x64xf32>
      }
    }
  }
  return
}

// The source document's example of ComputeInline: B is computed where C uses it.
// RUN: lw-opt %s --sched-compute-inline=block=B -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
//
// The result equals that of the original function, to the last bit.
// RUN: lw-run %s --entry fill --output %t.in.npy
// RUN: lw-run %s --input %t.in.npy --output %t.out.npy
// RUN: lw-run %t.mlir --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --target x86 --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0

// CHECK-LABEL:  func.func @main(%arg0: memref<32x32x32xf32> {loop.name = "A"}, %arg1: memref<32x32x32xf32> {loop.name = "C", loop.result}) {
// CHECK-NEXT:    loop.for serial %i in 32 {
// CHECK-NEXT:      loop.for serial %j in 32 {
// CHECK-NEXT:        loop.for serial %k in 32 {
// CHECK-NEXT:          loop.block "C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
// CHECK-NEXT:              reads(%arg0[%i1 : 1, %i0 : 1, %i2 : 1]) writes(%arg1[%i0 : 1, %i1 : 1, %i2 : 1]) {
// CHECK-NEXT:            %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:            %cst_0 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:            %0 = memref.load %arg0[%i1, %i0, %i2] : memref<32x32x32xf32>
// CHECK-NEXT:            %1 = arith.addf %cst_0, %0 : f32
// CHECK-NEXT:            %2 = arith.mulf %cst, %1 : f32
// CHECK-NEXT:            memref.store %2, %arg1[%i0, %i1, %i2] : memref<32x32x32xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @main(%A: memref<32x32x32xf32> {loop.name = "A"}, %C: memref<32x32x32xf32> {loop.name = "C", loop.result}) {
  %B = loop.buffer "B" scope(global) : memref<32x32x32xf32>
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "B" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
            reads(%A[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %one = arith.constant 1.0 : f32
          %a = memref.load %A[%i0, %i1, %i2] : memref<32x32x32xf32>
          %b = arith.addf %one, %a : f32
          memref.store %b, %B[%i0, %i1, %i2] : memref<32x32x32xf32>
        }
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
            reads(%B[%i1 : 1, %i0 : 1, %i2 : 1]) writes(%C[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %two = arith.constant 2.0 : f32
          %b = memref.load %B[%i1, %i0, %i2] : memref<32x32x32xf32>
          %c = arith.mulf %two, %b : f32
          memref.store %c, %C[%i0, %i1, %i2] : memref<32x32x32xf32>
        }
      }
    }
  }
  return
}

func.func @fill(%A: memref<32x32x32xf32> {loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "fill" [%v0: spatial 32, %v1: spatial 32, %v2: spatial 32] = (%i, %j, %k)
            writes(%A[%v0 : 1, %v1 : 1, %v2 : 1]) {
          %n = affine.apply affine_map<(d0, d1, d2) -> ((d0 * 1024 + d1 * 32 + d2) mod 1021)>(%v0, %v1, %v2)
          %whole = arith.index_cast %n : index to i32
          %f = arith.sitofp %whole : i32 to f32
          memref.store %f, %A[%v0, %v1, %v2] : memref<32x32x32xf32>
        }
      }
    }
  }
  return
}

// The source document's example of SyncThreads: a barrier in the outer loop, before the inner one. CPU lowering has no
// barriers, so the interpreter runs it.
// RUN: lw-opt %s --sched-sync-threads=target=B:j -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
//
// The result equals that of the original function, to the last bit.
// RUN: lw-run %s --entry fill --output %t.in.npy
// RUN: lw-run %s --input %t.in.npy --output %t.out.npy
// RUN: lw-run %t.mlir --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0 --seed 1
// RUN: lw-run %t.mlir --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0 --seed 2
// RUN: not lw-run %t.mlir --target x86 --input %t.in.npy 2>&1 | FileCheck %s --check-prefix=CPU

// CPU: error: 'loop.sync' op is a barrier of GPU threads, which a CPU does not have (C1)
// CHECK-LABEL:  func.func @main(%arg0: memref<32x32xf32> {loop.name = "A"}, %arg1: memref<32x32xf32> {loop.name = "B", loop.result}) {
// CHECK-NEXT:    loop.for serial %i in 32 {
// CHECK-NEXT:      loop.sync
// CHECK-NEXT:      loop.for serial %j in 32 {
// CHECK-NEXT:        loop.block "B" [%i0: spatial 32, %i1: spatial 32] = (%i, %j)
// CHECK-NEXT:            reads(%arg0[%i0 : 1, %i1 : 1]) writes(%arg1[%i0 : 1, %i1 : 1]) {
// CHECK-NEXT:          %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:          %0 = memref.load %arg0[%i0, %i1] : memref<32x32xf32>
// CHECK-NEXT:          %1 = arith.mulf %cst, %0 : f32
// CHECK-NEXT:          memref.store %1, %arg1[%i0, %i1] : memref<32x32xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @main(%A: memref<32x32xf32> {loop.name = "A"}, %B: memref<32x32xf32> {loop.name = "B", loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.block "B" [%i0: spatial 32, %i1: spatial 32] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %two = arith.constant 2.0 : f32
        %0 = memref.load %A[%i0, %i1] : memref<32x32xf32>
        %1 = arith.mulf %two, %0 : f32
        memref.store %1, %B[%i0, %i1] : memref<32x32xf32>
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

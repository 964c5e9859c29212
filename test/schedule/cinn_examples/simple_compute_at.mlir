// SimpleComputeAt of the source document: B, which C does not read, moves to the last loop of C.
// RUN: lw-opt %s --sched-simple-compute-at='block=B loop=C:k' | FileCheck %s
// RUN: lw-run %s --entry run --output %t.C.npy --output %t.B.npy
// RUN: lw-opt %s --sched-simple-compute-at='block=run_B loop=run_C:k' -o %t.mlir
// RUN: lw-run %t.mlir --entry run --check %t.C.npy --check %t.B.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=SAME
// RUN: lw-run %t.mlir --entry run --target x86 --check %t.C.npy --check %t.B.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=SAME
// SAME: result 0: 32x32x32xf32, max error 0.000e0{{.*}}: passed
// SAME: result 1: 32x32x32xf32, max error 0.000e0{{.*}}: passed

// CHECK-LABEL:  func.func @main
// CHECK-NEXT:   loop.for serial %i in 32 {
// CHECK-NEXT:     loop.for serial %j in 32 {
// CHECK-NEXT:       loop.for serial %k in 32 {
// CHECK-NEXT:         loop.block "B" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
// CHECK-NEXT:             reads(%arg0[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%arg2[%i0 : 1, %i1 : 1, %i2 : 1]) {
// CHECK:                loop.block "C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
// CHECK-NEXT:             reads(%arg0[%i1 : 1, %i0 : 1, %i2 : 1]) writes(%arg1[%i0 : 1, %i1 : 1, %i2 : 1]) {
// CHECK:              }
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @main(%A: memref<32x32x32xf32>, %C: memref<32x32x32xf32> {loop.result}, %B: memref<32x32x32xf32> {loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
            reads(%A[%i1 : 1, %i0 : 1, %i2 : 1]) writes(%C[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %two = arith.constant 2.0 : f32
          %a = memref.load %A[%i1, %i0, %i2] : memref<32x32x32xf32>
          %c = arith.mulf %two, %a : f32
          memref.store %c, %C[%i0, %i1, %i2] : memref<32x32x32xf32>
        }
      }
    }
  }
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
  return
}

// The same with numbers.
func.func @run(%C: memref<32x32x32xf32> {loop.result}, %B: memref<32x32x32xf32> {loop.result}) {
  %A = loop.buffer "A" scope(global) : memref<32x32x32xf32>
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "run_A" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
            writes(%A[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %at = affine.apply affine_map<(d0, d1, d2) -> (d0 * 1024 + d1 * 32 + d2)>(%i0, %i1, %i2)
          %n = arith.index_cast %at : index to i64
          %a = arith.sitofp %n : i64 to f32
          memref.store %a, %A[%i0, %i1, %i2] : memref<32x32x32xf32>
        }
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "run_C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
            reads(%A[%i1 : 1, %i0 : 1, %i2 : 1]) writes(%C[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %two = arith.constant 2.0 : f32
          %a = memref.load %A[%i1, %i0, %i2] : memref<32x32x32xf32>
          %c = arith.mulf %two, %a : f32
          memref.store %c, %C[%i0, %i1, %i2] : memref<32x32x32xf32>
        }
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "run_B" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
            reads(%A[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %one = arith.constant 1.0 : f32
          %a = memref.load %A[%i0, %i1, %i2] : memref<32x32x32xf32>
          %b = arith.addf %one, %a : f32
          memref.store %b, %B[%i0, %i1, %i2] : memref<32x32x32xf32>
        }
      }
    }
  }
  return
}

// ComputeAt of the source document, both stages: C's outer loops are fused, then B moves to the last loop
// of C and has its fused form.
// RUN: lw-opt %s --sched-fuse=loops=C:i,C:j | FileCheck %s --check-prefix=FUSED
// RUN: lw-opt %s --sched-fuse=loops=C:i,C:j --sched-compute-at='block=B loop=C:k' | FileCheck %s
// RUN: lw-run %s --entry run --output %t.npy
// RUN: lw-opt %s --sched-fuse='loops=run_C:i,run_C:j' --sched-compute-at='block=run_B loop=run_C:k' -o %t.mlir
// RUN: lw-run %t.mlir --entry run --check %t.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=SAME
// RUN: lw-run %t.mlir --entry run --target x86 --check %t.npy --rtol 0 --atol 0 | FileCheck %s --check-prefix=SAME
// SAME: result 0: 32x32x32xf32, max error 0.000e0{{.*}}: passed

// FUSED:      loop.for serial %i in 32 {
// FUSED-NEXT:   loop.for serial %j in 32 {
// FUSED-NEXT:     loop.for serial %k in 32 {
// FUSED-NEXT:       loop.block "B" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
// FUSED:      loop.for serial %i_j_fused in 1024 axis(merged from "i", "j") {
// FUSED-NEXT:   loop.for serial %k in 32 {
// FUSED-NEXT:     loop.block "C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i_j_fused floordiv 32, %i_j_fused mod 32, %k)

// CHECK:        %B = loop.buffer "B" scope(global) : memref<32x32x32xf32>
// CHECK-NEXT:   loop.for serial %i_j_fused in 1024 axis(merged from "i", "j") {
// CHECK-NEXT:     loop.for serial %k in 32 {
// CHECK-NEXT:       loop.block "B" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i_j_fused mod 32, %i_j_fused floordiv 32, %k)
// CHECK-NEXT:           reads(%arg0[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1, %i1 : 1, %i2 : 1]) {
// CHECK:              loop.block "C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i_j_fused floordiv 32, %i_j_fused mod 32, %k)
// CHECK-NEXT:           reads(%B[%i1 : 1, %i0 : 1, %i2 : 1]) writes(%arg1[%i0 : 1, %i1 : 1, %i2 : 1]) {
// CHECK:            }
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT:   return
func.func @main(%A: memref<32x32x32xf32>, %C: memref<32x32x32xf32> {loop.result}) {
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

// The same with numbers.
func.func @run(%C: memref<32x32x32xf32> {loop.result}) {
  %A = loop.buffer "run_S" scope(global) : memref<32x32x32xf32>
  %B = loop.buffer "run_T" scope(global) : memref<32x32x32xf32>
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
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "run_C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
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

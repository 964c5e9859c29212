// The mean of 64 values around 100 and the sum of the squared differences from it, compared with NumPy, which computes
// them in two passes in double: unscheduled, and in parts of eight, interpreted and compiled.
// RUN: lw-run %s --entry variance --device interpreter --input %S/Inputs/welford_in_a.npy --input %S/Inputs/welford_in_any.npy \
// RUN:   --input %S/Inputs/welford_in_any.npy --input %S/Inputs/welford_in_any.npy --rtol 1e-5 \
// RUN:   --check %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy
// RUN: lw-run %s --entry variance --target x86 --input %S/Inputs/welford_in_a.npy --input %S/Inputs/welford_in_any.npy \
// RUN:   --input %S/Inputs/welford_in_any.npy --input %S/Inputs/welford_in_any.npy --rtol 1e-5 \
// RUN:   --check %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy
// RUN: lw-opt %s --sched-rfactor=loop=W:k.1 --canonicalize --cse -o %t
// RUN: lw-run %t --entry variance --device interpreter --input %S/Inputs/welford_in_a.npy --input %S/Inputs/welford_in_any.npy \
// RUN:   --input %S/Inputs/welford_in_any.npy --input %S/Inputs/welford_in_any.npy --rtol 1e-5 \
// RUN:   --check %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy
// RUN: lw-run %t --entry variance --target x86 --input %S/Inputs/welford_in_a.npy --input %S/Inputs/welford_in_any.npy \
// RUN:   --input %S/Inputs/welford_in_any.npy --input %S/Inputs/welford_in_any.npy --rtol 1e-5 \
// RUN:   --check %S/Inputs/welford_out_m.npy --check %S/Inputs/welford_out_s.npy --check %S/Inputs/welford_out_n.npy
// RUN: FileCheck %s < %t
// RUN: lw-opt %s | lw-opt | FileCheck %s --check-prefix=ROUND

// ROUND: reducer(welford, 0.000000e+00, 0.000000e+00, 0.000000e+00)

// The partial results start empty; the last step joins three values with three.
// CHECK:         loop.block "rf_W"
// CHECK:             reducer(welford, 0.000000e+00, 0.000000e+00, 0.000000e+00)
// CHECK:         loop.block "W" [%v: spatial 4, %vk.1: reduce 8]
// CHECK:             reducer(welford, 0.000000e+00, 0.000000e+00, 0.000000e+00)
// CHECK-DAG:       %[[N:.*]] = memref.load %arg3[%v]
// CHECK-DAG:       %[[PART:.*]] = memref.load %rf_arg3
// CHECK:           %[[SUM:.*]] = arith.addf %[[N]], %[[PART]]
// CHECK:           arith.divf %[[PART]], %[[SUM]]
// CHECK:           %[[EMPTY:.*]] = arith.cmpf oeq, %[[PART]]
// CHECK-COUNT-2:   arith.select %[[EMPTY]]
func.func @variance(%A: memref<4x64xf32>, %M: memref<4xf32>, %S: memref<4xf32>, %N: memref<4xf32>) attributes {loop.fp = "reassoc"} {
  loop.for serial %i in 4 {
    loop.for serial %k.0 in 8 {
      loop.for serial %k.1 in 8 {
        loop.block "W" [%v: spatial 4, %vk: reduce 64] = (%i, %k.0 * 8 + %k.1)
            reads(%A[%v : 1, %vk : 1]) writes(%M[%v : 1], %S[%v : 1], %N[%v : 1]) reducer(welford, 0.0, 0.0, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %M[%v] : memref<4xf32>
            memref.store %zero, %S[%v] : memref<4xf32>
            memref.store %zero, %N[%v] : memref<4xf32>
          }
          %one = arith.constant 1.0 : f32
          %x = memref.load %A[%v, %vk] : memref<4x64xf32>
          %m = memref.load %M[%v] : memref<4xf32>
          %s = memref.load %S[%v] : memref<4xf32>
          %n = memref.load %N[%v] : memref<4xf32>
          %n1 = arith.addf %n, %one : f32
          %d = arith.subf %x, %m : f32
          %q = arith.divf %d, %n1 : f32
          %m1 = arith.addf %m, %q : f32
          %e = arith.subf %x, %m1 : f32
          %p = arith.mulf %d, %e : f32
          %s1 = arith.addf %s, %p : f32
          memref.store %m1, %M[%v] : memref<4xf32>
          memref.store %s1, %S[%v] : memref<4xf32>
          memref.store %n1, %N[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

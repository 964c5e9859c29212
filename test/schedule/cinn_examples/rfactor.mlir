// The example of the source document: a sum over j0 and k0, with the partial sums over j0 in a separate buffer.
// RUN: lw-opt %s -split-input-file --sched-rfactor="loop=B:k0 factor_axis=0" | FileCheck %s
// RUN: lw-opt %s -split-input-file --sched-rfactor="loop=B:k0 factor_axis=0" --sched-decompose-reduction="block=rf_B loop=rf_B:j0" --sched-decompose-reduction="block=B loop=B:k0" | FileCheck %s --check-prefix=S0
// RUN: lw-run %S/Inputs/rfactor_int.mlir --schedule %S/Inputs/rfactor_script.mlir --target x86 --threads 2 --input %S/Inputs/rfactor_ints.npy --check %S/Inputs/rfactor_int_sums.npy --atol 0 --rtol 0 | FileCheck %s --check-prefix=PASS
// RUN: lw-run %S/Inputs/rfactor_int.mlir --schedule %S/Inputs/rfactor_script.mlir --target x86 --device interpreter --input %S/Inputs/rfactor_ints.npy --check %S/Inputs/rfactor_int_sums.npy --atol 0 --rtol 0 | FileCheck %s --check-prefix=PASS
// RUN: lw-run %S/Inputs/rfactor_int.mlir --schedule %S/Inputs/rfactor_script.mlir --input %S/Inputs/rfactor_ints.npy --check %S/Inputs/rfactor_int_sums.npy --atol 0 --rtol 0 | FileCheck %s --check-prefix=PASS
// RUN: lw-run %S/Inputs/rfactor_float.mlir --schedule %S/Inputs/rfactor_script.mlir --target x86 --threads 2 --input %S/Inputs/rfactor_floats.npy --check %S/Inputs/rfactor_float_sums.npy --atol 1e-5 --rtol 0 | FileCheck %s --check-prefix=PASS
// RUN: lw-run %S/Inputs/rfactor_float.mlir --schedule %S/Inputs/rfactor_script.mlir --target x86 --device interpreter --input %S/Inputs/rfactor_floats.npy --check %S/Inputs/rfactor_float_sums.npy --atol 1e-5 --rtol 0 | FileCheck %s --check-prefix=PASS
// RUN: lw-run %S/Inputs/rfactor_float.mlir --schedule %S/Inputs/rfactor_script.mlir --input %S/Inputs/rfactor_floats.npy --check %S/Inputs/rfactor_float_sums.npy --atol 1e-5 --rtol 0 | FileCheck %s --check-prefix=PASS
// PASS: passed

// CHECK:   %rf_B = loop.buffer "rf_B" scope(global) : memref<16x32xi32>
// CHECK-NEXT: loop.for serial %rf_k0 in 16 {
// CHECK-NEXT:   loop.for serial %i in 32 {
// CHECK-NEXT:     loop.for serial %j0 in 2 {
// CHECK-NEXT:       loop.block "rf_B" [%i0: spatial 32, %i1: reduce 2, %i2: spatial 16] = (%i, %j0, %rf_k0)
// CHECK-NEXT:           reads(%{{.*}}[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%rf_B[%i2 : 1, %i0 : 1])
// CHECK:        loop.init {
// CHECK:          memref.store %{{.*}}, %rf_B[%i2, %i0] : memref<16x32xi32>
// CHECK:        %[[P:.*]] = memref.load %rf_B[%i2, %i0] : memref<16x32xi32>
// CHECK-NEXT:   %[[A:.*]] = memref.load %{{.*}}[%i0, %i1, %i2]
// CHECK-NEXT:   %[[S:.*]] = arith.addi %[[P]], %[[A]] : i32
// CHECK-NEXT:   memref.store %[[S]], %rf_B[%i2, %i0]
// CHECK:      loop.for serial %i in 32 {
// CHECK-NEXT:   loop.for serial %k0 in 16 {
// CHECK-NEXT:     loop.block "B" [%i0: spatial 32, %i2: reduce 16] = (%i, %k0)
// CHECK-NEXT:         reads(%rf_B[%i2 : 1, %i0 : 1])
// CHECK:            loop.init {
// CHECK:              memref.store %{{.*}}, %{{.*}}[%i0] : memref<32xi32>
// CHECK:            %[[B:.*]] = memref.load %{{.*}}[%i0] : memref<32xi32>
// CHECK-NEXT:       %[[P:.*]] = memref.load %rf_B[%i2, %i0] : memref<16x32xi32>
// CHECK-NEXT:       %[[S:.*]] = arith.addi %[[B]], %[[P]] : i32
// CHECK-NEXT:       memref.store %[[S]], %{{.*}}[%i0] : memref<32xi32>

// S0:      loop.for serial %rf_k0 in 16 {
// S0-NEXT:   loop.for serial %i in 32 {
// S0-NEXT:     loop.block "rf_B__reduce_init" [%i0: spatial 32, %i2: spatial 16] = (%i, %rf_k0)
// S0:            memref.store %{{.*}}, %rf_B[%i2, %i0] : memref<16x32xi32>
// S0:          loop.for serial %j0 in 2 {
// S0-NEXT:       loop.block "rf_B" [%i0: spatial 32, %i1: reduce 2, %i2: spatial 16] = (%i, %j0, %rf_k0)
// S0-NOT:        loop.init
// S0:      loop.for serial %i in 32 {
// S0-NEXT:   loop.block "B__reduce_init" [%i0: spatial 32] = (%i)
// S0:          memref.store %{{.*}}, %{{.*}}[%i0] : memref<32xi32>
// S0:        loop.for serial %k0 in 16 {
// S0-NEXT:     loop.block "B" [%i0: spatial 32, %i2: reduce 16] = (%i, %k0)
// S0-NOT:      loop.init
func.func @ints(%A: memref<32x2x16xi32> {loop.name = "A"}, %B: memref<32xi32> {loop.name = "B", loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j0 in 2 {
      loop.for serial %k0 in 16 {
        loop.block "B" [%i0: spatial 32, %i1: reduce 2, %i2: reduce 16] = (%i, %j0, %k0)
            reads(%A[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1]) reducer(add, 0) {
          %zero = arith.constant 0 : i32
          loop.init { memref.store %zero, %B[%i0] : memref<32xi32> }
          %b = memref.load %B[%i0] : memref<32xi32>
          %a = memref.load %A[%i0, %i1, %i2] : memref<32x2x16xi32>
          %s = arith.addi %b, %a : i32
          memref.store %s, %B[%i0] : memref<32xi32>
        }
      }
    }
  }
  return
}

// -----

// CHECK:   %rf_B = loop.buffer "rf_B" scope(global) : memref<16x32xf32>
// CHECK-NEXT: loop.for serial %rf_k0 in 16 {
// CHECK-NEXT:   loop.for serial %i in 32 {
// CHECK-NEXT:     loop.for serial %j0 in 2 {
// CHECK-NEXT:       loop.block "rf_B" [%i0: spatial 32, %i1: reduce 2, %i2: spatial 16] = (%i, %j0, %rf_k0)
// CHECK-NEXT:           reads(%{{.*}}[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%rf_B[%i2 : 1, %i0 : 1])
// CHECK:        loop.init {
// CHECK:          memref.store %{{.*}}, %rf_B[%i2, %i0] : memref<16x32xf32>
// CHECK:        %[[P:.*]] = memref.load %rf_B[%i2, %i0] : memref<16x32xf32>
// CHECK-NEXT:   %[[A:.*]] = memref.load %{{.*}}[%i0, %i1, %i2]
// CHECK-NEXT:   %[[S:.*]] = arith.addf %[[P]], %[[A]] : f32
// CHECK-NEXT:   memref.store %[[S]], %rf_B[%i2, %i0]
// CHECK:      loop.for serial %i in 32 {
// CHECK-NEXT:   loop.for serial %k0 in 16 {
// CHECK-NEXT:     loop.block "B" [%i0: spatial 32, %i2: reduce 16] = (%i, %k0)
// CHECK-NEXT:         reads(%rf_B[%i2 : 1, %i0 : 1])
// CHECK:            loop.init {
// CHECK:              memref.store %{{.*}}, %{{.*}}[%i0] : memref<32xf32>
// CHECK:            %[[B:.*]] = memref.load %{{.*}}[%i0] : memref<32xf32>
// CHECK-NEXT:       %[[P:.*]] = memref.load %rf_B[%i2, %i0] : memref<16x32xf32>
// CHECK-NEXT:       %[[S:.*]] = arith.addf %[[B]], %[[P]] : f32
// CHECK-NEXT:       memref.store %[[S]], %{{.*}}[%i0] : memref<32xf32>

// S0:      loop.for serial %rf_k0 in 16 {
// S0-NEXT:   loop.for serial %i in 32 {
// S0-NEXT:     loop.block "rf_B__reduce_init" [%i0: spatial 32, %i2: spatial 16] = (%i, %rf_k0)
// S0:            memref.store %{{.*}}, %rf_B[%i2, %i0] : memref<16x32xf32>
// S0:          loop.for serial %j0 in 2 {
// S0-NEXT:       loop.block "rf_B" [%i0: spatial 32, %i1: reduce 2, %i2: spatial 16] = (%i, %j0, %rf_k0)
// S0-NOT:        loop.init
// S0:      loop.for serial %i in 32 {
// S0-NEXT:   loop.block "B__reduce_init" [%i0: spatial 32] = (%i)
// S0:          memref.store %{{.*}}, %{{.*}}[%i0] : memref<32xf32>
// S0:        loop.for serial %k0 in 16 {
// S0-NEXT:     loop.block "B" [%i0: spatial 32, %i2: reduce 16] = (%i, %k0)
// S0-NOT:      loop.init
func.func @floats(%A: memref<32x2x16xf32> {loop.name = "A"}, %B: memref<32xf32> {loop.name = "B", loop.result})
    attributes {loop.fp = "reassoc"} {
  loop.for serial %i in 32 {
    loop.for serial %j0 in 2 {
      loop.for serial %k0 in 16 {
        loop.block "B" [%i0: spatial 32, %i1: reduce 2, %i2: reduce 16] = (%i, %j0, %k0)
            reads(%A[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          loop.init { memref.store %zero, %B[%i0] : memref<32xf32> }
          %b = memref.load %B[%i0] : memref<32xf32>
          %a = memref.load %A[%i0, %i1, %i2] : memref<32x2x16xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%i0] : memref<32xf32>
        }
      }
    }
  }
  return
}

// Bodies of schedule blocks: index values as data, data as indices, and branches.
// RUN: lw-opt %s --convert-loop-to-scf -verify-diagnostics | FileCheck %s
// RUN: lw-run %s --entry index_from_branch --target x86 --input %S/Inputs/reversed4.npy --input %S/Inputs/count4.npy --check %S/Inputs/chosen4.npy --atol 0 --rtol 0
// RUN: lw-run %s --entry division_in_a_tail --target x86 --input %S/Inputs/tens5.npy --input %S/Inputs/count5.npy --check %S/Inputs/ten5.npy --atol 0 --rtol 0
// RUN: lw-run %s --entry division_in_a_branch --target x86 --input %S/Inputs/tens5.npy --input %S/Inputs/zero5.npy --check %S/Inputs/zero5.npy --atol 0 --rtol 0
// RUN: lw-run %s --entry division_in_a_branch --target x86 --device interpreter --input %S/Inputs/tens5.npy --input %S/Inputs/zero5.npy --check %S/Inputs/zero5.npy --atol 0 --rtol 0
// RUN: lw-run %s --entry rounding_down --target x86 --input %S/Inputs/count4.npy --input %S/Inputs/minus3.npy --check %S/Inputs/rounded4.npy --atol 0 --rtol 0

// Each copy of a body has its own index.
// CHECK-LABEL: @index_from_branch(
// CHECK-SAME:    %{{.*}}: memref<4xi64>, %[[B:.*]]: memref<4xf32>, %{{.*}}: memref<4xf32>
// CHECK:         memref.load %[[B]][%c0
// CHECK:         memref.load %[[B]][%c0
// CHECK:         %[[I2:.*]] = arith.index_cast
// CHECK-NEXT:    memref.load %[[B]][%[[I2]]]
// CHECK:         %[[I3:.*]] = arith.index_cast
// CHECK-NEXT:    memref.load %[[B]][%[[I3]]]
func.func @index_from_branch(%A: memref<4xi64>, %B: memref<4xf32>, %C: memref<4xf32> {loop.result}) {
  loop.for unroll %i in 4 {
    loop.block "C" [%v: spatial 4] = (%i) reads(%A[%v : 1], %B[*]) writes(%C[%v : 1]) {
      %c0 = arith.constant 0 : index
      %at = loop.if (%v - 2 >= 0) -> (index) {
        %a = memref.load %A[%v] : memref<4xi64>
        %from = arith.index_cast %a : i64 to index
        loop.yield %from : index
      } else {
        loop.yield %c0 : index
      }
      %b = memref.load %B[%at] : memref<4xf32>
      memref.store %b, %C[%v] : memref<4xf32>
    }
  }
  return
}

// Inactive lanes divide by 1, so that nothing traps.
// CHECK-LABEL: @division_in_a_tail(
// CHECK:         %[[MASK:.*]] = vector.constant_mask [5]
// CHECK:         %[[A:.*]] = vector.maskedload %{{.*}}, %[[MASK]]
// CHECK:         %[[B:.*]] = vector.maskedload %{{.*}}, %[[MASK]]
// CHECK:         %[[ONES:.*]] = arith.constant dense<1> : vector<8xi32>
// CHECK:         %[[D:.*]] = arith.select %[[MASK]], %[[B]], %[[ONES]]
// CHECK:         arith.divsi %[[A]], %[[D]] : vector<8xi32>
// CHECK-NOT:     arith.select
// CHECK:         arith.remsi
func.func @division_in_a_tail(%A: memref<5xi32>, %B: memref<5xi32>, %C: memref<5xi32> {loop.result}) {
  loop.for vectorize %i in 5 {
    loop.block "C" [%v: spatial 5] = (%i) reads(%A[%v : 1], %B[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<5xi32>
      %b = memref.load %B[%v] : memref<5xi32>
      %q = arith.divsi %a, %b : i32
      %c11 = arith.constant 11 : i32
      %r = arith.remsi %q, %c11 : i32
      memref.store %r, %C[%v] : memref<5xi32>
    }
  }
  return
}

// One divisor for all lanes, all of which may be inactive.
// CHECK-LABEL: @division_in_a_branch(
// CHECK:         %[[B:.*]] = scf.if
// CHECK:         %[[ANY:.*]] = vector.reduction <or>
// CHECK:         %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:         arith.select %[[ANY]], %[[B]], %[[ONE]] : i32
// CHECK:         arith.divsi
func.func @division_in_a_branch(%A: memref<5xi32>, %B: memref<5xi32>, %C: memref<5xi32> {loop.result}) {
  loop.for vectorize %i in 5 {
    loop.block "C" [%v: spatial 5] = (%i) reads(%A[%v : 1], %B[0 : 1]) writes(%C[%v : 1]) {
      %zero = arith.constant 0 : i32
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<5xi32>
      %q = loop.if (%v * -2 + 3 >= 0, %v * 2 - 3 >= 0) -> (i32) {
        %b = memref.load %B[%c0] : memref<5xi32>
        %d = arith.divsi %a, %b : i32
        loop.yield %d : i32
      } else {
        loop.yield %zero : i32
      }
      memref.store %q, %C[%v] : memref<5xi32>
    }
  }
  return
}

// A dimension is never negative, an index argument may be.
// CHECK-LABEL: @rounding_down(
// CHECK:         arith.floordivsi
// CHECK:         arith.divui
func.func @rounding_down(%A: memref<?xf32>, %n: index, %C: memref<4xi64> {loop.result}) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in 4 {
    loop.block "C" [%v: spatial 4] = (%i) writes(%C[%v : 1]) {
      %x = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) floordiv 3)>(%v)[%n]
      %y = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) floordiv 3)>(%v)[%m]
      %s = arith.addi %x, %y : index
      %c = arith.index_cast %s : index to i64
      memref.store %c, %C[%v] : memref<4xi64>
    }
  }
  return
}

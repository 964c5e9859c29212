// Bodies of schedule blocks: index values as data, data as indices, and branches.
// RUN: lw-opt %s --convert-loop-to-scf -verify-diagnostics | FileCheck %s
// RUN: lw-run %s --entry index_from_branch --target x86 --input %S/Inputs/reversed4.npy --input %S/Inputs/count4.npy --check %S/Inputs/chosen4.npy --atol 0 --rtol 0

// Each copy of a body has an index of its own.
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

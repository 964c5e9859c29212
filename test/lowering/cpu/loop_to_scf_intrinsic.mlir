// RUN: lw-opt %s --verify-each=numeric --convert-loop-to-scf --canonicalize | FileCheck %s

// An index may be a constant of the body, as compact-buffers creates it.
// CHECK-LABEL: func.func @constant_row
// CHECK:         %[[A:.*]] = vector.load %arg0[%c0] : memref<4xi8>, vector<4xi8>
// CHECK:         %[[B:.*]] = vector.load %arg1[%c1, %c0] : memref<2x4xi8>, vector<4xi8>
// CHECK:         vector.reduction <add>
// CHECK:         memref.store %{{.*}}, %arg2[%c1]
func.func @constant_row(%A: memref<4xi8>, %B: memref<2x4xi8>, %C: memref<2xi32>) {
  loop.for serial %o in 1 {
    loop.block "C_o" [%vo: reduce 1] = (%o) reads(%A[%vo * 4 : 4], %B[1 : 1, %vo * 4 : 4], %C[1 : 1]) writes(%C[1 : 1]) attributes {loop.annotations = {intrinsic = "dot_4xi8"}} {
      loop.for serial %k in 4 {
        loop.block "C" [%vk: reduce 4] = (%vo * 4 + %k) reads(%A[%vk : 1], %B[1 : 1, %vk : 1], %C[1 : 1]) writes(%C[1 : 1]) reducer(add, 0) {
          %row = arith.constant 1 : index
          %a = memref.load %A[%vk] : memref<4xi8>
          %b = memref.load %B[%row, %vk] : memref<2x4xi8>
          %x = arith.extsi %a : i8 to i32
          %y = arith.extsi %b : i8 to i32
          %p = arith.muli %x, %y : i32
          %c = memref.load %C[%row] : memref<2xi32>
          %s = arith.addi %c, %p : i32
          memref.store %s, %C[%row] : memref<2xi32>
        }
      }
    }
  }
  return
}

// Conditions that never hold.
// RUN: lw-opt %s --convert-loop-to-scf | FileCheck %s

// The condition never holds, whatever the extent of the loop is: nothing is emitted.
// CHECK-LABEL: func.func @never(
// CHECK-NOT:     cmpi
// CHECK:         scf.for
// CHECK-NOT:     cmpi
// CHECK:         return
func.func @never(%A: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "one" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
    loop.block "two" [%v: spatial %n] = (%i) where(-%i - 1 >= 0) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

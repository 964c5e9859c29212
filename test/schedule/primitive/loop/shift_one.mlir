// RUN: lw-opt %s --verify-each=numeric --sched-shift='loop=B:i by=3 align=2' | FileCheck %s

// The replacement of the variable is simplified for its new range, not for its single old value.
// CHECK-LABEL: func.func @one_iteration(
// CHECK:         loop.for serial %i in 4 {
// CHECK-NEXT:      loop.block "B" [%v: spatial 2] = ((%i + 14) floordiv 17)
// CHECK-NEXT:          where(%i - 3 >= 0)
func.func @one_iteration(%A: memref<2xf32>, %B: memref<2xf32>) {
  loop.for serial %i in 1 {
    loop.block "B" [%v: spatial 2] = ((%i + 17) floordiv 17) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<2xf32>
      memref.store %a, %B[%v] : memref<2xf32>
    }
  }
  return
}

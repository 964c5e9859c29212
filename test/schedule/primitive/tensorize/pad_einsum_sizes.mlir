// RUN: lw-opt %s --sched-pad-einsum='block=E factors=4' --sched-split='loop=M:i factors=-1,2' | FileCheck %s

// Dimensions that become dynamic are visible in nests before the padded one, whose steps may use all sizes.
// CHECK:         memref.dim %arg1, %c0
// CHECK:         loop.block "M"
// CHECK:         loop.block "E"
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>, %C: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "M" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %C[%v] : memref<?xi32>
    }
  }
  loop.for serial %i in %n {
    loop.block "E" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xi32>
      %b = arith.addi %a, %a : i32
      memref.store %b, %B[%v] : memref<?xi32>
    }
  }
  return
}

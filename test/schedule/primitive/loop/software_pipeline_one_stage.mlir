// RUN: lw-opt %s --sched-software-pipeline='loop=A:i stages=0,0 order=1,0' | FileCheck %s

// One stage runs nothing ahead: the statements swap, and no size is tested.
// CHECK-LABEL: func.func @one_stage
// CHECK-NOT:   loop.if
// CHECK:       loop.for serial %i in %
// CHECK-NEXT:    loop.block "B"
// CHECK:         loop.block "A"
// CHECK-NOT:   loop.for
func.func @one_stage(%A: memref<?xf32>, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "A" [%v: spatial %n] = (%i) writes(%A[%v : 1]) { memref.store %one, %A[%v] : memref<?xf32> }
    loop.block "B" [%v: spatial %n] = (%i) writes(%B[%v : 1]) { memref.store %one, %B[%v] : memref<?xf32> }
  }
  return
}

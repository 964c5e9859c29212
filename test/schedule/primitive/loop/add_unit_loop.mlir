// RUN: lw-opt %s --sched-add-unit-loop=target=B --sched-add-unit-loop=target=B:i --sched-add-unit-loop=target=N | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-add-unit-loop=target=B --sched-add-unit-loop=target=B:i \
// RUN:   --sched-add-unit-loop=target=N --sched-bind='loop=B:unit_1 thread=threadIdx.x' -o /dev/null 2>&1 | count 0

// Around a schedule block, then around its outer loop: the name already exists inside.
// CHECK-LABEL: func.func @both
// CHECK:       loop.for serial %unit_1 in 1 {
// CHECK-NEXT:    loop.for serial %i in 4 {
// CHECK-NEXT:      loop.for serial %unit in 1 {
// CHECK-NEXT:        loop.block "B" [%v: spatial 4] = (%i)
func.func @both(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<4xf32>
    }
  }
  return
}

// A schedule block without loops.
// CHECK-LABEL: func.func @none
// CHECK:       loop.for serial %unit in 1 {
// CHECK-NEXT:    loop.block "N"
func.func @none(%A: memref<f32>) {
  loop.block "N" [] = () writes(%A[]) {
    %one = arith.constant 1.0 : f32
    memref.store %one, %A[] : memref<f32>
  }
  return
}

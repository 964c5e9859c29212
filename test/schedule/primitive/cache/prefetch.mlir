// RUN: lw-opt %s --sched-prefetch='loop=B:i buffer=A distance=2' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter | FileCheck %s

// The step is recorded as an annotation of the loop, which moves with the loop.
module attributes {transform.with_named_sequence} {
// CHECK-LABEL: func.func @recorded
// CHECK:        loop.for serial %i in 64 attributes {loop.annotations = {prefetch.A = 2 : i64}} {
// CHECK-NEXT:     loop.for serial %j in 32 {
// CHECK-NEXT:       loop.block "B"
  func.func @recorded(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"}) {
    loop.for serial %i in 64 {
      loop.for serial %j in 32 {
        loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<64x32xf32>
          memref.store %a, %B[%v, %w] : memref<64x32xf32>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.prefetch "B:i" in %f buffer "A" distance 2
    transform.yield
  }
}

// The argument of a fusion group is a value between groups: a store to it does not bypass the caches, however large it is. The
// result of a function is one that nothing here reads.
// RUN: lw-opt %s --schedule-by-strategy='cpu=znver4' | FileCheck %s
// CHECK-LABEL: func.func private @group(
// CHECK-NOT: nontemporal
// CHECK-LABEL: func.func @whole(
// CHECK: nontemporal
// CHECK-LABEL: func.func @main(
func.func private @group(%A: memref<16777216xf32>, %B: memref<16777216xf32> {loop.result}) attributes {graph.group} {
  loop.for serial %i in 16777216 {
    loop.block "B" [%v: spatial 16777216] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<16777216xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %B[%v] : memref<16777216xf32>
    }
  }
  return
}
func.func @whole(%A: memref<16777216xf32>, %B: memref<16777216xf32> {loop.result}) {
  loop.for serial %i in 16777216 {
    loop.block "B" [%v: spatial 16777216] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<16777216xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %B[%v] : memref<16777216xf32>
    }
  }
  return
}
func.func @main(%A: memref<16777216xf32>, %B: memref<16777216xf32> {loop.result}) {
  func.call @group(%A, %B) : (memref<16777216xf32>, memref<16777216xf32>) -> ()
  return
}

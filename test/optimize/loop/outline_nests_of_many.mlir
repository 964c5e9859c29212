// All nests of a function that has many become functions. The nest of another function stays.
// RUN: lw-opt %s --outline-nests='all-from=2' | FileCheck %s
// RUN: lw-opt %s --outline-nests='all-from=3' | FileCheck %s --check-prefix=FEWER
// RUN: lw-opt %s --outline-nests | FileCheck %s --check-prefix=FEWER

// CHECK-LABEL: func.func private @two_twice(
// CHECK-SAME:    %arg0: memref<4xf32> {loop.name = "A"}, %arg1: memref<4xf32> {loop.name = "B"}) attributes {no_inline}
// CHECK:         arith.mulf
// CHECK-LABEL: func.func private @two_square(
// CHECK:         arith.addf
// CHECK-LABEL: func.func @two(
// CHECK-NEXT:    call @two_twice(%arg0, %arg1)
// CHECK-NEXT:    call @two_square(%arg1, %arg0)
// CHECK-NEXT:    return
// CHECK-LABEL: func.func @one(
// CHECK:         loop.for
// FEWER-NOT: call
func.func @two(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B"}) {
  loop.for serial %i in 4 {
    loop.block "twice" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      %y = arith.mulf %x, %x : f32
      %z = arith.subf %y, %x : f32
      memref.store %z, %B[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "square" [%v: spatial 4] = (%i) reads(%B[%v : 1]) writes(%A[%v : 1]) {
      %x = memref.load %B[%v] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      %z = arith.addf %y, %x : f32
      memref.store %z, %A[%v] : memref<4xf32>
    }
  }
  return
}
func.func @one(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B"}) {
  loop.for serial %i in 4 {
    loop.block "half" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      %y = arith.divf %x, %x : f32
      %z = arith.addf %y, %x : f32
      memref.store %z, %B[%v] : memref<4xf32>
    }
  }
  return
}

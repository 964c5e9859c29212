// RUN: lw-opt %s --sched-verify --sched-shift='loop=T:j by=3 align=4' --sched-reverse-compute-at='block=B loop=T:i' | FileCheck %s

// The iterations of a shifted loop before the first column are omitted, so a sum of no columns still starts.
// CHECK-LABEL: func.func @main
// CHECK:         loop.for serial %i in %dim {
// CHECK-NEXT:      loop.for serial %j in #map()[%dim_0] {
// CHECK:           loop.for serial %k in %dim_0 {
// CHECK-NEXT:        loop.block "B" [%v: spatial %dim, %vk: reduce %dim_0] = (%i, %k)
// CHECK-NEXT:            reads(
func.func @main(%A: memref<?x?xf32>, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  %T = loop.buffer "T" scope(global) (%n, %m) : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "T" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %a, %T[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "B" [%v: spatial %n, %vk: reduce %m] = (%i, %k) reads(%T[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<?xf32>
        }
        %t = memref.load %T[%v, %vk] : memref<?x?xf32>
        %b = memref.load %B[%v] : memref<?xf32>
        %s = arith.addf %b, %t : f32
        memref.store %s, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

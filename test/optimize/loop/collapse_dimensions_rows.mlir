// The rows of matrix products: dimensions in front of the last one, which vectors are along.
// RUN: lw-opt %s --collapse-dimensions --verify-each=numeric | FileCheck %s

// CHECK-LABEL: func.func private @pointwise(
// CHECK-SAME:      %arg0: memref<12x6xf32>, %arg1: memref<6x8xf32>, %arg2: memref<12x8xf32>
// CHECK:         loop.for serial %{{.*}} in 12 {
// CHECK:         loop.block "C" [%[[R:.*]]: spatial 12, %[[F:.*]]: spatial 8, %[[C:.*]]: reduce 6]
// CHECK-NEXT:    reads(%arg0[%[[R]] : 1, %[[C]] : 1], %arg1[%[[C]] : 1, %[[F]] : 1])
func.func private @pointwise(%X: memref<3x4x6xf32>, %W: memref<6x8xf32>, %C: memref<3x4x8xf32> {loop.name = "C", loop.result}) attributes {graph.group} {
  loop.for serial %h in 3 {
    loop.for serial %w in 4 {
      loop.for serial %f in 8 {
        loop.for serial %c in 6 {
          loop.block "C" [%vh: spatial 3, %vw: spatial 4, %vf: spatial 8, %vc: reduce 6] = (%h, %w, %f, %c)
              reads(%X[%vh : 1, %vw : 1, %vc : 1], %W[%vc : 1, %vf : 1]) writes(%C[%vh : 1, %vw : 1, %vf : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %C[%vh, %vw, %vf] : memref<3x4x8xf32>
            }
            %x = memref.load %X[%vh, %vw, %vc] : memref<3x4x6xf32>
            %y = memref.load %W[%vc, %vf] : memref<6x8xf32>
            %o = memref.load %C[%vh, %vw, %vf] : memref<3x4x8xf32>
            %p = arith.mulf %x, %y : f32
            %s = arith.addf %o, %p : f32
            memref.store %s, %C[%vh, %vw, %vf] : memref<3x4x8xf32>
          }
        }
      }
    }
  }
  return
}

// Both factors have the dimensions: this is no matrix product, and only its indices change.
// CHECK-LABEL: func.func private @depthwise(
// CHECK-SAME:      %arg0: memref<12x8xf32>, %arg1: memref<3x4x8xf32>
// CHECK:         loop.block "D" [%[[H:.*]]: spatial 3, %[[W:.*]]: spatial 4, %[[F:.*]]: spatial 8]
// CHECK-NEXT:    reads(%arg0[%[[H]] * 4 + %[[W]] : 1, %[[F]] : 1], %arg1[%[[H]] : 1, %[[W]] : 1, %[[F]] : 1])
func.func private @depthwise(%C: memref<3x4x8xf32>, %V: memref<3x4x8xf32>, %D: memref<3x4x8xf32> {loop.name = "D", loop.result}) attributes {graph.group} {
  loop.for serial %h in 3 {
    loop.for serial %w in 4 {
      loop.for serial %f in 8 {
        loop.block "D" [%vh: spatial 3, %vw: spatial 4, %vf: spatial 8] = (%h, %w, %f)
            reads(%C[%vh : 1, %vw : 1, %vf : 1], %V[%vh : 1, %vw : 1, %vf : 1]) writes(%D[%vh : 1, %vw : 1, %vf : 1]) {
          %x = memref.load %C[%vh, %vw, %vf] : memref<3x4x8xf32>
          %y = memref.load %V[%vh, %vw, %vf] : memref<3x4x8xf32>
          %p = arith.mulf %x, %y : f32
          memref.store %p, %D[%vh, %vw, %vf] : memref<3x4x8xf32>
        }
      }
    }
  }
  return
}

func.func @main(%x: memref<3x4x6xf32> {loop.name = "x"}, %w: memref<6x8xf32> {loop.name = "w"}, %v: memref<3x4x8xf32> {loop.name = "v"}, %d: memref<3x4x8xf32> {loop.name = "d", loop.result}) {
  %copy = loop.buffer "copy" scope(global) : memref<3x4x6xf32>
  %c = loop.buffer "c" scope(global) : memref<3x4x8xf32>
  loop.for serial %h in 3 {
    loop.for serial %i in 4 {
      loop.for serial %k in 6 {
        loop.block "copy" [%vh: spatial 3, %vi: spatial 4, %vk: spatial 6] = (%h, %i, %k) reads(%x[%vh : 1, %vi : 1, %vk : 1]) writes(%copy[%vh : 1, %vi : 1, %vk : 1]) {
          %e = memref.load %x[%vh, %vi, %vk] : memref<3x4x6xf32>
          memref.store %e, %copy[%vh, %vi, %vk] : memref<3x4x6xf32>
        }
      }
    }
  }
  call @pointwise(%copy, %w, %c) : (memref<3x4x6xf32>, memref<6x8xf32>, memref<3x4x8xf32>) -> ()
  call @depthwise(%c, %v, %d) : (memref<3x4x8xf32>, memref<3x4x8xf32>, memref<3x4x8xf32>) -> ()
  return
}

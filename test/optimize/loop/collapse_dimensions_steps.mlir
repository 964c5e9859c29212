// What stores to the buffer of a product reads in steps of two, but is no reduction: its vectors may be along the joined dimension.
// RUN: lw-opt %s --collapse-dimensions --verify-each=numeric | FileCheck %s

// CHECK-LABEL: func.func private @every_second(
// CHECK-SAME:    %arg0: memref<4x24xf32>, %arg1: memref<8x48xf32>)
func.func private @every_second(%I: memref<4x24xf32>, %X: memref<8x4x12xf32>) attributes {graph.group} {
  loop.for serial %f in 8 {
    loop.for serial %h in 4 {
      loop.for serial %w in 12 {
        loop.block "S" [%v: spatial 8, %x: spatial 4, %y: spatial 12] = (%f, %h, %w)
            reads(%I[%x : 1, %y * 2 : 1]) writes(%X[%v : 1, %x : 1, %y : 1]) {
          %column = affine.apply affine_map<(d) -> (d * 2)>(%y)
          %a = memref.load %I[%x, %column] : memref<4x24xf32>
          memref.store %a, %X[%v, %x, %y] : memref<8x4x12xf32>
        }
      }
    }
  }
  return
}
// CHECK-LABEL: func.func private @after(
// CHECK-SAME:    %arg0: memref<8x48xf32>, %arg1: memref<48xf32>)
func.func private @after(%X: memref<8x4x12xf32>, %Y: memref<4x12xf32>) attributes {graph.group} {
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}
func.func @main(%I: memref<4x24xf32>) {
  %X = loop.buffer "X" scope(global) : memref<8x4x12xf32>
  %Y = loop.buffer "Y" scope(global) : memref<4x12xf32>
  func.call @every_second(%I, %X) : (memref<4x24xf32>, memref<8x4x12xf32>) -> ()
  func.call @after(%X, %Y) : (memref<8x4x12xf32>, memref<4x12xf32>) -> ()
  return
}

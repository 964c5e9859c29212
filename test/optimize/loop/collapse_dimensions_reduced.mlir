// A reduction over two dimensions of a short row each: they become one, in the function that computes them, too.
// RUN: lw-opt %s --collapse-dimensions --verify-each=numeric | FileCheck %s

// CHECK-LABEL: func.func private @mean(
// CHECK-SAME:    %arg0: memref<8x49xf32>,
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.for serial %ax1 in 49 {
// CHECK-NEXT:        loop.block "S" [%v: spatial 8, %v1: reduce 49] = (%i, %ax1)
// CHECK-NEXT:            reads(%arg0[%v : 1, %v1 : 1]) writes(%arg1[%v : 1])
func.func private @mean(%X: memref<8x7x7xf32>, %Y: memref<8xf32> {loop.name = "Y"}) attributes {graph.group} {
  loop.for serial %i in 8 {
    loop.for serial %h in 7 {
      loop.for serial %w in 7 {
        loop.block "S" [%v: spatial 8, %x: reduce 7, %y: reduce 7] = (%i, %h, %w)
            reads(%X[%v : 1, %x : 1, %y : 1]) writes(%Y[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %Y[%v] : memref<8xf32>
          }
          %a = memref.load %X[%v, %x, %y] : memref<8x7x7xf32>
          %t = memref.load %Y[%v] : memref<8xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v] : memref<8xf32>
        }
      }
    }
  }
  return
}

// One dimension is reduced, and the other one is not.
// CHECK-LABEL: func.func private @rows(
// CHECK-SAME:    %arg0: memref<8x7x7xf32>,
func.func private @rows(%X: memref<8x7x7xf32>, %Y: memref<8x7xf32> {loop.name = "Y"}) attributes {graph.group} {
  loop.for serial %i in 8 {
    loop.for serial %h in 7 {
      loop.for serial %w in 7 {
        loop.block "S" [%v: spatial 8, %x: spatial 7, %y: reduce 7] = (%i, %h, %w)
            reads(%X[%v : 1, %x : 1, %y : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %Y[%v, %x] : memref<8x7xf32>
          }
          %a = memref.load %X[%v, %x, %y] : memref<8x7x7xf32>
          %t = memref.load %Y[%v, %x] : memref<8x7xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<8x7xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @main(
// CHECK:         %T = loop.buffer "T" scope(global) : memref<8x49xf32>
// CHECK:         call @mean(%T, %arg1) : (memref<8x49xf32>, memref<8xf32>) -> ()
func.func @main(%X: memref<8x7x7xf32>, %Y: memref<8xf32>, %Z: memref<8x7xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8x7x7xf32>
  %U = loop.buffer "U" scope(global) : memref<8x7x7xf32>
  loop.for serial %k in 8 {
    loop.for serial %h in 7 {
      loop.for serial %w in 7 {
        loop.block "R" [%v: spatial 8, %x: spatial 7, %y: spatial 7] = (%k, %h, %w)
            reads(%X[%v : 1, %x : 1, %y : 1]) writes(%T[%v : 1, %x : 1, %y : 1]) {
          %t = memref.load %X[%v, %x, %y] : memref<8x7x7xf32>
          memref.store %t, %T[%v, %x, %y] : memref<8x7x7xf32>
        }
      }
    }
  }
  loop.for serial %k in 8 {
    loop.for serial %h in 7 {
      loop.for serial %w in 7 {
        loop.block "Q" [%v: spatial 8, %x: spatial 7, %y: spatial 7] = (%k, %h, %w)
            reads(%X[%v : 1, %x : 1, %y : 1]) writes(%U[%v : 1, %x : 1, %y : 1]) {
          %t = memref.load %X[%v, %x, %y] : memref<8x7x7xf32>
          memref.store %t, %U[%v, %x, %y] : memref<8x7x7xf32>
        }
      }
    }
  }
  call @mean(%T, %Y) : (memref<8x7x7xf32>, memref<8xf32>) -> ()
  call @rows(%U, %Z) : (memref<8x7x7xf32>, memref<8x7xf32>) -> ()
  return
}

// RUN: lw-opt %s --collapse-dimensions --verify-each=numeric --pass-report 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.report
// RUN: lw-opt %s --collapse-dimensions=vector-bits=128 | FileCheck %s --check-prefix=NARROW

// Two buffers, and two nests of the first function.
// REPORT: collapse-dimensions
// REPORT-SAME: 3 dimensions, 2 nests

// Four vectors of four elements are 16 elements: rows of 12 fill them already.
// NARROW: func.func private @pointwise(%arg0: memref<8x4x12xf32>

// CHECK-LABEL: func.func private @pointwise(
// CHECK-SAME:    %arg0: memref<8x48xf32>, %arg1: memref<16x8xf32>, %arg2: memref<16x48xf32> {loop.name = "Y"})
// CHECK:         %T = loop.buffer "T" scope(global) : memref<16x48xf32>
// CHECK:         loop.for serial %ax1 in 48 {
// CHECK-NEXT:      loop.for serial %c in 8 {
// CHECK-NEXT:        loop.block "P" [%v: spatial 16, %v1: spatial 48, %z: reduce 8] = (%k, %ax1, %c)
// CHECK-NEXT:            reads(%arg0[%z : 1, %v1 : 1], %arg1[%v : 1, %z : 1]) writes(%T[%v : 1, %v1 : 1])
// CHECK:         loop.block "R" [%v: spatial 16, %v1: spatial 48]
// CHECK-NEXT:        reads(%T[%v : 1, %v1 : 1]) writes(%arg2[%v : 1, %v1 : 1])
func.func private @pointwise(%X: memref<8x4x12xf32>, %W: memref<16x8xf32>, %Y: memref<16x4x12xf32> {loop.name = "Y"})
    attributes {graph.group} {
  %T = loop.buffer "T" scope(global) : memref<16x4x12xf32>
  loop.for serial %k in 16 {
    loop.for serial %h in 4 {
      loop.for serial %w in 12 {
        loop.for serial %c in 8 {
          loop.block "P" [%v: spatial 16, %x: spatial 4, %y: spatial 12, %z: reduce 8] = (%k, %h, %w, %c)
              reads(%X[%z : 1, %x : 1, %y : 1], %W[%v : 1, %z : 1]) writes(%T[%v : 1, %x : 1, %y : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %T[%v, %x, %y] : memref<16x4x12xf32>
            }
            %a = memref.load %X[%z, %x, %y] : memref<8x4x12xf32>
            %b = memref.load %W[%v, %z] : memref<16x8xf32>
            %t = memref.load %T[%v, %x, %y] : memref<16x4x12xf32>
            %p = arith.mulf %a, %b : f32
            %s = arith.addf %t, %p : f32
            memref.store %s, %T[%v, %x, %y] : memref<16x4x12xf32>
          }
        }
      }
    }
  }
  loop.for serial %k in 16 {
    loop.for serial %h in 4 {
      loop.for serial %w in 12 {
        loop.block "R" [%v: spatial 16, %x: spatial 4, %y: spatial 12] = (%k, %h, %w)
            reads(%T[%v : 1, %x : 1, %y : 1]) writes(%Y[%v : 1, %x : 1, %y : 1]) {
          %zero = arith.constant 0.0 : f32
          %t = memref.load %T[%v, %x, %y] : memref<16x4x12xf32>
          %m = arith.maximumf %t, %zero : f32
          memref.store %m, %Y[%v, %x, %y] : memref<16x4x12xf32>
        }
      }
    }
  }
  return
}

// A nest that reads at sums of loops keeps its loops.
// CHECK-LABEL: func.func private @windows(
// CHECK-SAME:    %arg0: memref<16x48xf32>, %arg1: memref<16x2x10xf32>
// CHECK:         loop.block "D" [%v: spatial 16, %x: spatial 2, %y: spatial 10, %r: reduce 3, %s: reduce 3] = (%c, %h, %w, %i, %j)
// CHECK-NEXT:        reads(%arg0[%v : 1, %x * 12 + %y + %r * 12 + %s : 1]) writes(%arg1[%v : 1, %x : 1, %y : 1])
func.func private @windows(%Y: memref<16x4x12xf32>, %Z: memref<16x2x10xf32>) attributes {graph.group} {
  loop.for serial %c in 16 {
    loop.for serial %h in 2 {
      loop.for serial %w in 10 {
        loop.for serial %i in 3 {
          loop.for serial %j in 3 {
            loop.block "D" [%v: spatial 16, %x: spatial 2, %y: spatial 10, %r: reduce 3, %s: reduce 3] = (%c, %h, %w, %i, %j)
                reads(%Y[%v : 1, %x + %r : 1, %y + %s : 1]) writes(%Z[%v : 1, %x : 1, %y : 1]) reducer(add, 0.0) {
              loop.init {
                %zero = arith.constant 0.0 : f32
                memref.store %zero, %Z[%v, %x, %y] : memref<16x2x10xf32>
              }
              %row = affine.apply affine_map<(a, b) -> (a + b)>(%x, %r)
              %column = affine.apply affine_map<(a, b) -> (a + b)>(%y, %s)
              %a = memref.load %Y[%v, %row, %column] : memref<16x4x12xf32>
              %t = memref.load %Z[%v, %x, %y] : memref<16x2x10xf32>
              %n = arith.addf %t, %a : f32
              memref.store %n, %Z[%v, %x, %y] : memref<16x2x10xf32>
            }
          }
        }
      }
    }
  }
  return
}

// The arguments keep their shapes.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %arg0: memref<8x4x12xf32>, %arg1: memref<16x8xf32>, %arg2: memref<16x2x10xf32>
// CHECK-DAG:     %X = loop.buffer "X" scope(global) : memref<8x48xf32>
// CHECK-DAG:     %Y = loop.buffer "Y" scope(global) : memref<16x48xf32>
// CHECK:         loop.block "C" [%v: spatial 8, %x: spatial 4, %y: spatial 12]
// CHECK-NEXT:        reads(%arg0[%v : 1, %x : 1, %y : 1]) writes(%X[%v : 1, %x * 12 + %y : 1])
// CHECK:         call @pointwise(%X, %arg1, %Y) : (memref<8x48xf32>, memref<16x8xf32>, memref<16x48xf32>) -> ()
// CHECK:         call @windows(%Y, %arg2) : (memref<16x48xf32>, memref<16x2x10xf32>) -> ()
func.func @main(%A: memref<8x4x12xf32>, %W: memref<16x8xf32>, %Z: memref<16x2x10xf32> {loop.result}) {
  %X = loop.buffer "X" scope(global) : memref<8x4x12xf32>
  %Y = loop.buffer "Y" scope(global) : memref<16x4x12xf32>
  loop.for serial %c in 8 {
    loop.for serial %h in 4 {
      loop.for serial %w in 12 {
        loop.block "C" [%v: spatial 8, %x: spatial 4, %y: spatial 12] = (%c, %h, %w)
            reads(%A[%v : 1, %x : 1, %y : 1]) writes(%X[%v : 1, %x : 1, %y : 1]) {
          %a = memref.load %A[%v, %x, %y] : memref<8x4x12xf32>
          memref.store %a, %X[%v, %x, %y] : memref<8x4x12xf32>
        }
      }
    }
  }
  func.call @pointwise(%X, %W, %Y) : (memref<8x4x12xf32>, memref<16x8xf32>, memref<16x4x12xf32>) -> ()
  func.call @windows(%Y, %Z) : (memref<16x4x12xf32>, memref<16x2x10xf32>) -> ()
  return
}

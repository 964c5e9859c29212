// Dimensions are collapsed along a chain of nests that a product begins. What is left out anywhere in the chain leaves out all of it, and
// another chain without a product keeps its shape.
// RUN: lw-opt %s --collapse-dimensions --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @chain(
// CHECK:         loop.buffer "P" scope(global) : memref<48xf32>
// CHECK-NEXT:    loop.buffer "Q" scope(global) : memref<48xf32>
// CHECK-NEXT:    loop.buffer "X" scope(global) : memref<8x48xf32>
// CHECK-NEXT:    loop.buffer "R" scope(global) : memref<4x12xf32>
// CHECK-NEXT:    loop.buffer "S" scope(global) : memref<4x12xf32>
// CHECK:         loop.block "Q" [%{{.*}}: spatial 48]
// CHECK:         loop.block "S" [%{{.*}}: spatial 4, %{{.*}}: spatial 12]
func.func @chain(%Z: memref<48xf32> {loop.result}) {
  %P = loop.buffer "P" scope(global) : memref<4x12xf32>
  %Q = loop.buffer "Q" scope(global) : memref<4x12xf32>
  %X = loop.buffer "X" scope(global) : memref<8x4x12xf32>
  %R = loop.buffer "R" scope(global) : memref<4x12xf32>
  %S = loop.buffer "S" scope(global) : memref<4x12xf32>
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %P[%v : 1, %x : 1]) writes(%P[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %t = memref.load %P[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %P[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.block "Q" [%v: spatial 4, %x: spatial 12] = (%h, %w) reads(%P[%v : 1, %x : 1]) writes(%Q[%v : 1, %x : 1]) {
        %a = memref.load %P[%v, %x] : memref<4x12xf32>
        memref.store %a, %Q[%v, %x] : memref<4x12xf32>
      }
    }
  }
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.block "S" [%v: spatial 4, %x: spatial 12] = (%h, %w) reads(%R[%v : 1, %x : 1]) writes(%S[%v : 1, %x : 1]) {
        %a = memref.load %R[%v, %x] : memref<4x12xf32>
        memref.store %a, %S[%v, %x] : memref<4x12xf32>
      }
    }
  }
  return
}

// -----

// The last nest reads transposed elements of "Q": (C4) does not hold for "Q", then not for "P", and then (C3) not for the product.
// CHECK-LABEL: func.func @left_out(
// CHECK:         loop.buffer "P" scope(global) : memref<4x12xf32>
// CHECK-NEXT:    loop.buffer "Q" scope(global) : memref<4x12xf32>
// CHECK-NEXT:    loop.buffer "X" scope(global) : memref<8x4x12xf32>
func.func @left_out(%Z: memref<12x4xf32> {loop.result}) {
  %P = loop.buffer "P" scope(global) : memref<4x12xf32>
  %Q = loop.buffer "Q" scope(global) : memref<4x12xf32>
  %X = loop.buffer "X" scope(global) : memref<8x4x12xf32>
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %P[%v : 1, %x : 1]) writes(%P[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %t = memref.load %P[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %P[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.block "Q" [%v: spatial 4, %x: spatial 12] = (%h, %w) reads(%P[%v : 1, %x : 1]) writes(%Q[%v : 1, %x : 1]) {
        %a = memref.load %P[%v, %x] : memref<4x12xf32>
        memref.store %a, %Q[%v, %x] : memref<4x12xf32>
      }
    }
  }
  loop.for serial %w in 12 {
    loop.for serial %h in 4 {
      loop.block "Z" [%x: spatial 12, %v: spatial 4] = (%w, %h) reads(%Q[3 - %v : 1, %x : 1]) writes(%Z[%x : 1, %v : 1]) {
        %at = affine.apply affine_map<(d0) -> (3 - d0)>(%v)
        %a = memref.load %Q[%at, %x] : memref<4x12xf32>
        memref.store %a, %Z[%x, %v] : memref<12x4xf32>
      }
    }
  }
  return
}

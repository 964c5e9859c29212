// RUN: lw-run %s --target x86 --cpu znver4 --compile-to schedule | FileCheck %s

// The second nest follows the first although two of its loops are one dimension of what it stores, as after
// collapse-dimensions.
// CHECK:     loop.for {{.*}} %c in 64
// CHECK:       loop.block "D"
// CHECK-NOT:   in 64
// CHECK:       loop.block "R"
func.func @main(%X: memref<64x16x16xf32>, %F: memref<64x3x3xf32>, %Y: memref<64x196xf32> {loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<64x14x14xf32>
  loop.for serial %h in 14 {
    loop.for serial %w in 14 {
      loop.for serial %c in 64 {
        loop.for serial %i in 3 {
          loop.for serial %j in 3 {
            loop.block "D" [%x: spatial 14, %y: spatial 14, %v: spatial 64, %r: reduce 3, %s: reduce 3] = (%h, %w, %c, %i, %j)
                reads(%X[%v : 1, %x + %r : 1, %y + %s : 1], %F[%v : 1, %r : 1, %s : 1]) writes(%T[%v : 1, %x : 1, %y : 1]) reducer(add, 0.0) {
              loop.init {
                %zero = arith.constant 0.0 : f32
                memref.store %zero, %T[%v, %x, %y] : memref<64x14x14xf32>
              }
              %row = affine.apply affine_map<(a, b) -> (a + b)>(%x, %r)
              %column = affine.apply affine_map<(a, b) -> (a + b)>(%y, %s)
              %a = memref.load %X[%v, %row, %column] : memref<64x16x16xf32>
              %b = memref.load %F[%v, %r, %s] : memref<64x3x3xf32>
              %t = memref.load %T[%v, %x, %y] : memref<64x14x14xf32>
              %p = arith.mulf %a, %b : f32
              %n = arith.addf %t, %p : f32
              memref.store %n, %T[%v, %x, %y] : memref<64x14x14xf32>
            }
          }
        }
      }
    }
  }
  loop.for serial %c in 64 {
    loop.for serial %h in 14 {
      loop.for serial %w in 14 {
        loop.block "R" [%v: spatial 64, %x: spatial 14, %y: spatial 14] = (%c, %h, %w)
            reads(%T[%v : 1, %x : 1, %y : 1]) writes(%Y[%v : 1, %x * 14 + %y : 1]) {
          %zero = arith.constant 0.0 : f32
          %t = memref.load %T[%v, %x, %y] : memref<64x14x14xf32>
          %m = arith.maximumf %t, %zero : f32
          %at = affine.apply affine_map<(a, b) -> (a * 14 + b)>(%x, %y)
          memref.store %m, %Y[%v, %at] : memref<64x196xf32>
        }
      }
    }
  }
  return
}

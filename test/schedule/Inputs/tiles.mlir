// B = A + 1 by tiles in nested blocks, each through its own buffer.
func.func @main(%A: memref<24xf32>, %B: memref<24xf32>, %C: memref<4x6xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6xf32>
  loop.for serial %o in 4 {
    loop.block "tile" [%vo: spatial 4] = (%o)
        reads(%A[%vo * 6 : 6], %T[0 : 6]) writes(%T[0 : 6], %B[%vo * 6 : 6]) {
      loop.for serial %i in 6 {
        loop.block "T" [%v: spatial 6] = (%i) reads(%A[%vo * 6 + %v : 1]) writes(%T[%v : 1]) {
          %one = arith.constant 1.0 : f32
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 6 + d1)>(%vo, %v)
          %a = memref.load %A[%at] : memref<24xf32>
          %t = arith.addf %a, %one : f32
          memref.store %t, %T[%v] : memref<6xf32>
        }
      }
      loop.for serial %i in 2 {
        loop.for serial %j in 3 {
          loop.block "B" [%v: spatial 2, %w: spatial 3] = (%i, %j)
              reads(%T[%v * 3 + %w : 1]) writes(%B[%vo * 6 + %v * 3 + %w : 1]) {
            %from = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%v, %w)
            %to = affine.apply affine_map<(d0, d1, d2) -> (d0 * 6 + d1 * 3 + d2)>(%vo, %v, %w)
            %t = memref.load %T[%from] : memref<6xf32>
            memref.store %t, %B[%to] : memref<24xf32>
          }
        }
      }
    }
  }
  loop.for serial %f in 24 {
    loop.block "C" [%v: spatial 4, %w: spatial 6] = (%f floordiv 6, %f mod 6)
        reads(%B[%v * 6 + %w : 1]) writes(%C[%v : 1, %w : 1]) {
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 6 + d1)>(%v, %w)
      %b = memref.load %B[%at] : memref<24xf32>
      memref.store %b, %C[%v, %w] : memref<4x6xf32>
    }
  }
  return
}

// P = A + 1 reversed, padded to Q, R = Q summed over windows, D = P * 2 under the loop of R.
func.func @main(%A: memref<4x3xf32>, %R: memref<4x3xf32>, %D: memref<3x4xf32>) {
  %P = loop.buffer "P" scope(global) : memref<3x4xf32>
  %Q = loop.buffer "Q" scope(global) : memref<5x6xf32>
  loop.for serial %i in 3 {
    loop.for serial %j in 4 {
      loop.block "P" [%v: spatial 3, %w: spatial 4] = (%i, %j)
          reads(%A[-%w + 3 : 1, %v : 1]) writes(%P[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        %back = affine.apply affine_map<(d0) -> (3 - d0)>(%w)
        %a = memref.load %A[%back, %v] : memref<4x3xf32>
        %p = arith.addf %a, %one : f32
        memref.store %p, %P[%v, %w] : memref<3x4xf32>
      }
    }
  }
  loop.for serial %i in 5 {
    loop.for serial %j in 6 {
      loop.block "Q" [%v: spatial 5, %w: spatial 6] = (%i, %j)
          reads(%P[%v - 1 : 1, %w - 1 : 1]) writes(%Q[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        %q = loop.if (%v >= 1, %v <= 3, %w >= 1, %w <= 4) -> (f32) {
          %x = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
          %y = affine.apply affine_map<(d0) -> (d0 - 1)>(%w)
          %p = memref.load %P[%x, %y] : memref<3x4xf32>
          loop.yield %p : f32
        } else {
          loop.yield %zero : f32
        }
        memref.store %q, %Q[%v, %w] : memref<5x6xf32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %j in 3 {
      loop.for serial %k in 2 {
        loop.for serial %l in 4 {
          loop.block "R" [%v: spatial 4, %w: spatial 3, %vk: reduce 2, %vl: reduce 4] = (%i, %j, %k, %l)
              reads(%Q[%v + %vk : 1, %w + %vl : 1]) writes(%R[%v : 1, %w : 1]) reducer(max, 0xFF800000) {
            loop.init {
              %lowest = arith.constant 0xFF800000 : f32
              memref.store %lowest, %R[%v, %w] : memref<4x3xf32>
            }
            %x = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %vk)
            %y = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%w, %vl)
            %q = memref.load %Q[%x, %y] : memref<5x6xf32>
            %r = memref.load %R[%v, %w] : memref<4x3xf32>
            %m = arith.maximumf %r, %q : f32
            memref.store %m, %R[%v, %w] : memref<4x3xf32>
          }
        }
      }
      loop.block "D" [%v: spatial 3, %w: spatial 4] = (%j, %i)
          reads(%P[%v : 1, %w : 1]) writes(%D[%v : 1, %w : 1]) {
        %two = arith.constant 2.0 : f32
        %p = memref.load %P[%v, %w] : memref<3x4xf32>
        %d = arith.mulf %p, %two : f32
        memref.store %d, %D[%v, %w] : memref<3x4xf32>
      }
    }
  }
  return
}

// A filter over rows of 15 elements, which are not aligned to cache lines.
func.func @main(%X: memref<520x15xf32>, %W: memref<8xf32>, %Y: memref<512x15xf32> {loop.result}) attributes {loop.fp = "fast"} {
  %T = loop.buffer "T" scope(global) : memref<520x15xf32>
  loop.for serial %i in 520 {
    loop.for serial %j in 15 {
      loop.block "first" [%v: spatial 520, %w: spatial 15] = (%i, %j) reads(%X[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %x = memref.load %X[%v, %w] : memref<520x15xf32>
        %y = arith.mulf %x, %x : f32
        memref.store %y, %T[%v, %w] : memref<520x15xf32>
      }
    }
  }
  loop.for serial %i in 512 {
    loop.for serial %j in 15 {
      loop.for serial %k in 8 {
        loop.block "sum" [%v: spatial 512, %w: spatial 15, %t: reduce 8] = (%i, %j, %k) reads(%T[%v + %t : 1, %w : 1], %W[%t : 1]) writes(%Y[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %Y[%v, %w] : memref<512x15xf32>
          }
          %u = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %t)
          %a = memref.load %Y[%v, %w] : memref<512x15xf32>
          %x = memref.load %T[%u, %w] : memref<520x15xf32>
          %f = memref.load %W[%t] : memref<8xf32>
          %p = arith.mulf %x, %f : f32
          %s = arith.addf %a, %p : f32
          memref.store %s, %Y[%v, %w] : memref<512x15xf32>
        }
      }
    }
  }
  return
}

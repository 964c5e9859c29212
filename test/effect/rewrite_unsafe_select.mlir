// target=x86
// A row of a convolution with a window of 3 and zero padding, as a frontend emits it: a select chooses the
// padding, and the load is out of bounds there. With the pass, lanes at the edges are masked, and no element outside
// the row is read. Without the pass the kernel reads before the first element and after the last one.
func.func @padded_row(%x: memref<6x256xf32>, %w: memref<3xf32>, %y: memref<6x256xf32> {loop.result}) {
  loop.for serial %r in 6 {
    loop.for serial %k in 3 {
      loop.for vectorize %i in 256 {
        loop.block "y" [%u: spatial 6, %v: spatial 256, %j: reduce 3] = (%r, %i, %k)
            reads(%x[%u : 1, *], %w[%j : 1]) writes(%y[%u : 1, %v : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          loop.init {
            memref.store %zero, %y[%u, %v] : memref<6x256xf32>
          }
          %c0 = arith.constant 0 : index
          %c255 = arith.constant 255 : index
          %at = affine.apply affine_map<(d0, d1) -> (d0 + d1 - 1)>(%v, %j)
          %low = arith.cmpi sge, %at, %c0 : index
          %high = arith.cmpi sle, %at, %c255 : index
          %p = arith.andi %low, %high : i1
          %a = memref.load %x[%u, %at] : memref<6x256xf32>
          %s = arith.select %p, %a, %zero : f32
          %f = memref.load %w[%j] : memref<3xf32>
          %o = memref.load %y[%u, %v] : memref<6x256xf32>
          %m = arith.mulf %s, %f : f32
          %n = arith.addf %o, %m : f32
          memref.store %n, %y[%u, %v] : memref<6x256xf32>
        }
      }
    }
  }
  return
}

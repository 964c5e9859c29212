// The magnitudes of complex numbers after a filter. Real and imaginary parts are interleaved.
func.func @main(%X: memref<2056xf32>, %P: memref<2056xf32>, %W: memref<8x2xf32>, %Y: memref<2048xf32> {loop.result}) attributes {loop.fp = "fast"} {
  %Z = loop.buffer "Z" scope(global) : memref<2056x2xf32>
  %A = loop.buffer "A" scope(global) : memref<2048x2xf32>
  loop.for serial %i in 2056 {
    loop.block "re" [%v: spatial 2056] = (%i) reads(%X[%v : 1], %P[%v : 1]) writes(%Z[%v : 1, 0 : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %X[%v] : memref<2056xf32>
      %p = memref.load %P[%v] : memref<2056xf32>
      %r = arith.mulf %x, %p : f32
      memref.store %r, %Z[%v, %c0] : memref<2056x2xf32>
    }
    loop.block "im" [%v: spatial 2056] = (%i) reads(%X[%v : 1], %P[%v : 1]) writes(%Z[%v : 1, 1 : 1]) {
      %c1 = arith.constant 1 : index
      %x = memref.load %X[%v] : memref<2056xf32>
      %p = memref.load %P[%v] : memref<2056xf32>
      %r = arith.subf %x, %p : f32
      memref.store %r, %Z[%v, %c1] : memref<2056x2xf32>
    }
  }
  loop.for serial %i in 2048 {
    loop.for serial %k in 8 {
      loop.block "real" [%v: spatial 2048, %t: reduce 8] = (%i, %k) reads(%Z[%v + %t : 1, 0 : 2], %W[%t : 1, 0 : 2]) writes(%A[%v : 1, 0 : 1]) reducer(add, 0.0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %A[%v, %c0] : memref<2048x2xf32>
        }
        %u = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %t)
        %zr = memref.load %Z[%u, %c0] : memref<2056x2xf32>
        %zi = memref.load %Z[%u, %c1] : memref<2056x2xf32>
        %wr = memref.load %W[%t, %c0] : memref<8x2xf32>
        %wi = memref.load %W[%t, %c1] : memref<8x2xf32>
        %a = memref.load %A[%v, %c0] : memref<2048x2xf32>
        %m = arith.mulf %zr, %wr : f32
        %n = arith.mulf %zi, %wi : f32
        %d = arith.subf %m, %n : f32
        %s = arith.addf %a, %d : f32
        memref.store %s, %A[%v, %c0] : memref<2048x2xf32>
      }
    }
  }
  loop.for serial %i in 2048 {
    loop.block "out" [%v: spatial 2048] = (%i) reads(%A[%v : 1, 0 : 1]) writes(%Y[%v : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v, %c0] : memref<2048x2xf32>
      %b = arith.mulf %a, %a : f32
      memref.store %b, %Y[%v] : memref<2048xf32>
    }
  }
  return
}

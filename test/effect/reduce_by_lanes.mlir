// target=x86
// Sums of rows, with 32 partial results each, which must be reduced to one.
func.func @main(%x: memref<40x640xf32>, %y: memref<40xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %partial = loop.buffer "partial" scope(global) : memref<40x32xf32>
  loop.for serial %i in 40 {
    loop.for serial %j.0 in 20 {
      loop.for vectorize %j.1 in 32 {
        loop.block "partial" [%vi: spatial 40, %vl: spatial 32, %vj: reduce 20] = (%i, %j.1, %j.0)
            reads(%x[%vi : 1, %vj * 32 + %vl : 1]) writes(%partial[%vi : 1, %vl : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %partial[%vi, %vl] : memref<40x32xf32>
          }
          %j = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%vj, %vl)
          %a = memref.load %x[%vi, %j] : memref<40x640xf32>
          %p = memref.load %partial[%vi, %vl] : memref<40x32xf32>
          %s = arith.addf %p, %a : f32
          memref.store %s, %partial[%vi, %vl] : memref<40x32xf32>
        }
      }
    }
    loop.for serial %l in 32 {
      loop.block "sum" [%vi: spatial 40, %vl: reduce 32] = (%i, %l)
          reads(%partial[%vi : 1, %vl : 1]) writes(%y[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %y[%vi] : memref<40xf32>
        }
        %p = memref.load %partial[%vi, %vl] : memref<40x32xf32>
        %c = memref.load %y[%vi] : memref<40xf32>
        %s = arith.addf %c, %p : f32
        memref.store %s, %y[%vi] : memref<40xf32>
      }
    }
  }
  return
}

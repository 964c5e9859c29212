// target=x86
// The gradient of a layer that keeps every fourth of 4096 rows. Without the pass the loop runs over all
// rows, and skips the other rows by a test.
func.func @spread(%A: memref<1024x16xf32>, %B: memref<4096x16xf32> {loop.result}) {
  loop.for serial %i in 4096 {
    loop.if (%i mod 4 == 0) {
      loop.for vectorize %j in 16 {
        loop.block "B" [%vi: spatial 4096, %vj: spatial 16] = (%i, %j)
            reads(%A[%vi floordiv 4 : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
          %0 = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%vi)
          %a = memref.load %A[%0, %vj] : memref<1024x16xf32>
          memref.store %a, %B[%vi, %vj] : memref<4096x16xf32>
        }
      }
    }
  }
  return
}

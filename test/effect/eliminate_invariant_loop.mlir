// target=x86
// The mask of attention is the same for all heads. compute_at has moved its schedule block into the nest of its
// consumer, where its loop over heads remains, although nothing in it depends on the head.
func.func @mask(%A: memref<64x64xf32>, %M: memref<64x64xf32> {loop.result}) {
  loop.for serial %h in 12 {
    loop.for serial %i in 64 {
      loop.for vectorize %j in 64 {
        loop.block "M" [%vi: spatial 64, %vj: spatial 64] = (%i, %j)
            reads(%A[%vi : 1, %vj : 1]) writes(%M[%vi : 1, %vj : 1]) {
          %low = arith.constant -1.0e4 : f32
          %a = memref.load %A[%vi, %vj] : memref<64x64xf32>
          %m = arith.mulf %a, %low : f32
          memref.store %m, %M[%vi, %vj] : memref<64x64xf32>
        }
      }
    }
  }
  return
}

// target=x86
// The element-wise chain of sub and mul on a matrix, in one loop over tiles. The tiles divide the row evenly, but the
// extents of the inner loops are the minimum of 16 and the rest of the row.
func.func @sub_mul(%A: memref<64x128xf32>, %B: memref<64x128xf32>, %C: memref<64x128xf32> {loop.result}) {
  loop.for serial %a in 1 {
    loop.for serial %b in 512 {
      loop.for vectorize %c in min affine_map<(d0) -> (16, -(d0 mod 8) * 16 + 128)>(%b) {
        loop.block "C" [%i: spatial 64, %j: spatial 128] = (%b floordiv 8, (%b mod 8) * 16 + %c)
            reads(%A[%i : 1, %j : 1], %B[%i : 1, %j : 1]) writes(%C[%i : 1, %j : 1]) {
          %x = memref.load %A[%i, %j] : memref<64x128xf32>
          %y = memref.load %B[%i, %j] : memref<64x128xf32>
          %d = arith.subf %x, %y : f32
          %m = arith.mulf %d, %y : f32
          memref.store %m, %C[%i, %j] : memref<64x128xf32>
        }
      }
    }
  }
  return
}

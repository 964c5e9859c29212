// target=x86
// A matrix is transposed in tiles of 16 rows of 16 elements. With the pass the tiles are read by rows,
// instead of element by element.
func.func @main(%x: memref<32x64xf32>, %y: memref<64x32xf32> {loop.result}) {
  loop.for serial %i in 4 {
    loop.for serial %j in 2 {
      loop.for unroll %r in 16 {
        loop.for vectorize %l in 16 {
          loop.block "y" [%vi: spatial 64, %vj: spatial 32] = (%i * 16 + %r, %j * 16 + %l)
              reads(%x[%vj : 1, %vi : 1]) writes(%y[%vi : 1, %vj : 1]) {
            %a = memref.load %x[%vj, %vi] : memref<32x64xf32>
            memref.store %a, %y[%vi, %vj] : memref<64x32xf32>
          }
        }
      }
    }
  }
  return
}

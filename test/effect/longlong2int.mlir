// target=nvptx
// A residual connection on tokens of a batch whose sizes are known at run time only: each thread takes every 32nd
// element of a row. With the pass the loop counts, compares and divides with 32 bits, wherever the sizes fit.
func.func @residual(%x: memref<?x?xf32>, %r: memref<?x?xf32>, %y: memref<?x?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  loop.for thread_bind[blockIdx.x] %i in %m {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 32)>()[%n] {
        loop.block "y" [%vi: spatial %m, %vj: spatial %n] = (%i, %k * 32 + %t) where (%n - %k * 32 - %t - 1 >= 0)
            reads(%x[%vi : 1, %vj : 1], %r[%vi : 1, %vj : 1]) writes(%y[%vi : 1, %vj : 1]) {
          %a = memref.load %x[%vi, %vj] : memref<?x?xf32>
          %b = memref.load %r[%vi, %vj] : memref<?x?xf32>
          %s = arith.addf %a, %b : f32
          memref.store %s, %y[%vi, %vj] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

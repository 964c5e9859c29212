// C = A * B, of dynamic sizes.
func.func @matmul(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %l = memref.dim %A, %c1 : memref<?x?xf32>
  %n = memref.dim %C, %c1 : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.for serial %k in %l {
        loop.block "C" [%vi: spatial %m, %vj: spatial %n, %vk: reduce %l] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          loop.init { memref.store %zero, %C[%vi, %vj] : memref<?x?xf32> }
          %a = memref.load %A[%vi, %vk] : memref<?x?xf32>
          %b = memref.load %B[%vk, %vj] : memref<?x?xf32>
          %c = memref.load %C[%vi, %vj] : memref<?x?xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

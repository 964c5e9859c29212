// target=nvptx
// A row sum, as for a mean or a normalization: the threads of a block reduce a row together. Without the
// pass this reduction cannot be lowered to a kernel.
func.func @row_sum(%A: memref<?x?xf32>, %B: memref<?xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for thread_bind[blockIdx.x] %i in %m {
    loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 256)>()[%n] {
      loop.for thread_bind[threadIdx.x] %k.1 in 256 {
        loop.block "B" [%v: spatial %m, %w: reduce %n] = (%i, %k.0 * 256 + %k.1) where (%n - %k.0 * 256 - %k.1 - 1 >= 0)
            reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<?xf32>
          }
          %x = memref.load %B[%v] : memref<?xf32>
          %a = memref.load %A[%v, %w] : memref<?x?xf32>
          %s = arith.addf %x, %a : f32
          memref.store %s, %B[%v] : memref<?xf32>
        }
      }
    }
  }
  return
}

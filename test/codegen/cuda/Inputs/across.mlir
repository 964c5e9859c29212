// Cross-thread reductions of a block.

// Over a number of columns that may be 0, by 24 threads.
func.func @row_sum_across(%A: memref<?x?xf32>, %B: memref<?xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for thread_bind[blockIdx.x] %i in %m {
    loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 24)>()[%n] {
      loop.for thread_bind[threadIdx.x] %k.1 in 24 {
        loop.block "B" [%v: spatial %m, %w: reduce %n] = (%i, %k.0 * 24 + %k.1) where (%n - %k.0 * 24 - %k.1 - 1 >= 0)
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

// The largest product of a row of A and a number of it, for two rows at once.
func.func @row_max_across(%A: memref<10x33xf32>, %B: memref<10xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i.0 in 5 {
    loop.for thread_bind[threadIdx.y] %i.1 in 2 {
      loop.for thread_bind[threadIdx.x] %k in 33 {
        loop.block "B" [%v: spatial 10, %w: reduce 33] = (%i.0 * 2 + %i.1, %k)
            reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1]) reducer(max, 0xFF800000) {
          loop.init {
            %lowest = arith.constant 0xFF800000 : f32
            memref.store %lowest, %B[%v] : memref<10xf32>
          }
          %x = memref.load %B[%v] : memref<10xf32>
          %a = memref.load %A[%v, %w] : memref<10x33xf32>
          %s = arith.maximumf %x, %a : f32
          memref.store %s, %B[%v] : memref<10xf32>
        }
      }
    }
  }
  return
}

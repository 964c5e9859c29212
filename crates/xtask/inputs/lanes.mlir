// Threads that reduce one value each, as lanes of warps.
func.func @row_sum(%A: memref<?x64xi32>, %B: memref<?xi32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %A, %c0 : memref<?x64xi32>
  loop.for thread_bind[blockIdx.x] %i in %m {
    loop.for thread_bind[threadIdx.x] %k in 64 {
      loop.block "B" [%v: spatial %m, %w: reduce 64] = (%i, %k) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<?xi32>
        }
        %x = memref.load %B[%v] : memref<?xi32>
        %a = memref.load %A[%v, %w] : memref<?x64xi32>
        %s = arith.addi %x, %a : i32
        memref.store %s, %B[%v] : memref<?xi32>
      }
    }
  }
  return
}

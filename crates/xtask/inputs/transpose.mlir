// A tile of shared memory is written by rows and read by columns.
func.func @transpose(%A: memref<16x16xf32>, %B: memref<16x16xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<16x16xf32>
  loop.for thread_bind[threadIdx.x] %t in 16 {
    loop.for serial %k in 16 {
      loop.block "S" [%v: spatial 16, %w: spatial 16] = (%k, %t) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x16xf32>
        memref.store %a, %S[%v, %w] : memref<16x16xf32>
      }
    }
    loop.sync
    loop.for serial %k in 16 {
      loop.block "B" [%v: spatial 16, %w: spatial 16] = (%k, %t) reads(%S[%w : 1, %v : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %S[%w, %v] : memref<16x16xf32>
        memref.store %a, %B[%v, %w] : memref<16x16xf32>
      }
    }
  }
  return
}

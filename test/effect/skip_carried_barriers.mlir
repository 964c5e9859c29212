// target=nvptx
// Four rows are copied through one shared buffer, in a loop that LLVM unrolls. After the last row no
// thread writes the buffer again, so the last barrier is not needed.
func.func @reversed(%A: memref<4x64xf32>, %B: memref<4x64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for serial %k in 4 {
      loop.block "S" [%u: spatial 4, %v: spatial 64] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%u, %v] : memref<4x64xf32>
        memref.store %a, %S[%v] : memref<64xf32>
      }
      loop.sync
      loop.block "B" [%u: spatial 4, %v: spatial 64] = (%k, %t) reads(%S[63 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
        %i = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
        %a = memref.load %S[%i] : memref<64xf32>
        memref.store %a, %B[%u, %v] : memref<4x64xf32>
      }
      loop.sync
    }
  }
  return
}

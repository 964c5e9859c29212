// target=nvptx
// Threads scale a row in shared memory. Each thread reads only elements that it has written, so the
// barriers around the copy separate no conflicting accesses.
func.func @scaled(%A: memref<64x256xf32>, %B: memref<64x256xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<256xf32>
  loop.for thread_bind[blockIdx.x] %b in 64 {
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.block "S" [%u: spatial 64, %v: spatial 256] = (%b, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%u, %v] : memref<64x256xf32>
        memref.store %a, %S[%v] : memref<256xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.block "B" [%u: spatial 64, %v: spatial 256] = (%b, %t) reads(%S[%v : 1]) writes(%B[%u : 1, %v : 1]) {
        %a = memref.load %S[%v] : memref<256xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %B[%u, %v] : memref<64x256xf32>
      }
    }
    loop.sync
  }
  return
}

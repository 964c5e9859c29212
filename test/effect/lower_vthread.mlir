// target=nvptx
// Row sums of a matrix, four rows per thread: the sums are independent, and the pass interleaves them.
func.func @rows(%A: memref<512x64xf32>, %B: memref<512xf32> {loop.result}) {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[vthread] %y in 4 {
      loop.for thread_bind[threadIdx.x] %t in 128 {
        loop.for serial %k in 64 {
          loop.block "S" [%v: spatial 512, %z: spatial 1, %r: reduce 64] = (%y * 128 + %t, 0, %k)
              reads(%A[%v : 1, %r : 1]) writes(%L[%z : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %L[%z] : memref<1xf32>
            }
            %x = memref.load %L[%z] : memref<1xf32>
            %a = memref.load %A[%v, %r] : memref<512x64xf32>
            %s = arith.addf %x, %a : f32
            memref.store %s, %L[%z] : memref<1xf32>
          }
        }
        loop.block "B" [%v: spatial 512] = (%y * 128 + %t) reads(%L[0 : 1]) writes(%B[%v : 1]) {
          %c0 = arith.constant 0 : index
          %x = memref.load %L[%c0] : memref<1xf32>
          memref.store %x, %B[%v] : memref<512xf32>
        }
      }
    }
  }
  return
}


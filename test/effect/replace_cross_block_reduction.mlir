// target=nvptx
// The sum of all elements, as for a loss: 64 thread blocks reduce together. Without the pass this
// reduction cannot be lowered to a kernel.
func.func @sum(%A: memref<1000000xf32>, %B: memref<1xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %k.0 in 64 {
    loop.for serial %k.1 in 62 {
      loop.for thread_bind[threadIdx.x] %k.2 in 256 {
        loop.block "B" [%v: spatial 1, %w: reduce 1000000] = (0, %k.0 * 15872 + %k.1 * 256 + %k.2)
            where (%k.0 * -15872 - %k.1 * 256 - %k.2 + 999999 >= 0)
            reads(%A[%w : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<1xf32>
          }
          %x = memref.load %B[%v] : memref<1xf32>
          %a = memref.load %A[%w] : memref<1000000xf32>
          %s = arith.addf %x, %a : f32
          memref.store %s, %B[%v] : memref<1xf32>
        }
      }
    }
  }
  return
}

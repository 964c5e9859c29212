// target=x86
// A row of a matmul whose contract permits one rounding for a multiplication and an addition.
func.func @row(%A: memref<256xf32>, %B: memref<256x64xf32>, %C: memref<64xf32> {loop.result}) attributes {loop.fp = "fast"} {
  loop.for serial %k in 256 {
    loop.for vectorize %j in 64 {
      loop.block "C" [%vj: spatial 64, %vk: reduce 256] = (%j, %k)
          reads(%A[%vk : 1], %B[%vk : 1, %vj : 1], %C[%vj : 1]) writes(%C[%vj : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %C[%vj] : memref<64xf32>
        }
        %a = memref.load %A[%vk] : memref<256xf32>
        %b = memref.load %B[%vk, %vj] : memref<256x64xf32>
        %c = memref.load %C[%vj] : memref<64xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        memref.store %s, %C[%vj] : memref<64xf32>
      }
    }
  }
  return
}

func.func @main(%A: memref<10x4xf32> {loop.name = "A"}, %B: memref<4x6xf32> {loop.name = "B"}, %C: memref<10x6xf32> {loop.name = "C"}) {
  loop.for serial %i in 10 {
    loop.for serial %j in 6 {
      loop.for serial %k in 4 {
        loop.block "C" [%vi: spatial 10, %vj: spatial 6, %vk: reduce 4] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1])
            reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<10x6xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<10x4xf32>
          %b = memref.load %B[%vk, %vj] : memref<4x6xf32>
          %c = memref.load %C[%vi, %vj] : memref<10x6xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<10x6xf32>
        }
      }
    }
  }
  return
}

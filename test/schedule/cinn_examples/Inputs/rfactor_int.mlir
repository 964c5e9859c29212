func.func @main(%A: memref<32x2x16xi32> {loop.name = "A"}, %B: memref<32xi32> {loop.name = "B", loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j0 in 2 {
      loop.for serial %k0 in 16 {
        loop.block "B" [%i0: spatial 32, %i1: reduce 2, %i2: reduce 16] = (%i, %j0, %k0)
            reads(%A[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1]) reducer(add, 0) {
          %zero = arith.constant 0 : i32
          loop.init { memref.store %zero, %B[%i0] : memref<32xi32> }
          %b = memref.load %B[%i0] : memref<32xi32>
          %a = memref.load %A[%i0, %i1, %i2] : memref<32x2x16xi32>
          %s = arith.addi %b, %a : i32
          memref.store %s, %B[%i0] : memref<32xi32>
        }
      }
    }
  }
  return
}

// A buffer that is computed from a weight, read, and computed again.
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @overwritten(%B: memref<2x4xf32> {loop.result}) {
  %w = memref.get_global @w : memref<4xf32>
  %t = loop.buffer "t" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "one" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%t[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      memref.store %x, %t[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "read_one" [%v: spatial 4] = (%i) reads(%t[%v : 1]) writes(%B[0 : 1, %v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %t[%v] : memref<4xf32>
      memref.store %x, %B[%c0, %v] : memref<2x4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "two" [%v: spatial 4] = (%i) reads(%w[%v : 1]) writes(%t[%v : 1]) {
      %x = memref.load %w[%v] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %t[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "read_two" [%v: spatial 4] = (%i) reads(%t[%v : 1]) writes(%B[1 : 1, %v : 1]) {
      %c1 = arith.constant 1 : index
      %x = memref.load %t[%v] : memref<4xf32>
      memref.store %x, %B[%c1, %v] : memref<2x4xf32>
    }
  }
  return
}

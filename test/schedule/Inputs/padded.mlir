func.func @main(%A: memref<6xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v - 1 : 1]) writes(%B[%v : 1]) {
      %x = loop.if (%v - 1 >= 0, -%v + 6 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

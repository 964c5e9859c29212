// Three nests are equal up to their buffers; the fourth reads one buffer twice.
func.func @layers(%A: memref<4xf32> {loop.name = "A"}, %C: memref<4xf32> {loop.name = "C"}, %B: memref<4xf32> {loop.name = "B", loop.result}, %D: memref<4xf32> {loop.name = "D", loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  %U = loop.buffer "U" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "one" [%v: spatial 4] = (%i) reads(%A[%v : 1], %C[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      %y = memref.load %C[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %T[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "two" [%v: spatial 4] = (%i) reads(%T[%v : 1], %C[%v : 1]) writes(%U[%v : 1]) {
      %x = memref.load %T[%v] : memref<4xf32>
      %y = memref.load %C[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %U[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "three" [%v: spatial 4] = (%i) reads(%U[%v : 1], %T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %U[%v] : memref<4xf32>
      %y = memref.load %T[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %B[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "square" [%v: spatial 4] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %C[%v] : memref<4xf32>
      %y = memref.load %C[%v] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      %s = arith.addf %z, %y : f32
      %t = arith.addf %s, %x : f32
      memref.store %t, %D[%v] : memref<4xf32>
    }
  }
  return
}

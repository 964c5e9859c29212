func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  loop.for vectorize %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) reads(%a[%v : 1]) writes(%b[%v : 1]) {
      %x = memref.load %a[%v] : memref<?xf32>
      memref.store %x, %b[%v] : memref<?xf32>
    }
  }
  return
}

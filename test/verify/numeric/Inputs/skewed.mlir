func.func @main(%A: memref<?x?xf32> {loop.name = "A"}) {
  affine.for %i = 1 to 12 {
    affine.for %j = 0 to 11 {
      %x = affine.load %A[%i - 1, %j + 1] : memref<?x?xf32>
      affine.store %x, %A[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

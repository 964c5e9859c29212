// Tiles of 4 of 10 elements.
func.func @tiles(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"}) {
  loop.for serial %i.0 in 3 {
    loop.for serial %i.1 in 4 {
      loop.block "B" [%vi: spatial 10] = (%i.0 * 4 + %i.1) where(%i.0 * -4 - %i.1 + 9 >= 0)
          reads(%A[%vi : 1]) writes(%B[%vi : 1]) {
        %a = memref.load %A[%vi] : memref<10xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%vi] : memref<10xf32>
      }
    }
  }
  return
}

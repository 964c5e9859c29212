// The first iteration of %t fills the buffer, both read it.
func.func @filled_once(%A: memref<8xf32> {loop.name = "A"}, %B: memref<2x8xf32> {loop.name = "B"}) {
  %F = loop.buffer "F" scope(global) : memref<8xf32>
  loop.for serial %t in 2 {
    loop.for serial %i in 8 {
      loop.if (%t == 0) {
        loop.block "F" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%F[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %F[%v] : memref<8xf32>
        }
      }
      loop.block "B" [%u: spatial 2, %v: spatial 8] = (%t, %i) reads(%F[%v : 1]) writes(%B[%u : 1, %v : 1]) {
        %f = memref.load %F[%v] : memref<8xf32>
        memref.store %f, %B[%u, %v] : memref<2x8xf32>
      }
    }
  }
  return
}

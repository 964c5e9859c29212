// target=nvptx
// The elements of a filter are permuted: each thread splits the indices of its elements by divisions in a
// loop. With 64-bit indices the loop counts and divides in pairs of registers, although all values fit in 32 bits.
func.func @reorder(%x: memref<7x9x33xf32>, %y: memref<2079xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.for serial %k in 65 {
      loop.block "y" [%v: spatial 2079] = (%k * 32 + %t) where (%k * -32 - %t + 2078 >= 0)
          reads(%x[*, *, *]) writes(%y[%v : 1]) {
        %a = affine.apply affine_map<(d0) -> (d0 mod 7)>(%v)
        %b = affine.apply affine_map<(d0) -> ((d0 floordiv 7) mod 9)>(%v)
        %c = affine.apply affine_map<(d0) -> (d0 floordiv 63)>(%v)
        %e = memref.load %x[%a, %b, %c] : memref<7x9x33xf32>
        memref.store %e, %y[%v] : memref<2079xf32>
      }
    }
  }
  return
}

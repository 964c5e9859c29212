// target=x86
// The first row of the scores of each head is masked, in a loop over all rows and columns that was split
// twice. Without the pass there is one test for each part of the split index.
func.func @mask(%A: memref<12x4096xf32>, %B: memref<12x4096xf32> {loop.result}) {
  loop.for serial %h in 12 {
    loop.for serial %i in 4096 {
      loop.if (%i floordiv 64 == 0) {
        loop.if ((%i mod 64) floordiv 8 == 0, %i mod 8 == 0) {
          loop.block "B" [%vh: spatial 12, %vi: spatial 4096] = (%h, %i)
              reads(%A[%vh : 1, %vi : 1]) writes(%B[%vh : 1, %vi : 1]) {
            %a = memref.load %A[%vh, %vi] : memref<12x4096xf32>
            memref.store %a, %B[%vh, %vi] : memref<12x4096xf32>
          }
        }
      }
    }
  }
  return
}

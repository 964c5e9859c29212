// target=nvptx
// A row of attention weights whose length is known only at run time but bounded by a condition. The bound
// gives the row a static size, which shared memory requires.
func.func @rows(%A: memref<4x?xf32>, %B: memref<4x?xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<4x?xf32>
  %S = loop.buffer "S" scope(shared) (%n) : memref<?xf32>
  loop.if (-symbol(%n) + 128 >= 0) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for serial %k in %n {
      loop.block "S" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x?xf32>
        memref.store %a, %S[%w] : memref<?xf32>
      }
    }
    loop.for serial %k in %n {
      loop.block "B" [%v: spatial 4, %w: spatial %n] = (%b, %k)
          reads(%S[symbol(%n) - %w - 1 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%w)[%n]
        %a = memref.load %S[%i] : memref<?xf32>
        memref.store %a, %B[%v, %w] : memref<4x?xf32>
      }
    }
  }
  }
  return
}

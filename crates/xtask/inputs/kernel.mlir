// Three shared buffers, with barriers between their uses.
func.func @twice(%A: memref<4x32xf32>, %B: memref<4x32xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<32xf32>
  %T = loop.buffer "T" scope(shared) : memref<32xf32>
  %U = loop.buffer "U" scope(shared) : memref<32xf32>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "S" [%v: spatial 4, %w: spatial 32] = (%b, %t) reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x32xf32>
        memref.store %a, %S[%w] : memref<32xf32>
      }
      loop.sync
      loop.block "T" [%w: spatial 32] = (%t) reads(%S[-%w + 31 : 1]) writes(%T[%w : 1]) {
        %i = affine.apply affine_map<(d0) -> (-d0 + 31)>(%w)
        %a = memref.load %S[%i] : memref<32xf32>
        %n = arith.negf %a : f32
        memref.store %n, %T[%w] : memref<32xf32>
      }
      loop.sync
      loop.block "U" [%w: spatial 32] = (%t) reads(%T[(%w + 5) mod 32 : 1]) writes(%U[%w : 1]) {
        %i = affine.apply affine_map<(d0) -> ((d0 + 5) mod 32)>(%w)
        %a = memref.load %T[%i] : memref<32xf32>
        memref.store %a, %U[%w] : memref<32xf32>
      }
      loop.sync
      loop.block "B" [%v: spatial 4, %w: spatial 32] = (%b, %t) reads(%U[(%w + 9) mod 32 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i = affine.apply affine_map<(d0) -> ((d0 + 9) mod 32)>(%w)
        %a = memref.load %U[%i] : memref<32xf32>
        memref.store %a, %B[%v, %w] : memref<4x32xf32>
      }
    }
  }
  return
}

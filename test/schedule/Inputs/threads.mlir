// Threads with a barrier, virtual threads, and a parallel loop in a serial one.
func.func @main(%A: memref<8xf32>, %C: memref<16xf32>, %D: memref<4x6xf32>, %E: memref<6xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<4xf32>
  %L = loop.buffer "L" scope(local) : memref<2xf32>
  loop.for thread_bind[blockIdx.x] %b in 2 {
    loop.for thread_bind[threadIdx.x] %t in 4 {
      loop.block "S" [%v: spatial 4, %w: spatial 2] = (%t, %b)
          reads(%A[%w * 4 + %v : 1]) writes(%S[%v : 1]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%w, %v)
        %a = memref.load %A[%at] : memref<8xf32>
        memref.store %a, %S[%v] : memref<4xf32>
      }
      loop.sync
      loop.for serial %r in 2 {
        loop.block "L" [%v: spatial 2, %w: spatial 4] = (%r, %t)
            reads(%S[-%w + 3 : 1]) writes(%L[%v : 1]) {
          %back = affine.apply affine_map<(d0) -> (3 - d0)>(%w)
          %s = memref.load %S[%back] : memref<4xf32>
          memref.store %s, %L[%v] : memref<2xf32>
        }
      }
      loop.for serial %r in 2 {
        loop.block "C" [%u: spatial 2, %v: spatial 2, %w: spatial 4] = (%b, %r, %t)
            reads(%L[%v : 1]) writes(%C[%u * 8 + %v * 4 + %w : 1]) {
          %at = affine.apply affine_map<(d0, d1, d2) -> (d0 * 8 + d1 * 4 + d2)>(%u, %v, %w)
          %l = memref.load %L[%v] : memref<2xf32>
          memref.store %l, %C[%at] : memref<16xf32>
        }
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for parallel %p in 6 {
      loop.block "D" [%v: spatial 4, %w: spatial 6] = (%i, %p) writes(%D[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %D[%v, %w] : memref<4x6xf32>
      }
    }
  }
  loop.for serial %i in 6 {
    loop.for parallel %p in 6 {
      loop.block "E" [%v: spatial 6] = ((%i + %p) mod 6) reads(%E[%v : 1]) writes(%E[%v : 1]) {
        %e = memref.load %E[%v] : memref<6xf32>
        %s = arith.addf %e, %e : f32
        memref.store %s, %E[%v] : memref<6xf32>
      }
    }
  }
  return
}

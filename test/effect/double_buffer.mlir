// target=nvptx
// A matmul in tiles of 8 by 8 by 4 with double-buffered copies in shared memory: one barrier per tile instead of two.
// (LLVM unrolls the loop.)
func.func @double_buffered(%A: memref<16x32xf32>, %B: memref<32x16xf32>, %C: memref<16x16xf32>) {
  %As = loop.buffer "As" scope(shared) : memref<8x4xf32>
  %Bs = loop.buffer "Bs" scope(shared) : memref<4x8xf32>
  loop.for thread_bind[blockIdx.y] %by in 2 {
    loop.for thread_bind[blockIdx.x] %bx in 2 {
      loop.for serial %k.0 in 8 {
        loop.for thread_bind[threadIdx.y] %ty in 8 {
          loop.for thread_bind[threadIdx.x] %tx in 8 {
            loop.block "As" [%y: spatial 2, %k: spatial 8, %v: spatial 8, %w: spatial 4] = (%by, %k.0, %ty, %tx)
                where(-%tx + 3 >= 0) reads(%A[%y * 8 + %v : 1, %k * 4 + %w : 1]) writes(%As[%v : 1, %w : 1])
                attributes {loop.annotations = {double_buffer_scope = 0}} {
              %0 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%y, %v)
              %1 = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %w)
              %a = memref.load %A[%0, %1] : memref<16x32xf32>
              memref.store %a, %As[%v, %w] : memref<8x4xf32>
            }
          }
        }
        loop.for thread_bind[threadIdx.y] %ty in 8 {
          loop.for thread_bind[threadIdx.x] %tx in 8 {
            loop.block "Bs" [%x: spatial 2, %k: spatial 8, %v: spatial 4, %w: spatial 8] = (%bx, %k.0, %ty, %tx)
                where(-%ty + 3 >= 0) reads(%B[%k * 4 + %v : 1, %x * 8 + %w : 1]) writes(%Bs[%v : 1, %w : 1])
                attributes {loop.annotations = {double_buffer_scope = 0}} {
              %0 = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %v)
              %1 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%x, %w)
              %b = memref.load %B[%0, %1] : memref<32x16xf32>
              memref.store %b, %Bs[%v, %w] : memref<4x8xf32>
            }
          }
        }
        loop.sync
        loop.for thread_bind[threadIdx.y] %ty in 8 {
          loop.for thread_bind[threadIdx.x] %tx in 8 {
            loop.for serial %k.1 in 4 {
              loop.block "C" [%y: spatial 2, %x: spatial 2, %vi: spatial 8, %vj: spatial 8, %vk: reduce 8, %vl: reduce 4] =
                  (%by, %bx, %ty, %tx, %k.0, %k.1)
                  reads(%As[%vi : 1, %vl : 1], %Bs[%vl : 1, %vj : 1]) writes(%C[%y * 8 + %vi : 1, %x * 8 + %vj : 1])
                  reducer(add, 0.0) {
                loop.init {
                  %0 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%y, %vi)
                  %1 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%x, %vj)
                  %zero = arith.constant 0.0 : f32
                  memref.store %zero, %C[%0, %1] : memref<16x16xf32>
                }
                %0 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%y, %vi)
                %1 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%x, %vj)
                %a = memref.load %As[%vi, %vl] : memref<8x4xf32>
                %b = memref.load %Bs[%vl, %vj] : memref<4x8xf32>
                %p = arith.mulf %a, %b : f32
                %c = memref.load %C[%0, %1] : memref<16x16xf32>
                %s = arith.addf %c, %p : f32
                memref.store %s, %C[%0, %1] : memref<16x16xf32>
              }
            }
          }
        }
        loop.sync
      }
    }
  }
  return
}

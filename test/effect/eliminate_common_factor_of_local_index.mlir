// target=nvptx
// A 1 x 1 convolution with stride 2, as in a downsampling layer of a residual network. Each thread copies
// every second pixel of its row, for all channels, to a local buffer. Without the pass the buffer also has room for the
// pixels between them.
func.func @downsample(%A: memref<16x8x32xf32>, %W: memref<16x8xf32>, %C: memref<16x16x16xf32> {loop.result}) {
  %P = loop.buffer "P" scope(local) : memref<8x32xf32>
  loop.for thread_bind[blockIdx.x] %b in 16 {
    loop.for thread_bind[threadIdx.x] %t in 16 {
      loop.for serial %c in 8 {
        loop.for serial %x in 16 {
          loop.block "P" [%vb: spatial 16, %vc: spatial 8, %vx: spatial 16] = (%b, %c, %x)
              reads(%A[%vb : 1, %vc : 1, %vx * 2 : 1]) writes(%P[%vc : 1, %vx * 2 : 1]) {
            %w = affine.apply affine_map<(d0) -> (d0 * 2)>(%vx)
            %a = memref.load %A[%vb, %vc, %w] : memref<16x8x32xf32>
            memref.store %a, %P[%vc, %w] : memref<8x32xf32>
          }
        }
      }
      loop.for serial %x in 16 {
        loop.for serial %c in 8 {
          loop.block "C" [%vb: spatial 16, %vo: spatial 16, %vx: spatial 16, %vc: reduce 8] = (%b, %t, %x, %c)
              reads(%P[%vc : 1, %vx * 2 : 1], %W[%vo : 1, %vc : 1]) writes(%C[%vb : 1, %vo : 1, %vx : 1])
              reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %C[%vb, %vo, %vx] : memref<16x16x16xf32>
            }
            %w = affine.apply affine_map<(d0) -> (d0 * 2)>(%vx)
            %p = memref.load %P[%vc, %w] : memref<8x32xf32>
            %f = memref.load %W[%vo, %vc] : memref<16x8xf32>
            %o = memref.load %C[%vb, %vo, %vx] : memref<16x16x16xf32>
            %m = arith.mulf %p, %f : f32
            %s = arith.addf %o, %m : f32
            memref.store %s, %C[%vb, %vo, %vx] : memref<16x16x16xf32>
          }
        }
      }
    }
  }
  return
}

// target=nvptx
// The keys of twelve attention heads are transposed in tiles through shared memory, so that global memory is accessed
// by rows. Tiles are written by rows and read by columns: without the pass all lanes of a warp read from one bank.
func.func @heads(%K: memref<12x64x64xf32>, %T: memref<12x64x64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<32x32xf32>
  loop.for thread_bind[blockIdx.x] %h in 12 {
    loop.for thread_bind[blockIdx.y] %i in 2 {
      loop.for thread_bind[blockIdx.z] %j in 2 {
        loop.for thread_bind[threadIdx.y] %y in 8 {
          loop.for thread_bind[threadIdx.x] %x in 32 {
            loop.for serial %k in 4 {
              loop.block "S" [%v: spatial 12, %r: spatial 64, %c: spatial 64] = (%h, %i * 32 + %k * 8 + %y, %j * 32 + %x)
                  reads(%K[%v : 1, %r : 1, %c : 1]) writes(%S[%r mod 32 : 1, %c mod 32 : 1]) {
                %a = memref.load %K[%v, %r, %c] : memref<12x64x64xf32>
                %p = affine.apply affine_map<(d0) -> (d0 mod 32)>(%r)
                %q = affine.apply affine_map<(d0) -> (d0 mod 32)>(%c)
                memref.store %a, %S[%p, %q] : memref<32x32xf32>
              }
            }
            loop.sync
            loop.for serial %k in 4 {
              loop.block "T" [%v: spatial 12, %c: spatial 64, %r: spatial 64] = (%h, %j * 32 + %k * 8 + %y, %i * 32 + %x)
                  reads(%S[%r mod 32 : 1, %c mod 32 : 1]) writes(%T[%v : 1, %c : 1, %r : 1]) {
                %p = affine.apply affine_map<(d0) -> (d0 mod 32)>(%r)
                %q = affine.apply affine_map<(d0) -> (d0 mod 32)>(%c)
                %a = memref.load %S[%p, %q] : memref<32x32xf32>
                memref.store %a, %T[%v, %c, %r] : memref<12x64x64xf32>
              }
            }
          }
        }
      }
    }
  }
  return
}

// target=nvptx
// RMS normalization in place, one row per thread block: the sum of squares reads the elements of x that the last
// statement scales. Since x is written and the kernel has a barrier, LLVM may not reuse loaded values: 16 loads
// of x per thread without the pass, 8 with it.
func.func @rms_norm(%x: memref<4x1024xf32> {loop.name = "x", loop.result}, %w: memref<1024xf32> {loop.name = "w"}) {
  %sum = loop.buffer "sum" scope(local) : memref<1xf32>
  %part = loop.buffer "part" scope(shared) : memref<128xf32>
  %all = loop.buffer "all" scope(local) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.for serial %k in 8 {
        loop.block "sum" [%i: spatial 4, %j: reduce 8, %c: spatial 128] = (%b, %k, %t)
            reads(%x[%i : 1, %j * 128 + %c : 1]) writes(%sum[0 : 1]) reducer(add, 0.0) {
          %c0 = arith.constant 0 : index
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %sum[%c0] : memref<1xf32>
          }
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 128 + d1)>(%j, %c)
          %a = memref.load %x[%i, %at] : memref<4x1024xf32>
          %o = memref.load %sum[%c0] : memref<1xf32>
          %p = arith.mulf %a, %a : f32
          %n = arith.addf %o, %p : f32
          memref.store %n, %sum[%c0] : memref<1xf32>
        }
      }
      loop.block "part" [%c: spatial 128] = (%t) reads(%sum[0 : 1]) writes(%part[%c : 1]) {
        %c0 = arith.constant 0 : index
        %a = memref.load %sum[%c0] : memref<1xf32>
        memref.store %a, %part[%c] : memref<128xf32>
      }
      loop.sync
      loop.for serial %q in 128 {
        loop.block "all" [%j: reduce 128] = (%q) reads(%part[%j : 1]) writes(%all[0 : 1]) reducer(add, 0.0) {
          %c0 = arith.constant 0 : index
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %all[%c0] : memref<1xf32>
          }
          %a = memref.load %part[%j] : memref<128xf32>
          %o = memref.load %all[%c0] : memref<1xf32>
          %n = arith.addf %o, %a : f32
          memref.store %n, %all[%c0] : memref<1xf32>
        }
      }
      loop.for serial %k in 8 {
        loop.block "scale" [%i: spatial 4, %j: spatial 1024] = (%b, %k * 128 + %t)
            reads(%x[%i : 1, %j : 1], %all[0 : 1], %w[%j : 1]) writes(%x[%i : 1, %j : 1]) {
          %c0 = arith.constant 0 : index
          %cells = arith.constant 1024.0 : f32
          %a = memref.load %x[%i, %j] : memref<4x1024xf32>
          %s = memref.load %all[%c0] : memref<1xf32>
          %u = memref.load %w[%j] : memref<1024xf32>
          %mean = arith.divf %s, %cells : f32
          %root = math.sqrt %mean : f32
          %d = arith.divf %a, %root : f32
          %r = arith.mulf %d, %u : f32
          memref.store %r, %x[%i, %j] : memref<4x1024xf32>
        }
      }
    }
  }
  return
}

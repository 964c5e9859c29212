// target=nvptx
// Attention of one head in a thread block: the tile of keys is dead when the tile of values is read. The
// sums of the weights, which all threads use, need a barrier between the two, so both tiles can share memory.
func.func @head(%Q: memref<8x32x16xf32>, %K: memref<8x32x16xf32>, %V: memref<8x32x16xf32>, %Z: memref<8x32xf32> {loop.result}, %O: memref<8x32x16xf32> {loop.result}) {
  %Ks = loop.buffer "Ks" scope(shared) : memref<32x16xf32>
  %P = loop.buffer "P" scope(shared) : memref<32x32xf32>
  %Vs = loop.buffer "Vs" scope(shared) : memref<32x16xf32>
  loop.for thread_bind[blockIdx.x] %b in 8 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.for serial %d in 16 {
        loop.block "Ks" [%v: spatial 8, %r: spatial 32, %c: spatial 16] = (%b, %t, %d)
            reads(%K[%v : 1, %r : 1, %c : 1]) writes(%Ks[%r : 1, %c : 1]) {
          %k = memref.load %K[%v, %r, %c] : memref<8x32x16xf32>
          memref.store %k, %Ks[%r, %c] : memref<32x16xf32>
        }
      }
      loop.sync
      loop.for serial %j in 32 {
        loop.for serial %d in 16 {
          loop.block "P" [%v: spatial 8, %r: spatial 32, %s: spatial 32, %c: reduce 16] = (%b, %t, %j, %d)
              reads(%Q[%v : 1, %r : 1, %c : 1], %Ks[%s : 1, %c : 1]) writes(%P[%s : 1, %r : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %P[%s, %r] : memref<32x32xf32>
            }
            %p = memref.load %P[%s, %r] : memref<32x32xf32>
            %q = memref.load %Q[%v, %r, %c] : memref<8x32x16xf32>
            %k = memref.load %Ks[%s, %c] : memref<32x16xf32>
            %m = arith.mulf %q, %k : f32
            %x = arith.addf %p, %m : f32
            memref.store %x, %P[%s, %r] : memref<32x32xf32>
          }
        }
      }
      loop.sync
      loop.for serial %j in 32 {
        loop.block "Z" [%v: spatial 8, %r: spatial 32, %s: reduce 32] = (%b, %t, %j)
            reads(%P[%r : 1, %s : 1]) writes(%Z[%v : 1, %r : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %Z[%v, %r] : memref<8x32xf32>
          }
          %z = memref.load %Z[%v, %r] : memref<8x32xf32>
          %p = memref.load %P[%r, %s] : memref<32x32xf32>
          %x = arith.addf %z, %p : f32
          memref.store %x, %Z[%v, %r] : memref<8x32xf32>
        }
      }
      loop.for serial %d in 16 {
        loop.block "Vs" [%v: spatial 8, %r: spatial 32, %c: spatial 16] = (%b, %t, %d)
            reads(%V[%v : 1, %r : 1, %c : 1]) writes(%Vs[%r : 1, %c : 1]) {
          %k = memref.load %V[%v, %r, %c] : memref<8x32x16xf32>
          memref.store %k, %Vs[%r, %c] : memref<32x16xf32>
        }
      }
      loop.sync
      loop.for serial %d in 16 {
        loop.for serial %j in 32 {
          loop.block "O" [%v: spatial 8, %r: spatial 32, %c: spatial 16, %s: reduce 32] = (%b, %t, %d, %j)
              reads(%P[%r : 1, %s : 1], %Vs[%s : 1, %c : 1]) writes(%O[%v : 1, %r : 1, %c : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %O[%v, %r, %c] : memref<8x32x16xf32>
            }
            %o = memref.load %O[%v, %r, %c] : memref<8x32x16xf32>
            %p = memref.load %P[%r, %s] : memref<32x32xf32>
            %k = memref.load %Vs[%s, %c] : memref<32x16xf32>
            %m = arith.mulf %p, %k : f32
            %x = arith.addf %o, %m : f32
            memref.store %x, %O[%v, %r, %c] : memref<8x32x16xf32>
          }
        }
      }
    }
  }
  return
}

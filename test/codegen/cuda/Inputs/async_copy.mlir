// Sums of rows in reverse: each row is copied to shared memory while the previous one is added.
func.func @main(%A: memref<8x512xf32> {loop.name = "A"}, %B: memref<512xf32> {loop.name = "B", loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<2x512xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.for vectorize %l in 4 {
        loop.block "first" [%vk: spatial 8, %v: spatial 512] = (0, %t * 4 + %l)
            reads(%A[%vk : 1, %v : 1]) writes(%S[0 : 1, %v : 1]) attributes {loop.annotations = {async_copy = true}} {
          %zero = arith.constant 0 : index
          %a = memref.load %A[%vk, %v] : memref<8x512xf32>
          memref.store %a, %S[%zero, %v] : memref<2x512xf32>
        }
      }
    }
    loop.sync
    loop.for serial %k in 7 {
      loop.for thread_bind[threadIdx.x] %t in 128 {
        loop.for vectorize %l in 4 {
          loop.block "next" [%vk: spatial 8, %v: spatial 512, %to: spatial 2] = (%k + 1, %t * 4 + %l, (%k + 1) mod 2)
              reads(%A[%vk : 1, %v : 1]) writes(%S[%to : 1, %v : 1]) attributes {loop.annotations = {async_copy = true}} {
            %a = memref.load %A[%vk, %v] : memref<8x512xf32>
            memref.store %a, %S[%to, %v] : memref<2x512xf32>
          }
        }
      }
      loop.for thread_bind[threadIdx.x] %t in 128 {
        loop.for serial %l in 4 {
          loop.block "add" [%vk: reduce 7, %v: spatial 512, %from: reduce 2] = (%k, %t * 4 + %l, %k mod 2)
              reads(%S[%from : 1, -%v + 511 : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %B[%v] : memref<512xf32>
            }
            %at = affine.apply affine_map<(d0) -> (511 - d0)>(%v)
            %s = memref.load %S[%from, %at] : memref<2x512xf32>
            %o = memref.load %B[%v] : memref<512xf32>
            %r = arith.addf %o, %s : f32
            memref.store %r, %B[%v] : memref<512xf32>
          }
        }
      }
      loop.sync
    }
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.for serial %l in 4 {
        loop.block "last" [%v: spatial 512] = (%t * 4 + %l)
            reads(%S[1 : 1, -%v + 511 : 1], %B[%v : 1]) writes(%B[%v : 1]) {
          %one = arith.constant 1 : index
          %at = affine.apply affine_map<(d0) -> (511 - d0)>(%v)
          %s = memref.load %S[%one, %at] : memref<2x512xf32>
          %o = memref.load %B[%v] : memref<512xf32>
          %r = arith.addf %o, %s : f32
          memref.store %r, %B[%v] : memref<512xf32>
        }
      }
    }
  }
  return
}

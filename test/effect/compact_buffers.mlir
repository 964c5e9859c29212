// target=x86
// Softmax of rows, computed row by row in one parallel loop, as in attention: each iteration has private
// buffers for exponentials and sums. An iteration needs one row of exponentials and one sum; without the pass the
// buffers have the size of the tensor.
func.func @softmax(%A: memref<48x96xf32>, %B: memref<48x96xf32> {loop.result}) {
  %M = loop.buffer "M" scope(local) : memref<48xf32>
  %E = loop.buffer "E" scope(local) : memref<48x96xf32>
  %S = loop.buffer "S" scope(local) : memref<48xf32>
  loop.for parallel %i in 48 {
    loop.for serial %k in 96 {
      loop.block "M" [%vi: spatial 48, %vk: reduce 96] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1]) writes(%M[%vi : 1]) reducer(max, 0xFF800000) {
        loop.init {
          %low = arith.constant 0xFF800000 : f32
          memref.store %low, %M[%vi] : memref<48xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<48x96xf32>
        %m = memref.load %M[%vi] : memref<48xf32>
        %x = arith.maximumf %m, %a : f32
        memref.store %x, %M[%vi] : memref<48xf32>
      }
    }
    loop.for serial %j.0 in 12 {
      loop.for vectorize %j.1 in 8 {
        loop.block "E" [%vi: spatial 48, %vj: spatial 96] = (%i, %j.0 * 8 + %j.1)
            reads(%A[%vi : 1, %vj : 1], %M[%vi : 1]) writes(%E[%vi : 1, %vj : 1]) {
          %a = memref.load %A[%vi, %vj] : memref<48x96xf32>
          %m = memref.load %M[%vi] : memref<48xf32>
          %d = arith.subf %a, %m : f32
          %e = math.exp %d : f32
          memref.store %e, %E[%vi, %vj] : memref<48x96xf32>
        }
      }
    }
    loop.for serial %k in 96 {
      loop.block "S" [%vi: spatial 48, %vk: reduce 96] = (%i, %k)
          reads(%E[%vi : 1, %vk : 1]) writes(%S[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%vi] : memref<48xf32>
        }
        %e = memref.load %E[%vi, %vk] : memref<48x96xf32>
        %s = memref.load %S[%vi] : memref<48xf32>
        %x = arith.addf %s, %e : f32
        memref.store %x, %S[%vi] : memref<48xf32>
      }
    }
    loop.for serial %j.0 in 12 {
      loop.for vectorize %j.1 in 8 {
        loop.block "B" [%vi: spatial 48, %vj: spatial 96] = (%i, %j.0 * 8 + %j.1)
            reads(%E[%vi : 1, %vj : 1], %S[%vi : 1]) writes(%B[%vi : 1, %vj : 1]) {
          %e = memref.load %E[%vi, %vj] : memref<48x96xf32>
          %s = memref.load %S[%vi] : memref<48xf32>
          %q = arith.divf %e, %s : f32
          memref.store %q, %B[%vi, %vj] : memref<48x96xf32>
        }
      }
    }
  }
  return
}

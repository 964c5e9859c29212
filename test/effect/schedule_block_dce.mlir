// target=x86
// Batch normalization as in training, which also computes the mean of the batch. Inference uses the running
// mean, so the mean of the batch, and the values that it is computed from, are not read.
func.func @normalize(%X: memref<64x32xf32>, %W: memref<32xf32>, %Y: memref<64x32xf32> {loop.result}) {
  %S = loop.buffer "S" scope(global) : memref<32xf32>
  %M = loop.buffer "M" scope(global) : memref<32xf32>
  loop.for serial %i in 64 {
    loop.for vectorize %j in 32 {
      loop.block "S" [%vj: spatial 32, %vi: reduce 64] = (%j, %i)
          reads(%X[%vi : 1, %vj : 1], %S[%vj : 1]) writes(%S[%vj : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%vj] : memref<32xf32>
        }
        %x = memref.load %X[%vi, %vj] : memref<64x32xf32>
        %s = memref.load %S[%vj] : memref<32xf32>
        %t = arith.addf %s, %x : f32
        memref.store %t, %S[%vj] : memref<32xf32>
      }
    }
  }
  loop.for vectorize %j in 32 {
    loop.block "M" [%vj: spatial 32] = (%j) reads(%S[%vj : 1]) writes(%M[%vj : 1]) {
      %n = arith.constant 64.0 : f32
      %s = memref.load %S[%vj] : memref<32xf32>
      %m = arith.divf %s, %n : f32
      memref.store %m, %M[%vj] : memref<32xf32>
    }
  }
  loop.for serial %i in 64 {
    loop.for vectorize %j in 32 {
      loop.block "Y" [%vi: spatial 64, %vj: spatial 32] = (%i, %j)
          reads(%X[%vi : 1, %vj : 1], %W[%vj : 1]) writes(%Y[%vi : 1, %vj : 1]) {
        %x = memref.load %X[%vi, %vj] : memref<64x32xf32>
        %w = memref.load %W[%vj] : memref<32xf32>
        %y = arith.mulf %x, %w : f32
        memref.store %y, %Y[%vi, %vj] : memref<64x32xf32>
      }
    }
  }
  return
}

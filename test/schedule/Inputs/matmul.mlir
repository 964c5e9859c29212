// T = A * B, then C = max(T, 0), transposed.
func.func @main(%A: memref<6x4xf32>, %B: memref<4x5xf32>, %C: memref<5x6xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x5xf32>
  loop.for serial %i in 6 {
    loop.for serial %j in 5 {
      loop.for serial %k in 4 {
        loop.block "T" [%vi: spatial 6, %vj: spatial 5, %vk: reduce 4] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%T[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %T[%vi, %vj] : memref<6x5xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<6x4xf32>
          %b = memref.load %B[%vk, %vj] : memref<4x5xf32>
          %t = memref.load %T[%vi, %vj] : memref<6x5xf32>
          %m = arith.mulf %a, %b : f32
          %s = arith.addf %t, %m : f32
          memref.store %s, %T[%vi, %vj] : memref<6x5xf32>
        }
      }
    }
  }
  loop.for serial %i in 5 {
    loop.for serial %j in 6 {
      loop.block "C" [%vi: spatial 5, %vj: spatial 6] = (%i, %j)
          reads(%T[%vj : 1, %vi : 1]) writes(%C[%vi : 1, %vj : 1]) {
        %zero = arith.constant 0.0 : f32
        %t = memref.load %T[%vj, %vi] : memref<6x5xf32>
        %c = arith.maximumf %t, %zero : f32
        memref.store %c, %C[%vi, %vj] : memref<5x6xf32>
      }
    }
  }
  return
}

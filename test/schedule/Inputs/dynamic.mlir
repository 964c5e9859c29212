// T = A + A, then B = the sums of its rows; S = T shifted by one row.
func.func @main(%A: memref<?x?xf32>, %B: memref<?xf32>, %S: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  %T = loop.buffer "T" scope(global) (%n, %m) : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "T" [%v: spatial %n, %w: spatial %m] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %t = arith.addf %a, %a : f32
        memref.store %t, %T[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "B" [%v: spatial %n, %vk: reduce %m] = (%i, %k)
          reads(%T[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<?xf32>
        }
        %t = memref.load %T[%v, %vk] : memref<?x?xf32>
        %b = memref.load %B[%v] : memref<?xf32>
        %s = arith.addf %b, %t : f32
        memref.store %s, %B[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %i in affine_map<()[s0] -> (s0 - 1)>()[%n] {
    loop.for serial %j in affine_map<()[s0] -> (s0 - 1)>()[%m] {
      loop.block "S" [%v: spatial %n, %w: spatial %m] = (%i, %j)
          reads(%T[%v + 1 : 1, %w : 1]) writes(%S[%v : 1, %w : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %t = memref.load %T[%next, %w] : memref<?x?xf32>
        memref.store %t, %S[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

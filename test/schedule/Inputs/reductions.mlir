// Reductions of all kinds over a dynamic A: onto existing values, the first maximum of a column and its index, the
// largest number, two values at once, bits, and a sum over two loops with a spatial loop between them.
func.func @main(%A: memref<?x?xf32>, %R: memref<?xf32>, %V: memref<?xf32>, %I: memref<?xi64>, %M: memref<?xf32>,
                %S: memref<?xf32>, %X: memref<?xf32>, %N: memref<?xi64>, %D: memref<?x2xf32>)
    attributes {loop.fp = "reassoc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: spatial %n, %vk: reduce %m] = (%i, %k)
          reads(%A[%v : 1, %vk : 1], %R[%v : 1]) writes(%R[%v : 1]) reducer(add, 0.0) {
        %a = memref.load %A[%v, %vk] : memref<?x?xf32>
        %r = memref.load %R[%v] : memref<?xf32>
        %s = arith.addf %a, %r : f32
        memref.store %s, %R[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %k in %n {
    loop.for serial %i in %m {
      loop.block "V" [%v: spatial %m, %vk: reduce %n] = (%i, %k)
          reads(%A[%vk : 1, %v : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        loop.init {
          %lowest = arith.constant -2.0 : f32
          %none = arith.constant 77 : i64
          memref.store %lowest, %V[%v] : memref<?xf32>
          memref.store %none, %I[%v] : memref<?xi64>
        }
        %a = memref.load %A[%vk, %v] : memref<?x?xf32>
        %best = memref.load %V[%v] : memref<?xf32>
        %at = memref.load %I[%v] : memref<?xi64>
        %here = arith.index_cast %vk : index to i64
        %more = arith.cmpf ogt, %a, %best : f32
        %max = arith.select %more, %a, %best : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %V[%v] : memref<?xf32>
        memref.store %new, %I[%v] : memref<?xi64>
      }
    }
  }
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "M" [%v: spatial %n, %vk: reduce %m] = (%i, %k)
          reads(%A[%v : 1, %vk : 1], %R[%v : 1]) writes(%M[%v : 1]) reducer(maxnum, 0xFF800000) {
        loop.init {
          %r = memref.load %R[%v] : memref<?xf32>
          memref.store %r, %M[%v] : memref<?xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<?x?xf32>
        %zero = arith.constant 0.0 : f32
        %q = arith.divf %a, %zero : f32
        %b = memref.load %M[%v] : memref<?xf32>
        %s = arith.maxnumf %b, %q : f32
        memref.store %s, %M[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %k in %n {
    loop.for serial %i in %m {
      loop.block "S" [%v: spatial %m, %vk: reduce %n] = (%i, %k)
          reads(%A[%vk : 1, %v : 1]) writes(%S[%v : 1], %X[%v : 1]) reducer(add, max, 0.0, 0xFF800000) {
        loop.init {
          %one = arith.constant 1.0 : f32
          memref.store %one, %S[%v] : memref<?xf32>
          memref.store %one, %X[%v] : memref<?xf32>
        }
        %a = memref.load %A[%vk, %v] : memref<?x?xf32>
        %s = memref.load %S[%v] : memref<?xf32>
        %x = memref.load %X[%v] : memref<?xf32>
        %sum = arith.addf %s, %a : f32
        %max = arith.maximumf %a, %x : f32
        memref.store %sum, %S[%v] : memref<?xf32>
        memref.store %max, %X[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %i in %m {
    loop.for serial %k in %n {
      loop.block "N" [%v: spatial %m, %vk: reduce %n] = (%i, %k)
          reads(%A[%vk : 1, %v : 1]) writes(%N[%v : 1]) reducer(and, -1) {
        loop.init {
          %ones = arith.constant 255 : i64
          memref.store %ones, %N[%v] : memref<?xi64>
        }
        %a = memref.load %A[%vk, %v] : memref<?x?xf32>
        %b = arith.fptosi %a : f32 to i64
        %n0 = memref.load %N[%v] : memref<?xi64>
        %s = arith.andi %n0, %b : i64
        memref.store %s, %N[%v] : memref<?xi64>
      }
    }
  }
  loop.for serial %k in %m {
    loop.for serial %i in %n {
      loop.for serial %j in 2 {
        loop.for serial %l in 7 {
          loop.block "D" [%v: spatial %n, %w: spatial 2, %vk: reduce %m, %vl: reduce 7] = (%i, %j, %k, %l)
              reads(%A[%v : 1, %vk : 1]) writes(%D[%v : 1, %w : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %D[%v, %w] : memref<?x2xf32>
            }
            %a = memref.load %A[%v, %vk] : memref<?x?xf32>
            %place = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%vl, %w)
            %p = arith.index_cast %place : index to i32
            %f = arith.sitofp %p : i32 to f32
            %t = arith.mulf %a, %f : f32
            %d = memref.load %D[%v, %w] : memref<?x2xf32>
            %s = arith.addf %d, %t : f32
            memref.store %s, %D[%v, %w] : memref<?x2xf32>
          }
        }
      }
    }
  }
  return
}

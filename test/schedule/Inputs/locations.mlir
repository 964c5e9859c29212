// P = |A|, then Q = P left + P right within the row, S = the row's sum of Q, and C = Q - S.
func.func @main(%A: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  %P = loop.buffer "P" scope(global) (%m, %n) : memref<?x?xf32>
  %Q = loop.buffer "Q" scope(global) (%m, %n) : memref<?x?xf32>
  %S = loop.buffer "S" scope(global) (%m) : memref<?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "P" [%v: spatial %m, %w: spatial %n] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%P[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %p = math.absf %a : f32
        memref.store %p, %P[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "Q" [%v: spatial %m, %w: spatial %n] = (%i, %j)
          reads(%P[%v : 1, %w - 1 : 3]) writes(%Q[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        %l = loop.if (%w >= 1) -> (f32) {
          %at = affine.apply affine_map<(d0) -> (d0 - 1)>(%w)
          %p = memref.load %P[%v, %at] : memref<?x?xf32>
          loop.yield %p : f32
        } else {
          loop.yield %zero : f32
        }
        %r = loop.if (%n - 2 - %w >= 0) -> (f32) {
          %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
          %p = memref.load %P[%v, %at] : memref<?x?xf32>
          loop.yield %p : f32
        } else {
          loop.yield %zero : f32
        }
        %q = arith.addf %l, %r : f32
        memref.store %q, %Q[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %i in %m {
    loop.for serial %k in %n {
      loop.block "S" [%v: spatial %m, %vk: reduce %n] = (%i, %k)
          reads(%Q[%v : 1, %vk : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%v] : memref<?xf32>
        }
        %q = memref.load %Q[%v, %vk] : memref<?x?xf32>
        %s = memref.load %S[%v] : memref<?xf32>
        %t = arith.addf %s, %q : f32
        memref.store %t, %S[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "C" [%v: spatial %m, %w: spatial %n] = (%i, %j)
          reads(%Q[%v : 1, %w : 1], %S[%v : 1]) writes(%C[%v : 1, %w : 1]) {
        %q = memref.load %Q[%v, %w] : memref<?x?xf32>
        %s = memref.load %S[%v] : memref<?xf32>
        %c = arith.subf %q, %s : f32
        memref.store %c, %C[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

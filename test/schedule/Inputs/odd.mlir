// Bindings that overlap, are reversed or repeat, a histogram, branches, predicates, unused loops.
func.func @main(%A: memref<12xf32>, %P: memref<6xi64>, %H: memref<7xf32>, %X: memref<8xf32>,
                %Y: memref<12xf32>, %Z: memref<4xf32>, %U: memref<4xf32>, %G: memref<3xf32>) {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.block "H" [%k: reduce 6] = (%i * 3 + %j) reads(%P[%k : 1], %H[*]) writes(%H[*]) reducer(add, 0.0) {
        %one = arith.constant 1.0 : f32
        %c3 = arith.constant 3 : i64
        %p = memref.load %P[%k] : memref<6xi64>
        %q = arith.addi %p, %c3 : i64
        %at = arith.index_cast %q : i64 to index
        %h = memref.load %H[%at] : memref<7xf32>
        %s = arith.addf %h, %one : f32
        memref.store %s, %H[%at] : memref<7xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %j in 3 {
      loop.block "X" [%v: spatial 8] = ((%i * 3 + %j) mod 8) reads(%A[%v : 1]) writes(%X[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        %x = arith.addf %a, %a : f32
        memref.store %x, %X[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %i in 3 {
    loop.for serial %j in min affine_map<() -> (4, 9)>() {
      loop.block "Y" [%v: spatial 12] = (11 - %i * 4 - %j) reads(%A[%v : 1], %Y[%v : 1]) writes(%Y[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        %y = memref.load %Y[%v] : memref<12xf32>
        %s = arith.subf %a, %y : f32
        memref.store %s, %Y[%v] : memref<12xf32>
      }
      loop.if (%i * 4 + %j < 4, %j >= 1) {
        loop.block "Z1" [%v: spatial 4] = (%j) reads(%A[%v : 1]) writes(%Z[%v : 1]) {
          %a = memref.load %A[%v] : memref<12xf32>
          memref.store %a, %Z[%v] : memref<4xf32>
        }
      } else {
        loop.block "Z2" [%v: spatial 4] = (3 - %j) where(%i == 2) reads(%Z[%v : 1]) writes(%Z[%v : 1]) {
          %z = memref.load %Z[%v] : memref<4xf32>
          %s = arith.addf %z, %z : f32
          memref.store %s, %Z[%v] : memref<4xf32>
        }
      }
    }
  }
  loop.for serial %t in 3 {
    loop.for serial %i in 4 {
      loop.block "U" [%v: spatial 4] = (%i) reads(%A[%v : 1], %U[%v : 1]) writes(%U[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xf32>
        %u = memref.load %U[%v] : memref<4xf32>
        %d = arith.addf %u, %u : f32
        %s = arith.subf %d, %a : f32
        memref.store %s, %U[%v] : memref<4xf32>
      }
    }
  }
  loop.for serial %t in 2 {
    loop.for serial %i in 3 {
      loop.for serial %k in 2 {
        loop.for serial %l in 4 {
          loop.block "G" [%v: spatial 3, %vk: reduce 7] = (2 - %i, %k * 4 + %l) where(%k * 4 + %l < 7)
              reads(%A[%v + %vk : 1]) writes(%G[%v : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %G[%v] : memref<3xf32>
            }
            %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %vk)
            %a = memref.load %A[%at] : memref<12xf32>
            %g = memref.load %G[%v] : memref<3xf32>
            %s = arith.addf %g, %a : f32
            memref.store %s, %G[%v] : memref<3xf32>
          }
        }
      }
    }
  }
  return
}

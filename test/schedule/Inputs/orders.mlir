// Sums over a triangle, an ordered reduction, the index of the first maximum, and an in-place update of
// elements that other instances read.
func.func @main(%A: memref<5x5xf32>, %L: memref<5xf32>, %O: memref<5xf32>, %V: memref<2xf32>,
                %I: memref<2xi64>, %W: memref<6x4xf32>) {
  loop.for serial %i in 5 {
    loop.for serial %k in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "L" [%v: spatial 5, %vk: reduce 5] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%L[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %L[%v] : memref<5xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<5x5xf32>
        %l = memref.load %L[%v] : memref<5xf32>
        %s = arith.addf %l, %a : f32
        memref.store %s, %L[%v] : memref<5xf32>
      }
    }
  }
  loop.for serial %i in 5 {
    loop.for serial %k in 5 {
      loop.block "O" [%v: spatial 5, %vk: reduce 5] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%O[%v : 1]) reducer(ordered) {
        loop.init {
          %one = arith.constant 1.0 : f32
          memref.store %one, %O[%v] : memref<5xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<5x5xf32>
        %o = memref.load %O[%v] : memref<5xf32>
        %s = arith.subf %a, %o : f32
        memref.store %s, %O[%v] : memref<5xf32>
      }
    }
  }
  loop.for serial %i in 2 {
    loop.for serial %k in 5 {
      loop.for serial %l in 2 {
        loop.block "V" [%v: spatial 2, %vk: reduce 10] = (%i, %k * 2 + %l)
            reads(%A[%vk floordiv 2 : 1, %v : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
          loop.init {
            %lowest = arith.constant 0xFF800000 : f32
            %none = arith.constant 0 : i64
            memref.store %lowest, %V[%v] : memref<2xf32>
            memref.store %none, %I[%v] : memref<2xi64>
          }
          %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%vk)
          %a = memref.load %A[%half, %v] : memref<5x5xf32>
          %best = memref.load %V[%v] : memref<2xf32>
          %at = memref.load %I[%v] : memref<2xi64>
          %here = arith.index_cast %vk : index to i64
          %more = arith.cmpf ogt, %a, %best : f32
          %max = arith.maximumf %a, %best : f32
          %new = arith.select %more, %here, %at : i64
          memref.store %max, %V[%v] : memref<2xf32>
          memref.store %new, %I[%v] : memref<2xi64>
        }
      }
    }
  }
  loop.for serial %i in 5 {
    loop.for serial %j in 4 {
      loop.block "W" [%v: spatial 5, %w: spatial 4] = (%i, %j)
          reads(%W[%v + 1 : 1, %w : 1]) writes(%W[%v : 1, %w : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %x = memref.load %W[%next, %w] : memref<6x4xf32>
        memref.store %x, %W[%v, %w] : memref<6x4xf32>
      }
    }
  }
  return
}

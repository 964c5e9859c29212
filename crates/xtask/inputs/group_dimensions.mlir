// Two fusion groups that traverse the dimensions of a buffer between them in different ways.
func.func private @pointwise(%X: memref<8x4x12xf32>, %W: memref<16x8xf32>, %Y: memref<16x4x12xf32> {loop.name = "Y"})
    attributes {graph.group} {
  %T = loop.buffer "T" scope(global) : memref<16x4x12xf32>
  loop.for serial %k in 16 {
    loop.for serial %h in 4 {
      loop.for serial %w in 12 {
        loop.for serial %c in 8 {
          loop.block "P" [%v: spatial 16, %x: spatial 4, %y: spatial 12, %z: reduce 8] = (%k, %h, %w, %c)
              reads(%X[%z : 1, %x : 1, %y : 1], %W[%v : 1, %z : 1]) writes(%T[%v : 1, %x : 1, %y : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %T[%v, %x, %y] : memref<16x4x12xf32>
            }
            %a = memref.load %X[%z, %x, %y] : memref<8x4x12xf32>
            %b = memref.load %W[%v, %z] : memref<16x8xf32>
            %t = memref.load %T[%v, %x, %y] : memref<16x4x12xf32>
            %p = arith.mulf %a, %b : f32
            %s = arith.addf %t, %p : f32
            memref.store %s, %T[%v, %x, %y] : memref<16x4x12xf32>
          }
        }
      }
    }
  }
  loop.for serial %k in 16 {
    loop.for serial %h in 4 {
      loop.for serial %w in 12 {
        loop.block "R" [%v: spatial 16, %x: spatial 4, %y: spatial 12] = (%k, %h, %w)
            reads(%T[%v : 1, %x : 1, %y : 1]) writes(%Y[%v : 1, %x : 1, %y : 1]) {
          %zero = arith.constant 0.0 : f32
          %t = memref.load %T[%v, %x, %y] : memref<16x4x12xf32>
          %m = arith.maximumf %t, %zero : f32
          memref.store %m, %Y[%v, %x, %y] : memref<16x4x12xf32>
        }
      }
    }
  }
  return
}

func.func private @windows(%Y: memref<16x4x12xf32>, %Z: memref<16x2x10xf32>) attributes {graph.group} {
  loop.for serial %c in 16 {
    loop.for serial %h in 2 {
      loop.for serial %w in 10 {
        loop.for serial %i in 3 {
          loop.for serial %j in 3 {
            loop.block "D" [%v: spatial 16, %x: spatial 2, %y: spatial 10, %r: reduce 3, %s: reduce 3] = (%c, %h, %w, %i, %j)
                reads(%Y[%v : 1, %x + %r : 1, %y + %s : 1]) writes(%Z[%v : 1, %x : 1, %y : 1]) reducer(add, 0.0) {
              loop.init {
                %zero = arith.constant 0.0 : f32
                memref.store %zero, %Z[%v, %x, %y] : memref<16x2x10xf32>
              }
              %row = affine.apply affine_map<(a, b) -> (a + b)>(%x, %r)
              %column = affine.apply affine_map<(a, b) -> (a + b)>(%y, %s)
              %a = memref.load %Y[%v, %row, %column] : memref<16x4x12xf32>
              %t = memref.load %Z[%v, %x, %y] : memref<16x2x10xf32>
              %n = arith.addf %t, %a : f32
              memref.store %n, %Z[%v, %x, %y] : memref<16x2x10xf32>
            }
          }
        }
      }
    }
  }
  return
}

func.func @main(%A: memref<8x4x12xf32>, %W: memref<16x8xf32>, %Z: memref<16x2x10xf32> {loop.result}) {
  %X = loop.buffer "X" scope(global) : memref<8x4x12xf32>
  %Y = loop.buffer "Y" scope(global) : memref<16x4x12xf32>
  loop.for serial %c in 8 {
    loop.for serial %h in 4 {
      loop.for serial %w in 12 {
        loop.block "C" [%v: spatial 8, %x: spatial 4, %y: spatial 12] = (%c, %h, %w)
            reads(%A[%v : 1, %x : 1, %y : 1]) writes(%X[%v : 1, %x : 1, %y : 1]) {
          %a = memref.load %A[%v, %x, %y] : memref<8x4x12xf32>
          memref.store %a, %X[%v, %x, %y] : memref<8x4x12xf32>
        }
      }
    }
  }
  func.call @pointwise(%X, %W, %Y) : (memref<8x4x12xf32>, memref<16x8xf32>, memref<16x4x12xf32>) -> ()
  func.call @windows(%Y, %Z) : (memref<16x4x12xf32>, memref<16x2x10xf32>) -> ()
  return
}

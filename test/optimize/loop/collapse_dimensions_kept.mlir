// RUN: lw-opt %s --collapse-dimensions --split-input-file | FileCheck %s

// (C1) the arguments of a function that is no fusion group keep their shapes, so the product does, too.
// CHECK-LABEL: func.func @public(
// CHECK-SAME:    %arg0: memref<8x4x12xf32>
// CHECK:         loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8]
func.func @public(%X: memref<8x4x12xf32>, %Y: memref<4x12xf32>) {
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}

// -----

// (C1) something else than schedule blocks and calls uses "Y".
// CHECK-LABEL: func.func private @copied(
// CHECK-SAME:    %arg0: memref<4x12xf32>
func.func private @copied(%Y: memref<4x12xf32>) attributes {graph.group} {
  %X = loop.buffer "X" scope(global) : memref<8x4x12xf32>
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}
func.func @main(%Z: memref<4x12xf32>) {
  %Y = loop.buffer "Y" scope(global) : memref<4x12xf32>
  func.call @copied(%Y) : (memref<4x12xf32>) -> ()
  memref.copy %Y, %Z : memref<4x12xf32> to memref<4x12xf32>
  return
}

// -----

// (C1) the call gives the group a constant.
// CHECK-LABEL: func.func private @of_constant(
// CHECK-SAME:    %arg0: memref<8x4x12xf32>, %arg1: memref<4x12xf32>
memref.global "private" constant @w : memref<8x4x12xf32> = dense<1.0>
func.func private @of_constant(%X: memref<8x4x12xf32>, %Y: memref<4x12xf32>) attributes {graph.group} {
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}
func.func @main() {
  %w = memref.get_global @w : memref<8x4x12xf32>
  %Y = loop.buffer "Y" scope(global) : memref<4x12xf32>
  func.call @of_constant(%w, %Y) : (memref<8x4x12xf32>, memref<4x12xf32>) -> ()
  return
}

// -----

// (C2) the row of an element of "X" depends on data.
// CHECK-LABEL: func.func private @gathered(
// CHECK-SAME:    memref<4x12xf32>)
// CHECK:         loop.buffer "X" scope(global) : memref<8x4x12xf32>
func.func private @gathered(%I: memref<4xi32>, %Y: memref<4x12xf32>) attributes {graph.group} {
  %X = loop.buffer "X" scope(global) : memref<8x4x12xf32>
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%I[%v : 1], %X[%z : 1, 0 : 4, %x : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %j = memref.load %I[%v] : memref<4xi32>
          %i = arith.index_cast %j : i32 to index
          %a = memref.load %X[%z, %i, %x] : memref<8x4x12xf32>
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}

// -----

// (C3) each row has a factor of its own.
// CHECK-LABEL: func.func private @scaled(
// CHECK-SAME:    %arg0: memref<8x4x12xf32>, %arg1: memref<4xf32>, %arg2: memref<4x12xf32>)
func.func private @scaled(%X: memref<8x4x12xf32>, %F: memref<4xf32>, %Y: memref<4x12xf32>) attributes {graph.group} {
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %F[%v : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %f = memref.load %F[%v] : memref<4xf32>
          %p = arith.mulf %a, %f : f32
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %p : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}

// -----

// (C4) the nest that reads "T" reads it in another order. Its loops would no longer be those of the product.
// CHECK-LABEL: func.func private @turned(
// CHECK-SAME:    %arg0: memref<8x4x12xf32>, %arg1: memref<12x4xf32>)
// CHECK:         loop.buffer "T" scope(global) : memref<4x12xf32>
func.func private @turned(%X: memref<8x4x12xf32>, %Y: memref<12x4xf32>) attributes {graph.group} {
  %T = loop.buffer "T" scope(global) : memref<4x12xf32>
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1]) writes(%T[%v : 1, %x : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %T[%v, %x] : memref<4x12xf32>
          }
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %t = memref.load %T[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %T[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  loop.for serial %w in 12 {
    loop.for serial %h in 4 {
      loop.block "Q" [%x: spatial 12, %v: spatial 4] = (%w, %h) reads(%T[%v : 1, %x : 1]) writes(%Y[%x : 1, %v : 1]) {
        %t = memref.load %T[%v, %x] : memref<4x12xf32>
        memref.store %t, %Y[%x, %v] : memref<12x4xf32>
      }
    }
  }
  return
}

// -----

// (C5) rows of 16 elements fill vectors; sums of 128 values pay for transposed results.
// CHECK-LABEL: func.func private @full(
// CHECK-SAME:    %arg0: memref<8x4x16xf32>, %arg1: memref<4x16xf32>)
func.func private @full(%X: memref<8x4x16xf32>, %Y: memref<4x16xf32>) attributes {graph.group} {
  loop.for serial %h in 4 {
    loop.for serial %w in 16 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 16, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x16xf32>
          %t = memref.load %Y[%v, %x] : memref<4x16xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<4x16xf32>
        }
      }
    }
  }
  return
}
// CHECK-LABEL: func.func private @deep(
// CHECK-SAME:    %arg0: memref<128x4x12xf32>, %arg1: memref<4x12xf32>)
func.func private @deep(%X: memref<128x4x12xf32>, %Y: memref<4x12xf32>) attributes {graph.group} {
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 128 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 128] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<128x4x12xf32>
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}

// -----

// (C6) "X" holds the results of a convolution with a stride of 2 along the rows of "X"; without the stride, "X" and "Y" are collapsed.
// CHECK-LABEL: func.func private @strided(
// CHECK-SAME:    %arg0: memref<3x4x24xf32>, %arg1: memref<8x3xf32>, %arg2: memref<8x4x12xf32>)
func.func private @strided(%I: memref<3x4x24xf32>, %W: memref<8x3xf32>, %X: memref<8x4x12xf32>) attributes {graph.group} {
  loop.for serial %f in 8 {
    loop.for serial %h in 4 {
      loop.for serial %w in 12 {
        loop.for serial %c in 3 {
          loop.block "S" [%v: spatial 8, %x: spatial 4, %y: spatial 12, %z: reduce 3] = (%f, %h, %w, %c)
              reads(%I[%z : 1, %x : 1, %y * 2 : 1], %W[%v : 1, %z : 1], %X[%v : 1, %x : 1, %y : 1]) writes(%X[%v : 1, %x : 1, %y : 1]) reducer(add, 0.0) {
            %column = affine.apply affine_map<(d) -> (d * 2)>(%y)
            %a = memref.load %I[%z, %x, %column] : memref<3x4x24xf32>
            %b = memref.load %W[%v, %z] : memref<8x3xf32>
            %t = memref.load %X[%v, %x, %y] : memref<8x4x12xf32>
            %p = arith.mulf %a, %b : f32
            %s = arith.addf %t, %p : f32
            memref.store %s, %X[%v, %x, %y] : memref<8x4x12xf32>
          }
        }
      }
    }
  }
  return
}
// CHECK-LABEL: func.func private @after(
// CHECK-SAME:    %arg0: memref<8x4x12xf32>, %arg1: memref<4x12xf32>)
func.func private @after(%X: memref<8x4x12xf32>, %Y: memref<4x12xf32>) attributes {graph.group} {
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%X[%z : 1, %v : 1, %x : 1], %Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %a = memref.load %X[%z, %v, %x] : memref<8x4x12xf32>
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}
func.func @main(%I: memref<3x4x24xf32>, %W: memref<8x3xf32>, %Z: memref<4x12xf32>) {
  %X = loop.buffer "X" scope(global) : memref<8x4x12xf32>
  %Y = loop.buffer "Y" scope(global) : memref<4x12xf32>
  func.call @strided(%I, %W, %X) : (memref<3x4x24xf32>, memref<8x3xf32>, memref<8x4x12xf32>) -> ()
  func.call @after(%X, %Y) : (memref<8x4x12xf32>, memref<4x12xf32>) -> ()
  return
}

// -----

// (C1) a function of several blocks gives the group a buffer.
// CHECK-LABEL: func.func private @of_branch(
// CHECK-SAME:    %arg0: memref<4x12xf32>)
func.func private @of_branch(%Y: memref<4x12xf32>) attributes {graph.group} {
  loop.for serial %h in 4 {
    loop.for serial %w in 12 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4, %x: spatial 12, %z: reduce 8] = (%h, %w, %c)
            reads(%Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %t = memref.load %Y[%v, %x] : memref<4x12xf32>
          %one = arith.constant 1.0 : f32
          %s = arith.addf %t, %one : f32
          memref.store %s, %Y[%v, %x] : memref<4x12xf32>
        }
      }
    }
  }
  return
}
func.func @main(%c: i1) {
  %Y = loop.buffer "Y" scope(global) : memref<4x12xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  func.call @of_branch(%Y) : (memref<4x12xf32>) -> ()
  cf.br ^bb2
^bb2:
  return
}

// -----

// (C1) the product of two sizes is no number of 64 bits.
// CHECK-LABEL: func.func private @huge(
// CHECK-SAME:    %arg0: memref<4294967299x4294967299xf32>)
func.func private @huge(%Y: memref<4294967299x4294967299xf32>) attributes {graph.group} {
  loop.for serial %h in 4294967299 {
    loop.for serial %w in 4294967299 {
      loop.for serial %c in 8 {
        loop.block "P" [%v: spatial 4294967299, %x: spatial 4294967299, %z: reduce 8] = (%h, %w, %c)
            reads(%Y[%v : 1, %x : 1]) writes(%Y[%v : 1, %x : 1]) reducer(add, 0.0) {
          %t = memref.load %Y[%v, %x] : memref<4294967299x4294967299xf32>
          %one = arith.constant 1.0 : f32
          %s = arith.addf %t, %one : f32
          memref.store %s, %Y[%v, %x] : memref<4294967299x4294967299xf32>
        }
      }
    }
  }
  return
}

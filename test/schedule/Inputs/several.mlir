// Several stores, several readers, several conditions, several iters of one loop, several bounds of one extent.

// Stores of some instances, after other stores, and readers of one buffer or of both, twice.
func.func @results(%A: memref<?xi32>, %B: memref<?xi32>, %X: memref<?xi32>, %Y: memref<?xi32>, %n: index) {
  %S = loop.buffer "S" scope(global) (%n) : memref<?xi32>
  %T = loop.buffer "T" scope(global) (%n) : memref<?xi32>
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[%v : 1], %B[%v : 1]) writes(%S[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xi32>
      %b = memref.load %B[%v] : memref<?xi32>
      %s = arith.addi %a, %b : i32
      memref.store %s, %S[%v] : memref<?xi32>
      loop.if (%v - 3 >= 0) {
        memref.store %a, %S[%v] : memref<?xi32>
      }
    }
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[%v : 1], %S[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xi32>
      %s = memref.load %S[%v] : memref<?xi32>
      %t = arith.muli %a, %s : i32
      memref.store %t, %T[%v] : memref<?xi32>
    }
  }
  loop.for serial %i in %n {
    loop.block "X" [%v: spatial %n] = (%i) reads(%S[%v : 1], %T[%v : 1]) writes(%X[%v : 1]) {
      %s = memref.load %S[%v] : memref<?xi32>
      %t = memref.load %T[%v] : memref<?xi32>
      %x = arith.subi %s, %t : i32
      %again = memref.load %S[%v] : memref<?xi32>
      %y = arith.addi %x, %again : i32
      memref.store %y, %X[%v] : memref<?xi32>
    }
    loop.block "Y" [%v: spatial %n] = (%i) reads(%S[%v : 1]) writes(%Y[%v : 1]) {
      %s = memref.load %S[%v] : memref<?xi32>
      loop.if (-%v + 5 >= 0) {
        memref.store %s, %Y[%v] : memref<?xi32>
      }
    }
  }
  return
}

// -----

// A row and a column are written by blocks of one nest, and read by another, below the diagonal.
func.func @triangle(%A: memref<16x16xi32>, %R: memref<16xi32>, %C: memref<16x16xi32>, %n: index) {
  %T = loop.buffer "T" scope(global) : memref<16x16xi32>
  loop.for serial %i in 16 {
    loop.for serial %j in min affine_map<(d0) -> (d0 + 1, 9)>(%i) {
      loop.block "T" [%v: spatial 16, %w: spatial 16] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x16xi32>
        %t = arith.addi %a, %a : i32
        memref.store %t, %T[%v, %w] : memref<16x16xi32>
      }
    }
    loop.block "R" [%v: spatial 16] = (%i) reads(%A[%v : 1, 0 : 1]) writes(%R[%v : 1]) {
      %zero = arith.constant 0 : index
      %a = memref.load %A[%v, %zero] : memref<16x16xi32>
      memref.store %a, %R[%v] : memref<16xi32>
    }
  }
  loop.for serial %i in min affine_map<()[s0] -> (s0, 16)>()[%n] {
    loop.for serial %j in min affine_map<(d0)[s0] -> (d0 + 1, s0, 9)>(%i)[%n] {
      loop.block "C" [%v: spatial 16, %w: spatial 16] = (%i, %j) where(%i - %j >= 0)
          reads(%T[%v : 1, %w : 1], %R[%v : 1]) writes(%C[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<16x16xi32>
        %r = memref.load %R[%v] : memref<16xi32>
        %c = arith.addi %t, %r : i32
        memref.store %c, %C[%v, %w] : memref<16x16xi32>
      }
    }
  }
  return
}

// -----

// The largest value and its index, over two loops that form one iter; then both are used.
func.func @largest(%A: memref<?x?xf32>, %X: memref<?xf32>, %Y: memref<?xi64>, %n: index, %m: index) {
  %V = loop.buffer "V" scope(global) (%n) : memref<?xf32>
  %I = loop.buffer "I" scope(global) (%n) : memref<?xi64>
  loop.for serial %i in %n {
    loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 4)>()[%m] {
      loop.for serial %k.1 in min affine_map<(d0)[s0] -> (4, s0 - d0 * 4)>(%k.0)[%m] {
        loop.block "V" [%v: spatial %n, %vk: reduce %m] = (%i, %k.0 * 4 + %k.1)
            reads(%A[%v : 1, %vk : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
          loop.init {
            %low = arith.constant 0xFF800000 : f32
            %first = arith.constant 0 : i64
            memref.store %low, %V[%v] : memref<?xf32>
            memref.store %first, %I[%v] : memref<?xi64>
          }
          %a = memref.load %A[%v, %vk] : memref<?x?xf32>
          %old = memref.load %V[%v] : memref<?xf32>
          %at = memref.load %I[%v] : memref<?xi64>
          %here = arith.index_cast %vk : index to i64
          %is_more = arith.cmpf ogt, %a, %old : f32
          %value = arith.select %is_more, %a, %old : f32
          %place = arith.select %is_more, %here, %at : i64
          memref.store %value, %V[%v] : memref<?xf32>
          memref.store %place, %I[%v] : memref<?xi64>
        }
      }
    }
  }
  loop.for serial %i in %n {
    loop.block "X" [%v: spatial %n] = (%i) reads(%V[%v : 1]) writes(%X[%v : 1]) {
      %x = memref.load %V[%v] : memref<?xf32>
      memref.store %x, %X[%v] : memref<?xf32>
    }
    loop.block "Y" [%v: spatial %n] = (%i) reads(%I[%v : 1]) writes(%Y[%v : 1]) {
      %y = memref.load %I[%v] : memref<?xi64>
      memref.store %y, %Y[%v] : memref<?xi64>
    }
  }
  return
}

// -----

// A sum in parts, each in its own tile, with a block of fewer iterations than its domain beside it.
func.func @parts(%A: memref<8x64xi32>, %S: memref<8xi32>, %B: memref<8xi32>, %C: memref<10xi32>, %n: index) {
  %P = loop.buffer "P" scope(global) : memref<8x4xi32>
  loop.for serial %i in 8 {
    loop.for serial %p in 4 {
      loop.for serial %k in 16 {
        loop.block "P" [%v: spatial 8, %w: spatial 4, %vk: reduce 16] = (%i, %p, %k)
            reads(%A[%v : 1, %w * 16 + %vk : 1]) writes(%P[%v : 1, %w : 1]) reducer(add, 0) {
          loop.init {
            %zero = arith.constant 0 : i32
            memref.store %zero, %P[%v, %w] : memref<8x4xi32>
          }
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%w, %vk)
          %a = memref.load %A[%v, %at] : memref<8x64xi32>
          %p0 = memref.load %P[%v, %w] : memref<8x4xi32>
          %p1 = arith.addi %p0, %a : i32
          memref.store %p1, %P[%v, %w] : memref<8x4xi32>
        }
      }
    }
    loop.for serial %p in 4 {
      loop.block "S" [%v: spatial 8, %vk: reduce 4] = (%i, %p) reads(%P[%v : 1, %vk : 1]) writes(%S[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[%v] : memref<8xi32>
        }
        %p0 = memref.load %P[%v, %vk] : memref<8x4xi32>
        %s0 = memref.load %S[%v] : memref<8xi32>
        %s1 = arith.addi %s0, %p0 : i32
        memref.store %s1, %S[%v] : memref<8xi32>
      }
    }
  }
  loop.for serial %i in 7 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%S[%v : 1]) writes(%B[%v : 1]) {
      %s = memref.load %S[%v] : memref<8xi32>
      memref.store %s, %B[%v] : memref<8xi32>
    }
    loop.if (%i - 2 >= 0, -%i + %n - 1 >= 0) {
      loop.block "C" [%v: spatial 10] = (%i) reads(%S[-%v + 7 : 1], %A[%v : 1, 3 : 1]) writes(%C[%v + 1 : 1]) {
        %three = arith.constant 3 : index
        %at = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %s = memref.load %S[%at] : memref<8xi32>
        %a = memref.load %A[%v, %three] : memref<8x64xi32>
        %c = arith.addi %s, %a : i32
        memref.store %c, %C[%next] : memref<10xi32>
      }
    }
  }
  return
}

// -----

// Values that are private to tiles: in threads, in lanes and in a schedule block.
func.func @kept(%A: memref<64x32xf32>, %B: memref<64x32xf32>, %O: memref<64x32xf32>) attributes {loop.fp = "reassoc"} {
  %K = loop.buffer "K" scope(local) : memref<4x32xf32>
  %G = loop.buffer "G" scope(shared) : memref<64x32xf32>
  loop.for thread_bind[blockIdx.x] %b in 16 {
    loop.for thread_bind[threadIdx.x] %t in 4 {
      loop.for serial %j in 32 {
        loop.block "G" [%v: spatial 64, %w: spatial 32] = (%b * 4 + %t, %j)
            reads(%A[%v : 1, %w : 1]) writes(%G[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<64x32xf32>
          memref.store %a, %G[%v, %w] : memref<64x32xf32>
        }
      }
      loop.for serial %j in 32 {
        loop.block "K" [%v: spatial 64, %w: spatial 32] = (%b * 4 + %t, %j)
            reads(%G[%v : 1, %w : 1]) writes(%K[%v mod 4 : 1, %w : 1]) {
          %row = affine.apply affine_map<(d0) -> (d0 mod 4)>(%v)
          %g = memref.load %G[%v, %w] : memref<64x32xf32>
          %k = arith.mulf %g, %g : f32
          memref.store %k, %K[%row, %w] : memref<4x32xf32>
        }
      }
      loop.for vectorize %j in 32 {
        loop.block "O" [%v: spatial 64, %w: spatial 32] = (%b * 4 + %t, %j)
            reads(%K[%v mod 4 : 1, %w : 1], %B[%v : 1, %w : 1]) writes(%O[%v : 1, %w : 1]) {
          %row = affine.apply affine_map<(d0) -> (d0 mod 4)>(%v)
          %k = memref.load %K[%row, %w] : memref<4x32xf32>
          %b0 = memref.load %B[%v, %w] : memref<64x32xf32>
          %o = arith.addf %k, %b0 : f32
          memref.store %o, %O[%v, %w] : memref<64x32xf32>
        }
      }
    }
  }
  return
}

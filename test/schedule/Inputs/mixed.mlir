// A split loop of dynamic size, a branch, a nest in a schedule block, lanes and a reduction of the nest's rows.
func.func @main(%A: memref<?x?xf32>, %R: memref<?xf32>, %P: memref<?x?xf32>, %n: index, %m: index) {
  %T = loop.buffer "T" scope(global) (%n, %m) : memref<?x?xf32>
  loop.for serial %i.0 in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %i.1 in 4 {
      loop.for serial %j in %m {
        loop.block "T" [%v: spatial %n, %w: spatial %m] = (%i.0 * 4 + %i.1, %j)
            where(-(%i.0 * 4 + %i.1) + %n - 1 >= 0)
            reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<?x?xf32>
          %t = arith.addf %a, %a : f32
          memref.store %t, %T[%v, %w] : memref<?x?xf32>
        }
      }
    }
  }
  loop.for serial %f in affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %m] {
    loop.block "P" [%v: spatial %n, %w: spatial %m] = (%f floordiv symbol(%m), %f mod symbol(%m))
        reads(%T[%v : 1, %w : 1]) writes(%P[%v : 1, %w : 1]) {
      %t = memref.load %T[%v, %w] : memref<?x?xf32>
      %q = arith.mulf %t, %t : f32
      memref.store %q, %P[%v, %w] : memref<?x?xf32>
    }
  }
  loop.for parallel %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: spatial %n, %vk: reduce %m] = (%i, %k)
          reads(%T[%v : 1, %vk : 1]) writes(%R[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %R[%v] : memref<?xf32>
        }
        %t = memref.load %T[%v, %vk] : memref<?x?xf32>
        %r = memref.load %R[%v] : memref<?xf32>
        %s = arith.addf %r, %t : f32
        memref.store %s, %R[%v] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// Threads, a buffer of each thread block, and two branches.
func.func @main(%A: memref<64xi32>, %B: memref<64xi32>, %C: memref<64xi32>, %n: index) {
  %S = loop.buffer "S" scope(shared) : memref<64xi32>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 16 {
      loop.block "S" [%v: spatial 64] = (%b * 16 + %t) reads(%A[%v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%v] : memref<64xi32>
        memref.store %a, %S[%v] : memref<64xi32>
      }
      loop.block "B" [%v: spatial 64] = (%b * 16 + %t) reads(%S[%v : 1]) writes(%B[%v : 1]) {
        %s = memref.load %S[%v] : memref<64xi32>
        %d = arith.addi %s, %s : i32
        memref.store %d, %B[%v] : memref<64xi32>
      }
    }
  }
  loop.for serial %i in 64 {
    loop.if (%i - 7 >= 0) {
      loop.block "C" [%v: spatial 64] = (%i) reads(%B[%v : 1]) writes(%C[%v : 1]) {
        %x = memref.load %B[%v] : memref<64xi32>
        memref.store %x, %C[%v] : memref<64xi32>
      }
    } else {
      loop.block "D" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
        %x = memref.load %A[%v] : memref<64xi32>
        memref.store %x, %C[%v] : memref<64xi32>
      }
    }
  }
  return
}

// -----

// A window over rows, then lanes that are split, and the largest value and its index.
func.func @main(%A: memref<32x18xf32>, %W: memref<3xf32>, %M: memref<32xf32>, %L: memref<32x16xf32>)
    attributes {loop.fp = "reassoc"} {
  %T = loop.buffer "T" scope(global) : memref<32x16xf32>
  loop.for serial %i in 32 {
    loop.for serial %j in 16 {
      loop.for serial %k in 3 {
        loop.block "T" [%v: spatial 32, %w: spatial 16, %vk: reduce 3] = (%i, %j, %k)
            reads(%A[%v : 1, %w + %vk : 1], %W[%vk : 1]) writes(%T[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %T[%v, %w] : memref<32x16xf32>
          }
          %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%w, %vk)
          %a = memref.load %A[%v, %at] : memref<32x18xf32>
          %x = memref.load %W[%vk] : memref<3xf32>
          %p = arith.mulf %a, %x : f32
          %t = memref.load %T[%v, %w] : memref<32x16xf32>
          %s = arith.addf %t, %p : f32
          memref.store %s, %T[%v, %w] : memref<32x16xf32>
        }
      }
    }
  }
  loop.for parallel %i in 32 {
    loop.for serial %j.0 in 4 {
      loop.for vectorize %j.1 in 4 {
        loop.block "L" [%v: spatial 32, %w: spatial 16] = (%i, %j.0 * 4 + %j.1)
            reads(%T[%v : 1, %w : 1]) writes(%L[%v : 1, %w : 1]) {
          %t = memref.load %T[%v, %w] : memref<32x16xf32>
          %l = arith.addf %t, %t : f32
          memref.store %l, %L[%v, %w] : memref<32x16xf32>
        }
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %k in 16 {
      loop.block "M" [%v: spatial 32, %vk: reduce 16] = (%i, %k)
          reads(%L[%v : 1, %vk : 1]) writes(%M[%v : 1]) reducer(maxnum, 0xFF800000) {
        loop.init {
          %low = arith.constant 0xFF800000 : f32
          memref.store %low, %M[%v] : memref<32xf32>
        }
        %l = memref.load %L[%v, %vk] : memref<32x16xf32>
        %m = memref.load %M[%v] : memref<32xf32>
        %x = arith.maxnumf %m, %l : f32
        memref.store %x, %M[%v] : memref<32xf32>
      }
    }
  }
  return
}

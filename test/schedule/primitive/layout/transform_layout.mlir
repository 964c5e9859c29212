// RUN: lw-opt %s --transform-interpreter='entry-point=steps' | FileCheck %s
// RUN: lw-opt %s --sched-transform-layout='buffer=T index_map="(i, j) -> (i floordiv 4, j, i mod 4)"' \
// RUN:   --sched-transform-layout='buffer=D index_map="(i, j)[n, m] -> (i * m + j)"' \
// RUN:   --sched-transform-layout='buffer=E index_map="(i, j)[n] -> (n - 1 - i, j floordiv 4, j mod 4)"' \
// RUN:   --sched-transform-layout='buffer=S index_map="(i, j) -> (j, i + j)"' \
// RUN:   --sched-transform-layout='buffer=R index_map="(i) -> (i * 2 + 1)"' \
// RUN:   --sched-transform-layout='buffer=G index_map="(i, j) -> (j floordiv 2, i, j mod 2)"' | FileCheck %s

// Panels of four rows. The last two rows of the last panel are padding.
// CHECK-LABEL: func.func @panels
// CHECK:         %T = loop.buffer "T" scope(global) align(64) : memref<8x64x4xf32>
// CHECK:           loop.block "P"
// CHECK-NEXT:        writes(%T[%v floordiv 4 : 1, %w : 1, %v mod 4 : 1])
// CHECK:             memref.store %{{.*}}, %T[%{{.*}}, %w, %{{.*}}] : memref<8x64x4xf32>
// CHECK:           loop.block "Q"
// CHECK:             reads(%T[%v : 1, %x : 1, %w : 1])
// CHECK:             memref.load %T[%v, %x, %w] : memref<8x64x4xf32>
func.func @panels(%A: memref<30x64xf32>, %B: memref<28x64xf32>) {
  %T = loop.buffer "T" scope(global) align(64) : memref<30x64xf32>
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      loop.block "P" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %T[%v, %w] : memref<30x64xf32>
      }
    }
  }
  // The map splits dimensions as the loops do.
  loop.for serial %i in 7 {
    loop.for serial %k in 64 {
      loop.for serial %j in 4 {
        loop.block "Q" [%v: spatial 7, %w: spatial 4, %x: spatial 64] = (%i, %j, %k)
            reads(%T[%v * 4 + %w : 1, %x : 1]) writes(%B[%v * 4 + %w : 1, %x : 1]) {
          %0 = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%v, %w)
          %a = memref.load %T[%0, %x] : memref<30x64xf32>
          memref.store %a, %B[%0, %x] : memref<28x64xf32>
        }
      }
    }
  }
  return
}

// One row for dynamic sizes.
// CHECK-LABEL: func.func @row_major
// CHECK:         %D = loop.buffer "D" scope(global) (symbol(%arg2) * symbol(%arg3)) : memref<?xf32>
// CHECK:           writes(%D[%w + %v * symbol(%arg3) : 1])
// CHECK:           reads(%D[%w + %v * symbol(%arg3) : 1])
func.func @row_major(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index, %m: index) {
  %D = loop.buffer "D" scope(global) (%n, %m) : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "DP" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%D[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %a, %D[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "DQ" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%D[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %D[%v, %w] : memref<?x?xf32>
        memref.store %a, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// Reversed, and in groups of four columns, the last of which may be padded. Each thread owns the elements of the last
// reads: the owner of each element is unchanged.
// CHECK-LABEL: func.func @backwards
// CHECK:         %E = loop.buffer "E" scope(global) (%arg2, %arg3 ceildiv 4) : memref<?x?x4xf32>
// CHECK:           writes(%E[-%v + %arg2 - 1 : 1, %w floordiv 4 : 1, %w mod 4 : 1])
// CHECK:         loop.for thread_bind[blockIdx.x]
// CHECK:           reads(%E[-%v + %arg2 - 1 : 1, %w floordiv 4 : 1, %w mod 4 : 1])
func.func @backwards(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index, %m: index) {
  %E = loop.buffer "E" scope(global) (%n, %m) : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "EP" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%E[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %a, %E[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for thread_bind[blockIdx.x] %i in %n {
    loop.for serial %j in %m {
      loop.block "EQ" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%E[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %E[%v, %w] : memref<?x?xf32>
        memref.store %a, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// A skewed layout: the map is proved to be injective.
// CHECK-LABEL: func.func @skewed
// CHECK:         %S = loop.buffer "S" scope(global) : memref<6x13xf32>
// CHECK:           writes(%S[%w : 1, %v + %w : 1])
func.func @skewed(%A: memref<8x6xf32>) {
  %S = loop.buffer "S" scope(global) : memref<8x6xf32>
  loop.for serial %i in 8 {
    loop.for serial %j in 6 {
      loop.block "SP" [%v: spatial 8, %w: spatial 6] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<8x6xf32>
        memref.store %a, %S[%v, %w] : memref<8x6xf32>
      }
    }
  }
  return
}

// Start values and updates use the same layout.
// CHECK-LABEL: func.func @reduction
// CHECK:         %R = loop.buffer "R" scope(local) : memref<8xf32>
// CHECK:           writes(%R[%v * 2 + 1 : 1])
// CHECK-NEXT:      reducer(add, 0.000000e+00)
// CHECK:             loop.init {
// CHECK:               memref.store %{{.*}}, %R[%{{.*}}] : memref<8xf32>
func.func @reduction(%A: memref<4x8xf32>, %B: memref<4xf32>) {
  %R = loop.buffer "R" scope(local) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.for serial %k in 8 {
      loop.block "RS" [%v: spatial 4, %w: reduce 8] = (%i, %k) reads(%A[%v : 1, %w : 1]) writes(%R[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %R[%v] : memref<4xf32>
        }
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        %r = memref.load %R[%v] : memref<4xf32>
        %s = arith.addf %r, %a : f32
        memref.store %s, %R[%v] : memref<4xf32>
      }
    }
    loop.block "RB" [%v: spatial 4] = (%i) reads(%R[%v : 1]) writes(%B[%v : 1]) {
      %r = memref.load %R[%v] : memref<4xf32>
      memref.store %r, %B[%v] : memref<4xf32>
    }
  }
  return
}

// A data-dependent index is passed through; the regions of the enclosing schedule block are recomputed too.
// CHECK-LABEL: func.func @gathered
// CHECK:         %G = loop.buffer "G" scope(global) : memref<4x8x2xf32>
// CHECK:         loop.block "GN"
// CHECK:           reads(%arg0[0 : 8], %G[*, *, *])
// CHECK:             reads(%arg0[%v : 1], %G[%w floordiv 2 : 1, *, %w mod 2 : 1])
func.func @gathered(%I: memref<8xi64>, %B: memref<8x8xf32>) {
  %G = loop.buffer "G" scope(global) : memref<8x8xf32>
  loop.block "GN" [%o: spatial 1] = (0) reads(%I[0 : 8], %G[*, *]) writes(%B[0 : 8, 0 : 8]) {
    loop.for serial %i in 8 {
      loop.for serial %j in 8 {
        loop.block "GQ" [%v: spatial 8, %w: spatial 8] = (%i, %j) reads(%I[%v : 1], %G[*, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %n = memref.load %I[%v] : memref<8xi64>
          %c = arith.index_cast %n : i64 to index
          %x = memref.load %G[%c, %w] : memref<8x8xf32>
          memref.store %x, %B[%v, %w] : memref<8x8xf32>
        }
      }
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @steps(%f: !transform.any_op) {
    transform.sched.transform_layout "T" in %f index_map "(i, j) -> (i floordiv 4, j, i mod 4)"
    transform.sched.transform_layout "D" in %f index_map "(i, j)[n, m] -> (i * m + j)"
    transform.sched.transform_layout "E" in %f index_map "(i, j)[n] -> (n - 1 - i, j floordiv 4, j mod 4)"
    transform.sched.transform_layout "S" in %f index_map "(i, j) -> (j, i + j)"
    transform.sched.transform_layout "R" in %f index_map "(i) -> (i * 2 + 1)"
    transform.sched.transform_layout "G" in %f index_map "(i, j) -> (j floordiv 2, i, j mod 2)"
    transform.yield
  }
}

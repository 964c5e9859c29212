// RUN: lw-opt %s --verify-each=numeric --eliminate-common-factor-of-local-index --split-input-file | FileCheck %s
// RUN: lw-opt %s --eliminate-common-factor-of-local-index --eliminate-common-factor-of-local-index --split-input-file \
// RUN:   | FileCheck %s
// RUN: lw-opt %s --eliminate-common-factor-of-local-index --split-input-file --pass-report -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

// Multiples of 4, one of them through the binding of its iter; in the other dimension 3 and 5.
// CHECK-LABEL: func.func @by_number(
// CHECK:         loop.buffer "T" scope(local) : memref<10x2xf32>
// CHECK:         loop.block "T"
// CHECK-NEXT:        writes(%{{.*}}[%v : 1, 0 : 1])
// CHECK:         loop.block "U"
// CHECK-NEXT:        writes(%{{.*}}[%v + 2 : 1, 1 : 1])
// CHECK:         loop.block "B"
// CHECK-NEXT:        reads(%{{.*}}[%v floordiv 4 : 1, 0 : 1])
// COUNTS:        eliminate-common-factor-of-local-index  @by_number {{.*}} ms  changed, 2 factors, 1 offsets
func.func @by_number(%A: memref<8xf32>, %B: memref<32xf32> {loop.result}) {
  %T = loop.buffer "T" scope(local) : memref<40x6xf32>
  loop.for serial %i in 8 {
    loop.block "T" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v * 4 : 1, 3 : 1]) {
      %w = affine.apply affine_map<(d0) -> (d0 * 4)>(%v)
      %c3 = arith.constant 3 : index
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%w, %c3] : memref<40x6xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "U" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v * 4 + 8 : 1, 5 : 1]) {
      %w = affine.apply affine_map<(d0) -> (d0 * 4 + 8)>(%v)
      %c5 = arith.constant 5 : index
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%w, %c5] : memref<40x6xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 32] = (%i * 4) reads(%T[%v : 1, 3 : 1]) writes(%B[%v : 1]) {
      %c3 = arith.constant 3 : index
      %a = memref.load %T[%v, %c3] : memref<40x6xf32>
      memref.store %a, %B[%v] : memref<32xf32>
    }
  }
  return
}

// -----

// A common remainder: 1 modulo 3; decreasing indices.
// CHECK-LABEL: func.func @remainder(
// CHECK:         loop.buffer "T" scope(shared) : memref<7xf32>
// CHECK:         writes(%{{.*}}[-%v + 6 : 1])
// CHECK:         reads(%{{.*}}[%v : 1])
func.func @remainder(%A: memref<7xf32>, %B: memref<7xf32> {loop.result}) {
  %T = loop.buffer "T" scope(shared) : memref<20xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %i in 7 {
      loop.block "T" [%v: spatial 7] = (%i) reads(%A[%v : 1]) writes(%T[%v * -3 + 19 : 1]) {
        %w = affine.apply affine_map<(d0) -> (d0 * -3 + 19)>(%v)
        %a = memref.load %A[%v] : memref<7xf32>
        memref.store %a, %T[%w] : memref<20xf32>
      }
      loop.sync
      loop.block "B" [%v: spatial 7] = (%i) reads(%T[%v * 3 + 1 : 1]) writes(%B[%v : 1]) {
        %w = affine.apply affine_map<(d0) -> (d0 * 3 + 1)>(%v)
        %a = memref.load %T[%w] : memref<20xf32>
        memref.store %a, %B[%v] : memref<7xf32>
      }
    }
  }
  return
}

// -----

// Rows of dynamic size; only the first element of each is used.
// CHECK-LABEL: func.func @by_size(
// CHECK:         loop.buffer "T" scope(local) : memref<5xf32>
// CHECK:         writes(%{{.*}}[%v : 1])
// CHECK:         reads(%{{.*}}[%v + 1 : 1])
// COUNTS:        eliminate-common-factor-of-local-index  @by_size {{.*}} ms  changed, 1 factors
func.func @by_size(%A: memref<5x?xf32>, %B: memref<4xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<5x?xf32>
  %T = loop.buffer "T" scope(local) (%n * 5) : memref<?xf32>
  loop.if (symbol(%n) - 1 >= 0) {
    loop.for serial %i in 5 {
      loop.block "T" [%v: spatial 5] = (%i) reads(%A[%v : 1, 0 : 1]) writes(%T[%v * symbol(%n) : 1]) {
        %c0 = arith.constant 0 : index
        %w = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%v)[%n]
        %a = memref.load %A[%v, %c0] : memref<5x?xf32>
        memref.store %a, %T[%w] : memref<?xf32>
      }
    }
    loop.for serial %i in 4 {
      loop.block "B" [%v: spatial 4] = (%i) reads(%T[%v * symbol(%n) + symbol(%n) : 1]) writes(%B[%v : 1]) {
        %w = affine.apply affine_map<(d0)[s0] -> (d0 * s0 + s0)>(%v)[%n]
        %a = memref.load %T[%w] : memref<?xf32>
        memref.store %a, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// -----

// Unchanged: (C1) a global buffer, one that escapes, one that is indexed by data, a padded one; (C2) one that is only
// written; (C3) rows of which more than the first elements are accessed; no common factor of all accesses.
// CHECK-LABEL: func.func @kept(
// CHECK:         loop.buffer "G" scope(global) : memref<8xf32>
// CHECK:         loop.buffer "E" scope(local) : memref<8xf32>
// CHECK:         loop.buffer "X" scope(local) : memref<8xf32>
// CHECK:         loop.buffer "P" scope(local) pad(2) : memref<8xf32>
// CHECK:         loop.buffer "W" scope(local) : memref<8xf32>
// CHECK:         loop.buffer "R" scope(local) (%{{.*}} * 2) : memref<?xf32>
// CHECK:         loop.buffer "O" scope(local) : memref<8xf32>
// COUNTS:        eliminate-common-factor-of-local-index  @kept {{.*}} ms  unchanged
func.func private @external(memref<8xf32>)
func.func @kept(%A: memref<8xf32>, %I: memref<8xi32>, %n: index) {
  %G = loop.buffer "G" scope(global) : memref<8xf32>
  %E = loop.buffer "E" scope(local) : memref<8xf32>
  %X = loop.buffer "X" scope(local) : memref<8xf32>
  %P = loop.buffer "P" scope(local) pad(2) : memref<8xf32>
  %W = loop.buffer "W" scope(local) : memref<8xf32>
  %R = loop.buffer "R" scope(local) (%n * 2) : memref<?xf32>
  %O = loop.buffer "O" scope(local) : memref<8xf32>
  loop.for serial %i in 4 {
    loop.block "G" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%G[%v * 2 : 1]) {
      %s = affine.apply affine_map<(d0) -> (d0)>(%v)
      %d = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %a = memref.load %A[%s] : memref<8xf32>
      memref.store %a, %G[%d] : memref<8xf32>
    }
    loop.block "E" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%E[%v * 2 : 1]) {
      %s = affine.apply affine_map<(d0) -> (d0)>(%v)
      %d = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %a = memref.load %A[%s] : memref<8xf32>
      memref.store %a, %E[%d] : memref<8xf32>
    }
    loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%P[%v * 2 : 1]) {
      %s = affine.apply affine_map<(d0) -> (d0)>(%v)
      %d = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %a = memref.load %A[%s] : memref<8xf32>
      memref.store %a, %P[%d] : memref<8xf32>
    }
    loop.block "W" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%W[%v * 2 : 1]) {
      %s = affine.apply affine_map<(d0) -> (d0)>(%v)
      %d = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %a = memref.load %A[%s] : memref<8xf32>
      memref.store %a, %W[%d] : memref<8xf32>
    }
    loop.block "G1" [%v: spatial 4] = (%i) reads(%G[%v * 2 : 1]) writes(%A[%v : 1]) {
      %s = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %d = affine.apply affine_map<(d0) -> (d0)>(%v)
      %a = memref.load %G[%s] : memref<8xf32>
      memref.store %a, %A[%d] : memref<8xf32>
    }
    loop.block "P1" [%v: spatial 4] = (%i) reads(%P[%v * 2 : 1]) writes(%A[%v : 1]) {
      %s = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %d = affine.apply affine_map<(d0) -> (d0)>(%v)
      %a = memref.load %P[%s] : memref<8xf32>
      memref.store %a, %A[%d] : memref<8xf32>
    }
    loop.block "O" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%O[%v * 2 : 1]) {
      %s = affine.apply affine_map<(d0) -> (d0)>(%v)
      %d = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %a = memref.load %A[%s] : memref<8xf32>
      memref.store %a, %O[%d] : memref<8xf32>
    }
    loop.block "O1" [%v: spatial 4] = (%i) reads(%O[%v + 3 : 1]) writes(%A[%v : 1]) {
      %s = affine.apply affine_map<(d0) -> (d0 + 3)>(%v)
      %d = affine.apply affine_map<(d0) -> (d0)>(%v)
      %a = memref.load %O[%s] : memref<8xf32>
      memref.store %a, %A[%d] : memref<8xf32>
    }
    loop.block "call" [] = () reads(%E[*]) writes(%E[*]) {
      func.call @external(%E) : (memref<8xf32>) -> ()
    }
    loop.block "X" [%v: spatial 8] = (%i) reads(%I[%v : 1]) writes(%X[*]) {
      %zero = arith.constant 0.0 : f32
      %j = memref.load %I[%v] : memref<8xi32>
      %x = arith.index_cast %j : i32 to index
      memref.store %zero, %X[%x] : memref<8xf32>
    }
    loop.block "X1" [%v: spatial 8] = (%i) reads(%X[%v * 2 : 1]) writes(%A[%v : 1]) {
      %w = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %x = memref.load %X[%w] : memref<8xf32>
      memref.store %x, %A[%v] : memref<8xf32>
    }
    loop.for serial %j in %n {
      loop.block "R" [%v: spatial 2, %w: spatial %n] = (%i floordiv 2, %j) reads(%A[%v : 1]) writes(%R[*]) {
        %o = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>(%v, %w)[%n]
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %R[%o] : memref<?xf32>
      }
      loop.block "R1" [%v: spatial 2, %w: spatial %n] = (%i floordiv 2, %j) reads(%R[*]) writes(%A[%v : 1]) {
        %o = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>(%v, %w)[%n]
        %a = memref.load %R[%o] : memref<?xf32>
        memref.store %a, %A[%v] : memref<8xf32>
      }
    }
  }
  return
}

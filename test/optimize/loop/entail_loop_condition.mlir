// RUN: lw-opt %s --entail-loop-condition --split-input-file | FileCheck %s

// From a branch and from a predicate; several conditions; a coefficient.
// CHECK-DAG:   #[[N:.*]] = affine_map<()[s0] -> (8, s0)>
// CHECK-DAG:   #[[THIRD:.*]] = affine_map<(d0)[s0] -> (8, (-d0 + s0 + 2) floordiv 3)>
// CHECK-LABEL: func.func @bounds(
// CHECK:         loop.for serial %i in min #[[N]]()[%{{.*}}] {
// CHECK-NEXT:      loop.block "B" [%v: spatial 8] = (%i)
// CHECK-NOT:       where
// CHECK:         loop.for parallel %i in 8 {
// CHECK-NEXT:      loop.if (%i - 1 >= 0) {
// CHECK-NEXT:        loop.for serial %j in min #[[THIRD]](%i)[%{{.*}}] {
// CHECK-NEXT:          loop.block "C" [%v: spatial 8] = (%j)
// CHECK-NOT:               where
func.func @bounds(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>, %n: index) {
  loop.for serial %i in 8 {
    loop.if (-%i + %n - 1 >= 0) {
      loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  loop.for parallel %i in 8 {
    loop.for serial %j in 8 {
      loop.block "C" [%v: spatial 8] = (%j) where(%i - 1 >= 0, -%i - %j * 3 + %n - 1 >= 0)
          reads(%A[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %C[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// CHECK:       #[[MULTIPLE:.*]] = affine_map<(d0) -> (3, d0 * 4 + 1)>
// CHECK-LABEL: func.func @strides(
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.for serial %j in min #[[MULTIPLE]](%i) {
// CHECK-NEXT:        loop.block "B" [%v: spatial 30, %w: spatial 30] = (%i * 4, %j)
func.func @strides(%A: memref<30xf32>, %B: memref<30x30xf32>) {
  loop.for serial %i in 30 {
    loop.if (%i mod 4 == 0) {
      loop.for serial %j in min affine_map<(d0) -> (3, d0 + 1)>(%i) {
        loop.block "B" [%v: spatial 30, %w: spatial 30] = (%i, %j) reads(%A[%v : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %A[%v] : memref<30xf32>
          memref.store %a, %B[%v, %w] : memref<30x30xf32>
        }
      }
    }
  }
  return
}

// -----

// A reduction that starts: over the loop, only if its first iteration runs; beside the loop, always.
// CHECK-DAG:   #[[OUTER:.*]] = affine_map<()[s0] -> (8, s0)>
// CHECK-DAG:   #[[INNER:.*]] = affine_map<()[s0] -> (4, s0 + 1)>
// CHECK-LABEL: func.func @starts(
// CHECK:         loop.for serial %i in min #[[OUTER]]()[%{{.*}}] {
// CHECK-NEXT:      loop.for serial %k in 4 {
// CHECK:             loop.block "S"
// CHECK:           loop.for serial %k in 4 {
// CHECK-NEXT:        loop.block "T"
// CHECK-NEXT:          where(-%k + %{{.*}} - 1 >= 0)
// CHECK:           loop.for serial %k in min #[[INNER]]()[%{{.*}}] {
// CHECK-NEXT:        loop.block "U"
// CHECK-NOT:           where
func.func @starts(%A: memref<?xi32>, %S: memref<8xi32>, %T: memref<8xi32>, %U: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %A, %c0 : memref<?xi32>
  loop.for serial %i in 8 {
    loop.if (-%i + %n - 1 >= 0) {
      loop.for serial %k in 4 {
        loop.block "S" [%v: spatial 8, %vk: reduce 4] = (%i, %k) reads(%A[%vk : 1]) writes(%S[%v : 1]) reducer(add, 0) {
          loop.init {
            %zero = arith.constant 0 : i32
            memref.store %zero, %S[%v] : memref<8xi32>
          }
          %a = memref.load %A[%vk] : memref<?xi32>
          %s = memref.load %S[%v] : memref<8xi32>
          %r = arith.addi %s, %a : i32
          memref.store %r, %S[%v] : memref<8xi32>
        }
      }
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %k in 4 {
      loop.block "T" [%v: spatial 8, %vk: reduce 4] = (%i, %k) where(-%k + %n - 1 >= 0)
          reads(%A[%vk : 1]) writes(%T[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %T[%v] : memref<8xi32>
        }
        %a = memref.load %A[%vk] : memref<?xi32>
        %s = memref.load %T[%v] : memref<8xi32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %T[%v] : memref<8xi32>
      }
    }
    loop.for serial %k in 4 {
      loop.block "U" [%v: spatial 8, %vk: reduce 4] = (%i, %k) where(-%k + %m >= 0)
          reads(%A[%vk : 1]) writes(%U[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %U[%v] : memref<8xi32>
        }
        %a = memref.load %A[%vk] : memref<?xi32>
        %s = memref.load %U[%v] : memref<8xi32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %U[%v] : memref<8xi32>
      }
    }
  }
  return
}

// -----

// Unchanged: a lower bound, an else, two statements, lanes, threads.
// CHECK-LABEL: func.func @others(
// CHECK:         loop.if (%i - 1 >= 0)
// CHECK:         loop.if (-%i + 5 >= 0)
// CHECK:         where(-%j + 5 >= 0)
// CHECK:         where(-%j + 5 >= 0)
// CHECK:         where(-%l + 5 >= 0)
// CHECK:         where(-%t + 5 >= 0)
func.func @others(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.if (%i - 1 >= 0) {
      loop.block "B0" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.if (-%i + 5 >= 0) {
      loop.block "B1" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    } else {
    }
  }
  loop.for serial %j in 8 {
    loop.block "B2" [%v: spatial 8] = (%j) where(-%j + 5 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
    loop.block "B3" [%v: spatial 8] = (%j) where(-%j + 5 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for vectorize %l in 8 {
    loop.block "B4" [%v: spatial 8] = (%l) where(-%l + 5 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.block "B5" [%v: spatial 8] = (%t) where(-%t + 5 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// -----

// All lanes of an enclosing vectorized loop are in the same iteration of the loop.
// CHECK-LABEL: func.func @kept_for_lanes(
// CHECK:         loop.for vectorize %l in 8 {
// CHECK-NEXT:      loop.for serial %i in #{{.*}}()[%{{.*}}] {
// CHECK-NEXT:        loop.block "B" {{.*}} = (%i * 8 + %l)
// CHECK-NEXT:            where(
func.func @kept_for_lanes(%A: memref<?xf32>, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for vectorize %l in 8 {
    loop.for serial %i in affine_map<()[s0] -> (s0 ceildiv 8)>()[%n] {
      loop.block "B" [%v: spatial %n] = (%i * 8 + %l) where(%i * -8 - %l + symbol(%n) - 1 >= 0)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// A loop-invariant condition is hoisted, also out of the enclosing loop; not a condition that varies by lane,
// nor one on a statement at function level.
// CHECK-LABEL: func.func @invariant(
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.if (%i - 1 >= 0, %{{.*}} - 2 >= 0) {
// CHECK-NEXT:        loop.for serial %j in 4 {
// CHECK-NEXT:          loop.for serial %k in 4 {
// CHECK-NEXT:            loop.block "S" [%v: spatial 8, %vj: reduce 4, %vk: reduce 4] = (%i, %j, %k)
// CHECK-NOT:                 where
// CHECK:         loop.for vectorize %l in 8 {
// CHECK-NEXT:      loop.for serial %k in 4 {
// CHECK-NEXT:        loop.block "T"
// CHECK-NEXT:            where(-%l + %{{.*}} - 1 >= 0)
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "U" [%v: spatial 8] = (%i)
// CHECK-NEXT:          where(%{{.*}} - 2 >= 0)
func.func @invariant(%A: memref<4xi32>, %S: memref<8xi32>, %T: memref<8xi32>, %n: index) {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      loop.for serial %k in 4 {
        loop.block "S" [%v: spatial 8, %vj: reduce 4, %vk: reduce 4] = (%i, %j, %k) where(%i - 1 >= 0, %n - 2 >= 0)
            reads(%A[%vk : 1]) writes(%S[%v : 1]) reducer(add, 0) {
          loop.init {
            %zero = arith.constant 0 : i32
            memref.store %zero, %S[%v] : memref<8xi32>
          }
          %a = memref.load %A[%vk] : memref<4xi32>
          %s = memref.load %S[%v] : memref<8xi32>
          %r = arith.addi %s, %a : i32
          memref.store %r, %S[%v] : memref<8xi32>
        }
      }
    }
  }
  loop.for vectorize %l in 8 {
    loop.for serial %k in 4 {
      loop.block "T" [%v: spatial 8, %vk: reduce 4] = (%l, %k) where(-%l + %n - 1 >= 0)
          reads(%A[%vk : 1]) writes(%T[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %T[%v] : memref<8xi32>
        }
        %a = memref.load %A[%vk] : memref<4xi32>
        %s = memref.load %T[%v] : memref<8xi32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %T[%v] : memref<8xi32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.block "U" [%v: spatial 8] = (%i) where(%n - 2 >= 0) writes(%T[%v : 1]) {
      %one = arith.constant 1 : i32
      memref.store %one, %T[%v] : memref<8xi32>
    }
  }
  return
}

// RUN: lw-opt %s --ir-simplify --split-input-file | FileCheck %s
// RUN: lw-opt %s --ir-simplify --split-input-file --pass-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS

// Indices and bindings of split loops; an extent and a condition that are never tight.
// CHECK-LABEL: func.func @split(
// CHECK-NEXT:    loop.for serial %o in 8 {
// CHECK-NEXT:      loop.for serial %i in 4 {
// CHECK-NEXT:        loop.block "B" [%v: spatial 32] = (%o * 4 + %i)
// CHECK-NEXT:            reads
// CHECK-NEXT:          memref.load %{{.*}}[%v]
// COUNTS:        ir-simplify  @split {{.*}} changed, 2 expressions, 2 conditions
func.func @split(%A: memref<32xf32>, %B: memref<32xf32>) {
  loop.for serial %o in 8 {
    loop.for serial %i in min affine_map<(d0) -> (-d0 * 4 + 32, 4)>(%o) {
      loop.block "B" [%v: spatial 32] = ((%o * 4 + %i) mod 32) where(-%o * 4 - %i + 31 >= 0)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %at = affine.apply affine_map<(d0) -> ((d0 floordiv 4) * 4 + d0 mod 4)>(%v)
        %a = memref.load %A[%at] : memref<32xf32>
        memref.store %a, %B[%v] : memref<32xf32>
      }
    }
  }
  return
}

// -----

// The fused loop of two, as in a kernel of 32 blocks of 256 threads.
// CHECK-LABEL: func.func @threads(
// CHECK:         loop.block "C" [%v: spatial 64, %w: spatial 128] = (%b * 2 + %t floordiv 128, %t mod 128)
func.func @threads(%A: memref<64x128xf32>, %C: memref<64x128xf32>) {
  loop.for thread_bind[blockIdx.x] %b in 32 {
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.block "C" [%v: spatial 64, %w: spatial 128] = ((%b * 256 + %t) floordiv 128, (%b * 256 + %t) mod 128)
          reads(%A[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x128xf32>
        memref.store %a, %C[%v, %w] : memref<64x128xf32>
      }
    }
  }
  return
}

// -----

// Loops of one iteration and of none; thread loops and loops with annotations or start values are kept.
// CHECK-LABEL: func.func @loops(
// CHECK-NOT:     %one
// CHECK:         loop.block "B" [%v: spatial 8] = (0)
// CHECK-NOT:     "N"
// CHECK:         loop.for thread_bind[threadIdx.x] %t in 1
// CHECK:         loop.for serial %noted in 1
// CHECK:         loop.for serial %k in 0
func.func @loops(%A: memref<8xf32>, %B: memref<8xf32>, %S: memref<8xf32>) {
  loop.for serial %one in 1 {
    loop.for parallel %other in 1 {
      loop.block "B" [%v: spatial 8] = (%one * 3 + %other) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %none in 0 {
    loop.block "N" [%v: spatial 8] = (%none) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %t in 1 {
    loop.block "T" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %noted in 1 attributes {loop.annotations = {note = 1}} {
    loop.block "M" [%v: spatial 8] = (%noted) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %k in 0 {
      loop.block "S" [%v: spatial 8, %vk: reduce 0] = (%i, %k) reads(%A[%v : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%v] : memref<8xf32>
        }
        %a = memref.load %A[%v] : memref<8xf32>
        %s = memref.load %S[%v] : memref<8xf32>
        %r = arith.addf %s, %a : f32
        memref.store %r, %S[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// A function-level nest with a bound loop is a kernel, and stays one.
// CHECK-LABEL: func.func @kernels(
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x] %t in 8 {
// CHECK:         loop.if (0 >= 0) {
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %t in 8 {
// CHECK:         loop.for serial %l in 1 {
// CHECK-NEXT:      loop.block "S"
func.func @kernels(%A: memref<8xf32>, %B: memref<8xf32>, %n: index) {
  loop.for serial %k in 1 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "P" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  loop.if (%n - %n >= 0) {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "Q" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
    loop.block "R" [%v: spatial 8] = (0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %l in 1 {
    loop.block "S" [%v: spatial 8] = (%l) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
    loop.block "T" [%v: spatial 8] = (%l) reads(%B[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %B[%v] : memref<8xf32>
      memref.store %a, %A[%v] : memref<8xf32>
    }
  }
  return
}

// -----

// Branches and predicates that are statically decided, entirely or in part; those that depend on a size are kept.
// CHECK-LABEL: func.func @conditions(
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "Always"
// CHECK:           loop.block "Else"
// CHECK:           loop.if (%i - 3 >= 0) {
// CHECK-NEXT:        loop.block "Part"
// CHECK:           loop.block "Size"
// CHECK-NEXT:          where(-%i + %{{.*}} - 1 >= 0)
// CHECK-NOT:       "Never"
func.func @conditions(%A: memref<8xf32>, %B: memref<8xf32>, %n: index) {
  loop.for serial %i in 8 {
    loop.if (%i >= 0, -%i + 7 >= 0) {
      loop.block "Always" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
    loop.if (%i - 8 >= 0) {
      loop.block "Never" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    } else {
      loop.block "Else" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
    loop.if (%i - 3 >= 0, -%i + 9 >= 0, %i - 3 >= 0) {
      loop.block "Part" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
    loop.block "Size" [%v: spatial 8] = (%i) where(-%i + %n - 1 >= 0, -%i + 7 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
    loop.block "Never2" [%v: spatial 8] = (%i) where(-%i - 1 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// -----

// An extent below 0 is one of no iterations.
// CHECK-LABEL: func.func @below(
// CHECK-NOT:     loop.for
// CHECK:         return
func.func @below(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 1 {
    loop.for serial %j in min affine_map<(d0) -> (d0 - 1, 8)>(%i) {
      loop.block "B" [%u: spatial 8] = (%j) reads(%A[%u : 1]) writes(%B[%u : 1]) {
        %a = memref.load %A[%u] : memref<8xf32>
        memref.store %a, %B[%u] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// The declared box is not proved to cover the index in its new form: the box is recomputed.
// CHECK-LABEL: func.func @box_of_a_remainder
// CHECK:           reads(%arg0[%arg2 floordiv 4 : 1])
// CHECK-NEXT:      affine.apply #{{.*}}()[%arg2]
func.func @box_of_a_remainder(%A: memref<?xf32>, %B: memref<?xf32>, %n: index) {
  loop.for serial %i in affine_map<()[s0] -> (s0 mod 2)>()[%n] {
    loop.block "B" [%v: spatial symbol(%n) mod 2] = (%i) reads(%A[(%v + (symbol(%n) floordiv 2) * 2) floordiv 4 : 1]) writes(%B[%v : 1]) {
      %at = affine.apply affine_map<(d0)[s0] -> ((d0 + (s0 floordiv 2) * 2) floordiv 4)>(%v)[%n]
      %a = memref.load %A[%at] : memref<?xf32>
      memref.store %a, %B[%v] : memref<?xf32>
    }
  }
  return
}

// -----

// Terms too small to change a condition are removed, so that it is uniform for all lanes of a vector. If the lanes
// are the higher digit, it does not.
// CHECK-LABEL: func.func @coarse(
// CHECK:         loop.if (%i - 2 >= 0)
// CHECK:         loop.block "last"
// CHECK-NEXT:      where(-%i + symbol(%arg2) - 1 >= 0)
// CHECK:         loop.if (%i + %v * 10 - 8 >= 0)
func.func @coarse(%A: memref<40xf32>, %B: memref<40xf32>, %n: index) {
  loop.for serial %i in 10 {
    loop.for vectorize %v in 4 {
      loop.if (%i * 4 + %v - 8 >= 0) {
        loop.block "first" [%w: spatial 40] = (%i * 4 + %v) reads(%A[%w : 1]) writes(%B[%w : 1]) {
          %a = memref.load %A[%w] : memref<40xf32>
          memref.store %a, %B[%w] : memref<40xf32>
        }
      }
      loop.block "last" [%w: spatial 40] = (%i * 4 + %v) where(symbol(%n) * 4 - %i * 4 - %v - 1 >= 0)
          reads(%A[%w : 1]) writes(%B[%w : 1]) {
        %a = memref.load %A[%w] : memref<40xf32>
        memref.store %a, %B[%w] : memref<40xf32>
      }
      loop.if (%i + %v * 10 - 8 >= 0) {
        loop.block "other" [%w: spatial 40] = (%i + %v * 10) reads(%A[%w : 1]) writes(%B[%w : 1]) {
          %a = memref.load %A[%w] : memref<40xf32>
          memref.store %a, %B[%w] : memref<40xf32>
        }
      }
    }
  }
  return
}

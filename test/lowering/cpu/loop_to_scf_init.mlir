// Where the start values of reductions are written.
// RUN: lw-opt %s --convert-loop-to-scf -split-input-file -verify-diagnostics | FileCheck %s

// Before the reduction loop: no iteration tests whether it is the first.
// CHECK-LABEL: @before_the_reducing_loop(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           %[[ZERO:.*]] = arith.constant 0.0
// CHECK:           memref.store %[[ZERO]], %{{.*}}[%[[I]]]
// CHECK:           scf.for %[[K:.*]] =
// CHECK-NOT:         scf.if
// CHECK:             %[[S:.*]] = arith.addf
// CHECK:             memref.store %[[S]], %{{.*}}[%[[I]]]
func.func @before_the_reducing_loop(%A: memref<4x8xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k in 8 {
      loop.block "B" [%v: spatial 4, %w: reduce 8] = (%i, %k)
          reads(%A[%v : 1, %w : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<4xf32>
        }
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// -----

// A separate nest over the inner spatial loops, with their conditions.
// CHECK-LABEL: @with_inner_spatial_loops(
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %c4
// CHECK:           %[[IN:.*]] = arith.cmpi sge
// CHECK:           scf.if %[[IN]] {
// CHECK:             arith.constant 0.0
// CHECK:             memref.store
// CHECK:         scf.for %[[K:.*]] = %{{.*}} to %c8
// CHECK:           scf.for %[[J:.*]] = %{{.*}} to %c4
// CHECK:             scf.if
// CHECK:               memref.load %{{.*}}[%[[J]], %[[K]]]
func.func @with_inner_spatial_loops(%A: memref<3x8xf32>, %B: memref<3xf32>) {
  loop.for serial %k in 8 {
    loop.for serial %i in 4 {
      loop.block "B" [%v: spatial 3, %w: reduce 8] = (%i, %k) where(-%i + 2 >= 0, -%k + 6 >= 0)
          reads(%A[%v : 1, %w : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<3xf32>
        }
        %a = memref.load %A[%v, %w] : memref<3x8xf32>
        %b = memref.load %B[%v] : memref<3xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<3xf32>
      }
    }
  }
  return
}

// -----

// In lanes too.
// CHECK-LABEL: @with_inner_lanes(
// CHECK:         vector.broadcast %{{.*}} : f32 to vector<8xf32>
// CHECK:         vector.store
// CHECK:         scf.for
// CHECK:           vector.load
// CHECK:           vector.load
// CHECK:           arith.addf %{{.*}} : vector<8xf32>
// CHECK:           vector.store
func.func @with_inner_lanes(%A: memref<4x8xf32>, %B: memref<8xf32>) {
  loop.for serial %k in 4 {
    loop.for vectorize %j in 8 {
      loop.block "B" [%v: spatial 8, %w: reduce 4] = (%j, %k)
          reads(%A[%w : 1, %v : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<8xf32>
        }
        %a = memref.load %A[%w, %v] : memref<4x8xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// If a loop is both spatial and reduction: in place, guarded by the first iteration of the reduction.
// CHECK-LABEL: @in_place(
// CHECK:         scf.for %[[F:.*]] = %{{.*}} to %c32
// CHECK:           %[[K:.*]] = arith.remui %[[F]], %c8
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %c0
// CHECK:           scf.if %[[FIRST]] {
// CHECK:             arith.constant 0.0
// CHECK:             memref.store
// CHECK:           }
// CHECK:           arith.addf
func.func @in_place(%A: memref<4x8xf32>, %B: memref<4xf32>) {
  loop.for serial %f in 32 {
    loop.block "B" [%v: spatial 4, %w: reduce 8] = (%f floordiv 8, %f mod 8)
        reads(%A[%v : 1, %w : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %B[%v] : memref<4xf32>
      }
      %a = memref.load %A[%v, %w] : memref<4x8xf32>
      %b = memref.load %B[%v] : memref<4xf32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// In place, and also before the nest for a reduction over no iterations.
// CHECK-LABEL: @over_nothing(
// CHECK:         %[[N:.*]] = memref.dim
// CHECK:         %[[NONE:.*]] = arith.cmpi sle, %[[N]], %c0
// CHECK:         scf.if %[[NONE]] {
// CHECK:           scf.for %[[V:.*]] = %{{.*}} to %c4
// CHECK:             arith.constant 0.0
// CHECK:             memref.store %{{.*}}[%[[V]]]
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             arith.constant 0.0
func.func @over_nothing(%A: memref<?x4xf32>, %B: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x4xf32>
  loop.for serial %f in affine_map<()[s0] -> (s0 * 4)>()[%n] {
    loop.block "B" [%v: spatial 4, %w: reduce %n] = (%f mod 4, %f floordiv 4)
        reads(%A[%w : 1, %v : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %B[%v] : memref<4xf32>
      }
      %a = memref.load %A[%w, %v] : memref<?x4xf32>
      %b = memref.load %B[%v] : memref<4xf32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[%v] : memref<4xf32>
    }
  }
  return
}

// -----

// Another block reads the target of the reduction before it starts: in place.
// CHECK-LABEL: @where_another_block_reads_it(
// CHECK-NOT:     memref.store
// CHECK:         scf.for %[[K:.*]] =
// CHECK:           %[[FIRST:.*]] = arith.cmpi eq, %[[K]]
// CHECK-NEXT:      scf.if %[[FIRST]]
func.func @where_another_block_reads_it(%A: memref<8xf32>, %B: memref<f32>, %C: memref<8xf32>) {
  loop.for serial %k in 8 {
    loop.block "C" [%v: spatial 8] = (%k) reads(%B[]) writes(%C[%v : 1]) {
      %b = memref.load %B[] : memref<f32>
      memref.store %b, %C[%v] : memref<8xf32>
    }
    loop.block "B" [%w: reduce 8] = (%k) reads(%A[%w : 1], %B[]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %B[] : memref<f32>
      }
      %a = memref.load %A[%w] : memref<8xf32>
      %b = memref.load %B[] : memref<f32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[] : memref<f32>
    }
  }
  return
}

// -----

// A reducer of two values has two start values.
// CHECK-LABEL: @two_reducers(
// CHECK-SAME:    %{{[^:]*}}: {{.*}}, %[[S:[^:]*]]: memref<f32> {loop.result}, %[[P:[^:]*]]: memref<f32> {loop.result})
// CHECK-DAG:     memref.store %{{.*}}, %[[S]][]
// CHECK-DAG:     memref.store %{{.*}}, %[[P]][]
// CHECK:         scf.for
// CHECK:           arith.addf
// CHECK:           arith.mulf
func.func @two_reducers(%A: memref<8xf32>, %S: memref<f32>, %P: memref<f32>) {
  loop.for serial %k in 8 {
    loop.block "SP" [%w: reduce 8] = (%k) reads(%A[%w : 1], %S[], %P[]) writes(%S[], %P[])
        reducer(add, 0.0, mul, 1.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        %one = arith.constant 1.0 : f32
        memref.store %zero, %S[] : memref<f32>
        memref.store %one, %P[] : memref<f32>
      }
      %a = memref.load %A[%w] : memref<8xf32>
      %s = memref.load %S[] : memref<f32>
      %p = memref.load %P[] : memref<f32>
      %s1 = arith.addf %s, %a : f32
      %p1 = arith.mulf %p, %a : f32
      memref.store %s1, %S[] : memref<f32>
      memref.store %p1, %P[] : memref<f32>
    }
  }
  return
}

// -----

// An enclosing block provides iters; the reduction is known to run.
// CHECK-LABEL: @in_a_block(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             scf.if
// CHECK:               arith.constant 0.0
func.func @in_a_block(%A: memref<4x8xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "outer" [%v: spatial 4] = (%i) reads(%A[%v : 1, 0 : 8], %B[%v : 1]) writes(%B[%v : 1]) {
      loop.for serial %f in 8 {
        loop.block "B" [%x: spatial 1, %w: reduce 8] = (%f floordiv 8, %f)
            reads(%A[%v : 1, %w : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<4xf32>
          }
          %a = memref.load %A[%v, %w] : memref<4x8xf32>
          %b = memref.load %B[%v] : memref<4xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

// -----

func.func @over_nothing_in_a_block(%A: memref<4x?xf32>, %B: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<4x?xf32>
  loop.for serial %i in 4 {
    loop.block "outer" [%v: spatial 4] = (%i) reads(%A[%v : 1, 0 : %n], %B[%v : 1]) writes(%B[%v : 1]) {
      loop.for serial %f in %n {
        // expected-error @below {{"B" may reduce over no elements and uses iters of an enclosing block, so its start values cannot be written before its loops}}
        loop.block "B" [%x: spatial 1, %w: reduce %n] = (%f floordiv 100, %f)
            reads(%A[%v : 1, %w : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<4xf32>
          }
          %a = memref.load %A[%v, %w] : memref<4x?xf32>
          %b = memref.load %B[%v] : memref<4xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

// -----

// Whole tiles and the tail of one reduction, with provably distinct elements: each has its start values before the
// loop, in the same branch.
// CHECK-LABEL: @in_branches(
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c4
// CHECK:           scf.if
// CHECK:             arith.constant 0.0
// CHECK:             memref.store
// CHECK:         scf.for %{{.*}} = %{{.*}} to %c4
// CHECK:           scf.if
// CHECK:           } else {
// CHECK:             arith.constant 0.0
// CHECK:             memref.store
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK-NOT:       arith.constant 0.0
// CHECK-NOT:       arith.cmpi eq
// CHECK:         return
func.func @in_branches(%A: memref<?x10xf32>, %B: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x10xf32>
  loop.for serial %k in %n {
    loop.for serial %i in 4 {
      loop.if (-%i + 2 >= 0) {
        loop.for serial %j in 3 {
          loop.block "B" [%v: spatial 10, %w: reduce %n] = (%i * 3 + %j, %k)
              reads(%A[%w : 1, %v : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %B[%v] : memref<10xf32>
            }
            %a = memref.load %A[%w, %v] : memref<?x10xf32>
            %b = memref.load %B[%v] : memref<10xf32>
            %s = arith.addf %b, %a : f32
            memref.store %s, %B[%v] : memref<10xf32>
          }
        }
      } else {
        loop.block "B.tail" [%v: spatial 10, %w: reduce %n] = (%i * 3, %k)
            reads(%A[%w : 1, %v : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<10xf32>
          }
          %a = memref.load %A[%w, %v] : memref<?x10xf32>
          %b = memref.load %B[%v] : memref<10xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<10xf32>
        }
      }
    }
  }
  return
}

// -----

// Not if another block may access the elements before the start.
// CHECK-LABEL: @behind_another_write(
// CHECK:         scf.if
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK:           arith.cmpi eq
// CHECK:         return
func.func @behind_another_write(%A: memref<?x10xf32>, %B: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x10xf32>
  loop.for serial %k in %n {
    loop.block "C" [%w: spatial %n] = (%k) writes(%B[9 : 1]) {
      %one = arith.constant 1.0 : f32
      %c9 = arith.constant 9 : index
      memref.store %one, %B[%c9] : memref<10xf32>
    }
    loop.for serial %j in 10 {
      loop.block "B" [%v: spatial 10, %w: reduce %n] = (%j, %k)
          reads(%A[%w : 1, %v : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<10xf32>
        }
        %a = memref.load %A[%w, %v] : memref<?x10xf32>
        %b = memref.load %B[%v] : memref<10xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<10xf32>
      }
    }
  }
  return
}

// -----

// Accesses after the start are allowed: the tail of a reduction continues with the same elements.
// CHECK-LABEL: @before_the_rest(
// CHECK:         memref.store
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step
// CHECK-NOT:       arith.cmpi eq
// CHECK:         return
func.func @before_the_rest(%A: memref<?xf32>, %B: memref<f32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 5)>()[%n] {
    loop.for serial %l in 3 {
      loop.block "B" [%w: reduce %n] = (%k * 5 + %l) where(%k * -5 - %l + symbol(%n) - 1 >= 0)
          reads(%A[%w : 1]) writes(%B[]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[] : memref<f32>
        }
        %a = memref.load %A[%w] : memref<?xf32>
        %b = memref.load %B[] : memref<f32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[] : memref<f32>
      }
    }
    loop.for serial %l in 2 {
      loop.block "B.tail" [%w: reduce %n] = (%k * 5 + %l + 3) where(%k * -5 - %l + symbol(%n) - 4 >= 0)
          reads(%A[%w : 1], %B[]) writes(%B[]) reducer(add, 0.0) {
        %a = memref.load %A[%w] : memref<?xf32>
        %b = memref.load %B[] : memref<f32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[] : memref<f32>
      }
    }
  }
  return
}

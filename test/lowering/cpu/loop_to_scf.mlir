// Loops of every kind, schedule blocks and branches between loops. Vectors, start values, buffers and
// refusals are in separate files.
// RUN: lw-opt %s --convert-loop-to-scf -verify-diagnostics | FileCheck %s

// A written argument is marked as a result.
// CHECK-LABEL: @serial(
// CHECK-SAME:    %[[A:.*]]: memref<12xf32>, %[[B:.*]]: memref<12xf32> {loop.result})
// CHECK-DAG:     %[[N:.*]] = arith.constant 12
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1
// CHECK:         scf.for %[[I:.*]] = %[[ZERO]] to %[[N]] step %[[ONE]] {
// CHECK-NEXT:      %[[X:.*]] = memref.load %[[A]][%[[I]]]
// CHECK-NEXT:      memref.store %[[X]], %[[B]][%[[I]]]
func.func @serial(%A: memref<12xf32>, %B: memref<12xf32>) {
  loop.for serial %i in 12 {
    loop.block "B" [%v: spatial 12] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<12xf32>
      memref.store %a, %B[%v] : memref<12xf32>
    }
  }
  return
}

// An existing mark is kept.
// CHECK-LABEL: @marked(%{{.*}}: memref<?xf32> {loop.result = {from = [array<i64: 1>], shape = affine_map<()[s0] -> (s0)>}}, %{{.*}}: index)
func.func @marked(%B: memref<?xf32> {loop.result = {shape = affine_map<()[s0] -> (s0)>, from = [array<i64: 1>]}}, %n: index) {
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<?xf32>
    }
  }
  return
}

// Only the outermost parallel loop stays parallel.
// CHECK-LABEL: @parallel_in_parallel(
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK-NOT:     scf.parallel
// CHECK:           scf.for %[[J:.*]] =
// CHECK-NEXT:        memref.load %{{.*}}[%[[I]], %[[J]]]
func.func @parallel_in_parallel(%A: memref<12x8xf32>, %B: memref<12x8xf32>) {
  loop.for parallel %i in 12 {
    loop.for parallel %j in 8 {
      loop.block "B" [%vi: spatial 12, %vj: spatial 8] = (%i, %j)
          reads(%A[%vi : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<12x8xf32>
        memref.store %a, %B[%vi, %vj] : memref<12x8xf32>
      }
    }
  }
  return
}

// Consecutive parallel loops are all parallel; one of one iteration too, and one of no iterations is removed.
// CHECK-LABEL: @parallel_after_parallel(
// CHECK:         scf.parallel (%{{.*}}) = (%{{.*}}) to (%{{.*}})
// CHECK:         scf.parallel
// CHECK-NOT:     scf.parallel
func.func @parallel_after_parallel(%B: memref<1xf32>) {
  loop.for parallel %i in 1 {
    loop.block "B" [%v: spatial 1] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<1xf32>
    }
  }
  loop.for parallel %i in 1 {
    loop.block "C" [%v: spatial 1] = (%i) writes(%B[%v : 1]) {
      %two = arith.constant 2.0 : f32
      memref.store %two, %B[%v] : memref<1xf32>
    }
  }
  loop.for parallel %i in 0 {
    loop.block "D" [%v: spatial 0] = (%i) writes(%B[%v : 1]) {
      %three = arith.constant 3.0 : f32
      memref.store %three, %B[%v] : memref<1xf32>
    }
  }
  return
}

// Thread blocks are parallel; the threads of one block are a serial loop.
// CHECK-LABEL: @bound_to_threads(
// CHECK:         scf.parallel
// CHECK-NOT:     scf.parallel
// CHECK:           scf.for
// CHECK:             scf.for
func.func @bound_to_threads(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  loop.for thread_bind[blockIdx.x] %i in 2 {
    loop.for thread_bind[blockIdx.y] %j in 2 {
      loop.for thread_bind[threadIdx.x] %k in 8 {
        loop.block "B" [%vi: spatial 4, %vj: spatial 8] = (%i * 2 + %j, %k)
            reads(%A[%vi : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
          %a = memref.load %A[%vi, %vj] : memref<4x8xf32>
          memref.store %a, %B[%vi, %vj] : memref<4x8xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: @unroll(
// CHECK-SAME:    %[[A:[^:]*]]: {{.*}}, %[[B:[^:]*]]:
// CHECK-NOT:     scf.for
// CHECK:         %[[X0:.*]] = memref.load %[[A]][%c0{{.*}}]
// CHECK:         memref.store %[[X0]], %[[B]][%c0{{.*}}]
// CHECK:         %[[X1:.*]] = memref.load %[[A]][%c1{{.*}}]
// CHECK:         memref.store %[[X1]], %[[B]][%c1{{.*}}]
// CHECK-NOT:     memref.store
func.func @unroll(%A: memref<2xf32>, %B: memref<2xf32>) {
  loop.for unroll %i in 2 {
    loop.block "B" [%v: spatial 2] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<2xf32>
      memref.store %a, %B[%v] : memref<2xf32>
    }
  }
  return
}

// CHECK-LABEL: @unroll_too_many(
// CHECK:         scf.for
func.func @unroll_too_many(%B: memref<1025xf32>) {
  // expected-remark @below {{not unrolled: 1025 copies, expected at most 1024}}
  loop.for unroll %i in 1025 {
    loop.block "B" [%v: spatial 1025] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<1025xf32>
    }
  }
  return
}

// Nested loops multiply the number of iterations. Consecutive ones do not.
// CHECK-LABEL: @unroll_in_unroll(
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @unroll_in_unroll(%B: memref<2x1000xf32>) {
  loop.for unroll %i in 2 {
    // expected-remark @below {{not unrolled: 2000 copies, expected at most 1024}}
    loop.for unroll %j in 1000 {
      loop.block "B" [%v: spatial 2, %w: spatial 1000] = (%i, %j) writes(%B[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v, %w] : memref<2x1000xf32>
      }
    }
  }
  loop.for unroll %i in 2 {
    loop.block "C" [%v: spatial 2] = (%i) writes(%B[%v : 1, 0 : 1]) {
      %c0 = arith.constant 0 : index
      %two = arith.constant 2.0 : f32
      memref.store %two, %B[%v, %c0] : memref<2x1000xf32>
    }
  }
  return
}

// CHECK-LABEL: @unroll_dynamic(
// CHECK:         scf.for
func.func @unroll_dynamic(%B: memref<?xf32>, %n: index) {
  // expected-remark @below {{not unrolled: its extent is not constant}}
  loop.for unroll %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: @extent_0(
// CHECK-NEXT:    return
func.func @extent_0(%B: memref<0xf32>) {
  loop.for serial %i in 0 {
    loop.block "B" [%v: spatial 0] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<0xf32>
    }
  }
  return
}

// CHECK-LABEL: @extent_1(
// CHECK-NOT:     scf.for
// CHECK:         memref.store %{{.*}}[%c0{{.*}}]
func.func @extent_1(%B: memref<1xf32>) {
  loop.for serial %i in 1 {
    loop.block "B" [%v: spatial 1] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<1xf32>
    }
  }
  return
}

// CHECK-LABEL: @extent_is_a_minimum(
// CHECK-SAME:    %{{[^:]*}}: {{.*}}, %[[N:[^:]*]]: index)
// CHECK:         %[[TILES:.*]] = arith.ceildiv{{.*}} %[[N]], %c4
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[TILES]] step
// CHECK:           %[[START:.*]] = arith.muli %[[I]], %c4
// CHECK:           %[[REST:.*]] = arith.subi %[[N]], %[[START]]
// CHECK:           %[[SIZE:.*]] = arith.minsi %c4{{.*}}, %[[REST]]
// CHECK:           scf.for %{{.*}} = %{{.*}} to %[[SIZE]] step
func.func @extent_is_a_minimum(%B: memref<?xf32>, %n: index) {
  loop.for serial %i in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %j in min affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>(%i)[%n] {
      loop.block "B" [%v: spatial %n] = (%i * 4 + %j) writes(%B[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: @predicate(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %[[J:.*]] =
// CHECK:             %[[START:.*]] = arith.muli %[[I]], %c8
// CHECK:             %[[LEFT:.*]] = arith.subi %c29{{.*}}, %[[START]]
// CHECK:             %[[REST:.*]] = arith.subi %[[LEFT]], %[[J]]
// CHECK:             %[[YES:.*]] = arith.cmpi sge, %[[REST]], %c0
// CHECK:             scf.if %[[YES]] {
// CHECK:               memref.store
func.func @predicate(%B: memref<30xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 30] = (%i * 8 + %j) where(%i * -8 - %j + 29 >= 0) writes(%B[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v] : memref<30xf32>
      }
    }
  }
  return
}

// A condition that always holds is not tested, and a block that never runs is removed.
// CHECK-LABEL: @predicates_that_are_known(
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           arith.constant 1.0
// CHECK-NOT:       arith.constant 2.0
// CHECK:         return
func.func @predicates_that_are_known(%B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "always" [%v: spatial 8] = (%i) where(-%i + 7 >= 0) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<8xf32>
    }
    loop.block "never" [%v: spatial 8] = (%i) where(%i - 8 >= 0) writes(%B[%v : 1]) {
      %two = arith.constant 2.0 : f32
      memref.store %two, %B[%v] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: @branch_between_loops(
// CHECK:         scf.if %{{.*}} {
// CHECK:           arith.constant 1.0
// CHECK:         } else {
// CHECK:           arith.constant 2.0
func.func @branch_between_loops(%B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.if (%i - 4 >= 0) {
      loop.block "one" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v] : memref<8xf32>
      }
    } else {
      loop.block "two" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
        %two = arith.constant 2.0 : f32
        memref.store %two, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// The iters of an enclosing block are substituted at their uses.
// CHECK-LABEL: @nested_blocks(
// CHECK:         scf.for %[[I:.*]] =
// CHECK:           scf.for %[[J:.*]] =
// CHECK-NEXT:        memref.load %{{.*}}[%[[I]], %[[J]]]
func.func @nested_blocks(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  loop.for serial %i in 4 {
    loop.block "outer" [%v: spatial 4] = (%i) reads(%A[%v : 1, 0 : 8]) writes(%B[%v : 1, 0 : 8]) {
      loop.for serial %j in 8 {
        loop.block "inner" [%w: spatial 8] = (%j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<4x8xf32>
          memref.store %a, %B[%v, %w] : memref<4x8xf32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: @without_nests(
// CHECK-SAME:    %[[A:.*]]: memref<4xf32>, %[[N:.*]]: index) -> index {
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[N]] step
// CHECK-NEXT:      %[[X:.*]] = memref.load %[[A]][%[[I]]]
func.func @without_nests(%A: memref<4xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %A[%i] : memref<4xf32>
    memref.store %a, %A[%c0] : memref<4xf32>
  }
  return %c1 : index
}

// Padding between rows: the allocation is larger, and indices are unchanged. A dynamic row size is rounded up at the
// allocation.
// CHECK-LABEL: func.func @padded_rows(
// CHECK:         memref.alloc() {{.*}} : memref<5x17xf32>
// CHECK:         arith.ceildivsi
// CHECK:         %[[row:.*]] = arith.addi %{{.*}}, %c-15
// CHECK:         memref.alloc(%[[row]]) {{.*}} : memref<4x?xf32>
// CHECK:         memref.store %{{.*}}, %{{.*}} : memref<5x17xf32>
// CHECK:         memref.load %{{.*}} : memref<5x17xf32>
// CHECK:         memref.store %{{.*}}, %{{.*}} : memref<4x?xf32>
func.func @padded_rows(%A: memref<4x16xf32>, %B: memref<4x?xf32>, %n: index) {
  %T = loop.buffer "T" scope(global) pad(1, 1) : memref<4x16xf32>
  %U = loop.buffer "U" scope(global) round(1, 0, 16, 1) (%n) : memref<4x?xf32>
  loop.for serial %i in 4 {
    loop.for serial %j in 16 {
      loop.block "T" [%v: spatial 4, %w: spatial 16] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x16xf32>
        memref.store %a, %T[%v, %w] : memref<4x16xf32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %j in %n {
      loop.block "U" [%v: spatial 4, %w: spatial %n] = (%i, %j) reads(%T[%v : 1, %v : 1], %B[%v : 1, %w : 1]) writes(%U[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %v] : memref<4x16xf32>
        %b = memref.load %B[%v, %w] : memref<4x?xf32>
        %c = arith.addf %t, %b : f32
        memref.store %c, %U[%v, %w] : memref<4x?xf32>
      }
    }
  }
  return
}

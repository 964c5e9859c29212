// RUN: lw-opt %s --outline-parallel-loops -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @captures(
// CHECK-SAME:    %[[A:.*]]: memref<?x8xf32>, %[[N:.*]]: index)
// CHECK-NEXT:    arith.constant 0
// CHECK-NEXT:    arith.constant 1
// CHECK-NEXT:    arith.constant 2.0
// CHECK-NEXT:    %[[X:.*]] = memref.load %[[A]]
// CHECK-NEXT:    loop.parallel_call @captures_parallel_0 in %[[N]] grain(1) (%[[X]], %[[A]] : f32, memref<?x8xf32>)
// CHECK-NEXT:    return
// CHECK-LABEL: func.func private @captures_parallel_0(
// CHECK-SAME:    %[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[X:.*]]: f32, %[[A:.*]]: memref<?x8xf32>)
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.0
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step %{{.*}} {
// CHECK-NEXT:      %[[Y:.*]] = arith.mulf %[[X]], %[[TWO]]
// CHECK-NEXT:      memref.store %[[Y]], %[[A]][%[[I]], %{{.*}}]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @captures(%A: memref<?x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %x = memref.load %A[%c0, %c0] : memref<?x8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %y = arith.mulf %x, %two : f32
    memref.store %y, %A[%i, %c0] : memref<?x8xf32>
  }
  return
}

// -----

memref.global "private" constant @table : memref<4xf32> = dense<1.0>

// A nested loop runs on the same thread; the buffer moves out of it; the table is not captured.
// CHECK-LABEL: func.func @nested(
// CHECK:         loop.parallel_call @nested_parallel_0 in %{{.*}} grain(16) (%{{.*}} : memref<64x4xf32>)
// CHECK:         loop.parallel_call @nested_parallel_1 in %{{.*}} grain(1) ()
// CHECK-LABEL: func.func private @nested_parallel_0(
// CHECK-NEXT:    memref.alloca() : memref<4xf32>
// CHECK-DAG:     memref.get_global @table
// CHECK:         scf.for
// CHECK-NOT:       loop.grain
// CHECK:           scf.for
// CHECK:             memref.load
// CHECK:         {keep = 1 : i64}
// CHECK-LABEL: func.func private @nested_parallel_1(%{{.*}}: index, %{{.*}}: index)
func.func @nested(%A: memref<64x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %table = memref.get_global @table : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      %local = memref.alloca() : memref<4xf32>
      %x = memref.load %table[%j] : memref<4xf32>
      memref.store %x, %local[%j] : memref<4xf32>
      memref.store %x, %A[%i, %j] : memref<64x4xf32>
    }
  } {loop.grain = 16 : i64, keep = 1 : i64}
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
  }
  return
}

// -----

// An inner loop is called in every iteration of the outer one, and names that exist are not reused.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      loop.parallel_call @in_a_loop_parallel_0_1 in %[[I]] grain(1) (%[[I]] : index)
// CHECK-LABEL: func.func private @in_a_loop_parallel_0_1(
func.func @in_a_loop(%n: index, %A: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      %k = arith.addi %i, %j : index
      func.call @use(%k) : (index) -> ()
    }
  }
  return
}
func.func private @use(index)
func.func private @in_a_loop_parallel_0()

// -----

func.func @c1_two_dimensions(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.parallel' op has 2 dimensions, expected 1: fuse the loops or make one of them scf.for (C1)}}
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
  }
  return
}

// -----

func.func @c1_lower_bound(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.parallel' op has a lower bound 1, expected the constant 0: normalise the loop (C1)}}
  scf.parallel (%i) = (%c1) to (%n) step (%c1) {
  }
  return
}

// -----

func.func @c1_step(%n: index) {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'scf.parallel' op has a step that is not a constant, expected the constant 1: normalise the loop (C1)}}
  scf.parallel (%i) = (%c0) to (%n) step (%n) {
  }
  return
}

// -----

func.func @c2_reduction(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.parallel' op has 1 reductions, expected none: reduce in the body, or after it (C2)}}
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init(%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return
}

// -----

func.func @c3_grain(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.parallel' op has loop.grain = 0 : i64, expected a positive integer (C3)}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
  } {loop.grain = 0 : i64}
  return
}

// -----

func.func @c4_dynamic_local_buffer(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{'memref.alloca' op has a dynamic size, expected a static shape: in a parallel loop it would move to the entry of a function, before its size is known (C4)}}
    %0 = memref.alloca(%i) : memref<?xf32>
  }
  return
}

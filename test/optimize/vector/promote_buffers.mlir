// RUN: lw-opt %s --promote-buffers -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @accumulator(
// CHECK-SAME:    %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<4xf32>, %[[I:.*]]: index)
// CHECK:         %[[B0:.*]] = memref.load %[[B]][%[[I]]]
// CHECK-NEXT:    %[[SUM:.*]] = scf.for %[[K:.*]] = %{{.*}} iter_args(%[[S:.*]] = %[[B0]]) -> (f32) {
// CHECK-NEXT:      %[[X:.*]] = memref.load %[[A]][%[[K]]]
// CHECK-NEXT:      %[[T:.*]] = arith.addf %[[S]], %[[X]]
// CHECK-NEXT:      scf.yield %[[T]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.store %[[SUM]], %[[B]][%[[I]]]
func.func @accumulator(%A: memref<8xf32>, %B: memref<4xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %b = memref.load %B[%i] : memref<4xf32>
    %a = memref.load %A[%k] : memref<8xf32>
    %s = arith.addf %b, %a : f32
    memref.store %s, %B[%i] : memref<4xf32>
  }
  return
}

// A loop that may not run does not load.
// CHECK-LABEL: @guarded(
// CHECK-SAME:    %{{[^:]*}}: {{.*}}, %[[B:[^:]*]]: memref<f32>, %[[N:[^:]*]]: index)
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %c0, %[[N]]
// CHECK-NEXT:    scf.if %[[RUNS]] {
// CHECK-NEXT:      memref.load %[[B]][]
// CHECK-NEXT:      %[[SUM:.*]] = scf.for
// CHECK:           memref.store %[[SUM]], %[[B]][]
// CHECK-NEXT:    } else {
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @guarded(%A: memref<?xf32>, %B: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %b = memref.load %B[] : memref<f32>
    %a = memref.load %A[%k] : memref<?xf32>
    %s = arith.addf %b, %a : f32
    memref.store %s, %B[] : memref<f32>
  }
  return
}

// Values that a loop carried before are still carried, and its attributes are kept.
// CHECK-LABEL: @other_values(
// CHECK:         %[[R:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:           %[[FOR:.*]]:2 = scf.for {{.*}} -> (i32, f32) {
// CHECK:           } {keep}
// CHECK:           memref.store %[[FOR]]#1
// CHECK:           scf.yield %[[FOR]]#0
// CHECK:         } else {
// CHECK:           scf.yield %{{.*}} : i32
// CHECK:         return %[[R]]
func.func @other_values(%B: memref<f32>, %n: index, %start: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %start) -> i32 {
    %y = arith.addi %x, %x : i32
    %b = memref.load %B[] : memref<f32>
    %s = arith.addf %b, %b : f32
    memref.store %s, %B[] : memref<f32>
    scf.yield %y : i32
  } {keep}
  return %r : i32
}

// Inner loops first, then the remaining accesses in the outer one.
// CHECK-LABEL: @nested(
// CHECK:         %[[B0:.*]] = vector.load
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[B0]])
// CHECK-NEXT:      %[[T:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[S]])
// CHECK-NOT:       vector.store
// CHECK:           scf.yield %[[T]]
// CHECK:         vector.store %[[SUM]]
func.func @nested(%A: memref<8x8x4xf32>, %B: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.for %l = %c0 to %c8 step %c1 {
      %b = vector.load %B[%c0] : memref<4xf32>, vector<4xf32>
      %a = vector.load %A[%k, %l, %c0] : memref<8x8x4xf32>, vector<4xf32>
      %s = arith.addf %b, %a : vector<4xf32>
      vector.store %s, %B[%c0] : memref<4xf32>, vector<4xf32>
    }
  }
  return
}

// Adjacent elements, as their offsets prove.
// CHECK-LABEL: @cells_apart(
// CHECK:         scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NOT:       vector.load
// CHECK:           scf.yield
func.func @cells_apart(%B: memref<2x16xf32>, %i: index, %x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %next = arith.addi %i, %c4 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %a = vector.load %B[%c0, %i] : memref<2x16xf32>, vector<4xf32>
    %s = arith.addf %a, %x : vector<4xf32>
    vector.store %s, %B[%c0, %i] : memref<2x16xf32>, vector<4xf32>
    %b = vector.load %B[%c0, %next] : memref<2x16xf32>, vector<4xf32>
    %t = arith.addf %b, %x : vector<4xf32>
    vector.store %t, %B[%c0, %next] : memref<2x16xf32>, vector<4xf32>
  }
  return
}

// An element that is only loaded is not stored after the loop: others may load it at that time.
// CHECK-LABEL: @loaded_beside_stored(
// CHECK-SAME:    %[[B:.*]]: memref<4x2xf32>, %[[I:.*]]: index)
// CHECK-DAG:     %[[Y:.*]] = memref.load %[[B]][%c0, %c0]
// CHECK-DAG:     memref.load %[[B]][%[[I]], %c1]
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} -> (f32) {
// CHECK-NEXT:      arith.addf %{{.*}}, %[[Y]]
// CHECK-NOT:     memref.load
// CHECK:         memref.store %[[SUM]], %[[B]][%[[I]], %c1]
// CHECK-NOT:     memref.store
// CHECK:         return
func.func @loaded_beside_stored(%B: memref<4x2xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %B[%i, %c1] : memref<4x2xf32>
    %y = memref.load %B[%c0, %c0] : memref<4x2xf32>
    %s = arith.addf %x, %y : f32
    memref.store %s, %B[%i, %c1] : memref<4x2xf32>
  }
  return
}

// CHECK-LABEL: @masked(
// CHECK-SAME:    %[[B:.*]]: memref<3xf32>, %[[M:.*]]: vector<4xi1>
// CHECK:         %[[B0:.*]] = vector.maskedload %[[B]][%{{.*}}], %[[M]]
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[B0]])
// CHECK-NEXT:      arith.addf %[[S]]
// CHECK:         vector.maskedstore %[[B]][%{{.*}}], %[[M]], %[[SUM]]
func.func @masked(%B: memref<3xf32>, %m: vector<4xi1>, %x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %b = vector.maskedload %B[%c0], %m, %zero : memref<3xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %s = arith.addf %b, %x : vector<4xf32>
    vector.maskedstore %B[%c0], %m, %s : memref<3xf32>, vector<4xi1>, vector<4xf32>
  }
  return
}

// The buffer of one loop is removed together with it.
// CHECK-LABEL: @private(
// CHECK-NOT:     memref.alloca
// CHECK:         %[[T:.*]] = arith.addf
// CHECK-NEXT:    memref.store %[[T]], %{{.*}}[%{{.*}}] : memref<4xf32>
func.func @private(%A: memref<4xf32>, %B: memref<4xf32>, %i: index) {
  %T = memref.alloca() : memref<4xf32>
  %a = memref.load %A[%i] : memref<4xf32>
  %s = arith.addf %a, %a : f32
  memref.store %s, %T[%i] : memref<4xf32>
  %t = memref.load %T[%i] : memref<4xf32>
  memref.store %t, %B[%i] : memref<4xf32>
  return
}

// A store to a possibly aliasing element invalidates the known value, and so does a loop that contains such a store.
// CHECK-LABEL: @forwarded_until_stored(
// CHECK-SAME:    %[[B:[^:]*]]: memref<4xf32>
// CHECK-NEXT:    memref.store %[[X:.*]], %[[B]][%[[I:.*]]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[B]][%[[J:.*]]]
// CHECK-NEXT:    %[[Z:.*]] = memref.load %[[B]][%[[I]]]
// CHECK-NEXT:    return %[[Z]], %{{.*}} : f32, f32
func.func @forwarded_until_stored(%B: memref<4xf32>, %x: f32, %y: f32, %i: index, %j: index) -> (f32, f32) {
  memref.store %x, %B[%i] : memref<4xf32>
  memref.store %y, %B[%j] : memref<4xf32>
  %z = memref.load %B[%i] : memref<4xf32>
  %w = memref.load %B[%j] : memref<4xf32>
  return %z, %w : f32, f32
}

// CHECK-LABEL: @forwarded_until_called(
// CHECK:         call @may_store
// CHECK-NEXT:    memref.load
func.func @forwarded_until_called(%B: memref<4xf32>, %x: f32, %i: index) -> f32 {
  memref.store %x, %B[%i] : memref<4xf32>
  func.call @may_store(%B) : (memref<4xf32>) -> ()
  %z = memref.load %B[%i] : memref<4xf32>
  return %z : f32
}
func.func private @may_store(memref<4xf32>)

// A private buffer of each iteration is not carried: its stored value is forwarded to the load.
// CHECK-LABEL: func.func @of_an_iteration(
// CHECK:         scf.for %[[I:.*]] = %{{.*}} {
// CHECK-NEXT:      %[[X:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK-NEXT:      memref.store %[[X]], %{{.*}}[%[[I]]]
// CHECK-NEXT:    }
func.func @of_an_iteration(%A: memref<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %t = memref.alloca() : memref<1xf32>
    %x = memref.load %A[%i] : memref<8xf32>
    memref.store %x, %t[%c0] : memref<1xf32>
    %y = memref.load %t[%c0] : memref<1xf32>
    memref.store %y, %B[%i] : memref<8xf32>
  }
  return
}

// A stored value is known in later branches, and in loops that do not store to the element.
// CHECK-LABEL: @known_in_branches(
// CHECK-SAME:    %[[P:[^:]*]]: i1, %[[X:[^:]*]]: f32, %[[B:[^:]*]]: memref<8xf32>
// CHECK-NOT:     memref.alloca
// CHECK:         scf.if %[[P]]
// CHECK-NEXT:      scf.yield %[[X]]
// CHECK:         scf.for
// CHECK-NEXT:      scf.if %[[P]] {
// CHECK-NEXT:        memref.store %[[X]], %[[B]]
func.func @known_in_branches(%p: i1, %x: f32, %B: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %T = memref.alloca() : memref<1xf32>
  memref.store %x, %T[%c0] : memref<1xf32>
  %r = scf.if %p -> (f32) {
    %t = memref.load %T[%c0] : memref<1xf32>
    scf.yield %t : f32
  } else {
    %zero = arith.constant 0.0 : f32
    scf.yield %zero : f32
  }
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %p {
      %t = memref.load %T[%c0] : memref<1xf32>
      memref.store %t, %B[%k] : memref<8xf32>
    }
  }
  return %r : f32
}

// A loop that may not run loads elements that its thread has stored, so its carried value stays an SSA value. After
// the loop the elements of the vector are loaded one by one.
// CHECK-LABEL: func.func @carried_through_any_loop(
// CHECK-NOT:     memref.alloca
// CHECK-NOT:     scf.if
// CHECK:         %[[SUM:.*]] = scf.for
// CHECK-SAME:      iter_args
// CHECK:         vector.extract %[[SUM]][0]
// CHECK:         vector.extract %[[SUM]][1]
// CHECK:         return
func.func @carried_through_any_loop(%A: memref<?xf32>, %n: index, %i: index, %x: vector<2xf32>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %T = memref.alloca() : memref<8xf32>
  vector.store %x, %T[%i] : memref<8xf32>, vector<2xf32>
  scf.for %k = %c0 to %n step %c1 {
    %a = memref.load %A[%k] : memref<?xf32>
    %v = vector.broadcast %a : f32 to vector<2xf32>
    %t = vector.load %T[%i] : memref<8xf32>, vector<2xf32>
    %s = arith.addf %t, %v : vector<2xf32>
    vector.store %s, %T[%i] : memref<8xf32>, vector<2xf32>
  }
  %next = arith.addi %i, %c1 : index
  %first = memref.load %T[%i] : memref<8xf32>
  %second = memref.load %T[%next] : memref<8xf32>
  return %first, %second : f32, f32
}

// A value that is stored under a mask is known to loads under that mask, and to no others. Where lanes that are off are
// used, they are the zeros that the load would give.
// CHECK-LABEL: func.func @known_under_its_mask(
// CHECK-SAME:    %[[X:[^:]*]]: vector<4xf32>, %[[M:[^:]*]]: vector<4xi1>, %[[OTHER:[^:]*]]: vector<4xi1>, %[[B:[^:]*]]: memref
// CHECK:         %[[Z:.*]] = arith.constant dense<0.000000e+00>
// CHECK:         vector.maskedstore
// CHECK:         %[[DOUBLE:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NEXT:    vector.maskedstore %[[B]][%c0], %[[M]], %[[DOUBLE]] :
// CHECK:         %[[KEPT:.*]] = arith.select %[[M]], %[[X]], %[[Z]]
// CHECK:         vector.store %[[KEPT]]
// CHECK:         %[[LOADED:.*]] = vector.maskedload %alloca[%c0], %[[OTHER]],
// CHECK-NEXT:    vector.maskedstore %[[B]][%c8], %[[OTHER]], %[[LOADED]] :
func.func @known_under_its_mask(%x: vector<4xf32>, %m: vector<4xi1>, %other: vector<4xi1>, %B: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %T = memref.alloca() : memref<4xf32>
  vector.maskedstore %T[%c0], %m, %x : memref<4xf32>, vector<4xi1>, vector<4xf32>
  %a = vector.maskedload %T[%c0], %m, %zero : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %double = arith.addf %a, %a : vector<4xf32>
  vector.maskedstore %B[%c0], %m, %double : memref<16xf32>, vector<4xi1>, vector<4xf32>
  %b = vector.maskedload %T[%c0], %m, %zero : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %b, %B[%c4] : memref<16xf32>, vector<4xf32>
  %c = vector.maskedload %T[%c0], %other, %zero : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %B[%c8], %other, %c : memref<16xf32>, vector<4xi1>, vector<4xf32>
  return
}

// A masked store to a vector that is known makes another known vector: the lanes that are off keep what they had. So the last, partial
// vector of a row is added to partial results without memory.
// CHECK-LABEL: func.func @partial_vector(
// CHECK-SAME:    %[[X:[^:]*]]: vector<4xf32>, %[[Y:[^:]*]]: vector<4xf32>, %[[M:[^:]*]]: vector<4xi1>, %[[B:[^:]*]]: memref
// CHECK:         %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-NEXT:    %[[BOTH:.*]] = arith.select %[[M]], %[[SUM]], %[[X]]
// CHECK-NOT:     memref.alloca
// CHECK:         vector.store %[[BOTH]], %[[B]]
func.func @partial_vector(%x: vector<4xf32>, %y: vector<4xf32>, %m: vector<4xi1>, %B: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %T = memref.alloca() : memref<4xf32>
  vector.store %x, %T[%c0] : memref<4xf32>, vector<4xf32>
  %a = vector.maskedload %T[%c0], %m, %zero : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %sum = arith.addf %a, %y : vector<4xf32>
  vector.maskedstore %T[%c0], %m, %sum : memref<4xf32>, vector<4xi1>, vector<4xf32>
  %all = vector.load %T[%c0] : memref<4xf32>, vector<4xf32>
  vector.store %all, %B[%c0] : memref<4xf32>, vector<4xf32>
  return
}

// If all lanes are not known, or a part of the vector was stored in between, memory is read.
// CHECK-LABEL: func.func @unknown_lanes(
// CHECK:         vector.maskedstore
// CHECK:         vector.load
// CHECK:         vector.maskedstore
// CHECK:         vector.load
func.func @unknown_lanes(%x: vector<4xf32>, %s: f32, %m: vector<4xi1>, %T: memref<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  vector.maskedstore %T[%c0], %m, %x : memref<8xf32>, vector<4xi1>, vector<4xf32>
  %a = vector.load %T[%c0] : memref<8xf32>, vector<4xf32>
  vector.store %a, %B[%c0] : memref<8xf32>, vector<4xf32>
  vector.store %x, %T[%c4] : memref<8xf32>, vector<4xf32>
  memref.store %s, %T[%c5] : memref<8xf32>
  vector.maskedstore %T[%c4], %m, %x : memref<8xf32>, vector<4xi1>, vector<4xf32>
  %b = vector.load %T[%c4] : memref<8xf32>, vector<4xf32>
  vector.store %b, %B[%c4] : memref<8xf32>, vector<4xf32>
  return
}

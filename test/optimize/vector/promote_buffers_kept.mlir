// Buffers that stay in memory, and the remarks on private ones.
// RUN: lw-opt %s --promote-buffers=remark=true -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @conditional(
// CHECK:         scf.for
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @conditional(%A: memref<8xf32>, %i: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 1.0 : f32
  // expected-remark @below {{this buffer stays in memory: it is accessed under a condition, or in an inner loop at an index that varies}}
  %T = memref.alloca() : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %p {
      memref.store %x, %T[%i] : memref<8xf32>
    }
    %t = memref.load %T[%i] : memref<8xf32>
    memref.store %t, %A[%k] : memref<8xf32>
  }
  return
}

// Different index values may be the same element.
// CHECK-LABEL: @overlapping(
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @overlapping(%A: memref<8xf32>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{its accesses overlap}}
  %T = memref.alloca() : memref<8xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %t = memref.load %T[%i] : memref<8xf32>
    %s = arith.addf %t, %t : f32
    memref.store %s, %T[%j] : memref<8xf32>
    memref.store %s, %A[%k] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: @overlapping_vectors(
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @overlapping_vectors(%B: memref<16xf32>, %i: index, %x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %next = arith.addi %i, %c3 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %b = vector.load %B[%i] : memref<16xf32>, vector<4xf32>
    vector.store %b, %B[%next] : memref<16xf32>, vector<4xf32>
  }
  return
}

// CHECK-LABEL: @varying(
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @varying(%A: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{its index varies in a loop}}
  %T = memref.alloca() : memref<9xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %next = arith.addi %k, %c1 : index
    %t = memref.load %T[%k] : memref<9xf32>
    memref.store %t, %T[%next] : memref<9xf32>
    memref.store %t, %A[%k] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: @passed_on(
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @passed_on(%A: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-remark @below {{something other than a load or store uses it}}
  %T = memref.alloca() : memref<1xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    func.call @use(%T) : (memref<1xf32>) -> ()
    %t = memref.load %T[%c0] : memref<1xf32>
    memref.store %t, %T[%c0] : memref<1xf32>
    memref.store %t, %A[%k] : memref<8xf32>
  }
  return
}
func.func private @use(memref<1xf32>)

// CHECK-LABEL: @only_loaded(
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @only_loaded(%A: memref<8xf32>, %B: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %b = memref.load %B[%c0] : memref<1xf32>
    memref.store %b, %A[%k] : memref<8xf32>
  }
  return
}

// Inactive lanes have the pass-through value, not the stored value.
// CHECK-LABEL: @lanes_that_are_off_are_used(
// CHECK:         scf.for
// CHECK-NEXT:      vector.maskedload
// CHECK:           vector.maskedstore
func.func @lanes_that_are_off_are_used(%B: memref<3xf32>, %S: memref<8xf32>, %m: vector<4xi1>, %x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %b = vector.maskedload %B[%c0], %m, %zero : memref<3xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %s = arith.addf %b, %x : vector<4xf32>
    vector.maskedstore %B[%c0], %m, %s : memref<3xf32>, vector<4xi1>, vector<4xf32>
    %r = vector.reduction <add>, %s : vector<4xf32> into f32
    memref.store %r, %S[%k] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: @pass_through(
// CHECK:         scf.for
// CHECK-NEXT:      vector.maskedload
// CHECK:           vector.maskedstore
func.func @pass_through(%B: memref<3xf32>, %m: vector<4xi1>, %x: vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %b = vector.maskedload %B[%c0], %m, %x : memref<3xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %B[%c0], %m, %b : memref<3xf32>, vector<4xi1>, vector<4xf32>
  }
  return
}

// The largest index is not proved to be distinct from anything.
// CHECK-LABEL: @largest_index(
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @largest_index(%B: memref<?xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 9223372036854775807 : index
  scf.for %k = %c0 to %n step %c1 {
    memref.store %x, %B[%last] : memref<?xf32>
    memref.store %x, %B[%n] : memref<?xf32>
    memref.store %x, %B[%c0] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: @unsigned_bounds(
// CHECK:         scf.for unsigned
// CHECK-NEXT:      memref.load
func.func @unsigned_bounds(%B: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for unsigned %k = %c0 to %n step %c1 {
    %b = memref.load %B[] : memref<f32>
    memref.store %b, %B[] : memref<f32>
  }
  return
}

// A value that only one branch stores is not known after it.
// CHECK-LABEL: @stored_in_a_branch(
// CHECK:         memref.alloca
func.func @stored_in_a_branch(%i: index, %p: i1, %x: f32, %y: f32) -> f32 {
  // expected-remark @below {{this buffer stays in memory: the last value stored before a read of it is not known}}
  %T = memref.alloca() : memref<8xf32>
  memref.store %x, %T[%i] : memref<8xf32>
  scf.if %p {
    memref.store %y, %T[%i] : memref<8xf32>
  }
  %t = memref.load %T[%i] : memref<8xf32>
  return %t : f32
}

// LLVM promotes elements at constant indices, whatever encloses them.
// CHECK-LABEL: @constant_places(
// CHECK:         memref.alloca
func.func @constant_places(%p: i1, %x: f32, %y: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %T = memref.alloca() : memref<1xf32>
  memref.store %x, %T[%c0] : memref<1xf32>
  scf.if %p {
    memref.store %y, %T[%c0] : memref<1xf32>
  }
  %t = memref.load %T[%c0] : memref<1xf32>
  return %t : f32
}

// A previous iteration may have stored something else.
// CHECK-LABEL: @stored_later_in_a_loop(
// CHECK:         scf.for
// CHECK-NEXT:      memref.load
func.func @stored_later_in_a_loop(%T: memref<9xf32>, %i: index, %x: f32, %A: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  memref.store %x, %T[%i] : memref<9xf32>
  scf.for %k = %c0 to %c8 step %c1 {
    %t = memref.load %T[%i] : memref<9xf32>
    memref.store %t, %A[%k] : memref<9xf32>
    memref.store %t, %T[%k] : memref<9xf32>
  }
  return
}

// The element after a stored vector is unknown.
// CHECK-LABEL: @beyond_the_vector(
// CHECK:         memref.load
func.func @beyond_the_vector(%T: memref<9xf32>, %i: index, %x: vector<2xf32>) -> f32 {
  %c2 = arith.constant 2 : index
  vector.store %x, %T[%i] : memref<9xf32>, vector<2xf32>
  %behind = arith.addi %i, %c2 : index
  %t = memref.load %T[%behind] : memref<9xf32>
  return %t : f32
}

// The region of an unknown op is not analysed.
// CHECK-LABEL: @read_elsewhere(
// CHECK:         memref.alloca
func.func @read_elsewhere(%i: index, %x: f32) -> f32 {
  // expected-remark @below {{this buffer stays in memory: the last value stored before a read of it is not known}}
  %T = memref.alloca() : memref<8xf32>
  memref.store %x, %T[%i] : memref<8xf32>
  %r = scf.execute_region -> f32 {
    %t = memref.load %T[%i] : memref<8xf32>
    scf.yield %t : f32
  }
  return %r : f32
}

// Vectorized loops that become scalar, and the remarks that state the reasons.
// RUN: lw-opt %s --convert-loop-to-scf -verify-diagnostics | FileCheck %s

// CHECK-LABEL: @not_vectorized(
// CHECK:         scf.for
// CHECK-NOT:     vector.
// CHECK:         return
func.func @not_vectorized(%B: memref<?xf32>, %n: index) {
  // expected-remark @below {{"i" is not vectorized: its extent is not constant}}
  loop.for vectorize %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: @vectorized_twice(
// CHECK:         scf.for
// CHECK:           vector.store
func.func @vectorized_twice(%B: memref<4x8xf32>) {
  // expected-remark @below {{"i" is not vectorized: loop "j" in it is vectorized}}
  loop.for vectorize %i in 4 {
    loop.for vectorize %j in 8 {
      loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) writes(%B[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: @triangle(
// CHECK-NOT:     vector.
// CHECK:         return
func.func @triangle(%B: memref<4x8xf32>) {
  // expected-remark @below {{"i" is not vectorized: the extent of loop "j" differs between lanes}}
  loop.for vectorize %i in 4 {
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) writes(%B[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: @branch_between_loops_in_lanes(
// CHECK-NOT:     vector.
// CHECK:         return
func.func @branch_between_loops_in_lanes(%B: memref<4xf32>) {
  // expected-remark @below {{"i" is not vectorized: a 'loop.if' between loops differs between lanes}}
  loop.for vectorize %i in 4 {
    loop.if (%i - 2 >= 0) {
      loop.block "B" [%v: spatial 4] = (%i) writes(%B[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// Loops that are not copied, one for each condition.
// RUN: lw-opt %s --unswitch-loops | FileCheck %s

// (C1) The loop has a result.
// CHECK-LABEL: func.func @results(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           scf.if
func.func @results(%C: memref<8xf32>, %r: index, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  %s = scf.for %k = %c0 to %c8 step %c1 iter_args(%t = %x) -> (f32) {
    scf.if %one { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %two { memref.store %x, %C[%k] : memref<8xf32> }
    %u = arith.addf %t, %x : f32
    scf.yield %u : f32
  }
  memref.store %s, %C[%c0] : memref<8xf32>
  return
}

// (C1) The loop contains another one.
// CHECK-LABEL: func.func @outer(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           scf.if
func.func @outer(%C: memref<8xf32>, %r: index, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %one { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %two { memref.store %x, %C[%k] : memref<8xf32> }
    scf.for %l = %c0 to %c8 step %c1 {
      memref.store %x, %C[%l] : memref<8xf32>
    }
  }
  return
}

// (C2) A condition has a second branch.
// CHECK-LABEL: func.func @otherwise(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           scf.if
func.func @otherwise(%C: memref<8xf32>, %r: index, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %one { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %two { memref.store %x, %C[%k] : memref<8xf32> } else { memref.store %x, %C[%c0] : memref<8xf32> }
  }
  return
}

// (C2) The conditions are on two indices.
// CHECK-LABEL: func.func @another_index(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           scf.if
func.func @another_index(%C: memref<8xf32>, %r: index, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  %other = arith.cmpi sge, %q, %c0 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %one { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %other { memref.store %x, %C[%k] : memref<8xf32> }
  }
  return
}

// (C2) One condition is no comparison with 0.
// CHECK-LABEL: func.func @another_comparison(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           scf.if
func.func @another_comparison(%C: memref<8xf32>, %r: index, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  %other = arith.cmpi sge, %r, %c1 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %one { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %other { memref.store %x, %C[%k] : memref<8xf32> }
  }
  return
}

// (C2) A condition is computed in the loop.
// CHECK-LABEL: func.func @inside(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           scf.if
func.func @inside(%C: memref<8xf32>, %r: index, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %r2 = arith.addi %r, %n1 : index
    %other = arith.cmpi sge, %r2, %c0 : index
    scf.if %one { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %other { memref.store %x, %C[%k] : memref<8xf32> }
  }
  return
}

// (C3) There is one condition.
// CHECK-LABEL: func.func @single(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           scf.if
func.func @single(%C: memref<8xf32>, %r: index, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %one { memref.store %x, %C[%k] : memref<8xf32> }
  }
  return
}

// (C3) There are nine conditions.
// CHECK-LABEL: func.func @many(
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           scf.if
func.func @many(%C: memref<8xf32>, %r: index, %q: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %m2 = arith.constant -2 : index
  %i2 = arith.addi %r, %m2 : index
  %t2 = arith.cmpi sge, %i2, %c0 : index
  %m3 = arith.constant -3 : index
  %i3 = arith.addi %r, %m3 : index
  %t3 = arith.cmpi sge, %i3, %c0 : index
  %m4 = arith.constant -4 : index
  %i4 = arith.addi %r, %m4 : index
  %t4 = arith.cmpi sge, %i4, %c0 : index
  %m5 = arith.constant -5 : index
  %i5 = arith.addi %r, %m5 : index
  %t5 = arith.cmpi sge, %i5, %c0 : index
  %m6 = arith.constant -6 : index
  %i6 = arith.addi %r, %m6 : index
  %t6 = arith.cmpi sge, %i6, %c0 : index
  %m7 = arith.constant -7 : index
  %i7 = arith.addi %r, %m7 : index
  %t7 = arith.cmpi sge, %i7, %c0 : index
  %m8 = arith.constant -8 : index
  %i8 = arith.addi %r, %m8 : index
  %t8 = arith.cmpi sge, %i8, %c0 : index
  %m9 = arith.constant -9 : index
  %i9 = arith.addi %r, %m9 : index
  %t9 = arith.cmpi sge, %i9, %c0 : index
  %m10 = arith.constant -10 : index
  %i10 = arith.addi %r, %m10 : index
  %t10 = arith.cmpi sge, %i10, %c0 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %t2 { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %t3 { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %t4 { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %t5 { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %t6 { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %t7 { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %t8 { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %t9 { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %t10 { memref.store %x, %C[%k] : memref<8xf32> }
  }
  return
}

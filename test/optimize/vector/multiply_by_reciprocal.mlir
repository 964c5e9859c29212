// Divisions by one number become products with its reciprocal.
// RUN: lw-opt %s --multiply-by-reciprocal --canonicalize | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --multiply-by-reciprocal --canonicalize | FileCheck %s

// The reciprocal of each row is computed once. The power of two keeps it finite and exact.
// CHECK-LABEL: func.func @rows(
// CHECK-DAG:     %[[LARGE:.*]] = arith.constant 1.84467441E+19 : f32
// CHECK-DAG:     %[[SMALL:.*]] = arith.constant 5.42101086E-20 : f32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:         scf.for
// CHECK:           %[[S:.*]] = memref.load
// CHECK-NEXT:      %[[A:.*]] = math.absf %[[S]]
// CHECK-NEXT:      %[[G:.*]] = arith.cmpf ogt, %[[A]], %[[LARGE]]
// CHECK-NEXT:      %[[D:.*]] = arith.select %[[G]], %[[SMALL]], %[[ONE]]
// CHECK-NEXT:      %[[L:.*]] = arith.cmpf olt, %[[A]], %[[SMALL]]
// CHECK-NEXT:      %[[C:.*]] = arith.select %[[L]], %[[LARGE]], %[[D]]
// CHECK-NEXT:      %[[T:.*]] = arith.mulf %[[S]], %[[C]]
// CHECK-NEXT:      %[[R:.*]] = arith.divf %[[ONE]], %[[T]]
// CHECK:           scf.for
// CHECK:             %[[X:.*]] = vector.load
// CHECK-NEXT:        %[[CS:.*]] = vector.broadcast %[[C]]
// CHECK-NEXT:        %[[XS:.*]] = arith.mulf %[[X]], %[[CS]]
// CHECK-NEXT:        %[[RS:.*]] = vector.broadcast %[[R]]
// CHECK-NEXT:        arith.mulf %[[XS]], %[[RS]] : vector<16xf32>
func.func @rows(%A: memref<8x64xf32>, %S: memref<8xf32>) attributes {loop.fp = "fast"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %s = memref.load %S[%i] : memref<8xf32>
    scf.for %j = %c0 to %c64 step %c16 {
      %x = vector.load %A[%i, %j] : memref<8x64xf32>, vector<16xf32>
      %all = vector.broadcast %s : f32 to vector<16xf32>
      %q = arith.divf %x, %all : vector<16xf32>
      vector.store %q, %A[%i, %j] : memref<8x64xf32>, vector<16xf32>
    }
  }
  return
}

// An argument, a vector from outside of the loop, and constants. A subnormal constant stays a divisor.
// CHECK-LABEL: func.func @divisors(
// CHECK-DAG:     arith.constant 0.333333343 : f32
// CHECK-DAG:     %[[TINY:.*]] = arith.constant 1.401300e-45 : f32
// CHECK-DAG:     arith.constant 1.3407807929942597E+154 : f64
// CHECK-DAG:     arith.divf %{{.*}}, %{{.*}} : f64
// CHECK-DAG:     arith.divf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK:         scf.for
// CHECK-COUNT-4:   arith.mulf
// CHECK-COUNT-1:   arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK:           arith.divf %{{.*}}, %[[TINY]] : f32
// CHECK-NOT:       arith.divf
func.func @divisors(%A: memref<8xf32>, %B: memref<8xf64>, %C: memref<8x4xf32>, %y: f64) attributes {loop.fp = "fast"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %three = arith.constant 3.0 : f32
  %tiny = arith.constant 1.0e-45 : f32
  %v = vector.load %C[%c0, %c0] : memref<8x4xf32>, vector<4xf32>
  scf.for %i = %c1 to %c8 step %c1 {
    %b = memref.load %B[%i] : memref<8xf64>
    %q = arith.divf %b, %y : f64
    memref.store %q, %B[%i] : memref<8xf64>
    %c = vector.load %C[%i, %c0] : memref<8x4xf32>, vector<4xf32>
    %r = arith.divf %c, %v : vector<4xf32>
    vector.store %r, %C[%i, %c0] : memref<8x4xf32>, vector<4xf32>
    %a = memref.load %A[%i] : memref<8xf32>
    %s = arith.divf %a, %three : f32
    %t = arith.divf %s, %tiny : f32
    memref.store %t, %A[%i] : memref<8xf32>
  }
  return
}

// Another divisor in each iteration, a number divided once, a type whose reciprocals overflow, and another contract.
// CHECK-LABEL: func.func @stays(
// CHECK-COUNT-4: arith.divf
// CHECK-LABEL: func.func @reassoc(
// CHECK:         arith.divf
// CHECK-NOT:     arith.mulf
func.func @stays(%A: memref<8xf32>, %B: memref<8xf16>, %x: f32, %h: f16) attributes {loop.fp = "fast"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %q = arith.divf %x, %x : f32
  memref.store %q, %A[%c0] : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %A[%i] : memref<8xf32>
    %r = arith.divf %x, %a : f32
    %n = arith.negf %a : f32
    %s = arith.divf %r, %n : f32
    memref.store %s, %A[%i] : memref<8xf32>
    %b = memref.load %B[%i] : memref<8xf16>
    %t = arith.divf %b, %h : f16
    memref.store %t, %B[%i] : memref<8xf16>
  }
  return
}
func.func @reassoc(%A: memref<8xf32>, %x: f32) attributes {loop.fp = "reassoc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.load %A[%i] : memref<8xf32>
    %r = arith.divf %a, %x : f32
    memref.store %r, %A[%i] : memref<8xf32>
  }
  return
}

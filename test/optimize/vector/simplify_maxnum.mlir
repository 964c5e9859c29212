// maxnumf and minnumf of a number that is never NaN become a comparison and a selection.
// RUN: lw-opt %s --simplify-maxnum | FileCheck %s

// The loop carries numbers that are never NaN, because it starts from one. So do the maximum of its results, and their lanes.
// CHECK-LABEL: func.func @accumulator(
// CHECK:         scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[N:.*]] = %{{.*}})
// CHECK:           %[[X:.*]] = vector.load
// CHECK-NEXT:      %[[G:.*]] = arith.cmpf ogt, %[[X]], %[[M]] : vector<16xf32>
// CHECK-NEXT:      arith.select %[[G]], %[[X]], %[[M]]
// CHECK-NEXT:      %[[L:.*]] = arith.cmpf olt, %[[X]], %[[N]]
// CHECK-NEXT:      arith.select %[[L]], %[[X]], %[[N]]
// CHECK:         arith.cmpf ogt
// CHECK-NEXT:    arith.select
// CHECK-NEXT:    vector.reduction <maxnumf>, %{{.*}}, %{{.*}} fastmath<nnan> : vector<16xf32> into f32
func.func @accumulator(%A: memref<64x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant 0xFF800000 : f32
  %lows = arith.constant dense<0xFF800000> : vector<16xf32>
  %ones = arith.constant dense<1.0> : vector<16xf32>
  %r:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%m = %lows, %n = %ones) -> (vector<16xf32>, vector<16xf32>) {
    %x = vector.load %A[%i, %c0] : memref<64x16xf32>, vector<16xf32>
    %max = arith.maxnumf %m, %x : vector<16xf32>
    %min = arith.minnumf %x, %n : vector<16xf32>
    scf.yield %max, %min : vector<16xf32>, vector<16xf32>
  }
  %both = arith.maxnumf %r#0, %r#1 : vector<16xf32>
  %all = vector.reduction <maxnumf>, %both, %low : vector<16xf32> into f32
  return %all : f32
}

// Both may be NaN: what was loaded, what starts from NaN, and what becomes NaN in a loop.
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT:     arith.cmpf
// CHECK-NOT:     nnan
func.func @unknown(%A: memref<64x16xf32>, %y: f64) -> (f32, f32, f64, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %low = arith.constant 0xFF800000 : f32
  %nans = arith.constant dense<0x7FC00000> : vector<16xf32>
  %lows = arith.constant dense<0xFF800000> : vector<16xf32>
  %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%m = %nans) -> (vector<16xf32>) {
    %x = vector.load %A[%i, %c0] : memref<64x16xf32>, vector<16xf32>
    %max = arith.maxnumf %x, %m : vector<16xf32>
    scf.yield %max : vector<16xf32>
  }
  %s = scf.for %i = %c0 to %c64 step %c1 iter_args(%m = %lows) -> (vector<16xf32>) {
    %x = vector.load %A[%i, %c0] : memref<64x16xf32>, vector<16xf32>
    %max = arith.maxnumf %x, %m : vector<16xf32>
    %next = arith.addf %max, %x : vector<16xf32>
    scf.yield %next : vector<16xf32>
  }
  %one = vector.reduction <maxnumf>, %r : vector<16xf32> into f32
  %two = vector.reduction <maxnumf>, %s, %low : vector<16xf32> into f32
  %three = arith.maxnumf %y, %y : f64
  // NaN is an operand of the maximum, and so is a number; the sum of the lanes is not a maximum.
  %four = vector.reduction <add>, %lows : vector<16xf32> into f32
  return %one, %two, %three, %four : f32, f32, f64, f32
}

// Branches and selections.
// CHECK-LABEL: func.func @branches(
// CHECK-COUNT-2: arith.cmpf ogt
// CHECK-NOT:     arith.cmpf
// CHECK:         arith.maxnumf
func.func @branches(%c: i1, %x: f32) -> (f32, f32, f32) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = scf.if %c -> f32 {
    scf.yield %one : f32
  } else {
    scf.yield %two : f32
  }
  %b = scf.if %c -> f32 {
    scf.yield %one : f32
  } else {
    scf.yield %x : f32
  }
  %s = arith.select %c, %one, %two : f32
  %p = arith.maxnumf %x, %a : f32
  %q = arith.maxnumf %x, %s : f32
  %r = arith.maxnumf %x, %b : f32
  return %p, %q, %r : f32, f32, f32
}

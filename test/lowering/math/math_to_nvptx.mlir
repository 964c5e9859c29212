// PTX instructions instead of library functions; in the end there are no calls.
// RUN: lw-opt %s --convert-math-to-nvptx | FileCheck %s

// CHECK-LABEL: func.func @intrinsics(
// CHECK:         llvm.call_intrinsic "llvm.fabs.f32"(%arg0)
// CHECK:         llvm.call_intrinsic "llvm.ceil.f32"(%arg0)
// CHECK:         llvm.call_intrinsic "llvm.copysign.f32"(%arg0, %arg1)
// CHECK:         llvm.call_intrinsic "llvm.floor.f32"(%arg0)
// CHECK:         llvm.call_intrinsic "llvm.fma.f32"(%arg0, %arg1, %arg0)
// CHECK:         llvm.call_intrinsic "llvm.roundeven.f32"(%arg0)
// CHECK:         llvm.call_intrinsic "llvm.sqrt.f32"(%arg0)
// CHECK:         llvm.call_intrinsic "llvm.trunc.f32"(%arg0)
// CHECK:         llvm.call_intrinsic "llvm.round.f32"(%arg0)
// CHECK:         llvm.call_intrinsic "llvm.maxnum.f32"(%arg0, %arg1)
// CHECK:         llvm.call_intrinsic "llvm.minnum.f32"(%arg0, %arg1)
func.func @intrinsics(%x: f32, %y: f32)
    -> (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) {
  %0 = math.absf %x : f32
  %1 = math.ceil %x : f32
  %2 = math.copysign %x, %y : f32
  %3 = math.floor %x : f32
  %4 = math.fma %x, %y, %x : f32
  %5 = math.roundeven %x : f32
  %6 = math.sqrt %x : f32
  %7 = math.trunc %x : f32
  %10 = math.round %x : f32
  %8 = arith.maxnumf %x, %y : f32
  %9 = arith.minnumf %x, %y : f32
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32
}

// CHECK-LABEL: func.func @vectors_and_doubles(
// CHECK:         llvm.call_intrinsic "llvm.sqrt.v2f64"(%arg0) : (vector<2xf64>) -> vector<2xf64>
// CHECK:         llvm.call_intrinsic "llvm.floor.f64"
func.func @vectors_and_doubles(%x: vector<2xf64>, %y: f64) -> (vector<2xf64>, f64) {
  %0 = math.sqrt %x : vector<2xf64>
  %1 = math.floor %y : f64
  return %0, %1 : vector<2xf64>, f64
}

// CHECK-LABEL: func.func @half(
// CHECK-NEXT:    %[[W:.*]] = arith.extf %arg0 : f16 to f32
// CHECK-NEXT:    %[[R:.*]] = llvm.call_intrinsic "llvm.sqrt.f32"(%[[W]])
// CHECK-NEXT:    arith.truncf %[[R]] : f32 to f16
func.func @half(%x: f16) -> f16 {
  %0 = math.sqrt %x : f16
  return %0 : f16
}

// CHECK-LABEL: func.func @others(
// CHECK:         %[[N:.*]] = arith.subi %{{.*}}, %arg1 : i32
// CHECK-NEXT:    arith.maxsi %arg1, %[[N]] : i32
// CHECK:         arith.cmpf uno, %arg0, %arg0 : f32
// CHECK:         %[[M:.*]] = llvm.call_intrinsic "llvm.fabs.f32"(%arg0)
// CHECK:         arith.cmpf olt, %[[M]], %{{.*}} : f32
func.func @others(%x: f32, %n: i32) -> (i32, i1, i1) {
  %1 = math.absi %n : i32
  %2 = math.isnan %x : f32
  %3 = math.isfinite %x : f32
  return %1, %2, %3 : i32, i1, i1
}

// Bits are counted in any width; for indices in 64 bits.
// CHECK-LABEL: func.func @counts(
// CHECK:         llvm.intr.ctpop(%arg0) : (i8) -> i8
// CHECK:         "llvm.intr.ctlz"(%arg1) <{is_zero_poison = false}> : (vector<4xi32>) -> vector<4xi32>
// CHECK:         %[[N:.*]] = arith.index_cast %arg2 : index to i64
// CHECK:         %[[Z:.*]] = "llvm.intr.cttz"(%[[N]]) <{is_zero_poison = false}> : (i64) -> i64
// CHECK:         arith.index_cast %[[Z]] : i64 to index
func.func @counts(%x: i8, %y: vector<4xi32>, %n: index) -> (i8, vector<4xi32>, index) {
  %0 = math.ctpop %x : i8
  %1 = math.ctlz %y : vector<4xi32>
  %2 = math.cttz %n : index
  return %0, %1, %2 : i8, vector<4xi32>, index
}

// Functions without an instruction are unchanged.
// CHECK-LABEL: func.func @kept(
// CHECK-NEXT:    math.exp
func.func @kept(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

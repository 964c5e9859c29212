// RUN: lw-opt %s --expand-small-floats --cse | FileCheck %s

// Rules 1 and 2.
// CHECK-LABEL: @bf16_is_computed_in_f32(
// CHECK-SAME:    %[[X:.*]]: bf16, %[[Y:.*]]: bf16)
// CHECK:         %[[XBITS:.*]] = arith.bitcast %[[X]] : bf16 to i16
// CHECK:         %[[XWIDE:.*]] = arith.extui %[[XBITS]] : i16 to i32
// CHECK:         %[[XTOP:.*]] = arith.shli %[[XWIDE]], %{{.*}} : i32
// CHECK:         %[[A:.*]] = arith.bitcast %[[XTOP]] : i32 to f32
// CHECK:         arith.bitcast %[[Y]] : bf16 to i16
// CHECK:         %[[B:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:         %[[S:.*]] = arith.addf %[[A]], %[[B]] fastmath<contract> : f32
// CHECK:         %[[I:.*]] = arith.bitcast %[[S]] : f32 to i32
// CHECK:         %[[T:.*]] = arith.shrui %[[I]], %{{.*}} : i32
// CHECK:         %[[U:.*]] = arith.cmpf uno, %[[S]], %[[S]] : f32
// CHECK:         %[[C:.*]] = arith.select %[[U]]
// CHECK:         %[[R:.*]] = arith.trunci %[[C]] : i32 to i16
// CHECK:         arith.bitcast %[[R]] : i16 to bf16
func.func @bf16_is_computed_in_f32(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.addf %x, %y fastmath<contract> : bf16
  return %0 : bf16
}

// CHECK-LABEL: @compare_and_math(
// CHECK:         arith.cmpf olt, %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK:         math.tanh %{{.*}} : vector<4xf32>
func.func @compare_and_math(%x: vector<4xbf16>, %y: vector<4xbf16>) -> (vector<4xi1>, vector<4xbf16>) {
  %0 = arith.cmpf olt, %x, %y : vector<4xbf16>
  %1 = math.tanh %x : vector<4xbf16>
  return %0, %1 : vector<4xi1>, vector<4xbf16>
}

// Rule 3: first to f32 by rounding to odd.
// CHECK-LABEL: @f64_to_f16(
// CHECK-SAME:    %[[X:.*]]: f64)
// CHECK:         %[[N:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK:         %[[B:.*]] = arith.extf %[[N]] : f32 to f64
// CHECK:         arith.cmpf one, %[[X]], %[[B]]
// CHECK:         %[[O:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:         arith.truncf %[[O]] : f32 to f16
func.func @f64_to_f16(%x: f64) -> f16 {
  %0 = arith.truncf %x : f64 to f16
  return %0 : f16
}

// Rule 4.
// CHECK-LABEL: @integer_to_bf16(
// CHECK-SAME:    %[[X:.*]]: i64, %[[Y:.*]]: i32)
// CHECK:         arith.andi %[[X]]
// CHECK:         arith.sitofp %{{.*}} : i64 to f64
// CHECK:         arith.uitofp %[[Y]] : i32 to f64
func.func @integer_to_bf16(%x: i64, %y: i32) -> (bf16, bf16) {
  %0 = arith.sitofp %x : i64 to bf16
  %1 = arith.uitofp %y : i32 to bf16
  return %0, %1 : bf16, bf16
}

// Rule 5.
// CHECK-LABEL: @fused(
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : vector<2xf64>
// CHECK-COUNT-2: arith.addf %{{.*}} : vector<2xf64>
// CHECK-NOT:     fma
// CHECK:         arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
func.func @fused(%x: vector<2xf16>) -> vector<2xf16> {
  %0 = vector.fma %x, %x, %x : vector<2xf16>
  return %0 : vector<2xf16>
}

// Rule 6.
// CHECK-LABEL: @reduction(
// CHECK-SAME:    %[[X:.*]]: vector<3xf16>, %[[S:.*]]: f16)
// CHECK-DAG:     %[[X0:.*]] = vector.extract %[[X]][0]
// CHECK-DAG:     %[[X1:.*]] = vector.extract %[[X]][1]
// CHECK-DAG:     %[[X2:.*]] = vector.extract %[[X]][2]
// CHECK-DAG:     %[[A:.*]] = arith.addf %[[S]], %[[X0]] : f16
// CHECK-DAG:     %[[B:.*]] = arith.addf %[[A]], %[[X1]] : f16
// CHECK-DAG:     arith.addf %[[B]], %[[X2]] : f16
func.func @reduction(%x: vector<3xf16>, %s: f16) -> f16 {
  %0 = vector.reduction <add>, %x, %s : vector<3xf16> into f16
  return %0 : f16
}

// Ops that move bits, native f16 ops, and wide types are unchanged.
// CHECK-LABEL: @stays(
// CHECK-NEXT:    arith.select %{{.*}}, %{{.*}}, %{{.*}} : bf16
// CHECK-NEXT:    arith.addf %{{.*}}, %{{.*}} : f16
// CHECK-NEXT:    math.fma %{{.*}} : f32
// CHECK-NOT:     arith.extf %{{.*}} : f16
// CHECK:         arith.extf %{{.*}} : f32 to f64
func.func @stays(%p: i1, %x: bf16, %y: f16, %z: f32) -> (bf16, f16, f32, f64) {
  %0 = arith.select %p, %x, %x : bf16
  %1 = arith.addf %y, %y : f16
  %2 = math.fma %z, %z, %z : f32
  %3 = arith.extf %x : bf16 to f64
  return %0, %1, %2, %3 : bf16, f16, f32, f64
}

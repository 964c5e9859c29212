// RUN: lw-opt %s --expand-math | FileCheck %s

// CHECK: func.func private @expm1(f64) -> f64
// CHECK: func.func private @expm1f(f32) -> f32

// CHECK-LABEL: @expm1_lane_by_lane(
// CHECK-SAME:    %[[X:.*]]: vector<2xf32>)
// CHECK:         %[[X0:.*]] = vector.extract %[[X]][0]
// CHECK:         %[[Y0:.*]] = call @expm1f(%[[X0]]) : (f32) -> f32
// CHECK:         %[[X1:.*]] = vector.extract %[[X]][1]
// CHECK:         %[[Y1:.*]] = call @expm1f(%[[X1]]) : (f32) -> f32
// CHECK:         %[[Y:.*]] = vector.from_elements %[[Y0]], %[[Y1]] : vector<2xf32>
// CHECK:         return %[[Y]]
func.func @expm1_lane_by_lane(%x: vector<2xf32>) -> vector<2xf32> {
  %0 = math.expm1 %x : vector<2xf32>
  return %0 : vector<2xf32>
}

// CHECK-LABEL: @expm1_of_other_types(
// CHECK:         call @expm1(%{{.*}}) : (f64) -> f64
// CHECK:         arith.extf %{{.*}} : f16 to f32
// CHECK:         call @expm1f
// CHECK:         arith.truncf %{{.*}} : f32 to f16
func.func @expm1_of_other_types(%x: f64, %y: f16) -> (f64, f16) {
  %0 = math.expm1 %x : f64
  %1 = math.expm1 %y : f16
  return %0, %1 : f64, f16
}

// CHECK-LABEL: @fpowi(
// CHECK-SAME:    %[[X:.*]]: vector<4xf32>, %[[N:.*]]: vector<4xi64>)
// CHECK:         %[[E:.*]] = arith.sitofp %[[N]] : vector<4xi64> to vector<4xf64>
// CHECK:         %[[B:.*]] = arith.extf %[[X]]
// CHECK:         %[[P:.*]] = math.powf %[[B]], %[[E]] : vector<4xf64>
// CHECK:         arith.truncf %[[P]] : vector<4xf64> to vector<4xf32>
func.func @fpowi(%x: vector<4xf32>, %n: vector<4xi64>) -> vector<4xf32> {
  %0 = math.fpowi %x, %n : vector<4xf32>, vector<4xi64>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: @clampf(
// CHECK-SAME:    %[[X:.*]]: bf16, %[[L:.*]]: bf16, %[[H:.*]]: bf16)
// CHECK:         %[[M:.*]] = arith.maximumf %[[X]], %[[L]] : bf16
// CHECK:         arith.minimumf %[[M]], %[[H]] : bf16
func.func @clampf(%x: bf16, %l: bf16, %h: bf16) -> bf16 {
  %0 = math.clampf %x to [%l, %h] : bf16
  return %0 : bf16
}

// The smallest normal number of the type, not of f32.
// CHECK-LABEL: @isnormal(
// CHECK:         math.absf
// CHECK-DAG:     arith.constant 6.10{{.*}}e-05 : f16
// CHECK-DAG:     arith.cmpf oge
// CHECK-DAG:     arith.constant 0x7C00 : f16
// CHECK-DAG:     arith.cmpf olt
// CHECK:         arith.andi
func.func @isnormal(%x: f16) -> i1 {
  %0 = math.isnormal %x : f16
  return %0 : i1
}

// CHECK-LABEL: @isinf(
// CHECK:         arith.cmpf oeq
func.func @isinf(%x: vector<4xf32>) -> vector<4xi1> {
  %0 = math.isinf %x : vector<4xf32>
  return %0 : vector<4xi1>
}

// Others stay.
// CHECK-LABEL: @exp(
// CHECK-NEXT:    math.exp
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// RUN: lw-opt %s --expand-math | FileCheck %s

// CHECK: func.func private @expm1(f64) -> f64

// CHECK-LABEL: @expm1_of_f64_lane_by_lane(
// CHECK-SAME:    %[[X:.*]]: vector<2xf64>)
// CHECK:         %[[X0:.*]] = vector.extract %[[X]][0]
// CHECK:         %[[Y0:.*]] = call @expm1(%[[X0]]) : (f64) -> f64
// CHECK:         %[[X1:.*]] = vector.extract %[[X]][1]
// CHECK:         %[[Y1:.*]] = call @expm1(%[[X1]]) : (f64) -> f64
// CHECK:         %[[Y:.*]] = vector.from_elements %[[Y0]], %[[Y1]] : vector<2xf64>
// CHECK:         return %[[Y]]
func.func @expm1_of_f64_lane_by_lane(%x: vector<2xf64>) -> vector<2xf64> {
  %0 = math.expm1 %x : vector<2xf64>
  return %0 : vector<2xf64>
}

// CHECK-LABEL: @expm1_of_f64(
// CHECK:         call @expm1(%{{.*}}) : (f64) -> f64
func.func @expm1_of_f64(%x: f64) -> f64 {
  %0 = math.expm1 %x : f64
  return %0 : f64
}

// CHECK-LABEL: @fpowi_of_f64(
// CHECK-SAME:    %[[X:.*]]: vector<4xf64>, %[[N:.*]]: vector<4xi64>)
// CHECK:         %[[E:.*]] = arith.sitofp %[[N]] : vector<4xi64> to vector<4xf64>
// CHECK:         math.powf %[[X]], %[[E]] : vector<4xf64>
func.func @fpowi_of_f64(%x: vector<4xf64>, %n: vector<4xi64>) -> vector<4xf64> {
  %0 = math.fpowi %x, %n : vector<4xf64>, vector<4xi64>
  return %0 : vector<4xf64>
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

// Functions of f64, and unknown functions, are unchanged.
// CHECK-LABEL: @kept(
// CHECK-NEXT:    math.exp %{{.*}} : f64
// CHECK-NEXT:    math.sqrt %{{.*}} : f32
func.func @kept(%x: f64, %y: f32) -> (f64, f32) {
  %0 = math.exp %x : f64
  %1 = math.sqrt %y : f32
  return %0, %1 : f64, f32
}

// Tensors have no arithmetic yet.
// CHECK-LABEL: @tensor(
// CHECK-NEXT:    math.exp
func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

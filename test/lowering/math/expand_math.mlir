// RUN: lw-opt %s --expand-math | FileCheck %s

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

// Functions for which processors have instructions, and functions of other types, are unchanged.
// CHECK-LABEL: @kept(
// CHECK-NEXT:    math.exp %{{.*}} : f128
// CHECK-NEXT:    math.sqrt %{{.*}} : f32
func.func @kept(%x: f128, %y: f32) -> (f128, f32) {
  %0 = math.exp %x : f128
  %1 = math.sqrt %y : f32
  return %0, %1 : f128, f32
}

// Tensors have no arithmetic yet.
// CHECK-LABEL: @tensor(
// CHECK-NEXT:    math.exp
func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Constant exponents: products of f64, rounded once.
// CHECK-LABEL: @cube(
// CHECK:         %[[W:.*]] = arith.extf %arg0 : vector<4xf32> to vector<4xf64>
// CHECK-NEXT:    %[[S:.*]] = arith.mulf %[[W]], %[[W]]
// CHECK-NEXT:    %[[C:.*]] = arith.mulf %[[S]], %[[W]]
// CHECK-NEXT:    arith.truncf %[[C]] : vector<4xf64> to vector<4xf32>
// CHECK-NEXT:    return
func.func @cube(%x: vector<4xf32>) -> vector<4xf32> {
  %three = arith.constant dense<3.0> : vector<4xf32>
  %0 = math.powf %x, %three : vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-LABEL: @square_of_half(
// CHECK:         arith.extf %arg0 : f16 to f32
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.truncf
// CHECK-NEXT:    return
func.func @square_of_half(%x: f16) -> f16 {
  %two = arith.constant 2 : i32
  %0 = math.fpowi %x, %two : f16, i32
  return %0 : f16
}

// Another exponent has no products.
// CHECK-LABEL: @fifth_power(
// CHECK:         math.fma
func.func @fifth_power(%x: f32) -> f32 {
  %five = arith.constant 5.0 : f32
  %0 = math.powf %x, %five : f32
  return %0 : f32
}

// RUN: lw-opt %s --convert-linalg-to-loop | FileCheck %s

// Three values that are updated together form one reducer.
// CHECK-LABEL: func.func @variance(
// CHECK:         reducer(welford, 0.000000e+00, 0.000000e+00, 0.000000e+00)
func.func @variance(%A: tensor<4x64xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %0:3 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%A : tensor<4x64xf32>) outs(%start, %start, %start : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%x: f32, %m: f32, %s: f32, %n: f32):
    %n1 = arith.addf %n, %one : f32
    %d = arith.subf %x, %m : f32
    %q = arith.divf %d, %n1 : f32
    %m1 = arith.addf %m, %q : f32
    %e = arith.subf %x, %m1 : f32
    %p = arith.mulf %d, %e : f32
    %s1 = arith.addf %s, %p : f32
    linalg.yield %m1, %s1, %n1 : f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

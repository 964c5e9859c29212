// The text form is that of torch-mlir.
// RUN: lw-opt %s | lw-opt | FileCheck %s
// RUN: lw-opt %s --emit-bytecode | lw-opt | FileCheck %s

// CHECK-LABEL: func.func @scan
// CHECK: tm_tensor.scan dimension(1) inclusive(false) ins(%{{.*}} : tensor<2x?xi64>) outs(%{{.*}}, %{{.*}} : tensor<2x?xi64>, tensor<2xi64>)
// CHECK: ^bb0(%{{.*}}: i64, %{{.*}}: i64):
// CHECK: tm_tensor.yield %{{.*}} : i64
// CHECK: } -> tensor<2x?xi64>, tensor<2xi64>
func.func @scan(%x: tensor<2x?xi64>, %o: tensor<2x?xi64>, %acc: tensor<2xi64>) -> (tensor<2x?xi64>, tensor<2xi64>) {
  %r:2 = tm_tensor.scan dimension(1) inclusive(false) ins(%x : tensor<2x?xi64>) outs(%o, %acc : tensor<2x?xi64>, tensor<2xi64>) {
  ^bb0(%a: i64, %b: i64):
    %0 = arith.addi %a, %b : i64
    tm_tensor.yield %0 : i64
  } -> tensor<2x?xi64>, tensor<2xi64>
  return %r#0, %r#1 : tensor<2x?xi64>, tensor<2xi64>
}

// CHECK-LABEL: func.func @scatter
// CHECK: tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%{{.*}}, %{{.*}} : tensor<3xf32>, tensor<3x1xi32>) outs(%{{.*}} : tensor<8xf32>)
func.func @scatter(%u: tensor<3xf32>, %i: tensor<3x1xi32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<3xf32>, tensor<3x1xi32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @sort
// CHECK: tm_tensor.sort dimension(0) outs(%{{.*}} : tensor<8xf32>)
func.func @sort(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = tm_tensor.sort dimension(0) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @topk
// CHECK: tm_tensor.topk dimension(0) ins(%{{.*}} : tensor<8xf32>) outs(%{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2xi64>)
func.func @topk(%x: tensor<8xf32>, %v: tensor<2xf32>, %i: tensor<2xi64>) -> (tensor<2xf32>, tensor<2xi64>) {
  %r:2 = tm_tensor.topk dimension(0) ins(%x : tensor<8xf32>) outs(%v, %i : tensor<2xf32>, tensor<2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<2xf32>, tensor<2xi64>
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi64>
}

// CHECK-LABEL: func.func @attention
// CHECK: tm_tensor.attention {scale = 5.000000e-01 : f64} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x5xf32>) outs(%{{.*}} : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
func.func @attention(%q: tensor<1x2x3xf32>, %k: tensor<1x4x3xf32>, %v: tensor<1x4x5xf32>, %o: tensor<1x2x5xf32>) -> tensor<1x2x5xf32> {
  %r = tm_tensor.attention {scale = 0.5 : f64} ins(%q, %k, %v : tensor<1x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x5xf32>) outs(%o : tensor<1x2x5xf32>) -> tensor<1x2x5xf32>
  return %r : tensor<1x2x5xf32>
}

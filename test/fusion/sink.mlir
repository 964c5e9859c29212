// RUN: lw-opt %s --graph-fuse-ops | FileCheck %s

// A reshape ends no group: each reader gets a copy. Ops that compute the same are one.
// CHECK-LABEL: func.func @views(
// CHECK: graph.fusion -> tensor<4x6xf32> {
// CHECK: tensor.expand_shape %arg0
// CHECK: linalg.matmul
// CHECK: graph.fusion -> tensor<1x8xf32> {
// CHECK: tensor.expand_shape %arg0
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK-NOT: graph.fusion
// CHECK: return
#ijk = affine_map<(i, j, k) -> (i, j, k)>
#ik = affine_map<(i, j, k) -> (i, k)>
func.func @views(%x: tensor<32xf32>, %w: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<1x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %again = tensor.expand_shape %x [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %row = tensor.expand_shape %again [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xf32> into tensor<1x4x8xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %e1 = tensor.empty() : tensor<1x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x8xf32>) -> tensor<1x8xf32>
  %2 = linalg.generic {indexing_maps = [#ijk, #ik], iterator_types = ["parallel", "reduction", "parallel"]} ins(%row : tensor<1x4x8xf32>) outs(%f1 : tensor<1x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %1, %2 : tensor<4x6xf32>, tensor<1x8xf32>
}

// A reshape that leaves the elements where they are in memory is copied to products, too: each reads the argument itself.
// CHECK-LABEL: func.func @in_place(
// CHECK: graph.fusion -> tensor<4x6xf32> {
// CHECK: tensor.collapse_shape %arg0
// CHECK: linalg.matmul
// CHECK: graph.fusion -> tensor<4x6xf32> {
// CHECK: tensor.collapse_shape %arg0
// CHECK: linalg.matmul
// CHECK: return
func.func @in_place(%x: tensor<1x4x8xf32>, %w: tensor<8x6xf32>, %v: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = linalg.matmul ins(%0, %v : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>
}

// One that splits a dimension stays: two products read it in memory.
// CHECK-LABEL: func.func @split(
// CHECK-COUNT-1: tensor.expand_shape
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @split(%x: tensor<32xf32>, %w: tensor<8x6xf32>, %v: tensor<8x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = linalg.matmul ins(%0, %v : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1, %2 : tensor<4x6xf32>, tensor<4x6xf32>
}

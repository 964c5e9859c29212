// RUN: lw-opt %s --split-input-file --fold-unit-loops | FileCheck %s

// CHECK-LABEL: func.func @unit(
// CHECK: tensor.collapse_shape %arg0
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK: tensor.expand_shape
#map = affine_map<(i, j, k) -> (i, j, k)>
func.func @unit(%x: tensor<1x12x8xf32>) -> tensor<1x12x8xf32> {
  %e = tensor.empty() : tensor<1x12x8xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x12x8xf32>) outs(%e : tensor<1x12x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  } -> tensor<1x12x8xf32>
  return %0 : tensor<1x12x8xf32>
}

// -----

// The loop of one iteration is the row of the reduction (C2).
// CHECK-LABEL: func.func @row(
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: iterator_types = ["parallel", "parallel"]
// CHECK-NOT: tensor.collapse_shape
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @row(%x: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<1x8xf32>) outs(%f : tensor<1xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  %e1 = tensor.empty() : tensor<1x8xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<1x8xf32>, tensor<1xf32>) outs(%e1 : tensor<1x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %1 : tensor<1x8xf32>
}

// -----

// A function on memory (C1).
// CHECK-LABEL: func.func @memory(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]}
// CHECK-NOT: memref.collapse_shape
#ij = affine_map<(i, j) -> (i, j)>
func.func @memory(%x: memref<1x8xf32>, %y: memref<1x8xf32>) {
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : memref<1x8xf32>) outs(%y : memref<1x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// It reads at a sum of loops (C3).
// CHECK-LABEL: func.func @sums(
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT: tensor.collapse_shape
#sum = affine_map<(n, i, j) -> (n, i + j)>
#window = affine_map<(n, i, j) -> (j)>
#ni = affine_map<(n, i, j) -> (n, i)>
func.func @sums(%x: tensor<1x10xf32>, %w: tensor<3xf32>) -> tensor<1x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32>
  %0 = linalg.generic {indexing_maps = [#sum, #window, #ni], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x10xf32>, tensor<3xf32>) outs(%f : tensor<1x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.mulf %p, %q : f32
    %s = arith.addf %t, %o : f32
    linalg.yield %s : f32
  } -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

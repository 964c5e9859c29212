// Products whose weights are left as they are: one for each condition.
// RUN: lw-opt %s --transpose-weights=vector-bits=128 --mlir-print-local-scope | FileCheck %s

#ik = affine_map<(i, j, k) -> (i, k)>
#jk = affine_map<(i, j, k) -> (j, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>

// (C1) The weights are an argument.
// CHECK-LABEL: func.func @argument(
// CHECK:         linalg.matmul {{.*}} ins(%arg0, %arg1 : tensor<3x2xf32>, tensor<4x2xf32>)
func.func @argument(%x: tensor<3x2xf32>, %w: tensor<4x2xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %y = linalg.matmul indexing_maps = [#ik, #jk, #ij] ins(%x, %w : tensor<3x2xf32>, tensor<4x2xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// (C1) An index of the weights is a sum of loops.
// CHECK-LABEL: func.func @sum(
// CHECK:         linalg.generic {{.*}} ins(%arg0, %{{.*}} : tensor<3x2xf32>, tensor<5x2xf32>)
func.func @sum(%x: tensor<3x2xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<1.0> : tensor<5x2xf32>
  %y = linalg.generic {indexing_maps = [#ik, affine_map<(i, j, k) -> (j + k, k)>, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<3x2xf32>, tensor<5x2xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// (C1) There is no reduction loop.
// CHECK-LABEL: func.func @scaled(
// CHECK:         linalg.generic {{.*}} ins(%arg0, %{{.*}} : tensor<3x2xf32>, tensor<4x2xf32>)
func.func @scaled(%x: tensor<3x2xf32>, %o: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %w = arith.constant dense<1.0> : tensor<4x2xf32>
  %y = linalg.generic {indexing_maps = [#ik, #jk, affine_map<(i, j, k) -> (i, k, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%x, %w : tensor<3x2xf32>, tensor<4x2xf32>) outs(%o : tensor<3x2x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<3x2x4xf32>
  return %y : tensor<3x2x4xf32>
}

// (C2) The weights are contiguous along the results.
// CHECK-LABEL: func.func @contiguous(
// CHECK:         linalg.matmul ins(%arg0, %{{.*}} : tensor<3x2xf32>, tensor<2x4xf32>)
func.func @contiguous(%x: tensor<3x2xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<1.0> : tensor<2x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<3x2xf32>, tensor<2x4xf32>) outs(%o : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// (C2) Adjacent results are those of different rows of the other factor.
// CHECK-LABEL: func.func @rows(
// CHECK:         linalg.matmul {{.*}} ins(%{{.*}}, %arg0 : tensor<4x2xf32>, tensor<3x2xf32>)
func.func @rows(%x: tensor<3x2xf32>, %o: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %w = arith.constant dense<1.0> : tensor<4x2xf32>
  %y = linalg.matmul indexing_maps = [#ik, #jk, #ij] ins(%w, %x : tensor<4x2xf32>, tensor<3x2xf32>) outs(%o : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// (C2) The other factor has the index of the results, too.
// CHECK-LABEL: func.func @both(
// CHECK:         linalg.generic {{.*}} ins(%arg0, %{{.*}} : tensor<3x4x2xf32>, tensor<4x2xf32>)
func.func @both(%x: tensor<3x4x2xf32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<1.0> : tensor<4x2xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, #jk, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<3x4x2xf32>, tensor<4x2xf32>) outs(%o : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// (C3) One result fills a quarter of a vector.
// CHECK-LABEL: func.func @narrow(
// CHECK:         linalg.matmul {{.*}} ins(%arg0, %{{.*}} : tensor<3x2xf32>, tensor<1x2xf32>)
func.func @narrow(%x: tensor<3x2xf32>, %o: tensor<3x1xf32>) -> tensor<3x1xf32> {
  %w = arith.constant dense<1.0> : tensor<1x2xf32>
  %y = linalg.matmul indexing_maps = [#ik, #jk, #ij] ins(%x, %w : tensor<3x2xf32>, tensor<1x2xf32>) outs(%o : tensor<3x1xf32>) -> tensor<3x1xf32>
  return %y : tensor<3x1xf32>
}

// (C4) There is one row.
// CHECK-LABEL: func.func @one(
// CHECK:         linalg.matmul {{.*}} ins(%arg0, %{{.*}} : tensor<1x2xf32>, tensor<4x2xf32>)
func.func @one(%x: tensor<1x2xf32>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %w = arith.constant dense<1.0> : tensor<4x2xf32>
  %y = linalg.matmul indexing_maps = [#ik, #jk, #ij] ins(%x, %w : tensor<1x2xf32>, tensor<4x2xf32>) outs(%o : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}

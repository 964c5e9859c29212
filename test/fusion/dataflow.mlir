// RUN: lw-opt %s --graph-fuse-ops='separate-weights=true' | FileCheck %s
// RUN: lw-opt %s --graph-fuse-ops | FileCheck %s --check-prefix=ALL

// What depends on constants alone is in no group, unless it is much larger than they are.
// CHECK-LABEL: func.func @main(
// CHECK: %[[weights:.*]] = linalg.transpose
// CHECK: graph.fusion -> tensor<3x3xf32> {
// CHECK: linalg.broadcast
// CHECK: linalg.matmul ins(%arg0, %[[weights]]
// CHECK: arith.addf
// CHECK-NOT: graph.fusion
// CHECK: return
// ALL-LABEL: func.func @main(
// ALL-NOT: linalg.transpose
// ALL: graph.fusion -> tensor<3x3xf32> {
// ALL: linalg.transpose
// ALL: linalg.matmul
#ij = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<3x2xf32>) -> tensor<3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %b = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %e = tensor.empty() : tensor<3x3xf32>
  %e2 = tensor.empty() : tensor<2x3xf32>
  %t = linalg.transpose ins(%w : tensor<3x2xf32>) outs(%e2 : tensor<2x3xf32>) permutation = [1, 0]
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>
  %0 = linalg.matmul ins(%x, %t : tensor<3x2xf32>, tensor<2x3xf32>) outs(%f : tensor<3x3xf32>) -> tensor<3x3xf32>
  %rows = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<3x3xf32>) dimensions = [0]
  %1 = linalg.generic {indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%0, %rows : tensor<3x3xf32>, tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<3x3xf32>
  return %1 : tensor<3x3xf32>
}

// RUN: lw-opt %s --split-input-file --graph-fuse-ops | FileCheck %s

// A product takes what follows it at the same place, whatever stands between them in the text. What it starts from is computed
// in the group.
// CHECK-LABEL: func.func @epilogue(
// CHECK: %[[first:.*]] = graph.fusion -> tensor<4x8xf32> {
// CHECK: %[[zero:.*]] = linalg.fill
// CHECK: %[[product:.*]] = linalg.matmul {{.*}} outs(%[[zero]]
// CHECK: %[[sum:.*]] = linalg.generic {{.*}} ins(%[[product]], %arg2
// CHECK: %[[stored:.*]] = graph.yield_store %[[sum]]
// CHECK-NEXT: graph.yield %[[stored]]
// CHECK: graph.fusion -> tensor<8x4xf32> {
// CHECK: linalg.generic {{.*}} ins(%arg3
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>
func.func @epilogue(%x: tensor<4x6xf32>, %w: tensor<6x8xf32>, %b: tensor<8xf32>, %y: tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<4x6xf32>, tensor<6x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %e1 = tensor.empty() : tensor<8x4xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x4xf32>) outs(%e1 : tensor<8x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %2, %1 : tensor<4x8xf32>, tensor<8x4xf32>
}

// -----

// Reductions of rows and what reads them are one group; a value that is also returned is a second result of it.
// CHECK-LABEL: func.func @rows(
// CHECK: graph.fusion -> tensor<4xf32>, tensor<4x8xf32> {
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: arith.divf
// CHECK: graph.yield %{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4x8xf32>
// CHECK-NOT: graph.fusion
// CHECK: return
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @rows(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %e1 = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<4x8xf32>, tensor<4xf32>) outs(%e1 : tensor<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.divf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1, %0 : tensor<4x8xf32>, tensor<4xf32>
}

// -----

// A function on memory, a function with groups, and a declaration stay as they are.
// CHECK-LABEL: func.func @memory(
// CHECK-NOT: graph.fusion
// CHECK-LABEL: func.func @grouped(
// CHECK: graph.fusion
// CHECK: math.exp
// CHECK: graph.yield %
// CHECK: math.exp
// CHECK-NOT: graph.fusion
// CHECK: return
// CHECK: func.func private @declared
func.func @memory(%x: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
  return
}
func.func @grouped(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.fusion -> tensor<4xf32> {
    %1 = math.exp %x : tensor<4xf32>
    %2 = graph.yield_store %1 : tensor<4xf32>
    graph.yield %2 : tensor<4xf32>
  }
  %3 = math.exp %0 : tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>

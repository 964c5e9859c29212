// Functions that channels-last leaves.
// RUN: lw-opt %s --channels-last --split-input-file --mlir-print-local-scope | FileCheck %s

// (C1) The weights are an argument.
#X = affine_map<(n, f, h, w, c) -> (n, c, h, w)>
#W = affine_map<(n, f, h, w, c) -> (f, c)>
#Y = affine_map<(n, f, h, w, c) -> (n, f, h, w)>
// CHECK-LABEL: func.func @weights(
// CHECK:         outs(%{{.*}} : tensor<1x16x4x4xf32>)
// CHECK:         return %{{.*}} : tensor<1xf32>
func.func @weights(%x: tensor<1x3x4x4xf32>, %w: tensor<16x3xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %y = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x3x4x4xf32>, tensor<16x3xf32>) outs(%z : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x4x4xf32>
  %se = tensor.empty() : tensor<1xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1xf32>) -> tensor<1xf32>
  %sum = linalg.reduce {arith.addf} ins(%y : tensor<1x16x4x4xf32>) outs(%sz : tensor<1xf32>) dimensions = [1, 2, 3]
  return %sum : tensor<1xf32>
}

// -----

// (C2) The channels of the result, f and g, are not adjacent.
#X = affine_map<(n, f, h, g, c) -> (n, c, h)>
#W = affine_map<(n, f, h, g, c) -> (f, g, c)>
#Y = affine_map<(n, f, h, g, c) -> (n, f, h, g)>
// CHECK-LABEL: func.func @apart(
// CHECK:         outs(%{{.*}} : tensor<1x8x4x8xf32>)
// CHECK:         return %{{.*}} : tensor<1xf32>
func.func @apart(%x: tensor<1x3x4xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<2.0> : tensor<8x8x3xf32>
  %e = tensor.empty() : tensor<1x8x4x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x4x8xf32>) -> tensor<1x8x4x8xf32>
  %y = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x3x4xf32>, tensor<8x8x3xf32>) outs(%z : tensor<1x8x4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x8x4x8xf32>
  %se = tensor.empty() : tensor<1xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1xf32>) -> tensor<1xf32>
  %sum = linalg.reduce {arith.addf} ins(%y : tensor<1x8x4x8xf32>) outs(%sz : tensor<1xf32>) dimensions = [1, 2, 3]
  return %sum : tensor<1xf32>
}

// -----

// (C3) The second op has an index of its loops in its body. It reads the image in its new order, and stores in the old one.
#X = affine_map<(n, f, h, w, c) -> (n, c, h, w)>
#W = affine_map<(n, f, h, w, c) -> (f, c)>
#Y = affine_map<(n, f, h, w, c) -> (n, f, h, w)>
#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
// CHECK-LABEL: func.func @index(
// CHECK:         outs(%{{.*}} : tensor<1x4x4x16xf32>)
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]{{.*}} outs(%{{.*}} : tensor<1x16x4x4xf32>)
// CHECK:         return %{{.*}} : tensor<1xf32>
func.func @index(%x: tensor<1x3x4x4xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<2.0> : tensor<16x3xf32>
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %y = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x3x4x4xf32>, tensor<16x3xf32>) outs(%z : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x4x4xf32>
  %i = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x16x4x4xf32>) outs(%e : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %k = linalg.index 1 : index
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.addf %p, %f : f32
    linalg.yield %s : f32
  } -> tensor<1x16x4x4xf32>
  %se = tensor.empty() : tensor<1xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1xf32>) -> tensor<1xf32>
  %sum = linalg.reduce {arith.addf} ins(%i : tensor<1x16x4x4xf32>) outs(%sz : tensor<1xf32>) dimensions = [1, 2, 3]
  return %sum : tensor<1xf32>
}

// -----

// (C4) The caller reads the only image.
#X = affine_map<(n, f, h, w, c) -> (n, c, h, w)>
#W = affine_map<(n, f, h, w, c) -> (f, c)>
#Y = affine_map<(n, f, h, w, c) -> (n, f, h, w)>
// CHECK-LABEL: func.func @one(
// CHECK:         outs(%{{.*}} : tensor<1x16x4x4xf32>)
// CHECK:         return %{{.*}} : tensor<1x16x4x4xf32>
func.func @one(%x: tensor<1x3x4x4xf32>) -> tensor<1x16x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<2.0> : tensor<16x3xf32>
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %y = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x3x4x4xf32>, tensor<16x3xf32>) outs(%z : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x4x4xf32>
  return %y : tensor<1x16x4x4xf32>
}

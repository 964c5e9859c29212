// Which sums of products have weights, by a pass that rewrites those: a convolution is rewritten if one factor is computed from constants.
// RUN: lw-opt %s --winograd-conv2d=vector-bits=64 --split-input-file | FileCheck %s

// Weights may be computed by a chain of ops, from a constant and from a number of the function, and the product may be added first or last.
#x = affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>
#w = affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>
#y = affine_map<(f, h, w, c, i, j) -> (f, h, w)>
#all = affine_map<(f, c, i, j) -> (f, c, i, j)>
// CHECK-LABEL: func.func @chain(
// CHECK:         } -> tensor<4x4x32x32xf32>
// CHECK:         } -> tensor<4x32x4x2x2xf32>
func.func @chain(%x: tensor<32x6x6xf32>) -> tensor<32x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %k = arith.constant dense<0.5> : tensor<32x32x3x3xf32>
  %ke = tensor.empty() : tensor<32x32x3x3xf32>
  %w = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<32x32x3x3xf32>) outs(%ke : tensor<32x32x3x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %two : f32
    linalg.yield %r : f32
  } -> tensor<32x32x3x3xf32>
  %e = tensor.empty() : tensor<32x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x4x4xf32>) -> tensor<32x4x4xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x6x6xf32>, tensor<32x32x3x3xf32>) outs(%z : tensor<32x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %b, %a : f32
    %r = arith.addf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<32x4x4xf32>
  return %y : tensor<32x4x4xf32>
}

// -----

// The body of the chain uses an argument, so its result is not computed from constants alone.
#x = affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>
#w = affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>
#y = affine_map<(f, h, w, c, i, j) -> (f, h, w)>
#all = affine_map<(f, c, i, j) -> (f, c, i, j)>
// CHECK-LABEL: func.func @argument_in_body(
// CHECK-NOT:     tensor<4x4x32x32xf32>
// CHECK:         return
func.func @argument_in_body(%x: tensor<32x6x6xf32>, %two: f32) -> tensor<32x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %k = arith.constant dense<0.5> : tensor<32x32x3x3xf32>
  %ke = tensor.empty() : tensor<32x32x3x3xf32>
  %w = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k : tensor<32x32x3x3xf32>) outs(%ke : tensor<32x32x3x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %two : f32
    linalg.yield %r : f32
  } -> tensor<32x32x3x3xf32>
  %e = tensor.empty() : tensor<32x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x4x4xf32>) -> tensor<32x4x4xf32>
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x6x6xf32>, tensor<32x32x3x3xf32>) outs(%z : tensor<32x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<32x4x4xf32>
  return %y : tensor<32x4x4xf32>
}

// -----

// Both factors are constants: all is computed once in any case.
// CHECK-LABEL: func.func @both(
// CHECK-NOT:     tensor<4x4x32x32xf32>
// CHECK:         return
func.func @both() -> tensor<1x32x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %x = arith.constant dense<1.0> : tensor<1x32x6x6xf32>
  %w = arith.constant dense<2.0> : tensor<32x32x3x3xf32>
  %e = tensor.empty() : tensor<1x32x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x32x6x6xf32>, tensor<32x32x3x3xf32>) outs(%z : tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %y : tensor<1x32x4x4xf32>
}

// -----

// Differences instead of products, the square of one factor, and a maximum instead of a sum.
#x = affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>
#w = affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>
#y = affine_map<(f, h, w, c, i, j) -> (f, h, w)>
// CHECK-LABEL: func.func @other_bodies(
// CHECK-NOT:     tensor<4x4x32x32xf32>
// CHECK:         return
func.func @other_bodies(%x: tensor<32x6x6xf32>) -> (tensor<32x4x4xf32>, tensor<32x4x4xf32>, tensor<32x4x4xf32>) attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<2.0> : tensor<32x32x3x3xf32>
  %e = tensor.empty() : tensor<32x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x4x4xf32>) -> tensor<32x4x4xf32>
  %differences = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x6x6xf32>, tensor<32x32x3x3xf32>) outs(%z : tensor<32x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.subf %a, %b : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<32x4x4xf32>
  %squares = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x6x6xf32>, tensor<32x32x3x3xf32>) outs(%z : tensor<32x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %a : f32
    %r = arith.addf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<32x4x4xf32>
  %maxima = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<32x6x6xf32>, tensor<32x32x3x3xf32>) outs(%z : tensor<32x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.maximumf %s, %p : f32
    linalg.yield %r : f32
  } -> tensor<32x4x4xf32>
  return %differences, %squares, %maxima : tensor<32x4x4xf32>, tensor<32x4x4xf32>, tensor<32x4x4xf32>
}

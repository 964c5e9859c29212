// Weights are multiplied by the factors of a batch norm.
// RUN: lw-opt %s --fold-batch-norm --canonicalize --split-input-file | FileCheck %s

#x = affine_map<(n, f, h, w) -> (n, f, h, w)>
#f = affine_map<(n, f, h, w) -> (f)>

// All in one op. The start values are -mean * scale + beta.
// CHECK-LABEL: func.func @one_op(
// CHECK-SAME:    %[[X:.*]]: tensor<1x3x10x10xf32>
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}
// CHECK:         %[[BOTH:.*]]:2 = linalg.generic
// CHECK:           %[[NORMAL:.*]] = math.rsqrt
// CHECK:           %[[NEGATIVE:.*]] = arith.subf %{{.*}}, %{{.*}}
// CHECK-NEXT:      %[[SHIFT:.*]] = arith.mulf %[[NEGATIVE]], %[[NORMAL]]
// CHECK-NEXT:      %[[SCALE:.*]] = arith.mulf %[[NORMAL]], %[[GAMMA:.*]] : f32
// CHECK-NEXT:      %[[SCALED:.*]] = arith.mulf %[[SHIFT]], %[[GAMMA]]
// CHECK-NEXT:      %[[START:.*]] = arith.addf %[[SCALED]]
// CHECK-NEXT:      linalg.yield %[[SCALE]], %[[START]]
// CHECK:         } -> (tensor<2xf32>, tensor<2xf32>)
// CHECK:         %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[BOTH]]#0
// CHECK:           arith.mulf
// CHECK:         %[[STARTS:.*]] = linalg.generic {{.*}} ins(%[[BOTH]]#1
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw ins(%[[X]], %[[NEW]] : {{.*}}) outs(%[[STARTS]]
// CHECK-NEXT:    return %[[Y]]
func.func @one_op(%x: tensor<1x3x10x10xf32>) -> tensor<1x2x8x8xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]], [[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 4.0]]]]> : tensor<2x3x3x3xf32>
  %mean = arith.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %variance = arith.constant dense<[0.25, 4.0]> : tensor<2xf32>
  %gamma = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %beta = arith.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %epsilon = arith.constant 1.0e-05 : f64
  %e = tensor.empty() : tensor<1x2x8x8xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x10x10xf32>, tensor<2x3x3x3xf32>) outs(%s : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %z = linalg.generic {indexing_maps = [#x, #f, #f, #f, #f, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %gamma, %beta, %mean, %variance : tensor<1x2x8x8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%y : tensor<1x2x8x8xf32>) {
  ^bb0(%a: f32, %g: f32, %b: f32, %m: f32, %v: f32, %o: f32):
    %low = arith.truncf %epsilon : f64 to f32
    %safe = arith.addf %v, %low : f32
    %inverse = math.rsqrt %safe : f32
    %d = arith.subf %a, %m : f32
    %n = arith.mulf %d, %inverse : f32
    %t = arith.mulf %n, %g : f32
    %u = arith.addf %t, %b : f32
    linalg.yield %u : f32
  } -> tensor<1x2x8x8xf32>
  return %z : tensor<1x2x8x8xf32>
}

// -----

// As PyTorch exports it: an op for each step, numbers with dimensions of size 1, and the norm's root as an op of its own. A
// depthwise convolution starts from a bias. What follows, a ReLU, stays.
#x = affine_map<(n, c, h, w) -> (n, c, h, w)>
#c = affine_map<(n, c, h, w) -> (c)>
#c00 = affine_map<(n, c, h, w) -> (c, 0, 0)>
#v = affine_map<(c) -> (c)>
// CHECK-LABEL: func.func @exported(
// CHECK:         %[[BOTH:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(
// CHECK:         %[[NEW:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[BOTH]]#0 : tensor<2x3x3xf32>
// CHECK:         %[[STARTS:.*]] = linalg.generic {{.*}} ins(%[[BOTH]]#1 : {{.*}} outs(%{{.*}} : tensor<?x2x8x8xf32>)
// CHECK:         %[[Y:.*]] = linalg.depthwise_conv_2d_nchw_chw {{.*}} ins(%{{.*}}, %[[NEW]] : {{.*}}) outs(%[[STARTS]]
// CHECK-NEXT:    %[[Z:.*]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK:           arith.maximumf
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[Z]]
func.func @exported(%x: tensor<?x2x10x10xf32>) -> tensor<?x2x8x8xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0], [1.0, 2.0, 4.0]]]> : tensor<2x3x3xf32>
  %bias = arith.constant dense<[0.25, 0.125]> : tensor<2xf32>
  %mean = arith.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %variance = arith.constant dense<[0.25, 4.0]> : tensor<2xf32>
  %gamma = arith.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %beta = arith.constant dense<[[[1.0]], [[-2.0]]]> : tensor<2x1x1xf32>
  %zero = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %batch = tensor.dim %x, %i0 : tensor<?x2x10x10xf32>
  %e = tensor.empty(%batch) : tensor<?x2x8x8xf32>
  %s = linalg.generic {indexing_maps = [#c, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<2xf32>) outs(%e : tensor<?x2x8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x2x8x8xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %w : tensor<?x2x10x10xf32>, tensor<2x3x3xf32>) outs(%s : tensor<?x2x8x8xf32>) -> tensor<?x2x8x8xf32>
  %v = tensor.empty() : tensor<2xf32>
  %root = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%variance : tensor<2xf32>) outs(%v : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.sqrt %a : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %roots = tensor.expand_shape %root [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
  %means = tensor.expand_shape %mean [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xf32> into tensor<2x1x1xf32>
  %d = linalg.generic {indexing_maps = [#x, #c00, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y, %means : tensor<?x2x8x8xf32>, tensor<2x1x1xf32>) outs(%e : tensor<?x2x8x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.subf %m, %a : f32
    linalg.yield %r : f32
  } -> tensor<?x2x8x8xf32>
  %n = linalg.generic {indexing_maps = [#x, #c00, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d, %roots : tensor<?x2x8x8xf32>, tensor<2x1x1xf32>) outs(%e : tensor<?x2x8x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.divf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<?x2x8x8xf32>
  %t = linalg.generic {indexing_maps = [#c00, #x, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%gamma, %n : tensor<2x1x1xf32>, tensor<?x2x8x8xf32>) outs(%e : tensor<?x2x8x8xf32>) {
  ^bb0(%m: f32, %a: f32, %o: f32):
    %r = arith.mulf %m, %a : f32
    linalg.yield %r : f32
  } -> tensor<?x2x8x8xf32>
  %u = linalg.generic {indexing_maps = [#x, #c00, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %beta : tensor<?x2x8x8xf32>, tensor<2x1x1xf32>) outs(%e : tensor<?x2x8x8xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.addf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<?x2x8x8xf32>
  %z = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%u : tensor<?x2x8x8xf32>) outs(%e : tensor<?x2x8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<?x2x8x8xf32>
  return %z : tensor<?x2x8x8xf32>
}

// -----

// The columns of a matrix product, divided by one number.
#ij = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @one_number(
// CHECK:         %[[BOTH:.*]]:2 = linalg.generic {{.*}}iterator_types = []} outs(
// CHECK:         %[[NEW:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[BOTH]]#0 : tensor<3x4xf32>, tensor<f32>
// CHECK:         linalg.matmul ins(%{{.*}}, %[[NEW]] :
// CHECK-NEXT:    return
func.func @one_number(%x: tensor<5x3xf32>) -> tensor<5x4xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 5.0]]> : tensor<3x4xf32>
  %eight = arith.constant 8.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<5x3xf32>, tensor<3x4xf32>) outs(%s : tensor<5x4xf32>) -> tensor<5x4xf32>
  %z = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x4xf32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.divf %a, %eight : f32
    linalg.yield %r : f32
  } -> tensor<5x4xf32>
  return %z : tensor<5x4xf32>
}

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

// -----

// A convolution with a window of 1 x 1: the loops over the window reduce, and are removed although indices are sums. The unit loop
// over images stays (C3), because the second window is larger.
// CHECK-DAG: #[[X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[W:.*]] = affine_map<(d0, d1, d2, d3) -> (0, d3, d2)>
// CHECK-LABEL: func.func @window(
// CHECK: linalg.generic {indexing_maps = [#[[X]], #[[W]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
#X = affine_map<(n, h, f, i, c) -> (n, h + i, c)>
#W = affine_map<(n, h, f, i, c) -> (i, c, f)>
#Y = affine_map<(n, h, f, i, c) -> (n, h, f)>
func.func @window(%x: tensor<1x6x3xf32>, %w: tensor<1x3x4xf32>, %v: tensor<2x4x4xf32>) -> tensor<1x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  %y = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<1x6x3xf32>, tensor<1x3x4xf32>) outs(%z : tensor<1x6x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x6x4xf32>
  %e1 = tensor.empty() : tensor<1x5x4xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  %y1 = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%y, %v : tensor<1x6x4xf32>, tensor<2x4x4xf32>) outs(%z1 : tensor<1x5x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x5x4xf32>
  return %y1 : tensor<1x5x4xf32>
}

// -----

// A reduction that has no other loop keeps its unit loop, and so does one whose body has indices of loops.
// CHECK-LABEL: func.func @kept(
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: iterator_types = ["parallel", "reduction", "reduction"]
#X = affine_map<(h, i) -> (h + i)>
#W = affine_map<(h, i) -> (i)>
#Y = affine_map<(h, i) -> (h)>
#X2 = affine_map<(h, i, k) -> (h + i, k)>
#W2 = affine_map<(h, i, k) -> (i)>
#Y2 = affine_map<(h, i, k) -> (h)>
func.func @kept(%x: tensor<8xf32>, %y: tensor<8x4xf32>, %w: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<8xf32>, tensor<1xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#X2, #W2, #Y2], iterator_types = ["parallel", "reduction", "reduction"]} ins(%y, %w : tensor<8x4xf32>, tensor<1xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %k = linalg.index 2 : index
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    %m = arith.mulf %p, %f : f32
    %r = arith.mulf %m, %q : f32
    %s = arith.addf %o, %r : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A constant with one dimension of several elements is read as that dimension. Two ops share the new constant, and the old one
// is removed.
// CHECK-LABEL: func.func @bias(
// CHECK-SAME:  %[[X:[a-z0-9]+]]:
// CHECK-NOT:   tensor<3x1x1xf32>
// CHECK:       %[[B:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK-NOT:   arith.constant
// CHECK:       linalg.generic {{.*}} ins(%[[X]], %[[B]] : tensor<4x5x3xf32>, tensor<3xf32>)
// CHECK:       linalg.generic {{.*}} ins(%{{.*}}, %[[B]] : tensor<4x5x3xf32>, tensor<3xf32>)
#hwc = affine_map<(h, w, c) -> (h, w, c)>
#bias = affine_map<(h, w, c) -> (c, 0, 0)>
func.func @bias(%x: tensor<4x5x3xf32>) -> tensor<4x5x3xf32> {
  %b = arith.constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
  %e = tensor.empty() : tensor<4x5x3xf32>
  %0 = linalg.generic {indexing_maps = [#hwc, #bias, #hwc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %b : tensor<4x5x3xf32>, tensor<3x1x1xf32>) outs(%e : tensor<4x5x3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x5x3xf32>
  %1 = linalg.generic {indexing_maps = [#hwc, #bias, #hwc], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0, %b : tensor<4x5x3xf32>, tensor<3x1x1xf32>) outs(%e : tensor<4x5x3xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x5x3xf32>
  return %1 : tensor<4x5x3xf32>
}

// -----

// Unchanged: the index in a dimension of one element is no constant, two dimensions have several elements, or the value is an
// argument. A constant that is returned stays.
// CHECK-LABEL: func.func @others(
// CHECK-DAG:   %[[B:.*]] = arith.constant dense<{{.*}}> : tensor<3x1xf32>
// CHECK-DAG:   %[[T:.*]] = arith.constant dense<{{.*}}> : tensor<3x2xf32>
// CHECK:       ins(%[[B]], %[[T]], %{{.*}} : tensor<3x1xf32>, tensor<3x2xf32>, tensor<3x1xf32>)
// CHECK:       ins(%{{.*}} : tensor<3xf32>)
// CHECK:       return %{{.*}}, %{{.*}}, %[[B]]
#ij = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i, 0)>
#sum = affine_map<(i, j, k) -> (i, j + k)>
#ijk = affine_map<(i, j, k) -> (i, j, k)>
#two = affine_map<(i, j, k) -> (i, 0)>
func.func @others(%a: tensor<3x1xf32>) -> (tensor<3x1x1xf32>, tensor<3x2xf32>, tensor<3x1xf32>) {
  %b = arith.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %t = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %e = tensor.empty() : tensor<3x1x1xf32>
  %0 = linalg.generic {indexing_maps = [#sum, #two, #two, #ijk], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b, %t, %a : tensor<3x1xf32>, tensor<3x2xf32>, tensor<3x1xf32>) outs(%e : tensor<3x1x1xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    %u = arith.addf %s, %r : f32
    linalg.yield %u : f32
  } -> tensor<3x1x1xf32>
  %e2 = tensor.empty() : tensor<3x2xf32>
  %1 = linalg.generic {indexing_maps = [#first, #ij], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<3x1xf32>) outs(%e2 : tensor<3x2xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<3x2xf32>
  return %0, %1, %b : tensor<3x1x1xf32>, tensor<3x2xf32>, tensor<3x1xf32>
}

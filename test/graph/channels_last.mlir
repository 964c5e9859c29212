// Images of a chain of convolutions: with a bias as start, padding, groups, a concatenation and a mean, whose result is no image.
// RUN: lw-opt %s --channels-last --mlir-print-local-scope --pass-report 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.report
// RUN: lw-opt %s --channels-last -o %t.mlir
// RUN: lw-run %s --input random:1 --output %t.npy
// RUN: lw-run %t.mlir --input random:1 --check %t.npy --rtol 0 --atol 0
// RUN: lw-run %s --input random:1 --check %t.npy --rtol 0 --atol 0 --target x86 --fp strict
// RUN: lw-run %s --entry same --input random:1 --output %t.x.npy
// RUN: lw-run %s --entry copied --input %t.x.npy --output %t.npy
// RUN: lw-run %t.mlir --entry copied --input %t.x.npy --check %t.npy --rtol 0 --atol 0

// REPORT-DAG: channels-last @copied {{.*}} 2 products
// REPORT-DAG: channels-last @main {{.*}} 3 products

#id = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#X = affine_map<(n, f, h, w, c, i, j) -> (n, c, h + i, w + j)>
#W = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#Y = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>
#GX = affine_map<(n, g, f, h, w, c, i, j) -> (n, g, c, h + i, w + j)>
#GW = affine_map<(n, g, f, h, w, c, i, j) -> (g, f, c, i, j)>
#GY = affine_map<(n, g, f, h, w, c, i, j) -> (n, g, f, h, w)>

// The first image stays as it is; the order of loops that reduce, too.
// CHECK-LABEL: func.func @main(
// CHECK:         %[[BIAS:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]{{.*}} outs(%{{.*}} : tensor<1x4x4x16xf32>)
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d1 + d5, d2 + d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>]{{.*}} ins(%arg0, {{.*}} outs(%[[BIAS]] : tensor<1x4x4x16xf32>)
// CHECK:         %[[RELU:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x4x16xf32>)
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[RELU]] low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK:         %[[GROUPS:.*]] = tensor.expand_shape %[[PADDED]] {{\[}}[0], [1], [2], [3, 4]] output_shape [1, 6, 6, 16, 1]
// CHECK:         %[[GROUPED:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 + d6, d2 + d7, d4, d5)>{{.*}} outs(%{{.*}} : tensor<1x4x4x1x16xf32>)
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[GROUPED]] {{\[}}[0], [1], [2, 3], [4]]
// CHECK:         tensor.concat dim(3) %[[C]], %[[RELU]] : {{.*}} -> tensor<1x4x4x32xf32>
// CHECK:         %[[LAST:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x4x16xf32>)
// CHECK:         %[[SUM:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d1)>]{{.*}} ins(%[[LAST]] : {{.*}} outs(%{{.*}} : tensor<1x1x1x16xf32>)
// CHECK:         tensor.collapse_shape %[[SUM]] {{\[}}[0, 1, 2], [3]] : tensor<1x1x1x16xf32> into tensor<1x16xf32>
// CHECK-NEXT:    return
func.func @main(%x: tensor<1x3x6x6xf32>) -> tensor<1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %we = tensor.empty() : tensor<16x3x3x3xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%we : tensor<16x3x3x3xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %m1 = arith.muli %i0, %c3 : index
    %s1 = arith.addi %m1, %i1 : index
    %m2 = arith.muli %s1, %c3 : index
    %s2 = arith.addi %m2, %i2 : index
    %m3 = arith.muli %s2, %c3 : index
    %s3 = arith.addi %m3, %i3 : index
    %r = arith.remui %s3, %c5 : index
    %n = arith.index_cast %r : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  } -> tensor<16x3x3x3xf32>
  %ge = tensor.empty() : tensor<16x1x1x3x3xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%ge : tensor<16x1x1x3x3xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %i4 = linalg.index 4 : index
    %m1 = arith.muli %i0, %c3 : index
    %s1 = arith.addi %m1, %i1 : index
    %m2 = arith.muli %s1, %c3 : index
    %s2 = arith.addi %m2, %i2 : index
    %m3 = arith.muli %s2, %c3 : index
    %s3 = arith.addi %m3, %i3 : index
    %m4 = arith.muli %s3, %c3 : index
    %s4 = arith.addi %m4, %i4 : index
    %r = arith.remui %s4, %c7 : index
    %n = arith.index_cast %r : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  } -> tensor<16x1x1x3x3xf32>
  %ve = tensor.empty() : tensor<16x32x1x1xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%ve : tensor<16x32x1x1xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %m1 = arith.muli %i0, %c3 : index
    %s1 = arith.addi %m1, %i1 : index
    %m2 = arith.muli %s1, %c3 : index
    %s2 = arith.addi %m2, %i2 : index
    %m3 = arith.muli %s2, %c3 : index
    %s3 = arith.addi %m3, %i3 : index
    %r = arith.remui %s3, %c5 : index
    %n = arith.index_cast %r : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  } -> tensor<16x32x1x1xf32>
  %be = tensor.empty() : tensor<16xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%be : tensor<16xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %r = arith.remui %i0, %c7 : index
    %n = arith.index_cast %r : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  } -> tensor<16xf32>
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %bias = linalg.generic {indexing_maps = [#channel, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<16xf32>) outs(%e : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<1x16x4x4xf32>
  %y = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<1x3x6x6xf32>, tensor<16x3x3x3xf32>) outs(%bias : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x16x4x4xf32>) outs(%e : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %m = arith.maximumf %p, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x16x4x4xf32>
  %padded = tensor.pad %r low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x16x4x4xf32> to tensor<1x16x6x6xf32>
  %groups = tensor.expand_shape %padded [[0], [1, 2], [3], [4]] output_shape [1, 16, 1, 6, 6] : tensor<1x16x6x6xf32> into tensor<1x16x1x6x6xf32>
  %ge5 = tensor.empty() : tensor<1x16x1x4x4xf32>
  %gz = linalg.fill ins(%zero : f32) outs(%ge5 : tensor<1x16x1x4x4xf32>) -> tensor<1x16x1x4x4xf32>
  %gy = linalg.generic {indexing_maps = [#GX, #GW, #GY], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%groups, %g : tensor<1x16x1x6x6xf32>, tensor<16x1x1x3x3xf32>) outs(%gz : tensor<1x16x1x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x1x4x4xf32>
  %gc = tensor.collapse_shape %gy [[0], [1, 2], [3], [4]] : tensor<1x16x1x4x4xf32> into tensor<1x16x4x4xf32>
  %both = tensor.concat dim(1) %gc, %r : (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) -> tensor<1x32x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %last = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%both, %v : tensor<1x32x4x4xf32>, tensor<16x32x1x1xf32>) outs(%z : tensor<1x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x16x4x4xf32>
  %me = tensor.empty() : tensor<1x16x1x1xf32>
  %mz = linalg.fill ins(%zero : f32) outs(%me : tensor<1x16x1x1xf32>) -> tensor<1x16x1x1xf32>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(n, c, h, w) -> (n, c, 0, 0)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%last : tensor<1x16x4x4xf32>) outs(%mz : tensor<1x16x1x1xf32>) {
  ^bb0(%p: f32, %o: f32):
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<1x16x1x1xf32>
  %out = tensor.collapse_shape %sum [[0], [1, 2, 3]] : tensor<1x16x1x1xf32> into tensor<1x16xf32>
  return %out : tensor<1x16xf32>
}

// The caller gets a copy of the last image, in the order of the result. The number of images is not known.
// CHECK-LABEL: func.func @copied(
// CHECK:         tensor.empty(%{{.*}}) : tensor<?x4x4x2xf32>
// CHECK:         %[[LAST:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x4x4x2xf32>)
// CHECK:         tensor.dim %[[LAST]],
// CHECK:         %[[COPY:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]{{.*}} ins(%[[LAST]] : {{.*}} outs(%{{.*}} : tensor<?x2x4x4xf32>)
// CHECK:         return %[[COPY]]
func.func @copied(%x: tensor<?x3x6x6xf32>) -> tensor<?x2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %we = tensor.empty() : tensor<16x3x3x3xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%we : tensor<16x3x3x3xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %m1 = arith.muli %i0, %c3 : index
    %s1 = arith.addi %m1, %i1 : index
    %m2 = arith.muli %s1, %c3 : index
    %s2 = arith.addi %m2, %i2 : index
    %m3 = arith.muli %s2, %c3 : index
    %s3 = arith.addi %m3, %i3 : index
    %r = arith.remui %s3, %c5 : index
    %n = arith.index_cast %r : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  } -> tensor<16x3x3x3xf32>
  %ve = tensor.empty() : tensor<2x16x1x1xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%ve : tensor<2x16x1x1xf32>) {
  ^bb0(%o: f32):
    %i0 = linalg.index 0 : index
    %i1 = linalg.index 1 : index
    %i2 = linalg.index 2 : index
    %i3 = linalg.index 3 : index
    %m1 = arith.muli %i0, %c3 : index
    %s1 = arith.addi %m1, %i1 : index
    %m2 = arith.muli %s1, %c3 : index
    %s2 = arith.addi %m2, %i2 : index
    %m3 = arith.muli %s2, %c3 : index
    %s3 = arith.addi %m3, %i3 : index
    %r = arith.remui %s3, %c5 : index
    %n = arith.index_cast %r : index to i32
    %f = arith.sitofp %n : i32 to f32
    linalg.yield %f : f32
  } -> tensor<2x16x1x1xf32>
  %n = tensor.dim %x, %c0 : tensor<?x3x6x6xf32>
  %e = tensor.empty(%n) : tensor<?x16x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16x4x4xf32>) -> tensor<?x16x4x4xf32>
  %y = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%x, %w : tensor<?x3x6x6xf32>, tensor<16x3x3x3xf32>) outs(%z : tensor<?x16x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x4x4xf32>
  %le = tensor.empty(%n) : tensor<?x2x4x4xf32>
  %lz = linalg.fill ins(%zero : f32) outs(%le : tensor<?x2x4x4xf32>) -> tensor<?x2x4x4xf32>
  %last = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%y, %v : tensor<?x16x4x4xf32>, tensor<2x16x1x1xf32>) outs(%lz : tensor<?x2x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x2x4x4xf32>
  return %last : tensor<?x2x4x4xf32>
}

func.func @same(%x: tensor<2x3x6x6xf32>) -> tensor<2x3x6x6xf32> {
  return %x : tensor<2x3x6x6xf32>
}

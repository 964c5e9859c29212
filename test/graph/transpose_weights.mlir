// RUN: lw-opt %s --transpose-weights=vector-bits=128 --mlir-print-local-scope | FileCheck %s
// RUN: lw-run %s --entry main --input random:1 --output %t.npy --target x86 --without transpose-weights
// RUN: lw-run %s --entry main --input random:1 --check %t.npy --rtol 0 --atol 0 --target x86 | FileCheck %s --check-prefix=SAME

// SAME: result 0: 3x4xf32, max error 0.000e0 {{.*}}: passed

// CHECK-LABEL: func.func @main(
// CHECK:         %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<4x2xf32>
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<2x4xf32>
// CHECK:         %[[T:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%[[W]] : tensor<4x2xf32>) outs(%[[E]] : tensor<2x4xf32>)
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %[[T]] : tensor<3x2xf32>, tensor<2x4xf32>)
func.func @main(%x: tensor<3x2xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.matmul indexing_maps = [
    affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>
  ] ins(%x, %w : tensor<3x2xf32>, tensor<4x2xf32>) outs(%s : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// The number of rows is not known; two products, of which one adds to the other, read one copy of the weights.
// CHECK-LABEL: func.func @rows(
// CHECK:         %[[T:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]
// CHECK-NOT:     "parallel", "parallel"]
// CHECK:         linalg.generic {{.*}}ins(%arg0, %[[T]] :
// CHECK-NOT:     "parallel", "parallel"]
// CHECK:         linalg.generic {{.*}}ins(%arg1, %[[T]] :
func.func @rows(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %p = linalg.matmul indexing_maps = [
    affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>
  ] ins(%x, %w : tensor<?x2xf32>, tensor<4x2xf32>) outs(%o : tensor<?x4xf32>) -> tensor<?x4xf32>
  %q = linalg.matmul indexing_maps = [
    affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>
  ] ins(%y, %w : tensor<?x2xf32>, tensor<4x2xf32>) outs(%p : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %q : tensor<?x4xf32>
}

// The filters of a convolution become the last dimension, under the contract strict, too.
// CHECK-LABEL: func.func @convolution(
// CHECK:         %[[T:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3, d0, d1, d2)>,
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>, affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>,
// CHECK-SAME:      ins(%arg0, %[[T]] : tensor<1x4x4x2xf32>, tensor<2x2x2x4xf32>)
func.func @convolution(%x: tensor<1x4x4x2xf32>) -> tensor<1x3x3x4xf32> attributes {loop.fp = "strict"} {
  %w = arith.constant dense<1.0> : tensor<4x2x2x2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x3x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  %y = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x4x4x2xf32>, tensor<4x2x2x2xf32>) outs(%s : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>
  return %y : tensor<1x3x3x4xf32>
}

// Narrow numbers, and weights that are computed from constants. Results that are one number wide have other dimensions.
// CHECK-LABEL: func.func @bytes(
// CHECK:         %[[W:.*]] = linalg.generic
// CHECK:         %[[T:.*]] = linalg.generic {{.*}} ins(%[[W]] : tensor<8x2xi8>) outs(%{{.*}} : tensor<2x8xi8>)
// CHECK:         linalg.generic {{.*}}ins(%arg0, %[[T]] :
func.func @bytes(%x: tensor<3x2xi8>, %o: tensor<3x8x1xi32>) -> tensor<3x8x1xi32> {
  %c = arith.constant dense<1> : tensor<8x2xi8>
  %e = tensor.empty() : tensor<8x2xi8>
  %w = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } ins(%c : tensor<8x2xi8>) outs(%e : tensor<8x2xi8>) {
  ^bb0(%a: i8, %b: i8):
    %r = arith.addi %a, %a : i8
    linalg.yield %r : i8
  } -> tensor<8x2xi8>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j, l, k) -> (i, k)>, affine_map<(i, j, l, k) -> (j, k)>, affine_map<(i, j, l, k) -> (i, j, l)>],
    iterator_types = ["parallel", "parallel", "parallel", "reduction"]
  } ins(%x, %w : tensor<3x2xi8>, tensor<8x2xi8>) outs(%o : tensor<3x8x1xi32>) {
  ^bb0(%a: i8, %b: i8, %s: i32):
    %ax = arith.extsi %a : i8 to i32
    %bx = arith.extsi %b : i8 to i32
    %p = arith.muli %ax, %bx : i32
    %r = arith.addi %s, %p : i32
    linalg.yield %r : i32
  } -> tensor<3x8x1xi32>
  return %y : tensor<3x8x1xi32>
}

// A depthwise convolution: the image is contiguous along the channels, too.
// CHECK-LABEL: func.func @depthwise(
// CHECK:         %[[T:.*]] = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0 + d2, d1)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>]{{.*}} ins(%arg0, %[[T]] :
func.func @depthwise(%x: tensor<5x4xf32>) -> tensor<3x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [1.5, 2.5, 3.5]]> : tensor<4x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(h, c, i) -> (h + i, c)>, affine_map<(h, c, i) -> (c, i)>, affine_map<(h, c, i) -> (h, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<5x4xf32>, tensor<4x3xf32>) outs(%s : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

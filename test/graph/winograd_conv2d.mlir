// 3 x 3 convolutions by Winograd's algorithm. The processor has short vectors, so that it pays for few channels.
// RUN: lw-opt %s --winograd-conv2d=vector-bits=64 --split-input-file | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --winograd-conv2d=vector-bits=64 --split-input-file -o /dev/null

// Channels first. Weights and image are transformed, and multiplied for each of the 16 elements of a tile.
// CHECK-DAG:     #{{.*}} = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 2 + 3, d5 * 2 + 1)>
// CHECK-DAG:     #{{.*}} = affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d0, d1, d4, d2, d5)>
// CHECK-LABEL: func.func @first(
// CHECK-SAME:    %[[X:.*]]: tensor<2x24x6x6xf32>
// CHECK:         %[[W:.*]] = linalg.generic
// CHECK:         } -> tensor<24x24x3x3xf32>
// CHECK:         %[[U:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[W]], %[[W]], %[[W]], %[[W]], %[[W]], %[[W]], %[[W]], %[[W]] :
// CHECK:           arith.constant 5.000000e-01
// CHECK:           arith.select
// CHECK:         } -> tensor<4x4x24x24xf32>
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[X]], {{.*}} outs(
// CHECK:           arith.subf
// CHECK:         } -> tensor<4x2x24x4x2x2xf32>
// CHECK:         %[[M:.*]] = linalg.generic {{.*}} ins(%[[U]], %[[V]] :
// CHECK:         } -> tensor<4x4x2x24x2x2xf32>
// CHECK:         } -> tensor<2x24x2x2x2x2xf32>
// CHECK-NEXT:    %[[Y:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3], [4, 5]] : tensor<2x24x2x2x2x2xf32> into tensor<2x24x4x4xf32>
// CHECK-NEXT:    return %[[Y]]
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

func.func @first(%x: tensor<2x24x6x6xf32>) -> tensor<2x24x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %wi = tensor.empty() : tensor<24x24x3x3xf32>
  %w = linalg.generic {indexing_maps = [#w], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wi : tensor<24x24x3x3xf32>) {
  ^bb0(%o: f32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = linalg.index 3 : index
    %4 = arith.muli %0, %1 : index
    %5 = arith.addi %4, %2 : index
    %6 = arith.muli %5, %3 : index
    %7 = arith.addi %6, %0 : index
    %8 = arith.subi %7, %2 : index
    %9 = arith.remsi %8, %c7 : index
    %10 = arith.index_cast %9 : index to i32
    %11 = arith.sitofp %10 : i32 to f32
    linalg.yield %11 : f32
  } -> tensor<24x24x3x3xf32>
  %e = tensor.empty() : tensor<2x24x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x24x4x4xf32>) -> tensor<2x24x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x24x6x6xf32>, tensor<24x24x3x3xf32>) outs(%f : tensor<2x24x4x4xf32>) -> tensor<2x24x4x4xf32>
  return %y : tensor<2x24x4x4xf32>
}

// -----

// Channels last, of f64. Both sizes of the result are odd: a row and a column of zeros are added to the image, and one of the results is dropped.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @last(
// CHECK:         tensor.pad %{{.*}} low[0, 0, 0, 0] high[0, 1, 1, 0]
// CHECK:         } -> tensor<4x1x4x4x3x48xf64>
// CHECK:         } -> tensor<4x4x1x4x3x52xf64>
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0, 0] [1, 7, 5, 52] [1, 1, 1, 1] : tensor<1x8x6x52xf64> to tensor<1x7x5x52xf64>
func.func @last(%x: tensor<1x9x7x48xf64>) -> tensor<1x7x5x52xf64> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f64
  %c7 = arith.constant 7 : index
  %wi = tensor.empty() : tensor<3x3x48x52xf64>
  %w = linalg.generic {indexing_maps = [#w], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wi : tensor<3x3x48x52xf64>) {
  ^bb0(%o: f64):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = linalg.index 3 : index
    %4 = arith.muli %0, %1 : index
    %5 = arith.addi %4, %2 : index
    %6 = arith.muli %5, %3 : index
    %7 = arith.addi %6, %0 : index
    %8 = arith.subi %7, %2 : index
    %9 = arith.remsi %8, %c7 : index
    %10 = arith.index_cast %9 : index to i32
    %11 = arith.sitofp %10 : i32 to f64
    linalg.yield %11 : f64
  } -> tensor<3x3x48x52xf64>
  %e = tensor.empty() : tensor<1x7x5x52xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<1x7x5x52xf64>) -> tensor<1x7x5x52xf64>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x7x48xf64>, tensor<3x3x48x52xf64>) outs(%f : tensor<1x7x5x52xf64>) -> tensor<1x7x5x52xf64>
  return %y : tensor<1x7x5x52xf64>
}

// -----

// Start values that are not zero are added at the end.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @start(
// CHECK-SAME:    %[[S:[^:]*]]: tensor<1x24x4x4xf32>)
// CHECK:         %[[Y:.*]] = tensor.collapse_shape
// CHECK:         %[[Z:.*]] = linalg.generic {{.*}} ins(%[[Y]], %[[S]] :
// CHECK:           arith.addf
// CHECK:         return %[[Z]]
func.func @start(%x: tensor<1x24x6x6xf32>, %s: tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %wi = tensor.empty() : tensor<24x24x3x3xf32>
  %w = linalg.generic {indexing_maps = [#w], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wi : tensor<24x24x3x3xf32>) {
  ^bb0(%o: f32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = linalg.index 3 : index
    %4 = arith.muli %0, %1 : index
    %5 = arith.addi %4, %2 : index
    %6 = arith.muli %5, %3 : index
    %7 = arith.addi %6, %0 : index
    %8 = arith.subi %7, %2 : index
    %9 = arith.remsi %8, %c7 : index
    %10 = arith.index_cast %9 : index to i32
    %11 = arith.sitofp %10 : i32 to f32
    linalg.yield %11 : f32
  } -> tensor<24x24x3x3xf32>
  %e = tensor.empty() : tensor<1x24x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x24x6x6xf32>, tensor<24x24x3x3xf32>) outs(%s : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  return %y : tensor<1x24x4x4xf32>
}

// -----

// A generic op is a convolution as well: the image is its second input, without a dimension of images.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

#i = affine_map<(f, h, w, c, i, j) -> (h + i, c, j + w)>
#k = affine_map<(f, h, w, c, i, j) -> (c, j, f, i)>
#o = affine_map<(f, h, w, c, i, j) -> (f, w, h)>
// CHECK-LABEL: func.func @generic(
// CHECK:         } -> tensor<4x4x2x32x2xf32>
// CHECK:         } -> tensor<4x4x32x2x2xf32>
// CHECK:         } -> tensor<32x2x2x2x2xf32>
func.func @generic(%x: tensor<6x32x6xf32>) -> tensor<32x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %wi = tensor.empty() : tensor<32x3x32x3xf32>
  %w = linalg.generic {indexing_maps = [#w], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wi : tensor<32x3x32x3xf32>) {
  ^bb0(%o: f32):
    %0 = linalg.index 0 : index
    %1 = linalg.index 1 : index
    %2 = linalg.index 2 : index
    %3 = linalg.index 3 : index
    %4 = arith.muli %0, %1 : index
    %5 = arith.addi %4, %2 : index
    %6 = arith.muli %5, %3 : index
    %7 = arith.addi %6, %0 : index
    %8 = arith.subi %7, %2 : index
    %9 = arith.remsi %8, %c7 : index
    %10 = arith.index_cast %9 : index to i32
    %11 = arith.sitofp %10 : i32 to f32
    linalg.yield %11 : f32
  } -> tensor<32x3x32x3xf32>
  %e = tensor.empty() : tensor<32x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x4x4xf32>) -> tensor<32x4x4xf32>
  %y = linalg.generic {indexing_maps = [#k, #i, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%w, %x : tensor<32x3x32x3xf32>, tensor<6x32x6xf32>) outs(%f : tensor<32x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<32x4x4xf32>
  return %y : tensor<32x4x4xf32>
}

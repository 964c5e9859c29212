// Winograd transforms: each convolution by transforms is that by its definition.
// RUN: lw-opt %s --decompose-composite-ops | FileCheck %s
// RUN: lw-run %s --entry tiles_4 --input random --target x86 --output %t.npy
// RUN: lw-run %s --entry tiles_4_by_transforms --input random --target x86 --check %t.npy --rtol 1e-5 | FileCheck %s --check-prefix=EQUAL
// RUN: lw-run %s --entry tiles_2 --input random --target x86 --output %t.npy
// RUN: lw-run %s --entry tiles_2_by_transforms --input random --target x86 --check %t.npy --rtol 1e-5 | FileCheck %s --check-prefix=EQUAL
// RUN: lw-run %s --entry filter_5 --input random --target x86 --output %t.npy
// RUN: lw-run %s --entry filter_5_by_transforms --input random --target x86 --check %t.npy --rtol 1e-5 | FileCheck %s --check-prefix=EQUAL
// RUN: lw-run %s --entry one_row --input random --target x86 --output %t.npy
// RUN: lw-run %s --entry one_row_by_transforms --input random --target x86 --check %t.npy --rtol 1e-5 | FileCheck %s --check-prefix=EQUAL
// RUN: lw-run %s --entry tiles_4 --input random --target x86 --output %t.npy
// RUN: lw-run %s --entry tiles_4_by_transforms --input random --check %t.npy --rtol 1e-5 | FileCheck %s --check-prefix=EQUAL
// RUN: lw-run %s --entry tiles_4_by_transforms --input random --target sm_80 --device emulator --check %t.npy --rtol 1e-5 | FileCheck %s --check-prefix=EQUAL
// EQUAL: passed

// Rows, then columns.
// CHECK-DAG:   affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5)>
// CHECK-DAG:   affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d1 * 4 + d5, d2, d4)>
// CHECK-LABEL: func.func @tiles_4_by_transforms(
// CHECK-NOT:     winograd
// CHECK:         tensor.collapse_shape %{{.+}} {{\[\[}}0], [1, 2], [3, 4], [5]]
// CHECK:         arith.constant 1.024000e+03 : f32
// CHECK:         arith.mulf
// CHECK-NEXT:    arith.addf

func.func @tiles_4(%x: tensor<2x10x10x5xf32>, %w: tensor<2x3x3x5xf32>, %o: tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<2x10x10x5xf32>, tensor<2x3x3x5xf32>) outs(%o : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return %r : tensor<2x8x8x2xf32>
}
func.func @tiles_4_by_transforms(%x: tensor<2x10x10x5xf32>, %w: tensor<2x3x3x5xf32>, %o: tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32> {
  %ue = tensor.empty() : tensor<6x6x5x2xf32>
  %u = linalg.winograd_filter_transform fmr(F_4_3) ins(%w : tensor<2x3x3x5xf32>) outs(%ue : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %ve = tensor.empty() : tensor<6x6x2x2x2x5xf32>
  %v = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<2x10x10x5xf32>) outs(%ve : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  %us = tensor.collapse_shape %u [[0, 1], [2], [3]] : tensor<6x6x5x2xf32> into tensor<36x5x2xf32>
  %vs = tensor.collapse_shape %v [[0, 1], [2, 3, 4], [5]] : tensor<6x6x2x2x2x5xf32> into tensor<36x8x5xf32>
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<36x8x2xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<36x8x2xf32>) -> tensor<36x8x2xf32>
  %p = linalg.batch_matmul ins(%vs, %us : tensor<36x8x5xf32>, tensor<36x5x2xf32>) outs(%pf : tensor<36x8x2xf32>) -> tensor<36x8x2xf32>
  %m = tensor.expand_shape %p [[0, 1], [2, 3, 4], [5]] output_shape [6, 6, 2, 2, 2, 2] : tensor<36x8x2xf32> into tensor<6x6x2x2x2x2xf32>
  %r = linalg.winograd_output_transform fmr(F_4_3) ins(%m : tensor<6x6x2x2x2x2xf32>) outs(%o : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return %r : tensor<2x8x8x2xf32>
}
func.func @tiles_2(%x: tensor<1x6x8x3xf32>, %w: tensor<2x3x3x3xf32>, %o: tensor<1x4x6x2xf32>) -> tensor<1x4x6x2xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x6x8x3xf32>, tensor<2x3x3x3xf32>) outs(%o : tensor<1x4x6x2xf32>) -> tensor<1x4x6x2xf32>
  return %r : tensor<1x4x6x2xf32>
}
func.func @tiles_2_by_transforms(%x: tensor<1x6x8x3xf32>, %w: tensor<2x3x3x3xf32>, %o: tensor<1x4x6x2xf32>) -> tensor<1x4x6x2xf32> {
  %ue = tensor.empty() : tensor<4x4x3x2xf32>
  %u = linalg.winograd_filter_transform fmr(F_2_3) ins(%w : tensor<2x3x3x3xf32>) outs(%ue : tensor<4x4x3x2xf32>) -> tensor<4x4x3x2xf32>
  %ve = tensor.empty() : tensor<4x4x2x3x1x3xf32>
  %v = linalg.winograd_input_transform fmr(F_2_3) ins(%x : tensor<1x6x8x3xf32>) outs(%ve : tensor<4x4x2x3x1x3xf32>) -> tensor<4x4x2x3x1x3xf32>
  %us = tensor.collapse_shape %u [[0, 1], [2], [3]] : tensor<4x4x3x2xf32> into tensor<16x3x2xf32>
  %vs = tensor.collapse_shape %v [[0, 1], [2, 3, 4], [5]] : tensor<4x4x2x3x1x3xf32> into tensor<16x6x3xf32>
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<16x6x2xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<16x6x2xf32>) -> tensor<16x6x2xf32>
  %p = linalg.batch_matmul ins(%vs, %us : tensor<16x6x3xf32>, tensor<16x3x2xf32>) outs(%pf : tensor<16x6x2xf32>) -> tensor<16x6x2xf32>
  %m = tensor.expand_shape %p [[0, 1], [2, 3, 4], [5]] output_shape [4, 4, 2, 3, 1, 2] : tensor<16x6x2xf32> into tensor<4x4x2x3x1x2xf32>
  %r = linalg.winograd_output_transform fmr(F_2_3) ins(%m : tensor<4x4x2x3x1x2xf32>) outs(%o : tensor<1x4x6x2xf32>) -> tensor<1x4x6x2xf32>
  return %r : tensor<1x4x6x2xf32>
}
func.func @filter_5(%x: tensor<1x8x6x3xf32>, %w: tensor<2x5x5x3xf32>, %o: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x8x6x3xf32>, tensor<2x5x5x3xf32>) outs(%o : tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return %r : tensor<1x4x2x2xf32>
}
func.func @filter_5_by_transforms(%x: tensor<1x8x6x3xf32>, %w: tensor<2x5x5x3xf32>, %o: tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32> {
  %ue = tensor.empty() : tensor<6x6x3x2xf32>
  %u = linalg.winograd_filter_transform fmr(F_2_5) ins(%w : tensor<2x5x5x3xf32>) outs(%ue : tensor<6x6x3x2xf32>) -> tensor<6x6x3x2xf32>
  %ve = tensor.empty() : tensor<6x6x2x1x1x3xf32>
  %v = linalg.winograd_input_transform fmr(F_2_5) ins(%x : tensor<1x8x6x3xf32>) outs(%ve : tensor<6x6x2x1x1x3xf32>) -> tensor<6x6x2x1x1x3xf32>
  %us = tensor.collapse_shape %u [[0, 1], [2], [3]] : tensor<6x6x3x2xf32> into tensor<36x3x2xf32>
  %vs = tensor.collapse_shape %v [[0, 1], [2, 3, 4], [5]] : tensor<6x6x2x1x1x3xf32> into tensor<36x2x3xf32>
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<36x2x2xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<36x2x2xf32>) -> tensor<36x2x2xf32>
  %p = linalg.batch_matmul ins(%vs, %us : tensor<36x2x3xf32>, tensor<36x3x2xf32>) outs(%pf : tensor<36x2x2xf32>) -> tensor<36x2x2xf32>
  %m = tensor.expand_shape %p [[0, 1], [2, 3, 4], [5]] output_shape [6, 6, 2, 1, 1, 2] : tensor<36x2x2xf32> into tensor<6x6x2x1x1x2xf32>
  %r = linalg.winograd_output_transform fmr(F_2_5) ins(%m : tensor<6x6x2x1x1x2xf32>) outs(%o : tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return %r : tensor<1x4x2x2xf32>
}
func.func @one_row(%x: tensor<1x1x10x4xf32>, %w: tensor<3x1x3x4xf32>, %o: tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x1x10x4xf32>, tensor<3x1x3x4xf32>) outs(%o : tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xf32>
  return %r : tensor<1x1x8x3xf32>
}
func.func @one_row_by_transforms(%x: tensor<1x1x10x4xf32>, %w: tensor<3x1x3x4xf32>, %o: tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xf32> {
  %ue = tensor.empty() : tensor<1x6x4x3xf32>
  %u = linalg.winograd_filter_transform fmr(F_4_3) ins(%w : tensor<3x1x3x4xf32>) outs(%ue : tensor<1x6x4x3xf32>) -> tensor<1x6x4x3xf32>
  %ve = tensor.empty() : tensor<1x6x1x2x1x4xf32>
  %v = linalg.winograd_input_transform fmr(F_4_3) ins(%x : tensor<1x1x10x4xf32>) outs(%ve : tensor<1x6x1x2x1x4xf32>) -> tensor<1x6x1x2x1x4xf32>
  %us = tensor.collapse_shape %u [[0, 1], [2], [3]] : tensor<1x6x4x3xf32> into tensor<6x4x3xf32>
  %vs = tensor.collapse_shape %v [[0, 1], [2, 3, 4], [5]] : tensor<1x6x1x2x1x4xf32> into tensor<6x2x4xf32>
  %zero = arith.constant 0.0 : f32
  %pe = tensor.empty() : tensor<6x2x3xf32>
  %pf = linalg.fill ins(%zero : f32) outs(%pe : tensor<6x2x3xf32>) -> tensor<6x2x3xf32>
  %p = linalg.batch_matmul ins(%vs, %us : tensor<6x2x4xf32>, tensor<6x4x3xf32>) outs(%pf : tensor<6x2x3xf32>) -> tensor<6x2x3xf32>
  %m = tensor.expand_shape %p [[0, 1], [2, 3, 4], [5]] output_shape [1, 6, 1, 2, 1, 3] : tensor<6x2x3xf32> into tensor<1x6x1x2x1x3xf32>
  %r = linalg.winograd_output_transform fmr(F_4_3) ins(%m : tensor<1x6x1x2x1x3xf32>) outs(%o : tensor<1x1x8x3xf32>) -> tensor<1x1x8x3xf32>
  return %r : tensor<1x1x8x3xf32>
}

// Convolutions that winograd-conv2d leaves.
// RUN: lw-opt %s --winograd-conv2d=vector-bits=64 --split-input-file | FileCheck %s
// RUN: not lw-opt %s --winograd-conv2d=vector-bits=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not lw-opt %s --winograd-conv2d=l2-bytes=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=L2
// RUN: not lw-opt %s --winograd-conv2d=l3-bytes=-1 --split-input-file 2>&1 | FileCheck %s --check-prefix=L3
// L2: error: 'func.func' op is given l2-bytes -1, expected 0 or more
// L3: error: 'func.func' op is given l3-bytes -1, expected 0 or more
// BITS: error: 'func.func' op is given vector-bits 0, expected a power of two from 64 to 65536

// (C1) The contract is `reassoc`.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @reassoc(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT:    return %[[Y]]
func.func @reassoc(%x: tensor<1x24x6x6xf32>) -> tensor<1x24x4x4xf32> attributes {loop.fp = "reassoc"} {
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
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x24x6x6xf32>, tensor<24x24x3x3xf32>) outs(%f : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  return %y : tensor<1x24x4x4xf32>
}

// -----

// (C2) Numbers have 16 bits.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @half(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT:    return %[[Y]]
func.func @half(%x: tensor<1x24x6x6xf16>) -> tensor<1x24x4x4xf16> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f16
  %c7 = arith.constant 7 : index
  %wi = tensor.empty() : tensor<24x24x3x3xf16>
  %w = linalg.generic {indexing_maps = [#w], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wi : tensor<24x24x3x3xf16>) {
  ^bb0(%o: f16):
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
    %11 = arith.sitofp %10 : i32 to f16
    linalg.yield %11 : f16
  } -> tensor<24x24x3x3xf16>
  %e = tensor.empty() : tensor<1x24x4x4xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<1x24x4x4xf16>) -> tensor<1x24x4x4xf16>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x24x6x6xf16>, tensor<24x24x3x3xf16>) outs(%f : tensor<1x24x4x4xf16>) -> tensor<1x24x4x4xf16>
  return %y : tensor<1x24x4x4xf16>
}

// -----

// (C2) The weights are an argument.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @weights(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT:    return %[[Y]]
func.func @weights(%x: tensor<1x24x6x6xf32>, %w: tensor<24x24x3x3xf32>) -> tensor<1x24x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<1x24x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x24x6x6xf32>, tensor<24x24x3x3xf32>) outs(%f : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  return %y : tensor<1x24x4x4xf32>
}

// -----

// (C3) Windows are of 5 x 5.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @five(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT:    return %[[Y]]
func.func @five(%x: tensor<1x24x8x8xf32>) -> tensor<1x24x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %wi = tensor.empty() : tensor<24x24x5x5xf32>
  %w = linalg.generic {indexing_maps = [#w], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wi : tensor<24x24x5x5xf32>) {
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
  } -> tensor<24x24x5x5xf32>
  %e = tensor.empty() : tensor<1x24x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x24x8x8xf32>, tensor<24x24x5x5xf32>) outs(%f : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  return %y : tensor<1x24x4x4xf32>
}

// -----

// (C3) A stride of 2.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @stride(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT:    return %[[Y]]
func.func @stride(%x: tensor<1x24x9x9xf32>) -> tensor<1x24x4x4xf32> attributes {loop.fp = "fast"} {
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
  %y = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x24x9x9xf32>, tensor<24x24x3x3xf32>) outs(%f : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  return %y : tensor<1x24x4x4xf32>
}

// -----

// (C3) A dilation of 2.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @dilation(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT:    return %[[Y]]
func.func @dilation(%x: tensor<1x24x8x8xf32>) -> tensor<1x24x4x4xf32> attributes {loop.fp = "fast"} {
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
  %y = linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>} ins(%x, %w : tensor<1x24x8x8xf32>, tensor<24x24x3x3xf32>) outs(%f : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  return %y : tensor<1x24x4x4xf32>
}

// -----

// (C4) The number of images is not known.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT:    return %[[Y]]
func.func @dynamic(%x: tensor<?x24x6x6xf32>, %f: tensor<?x24x4x4xf32>) -> tensor<?x24x4x4xf32> attributes {loop.fp = "fast"} {
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
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x24x6x6xf32>, tensor<24x24x3x3xf32>) outs(%f : tensor<?x24x4x4xf32>) -> tensor<?x24x4x4xf32>
  return %y : tensor<?x24x4x4xf32>
}

// -----

// (C5) Eight channels: the transforms take longer than the multiplications that they save.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @few(
// CHECK:         %[[Y:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-NEXT:    return %[[Y]]
func.func @few(%x: tensor<1x8x6x6xf32>) -> tensor<1x8x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %c7 = arith.constant 7 : index
  %wi = tensor.empty() : tensor<8x8x3x3xf32>
  %w = linalg.generic {indexing_maps = [#w], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%wi : tensor<8x8x3x3xf32>) {
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
  } -> tensor<8x8x3x3xf32>
  %e = tensor.empty() : tensor<1x8x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  %y = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x8x6x6xf32>, tensor<8x8x3x3xf32>) outs(%f : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %y : tensor<1x8x4x4xf32>
}

// -----

// (C3) Groups of channels, here one channel each.
#w = affine_map<(a, b, c, d) -> (a, b, c, d)>

// CHECK-LABEL: func.func @depthwise(
// CHECK:         %[[Y:.*]] = linalg.depthwise_conv_2d_nchw_chw
// CHECK-NEXT:    return %[[Y]]
func.func @depthwise(%x: tensor<1x24x6x6xf32>) -> tensor<1x24x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<2.0> : tensor<24x3x3xf32>
  %e = tensor.empty() : tensor<1x24x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  %y = linalg.depthwise_conv_2d_nchw_chw ins(%x, %w : tensor<1x24x6x6xf32>, tensor<24x3x3xf32>) outs(%f : tensor<1x24x4x4xf32>) -> tensor<1x24x4x4xf32>
  return %y : tensor<1x24x4x4xf32>
}

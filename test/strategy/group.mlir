// What joins a group: the elementwise nests over all results of a product or of a depthwise convolution join it, whatever
// the order of loops and the loops of one iteration; a nest over a part of the results does not.
// RUN: lw-run %s --target x86 --without graph-fuse-ops --dump-strategy --compile-to schedule 2>&1 >/dev/null | FileCheck %s
// RUN: lw-run %s --target sm_80 --without graph-fuse-ops --dump-strategy --compile-to schedule 2>&1 >/dev/null | FileCheck %s

// The convolution loops over rows, columns and channels, the maximum over channels, rows and columns.
// CHECK-LABEL: function other_order:
// CHECK:       group depthwise_conv_2d_nchw_chw, max
func.func @other_order(%x: tensor<1x32x14x14xf32>, %k: tensor<32x3x3xf32>) -> tensor<1x32x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x12x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%x, %k : tensor<1x32x14x14xf32>, tensor<32x3x3xf32>)
      outs(%z : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  %m = linalg.max ins(%r, %z : tensor<1x32x12x12xf32>, tensor<1x32x12x12xf32>) outs(%e : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  return %m : tensor<1x32x12x12xf32>
}

// CHECK-LABEL: function part:
// CHECK:       group depthwise_conv_2d_nchw_chw{{$}}
// CHECK:       group max{{$}}
func.func @part(%x: tensor<1x32x14x14xf32>, %k: tensor<32x3x3xf32>) -> tensor<1x16x12x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x12x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%x, %k : tensor<1x32x14x14xf32>, tensor<32x3x3xf32>)
      outs(%z : tensor<1x32x12x12xf32>) -> tensor<1x32x12x12xf32>
  %s = tensor.extract_slice %r[0, 0, 0, 0] [1, 16, 12, 12] [1, 1, 1, 1] : tensor<1x32x12x12xf32> to tensor<1x16x12x12xf32>
  %f = tensor.empty() : tensor<1x16x12x12xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32>
  %m = linalg.max ins(%s, %y : tensor<1x16x12x12xf32>, tensor<1x16x12x12xf32>) outs(%f : tensor<1x16x12x12xf32>) -> tensor<1x16x12x12xf32>
  return %m : tensor<1x16x12x12xf32>
}

// The maximum has one loop, the product two for its results.
// CHECK-LABEL: function without_unit_loop:
// CHECK:       group batch_matmul, max
func.func @without_unit_loop(%a: tensor<2x1x64xf32>, %b: tensor<2x64x1xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x1x1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x1x64xf32>, tensor<2x64x1xf32>) outs(%z : tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %s = tensor.collapse_shape %r [[0, 1, 2]] : tensor<2x1x1xf32> into tensor<2xf32>
  %f = tensor.empty() : tensor<2xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<2xf32>) -> tensor<2xf32>
  %m = linalg.max ins(%s, %y : tensor<2xf32>, tensor<2xf32>) outs(%f : tensor<2xf32>) -> tensor<2xf32>
  return %m : tensor<2xf32>
}

// The number of rows is unknown, but the same for both. For an unknown number of columns, the maximum has a group of its own.
// CHECK-LABEL: function unknown_rows:
// CHECK:       group matmul, max
func.func @unknown_rows(%a: tensor<?x64xf32>, %b: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x64xf32>) outs(%z : tensor<?x64xf32>) -> tensor<?x64xf32>
  %m = linalg.max ins(%r, %z : tensor<?x64xf32>, tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %m : tensor<?x64xf32>
}

// CHECK-LABEL: function unknown_columns:
// CHECK:       group matmul{{$}}
// CHECK:       group max{{$}}
func.func @unknown_columns(%a: tensor<64x64xf32>, %b: tensor<64x?xf32>) -> tensor<64x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %b, %c1 : tensor<64x?xf32>
  %e = tensor.empty(%n) : tensor<64x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x?xf32>) -> tensor<64x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x?xf32>) outs(%z : tensor<64x?xf32>) -> tensor<64x?xf32>
  %m = linalg.max ins(%r, %z : tensor<64x?xf32>, tensor<64x?xf32>) outs(%e : tensor<64x?xf32>) -> tensor<64x?xf32>
  return %m : tensor<64x?xf32>
}

// Convolution of each channel separately.
func.func @main(%x0: tensor<2x3x5x7xf32>, %x1: tensor<3x2x3xf32>) -> tensor<2x3x4x5xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<2x3x4x5xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%x0, %x1 : tensor<2x3x5x7xf32>, tensor<3x2x3xf32>) outs(%start : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// Convolution with the channels last.
func.func @main(%x0: tensor<1x5x7x2xf32>, %x1: tensor<2x3x2x3xf32>) -> tensor<1x2x5x3xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<1x2x5x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%x0, %x1 : tensor<1x5x7x2xf32>, tensor<2x3x2x3xf32>) outs(%start : tensor<1x2x5x3xf32>) -> tensor<1x2x5x3xf32>
  return %r : tensor<1x2x5x3xf32>
}
